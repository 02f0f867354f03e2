"""Pulling everything of an organization: from the real service, and from one that knows interface.md only."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import voxpop as vp
from media_files import pdf, png
from running_service import Service, fail_one
from voxpop.client import Client
from voxpop.errors import UsageError
from voxpop.fieldwork import pull
from voxpop.tables import Store

DOCUMENTED = {
    "studies": ("id", "title", "objective"),
    "study": ("id", "title", "objective"),
    "questions": ("id", "question", "answers"),
    "answers": ("id", "agent_id", "response_text", "agent_name", "agent_age"),
    "direct_questions": ("id", "uuid", "question", "targets", "artifacts"),
    "targets": ("agent", "answer"),
    "answer": ("response_text",),
}
"""What a service that knows interface.md alone says of the things it describes; the rest is additive."""


def documented_only(value: Any, name: str = "") -> Any:
    """Leave out every field that is an addition."""
    if isinstance(value, list):
        return [documented_only(one, name) for one in value]
    if isinstance(value, dict):
        kept = DOCUMENTED.get(name)
        return {key: documented_only(one, key) for key, one in value.items() if kept is None or key in kept}
    return value


class InterfaceOnly(httpx.BaseTransport):
    """The same service without the routes and fields that interface.md does not name."""

    def __init__(self) -> None:
        self.http = httpx.HTTPTransport()

    def close(self) -> None:
        self.http.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1")
        last = path.rpartition("/")[2]
        additive = (
            last in ("answers", "unanswered", "analysis", "healthz", "content", "jobs", "surveys")
            or (last == "agents" and request.method == "GET")
            or (path.startswith(("/media-assets", "/research-groups")) and request.method == "GET")
        )
        if additive:
            return httpx.Response(404, json={"error": {"code": "not_found", "message": f"No page {path}."}})
        if last == "questions":  # it has no parameters there
            request.url = request.url.copy_with(query=None)
        answer = self.http.handle_request(request)
        body = answer.read()
        if not body or answer.status_code >= 300:
            return httpx.Response(answer.status_code, headers=answer.headers, content=body)
        return httpx.Response(answer.status_code, json=documented_only(json.loads(body)))


@pytest.fixture(scope="module")
def service(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(home, tmp_path_factory.mktemp("pull"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def key(service: Service) -> str:
    """The key of an organization with two studies, a direct question and a survey."""
    key = service.key()
    with vp.connect(service.base_url, key) as client:
        group = vp.recruit(client, vp.where(country="USA"), 30, seed=3)
        study = vp.Study.create(client, group, title="Snacks", objective="Who?")
        study.ask("Do you smoke?", key="smokes", type="yes_no")
        study.remove_agents([client.groups.agents(group)[0].id])
        files = [client.media.upload(png(), "oat.png"), client.media.upload(pdf(), "rye.pdf")]
        study.ask("Which do you like best?", key="best", options=["Oat", "Rye"], attachments=files)
        study.ask("Why?", key="why", type="open")
        other = vp.Study.create(client, group, title="Drinks")
        other.ask("How much would you pay for a tea, in dollars?", key="tea")
        client.direct_questions.wait(client.direct_questions.ask_group(group, "Do you own a car?"))
        made = client.surveys.create("Lunch", "Where do you eat lunch?", ["Home", "Work"], group=group)
        client.jobs.wait(made.job_id, first_wait=0)
        fail_one(service, study.questions()[0].id)
    return key


@pytest.fixture
def client(service: Service, key: str) -> Iterator[Client]:
    with vp.connect(service.base_url, key) as made:
        yield made


@pytest.fixture
def store() -> Iterator[Store]:
    with Store() as made:
        yield made


def everything(store: Store) -> dict[str, list[Any]]:
    """Return all rows without their pull times."""
    return {
        name: store.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
        for name in store.tables()
        if name != "pulls"
    }


def test_everything_of_the_organization_comes_and_comes_once(client: Client, store: Store) -> None:
    pulled = pull(client, store)
    assert pulled.rows == {"groups": 1, "direct questions": 1, "surveys": 1, "usage snapshots": 1}
    assert pulled.left_out == {}
    before = everything(store)
    rows = {name: len(held) for name, held in before.items()}
    assert (rows["studies"], rows["questions"], rows["answers"]) == (2, 4, 30 + 29 + 29 + 30 - 1)
    assert (rows["groups"], rows["group_members"], rows["agents"]) == (1, 30, 30)
    assert (rows["direct_questions"], rows["direct_answers"]) == (1, 30)
    assert (rows["surveys"], rows["survey_answers"], rows["usage"], rows["attachments"]) == (1, 30, 1, 2)
    assert rows["jobs"] == 1
    again = pull(client, store)
    assert everything(store) == before
    assert sum(saved.answers.total for saved in again.studies) == 0
    assert "2 studies (0 new answers)" in str(again)


def test_answered_failed_removed_and_not_asked_are_different(client: Client, store: Store) -> None:
    pull(client, store, studies=1)
    rates = {row[1]: row for row in store.response_rates(1).fetchall()}
    names = store.response_rates(1).columns
    smokes, best = (dict(zip(names, rates[name], strict=True)) for name in ("smokes", "best"))
    assert (smokes["asked"], smokes["answered"], smokes["failed"], smokes["removed"]) == (30, 29, 1, 1)
    assert (best["asked"], best["answered"], best["not_asked"], best["unknown"]) == (29, 29, 1, 0)
    assert smokes["response_rate"] == 29 / 30
    failed = store.sql("SELECT error_code, error_message FROM responses WHERE status = 'failed'").fetchall()
    assert failed == [("engine", "The engine gave no answer.")]
    by_gender = store.response_rates(1, by="gender")
    assert sum(row[3] for row in by_gender.fetchall() if row[1] == "smokes") == 30
    with pytest.raises(UsageError, match="no field 'sex'"):
        store.response_rates(1, by="sex")


class Listening(httpx.HTTPTransport):
    """A client that records which groups are read."""

    def __init__(self) -> None:
        super().__init__()
        self.whole: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        of_a_group = request.method == "GET" and "/research-groups/" in request.url.path
        if of_a_group and "agents" not in request.url.params:
            self.whole.append(request.url.path)
        return super().handle_request(request)


def test_members_that_come_and_go_are_noticed_and_their_records_come_once(
    service: Service, store: Store
) -> None:
    heard = Listening()
    members = "SELECT agent_id FROM group_members WHERE NOT removed ORDER BY position"
    with Client(service.base_url, service.key(organization="movers"), transport=heard) as client:
        group = vp.recruit(client, vp.where(country="USA"), 10, seed=3)
        study = vp.Study.create(client, group, title="Snacks")
        study.ask("Do you smoke?", key="smokes", type="yes_no")
        first = [agent.id for agent in client.groups.agents(group)]
        heard.whole.clear()
        pull(client, store)
        assert store.sql(members).fetchall() == [(number,) for number in first]
        assert heard.whole == []
        client.groups.remove_agents(group, first[:1])
        added = client.groups.append(group, filters=vp.where(country="USA"), size=1, seed=9)
        pull(client, store)
        now = [*first[1:], *added.added_agent_ids]
        assert store.sql(members).fetchall() == [(number,) for number in now]
        assert store.sql("SELECT count(*) FROM group_members WHERE removed").fetchall() == [(1,)]
        assert len(heard.whole) == 1


def test_agents_that_failed_are_asked_again_and_their_answers_come(service: Service, store: Store) -> None:
    with Client(service.base_url, service.key(organization="triers")) as client:
        group = vp.recruit(client, vp.where(country="USA"), 10, seed=3)
        study = vp.Study.create(client, group, title="Snacks")
        study.ask("Do you smoke?", key="smokes", type="yes_no")
        study.ask("Why?", key="why", type="open")
        lost = fail_one(service, study.questions()[0].id)
        failed = "SELECT agent_id FROM responses WHERE status = 'failed'"
        study.pull(store)
        assert store.sql(failed).fetchall() == [(lost.agent_id,)]
        (again,) = study.retry()
        assert (again.key, again.asked_count, again.answer_count, again.failed_count) == ("smokes", 1, 1, 0)
        assert study.retry() == []
        study.pull(store)
        assert store.sql(failed).fetchall() == []
        text = "SELECT response_text FROM answers WHERE agent_id = ? AND response_text = ?"
        assert len(store.sql(text, [lost.agent_id, lost.text]).fetchall()) == 1


def test_some_studies_are_pulled_by_number_uuid_or_model(client: Client, store: Store) -> None:
    first = client.studies.get(1)
    assert [saved.title for saved in pull(client, store, studies=[2, first.uuid]).studies] == [
        "Drinks",
        "Snacks",
    ]
    assert pull(client, store, studies=first).studies[0].answers.total == 0
    assert store.tables()["direct_questions"] == 0
    with pytest.raises(UsageError, match=r"studies must be studies or their ids"):
        pull(client, store, studies=1.5)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="into must be a store"):
        pull(client, "here.duckdb")  # type: ignore[arg-type]


def test_the_bytes_of_files_come_on_request_and_stay(client: Client, store: Store) -> None:
    pull(client, store, studies=1)
    files = "SELECT filename, content, sha256 IS NULL FROM attachments ORDER BY position"
    assert store.sql(files).fetchall() == [("oat.png", None, True), ("rye.pdf", None, True)]
    for bytes_too in (True, False):
        pull(client, store, studies=1, attachments=bytes_too)
        assert store.sql(files).fetchall() == [("oat.png", png(), False), ("rye.pdf", pdf(), False)]


def test_when_and_how_far_it_was_pulled_is_noted(client: Client, store: Store) -> None:
    pull(client, store, studies=1)
    pull(client, store, studies=1)
    (row,) = store.sql("SELECT answers, first_pulled_at < pulled_at, service_url FROM pulls").fetchall()
    assert row == (87, True, client.base_url)


def test_several_pulls_at_once_give_the_same_rows(client: Client, tmp_path: Path) -> None:
    errors: list[BaseException] = []
    with Store(tmp_path / "one.duckdb") as one, Store() as other:

        def work() -> None:
            try:
                pull(client, one)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        pull(client, other)
        assert errors == []
        assert everything(one) == everything(other)


def test_a_service_that_knows_the_interface_alone_gives_the_same_answers(
    service: Service, key: str, client: Client, store: Store, tmp_path: Path
) -> None:
    pull(client, store)
    with Client(service.base_url, key, transport=InterfaceOnly()) as plain, Store() as bare:
        pulled = pull(plain, bare)
        assert set(pulled.left_out) == {"groups", "surveys"}
        for _ in range(2):
            words = "SELECT key, agent_id, response_text FROM answers JOIN questions USING (question_uuid)"
            told = bare.sql(words.replace("key", "questions.text")).order("ALL").fetchall()
            assert told == store.sql(words.replace("key", "questions.text")).order("ALL").fetchall()
            assert bare.tables()["direct_answers"] == 30
            assert bare.sql("SELECT count(*) FROM responses WHERE status = 'answered'").fetchall() == [(117,)]
            people = bare.respondents(1).df()
            assert len(people) == 30
            assert list(people.columns[-3:]) == ["q1", "q2", "q3"]
            pull(plain, bare)
        assert bare.sql("SELECT DISTINCT asked_count, answer_count FROM questions").fetchall() == [
            (None, None)
        ]
        assert vp.verify(bare.export(1, tmp_path / "export")).ok


@pytest.mark.parametrize("path", ["/answers", "/unanswered"])
def test_a_failing_service_is_an_error_and_no_half_pull(
    service: Service, key: str, store: Store, path: str
) -> None:
    class Failing(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path.endswith(path):
                return httpx.Response(503, headers={"Retry-After": "0"}, json={})
            return super().handle_request(request)

    broken = Client(service.base_url, key, transport=Failing(), sleep=lambda _: None)
    with broken, pytest.raises(vp.ServiceError):
        pull(broken, store, studies=1)
    assert store.tables()["studies"] == store.tables()["answers"] == 0
