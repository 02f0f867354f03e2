"""Fixtures: a small finished study as a service returns it, and stores that contain it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from voxpop.tables import Store

HEALTH = {
    "conditions": ["diabetes_t2", "hypertension"],
    "drug_classes": ["glp1_agonist"],
    "rx_medication_count": 1,
    "smoking_status": "never",
    "alcohol_use": "light",
    "physical_activity_level": "low",
    "sleep_quality": "fair",
    "diet_quality": "mixed",
    "bmi": 31.5,
    "bmi_class": "obese_1",
    "phq9_score": 3,
    "phq9_severity": "minimal",
    "source": "nhanes",
    "method_version": "1",
    "calibration_version": "2",
    "reference_version": "3",
}
QUESTIONS = (
    ("switch", "yes_no", {}),
    ("brand", "single_choice", {"options": ["Oat", "Rye", "Corn"]}),
    ("brands", "multi_choice", {"options": ["Oat", "Rye", "Corn"]}),
    ("liking", "scale", {"scale": {"min": 0, "max": 10, "min_label": "bad", "max_label": "good"}}),
    ("price", "number", {"unit": "USD"}),
    ("age", "open", {}),
)


def value_of(key: str, agent: int) -> Any:
    return {
        "switch": agent % 2 == 0,
        "brand": ["Rye", "Oat", "Barley"][agent % 3],
        "brands": ["Corn", "Oat"][: agent % 3],
        "liking": agent % 11,
        "price": agent + 0.25,
        "age": None,
    }[key]


class Capture(dict[str, Any]):
    """A study as read from a service: study, questions, answers, agents, source."""

    def save(self, store: Store) -> Any:
        return store.save_study(**deepcopy(dict(self)))


@pytest.fixture
def capture() -> Capture:
    agents = [
        {
            "id": number,
            "uuid": f"00000000-0000-4000-8000-{number:012d}",
            "name": f"Agent {number}",
            "age": 20 + number,
            "gender": ("male", "female", "non_binary")[number % 3],
            "country": "USA",
            "state": "CA",
            "city": None,
            "is_parent": number % 2 == 0,
            "education": "College graduate or above",
            "labour_status": "employed",
            "summary": f"Agent {number} is 'quoted' — ünïcode.",
            "health_profile": HEALTH if number < 5 else None,
        }
        for number in range(1, 9)
    ]
    questions = [
        {
            "id": place,
            "uuid": f"question-{key}",
            "key": key,
            "question": f"About {key}?",
            "type": kind,
            **rest,
        }
        for place, (key, kind, rest) in enumerate(QUESTIONS, 1)
    ]
    answers = [
        {
            "id": 100 * question["id"] + agent["id"],
            "question_id": question["id"],
            "agent_id": agent["id"],
            "job_id": f"job_{question['id']}_{agent['id']}",
            "response_text": f'Well, {question["key"]}: it\'s "{agent["id"]}"\n…',
            "value": value_of(question["key"], agent["id"]),
            "option_order": [2, 0, 1] if question["key"] == "brand" else None,
            "answered_at": "2026-11-20T10:00:00.250000Z",
            "engine": "embedded-1",
        }
        for question in questions
        for agent in agents
    ]
    study = {
        "id": 1,
        "uuid": "study-1",
        "title": "Snacks",
        "objective": "Who?",
        "created_at": "2026-11-20T09:00:00Z",
    }
    source = {"base_url": "http://127.0.0.1:8000/v1", "version": "0.1.0", "population": "1-7-1000"}
    return Capture(study=study, questions=questions, answers=answers, agents=agents, source=source)


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as empty:
        yield empty


@pytest.fixture
def filled(store: Store, capture: Capture) -> Store:
    capture.save(store)
    return store
