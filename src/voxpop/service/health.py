"""Is the service there, and with which population: the one read that needs no key beside the share page."""

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
    """Which agents the service has."""

    version: str = Field(description="The version of figures and method.")
    builds: str = Field(
        description="The version that a new data folder or database would get; another one than version "
        "where the agents were there before voxpop was upgraded."
    )
    agents: int = Field(description="How many agents there are.")


class Health(Out):
    """The answer of ``GET /healthz``."""

    status: str = Field(description="ok when the service can read its state.")
    version: str = Field(description="The version of voxpop.")
    population: PopulationInfo = Field(description="The population that it draws from.")


class Alive(Out):
    """The answer of ``GET /livez``."""

    status: str = Field(description="ok: the process answers.")


class Readiness(Out):
    """The answer of ``GET /readyz`` while the service can do what it is there for."""

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
    """Look at nothing else: a process that does not answer this has to be started anew."""
    return encoded({"status": "ok"})


@router.get(
    "/readyz",
    summary="Can the service take calls now",
    response_model=Readiness,
    status_code=200,
    responses=documented(503),
)
def ready(request: Request) -> Response:
    """Read and write the database, and ask the queue whether it works; 503 while one does not, or at the end.

    A disk that takes no more and a damaged database are not ready either; ``details.database`` says which.

    For a balancer: a service that is not ready gets no calls, and needs no new start.
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
    """Read one row of the service's state, and say what it serves."""
    state: ServiceState = request.app.state.service
    with state.database.read() as connection:
        connection.exec_driver_sql("SELECT 1").scalar()
    population = {
        "version": state.population.version,
        "builds": POPULATION_VERSION,
        "agents": state.population.size,
    }
    return encoded({"status": "ok", "version": state.version, "population": population})
