"""The prospects of screening: what each question rests on, and how many candidates have to be asked.

A question that rests on no figure selects nobody in particular; it is not asked, and the caller decides what
to do without it. The share who pass is taken from a few candidates where answers are free and declared, and
is unknown otherwise.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from voxpop.engines.audience import Clarification, Screen, Span
from voxpop.engines.basis import NONE, UNDECLARED, Basis
from voxpop.engines.question import Question
from voxpop.engines.respondent import Reply, Respondent
from voxpop.jobs.shelf import AgentShelf
from voxpop.vocabulary import Filter

LOOKED_AT = 400
"""Number of candidates looked at."""

LEAVE_OUT = "leave it out"
_LEFT_OUT = (LEAVE_OUT, "leave them out", "drop it", "drop them", "without it", "without them", "ignore it")


@dataclass(frozen=True, slots=True)
class Prospect:
    """A screening question, with what its answers rest on.

    Attributes
    ----------
    screen : Screen
        The question.
    basis : Basis or None
        What most answers rest on; None before it was looked at.
    incidence : float or None
        Share of the candidates who match and give the wanted answer; None if it is not known beforehand.
    """

    screen: Screen
    basis: Basis | None
    incidence: float | None

    @property
    def known(self) -> bool:
        """Whether the answers rest on anything."""
        return self.basis is None or self.basis.kind != NONE

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, in which a request is stored and shown."""
        told = asdict(self.screen)
        del told["instead"]
        return told | {
            "basis": None if self.basis is None else self.basis.kind,
            "basis_note": None if self.basis is None else self.basis.note,
            "incidence": None if self.incidence is None else round(self.incidence, 4),
        }


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prospects of all questions of a request together.

    Attributes
    ----------
    prospects : tuple of Prospect
        One per question, in the order of the text.
    share : float or None
        Share of the candidates who pass all of them; None if it is not known beforehand.
    looked, passing : frozenset of int
        Ids of the candidates that were looked at, and of those who pass; empty without a share.
    """

    prospects: tuple[Prospect, ...]
    share: float | None
    looked: frozenset[int] = frozenset()
    passing: frozenset[int] = frozenset()

    @property
    def unknown(self) -> tuple[Screen, ...]:
        """The questions that cannot be screened."""
        return tuple(one.screen for one in self.prospects if not one.known)

    def told(self, wanted: int, available: int) -> str:
        """Return how many candidates are likely to be asked, in a sentence."""
        if self.share is None:
            return f"How many of the {available:,} who match will pass is not known before they are asked."
        if self.share == 0:
            return f"None of the first {min(available, LOOKED_AT):,} passes; {available:,} can be asked."
        needed = min(available, math.ceil(wanted / self.share))
        return (
            f"About {self.share:.1%} pass, so about {needed:,} of the {available:,} who match will be asked."
        )


def outlook(
    respondent: Respondent,
    shelf: AgentShelf,
    screens: Sequence[Screen],
    candidates: Sequence[int],
    *,
    seed: int,
) -> Outlook:
    """Look at some candidates, and return the prospects of screening.

    Parameters
    ----------
    respondent
        Answers the questions; one that declares no bases is taken to answer from a model.
    shelf
        Source of the agents.
    screens, candidates
        The questions, and ids of agents who match the filter.
    seed
        The seed of studies.
    """
    declared = getattr(respondent, "basis", None)
    free = declared is not None and not getattr(respondent, "remote", False)
    agents = shelf.take(list(candidates), tuple) if declared is not None and candidates else []
    found: list[Prospect] = []
    passing = {agent.id for agent in agents}
    for screen in screens:
        question = Question(screen.question.strip(), "yes_no")
        if not agents:
            found.append(Prospect(screen, UNDECLARED, None))
        elif not free:
            assert declared is not None
            found.append(Prospect(screen, _main(declared(question, agents)), None))
        else:
            replies = [
                one for one in respondent.answer(agents, question, {}, seed=seed) if isinstance(one, Reply)
            ]
            kept = {one.agent_id for one in replies if passes(one, screen.keep == "yes")}
            passing &= kept
            basis = _main(one.basis for one in replies)
            found.append(Prospect(screen, basis, len(kept) / len(agents)))
    if not (free and agents and screens):
        return Outlook(tuple(found), None)
    looked = frozenset(agent.id for agent in agents)
    return Outlook(tuple(found), len(passing) / len(looked), looked, frozenset(passing))


def passes(reply: Reply, keep: bool) -> bool:
    """Return whether an answer keeps a candidate; an answer that rests on nothing never does."""
    return reply.value is keep and reply.basis.kind != NONE


def _main(bases: Iterable[Basis]) -> Basis:
    """Return the most frequent basis; one that is known comes first where half of the answers rest on it."""
    counts = Counter(bases)
    if not counts:
        return UNDECLARED
    known = Counter({basis: count for basis, count in counts.items() if basis.kind != NONE})
    return (known if 2 * known.total() >= counts.total() else counts).most_common(1)[0][0]


def question_of(unknown: Sequence[Screen]) -> Clarification | None:
    """Return the question about criteria that cannot be screened, or None if there are none.

    Examples
    --------
    >>> asked = question_of([Screen("bake bread", "Do you bake bread?", "yes", ("Bakers",))])
    >>> asked.question[:27], asked.options
    ('"bake bread" cannot be scre', ('Bakers', 'leave it out'))
    """
    if not unknown:
        return None
    if len(unknown) == 1:
        one = unknown[0]
        question = (
            f'"{one.criterion}" cannot be screened: no figure says who answers "{one.question}" with '
            f"{one.keep}. "
            "Should it be left out (it can be a question of the study instead), or who is meant?"
        )
        return Clarification(question, ("screening",), (*one.instead, LEAVE_OUT))
    told = ", ".join(f'"{one.criterion}"' for one in unknown[:-1]) + f' and "{unknown[-1].criterion}"'
    question = (
        f"{told} cannot be screened: no figure says whom they apply to. Should they be left out (they can be "
        "questions of the study instead), or who is meant?"
    )
    return Clarification(question, ("screening",), ("leave them out",))


def left_out(answer: str) -> bool:
    """Return whether an answer says to go on without what cannot be screened.

    Examples
    --------
    >>> left_out("Leave them out."), left_out("homeowners")
    (True, False)
    """
    return answer.strip().strip(".!").casefold() in _LEFT_OUT


def without(spans: Iterable[Span], gone: Collection[str], text: str) -> tuple[Span, ...]:
    """Return the spans of a request with the screening questions that were left out marked as such.

    Parameters
    ----------
    spans
        What each span was understood as.
    gone
        The questions that were left out.
    text
        The text of the request; spans after its end are words of answers.
    """
    marked = (
        replace(one, role="left_out", value=None) if one.role == "screen" and one.value in gone else one
        for one in spans
    )
    return tuple(replace(one, start=min(one.start, len(text))) for one in marked)


def cells(quotas: Sequence[tuple[Filter, int]], size: int) -> list[dict[str, Any]]:
    """Return the quotas of a text as cells of a group, in proportion to its size.

    Examples
    --------
    >>> from voxpop.vocabulary import where
    >>> [cell["size"] for cell in cells([(where(gender="male"), 50), (where(gender="female"), 50)], 41)]
    [21, 20]
    """
    total = sum(number for _, number in quotas)
    exact = [size * number / total for _, number in quotas]
    sizes = [math.floor(one) for one in exact]
    order = sorted(range(len(exact)), key=lambda at: (sizes[at] - exact[at], at))
    for at in order[: size - sum(sizes)]:
        sizes[at] += 1
    return [
        {"filters": one.to_json(), "size": number}
        for (one, _), number in zip(quotas, sizes, strict=True)
        if number
    ]
