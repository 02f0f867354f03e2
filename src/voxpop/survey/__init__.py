"""Survey data: designs, and what is known about variables."""

from __future__ import annotations

from voxpop.survey.calibration import Calibration
from voxpop.survey.design import Design
from voxpop.survey.replicates import Replicates

__all__ = ["Calibration", "Design", "Replicates"]
