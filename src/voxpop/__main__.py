"""`python -m voxpop` is the command `voxpop`."""

from __future__ import annotations

import sys

from voxpop.cli import main

sys.exit(main())
