"""Usage of language models, recorded immediately whatever the outcome of the work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

import sqlalchemy as sa

from voxpop.engines.respondent import Failure, Reply
from voxpop.engines.spent import Spent
from voxpop.records import model_calls, work_items
from voxpop.records.database import Clock, Database
from voxpop.records.model_calls import ModelCall

BOOK_EVERY = timedelta(seconds=0.25)
"""Interval after which collected usage is recorded, with the arrival of the next answer."""


def booked(
    database: Database,
    clock: Clock,
    item: work_items.Item,
    said: Iterable[Reply | Failure],
    purpose: str = model_calls.ANSWER,
) -> Iterator[Reply | Failure]:
    """Yield replies and record their usage, even if the work is interrupted or fails.

    Ends early when another worker has the work item.

    Parameters
    ----------
    database, clock
        The database and the clock.
    item
        The work item; its question is the one being answered.
    said
        Answers and failures; those of engines without usage pass through.
    purpose
        :data:`~voxpop.records.model_calls.ANSWER` or another one.
    """
    open_: list[ModelCall] = []
    since = clock()
    try:
        for one in said:
            if one.spent is not None:
                open_.append(_call(purpose, one.spent, item.question_id, one.agent_id))
                if clock() - since >= BOOK_EVERY:
                    still_ours = _book(database, item, open_)
                    open_, since = [], clock()
                    if not still_ours:
                        return
            yield one
    finally:
        if open_:
            _book(database, item, open_)


def book_text(c: sa.Connection, organization_id: int, purpose: str, spent: Spent | None) -> None:
    """Record the usage of a text that is not an answer."""
    if spent is not None:
        model_calls.save(c, organization_id, [_call(purpose, spent, None, None)])


def _book(database: Database, item: work_items.Item, calls: list[ModelCall]) -> bool:
    with database.begin() as c:
        model_calls.save(c, item.organization_id, calls)
        return work_items.renew(c, item)


def _call(purpose: str, spent: Spent, question_id: int | None, agent_id: int | None) -> ModelCall:
    return ModelCall(
        purpose=purpose,
        question_id=question_id,
        agent_id=agent_id,
        engine=spent.engine,
        calls=spent.calls,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost_microdollars=spent.cost_microdollars,
        cached=spent.cached,
        temperature=spent.temperature,
        seed=spent.seed,
        probabilities=spent.probabilities,
    )
