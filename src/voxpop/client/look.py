"""Display of answers in notebooks: the informative fields, without links that may be secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from voxpop.vocabulary.markup import escaped
from voxpop.wire.questions import Question

_LINKS = {"url", "share_link", "share_url", "web_url"}
_ASIDE = {"sampling", "described", "near", "screened"}
"""Details with a display of their own."""

_LONGEST = 80


class _Plain(str):
    """Text whose repr is the text itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Look(BaseModel):
    """A wire model with a one-line repr and a small HTML table.

    Missing values, times and all links are left out; long texts and lists are cut.

    Examples
    --------
    >>> from voxpop.client.shapes import read
    >>> from voxpop.wire.groups import Group
    >>> read(Group, {"id": 1, "uuid": "u", "name": "snacks", "agent_count": 2, "url": "http://x"})
    Group(id=1, uuid='u', name='snacks', agent_count=2, sample_method='random', shortfall=0, archived=False)
    """

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        yield from _said(self)

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th scope='row' style='text-align:left'>{escaped(name)}</th>"
            f"<td style='text-align:left'>{escaped(value)}</td></tr>"
            for name, value in _said(self)
        )
        return f"<table><caption>{escaped(type(self).__name__)}</caption><tbody>{rows}</tbody></table>"


class QuestionLook(Look, Question):
    """A question displayed with its words, then its type and progress.

    Examples
    --------
    >>> asked = QuestionLook(id=3, uuid="u", key="why", question="Why?", type="open", asked_count=2)
    >>> asked._repr_html_()
    '<div><b>Why?</b><br><code>why</code> · open · 0 of 2 answered</div>'
    """

    def _repr_html_(self) -> str:
        told = [f"<code>{escaped(self.key)}</code>"] if self.key else [f"question {self.id}"]
        told.append(escaped(self.type) + (f" ({escaped(self.unit)})" if self.unit else ""))
        if self.scale is not None:
            ends = ((self.scale.min, self.scale.min_label), (self.scale.max, self.scale.max_label))
            told.append(" to ".join(escaped(f"{end} = {label}" if label else end) for end, label in ends))
        if self.attachments:
            told.append(f"{len(self.attachments)} attached")
        told.append(f"{self.answer_count:,} of {self.asked_count:,} answered")
        if self.failed_count:
            told.append(f"{self.failed_count:,} failed")
        told += [f"rests on {escaped(kind)}" for kind in dict.fromkeys(one.basis for one in self.bases or ())]
        options = "".join(f"<li>{escaped(option)}</li>" for option in self.options or ())
        listed = f"<ul style='margin:0'>{options}</ul>" if options else ""
        return f"<div><b>{escaped(self.question)}</b><br>{' · '.join(told)}{listed}</div>"


def _said(model: BaseModel) -> Iterator[tuple[str, Any]]:
    """Return the fields to show, with their values cut."""
    for name, value in (*model.__dict__.items(), *(model.model_extra or {}).items()):
        empty = value is None or value == [] or value == {}
        if not empty and name not in _LINKS | _ASIDE and not isinstance(value, datetime):
            yield name, _cut(value, name)


def _cut(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
    if isinstance(value, list) and (len(value) > 10 or isinstance(value[0], BaseModel | dict)):
        return _Plain(f"<{len(value):,} {name}>")
    text = repr(value)
    return value if len(text) <= 3 * _LONGEST else _Plain(f"<{name}>")
