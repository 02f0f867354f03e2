"""`voxpop lab`: JupyterLab with a service that survives kernel restarts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from voxpop.cli.output import write
from voxpop.connecting import AGENTS, SEED, embedded
from voxpop.errors import UsageError
from voxpop.settings import ClientSettings, home

FOLDER = Annotated[
    Path | None,
    typer.Argument(help="Folder with notebooks. Default: the folder `notebooks` here, else this folder."),
]
DATA = Annotated[
    Path | None,
    typer.Option(
        help="Folder that keeps groups, studies and answers. Default: the `lab` folder of VOXPOP_HOME."
    ),
]


def lab(
    folder: FOLDER = None,
    data: DATA = None,
    agents: Annotated[int, typer.Option(help="Size of the population.")] = AGENTS,
    seed: Annotated[int, typer.Option(help="Seed of the population.")] = SEED,
    port: Annotated[int, typer.Option(help="Port of JupyterLab; a free one near it if it is taken.")] = 8888,
    browser: Annotated[bool, typer.Option(help="Whether a browser opens.")] = True,
) -> int:
    """Open JupyterLab with a service that keeps its studies; `vp.connect()` in a notebook finds it.

    If VOXPOP_BASE_URL names a service, the notebooks use that one.
    """
    if find_spec("jupyterlab") is None:
        raise UsageError("JupyterLab needs an extra: pip install 'voxpop[lab]'.")
    if not 0 <= port <= 65_535:
        raise UsageError(f"--port must be 0 to 65535, not {port}.")
    place = folder or (Path("notebooks") if Path("notebooks").is_dir() else Path())
    if not place.is_dir():
        raise UsageError(f"There is no folder {str(place)!r}.")
    with ExitStack() as held:
        address, key = _service(data, agents, seed, held)
        write(f"Notebooks in {place.resolve()}; vp.connect() uses the service at {address}.")
        return _run(place.resolve(), port, browser, {"VOXPOP_BASE_URL": address, "VOXPOP_API_KEY": key})


def _service(data: Path | None, agents: int, seed: int, held: ExitStack) -> tuple[str, str]:
    """Return address and key of the configured service, or start the embedded one."""
    settings = ClientSettings.from_environment()
    if settings.base_url is not None:
        if settings.api_key is None:
            raise UsageError(f"The service at {settings.base_url} needs a key: set VOXPOP_API_KEY.")
        return settings.base_url, settings.api_key
    service = embedded(data=data or home() / "lab", agents=agents, seed=seed)
    held.callback(service.stop)
    return service.base_url, service.key


def _run(place: Path, port: int, browser: bool, environment: dict[str, str]) -> int:
    """Run JupyterLab until it exits; the key is passed by environment, hidden from process lists."""
    command = [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={place}",
        f"--ServerApp.port={port}",
        f"--ServerApp.open_browser={browser}",
    ]
    # Ctrl-C also reaches JupyterLab, which asks for confirmation; wait for its decision.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    with subprocess.Popen(command, env=os.environ | environment) as process:  # nosec B603
        earlier = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        try:
            code = process.wait()
        finally:
            signal.signal(signal.SIGTERM, earlier)
            signal.signal(signal.SIGINT, before)
    return 0 if code in (0, -signal.SIGTERM) else 1
