"""Batches of model calls, which providers answer within a day at half the price.

Requests are gathered, sent together and awaited. What was sent is kept in files, so that a later process that
asks for the same text awaits the same batch instead of sending it again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai.models import Model
from pydantic_ai.models.batch import Batch, BatchResult, EncodedBatchRequest

from voxpop.engines.answer_cache import AnswerCache
from voxpop.engines.model_pacing import pause
from voxpop.engines.model_trouble import WIRE_TROUBLE, Trouble

logger = logging.getLogger(__name__)

GATHER_S = 0.5
"""Pause without a new request after which a batch is sent, in seconds."""

FIRST_POLL_S, LAST_POLL_S = 1.0, 600.0
"""First and longest pause between two looks at a batch, in seconds; it grows by half each time."""

MOST_FAILED_LOOKS = 20
"""Number of failed looks in a row after which a batch is given up."""

LONGEST_KEPT = timedelta(days=28)
"""Age at which a batch is forgotten; providers keep results for 29 or 30 days."""

_BATCH = TypeAdapter(Batch)
_REFUSALS = (400, 401, 403, 404)


class Batches:
    """Sends requests in batches and returns the result of each; for one event loop.

    Parameters
    ----------
    model
        The library's model.
    folder
        Keeps the batches that are under way, one file each.
    name
        Name of the engine, for the log.
    """

    def __init__(self, model: Model, folder: Path, name: str) -> None:
        self._model = model
        self._folder = folder
        self._files = AnswerCache(folder)
        self._name = name
        self._batches: dict[str, Batch] = {}
        self._ids: dict[str, set[str]] = {}  # of each batch
        self._unsent: dict[str, EncodedBatchRequest] = {}
        self._awaited: dict[str, list[asyncio.Future[BatchResult]]] = {}
        self._watchers: dict[str, asyncio.Task[None]] = {}
        self._sender: asyncio.Task[None] | None = None
        self._take_up()

    async def result(self, request: EncodedBatchRequest) -> BatchResult:
        """Return the result of a request, from a batch that has it already or from a new one.

        Raises
        ------
        Trouble
            The batch could not be sent, or was lost.
        """
        future: asyncio.Future[BatchResult] = asyncio.get_running_loop().create_future()
        self._awaited.setdefault(request.custom_id, []).append(future)
        if not self._watched(request.custom_id):
            self._unsent[request.custom_id] = request
            if self._sender is None or self._sender.done():
                self._sender = asyncio.create_task(self._send_all())
        return await future

    def _watched(self, custom_id: str) -> bool:
        """Return whether a batch that is under way has a request; it is then looked at."""
        batch_id = next((one for one, ids in self._ids.items() if custom_id in ids), None)
        if batch_id is None:
            return False
        if batch_id not in self._watchers or self._watchers[batch_id].done():
            self._watchers[batch_id] = asyncio.create_task(self._await(batch_id))
        return True

    async def _send_all(self) -> None:
        """Send all requests once no new one has come for a while."""
        while self._unsent:
            count = 0
            while count != len(self._unsent):
                count = len(self._unsent)
                await pause(GATHER_S)
            self._take_up()  # another process may have sent some, and ended
            for custom_id in [one for one in self._unsent if self._watched(one)]:
                del self._unsent[custom_id]
            part = self._next_part()
            for request in part:
                del self._unsent[request.custom_id]
            if not part:
                return
            try:
                batch = await self._model.batch_create(part)
            except Exception as error:  # the library passes on the errors of several providers
                self._fail([request.custom_id for request in part], _trouble(error))
                continue
            self._batches[batch.id] = batch
            self._ids[batch.id] = {request.custom_id for request in part}
            self._keep(batch.id)
            logger.info("%s: batch %s of %s texts was sent.", self._name, batch.id, len(part))
            self._watched(part[0].custom_id)

    def _next_part(self) -> list[EncodedBatchRequest]:
        """Return as many requests as one batch may hold."""
        most, room = self._model.batch_max_requests or 1, self._model.batch_max_bytes
        part: list[EncodedBatchRequest] = []
        for request in self._unsent.values():
            size = self._model.batch_request_size(request)
            other = part and request.group != part[0].group
            if other or len(part) == most or (part and room is not None and size > room):
                break
            part.append(request)
            room = None if room is None else room - size
        return part

    async def _await(self, batch_id: str) -> None:
        """Look at a batch until it has ended, and pass its results on."""
        wait, failed = FIRST_POLL_S, 0
        while True:
            try:
                batch = await self._model.batch_status(self._batches[batch_id])
                results = await self._model.batch_results(batch) if batch.status == "ended" else None
                failed = 0
            except Exception as error:  # the next look may succeed
                failed += 1
                trouble = _trouble(error)
                logger.warning("%s: batch %s cannot be read: %s", self._name, batch_id, trouble.message)
                if trouble.for_all or failed >= MOST_FAILED_LOOKS:
                    self._fail(self._forget(batch_id), trouble)
                    return
            else:
                self._batches[batch_id] = batch
                if results is not None:
                    self._deliver(batch_id, results)
                    return
            await pause(wait)
            wait = min(LAST_POLL_S, wait * 1.5)

    def _deliver(self, batch_id: str, results: Sequence[BatchResult]) -> None:
        """Pass results on; what nobody has asked for yet stays in the file."""
        found = {one.custom_id: one for one in results}
        for custom_id in sorted(self._ids[batch_id]):
            futures = self._awaited.pop(custom_id, [])
            if not futures:
                continue
            self._ids[batch_id].discard(custom_id)
            result = found.get(custom_id, BatchResult(custom_id=custom_id, status="expired"))
            for future in futures:
                if not future.done():
                    future.set_result(result)
        if self._ids[batch_id]:
            self._keep(batch_id)
        else:
            self._forget(batch_id)

    def _fail(self, custom_ids: Sequence[str], trouble: Trouble) -> None:
        for custom_id in custom_ids:
            for future in self._awaited.pop(custom_id, []):
                if not future.done():
                    future.set_exception(trouble)

    def _keep(self, batch_id: str) -> None:
        batch = json.loads(_BATCH.dump_json(self._batches[batch_id]))
        self._files.put(_file(batch_id), {"batch": batch, "ids": sorted(self._ids[batch_id])})

    def _forget(self, batch_id: str) -> list[str]:
        """Forget a batch, and return the ids of its requests."""
        self._path(batch_id).unlink(missing_ok=True)
        self._batches.pop(batch_id, None)
        return sorted(self._ids.pop(batch_id, ()))

    def _take_up(self) -> None:
        """Read the batches that other processes have sent."""
        for path in self._folder.glob("*/*.json"):
            try:
                kept = self._files.get(path.stem) or {}
                batch, ids = _BATCH.validate_python(kept["batch"]), set(kept["ids"])
            except (KeyError, TypeError, ValueError):
                logger.warning("%s: the file %s of a batch cannot be read; it is left out.", self._name, path)
                continue
            if datetime.now(UTC) - batch.created_at > LONGEST_KEPT:
                path.unlink(missing_ok=True)
            elif batch.id not in self._ids:
                self._batches[batch.id], self._ids[batch.id] = batch, ids

    def _path(self, batch_id: str) -> Path:
        name = _file(batch_id)
        return self._folder / name[:2] / f"{name}.json"


def _file(batch_id: str) -> str:
    return "".join(mark if mark.isalnum() or mark in "-_" else "-" for mark in batch_id)


def _trouble(error: Exception) -> Trouble:
    """Return the trouble for an error of sending or reading a batch."""
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    shown = f" ({status})" if status is not None else ""
    if status in _REFUSALS:
        return Trouble("engine_refused", f"The provider refuses the batch{shown}.", for_all=True)
    logger.info("The batch failed.", exc_info=error)
    return Trouble(WIRE_TROUBLE, f"The batch could not be sent or read{shown}.", again=True)
