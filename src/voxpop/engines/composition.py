"""The contract for theses: what one claims, its panels, and the verdict on their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from voxpop.engines.audience import Clarification, Refusal
from voxpop.engines.question import Question
from voxpop.engines.spent import Spent
from voxpop.vocabulary import Filter

CHANNEL_CHECK, EXPERT_CALL = "channel_check", "expert_call"
SIMULATED = "The agents are simulated: what they answer is not evidence about people."


@dataclass(frozen=True, slots=True)
class PanelPlan:
    """One panel of a thesis.

    Attributes
    ----------
    kind : {"channel_check", "expert_call"}
        Customers (or, where employers act, people who decide there), or people who see the market at work.
    audience_text : str
        Who is asked, in words.
    filters : Filter
        Who is asked.
    size : int
        How many.
    questions : tuple of Question
        What they are asked, in order; each has a key.
    subject : str
        The thing that the panel is asked about, by its name in the composition.
    claimed : str
        What the thesis says of it: up, down, same, not_up or not_down.
    decisive : str
        The key of the question whose answers decide: ``change``, or ``outlook`` for what is still to come.
    driver : str
        The option of the question ``reason`` that stands for the primary driver; empty without one.
    """

    kind: str
    audience_text: str
    filters: Filter
    size: int
    questions: tuple[Question, ...]
    subject: str = ""
    claimed: str = ""
    decisive: str = "change"
    driver: str = ""


@dataclass(frozen=True, slots=True)
class Composition:
    """A thesis, understood; or why it has to stop.

    Attributes
    ----------
    subjects : tuple of dict
        ``{"name", "kind"}``, kind one of company, product, category, sector and macro; the first is what the
        thesis is about.
    stance : {"bullish", "bearish", "neutral", ""}
        What it expects of the first subject; empty where it makes no claim.
    primary_driver : str
        Why, in its own words; empty where it gives no reason.
    secondary_drivers : tuple of str
        Further reasons.
    falsifiable_claim : str
        What the panels have to answer if it is right.
    panels : tuple of PanelPlan
        One to three panels; none while there is a clarification or a refusal.
    clarification : Clarification or None
        What has to be answered first.
    refusal : Refusal or None
        Why nobody is asked.
    sensitive : str or None
        Why a person must review the audience.
    read_as : str
        The sentence that a restater made of it; empty where it was read in its own words.
    """

    subjects: tuple[dict[str, str], ...] = ()
    stance: str = ""
    primary_driver: str = ""
    secondary_drivers: tuple[str, ...] = ()
    falsifiable_claim: str = ""
    panels: tuple[PanelPlan, ...] = ()
    clarification: Clarification | None = None
    refusal: Refusal | None = None
    sensitive: str | None = None
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class PanelAnswer:
    """One answer of a panel.

    Attributes
    ----------
    id : int
        The answer's id, for evidence.
    key : str
        The key of its question.
    agent_id : int
        Who gave it.
    text : str
        What was said.
    value : object
        The coded answer; None for open answers and for "don't know".
    """

    id: int
    key: str
    agent_id: int
    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the answers say of a thesis.

    Attributes
    ----------
    support : {"supports", "contradicts", "mixed", "inconclusive"}
    confidence : float
        0 to 1: how firmly the answers lean, as the module says; not how likely the thesis is to be true.
    evidence : tuple of dict
        ``{"claim", "answer_ids"}``: a sentence, and the answers it rests on.
    note : str
        How to read it.
    """

    support: str
    confidence: float
    evidence: tuple[dict[str, Any], ...]
    note: str = SIMULATED


Panel = tuple[PanelPlan, Sequence[PanelAnswer]]
"""A panel with its answers."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text claims, before anybody is looked for.

    Attributes
    ----------
    subjects : tuple of str
        The things that it makes a claim about, by name; empty where it claims nothing.
    stance : {"bullish", "bearish", "neutral", ""}
        What it expects of the first subject; empty where it says nothing, or two opposite things.
    names : tuple of str
        Everything that it names and the composer knows, by full name.
    refusal : Refusal or None
        Why nobody is asked about it.
    """

    subjects: tuple[str, ...] = ()
    stance: str = ""
    names: tuple[str, ...] = ()
    refusal: Refusal | None = None


class ThesisComposer(Protocol):
    """Composes the panels of a thesis, and draws the verdict from their answers."""

    def compose(
        self,
        raw_input: str,
        *,
        panel_size: int,
        count: Callable[[Filter], int],
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> Composition:
        """Return what a thesis claims and the panels that can speak for or against it.

        Parameters
        ----------
        raw_input : str
            A thesis in a sentence or two.
        panel_size : int
            Agents of each panel, at least 1.
        count : callable
            Filter -> how many agents match.
        labels, titles : mapping
            As for :class:`~voxpop.engines.audience.Planner`.
        answers : sequence of (str, str), default ()
            Earlier clarification questions, each with its answer, the oldest first.
        """
        ...

    def claim(self, text: str) -> Claim:
        """Return what a text claims."""
        ...

    def headline(self, plan: PanelPlan, answers: Sequence[PanelAnswer]) -> str:
        """Return what a panel says, in a sentence or two, with its base."""
        ...

    def verdict(self, composition: Composition, panels: Sequence[Panel]) -> Verdict:
        """Return what the answers of a thesis's panels say for and against it."""
        ...


@dataclass(frozen=True, slots=True)
class Restated:
    """A thesis in other words.

    Attributes
    ----------
    text : str or None
        One sentence; None when the thesis has to be taken in its own words.
    spent : Spent or None
        What it took.
    """

    text: str | None
    spent: Spent | None = None


class Restater(Protocol):
    """Says theses in one plain sentence each."""

    name: str

    def restate(self, thesis: str, answers: Sequence[tuple[str, str]] = ()) -> Restated:
        """Return what a thesis claims.

        Parameters
        ----------
        thesis : str
            In the words of whoever has it.
        answers : sequence of (str, str), default ()
            Earlier clarification questions, each with its answer, the oldest first.
        """
        ...
