"""A survey in words and as HTML: rows, design, provenance, and its variables with a search over labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb

from voxpop.survey.variables import Variable
from voxpop.vocabulary.markup import escaped

_SHOWN = 25
"""Variables shown as text."""

_MOST_HTML = 1_000
"""Variables shown as HTML, of which the search finds each."""

_FEW_ROWS, _FEW_COLUMNS = 20, 12
"""A selection this small is shown with its rows."""

_LEVELS = 6
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
        return "\n".join([*lines, "", survey.relation.df().to_string(index=False)])
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
    heads = "".join(
        f'<th scope="col" style="text-align:left">{one}</th>' for one in ("name", "label", "answers")
    )
    table = (
        '<div style="max-height:24em;overflow:auto" tabindex="0" role="region" aria-label="Variables">'
        f'<table style="border-collapse:collapse"><thead><tr>{heads}</tr></thead>'
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
    cell = '<td style="text-align:left;vertical-align:top">'
    where = next((text for text in (one.part_of, one.grid) if text), "")
    part = f"<br><small>{'option of' if one.part_of else 'grid'} {escaped(where)}</small>" if where else ""
    return (
        f'<tr><th scope="row" style="text-align:left;vertical-align:top">{escaped(one.name)}</th>'
        f"{cell}{escaped(one.label)}{part}</td>{cell}{_answers(one)}</td></tr>"
    )


def _answers(one: Variable) -> str:
    """Return kind, levels with codes, and missing codes."""
    codes = {text: code for code, text in one.codes.items()}
    listed = [f"{codes[level]} {level}" if level in codes else level for level in one.levels]
    if not listed:
        listed = [f"{code} {text}" for code, text in one.codes.items()]
    gone = [f"{code} {text}".strip() for code, text in one.missing.items()]
    told = escaped(one.kind + (", ordered" if one.ordered else ""))
    inside = "".join(f"<li>{escaped(text)}</li>" for text in listed)
    inside += "".join(f"<li><em>missing: {escaped(text)}</em></li>" for text in gone)
    if not inside:
        return told
    count = len(listed) or len(gone)
    return (
        f"<details><summary>{told}, {count:,} {'level' if count == 1 else 'levels'}</summary>"
        f'<ul style="margin:0">{inside}</ul></details>'
    )


def _table_of_rows(survey: Any) -> str:
    frame = survey.relation.df()
    heads = "".join(f'<th scope="col">{escaped(name)}</th>' for name in frame.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escaped(value)}</td>' for value in row)}</tr>"
        for row in frame.itertuples(index=False)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _list(title: str, told: Iterable[str]) -> str:
    items = "".join(f"<li>{escaped(one)}</li>" for one in told)
    return f"<details><summary>{title}</summary><ol>{items}</ol></details>" if items else ""


def escaped_attribute(script: str) -> str:
    """Return a script for an attribute in double quotes."""
    return script.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
