"""What a caller does with a thesis: submit it, answer its question, decide its review."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from voxpop.jobs.queue import JobQueue
from voxpop.jobs.testing import plan, understood
from voxpop.records import jobs, thesis, usage, work
from voxpop.records.database import Database
from voxpop.records.thesis import Thesis
from voxpop.records.usage import Meter, UsageEvent

if TYPE_CHECKING:
    from voxpop.population.file import Population

_GO_ON = {"status": "recruiting", "phase": "recruiting", "review": None}


def submit(
    c: sa.Connection,
    meter: Meter,
    population: Population,
    *,
    raw_input: str,
    panel_size: int,
    operation_id: str,
) -> tuple[Thesis, list[UsageEvent]]:
    """Store a thesis with its panels as planned, their answers reserved, and the job that works on it.

    Raises
    ------
    QuotaExceeded
        The month has not so many answers left.
    """
    made = thesis.create(
        c, meter.organization_id, raw_input=raw_input, panel_size=panel_size, operation_id=operation_id
    )
    return plan(c, meter, made, understood(population, raw_input, panel_size, []), population)


def answer(
    database: Database, queue: JobQueue, population: Population, meter: Meter, reference: str, words: str
) -> Thesis:
    """Answer the question of a thesis, which is then composed again in its light.

    Raises
    ------
    NotFound
        There is no such thesis.
    Conflict
        It has asked nothing (``details.status``).
    QuotaExceeded
        The month has not so many answers left; it goes on waiting.
    """
    with database.begin() as c:
        made = thesis.get(c, meter.organization_id, reference)
        asked = (made.clarification or {}).get("question", "")
        made = thesis.leave(
            c,
            made,
            "needs_clarification",
            status="composing",
            phase="composing",
            clarification=None,
            answers=[*made.answers, [asked, words]],
        )
        composition = understood(population, made.raw_input, made.panel_size, made.answers)
        made, _ = plan(c, meter, thesis.new_job(c, made), composition, population)
        items = work.of_job(c, made.job_id)
    queue.put(items)
    return made


def approve(
    database: Database,
    queue: JobQueue,
    population: Population,
    meter: Meter,
    reference: str,
    panel_size: int | None = None,
) -> Thesis:
    """Let a thesis go on with the agents there are.

    Parameters
    ----------
    database, queue, population, meter
        Where the thesis is, who is told of the work, where the agents are, and whose quota.
    reference
        Which thesis.
    panel_size
        How many agents a panel is to have now; as many as before without it.

    Raises
    ------
    NotFound
        There is no such thesis.
    Conflict
        It awaits no review (``details.status``).
    QuotaExceeded
        The month has not so many answers left; it goes on waiting.
    """
    told = {"progress_message": "Approved; recruiting the panels."}
    with database.begin() as c:
        made = thesis.get(c, meter.organization_id, reference)
        made = thesis.leave(c, made, "awaiting_review", **_GO_ON, **told)
        if panel_size is not None and panel_size != made.panel_size:
            made = thesis.change(c, made, panel_size=panel_size)
            composition = understood(population, made.raw_input, panel_size, made.answers)
            made, _ = plan(c, meter, made, composition, population)
            made = thesis.change(c, made, **_GO_ON, **told)  # it has been reviewed
        made = thesis.new_job(c, made)
        items = work.of_job(c, made.job_id)
    queue.put(items)
    return made


def decline(database: Database, organization_id: int, reference: str) -> Thesis:
    """End a thesis that awaits review; nobody is asked, and nothing is counted.

    Raises
    ------
    NotFound
        There is no such thesis.
    Conflict
        It awaits no review (``details.status``).
    """
    refusal = {"reason": "The thesis was declined at its review.", "hint": "Submit another thesis."}
    with database.begin() as c:
        made = thesis.leave(
            c,
            thesis.get(c, organization_id, reference),
            "awaiting_review",
            status="failed",
            phase="done",
            review=None,
            refusal=refusal,
            progress_message="Declined at the review.",
        )
        jobs.revise(c, made.job_id, status="failed")  # so that its operation does not wait for ever
        for panel in thesis.panels(c, made.id):
            usage.settle(c, panel.usage_event_id, 0)
        return made
