"""`voxpop worker`: one more job worker on a PostgreSQL database."""

from __future__ import annotations

import json
import os
import socket
from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated

import typer

from voxpop.cli.output import write
from voxpop.cli.places import WORKER_DATABASE, server_url
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
from voxpop.cli.serve import ENGINE, ENGINE_URL, KNOWLEDGE
from voxpop.settings import ServiceSettings, home


def worker(
    database: WORKER_DATABASE = None,
    concurrency: Annotated[
        int | None,
        typer.Option(help="Work items at once, 1 to 64. Default: VOXPOP_CONCURRENCY, else 2."),
    ] = None,
    drain: Annotated[
        float, typer.Option(help="Seconds for what is in hand at the end, 0 to 3,600.", min=0, max=3_600)
    ] = 30.0,
    engine: ENGINE = None,
    engine_url: ENGINE_URL = None,
    knowledge: KNOWLEDGE = None,
    log_format: LOG_FORMAT = None,
    log_calls: LOG_CALLS = None,
    metrics_port: METRICS_PORT = None,
    metrics_host: METRICS_HOST = "127.0.0.1",
) -> None:
    """Work until SIGTERM or Ctrl-C; print one JSON line on stdout once ready."""
    settings = ServiceSettings.from_environment(
        engine=engine, engine_url=engine_url, concurrency=concurrency, knowledge=knowledge
    )
    address = server_url(database)
    from voxpop.engines.survey_file import opened_survey
    from voxpop.jobs.opening import await_server
    from voxpop.jobs.worker import Worker  # few commands need the database library

    settings = replace(settings, knowledge=opened_survey(settings.knowledge))
    logger = log(log_format, log_calls)
    told = told_to_stop()
    watch = watching(metrics_port, "worker")
    if not await_server(address, told, refused=True):
        return
    working = Worker(address, home=home(), settings=settings, progress=logger.info, watch=watch)

    def end() -> None:
        if not working.stop(drain):
            logger.warning("Some work was not finished in %g s; other workers take it over.", drain)

    with ExitStack() as held:
        ready = {"worker": f"{socket.gethostname()}:{os.getpid()}"}
        held.callback(end)
        figures = served(watch, working.ready, metrics_host, metrics_port)
        if figures is not None:
            ready["metrics_url"] = f"{figures.root_url}/metrics"
        write(json.dumps(ready))
        wait_for(told)
        logger.info("Finishing the work in hand.")
    if figures is not None:
        figures.stop()
