"""The embedded respondent: an offline, deterministic simulator of survey answers.

It interprets the question once. Answers covered by the profile come from the profile, all others from latent
leanings with published directions. The answers are simulated and not evidence about people.

It cannot read pictures and documents. A question with attachments is answered from its text alone, as if
nothing was attached, and every such reply ends with a notice: :data:`UNSEEN`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

from voxpop.engines.agents import Agent
from voxpop.engines.basis import NONE as NO_BASIS
from voxpop.engines.basis import Basis
from voxpop.engines.draws import draws, key
from voxpop.engines.option_order import ESCAPE, NONE, shown_order
from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Failure, Remembered, Reply, Unanswerable, unseen
from voxpop.vocabulary.bounds import as_read, unread_notice
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORIES, INTEGER, NUMBER, RANKING
from voxpop_simulator.earlier import (
    Binding,
    InStudy,
    Past,
    Recalled,
    Telling,
    Told,
    understood_in_study,
)
from voxpop_simulator.library.items import items
from voxpop_simulator.own_types import landed, put, put_before
from voxpop_simulator.parts import Composer, Guide, Matcher, Planner
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_words import NEVER, QuestionReader
from voxpop_simulator.questions.understanding import IN_PART, grasp
from voxpop_simulator.speech.answer_wording import asked_for, described, lacking, open_answer, spoken_answer
from voxpop_simulator.speech.reasons import reason_of, why_answer
from voxpop_simulator.speech.telling import capital
from voxpop_simulator.stances import responses
from voxpop_simulator.stances.amounts import amount_of, is_price_point, number, point_price
from voxpop_simulator.stances.leanings import traits
from voxpop_simulator.stances.stance import AnswerPlan, Shown, own_stance, plan_of, remembered, taken
from voxpop_simulator.stances.views import kept_to
from voxpop_simulator.stances.worth import said_before, within_worth

UNSEEN = unseen("embedded-1")
"""Final sentence of every reply to a question with attachments."""

UNDERSTOOD_IN_PART = (
    "embedded-1 knows fewer than half of the words that this question turns on, so most of the answers will "
    "not be to the point: read some before you use them, ask in plainer words, or use a language model."
)
"""Caution for a question with few known words."""


def notice_of(question: Question) -> str | None:
    """Return a caution for users of the answers to a question, or None.

    A very long question is not read completely (:mod:`voxpop.vocabulary.bounds`). An open question with few
    known words is answered in general terms or as a question on something else, the only misreading that the
    engine can detect itself.

    Examples
    --------
    >>> from voxpop_simulator.questions.question_words import read_question
    >>> notice_of(read_question("What do you think about coffee?")) is None
    True
    >>> print(notice_of(read_question("What do you do with the hubcaps of an old tractor?"))[:32])
    embedded-1 knows fewer than half
    """
    unread = unread_notice(question.text, "question")
    told = [unread] if unread is not None else []
    plan = plan_of(replace(question, attachments=())) if not question.shape.coded else None
    if plan is not None and plan.profile is None and grasp(as_read(question.text), asked_for(plan)) < IN_PART:
        told.append(UNDERSTOOD_IN_PART)
    return " ".join(told) or None


_SUCH_AS = ("Do you own a dog?", "Do you bake bread?", "Did you vote in 2024?")
"""Questions whose answers rest on a figure, on nothing and on a question that people were asked."""


class EmbeddedRespondent:
    """Engine that answers for agents without a model or a network.

    The same agent, question, options, history and seed give the same reply on every machine, regardless of
    the other agents in the call.
    """

    name = "embedded-1"
    reads_values = True
    """True because the engine reads the coded values of earlier answers and rarely their text."""

    @cached_property
    def seen_items(self) -> frozenset[str]:
        """Return the keys of the benchmark items whose human answers the engine holds."""
        return frozenset(f"gss:{item.name}" for item in items())

    reader = QuestionReader()
    planner = Planner()
    guide = Guide()
    composer = Composer()
    matcher = Matcher()

    def prepare(self) -> None:
        """Load the patterns and tables for answering a yes/no question, such as one of a screening."""
        from voxpop.engines.sample_agents import AGENTS  # imported where used

        for text in _SUCH_AS:
            list(self.answer(AGENTS, Question(text, "yes_no"), {}, seed=0))

    def notice(self, question: Question) -> str | None:
        """Return a caution for users of the answers to a question, or None."""
        return notice_of(question)

    def basis(self, question: Question, agents: Sequence[Agent]) -> Iterator[Basis]:
        """Yield what the answer of each agent to a question would rest on."""
        for said in self.answer(agents, question, {}, seed=0):
            yield Basis(NO_BASIS, said.message) if isinstance(said, Failure) else said.basis

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Yield one reply per agent, in the given order.

        Only Unanswerable makes an agent a Failure. Any other exception is a bug of the engine and is raised
        with the agent's id as a note.

        Parameters
        ----------
        agents : sequence of Agent
            The agents to ask.
        question : Question
            A question from :func:`~voxpop_simulator.questions.question_words.read_question`.
        history : mapping of agent id to sequence of Exchange
            Earlier answers of each agent in the same study, oldest first.
        seed : int
            Seed of the study's questions: affects the random component of an answer, never traits and facts.
        """
        unseen = bool(question.attachments)
        told = replace(question, attachments=()) if unseen else question
        plain = put(told)
        seeded, salt = key(seed), key(seed) + plan_of(plain).moment
        pasts = _pasts(plain, agents, history)
        for agent in agents:
            said: Reply | Failure
            try:
                asked, past = pasts(agent.id)
                reply = self._reply(asked, agent, past, (seeded, salt), told)
                said = _from_words_alone(reply) if unseen else reply
            except Unanswerable as refusal:
                said = refusal.failure(agent.id)
            except Exception as error:  # a bug of the engine: annotated here, logged by the runner
                error.add_note(f"While {self.name} answered for agent {agent.id}.")
                raise
            yield said

    def _reply(
        self, asked: InStudy, agent: Agent, past: Past, salts: tuple[bytes, bytes], told: Question
    ) -> Reply:
        plan, question = asked.plan, asked.plan.question
        uuid, (seeded, salt) = agent.uuid.encode(), salts
        order = shown_order(question, uuid, salt)
        if plan.profile is not None and plan.profile.is_for(agent):
            held, text = plan.profile.answer(agent)
            basis = asked.grounds.of_profile(held, text)
            value = None if held is None else landed(told, question, held)
            if value != held:
                text = spoken_answer(question, value, 0.0, draws(salt, uuid))
            if not question.shape.coded and value is not None:
                text = described(plan, agent, text, draws(salt, uuid))
            return Reply(agent.id, capital(text), value, order, self.name, basis=basis)
        moment = draws(salt, uuid)
        felt = draws(seeded + asked.state, uuid) if asked.state else moment
        person = traits(agent)
        basis = asked.grounds.of(agent)
        if asked.open is not None:
            text = _open(asked, asked.open, agent, person, (moment, felt), past)
            return Reply(agent.id, text, None, order, self.name, basis=basis)
        if asked.repeated is not None:
            text = past.text(asked.repeated).removesuffix(UNSEEN).rstrip()
            return Reply(agent.id, text, past[asked.repeated], order, self.name, basis=basis)
        if (missing := lacking(plan, agent, moment)) is not None:
            return Reply(agent.id, missing, None, order, self.name, basis=basis)
        if _is_shut(plan, person, agent.uuid.encode()):
            basis = asked.grounds.shut
        value, strength = _coded(asked, agent, person, (moment, felt), past)
        value = _agreed(asked, value, past)
        value = None if value is None else landed(told, question, value)
        text = spoken_answer(question, value, strength, moment)
        if value is not None and asked.gives_reason:
            text = f"{text} {reason_of(Exchange(question, text, value), agent, taken(plan, value), moment)}"
        if (
            value is not None
            and asked.second is not None
            and (not _says_no(question, value) or _OF_EITHER.search(asked.second_text))
        ):
            text = f"{text} {_open(asked, asked.second, agent, person, (moment, felt), past)}"
        return Reply(agent.id, text, value, order, self.name, basis=basis)


