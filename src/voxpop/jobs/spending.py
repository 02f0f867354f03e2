"""What language models take while jobs are done: the work is held for as long, and it is written down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

import sqlalchemy as sa

from voxpop.records import model_calls, work
from voxpop.records.database import Clock, Database
from voxpop.records.model_calls import ModelCall
from voxpop.respondents.protocol import Failure, Reply, Spent

RENEW_EVERY = timedelta(minutes=1)
"""How long a worker goes on before it renews its claim; a language model takes its time."""


def held(
    database: Database, clock: Clock, item: work.Item, said: Iterable[Reply | Failure]
) -> Iterator[Reply | Failure]:
    """Yield what is said; hold the work for a language model, and stop when another worker has it."""
    renewed = clock()
    for one in said:
        yield one
        if one.spent is not None and clock() - renewed >= RENEW_EVERY:
            with database.begin() as c:
                if not work.renew(c, item):
                    return
            renewed = clock()


def note(
    c: sa.Connection,
    organization_id: int,
    purpose: str,
    said: Iterable[Reply | Failure],
    *,
    question_id: int | None = None,
) -> None:
    """Write down what answers took, those that failed too; nothing for engines that take nothing.

    Parameters
    ----------
    c, organization_id
        A connection that writes, and whose answers.
    purpose
        :data:`~voxpop.records.model_calls.ANSWER` or another one.
    said
        The answers and failures.
    question_id
        What they answer, where it is kept.
    """
    calls = [_call(purpose, one.spent, question_id, one.agent_id) for one in said if one.spent is not None]
    model_calls.save(c, organization_id, calls)


def note_text(c: sa.Connection, organization_id: int, purpose: str, spent: Spent | None) -> None:
    """Write down what a text that is no answer took."""
    if spent is not None:
        model_calls.save(c, organization_id, [_call(purpose, spent, None, None)])


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
    )
