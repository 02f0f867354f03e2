"""Mentions of an audience text: their words, their conditions, and their screening questions."""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.engines.audience import Screen
from voxpop.vocabulary import AnyOf, Between, Condition, Filter

Part = tuple[str, Condition]


@dataclass(frozen=True, slots=True)
class Sense:
    """The meaning of a phrase, independent of its position.

    Attributes
    ----------
    parts : tuple of (str, Condition)
        Conditions by field.
    person : bool
        Whether the phrase denotes people by itself ("nurses"), so that "and" joins two kinds of people.
    american : bool
        Whether the phrase applies only to people in the USA.
    questions : tuple of (str, str)
        Screening questions to add: (question, answer that is kept).
    options : tuple of str
        Meanings of an ambiguous phrase, as answers to a clarification; the field is that of ``parts[0]``.
    group : Filter or None
        A nested condition that no single condition per field expresses ("two or more of ...").
    """

    parts: tuple[Part, ...] = ()
    person: bool = False
    american: bool = False
    questions: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()
    group: Filter | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase at its place in a text.

    Attributes
    ----------
    start, end : int
        Position of the words.
    words : str
        The words as written.
    sense : Sense
        The meaning.
    negated : bool
        Whether the text excludes them.
    """

    start: int
    end: int
    words: str
    sense: Sense
    negated: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields of the phrase's conditions."""
        return tuple(name for name, _ in self.sense.parts)

    @property
    def screens(self) -> tuple[Screen, ...]:
        """Screening questions of the phrase, with its words as the criterion."""
        return tuple(Screen(self.words, question, keep) for question, keep in self.sense.questions)


def sense(
    *,
    person: bool = False,
    american: bool = False,
    ask: str | None = None,
    keep: str = "yes",
    options: tuple[str, ...] = (),
    **fields: str | bool | tuple[str, ...] | Between,
) -> Sense:
    """Return a sense from plain values: a string, several strings (any of them), yes or no, a range.

    Examples
    --------
    >>> sense(gender="female", is_parent=True).parts
    (('gender', vp.any_of("female")), ('is_parent', vp.any_of(True)))
    """
    parts = tuple((name, _condition(value)) for name, value in fields.items())
    return Sense(parts, person, american, ((ask, keep),) if ask else (), options)


def _condition(value: str | bool | tuple[str, ...] | Between) -> Condition:
    if isinstance(value, Between):
        return value
    return AnyOf(value if isinstance(value, tuple) else (value,))


def lexicon(*entries: tuple[str, Sense]) -> dict[str, Sense]:
    """Return phrase -> sense for entries whose phrases are separated by bars."""
    return {phrase.strip(): meaning for phrases, meaning in entries for phrase in phrases.split("|")}
