"""Display of completion results: number of claims and the overall summary."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from voxpop.vocabulary.markup import escaped
from voxpop.wire.studies import Analysis

_SUMMARY = "overall_summary"
_WIDTH = 80


class Findings(Analysis):
    """The analysis of a study; its repr shows claims per step and the overall summary.

    Attributes
    ----------
    study_id : int
        The study.
    stage : str
        ``active``, ``completing`` or ``completed``.
    steps : dict
        Results of the finished steps by name. Every claim has ``text`` and ``answer_ids``, the ids of its
        source answers.

    Examples
    --------
    >>> Findings(study_id=1, stage="completed", steps={"stats": {"claims": [{"text": "48% say yes."}]}})
    Analysis of study 1 (completed)
    stats: 1 claim
    """

    def __repr__(self) -> str:
        lines = [self._heading(), *(f"{name}: {told}" for name, told in self._counted())]
        summary = textwrap.wrap(self._summary(), _WIDTH)
        return "\n".join([*lines, *(["", *summary] if summary else [])])

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th scope='row' style='text-align:left'>{escaped(name)}</th>"
            f"<td style='text-align:left'>{escaped(told)}</td></tr>"
            for name, told in self._counted()
        )
        summary = f"<p>{escaped(self._summary())}</p>" if self._summary() else ""
        table = f"<table><caption>{escaped(self._heading())}</caption><tbody>{rows}</tbody></table>"
        return f"<div>{table}{summary}</div>"

    def _heading(self) -> str:
        return f"Analysis of study {self.study_id} ({self.stage})"

    def _counted(self) -> Iterator[tuple[str, str]]:
        """Return the name of each step with its numbers of claims and notes."""
        for name, result in (self.steps or {}).items():
            claims, notes = (len(_items(result, kind)) for kind in ("claims", "notes"))
            told = [f"{claims:,} {'claim' if claims == 1 else 'claims'}" if claims else "nothing to report"]
            if notes:
                told.append(f"{notes:,} {'note' if notes == 1 else 'notes'}")
            yield name, ", ".join(told)

    def _summary(self) -> str:
        """Return the text of the overall summary and what it leaves out; empty until it is finished."""
        result = (self.steps or {}).get(_SUMMARY)
        told = [result.get(name) for name in ("text", "placeholders")] if isinstance(result, Mapping) else []
        return " ".join(dict.fromkeys(text for text in told if isinstance(text, str)))


def _items(result: Any, name: str) -> list[Any]:
    found = result.get(name) if isinstance(result, Mapping) else None
    return found if isinstance(found, list) else []
