"""Who calls: a bearer key becomes a caller before anything else of the call is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from starlette.requests import HTTPConnection

from voxpop.errors import Forbidden, Unauthorized
from voxpop.jobs.logs import note
from voxpop.records import keys
from voxpop.records.keys import Caller
from voxpop.records.usage import Meter
from voxpop.service.admission import thread_slot
from voxpop.service.bodies import JsonRequest
from voxpop.service.state import ServiceState


class Needs(HTTPBearer):
    """Declares which scopes open a route; :class:`KeyedRoute` enforces it.

    Parameters
    ----------
    scopes
        Any one of them is enough.
    """

    def __init__(self, *scopes: str) -> None:
        super().__init__(
            scheme_name="key", description="A voxpop key: vp_live_… or vp_free_…", auto_error=False
        )
        self.scopes = scopes

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


def needs(*scopes: str) -> Any:
    """Return the dependency for the decorator of a :class:`KeyedRoute`."""
    return Depends(Needs(*scopes))


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

    The API description names the scopes: as ``x-required-scope``, of which one is enough, and in words.
    """

    reader: type[JsonRequest] = JsonRequest
    """Reads the body of a call."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        scopes = self._declared.scopes
        words = f"Scope of the key: {' or '.join(f'`{scope}`' for scope in scopes)}."
        if words not in self.description:  # a router that is included makes its routes a second time
            self.description = f"{self.description}\n\n{words}".lstrip()
        self.openapi_extra = {**(self.openapi_extra or {}), "x-required-scope": list(scopes)}

    @property
    def _declared(self) -> Needs:
        (declared,) = (each.dependency for each in self.dependencies if isinstance(each.dependency, Needs))
        return declared

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the call."""
        handle, declared = super().get_route_handler(), self._declared

        async def admitted(request: Request) -> Response:
            await declared.admit(request)
            async with self.reader(request.scope, request.receive).received() as whole:
                return await handle(whole)

        return admitted


@dataclass(frozen=True, slots=True)
class Call:
    """What a route has to know of the call: the service, who calls, and under which address."""

    state: ServiceState
    caller: Caller
    request: Request

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
        """The service's address as the caller wrote it."""
        return str(self.request.base_url).rstrip("/")


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
    return Call(request.app.state.service, request.state.caller, request)


def _identify(state: ServiceState, key: str, digest: bytes) -> Caller | None:
    def read() -> Caller | None:
        with state.database.read() as connection:
            return keys.authenticate(connection, key)

    caller: Caller | None = state.recent.look(digest, read, keep=lambda found: found is not None)
    return caller


CallDep = Annotated[Call, Depends(call_of)]
"""The call, in a route's parameters."""
