"""The thesis contract: the claim of a thesis, its panels, and the verdict on their answers."""

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
        Customers (or deciders, if the subject is a decision of employers), or people who see the market at
        work.
    audience_text : str
        The audience in plain language.
    filters : Filter
        Filter of the audience.
    size : int
        Number of agents in the panel.
    questions : tuple of Question
        Questions in order, each with a key.
    subject : str
        Subject of the panel's questions, by its name in the composition.
    claimed : str
        Direction that the thesis claims: up, down, same, not_up or not_down.
    decisive : str
        Key of the question that decides: ``change``, or ``outlook`` for a claim about the future.
    driver : str
        Option of the question ``reason`` that stands for the primary driver; empty if there is none.
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
    """The interpretation of a thesis, or the reason for stopping.

    Attributes
    ----------
    subjects : tuple of dict
        ``{"name", "kind"}``, with kind one of company, product, category, sector and macro; the thesis is
        about the first one.
    stance : {"bullish", "bearish", "neutral", ""}
        Expectation for the first subject; empty if the thesis makes no claim.
    primary_driver : str
        Main reason, quoted from the thesis; empty if it gives none.
    secondary_drivers : tuple of str
        Further reasons.
    falsifiable_claim : str
        The answers to expect from the panels if the thesis is right.
    panels : tuple of PanelPlan
        One to three panels; empty if there is a clarification or a refusal.
    clarification : Clarification or None
        A question that the caller must answer first.
    refusal : Refusal or None
        Reason for asking no agents.
    sensitive : str or None
        Reason for a human review of the audience.
    read_as : str
        The restated sentence that was interpreted; empty if the original text was.
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
        Id of the answer, cited as evidence.
    key : str
        Key of the question.
    agent_id : int
        The agent that answered.
    text : str
        The answer in words.
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
        How clearly the answers lean, from 0 to 1, as the module defines it; not the probability that the
        thesis is true.
    evidence : tuple of dict
        ``{"claim", "answer_ids"}``: a sentence and the answers that support it.
    note : str
        Explanation of how to read the verdict.
    """

    support: str
    confidence: float
    evidence: tuple[dict[str, Any], ...]
    note: str = SIMULATED


Panel = tuple[PanelPlan, Sequence[PanelAnswer]]
"""A panel with its answers."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of a text, determined before any panel is planned.

    Attributes
    ----------
    subjects : tuple of str
        Names of the subjects of the claim; empty if there is no claim.
    stance : {"bullish", "bearish", "neutral", ""}
        Expectation for the first subject; empty if there is none, or if there are two opposite ones.
    names : tuple of str
        Full names of all mentions known to the composer.
    refusal : Refusal or None
        Reason for asking no agents about the text.
    """

    subjects: tuple[str, ...] = ()
    stance: str = ""
    names: tuple[str, ...] = ()
    refusal: Refusal | None = None


class ThesisComposer(Protocol):
    """Composes the panels of a thesis and derives the verdict from their answers."""

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
        """Return the claim of a thesis and the panels that can confirm or contradict it.

        Parameters
        ----------
        raw_input : str
            A thesis of one or two sentences.
        panel_size : int
            Agents per panel, at least 1.
        count : callable
            Filter -> number of matching agents.
        labels, titles : mapping
            As for :class:`~voxpop.engines.audience.Planner`.
        answers : sequence of (str, str), default ()
            Earlier clarification questions and their answers, oldest first.
        """
        ...

    def claim(self, text: str) -> Claim:
        """Return the claim of a text."""
        ...

    def headline(self, plan: PanelPlan, answers: Sequence[PanelAnswer]) -> str:
        """Return the result of a panel in one or two sentences, including its base."""
        ...

    def verdict(self, composition: Composition, panels: Sequence[Panel]) -> Verdict:
        """Return the verdict on a thesis from its panels."""
        ...


@dataclass(frozen=True, slots=True)
class Restated:
    """A thesis in a restated form.

    Attributes
    ----------
    text : str or None
        One sentence; None if the original text must be used.
    spent : Spent or None
        Calls, tokens and cost.
    """

    text: str | None
    spent: Spent | None = None


class Restater(Protocol):
    """Restates each thesis as one plain sentence."""

    name: str

    def restate(self, thesis: str, answers: Sequence[tuple[str, str]] = ()) -> Restated:
        """Return the claim of a thesis in one sentence.

        Parameters
        ----------
        thesis : str
            The thesis as the caller wrote it.
        answers : sequence of (str, str), default ()
            Earlier clarification questions and their answers, oldest first.
        """
        ...
