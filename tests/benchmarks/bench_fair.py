"""Fairness between the callers of a service: `python bench_fair.py [SECONDS] [sqlite|postgres|both]`.

Three rounds against a real service, with callers on real sockets:

- mixed callers of four organizations, 1, 8 and 32 at once: each asks a group of ten, recruits fifty agents
  and reads a group, over and over. Printed: median, 95th percentile and maximum of each kind of call.
- uploads: twenty of 10 MB at a time by one organization, and beside them one caller of another.
- held polls: 1,100 of one key, and beside them one caller of another.

The callers run on the same cores as the service, so read the figures as ratios within one run.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
os.environ.setdefault("VOXPOP_HOME", tempfile.mkdtemp(prefix="voxpop-bench-"))

import httpx
from errands import SETTINGS, Site

from machines import cluster
from media_files import png, upload_body

ORGANIZATIONS = ("acme", "birch", "cedar", "dune")
UPLOADS, UPLOAD_BYTES = 20, 10_000_000
HELD = 1_100
SETTINGS["VOXPOP_TAKEOVER"] = "30"

Times = dict[str, list[float]]


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Line:
    """One connection to a service, on which one call follows another."""

    def __init__(self, address: str, key: str) -> None:
        place = httpx.URL(address)
        self._host, self._port = place.host, place.port
        self._head = f"Host: bench\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        """Send a call and return status, headers and body of its answer."""
        if self._open is None:
            self._open = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._open
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        length = f"Content-Length: {len(content)}\r\n" if content else ""
        writer.write(f"{method} /v1{path} HTTP/1.1\r\n{self._head}{length}\r\n".encode() + content)
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in rest if line)
        answer = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return int(first.split()[1]), headers, answer

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open[1].close()
            self._open = None


async def mixed(line: Line, number: int, group: int, until: Callable[[], bool], taken: Times) -> Counter[int]:
    """Ask, recruit and read in turns; note how long each call took."""
    statuses: Counter[int] = Counter()

    async def timed(kind: str, method: str, path: str, body: Any = None) -> None:
        begun = time.perf_counter()
        status, headers, _ = await line.call(method, path, body)
        statuses[status] += 1
        if status in (429, 503):
            await asyncio.sleep(float(headers["retry-after"]))
        else:
            taken[kind].append(time.perf_counter() - begun)

    count = number
    while until():
        question = {"question": f"Do you smoke? {number} {count}"}
        audience = {"filters": {"country": "USA", "age": {"min": 18 + count % 40}}, "group_size": 50}
        await timed("ask", "POST", f"/research-groups/{group}/questions", question)
        await timed("recruit", "POST", "/research-groups/recruit", audience)
        await timed("read", "GET", f"/research-groups/{group}")
        count += 1
    line.close()
    return statuses


def report(name: str, taken: Times, statuses: Counter[int]) -> None:
    """Print the median and the 95th percentile of each kind of call."""
    told = []
    for kind, times in taken.items():
        cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 100
        told.append(f"{kind} {1000 * cuts[49]:,.0f} / {1000 * cuts[94]:,.0f} / {1000 * max(times):,.0f}")
    shown = ", ".join(f"{count:,} x {status}" for status, count in sorted(statuses.items()))
    say(f"  {name:24} p50 / p95 / max ms: {'; '.join(told)}   ({shown})")


def groups_of(address: str, keys: Sequence[str]) -> list[int]:
    """Recruit a group of ten for each key."""
    body = {"filters": {}, "group_size": 10}
    made = []
    for key in keys:
        with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
            answer = http.post("/research-groups/recruit", json=body).raise_for_status()
            made.append(answer.json()["group"]["id"])
    return made


async def crowd(
    address: str, keys: Sequence[str], groups: Sequence[int], callers: int, until: Callable[[], bool]
) -> tuple[Times, Counter[int]]:
    """Let so many mixed callers loose, spread over the keys."""
    taken: Times = defaultdict(list)
    places = [number % len(keys) for number in range(callers)]
    seen = await asyncio.gather(
        *(
            mixed(Line(address, keys[place]), number, groups[place], until, taken)
            for number, place in enumerate(places)
        )
    )
    return taken, sum(seen, Counter())


def for_seconds(seconds: float) -> Callable[[], bool]:
    """Return what says whether that time is not over yet."""
    ends = time.perf_counter() + seconds
    return lambda: time.perf_counter() < ends


def upload_round(address: str, key: str, seconds: float, results: Any) -> None:
    """Upload twenty files at a time, in a process of its own, and tell how long each took."""
    body = json.dumps(upload_body(data=png(padding=UPLOAD_BYTES))).encode()
    times: list[float] = []
    statuses: Counter[int] = Counter()
    until = for_seconds(seconds)

    async def upload() -> None:
        line, first = Line(address, key), True
        while first or until():
            first = False
            begun = time.perf_counter()
            status, headers, _ = await line.call("POST", "/media-assets", body)
            statuses[status] += 1
            if status == 201:
                times.append(time.perf_counter() - begun)
            else:
                await asyncio.sleep(float(headers.get("retry-after", 1)))
        line.close()

    async def all_of_them() -> None:
        await asyncio.gather(*(upload() for _ in range(UPLOADS)))

    asyncio.run(all_of_them())
    results.put((times, statuses))


def memory(pid: int) -> tuple[float, float]:
    """Return the memory of a process now and at its highest, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.startswith("Vm")}
    return found["VmRSS"], found["VmHWM"]


