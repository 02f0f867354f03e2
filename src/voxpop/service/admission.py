"""Admission control: open calls, held polls, uploads and threads, shared fairly among tenants.

A tenant is an organization, or an address while its key is unknown. A single tenant may use the whole
capacity. Once that is exhausted, tenants below their equal share are still admitted and those above it are
not, so no tenant can shut out another, and at most twice the capacity is ever in use. If a tenant
at its share holds polls, a new call of it is admitted and its oldest poll is answered instead.

Everything here runs on the event loop of the service and needs no locks.
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
"""Maximum number of calls in threads; the framework's pool has 40, and streams need the rest."""

DECODED = 2
"""Maximum number of uploads decoded at the same time; each needs up to five times its size in memory."""

UPLOADS = 64
"""Maximum number of uploads received at the same time; each is a temporary file of up to 27 MB."""

_HELD_SHARE = 0.75  # share of the open calls that polls may hold
_BEARER = b"bearer "
_MOST_KNOWN = 10_000
_LOOKS = 500.0  # per second, for all held polls together


class Share:
    """Tracks the use of a capacity by tenant, and decides who may use more.

    Parameters
    ----------
    most
        The capacity; None for no limit.

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
        """Return the number that a tenant has open."""
        return self._open.get(tenant, 0)

    def share(self, tenant: Hashable) -> int:
        """Return the equal share of each active tenant."""
        return max(1, self._most // (len(self._open) + (tenant not in self._open)))

    def enter(self, tenant: Hashable) -> bool:
        """Open one for a tenant; return False if the capacity and the tenant's share are exhausted."""
        if self.total >= self._most and self.open(tenant) >= self.share(tenant):
            return False
        self.exceed(tenant)
        return True

    def exceed(self, tenant: Hashable) -> None:
        """Open one for a tenant that is about to close another one."""
        self._open[tenant] += 1
        self.total += 1

    def leave(self, tenant: Hashable) -> None:
        """Close one."""
        self.total -= 1
        self._open[tenant] -= 1
        if not self._open[tenant]:
            del self._open[tenant]

    def tenants(self) -> int:
        """Return the number of active tenants."""
        return len(self._open)

    def largest(self) -> Hashable:
        """Return the tenant with the most open."""
        return max(self._open, key=self._open.__getitem__)


