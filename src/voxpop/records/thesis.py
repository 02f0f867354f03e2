"""Theses and their panels: interpretation, state and verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.records import jobs
from voxpop.records.database import now
from voxpop.records.inserting import insert
from voxpop.records.references import find, missing, new_uuid
from voxpop.records.schema import theses, thesis_panels

THESIS = "thesis"
"""Job kind of theses; ``detail`` contains the ``thesis_id``."""

PANEL = "thesis_panel"
"""Work kind that ends a panel after its questions; it has no job."""

ENDED = ("completed", "failed")
"""Final states of a panel."""


@dataclass(frozen=True, slots=True)
class Thesis:
    """A stored thesis.

    Attributes
    ----------
    status : str
        ``composing``, ``recruiting``, ``asking``, ``completed``, ``needs_clarification``, ``awaiting_review``
        or ``failed``.
    composition : dict or None
        Subjects, stance, drivers and claim; None until composed.
    clarification, review, refusal : dict or None
        What it waits for, or why it ended.
    answers : list of [question, answer]
        Clarifications so far, oldest first.
    verdict : dict or None
        Verdict of the panels.
    job_id : str
        Its current or last job.
    """

    id: int
    uuid: str
    organization_id: int
    status: str
    phase: str
    progress_message: str
    raw_input: str
    panel_size: int
    composition: dict[str, Any] | None
    clarification: dict[str, Any] | None
    review: dict[str, Any] | None
    refusal: dict[str, Any] | None
    answers: list[list[str]]
    verdict: dict[str, Any] | None
    operation_id: str
    job_id: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Panel:
    """A stored panel of a thesis; ``plan`` has its audience and questions."""

    id: int
    thesis_id: int
    position: int
    kind: str
    status: str
    plan: dict[str, Any]
    headline: str | None
    group_id: int | None
    study_id: int | None
    usage_event_id: str
    updated_at: datetime


_COLUMNS = [theses.c[name] for name in Thesis.__dataclass_fields__]
_PANEL_COLUMNS = [thesis_panels.c[name] for name in Panel.__dataclass_fields__]


def create(
    c: sa.Connection, organization_id: int, *, raw_input: str, panel_size: int, operation_id: str
) -> Thesis:
    """Store a new thesis with the job that composes it."""
    moment = now(c)
    number = insert(
        c,
        theses,
        uuid=new_uuid(),
        organization_id=organization_id,
        status="composing",
        phase="composing",
        progress_message="Reading the thesis.",
        raw_input=raw_input,
        panel_size=panel_size,
        answers=[],
        operation_id=operation_id,
        job_id="",
        created_at=moment,
        updated_at=moment,
    )
    return new_job(c, get(c, organization_id, number))


def get(c: sa.Connection, organization_id: int, reference: int | str) -> Thesis:
    """Return one thesis by number or UUID; :class:`NotFound` when there is none."""
    condition = find(theses, organization_id, reference, noun="thesis")
    row = c.execute(sa.select(*_COLUMNS).where(condition)).first()
    if row is None:
        raise missing("thesis", reference)
    return Thesis(*row)


def change(c: sa.Connection, thesis: Thesis, **changes: Any) -> Thesis:
    """Update a thesis; on PostgreSQL this locks its row until the transaction ends."""
    c.execute(theses.update().where(theses.c.id == thesis.id).values(changes | {"updated_at": now(c)}))
    return get(c, thesis.organization_id, thesis.id)


def leave(c: sa.Connection, thesis: Thesis, expected: str, /, **changes: Any) -> Thesis:
    """Change the state of a thesis from ``expected``; of two concurrent responses one wins.

    Raises
    ------
    Conflict
        It is in another state (``details.status``).
    """
    left = c.execute(
        theses.update()
        .where(theses.c.id == thesis.id, theses.c.status == expected)
        .values(changes | {"updated_at": now(c)})
    ).rowcount
    found = get(c, thesis.organization_id, thesis.id)
    if not left:
        takes = {"needs_clarification": "an answer", "awaiting_review": "an approval"}.get(found.status)
        told = "takes no response" if takes is None else f"takes {takes}"
        raise Conflict(f"Thesis {found.id} is {found.status} and {told}.", details={"status": found.status})
    return found


def new_job(c: sa.Connection, thesis: Thesis) -> Thesis:
    """Create a job for a thesis."""
    job_id, _ = jobs.create_job(
        c,
        thesis.organization_id,
        THESIS,
        operation_id=thesis.operation_id,
        detail={"thesis_id": thesis.id},
    )
    return change(c, thesis, job_id=job_id)


def add_panel(
    c: sa.Connection,
    thesis: Thesis,
    position: int,
    *,
    kind: str,
    plan: Mapping[str, Any],
    usage_event_id: str,
) -> Panel:
    """Store a planned panel."""
    number = insert(
        c,
        thesis_panels,
        thesis_id=thesis.id,
        position=position,
        kind=kind,
        status="planned",
        plan=dict(plan),
        usage_event_id=usage_event_id,
        updated_at=now(c),
    )
    return _panel(c, number)


def panels(c: sa.Connection, thesis_id: int) -> list[Panel]:
    """Return the panels of a thesis in order."""
    rows = sa.select(*_PANEL_COLUMNS).where(thesis_panels.c.thesis_id == thesis_id)
    return [Panel(*row) for row in c.execute(rows.order_by(thesis_panels.c.position))]


def panel_of_study(c: sa.Connection, study_id: int) -> Panel:
    """Return the panel of a study."""
    return Panel(*c.execute(sa.select(*_PANEL_COLUMNS).where(thesis_panels.c.study_id == study_id)).one())


def change_panel(c: sa.Connection, panel: Panel, **changes: Any) -> Panel:
    """Update a panel."""
    values = changes | {"updated_at": now(c)}
    c.execute(thesis_panels.update().where(thesis_panels.c.id == panel.id).values(values))
    return _panel(c, panel.id)


def drop_panels(c: sa.Connection, thesis_id: int) -> None:
    """Delete the planned panels of a thesis before it is composed again."""
    c.execute(thesis_panels.delete().where(thesis_panels.c.thesis_id == thesis_id))


def _panel(c: sa.Connection, number: int) -> Panel:
    return Panel(*c.execute(sa.select(*_PANEL_COLUMNS).where(thesis_panels.c.id == number)).one())
