"""`voxpop lab`: JupyterLab on a folder of notebooks, and a service that every kernel finds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from jupyter_client.blocking import BlockingKernelClient

WITHOUT = "import sys; sys.modules['jupyterlab'] = None; from voxpop.cli import main; sys.exit(main(['lab']))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notebooks").mkdir()
    notebook = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    (tmp_path / "notebooks" / "mine.ipynb").write_text(notebook)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "jupyter_server_config.json").write_text('{"ServerApp": {"allow_root": true}}')
    return tmp_path


@pytest.fixture
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """Give a running `voxpop lab`, the address of its JupyterLab, and where its kernels leave connections."""
    runtime = folder / "runtime"
    env = os.environ | {
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "IPYTHONDIR": str(folder / "ipython"),
        "JUPYTER_TOKEN": "t",
    }
    options = ["--no-browser", "--port", "0", "--agents", "3000", "--data", str(folder / "service")]
    command = [sys.executable, "-m", "voxpop", "lab", *options]
    with (
        (folder / "log.txt").open("w") as log,
        subprocess.Popen(
            command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            until = time.monotonic() + 60
            while not (found := list(runtime.glob("jpserver-*.json"))):
                assert process.poll() is None, (folder / "log.txt").read_text()
                assert time.monotonic() < until
                time.sleep(0.1)
            time.sleep(0.2)
            yield process, httpx.Response(200, content=found[0].read_bytes()).json()["url"], runtime
        finally:
            if process.poll() is None:
                process.kill()


def test_notebooks_find_the_service_and_everything_ends_together(
    running: tuple[subprocess.Popen[str], str, Path], folder: Path
) -> None:
    process, url, runtime = running
    assert process.stdout is not None
    told = process.stdout.readline()
    assert str(folder / "notebooks") in told
    address = told.split("service at ")[1].rstrip(".\n")
    headers = {"Authorization": "token t"}
    listed = httpx.get(f"{url}api/contents", headers=headers).json()["content"]
    assert [one["name"] for one in listed] == ["mine.ipynb"]
    kernel = httpx.post(f"{url}api/kernels", headers=headers, json={"name": "python3"}).json()["id"]
    said = execute(
        runtime / f"kernel-{kernel}.json", "import voxpop as vp; print(vp.connect().filters.count({}))"
    )
    assert said.strip() == "3000"
    assert "vp_live" not in told + (folder / "log.txt").read_text()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    for gone in (url, address):
        with pytest.raises(httpx.ConnectError):
            httpx.get(gone)


def execute(connection: Path, code: str) -> str:
    """Run code in a kernel and return what it prints."""
    client = BlockingKernelClient(connection_file=str(connection))
    client.load_connection_file()
    client.start_channels()
    said: list[str] = []
    try:
        client.wait_for_ready(timeout=30)

        def hear(message: dict[str, dict[str, str]]) -> None:
            said.append(message["content"].get("text", "") or str(message["content"].get("evalue", "")))

        client.execute_interactive(code, timeout=30, output_hook=hear)
    finally:
        client.stop_channels()
    return "".join(said)


def test_without_jupyterlab_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (
        2,
        "voxpop: JupyterLab needs an extra: pip install 'voxpop[lab]'.\n",
    )


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "voxpop", "lab", "nowhere"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "voxpop: There is no folder 'nowhere'.\n")
