"""Health checks: liveness, readiness and the population served."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from voxpop.errors import Unavailable
from voxpop.population.reference import POPULATION_VERSION
from voxpop.service.answering import encoded
from voxpop.service.errors import documented
from voxpop.service.state import ServiceState
from voxpop.wire.base import Out

router: APIRouter = APIRouter(tags=["health"])


class PopulationInfo(Out):
    """The population of the service."""

    version: str = Field(description="The version of figures and method.")
    builds: str = Field(
        description="The version that a new data folder or database would get; another one than version "
        "where the agents were there before voxpop was upgraded."
    )
    agents: int = Field(description="How many agents there are.")


class Health(Out):
    """Response of ``GET /healthz``."""

    status: str = Field(description="ok when the service can read its state.")
    version: str = Field(description="The version of voxpop.")
    population: PopulationInfo = Field(description="The population that it draws from.")


class Alive(Out):
    """Response of ``GET /livez``."""

    status: str = Field(description="ok: the process answers.")


class Readiness(Out):
    """Response of ``GET /readyz`` when the service is ready."""

    status: str = Field(description="ok.")
    database: str = Field(description="ok: the database can be read and written.")
    queue: str = Field(
        description="ok where this process does work, none where it leaves all of it to others."
    )


@router.get(
    "/livez",
    summary="Does the process answer",
    response_model=Alive,
    status_code=200,
    responses=documented(),
)
async def live() -> Response:
    """Check nothing else: a process that does not answer must be restarted."""
    return encoded({"status": "ok"})


@router.get(
    "/readyz",
    summary="Can the service take calls now",
    response_model=Readiness,
    status_code=200,
    responses=documented(503),
)
def ready(request: Request) -> Response:
    """Check database and queue; answer 503 if one does not work, or during shutdown.

    A full disk and a damaged database are not ready either; ``details.database`` says which. A load balancer
    should send no calls to a service that is not ready, and need not restart it.
    """
    state: ServiceState = request.app.state.service
    seen = state.ready()
    if seen.status == "ok":
        return encoded(seen)
    what = {"database": seen.database, "queue": seen.queue}
    wrong = [f"the {name} is {state}" for name, state in what.items() if state not in ("ok", "none")]
    lacking = ", ".join(wrong) or "it is stopping"
    raise Unavailable(f"The service takes no calls now: {lacking}.", details=what)


@router.get(
    "/healthz", summary="Is the service there", response_model=Health, status_code=200, responses=documented()
)
def health(request: Request) -> Response:
    """Read one row of the database and describe the service."""
    state: ServiceState = request.app.state.service
    with state.database.read() as connection:
        connection.exec_driver_sql("SELECT 1").scalar()
    population = {
        "version": state.population.version,
        "builds": POPULATION_VERSION,
        "agents": state.population.size,
    }
    return encoded({"status": "ok", "version": state.version, "population": population})
