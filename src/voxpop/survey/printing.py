"""A survey in words and as HTML: rows, design, provenance, and its variables with a search over labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb

from voxpop.survey.frame_columns import label_of
from voxpop.survey.variables import Variable
from voxpop.vocabulary.markup import escaped

_SHOWN = 25
"""Variables shown as text."""

_MOST_HTML = 1_000
"""Variables shown as HTML, of which the search finds each."""

_FEW_ROWS, _FEW_COLUMNS = 20, 12
"""A selection this small is shown with its rows."""

_LEVELS, _FEW_LEVELS = 6, 4
_CELL = 'style="text-align:left;vertical-align:top;padding:.25em 1em .25em 0"'
_WHO = {
    "human": "answers of people",
    "simulated": "answers of simulated agents",
    "mixed": "answers of people and of simulated agents",
    "unknown": "provenance not declared",
}
_SEARCH = (
    "const t=this.value.toLowerCase();let n=0;"
    "for(const r of this.closest('.voxpop-survey').querySelectorAll('tbody.variables tr'))"
    "{const s=r.textContent.toLowerCase().includes(t);r.hidden=!s;n+=s}"
    "this.nextElementSibling.textContent=t?n+' found':''"
)


def headline(survey: Any) -> str:
    """Return rows, variables, provenance and design in one line."""
    parts = [f"{len(survey):,} rows", f"{len(survey.variables):,} variables", _WHO[survey.provenance]]
    return " · ".join([*parts, survey.design.words()])


def as_text(survey: Any) -> str:
    """Return a survey in words."""
    try:
        lines = [f"Survey {survey.name}: {headline(survey)}"]
        small = _small(survey)
    except duckdb.Error as error:
        return f"Survey {survey.name}: {_unread(error)}"
    if small:
        return "\n".join([*lines, "", _rows_as_text(survey), *_remarks(survey)])
    if survey.source:
        lines.append(survey.source)
    held = list(survey.variables.values())
    wide = max((len(one.name) for one in held[:_SHOWN]), default=0)
    lines.append("")
    lines += [f"  {one.name:<{wide}}  {one.kind:<8}  {_words(one)}".rstrip() for one in held[:_SHOWN]]
    if len(held) > _SHOWN:
        lines.append(f"  and {len(held) - _SHOWN:,} more; people.search('word') finds them")
    lines += _remarks(survey)
    return "\n".join(lines)


def _rows_as_text(survey: Any) -> str:
    rows = [list(survey.columns), *([_shown(cell) for cell in row] for row in survey.relation.fetchall())]
    wide = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, wide, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _small(survey: Any) -> bool:
    return 0 < len(survey) <= _FEW_ROWS and len(survey.variables) <= _FEW_COLUMNS


def _remarks(survey: Any) -> list[str]:
    lines = []
    for title, told in (("Found on reading", survey.notes), ("Steps", survey.steps)):
        if told:
            lines += ["", f"{title}:", *(f"  {number}. {one}" for number, one in enumerate(told, 1))]
    return lines


def _unread(error: Exception) -> str:
    closed = "closed" in str(error)
    return "its store or database is closed" if closed else f"it cannot be read: {str(error).splitlines()[0]}"


def _words(one: Variable) -> str:
    """Return label, levels and missing codes of a variable in one line."""
    parts = [one.label] if one.label else []
    if one.levels:
        more = ", …" if len(one.levels) > _LEVELS else ""
        parts.append(
            f"[{' < '.join(one.levels[:_LEVELS]) if one.ordered else ', '.join(one.levels[:_LEVELS])}{more}]"
        )
    elif one.codes:
        parts.append(f"[{', '.join(f'{code} = {text}' for code, text in list(one.codes.items())[:3])}]")
    if one.missing:
        parts.append(f"missing: {', '.join(text or str(code) for code, text in one.missing.items())}")
    return " ".join(parts)


def as_html(survey: Any) -> str:
    """Return a survey as HTML that needs no kernel; without scripts it is a plain table."""
    try:
        line, small = headline(survey), _small(survey)
    except duckdb.Error as error:
        return f"<p>Survey {escaped(survey.name)}: {escaped(_unread(error))}</p>"
    held = list(survey.variables.values())
    shown = held[:_MOST_HTML]
    rows = "".join(map(_row, shown))
    more = f"<p>and {len(held) - len(shown):,} more variables</p>" if len(held) > len(shown) else ""
    first = _table_of_rows(survey) if small else ""
    search = (
        '<input type="search" aria-label="Search names, labels and levels" placeholder="Search labels" '
        f'style="margin:.3em 0;padding:.2em .4em;width:18em" oninput="{escaped_attribute(_SEARCH)}">'
        '<span aria-live="polite" style="margin-left:.6em"></span>'
    )
    heads = "".join(f'<th scope="col" {_CELL}>{one}</th>' for one in ("name", "label", "answers"))
    table = (
        '<div style="max-height:24em;overflow:auto" tabindex="0" role="region" aria-label="Variables">'
        f'<table style="border-collapse:collapse;width:100%"><thead><tr>{heads}</tr></thead>'
        f'<tbody class="variables">{rows}</tbody></table></div>'
    )
    source = f"<div>{escaped(survey.source)}</div>" if survey.source else ""
    closed = "" if small else " open"
    return (
        f'<div class="voxpop-survey"><div><strong>{escaped(survey.name)}</strong> · {escaped(line)}</div>'
        f"{source}{first}<details{closed}><summary>Variables</summary>{search}{table}{more}</details>"
        f"{_list('Found on reading', survey.notes)}{_list('Steps', survey.steps)}</div>"
    )


def _row(one: Variable) -> str:
    where = next((text for text in (one.part_of, one.grid) if text), "")
    part = f"<br><small>{'option of' if one.part_of else 'grid'} {escaped(where)}</small>" if where else ""
    return (
        f'<tr style="border-top:1px solid #8884"><th scope="row" {_CELL}>{escaped(one.name)}</th>'
        f"<td {_CELL}>{escaped(one.label)}{part}</td><td {_CELL}>{_answers(one)}</td></tr>"
    )


def _answers(one: Variable) -> str:
    """Return kind and first levels, and all of them with codes and missing codes to open."""
    codes = {text: code for code, text in one.codes.items()}
    listed = [f"{codes[level]} {level}" if level in codes else level for level in one.levels]
    if not listed:
        listed = [f"{code} {text}" for code, text in one.codes.items()]
    gone = [f"{code} {text}".strip() for code, text in one.missing.items()]
    inside = "".join(f"<li>{escaped(text)}</li>" for text in listed)
    inside += "".join(f"<li><em>missing: {escaped(text)}</em></li>" for text in gone)
    if not inside:
        return escaped(one.kind)
    short = list(one.levels or one.codes.values())
    more = ", …" if len(short) > _FEW_LEVELS else ""
    told = f"{one.kind}: {(' &lt; ' if one.ordered else ', ').join(map(escaped, short[:_FEW_LEVELS]))}{more}"
    return f'<details><summary>{told}</summary><ul style="margin:0">{inside}</ul></details>'


def _table_of_rows(survey: Any) -> str:
    rows = survey.relation.fetchall()
    heads = "".join(f'<th scope="col" {_CELL}>{escaped(name)}</th>' for name in survey.columns)
    lines = "".join(
        f"<tr>{''.join(f'<td {_CELL}>{escaped(_shown(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    head = f"<thead><tr>{heads}</tr></thead>"
    return f'<table style="border-collapse:collapse">{head}<tbody>{lines}</tbody></table>'


def _shown(cell: Any) -> str:
    """Return a value as shown in a cell."""
    if cell is None or cell != cell:
        return ""
    return ", ".join(map(_shown, cell)) if isinstance(cell, list) else label_of(cell)


def _list(title: str, told: Iterable[str]) -> str:
    items = "".join(f"<li>{escaped(one)}</li>" for one in told)
    return f"<details><summary>{title}</summary><ol>{items}</ol></details>" if items else ""


def escaped_attribute(script: str) -> str:
    """Return a script for an attribute in double quotes."""
    return script.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
