"""Pulling while things break: a clear message, a store as good as before, and the next pull completes."""

from __future__ import annotations

import os
import signal
import subprocess
import textwrap
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

import forked_commands
import voxpop as vp
from running_service import READ_WRITE, Service
from served_service import Served
from voxpop.client import Client
from voxpop.errors import ConnectionFailed, RateLimited, StoreError
from voxpop.fieldwork import FieldworkWarning, pull
from voxpop.records import groups, keys, studies
from voxpop.records.schema import answers, questions
from voxpop.tables import Store

PEOPLE, ASKED = 2_000, 15
ALL = PEOPLE * ASKED
AT = datetime(2026, 11, 1, tzinfo=UTC)
AWKWARD = '"},{"id":1}]}\\ \n\r\t\x01 é 日本 🙂 \u2028 \u202e </script> \'; DROP TABLE answers;-- =1+1 '
WORDS = (AWKWARD * 20_000)[: 1 << 20]


def fill(service: Service) -> str:
    """Put a study of 30,000 answers into a service, one of them 1 MB long; return a key for it."""
    with service.state.database.begin() as c:
        organization = keys.create_organization(c, "acme")
        draw = {"filters": {}, "sample_method": "random", "seed": 1, "shortfall": 0, "description": None}
        people = list(range(1, PEOPLE + 1))
        group = groups.create(c, organization, name="all", agent_ids=people, **draw)
        study = studies.create(c, organization, title="Made", objective=None, group=group)
        for place in range(ASKED):
            told = {"organization_id": organization, "study_id": study.id, "text": "Why?", "type": "open"}
            told |= {"uuid": f"00000000-0000-4000-8000-{place:012d}", "key": f"q{place}", "options": []}
            told |= {"asked_count": PEOPLE, "answer_count": PEOPLE, "failed_count": 0, "created_at": AT}
            told |= {"scale": None, "shuffle_options": False, "position": place + 1}
            row = {name: value for name, value in told.items() if name in questions.c}
            (number,) = c.execute(questions.insert().values(**row)).inserted_primary_key
            c.execute(answers.insert(), [_answer(organization, study.id, number, place, n) for n in people])
        return keys.create_key(c, organization, READ_WRITE)


def _answer(organization: int, study: int, question: int, place: int, agent: int) -> dict[str, Any]:
    number = place * PEOPLE + agent
    return {
        "id": number,
        "organization_id": organization,
        "study_id": study,
        "question_id": question,
        "agent_id": agent,
        "job_id": f"job_{number:026d}",
        "text": WORDS if number == 12_345 else f"I would say {number}, because of the price.",
        "value": None,
        "option_order": None,
        "answered_at": AT,
        "engine": "made-1",
    }


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def filled(home: Path, place: Path) -> Iterator[tuple[Service, str]]:
    running = Service(home, place / "data")
    yield running, fill(running)
    running.close()


Wrap = Callable[[httpx.Response, Iterator[bytes]], Iterator[bytes]]


