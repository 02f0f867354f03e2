"""Answers in words: open answers in the first person, and coded answers as they are said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from voxpop.population.agents import Agent
from voxpop.respondents import phrases
from voxpop.respondents.amounts import amount_of, spoken
from voxpop.respondents.grounding import grounds
from voxpop.respondents.protocol import Exchange, Question
from voxpop.respondents.stance import Plan, plan_of

_WHY = re.compile(
    r"^(?:and |but |so )?(?:why|how come|what (?:makes|made) you (?:say|think|choose|pick|feel)"
    r"|what (?:is|are|was|were) (?:the|your) (?:main )?reasons?"
    r"|(?:please |can you |could you )?(?:please )?(?:explain|elaborate)|tell (?:us|me) why|what (?:led"
    r"|brought) you)",
    re.I,
)
_CLEAR = 0.3  # a stance this far from the middle is spoken as one for or against
_NAME = re.compile(
    r"\b(?:to|of|about|with|on|for|buy|use|try|like|our|your|this|the|a|an"
    r"|new)\s+((?:[a-z][\w'-]*\s+){0,2}[a-z][\w'-]*)\s*\??$",
    re.I,
)


class Dice:
    """Draws one phrase after another out of a block of numbers."""

    __slots__ = ("at", "block")

    def __init__(self, block: tuple[int, ...]) -> None:
        self.block = block
        self.at = 0

    def of(self, bank: Sequence[str]) -> str:
        """Return the next phrase of a bank."""
        return bank[self.below(len(bank))]

    def below(self, count: int) -> int:
        """Return the next whole number below a count."""
        at = self.at
        self.at = at + 1 if at < 31 else 0
        return self.block[at] * count >> 16


def asks_why(text: str) -> bool:
    """Return whether a question asks for the reason of an earlier answer.

    Examples
    --------
    >>> asks_why("Why?"), asks_why("What would make you switch?")
    (True, False)
    """
    return bool(_WHY.match(text.strip()))


@lru_cache(maxsize=1024)
def things_of(plan: Plan) -> tuple[str, ...]:
    """Return what an answer to this question can be about: the things of its topics."""
    names = [name for name, _ in plan.topics[:3]] or ["assent"]
    return tuple(thing for name in names for thing in phrases.THINGS[name])


@lru_cache(maxsize=1024)
def named_subject(sentence: str) -> str | None:
    """Return the thing that a question ends on, for an answer to name; None when there is no clear one.

    Examples
    --------
    >>> named_subject("What would make you switch to a lower-sugar snack?")
    'lower-sugar snack'
    """
    found = _NAME.search(sentence)
    if not found:
        return None
    words = re.sub(r"^(?:a|an|the|this|that|your|our|new)\s+", "", found[1].lower())
    blocked = re.search(
        r"\b(?:you|it|this|that|do|why|say|me|us|them|day|week|month|year|they|be|is|are|buy|use|make"
        r"|and|or|in|on|to|of|for)\b",
        words,
    )
    return None if blocked or len(words) < 4 else words


def open_answer(plan: Plan, agent: Agent, stance: float, block: tuple[int, ...]) -> str:
    """Return one to four sentences that follow from the stance and the profile."""
    dice = Dice(block)
    things = things_of(plan)
    length = (1, 1, 1, 2, 2, 2, 2, 2, 3, 4)[dice.below(10)]
    said = [_first(dice, agent, things)]
    if length > 1:
        said.append(_second(dice, things, stance))
    if length > 2:
        said.append(_third(dice, plan, agent, things))
    if length > 3:
        said.append(_close(dice, stance))
    return " ".join(said)


def _first(dice: Dice, agent: Agent, things: Sequence[str]) -> str:
    ground = dice.of(grounds(agent))
    shape = dice.below(7)
    thing = _thing(dice, things)
    if shape == 0:
        return f"{_capital(ground)}, I {dice.of(phrases.ADVERBS)} {dice.of(phrases.VERBS)} {thing}."
    if shape == 1:
        return f"{dice.of(phrases.OPENERS)}, {thing} {dice.of(phrases.COUNTS)}, {ground}."
    if shape == 2:
        return f"{_capital(thing)} {dice.of(phrases.COUNTS)}, {ground}."
    if shape == 3:
        return f"{dice.of(phrases.OPENERS)} it {dice.of(phrases.HINGES)} {thing}, {ground}."
    if shape == 4:
        return f"{_capital(ground)}, {thing} {dice.of(phrases.COUNTS)}."
    pair = f"{thing} {dice.of(phrases.JOINERS)} {_general(dice)}"
    if shape == 5:
        return f"I {dice.of(phrases.ADVERBS)} {dice.of(phrases.VERBS)} {pair}, {ground}."
    return f"{_capital(ground)}, it {dice.of(phrases.HINGES)} {pair}."


def _thing(dice: Dice, things: Sequence[str]) -> str:
    return dice.of(things) if dice.below(20) < 11 else _general(dice)


def _general(dice: Dice) -> str:
    return f"{dice.of(phrases.KINDS)} {dice.of(phrases.NOUNS)}"


def _second(dice: Dice, things: Sequence[str], stance: float) -> str:
    mood, links = _moods(stance)
    view = f"it {dice.of(phrases.SOMEHOW)} {dice.of(phrases.SEEMS)} {dice.of(mood)}"
    shape = dice.below(4)
    if shape == 0:
        return f"{dice.of(phrases.ADD)} {view} {dice.of(links)} {_thing(dice, things)}."
    if shape == 1:
        return f"{dice.of(phrases.OPENERS)}, {view} {dice.of(links)} {_thing(dice, things)}."
    if shape == 2:
        pair = f"{_thing(dice, things)} {dice.of(phrases.JOINERS)} {_general(dice)}"
        return f"{_capital(view)}, {dice.of(links)} {pair}."
    return f"{_capital(_general(dice))} {dice.of(phrases.COUNTS)}, yet {view}."


def _moods(stance: float) -> tuple[Sequence[str], Sequence[str]]:
    if stance > _CLEAR:
        return phrases.GOOD, phrases.LINK_GOOD
    return (phrases.BAD, phrases.LINK_BAD) if stance < -_CLEAR else (phrases.MIXED, phrases.LINK_MIXED)


def _third(dice: Dice, plan: Plan, agent: Agent, things: Sequence[str]) -> str:
    name = named_subject(plan.sentence)
    shape = dice.below(4)
    if shape == 0 and name:
        return f"About {name}: {_thing(dice, things)} {dice.of(phrases.COUNTS)}."
    if shape == 1:
        return f"{dice.of(phrases.WANT)} {_thing(dice, things)}."
    if shape == 2:
        ground = _capital(dice.of(grounds(agent)))
        return f"{ground}, {_general(dice)} {dice.of(phrases.COUNTS)} too."
    return f"I {dice.of(phrases.ADVERBS)} {dice.of(phrases.VERBS)} {_general(dice)}."


def _close(dice: Dice, stance: float) -> str:
    bank = phrases.CLOSE_MIXED
    if abs(stance) > _CLEAR:
        bank = phrases.CLOSE_GOOD if stance > 0 else phrases.CLOSE_BAD
    return f"{_capital(dice.of(bank))}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def why_answer(plan: Plan, agent: Agent, earlier: Exchange, stance: float, block: tuple[int, ...]) -> str:
    """Return an answer that explains an earlier coded answer of the same agent."""
    dice = Dice(block)
    before = plan_of(earlier.question)
    said = _said(dice, earlier)
    if before.profile is not None:
        rest = _first(dice, agent, things_of(before))
        return f"{said} {dice.of(phrases.BECAUSE)} that is simply my situation. {rest}"
    if earlier.value is None:
        reason = f"it {dice.of(phrases.SEEMS)} {dice.of(phrases.MIXED)}"
        return f"{said} {dice.of(phrases.BECAUSE)} {reason}, {dice.of(grounds(agent))}."
    mood, links = _moods(stance)
    things = things_of(before)
    reason = f"it {dice.of(phrases.SEEMS)} {dice.of(mood)} {dice.of(links)} {_thing(dice, things)}"
    first = f"{said} {dice.of(phrases.BECAUSE)} {reason}, {dice.of(grounds(agent))}."
    if dice.below(3) == 0:
        return first
    return f"{first} I {dice.of(phrases.ADVERBS)} {dice.of(phrases.VERBS)} {_thing(dice, things)}."


_SAID: dict[str, tuple[str, ...]] = {
    "yes_no": (
        "I said {}",
        "I answered {}",
        "My answer was {}",
        "It was {} from me",
        "I went with {}",
        "{} was my answer",
    ),
    "scale": (
        "I gave it {}",
        "I said {}",
        "I chose {}",
        "My rating was {}",
        "It got {} from me",
        "I settled on {}",
        "{} felt right",
    ),
    "number": ("I said {}", "I put {}", "My figure was {}", "I settled on {}", "I named {}", "{} felt right"),
    "choice": (
        "I picked {}",
        "I chose {}",
        "I went with {}",
        "My answer was {}",
        "I said {}",
        "{} was my choice",
    ),
    "ranking": ("I put {} first", "{} came first for me", "I ranked {} highest", "{} went to the top"),
    "unsure": ("I could not decide", "I was not sure", "I had no clear answer", "I said I don't know"),
}


def _said(dice: Dice, earlier: Exchange) -> str:
    value, question = earlier.value, earlier.question
    if value is None:
        return dice.of(_SAID["unsure"])
    if question.type == "yes_no":
        return _capital(dice.of(_SAID["yes_no"]).format("yes" if value else "no"))
    if question.type == "number":
        return _capital(dice.of(_SAID["number"]).format(spoken(amount_of(question), value)))
    if question.type == "scale":
        return dice.of(_SAID["scale"]).format(value)
    if question.type == "ranking":
        return _capital(dice.of(_SAID["ranking"]).format(value[0] if value else "nothing"))
    named = " and ".join(value) if isinstance(value, list) else str(value)
    return _capital(dice.of(_SAID["choice"]).format(f'"{named or "none"}"'))


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
        return _capital(dice.of(phrases.GUESSED).format(spoken(amount_of(question), value)))
    if isinstance(value, list):
        return (
            f"{', '.join(value)}."
            if question.type == "multi_choice"
            else f"First {value[0]}, then {', '.join(value[1:])}."
        )
    return _capital(dice.of(phrases.CHOSEN).format(value))
