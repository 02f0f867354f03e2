"""The cost of asking, before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voxpop.engines.agents import Agent
from voxpop.engines.engine import Engine
from voxpop.engines.question import Question


@dataclass(frozen=True, slots=True)
class Cost:
    """Expected cost of the answers to one question.

    Attributes
    ----------
    calls : int
        Model calls, including repairs.
    input_tokens, output_tokens : int
        Tokens of all calls.
    cost_microdollars : int or None
        Millionths of a dollar; None if the price of the model is unknown.
    seconds : float or None
        Duration; None before any call was observed.
    observed : int
        Number of earlier calls of the model on which the sizes rest; 0 means usual sizes.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_microdollars: int | None = 0
    seconds: float | None = None
    observed: int = 0


Estimator = Callable[[Sequence[Agent], int, Question, Sequence[Question]], Cost]
"""Method ``estimate`` of an engine: some of the agents, the number of all, the question, and earlier ones."""


def estimated(
    engine: Engine, agents: Sequence[Agent], count: int, question: Question, past: Sequence[Question]
) -> Cost:
    """Return the expected cost of a question.

    An engine without the method ``estimate`` calls no model if it is local; the cost of a remote one is
    unknown.

    Parameters
    ----------
    engine
        The engine to ask.
    agents, count
        Some of the agents, and the number of all of them.
    question
        The question.
    past
        Earlier questions of the study, which the agents remember.
    """
    own: Estimator | None = getattr(engine.respondent, "estimate", None)
    if own is not None:
        return own(agents, count, question, past)
    return Cost(calls=count, cost_microdollars=None) if engine.remote else Cost()


def together(first: Cost, second: Cost) -> Cost:
    """Return the cost of two engines that share the work on a question; an unknown part is unknown.

    Examples
    --------
    >>> together(Cost(), Cost(calls=2, input_tokens=900, observed=10)).calls
    2
    >>> together(Cost(calls=1, cost_microdollars=None), Cost(calls=1)).cost_microdollars is None
    True
    """
    if not first.calls or not second.calls:
        return second if not first.calls else first
    money = (first.cost_microdollars, second.cost_microdollars)
    return Cost(
        calls=first.calls + second.calls,
        input_tokens=first.input_tokens + second.input_tokens,
        output_tokens=first.output_tokens + second.output_tokens,
        cost_microdollars=None if None in money else sum(one or 0 for one in money),
        seconds=None if first.seconds is None or second.seconds is None else first.seconds + second.seconds,
        observed=min(first.observed, second.observed),
    )
