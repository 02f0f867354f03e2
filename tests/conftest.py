"""Fixtures for every test: a clean environment and a population cache deleted after the session."""

from __future__ import annotations

import gc
import os
import re
import shutil
import ssl
import tempfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

import forked_commands
from made_agents import make_agents
from postgres_server import PostgresServer, postgres_server
from voxpop.engines import registry
from voxpop.engines.agents import Agent
from voxpop.population.file import open_population
from voxpop.records import durability
from voxpop.records.database import Database
from voxpop.records.folder import sqlite_url
from voxpop.vocabulary.filters import where

settings.register_profile("voxpop", deadline=None)  # no test is timed: machines are busy
settings.load_profile("voxpop")


def pytest_configure(config: pytest.Config) -> None:
    """Point voxpop's home at a throw-away folder, for this process, its children and notebook kernels."""
    parents = os.environ.get("VOXPOP_HOME") if "PYTEST_XDIST_WORKER" in os.environ else None
    for name in [name for name in os.environ if name.startswith(("VOXPOP_", "API_V1_", "THESIS_"))]:
        if name != "VOXPOP_TEST_DATABASE_URL":
            del os.environ[name]
    config.stash[_HOME] = tempfile.mkdtemp(prefix="voxpop-tests-")
    os.environ["VOXPOP_HOME"] = config.stash[_HOME]
    os.environ["VOXPOP_PROGRESS"] = "off"
    os.environ["IPYTHONDIR"] = _kernel_settings(Path(config.stash[_HOME]))
    # Hundreds of processes start: without compiled modules each of them takes a third longer.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Every HTTP client reads all certificates of the machine, which takes 20 ms: read them once.
    ssl.create_default_context = cache(ssl.create_default_context)
    # Every service reads all installed packages three times, which takes 0.1 s: read them once.
    registry.entry_points = cache(registry.entry_points)
    if parents is not None:  # processes of one run share the populations that they build
        shared = Path(parents) / "population"
        shared.mkdir(exist_ok=True)
        (Path(config.stash[_HOME]) / "population").symlink_to(shared)


def _kernel_settings(home: Path) -> str:
    """Return a folder of settings for notebook kernels: none of the machine, and no grammar of addresses.

    Where JupyterLab is installed, charts load that grammar, which nothing uses, for a second per kernel.
    """
    startup = home / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "lean.py").write_text('import sys\nsys.modules["rfc3987_syntax"] = None\n')
    return str(home / "ipython")


_EXAMPLE = re.compile(r"^\s*>>> ", re.MULTILINE)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[Any], list[Any]]:
    """Search tests for doctests only where they have one, which saves a third of the collection."""
    found = yield
    has_none = file_path.suffix == ".py" and not _EXAMPLE.search(file_path.read_text(encoding="utf-8"))
    return [each for each in found if not (has_none and isinstance(each, DoctestModule))]


def pytest_collectstart() -> None:
    """Collect no garbage while millions of objects that stay are made."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep the millions of objects of 12,000 collected tests out of later garbage collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the throw-away folder, and let the interpreter clean up everything at its end."""
    forked_commands.close()
    gc.unfreeze()
    shutil.rmtree(config.stash[_HOME], ignore_errors=True)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings of the machine or of another test."""
    for name in ("VOXPOP_BASE_URL", "VOXPOP_API_KEY", "VOXPOP_DATABASE_URL", "SOURCE_DATE_EPOCH"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _no_power_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn off syncing to disk for throw-away databases, as in the PostgreSQL of the tests."""
    monkeypatch.setattr(durability, "sync_file", lambda _: None)


@pytest.fixture(scope="session")
def home() -> Path:
    """Return the throw-away home: populations built by one test serve the next."""
    return Path(os.environ["VOXPOP_HOME"])


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """Return a real PostgreSQL server, started for the first test that asks for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def empty_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite file with the tables of voxpop and without rows, to be copied."""
    folder = tmp_path_factory.mktemp("empty")
    Database.open(sqlite_url(folder)).close()
    return folder / "voxpop.sqlite"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of a database without rows; what asks for it is run with each kind."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("empty_sqlite"), tmp_path)
        yield sqlite_url(tmp_path)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    address = server.new()
    yield address
    server.give_back(address)


_HOME = pytest.StashKey[str]()


@pytest.fixture(scope="session")
def agents() -> list[Agent]:
    return make_agents(400)


@pytest.fixture(scope="session")
def crowd() -> list[Agent]:
    return make_agents(3_000, seed=2)


@pytest.fixture(scope="session")
def panel_of_the_usa(home: Path) -> list[Agent]:
    """5,000 agents of the USA as the service builds them, with attributes that go together."""
    population = open_population(12_000, 7, home=home)
    try:
        return population.agents(population.sample(where(country="USA"), 5_000, seed=3))
    finally:
        population.close()
