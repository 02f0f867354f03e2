"""Is the service there, and with which population: the one read that needs no key beside the share page."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from voxpop.service.answering import encoded
from voxpop.service.errors import documented
from voxpop.service.state import ServiceState
from voxpop.wire.base import Out

router = APIRouter(tags=["health"])


class PopulationInfo(Out):
    """Which agents the service has."""

    version: str = Field(description="The version of figures and method.")
    agents: int = Field(description="How many agents there are.")


class Health(Out):
    """The answer of ``GET /healthz``."""

    status: str = Field(description="ok when the service can read its state.")
    version: str = Field(description="The version of voxpop.")
    population: PopulationInfo = Field(description="The population that it draws from.")


@router.get(
    "/healthz", summary="Is the service there", response_model=Health, status_code=200, responses=documented()
)
def health(request: Request) -> Response:
    """Read one row of the service's state, and say what it serves."""
    state: ServiceState = request.app.state.service
    with state.database.read() as connection:
        connection.exec_driver_sql("SELECT 1").scalar()
    population = {"version": state.population.version, "agents": state.population.size}
    return encoded({"status": "ok", "version": state.version, "population": population})
