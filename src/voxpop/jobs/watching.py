"""Prometheus metrics of a process: calls, work items and waiting work.

The metrics contain no organization, key or text, so readers learn only how busy a service is. They are
collected only on request, and served on a separate port.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from voxpop.errors import ServiceStartError, Unavailable
from voxpop.jobs.readiness import Ready
from voxpop.records import work_items
from voxpop.records.database import Database
from voxpop.version import __version__

_CALL_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_ITEM_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_LOOK_EVERY_S = 2.0
_PATIENCE_S = 3.0


class Watch:
    """Metrics of one process.

    Parameters
    ----------
    program
        ``service`` or ``worker``.
    """

    def __init__(self, program: str) -> None:
        self.registry: CollectorRegistry = CollectorRegistry()
        registry = self.registry
        ProcessCollector(registry=registry)
        told = Info("voxpop", "Version and program of this process.", registry=registry)
        told.info({"version": __version__, "program": program})
        self._calls = Histogram(
            "voxpop_http_request_seconds",
            "Duration of calls by route and status, including time held open by wait_seconds.",
            ("method", "route", "status"),
            buckets=_CALL_S,
            registry=registry,
        )
        self.open_calls: Gauge = Gauge(
            "voxpop_http_requests_open", "Calls being answered.", registry=registry
        )
        self._waits = Histogram(
            "voxpop_wait_seconds",
            "Time that calls waited for a thread, a write (SQLite) or an upload slot.",
            ("kind",),
            buckets=_CALL_S,
            registry=registry,
        )
        self._refusals = Counter(
            "voxpop_refusals",
            "Calls, uploads or holds (long polls) refused above an organization's share.",
            ("kind",),
            registry=registry,
        )
        self._items = Histogram(
            "voxpop_work_item_seconds",
            "Duration of work item runs by kind and outcome.",
            ("kind", "outcome"),
            buckets=_ITEM_S,
            registry=registry,
        )
        self._answers = Counter(
            "voxpop_answers", "Answers of agents by outcome.", ("outcome",), registry=registry
        )
        self.open_items: Gauge = Gauge(
            "voxpop_work_items_open", "Work items running in this process.", registry=registry
        )

    def call(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a call; ``route`` is the path template of the API description."""
        self._calls.labels(method, route, str(status)).observe(seconds)

    def wait(self, kind: str, seconds: float) -> None:
        """Count a wait for a turn."""
        self._waits.labels(kind).observe(seconds)

    def refusal(self, kind: str) -> None:
        """Count a call refused because its organization had used up its share."""
        self._refusals.labels(kind).inc()

    def item(self, kind: str, outcome: str, seconds: float, answered: int, failed: int) -> None:
        """Count a run of a work item and the answers it stored."""
        self._items.labels(kind, outcome).observe(seconds)
        self._answers.labels("answered").inc(answered)
        self._answers.labels("failed").inc(failed)

    def look_at(self, database: Database) -> None:
        """Export the waiting work of a database as well."""
        self.registry.register(_Waiting(database))


class _Waiting(Collector):
    """Queries the database on demand, at most every two seconds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._seen: work_items.Backlog | None = None
        self._until = 0.0

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that registration does not query the database."""
        return []

    def collect(self) -> Iterable[Metric]:
        """Yield the waiting work, and whether the database could be queried."""
        with self._lock:
            if time.monotonic() >= self._until:
                try:
                    with self._database.read() as c:
                        self._seen = work_items.backlog(c)
                except Unavailable:
                    self._seen = None
                self._until = time.monotonic() + _LOOK_EVERY_S
            seen = self._seen
        yield _gauge("voxpop_database_up", "1 while the database can be read.", float(seen is not None))
        if seen is not None:
            yield _gauge("voxpop_work_items_waiting", "Unclaimed work items.", seen.waiting)
            yield _gauge("voxpop_work_items_claimed", "Claimed work items.", seen.claimed)
            yield _gauge("voxpop_work_organizations", "Organizations with work.", seen.organizations)
            yield _gauge("voxpop_work_oldest_seconds", "Age of the oldest unfinished work.", seen.oldest_s)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=value)


class WatchServer:
    """Serves ``/metrics``, ``/livez`` and ``/readyz`` on a separate port until :meth:`stop`.

    Attributes
    ----------
    root_url : str
        ``http://host:port``.

    Raises
    ------
    ServiceStartError
        The address cannot be used.
    """

    def __init__(self, watch: Watch, ready: Callable[[], Ready], *, host: str, port: int) -> None:
        handler = type("Handler", (_Handler,), {"watch": watch, "ready": staticmethod(ready)})
        try:
            self._server = _Listener((host, port), handler)
        except (OSError, OverflowError) as error:
            raise ServiceStartError(f"The metrics cannot be served on {host}:{port}: {error}.") from error
        self.root_url: str = f"http://{host}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="voxpop-metrics", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(2.0)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of connections closed by the caller."""


class _Handler(BaseHTTPRequestHandler):
    watch: Watch
    ready: Callable[[], Ready]
    timeout = _PATIENCE_S  # time limit for a caller to send its request
    server_version, sys_version = "voxpop", ""

    def do_GET(self) -> None:
        """Answer a call."""
        path = self.path.partition("?")[0]
        if path == "/metrics":
            self._send(200, generate_latest(self.watch.registry), CONTENT_TYPE_PLAIN_0_0_4)
        elif path == "/livez":
            self._send(200, msgspec.json.encode({"status": "ok"}))
        elif path == "/readyz":
            ready = self.ready()
            self._send(200 if ready.status == "ok" else 503, msgspec.json.encode(ready))
        else:
            told = {"error": {"code": "not_found", "message": "Only /metrics, /livez and /readyz."}}
            self._send(404, msgspec.json.encode(told))

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: monitoring calls every few seconds."""
