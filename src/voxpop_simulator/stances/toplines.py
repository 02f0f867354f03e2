"""Published shares of yes, for questions with very high or low shares that no rule predicts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from voxpop.text_files import text_of
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_frames import AGREEMENT, HABIT, PAST, Frame
from voxpop_simulator.questions.topics import turned
from voxpop_simulator.questions.wordlists import sections_of
from voxpop_simulator.stances.options import SEEN

_FILE = Path(__file__).parent / "tables" / "toplines.txt"
_NATION = "worry about the nation"
_EITHER = {
    _NATION: ("worry",),
    "-": (HABIT.name, PAST.name, "general", "frequency", "state", "large purchase"),
    "belief": ("belief", AGREEMENT.name, "liking"),
    "intent": ("intent", "large purchase"),
    "satisfaction": ("satisfaction", "nation"),
}
_OWN = Pattern(r"(?:.*[,:] )?(?:do|did|have|are|were) you\b", re.I)
_MEANS = Pattern(
    r"\bable to\b|\bfor you\b|\byou(?:r family)? (?:can|could|cannot)\b|\byour (?:own )?(?:bill|cost|rent)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Topline:
    """A published share of yes.

    Attributes
    ----------
    yes : float
        Share of US adults who say yes, or choose the upper half of a scale, 0 to 1.
    frame : str
        Frame of the question; "-" for possessions and behaviours.
    question : str
        Example wording.
    seen : str
        "checked", "unverified" or "ours".
    """

    yes: float
    frame: str
    question: str
    words: Pattern
    source: str
    seen: str

    def fits(self, frame: Frame) -> bool:
        """Return whether the entry applies to questions of a frame."""
        return frame.name == self.frame or frame.name in _EITHER.get(self.frame, ())


@cache
def toplines() -> tuple[Topline, ...]:
    """Return all entries of the table, in order.

    Examples
    --------
    >>> toplines()[0].question, toplines()[0].yes
    ('Do you support the death penalty?', 0.53)
    """
    sections = sections_of(text_of(_FILE))
    return tuple(_line(line) for lines in sections.values() for line in lines)


def _line(line: str) -> Topline:
    cells = [cell.strip() for cell in line.split(" | ")]
    if len(cells) != 6 or cells[5] not in SEEN:
        raise ValueError(f"no line of the table of toplines: {line!r}")
    yes, frame, question, words, source, seen = cells
    return Topline(float(yes) / 100, frame, question, Pattern(words, re.I), source, seen)


@lru_cache(maxsize=1024)
def topline_for(sentence: str, frame: Frame, *, yes_no: bool) -> Topline | None:
    """Return the entry of the table for a question, or None; see :func:`topline_of`."""
    for line in toplines():
        if (line.frame == "-" and not yes_no) or not line.fits(frame) or not line.words.search(sentence):
            continue
        if line.frame == "-" and not _OWN.match(sentence):
            continue
        if line.frame == _NATION and _MEANS.search(sentence):  # whether one can pay oneself is another worry
            continue
        return line
    return None


def topline_of(sentence: str, frame: Frame, *, yes_no: bool) -> float | None:
    """Return the published share of yes for a question, inverted for the opposite question.

    Parameters
    ----------
    sentence : str
        The question.
    frame : Frame
        Frame of the question.
    yes_no : bool
        Whether it is a yes/no question; shares of possessions and behaviours do not apply to scales.

    Examples
    --------
    >>> from voxpop_simulator.questions.question_frames import POLICY
    >>> topline_of("Do you support the death penalty?", POLICY, yes_no=True)
    0.53
    >>> topline_of("Do you oppose the death penalty?", POLICY, yes_no=True)
    0.47
    """
    line = topline_for(sentence, frame, yes_no=yes_no)
    if line is None:
        return None
    opposite = turned(sentence) != turned(line.question)
    return round(1 - line.yes, 4) if opposite else line.yes
