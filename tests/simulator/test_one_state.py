"""Answers of an agent in a study come from one state and do not contradict each other.

Studies on invented and well-known brands are generated; rules that do not know the engine judge every pair of
answers: the purchase funnel, the order of prices, how often against when, household and age.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from interviewing import interview

from voxpop.engines import Question
from voxpop.engines.agents import Agent
from voxpop.engines.question import Scale

BRANDS = (
    ("Brightleaf", "oat crisps"),
    ("Kettleford", "cold brew coffee"),
    ("Oatly", "oat milk"),
    ("Nordrun", "running shoes"),
    ("Velmora", "shampoo"),
    ("Pine & Peel", "dish soap"),
    ("Ben & Jerry's", "ice cream"),
    ("Tallgrass", "dog food"),
    ("Zephyr", "sparkling water"),
    ("Colgate", "toothpaste"),
)
OFTEN = (
    "Never",
    "Less than once a month",
    "One to three times a month",
    "Once a week",
    "More than once a week",
)
INTENT = (
    "Definitely would not",
    "Probably would not",
    "Might or might not",
    "Probably would",
    "Definitely would",
)


@dataclass(frozen=True)
class Asked:
    """A question of a generated study, with the stage that the rules know it by."""

    stage: str
    question: Question
    at: float = 0.0


def yes_no(stage: str, text: str, at: float = 0.0) -> Asked:
    return Asked(stage, Question(text, "yes_no"), at)


def number(stage: str, text: str, unit: str) -> Asked:
    return Asked(stage, Question(text, "number", unit=unit))


def choice(stage: str, text: str, options: Sequence[str]) -> Asked:
    return Asked(stage, Question(text, "single_choice", options=tuple(options)))


def funnel(name: str, rng: random.Random) -> list[list[Asked]]:
    """Return the parts of a questionnaire on one thing; the order inside most parts is drawn."""
    low = rng.randint(2, 9)
    high = low + rng.randint(1, 8)
    had, bought, buy = rng.choice((("bought", "bought", "buy"), ("tried", "used", "use")))
    months = rng.choice((1, 3))
    past = "past month" if months == 1 else f"past {months} months"
    cheap, dear = (
        "so cheap that you would doubt its quality",
        "start to be expensive, but still worth considering",
    )
    use = [
        yes_no("ever", f"Have you ever {had} {name}?"),
        yes_no("lately", f"Have you {bought} {name} in the {past}?", months),
        choice("often", f"How often do you {buy} {name}?", OFTEN),
        number("count", f"How many times did you {buy} {name} in the past month?", "times a month"),
    ]
    wish = [
        choice("intent", f"How likely would you be to buy {name} in the next month?", INTENT),
        yes_no("buy", f"Would you buy {name} for ${low}?", low),
        yes_no("buy", f"Would you buy {name} for ${high}?", high),
        number("worth", f"How much would you be willing to pay for {name}, in dollars?", "USD"),
    ]
    prices = [
        number("too cheap", f"At what price would {name} be {cheap}?", "USD"),
        number("bargain", f"At what price would {name} be a bargain?", "USD"),
        number("dear", f"At what price would {name} {dear}?", "USD"),
        number("too dear", f"At what price would {name} be too expensive to consider?", "USD"),
    ]
    recommend = Question(f"How likely are you to recommend {name} to a friend?", "scale", scale=Scale(0, 10))
    life = [
        number("age", "How old are you?", "years"),
        yes_no("over 50", "Are you 50 or older?"),
        number("household", "How many people live in your household, including yourself?", "number"),
        yes_no("alone", "Do you live alone?"),
        yes_no("children", "Do you have any children under 18?"),
    ]
    for part in (use, wish, life):
        rng.shuffle(part)
    told = [Asked("recommend", recommend), Asked("why", Question("Why?", "open"))]
    return [[yes_no("aware", f"Have you heard of {name}?")], use, wish, prices, told, life]


def generated(seed: int) -> list[Asked]:
    """Return a study of fifteen questions: parts in order, with questions inside a part drawn."""
    rng = random.Random(seed)
    brand, thing = rng.choice(BRANDS)
    parts = funnel(rng.choice((brand, f"{brand} {thing}", thing)), rng)
    if rng.random() < 0.5:  # recommended before one is asked to buy
        parts.insert(2, parts.pop(4))
    if rng.random() < 0.3:  # awareness asked last, as careless questionnaires do
        parts.append(parts.pop(0))
    asked = [each for part in parts for each in part]
    kept = sorted(rng.sample(range(len(asked)), 15))
    return [asked[at] for at in kept]


def _rises(a: float, b: float) -> bool:
    return a >= b


CONTRADICTORY: dict[tuple[str, str], Callable[[Any, Any], bool]] = {
    ("ever", "aware"): lambda ever, aware: ever and not aware,
    ("lately", "aware"): lambda lately, aware: lately and not aware,
    ("lately", "ever"): lambda lately, ever: lately and not ever,
    ("lately", "often"): lambda lately, often: lately and often == "Never",
    ("lately", "count"): lambda lately, count: not lately and count > 0,
    ("often", "aware"): lambda often, aware: often != "Never" and not aware,
    ("often", "ever"): lambda often, ever: often != "Never" and not ever,
    ("often", "lately"): lambda often, lately: often in OFTEN[2:] and not lately,
    ("count", "aware"): lambda count, aware: count > 0 and not aware,
    ("count", "ever"): lambda count, ever: count > 0 and not ever,
    ("count", "often"): lambda count, often: often in (OFTEN[2:] if count == 0 else OFTEN[:1]),
    ("intent", "buy"): lambda intent, buy: intent == INTENT[0] and buy,
    ("recommend", "aware"): lambda score, aware: score >= 9 and not aware,
    ("recommend", "intent"): lambda score, intent: (
        score >= 9 if intent == INTENT[0] else intent == INTENT[-1] and score <= 3
    ),
    ("recommend", "buy"): lambda score, buy: score <= 1 and buy,
    ("too cheap", "bargain"): _rises,
    ("too cheap", "dear"): _rises,
    ("too cheap", "too dear"): _rises,
    ("bargain", "dear"): lambda bargain, dear: bargain > dear,
    ("bargain", "too dear"): _rises,
    ("dear", "too dear"): _rises,
    ("age", "over 50"): lambda age, over: over is not (age >= 50),
    ("household", "alone"): lambda size, alone: alone is not (size == 1),
    ("household", "children"): lambda size, children: children and size == 1,
    ("alone", "children"): lambda alone, children: alone and children,
}
"""Stages of two questions -> whether two answers contradict each other."""


def contradict(first: Asked, a: Any, second: Asked, b: Any) -> bool:
    """Return whether two answers of the same agent exclude each other."""
    if a is None or b is None:
        return False
    if (first.stage, second.stage) == ("lately", "count") and first.at == 1 and a and b == 0:
        return True
    if (first.stage, second.stage) == ("buy", "buy"):
        (cheap, dear) = (a, b) if first.at < second.at else (b, a)
        return bool(dear and not cheap)
    if {first.stage, second.stage} == {"buy", "worth"}:
        price, took, worth = (first.at, a, b) if first.stage == "buy" else (second.at, b, a)
        return bool(worth < price if took else worth >= price)
    if (rule := CONTRADICTORY.get((first.stage, second.stage))) is not None:
        return bool(rule(a, b))
    rule = CONTRADICTORY.get((second.stage, first.stage))
    return rule is not None and bool(rule(b, a))


@pytest.mark.parametrize("seed", range(50))
def test_no_two_answers_of_an_agent_contradict_each_other(panel_of_the_usa: list[Agent], seed: int) -> None:
    study = generated(seed)
    told = interview(panel_of_the_usa[:500], [each.question for each in study])
    columns = [[reply.value for reply in replies] for replies in told]
    found = [
        f"{first.question.text} {a!r}, {second.question.text} {b!r}"
        for row in zip(*columns, strict=True)
        for (first, a), (second, b) in combinations(zip(study, row, strict=True), 2)
        if contradict(first, a, second, b)
    ]
    assert found == []