class Bytes(httpx.SyncByteStream):
    """The bytes of an answer."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return self.pieces


class Breaking(httpx.HTTPTransport):
    """A connection that damages bulk responses a given number of times."""

    def __init__(self, wrap: Wrap, times: int = 1, accept: str | None = None) -> None:
        super().__init__()
        self.wrap, self.times, self.accept, self.asked = wrap, times, accept, []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/answers"):
            return super().handle_request(request)
        if self.accept:
            request.headers["Accept"] = self.accept
        self.asked.append(request.url.query.decode())
        answer = super().handle_request(request)
        if len(self.asked) > self.times:
            return answer
        stream = self.wrap(answer, iter(answer.stream))  # type: ignore[arg-type]
        return httpx.Response(answer.status_code, headers=answer.headers, stream=Bytes(stream))


def cut(after: int) -> Wrap:
    """End a response early without an error."""

    def wrap(_: httpx.Response, pieces: Iterator[bytes]) -> Iterator[bytes]:
        left = after
        for piece in pieces:
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                return

    return wrap


def torn(after: int) -> Wrap:
    """Break the connection in the middle of an answer."""

    def wrap(answer: httpx.Response, pieces: Iterator[bytes]) -> Iterator[bytes]:
        yield from cut(after)(answer, pieces)
        raise httpx.ReadError("Connection reset by peer")

    return wrap


def pulled(service: Service, key: str, store: Store, **options: Any) -> None:
    with Client(service.base_url, key, sleep=lambda _: None, **options) as client:
        pull(client, store, studies=1)


def texts(store: Store) -> list[tuple[Any, ...]]:
    return store.sql("SELECT answer_id, response_text, agent_id FROM answers ORDER BY 1").fetchall()


@pytest.fixture(scope="module")
def truth(filled: tuple[Service, str]) -> list[tuple[Any, ...]]:
    """Answers read directly from the database, without our reading code."""
    columns = sa.select(answers.c.id, answers.c.text, answers.c.agent_id).order_by(answers.c.id)
    with filled[0].state.database.read() as connection:
        return [tuple(row) for row in connection.execute(columns).all()]


FORMS = {
    "arrow": "application/vnd.apache.arrow.stream",
    "lines": "application/x-ndjson",
    "json": "application/json",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", [cut, torn])
def test_a_stream_that_breaks_off_goes_on_where_it_broke(
    filled: tuple[Service, str],
    truth: list[tuple[Any, ...]],
    form: str,
    fault: Callable[[int], Wrap],
) -> None:
    """Test data include an answer of 1 MB with awkward characters in the middle."""
    line = Breaking(fault(5_000_000), accept=FORMS[form])
    with Store() as store:
        pulled(*filled, store, transport=line)
        assert texts(store) == truth
    assert len(line.asked) == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_stream_that_always_breaks_off_is_told_and_nothing_is_kept(
    filled: tuple[Service, str], form: str
) -> None:
    with Store() as store:
        with pytest.raises(ConnectionFailed, match=r"truncated|broke off"):
            pulled(*filled, store, transport=Breaking(cut(100), times=99, accept=FORMS[form]))
        assert {name for name, rows in store.tables().items() if rows} == {
            "agents",
            "groups",
            "group_members",
            "health_profiles",
        }  # the group is a thing of its own, and whole
        pulled(*filled, store)
        assert store.tables()["answers"] == ALL


def test_lines_that_end_early_without_a_word_are_read_again(
    filled: tuple[Service, str], truth: list[tuple[Any, ...]]
) -> None:
    """A response cut between two lines is detected only by the number of answers."""

    def first_lines(_: httpx.Response, pieces: Iterator[bytes]) -> Iterator[bytes]:
        yield b"".join(pieces).partition(b"\n")[0] + b"\n"

    line = Breaking(first_lines, accept=FORMS["lines"])
    with Store() as store:
        pulled(*filled, store, transport=line)
        assert texts(store) == truth
    assert line.asked == ["", ""]
    always = Breaking(first_lines, times=9, accept=FORMS["lines"])
    with Store() as store, pytest.warns(FieldworkWarning, match="counts 29,999 more answers than it returns"):
        pulled(*filled, store, transport=always)


def test_being_slowed_down_in_the_middle_only_takes_longer(filled: tuple[Service, str]) -> None:
    slept: list[float] = []

    class Slowing(httpx.HTTPTransport):
        calls = 0

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            self.calls += 1
            if self.calls % 2:
                status = (429, 503)[self.calls // 2 % 2]
                told = {"error": {"code": "slow", "message": "Later."}}
                return httpx.Response(status, headers={"Retry-After": "7"}, json=told)
            return super().handle_request(request)

    service, key = filled
    with Client(service.base_url, key, transport=Slowing(), sleep=slept.append) as client, Store() as store:
        pull(client, store, studies=1)
        assert store.tables()["answers"] == ALL
    assert set(slept) == {7.0}


def test_being_refused_for_good_is_an_error_with_the_time_to_wait(filled: tuple[Service, str]) -> None:
    class Refusing(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path.endswith("/answers"):
                told = {"error": {"code": "rate_limited", "message": "Too many calls."}}
                return httpx.Response(429, headers={"Retry-After": "3"}, json=told)
            return super().handle_request(request)

    with Store() as store, pytest.raises(RateLimited, match="Too many calls") as caught:
        pulled(*filled, store, transport=Refusing())
    assert caught.value.retry_after == 3


def test_a_service_that_is_killed_in_the_middle_and_started_again(home: Path, tmp_path: Path) -> None:
    made = Service(home, tmp_path / "data")
    key = fill(made)
    made.close()
    served = Served(tmp_path)

    def kill(answer: httpx.Response, pieces: Iterator[bytes]) -> Iterator[bytes]:
        yield from cut(200_000)(answer, pieces)
        served.close()  # SIGKILL
        yield from pieces

    path = tmp_path / "study.duckdb"
    try:
        with Store(path) as store:
            told = {"retries": 1, "sleep": lambda _: None}
            dying = Client(served.base_url, key, transport=Breaking(kill), **told)
            with dying, pytest.raises(ConnectionFailed, match=r"127\.0\.0\.1"):
                pull(dying, store, studies=1)
            assert store.tables()["answers"] == store.tables()["studies"] == 0
            served = Served(tmp_path)
            with Client(served.base_url, key) as client:
                pull(client, store, studies=1)
            assert store.tables()["answers"] == ALL
    finally:
        served.close()


SCRIPT = """
    import os, resource, signal, sys
    from pathlib import Path
    sys.path[:0] = {tests!r}
    from voxpop.client import Client
    from voxpop.errors import VoxpopError
    from voxpop.fieldwork import pull
    from voxpop.tables import Store
    {before}
    try:
        with Store({path!r}) as store, Client({base_url!r}, {key!r}{options}) as client:
            {during}
            pull(client, store, studies=1)
        sys.exit("nothing went wrong")
    except VoxpopError as error:
        print(type(error).__name__, error)
