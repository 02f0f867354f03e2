"""Every reference of a docstring, such as :class:`voxpop.Table`, leads somewhere."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import voxpop

PACKAGE = Path(voxpop.__file__).parent
FILES = sorted(PACKAGE.parent.glob("voxpop*/**/*.py"))
REFERENCE = re.compile(r":(?:mod|class|func|meth|attr|data|exc|obj):`~?([^`]+)`")


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def references(source: str) -> Iterator[tuple[str, str]]:
    """Yield every reference with the class that it stands in, if any."""
    named = list(REFERENCE.finditer(source))
    tree = ast.walk(ast.parse(source)) if named else ()
    classes = [node for node in tree if isinstance(node, ast.ClassDef)]
    for found in named:
        line = source.count("\n", 0, found.start()) + 1
        around = [node.name for node in classes if node.lineno <= line <= (node.end_lineno or 0)]
        yield found.group(1), around[-1] if around else ""


@cache
def is_there(name: str) -> bool:
    """Tell whether a dotted name is a module, or leads to something inside one."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            thing: object = import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            if inspect.isclass(thing) and not hasattr(thing, part):
                return f"self.{part}" in inspect.getsource(thing)
            thing = getattr(thing, part, None)
        return thing is not None
    return False


def dead(source: str, module: str) -> list[str]:
    """Return the references that lead nowhere: not as they are, and not from one of the places around."""
    package = ".".join(module.split(".")[:2])
    homes = (module, package, "voxpop", "voxpop.errors")
    return [
        name
        for name, inside in references(source)
        if not is_there(name)
        and not any(is_there(f"{home}.{name}") for home in (f"{module}.{inside}", *homes))
    ]


def test_every_reference_leads_somewhere() -> None:
    found = [(module_of(path), dead(path.read_text(encoding="utf-8"), module_of(path))) for path in FILES]
    assert [(module, names) for module, names in found if names] == []
    assert len(found) > 500


def test_dead_references_are_found() -> None:
    told = (
        '"""See :func:`voxpop.analysis.validate`, :func:`crosstab`, :mod:`voxpop.tables` and :class:`Nil`."""'
    )
    assert dead(told, "voxpop.analysis.table") == ["voxpop.analysis.validate", "Nil"]
