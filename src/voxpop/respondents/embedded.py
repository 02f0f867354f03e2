"""The embedded respondent: an offline, deterministic simulator of survey answers.

It reads the question once, answers from the profile what the profile holds, and everything else from latent
leanings with published directions. The answers are simulated; they are no evidence about people.

It cannot look at pictures and documents. A question with attachments is answered from its words alone, as if
nothing was attached, and every such reply ends with a sentence that says so: :data:`UNSEEN`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voxpop.population.agents import Agent
from voxpop.questions.follow_ups import in_study, probes
from voxpop.questions.ordinals import ESCAPE, NONE
from voxpop.questions.patterns import Pattern
from voxpop.questions.question import CHOICE_TYPES, Exchange, Question
from voxpop.questions.reading import NEVER, asks_reason, read_question, second_question
from voxpop.questions.understanding import IN_PART, grasp
from voxpop.respondents.protocol import Failure, Reply, Unanswerable
from voxpop.speech.reasons import reason_of, refers_back, why_answer
from voxpop.speech.telling import capital
from voxpop.speech.wording import (
    asked_for,
    asks_why,
    described,
    lacking,
    open_answer,
    referent,
    spoken_answer,
)
from voxpop.stances import responses
from voxpop.stances.amounts import amount_of, number
from voxpop.stances.draws import draws, key
from voxpop.stances.facts import housing
from voxpop.stances.leanings import traits
from voxpop.stances.stance import (
    Plan,
    has_not_heard,
    link,
    own_stance,
    plan_of,
    remembered,
    taken,
)
from voxpop.stances.worth import (
    is_same_thing,
    price_burden,
    price_put,
    price_weight,
    said_before,
    within_worth,
)

UNSEEN = "(Answered from the words of the question alone; embedded-1 does not look at attachments.)"
"""How every reply to a question with attachments ends."""

UNDERSTOOD_IN_PART = (
    "embedded-1 knows fewer than half of the words that this question turns on, so most of the answers will "
    "not be to the point: read some before you use them, ask in plainer words, or use a language model."
)
"""What is said of a question of which the engine knows few words."""

# by the identity of an earlier question, which is kept here so that its identity stays its own
_Links = dict[int, tuple[float, Plan, Question]]


@dataclass(frozen=True, slots=True)
class _InStudy:
    """What is asked now and what was asked before, each with what it refers to.

    ``burden`` is how far a price lowers the wish for a thing; ``alike`` are the places of the earlier
    questions about that thing.
    """

    plan: Plan
    before: tuple[Question, ...]
    burden: float
    alike: tuple[int, ...]


def notice_of(question: Question) -> str | None:
    """Return what to know before the answers to a question are used; None where there is nothing.

    An open question of which the engine knows few words is answered in general terms, or as a question of
    something else. It is the only kind of misreading that the engine can tell by itself.

    Examples
    --------
    >>> notice_of(read_question("What do you think about coffee?")) is None
    True
    >>> print(notice_of(read_question("What do you do with the hubcaps of an old tractor?"))[:32])
    embedded-1 knows fewer than half
    """
    if question.type != "open":
        return None
    plan = plan_of(replace(question, attachments=()))
    if plan.profile is not None or grasp(question.text, asked_for(plan)) >= IN_PART:
        return None
    return UNDERSTOOD_IN_PART


class EmbeddedRespondent:
    """Answers for agents without a model or a network.

    The same agent, question, options, history and seed give the same reply on every machine, whatever other
    agents are asked beside it.
    """

    name = "embedded-1"

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        """Yield one reply per agent, in the given order.

        An agent is a Failure only where the engine says so by raising Unanswerable; any other error is a
        fault of the engine and is raised, with the agent's id as a note.

        Parameters
        ----------
        agents : sequence of Agent
            Who is asked.
        question : Question
            As :func:`~voxpop.questions.reading.read_question` made it.
        history : mapping of agent id to sequence of Exchange
            Earlier answers of each agent in the same study, oldest first.
        seed : int
            The seed of the study's questions: moves what depends on the moment, never traits and facts.
        """
        unseen = bool(question.attachments)
        plan = plan_of(replace(question, attachments=()) if unseen else question)
        salt = key(seed) + plan.moment
        links: _Links = {}
        told: dict[tuple[int, ...], _InStudy] = {}
        for agent in agents:
            said: Reply | Failure
            try:
                past = history.get(agent.id, ())
                names = tuple(id(exchange.question) for exchange in past)
                if names not in told:
                    told[names] = _in_study(plan, [exchange.question for exchange in past])
                reply = self._reply(told[names], agent, past, salt, links)
                said = _from_words_alone(reply) if unseen else reply
            except Unanswerable as refusal:
                said = refusal.failure(agent.id)
            except Exception as error:  # a fault of the engine: named here, logged and counted by the runner
                error.add_note(f"While {self.name} answered for agent {agent.id}.")
                raise
            yield said

    def _reply(
        self, asked: _InStudy, agent: Agent, told: Sequence[Exchange], salt: bytes, links: _Links
    ) -> Reply:
        plan, question, past = asked.plan, asked.plan.question, _with_references(told, asked.before)
        uuid = agent.uuid.encode()
        order = responses.shown_order(question, uuid, salt) if question.type in CHOICE_TYPES else None
        if plan.profile is not None:
            value, text = plan.profile.answer(agent)
            if question.type == "open" and value is not None:
                text = described(plan, agent, text, draws(salt, uuid))
            return Reply(agent.id, capital(text), value, order, self.name)
        moment = draws(salt, uuid)
        person = traits(agent)
        if question.type == "open":
            text = _open(plan, agent, person, moment, past, links)
            return Reply(agent.id, text, None, order, self.name)
        repeated = next(
            (
                exchange
                for exchange in past
                if exchange.question.text == question.text and exchange.question.type == question.type
            ),
            None,
        )
        if repeated is not None and repeated.question.options == question.options:
            text = repeated.text.removesuffix(UNSEEN).rstrip()
            return Reply(agent.id, text, repeated.value, order, self.name)
        if (missing := lacking(plan, agent, moment)) is not None:
            return Reply(agent.id, missing, None, order, self.name)
        value, strength = _coded(plan, agent, person, moment, _bound(plan, past, links), asked.burden)
        value = _agreed(plan, value, past, [past[at] for at in asked.alike])
        text = spoken_answer(question, value, strength, moment)
        second = None if value is None else second_question(question.text)
        if second is None:
            if value is not None and asks_reason(question.text):
                text = f"{text} {_reason(plan, agent, Exchange(question, text, value), moment)}"
        elif not _says_no(question, value) or _OF_EITHER.search(second):
            beside = plan_of(read_question(second, type="open"))
            text = f"{text} {_open(beside, agent, person, moment, past, links)}"
        return Reply(agent.id, text, value, order, self.name)


def _no_more(plan: Plan, past: Sequence[Exchange]) -> bool:
    """Return whether a question asks how much of what was just declined."""
    declined = bool(past) and past[-1].question.type == "yes_no" and past[-1].value is False
    return declined and plan.question.type == "number" and bool(_HOW_MUCH.match(plan.sentence))


_HOW_MUCH = Pattern(
    r"^(?:and |if so,? )?how (?:much|many)(?: more| extra)?(?:,? (?:in|as a|per) [^?]*)?\?", re.I
)


def _in_study(plan: Plan, earlier: Sequence[Question]) -> _InStudy:
    """Return a question as it is to be understood after the earlier ones of its study."""
    *before, now = in_study([*earlier, plan.question])
    priced = price_put(now) is not None or now.type == "number"
    alike = tuple(at for at, each in enumerate(before) if priced and is_same_thing(each, now))
    return _InStudy(plan_of(now), tuple(before), price_burden(now, before), alike)


def _with_references(past: Sequence[Exchange], questions: Sequence[Question]) -> Sequence[Exchange]:
    """Return earlier exchanges with their questions as they were understood."""
    pairs = zip(past, questions, strict=True)
    return [one if one.question is whole else replace(one, question=whole) for one, whole in pairs]


def _agreed(plan: Plan, value: Any, past: Sequence[Exchange], alike: Sequence[Exchange]) -> Any:
    """Return an answer that agrees with the prices that the agent has said of the same thing."""
    if _no_more(plan, past):
        return 0
    if value is None or not alike:
        return value
    if plan.question.type == "number":
        return within_worth(plan.question, value, alike)
    settled = said_before(plan.question, alike)
    return value if settled is None else settled


_OF_EITHER = Pattern(r"\?.*\b(?:keeps?|stops?|prevents?|would|could)\b", re.I)
"""A second question that is asked of who says no, too: what would change that, what keeps one from it."""


def _says_no(question: Question, value: Any) -> bool:
    """Return whether a coded answer is no, never, none or 0 times."""
    if isinstance(value, str):
        return bool(NONE.match(value)) or value == NEVER
    return value is False or (question.type == "number" and value == 0)


def _reason(plan: Plan, agent: Agent, given: Exchange, moment: tuple[int, ...]) -> str:
    return reason_of(given, agent, taken(plan, given.value), moment)


def _from_words_alone(reply: Reply) -> Reply:
    return replace(reply, text=f"{reply.text} {UNSEEN}")


def _bound(plan: Plan, past: Sequence[Exchange], links: _Links) -> list[tuple[float, Plan, Exchange]]:
    """Return the earlier exchanges that bind this question, with how strongly."""
    found = []
    for exchange in past:
        known = links.get(id(exchange.question))
        if known is None:
            earlier = exchange.question
            known = links[id(earlier)] = (link(earlier, plan.question), _at_price(plan, earlier), earlier)
        if known[0] and exchange.value is not None:
            found.append((known[0], known[1], exchange))
    return found


def _at_price(plan: Plan, earlier: Question) -> Plan:
    """Return an earlier plan with its borders where they would be at the price that is asked for now."""
    before = plan_of(earlier)
    price, then = price_put(plan.question), price_put(earlier)
    if not price or not then or price == then or not is_same_thing(plan.question, earlier):
        return before
    dearer = price_weight(price, then)
    borders = tuple(round(border - dearer, 4) for border in before.borders)
    return replace(before, threshold=before.threshold - dearer, borders=borders)


def _coded(
    plan: Plan,
    agent: Agent,
    person: tuple[float, ...],
    moment: tuple[int, ...],
    bound: list[tuple[float, Plan, Exchange]],
    burden: float,
) -> tuple[Any, float]:
    """Return the coded answer and how strongly it is held."""
    question, uuid = plan.question, agent.uuid.encode()
    settled = _settled(plan, person, uuid)
    if settled is not None:
        return settled, 0.0
    if moment[5] < _unsure(plan, person):
        escape = next((option for option in question.options if ESCAPE.match(option)), None)
        if question.type == "multi_choice":
            return [escape] if escape else None, 0.0
        return None if question.type == "ranking" else escape, 0.0
    if question.type in CHOICE_TYPES and plan.order is None:
        return _chosen(plan, responses.utilities(plan, person, uuid, moment, agent.country)), 0.0
    stance = own_stance(plan, person, uuid, moment) - burden
    if bound:
        stance = remembered(bound, stance)
    if question.type == "yes_no":
        return stance > plan.threshold, abs(stance - plan.threshold)
    if question.type == "scale":
        return responses.rated(plan, stance, moment), 0.0
    if question.type == "number":
        amount = amount_of(question)
        if amount.kind == "money":
            stance = 0.85 * stance + 0.35 * person[2]
        return number(amount, stance, moment[6]), 0.0
    return responses.pick_one(plan, [], stance), 0.0


def _chosen(plan: Plan, scores: list[float]) -> Any:
    """Return what is chosen of options in no order, by how much each appeals."""
    question = plan.question
    if question.type == "ranking":
        ranked = sorted(range(len(scores)), key=lambda at: -scores[at])
        return [question.options[at] for at in ranked]
    if question.type == "multi_choice":
        return responses.pick_many(plan, scores)
    return responses.pick_one(plan, scores, 0.0)


def _settled(plan: Plan, person: tuple[float, ...], uuid: bytes) -> Any:
    """Return the answer that a fact of an agent's life settles; None where none does."""
    if plan.fact is not None:
        return plan.fact.latent(person, uuid) > 0
    if plan.gate is not None and plan.gate.shut(person, uuid):
        return _nothing(plan)
    return housing(plan.question.options, person, uuid) if plan.question.type == "single_choice" else None


