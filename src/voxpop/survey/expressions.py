"""Expressions of derived variables: SQL of one row, checked before it is used.

SQL, not a Python function: DuckDB computes it without copying the rows, and its text is the whole record of
what was done. An expression may use columns, constants, operators, CASE and functions whose result depends on
their arguments alone; so the same data give the same variable again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import duckdb

from voxpop.errors import UsageError
from voxpop.survey.sql import literal
from voxpop.survey.variables import unknown_column
from voxpop.vocabulary.nearest import did_you_mean, nearest

_PARTS = {"COLUMN_REF", "CONSTANT", "FUNCTION", "COMPARISON", "CONJUNCTION", "CASE", "CAST", "OPERATOR"}
_PARTS |= {"BETWEEN", "LAMBDA", "TYPE", "COLLATE"}
_REFUSED = {
    "SUBQUERY": "another query",
    "WINDOW": "a window over other rows",
    "STAR": "all columns at once",
    "PARAMETER": "a parameter",
    "DEFAULT": "a default",
    "LAMBDA_REF": "a parameter",
}
_EMPTY = ("where_clause", "having", "qualify", "sample")


def checked_expression(name: str, text: str, columns: Sequence[str]) -> str:
    """Return an SQL expression that computes one value per row.

    Parameters
    ----------
    name : str
        The variable to derive, for messages.
    text : str
        The expression.
    columns : sequence of str
        Columns that it may use.

    Raises
    ------
    UsageError
        It is no single expression, names an unknown column or function, looks at other rows, or gives another
        value each time.

    Examples
    --------
    >>> checked_expression("bmi", "weight / (height * height)", ["weight", "height"])
    'weight / (height * height)'
    >>> checked_expression("bmi", "weigth / 2", ["weight"])
    Traceback (most recent call last):
    voxpop.errors.UsageError: derive: 'bmi': The data have no column 'weigth'; did you mean weight?
    """
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"derive: {name!r} needs an expression such as 'weight / (height * height)'.")
    tree = json.loads(
        _database().execute(f"SELECT json_serialize_sql({literal('SELECT ' + text)})").fetchall()[0][0]
    )
    if tree["error"]:
        told = str(tree.get("error_message", "")).splitlines()[0]
        raise UsageError(f"derive: {name!r}: {text!r} is no SQL expression: {told}")
    statements = tree["statements"]
    node = statements[0]["node"] if len(statements) == 1 else {}
    items = node.get("select_list", [])
    others = node.get("from_table", {}).get("type") != "EMPTY" or any(node.get(part) for part in _EMPTY)
    if (
        node.get("type") != "SELECT_NODE"
        or len(items) != 1
        or others
        or node.get("modifiers")
        or items[0]["alias"]
    ):
        raise UsageError(f"derive: {name!r} takes one expression, not a query: {text!r}.")
    known = {column.casefold() for column in columns}
    _check(name, items[0], known, columns)
    return text.strip()


def _check(name: str, node: dict[str, Any], known: set[str], columns: Sequence[str]) -> None:
    """Refuse everything that does not depend on the row alone."""
    kind = node.get("class")
    if kind is not None and kind not in _PARTS:
        what = _REFUSED.get(kind, kind.lower())
        raise UsageError(f"derive: {name!r} must be computed row by row; it has {what}.")
    if kind == "LAMBDA":
        known = known | {str(own).casefold() for own in _parameters(node)}
    if kind == "COLUMN_REF":
        column = node["column_names"][0]
        if column.casefold() not in known:
            raise UsageError(f"derive: {name!r}: {unknown_column(column, columns)}")
    if kind == "FUNCTION":
        _check_function(name, node["function_name"])
    for inner in _inside(node):
        _check(name, inner, known, columns)


def _parameters(node: dict[str, Any]) -> Iterator[str]:
    left = node.get("lhs") or {}
    parts = (
        left.get("children") or [one.get("expression", one) for one in left.get("arguments", [])] or [left]
    )
    for part in parts:
        yield from part.get("column_names", ())


def _inside(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the nearest parts of a tree that may be expressions."""
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict):
            yield part
        elif isinstance(part, list):
            yield from (one for one in part if isinstance(one, dict))


def _check_function(name: str, called: str) -> None:
    functions = _functions()
    plain = called.lower()
    if plain not in functions:
        hint = did_you_mean(nearest(plain, functions)) or "."
        raise UsageError(f"derive: {name!r}: there is no function {called!r}{hint}")
    if not functions[plain]:
        raise UsageError(
            f"derive: {name!r}: {called!r} looks at other rows, or gives another value each time; an "
            "expression is computed from one row."
        )


@cache
def _functions() -> dict[str, bool]:
    """Return all functions, and whether their result depends on their arguments alone."""
    found = _database().execute(
        "SELECT lower(function_name), bool_or(function_type = 'scalar' AND stability = 'CONSISTENT') "
        "AND NOT bool_or(function_type IN ('aggregate', 'window')) "
        "FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'window') GROUP BY ALL"
    )
    return dict(found.fetchall())


def _database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()
