"""Reasons for coded answers: in a follow-up ("Why?") or together with the answer ("..., and why?")."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.question import Exchange
from voxpop.vocabulary.shapes import BOOLEAN, INTEGER, NUMBER, RANKING
from voxpop_simulator.questions.follow_ups import offer_in
from voxpop_simulator.questions.forms import reasons_for
from voxpop_simulator.questions.offers import offer_read
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject, asked, names_nothing, topic_in
from voxpop_simulator.questions.subjects import FAMILIES
from voxpop_simulator.questions.things import ANYTHING, MATTER, UNKNOWN
from voxpop_simulator.questions.understanding import HARDLY, grasp
from voxpop_simulator.speech import phrases
from voxpop_simulator.speech.answer_wording import Writer, one_of
from voxpop_simulator.speech.grammar import Dice
from voxpop_simulator.speech.offered import reaction_to
from voxpop_simulator.speech.outline import side_shown
from voxpop_simulator.speech.tales import Narrator
from voxpop_simulator.speech.telling import NOT_WORKING, capital, ended, from_memory, short
from voxpop_simulator.speech.texts import topics
from voxpop_simulator.stances.amounts import amount_of, spoken
from voxpop_simulator.stances.stance import AnswerPlan, plan_of

_BACK = Pattern(
    r"\b(?:your|that|this|the) (?:\w+ )?(?:score|rating|answer|choice|response|number|pick|vote|ranking)s?\b"
    r"|\b(?:say|said|answer(?:ed)?|chose|choose|pick(?:ed)?) (?:that|so|this|it)\b|\bthat way\b|\byou gave\b"
    r"|\brated? (?:it|us|this|that)\b",
    re.I,
)


_OF_A_VALUE = Pattern(r"\b(?:scores?|rat(?:ing|ed)|numbers?|pick(?:ed)?|votes?|ranking|chose|choice)\b", re.I)


def refers_back(sentence: str, *, to_value: bool = False) -> bool:
    """Return whether a question is only about an earlier answer.

    With ``to_value`` it must mention a coded answer ("your score"), as an open question came between.

    Examples
    --------
    >>> refers_back("Why?"), refers_back("What is the main reason for your score?")
    (True, True)
    >>> refers_back("Why did you choose your grocery store?")
    False
    """
    if to_value:
        return bool(_BACK.search(sentence) and _OF_A_VALUE.search(sentence))
    return bool(_BACK.search(sentence)) or names_nothing(asked(sentence, False))


def why_answer(earlier: Exchange, agent: Agent, stance: float, block: tuple[int, ...]) -> str:
    """Return an answer that explains an earlier coded answer of the same agent."""
    narrator = Narrator(agent, Dice(block, 24))
    dice = narrator.dice
    before = plan_of(earlier.question)
    said = _said(dice, earlier)
    if before.profile is not None:
        return f"{said} because that's {('just how it is for me', 'my situation')[dice.below(2)]}."
    writer = _defending(before, earlier.value, agent, stance, narrator)
    if _jobless(writer, agent):
        return f"{said}. {from_memory(writer.found, agent, narrator, writer.side)}"
    if writer.offer is not None:
        return f"{said}. {writer.sentences()}"
    lead = dice.below(4)
    tale = writer.take("t") if lead < 2 or writer.found.form == "reply" else ""
    if tale:
        return short([f"{said}.", ended(capital(tale))])
    slot = "k" if before.frame.axis == "worry" and writer.side == 1 and dice.below(2) else "r"
    reason = writer.take(slot) or writer.take("r")
    if not reason:
        return f"{said}. {writer.sentences()}"
    if slot == "k":
        first = f"{said} because I worry that {reason}."
    elif lead == 2:
        first = f"{said}. {capital(reason)}."
    else:
        first = f"{said} {('because', 'mainly because', 'since')[dice.below(3)]} {reason}."
    tale = writer.take("t") if dice.below(2) else ""
    return short([first, ended(capital(tale))] if tale else [first])


def reason_of(given: Exchange, agent: Agent, stance: float, block: tuple[int, ...]) -> str:
    """Return the reason for a coded answer, given with it if the question asks for both."""
    narrator = Narrator(agent, Dice(block, 24))
    writer = _defending(plan_of(given.question), given.value, agent, stance, narrator)
    if _jobless(writer, agent):
        return from_memory(writer.found, agent, narrator, writer.side)
    if writer.offer is not None:
        return writer.sentences()
    told = writer.found.form == "reply" or narrator.dice.below(3)
    if not told and (reason := writer.take("r")):
        return f"{('Because', 'Mainly because')[narrator.dice.below(2)]} {reason}."
    return capital(writer.take("t")) or writer.sentences()


def _defending(before: AnswerPlan, value: Any, agent: Agent, stance: float, narrator: Narrator) -> Writer:
    """Return a writer of arguments for a coded answer."""
    found = asked(before.sentence, before.sign < 0)
    chosen = before.question.row.has_options and before.order is None
    offer = (
        offer_read(before.question.text) if before.frame.axis in ("use", "favour") and not chosen else None
    )
    if offer is not None:
        found = reaction_to(replace(found, form="why"), offer)
        stance = stance if not isinstance(value, bool) else 1.0 if value else -1.0
        mixed = value is None or abs(stance) < _MIDDLE
        return Writer(narrator, found, 2 if mixed else side_shown(found, stance, before.frame.axis), offer)
    bank = _bank_of_choice(before.sentence) if chosen else _bank_of(before, found)
    if bank:
        opposed = bool(_OPPOSED.search(before.sentence))
        found = replace(found, form="reply", topic=bank, families=FAMILIES.get(bank, ()), turned=opposed)
    elif found.form == "reply" and "+" not in topics()[found.topic]:
        topic = topic_in(before.sentence, found.subject)
        found = replace(found, form="why", topic=topic, families=FAMILIES.get(topic, ()))
    elif found.form != "reply":
        found = replace(found, form="why")
    mixed = value is None or isinstance(value, list)
    if isinstance(value, bool):
        stance = 1.0 if value else -1.0
    side = 0 if chosen else 2 if mixed else side_shown(found, stance, before.frame.axis)
    if before.fact is not None:
        side = 0 if value else 1
    return Writer(narrator, found, side)


def _bank_of(before: AnswerPlan, found: AskedSubject) -> str | None:
    """Return the bank that explains an answer if its topic does not, or is barely understood."""
    bank = reasons_for(before.sentence)
    if bank is None and offer_in(before.question.text) and before.frame.axis in ("use", "favour"):
        return "buy_it"
    if bank is not None or (_known(before.sentence, found) and grasp(before.question.text, found) >= HARDLY):
        return bank
    return "take_up" if _OFFERED.search(before.sentence) else "plain_why"


def _known(sentence: str, found: AskedSubject) -> bool:
    """Return whether lines on a question's topic can be reasons for its answer."""
    own = found.form == "reply" and "+" in topics()[found.topic]
    topic = topic_in(sentence, found.subject) if found.form == "reply" else found.topic
    viewed = found.subject is not None and _VIEW.search(sentence)
    return own or bool(viewed) or topic not in (UNKNOWN, MATTER, ANYTHING)


