"""Work given to the simulated service: questions, groups, completions and whole studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.audience import AudiencePlan, Screen
from voxpop.engines.question import Question
from voxpop.jobs.asking import ask_directly, ask_study
from voxpop.jobs.requesting import request_study
from voxpop.jobs.steps import enqueue_completion
from voxpop.jobs.surveying import SURVEY, survey
from voxpop.records import requests
from voxpop.records.usage import Meter
from voxpop.service.accepting import Started
from voxpop.vocabulary import where

if TYPE_CHECKING:
    from world import SimulatedDatabase

ASKING = ("study", "direct", "survey", "whole")
"""Kinds of calls that ask a question: of a study, beside studies, as a survey, in a study made for it."""

RECRUITING = ("recruit", "screen", "whole")
"""Kinds of calls that make a group: from a text, by screening, for a study."""

STEPS = ("stats", "next_questions")
"""The steps of an analysis."""


def _questions(random: Random) -> Sequence[str]:
    return random.sample(("study", "study", "direct", "survey"), random.choice((1, 2, 2)))


MENUS: tuple[Callable[[Random], Sequence[str]], ...] = (
    *(_questions, _questions, _questions),
    lambda random: random.sample(("study", "complete"), 2),
    lambda random: random.sample(("recruit", "screen", "whole", "direct", "complete"), random.choice((1, 2))),
)
"""What one schedule is made of, as a seed draws it."""


class Planner:
    """Takes everybody; who is screened is asked one question."""

    name = "script"

    def plan(self, text: str, **_: Any) -> AudiencePlan:
        screens = (Screen("script", "screened?", "yes"),) if text.startswith("screen") else ()
        return AudiencePlan(where(), screens, clarification=None, refusal=None, sensitive=None, understood=())


PLANNER = Planner()


def begin(c: sa.Connection, database: SimulatedDatabase, operation: str, kind: str, text: str) -> Started:
    """Accept a call in the transaction of its key."""
    meter, question = Meter(database.organization, "live", None), Question(text, "number", key=_key(text))
    return _BEGIN[kind](c, database, operation, meter, question)


def _key(text: str) -> str:
    return text.replace(" ", "").rstrip("?")


def _survey(c: sa.Connection, _: Any, operation: str, meter: Meter, question: Question) -> Started:
    told: Mapping[str, Any] = {"operation_id": operation, "detail": {"survey_uuid": "u"}}
    put = survey(c, meter, SURVEY, (1, 2, 3), question, **told)
    return Started(put.job_id, None, [put.usage], {}, [put.item_id])


def _direct(c: sa.Connection, _: Any, operation: str, meter: Meter, question: Question) -> Started:
    asked = ask_directly(c, meter, (1, 2, 3), question, operation_id=operation)
    return Started(asked.job_ids[-1], None, [], {}, asked.item_ids)


def _study(
    c: sa.Connection, database: SimulatedDatabase, operation: str, meter: Meter, question: Question
) -> Started:
    asked = ask_study(c, meter.organization_id, database.study, question, meter=meter)
    _mark(c, asked.job_ids[-1], operation)
    return Started(asked.job_ids[-1], None, [], {}, asked.item_ids)


def _complete(
    c: sa.Connection, database: SimulatedDatabase, operation: str, meter: Meter, _: Question
) -> Started:
    job, _queued = enqueue_completion(c, meter.organization_id, database.study, STEPS)
    assert job is not None
    _mark(c, job, operation)
    return Started(job, None, [], {}, [])


def _recruit(c: sa.Connection, _: Any, operation: str, meter: Meter, question: Question) -> Started:
    told = {"progress_message": "Waiting.", "operation_id": operation}
    made = requests.create(c, meter.organization_id, text=question.text, group_size=3, **told)
    return Started(made.job_id, None, [], {}, [])


def _whole(c: sa.Connection, _: Any, operation: str, meter: Meter, question: Question) -> Started:
    told = {"title": None, "objective": None, "questions": [question], "operation_id": operation}
    made, event = request_study(c, meter, text=question.text, group_size=3, **told)  # type: ignore[arg-type]
    return Started(made.job_id, None, [event], {}, [])


_BEGIN: Mapping[str, Callable[..., Started]] = {
    "survey": _survey,
    "direct": _direct,
    "study": _study,
    "complete": _complete,
    "recruit": _recruit,
    "screen": _recruit,
    "whole": _whole,
}


def _mark(c: sa.Connection, job: str, operation: str) -> None:
    mark = sa.text("UPDATE jobs SET operation_id = :operation WHERE id = :job")
    c.execute(mark, {"operation": operation, "job": job})
