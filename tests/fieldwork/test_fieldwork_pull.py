"""Pulling a study into a store: everything once, only what is new after that, and no secret on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_service import Service

import voxpop as vp
from voxpop.errors import UsageError
from voxpop.fieldwork import FieldworkWarning


@pytest.fixture
def service() -> Service:
    return Service(additions=True)


@pytest.fixture(params=["with additions", "as documented"])
def either(request: pytest.FixtureRequest) -> Service:
    """One after the other."""
    return Service(additions=request.param == "with additions")


@pytest.fixture
def store() -> Iterator[vp.Store]:
    with vp.Store() as made:
        yield made


def asked(service: Service) -> vp.Study:
    client = service.client()
    study = vp.Study.create(client, vp.recruit(client, {"country": "USA"}, 4), title="Snacks")
    study.ask("Why?", key="why")
    return study


def test_a_study_comes_with_its_questions_agents_and_answers(either: Service, store: vp.Store) -> None:
    study = asked(either)
    saved = study.pull(into=store)
    assert (saved.questions.total, saved.answers.total) == (1, 4)
    people = store.respondents(study).df()
    assert len(people) == 4
    assert sorted(people["name"]) == ["Agent 1", "Agent 2", "Agent 3", "Agent 4"]
    assert sorted(people.iloc[:, -1]) == [f"I am Agent {number}." for number in range(1, 5)]


def test_pulling_again_changes_nothing_and_reads_no_answer_again(service: Service, store: vp.Store) -> None:
    study = asked(service)
    study.pull(into=store)
    before = store.tables()
    study.pull(into=store)
    assert store.tables() == before
    last_read = [call for call in service.calls if call.url.path.endswith("/answers")][-1]
    assert last_read.url.params["after"] == "4"


def test_only_new_answers_are_read_after_another_question(service: Service, store: vp.Store) -> None:
    study = asked(service)
    study.pull(into=store)
    study.ask("When?", key="when")
    saved = study.pull(into=store)
    assert (saved.answers.new, saved.answers.total) == (4, 4)
    assert store.tables()["answers"] == 8


def test_an_answer_that_came_out_of_order_is_found(service: Service, store: vp.Store) -> None:
    study = asked(service)
    late = service.questions[0]["answers"].pop(0)
    with pytest.warns(FieldworkWarning, match="the service counts 1 more answers than it returns"):
        study.pull(into=store)
    assert store.tables()["answers"] == 3
    service.questions[0]["answers"].append(late)
    study.pull(into=store)
    assert store.tables()["answers"] == 4


def test_removed_agents_are_marked(service: Service, store: vp.Store) -> None:
    study = asked(service)
    study.remove_agents([2])
    assert study.pull(into=store).removed == 1


def test_the_source_is_kept_without_the_key(service: Service, store: vp.Store) -> None:
    asked(service).pull(into=store)
    rows = store.sql("SELECT service_url, service_version, population FROM studies").fetchall()
    assert rows[0] == ("http://service.test/v1", "9.9", "p1")


def test_no_share_link_and_no_key_enters_a_store(service: Service, store: vp.Store) -> None:
    study = asked(service)
    study.share()
    study.pull(into=store)
    everything = " ".join(str(store.sql(f'SELECT * FROM "{name}"').fetchall()) for name in store.tables())
    assert "sss" not in everything
    assert "k3y" not in everything


def test_what_is_no_store_is_refused_with_an_example(service: Service) -> None:
    with pytest.raises(UsageError, match=r"vp\.Store\('study\.duckdb'\)"):
        asked(service).pull(into="study.duckdb")  # type: ignore[arg-type]
