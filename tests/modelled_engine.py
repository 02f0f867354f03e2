"""The embedded engine with a model behind it: what it has no figure for is modelled, not a placeholder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from voxpop.engines import Agent, Basis, Exchange, Failure, Question, Reply
from voxpop_simulator import EmbeddedRespondent

MODELLED = Basis("modelled", "Fitted to answers to nearby questions.")


class Modelled(EmbeddedRespondent):
    """Gives the embedded engine's answers; only their basis differs."""

    name = "modelled-1"

    @staticmethod
    def models(agent_id: int) -> bool:
        """Return whether the answers of an agent are modelled; all are, unless a test chooses some."""
        return True

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        for said in super().answer(agents, question, history, seed=seed):
            is_placeholder = isinstance(said, Reply) and said.basis.kind == "none"
            yield replace(said, basis=MODELLED) if is_placeholder and self.models(said.agent_id) else said
