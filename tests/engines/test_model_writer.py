"""The language-model writer: its text is based on findings and repeats their figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from model_server import KEY, Call, ModelServer

from running_service import Service, ask, finish, new_study
from voxpop.engines.model_answers import Misfit
from voxpop.engines.model_writer import asked_for, held_to
from voxpop.records import model_calls
from voxpop.settings import EngineSettings

FINDINGS = ["62% (310 of 500) would switch.", "The mean price is $4.50."]


def told(*sentences: tuple[Any, Any]) -> dict[str, Any]:
    return {"sentences": [{"text": text, "findings": findings} for text, findings in sentences]}


def test_sentences_that_keep_to_the_findings_are_taken() -> None:
    taken = held_to(FINDINGS, told(("Most would: 62% at a price of $4.50.", [2, 1, 2]), ("So it is.", [1])))
    assert [one.findings for one in taken] == [(1, 0), (0,)]


@pytest.mark.parametrize(
    "data",
    [
        {},
        told(),
        told(*[("So it is.", [1])] * 7),
        told((7, [1])),
        told(("", [1])),
        told(("So it is.", [])),
        told(("So it is.", [3])),
        told(("So it is.", [0])),
        told(("So it is.", [True])),
        told(("So it is.", ["1"])),
        told(("63% would switch.", [1])),
        told(("62% would switch.", [2])),
    ],
)
def test_sentences_that_do_not_are_sent_back(data: dict[str, Any]) -> None:
    with pytest.raises(Misfit):
        held_to(FINDINGS, data)


REASONS = ["62% (310 of 500) would switch.", "No open question asks for reasons."]


def test_one_question_for_each_reason_is_taken_in_their_order() -> None:
    taken = asked_for(REASONS, told(("Why is that?", [2]), ("What decides it?", [1])))
    assert [(one.text, one.findings) for one in taken] == [("What decides it?", (0,)), ("Why is that?", (1,))]


def test_a_figure_of_the_question_that_is_quoted_may_stand_in_the_follow_up() -> None:
    reason = "“How much for a box of 12?”: 40% (4 of 10) do not know."
    assert asked_for([reason], told(("What would you look at to value a box of 12?", [1])))
    with pytest.raises(Misfit):
        asked_for([reason], told(("Why do 40% not know the price of a box of 12?", [1])))


@pytest.mark.parametrize(
    "data",
    [
        {},
        told(("What decides it?", [1])),
        told(("What decides it?", [1]), ("And why?", [1])),
        told(("What decides it?", [1, 2])),
        told(("What decides it?", [1]), ("Tell me.", [2])),
        told(("Why do 62% switch?", [1]), ("Why?", [2])),
        told(("Why?", [1]), ("why?", [2])),
    ],
)
def test_questions_that_do_not_fit_the_reasons_are_sent_back(data: dict[str, Any]) -> None:
    with pytest.raises(Misfit):
        asked_for(REASONS, data)


@pytest.mark.parametrize("honest", [True, False])
def test_a_study_is_summarised_by_the_model_or_by_voxpop(honest: bool, home: Path, tmp_path: Path) -> None:
    server = ModelServer()

    def says(call: Call) -> Any:
        if "sentences" not in call.schema["properties"]:
            return {"answer": "I would.", "value": "yes"}
        if "follow-up questions" in call.persona:
            reasons = str(call.turns[-1]["content"]).splitlines()
            ending = "?" if honest else "."
            return told(
                *[
                    (f"What is behind {'it' * number}{ending}", [number])
                    for number in range(1, len(reasons) + 1)
                ]
            )
        return told(("They would, it seems." if honest else "All 99999 of them would.", [1, 2]))

    server.says = says
    engine = EngineSettings(name="openai:gpt-4o-mini", url=server.url, key=KEY)
    service = Service(home, tmp_path / "data", engine=engine)
    with service.client(service.key()) as http:
        study = new_study(http, 12)
        ask(http, study, "Would you switch?")
        started = http.post(f"/research-studies/{study['id']}/complete", json={}).json()
        finish(http, [started["job_id"]])
        found = http.get(f"/research-studies/{study['id']}/analysis").json()
    with service.state.database.read() as c:
        total = model_calls.total(c, 1)
    service.close()
    server.close()
    assert total.calls == len(server.calls) == 12 + (2 if honest else 4)
    written = json.dumps(found)
    assert ("They would, it seems." in written) == honest
    assert "99999" not in written
    assert ("Written by openai:gpt-4o-mini" in written) == honest
    assert ("was to write this summary, and did not" in written) == (not honest)
    assert ("What is behind it?" in written) == honest
    assert ("was to write the questions, and did not" in written) == (not honest)
