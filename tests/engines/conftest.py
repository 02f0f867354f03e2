from __future__ import annotations

from real_models import REAL_ENGINES
from small_model import IS_THERE

collect_ignore = [] if REAL_ENGINES else ["test_model_real.py"]
collect_ignore += [] if IS_THERE else ["test_small_model.py"]
