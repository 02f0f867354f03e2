"""Question types differ by their rows only: no module compares type names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import voxpop
from voxpop.vocabulary.question_types import QUESTION_TYPES

SOURCE = Path(voxpop.__file__).parents[1]
FOLDERS = [folder for folder in ("voxpop", "voxpop_simulator") if (SOURCE / folder).is_dir()]
AMBIGUOUS = {"open", "scale", "number"}
"""These name other things, too; they count where something called a type is looked at."""
SAYS_TYPE = {"type", "kind", "chosen"}


def branches(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that compare, match or look up the name of a type."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            named = {name for side in sides for name in _texts(side)} & set(QUESTION_TYPES)
            if named - AMBIGUOUS or (named and any(_says_type(side) for side in sides)):
                yield node.lineno
        elif isinstance(node, ast.match_case):
            named = {name for part in ast.walk(node.pattern) for name in _texts(part)} & set(QUESTION_TYPES)
            if named:
                yield node.pattern.lineno
        elif isinstance(node, ast.Dict):
            named = {name for key in node.keys if key is not None for name in _texts(key)}
            if named & set(QUESTION_TYPES) - AMBIGUOUS:
                yield node.lineno


def _texts(node: ast.AST) -> Iterator[str]:
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    yield from (one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _says_type(node: ast.AST) -> bool:
    """Tell whether an expression is, or asks for, something called a type."""
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    names |= {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    names |= {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
    return bool(names & SAYS_TYPE)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_module_branches_on_the_name_of_a_type(folder: str) -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted((SOURCE / folder).rglob("*.py"))
        for line in branches(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "finds"),
    [
        ('question.type == "yes_no"', True),
        ('kind in ("scale", "number")', True),
        ('about.get("type") != "open"', True),
        ('{"multi_choice": 1}', True),
        ('match kind:\n    case "ranking":\n        pass', True),
        ('read_question(text, type="yes_no")', False),
        ('found.status == "open"', False),
        ("shape is BOOLEAN", False),
    ],
)
def test_the_check_itself_finds_what_it_is_for(code: str, finds: bool) -> None:
    assert bool(list(branches(ast.parse(code)))) is finds
