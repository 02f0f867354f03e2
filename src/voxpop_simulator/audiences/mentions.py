"""One thing that an audience text says: its words, what they ask of which fields, and what is left to ask."""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.engines.audience import Screen
from voxpop.vocabulary import AnyOf, Between, Condition

Part = tuple[str, Condition]


@dataclass(frozen=True, slots=True)
class Sense:
    """What a phrase means wherever it stands.

    Attributes
    ----------
    parts : tuple of (str, Condition)
        What it asks, by field.
    person : bool
        Whether the phrase names people by itself ("nurses"), so that "and" joins two kinds of people.
    american : bool
        Whether only people in the USA are called so.
    questions : tuple of (str, str)
        What is to be asked beside: (question, answer that stays).
    options : tuple of str
        What an ambiguous phrase may mean, as answers to a clarification; the field is ``parts[0]``'s.
    """

    parts: tuple[Part, ...] = ()
    person: bool = False
    american: bool = False
    questions: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A phrase at its place in a text.

    Attributes
    ----------
    start, end : int
        Where the words stand.
    words : str
        The words as written.
    sense : Sense
        What they mean.
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
        """The fields that the phrase asks something of."""
        return tuple(name for name, _ in self.sense.parts)

    @property
    def screens(self) -> tuple[Screen, ...]:
        """The questions of the phrase, with its words as the criterion."""
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
    """Return a sense from plain values: a text, several texts (any of them), yes or no, a range.

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
    """Return phrase -> sense for entries whose phrases are written with bars between them."""
    return {phrase.strip(): meaning for phrases, meaning in entries for phrase in phrases.split("|")}
