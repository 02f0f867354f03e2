"""Imports go down, never up, never sideways, never across; imports inside functions count."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import voxpop
import voxpop_simulator

PACKAGE = Path(voxpop.__file__).parent
SIMULATOR = Path(voxpop_simulator.__file__).parent
LEVEL: dict[str, float] = {
    "errors": 0,
    "files": 0,
    "settings": 0,
    "text_files": 0,
    "version": 0,
    "vocabulary": 1,
    "stats": 1,
    "engines": 1.1,  # the contract speaks of filters, which are the vocabulary's
    "wire": 2,
    "population": 2,
    "survey": 2,  # rows with labels and a design, which stores return and tables read
    "client": 3,
    "tables": 3,
    "mcp": 3,  # beside both sides: the service serves it to itself, the command line to any service
    "records": 3,
    "fieldwork": 4,
    "analysis": 4,
    "verbatims": 4.1,  # these two stand on its tables
    "validation": 4.1,
    "own_survey": 4.1,
    "jobs": 4,
    "checking": 5,
    "examples": 5,
    "widgets": 5,
    "service": 5,
    "cli": 6,
    "connecting": 6,
    "__init__": 7,
    "__main__": 7,
}
ANALYSING = {"analysis", "verbatims", "validation", "own_survey"}
TOOLKIT = {"client", "survey", "tables", "fieldwork", "checking", "examples", "widgets"} | ANALYSING
SERVICE = {"population", "records", "jobs", "service"}
ENGINES_USE = {"errors", "settings", "vocabulary", "stats"}
SIMULATOR_LEVEL = {  # a question is read, looked up, answered and put in words; then audiences and theses
    "questions": 1,
    "library": 2,
    "stances": 3,
    "speech": 4,
    "audiences": 5,
    "theses": 6,
    "own_types": 7,
    "parts": 7,
    "earlier": 7,
    "embedded": 8,
    "__init__": 9,
}
SIMULATOR_USES = {"engines", "vocabulary", "stats", "text_files"}
SIDEWAYS_ALLOWED = {
    ("analysis", "tables"),  # for names, of tables.schema alone: see below
    ("settings", "errors"),
    ("cli", "connecting"),  # the command line stands on the same notebook calls
}


def room(path: Path, package: Path = PACKAGE) -> str:
    return path.relative_to(package).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> tuple[str, ...]:
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield from (
                [f"{node.module}.{a.name}" for a in node.names]
                if node.module in ("voxpop", "voxpop_simulator")
                else [node.module]
            )


def crossings() -> Iterator[tuple[Path, str, str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        for name in imports(path):
            parts = [*name.split("."), "__init__"]  # `import voxpop` itself stands on top of everything
            if parts[0] == "voxpop" and parts[1] != room(path):
                yield path, room(path), parts[1], name


def test_every_room_has_its_level() -> None:
    assert {room(path) for path in PACKAGE.rglob("*.py")} <= set(LEVEL)


def test_imports_go_down_only() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path, here, there, name in crossings()
        if there in LEVEL and LEVEL[there] >= LEVEL[here] and (here, there) not in SIDEWAYS_ALLOWED
    ]
    assert wrong == []


def test_toolkit_and_service_meet_only_in_wire_and_below() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path, here, there, name in crossings()
        if (here in TOOLKIT and there in SERVICE) or (here in SERVICE and there in TOOLKIT)
    ]
    assert wrong == []


def test_analysis_reads_only_names_from_tables() -> None:
    read = {name for _, here, there, name in crossings() if here in ANALYSING and there == "tables"}
    assert read <= {"voxpop.tables.schema"}


def test_engines_use_only_what_lies_below() -> None:
    used = {there for _, here, there, _ in crossings() if here == "engines"}
    assert used <= ENGINES_USE


def test_nothing_in_voxpop_imports_the_simulator() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in PACKAGE.rglob("*.py")
        for name in imports(path)
        if name.split(".")[0] == SIMULATOR.name
    ]
    assert wrong == []


def test_the_simulator_uses_the_contract_and_little_else_of_voxpop() -> None:
    used = {
        (path.relative_to(SIMULATOR).as_posix(), name)
        for path in SIMULATOR.rglob("*.py")
        for name in imports(path)
        if name.split(".")[0] == "voxpop"
    }
    assert [(path, name) for path, name in used if name.split(".")[1] not in SIMULATOR_USES] == []
    assert not [path for path in SIMULATOR.rglob("*.py") if 'files("voxpop' in path.read_text("utf-8")]


def test_the_rooms_of_the_simulator_stand_on_each_other() -> None:
    wrong = [
        f"{path.relative_to(SIMULATOR)} imports {name}"
        for path in SIMULATOR.rglob("*.py")
        for name in imports(path)
        if name.split(".")[0] == SIMULATOR.name
        and (here := room(path, SIMULATOR)) != (there := name.split(".")[1])
        and SIMULATOR_LEVEL[there] >= SIMULATOR_LEVEL[here]
    ]
    assert wrong == []


def outside(path: Path) -> set[str]:
    """Return the packages that a module imports from outside of the standard library."""
    return {name.split(".")[0] for name in imports(path)} - sys.stdlib_module_names


def test_vocabulary_stands_on_the_standard_library_alone() -> None:
    assert set().union(*map(outside, (PACKAGE / "vocabulary").glob("*.py"))) <= {"voxpop"}


def test_the_reader_of_packed_files_imports_nothing_of_voxpop_for_the_build_hook_loads_it_alone() -> None:
    assert outside(PACKAGE / "text_files.py") == set()


@pytest.mark.parametrize("folder", ["utils", "common", "helpers", "base", "core"])
def test_no_folder_for_things_without_a_place(folder: str) -> None:
    assert list(PACKAGE.rglob(folder)) == []
    assert list(PACKAGE.rglob(f"{folder}.py")) in ([], [PACKAGE / "wire" / "base.py"])
