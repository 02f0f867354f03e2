"""Saving a study: new, changed and removed rows, in one transaction."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from voxpop.errors import UsageError
from voxpop.tables import Change, Store, open_export, verify
from voxpop.wire.agents import Agent
from voxpop.wire.questions import Answer, Question
from voxpop.wire.studies import Study


def everything(store: Store) -> dict[str, list[Any]]:
    return {name: store.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for name in store.tables()}


def test_a_new_study_is_all_new(store: Store, capture: Any) -> None:
    saved = capture.save(store)
    assert (saved.study_uuid, saved.title) == ("study-1", "Snacks")
    assert (saved.questions, saved.agents, saved.answers) == (Change(new=6), Change(new=8), Change(new=48))
    assert str(saved) == "6 questions (all new), 8 agents (all new), 48 answers (all new)"
    assert {name: rows for name, rows in store.tables().items() if rows} == {
        "studies": 1,
        "questions": 6,
        "answers": 48,
        "agents": 8,
        "health_profiles": 4,
        "study_agents": 8,
    }


def test_saving_twice_changes_nothing(filled: Store, capture: Any) -> None:
    before = everything(filled)
    saved = capture.save(filled)
    assert saved.answers == Change(unchanged=48)
    assert str(saved) == "nothing new"
    assert everything(filled) == before


def test_what_has_changed_is_updated_and_counted(filled: Store, capture: Any) -> None:
    capture["answers"][0]["value"] = None
    capture["agents"][1]["age"] = 77
    saved = capture.save(filled)
    assert saved.answers == Change(changed=1, unchanged=47)
    assert saved.agents == Change(changed=1, unchanged=7)
    assert filled.sql("SELECT age FROM agents WHERE agent_id = 2").fetchall() == [(77,)]


def test_without_a_source_the_known_one_stays(filled: Store, capture: Any) -> None:
    capture["source"] = None
    assert repr(capture.save(filled)) == "<Saved 'Snacks': nothing new>"
    assert filled.sql("SELECT population FROM studies").fetchall() == [("1-7-1000",)]


def test_only_new_answers_may_come(filled: Store, capture: Any) -> None:
    late = {**capture["answers"][0], "agent_id": 99, "id": 9999, "agent_name": "Late", "agent_age": 50}
    saved = filled.save_study(capture["study"], capture["questions"], [late])
    assert saved.answers == Change(new=1)
    assert filled.tables()["answers"] == 49
    assert filled.sql("SELECT name, age FROM agents WHERE agent_id = 99").fetchall() == [("Late", 50)]


def test_agents_that_are_gone_are_marked_and_their_answers_stay(filled: Store, capture: Any) -> None:
    capture["agents"] = capture["agents"][:-1]
    capture["agents"][0]["agent_removed"] = True
    assert capture.save(filled).removed == 2
    assert filled.tables()["answers"] == 48
    assert filled.respondents("study-1").project("agent_id").fetchall() == [(n,) for n in range(2, 8)]
    everybody = filled.respondents("study-1", removed=True)
    assert everybody.filter("removed").project("agent_id").fetchall() == [(1,), (8,)]
    capture["agents"][0]["agent_removed"] = False
    assert capture.save(filled).removed == 1


def test_an_answer_can_say_that_its_agent_was_removed(store: Store, capture: Any) -> None:
    capture["answers"][3]["agent_removed"] = True
    assert capture.save(store).removed == 1


def test_health_data_that_are_withdrawn_leave(filled: Store, capture: Any) -> None:
    capture["agents"][0]["health_profile"] = None
    capture.save(filled)
    assert filled.tables()["health_profiles"] == 3


def test_wire_models_and_objects_give_the_same_rows(filled: Store, capture: Any) -> None:
    with Store() as other:
        other.save_study(
            Study.model_validate(capture["study"]),
            [Question.model_validate(item) for item in capture["questions"]],
            (Answer.model_validate(item) for item in capture["answers"]),
            [
                Agent.model_validate(item)
                for item in capture["agents"]
                if not item.update(health_profile=None)
            ],
            capture["source"],
        )
        answers = "SELECT * FROM answers ORDER BY ALL"
        assert other.sql(answers).fetchall() == filled.sql(answers).fetchall()
        questions = "SELECT key, type, options, scale_min, scale_max FROM questions ORDER BY ALL"
        assert other.sql(questions).fetchall() == filled.sql(questions).fetchall()


def test_answers_may_be_nested_in_questions(filled: Store, capture: Any) -> None:
    nested = [
        {**item, "answers": [a for a in capture["answers"] if a["question_id"] == item["id"]]}
        for item in capture["questions"]
    ]
    with Store() as other:
        other.save_study(capture["study"], nested, None, capture["agents"], capture["source"])
        assert everything(other) == everything(filled)


def arrow_of(answers: list[dict[str, Any]]) -> pa.Table:
    """Write answers as the service's bulk read does."""
    times = pa.timestamp("us", tz="UTC")
    coded = [
        {
            **answer,
            "value": json.dumps(answer["value"]),
            "answered_at": datetime.fromisoformat(answer["answered_at"]),
        }
        for answer in answers
    ]
    table = pa.Table.from_pylist(coded)
    place = table.column_names.index("answered_at")
    return table.set_column(place, "answered_at", table["answered_at"].cast(times))


