"""Scripted planner, agents and respondent for the tests of jobs.

The language: parts divided by ``;``. ``age 30-40`` is a filter, ``screen cats`` and ``without cats`` are
criteria, ``refuse``, ``clarify`` and ``sensitive`` are what they say.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from voxpop.engines.audience import AudiencePlan, Clarification, Refusal, Screen
from voxpop.engines.question import Question
from voxpop.engines.respondent import Reply
from voxpop.population.designs import Drawn
from voxpop.population.quotas import Design
from voxpop.vocabulary import Filter, between, where


@dataclass
class FakePlanner:
    name: str = "fake-planner"
    calls: list[tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=list)

    def plan(
        self,
        text: str,
        *,
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> AudiencePlan:
        self.calls.append((text, tuple(answers)))
        parts = [part.strip() for part in text.split(";")]
        if "crash" in parts:
            raise RuntimeError("the planner broke down")
        ages = [part.removeprefix("age ").split("-") for part in parts if part.startswith("age ")]
        filters = where(age=between(int(ages[0][0]), int(ages[0][1]))) if ages else where()
        return AudiencePlan(
            filters=filters,
            screening=tuple(
                Screen(pet, f"Do you have {pet}?", keep)
                for verb, pet, keep in map(_criterion, parts)
                if verb in ("screen", "without")
            ),
            clarification=Clarification("Which country?", ("country",), ("USA",))
            if "clarify" in parts and not answers
            else None,
            refusal=Refusal("Nobody may be asked that.", "Ask for adults.") if "refuse" in parts else None,
            sensitive="A person should look at this." if "sensitive" in parts else None,
            understood=(),
        )


def _criterion(part: str) -> tuple[str, str, str]:
    verb, _, pet = part.partition(" ")
    return verb, pet, "no" if verb == "without" else "yes"


class FakePopulation:
    """Agents 1 to 5,000; their age is 18 + id modulo 60, and the order of a sample is backwards."""

    seed, size = 7, 5_000

    def labels(self, name: str) -> tuple[str, ...]:
        return ()

    def _matching(self, filter: Filter) -> list[int]:
        limits = dict(filter.conditions).get("age")
        ids = range(self.size, 0, -1)
        if limits is None:
            return list(ids)
        return [number for number in ids if limits.min <= 18 + number % 60 <= limits.max]  # type: ignore[union-attr]

    def count(self, filter: Filter) -> int:
        return len(self._matching(filter))

    def unknown_fields(self, filter: Filter, shown: Sequence[str] = ()) -> list[dict[str, str]]:
        return []

    def sample(self, filter: Filter, size: int, *, seed: int, exclude: Sequence[int] = ()) -> list[int]:
        return [number for number in self._matching(filter) if number not in exclude][:size]

    def draw(
        self, filter: Filter, size: int, *, seed: int, exclude: Sequence[int] = (), design: Design
    ) -> Drawn:
        assert not design
        many = len(self._matching(filter))
        ids = self.sample(filter, size, seed=seed, exclude=exclude)
        return Drawn(ids, [len(ids) / many for _ in ids], [many / len(ids) for _ in ids], many, many)

    def agents(self, ids: Sequence[int]) -> list[Any]:
        return [SimpleNamespace(id=number) for number in ids]


@dataclass
class PetRespondent:
    """Every fourth agent has cats, every hundredth horses; nobody has unicorns."""

    seconds: float = 0.0
    name: str = "pets-1"
    asked: list[tuple[int, str]] = field(default_factory=list)
    silent: set[int] = field(default_factory=set)

    def answer(
        self, agents: Sequence[Any], question: Question, history: Mapping[int, Any], *, seed: int
    ) -> Iterator[Reply]:
        assert (seed, question.type, dict(history)) == (7, "yes_no", {})
        for agent in agents:
            if self.seconds:
                time.sleep(self.seconds)
            self.asked.append((agent.id, question.text))
            one_in = next((n for pet, n in (("cats", 4), ("horses", 100)) if pet in question.text), 0)
            has = bool(one_in) and agent.id % one_in == 0
            yield Reply(agent.id, "…", None if agent.id in self.silent else has, None, self.name)
