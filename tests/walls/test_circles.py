"""No circle of modules inside a package; imports inside functions, for types and by name count."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import voxpop

PACKAGE = Path(voxpop.__file__).parent
PACKAGES = sorted(
    path.parent.relative_to(PACKAGE.parent).as_posix()
    for path in PACKAGE.parent.glob("voxpop*/**/__init__.py")
)


def imported(path: Path, modules: Collection[str]) -> Iterator[str]:
    """Yield the modules that a file may import, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules else node.module for name in names)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            yield from (str(each.value) for each in node.args if isinstance(each, ast.Constant))


def circle_in(folder: Path, package: str) -> list[str]:
    """Return the modules of a circle among the files of one folder, or nothing."""
    files = [*folder.glob("*.py"), *folder.glob("*/__init__.py")]
    names = [".".join((package, *path.relative_to(folder).with_suffix("").parts)) for path in files]
    paths = {name.removesuffix(".__init__"): path for name, path in zip(names, files, strict=True)}
    graph = {
        module: {name for name in imported(path, paths) if name in paths and name != module}
        for module, path in paths.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_circle_of_modules(package: str) -> None:
    assert circle_in(PACKAGE.parent / package, package.replace("/", ".")) == []


@pytest.mark.parametrize(
    "back",
    [
        "import house.first",
        "from house import first",
        "from house.first import name",
        "def late():\n    from house.first import name",
        "if TYPE_CHECKING:\n    from house.first import name",
        'first = import_module("house.first")',
    ],
)
def test_every_way_to_import_counts(back: str, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("from house.second import other\n")
    (tmp_path / "second.py").write_text(f"{back}\n")
    assert set(circle_in(tmp_path, "house")) == {"house.first", "house.second"}


def test_imports_that_go_one_way_are_no_circle(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("from house.first import name\n")
    (tmp_path / "first.py").write_text("from house.second import other\n")
    (tmp_path / "second.py").write_text("import os\n")
    assert circle_in(tmp_path, "house") == []
