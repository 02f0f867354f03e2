"""Reader for the authored text of open answers: plain text files, loaded on first use.

A file in ``texts/`` has sections, ``# heading``, with one entry per line. In a file named ``topics_*`` a line
starts with its kind: ``+ - ~`` are positive, negative or mixed statements that can stand alone; ``g b m`` are
good, bad or mixed reasons for use after "because"; ``w`` is a wish, ``c`` a condition (after "if"), ``k`` a
risk (after "I worry that"), ``x`` a suggested improvement; ``p`` and ``q`` are aspects of the topic that
people praise and criticize, as nouns with their article; ``h`` is a habit, ``d`` a change, ``o`` an ideal,
``n`` a question about the topic, ``u`` an occasion or purpose of use, ``e`` a single event, all of which can
also stand alone. A line ``@name`` includes all the lines of another section.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from voxpop.text_files import text_of
from voxpop_simulator.questions.forms import DOMAINS
from voxpop_simulator.questions.wordlists import sections_of

_FOLDER = Path(__file__).parent / "texts"
KINDS = "+-~gbmwckxpqhdonue"


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """Return the sections of a file: heading -> lines.

    Examples
    --------
    >>> sections("lexicon")["weekday"]
    ('[Monday/Tuesday/Wednesday/Thursday/Friday/Saturday/Sunday]',)
    """
    return sections_of(text_of(_FOLDER / f"{name}.txt"))


class Told(Mapping[str, dict[str, tuple[str, ...]]]):
    """Lines on each topic: topic -> kind -> lines; a topic is loaded on first use."""

    def __init__(self, lines: Mapping[str, Sequence[str]]) -> None:
        self._lines = lines
        self._read: dict[str, dict[str, tuple[str, ...]]] = {}

    def __getitem__(self, topic: str) -> dict[str, tuple[str, ...]]:
        if topic not in self._read:
            made: dict[str, list[str]] = {}
            for line in _whole(topic, self._lines):
                kind, _, rest = line.partition(" ")
                if len(kind) != 1 or kind not in KINDS:
                    raise ValueError(f"a line of {topic!r} begins with one of {KINDS!r}: {line!r}")
                made.setdefault(kind, []).append(rest.strip())
            self._read[topic] = {kind: tuple(lines) for kind, lines in made.items()}
        return self._read[topic]

    def __contains__(self, topic: object) -> bool:
        return topic in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


@cache
def topics() -> Told:
    """Return the lines on each topic.

    Examples
    --------
    >>> sorted(topics()["coffee"])[:3], "no such topic" in topics()
    (['+', '-', 'b'], False)
    """
    told: dict[str, list[str]] = {}
    for name in DOMAINS:
        for topic, lines in sections(f"topics_{name}").items():
            told.setdefault(topic, []).extend(lines)
    return Told(told)


def _whole(topic: str, told: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a section, including those of the sections it includes."""
    for line in told[topic]:
        if line.startswith("@"):
            yield from _whole(line[1:], told)
        else:
            yield line