@pytest.mark.parametrize("form", ["table", "batches", "reader"])
def test_answers_may_come_as_arrow(filled: Store, capture: Any, form: str) -> None:
    table = arrow_of(capture["answers"])
    batches = table.to_batches(max_chunksize=7)
    given = {
        "table": table,
        "batches": iter(batches),
        "reader": pa.RecordBatchReader.from_batches(table.schema, batches),
    }
    with Store() as other:
        other.save_study(**{**capture, "answers": given[form]})
        assert everything(other) == everything(filled)


def test_arrow_with_agents_and_removals_nobody_listed(filled: Store, capture: Any) -> None:
    answers = [{**answer, "agent_removed": answer["agent_id"] == 2} for answer in capture["answers"]]
    answers[-1]["agent_id"] = 99
    saved = filled.save_study(capture["study"], capture["questions"], arrow_of(answers))
    assert saved.answers == Change(new=1, unchanged=47)
    assert saved.removed == 1
    assert filled.tables()["study_agents"] == 9


def test_arrow_with_an_unknown_question_is_refused(filled: Store, capture: Any) -> None:
    capture["answers"][0]["question_id"] = 77
    with pytest.raises(UsageError, match="question 77"):
        filled.save_study(capture["study"], capture["questions"], arrow_of(capture["answers"]))


def test_a_service_without_keys_and_types_works_too(store: Store) -> None:
    questions = [{"id": 5, "question": "Why?", "answers": [{"agent_id": 3, "response_text": "So."}]}]
    store.save_study({"uuid": "s", "id": 1}, questions)
    assert store.respondents("s").project("agent_id, q1").fetchall() == [(3, "So.")]


def test_unknown_levels_are_kept_behind_the_known_ones(store: Store, capture: Any) -> None:
    capture["agents"][0]["gender"] = "agender"
    capture["questions"][0]["type"] = "hologram"
    capture.save(store)
    found = store.sql("SELECT gender FROM agents ORDER BY gender DESC LIMIT 1")
    assert found.fetchall() == [("agender",)]
    assert found.types[0].children[0][1] == ["male", "female", "non_binary", "agender"]


def test_two_questions_may_have_one_key_in_two_studies(filled: Store, capture: Any) -> None:
    capture["study"] |= {"uuid": "study-2", "title": "Again"}
    for question in capture["questions"]:
        question["uuid"] += "-2"
    capture.save(filled)
    assert filled.tables()["answers"] == 96
    assert filled.tables()["agents"] == 8
    assert len(filled.respondents("study-2").fetchall()) == 8


