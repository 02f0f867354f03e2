"""Who answers: the respondent protocol, question understanding and the embedded engine."""

from __future__ import annotations

from voxpop.respondents.embedded import EmbeddedRespondent
from voxpop.respondents.protocol import Attachment, Exchange, Failure, Question, Reply, Respondent, Scale
from voxpop.respondents.reading import read_question

__all__ = [
    "Attachment",
    "EmbeddedRespondent",
    "Exchange",
    "Failure",
    "Question",
    "Reply",
    "Respondent",
    "Scale",
    "read_question",
]
