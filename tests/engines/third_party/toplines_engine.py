"""An engine that answers from shares that you know: your own survey, a benchmark, an estimate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from voxpop.engines import Agent, Basis, Exchange, Failure, Question, Reply, Unanswerable
from voxpop.engines.draws import draws, key

SHARES = {"heard of": (0.62, 0.41), "switch": (0.31, 0.18)}
"""Words of a question -> the share of yes below 50 and from 50."""
SURVEY = Basis("published", "Share of yes by age in our survey of 1,000 adults, March 2025.")


class Toplines:
    """Answers yes/no questions so that each age group has its share of yes."""

    name = "toplines-1"

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Yield one reply or failure per agent, in the given order."""
        for agent in agents:
            try:
                value = self._value(agent, question, history.get(agent.id, ()), seed)
            except Unanswerable as reason:
                yield reason.failure(agent.id)
            else:
                yield Reply(agent.id, "Yes." if value else "No.", value, None, self.name, basis=SURVEY)

    def _value(self, agent: Agent, question: Question, past: Sequence[Exchange], seed: int) -> bool:
        known = [shares for words, shares in SHARES.items() if words in question.text.lower()]
        if question.type != "yes_no" or not known:
            raise Unanswerable("No share is known for this question.")
        if any("heard of" in one.question.text.lower() and one.value is False for one in past):
            return False  # nobody switches to something unheard of
        draw = draws(key(seed, question.text), agent.uuid.encode())[0] / 65_536
        return draw < known[0][agent.age >= 50]
