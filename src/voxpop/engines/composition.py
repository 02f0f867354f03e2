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
        The audience in words.
    filters : Filter
        The audience.
    size : int
        Agents of the panel.
    questions : tuple of Question
        The questions in order, each with a key.
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
    """A thesis as it was understood, or the reason why it has to stop.

    Attributes
    ----------
    subjects : tuple of dict
        ``{"name", "kind"}``, kind one of company, product, category, sector and macro; the first is what the
        thesis is about.
    stance : {"bullish", "bearish", "neutral", ""}
        Its expectation of the first subject; empty where it makes no claim.
    primary_driver : str
        Its main reason, in its own words; empty where it gives none.
    secondary_drivers : tuple of str
        Further reasons.
    falsifiable_claim : str
        The answers that the panels give if it is right.
    panels : tuple of PanelPlan
        One to three panels; none while there is a clarification or a refusal.
    clarification : Clarification or None
        A question to be answered first.
    refusal : Refusal or None
        The reason why nobody is asked.
    sensitive : str or None
        The reason for a review of the audience by a person.
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
        The agent that gave it.
    text : str
        The words.
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
    """The verdict of the panels on a thesis.

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
    """The claim of a text, before agents are looked for.

    Attributes
    ----------
    subjects : tuple of str
        Names of the things that it makes a claim about; empty where it claims nothing.
    stance : {"bullish", "bearish", "neutral", ""}
        Its expectation of the first subject; empty where it has none, or two opposite ones.
    names : tuple of str
        Full names of everything that it mentions and the composer knows.
    refusal : Refusal or None
        The reason why nobody is asked about it.
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
        """Return the claim of a thesis and the panels that can speak for or against it.

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
        """Return the claim of a text."""
        ...

    def headline(self, plan: PanelPlan, answers: Sequence[PanelAnswer]) -> str:
        """Return the result of a panel in a sentence or two, with its base."""
        ...

    def verdict(self, composition: Composition, panels: Sequence[Panel]) -> Verdict:
        """Return the verdict of a thesis's panels."""
        ...


@dataclass(frozen=True, slots=True)
class Restated:
    """A thesis in other words.

    Attributes
    ----------
    text : str or None
        One sentence; None when the thesis has to be taken in its own words.
    spent : Spent or None
        Calls, tokens and cost.
    """

    text: str | None
    spent: Spent | None = None


class Restater(Protocol):
    """Says theses in one plain sentence each."""

    name: str

    def restate(self, thesis: str, answers: Sequence[tuple[str, str]] = ()) -> Restated:
        """Return the claim of a thesis in one sentence.

        Parameters
        ----------
        thesis : str
            The thesis in its own words.
        answers : sequence of (str, str), default ()
            Earlier clarification questions, each with its answer, the oldest first.
        """
        ...
