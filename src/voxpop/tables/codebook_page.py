"""The codebook as a plain HTML file without scripts, suitable for printing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from voxpop.engines.basis_counts import UNKNOWN
from voxpop.tables.columns import ADDED
from voxpop.tables.origin import Origin

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
tr { border-bottom: 1px solid #8886; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
h3 { margin: 2rem 0 .2rem; } h3 code { font-size: 1em; }
.meta { opacity: .75; margin: 0; }
"""
_MOST = 60


def page_of(book: Mapping[str, Any], origin: Origin) -> str:
    """Return the page of a codebook from :func:`voxpop.tables.codebook.codebook`, with its data's source."""
    title = escape(book["title"] or "Study")
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">',
        f"<title>{title}: codebook</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>{title}: codebook</h1>\n<p><strong>{escape(book['note'])}</strong></p>",
        f"<p>{escape(origin.statement)}</p>",
        "<h2>What is missing, and what that means</h2>",
        _rows(("where", "meaning"), book["missing"].items()),
        "<h2>Questions</h2>",
        *(part for question in book["questions"] for part in _question(question)),
        "<h2>Agents</h2>",
        *(part for field in book["profile"] for part in _field(field)),
        *_derived(book["derived"]),
        *_steps(book.get("steps", ())),
        "<h2>Files</h2>",
        *(part for path, table in book["tables"].items() for part in _table(path, table)),
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _question(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h3><code>{escape(told['key'])}</code></h3>\n<p>{escape(told['question'] or '')}</p>"
    without = "".join(f", {number:,} {escape(why)}" for why, number in sorted(told["without_answer"].items()))
    unit = f", in {escape(told['unit'])}" if told["unit"] else ""
    yield (
        f'<p class="meta">{escape(told["type"])}{unit} · {told["answered"]:,} answered, '
        f"{told['base']:,} with a value{without}</p>"
    )
    if told["notice"]:
        yield f"<p><strong>{escape(told['notice'])}</strong></p>"
    if told["bases"]:
        rows = [
            (
                one["kind"] or "unknown",
                f"{one['answers']:,}",
                " ".join(one["notes"]) or f"{UNKNOWN.capitalize()}.",
            )
            for one in told["bases"]
        ]
        yield _rows(("basis", "answers", "note"), rows, "What the answers rest on")
    yield from _values(told, told["base"], "What was answered")


def _field(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h3><code>{escape(told['name'])}</code></h3>\n<p>{escape(told['meaning'])}</p>"
    unit = f", in {escape(told['unit'])}" if told["unit"] else ""
    yield (
        f'<p class="meta">{escape(told["kind"])}{unit} · {told["base"]:,} agents, '
        f"{told['missing']:,} missing ({escape(told['missing_means'])})</p>"
    )
    yield from _values(told, told["base"], "Levels in order")


def _values(told: Mapping[str, Any], base: int, caption: str) -> Iterator[str]:
    """Render levels with their counts, or the ends of a range."""
    if levels := told.get("levels"):
        rows = [
            (_named(level), f"{level['count']:,}", f"{100 * level['count'] / base:.1f}" if base else "")
            for level in levels[:_MOST]
        ]
        yield _rows(("level", "agents", "% of base"), rows, caption, numbers=2)
        if len(levels) > _MOST:
            yield f"<p>and {len(levels) - _MOST:,} more levels, in codebook.json</p>"
    elif told.get("min") is not None:
        yield f"<p>{told['min']:,} to {told['max']:,}</p>"


def _named(level: Mapping[str, Any]) -> str:
    label = level.get("label")
    return f"{level['value']} ({label})" if label else str(level["value"])


def _derived(columns: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not columns:
        return
    heads: tuple[str, ...] = ("column", "kind", "levels")
    rows: list[tuple[str, ...]] = [
        (one["name"], one["kind"], ", ".join(one.get("levels", ()))) for one in columns
    ]
    if any(one["meaning"] != ADDED for one in columns):
        heads = (*heads, "label")
        rows = [(*row, one["meaning"]) for row, one in zip(rows, columns, strict=True)]
    yield "<h2>Added in analysis</h2>"
    yield _rows(heads, rows)


def _steps(steps: Sequence[str]) -> Iterator[str]:
    if steps:
        items = "".join(f"<li>{escape(one)}</li>" for one in steps)
        yield f"<h2>Steps of preparation</h2>\n<ol>{items}</ol>"


def _table(path: str, told: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h3><code>{escape(path)}</code></h3>\n<p>{escape(told['meaning'])}</p>"
    yield _rows(
        ("column", "kind", "meaning"),
        [
            (name, column["kind"], column["meaning"] + (f" In {column['unit']}." if "unit" in column else ""))
            for name, column in told["columns"].items()
        ],
        f"Key: {', '.join(told['key'])}",
    )


def _rows(heads: Sequence[str], rows: Any, caption: str = "", numbers: int = 0) -> str:
    """Render a table whose last ``numbers`` columns are figures."""
    first = len(heads) - numbers
    marks = ["" if place < first else ' class="n"' for place in range(len(heads))]
    head = "".join(
        f'<th scope="col"{mark}>{escape(name)}</th>' for mark, name in zip(marks, heads, strict=True)
    )
    lines = [
        "<tr>"
        + "".join(f"<td{mark}>{escape(str(cell))}</td>" for mark, cell in zip(marks, row, strict=True))
        + "</tr>"
        for row in rows
    ]
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{told}<thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(lines) + "\n</tbody></table>"
