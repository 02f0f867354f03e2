"""`voxpop serve`: the service for a team or a test, on loopback unless told otherwise."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated

import typer

from voxpop.cli.output import write
from voxpop.cli.places import DATA, DATABASE, data_folder, database_url
from voxpop.cli.running import (
    LOG_CALLS,
    LOG_FORMAT,
    METRICS_HOST,
    METRICS_PORT,
    log,
    served,
    told_to_stop,
    wait_for,
    watching,
)
from voxpop.connecting import AGENTS, SEED
from voxpop.errors import UsageError
from voxpop.settings import ServiceSettings, home

ENGINE = Annotated[
    str | None,
    typer.Option(
        help="The engine that answers: simulator (the default), another installed one, or a language model "
        "as PROVIDER:MODEL; several with commas between, the default first. Default: VOXPOP_ENGINE."
    ),
]
ENGINE_URL = Annotated[
    str | None,
    typer.Option(help="Another server that speaks the engine's wire format. Default: VOXPOP_ENGINE_URL."),
]
KNOWLEDGE = Annotated[
    str | None,
    typer.Option(
        help="A survey of people saved with vp.knowledge(...).save(FILE): agents answer its questions as its "
        "respondents did. Default: VOXPOP_KNOWLEDGE."
    ),
]


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 8321,
    data: DATA = None,
    database: DATABASE = None,
    agents: Annotated[int, typer.Option(help="Size of the population.")] = AGENTS,
    seed: Annotated[int, typer.Option(help="Seed of the population.")] = SEED,
    engine: ENGINE = None,
    engine_url: ENGINE_URL = None,
    knowledge: KNOWLEDGE = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            help="The address that links begin with, where callers reach the service by another one than it "
            "listens on. Default: VOXPOP_PUBLIC_URL."
        ),
    ] = None,
    work: Annotated[
        bool,
        typer.Option(help="Whether this process does the work too, or leaves all of it to `voxpop worker`."),
    ] = True,
    log_format: LOG_FORMAT = None,
    log_calls: LOG_CALLS = None,
    metrics_port: METRICS_PORT = None,
    metrics_host: METRICS_HOST = "127.0.0.1",
) -> None:
    """Serve until SIGTERM or Ctrl-C; print one JSON line on stdout once ready."""
    if not 0 <= port <= 65_535:
        raise UsageError(f"--port must be 0 to 65535, not {port}.")
    if not 1_000 <= agents <= 10_000_000:
        raise UsageError(f"--agents must be 1,000 to 10,000,000, not {agents:,}.")
    settings = ServiceSettings.from_environment(
        engine=engine, engine_url=engine_url, public_url=public_url, knowledge=knowledge
    )
    address = database_url(data, database)
    if not work and not address.startswith("postgres"):
        raise UsageError("--no-work leaves the work to voxpop worker, which needs --database postgresql://…")
    from voxpop.engines import registry
    from voxpop.engines.survey_file import opened_survey

    registry.check(settings.engine, *settings.others)
    settings = replace(settings, knowledge=opened_survey(settings.knowledge))
    from voxpop.jobs.opening import await_server
    from voxpop.service.app import create_app  # only this command needs the web framework
    from voxpop.service.server import start_server
    from voxpop.service.state import open_service

    logger = log(log_format, log_calls)
    told = told_to_stop()
    watch = watching(metrics_port, "service")
    if not await_server(address, told):
        return
    folder = data_folder(data)
    state = open_service(
        folder,
        database_url=address,
        agents=agents,
        seed=seed,
        home=home(),
        settings=settings,
        progress=logger.info,
        works=work,
        watch=watch,
    )
    with ExitStack() as held:
        held.callback(state.close)
        ready = {"data_dir": str(folder)}
        figures = served(watch, state.ready, metrics_host, metrics_port)
        if figures is not None:
            held.callback(figures.stop)
            ready["metrics_url"] = f"{figures.root_url}/metrics"
        server = start_server(create_app(state), host=host, port=port)
        held.callback(server.stop)
        write(json.dumps({"base_url": server.base_url, "root_url": server.root_url, **ready}))
        wait_for(told)
