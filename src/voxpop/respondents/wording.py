"""Answers in words: open answers in the first person, and coded answers as they are said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from voxpop.population.agents import Agent
from voxpop.respondents import phrases
from voxpop.respondents.amounts import amount_of, spoken
from voxpop.respondents.asking import HEALTHY_TOPICS, Asked, asked
from voxpop.respondents.grammar import Dice, say
from voxpop.respondents.grounding import detail
from voxpop.respondents.life_work import NOT_WORKING
from voxpop.respondents.ordinals import ESCAPE, NONE, OTHER
from voxpop.respondents.outline import Outline, Shell, outline_of, side_of
from voxpop.respondents.protocol import Exchange, Question
from voxpop.respondents.stance import Plan, plan_of
from voxpop.respondents.tales import Narrator
from voxpop.respondents.telling import capital, ended, from_memory, short, told

_WHY = re.compile(
    r"^(?:and |but |so )?(?:why|how come|what (?:makes|made) you (?:say|think|choose|pick|feel)"
    r"|what (?:is|are|was|were) (?:the|your) (?:main )?reasons?"
    r"|(?:please |can you |could you )?(?:please )?(?:explain|elaborate)|tell (?:us|me) why|what (?:led"
    r"|brought) you)",
    re.I,
)


def asks_why(text: str) -> bool:
    """Return whether a question asks for the reason of an earlier answer.

    Examples
    --------
    >>> asks_why("Why?"), asks_why("What would make you switch?")
    (True, False)
    """
    return bool(_WHY.match(text.strip()))


class Writer:
    """Fills the slots of one answer, never using a line twice."""

    __slots__ = ("dice", "narrator", "outline", "side", "used")

    def __init__(self, narrator: Narrator, outline: Outline, side: int) -> None:
        self.narrator, self.dice = narrator, narrator.dice
        self.outline, self.side = outline, side
        self.used: set[int] = set()

    def take(self, slot: str) -> str:
        """Return a wording for a slot such as ``r``; ``w`` is two or three things."""
        bank = self.outline.banks[slot][self.side]
        first = self.narrator.tell(bank, self.used)
        if slot != "w":
            return first
        found = [first, *(self.narrator.tell(bank, self.used) for _ in range(1 + self.dice.below(2)))]
        found = [each for each in found if each]
        if any("," in each or " and " in each for each in found):
            return ", ".join(found)
        return listed(found)

    def write(self, shell: Shell) -> str:
        """Return a shell with its slots filled, as one or more whole sentences."""
        said = []
        for at, part in enumerate(shell.parts):
            if at % 2 == 0:
                said.append(say(part, self.narrator))
            else:
                text = self.take(part.lower())
                said.append(capital(text) if part.isupper() else text)
        return ended(capital("".join(said)))

    def tale(self) -> str:
        """Return a sentence or two that the agent tells; "" when it has nothing to tell."""
        told = self.outline.tales
        if not told:
            return ""
        return ended(capital(self.narrator.tell(told[self.side], self.used)))


def open_answer(
    plan: Plan, agent: Agent, stance: float, block: tuple[int, ...], past: Sequence[Exchange] = ()
) -> str:
    """Return one to four sentences that follow from the stance and the profile.

    ``past`` holds the earlier answers of the agent that bind this question.
    """
    found = asked(plan.sentence, plan.topics, plan.sign < 0)
    narrator = Narrator(agent, Dice(block, 24))
    if found.frame in ("routine", "plans", "trip"):
        return told(found, agent, stance, narrator)
    side = side_of(found, stance, plan.frame.axis, plan.topics, plan.frame.name in _GLAD)
    writer = Writer(narrator, outline_of(found), side)
    if found.topic == "job" and agent.labour_status in NOT_WORKING and found.frame not in ("would", "wants"):
        return from_memory(found, agent, narrator, side)
    said = _sentences(writer, found)
    price = _price_said(past) if found.frame in ("would", "think", "wants") else ""
    if price and len(said) < 2 and not writer.dice.below(8):
        said.append(_PRICE[writer.dice.below(len(_PRICE))].format(price))
    elif len(said) < 2 and writer.dice.below(100) < _LIVED:
        own = detail(narrator, found.topic, found.families, found.topic in HEALTHY_TOPICS)
        said += [ended(own)] if own else []
    return short(said)


_GLAD = ("satisfaction", "liking", "recommend", "trust")
_LIVED = 9  # how many of 100 short answers bring in the agent's own life, where it fits closely
# frame -> of 100 answers, those that only tell something, and those that begin with a frame and then tell
_MIX = {"would": (14, 16), "wants": (14, 16), "fix": (22, 18), "worry": (48, 12), "why": (76, 8)}


_NAMED = {"would": 0, "wants": 0}  # of 100 tellings, those that name a side of the topic


def _sentences(writer: Writer, found: Asked) -> list[str]:
    """Return the sentences of an answer: something told, a frame filled with reasons, or both."""
    told_only, both = _MIX.get(found.frame, (78, 8))
    pick = writer.dice.below(100)
    shells = writer.outline.shells[writer.side]
    sides = writer.outline.sides
    if sides and pick < told_only and writer.dice.below(100) < _NAMED.get(found.frame, 30):
        frames = sides[writer.side]
        return [writer.write(frames[writer.dice.below(len(frames))])]
    if pick < told_only or not shells:
        tale = writer.tale()
        more = writer.tale() if tale and pick < 5 else ""
        if tale:
            return [tale, more] if more else [tale]
    said = [writer.write(shells[writer.dice.below(len(shells))])]
    if told_only <= pick < told_only + both:
        tale = writer.tale()
        said += [tale] if tale else []
    return said


def _price_said(past: Sequence[Exchange]) -> str:
    for exchange in reversed(past):
        amount = amount_of(exchange.question) if exchange.question.type == "number" else None
        if amount and amount.kind == "money" and exchange.value:
            return spoken(amount, exchange.value)
    return ""


_PRICE = (
    "I said {}, and that's about my limit.",
    "I put down {}, so it has to stay near that.",
    "Like I said, {} is what I'd pay.",
    "Around {} is where I'd stop.",
    "At {} I'd feel fine about it.",
    "Much over {} and I'd put it back.",
    "For {} I'd expect it to be good.",
    "My number was {}, and I meant it.",
)


def why_answer(plan: Plan, agent: Agent, earlier: Exchange, stance: float, block: tuple[int, ...]) -> str:
    """Return an answer that explains an earlier coded answer of the same agent."""
    narrator = Narrator(agent, Dice(block, 24))
    dice = narrator.dice
    before = plan_of(earlier.question)
    said = _said(dice, earlier)
    if before.profile is not None:
        return f"{said} because that's {('just how it is for me', 'my situation')[dice.below(2)]}."
    found = replace(asked(before.sentence, before.topics, before.sign < 0), frame="why")
    axis = before.frame.axis
    mixed = earlier.value is None or isinstance(earlier.value, list)
    side = 2 if mixed else side_of(found, stance, axis, before.topics, before.frame.name in _GLAD)
    if before.question.type in ("single_choice", "multi_choice", "ranking") and before.order is None:
        side = 0
    if before.fact is not None:
        side = 0 if earlier.value else 1
    writer = Writer(narrator, outline_of(found), side)
    if found.topic == "job" and agent.labour_status in NOT_WORKING:
        return f"{said}. {from_memory(found, agent, narrator, side)}"
    lead = dice.below(4)
    tale = writer.tale() if lead < 2 else ""
    if tale:
        return short([f"{said}.", tale])
    slot = "k" if axis == "worry" and side == 1 and dice.below(2) else "r"
    reason = writer.take(slot)
    if slot == "k":
        first = f"{said} because I worry that {reason}."
    elif lead == 2:
        first = f"{said}. {capital(reason)}."
    else:
        first = f"{said} {('because', 'mainly because', 'since')[dice.below(3)]} {reason}."
    tale = writer.tale() if dice.below(2) else ""
    return short([first, tale] if tale else [first])


def _of(dice: Dice, bank: Sequence[str]) -> str:
    return bank[dice.below(len(bank))]


def _said(dice: Dice, earlier: Exchange) -> str:
    value, question, bank = earlier.value, earlier.question, phrases.SAID
    if value is None:
        return _of(dice, bank["unsure"])
    if question.type == "yes_no":
        return _of(dice, bank["yes_no"]).format("yes" if value else "no")
    if question.type == "number":
        return _of(dice, bank["number"]).format(spoken(amount_of(question), value))
    if question.type == "scale":
        return _of(dice, bank["scale"]).format(value)
    if question.type == "ranking":
        return _of(dice, bank["ranking"]).format(value[0] if value else "nothing")
    named = " and ".join(value) if isinstance(value, list) else str(value)
    return _of(dice, bank["choice"]).format(named or "none")


def listed(options: Sequence[str]) -> str:
    """Return options as a spoken list.

    Examples
    --------
    >>> listed(["TV", "radio"]), listed(["TV", "radio", "print"])
    ('TV and radio', 'TV, radio and print')
    """
    if len(options) < 2:
        return "".join(options)
    return f"{', '.join(options[:-1])} and {options[-1]}"


def spoken_answer(question: Question, value: Any, strength: float, block: tuple[int, ...]) -> str:
    """Return a coded answer as it is said; None is a "don't know"."""
    dice = Dice(block, 16)
    if value is None:
        return _of(dice, phrases.UNSURE)
    if question.type == "yes_no":
        if value:
            return _of(dice, phrases.YES_STRONG if strength > 1.1 else phrases.YES)
        return _of(dice, phrases.NO_STRONG if strength > 1.1 else phrases.NO)
    if question.type == "scale":
        return _of(dice, phrases.RATED).format(value)
    if question.type == "number":
        return capital(_of(dice, phrases.GUESSED).format(spoken(amount_of(question), value)))
    if isinstance(value, list):
        if question.type == "ranking":
            return _of(dice, phrases.RANKED).format(value[0], listed(value[1:]))
        alone = len(value) == 1 and len(value[0].split()) > 2
        return (
            (f"{value[0]}." if alone else _of(dice, phrases.SEVERAL).format(listed(value)))
            if value
            else "None."
        )
    clause = len(value.split()) > 3 or ESCAPE.match(value) or NONE.match(value) or OTHER.match(value)
    return capital(_of(dice, phrases.CHOSEN_CLAUSE if clause else phrases.CHOSEN).format(value))
