"""Phrases of an audience text whose meaning got lost: it is neither in the filter nor in a screen."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from voxpop.engines.audience import Screen
from voxpop.vocabulary import FIELDS, AllOf, AnyOf, Condition, Filter
from voxpop.vocabulary.values import levels_of
from voxpop_simulator.audiences.mentions import Mention
from voxpop_simulator.audiences.merging import value_screen

_ELSEWHERE = frozenset(("country",))
"""Fields that a question of their own settles."""


def lost(
    mentions: Sequence[Mention], filters: Filter, screens: Sequence[Screen], settled: Collection[str] = ()
) -> tuple[Mention, ...]:
    """Return the phrases of which a condition is missing from a plan.

    However the phrases of a text are joined, each of them has to be found again in the plan: at least one of
    its values for each of its fields, inside a group or not. Otherwise the text was not read as it was meant.

    Parameters
    ----------
    mentions : sequence of Mention
        The phrases that have a meaning.
    filters : Filter
        The filter of the plan.
    screens : sequence of Screen
        Its screening questions.
    settled : collection of str
        Fields that an answer decided on.
    """
    asked = {screen.question for screen in screens}
    held: dict[str, list[Condition]] = {}
    for name, condition in filters.every_condition():
        held.setdefault(name, []).append(condition)
    return tuple(
        mention
        for mention in mentions
        if not mention.sense.options
        and any(
            name not in settled
            and name not in _ELSEWHERE
            and not _is_held(name, condition, held.get(name, []), asked, denied=mention.negated)
            for name, condition in mention.sense.parts
        )
    )


def _is_held(
    name: str, condition: Condition, held: Sequence[Condition], asked: Collection[str], *, denied: bool
) -> bool:
    if not isinstance(condition, AnyOf | AllOf):
        return bool(held)
    if set(condition.values) == {True, False}:
        return True
    if any(value_screen(name, str(value)).question in asked for value in condition.values):
        return True
    if denied or any(not isinstance(one, AnyOf | AllOf) for one in held):
        return bool(held)
    return bool(_levels(name, [condition]) & _levels(name, held))


def _levels(name: str, conditions: Sequence[Condition]) -> set[str | bool]:
    return {
        level
        for one in conditions
        if isinstance(one, AnyOf | AllOf)
        for value in one.values
        for level in ((value,) if isinstance(value, bool) else levels_of(FIELDS[name], str(value)))
    }