"""


def run(service: Service, key: str, path: Path, **parts: str) -> subprocess.CompletedProcess[str]:
    """Pull in a separate process, with a fault injected."""
    told = {"before": "", "during": "", "options": ""} | parts
    here = Path(__file__).parent
    script = textwrap.dedent(SCRIPT).format(
        path=str(path), base_url=service.base_url, key=key, tests=[str(here), str(here.parent)], **told
    )
    return forked_commands.run("-c", script)


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A store with a study of another service in it."""
    path = tmp_path / "store" / "study.duckdb"
    path.parent.mkdir()
    with Store(path) as store:
        store.save_study(
            {"uuid": "earlier", "id": 9, "title": "Earlier"},
            [{"id": 1, "question": "Why?", "type": "open"}],
            [{"id": n, "question_id": 1, "agent_id": n, "response_text": "Because."} for n in range(1, 6)],
        )
    return path


def test_a_puller_that_is_killed_while_it_writes(filled: tuple[Service, str], earlier: Path) -> None:
    dying = (
        "from test_fieldwork_faults import Breaking, cut\n"
        "def die(answer, pieces):\n"
        "    yield from cut(3_000_000)(answer, pieces)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = run(*filled, earlier, before=dying, options=", transport=Breaking(die)")
    assert done.returncode == -signal.SIGKILL, done.stderr
    with Store(earlier) as store:
        assert store.sql("SELECT study_uuid, count(*) FROM answers GROUP BY 1").fetchall() == [("earlier", 5)]
        pulled(*filled, store)
        assert store.tables()["answers"] == ALL + 5


def test_a_disk_that_is_full(filled: tuple[Service, str], earlier: Path) -> None:
    """Limit file sizes to one megabyte, as on a full disk."""
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))"
    done = run(*filled, earlier, before=full)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("StoreError")
    assert f"The store {earlier} cannot be written and is as it was before" in done.stdout
    assert len(done.stdout.splitlines()) == 1
    with Store(earlier) as store:
        assert store.sql("SELECT study_uuid, count(*) FROM answers GROUP BY 1").fetchall() == [("earlier", 5)]
        pulled(*filled, store)
        assert store.tables()["answers"] == ALL + 5


def test_an_export_onto_a_full_disk_leaves_nothing_behind(filled: tuple[Service, str], earlier: Path) -> None:
    with Store(earlier) as store:
        pulled(*filled, store)
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, 1 << 15))"
    target = earlier.parent / "export"
    done = run(*filled, earlier, during=f"{full}; store.export('Made', {str(target)!r})")
    assert done.stdout.startswith(f"StoreError The export {target} cannot be written: "), done.stderr
    assert sorted(path.name for path in earlier.parent.iterdir()) == ["study.duckdb"]


def test_a_folder_that_may_only_be_read(earlier: Path) -> None:
    """Run as an unprivileged user, because root may write everywhere."""
    here = earlier.parent
    script = textwrap.dedent("""
        import os, sys
        from voxpop.errors import StoreError
        from voxpop.tables import Store, open_export
        if os.geteuid() == 0:
            os.setuid(65534)
        for path in sys.argv[1:3]:
            try:
                Store(path)
            except StoreError as error:
                print(error)
        with Store() as store:
            store.save_study({"uuid": "s", "title": "S"}, [])
            try:
                store.export("s", sys.argv[3])
            except StoreError as error:
                print(error)
    """)
    for parent in here.parents:
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    here.chmod(0o555)
    earlier.chmod(0o444)
    try:
        paths = (str(here / "new.duckdb"), str(earlier), str(here / "export"))
        done = forked_commands.run("-c", script, *paths, cwd=Path("/"))
    finally:
        here.chmod(0o755)
        earlier.chmod(0o644)
    first, second, third = done.stdout.splitlines() or [done.stderr, "", ""]
    assert first == f"The store {here / 'new.duckdb'} cannot be opened: writing to {here} is not allowed."
    assert second == f"The store {earlier} cannot be opened: writing to {here} is not allowed."
    assert third == f"The export {here / 'export'} cannot be written: Permission denied."


def test_a_study_is_exported_with_its_awkward_answer_and_verifies(
    filled: tuple[Service, str], tmp_path: Path
) -> None:
    with Store() as store:
        pulled(*filled, store)
        folder = store.export(1, tmp_path / "export", formats=["csv"])
    assert vp.verify(folder).ok
    with vp.open_export(folder) as again:
        told = again.sql("SELECT response_text FROM answers WHERE answer_id = 12345").fetchall()
    assert told == [(WORDS,)]


def test_a_store_that_is_open_elsewhere_is_told(filled: tuple[Service, str], earlier: Path) -> None:
    with Store(earlier):
        done = run(*filled, earlier)
    assert done.stdout.startswith(f"StoreError The store {earlier} is open in another program (process ")
    assert StoreError.__name__ in done.stdout
