"""Authentication: the bearer key is resolved to a caller before the rest of a call is read."""

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
"""Response header with the lifetime of idempotency keys."""


class Needs(HTTPBearer):
    """Declares which scopes open a route; :class:`KeyedRoute` enforces it.

    Parameters
    ----------
    scopes
        Any one of them suffices.
    logs
        Action name in the audit log; None for read-only routes.
    """

    def __init__(self, *scopes: str, logs: str | None = None) -> None:
        super().__init__(
            scheme_name="key", description="A voxpop key: vp_live_… or vp_free_…", auto_error=False
        )
        self.scopes = scopes
        self.logs = logs

    async def __call__(self, request: HTTPConnection) -> None:
        """Do nothing: the key was checked before the body was read."""

    async def admit(self, request: Request) -> None:
        """Return the caller, or refuse the call."""
        request.state.caller = await self.let_in(request.app.state.service, await identify(request))

    async def let_in(self, state: ServiceState, caller: Caller) -> Caller:
        """Count a call against its key and return the caller; refuse a key without the scope."""
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

    Writing routes name their audit action in ``logs``; reading routes do so if they return bulk data.
    """
    return Depends(Needs(*scopes, logs=logs))


class FairRoute(APIRoute):
    """A route whose function runs in a thread once its tenant has a slot."""

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
    """A route that checks the key before it reads body, path and query.

    Writing routes take an ``Idempotency-Key`` and run in one transaction with the key, the audit entry and
    the stored response (:mod:`voxpop.service.writing`). Asynchronous ones do so themselves, because a
    transaction must not await.

    The OpenAPI description lists the scopes in words and as ``x-required-scope``, one of which suffices.
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
        if words not in self.description:  # including a router creates its routes a second time
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
    """Refuse a malformed idempotency key; :func:`call_of` reads it."""


@dataclass(frozen=True, slots=True)
class Call:
    """Context of a call: the service, the caller and the pending changes."""

    state: ServiceState
    caller: Caller
    request: Request
    writing: Writing

    @property
    def organization(self) -> int:
        """The organization of the key."""
        return self.caller.organization_id

    @property
    def meter(self) -> Meter:
        """The account whose quota is charged."""
        return Meter(self.organization, self.caller.kind, self.state.settings.quota(self.caller.kind))

    @property
    def root_url(self) -> str:
        """The root of all links, independent of the caller's headers."""
        return self.state.root_url


async def identify(request: Request) -> Caller:
    """Return the caller regardless of scopes; refuse a missing, unknown or revoked key."""
    scheme, key = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not key:
        raise Unauthorized("This call needs a key, sent as the header 'Authorization: Bearer <key>'.")
    return await owner(request, key)


async def owner(request: Request, key: str) -> Caller:
    """Return the owner of a key; refuse an unknown or revoked one."""
    state: ServiceState = request.app.state.service
    address = request.client.host if request.client is not None else ""
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
    state.guesses.listen(address, digest)
    caller: Caller | None
    if state.database.alone:
        caller = _identify(state, key, digest)
    else:  # concurrent calls with one key share one read of its row
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
    """Return the call after its key was accepted."""
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
"""The call as a route parameter."""
