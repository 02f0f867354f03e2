"""Composition of a thesis: plan panels when the thesis is submitted, answered or approved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.composition import Composition, Restater, ThesisComposer
from voxpop.jobs.panel_storage import panel_to_json
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.spending import book_text
from voxpop.records import jobs, model_calls, thesis, usage, work_items
from voxpop.records.database import Database
from voxpop.records.thesis import Thesis
from voxpop.records.usage import Meter, UsageEvent
from voxpop.vocabulary import FIELDS, Filter
from voxpop.vocabulary.unknown_fields import unknown_in_words

if TYPE_CHECKING:
    from voxpop.population.file import Population

_GO_ON = {"status": "recruiting", "phase": "recruiting", "review": None}


def submit(
    c: sa.Connection,
    meter: Meter,
    population: Population,
    composer: ThesisComposer,
    *,
    raw_input: str,
    panel_size: int,
    operation_id: str,
    read_as: str = "",
) -> tuple[Thesis, list[UsageEvent]]:
    """Store a thesis with its planned panels, reserve their answers, and create the job that runs it.

    Parameters
    ----------
    c, meter, population, composer
        A write connection, the usage meter, the population and the composer of the thesis.
    raw_input, panel_size, operation_id
        The thesis text, the number of agents per panel, and the operation.
    read_as
        The result of :func:`restated`.

    Raises
    ------
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    made = thesis.create(
        c, meter.organization_id, raw_input=raw_input, panel_size=panel_size, operation_id=operation_id
    )
    composition = understood(population, composer, raw_input, panel_size, [], read_as)
    return plan(c, meter, made, composition, population)


def restated(
    database: Database,
    restater: Restater | None,
    organization_id: int,
    raw_input: str,
    answers: Sequence[Sequence[str]] = (),
) -> str:
    """Return a thesis as restated by an engine; empty if it is taken in its own words.

    Call this before a thesis is stored or changed, because a language model takes time.

    Parameters
    ----------
    database, organization_id
        Where to record the cost of the call, and the organization.
    restater
        Restates the thesis; None leaves it as it is.
    raw_input, answers
        The thesis, and the questions about it with their answers so far.
    """
    if restater is None:
        return ""
    made = restater.restate(raw_input, [(question, answer) for question, answer in answers])
    with database.apart() as c:  # record the cost even if the call fails
        book_text(c, organization_id, model_calls.THESIS, made.spent)
    return made.text or ""


def answer(
    database: Database,
    queue: JobQueue,
    population: Population,
    meter: Meter,
    reference: str,
    words: str,
    *,
    composer: ThesisComposer,
    restater: Restater | None = None,
) -> Thesis:
    """Answer the question about a thesis, and compose the thesis again with the answer.

    Parameters
    ----------
    database, queue, population, meter
        The database, the queue, the population and the usage meter.
    reference, words, composer
        The thesis, the answer and the composer.
    restater
        Restates the claims of the thesis; without one the thesis is taken in its own words.

    Raises
    ------
    NotFound
        The thesis does not exist.
    Conflict
        The thesis has no open question (``details.status``).
    QuotaExceeded
        The answers exceed the rest of the monthly quota; the thesis keeps waiting.
    """
    with database.read() as c:
        made = thesis.get(c, meter.organization_id, reference)
    read_as = ""
    if made.status == "needs_clarification":
        answers = [*made.answers, [_asked_of(made), words]]
        read_as = restated(database, restater, meter.organization_id, made.raw_input, answers)
    with database.begin() as c:
        made = thesis.get(c, meter.organization_id, reference)
        asked = _asked_of(made)
        made = thesis.leave(
            c,
            made,
            "needs_clarification",
            status="composing",
            phase="composing",
            clarification=None,
            answers=[*made.answers, [asked, words]],
        )
        composition = understood(population, composer, made.raw_input, made.panel_size, made.answers, read_as)
        made, _ = plan(c, meter, thesis.new_job(c, made), composition, population)
        items = work_items.of_job(c, made.job_id)
    queue.put(items)
    return made


def approve(
    database: Database,
    queue: JobQueue,
    population: Population,
    meter: Meter,
    reference: str,
    panel_size: int | None = None,
    *,
    composer: ThesisComposer,
) -> Thesis:
    """Approve a thesis that awaits review, to continue with the available agents.

    Parameters
    ----------
    database, queue, population, meter
        The database, the queue, the population and the usage meter.
    reference
        The thesis.
    panel_size
        New number of agents per panel; unchanged by default.
    composer
        The composer of the thesis.

    Raises
    ------
    NotFound
        The thesis does not exist.
    Conflict
        The thesis does not await review (``details.status``).
    QuotaExceeded
        The answers exceed the rest of the monthly quota; the thesis keeps waiting.
    """
    told = {"progress_message": "Approved; recruiting the panels."}
    with database.begin() as c:
        made = thesis.get(c, meter.organization_id, reference)
        made = thesis.leave(c, made, "awaiting_review", **_GO_ON, **told)
        if panel_size is not None and panel_size != made.panel_size:
            made = thesis.change(c, made, panel_size=panel_size)
            read_as = (made.composition or {}).get("read_as") or ""
            composition = understood(population, composer, made.raw_input, panel_size, made.answers, read_as)
            made, _ = plan(c, meter, made, composition, population)
            made = thesis.change(c, made, **_GO_ON, **told)  # already reviewed
        made = thesis.new_job(c, made)
        items = work_items.of_job(c, made.job_id)
    queue.put(items)
    return made


