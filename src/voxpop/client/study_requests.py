"""Study requests: an audience and its questions in one call become a finished study."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from voxpop.client.checks import Ref, identifier, one_response, whole_number, with_job_id
from voxpop.client.polling import Timekeeper
from voxpop.client.requests import ENDED
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import FieldworkWarning, JobTimeout, ServiceError
from voxpop.vocabulary.markup import escaped
from voxpop.wire.requests import LARGEST_GROUP, RespondIn
from voxpop.wire.study_requests import StudyRequestIn, StudyRequestResponse

ENDED_STUDY = (*ENDED, "failed")
"""States in which the service does not continue by itself; unknown states count as running."""


class RequestedStudy(StudyRequestResponse):
    """A study request, and its study once it exists.

    Examples
    --------
    >>> RequestedStudy(request={"id": "rsr_1", "status": "running", "progress_message": "Asking 5 agents."})
    Study request rsr_1 (running)
    Asking 5 agents.
    """

    @property
    def id(self) -> str:
        """Id of the request."""
        return self.request.id

    @property
    def status(self) -> str:
        """Status of the request; only ``completed`` has a finished study."""
        return self.request.status

    @property
    def ended(self) -> bool:
        """Whether the service has stopped working on the request."""
        return self.request.status in ENDED_STUDY

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        heading, *rest = (escaped(line) for line in self._lines())
        return f"<p><b>{heading}</b>{''.join(f'<br>{line}' for line in rest)}</p>"

    def _lines(self) -> list[str]:
        request = self.request
        lines = [f"Study request {request.id} ({request.status})"]
        lines += [request.notice] if request.notice else []
        call = f'client.study_requests.respond("{request.id}"'
        if request.status == "needs_clarification" and request.clarification is not None:
            lines += [request.clarification.question, f'Answer with {call}, answer="…")']
        elif request.status == "awaiting_review" and request.review is not None:
            lines += [request.review.reason, f"Decide with {call}, approve=True), or False"]
        elif request.status == "refused" and request.refusal is not None:
            lines.append(f"{request.refusal.reason} {request.refusal.hint or ''}".strip())
        elif request.progress_message:
            lines.append(request.progress_message)
        if self.study is not None:
            lines.append(f"Study {self.study.id}: {self.study.title}")
        return lines


class StudyRequests:
    """``client.study_requests``: whole studies in one call."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times

    def create(
        self,
        text: str,
        size: int,
        *,
        questions: Sequence[str | Mapping[str, Any]] | None = None,
        title: str | None = None,
        objective: str | None = None,
        wait_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> RequestedStudy:
        """Request a study: recruit the group, ask the questions in order, and complete it.

        Parameters
        ----------
        text : str
            The audience in plain words, 1 to 10,000 characters.
        size : int
            Number of agents, 1 to 10,000.
        questions : sequence of str or mapping, optional
            Questions to ask: texts, or mappings with ``question`` and, if the words do not imply them, ``key,
            type, options, scale, shuffle_options, engine``. By default five questions are drafted from the
            objective.
        title, objective : str, optional
            Title and objective of the study.
        wait_seconds : float, optional
            Seconds for which the service may wait for the end, at most 60.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments returns the same request.

        Raises
        ------
        UsageError
            An argument is out of bounds.
        QuotaExceeded
            The rest of the monthly quota is too small; nothing was queued.
        Conflict
            The key was used with other arguments.
        """
        asked = None if questions is None else [_question(each) for each in questions]
        sent = body(
            StudyRequestIn,
            request_text=text,
            group_size=whole_number("size", size, 1, LARGEST_GROUP),
            questions=asked,
            title=title,
            objective=objective,
            wait_seconds=wait_seconds,
        )
        if asked is not None:
            pairs = zip(asked, sent["questions"], strict=True)
            sent["questions"] = [given if isinstance(given, str) else checked for given, checked in pairs]
        told = self._transport.once("/research-study-requests", sent, idempotency_key)
        made = _read(with_job_id(told))
        if made.request.notice:
            warnings.warn(made.request.notice, FieldworkWarning, stacklevel=2)
        return made

    def get(self, request: Ref) -> RequestedStudy:
        """Return one study request."""
        return _read(self._transport.get(_path(request)))

    def respond(
        self,
        request: Ref,
        *,
        answer: str | None = None,
        approve: bool | None = None,
        group_size: int | None = None,
    ) -> RequestedStudy:
        """Answer a request's question, or decide its review; the same request then continues.

        Parameters
        ----------
        request : RequestedStudy or its id
            The request.
        answer : str, optional
            Answer to the question of a request that needs clarification.
        approve : bool, optional
            For a request that awaits review: whether to continue with the available agents; False ends it.
        group_size : int, optional
            With ``approve=True``, the new number of agents, 1 to 10,000.

        Raises
        ------
        UsageError
            Both or neither of ``answer`` and ``approve`` are given.
        Conflict
            The request is not waiting for this.
        """
        one_response(answer, approve)
        sent = body(RespondIn, answer=answer, approve=approve, group_size=group_size)
        return _read(self._transport.post(f"{_path(request)}/respond", sent))

    def wait(
        self, request: Ref, *, on_look: Callable[[RequestedStudy], None] | None = None
    ) -> RequestedStudy:
        """Wait until a study request is completed, has failed or needs a response, and return it.

        Parameters
        ----------
        request : RequestedStudy or its id
            The request.
        on_look : callable, optional
            Called with the result of each poll.

        Raises
        ------
        JobTimeout
            The deadline of the polling pattern has passed; the request continues in the service.
        """

        def too_late() -> JobTimeout:
            return JobTimeout(
                f"Study request {identifier(request, 'study request')} has not ended within "
                f"{self._times.polling.deadline:g} seconds. It continues in the service: wait again later.",
                job_ids=[],
            )

        first_wait: float | None = 0.0
        if isinstance(request, RequestedStudy):
            if request.ended:
                return request
            first_wait = request.poll_after_s
        return self._times.until(
            lambda: self.get(request),
            lambda seen: seen.ended,
            hint=lambda seen: seen.poll_after_s,
            first_wait=first_wait,
            on_look=on_look,
            too_late=too_late,
        )


def _question(given: str | Mapping[str, Any]) -> str | dict[str, Any]:
    return given if isinstance(given, str) else dict(given)


def _read(answer: Any) -> RequestedStudy:
    found = read(RequestedStudy, answer)
    if getattr(found, "request", None) is None or found.request.id is None:
        raise ServiceError("The service's response contains no request.", status=200, code="bad_answer")
    return found


def _path(request: Ref) -> str:
    return f"/research-study-requests/{identifier(request, 'study request')}"
