"""Who calls: a bearer key becomes a caller before anything else of the call is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from inspect import iscoroutinefunction, signature
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from starlette.requests import HTTPConnection

from voxpop.errors import Forbidden, Unauthorized
from voxpop.jobs.logs import note
from voxpop.records import keys
from voxpop.records.idempotency import KEPT_FOR
from voxpop.records.keys import Caller
from voxpop.records.usage import Meter
from voxpop.service.admission import thread_slot
from voxpop.service.bodies import JsonRequest
from voxpop.service.errors import documented, request_id
from voxpop.service.state import ServiceState
from voxpop.service.writing import OptionalKey, Writing, one_transaction

KEYS_KEPT = "Idempotency-Hours"
"""The header of every answer that says for how long idempotency keys are kept."""


class Needs(HTTPBearer):
    """Declares which scopes open a route; :class:`KeyedRoute` enforces it.

    Parameters
    ----------
    scopes
        Any one of them is enough.
    logs
        What the audit log calls what the route does; None where it only reads.
    """

    def __init__(self, *scopes: str, logs: str | None = None) -> None:
        super().__init__(
            scheme_name="key", description="A voxpop key: vp_live_… or vp_free_…", auto_error=False
        )
        self.scopes = scopes
        self.logs = logs

    async def __call__(self, request: HTTPConnection) -> None:
        """Do nothing: the key was looked at before the body was read."""

    async def admit(self, request: Request) -> None:
        """Find out who calls, or refuse."""
        request.state.caller = await self.let_in(request.app.state.service, await identify(request))

    async def let_in(self, state: ServiceState, caller: Caller) -> Caller:
        """Count the call of somebody who is known, and return who it is; refuse a key without the scope."""
        note(key=caller.key_id, organization=caller.organization_id)
        await state.read(state.rates.take, caller.key_id, state.settings.rate(caller.kind))
        if not caller.scopes.intersection(self.scopes):
            wanted = " or ".join(self.scopes)
            raise Forbidden(
                f"The key lacks the scope {wanted}; it has {', '.join(sorted(caller.scopes))}.",
                details={"required_scope": self.scopes[0]},
            )
        return caller


def needs(*scopes: str, logs: str | None = None) -> Any:
    """Return the dependency for the decorator of a :class:`KeyedRoute`.

    A route that changes something says in ``logs`` what it is called in the audit log; one that only reads
    says it where so much is read that the log should tell.
    """
    return Depends(Needs(*scopes, logs=logs))


class FairRoute(APIRoute):
    """A route whose function runs in a thread once the tenant of the call has a slot for it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the call."""
        handle = super().get_route_handler()
        if iscoroutinefunction(self.endpoint):
            return handle

        async def in_slot(request: Request) -> Response:
            async with thread_slot():
                return await handle(request)

        return in_slot


class KeyedRoute(FairRoute):
    """A route that lets a call pass by its key, and only then reads the body, the path and the query.

    A route that changes something takes an ``Idempotency-Key``, and its function is carried out in one
    transaction with the key, the audit entry and the stored answer (:mod:`voxpop.service.writing`). One
    whose function is asynchronous sees to that itself, because a transaction does not wait for others.

    The API description names the scopes: as ``x-required-scope``, of which one is enough, and in words.
    """

    reader: type[JsonRequest] = JsonRequest
    """Reads the body of a call."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        declared = _declared(options.get("dependencies") or ())
        reads = all(scope.endswith(":read") for scope in declared.scopes)
        self.writes: bool = not reads and _changes(options)
        if self.writes:
            if declared.logs is None:
                raise TypeError(f"{path} changes something: needs(…, logs=…) names it for the audit log.")
            options["responses"] = documented(400, 409) | (options.get("responses") or {})
            if "key" not in signature(endpoint).parameters:
                options["dependencies"] = [*options["dependencies"], Depends(_take_key)]
            if not iscoroutinefunction(endpoint) and not hasattr(endpoint, "__wrapped__"):
                endpoint = one_transaction(endpoint)
        super().__init__(path, endpoint, **options)
        scopes = declared.scopes
        words = f"Scope of the key: {' or '.join(f'`{scope}`' for scope in scopes)}."
        if words not in self.description:  # a router that is included makes its routes a second time
            self.description: str = f"{self.description}\n\n{words}".lstrip()
        self.openapi_extra: dict[str, Any] | None = {
            **(self.openapi_extra or {}),
            "x-required-scope": list(scopes),
        }

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the call."""
        handle, declared = super().get_route_handler(), _declared(self.dependencies)

        async def admitted(request: Request) -> Response:
            await declared.admit(request)
            async with self.reader(request.scope, request.receive).received() as whole:
                answer = await handle(whole)
            answer.headers[KEYS_KEPT] = str(KEPT_FOR // timedelta(hours=1))
            return answer

        return admitted


def _declared(dependencies: Iterable[Any]) -> Needs:
    (declared,) = (each.dependency for each in dependencies if isinstance(each.dependency, Needs))
    return declared


def _changes(options: Mapping[str, Any]) -> bool:
    return set(options.get("methods") or ("GET",)) != {"GET"}


async def _take_key(key: OptionalKey = None) -> None:
    """Refuse an idempotency key that is none; :func:`call_of` takes it."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a route has to know of the call: the service, who calls, and what it changes."""

    state: ServiceState
    caller: Caller
    request: Request
    writing: Writing

    @property
    def organization(self) -> int:
        """The organization that the key belongs to."""
        return self.caller.organization_id

    @property
    def meter(self) -> Meter:
        """Whose answers are counted, and against which quota."""
        return Meter(self.organization, self.caller.kind, self.state.settings.quota(self.caller.kind))

    @property
    def root_url(self) -> str:
        """The address that links begin with, whatever the caller wrote."""
        return self.state.root_url


