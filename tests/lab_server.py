"""An isolated JupyterLab for browser tests: no news, no earlier sessions, no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

TOKEN = "widgets"
PLUGINS = "@jupyterlab/apputils-extension"


class LabServer:
    """A running JupyterLab whose notebooks, settings and kernels live in one folder."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.notebooks = folder / "notebooks"
        self.settings = folder / "settings"
        self.log = folder / "log.txt"
        self.notebooks.mkdir()
        self._setting("notification", {"fetchNews": "false", "checkForUpdates": False})
        homes = {
            name: str(folder / name.lower())
            for name in (
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "JUPYTERLAB_WORKSPACES_DIR",
                "IPYTHONDIR",
            )
        }
        env = os.environ | homes | {"JUPYTERLAB_SETTINGS_DIR": str(self.settings)} | environment
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": "0",
            "ServerApp.open_browser": "False",
            "ServerApp.root_dir": str(self.notebooks),
            "IdentityProvider.token": TOKEN,
            "LabApp.expose_app_in_browser": "True",
            "LabApp.extension_manager": "readonly",
        }
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            *(f"--{name}={value}" for name, value in options.items()),
        ]
        with self.log.open("w") as log:
            self._process = subprocess.Popen([*command, "--allow-root"], stdout=log, stderr=log, env=env)
        self.url = self._address(Path(homes["JUPYTER_RUNTIME_DIR"]))

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"{self.url}lab?token={TOKEN}"

    def write(self, name: str, *cells: str) -> None:
        """Write a notebook."""
        held = [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"c{at}",
                "metadata": {},
                "outputs": [],
                "source": text,
            }
            for at, text in enumerate(cells)
        ]
        kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        notebook = {"cells": held, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        (self.notebooks / name).write_text(json.dumps(notebook))

    def close(self) -> None:
        """End the server and its kernels."""
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)

    def _setting(self, plugin: str, value: dict[str, object]) -> None:
        path = self.settings / PLUGINS / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))

    def _address(self, runtime: Path) -> str:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            assert self._process.poll() is None, self.log.read_text()
            for found in runtime.glob("jpserver-*.json"):
                try:
                    url: str = json.loads(found.read_text())["url"]
                    with urlopen(f"{url}api?token={TOKEN}", timeout=5):
                        return url
                except (OSError, ValueError):
                    pass
            time.sleep(0.1)
        raise AssertionError(f"JupyterLab did not start: {self.log.read_text()}")
