"""Display of direct-question records: question, summary and first answers."""

from __future__ import annotations

from typing import Any

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import placeholder_notice
from voxpop.vocabulary.markup import escaped
from voxpop.wire.direct_questions import DirectQuestion, DirectQuestionList

_SHOWN = 5
"""Number of answers to show; ``targets`` has all of them."""


class DirectRecord(DirectQuestion):
    """The record of a direct question.

    Attributes
    ----------
    targets : list of Target
        The agents asked, each with its ``answer`` once available.
    artifacts : list of Artifact
        A summary, once every job has ended.

    Examples
    --------
    >>> asked = {"question": "Do you own a car?", "type": "yes_no", "asked_count": 3}
    >>> DirectRecord(id=1, uuid="u", status="running", **asked)
    Direct question 1 (running): Do you own a car?
    yes_no, 0 of 3 agents have answered
    """

    def __repr__(self) -> str:
        told = [f"{who}: {said}" for who, said in self._answers()]
        return "\n".join([*self._lines(), *told, *self._rest()])

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        heading, *lines = (escaped(line) for line in self._lines())
        cell = "style='text-align:left'"
        rows = "".join(
            f"<tr><th scope='row' {cell}>{escaped(who)}</th><td {cell}>{escaped(said)}</td></tr>"
            for who, said in self._answers()
        )
        table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
        rest = "".join(f"<p>{escaped(line)}</p>" for line in self._rest())
        return f"<div><p><b>{heading}</b>{''.join(f'<br>{line}' for line in lines)}</p>{table}{rest}</div>"

    def _lines(self) -> list[str]:
        lines = [f"Direct question {self.id} ({self.status}): {self.question}"]
        with_files = ", ".join(each.filename or f"file {each.id}" for each in self.attachments or ())
        asked = self.asked_count or len(self.targets or ())
        answered = self.answer_count or sum(each.answer is not None for each in self.targets or ())
        have = "agent has" if asked == 1 else "agents have"
        failed = f", {self.failed_count:,} failed" if self.failed_count else ""
        lines.append(f"{self.type}, {answered:,} of {asked:,} {have} answered{failed}")
        if with_files:
            lines.append(f"With {with_files}")
        given = [each.answer for each in self.targets or () if each.answer is not None]
        lost = sum(answer.basis == NONE for answer in given)
        told = placeholder_notice(self.question[:80], lost, len(given))
        lines += [told] if told else []
        if asked > 1:  # the summary of one answer would repeat it
            lines += [made.text for made in self.artifacts or () if made.text]
        return lines

    def _answers(self) -> list[tuple[str, str]]:
        """Return the agents asked and their answers."""
        return [(_who(each.agent), _said(each)) for each in (self.targets or [])[:_SHOWN]]

    def _rest(self) -> list[str]:
        more = len(self.targets or ()) - _SHOWN
        return [f"… and {more:,} more in .targets"] if more > 0 else []


class DirectRecordList(DirectQuestionList):
    """One page of records."""

    direct_questions: list[DirectRecord]  # type: ignore[assignment]


def _who(agent: Any) -> str:
    known = (getattr(agent, name, None) for name in ("name", "age", "state", "country"))
    return ", ".join(str(each) for each in known if each is not None) or "An agent"


def _said(target: Any) -> str:
    if target.answer is not None:
        return target.answer.response_text or ""
    return target.error.message if target.error is not None else f"({target.status})"