def _nothing(plan: Plan) -> Any:
    """Return what somebody answers who has or does no such thing; None where no answer says so."""
    if plan.question.type == "number":
        return 0
    if plan.question.type == "yes_no":
        return plan.sign < 0
    return plan.question.options[plan.order.ranks.index(0)] if plan.order is not None else None


def _unsure(plan: Plan, person: tuple[float, ...]) -> int:
    """Return how many of 65,536 such agents say that they don't know: 1 to 4 percent."""
    share = 0.014 - 0.006 * person[3] + (0.006 if person[0] > 0.9 else 0.0)
    if plan.frame.name in ("policy", "trust", "belief", "agreement"):
        share *= 1.5
    return int(65536 * share)


def _kept(bound: list[tuple[float, Plan, Exchange]], stance: float) -> float:
    """Return a stance on the side of an earlier yes or no to nearly the same thing."""
    for weight, _, exchange in bound:
        if isinstance(exchange.value, bool) and abs(weight) >= _NEARLY_THE_SAME:
            stance = max(stance, 0.35) if exchange.value is (weight > 0) else min(stance, -0.05)
    return stance


_NEARLY_THE_SAME = 0.7


def _open(
    plan: Plan,
    agent: Agent,
    person: tuple[float, ...],
    moment: tuple[int, ...],
    past: Sequence[Exchange],
    links: _Links,
) -> str:
    coded = [exchange for exchange in past if exchange.question.type != "open"]
    if coded and (asks_why(plan.sentence) or probes(plan.sentence)):
        near = [exchange for _, _, exchange in _bound(plan, coded, links)]
        if near or refers_back(plan.sentence, to_value=past[-1].question.type == "open"):
            earlier = near[-1] if near else coded[-1]
            return why_answer(earlier, agent, taken(plan_of(earlier.question), earlier.value), moment)
    unheard = any(has_not_heard(exchange, plan) for exchange in past)
    earlier_one = referent(plan, past) if past else None
    about = plan if earlier_one is None else plan_of(earlier_one)
    about = about if about.frame.axis == plan.frame.axis else plan
    stance = own_stance(about, person, agent.uuid.encode(), moment)
    bound = _bound(plan, past, links)
    stance = _kept(bound, remembered(bound, stance)) if bound else stance
    return open_answer(plan, agent, stance, moment, past, unheard=unheard)
