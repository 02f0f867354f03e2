"""Answers in words: open answers in the first person, and coded answers as they are said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from voxpop.population.agents import Agent
from voxpop.respondents import narratives, phrases
from voxpop.respondents.amounts import amount_of, spoken
from voxpop.respondents.answer_frames import CLOSE
from voxpop.respondents.asking import HEALTHY_TOPICS, Asked, asked
from voxpop.respondents.banks import variants
from voxpop.respondents.grounding import detail
from voxpop.respondents.life_work import MEMORY_BAD, MEMORY_GOOD, NOT_WORKING
from voxpop.respondents.ordinals import ESCAPE, NONE, OTHER
from voxpop.respondents.outline import Outline, Shell, outline_of, side_of
from voxpop.respondents.protocol import Exchange, Question
from voxpop.respondents.stance import Plan, plan_of

T = TypeVar("T")
_WHY = re.compile(
    r"^(?:and |but |so )?(?:why|how come|what (?:makes|made) you (?:say|think|choose|pick|feel)"
    r"|what (?:is|are|was|were) (?:the|your) (?:main )?reasons?"
    r"|(?:please |can you |could you )?(?:please )?(?:explain|elaborate)|tell (?:us|me) why|what (?:led"
    r"|brought) you)",
    re.I,
)


class Dice:
    """Draws one phrase after another out of a block of numbers."""

    __slots__ = ("at", "block")

    def __init__(self, block: tuple[int, ...]) -> None:
        self.block = block
        self.at = 0

    def of(self, bank: Sequence[T]) -> T:
        """Return the next entry of a bank."""
        return bank[self.below(len(bank))]

    def below(self, count: int) -> int:
        """Return the next whole number below a count."""
        return self.number() * count >> 16

    def number(self) -> int:
        """Return the next draw, 0 to 65535."""
        at = self.at
        self.at = at + 1 if at < 31 else 0
        return self.block[at]


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

    __slots__ = ("dice", "outline", "paired", "side", "used")

    def __init__(self, dice: Dice, outline: Outline, side: int) -> None:
        self.dice, self.outline, self.side = dice, outline, side
        self.used: set[str] = set()
        self.paired = False

    def take(self, slot: str) -> str:
        """Return a wording for a slot such as ``r``."""
        bank = self.outline.banks[slot][self.side]
        for _ in range(4):
            wordings = bank[self.dice.below(len(bank))]
            if wordings[0] not in self.used:
                break
        self.used.add(wordings[0])
        return self.dice.of(wordings)

    def write(self, shell: Shell, pair: bool = False) -> str:
        """Return a shell with its slots filled; ``pair`` joins a second reason to the first."""
        said = []
        for at, part in enumerate(shell.parts):
            if at % 2 == 0:
                said.append(part)
                continue
            slot = part[0].lower()
            text = self.take(slot)
            if part in ("w", "W"):
                text = f"{text} and {self.take(slot)}"
            elif pair and slot in "rgb":
                second = self.take(slot)
                pair = "," in text or "," in second
                if not pair:
                    text, self.paired = f"{text} and {second}", True
            said.append(capital(text) if part[0].isupper() else text)
        return "".join(said)


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    if text[:1] == '"':
        return text[0] + text[1:2].upper() + text[2:]
    return text[:1].upper() + text[1:]


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def open_answer(
    plan: Plan, agent: Agent, stance: float, block: tuple[int, ...], past: Sequence[Exchange] = ()
) -> str:
    """Return one to four sentences that follow from the stance and the profile.

    ``past`` holds the earlier answers of the agent that bind this question.
    """
    found = asked(plan.sentence, plan.topics, plan.sign < 0)
    dice = Dice(block[4:] + block[:4])
    if found.frame in ("routine", "plans", "trip"):
        return _told(found, agent, stance, dice)
    side = side_of(found, stance, plan.frame.axis, plan.topics, plan.frame.name in _GLAD)
    writer = Writer(dice, outline_of(found), side)
    if found.topic == "job" and agent.labour_status in NOT_WORKING and found.frame not in ("would", "wants"):
        return _from_memory(found, agent, writer)
    if writer.outline.terse and dice.below(100) < 4:
        return writer.write(dice.of(writer.outline.terse))
    extra = (0, 0, 0, 0, 1, 1, 1, 1, 1, 2)[dice.below(10)]
    shell = dice.of(writer.outline.shells[side])
    said = [_ended(writer.write(shell, pair=not extra))]
    small = len(writer.outline.banks["r"][side]) < _SMALL
    if not extra and (small or (not writer.paired and len(shell.parts) < 5)):
        extra = 1
    said += _extras(writer, agent, found, extra, past)
    return _short(said)


_SMALL = 14  # below this many reasons, an answer of one sentence would be given twice too often
_GLAD = ("satisfaction", "liking", "recommend", "trust")


def _short(said: list[str]) -> str:
    """Return the sentences as one text of at most about 45 words."""
    text = " ".join(said)
    while len(said) > 1 and len(text.split()) > 42:
        said.pop(len(said) // 2 if len(said) > 2 else -1)
        text = " ".join(said)
    return text


def _extras(writer: Writer, agent: Agent, found: Asked, count: int, past: Sequence[Exchange]) -> list[str]:
    dice = writer.dice
    said: list[str] = []
    price = _price_said(past) if found.frame in ("would", "think", "wants") else ""
    if price and not dice.below(8):
        said.append(dice.of(_PRICE).format(price))
        count -= 1
    kinds = ("detail", "reason") if dice.below(8) < 5 else ("reason", "detail")
    for kind in (*kinds, "close")[: max(count, 0)]:
        if kind == "detail":
            healthy = found.topic in HEALTHY_TOPICS
            own = detail(agent, found.topic, found.families, healthy, dice.number(), dice.number())
            said += [_ended(own)] if own else []
        elif kind == "reason" and found.frame == "wants":
            said.append(f"{capital(writer.take('w'))} too.")
        elif kind == "reason":
            said.append(writer.write(dice.of(writer.outline.more)))
        else:
            said.append(dice.of(variants(dice.of(CLOSE[writer.side]))))
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


_FULL_LEAD = re.compile(r"answer for|this is|only know|talk about|remember|can tell|what I do")


def _from_memory(found: Asked, agent: Agent, writer: Writer) -> str:
    """Return what an agent without a job says when asked about its job."""
    dice = writer.dice
    lead = dice.of(variants(dice.of(NOT_WORKING[agent.labour_status])))
    banks = {"like": (MEMORY_GOOD, MEMORY_GOOD), "dislike": (MEMORY_BAD, MEMORY_BAD)}
    first, second = banks.get(
        found.frame, ((MEMORY_GOOD, MEMORY_BAD), (MEMORY_BAD, MEMORY_GOOD))[writer.side == 1]
    )
    at = dice.below(len(first))
    reason = dice.of(variants(first[at]))
    said = [f"{lead}. {capital(reason)}." if _FULL_LEAD.search(lead) else f"{lead}, {reason}."]
    if dice.below(12):
        other = dice.below(len(second) - 1)
        more = dice.of(variants(second[other if second is not first or other < at else other + 1]))
        joined = f"On the other hand, {more}." if second is not first else f"{capital(more)} too."
        said.append(joined if dice.below(2) or second is not first else f"{capital(more)}.")
    return _short(said)


def _told(found: Asked, agent: Agent, stance: float, dice: Dice) -> str:
    """Return a short story: a morning, an evening, a trip or plans."""

    def say(bank: Sequence[str]) -> str:
        return dice.of(variants(dice.of(bank)))

    if found.frame == "trip":
        said = [_ended(say(narratives.TRIP))]
        more = narratives.TRIP_MORE
    elif found.frame == "plans":
        side = 0 if stance > 0.3 else 1 if stance < -0.3 else 2
        said = [_ended(say(narratives.PLANS[side]))]
        more = narratives.PLANS_MORE
    elif re.search(r"evening|night", found.source, re.I):
        at = dice.below(len(narratives.EVENING) - 1)
        said = [_ended(capital(dice.of(variants(narratives.EVENING[at]))))]
        more = narratives.EVENING[at + 1 :]
    else:
        return _morning(agent, dice)
    at = dice.below(len(more))
    said.append(_ended(capital(dice.of(variants(more[at])))))
    if len(more) > 2 and dice.below(5) < 3:
        other = (at + 1 + dice.below(len(more) - 1)) % len(more)
        said.append(_ended(capital(dice.of(variants(more[other])))))
    if len(said) < 3 or dice.below(2) or found.frame == "plans":
        own = detail(agent, "travel", ("leisure",), False, dice.number(), dice.number())
        said += [_ended(own)] if own else []
    return _short(said)


def _morning(agent: Agent, dice: Dice) -> str:
    def say(bank: Sequence[str]) -> str:
        return dice.of(variants(dice.of(bank)))

    working = agent.labour_status == "employed"
    said = [f"{say(narratives.WAKE if working or agent.is_parent else narratives.WAKE_LATE)}."]
    said.append(f"{capital(say(narratives.FIRST))}.")
    if dice.below(2):
        said.append(f"{capital(say(narratives.NEXT))}.")
    if agent.is_parent and agent.age < 55:
        said.append(f"{say(narratives.KIDS)}.")
    after = {"employed": narratives.OUT, "student": narratives.CLASS}.get(
        agent.labour_status, narratives.HOME
    )
    if len(said) < 3 or dice.below(3):
        said.append(f"{say(after)}.")
    return _short(said)


def why_answer(plan: Plan, agent: Agent, earlier: Exchange, stance: float, block: tuple[int, ...]) -> str:
    """Return an answer that explains an earlier coded answer of the same agent."""
    dice = Dice(block[4:] + block[:4])
    before = plan_of(earlier.question)
    said = _said(dice, earlier)
    if before.profile is not None:
        return f"{said} because that's [just how it is for me/my situation].".replace(
            "[just how it is for me/my situation]", dice.of(("just how it is for me", "my situation"))
        )
    found = replace(asked(before.sentence, before.topics, before.sign < 0), frame="why")
    axis = before.frame.axis
    mixed = earlier.value is None or isinstance(earlier.value, list)
    side = 2 if mixed else side_of(found, stance, axis, before.topics, before.frame.name in _GLAD)
    if before.question.type in ("single_choice", "multi_choice", "ranking") and before.order is None:
        side = 0
    if before.fact is not None:
        side = 0 if earlier.value else 1
    writer = Writer(dice, outline_of(found), side)
    if found.topic == "job" and agent.labour_status in NOT_WORKING:
        return f"{said}. {_from_memory(found, agent, writer)}"
    slot = "k" if axis == "worry" and side == 1 and dice.below(2) else "r"
    lead = dice.below(3)
    reason = writer.take(slot)
    if slot == "k":
        first = f"{said} because I worry that {reason}."
    elif lead == 0:
        first = f"{said}. {capital(reason)}."
    else:
        first = f"{said} {('because', 'mainly because')[lead - 1]} {reason}."
    extra = (1, 1, 1, 1, 2)[dice.below(5)]
    return _short([first, *_extras(writer, agent, found, extra, ())])


def _said(dice: Dice, earlier: Exchange) -> str:
    value, question, bank = earlier.value, earlier.question, phrases.SAID
    if value is None:
        return dice.of(bank["unsure"])
    if question.type == "yes_no":
        return dice.of(bank["yes_no"]).format("yes" if value else "no")
    if question.type == "number":
        return dice.of(bank["number"]).format(spoken(amount_of(question), value))
    if question.type == "scale":
        return dice.of(bank["scale"]).format(value)
    if question.type == "ranking":
        return dice.of(bank["ranking"]).format(value[0] if value else "nothing")
    named = " and ".join(value) if isinstance(value, list) else str(value)
    return dice.of(bank["choice"]).format(named or "none")


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
    dice = Dice(block[16:] + block[:16])
    if value is None:
        return dice.of(phrases.UNSURE)
    if question.type == "yes_no":
        if value:
            return dice.of(phrases.YES_STRONG if strength > 1.1 else phrases.YES)
        return dice.of(phrases.NO_STRONG if strength > 1.1 else phrases.NO)
    if question.type == "scale":
        return dice.of(phrases.RATED).format(value)
    if question.type == "number":
        return capital(dice.of(phrases.GUESSED).format(spoken(amount_of(question), value)))
    if isinstance(value, list):
        if question.type == "ranking":
            return dice.of(phrases.RANKED).format(value[0], listed(value[1:]))
        alone = len(value) == 1 and len(value[0].split()) > 2
        return (
            (f"{value[0]}." if alone else dice.of(phrases.SEVERAL).format(listed(value)))
            if value
            else "None."
        )
    clause = len(value.split()) > 3 or ESCAPE.match(value) or NONE.match(value) or OTHER.match(value)
    return capital(dice.of(phrases.CHOSEN_CLAUSE if clause else phrases.CHOSEN).format(value))
