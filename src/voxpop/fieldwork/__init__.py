"""Fieldwork: recruit a group, ask questions, complete and share the study, and pull the data."""

from __future__ import annotations

from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.people import People, people
from voxpop.fieldwork.pull import Pulled, pull
from voxpop.fieldwork.recruit import recruit
from voxpop.fieldwork.study import Study

__all__ = ["FieldworkWarning", "People", "Pulled", "Study", "people", "pull", "recruit"]
