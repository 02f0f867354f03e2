"""Audiences that need a field which is unknown in their country: the question to the caller and its answer.

A filter on such a field matches nobody for want of figures, which says nothing about people. The caller
therefore decides: without the field, or in another country.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from voxpop.engines.audience import Clarification
from voxpop.vocabulary import FIELDS, AnyOf, Filter
from voxpop.vocabulary.filters import Group
from voxpop.vocabulary.unknown_fields import UnknownField, missed, named_countries, unknown_in_words
from voxpop.vocabulary.values import canonical

Find = Callable[[Filter], list[UnknownField]]
"""Function that returns the fields of a filter that are unknown; see ``Population.unknown_fields``."""

WITHOUT = "leave it out"
_MEANT = (WITHOUT, "leave them out", "without it", "without them", "drop it", "ignore it")


def question_of(asked: Filter, find: Find) -> Clarification | None:
    """Return the question about the unknown fields of a filter, or None if there are none.

    Parameters
    ----------
    asked : Filter
        The filter that a text was understood as.
    find : callable
        Finds unknown fields in the population.
    """
    unknown = find(asked)
    fields = missed(unknown, asked)
    if not fields:
        return None
    told = " ".join(unknown_in_words(unknown, asked, labels=True))
    elsewhere = [
        country
        for country in FIELDS["country"].levels
        if country not in named_countries(asked) and not missed(find(_moved(asked, country)), asked)
    ]
    ways = ", or which other country is meant" if elsewhere else ""
    question = f"{told} Should {'it' if len(fields) == 1 else 'they'} be left out{ways}?"
    return Clarification(question, tuple(fields), (WITHOUT, *elsewhere))


def settled(asked: Filter, answers: Iterable[Sequence[str]], find: Find) -> Filter:
    """Return a filter after the answers to earlier questions about it.

    Parameters
    ----------
    asked : Filter
        The filter that a text was understood as.
    answers : iterable of (question, answer)
        Questions and answers so far, oldest first; those to other questions are skipped.
    find : callable
        Finds unknown fields in the population.
    """
    for question, answer in answers:
        open_ = question_of(asked, find)
        if open_ is None:
            break
        if open_.question == question:
            asked = _answered(asked, open_, answer)
    return asked


def _answered(asked: Filter, open_: Clarification, answer: str) -> Filter:
    words = answer.strip().strip(".!").casefold()
    if words in _MEANT:
        for name in open_.missing:
            asked = _without(asked, name)
        return asked
    country = canonical(FIELDS["country"], words.removeprefix("in ").removeprefix("the "))
    return _moved(asked, country) if country in open_.options else asked


def _without(asked: Filter, name: str) -> Filter:
    """Return a filter without its conditions on a field, in its groups too; a group left empty is dropped."""
    kept = asked.replace(name, None)
    groups = []
    for group in asked.groups:
        inner = tuple(_without(one, name) for one in group.filters)
        left = tuple(one for one in inner if not one.matches_everyone)
        if left and (group.kind != "any" or len(left) == len(inner)):
            groups.append(Group(group.kind, left))
    return Filter(kept.match, kept.conditions, kept.own, kept.given, tuple(groups))


def _moved(asked: Filter, country: str) -> Filter:
    return asked.replace("country", AnyOf((country,)))
