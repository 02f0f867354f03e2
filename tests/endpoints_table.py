"""The page tests/contract/ENDPOINTS.md: every endpoint with its scope and a test that calls it.

Regenerate it with `python tests/endpoints_table.py` in the checkout.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from fastapi.routing import APIRoute

from voxpop.service.app import ROUTERS
from voxpop.service.auth import Needs

TESTS = Path(__file__).parent
TABLE = TESTS / "contract" / "ENDPOINTS.md"
COMMAND = "python tests/endpoints_table.py"
METHODS = ("delete", "get", "patch", "post", "put")
HEAD = f"""# Endpoints, scopes and tests

Generated from the routes of the service and the calls in the tests. Run `{COMMAND}` to update it;
`tests/walls/test_endpoints_table.py` fails if it is out of date. A key needs one of the listed scopes. The
last column names one of the tests that call the endpoint.

| endpoint | purpose | scope of the key | test |
|---|---|---|---|
"""

Calls = dict[str, list[tuple[str, str]]]
"""What the functions of one file call: name -> (method, path with ``{{}}`` for what is filled in)."""


def routes() -> list[APIRoute]:
    """Return the routes that are part of the interface, in the order of their paths."""
    found = [
        route
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and route.include_in_schema
    ]
    return sorted(found, key=lambda route: (route.path, min(route.methods)))


def scopes(route: APIRoute) -> tuple[str, ...]:
    """Return the scopes of which a key needs one; none for a public route."""
    return tuple(
        scope
        for each in route.dependencies
        if isinstance(each.dependency, Needs)
        for scope in each.dependency.scopes
    )


def table() -> str:
    """Return the whole page as it should be."""
    callers = _callers()
    rows = []
    for route in routes():
        method = min(route.methods)
        needed = " or ".join(f"`{scope}`" for scope in scopes(route)) or "none: public"
        tests = [name for name, calls in callers if _calls(calls, method, route.path)]
        tests.sort(key=lambda name: f"_{route.tags[0]}.py" not in name)  # those of its own family first
        test = f"`{tests[0]}`" if tests else "–"
        rows.append(f"| `{method} {route.path}` | {route.summary} | {needed} | {test} |\n")
    return HEAD + "".join(rows)


def _calls(calls: list[tuple[str, str]], method: str, path: str) -> bool:
    pattern = re.sub(r"\\\{[a-z_]+\\\}", r"[^/?]+", re.escape(path.removeprefix("/v1")))
    return any(
        method.lower() == sent and re.fullmatch(f"(/v1|{{}})?{pattern}([?].*)?", to) for sent, to in calls
    )


def _callers() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the tests with what they call: first those that call it themselves, then through a helper."""
    helpers = _read(TESTS / "running_service.py")
    direct, indirect = [], []
    for folder in ("contract", "service", "browser"):
        for file in sorted((TESTS / folder).glob("test_*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            known = helpers | _calls_of(tree)
            for function in _functions(tree):
                if function.name.startswith("test_"):
                    name = f"{folder}/{file.name}::{function.name}"
                    direct.append((name, known[function.name]))
                    indirect.append(
                        (name, [call for used in _names(function) for call in known.get(used, [])])
                    )
    return direct + indirect


def _read(file: Path) -> Calls:
    return _calls_of(ast.parse(file.read_text(encoding="utf-8")))


def _calls_of(tree: ast.Module) -> Calls:
    constants = _texts(tree.body, {})
    return {function.name: _sent(function, constants) for function in _functions(tree)}


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    yield from (each for each in tree.body if isinstance(each, ast.FunctionDef))


def _names(function: ast.FunctionDef) -> Iterator[str]:
    """Give the names that a test uses: helpers that it calls and fixtures that it takes."""
    yield from (each.arg for each in function.args.args)
    yield from (each.id for each in ast.walk(function) if isinstance(each, ast.Name))


def _sent(function: ast.FunctionDef, constants: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    known = _texts([each for each in ast.walk(function) if isinstance(each, ast.Assign)], constants)
    found = []
    for call in ast.walk(function):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        method, place = call.func.attr, call.args[0]
        methods = {method}
        if method == "request" and len(call.args) > 1:
            methods, place = {each.lower() for each in _written(place, known)} or set(METHODS), call.args[1]
        for sent in sorted(methods.intersection(METHODS)):
            found += [(sent, path) for path in sorted(_written(place, known))]
    return found


def _texts(body: list[ast.stmt] | list[ast.Assign], known: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return what names stand for a text, whatever of it is known."""
    found = dict(known)
    for each in body:
        if isinstance(each, ast.Assign):
            for target in each.targets:
                pairs = [(target, each.value)]
                if isinstance(target, ast.Tuple) and isinstance(each.value, ast.Tuple):
                    pairs = list(zip(target.elts, each.value.elts, strict=False))
                for name, value in pairs:
                    if isinstance(name, ast.Name) and (texts := _written(value, found)):
                        found[name.id] = found.get(name.id, set()) | texts
    return found


def _written(value: ast.expr, known: Mapping[str, set[str]]) -> set[str]:
    """Return the texts that an expression may stand for, with ``{}`` for its unknown parts."""
    if isinstance(value, ast.Constant):
        return {value.value} if isinstance(value.value, str) else set()
    if isinstance(value, ast.Name):
        return known.get(value.id, set())
    if isinstance(value, ast.JoinedStr):
        texts = {""}
        for part in value.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            ends = _written(inner, known) or {"{}"}
            texts = {text + end for text in texts for end in ends}
        return texts
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        ends = _written(value.right, known) or {"{}"}
        return {text + end for text in _written(value.left, known) or {"{}"} for end in ends}
    if isinstance(value, ast.IfExp):
        return _written(value.body, known) | _written(value.orelse, known)
    return set()


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
