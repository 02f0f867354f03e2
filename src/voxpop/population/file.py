"""The population file of a service: an immutable DuckDB file that is built once and then only read.

The file is in ``<home>/population``. The first process that needs it builds it under a lock, while others
wait. It is written to a temporary file and moved into place when complete, so an interrupted build leaves no
broken population. A population of another version is opened if its file exists.
"""

from __future__ import annotations

import os
import uuid as uuid_module
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
from filelock import FileLock, Timeout

from voxpop.errors import PopulationError, UsageError
from voxpop.files import sync
from voxpop.population.queries import Population
from voxpop.population.reference import POPULATION_VERSION, name_of

__all__ = ["Population", "build_file", "open_named", "open_population"]

Progress = Callable[[str], None]

_MOST_AGENTS = 50_000_000


def open_population(
    agents: int = 100_000, seed: int = 7, *, home: Path, progress: Progress | None = None
) -> Population:
    """Open a population, and build its file first if necessary.

    Parameters
    ----------
    agents : int, default 100,000
        Number of agents.
    seed : int, default 7
        Seed, not negative; different seeds give different agents with the same margins.
    home : Path
        Data folder of voxpop; the file is in its subfolder ``population``.
    progress : callable, optional
        Called with a short description of each step of building or waiting.

    Raises
    ------
    UsageError
        ``agents`` or ``seed`` is out of range.
    PopulationError
        The file cannot be built or read; the message names it and the remedy.
    """
    _check("agents", agents, 1, _MOST_AGENTS)
    _check("seed", seed, 0, 2**63 - 1)
    path = _place(home, name_of(seed, agents))
    tell = progress or (lambda _: None)
    if not path.exists():
        _build_once(path, agents, seed, tell)
    return Population(path)


def open_named(name: str, *, home: Path, progress: Progress | None = None) -> Population:
    """Open a population by name, ``version-seed-size``; only the current version is built if missing.

    Parameters
    ----------
    name : str
        Name as returned by :func:`~voxpop.population.reference.name_of`, of any version.
    home, progress
        As for :func:`open_population`.

    Raises
    ------
    PopulationError
        The file cannot be built or read, holds another population, or is a missing one of another version.
    """
    version, seed, size = name.rsplit("-", 2)
    if version == POPULATION_VERSION:
        return open_population(int(size), int(seed), home=home, progress=progress)
    path = _place(home, name)
    if not path.exists():
        raise PopulationError(
            f"The agents of this service are from the population {name}, whose file is missing: {path}. "
            f"This voxpop only builds {POPULATION_VERSION}. Copy the file from where the service ran before, "
            "or rebuild it with the voxpop version that ran then "
            f"(voxpop population build --agents {size} --seed {seed}), "
            f"or start with a new data folder or database, which gets {POPULATION_VERSION}."
        )
    population = Population(path)
    if population.name != name:
        population.close()
        raise PopulationError(
            f"The population file {path} holds {population.name}, not {name}: replace it with the right file."
        )
    return population


def _place(home: Path, name: str) -> Path:
    return Path(home) / "population" / f"{name}.duckdb"


def _check(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"{name} must be a whole number from {least:,} to {most:,}, not {value!r}.")


def build_file(path: Path, agents: int, seed: int, *, progress: Progress | None = None) -> None:
    """Build a population into a new file.

    Raises
    ------
    UsageError
        ``agents`` or ``seed`` is out of range, or the file already exists.
    PopulationError
        The file cannot be built.
    """
    _check("agents", agents, 1, _MOST_AGENTS)
    _check("seed", seed, 0, 2**63 - 1)
    if path.exists():
        raise UsageError(f"The file {path} already exists; choose another path or delete it first.")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _build_aside(path, agents, seed, progress or (lambda _: None))


def _build_once(path: Path, agents: int, seed: int, tell: Progress) -> None:
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path, tell):
            if path.exists():
                return
            # left by an interrupted process: the lock rules out a running build
            for left in path.parent.glob(f".{path.stem}.*.building*"):
                left.unlink(missing_ok=True)
            _build_aside(path, agents, seed, tell)


def _build_aside(path: Path, agents: int, seed: int, tell: Progress) -> None:
    """Build to a temporary file and move it into place."""
    from voxpop.population.build import build  # only a build needs scipy and pyarrow

    unfinished = path.parent / f".{path.stem}.{uuid_module.uuid4().hex[:8]}.building"
    try:
        build(unfinished, seed, agents, tell)
        sync(unfinished)
        os.replace(unfinished, path)
        sync(path.parent)
    finally:
        for left in path.parent.glob(f"{unfinished.name}*"):  # including its write-ahead log
            left.unlink(missing_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise a population error that names the file that cannot be built."""
    try:
        yield
    except (OSError, duckdb.Error, MemoryError) as error:
        raise PopulationError(
            f"The population file {path} cannot be built: {error}. "
            "Check that the folder can be written and has free space, or choose fewer agents."
        ) from error


@contextmanager
def _locked(path: Path, tell: Progress) -> Iterator[None]:
    lock = FileLock(path.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        tell("waiting for another process that builds this population")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
