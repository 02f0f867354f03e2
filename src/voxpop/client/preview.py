"""Previews of questions as values: what answers would rest on, as text and HTML."""

from __future__ import annotations

from collections.abc import Iterator

from voxpop.vocabulary.markup import escaped
from voxpop.wire.preview import PreviewResponse


class QuestionPreview(PreviewResponse):
    """The expected basis of a study's answers to a question, before it is asked.

    Examples
    --------
    >>> QuestionPreview.model_validate(
    ...     {
    ...         "question": {"question": "Would you switch?", "type": "yes_no"},
    ...         "engine": "mine-1",
    ...         "agent_count": 3,
    ...         "looked_at": 3,
    ...         "bases": [{"basis": "published", "agents": 3, "notes": ["Our survey, March 2025."]}],
    ...     }
    ... )
    Preview of “Would you switch?” (yes_no) to 3 agents; nothing was asked.
    published: 3 of 3. Our survey, March 2025.
    Engine: mine-1.
    """

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        head, *lines = self._lines()
        listed = "".join(f"<li>{escaped(line)}</li>" for line in lines)
        return f"<div><b>{escaped(head)}</b><ul style='margin:0'>{listed}</ul></div>"

    def _lines(self) -> Iterator[str]:
        asked, looked_at = self.question, self.looked_at or 0
        kind = f"{asked.type}, {asked.unit}" if asked.unit else asked.type
        yield f"Preview of “{asked.question}” ({kind}) to {self.agent_count:,} agents; nothing was asked."
        if asked.options:
            yield f"Options: {', '.join(asked.options)}."
        if asked.scale is not None:
            ends = ((asked.scale.min, asked.scale.min_label), (asked.scale.max, asked.scale.max_label))
            yield f"Scale: {' to '.join(f'{end} = {label}' if label else str(end) for end, label in ends)}."
        for one in self.bases:
            yield f"{one.basis}: {one.agents:,} of {looked_at:,}. {' '.join(one.notes)}"
        if looked_at < (self.agent_count or 0):
            yield f"A sample: {looked_at:,} of {self.agent_count:,} agents were looked at."
        yield from (told for told in (self.placeholders, asked.notice) if told)
        yield f"Engine: {self.engine}."
