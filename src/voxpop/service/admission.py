"""Admission control: open calls, held polls, uploads and threads, shared fairly among tenants.

A tenant is an organization, or an address while its key is not known. Whoever is alone may use the whole
capacity. Once it is used up, a tenant below its equal share is let in all the same, and one above it is not:
so no tenant can shut out another, and there are never more than twice as many as the capacity.

All of it belongs to the event loop of the service and needs no locks.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from fastapi.concurrency import run_in_threadpool as run_in_thread
from starlette.exceptions import HTTPException
from starlette.types import Scope

from voxpop.records.write_turns import write_as

P = ParamSpec("P")
T = TypeVar("T")
Seen = Callable[[str, float], None]

THREADS = 32
"""How many calls work in threads at once; the framework's pool has 40, the others are for streams."""

DECODED = 2
"""How many uploads are decoded and stored at once: each takes up to five times its size in memory."""

UPLOADS = 64
"""How many uploads are received at once; each is a temporary file of 27 MB at most."""

_HELD_SHARE = 0.75  # of the open calls; the others are for calls that have work to do
_BEARER = b"bearer "
_MOST_KNOWN = 10_000
_LOOKS = 500.0  # a second, of all held polls together


class Share:
    """Counts what tenants have open of a capacity, and says who may open one more.

    Parameters
    ----------
    most
        The capacity; None is no limit.

    Examples
    --------
    >>> share = Share(4)
    >>> [share.enter("a") for _ in range(5)]
    [True, True, True, True, False]
    >>> [share.enter("b") for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, most: int | None) -> None:
        self._most = most if most is not None else sys.maxsize
        self._open: Counter[Hashable] = Counter()
        self.total: int = 0

    def open(self, tenant: Hashable) -> int:
        """Return how many a tenant has open."""
        return self._open.get(tenant, 0)

    def share(self, tenant: Hashable) -> int:
        """Return the equal share of a tenant among all that have something open."""
        return max(1, self._most // (len(self._open) + (tenant not in self._open)))

    def enter(self, tenant: Hashable) -> bool:
        """Open one for a tenant; False when the capacity is used up and the tenant has its share."""
        if self.total >= self._most and self.open(tenant) >= self.share(tenant):
            return False
        self._open[tenant] += 1
        self.total += 1
        return True

    def leave(self, tenant: Hashable) -> None:
        """Close one."""
        self.total -= 1
        self._open[tenant] -= 1
        if not self._open[tenant]:
            del self._open[tenant]

    def tenants(self) -> int:
        """Return how many tenants have something open."""
        return len(self._open)

    def largest(self) -> Hashable:
        """Return the tenant with the most open."""
        return max(self._open, key=self._open.__getitem__)


class Slots:
    """A number of slots, of which the next free one goes to the waiting tenant that has the fewest.

    Tenants with equally many take turns; the calls of one tenant go first come, first served.

    Parameters
    ----------
    count
        How many slots there are.
    waited
        Called with the seconds that a call has waited for its slot.
    """

    def __init__(self, count: int, waited: Callable[[float], None] = lambda _: None) -> None:
        self._free = count
        self._waited = waited
        self._taken: Counter[Hashable] = Counter()
        self._lines: dict[Hashable, deque[asyncio.Future[None]]] = {}  # in the order of their turns

    @asynccontextmanager
    async def slot(self, tenant: Hashable) -> AsyncIterator[None]:
        """Hold a slot for as long as the block takes."""
        await self.acquire(tenant)
        try:
            yield
        finally:
            self.release(tenant)

    async def acquire(self, tenant: Hashable) -> None:
        """Wait for a slot."""
        if self._free and not self._lines:
            self._take(tenant)
            self._waited(0.0)
            return
        begun = time.monotonic()
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(tenant, deque()).append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # it was given the slot in the same moment
                self.release(tenant)
            else:
                self._forget(tenant, mine)
            raise
        self._waited(time.monotonic() - begun)

    def release(self, tenant: Hashable) -> None:
        """Give a slot back, and hand it on."""
        self._free += 1
        self._taken[tenant] -= 1
        if not self._taken[tenant]:
            del self._taken[tenant]
        while self._free and self._lines:
            chosen = min(self._lines, key=lambda each: self._taken.get(each, 0))
            line = self._lines.pop(chosen)
            following = line.popleft()
            if line:
                self._lines[chosen] = line  # behind the others
            self._take(chosen)
            following.set_result(None)

    def _take(self, tenant: Hashable) -> None:
        self._free -= 1
        self._taken[tenant] += 1

    def _forget(self, tenant: Hashable, mine: asyncio.Future[None]) -> None:
        line = self._lines[tenant]
        line.remove(mine)
        if not line:
            del self._lines[tenant]


class Hold:
    """A poll that is held open.

    Attributes
    ----------
    over : asyncio.Event
        Set when it has to make room for another tenant's.
    """

    def __init__(self, holds: Holds, tenant: Hashable) -> None:
        self.over: asyncio.Event = asyncio.Event()
        self._holds = holds
        self._tenant = tenant

    def pause(self, step: float) -> float:
        """Return how long to wait before the next look, in seconds, at least ``step``.

        All held polls together look :data:`_LOOKS` times a second at most, and tenants share that too.
        """
        return max(step, self._holds.share.open(self._tenant) * self._holds.share.tenants() / _LOOKS)


class Holds:
    """The polls that are held open: beyond its share, a tenant's are answered at once.

    Parameters
    ----------
    most
        How many are held at once; None is no limit.
    refused
        Called for each that is not held, or not any longer.
    """

    def __init__(self, most: int | None, refused: Callable[[], None] = lambda: None) -> None:
        self.share: Share = Share(most)
        self._most = most
        self._refused = refused
        self._held: dict[Hashable, dict[Hold, None]] = {}  # of each tenant, the oldest first

    @contextmanager
    def hold(self, tenant: Hashable) -> Iterator[Hold | None]:
        """Hold a poll for as long as the block takes; gives None where it is to be answered at once."""
        if not self.share.enter(tenant):
            self._refused()
            yield None
            return
        mine = Hold(self, tenant)
        self._held.setdefault(tenant, {})[mine] = None
        if self._most is not None and self.share.total > self._most:
            self._make_room()
        try:
            yield mine
        finally:
            self.share.leave(tenant)
            self._drop(tenant, mine)

    def _make_room(self) -> None:
        """End the oldest poll of the tenant that holds the most."""
        largest = max(self._held, key=lambda tenant: len(self._held[tenant]))
        oldest = next(iter(self._held[largest]))
        self._drop(largest, oldest)
        self._refused()
        oldest.over.set()

    def _drop(self, tenant: Hashable, hold: Hold) -> None:
        held = self._held.get(tenant, {})
        held.pop(hold, None)
        if not held:
            self._held.pop(tenant, None)


class Admission:
    """What a service shares among its tenants.

    Parameters
    ----------
    open_calls
        How many calls are answered at once; None is no limit.
    threads
        How many of them work in threads at once.
    refused, waited
        Called with the kind of thing for each refusal, and for each wait with its seconds too.

    Attributes
    ----------
    calls, uploads : Share
        Open calls, and files that are received.
    threads, decoding : Slots
        Threads of calls, and uploads that are decoded and stored.
    holds : Holds
        Held polls.
    """

    def __init__(
        self,
        open_calls: int | None = None,
        *,
        threads: int = THREADS,
        refused: Callable[[str], None] = lambda _: None,
        waited: Seen = lambda _, __: None,
    ) -> None:
        self._refused = refused
        self._known: dict[bytes, Hashable] = {}
        self.calls: Share = Share(open_calls)
        self.uploads: Share = Share(UPLOADS if open_calls is None else min(UPLOADS, open_calls))
        self.threads: Slots = Slots(threads, lambda seconds: waited("thread", seconds))
        self.decoding: Slots = Slots(DECODED, lambda seconds: waited("upload", seconds))
        held = None if open_calls is None else max(1, round(_HELD_SHARE * open_calls))
        self.holds: Holds = Holds(held, lambda: refused("hold"))

    def tenant_of(self, scope: Scope) -> Hashable:
        """Return the organization of a key that was good before, and of any other call the address."""
        for name, value in scope["headers"]:
            if name == b"authorization":
                known = self._known.get(hashlib.sha256(value[len(_BEARER) :].strip()).digest())
                if known is not None and value[: len(_BEARER)].lower() == _BEARER:
                    return known
        client = scope.get("client")
        return ("address", client[0] if client else "")

    def know(self, digest: bytes, tenant: Hashable) -> None:
        """Remember whose key it is, by its SHA-256."""
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[digest] = tenant

    def enter(self, tenant: Hashable) -> Ticket | None:
        """Let a call in; None when its tenant has its share of a full service."""
        if not self.calls.enter(tenant):
            self._refused("call")
            return None
        return Ticket(self, tenant)

    @contextmanager
    def upload(self, tenant: Hashable) -> Iterator[None]:
        """Receive a file for as long as the block takes.

        Raises
        ------
        HTTPException
            503 when its tenant has its share of all uploads.
        """
        if not self.uploads.enter(tenant):
            self._refused("upload")
            raise busy("receiving as many uploads")
        try:
            yield
        finally:
            self.uploads.leave(tenant)

    def become(self, ticket: Ticket, tenant: Hashable) -> None:
        """Count an open call for the tenant that its key belongs to.

        Raises
        ------
        HTTPException
            503 when that one has its share of a full service.
        """
        before, ticket.tenant = ticket.tenant, tenant
        _here.set((self, tenant))
        write_as(tenant)
        if before == tenant:
            return
        self.calls.leave(before)
        if not self.calls.enter(tenant):
            ticket.open = False
            self._refused("call")
            raise busy("answering as many calls")


class Ticket:
    """An open call and whose it is; close it once, when the call is answered."""

    def __init__(self, admission: Admission, tenant: Hashable) -> None:
        self.tenant = tenant
        self.open = True
        self._admission = admission
        _here.set((admission, tenant))
        write_as(tenant)

    def close(self) -> None:
        """End the call."""
        if self.open:
            self._admission.calls.leave(self.tenant)


_here: ContextVar[tuple[Admission, Hashable] | None] = ContextVar("voxpop_admission", default=None)


def busy(doing: str) -> HTTPException:
    """Return the refusal of a call whose tenant has its share."""
    return HTTPException(503, busy_message(doing), {"Retry-After": "1"})


def busy_message(doing: str) -> str:
    """Say that a tenant has its share."""
    return f"The service is {doing} as it can, and your organization has its share of them; try again."


async def run_in_threadpool(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in a thread once the tenant of this call has a slot.

    Use it wherever a route waits for a thread, in place of the framework's own: a tenant with a thousand
    calls then delays the one call of another tenant by no more than the end of some call.
    """
    here = _here.get()
    if here is None:
        return await run_in_thread(function, *args, **kwargs)
    admission, tenant = here
    async with admission.threads.slot(tenant):
        return await run_in_thread(function, *args, **kwargs)


@asynccontextmanager
async def thread_slot() -> AsyncIterator[None]:
    """Hold a slot of a thread that the framework itself takes."""
    here = _here.get()
    if here is None:
        yield
        return
    admission, tenant = here
    async with admission.threads.slot(tenant):
        yield


def tenant_here() -> Hashable:
    """Return the tenant of this call; None outside of calls."""
    here = _here.get()
    return None if here is None else here[1]
