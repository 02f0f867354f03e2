"""Pulling answers into DuckDB, beside the bare transport: `python bench_pull.py [ANSWERS] [AGENTS] [WAY …]`.

A service in its own process holds one made study. Each pull runs in a process of its own, so that the peak
of its memory is told; it must not grow with the answers. dlt's REST source loads the same answers where dlt
is installed. Budgets: Arrow 1,000,000 rows/s, JSON 250,000; `bench_pull.py 30000 10000 "bare arrow" arrow`,
10,000 agents with three answers each, takes 1 s of the processor at most, the service's and ours together.

The floor is what cannot be left out: the bare transport, and DuckDB taking in the same columns from memory.
Seconds of the processor, the service's and the puller's together, tell more than rows per second where
others use the machine: the last lines compare those, and say how many rows per second the floor allows
where both cores have nothing else to do.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import httpx
import msgspec
import pyarrow as pa
import sqlalchemy as sa

from voxpop.client import Client
from voxpop.engines.basis import Basis
from voxpop.fieldwork import pull
from voxpop.records import answer_bases, groups, keys, studies
from voxpop.records.schema import answers, questions
from voxpop.service.app import create_app
from voxpop.service.server import start_server
from voxpop.service.state import open_service
from voxpop.settings import ServiceSettings
from voxpop.tables import Store
from voxpop.tables.saving import PACKED

ARROW, LINES, JSON = "application/vnd.apache.arrow.stream", "application/x-ndjson", "application/json"
MADE: tuple[tuple[str, Any], ...] = (
    *(("yes_no", True), ("scale", 7), ("open", None)),
    *(("number", 12.5), ("multi_choice", ["A", "B"])),
)
CHUNK = 20_000
BASES = (
    Basis("published", "Share of yes among 1,000 adults in our survey of March 2025."),
    Basis("modelled", "Fitted to the answers of 1,000 adults to a nearby question of that survey."),
)
DLT = ("dlt",) if find_spec("dlt") else ()
BARE, INSERT = ("bare arrow", "bare json"), "bare insert"
WAYS = (
    *("bare arrow", "arrow", "nothing new", "again", INSERT),
    *("bare json", "lines", "json", "documented", *DLT),
)
CORES = 2


def serve(folder: Path, many: int, people: int) -> None:
    """Fill a service, serve it, say where, and end with standard input."""
    settings = ServiceSettings(rate_live=None, rate_free=None, quota_live=None, quota_free=None)
    state = open_service(folder / "data", agents=max(people, 1_000), seed=7, home=folder, settings=settings)
    with state.database.begin() as c:
        organization = keys.create_organization(c, "acme")
        key = keys.create_key(c, organization, ("studies:read", "studies:write"))
        group = groups.create(
            c,
            organization,
            name="everybody",
            description=None,
            filters={},
            sample_method="random",
            seed=1,
            shortfall=0,
            agent_ids=list(range(1, people + 1)),
        )
        study = studies.create(c, organization, title="Made", objective=None, group=group)
        _fill(c, organization, study.id, many, people)
    server = start_server(create_app(state))
    sys.stdout.write(json.dumps([server.base_url, key]) + "\n")
    sys.stdout.flush()
    for _ in sys.stdin:  # a line asks for the seconds used so far
        sys.stdout.write(f"{time.process_time()}\n")
        sys.stdout.flush()
    server.stop()
    state.close()


def _fill(c: sa.Connection, organization: int, study: int, many: int, people: int) -> None:
    number = 0
    for place in range(-(-many // people)):
        kind, value = MADE[place % len(MADE)]
        told = {
            **{"organization_id": organization, "study_id": study, "key": f"q{place}", "text": "Why?"},
            **{"uuid": f"00000000-0000-4000-8000-{place:012d}", "type": kind, "scale": None},
            **{"asked_count": people, "answer_count": people, "failed_count": 0, "position": place + 1},
            **{"options": ["A", "B"] if kind == "multi_choice" else [], "shuffle_options": False},
            "created_at": state_time(),
        }
        known = {name: value for name, value in told.items() if name in questions.c}
        question = c.execute(questions.insert().values(**known)).inserted_primary_key[0]
        answer_bases.save(c, question, BASES)
        for start in range(0, people, CHUNK):
            rows = [
                {
                    "id": (number := number + 1),
                    "organization_id": organization,
                    "study_id": study,
                    "question_id": question,
                    "agent_id": agent,
                    "job_id": f"job_{number:024x}",
                    "text": f"I would say {agent % 997}, because of the price.",
                    "value": value,
                    "option_order": None,
                    "answered_at": state_time(),
                    "engine": "made-1",
                    "basis_code": answer_bases.code_of(BASES[agent % 2]),
                }
                for agent in range(start + 1, min(start + CHUNK, people) + 1)
            ]
            c.execute(answers.insert(), rows)


def state_time() -> Any:
    from datetime import UTC, datetime

    return datetime(2026, 11, 1, tzinfo=UTC)


class Preferring(httpx.HTTPTransport):
    """Asks for one form of answers alone; with ``none`` the documented list of questions is left."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(("/answers", "/agents")) and request.headers["Accept"] != JSON:
            if self.form == "none" and request.url.path.endswith("/answers"):
                return httpx.Response(404, json={})
            if self.form != "none":
                request.headers["Accept"] = self.form
        return super().handle_request(request)


