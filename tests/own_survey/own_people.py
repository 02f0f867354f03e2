"""A made-up survey of people whose answers follow their profile, for tests of surveys as knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd

import voxpop as vp
from voxpop.engines import Agent
from voxpop.engines.sample_agents import AGENTS
from voxpop.own_survey import Knowledge

SWITCH = "Would you switch to a lower-sugar snack?"
OFTEN = "How often do you eat snacks?"
OFTEN_OPTIONS = ("Daily", "Weekly", "Rarely", "Never")
PRICE = "How much would you pay for a box of 12, in dollars?"
LIKE = "How much do you like snacks, 0-10?"
EAT = "Which of these snacks do you eat?"
QUESTIONS: dict[Any, str] = {
    "switch": SWITCH,
    "often": OFTEN,
    "price": PRICE,
    "like": LIKE,
    ("apple", "crisps"): EAT,
}


def people(size: int = 400, seed: int = 1, oldest: int = 90) -> pd.DataFrame:
    """Return respondents; women and older people would rather switch, and those who like snacks eat them."""
    draw = np.random.default_rng(seed)
    age, gender = draw.integers(18, oldest + 1, size), draw.choice(["Male", "Female"], size)
    chance = 1 / (1 + np.exp(-(-1.5 + 0.03 * (age - 40) + 1.2 * (gender == "Female"))))
    like = draw.integers(0, 11, size)
    often = np.array(OFTEN_OPTIONS)[np.clip((10 - like) // 3, 0, 3)]
    switch = np.where(draw.random(size) < chance, "Yes", "No").astype(object)
    switch[draw.random(size) < 0.1] = None
    return pd.DataFrame(
        {
            "id": [f"panelist-{number:05d}" for number in range(size)],
            "age": age,
            "sex": gender,
            "w": draw.uniform(0.3, 3.0, size).round(3),
            "switch": switch,
            "often": pd.Categorical(often, categories=OFTEN_OPTIONS, ordered=True),
            "price": np.exp(draw.normal(1.5, 0.4, size)).round(2),
            "like": like,
            "apple": draw.integers(0, 2, size),
            "crisps": (like > 5).astype(int),
            "why": [f"Because of reason {number}." for number in range(size)],
        }
    )


@cache
def usual() -> Knowledge:
    """Return the usual survey, read once."""
    return known(people())


def known(frame: pd.DataFrame | None = None, **given: Any) -> Knowledge:
    """Return the survey as knowledge."""
    held = people() if frame is None else frame
    return vp.knowledge(held, **({"weights": "w", "questions": QUESTIONS, "name": "snacks"} | given))


def agents(ages: Sequence[int], genders: Sequence[str], country: str = "USA") -> list[Agent]:
    """Return agents of these ages and genders."""
    like = AGENTS[0]
    values = {name: getattr(like, name) for name in like.__slots__}
    return [
        Agent(
            **values
            | {"id": number, "uuid": str(UUID(int=number)), "age": age, "gender": gender, "country": country}
        )
        for number, (age, gender) in enumerate(zip(ages, genders, strict=True), 1)
    ]
