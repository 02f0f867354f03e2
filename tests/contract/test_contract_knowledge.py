"""A survey of people in front of the engine: the same on both databases, for every answer and preview."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import voxpop as vp
from running_service import Service, ask, new_study

SWITCH = "Would you switch to a lower-sugar snack?"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = np.random.default_rng(1)
    frame = pd.DataFrame({"gender": draw.choice(["male", "female"], 300), "age": draw.integers(18, 90, 300)})
    frame["switch"] = np.where(frame["gender"] == "female", "Yes", "No")
    know = vp.knowledge(frame, questions={"switch": SWITCH}, name="snacks", fielded="March 2026")
    return know.save(tmp_path_factory.mktemp("own") / "our.knowledge")


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def informed(
    request: pytest.FixtureRequest, home: Path, saved: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    address = request.getfixturevalue("postgres").new() if request.param == "postgresql" else None
    running = Service(home, tmp_path_factory.mktemp("informed"), address, knowledge=str(saved))
    yield running
    running.close()


def test_answers_are_those_of_people_and_say_so(informed: Service) -> None:
    http = informed.client(informed.key())
    study = new_study(http, 30)
    seen = http.post(
        f"/research-studies/{study['id']}/questions/preview", json={"question": SWITCH, "type": "yes_no"}
    ).json()
    made = ask(http, study, SWITCH, type="yes_no")
    other = ask(http, study, "Do you own a dog?", type="yes_no")
    listed = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    answers = {one["id"]: one["answers"] for one in listed}
    given = answers[made["question_id"]]
    published = [one for one in given if one["basis"] == "published"]
    assert {one["basis"]: one["agents"] for one in seen["bases"]}["published"] == len(published) >= 20
    assert all("snacks (n = 300, effective 300; March 2026; " in one["basis_note"] for one in published)
    assert not any("snacks" in (one["basis_note"] or "") for one in answers[other["question_id"]])
