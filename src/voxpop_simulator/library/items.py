"""The items of the library: wording, options and shares of one question that people were asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from voxpop_simulator.library.files import rows
from voxpop_simulator.library.levels import without_degree
from voxpop_simulator.library.wording import fillers, plain
from voxpop_simulator.questions.patterns import Pattern

EVERYBODY, WORKERS, SOME = "everybody", "workers", "some"
"""Who was asked an item: all adults, those with a job, or people whom no field of an agent tells apart."""

_NOTE = Pattern(
    r"(?i:\([^()]*(?:hand card|would you say|for each|using this card|see remarks|circle)[^()]*\))"
    r"|\bREAD (?:EACH|FIRST)[^.:]*[.:]|\bCIRCLE (?:ONE|ONLY)[^.]*\."
    r"|\bCODE ONE FOR EACH\.|\bPLEASE CHECK[^.]*\."
    r"|\(?\bIF [A-Z]+:?[^)]*\)|\bIF [A-Z]+:|\(READ ITEM A\)|\(INTERVIEWER:[^)]*\)|ï¿½"
)
_PART = Pattern(
    r"(?:^|[\s.:…])[A-Z]\.\s*(?=\S)|\.\s?\.\s?\.|…|\bthat…|~\.|\.\.\.|(?<=\?)\s+(?=[A-Z]\w+(?: \w+){0,2}\.?$)"
)
_NEITHER = Pattern(r"\b(?:neither|neutral)\b", re.I)
_ASIDE = Pattern(r"\bvolunteered\b|\(vol\.?\)|^i do not have a job\b", re.I)


@dataclass(frozen=True, eq=False)
class Item:
    """One question that people were asked, with the shares of their answers.

    Attributes
    ----------
    name, family, title, wording : str
        Name in the survey, first name of its family, title in the codebook, and full wording.
    year, people : int
        Year of the survey and number of people who answered.
    asked : str
        Who was asked: :data:`EVERYBODY`, :data:`WORKERS` or :data:`SOME`.
    options : tuple of str
        The answers, in the survey's order.
    shares : tuple of float
        Shares of the answers among US adults who gave one; they sum to 1.
    """

    name: str
    family: str
    title: str
    wording: str
    year: int
    people: int
    asked: str
    options: tuple[str, ...]
    shares: tuple[float, ...]

    @cached_property
    def core(self) -> str:
        """The item's own words, without the beginning that it shares with a battery."""
        bare = _NOTE.sub(" ", self.wording)
        parts = [part.strip(" .()") for part in _PART.split(bare)]
        told = [part for part in parts if len(re.findall(r"[a-z]{3,}", part)) >= 1]
        return _unlisted(self.options, told[-1] if told else bare)

    @cached_property
    def bare(self) -> str:
        """The wording without its list of answers and notes to the interviewer."""
        return _unlisted(self.options, self.noted)

    @cached_property
    def noted(self) -> str:
        """The wording with its list of answers, without notes to the interviewer."""
        return re.sub(r"\s+", " ", _NOTE.sub(" ", self.wording)).strip()

    @cached_property
    def aside(self) -> frozenset[int]:
        """Places of answers that were not read out, such as "it depends"."""
        listed = fillers("volunteered")
        return frozenset(
            place
            for place, option in enumerate(self.options)
            if _ASIDE.search(option) or re.sub(r"[^a-z ]", "", plain(option).replace("/", " ")) in listed
        )

    @cached_property
    def undecided(self) -> frozenset[int]:
        """Places of answers that take no side, such as "neither agree nor disagree"."""
        return frozenset(place for place, option in enumerate(self.options) if _NEITHER.search(option))

    @property
    def note(self) -> str:
        """One sentence on where its shares are from."""
        return (
            f"Shares of the General Social Survey {self.year} (n = {self.people:,}), item {self.name}, by the"
            " agent's profile."
        )


def _unlisted(options: tuple[str, ...], text: str) -> str:
    """Return a text without its list of answers."""
    if not options:
        return text
    either = "|".join(re.escape(form) for form in sorted(options, key=len, reverse=True))
    one = rf"(?:would you say )?(?:(?:it|they|you) (?:is|are) )?(?:{either})"
    listed = rf"[-, ]*(?:(?:are|is|would|do|does) (?:you|it|they) (?:say )?)?{one}(?:,? ?(?:or )?{one})+"
    made = re.sub(listed, " ", text.replace("’", "'"), flags=re.I)
    return made if len(re.findall(r"[a-z]{3,}", made, re.I)) >= 2 else text


def _follows(options: Sequence[tuple[str, float]]) -> bool:
    """Return whether answers differ in degree alone, so that only people on their side were asked."""
    return len({without_degree(option) for option, _ in options}) == 1


@cache
def items() -> tuple[Item, ...]:
    """Return all items of the library.

    Examples
    --------
    >>> next(item for item in items() if item.name == "grass").options
    ('should be legal', 'should not be legal')
    """
    told: dict[str, list[tuple[str, float]]] = {}
    for row in rows("shares"):
        told.setdefault(row["item"], []).append((row["option"], float(row["share"])))
    made = []
    for row in rows("items"):
        options = told[row["item"]]
        whole = sum(share for _, share in options)
        made.append(
            Item(
                row["item"],
                row["family"],
                row["title"],
                row["wording"],
                int(row["year"]),
                int(row["n"]),
                SOME if _follows(options) else row["asked"],
                tuple(option for option, _ in options),
                tuple(share / whole for _, share in options),
            )
        )
    return tuple(made)
