"""Triple-S files of a study (XML version 2.0 with CSV data), which survey packages exchange.

The standard allows Latin-1 characters without line breaks in the data; the metadata are UTF-8. The data file
starts with two header records: the source of the answers, and the names of the columns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from voxpop.tables.coding import SERIAL, WEIGHT, Coded, Respondents, respondents_coded
from voxpop.tables.origin import Origin
from voxpop.tables.people import RESPONDENTS
from voxpop.tables.xml_parts import Lines, document, element, leaf

FILES = (f"{RESPONDENTS}.sss", f"{RESPONDENTS}.csv")
_HEADERS = 2
_LARGEST = 2**31 - 1
_MOST_DECIMALS = 10
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **{"…": "...", "•": "*", "€": "EUR", "™": "(TM)", "\u00ad": "", "\u200b": "", "\ufeff": ""},
    }
)
"""Common characters outside of Latin-1 and the text to write instead."""


@dataclass(slots=True)
class _Written:
    """One variable of the file: its definition without a position, and its cells as CSV fields."""

    name: str
    head: Lines
    rest: Lines
    attributes: dict[str, str]
    fields: list[str]
    lost: int = 0


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write ``respondents.sss`` and ``respondents.csv``; a multiple choice is one variable of 0/1 marks."""
    made, origin = respondents_coded(cursor, study["study_uuid"]), Origin.of_study(cursor, study)
    written = [one for family in made.families() for one in _variables(made, family)]
    comments = [origin.statement, *made.remarks, *_losses(written)]
    root = element(
        "sss",
        *([leaf("date", f"{created:%Y-%m-%d}"), leaf("time", f"{created:%H:%M}")] if created else []),
        leaf("origin", f"voxpop {version('voxpop')}"),
        leaf("user", origin.statement),
        element(
            "survey",
            leaf("name", RESPONDENTS),
            leaf("title", f"{origin.title} (simulated: {origin.line or 'source not recorded'})"),
            element(
                "record",
                *(_definition(place, one) for place, one in enumerate(written, 1)),
                ident="A",
                format="csv",
                skip=_HEADERS,
            ),
        ),
        version="2.0",
    )
    metadata, data = (folder / "triple-s" / name for name in FILES)
    metadata.write_text(document(root, comments=comments), encoding="utf-8", newline="\n")
    records = [_quoted(latin(origin.statement)[0]), ",".join(one.name for one in written)]
    records += map(",".join, zip(*(one.fields for one in written), strict=True))
    data.write_text("".join(f"{record}\n" for record in records), encoding="latin-1", newline="\n")


def _definition(place: int, one: _Written) -> Lines:
    return element(
        "variable", one.head, leaf("position", start=place), one.rest, ident=place, **one.attributes
    )


def _losses(written: list[_Written]) -> Iterator[str]:
    """Yield a remark on each variable with characters that the data file cannot hold."""
    for one in written:
        if one.lost:
            yield (
                f"{one.name}: {one.lost} texts have characters outside of Latin-1, written as '?'; "
                "data/answers.parquet and data/agents.parquet have the full texts."
            )


def _variables(made: Respondents, family: list[Coded]) -> Iterator[_Written]:
    if family[0].kind == "option":
        yield _multiple(family)
        yield from _why(made, family[0])
        return
    for column in family:
        if column.kind == "text":
            yield _character(column)
        elif column.kind == "logical" and not column.missing:
            fields = _fields(column.cells, lambda cell: str(int(cell)))
            yield _Written(column.name, _named(column), [], {"type": "logical"}, fields)
        elif column.kind in ("single", "logical") or (column.points and column.points[0] >= 0):
            yield _single(column)
        else:
            yield _quantity(column)


def _named(column: Coded) -> Lines:
    return leaf("name", column.name) + leaf("label", column.label or column.name)


