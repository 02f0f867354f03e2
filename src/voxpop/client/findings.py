"""What the completion steps found, as it reads best: step by step, claim by claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from voxpop.wire.studies import Analysis

_MOST = 8
"""How many claims of a step are shown; all of them are in ``steps``."""


class Findings(Analysis):
    """The analysis of a study.

    Attributes
    ----------
    study_id : int
        The study.
    stage : str
        ``active``, ``completing`` or ``completed``.
    steps : dict
        The result of each finished step by its name. Every claim has ``text`` and ``answer_ids``, the
        answers that it rests on.

    Examples
    --------
    >>> Findings(study_id=1, stage="completed", steps={"stats": {"claims": [{"text": "48% say yes."}]}})
    Analysis of study 1 (completed)
    stats
      48% say yes.
    """

    def __repr__(self) -> str:
        lines = [self._heading()]
        for name, claims, more in self._shown():
            lines += [name, *(f"  {claim}" for claim in claims)]
            lines += [f"  … and {more} more claims"] if more else []
        lines += [f"Note: {note}" for note in self._notes()]
        return "\n".join(lines)

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        parts = [f"<p><b>{escape(self._heading())}</b></p>"]
        for name, claims, more in self._shown():
            rest = [f"… and {more} more claims"] if more else []
            items = "".join(f"<li>{escape(claim)}</li>" for claim in [*claims, *rest])
            parts.append(f"<p>{escape(name)}</p><ul>{items}</ul>")
        parts += [f"<p><i>{escape(note)}</i></p>" for note in self._notes()]
        return f"<div>{''.join(parts)}</div>"

    def _heading(self) -> str:
        return f"Analysis of study {self.study_id} ({self.stage})"

    def _shown(self) -> Iterator[tuple[str, list[str], int]]:
        """Give each step's name, its first claims, and how many more there are."""
        for name, result in (self.steps or {}).items():
            claims = [
                str(claim["text"])
                for claim in _items(result, "claims")
                if isinstance(claim, Mapping) and "text" in claim
            ]
            yield name, claims[:_MOST] or ["nothing to report"], max(0, len(claims) - _MOST)

    def _notes(self) -> list[str]:
        """Return the notes of all steps, each once."""
        notes = [str(note) for result in (self.steps or {}).values() for note in _items(result, "notes")]
        return list(dict.fromkeys(notes))


def _items(result: Any, name: str) -> list[Any]:
    found = result.get(name) if isinstance(result, Mapping) else None
    return found if isinstance(found, list) else []
