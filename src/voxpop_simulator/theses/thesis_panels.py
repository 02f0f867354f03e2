"""Composition of a thesis: its claim, its panels, and the answers that would contradict it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from voxpop.engines.audience import AudiencePlan, Clarification
from voxpop.engines.composition import CHANNEL_CHECK, EXPERT_CALL, Claim, Composition, PanelPlan
from voxpop.vocabulary import Filter
from voxpop.vocabulary.unknown_fields import unknown_fields, unknown_in_words
from voxpop_simulator.theses import thesis_people as people
from voxpop_simulator.theses.catalogue import Entry, entry_named, names_pattern
from voxpop_simulator.theses.thesis_questions import claim_of, panel_questions, phrase, trade_of
from voxpop_simulator.theses.thesis_text import Measured, Thesis, read
from voxpop_simulator.theses.thesis_words import moves, way_of

STANCES = {"up": "bullish", "not_down": "bullish", "down": "bearish", "not_up": "bearish", "same": "neutral"}
"""Direction of a claim -> stance."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """The inputs of a composition."""

    size: int
    count: Callable[[Filter], int]
    labels: Mapping[str, Sequence[str]]
    titles: Mapping[str, str]


def compose(
    raw_input: str,
    *,
    panel_size: int,
    count: Callable[[Filter], int],
    labels: Mapping[str, Sequence[str]],
    titles: Mapping[str, str],
    answers: Sequence[tuple[str, str]] = (),
) -> Composition:
    """Return the claim of a thesis and the panels that can confirm or contradict it; deterministic.

    Parameters
    ----------
    raw_input : str
        A thesis of one or two sentences.
    panel_size : int
        Agents per panel, at least 1. A panel of people at work is smaller if fewer of them exist; a channel
        check keeps its size, so the caller must compare it with ``count``.
    count : callable
        Filter -> number of matching agents.
    labels, titles : mapping
        As for :class:`~voxpop.engines.audience.Planner`.
    answers : sequence of (str, str), default ()
        Earlier clarification questions and their answers, oldest first.

    Examples
    --------
    >>> made = compose(
    ...     "Starbucks is losing Gen Z because of price",
    ...     panel_size=25,
    ...     count=lambda filter: 100,
    ...     labels={},
    ...     titles={},
    ... )
    >>> made.stance, made.primary_driver, made.panels[0].audience_text
    ('bearish', 'price', 'US adults aged 18 to 29')
    """
    setting = _Setting(panel_size, count, labels, titles)
    refused = people.refusal(raw_input)
    if refused is not None:
        return Composition(refusal=refused)
    thesis = read(raw_input)
    settled: list[tuple[str, str]] = []
    for _, answer in answers:
        pending = _composed(thesis, settled, setting).clarification
        if pending is None:
            break
        refused = None if answer in pending.options else people.refusal(answer)
        if refused is not None:
            return Composition(refusal=refused)
        if set(pending.missing) & {"subject", "claim", "stance"}:
            thesis = _settled(thesis, pending, answer)
        elif "people" in pending.missing:
            thesis, settled = replace(thesis, people=answer), []
        else:
            settled.append((pending.question, answer))
    return _composed(thesis, settled, setting)


def claim(text: str) -> Claim:
    """Return the claim of a text, before any panel is planned.

    Examples
    --------
    >>> found = claim("SBUX is losing customers")
    >>> found.subjects, found.stance, found.names
    (('Starbucks',), 'bearish', ('Starbucks',))
    """
    found = read(text)
    hits = (entry_named(hit[0]) for hit in names_pattern().finditer(text))
    return Claim(
        subjects=tuple(one.entry.name for one in found.measured),
        stance=STANCES[found.measured[0].way] if found.measured and not found.contradiction else "",
        names=tuple(entry.name for entry in hits if entry is not None),
        refusal=people.refusal(text),
    )


def _settled(thesis: Thesis, pending: Clarification, answer: str) -> Thesis:
    """Return the thesis completed by an answer on its subject or its claim."""
    if thesis.subject is not None:
        answer = re.sub(r"^\W*(?:it|they|this)\b", thesis.subject.name, answer.strip(), flags=re.I)
    other = read(answer)
    thesis = replace(thesis, future=thesis.future or other.future)
    if "stance" in pending.missing and thesis.measured:
        told = moves(answer)
        if not told or other.contradiction:
            return thesis
        first = replace(thesis.measured[0], way=way_of(told[0], answer))
        return replace(thesis, measured=(first, *thesis.measured[1:]), contradiction=False)
    both = f"{thesis.people}. {other.people}" if thesis.people else other.people
    if other.measured:
        return replace(other, reasons=other.reasons or thesis.reasons, people=both)
    told, told_there = moves(thesis.text), moves(answer)
    subject = other.subject or _plain_subject(answer)
    if told and subject is not None:
        measured = (Measured(subject, way_of(told[0], thesis.text)),)
        return replace(thesis, measured=measured, subject=None, people=both)
    if thesis.subject is not None and told_there:
        measured = (Measured(thesis.subject, way_of(told_there[0], answer)),)
        return replace(thesis, measured=measured, subject=None, people=both)
    return replace(thesis, subject=subject, people=both) if subject is not None else thesis


def _plain_subject(answer: str) -> Entry | None:
    """Return the thing named by a short answer, known or unknown."""
    made = read(f"{answer.strip(' .!?')} is growing")
    return made.measured[0].entry if made.measured else None


def _composed(thesis: Thesis, settled: Sequence[tuple[str, str]], setting: _Setting) -> Composition:
    drivers = tuple(thesis.reasons)
    head = Composition(
        subjects=_subjects(thesis),
        stance=STANCES[thesis.measured[0].way] if thesis.measured and not thesis.contradiction else "",
        primary_driver=drivers[0] if drivers else "",
        secondary_drivers=drivers[1:],
    )
    first = thesis.measured[0].entry if thesis.measured else None
    if (
        first is not None
        and first.trade == "thing"
        and people.is_job(first.name, setting.labels, setting.titles)
    ):
        thesis = replace(thesis, measured=())  # an activity at work is not a product that customers buy
        head = Composition(primary_driver=head.primary_driver, secondary_drivers=head.secondary_drivers)
    unclear = _unclear(thesis)
    if unclear is not None:
        return replace(head, clarification=unclear)
    audience, cited = people.customers(thesis, labels=setting.labels, titles=setting.titles, answers=settled)
    if audience.refusal is not None or audience.clarification is not None:
        return replace(head, clarification=audience.clarification, refusal=audience.refusal)
    asked = _asked(thesis, audience, setting)
    if setting.count(asked) == 0:
        lacking = " ".join(unknown_in_words(unknown_fields(asked), asked, labels=True))
        nobody = lacking or f'No agents match "{asked.sentence()}".'
        question = f"{nobody} Who should be asked instead?"
        options = (
            "adults in the USA",
            *(f"adults in {name}" for name in _countries(audience) if name != "USA"),
        )
        return replace(head, clarification=Clarification(question, ("people",), options))
    panels = _panels(thesis, asked, cited, setting)
    return replace(
        head,
        panels=panels,
        falsifiable_claim=claim_of(thesis, panels[0].filters, panels),
        sensitive=audience.sensitive,
    )


def _countries(audience: AudiencePlan) -> tuple[str, ...]:
    held = audience.filters.get("country")
    return tuple(str(value) for value in getattr(held, "values", ()))


def _subjects(thesis: Thesis) -> tuple[dict[str, str], ...]:
    named = [one.entry for one in thesis.measured]
    named += [thesis.subject] if thesis.subject else []
    named += [thesis.rival] if thesis.rival else []
    named += list(thesis.others)
    return tuple({one.name: {"name": one.name, "kind": one.kind} for one in named}.values())


_EXAMPLES = (
    "Restaurants are losing customers because of prices",
    "Demand for electric cars is growing",
    "Small manufacturers are delaying capital spending because of interest rates",
)


def _unclear(thesis: Thesis) -> Clarification | None:
    """Return the question that must be answered before any agent can be asked."""
    if thesis.contradiction:
        name = thesis.measured[0].entry.name
        question = f"The thesis says two opposite things of {name}. Which of them is meant?"
        return Clarification(question, ("stance",), _claims(thesis.measured[0].entry))
    if thesis.measured:
        return None
    if thesis.subject is not None:
        question = f"What is expected of {thesis.subject.name}?"
        return Clarification(question, ("claim",), _claims(thesis.subject))
    if moves(thesis.text):
        question = "Which company, product or industry is the thesis about?"
        return Clarification(
            question,
            ("subject",),
            ("restaurants", "supermarkets", "clothing", "streaming services", "new cars"),
        )
    question = "What is the thesis? Name a company, product or industry, and say what is expected of it."
    return Clarification(question, ("subject", "claim"), _EXAMPLES)


def _claims(entry: Entry) -> tuple[str, ...]:
    if entry.kind == "company":
        start = f"{entry.name} is"
        return (f"{start} gaining customers", f"{start} losing customers", f"{start} holding steady")
    start = f"{phrase(trade_of(entry).matter, entry.market)} is"
    start = start[:1].upper() + start[1:]
    return (f"{start} growing", f"{start} falling", f"{start} holding steady")


def _asked(thesis: Thesis, audience: AudiencePlan, setting: _Setting) -> Filter:
    if thesis.employer is None:
        return audience.filters
    return people.at_work(audience.filters, thesis.employer, setting.size, count=setting.count)


def _panels(thesis: Thesis, asked: Filter, cited: Sequence[str], setting: _Setting) -> tuple[PanelPlan, ...]:
    made = [_panel(CHANNEL_CHECK, thesis, one, asked, setting.size) for one in thesis.measured]
    found = people.experts(
        asked,
        trade_of(thesis.measured[0].entry),
        cited,
        setting.size,
        labels=setting.labels,
        titles=setting.titles,
        count=setting.count,
    )
    if found is not None:
        size = min(setting.size, setting.count(found))
        made.append(_panel(EXPERT_CALL, thesis, thesis.measured[0], found, size))
    return tuple(made)


def _panel(kind: str, thesis: Thesis, one: Measured, asked: Filter, size: int) -> PanelPlan:
    questions, driver = panel_questions(thesis, one, expert=kind == EXPERT_CALL)
    return PanelPlan(
        kind=kind,
        audience_text=re.sub(r"\s+", " ", asked.sentence()),
        filters=asked,
        size=size,
        questions=questions,
        subject=one.entry.name,
        claimed=one.way,
        decisive="outlook" if thesis.future else "change",
        driver=driver,
    )
