"""Direct questions: ask an agent or a group outside a study, and read the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from voxpop.client.checks import HasId, Ref, identifier
from voxpop.client.direct_records import DirectRecord, DirectRecordList
from voxpop.client.jobs import first_look
from voxpop.client.media import attachment_ids
from voxpop.client.pagination import by_offset
from voxpop.client.polling import Timekeeper
from voxpop.client.questions import checked_question, scale_body
from voxpop.client.shapes import body, read
from voxpop.client.studies import Sharing
from voxpop.client.transport import Transport
from voxpop.errors import JobTimeout
from voxpop.vocabulary.question_types import BuiltInType
from voxpop.wire.direct_questions import (
    AgentAskResponse,
    AskOnceResponse,
    DirectAskResponse,
    GroupAskResponse,
)
from voxpop.wire.questions import DirectAskIn, Scale
from voxpop.wire.studies import ShareIn

DirectRef = Ref | DirectAskResponse | AskOnceResponse
"""A direct question, its id, or the response of asking it."""

ENDED = ("completed", "failed")
"""Final states of a record; unknown states count as unfinished."""


class DirectQuestions:
    """``client.direct_questions``: questions without a study, and their saved records."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times

    def ask_agent(
        self,
        agent: Ref,
        question: str,
        *,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: Scale | tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        attachments: Sequence[Any] | None = None,
        engine: str | None = None,
        idempotency_key: str | None = None,
    ) -> AgentAskResponse:
        """Ask one agent and return immediately with the job.

        Parameters
        ----------
        agent : Agent or its id
            The agent, its id or its UUID.
        question : str
            One question, 1 to 10,000 characters.
        type, options, scale, shuffle_options, attachments, engine
            As for :meth:`~voxpop.client.questions.Questions.ask`.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.

        Examples
        --------
        ::

            asked = client.direct_questions.ask_agent(17, "What do you have for breakfast?")
            client.direct_questions.wait(asked).targets[0].answer.response_text
        """
        sent = asked_body(
            DirectAskIn,
            question,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            attachments=attachments,
            engine=engine,
        )
        path = f"/research-agents/{identifier(agent, 'agent')}/questions"
        return read(AgentAskResponse, self._transport.post(path, sent, key=idempotency_key))

    def ask_group(
        self,
        group: Ref,
        question: str,
        *,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: Scale | tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        attachments: Sequence[Any] | None = None,
        engine: str | None = None,
        idempotency_key: str | None = None,
    ) -> GroupAskResponse:
        """Ask every agent of a group and return immediately with one job per agent.

        Parameters
        ----------
        group : Group or its id
            The group, its id or its UUID.
        question : str
            One question, 1 to 10,000 characters.
        type, options, scale, shuffle_options, attachments, engine
            As for :meth:`~voxpop.client.questions.Questions.ask`.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.

        Raises
        ------
        Conflict
            The group is archived.

        Examples
        --------
        ::

            asked = client.direct_questions.ask_group(group, "Do you own a car?")
            client.direct_questions.wait(asked).artifacts[0].text
        """
        sent = asked_body(
            DirectAskIn,
            question,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            attachments=attachments,
            engine=engine,
        )
        path = f"/research-groups/{identifier(group, 'group')}/questions"
        return read(GroupAskResponse, self._transport.post(path, sent, key=idempotency_key))

    def get(self, question: DirectRef) -> DirectRecord:
        """Return the record of a direct question with its targets and answers so far."""
        return read(DirectRecord, self._transport.get(_path(question)))

    def list(self, *, question: DirectRef | None = None) -> Iterator[DirectRecord]:
        """Iterate over the records of the organization, newest first; or only the one of ``question``."""
        only = {} if question is None else {"question_id": _reference(question)}

        def fetch(limit: int, offset: int) -> tuple[Sequence[DirectRecord], int | None]:
            params: dict[str, Any] = {"limit": limit, "offset": offset, **only}
            page = read(DirectRecordList, self._transport.get("/direct-questions", params))
            return page.direct_questions or (), page.total

        return by_offset(fetch, limit=50)

    def wait(
        self, question: DirectRef, *, on_look: Callable[[DirectRecord], None] | None = None
    ) -> DirectRecord:
        """Wait until every agent has answered or failed, and return the record.

        Parameters
        ----------
        question : DirectRecord, its id, or the answer of asking it
            The question.
        on_look : callable, optional
            Called with the result of each poll.

        Raises
        ------
        JobTimeout
            The deadline of the polling pattern has passed; the jobs continue in the service.
        """
        first_wait = (
            first_look(question) if isinstance(question, DirectAskResponse | AskOnceResponse) else 0.0
        )

        def too_late() -> JobTimeout:
            limit = self._times.polling.deadline
            return JobTimeout(
                f"Direct question {_reference(question)} has open jobs after {limit:g} seconds. "
                "They continue in the service: wait again later."
            )

        return self._times.until(
            lambda: self.get(question),
            lambda seen: seen.status in ENDED,
            hint=lambda seen: seen.poll_after_s,
            first_wait=first_wait,
            on_look=on_look,
            too_late=too_late,
        )

    def share(self, question: DirectRef) -> Sharing:
        """Share a record with anybody who has the link; sharing again creates a new link.

        Examples
        --------
        ::

            print(client.direct_questions.share(asked).link)
        """
        return self._share(question, True)

    def unshare(self, question: DirectRef) -> Sharing:
        """Stop sharing a record, at once."""
        return self._share(question, False)

    def sharing(self, question: DirectRef) -> Sharing:
        """Return the share state of a record."""
        return read(Sharing, self._transport.get(f"{_path(question)}/share"))

    def _share(self, question: DirectRef, enabled: bool) -> Sharing:
        sent = body(ShareIn, enabled=enabled)
        return read(Sharing, self._transport.post(f"{_path(question)}/share", sent))


def asked_body(
    model: type[BaseModel],
    question: str,
    *,
    type: BuiltInType | None,
    options: Sequence[str] | None,
    scale: Scale | tuple[int, int] | Mapping[str, Any] | None,
    shuffle_options: bool,
    attachments: Sequence[Any] | None,
    **more: Any,
) -> dict[str, Any]:
    """Return the body of asking outside a study; additive fields are included only if given.

    Raises
    ------
    UsageError
        The question or another argument is out of bounds.
    """
    words = checked_question(question, type=type, options=options)
    sent = body(
        model,
        question=words,
        type=type,
        options=None if options is None else list(options),
        scale=None if scale is None else scale_body(scale),
        attachments=attachment_ids(attachments) or None if attachments is not None else None,
        **more,
    )
    if shuffle_options:
        sent["shuffle_options"] = True
    else:
        sent.pop("shuffle_options", None)
    return sent


def _reference(question: DirectRef) -> str:
    if isinstance(question, DirectAskResponse | AskOnceResponse) and not isinstance(question, HasId):
        question = question.question_id
    return identifier(question, "direct question")


def _path(question: DirectRef) -> str:
    return f"/direct-questions/{_reference(question)}"
