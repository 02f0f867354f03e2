"""The whole way over HTTP against the embedded service, as a notebook goes it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import Conflict, InvalidRequest, NotFound
from voxpop.fieldwork import FieldworkWarning
from voxpop.wire.groups import Group

GLP1 = vp.where(country="USA", age=vp.between(25, 64), health_drug_classes="glp1_agonist")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with vp.local(agents=3_000) as made:
        yield made


@pytest.fixture(scope="module")
def group(client: Client) -> Group:
    return vp.recruit(client, GLP1, 40, seed=1)


@pytest.fixture(scope="module")
def study(client: Client, group: Group) -> vp.Study:
    study = vp.Study.create(client, group, title="Snack switching", objective="Who would switch?")
    study.ask("Do you take a GLP-1 medicine?", key="takes", type="yes_no")
    study.ask("How old are you?", key="years", type="number")
    study.ask("What would make you switch?", key="why", type="open")
    return study


def test_counts_search_and_recruit_agree(client: Client, group: Group) -> None:
    found = list(client.agents.search(GLP1))
    assert client.filters.count(GLP1) == len(found) >= group.agent_count == 40
    recruited = client.groups.agents(group)
    assert {agent.id for agent in recruited} <= {agent.id for agent in found}
    assert all(25 <= agent.age <= 64 for agent in recruited)
    assert client.filters.counts("USA").recruitable_agent_count == client.filters.count({"country": "USA"})


def test_the_same_seed_recruits_the_same_agents(client: Client, group: Group) -> None:
    again = vp.recruit(client, GLP1, 40, seed=1)
    assert [a.id for a in client.groups.agents(again)] == [a.id for a in client.groups.agents(group)]
    assert {one.id for one in client.groups.list()} >= {group.id, again.id}


def test_answers_are_those_of_the_profiles(client: Client, study: vp.Study, group: Group) -> None:
    takes, years, why = study.questions()
    assert (takes.asked_count, takes.answer_count, takes.failed_count) == (40, 40, 0)
    age = {agent.id: agent.age for agent in client.groups.agents(group)}
    for answer in study.answers():
        expected = {takes.id: True, years.id: age[answer.agent_id], why.id: None}[answer.question_id]
        assert answer.value == expected


def test_pulled_twice_is_pulled_once(study: vp.Study, tmp_path: Path) -> None:
    with vp.Store(tmp_path / "study.duckdb") as store:
        study.pull(into=store)
        first = store.tables()
        study.pull(into=store)
        assert store.tables() == first
        assert (first["answers"], first["agents"]) == (120, 40)
        assert store.respondents(study).aggregate("bool_and(age = years), count(*)").fetchall() == [
            (True, 40)
        ]


def test_completing_gives_claims_that_rest_on_answers(study: vp.Study) -> None:
    found = study.complete()
    ids = {answer.id for answer in study.answers()}
    claims = [claim for step in found.steps.values() for claim in step["claims"]]
    assert claims
    assert all(claim["answer_ids"] and set(claim["answer_ids"]) <= ids for claim in claims)
    assert repr(study).startswith("<Study 1 'Snack switching': completed, 40 agents, 3 questions>")


def test_a_share_page_opens_and_closes(client: Client, study: vp.Study) -> None:
    link = study.share()
    assert link not in repr(link)
    assert b"Snack switching" in client.fetch_shared(link)
    study.unshare()
    with pytest.raises(NotFound):
        client.fetch_shared(link)


def test_a_study_is_taken_up_again_by_its_number_or_uuid(client: Client, study: vp.Study) -> None:
    again = vp.Study.open(client, study.uuid)
    assert (again.id, [question.key for question in again.wait()]) == (study.id, ["takes", "years", "why"])


def test_removed_agents_are_not_asked_again(client: Client, group: Group) -> None:
    study = vp.Study.create(client, group, title="Curated")
    gone = client.groups.agents(group)[0].id
    assert study.remove_agents([gone]) == [gone]
    assert study.ask("Do you smoke?").asked_count == 39


def test_errors_of_the_service_come_as_their_classes(client: Client, study: vp.Study) -> None:
    with pytest.raises(NotFound) as missing:
        client.studies.get(999_999)
    assert missing.value.request_id
    with pytest.raises((InvalidRequest, Conflict), match="takes"):
        study.ask("Once more: do you take one?", key="takes")


def test_a_question_that_the_engine_hardly_understands_is_warned_of(
    client: Client, group: Group, tmp_path: Path
) -> None:
    study = vp.Study.create(client, group, title="Tractors")
    with pytest.warns(FieldworkWarning, match="fewer than half of the words"):
        study.ask("What do you do with the hubcaps of an old tractor?", key="hubcaps")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert study.ask("What do you think about coffee?", key="coffee").answer_count == 40
    with vp.Store(tmp_path / "tractors.duckdb") as store:
        study.pull(into=store)
        people = store.respondents(study)
        hardly = "fewer than half of the words"
        assert hardly in " ".join(str(vp.quotes(people, "hubcaps")).split())
        assert hardly not in " ".join(str(vp.quotes(people, "coffee")).split())
        store.export(study, tmp_path / "tractors")
    told = json.loads((tmp_path / "tractors" / "codebook.json").read_text())["questions"]
    assert [hardly in (one["notice"] or "") for one in told] == [True, False]
    assert hardly in (tmp_path / "tractors" / "codebook.html").read_text()
