"""A survey as text and HTML: respondents, shared fields, questions, and what did not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from voxpop.engines.human_survey import NUMBER, Asked, HumanSurvey, effective
from voxpop.own_survey.profile_columns import Fit
from voxpop.vocabulary.fields import FIELDS

_LONGEST = 60
_MOST = 6
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Report:
    """What of a survey fits agents: its profile columns, and why other columns are not used."""

    fits: tuple[Fit, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)


def as_text(survey: HumanSurvey, report: Report) -> str:
    """Return a survey as text."""
    lines = [_head(survey), f"Fields: {_fields(survey)}", "Questions"]
    rows = [_cells(one) for one in survey.asked]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    for row in rows[:_SHOWN]:
        lines.append(
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
    if len(rows) > _SHOWN:
        lines.append(f"  and {len(rows) - _SHOWN:,} more")
    for told in _misfits(report):
        lines.append(told)
    return "\n".join(lines)


def as_html(survey: HumanSurvey, report: Report) -> str:
    """Return a survey as HTML."""
    head = "".join(f"<th>{name}</th>" for name in ("column", "question", "answers", "people"))
    rows = [_cells(one) for one in survey.asked[:_SHOWN]]
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    more = len(survey.asked) - len(rows)
    told = [f"and {more:,} more questions"] if more > 0 else []
    notes = "".join(f"<p>{escape(note)}</p>" for note in [*told, *_misfits(report)])
    return (
        f"<p><b>{escape(_head(survey))}</b><br>Fields: {escape(_fields(survey))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
    )


def _head(survey: HumanSurvey) -> str:
    when = f", {survey.fielded}" if survey.fielded else ""
    size = effective(survey.weights)
    return f"{survey.name}: {survey.people:,} people in {survey.country}, effective {size:,.0f}{when}"


def _fields(survey: HumanSurvey) -> str:
    told = [f"{FIELDS[axis.field].label} ({axis.column})" for axis in survey.axes]
    return ", ".join(told) or "none; every agent answers as anybody in the survey"


def _cells(one: Asked) -> tuple[str, str, str, str]:
    wording = one.wording if len(one.wording) <= _LONGEST else one.wording[: _LONGEST - 1] + "…"
    told = "number" if one.kind == NUMBER else ", ".join(one.options[:_MOST])
    more = f" and {len(one.options) - _MOST} more" if one.kind != NUMBER and len(one.options) > _MOST else ""
    return one.name, wording, told + more, f"{int(one.answered.sum()):,} answers"


def _misfits(report: Report) -> list[str]:
    """Return what did not fit, one line per field and one per reason."""
    told = [
        f"No level of {FIELDS[fit.field].label.lower()} for {_listed(fit.unknown)} in {fit.column}"
        for fit in report.fits
        if fit.unknown
    ]
    by_reason: dict[str, list[str]] = {}
    for column, reason in report.left.items():
        by_reason.setdefault(reason, []).append(column)
    return told + [f"Not used ({reason}): {_listed(columns)}" for reason, columns in by_reason.items()]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more