def test_no_key_and_no_share_link_enters_a_store(store: Store, capture: Any) -> None:
    secret = "vp_live_secret"
    capture["study"] |= {"share_link": f"http://x/shared/{secret}", "api_key": secret}
    capture["source"] |= {"base_url": f"http://{secret}@x:1/v1?key={secret}", "api_key": secret}
    capture.save(store)
    assert secret not in repr(everything(store))
    assert store.sql("SELECT service_url FROM studies").fetchall() == [("http://x:1/v1",)]


def test_an_answer_to_no_question_is_refused_and_nothing_is_kept(filled: Store, capture: Any) -> None:
    before = everything(filled)
    capture["study"]["title"] = "Changed"
    capture["answers"].append({**capture["answers"][0], "question_id": 77})
    with pytest.raises(UsageError, match="question 77"):
        capture.save(filled)
    assert everything(filled) == before


def test_an_error_in_the_middle_leaves_the_store_as_it_was(filled: Store, capture: Any) -> None:
    before = everything(filled)

    def broken() -> Any:
        yield {**capture["answers"][0], "response_text": "changed"}
        raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError):
        filled.save_study(capture["study"], capture["questions"], broken(), capture["agents"])
    assert everything(filled) == before


def test_a_process_that_dies_in_the_middle_leaves_the_store_as_it_was(tmp_path: Path, capture: Any) -> None:
    path = tmp_path / "study.duckdb"
    with Store(path) as store:
        capture.save(store)
        before = everything(store)
    script = textwrap.dedent(
        """
        import json, os, sys
        import voxpop.tables.rows as rows
        from voxpop.tables import Store
        rows.BATCH = 10
        told = json.loads(sys.stdin.read())
        def dying():
            for place, answer in enumerate(told["answers"]):
                if place == 25:
                    os._exit(9)
                yield answer | {"response_text": "changed"}
        Store(sys.argv[1]).save_study(told["study"], told["questions"], dying(), told["agents"])
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], input=json.dumps(capture), text=True, check=False
    )
    assert done.returncode == 9
    with Store(path) as store:
        assert everything(store) == before
        assert capture.save(store).answers == Change(unchanged=48)


def test_the_last_of_two_answers_to_one_question_counts(store: Store, capture: Any) -> None:
    first = next(one for one in capture["answers"] if one["question_id"] == 1)
    capture["answers"].append({**first, "response_text": "Later."})
    assert capture.save(store).answers == Change(new=48)
    rows = store.sql("SELECT response_text FROM answers WHERE answer_id = ?", [first["id"]]).fetchall()
    assert rows == [("Later.",)]
    assert capture.save(store).answers == Change(unchanged=48)


def test_an_answer_of_a_megabyte_of_awkward_letters_is_kept_and_exported(
    store: Store, capture: Any, tmp_path: Path
) -> None:
    text = "é🙂\"'\\\n\u2028,;" * 100_000
    capture["answers"][0]["response_text"] = text
    capture.save(store)
    store.export(None, tmp_path / "export")
    assert verify(tmp_path / "export").ok
    with open_export(tmp_path / "export") as opened:
        longest = "SELECT response_text FROM answers ORDER BY length(response_text) DESC LIMIT 1"
        assert opened.sql(longest).fetchall() == store.sql(longest).fetchall() == [(text,)]


def test_agents_may_come_as_arrow(store: Store, capture: Any) -> None:
    capture.save(store)
    names = ("agents", "health_profiles", "study_agents")
    wanted = [store.sql(f"SELECT * FROM {name} ORDER BY agent_uuid").fetchall() for name in names]
    with Store() as other:
        arrow = pa.Table.from_pylist([dict(one) for one in capture["agents"]])
        other.save_study(**{**deepcopy(dict(capture)), "agents": arrow})
        found = [other.sql(f"SELECT * FROM {name} ORDER BY agent_uuid").fetchall() for name in names]
    assert found == wanted