def _pasts(
    question: Question, agents: Sequence[Agent], history: Mapping[int, Sequence[Exchange]]
) -> Callable[[int], tuple[InStudy, Past]]:
    """Return a function from an agent to the question after its earlier ones, and its earlier answers."""
    groups: dict[Any, tuple[InStudy, tuple[int, ...], tuple[Sequence[Any], ...]]] = {}

    def told(agent: int) -> tuple[InStudy, Past]:
        past = history.get(agent, ())
        names = tuple(id(exchange.question) for exchange in past)
        if names not in groups:
            earlier = tuple(put_before(exchange.question) for exchange in past)
            groups[names] = understood_in_study(question, earlier), (), ()
        return groups[names][0], Told(past)

    if not isinstance(history, Remembered):
        return told
    study = history

    def recalled(agent: int) -> tuple[InStudy, Past]:
        answered = study.answered.get(agent, 0)
        if answered not in groups:
            places = tuple(place for place in range(len(study.questions)) if answered >> place & 1)
            earlier = tuple(put_before(study.questions[place]) for place in places)
            columns = tuple(study.columns[place] for place in places)
            groups[answered] = understood_in_study(question, earlier), places, columns
        asked, places, columns = groups[answered]
        return asked, Recalled(study, places, columns, agent, study.rows.get(agent, 0))

    return recalled


