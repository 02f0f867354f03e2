from __future__ import annotations

from real_models import REAL_ENGINES

collect_ignore = [] if REAL_ENGINES else ["test_model_real.py"]
