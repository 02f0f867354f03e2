"""Alternatives of an audience text: phrases joined by "or" of which one must hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from voxpop.vocabulary import Between, Condition, Filter
from voxpop_simulator.audiences.frame_words import PERSONS
from voxpop_simulator.audiences.mentions import Mention

_PLACES = frozenset(("country", "state"))
_JOBS = frozenset(("occupation", "occupation_major_group", "industry"))
"""What people work as: kinds of workers joined by "and" are alternatives."""
_AROUND = _PLACES | {"age"}


@dataclass
class Run:
    """Phrases on the same fields that one condition per field expresses ("nurses and teachers").

    Attributes
    ----------
    mentions : list of Mention
        The phrases.
    first, last : int
        Places of the first and the last in the text's phrases.
    union : dict of str to Condition
        What holds for any of them.
    broken : bool
        Whether it continues the run before it, with which no single condition unites it.
    """

    mentions: list[Mention]
    first: int
    last: int
    union: dict[str, Condition]
    broken: bool = False

    def filter(self) -> Filter:
        """Return the run as a filter."""
        return Filter("all", tuple(self.union.items()))


def alternatives(
    text: str, mentions: Sequence[Mention], runs: Sequence[Run], joins: Sequence[str]
) -> list[tuple[int, int]]:
    """Return the first and last place of runs that are alternatives of each other.

    Ranges of one field are ("18-24 or 55-64"). Different fields are only if nothing before or after them can
    belong to one of them alone: "smokers or drinkers in Texas", not "smokers or nurses with asthma".
    """
    found: list[tuple[int, int]] = []
    for at in range(1, len(runs)):
        before, run = runs[at - 1], runs[at]
        if not _may_alternate(before, run, joins[run.first - 1] if run.first else ""):
            continue
        if not (_ranges(before, run) or _isolated(text, mentions, before, run)):
            continue
        if found and found[-1][1] == at - 1:
            found[-1] = (found[-1][0], at)
        else:
            found.append((at - 1, at))
    return found


def _may_alternate(before: Run, run: Run, link: str) -> bool:
    plain = all(m.sense.parts and not m.sense.questions for one in (before, run) for m in one.mentions)
    negated = any(m.negated for one in (before, run) for m in one.mentions)
    jobs = {*before.union, *run.union} <= _JOBS and all(
        m.sense.person for one in (before, run) for m in one.mentions
    )
    linked = link == "or" or (link == "and" and jobs)
    return linked and plain and not negated and not {"country"} & {*before.union, *run.union}


def _ranges(before: Run, run: Run) -> bool:
    return (
        len(run.union) == 1
        and set(before.union) == set(run.union)
        and all(isinstance(c, Between) for c in (*before.union.values(), *run.union.values()))
    )


def _isolated(text: str, mentions: Sequence[Mention], before: Run, run: Run) -> bool:
    one, other = before.mentions[-1], run.mentions[0]
    between = re.findall(r"\w+", text[one.end : other.start].lower())
    if one.sense.person != (other.sense.person or any(word in PERSONS for word in between)):
        return False
    if before.first:
        last, first = mentions[before.first - 1], before.mentions[0]
        if not text[last.end : first.start].strip() and not set(last.fields) <= {"country"}:
            return False
    if run.last + 1 < len(mentions):
        after, end = mentions[run.last + 1], run.mentions[-1].end
        if not re.search(r"[,;.]", text[end : after.start]) and not set(after.fields) <= _AROUND:
            return False
    return True