def beside_uploads(site: Site, keys: Sequence[str], groups: Sequence[int], seconds: float) -> None:
    """Measure one caller's calls while another organization uploads."""
    address, results = str(site.http.base_url), multiprocessing.get_context("spawn").Queue()
    before = memory(site.service.pid)[0]
    uploads = multiprocessing.get_context("spawn").Process(
        target=upload_round, args=(address, keys[0], seconds, results)
    )
    uploads.start()
    taken, statuses = asyncio.run(crowd(address, keys[1:2], groups[1:2], 1, results.empty))
    times, uploaded = results.get()
    uploads.join()
    report("beside 20 uploads", taken, statuses)
    report("uploads of 10 MB", {"upload": times}, uploaded)
    say(f"  memory {before:,.0f} MB, at most {memory(site.service.pid)[1]:,.0f} MB")


async def beside_polls(
    address: str, keys: Sequence[str], group: int, jobs: Sequence[str], seconds: float
) -> None:
    """Measure one caller's calls while another key holds polls."""
    statuses: Counter[int] = Counter()

    async def poll(number: int) -> None:
        line = Line(address, keys[0])
        while True:
            status, headers, _ = await line.call("GET", f"/jobs/{jobs[number % len(jobs)]}?wait_seconds=60")
            statuses[status] += 1
            await asyncio.sleep(float(headers.get("retry-after", 1)))

    polls = [asyncio.create_task(poll(number)) for number in range(HELD)]
    await asyncio.sleep(4.0)  # until the crowd has arrived
    taken: Times = defaultdict(list)
    seen = await mixed(Line(address, keys[1]), 0, group, for_seconds(seconds), taken)
    for each in polls:
        each.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*polls)
    report(f"beside {HELD:,} held polls", taken, seen)
    say(f"  the polls: {', '.join(f'{count:,} x {status}' for status, count in sorted(statuses.items()))}")


@contextmanager
def silent_model() -> Iterator[str]:
    """Give the address of a language model that never answers, so that jobs stay unfinished."""
    import socket

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(1_000)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        listening.close()


def measure(name: str, folder: Path, seconds: float, server: Any = None) -> None:
    """Run the three rounds."""
    say(name)
    site = Site(folder / "mixed", server, workers=None)
    keys, address = [site.key(organization) for organization in ORGANIZATIONS], str(site.http.base_url)
    groups = groups_of(address, keys)
    asyncio.run(crowd(address, keys, groups, 32, for_seconds(2.0)))  # opens threads and connections
    for callers in (1, 8, 32):
        report(
            f"{callers} mixed callers",
            *asyncio.run(crowd(address, keys, groups, callers, for_seconds(seconds))),
        )
    site.close()
    site = Site(folder / "uploads", server, workers=None)
    keys, address = [site.key(organization) for organization in ORGANIZATIONS], str(site.http.base_url)
    beside_uploads(site, keys, groups_of(address, keys), seconds)
    site.close()
    with silent_model() as model:
        SETTINGS.update(VOXPOP_ENGINE="openai:silent", VOXPOP_ENGINE_URL=model, VOXPOP_ENGINE_KEY="none")
        site = Site(folder / "polls", server, workers=None)
        keys, address = [site.key(organization) for organization in ORGANIZATIONS], str(site.http.base_url)
        groups = groups_of(address, keys)
        head = {"Authorization": f"Bearer {keys[0]}"}
        asked = httpx.post(
            f"{address}research-groups/{groups[0]}/questions",
            json={"question": "Do you smoke?"},
            headers=head,
        )
        jobs: list[str] = asked.raise_for_status().json()["job_ids"]
        asyncio.run(beside_polls(address, keys, groups[1], jobs, seconds))
        site.service.kill()
        site.close()
        for setting in ("VOXPOP_ENGINE", "VOXPOP_ENGINE_URL", "VOXPOP_ENGINE_KEY"):
            del SETTINGS[setting]


def main(seconds: float, which: str) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if which in ("sqlite", "both"):
            measure("SQLite, one process", folder / "one", seconds)
        if which in ("postgres", "both"):
            with cluster() as server:
                measure("PostgreSQL, one process that works too", folder / "server", seconds, server)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 6.0, sys.argv[2] if len(sys.argv) > 2 else "both")
