"""An engine whose answers rest on all four kinds of basis, by the words of the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voxpop.engines import Agent, Basis, Exchange, Failure, Question, Reply

PROFILE = Basis("profile", "The agent's record holds it.")
PUBLISHED = Basis(
    "published",
    "Share of yes in our survey of 1,000 adults in Österreich and Baden-Württemberg, March 2025, weighted.",
)
MODELLED = Basis("modelled", "Fitted to answers to a nearby question.")
NONE = Basis("none", "No figure is known for this question.")
ALL = (PROFILE, PUBLISHED, MODELLED, NONE)


def basis_of(question: str, agent_id: int) -> Basis:
    """Choose a basis: "guess" has none, "mixed" all in turn, "half" none for every second agent."""
    if "guess" in question.lower():
        return NONE
    if "mixed" in question.lower():
        return ALL[agent_id % 4]
    if "half" in question.lower():
        return (PUBLISHED, NONE)[agent_id % 2]
    return PUBLISHED


class FourBases:
    """Answers by the agent's number."""

    name = "four-1"

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        for agent, basis in zip(agents, self.basis(question, agents), strict=True):
            value, order = _value(question, agent.id), None
            if question.shuffle_options:
                order = tuple(range(len(question.options)))
            told = f"As agent {agent.id} of {agent.state} I say {value}, and taste matters to my family."
            yield Reply(agent.id, told, value, order, self.name, basis=basis)

    def basis(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        return (basis_of(question.text, agent.id) for agent in agents)


def _value(question: Question, number: int) -> Any:
    options = question.options
    if question.type == "yes_no":
        return number % 3 != 0
    if question.type == "scale":
        assert question.scale is not None
        return question.scale.min + number % (question.scale.max - question.scale.min + 1)
    if question.type == "number":
        return 3 + number % 7
    if question.type == "single_choice":
        return options[number % len(options)]
    if question.type == "multi_choice":
        return [options[number % len(options)]]
    if question.type == "ranking":
        return [*options[number % len(options) :], *options[: number % len(options)]]
    return None