class Slots:
    """A pool of slots; a free slot goes to the waiting tenant that holds the fewest.

    Tied tenants take turns, and the calls of one tenant are served in order of arrival.

    Parameters
    ----------
    count
        Number of slots.
    waited
        Called with the seconds a call waited for its slot.
    """

    def __init__(self, count: int, waited: Callable[[float], None] = lambda _: None) -> None:
        self._free = count
        self._waited = waited
        self._taken: Counter[Hashable] = Counter()
        self._lines: dict[Hashable, deque[asyncio.Future[None]]] = {}  # in the order of their turns

    @asynccontextmanager
    async def slot(self, tenant: Hashable) -> AsyncIterator[None]:
        """Hold a slot within a block."""
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
            if mine.done() and not mine.cancelled():  # the slot was assigned at the same moment
                self.release(tenant)
            else:
                self._forget(tenant, mine)
            raise
        self._waited(time.monotonic() - begun)

    def release(self, tenant: Hashable) -> None:
        """Release a slot and hand it on."""
        self._free += 1
        self._taken[tenant] -= 1
        if not self._taken[tenant]:
            del self._taken[tenant]
        while self._free and self._lines:
            chosen = min(self._lines, key=lambda each: self._taken.get(each, 0))
            line = self._lines.pop(chosen)
            following = line.popleft()
            if line:
                self._lines[chosen] = line  # after the others
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
    """A held poll.

    Attributes
    ----------
    over : asyncio.Event
        Set when it must make room for another call.
    """

    def __init__(self, holds: Holds, tenant: Hashable) -> None:
        self.over: asyncio.Event = asyncio.Event()
        self._holds = holds
        self._tenant = tenant

    def pause(self, step: float) -> float:
        """Return the wait before the next check in seconds, at least ``step``.

        All held polls together check at most :data:`_LOOKS` times per second, shared among tenants.
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
        self.give_way(max(self._held, key=lambda tenant: len(self._held[tenant])))

    def give_way(self, tenant: Hashable) -> bool:
        """End the oldest poll of a tenant, which is then answered; False when it holds none."""
        oldest = next(iter(self._held.get(tenant, ())), None)
        if oldest is None:
            return False
        self._drop(tenant, oldest)
        self._refused()
        oldest.over.set()
        return True

    def _drop(self, tenant: Hashable, hold: Hold) -> None:
        held = self._held.get(tenant, {})
        held.pop(hold, None)
        if not held:
            self._held.pop(tenant, None)


class Admission:
    """The capacities that a service shares among its tenants.

    Parameters
    ----------
    open_calls
        Maximum number of concurrent calls; None for no limit.
    threads
        Maximum number of them in threads.
    refused, waited
        Called with the kind of capacity for each refusal, and for each wait with its seconds.

    Attributes
    ----------
    calls, uploads : Share
        Open calls, and uploads being received.
    threads, decoding : Slots
        Threads of calls, and uploads being decoded.
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
        """Return the organization of a known key, or the address of any other call."""
        for name, value in scope["headers"]:
            if name == b"authorization":
                known = self._known.get(hashlib.sha256(value[len(_BEARER) :].strip()).digest())
                if known is not None and value[: len(_BEARER)].lower() == _BEARER:
                    return known
        client = scope.get("client")
        return ("address", client[0] if client else "")

    def know(self, digest: bytes, tenant: Hashable) -> None:
        """Remember the organization of a key, by the key's SHA-256."""
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[digest] = tenant

    def enter(self, tenant: Hashable) -> Ticket | None:
        """Admit a call; return None if the service is full and its tenant has its share."""
        return Ticket(self, tenant) if self._enter(tenant) else None

    def _enter(self, tenant: Hashable) -> bool:
        if self.calls.enter(tenant):
            return True
        if self.holds.give_way(tenant):
            self.calls.exceed(tenant)
            return True
        self._refused("call")
        return False

    @contextmanager
    def upload(self, tenant: Hashable) -> Iterator[None]:
        """Count an upload within a block.

        Raises
        ------
        HTTPException
            503 if its tenant has its share of the uploads.
        """
        if not self.uploads.enter(tenant):
            self._refused("upload")
            raise busy("receiving as many uploads")
        try:
            yield
        finally:
            self.uploads.leave(tenant)

    def become(self, ticket: Ticket, tenant: Hashable) -> None:
        """Move an open call to the tenant of its key.

        Raises
        ------
        HTTPException
            503 if the service is full and that tenant has its share.
        """
        before, ticket.tenant = ticket.tenant, tenant
        _here.set((self, tenant))
        write_as(tenant)
        if before == tenant:
            return
        self.calls.leave(before)
        if not self._enter(tenant):
            ticket.open = False
            raise busy("answering as many calls")


class Ticket:
    """An open call of a tenant; close it once, after the response."""

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
    """Return the error for a tenant that has its share."""
    return HTTPException(503, busy_message(doing), {"Retry-After": "1"})


def busy_message(doing: str) -> str:
    """Report a tenant that has its share."""
    return f"The service is {doing} as it can, and your organization has its share of them; try again."


async def run_in_threadpool(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in a thread once the tenant of this call has a slot.

    Use it instead of the framework's thread pool: a tenant with a thousand calls then delays the call of
    another tenant only until some call ends.
    """
    here = _here.get()
    if here is None:
        return await run_in_thread(function, *args, **kwargs)
    admission, tenant = here
    async with admission.threads.slot(tenant):
        return await run_in_thread(function, *args, **kwargs)


@asynccontextmanager
async def thread_slot() -> AsyncIterator[None]:
    """Hold a slot for a thread taken by the framework."""
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
