"""Interviews of agents by the simulator, one question after the other, as a study does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxpop.engines import Question, Remembered, Reply
from voxpop.engines.agents import Agent
from voxpop_simulator import EmbeddedRespondent


def interview(agents: Sequence[Agent], study: Sequence[Question]) -> list[list[Reply]]:
    """Return the replies of all agents, question by question."""
    engine = EmbeddedRespondent()
    rows = {agent.id: row for row, agent in enumerate(agents)}
    told: list[list[Reply]] = []
    columns: list[list[Any]] = []
    words: list[dict[int, str]] = []
    for at, asked in enumerate(study):
        past = Remembered(
            tuple(study[:at]), columns, rows, dict.fromkeys(rows, (1 << at) - 1), words.__getitem__
        )
        told.append(
            [reply for reply in engine.answer(agents, asked, past, seed=7) if isinstance(reply, Reply)]
        )
        columns = [*columns, [reply.value for reply in told[-1]]]
        words.append({reply.agent_id: reply.text for reply in told[-1]})
    return told
