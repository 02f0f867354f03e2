"""A module is one idea: small files, short functions, few methods, told in a first line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import voxpop
import voxpop_simulator

SOURCE = Path(voxpop.__file__).parents[1]
PACKAGES = [Path(one.__file__).parent for one in (voxpop, voxpop_simulator)]
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
NAMES = [str(path.relative_to(SOURCE)) for path in MODULES]


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_module_is_one_told_idea(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert len(source.splitlines()) <= 600
    assert ast.get_docstring(tree), "a module says its idea in its first line"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body:
                assert (node.end_lineno or 0) - body[0].lineno < 50, f"{node.name} is over 50 lines"
        if isinstance(node, ast.ClassDef):
            public = [n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
            assert len(public) <= 20, f"{node.name} has {len(public)} public methods"


def test_folders_are_two_deep_at_most() -> None:
    deep = [name for name in NAMES if len(Path(name).parts) > 3 and "migrations" not in name]
    assert deep == []
