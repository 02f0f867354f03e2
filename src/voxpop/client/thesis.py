"""Theses: a claim in a sentence or two, evaluated by panels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from voxpop.client.checks import Ref, identifier, one_response
from voxpop.client.jobs import first_look
from voxpop.client.polling import Timekeeper
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import FieldworkWarning, JobTimeout, ServiceError
from voxpop.vocabulary.markup import escaped
from voxpop.wire.thesis import (
    PanelDetail,
    ThesisAccepted,
    ThesisDetail,
    ThesisIn,
    ThesisRespondIn,
    ThesisResponse,
    ThesisState,
)

ENDED = ("completed", "needs_clarification", "awaiting_review", "failed")
"""States in which the service does not continue by itself; unknown states count as running."""


class ThesisReport(ThesisDetail):
    """A thesis with its panels and, once they have answered, its verdict.

    Examples
    --------
    >>> ThesisReport(thesis_id=1, status="asking", raw_input="Prices drive people away.")
    Thesis 1 (asking): Prices drive people away.
    """

    @property
    def id(self) -> int:
        """Id of the thesis."""
        return self.thesis_id

    @property
    def ended(self) -> bool:
        """Whether the service has stopped working on the thesis."""
        return self.status in ENDED

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        parts = [f"<p><b>Thesis {escaped(self.thesis_id)}</b> ({escaped(self.status)})"]
        parts += [f"<br>{escaped(text)}" for text in (self.raw_input, self.notice, *self._asks()) if text]
        parts.append("</p>")
        if self.verdict is not None:
            lean, sure = escaped(self.verdict.support), f"{self.verdict.confidence:.2f}"
            claims = "".join(f"<li>{escaped(each.claim)}</li>" for each in self.verdict.evidence or ())
            parts.append(f"<p><b>Verdict: {lean}</b>, confidence {sure}</p><ul>{claims}</ul>")
        if self.panels:
            parts.append(_panels(self.panels))
        if self.verdict is not None and self.verdict.note:
            parts.append(f"<p><small>{escaped(self.verdict.note)}</small></p>")
        return f"<div>{''.join(parts)}</div>"

    def _asks(self) -> list[str]:
        """Return what the thesis waits for, why it was refused, or its progress."""
        call = f"client.thesis.respond({self.thesis_id}"
        if self.status == "needs_clarification" and self.clarification is not None:
            return [self.clarification.question, f'Answer with {call}, answer="…")']
        if self.status == "awaiting_review" and self.review is not None:
            return [self.review.reason, f"Decide with {call}, approve=True), or False"]
        if self.refusal is not None:
            return [f"{self.refusal.reason} {self.refusal.hint or ''}".strip()]
        return [self.progress_message] if self.progress_message and self.verdict is None else []

    def _lines(self) -> list[str]:
        lines = [f"Thesis {self.thesis_id} ({self.status}): {self.raw_input or ''}".rstrip(": ")]
        lines += [self.notice] if self.notice else []
        lines += self._asks()
        lines += [panel.headline for panel in self.panels or () if panel.headline]
        if self.verdict is not None:
            lines.append(f"Verdict: {self.verdict.support}, confidence {self.verdict.confidence:.2f}")
            lines += [f"- {each.claim}" for each in self.verdict.evidence or ()]
            if self.verdict.note:
                lines.append(self.verdict.note)
        return lines


def _panels(panels: Sequence[PanelDetail]) -> str:
    head = "".join(
        f"<th scope='col' style='text-align:{side}'>{name}</th>"
        for name, side in (
            ("panel", "left"),
            ("asked", "left"),
            ("agents", "right"),
            ("what they say", "left"),
        )
    )
    rows = ""
    for panel in panels:
        kind = str(panel.kind).replace("_", " ")
        rows += f"<tr><th scope='row' style='text-align:left'>{escaped(kind)}</th>"
        rows += f"<td style='text-align:left'>{escaped(panel.audience)}</td><td>{panel.agent_count}</td>"
        rows += f"<td style='text-align:left'>{escaped(panel.headline or panel.status)}</td></tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class Theses:
    """``client.thesis``: theses and their panels."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times

    def compose(
        self,
        raw_input: str,
        *,
        panel_size: int = 25,
        wait_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> ThesisAccepted:
        """Submit a thesis: its panels are planned, their answers reserved, and the work starts.

        Parameters
        ----------
        raw_input : str
            The thesis in a sentence or two, 1 to 10,000 characters.
        panel_size : int
            Number of agents per panel, 5 to 500.
        wait_seconds : float, optional
            Seconds for which the service may wait for the end, at most 60.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments returns the same thesis.

        Returns
        -------
        ThesisAccepted
            ``.thesis``, ``.planned_panels``, ``.usage_recorded``; wait with ``client.thesis.wait(…)``.

        Raises
        ------
        UsageError
            An argument is out of bounds.
        QuotaExceeded
            The rest of the monthly quota is too small; nothing was queued.
        Conflict
            The key was used with other arguments.
        """
        sent = body(ThesisIn, raw_input=raw_input, panel_size=panel_size, wait_seconds=wait_seconds)
        told = self._transport.once("/thesis:compose-and-recruit", sent, idempotency_key)
        made = read(ThesisAccepted, told)
        if made.notice:
            warnings.warn(made.notice, FieldworkWarning, stacklevel=2)
        return made

    def get(self, thesis: Ref | ThesisAccepted) -> ThesisReport:
        """Return a thesis in full detail."""
        found = read(ThesisReport, self._transport.get(f"{_path(thesis)}/detail"))
        if getattr(found, "thesis_id", None) is None:
            raise ServiceError("The service's response contains no thesis.", status=200, code="bad_answer")
        return found

    def state(self, thesis: Ref | ThesisAccepted) -> ThesisState:
        """Return the state of a thesis."""
        return read(ThesisState, self._transport.get(f"{_path(thesis)}/state"))

    def respond(
        self,
        thesis: Ref | ThesisAccepted,
        *,
        answer: str | None = None,
        approve: bool | None = None,
        panel_size: int | None = None,
    ) -> ThesisResponse:
        """Answer a thesis's question, or decide its review; the same thesis then continues.

        Parameters
        ----------
        thesis : ThesisReport, ThesisAccepted or id
            The thesis.
        answer : str, optional
            The answer to the question of a thesis that needs clarification.
        approve : bool, optional
            For a thesis that awaits review: whether to continue with the available agents; False ends it.
        panel_size : int, optional
            With ``approve=True``, the new number of agents per panel, 5 to 500.

        Raises
        ------
        UsageError
            Both or neither of ``answer`` and ``approve`` are given.
        Conflict
            The thesis is not waiting for this.
        """
        one_response(answer, approve)
        sent = body(ThesisRespondIn, answer=answer, approve=approve, group_size=panel_size)
        return read(ThesisResponse, self._transport.post(f"{_path(thesis)}/respond", sent))

    def wait(
        self, thesis: Ref | ThesisAccepted, *, on_look: Callable[[ThesisState], None] | None = None
    ) -> ThesisReport:
        """Wait until a thesis has its verdict, has failed or needs a response, and return it in full.

        Parameters
        ----------
        thesis : ThesisReport, ThesisAccepted or id
            The thesis.
        on_look : callable, optional
            Called with the result of each poll.

        Raises
        ------
        JobTimeout
            The deadline of the polling pattern has passed; the thesis continues in the service.
        """

        def too_late() -> JobTimeout:
            return JobTimeout(
                f"The thesis has not ended within {self._times.polling.deadline:g} seconds. "
                "It continues in the service: wait again later.",
                job_ids=[],
            )

        first_wait = first_look(thesis) if isinstance(thesis, ThesisAccepted) else 0.0
        self._times.until(
            lambda: self.state(thesis),
            lambda seen: seen.status in ENDED,
            hint=lambda seen: seen.poll_after_s,
            first_wait=first_wait,
            on_look=on_look,
            too_late=too_late,
        )
        return self.get(thesis)


def _path(thesis: Ref | ThesisAccepted) -> str:
    named: Any = thesis.thesis if isinstance(thesis, ThesisAccepted) else thesis
    return f"/thesis/{identifier(named, 'thesis')}"
