"""A study made by arithmetic, so that a test can recompute every figure with plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.records.questions import Answer, AskedQuestion

MOMENT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
OPTIONS = ("Price", "Taste", "Ingredients")
REASONS = (
    "Honestly the price would have to come down, since my budget is tight this year.",
    "The taste has to be as good as the one that my children eat already.",
    "I read the ingredients first, and a short list beats any promise on the front of the box.",
    "A lower price, or a coupon for the first box, would be enough to make me try it.",
)
RARE = "I am wary of sweeteners because they leave an aftertaste that stays with me for hours."


def health(number: int) -> HealthProfile:
    smoking = ("never", "former", "current")[number % 3]
    versions = {
        name: "1" for name in ("source", "method_version", "calibration_version", "reference_version")
    }
    return HealthProfile(
        conditions=(),
        drug_classes=(),
        rx_medication_count=0,
        smoking_status=smoking,
        alcohol_use="light",
        physical_activity_level="moderate",
        sleep_quality="fair",
        diet_quality="mixed",
        bmi=24.0,
        bmi_class="normal",
        phq9_score=2,
        phq9_severity="minimal",
        **versions,
    )


def agent(number: int, **changes: Any) -> Agent:
    """Agent ``number``: odd ones are men, every third smokes, every tenth has no health data."""
    made = Agent(
        id=number,
        uuid=f"00000000-0000-0000-0000-{number:012d}",
        name=f"{('Maria', 'Tom', 'Aisha', 'Victor')[number % 4]} Hiddenname",
        age=18 + number * 7 % 70,
        gender="male" if number % 2 else "female",
        country="USA",
        state=("CA", "TX", "OH")[number % 3],
        city=None,
        ethnicity="White, non-Hispanic",
        is_parent=number % 5 < 3,
        education="College graduate or above" if number % 4 else "Some college or AA degree",
        household_income="$50,000-$74,999",
        urban_rural="urban",
        occupation="Accountants and Auditors" if number % 4 else None,
        occupation_major_group=None,
        industry=None,
        labour_status="employed" if number % 4 else "retired",
        title_variant=None,
        summary="",
        health_profile=health(number) if number % 10 else None,
    )
    return replace(made, **changes)


def agents(size: int) -> dict[int, Agent]:
    return {number: agent(number) for number in range(1, size + 1)}


def question(number: int, type: str, text: str = "", **changes: Any) -> AskedQuestion:
    made = AskedQuestion(
        id=number,
        uuid=f"10000000-0000-0000-0000-{number:012d}",
        study_id=1,
        key=None,
        text=text or f"What about matter {number}?",
        type=type,
        options=(),
        scale=None,
        unit=None,
        shuffle_options=False,
        asked_count=0,
        answer_count=0,
        failed_count=0,
        created_at=MOMENT,
    )
    return replace(made, **changes)


def answers(asked: AskedQuestion, given: Iterable[tuple[int, Any, str]]) -> list[Answer]:
    """Answers of ``(agent, value, words)``; an answer's id says question and agent."""
    return [
        Answer(
            id=asked.id * 100_000 + number,
            question_id=asked.id,
            study_id=1,
            agent_id=number,
            job_id=f"job_secret{asked.id}x{number}",
            text=words,
            value=value,
            option_order=None,
            answered_at=MOMENT,
            engine="embedded-1",
            agent_removed=False,
        )
        for number, value, words in given
    ]


def would_switch(number: int) -> bool | None:
    """Women say yes in 16 of 20 cases, men in 6; agents 13, 113, 213 … do not know."""
    if number % 100 == 13:
        return None
    return number // 2 % 20 < (6 if number % 2 else 16)


def price(number: int) -> int:
    return 4 + number * 3 % 17 + (5 if would_switch(number) else 0)


def likely(number: int) -> int:
    return (6 + number % 5) if would_switch(number) else number % 5


def reason(number: int) -> str:
    return RARE if number % 12 == 5 else REASONS[number % 4]


def study(size: int = 240) -> tuple[list[AskedQuestion], list[Answer], dict[int, Agent]]:
    """Six questions, one of each kind but two choices, to ``size`` agents."""
    people = agents(size)
    asked: Sequence[tuple[AskedQuestion, Any]] = [
        (question(1, "yes_no", "Would you switch to a lower-sugar snack?"), would_switch),
        (question(2, "number", "How much would you pay for a box, in dollars?", unit="USD"), price),
        (question(3, "open", "What would make you switch?"), lambda number: None),
        (
            question(4, "single_choice", "What counts most?", options=OPTIONS),
            lambda n: OPTIONS[n * n % 7 % 3],
        ),
        (
            question(5, "multi_choice", "Where do you buy?", options=("Store", "Online", "Market")),
            lambda n: [name for name, step in (("Store", 2), ("Online", 3), ("Market", 7)) if n % step == 0],
        ),
        (question(6, "scale", "How likely are you to recommend it?", scale={"min": 0, "max": 10}), likely),
    ]
    questions, rows = [], []
    for made, code in asked:
        given = [
            (n, code(n), reason(n) if made.type == "open" else f"My answer is {code(n)}.") for n in people
        ]
        rows += answers(made, given)
        questions.append(replace(made, asked_count=size + 1, answer_count=size, failed_count=1))
    return questions, rows, people
