"""The authored text that open answers are made of: plain text files, read when the first one is needed.

A file in ``texts/`` has sections, ``# heading``, of one line an entry. In a file named ``topics_*`` a line
begins with its kind: ``+ - ~`` tells something good, bad or in between and can stand alone; ``g b m`` is a
good, bad or mixed reason that reads well after "because"; ``w`` a thing wanted, ``c`` a condition (after
"if"), ``k`` a risk (after "I worry that"), ``x`` something to do better; ``p`` and ``q`` are sides of the
topic that people praise and complain about, as singular nouns with their article. ``nouns`` has the
things of each topic, ``kinds`` what is said of such things: well (kind ``o``) and badly (kind ``u``).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "texts"
KINDS = "+-~gbmwckxpq"
_TOPICS = ("food", "money", "tech", "home", "body", "world", "leisure", "more", "general")


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """Return the sections of a file: heading -> lines.

    Examples
    --------
    >>> sections("lexicon")["weekday"]
    ('[Monday/Tuesday/Wednesday/Thursday/Friday/Saturday/Sunday]',)
    """
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("# "):
            lines = found.setdefault(line[2:], [])
        elif line:
            lines.append(line)
    return {heading: tuple(lines) for heading, lines in found.items()}


@cache
def topics() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return what is said about each topic: topic -> kind -> lines."""
    made: dict[str, dict[str, list[str]]] = {}
    for name in _TOPICS:
        for topic, lines in sections(f"topics_{name}").items():
            kinds = made.setdefault(topic, {})
            for line in lines:
                kind, _, rest = line.partition(" ")
                if kind not in tuple(KINDS):
                    raise ValueError(f"a line of {topic!r} begins with one of {KINDS!r}: {line!r}")
                kinds.setdefault(kind, []).append(rest.strip())
    for topic, lines in sections("nouns").items():
        made.setdefault(topic, {}).update(_named(lines))
    return {topic: {kind: tuple(lines) for kind, lines in kinds.items()} for topic, kinds in made.items()}


def _named(lines: tuple[str, ...]) -> dict[str, list[str]]:
    """Return a topic's things with what is said of such a thing: kinds ``o`` (good) and ``u`` (bad)."""
    known = sections("kinds")
    found: dict[str, list[str]] = {"o": [], "u": []}
    for noun in "/".join(lines).split("/"):
        kind = _kinds_of_nouns().get(noun, "result")
        for slot, side in (("o", "+"), ("u", "-")):
            found[slot] += [f"[{words}] {noun}" for words in known.get(f"{kind} {side}", ())]
    return found


@cache
def _kinds_of_nouns() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind, lines in sections("kinds").items():
        if not kind.endswith(("+", "-")):
            for noun in " ".join(lines).split():
                found.setdefault(noun.replace("_", " "), kind)
    return found