def _agreed(asked: InStudy, value: Any, past: Past) -> Any:
    """Return an answer that is consistent with the agent's earlier answers on the same thing."""
    if asked.views and value is not None:
        value = kept_to(asked.plan, value, [(earlier, past[place]) for place, earlier in asked.views])
    if asked.declined is not None and past[asked.declined] is False:
        return 0
    if asked.lowest is not None and value == asked.lowest[0] and any(past[at] for at in asked.offers):
        return asked.lowest[1]  # who took an offer or named a price cannot be certain not to buy
    if value and any(past[place] == lowest for place, lowest in asked.wishes):
        return False if asked.plan.question.shape is BOOLEAN else 0  # who would never buy takes no offer
    if value is None or not asked.marks:
        return value
    said = [(mark, past[place]) for place, mark in asked.marks]
    if asked.plan.question.shape is NUMBER:
        return within_worth(asked.plan.question, value, said)
    settled = said_before(asked.price, said) if asked.price else None
    return value if settled is None else settled


_OF_EITHER = Pattern(r"\?.*\b(?:keeps?|stops?|prevents?|would|could)\b", re.I)
"""Pattern of a second question that is also put to agents who say no: on barriers, or on a change of mind."""


def _says_no(question: Question, value: Any) -> bool:
    """Return whether a coded answer is no, never, none or 0 times."""
    if isinstance(value, str):
        return bool(NONE.match(value)) or value == NEVER
    return value is False or (question.shape is NUMBER and value == 0)


def _from_words_alone(reply: Reply) -> Reply:
    return replace(reply, text=f"{reply.text} {UNSEEN}")


def _shown(asked: InStudy, past: Past) -> list[tuple[float, Shown]]:
    """Return the strength and the implied range of each constraint from earlier answers, weakest first."""
    found = []
    for each in asked.by_strength:
        value = past[each.place]
        if value is not None and (shown := each.shown(value)) is not None:
            found.append((each.weight, shown))
    return found


_Draws: TypeAlias = "tuple[tuple[int, ...], tuple[int, ...]]"
"""Random draws of an answer: those of its wording and its details, and those of its stance."""


def _coded(
    asked: InStudy, agent: Agent, person: tuple[float, ...], drawn: _Draws, past: Past
) -> tuple[Any, float]:
    """Return the coded answer and its strength."""
    plan, question, uuid = asked.plan, asked.plan.question, agent.uuid.encode()
    moment, felt = drawn
    settled = _settled(plan, agent, person, uuid)
    if settled is not None:
        return settled, 0.0
    if moment[5] < _unsure(plan, person):
        escape = next((option for option in question.options if ESCAPE.match(option)), None)
        if question.shape is CATEGORIES:
            return [escape] if escape else None, 0.0
        return None if question.shape is RANKING else escape, 0.0
    if question.row.has_options and plan.order is None:
        return _chosen(plan, responses.utilities(plan, person, uuid, moment, agent.country)), 0.0
    stance = own_stance(plan, person, uuid, felt) - asked.burden
    if asked.bindings:
        stance = remembered(_shown(asked, past), stance)
    if question.shape is BOOLEAN:
        return stance > plan.threshold, abs(stance - plan.threshold)
    if question.shape is INTEGER:
        return responses.rated(plan, stance, moment), 0.0
    if question.shape is NUMBER:
        amount = amount_of(question)
        if amount.kind == "money" and is_price_point(question.text):
            return point_price(question, amount, own_stance(plan, person, uuid, felt), moment[6]), 0.0
        if amount.kind == "money":
            stance = 0.85 * stance + 0.35 * person[2]
        return number(amount, stance, moment[6]), 0.0
    return responses.pick_one(plan, [], stance), 0.0


