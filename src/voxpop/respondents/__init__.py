"""Who answers: the respondent protocol and its engines, embedded or a language model."""

from __future__ import annotations

from voxpop.respondents.embedded import EmbeddedRespondent
from voxpop.respondents.protocol import Failure, Reply, Respondent

__all__ = ["EmbeddedRespondent", "Failure", "Reply", "Respondent"]
