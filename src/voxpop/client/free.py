"""Free questions: one question to the fixed panel of twelve US adults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voxpop.client.checks import identifier
from voxpop.client.jobs import Jobs, first_look
from voxpop.client.media import attachment_ids
from voxpop.client.polling import Timekeeper
from voxpop.client.questions import checked_question
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import JobFailed
from voxpop.wire.free import FreeAskIn, FreeAskResponse, FreeResult


class Free:
    """``client.free``: questions for keys of the free tier."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._jobs = Jobs(transport, times)

    def ask(
        self,
        question: str,
        *,
        attachments: Sequence[Any] | None = None,
        engine: str | None = None,
        wait_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> FreeAskResponse:
        """Ask the panel, once per idempotency key; this counts as twelve answers.

        Parameters
        ----------
        question : str
            One question, 1 to 10,000 characters.
        attachments : list of MediaAsset or its id, optional
            Files attached to the question.
        engine : str, optional
            One of the engines of the service, by name; by default its default engine.
        wait_seconds : float, optional
            Seconds for which the service may wait for the end, at most 60.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments returns the same job.

        Raises
        ------
        Conflict
            The key was used for something else.
        QuotaExceeded
            The monthly quota has fewer than twelve answers left.

        Examples
        --------
        ::

            asked = client.free.ask("What makes a good sandwich?")
            [one.reply for one in client.free.result(asked).results]
        """
        sent = body(
            FreeAskIn,
            question=checked_question(question),
            attachments=attachment_ids(attachments) or None if attachments is not None else None,
            engine=engine,
            wait_seconds=wait_seconds,
        )
        return read(FreeAskResponse, self._transport.once("/free/questions", sent, idempotency_key))

    def result(self, asked: FreeAskResponse | str) -> FreeResult:
        """Wait for the job of a free question, and return the replies.

        Parameters
        ----------
        asked : FreeAskResponse or str
            The response of asking, or the job's id.

        Raises
        ------
        JobFailed
            No agent has replied.
        JobTimeout
            The deadline of the polling pattern has passed; the job continues in the service.
        """
        first_wait = first_look(asked) if isinstance(asked, FreeAskResponse) else 0.0
        job_id = identifier(asked.job.id if isinstance(asked, FreeAskResponse) else asked, "job")
        (job,) = self._jobs.wait(job_id, first_wait=first_wait)
        if job.status == "failed":
            told = job.error
            reason = told.message if told is not None else "no reason was given"
            code = told.code if told is not None else "failed"
            raise JobFailed(f"Free question, job {job_id}: {reason}", job_id=job_id, code=code)
        return read(FreeResult, job.result or {})
