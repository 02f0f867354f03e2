"""Recruitment requests: an audience in plain words becomes a group or needs a response."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

from voxpop.client.checks import Ref, identifier, one_response, whole_number, with_job_id
from voxpop.client.polling import Timekeeper
from voxpop.client.reading_lines import reading_lines
from voxpop.client.sample_terms import sample_terms
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import JobTimeout, ServiceError, UsageError
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.vocabulary.markup import escaped
from voxpop.wire.requests import (
    LARGEST_GROUP,
    LONGEST_TEXT,
    DescriptionIn,
    RequestIn,
    RequestResponse,
    RespondIn,
    ResponseMode,
)

MODES: tuple[str, ...] = get_args(ResponseMode)
ENDED = ("completed", "needs_clarification", "awaiting_review", "refused")
"""States in which the service does not continue by itself; unknown states count as running."""


class Recruitment(RequestResponse):
    """A recruitment request, and its group once it is completed.

    Attributes
    ----------
    request : GroupRequest
        The full record: ``status``, ``filters``, ``screening``, ``clarification``, ``review`` …
    group : Group or None
        The group, once completed; ``recruited_agents`` are its agents.

    Examples
    --------
    >>> Recruitment(request={"id": "rgr_1", "status": "running", "progress_message": "Reading."})
    Request rgr_1 (running)
    Reading.
    """

    @property
    def id(self) -> str:
        """Id of the request."""
        return self.request.id

    @property
    def status(self) -> str:
        """Status of the request; only ``completed`` has a group."""
        return self.request.status

    @property
    def ended(self) -> bool:
        """Whether the service has stopped working on the request."""
        return self.request.status in ENDED

    def __repr__(self) -> str:
        return "\n".join([self._heading(), *self._lines()])

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        lines = "".join(f"<br>{escaped(line)}" for line in self._lines())
        return f"<p><b>{escaped(self._heading())}</b>{lines}</p>"

    def _heading(self) -> str:
        asked = f": {_short(self.request.request_text)}" if self.request.request_text else ""
        return f"Request {self.request.id} ({self.request.status}){asked}"

    def _lines(self) -> Iterator[str]:
        request = self.request
        yield from reading_lines(request)
        if request.status == "needs_clarification" and request.clarification is not None:
            yield request.clarification.question
            if request.clarification.options:
                yield f"For example: {'; '.join(request.clarification.options)}"
            yield f'Answer with client.requests.respond("{request.id}", answer="…")'
        elif request.status == "awaiting_review" and request.review is not None:
            yield request.review.reason
            yield f'Decide with client.requests.respond("{request.id}", approve=True), or False'
        elif request.status == "refused" and request.refusal is not None:
            yield f"{request.refusal.reason} {request.refusal.hint or ''}".strip()
        else:
            if request.progress_message:
                yield request.progress_message
            if self.group is not None:
                yield f"Group {self.group.id}: {self.group.name}"


class Requests:
    """``client.requests``: groups requested in plain words."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times

    def create(
        self,
        text: str,
        size: int,
        *,
        response_mode: ResponseMode = "async",
        quotas: Any = None,
        boost: Any = None,
        exclude: Any = None,
        idempotency_key: str | None = None,
    ) -> Recruitment:
        """Request a group in plain words, and return at once or when the request has ended.

        Parameters
        ----------
        text : str
            The audience in plain words, 1 to 10,000 characters.
        size : int
            Number of agents, 1 to 10,000.
        response_mode : {"async", "sync"}
            With ``sync`` the service delays its response, within limits, until the request has ended or needs
            a response from you.
        quotas, boost, exclude
            As for :meth:`voxpop.client.groups.Groups.recruit`, within the audience understood. Quotas and
            boosts need an audience that filters cover, without screening.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.

        Raises
        ------
        UsageError
            An argument is out of bounds.
        """
        if response_mode not in MODES:
            near = did_you_mean(nearest(str(response_mode), MODES)) or f"; use {' or '.join(MODES)}"
            raise UsageError(f"response_mode {response_mode!r} is unknown{near}.")
        sent = body(
            RequestIn,
            request_text=_words("text", text),
            group_size=whole_number("size", size, 1, LARGEST_GROUP),
            response_mode=response_mode,
            **sample_terms(quotas, boost, exclude),
        )
        if response_mode == "async":
            del sent["response_mode"]  # this is the default, and documented only for sync
        return _read(self._transport.post("/research-group-requests", sent, key=idempotency_key))

    def from_description(
        self,
        description: str,
        size: int,
        *,
        wait_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> Recruitment:
        """Request a group in plain words under the one-call contract, in which repetitions have no effect.

        Parameters
        ----------
        description : str
            The audience in plain words, 1 to 10,000 characters.
        size : int
            Number of agents, 1 to 10,000.
        wait_seconds : float, optional
            Seconds for which the service may wait for the end, at most 60.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments returns the same request.

        Raises
        ------
        UsageError
            An argument is out of bounds.
        Conflict
            The key was used with other arguments.
        """
        sent = body(
            DescriptionIn,
            description=_words("description", description),
            group_size=whole_number("size", size, 1, LARGEST_GROUP),
            wait_seconds=wait_seconds,
        )
        told = self._transport.once("/research-groups:from-description", sent, idempotency_key)
        return _read(with_job_id(told))

    def get(self, request: Ref) -> Recruitment:
        """Return one request."""
        return _read(self._transport.get(_path(request)))

    def respond(
        self,
        request: Ref,
        *,
        answer: str | None = None,
        approve: bool | None = None,
        group_size: int | None = None,
    ) -> Recruitment:
        """Answer a request's question, or decide its review; the same request then continues.

        Parameters
        ----------
        request : Recruitment or its id
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
        if approve is not None and not isinstance(approve, bool):
            raise UsageError(f"approve must be True or False, not {approve!r}.")
        if group_size is not None and not approve:
            raise UsageError("group_size is allowed only with approve=True.")
        sent = body(
            RespondIn,
            answer=None if answer is None else _words("answer", answer),
            approve=approve,
            group_size=None
            if group_size is None
            else whole_number("group_size", group_size, 1, LARGEST_GROUP),
        )
        return _read(self._transport.post(f"{_path(request)}/respond", sent))

    def wait(self, request: Ref, *, on_look: Callable[[Recruitment], None] | None = None) -> Recruitment:
        """Wait until a request is completed, refused or needs a response, and return it.

        Parameters
        ----------
        request : Recruitment or its id
            The request. If given by id, the first poll is immediate.
        on_look : callable, optional
            Called with the result of each poll.

        Raises
        ------
        JobTimeout
            The deadline of the polling pattern has passed; the request continues in the service.
        """
        first_wait: float | None = 0.0
        if isinstance(request, Recruitment):
            if request.ended:
                return request
            first_wait = request.poll_after_s
        job_id: str | None = None

        def look() -> Recruitment:
            nonlocal job_id
            seen = self.get(request)
            job_id = seen.job_id or job_id
            return seen

        def too_late() -> JobTimeout:
            limit = self._times.polling.deadline
            return JobTimeout(
                f"Request {identifier(request, 'request')} has not ended within {limit:g} seconds. "
                "It continues in the service: wait again later.",
                job_ids=[job_id] if job_id else [],
            )

        return self._times.until(
            look,
            lambda seen: seen.ended,
            hint=lambda seen: seen.poll_after_s,
            first_wait=first_wait,
            on_look=on_look,
            too_late=too_late,
        )


def _read(answer: Any) -> Recruitment:
    found = read(Recruitment, answer)
    if getattr(found, "request", None) is None or found.request.id is None:
        raise ServiceError("The service's response contains no request.", status=200, code="bad_answer")
    return found


def _words(name: str, text: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise UsageError(f"{name} must be words, 1 to {LONGEST_TEXT:,} characters, not {text!r}.")
    if len(text) > LONGEST_TEXT:
        raise UsageError(f"{name} has {len(text):,} characters; {LONGEST_TEXT:,} are allowed.")
    return text


def _short(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _path(request: Ref) -> str:
    return f"/research-group-requests/{identifier(request, 'request')}"
