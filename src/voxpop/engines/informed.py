"""An engine that answers from a survey of people where it can, and from another engine elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from voxpop.engines.agents import Agent
from voxpop.engines.basis import MODELLED, NONE, PROFILE, PUBLISHED, UNDECLARED, Basis
from voxpop.engines.basis_counts import SURVEY_NOTES
from voxpop.engines.donors import Donors
from voxpop.engines.draws import key
from voxpop.engines.engine import LONGEST_NAME, Engine
from voxpop.engines.human_survey import HumanSurvey
from voxpop.engines.matcher import Matcher
from voxpop.engines.option_order import shown_order
from voxpop.engines.question import Exchange, Question
from voxpop.engines.reach import Reach
from voxpop.engines.respondent import Failure, Reply, Respondent
from voxpop.engines.survey_answers import Answers, answers_of
from voxpop.vocabulary.fields import FIELDS

_MARK = "+survey-{}"
_RECORDS, _ESTIMATED = SURVEY_NOTES


class Informed:
    """An engine with a survey of people in front of it.

    A question that certainly asks the same as one of the survey is answered as respondents with a profile
    near the agent's answered it. Every other question goes to the engine behind, as do agents whose profile
    holds the answer and agents far from everybody in the survey.

    Parameters
    ----------
    inner : Respondent
        The engine behind. Its optional parts are those of this engine.
    survey : HumanSurvey
        The survey.
    matcher : Matcher
        Compares questions with those of the survey.
    """

    def __init__(self, inner: Respondent, survey: HumanSurvey, matcher: Matcher) -> None:
        self._inner, self._survey = inner, survey
        mark = _MARK.format(survey.digest[:8])
        self.name = inner.name[: LONGEST_NAME - len(mark)] + mark
        self._find = matcher.index(survey.asked)
        self._donors = Donors(survey)
        self._known: Callable[[Question], _Known | None] = lru_cache(maxsize=256)(self._known_of)

    def __getattr__(self, part: str) -> Any:
        """Return an optional part of the engine behind."""
        if part.startswith("_"):
            raise AttributeError(part)
        return getattr(self._inner, part)

    def basis(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        """Yield what the answer of each agent to a question would rest on."""
        for own, behind in self._divided(question, agents):
            yield behind if own is None else own

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Yield one reply per agent, in the given order."""
        known = self._known(replace(question, attachments=())) if not question.attachments else None
        if known is None:
            for said in self._inner.answer(agents, question, history, seed=seed):
                yield said if isinstance(said, Failure) else replace(said, engine=self.name)
            return
        divided = list(self._divided(question, agents))
        others = [agent for agent, (own, _) in zip(agents, divided, strict=True) if own is None]
        behind = iter(self._inner.answer(others, question, history, seed=seed)) if others else iter(())
        for agent, (own, _) in zip(agents, divided, strict=True):
            if own is None:
                yield self._from_behind(next(behind), known, agent)
                continue
            value, text = known.answers.of(self._donors.draw(agent, known.answers.usable))
            order = shown_order(question, agent.uuid.encode(), key(seed, question.text))
            yield Reply(agent.id, text, value, order, self.name, basis=own)

    def _divided(self, question: Question, agents: Sequence[Agent]) -> Iterator[tuple[Basis | None, Basis]]:
        """Yield what each agent's answer rests on: the survey or None, and the engine behind."""
        known = None if question.attachments else self._known(question)
        told: Callable[[Question, Sequence[Agent]], Iterator[Basis]] | None
        told = getattr(self._inner, "basis", None)
        behind = [UNDECLARED] * len(agents) if told is None else list(told(question, agents))
        for agent, basis in zip(agents, behind, strict=True):
            own = None if known is None or basis.kind == PROFILE else known.basis(agent)
            if own is None:
                yield None, basis
            else:
                yield (None, _either(basis, own)) if own.kind == NONE else (own, basis)

    def _from_behind(self, said: Reply | Failure, known: _Known, agent: Agent) -> Reply | Failure:
        if isinstance(said, Failure):
            return said
        basis = said.basis if said.basis.kind == PROFILE else _either(said.basis, known.basis(agent))
        return replace(said, engine=self.name, basis=basis)

    def _known_of(self, question: Question) -> _Known | None:
        found = self._find(question)
        answers = None if found is None else answers_of(question, found)
        if found is None or answers is None:
            return None
        return _Known(self._survey, self._donors, answers, found.asked.name, found.places)


def informed(engine: Engine, survey: HumanSurvey) -> Engine:
    """Return an engine with a survey of people in front of it."""
    default = engine.default
    return Engine(Informed(engine.respondent, survey, engine.matcher), default)


class _Known:
    """A question that the survey answers, and the bases of the answers."""

    def __init__(
        self, survey: HumanSurvey, donors: Donors, answers: Answers, column: str, places: Any
    ) -> None:
        self.answers = answers
        self._survey, self._donors = survey, donors
        self._reach = Reach(survey, np.asarray(answers.usable))
        self._cited = survey.cited(column)
        self._merged = ", with answers merged" if any(len(at) > 1 for at in places) else ""
        self._made = lru_cache(maxsize=None)(self._basis)

    def basis(self, agent: Agent) -> Basis:
        """Return what the answer of an agent rests on; ``none`` if the survey does not reach the agent."""
        if agent.country != self._survey.country and all(one.field != "country" for one in self._survey.axes):
            return self._made(NONE, "country", ())
        profile = self._donors.profile(agent)
        reached = self._reach.of(profile)
        if reached.kind != PUBLISHED:
            return self._made(reached.kind, reached.beyond, ())
        shared = tuple(
            axis.field
            for axis, place in zip(self._survey.axes, profile, strict=True)
            if place >= 0 and axis.nearness < 1
        )
        return self._made(reached.kind, "", shared)

    def _basis(self, kind: str, beyond: str, shared: tuple[str, ...]) -> Basis:
        if kind == NONE:
            told = f"{self._survey.name} does not reach people like the agent ({beyond})"
            return Basis(NONE, f"{told}; the answer is a placeholder.")
        if kind == MODELLED:
            told = f"{_ESTIMATED}{self._cited}, which hardly reaches people like the agent in {beyond}"
            return Basis(MODELLED, f"{told}{self._merged}.")
        near = ", ".join(FIELDS[name].label.lower() for name in shared)
        like = f", of respondents near the agent in {near}" if near else ""
        return Basis(PUBLISHED, f"{_RECORDS}{self._cited}{like}{self._merged}.")


def _either(behind: Basis, own: Basis) -> Basis:
    """Return the basis of the engine behind, or the survey's reason for not answering."""
    return own if behind.kind == NONE else behind
