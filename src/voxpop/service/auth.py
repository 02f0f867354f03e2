"""Who calls: a bearer key becomes a caller, and each route names the scope it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from voxpop.errors import Forbidden, Unauthorized
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

    async def __call__(self, request: Request) -> HTTPAuthorizationCredentials:
        """Find out who calls, or refuse."""
        credentials = await super().__call__(request)
        if credentials is None:
            raise Unauthorized("This call needs a key, sent as the header 'Authorization: Bearer <key>'.")
        state: ServiceState = request.app.state.service
        caller = await state.read(state.keyring.caller, credentials.credentials)
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


async def _call(request: Request) -> Call:
    return Call(request.app.state.service, request.state.caller, request)


CallDep = Annotated[Call, Depends(_call)]
"""The call, in a route's parameters."""
