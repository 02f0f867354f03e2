"""Response times of the service and of bare tools: `python bench_service.py [AGENTS] [PART ...]`.

The service is a process of its own with 1,000,000 agents (give 100000 for a quick look). Its data lie in a
temporary folder; its population too, unless ``VOXPOP_HOME`` names a folder where it is already.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import httpx

from voxpop.vocabulary.filters import between, where

AGENTS, TIMES, CALLS = 1_000_000, 25, 2_000
BARE_QUERY = (
    "SELECT count(*) FROM agents WHERE country = 'USA' AND age BETWEEN {low} AND {high} "
    "AND gender = 'female' AND bmi_class IN ('obese_1', 'obese_2') AND smoking_status = 'never'"
)
BARE_ROUTE = """
import socket, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/v1/jobs/{job_id}")
async def read(job_id: str):
    return {"id": job_id, "status": "finished"}
listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listening.bind(("127.0.0.1", 0))
listening.listen(1024)
print('{"base_url": "http://127.0.0.1:%d/v1"}' % listening.getsockname()[1], flush=True)
config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none")
uvicorn.Server(config).run([listening])
"""

Work = Callable[[int], object]


def filters(number: int) -> dict[str, Any]:
    """Return a filter of five fields; another number gives another one, so that no cache answers."""
    low, high = ages(number)
    classes = ["obese_1", "obese_2"]
    asked = where(
        country="USA", age=between(low, high), gender="female", bmi_class=classes, smoking_status="never"
    )
    return asked.to_json()


def ages(number: int) -> tuple[int, int]:
    return 20 + number % 20, 45 + number // 20


def milliseconds(work: Work, first: int, times: int = TIMES) -> list[float]:
    """Return how long each of several runs takes; each gets a number of its own."""
    taken = []
    for number in range(first, first + times):
        begun = time.perf_counter()
        work(number)
        taken.append((time.perf_counter() - begun) * 1000)
    return taken


def in_turns(ours: Work, theirs: Work, first: int, times: int = TIMES) -> tuple[list[float], list[float]]:
    """Measure two ways one after the other, so that other load on the machine meets both alike."""
    pairs = [
        (milliseconds(ours, number, 1)[0], milliseconds(theirs, number, 1)[0])
        for number in range(first, first + times)
    ]
    return [one for one, _ in pairs], [other for _, other in pairs]


@contextmanager
def process(*command: str, **environ: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server and give it with the address that it prints."""
    running = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, env={**os.environ, **environ}
    )
    try:
        assert running.stdout is not None
        yield running, json.loads(running.stdout.readline())["base_url"]
    finally:
        running.terminate()
        running.wait(20)


def megabytes(running: subprocess.Popen[str]) -> float:
    """Return the memory that a process holds now, in MB."""
    asked = ["ps", "-o", "rss=", "-p", str(running.pid)]
    return int(subprocess.run(asked, capture_output=True, text=True, check=True).stdout) / 1024


