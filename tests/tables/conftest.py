"""Fixtures: a small finished study as a service returns it, and stores that contain it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from voxpop.analysis import crosstab
from voxpop.tables import Store
from voxpop.tables.formats import FORMATS

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


def captured() -> Capture:
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
def capture() -> Capture:
    return captured()


NASTY = 'Dips & <b>"Oat"</b> ]]> -- ’ñ日🙂\x0b'
"""A text that trips programs and files."""


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export with every format: nasty texts, weights, and answers missing for several reasons.

    Agent 3 was not asked about brands and prices, agent 4 failed to answer; agent 2 named no known brand.
    """
    made = captured()
    made["study"]["title"] = NASTY
    for agent in made["agents"]:
        agent |= {"inclusion_probability": 0.25, "design_weight": agent["id"] / 3}
    for question in made["questions"]:
        question |= {"asked_count": 8, "answer_count": 8, "failed_count": 0}
        if question["type"] == "single_choice":
            question |= {"question": NASTY, "options": ["Oat & <Rye>", 'Say "Corn"', NASTY]}
    renamed = {"Oat": "Oat & <Rye>", "Rye": 'Say "Corn"', "Barley": NASTY}
    kept = []
    for answer in made["answers"]:
        if answer["question_id"] == 2:
            answer["value"] = None if answer["agent_id"] == 2 else renamed[answer["value"]]
        if answer["question_id"] in (3, 5) and answer["agent_id"] in (3, 4):
            continue
        if answer["question_id"] == 6:
            answer["response_text"] = f"{NASTY}\r\n{answer['agent_id']}"
        kept.append(answer)
    failed = [
        {"job_id": f"job_x{key}", "question_id": key, "agent_id": 4, "status": "failed"} for key in (3, 5)
    ]
    error = {"code": "engine", "message": "No answer."}
    for question in (made["questions"][2], made["questions"][4]):
        question |= {"asked_count": 7, "answer_count": 6, "failed_count": 1}
    ranked = {"id": 7, "uuid": "question-rank", "key": "rank", "question": "Rank them.", "type": "ranking"}
    made["questions"].append(ranked | {"options": ["A", "B", "C"]})
    kept += [
        {"id": 700 + n, "question_id": 7, "agent_id": n, "job_id": f"job_7_{n}", "value": ["C", "A"]}
        | {"response_text": "C, A", "answered_at": "2026-11-20T10:00:00.250000Z", "engine": "embedded-1"}
        for n in range(1, 9)
    ]
    made |= {"answers": kept, "unanswered": [one | {"error": error} for one in failed]}
    with Store() as store:
        made.save(store)
        table = crosstab(store.respondents(1), "switch", by="gender")
        return store.export(1, tmp_path_factory.mktemp("made") / "all", formats=list(FORMATS), tables=[table])


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as empty:
        yield empty


@pytest.fixture
def filled(store: Store, capture: Capture) -> Store:
    capture.save(store)
    return store
