"""`pyproject.toml` lists exactly what the package imports."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import voxpop
import voxpop_simulator

ROOT = Path(__file__).parents[2]
PACKAGES = [Path(one.__file__).parent for one in (voxpop, voxpop_simulator)]


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {re.split(r"[<>=\[~! ]", line)[0].replace("-", "_") for line in project["dependencies"]}


def optional() -> set[str]:
    """Return what the extras declare; it is imported where it is used, and may not be there."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    lines = [line for name, lines in extras.items() if name not in ("all", "dev") for line in lines]
    return {re.split(r"[<>=\[~! ]", line)[0] for line in lines}


def imported() -> set[str]:
    found = set()
    for path in (path for package in PACKAGES for path in package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return {name for name in found if name not in sys.stdlib_module_names} - {"voxpop", "voxpop_simulator"}


def test_declared_and_imported_are_the_same() -> None:
    transitive = {"starlette", "click", "IPython"}  # of fastapi and typer; IPython only where a notebook runs
    transitive |= {"h11"}  # of uvicorn, whose protocol the server extends
    transitive |= {"mcp_types"}  # of mcp
    transitive |= {"pydantic_ai"}  # what pydantic-ai-slim is imported as
    assert declared() == imported() - transitive - optional()


def test_the_wheel_holds_both_packages() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == [f"src/{path.name}" for path in PACKAGES]


def test_tested_versions_are_written_down() -> None:
    pinned = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    names = {line.split("==")[0].lower().replace("_", "-") for line in pinned}
    assert all("==" in line for line in pinned)
    assert {name.lower().replace("_", "-") for name in declared()} <= names