def _chosen(plan: AnswerPlan, scores: list[float]) -> Any:
    """Return the choice among unordered options, by their appeal."""
    question = plan.question
    if question.shape is RANKING:
        ranked = sorted(range(len(scores)), key=lambda at: -scores[at])
        return [question.options[at] for at in ranked]
    if question.shape is CATEGORIES:
        return responses.pick_many(plan, scores)
    return responses.pick_one(plan, scores, 0.0)


def _settled(plan: AnswerPlan, agent: Agent, person: tuple[float, ...], uuid: bytes) -> Any:
    """Return the answer determined by human answers or by a fact of the agent's life, or None."""
    if plan.human is not None and plan.human.is_for(agent):
        return plan.human.answer(agent)
    if plan.funnel is not None:
        return plan.funnel.answer(plan.question, plan.order, person, uuid)
    if plan.fact is not None:
        return plan.fact.latent(person, uuid) > 0
    if plan.gate is not None and plan.gate.shut(person, uuid):
        return _nothing(plan)
    return None


def _is_shut(plan: AnswerPlan, person: tuple[float, ...], uuid: bytes) -> bool:
    """Return whether an agent does not have or do what a question presupposes, and no figure says more."""
    if plan.human is not None or plan.fact is not None or plan.gate is None:
        return False
    return plan.gate.shut(person, uuid)


def _nothing(plan: AnswerPlan) -> Any:
    """Return the answer of an agent who does not own or do the thing, or None if no answer says so."""
    if plan.question.shape is NUMBER:
        return 0
    if plan.question.shape is BOOLEAN:
        return plan.sign < 0
    return plan.question.options[plan.order.ranks.index(0)] if plan.order is not None else None


def _unsure(plan: AnswerPlan, person: tuple[float, ...]) -> int:
    """Return the number of such agents out of 65,536 who answer "don't know": 1 to 4 percent."""
    share = 0.014 - 0.006 * person[3] + (0.006 if person[0] > 0.9 else 0.0)
    if plan.frame.name in ("policy", "trust", "belief", "agreement"):
        share *= 1.5
    return int(65536 * share)


def _kept(bindings: Sequence[Binding], past: Past, stance: float) -> float:
    """Return a stance on the same side as an earlier yes or no to nearly the same question."""
    for each in bindings:
        value = past[each.place]
        if isinstance(value, bool) and abs(each.weight) >= _NEARLY_THE_SAME:
            stance = max(stance, 0.35) if value is (each.weight > 0) else min(stance, -0.05)
    return stance


_NEARLY_THE_SAME = 0.7
_MIDDLE = 3
"""Middle of the scale on which a reaction to an offer agrees with the wish to buy it."""


def _open(
    asked: InStudy,
    telling: Telling,
    agent: Agent,
    person: tuple[float, ...],
    drawn: _Draws,
    past: Past,
) -> str:
    moment, felt = drawn
    if telling.reasons_of is not None:
        near = [each.place for each in telling.reasons_of if past[each.place] is not None]
        of = near[-1] if near else telling.else_of
        if of is not None:
            earlier = Exchange(asked.before[of], "", past[of])
            return why_answer(earlier, agent, taken(plan_of(earlier.question), earlier.value), moment)
    unheard = any(past[place] is False for place in telling.unheard)
    stance = own_stance(telling.about, person, agent.uuid.encode(), felt) - telling.burden
    if asked.bindings:
        stance = _kept(asked.bindings, past, remembered(_shown(asked, past), stance))
    if telling.offer is not None:
        stance = float(responses.rated(telling.about, stance, felt) - _MIDDLE)
    priced = next((place for place in telling.priced if past[place]), None)
    return open_answer(
        telling.plan,
        agent,
        stance,
        moment,
        telling.found,
        first=telling.first,
        unheard=unheard,
        named=None if priced is None else (asked.before[priced], past[priced]),
        offer=telling.offer,
    )
