"""Opening stores, refusing bad files, finding studies, reading."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pandas as pd
import pytest

from voxpop.analysis import crosstab
from voxpop.errors import StoreError, UsageError
from voxpop.tables import Store
from voxpop.tables.schema import TABLES
from voxpop.vocabulary.shapes import YES_NO


def test_a_file_keeps_what_was_saved(tmp_path: Path, capture: Any) -> None:
    path = tmp_path / "snacks.duckdb"
    with Store(path) as store:
        capture.save(store)
        assert repr(store) == f"<Store {path} 1 study, 6 questions, 48 answers>"
    with Store(str(path)) as store:
        assert store.studies().project("title, population").fetchall() == [("Snacks", "1-7-1000")]
    assert repr(store) == f"<Store {path} closed>"
    with pytest.raises(StoreError, match="is closed"):
        store.tables()


def test_a_file_that_is_open_elsewhere_is_named_with_the_process(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    hold = "import sys; from voxpop.tables import Store; s = Store(sys.argv[1]); print('open'); input()"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", hold, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match=rf"open in another program \(process {other.pid}\)"):
            Store(path)
        other.communicate("\n")
    Store(path).close()


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("hello, this is no database at all\n" * 200)
    with pytest.raises(StoreError, match="not a voxpop store"):
        Store(text)
    foreign = tmp_path / "foreign.duckdb"
    with duckdb.connect(str(foreign)) as connection:
        connection.execute("CREATE TABLE mine (n INTEGER)")
    with pytest.raises(StoreError, match=r"other tables \(mine\)"):
        Store(foreign)
    with duckdb.connect(str(foreign)) as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("mine",)]


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.duckdb"
    with Store(path) as store:
        store.sql("SELECT 1").fetchall()
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE voxpop_store SET schema_version = 99")
    with pytest.raises(StoreError, match=r"newer voxpop \(schema version 99.*Upgrade voxpop"):
        Store(path)


def test_a_place_that_cannot_hold_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="folder does not exist"):
        Store(tmp_path / "nowhere" / "s.duckdb")
    with pytest.raises(StoreError, match="is a folder"):
        Store(tmp_path)


@pytest.mark.parametrize(
    "study", ["study-1", 1, "1", "Snacks", SimpleNamespace(uuid="study-1"), {"uuid": "study-1"}], ids=str
)
def test_a_study_is_found_by_handle_uuid_number_or_title(filled: Store, study: Any) -> None:
    assert filled.study_uuid(study) == "study-1"


def test_a_study_that_is_missing_or_unclear_is_told_with_what_is_there(filled: Store, capture: Any) -> None:
    with pytest.raises(StoreError, match=r"no study 'Snack'. It has 'Snacks' \(id 1, study-1\)"):
        filled.respondents("Snack")
    capture["study"]["uuid"] = "study-2"
    capture["questions"] = capture["answers"] = []
    capture.save(filled)
    with pytest.raises(StoreError, match=r"names 2 studies .* UUIDs: study-1, study-2"):
        filled.export("Snacks", "never")
    with Store() as empty, pytest.raises(StoreError, match="no study yet; pull one first"):
        empty.respondents(1)


def test_the_only_study_of_a_store_need_not_be_named(filled: Store, capture: Any) -> None:
    assert filled.respondents().fetchall() == filled.respondents("study-1").fetchall()
    capture["study"] |= {"uuid": "study-2", "title": "Drinks"}
    capture["questions"] = capture["answers"] = []
    capture.save(filled)
    with pytest.raises(StoreError, match=r"Which study\? Name one: the store has 'Drinks'.*'Snacks'"):
        filled.respondents()


def test_respondents_are_one_row_per_agent_with_typed_answers(filled: Store) -> None:
    people = filled.respondents(1)
    types = dict(zip(people.columns, map(str, people.types), strict=True))
    assert people.columns[-6:] == ["switch", "brand", "brands", "liking", "price", "age_answer"]
    assert types["switch"] == "ENUM('yes', 'no')"
    assert types["brand"] == "ENUM('Oat', 'Rye', 'Corn', 'Barley')"  # Barley was answered, never offered
    assert types["brands"] == "VARCHAR[]"
    brands = filled.respondents("Snacks").df()["brands"]
    assert list(brands[0]) == ["Corn"]  # a list of an ENUM would come into pandas as numbers
    assert (types["liking"], types["price"], types["age_answer"]) == ("INTEGER", "DOUBLE", "VARCHAR")
    assert types["education"].startswith("ENUM('Less than 9th grade'")
    row = people.project("agent_id, age, switch, brand, brands, liking, price, bmi_class").fetchall()[1]
    assert row == (2, 22, "yes", "Barley", ["Corn", "Oat"], 2, 2.25, "obese_1")


def test_a_frame_knows_its_questions_as_the_relation_does(filled: Store) -> None:
    frame = filled.frame(1)
    frame["w"] = 1.0
    for name in ("brands", "brand", "liking", "switch"):
        one, two = (
            crosstab(data, name, by="gender").long() for data in (frame[frame.age > 0], filled.respondents(1))
        )
        pd.testing.assert_frame_equal(one, two)
    assert crosstab(frame, "brands").text == "About brands?"
    assert crosstab(frame, "brands").levels == ("Oat", "Rye", "Corn")
    with pytest.raises(UsageError, match="open question"):
        crosstab(frame, "age_answer")


def test_without_health_data_every_health_column_is_missing(filled: Store) -> None:
    without = filled.respondents(1).filter("agent_id = 8")
    assert without.project("bmi, health_conditions, health_source").fetchall() == [(None, None, None)]


def test_a_scale_with_broken_values_is_not_rounded(store: Store, capture: Any) -> None:
    for answer in capture["answers"]:
        if answer["question_id"] == 4:
            answer["value"] = 7.5
    capture.save(store)
    assert store.respondents(1).project("liking").distinct().fetchall() == [(7.5,)]


def test_an_empty_study_has_no_respondents(store: Store) -> None:
    store.save_study({"uuid": "s", "id": 1, "title": "Empty"}, [])
    assert store.respondents("s").fetchall() == []


def test_sql_takes_parameters_and_gives_a_relation(filled: Store) -> None:
    found = filled.sql("SELECT count(*) AS n FROM answers WHERE engine = ?", ["embedded-1"])
    assert found.columns == ["n"]
    assert found.fetchall() == [(48,)]
    assert filled.sql("SELECT answered_at FROM answers LIMIT 1").fetchall()[0][0].isoformat() == (
        "2026-11-20T10:00:00.250000"
    )


def test_relations_live_without_a_name_for_their_store(capture: Any) -> None:
    def make() -> duckdb.DuckDBPyRelation:
        store = Store()
        capture.save(store)
        return store.respondents(1)

    assert len(make().fetchall()) == 8


def test_threads_read_and_write_at_once(filled: Store, capture: Any) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(5):
                if number % 2:
                    capture.save(filled)
                assert filled.sql("SELECT count(*) FROM answers").fetchall() == [(48,)]
                assert len(filled.respondents(1).fetchall()) == 8
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_every_table_and_column_has_a_meaning() -> None:
    for table in TABLES.values():
        assert table.meaning.endswith(".")
        assert set(table.key) <= set(table.names)
        assert len(set(table.names)) == len(table.names)
        assert all(column.meaning for column in table.columns)
        assert table.arrow.names == list(table.names)
    assert YES_NO == ("yes", "no")


def broken_off() -> Iterator[Any]:
    yield from ()
    raise ConnectionError("gone")


@pytest.mark.parametrize("limit", [None, "3GB", "50MB"])
def test_a_save_leaves_the_limit_of_memory_as_it_was(tmp_path: Path, capture: Any, limit: str | None) -> None:
    with Store(tmp_path / "study.duckdb") as store:
        if limit is not None:
            store._cursor().execute(f"SET memory_limit = '{limit}'")
        before = store.sql("SELECT current_setting('memory_limit')").fetchall()
        for _ in range(2):
            capture.save(store)
        with pytest.raises(ConnectionError, match="gone"):
            store.save_study({"uuid": "s", "id": 9, "title": "Cut off"}, [], answers=broken_off())
        assert store.sql("SELECT current_setting('memory_limit')").fetchall() == before


def test_a_damaged_store_is_named_with_what_to_do(tmp_path: Path, capture: Any) -> None:
    """Overwriting any stretch of the file is reported, unless the stretch holds no data."""
    path, copy = tmp_path / "study.duckdb", tmp_path / "damaged.duckdb"
    with Store(path) as store:
        capture.save(store)
        store.export("Snacks", tmp_path / "whole")
    size, told = path.stat().st_size, []
    for first in range(4096, size, max(4096, size // 12 // 4096 * 4096)):
        held = bytearray(path.read_bytes())
        held[first + 8 : first + 8 + 4096] = b"\xa5" * len(held[first + 8 : first + 8 + 4096])
        copy.write_bytes(held)
        try:
            with Store(copy) as store:
                store.tables()
                store.frame()
                store.export("Snacks", tmp_path / "export")
        except StoreError as error:
            told.append(str(error))
            continue
        one, two = (tmp_path / name / "data" / "answers.parquet" for name in ("whole", "export"))
        assert one.read_bytes() == two.read_bytes()
    assert told
    for text in told:
        assert text.startswith(f"The store {copy} is damaged: ")
        assert "voxpop pull" in text
