"""Survey data: rows with labels, levels, missing values, design and provenance."""

from __future__ import annotations

from voxpop.survey.calibration import Calibration
from voxpop.survey.declaring import declare, provenance_of
from voxpop.survey.design import Design
from voxpop.survey.opening import open_survey
from voxpop.survey.replicates import Replicates
from voxpop.survey.stacking import stack
from voxpop.survey.survey import Survey
from voxpop.survey.variables import Variable, Variables

__all__ = [
    "Calibration",
    "Design",
    "Replicates",
    "Survey",
    "Variable",
    "Variables",
    "declare",
    "open_survey",
    "provenance_of",
    "stack",
]
