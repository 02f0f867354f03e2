"""Answers to the planner's questions, applied to the text that is being planned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from voxpop.engines.audience import Clarification
from voxpop.vocabulary import FIELDS, AnyOf, Condition
from voxpop_simulator.audiences.audience_places import ALL_OF
from voxpop_simulator.audiences.audience_text import Reader, Reading
from voxpop_simulator.audiences.mentions import Mention, Sense
from voxpop_simulator.audiences.merging import merge
from voxpop_simulator.audiences.plan_state import PlanState

LEAVE_OUT = "leave it out"
LEFT_OUT = (
    LEAVE_OUT,
    "leave them out",
    "drop it",
    "drop them",
    "ignore it",
    "ignore them",
    "without it",
    "none",
)


def settle_logic(state: PlanState, either: Sequence[Mention], folded: str) -> None:
    """Settle whether two conditions have to be met together."""
    if folded in ("both", "all", "and", "people who are both", "both of them"):
        state.both = True
        return
    wanted = [m for m in either if m.words.casefold() in folded]
    if len(wanted) == 1:
        gone = [m for m in either if m is not wanted[0]]
        spans = {(m.start, m.end) for m in gone}
        left = tuple(m for m in state.reading.mentions if (m.start, m.end) not in spans)
        text, start, end = state.reading.text, min(m.start for m in gone), max(m.end for m in gone)
        start, end = min(start, wanted[0].end), max(end, wanted[0].start)
        blanked = text[:start] + " " * (end - start) + text[end:]
        state.reading = replace(state.reading, mentions=left, text=blanked)


def settle_spelling(state: PlanState, answer: str, reader: Reader) -> None:
    """Settle what a misspelt word was meant to be."""
    doubt = state.reading.doubt
    if doubt is not None:
        state.reading = reader.read(state.reading.text.replace(doubt[0], answer.strip()))
        state.settled.add(doubt[0])


def settle_fields(
    state: PlanState, asked: Clarification, answer: str, reply: Reading, reader: Reader
) -> None:
    """Settle the value of a field."""
    chosen = _choice(state, asked, answer)
    if chosen is not None:
        _keep_choice(state, asked, chosen)
        return
    mentions = reply.mentions
    if any(m.sense.options == ("unknown",) for m in mentions):
        _leave_country(state, asked, answer)
        return
    unclear = [m for m in mentions if m.sense.options and m.words not in state.settled]
    found = {n: c for m in merge_parts(reply, mentions) for n, c in m.items()} if not unclear else {}
    if (city := _city(unclear)) is not None and asked.question.startswith("What does"):
        state.reading = reader.read(_with_answer(state.reading, asked, city.words))
        return
    fields = set(asked.missing) | (
        {"state", "country"} if {"state", "country"} & set(asked.missing) else set()
    )
    settled = {name: condition for name, condition in found.items() if name in fields}
    if not settled and not (set(asked.missing) & {"country"} and any(m.sense.american for m in mentions)):
        return
    if any(m.sense.american for m in mentions):
        state.country = ("USA",)
    left = []
    for mention in state.reading.mentions:
        parts = tuple((name, condition) for name, condition in mention.sense.parts if name not in settled)
        if parts or mention.sense.questions or mention.sense.american:
            left.append(replace(mention, sense=replace(mention.sense, parts=parts, options=())))
    extra = tuple(m for m in mentions if m.sense.questions)
    state.reading = replace(state.reading, mentions=(*left, *_moved(extra)), abroad=None)
    if "country" in settled:
        country = settled.pop("country")
        if isinstance(country, AnyOf):
            state.country = tuple(str(v) for v in country.values if v in FIELDS["country"].levels)
            if asked.missing == ("state",) or not state.country:
                settled.pop("state", None)
    state.fixed |= settled


def _city(mentions: Sequence[Mention]) -> Mention | None:
    return next((m for m in mentions if m.sense.options[0].startswith(ALL_OF)), None)


def _with_answer(reading: Reading, asked: Clarification, words: str) -> str:
    """Return the text with the ambiguous place replaced by the city of an answer."""
    one = next(m for m in reading.mentions if f'"{m.words}"' in asked.question)
    return f"{reading.text[: one.start]}{words}{reading.text[one.end :]}"


def _keep_choice(state: PlanState, asked: Clarification, chosen: Mention) -> None:
    """Keep the chosen phrase and remove the conditions of the others on the fields in question."""
    left = []
    for mention in state.reading.mentions:
        parts = tuple(part for part in mention.sense.parts if part[0] not in asked.missing)
        if mention == chosen or parts == mention.sense.parts:
            left.append(mention)
        elif parts or mention.sense.questions:
            left.append(replace(mention, sense=replace(mention.sense, parts=parts, american=False)))
    state.reading = replace(state.reading, mentions=tuple(left))


def _leave_country(state: PlanState, asked: Clarification, answer: str) -> None:
    """Treat a place as outside the known countries, as the answer says."""
    left = tuple(
        m for m in state.reading.mentions if not (m.sense.options and set(m.fields) & set(asked.missing))
    )
    state.reading = replace(state.reading, mentions=left, abroad=answer.strip())


def _moved(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    return tuple(replace(m, sense=Sense(questions=m.sense.questions)) for m in mentions)


def merge_parts(reply: Reading, mentions: Sequence[Mention]) -> list[dict[str, Condition]]:
    """Return the conditions in an answer."""
    return [merge(reply.plain, mentions, both=True).conditions]


def _choice(state: PlanState, asked: Clarification, answer: str) -> Mention | None:
    """Return the mention of the text that an answer repeats."""
    folded = answer.strip().casefold()
    for mention in state.reading.mentions:
        if mention.words.casefold() == folded and folded in (option.casefold() for option in asked.options):
            return mention
    return None