async def identify(request: Request) -> Caller:
    """Return who calls, whatever the key may do, or refuse a key that is missing, unknown or revoked."""
    scheme, key = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not key:
        raise Unauthorized("This call needs a key, sent as the header 'Authorization: Bearer <key>'.")
    return await owner(request, key)


async def owner(request: Request, key: str) -> Caller:
    """Return whose key it is, or refuse one that is unknown or revoked."""
    state: ServiceState = request.app.state.service
    address = request.client.host if request.client is not None else ""
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
    state.guesses.listen(address, digest)
    caller: Caller | None
    if state.database.alone:
        caller = _identify(state, key, digest)
    else:  # a flood of calls with one key reads its row once at a time
        caller = await state.shared.look(digest, lambda: state.read(_identify, state, key, digest))
    if caller is None:
        state.guesses.wrong(address)
        raise Unauthorized("The key is unknown or revoked.")
    state.guesses.right(digest)
    state.admission.know(digest, caller.organization_id)
    ticket = request.scope.get("voxpop.ticket")
    if ticket is not None:
        state.admission.become(ticket, caller.organization_id)
    return caller


async def call_of(request: Request) -> Call:
    """Return the call, once its key was let pass."""
    state: ServiceState = request.app.state.service
    caller: Caller = request.state.caller
    route = request.scope["route"]
    key = request.headers.get("idempotency-key") if route.writes else None
    writing = Writing(
        state.database,
        state.population.agents,
        caller.organization_id,
        caller.key_id,
        request_id(request),
        _declared(route.dependencies).logs or "",
        key=key,
        digest=await request.digest() if key is not None and isinstance(request, JsonRequest) else "",
    )
    return Call(state, caller, request, writing)


def _identify(state: ServiceState, key: str, digest: bytes) -> Caller | None:
    def read() -> Caller | None:
        with state.database.read() as connection:
            return keys.authenticate(connection, key)

    caller: Caller | None = state.recent.look(digest, read, keep=lambda found: found is not None)
    return caller


CallDep = Annotated[Call, Depends(call_of)]
"""The call, in a route's parameters."""
