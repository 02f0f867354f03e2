"""A module is one idea: small files, short functions, few methods, told in a first line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import voxpop
import voxpop_simulator

SOURCE = Path(voxpop.__file__).parents[1]
PACKAGES = [Path(one.__file__).parent for one in (voxpop, voxpop_simulator)]
MODULES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))
NAMES = [str(path.relative_to(SOURCE)) for path in MODULES]


def too_large(source: str) -> Iterator[str]:
    """Yield what is too large in a module, or missing from its head."""
    tree = ast.parse(source)
    if (lines := len(source.splitlines())) > 600:
        yield f"{lines} lines"
    if not ast.get_docstring(tree):
        yield "no docstring"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body and (node.end_lineno or 0) - body[0].lineno >= 50:
                yield f"{node.name} is over 50 lines"
        if isinstance(node, ast.ClassDef):
            public = [n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]
            if len(public) > 20:
                yield f"{node.name} has {len(public)} public methods"


def test_modules_are_one_told_idea_each() -> None:
    sources = [path.read_text(encoding="utf-8") for path in MODULES]
    found = [(name, list(too_large(source))) for name, source in zip(NAMES, sources, strict=True)]
    assert [(name, wrong) for name, wrong in found if wrong] == []
    assert len(found) > 500


def test_what_is_too_large_is_found() -> None:
    long = "def long():\n" + "    pass\n" * 60
    many = "class Many:\n" + "".join(f"    def f{number}(self): ...\n" for number in range(21))
    told = list(too_large(long + many + "\n" * 600))
    assert told == ["683 lines", "no docstring", "long is over 50 lines", "Many has 21 public methods"]


def test_folders_are_two_deep_at_most() -> None:
    deep = [name for name in NAMES if len(Path(name).parts) > 3 and "migrations" not in name]
    assert deep == []