def one(what: str, base_url: str, key: str, path: str) -> None:
    """Do one thing, and say how many rows, how long, and how much memory at most."""
    headers = {"Authorization": f"Bearer {key}"}
    held = pulled(Path(path)) if what == INSERT else None
    if held is not None:
        Store(path).close()
    begun, used = time.perf_counter(), time.process_time()
    if what == "dlt":
        rows = with_dlt(base_url, headers, Path(path))
    elif held is not None:
        with duckdb.connect(path) as there:
            there.execute("INSERT INTO answers FROM held")
        rows = held.num_rows
    elif what in BARE:
        form = ARROW if what == "bare arrow" else JSON
        with httpx.stream(
            "GET", f"{base_url}/research-studies/1/answers", headers=headers | {"Accept": form}, timeout=600
        ) as answer:
            if form == ARROW:
                rows = sum(batch.num_rows for batch in pa.ipc.open_stream(answer.read()))
            else:
                rows = len(msgspec.json.decode(answer.read())["answers"])
    else:
        form = {"json": JSON, "lines": LINES, "documented": "none"}.get(what, ARROW)
        with Client(base_url, key, transport=Preferring(form), timeout=600) as client, Store(path) as store:
            begun, used = time.perf_counter(), time.process_time()
            pull(client, store, studies=1, again=what == "again")
            rows = store.tables()["answers"]
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stdout.write(json.dumps([rows, seconds, cpu, peak / (1 << 20 if sys.platform == "darwin" else 1024)]))


def pulled(path: Path) -> pa.Table:
    """Read the answers that were pulled before, cut as DuckDB packs them."""
    with duckdb.connect(path.parent / "kept.duckdb", read_only=True) as there:
        held = there.sql("FROM answers").to_arrow_table().combine_chunks()
    return pa.Table.from_batches(held.to_batches(max_chunksize=PACKED))


def with_dlt(base_url: str, headers: dict[str, str], path: Path) -> int:
    """Load the same answers by the REST source of dlt, which knows nothing of studies."""
    os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
    import dlt
    from dlt.sources.rest_api import rest_api_source

    endpoint = {
        "path": "research-studies/1/answers",
        "data_selector": "answers",
        "paginator": "single_page",
        "headers": {"Accept": JSON},
    }
    source = rest_api_source(
        {
            "client": {"base_url": base_url, "headers": headers},
            "resources": [{"name": "answers", "endpoint": endpoint}],
        }
    )
    database = dlt.destinations.duckdb(str(path))
    made = dlt.pipeline("answers", str(path.parent / "dlt"), destination=database, dataset_name="pulled")
    made.run(source)
    with duckdb.connect(path, read_only=True) as there:
        return int(there.sql("SELECT count(*) FROM pulled.answers").fetchall()[0][0])


def main(many: int, people: int, ways: Sequence[str]) -> None:
    """Serve, do each thing, and compare."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "serve", folder, str(many), str(people)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as served:
            assert served.stdout is not None
            base_url, key = json.loads(served.stdout.readline())
            used = {}
            for what in ways:
                before = _used(served)
                kept = what in ("arrow", "nothing new", "again")
                path = Path(folder) / ("kept.duckdb" if kept else f"{what}.duckdb".replace(" ", "_"))
                told = subprocess.run(
                    [sys.executable, __file__, "one", what, base_url, key, str(path)],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                rows, seconds, cpu, peak = json.loads(told.stdout)
                service = _used(served) - before
                used[what] = cpu + service
                sys.stdout.write(
                    f"{what:<14}{rows:>12,} rows {seconds:7.2f} s {rows / seconds:>12,.0f} rows/s  CPU "
                    f"{service:6.2f} s service {cpu:6.2f} s here  {peak:7,.0f} MB\n"
                )
                sys.stdout.flush()
            served.communicate("")
    _compare(many, used)


def _used(served: subprocess.Popen[str]) -> float:
    assert served.stdin is not None
    assert served.stdout is not None
    served.stdin.write("\n")
    served.stdin.flush()
    return float(served.stdout.readline())


def _compare(many: int, used: dict[str, float]) -> None:
    for what, bare in (("arrow", "bare arrow"), ("lines", "bare json"), ("json", "bare json")):
        if {what, bare, INSERT} <= used.keys():
            floor = used[bare] + used[INSERT]
            sys.stdout.write(
                f"{what}: {used[what]:.2f} s CPU, {used[what] / floor:.2f} x the floor of {used[bare]:.2f} s "
                f"({bare}) and {used[INSERT]:.2f} s ({INSERT}), which {CORES} cores do at "
                f"{many * CORES / floor:,.0f} rows/s\n"
            )


WORK: dict[str, Callable[..., None]] = {"serve": serve, "one": one}

if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    else:
        given = [int(text) for text in sys.argv[1:3]]
        main(*given, *(1_000_000, 10_000)[len(given) :], sys.argv[3:] or WAYS)
