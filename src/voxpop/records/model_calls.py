"""Cost of language-model calls: tokens and money, one row per answer or other text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.records.database import now
from voxpop.records.schema import model_calls

ANSWER = "answer"
SCREENING = "screening"
PLANNING = "planning"
SUMMARY = "summary"
THESIS = "thesis"


@dataclass(frozen=True, slots=True)
class ModelCall:
    """Cost of one answer or one other text.

    Attributes
    ----------
    purpose : str
        :data:`ANSWER`, :data:`SCREENING`, :data:`PLANNING`, :data:`SUMMARY` or :data:`THESIS`.
    question_id, agent_id : int or None
        What the call was about.
    engine : str
        The engine's name, for example ``openai:gpt-x``.
    calls : int
        Number of model calls, including repairs.
    input_tokens, output_tokens : int
        Total of all calls.
    cost_microdollars : int or None
        Millionths of a dollar; None if the price of the model is unknown.
    cached : bool
        Whether it was replayed from the answer cache at no cost.
    temperature, seed
        Settings of the model call.
    probabilities : dict or None
        Distribution from which the answer was drawn.
    """

    purpose: str
    question_id: int | None
    agent_id: int | None
    engine: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost_microdollars: int | None
    cached: bool
    temperature: float | None
    seed: int | None
    probabilities: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """Total cost of several answers; ``unpriced`` counts the calls with an unknown price."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_microdollars: int = 0
    unpriced: int = 0


def save(c: sa.Connection, organization_id: int, calls: Sequence[ModelCall]) -> None:
    """Store the cost of calls.

    Parameters
    ----------
    c, organization_id
        A write connection, and the organization.
    calls
        In any order; may be empty.
    """
    moment = now(c)
    rows = [asdict(call) | {"organization_id": organization_id, "created_at": moment} for call in calls]
    if rows:
        c.execute(model_calls.insert(), rows)


def of_question(c: sa.Connection, organization_id: int, question_id: int) -> list[ModelCall]:
    """Return the costs of the answers to a question, in the order they were saved."""
    statement = (
        sa.select(*[model_calls.c[name] for name in ModelCall.__dataclass_fields__])
        .where(model_calls.c.organization_id == organization_id, model_calls.c.question_id == question_id)
        .order_by(model_calls.c.id)
    )
    return [ModelCall(*row) for row in c.execute(statement)]


def total(
    c: sa.Connection,
    organization_id: int | None = None,
    *,
    engine: str | None = None,
    since: datetime | None = None,
) -> Total:
    """Return the total cost of calls so far.

    Parameters
    ----------
    c
        Where.
    organization_id
        Default: all organizations.
    engine
        Only calls of this engine.
    since
        Only calls since this time.
    """
    columns = (model_calls.c.calls, model_calls.c.input_tokens, model_calls.c.output_tokens)
    unpriced = sa.case((model_calls.c.cost_microdollars.is_(None), model_calls.c.calls), else_=0)
    sums = [
        sa.func.coalesce(sa.func.sum(one), 0) for one in (*columns, model_calls.c.cost_microdollars, unpriced)
    ]
    statement = sa.select(*sums)
    if organization_id is not None:
        statement = statement.where(model_calls.c.organization_id == organization_id)
    if engine is not None:
        statement = statement.where(model_calls.c.engine == engine)
    if since is not None:
        statement = statement.where(model_calls.c.created_at >= since)
    return Total(*[int(value) for value in c.execute(statement).one()])