def decline(database: Database, organization_id: int, reference: str) -> Thesis:
    """End a thesis that awaits review, without asking agents or counting usage.

    Raises
    ------
    NotFound
        The thesis does not exist.
    Conflict
        The thesis does not await review (``details.status``).
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
        jobs.revise(c, made.job_id, status="failed")  # so that its operation ends
        for panel in thesis.panels(c, made.id):
            usage.settle(c, panel.usage_event_id, 0)
        return made


def understood(
    population: Population,
    composer: ThesisComposer,
    raw_input: str,
    panel_size: int,
    answers: list[list[str]],
    read_as: str = "",
) -> Composition:
    """Compose a thesis against the available agents.

    If an engine has restated the thesis in a sentence from which panels can be composed, this sentence is
    used. Otherwise the thesis is taken in its own words, with the answers to the questions about it.
    """
    from voxpop.population.corpus import corpus  # imported where a text is read

    labels = {
        name: population.labels(name) for name, field in FIELDS.items() if field.kind in ("category", "list")
    }

    def composed(text: str, told: Sequence[tuple[str, str]]) -> Composition:
        return composer.compose(
            text,
            panel_size=panel_size,
            count=population.count,
            labels=labels,
            titles=corpus(),
            answers=told,
        )

    if read_as:
        made = composed(read_as, ())
        if made.panels:
            return replace(made, read_as=read_as)
    return composed(raw_input, [(question, words) for question, words in answers])


def _asked_of(made: Thesis) -> str:
    return str((made.clarification or {}).get("question", ""))


def plan(
    c: sa.Connection, meter: Meter, made: Thesis, composition: Composition, population: Population
) -> tuple[Thesis, list[UsageEvent]]:
    """Store the interpretation of a thesis, and reserve the answers of its panels.

    Returns
    -------
    thesis : Thesis
        ``recruiting``, or the state in which it stops.
    reserved : list of UsageEvent
        One per panel.

    Raises
    ------
    QuotaExceeded
        The answers exceed the rest of the monthly quota.
    """
    for panel in thesis.panels(c, made.id):
        usage.settle(c, panel.usage_event_id, 0)
    thesis.drop_panels(c, made.id)
    reserved = []
    for position, each in enumerate(composition.panels):
        event = usage.reserve(c, meter, each.size * len(each.questions), operation_id=made.operation_id)
        reserved.append(event)
        kept = panel_to_json(each)
        thesis.add_panel(c, made, position, kind=each.kind, plan=kept, usage_event_id=event.id)
    changes: dict[str, Any] = {"composition": _kept(composition)}
    return thesis.change(c, made, **changes, **_state(composition, population)), reserved


def _kept(composition: Composition) -> dict[str, Any]:
    return {
        "subjects": list(composition.subjects),
        "stance": composition.stance or None,
        "primary_driver": composition.primary_driver or None,
        "secondary_drivers": list(composition.secondary_drivers),
        "falsifiable_claim": composition.falsifiable_claim or None,
        "read_as": composition.read_as or None,
    }


def _state(composition: Composition, population: Population) -> dict[str, Any]:
    """Return the state of a thesis after its composition."""
    if composition.refusal is not None:
        reason = composition.refusal
        told = f"Refused: {reason.reason}"
        return {"status": "failed", "phase": "done", "refusal": asdict(reason), "progress_message": told}
    if composition.clarification is not None:
        asked = asdict(composition.clarification)
        told = f"Waiting for an answer: {asked['question']}"
        state = {"status": "needs_clarification", "phase": "answer", "clarification": asked}
        return state | {"progress_message": told}
    reasons = [composition.sensitive] if composition.sensitive else []
    wanted, available = 0, 0
    for panel in composition.panels:
        there = population.count(panel.filters)
        wanted, available = wanted + panel.size, available + min(there, panel.size)
        if there < panel.size:
            lacking = _lacking(population, panel.filters)
            few = f"{there:,} of {panel.size:,} wanted agents match {panel.audience_text!r}."
            reasons += lacking or [few]
    if reasons:
        told = " ".join(reasons)
        review = {"reason": told, "requested": wanted, "available": available}
        state = {"status": "awaiting_review", "phase": "review", "review": review}
        return state | {"progress_message": f"Waiting for a review: {told}"}
    counted = "1 panel" if len(composition.panels) == 1 else f"{len(composition.panels)} panels"
    return {"status": "recruiting", "phase": "recruiting", "progress_message": f"Recruiting {counted}."}


def _lacking(population: Population, asked: Filter) -> list[str]:
    """Return a sentence for each field of a panel that is unknown for its agents."""
    return unknown_in_words(population.unknown_fields(asked), asked, labels=True)