def key_of(data: Path) -> str:
    """Make a key beside the running service."""
    command = [sys.executable, "-m", "voxpop", "keys", "create", "--organization", "bench"]
    command += ["--scope", "studies:read", "--scope", "studies:write", "--data", str(data)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def say(name: str, ours: list[float], target: str, other: tuple[str, list[float]] | None = None) -> float:
    """Print one line: our median and slowest time, the target, the other way; return our median."""
    middle = statistics.median(ours)
    beside = ""
    if other is not None:
        reference = statistics.median(other[1])
        beside = f"  {other[0]} {reference:.2f} ms: x {middle / reference:.2f}"
    sys.stdout.write(f"{name:42}{middle:8.2f} ms (slowest {max(ours):7.2f})  {target:16}{beside}\n")
    sys.stdout.flush()
    return middle


def counts(http: httpx.Client, bare: duckdb.DuckDBPyConnection) -> None:
    """Compare counting, and time facets."""

    def count(**more: Any) -> Callable[[int], bytes]:
        def ask(number: int) -> bytes:
            answer = http.post("/filters/count", json={"filters": filters(number), **more})
            return answer.raise_for_status().content

        return ask

    def search(number: int) -> int:
        asked = {"filters": json.dumps(filters(number)), "per_page": 1}
        return int(http.get("/agents/search", params=asked).raise_for_status().json()["total"])

    def query(number: int) -> int:
        low, high = ages(number)
        (found,) = bare.execute(BARE_QUERY.format(low=low, high=high)).fetchall()
        return int(found[0])

    assert search(1) == query(1) == json.loads(count()(1))["count"]
    query(0)
    ours, bare_times = in_turns(count(fields=[]), query, 2)
    beside = ("bare DuckDB", bare_times)
    say("count, 5 fields", ours, "<= 2.5 x bare", beside)
    say("count, 5 fields, and one facet", milliseconds(count(fields=["gender"]), 102), "", beside)
    say("count, 5 fields, and one agent (search)", milliseconds(search, 152), "", beside)
    say("facets of all fields, cold", milliseconds(count(), 202), "<= 120 ms")
    say("facets of all fields, repeated", milliseconds(lambda _: count()(202), 0), "<= 5 ms")

    def young(number: int) -> None:
        audience = {"country": "USA", "age": {"min": 18 + number % 15}}
        http.post("/filters/count", json={"filters": audience}).raise_for_status()

    say("facets of most of the USA, cold", milliseconds(young, 0, 15), "<= 120 ms")
    countries = ("USA", "Canada", "UK", "Germany", "France", "Australia", "Japan", "Brazil", "India")
    say(
        "discovery of a country, cold",
        milliseconds(
            lambda n: http.get("/filters", params={"country": countries[n]}).raise_for_status(), 0, 9
        ),
        "<= 120 ms",
    )


def recruits(http: httpx.Client) -> None:
    """Time recruiting 500, of some and of everybody."""
    for method in ("random", "stratified", "balanced"):
        for name, chosen in (("5 fields", filters), ("everybody", lambda _: {})):

            def recruit(number: int, chosen: Any = chosen, method: str = method) -> None:
                body = {"filters": chosen(number), "group_size": 500, "sample_method": method}
                http.post("/research-groups/recruit", json=body).raise_for_status()

            recruit(300)
            say(f"recruit 500, {method}, {name}", milliseconds(recruit, 301, 9), "<= 100 ms")


def socket_to(base_url: str) -> socket.socket:
    """Connect without a client library, whose own time would hide the difference."""
    place = httpx.URL(base_url)
    return socket.create_connection((place.host, place.port or 80))


def read(connection: socket.socket, job: str, headers: str) -> None:
    """Read a job over an open connection."""
    connection.sendall(f"GET /v1/jobs/{job} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
    head, _, body = connection.recv(65_536).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:")
    while len(body) < length:
        body += connection.recv(65_536)


def polls(http: httpx.Client) -> None:
    """Compare reading a job with a bare route, in turns."""
    body = {"filters": {}, "group_size": 1}
    group = http.post("/research-groups/recruit", json=body).raise_for_status().json()["group"]
    body = {"title": "t", "objective": "o", "research_group_uuid": group["uuid"]}
    study = http.post("/research-studies", json=body).raise_for_status().json()["study"]
    asked = http.post(f"/research-studies/{study['id']}/questions", json={"question": "Do you smoke?"})
    (job,) = asked.raise_for_status().json()["job_ids"]
    http.get(f"/jobs/{job}", params={"wait_seconds": 30}).raise_for_status()
    headers = f"Authorization: {http.headers['Authorization']}\r\n"
    with process("-c", BARE_ROUTE) as (_, bare), socket_to(bare) as one, socket_to(str(http.base_url)) as two:
        ours, theirs = [], []
        for _ in range(4):
            theirs += milliseconds(lambda _: read(one, job, headers), 0, CALLS // 4)
            ours += milliseconds(lambda _: read(two, job, headers), 0, CALLS // 4)
    middle = say("read one job", ours, "", ("bare FastAPI", theirs))
    share = statistics.median(theirs) / middle
    sys.stdout.write(f"{'':42}{1000 / middle:,.0f} calls/s, {share:.0%} of the bare route's (>= 50 %)\n")


def main(agents: int, *only: str) -> None:
    """Start the service and measure all, or ``only`` some: polls, counts, recruits."""
    with tempfile.TemporaryDirectory() as made:
        home = Path(os.environ.get("VOXPOP_HOME") or Path(made, "home"))
        data = Path(made, "data")
        serve = ["-m", "voxpop", "serve", "--port", "0", "--agents", str(agents), "--data", str(data)]
        begun = time.perf_counter()
        with process(*serve, VOXPOP_HOME=str(home), VOXPOP_RATE_LIVE="none") as (service, base_url):
            sys.stdout.write(f"{agents:,} agents, ready after {time.perf_counter() - begun:.1f} s, ")
            sys.stdout.write(f"{megabytes(service):,.0f} MB\n")
            headers = {"Authorization": f"Bearer {key_of(data)}"}
            (path,) = home.glob(f"**/*-{agents}.duckdb")
            with (
                httpx.Client(base_url=base_url, headers=headers, timeout=60) as http,
                duckdb.connect(str(path), read_only=True) as bare,
            ):
                if not only or "polls" in only:
                    polls(http)
                if not only or "counts" in only:
                    counts(http, bare)
                    sys.stdout.write(f"memory after counting {megabytes(service):,.0f} MB\n")
                if not only or "recruits" in only:
                    recruits(http)
                sys.stdout.write(f"memory in the end {megabytes(service):,.0f} MB\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else AGENTS, *sys.argv[2:])