_VIEW = Pattern(r"\b(?:think|believe|agree|should|support|favou?r|oppose|important)\b", re.I)
"""Questions on an opinion, whose reasons come from the lines on matters."""
_MIDDLE = 0.3
"""Stances nearer to the middle than this are those of the middle of a scale."""
_OFFERED = Pattern(
    r"\bwould you\b.*\b(?:pay|buy|use|want|try|sign up|subscribe|order|get|join|consider|interested"
    r"|open to)\b",
    re.I,
)
"""Questions on accepting an offer."""


def _bank_of_choice(sentence: str) -> str:
    return "importance_why" if _IMPORTANT.search(sentence) else "choice_why"


_IMPORTANT = Pattern(
    r"\bimportant|\bmatters?\b|\bpriorit|\bmain (?:reason|factor)|\bcare (?:most )?about", re.I
)
_OPPOSED = Pattern(r"\b(?:oppose|against)\b", re.I)


def _jobless(writer: Writer, agent: Agent) -> bool:
    return writer.found.topic == "job" and agent.labour_status in NOT_WORKING


def _said(dice: Dice, earlier: Exchange) -> str:
    value, question, bank = earlier.value, earlier.question, phrases.SAID
    if value is None:
        return one_of(dice, bank["unsure"])
    if question.shape is BOOLEAN:
        return one_of(dice, bank["boolean"]).format("yes" if value else "no")
    if question.shape is NUMBER:
        return one_of(dice, bank["number"]).format(spoken(amount_of(question), value))
    if question.shape is INTEGER:
        return one_of(dice, bank["integer"]).format(value)
    if question.shape is RANKING:
        return one_of(dice, bank["ordered categories"]).format(value[0] if value else "nothing")
    named = " and ".join(value) if isinstance(value, list) else str(value)
    return one_of(dice, bank["choice"]).format(named or "none")
