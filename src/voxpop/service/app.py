"""The application: all routers, uniform errors, and the outer boundary."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from voxpop.service import (
    agents,
    attesting,
    audit,
    billing,
    billing_pages,
    direct_pages,
    direct_questions,
    errors,
    estimating,
    filters,
    free,
    from_description,
    groups,
    health,
    jobs,
    mcp,
    media,
    membership,
    operations,
    people,
    preview,
    probabilities,
    questions,
    requests,
    shared,
    studies,
    study_requests,
    surveys,
    thesis,
    usage,
    waves,
)
from voxpop.service.limits import Boundary
from voxpop.service.state import ServiceState

ROUTERS: tuple[APIRouter, ...] = (
    jobs.router,
    filters.router,
    agents.router,
    groups.router,
    membership.router,
    people.router,
    requests.router,
    from_description.router,
    study_requests.router,
    thesis.router,
    studies.router,
    waves.router,
    attesting.router,
    questions.router,
    preview.router,
    estimating.router,
    probabilities.router,
    direct_questions.router,
    free.router,
    surveys.router,
    media.router,
    operations.router,
    audit.router,
    usage.router,
    billing.router,
    billing.bare,
    billing_pages.router,
    direct_pages.router,
    shared.router,
    health.router,
    attesting.bare,
)
"""The routers, one per family; the polled one comes first."""


def create_app(state: ServiceState) -> FastAPI:
    """Return the application that serves a state.

    Parameters
    ----------
    state
        From :func:`voxpop.service.state.open_service`; its opener closes it.
    """
    app = FastAPI(
        title="voxpop",
        summary="Audience research with synthetic participants",
        version=state.version,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
    )
    app.state.service = state
    errors.install(app)
    for router in ROUTERS:
        app.include_router(router)
    mcp.install(app)
    app.add_middleware(Boundary, settings=state.settings, admission=state.admission, watch=state.watch)
    return app


def _operation_id(route: APIRoute) -> str:
    """Return an operation id made of family and function."""
    return f"{route.tags[0]}_{route.name}" if route.tags else route.name
