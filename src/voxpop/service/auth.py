"""Who calls: a bearer key becomes a caller, and each route names the scope it needs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection

from voxpop.errors import Forbidden, Unauthorized
from voxpop.records import keys
from voxpop.records.keys import Caller
from voxpop.service.state import ServiceState


class Needs(HTTPBearer):
    """A dependency that lets a call pass whose key has one of the scopes.

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

    async def __call__(self, request: HTTPConnection) -> HTTPAuthorizationCredentials:
        """Find out who calls, or refuse."""
        credentials = await super().__call__(request)
        if credentials is None:
            raise Unauthorized("This call needs a key, sent as the header 'Authorization: Bearer <key>'.")
        state: ServiceState = request.app.state.service
        caller = await state.read(_identify, state, credentials.credentials)
        if caller is None:
            raise Unauthorized("The key is unknown or revoked.")
        if not caller.scopes.intersection(self.scopes):
            wanted = " or ".join(self.scopes)
            raise Forbidden(
                f"The key lacks the scope {wanted}; it has {', '.join(sorted(caller.scopes)) or 'none'}.",
                details={"required_scope": self.scopes[0]},
            )
        request.state.caller = caller
        return credentials


def needs(*scopes: str) -> Any:
    """Return the dependency for a route's decorator."""
    return Depends(Needs(*scopes))


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
    def root_url(self) -> str:
        """The service's address as the caller wrote it."""
        return str(self.request.base_url).rstrip("/")


async def call_of(request: Request) -> Call:
    """Return the call, once its key was let pass."""
    return Call(request.app.state.service, request.state.caller, request)


def _identify(state: ServiceState, key: str) -> Caller | None:
    def read() -> Caller | None:
        with state.database.read() as connection:
            return keys.authenticate(connection, key)

    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
    caller: Caller | None = state.recent.look(digest, read, keep=lambda found: found is not None)
    return caller


CallDep = Annotated[Call, Depends(call_of)]
"""The call, in a route's parameters."""
