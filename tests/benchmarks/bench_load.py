"""Two hundred callers at once: `python bench_load.py [SECONDS] [CALLERS]`, 60 seconds and 200 callers.

Each caller asks a group of ten, waits for the last answer (a held call), reads the question and the group,
counts an audience, and begins again at once: asks, polls and reads in turns, without a pause. First one
process on SQLite, then two services and two workers on PostgreSQL with the callers spread over both, then a
service that takes few calls at once, whose callers come again when they are told to.

Of each: calls a second, the median and the 99th percentile of each kind of call, statuses, and the memory of
all processes over time. The callers run on the same cores as what they call.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
os.environ.setdefault("VOXPOP_HOME", tempfile.mkdtemp(prefix="voxpop-bench-"))

import httpx
from errands import AGENTS, SETTINGS, Site

from machines import Machine, cluster

SIZE = 10
SETTINGS["VOXPOP_TAKEOVER"] = "30"


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass
class Seen:
    """Response times and errors seen by the callers."""

    taken: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[int] = field(default_factory=Counter)
    without_a_word: int = 0  # refusals that did not say when to come again
    rounds: int = 0


class Caller:
    """One caller on one line, who sends the next call when the last one is answered."""

    def __init__(self, address: str, key: str, seen: Seen) -> None:
        place = httpx.URL(address)
        self._host, self._port = place.host, place.port
        self._head = f"Host: bench\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
        self._seen = seen
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, kind: str, method: str, path: str, body: Any = None) -> Any:
        """Make a call again and again until it is taken, and note how long the one took that was."""
        while True:
            begun = time.perf_counter()
            status, headers, content = await self._send(method, path, body)
            self._seen.statuses[status] += 1
            if status not in (429, 503):
                self._seen.taken[kind].append(time.perf_counter() - begun)
                return json.loads(content)
            self._seen.without_a_word += "retry-after" not in headers
            await asyncio.sleep(float(headers.get("retry-after", 1)))

    async def _send(self, method: str, path: str, body: Any) -> tuple[int, dict[str, str], bytes]:
        if self._line is None:
            self._line = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._line
        content = b"" if body is None else json.dumps(body).encode()
        length = f"Content-Length: {len(content)}\r\n" if content else ""
        writer.write(f"{method} /v1{path} HTTP/1.1\r\n{self._head}{length}\r\n".encode() + content)
        first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in rest if line)
        answer = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return int(first.split()[1]), headers, answer

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line[1].close()
            self._line = None


async def work(caller: Caller, number: int, group: int, ends: float, seen: Seen) -> None:
    """Ask, wait, read, count, over and over."""
    count = 0
    try:
        while time.perf_counter() < ends:
            text = {"question": f"Do you smoke? {number} {count}"}
            asked = await caller.call("ask", "POST", f"/research-groups/{group}/questions", text)
            last, status = asked["job_ids"][-1], "started"
            while status == "started":
                polled = await caller.call("poll, held", "GET", f"/jobs/{last}?wait_seconds=20")
                status = polled["status"]
            assert status == "finished", polled
            await caller.call("poll", "GET", f"/jobs/{asked['job_ids'][0]}")
            await caller.call("read question", "GET", f"/direct-questions/{asked['question_uuid']}")
            await caller.call("read group", "GET", f"/research-groups/{group}")
            audience = {"country": "USA", "age": {"min": 18 + count % 40}}
            await caller.call("count", "POST", "/filters/count", {"filters": audience, "fields": []})
            count += 1
            seen.rounds += 1
    finally:
        caller.close()


def megabytes(pids: Sequence[int]) -> float:
    """Return the memory that processes hold now, in MB."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def crowd(
    addresses: Sequence[str], key: str, group: int, callers: int, seconds: float, pids: Sequence[int]
) -> tuple[Seen, list[float]]:
    """Let the callers loose; return what they have seen, and the memory a quarter in and at the end."""
    seen, ends, memory = Seen(), time.perf_counter() + seconds, []

    async def weigh() -> None:
        for share in (0.25, 0.5, 0.75):
            await asyncio.sleep(max(0.0, ends - (1 - share) * seconds - time.perf_counter()))
            memory.append(megabytes(pids))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(weigh())
        for number in range(callers):
            caller = Caller(addresses[number % len(addresses)], key, seen)
            tasks.create_task(work(caller, number, group, ends, seen))
    memory.append(megabytes(pids))
    return seen, memory


def report(name: str, seen: Seen, memory: list[float], seconds: float) -> None:
    """Print what was seen."""
    total = sum(len(times) for times in seen.taken.values())
    answers = seen.rounds * SIZE / seconds
    say(f"\n{name}: {total / seconds:,.0f} calls/s, {answers:,.0f} answers/s")
    statuses = ", ".join(f"{count:,} x {status}" for status, count in sorted(seen.statuses.items()))
    say(f"  {statuses}; refusals without Retry-After: {seen.without_a_word}")
    for kind, times in seen.taken.items():
        cuts = quantiles(times, n=100)
        half, most = cuts[49] * 1000, cuts[98] * 1000
        say(f"  {kind:14}{len(times):>7,} calls   p50 {half:>6,.0f} ms   p99 {most:>6,.0f} ms")
    say(f"  memory of all processes {' -> '.join(f'{each:,.0f}' for each in memory)} MB")


def measure(name: str, site: Site, seconds: float, callers: int, more: Sequence[Machine] = ()) -> None:
    """Run the callers against a site, and look at how it is afterwards."""
    key = site.http.headers["Authorization"].removeprefix("Bearer ")
    body = {"filters": {}, "group_size": SIZE}
    group = site.http.post("/research-groups/recruit", json=body).raise_for_status().json()["group"]["id"]
    addresses = [str(site.http.base_url), *(one.ready["base_url"] for one in more)]
    machines = [site.service, *site.workers, *more]
    pids = [machine.pid for machine in machines]
    begun = time.perf_counter()
    seen, memory = asyncio.run(crowd(addresses, key, group, callers, seconds, pids))
    report(name, seen, memory, time.perf_counter() - begun)
    begun = time.perf_counter()
    site.http.get("/research-groups").raise_for_status()
    say(f"  a call right afterwards {1000 * (time.perf_counter() - begun):.0f} ms")
    assert not [status for status in seen.statuses if status >= 500 and status != 503], seen.statuses
    assert seen.without_a_word == 0


def main(seconds: float, callers: int) -> None:
    SETTINGS["VOXPOP_DATABASE_CONNECTIONS"] = (
        "8"  # of each of four processes; the server of the tests takes 60
    )
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        site = Site(folder / "one")
        measure(f"One process on SQLite, {callers} callers", site, seconds, callers)
        site.close()
        with cluster() as server:
            site = Site(folder / "four", server, workers=2)
            options = ("--port", "0", "--agents", AGENTS, *site.place, "--no-work")
            second = Machine(folder / "second", "serve", *options, **SETTINGS).start()
            measure("Two services and two workers on PostgreSQL", site, seconds, callers, [second])
            second.kill()
            site.close()
        SETTINGS["VOXPOP_OPEN_CALLS"] = str(callers // 8)
        site = Site(folder / "few")
        measure(f"One process that takes {callers // 8} calls at once", site, seconds / 2, callers)
        site.close()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0, int(sys.argv[2]) if len(sys.argv) > 2 else 200)