def _single(column: Coded) -> _Written:
    """Return a variable with one level per agent; missing answers have codes above all levels."""
    labels = dict(column.values)
    if column.points:
        low, high = column.points
        labels = {
            float(one): " ".join([str(one), labels.get(float(one), "")]) for one in range(low, high + 1)
        }
    seen = column.cells[column.valid()]
    labels |= {float(code): f"{code:g}" for code in np.unique(seen) if code not in labels}
    above = 90
    while labels and max(labels) > above:
        above = above * 10 + 90
    codes = {code: above + place for place, code in enumerate(sorted(column.missing, reverse=True), 1)}
    values = [
        leaf("value", text, code=f"{code:.0f}", **({"score": f"{code:.0f}"} if column.points else {}))
        for code, text in labels.items()
    ] + [leaf("value", text, code=codes[code]) for code, text in column.missing.items()]
    fields = _fields(column.cells, lambda cell: f"{codes.get(cell, cell):.0f}")
    rest = element("values", *(values or [leaf("value", "none was declared or chosen", code=0)]))
    return _Written(column.name, _named(column), rest, {"type": "single"}, fields)


def _multiple(family: list[Coded]) -> _Written:
    """Return a variable with a mark per option; it is blank if the agent did not answer."""
    first = family[0]
    answered = first.valid()
    marks = np.array([column.cells for column in family]) == 1.0
    fields = [
        f'"{"".join("1" if mark else "0" for mark in row)}"' if known else ""
        for known, row in zip(answered, marks.T, strict=True)
    ]
    values = [leaf("value", column.option, code=place) for place, column in enumerate(family, 1)]
    head = leaf("name", first.of) + leaf("label", first.of_label)
    return _Written(first.of, head, element("values", *values), {"type": "multiple"}, fields)


def _why(made: Respondents, first: Coded) -> Iterator[_Written]:
    """Yield a variable with the reasons for missing answers, which a multiple choice cannot hold."""
    cells = np.where(np.isin(first.cells, list(first.missing)), first.cells, np.nan)
    if not np.isnan(cells).all():
        label = f"Why missing: {first.of_label}"
        name = made.name(f"{first.of}_missing")
        yield _single(Coded(name, label, "single", "nominal", cells, missing=first.missing))


def _quantity(column: Coded) -> _Written:
    valid = column.cells[column.valid()]
    decimals = _decimals(valid)
    low, high = (valid.min(), valid.max()) if len(valid) else column.points or (0, 0)
    use = {}
    if column.name == SERIAL and _is_serial(column):
        use = {"use": "serial"}
    elif column.name == WEIGHT and len(valid) == len(column.cells) and len(valid) and low >= 0:
        use = {"use": "weight"}
    labels = [
        leaf("value", text, code=f"{code:.{decimals}f}")
        for code, text in (column.values | column.missing).items()
    ]
    ends = leaf("range", from_=f"{low:.{decimals}f}", to=f"{high:.{decimals}f}")
    fields = _fields(column.cells, lambda cell: f"{cell:.{decimals}f}")
    return _Written(
        column.name, _named(column), element("values", ends, *labels), {"type": "quantity", **use}, fields
    )


def _is_serial(column: Coded) -> bool:
    cells = column.cells
    whole = bool(len(cells)) and bool((cells > 0).all() and (cells <= _LARGEST).all())
    return whole and len(np.unique(cells)) == len(cells)


def _decimals(valid: Any) -> int:
    """Return the fewest decimals that write all values exactly, up to a limit."""
    for decimals in range(_MOST_DECIMALS):
        if np.array_equal(np.round(valid, decimals), valid):
            return decimals
    return _MOST_DECIMALS


def _character(column: Coded) -> _Written:
    texts = [latin(text) for text in column.cells]
    size = max((len(text) for text, _ in texts), default=1) or 1
    fields = [_quoted(text) if text else "" for text, _ in texts]
    lost = sum(missed for _, missed in texts)
    return _Written(column.name, _named(column), leaf("size", size), {"type": "character"}, fields, lost)


def _fields(cells: Any, shown: Any) -> list[str]:
    return ["" if np.isnan(cell) else shown(float(cell)) for cell in cells]


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def latin(text: str) -> tuple[str, bool]:
    """Return a text on one line in Latin-1, and whether characters were lost.

    Examples
    --------
    >>> latin("“Łódź” – naïve…"), latin("日本\\nok")
    (('"?ódz" - naïve...', True), ('?? ok', True))
    """
    lost, parts = False, []
    for mark in " ".join(text.translate(_PLAIN).split()):
        near = mark if mark <= "\xff" else unicodedata.normalize("NFKD", mark)
        near = "".join(one for one in near if not unicodedata.combining(one))
        if unicodedata.category(mark) == "Cc" or not near or max(near) > "\xff":
            near, lost = "?", True
        parts.append(near)
    return "".join(parts), lost
