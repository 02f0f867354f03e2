"""The study handle: one question after the other, each waited for, then the analysis, link and data."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voxpop.client.findings import Findings
from voxpop.client.jobs import succeeded
from voxpop.client.questions import checked_question
from voxpop.errors import ServiceError, UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.once import ask_once
from voxpop.fieldwork.progress import progress
from voxpop.fieldwork.pull_study import pull_study, with_uuid
from voxpop.fieldwork.waiting import Pending, failure, settle, settle_by_counts, warn_of_failures
from voxpop.fieldwork.wording import Drafted, spelled_out
from voxpop.vocabulary.markup import escaped
from voxpop.vocabulary.question_types import BuiltInType
from voxpop.wire.groups import Group
from voxpop.wire.jobs import Job
from voxpop.wire.questions import Answer, Question
from voxpop.wire.studies import Study as Record

if TYPE_CHECKING:
    from voxpop.client import Client, ShareLink
    from voxpop.client.checks import Ref
    from voxpop.tables import Saved, Store


class Study:
    """A study at a service, and the client to work on it. It keeps no answers: pull them into a store.

    Make one with :meth:`create`, or take up an earlier one with :meth:`open`.

    Attributes
    ----------
    client : Client
        The service.
    """

    def __init__(self, client: Client, record: Record) -> None:
        self.client = client
        self._record = with_uuid(client, record)
        self._pending: list[Pending] = []
        self._completion: tuple[str, float | None] | None = None

    @classmethod
    def create(
        cls,
        client: Client,
        group: Group | str,
        *,
        title: str,
        objective: str | None = None,
        idempotency_key: str | None = None,
    ) -> Study:
        """Create a study on a group.

        Each call makes another study, because two studies of one title on one group are ordinary. Where a
        cell may be run again, name the study with ``idempotency_key``, or open it by its id.

        Parameters
        ----------
        client : Client
            The service.
        group : Group or str
            The group to ask, or its UUID; an integer id is not accepted.
        title : str
            1 to 300 characters.
        objective : str, optional
            Objective of the study.
        idempotency_key : str, optional
            For 24 hours the same key and arguments give the same study again instead of another one.
        """
        record = client.studies.create(title, objective, group=group, idempotency_key=idempotency_key)
        told = {"title": title, "research_group_uuid": getattr(group, "uuid", group)}
        told["agent_count"] = getattr(group, "agent_count", None)
        missing = {name: value for name, value in told.items() if not getattr(record, name)}
        made = cls(client, record.model_copy(update=missing))
        if idempotency_key is not None:
            made.refresh()  # it may be an earlier one, with questions by now
        return made

    @classmethod
    def open(cls, client: Client, study: Ref) -> Study:
        """Take up an earlier study, by its number, UUID or model."""
        return cls(client, client.studies.get(study))

    @property
    def id(self) -> int:
        """The study's number."""
        return self._record.id

    @property
    def uuid(self) -> str:
        """The study's UUID."""
        return self._record.uuid

    @property
    def title(self) -> str:
        """The study's title."""
        return self._record.title

    def refresh(self) -> Record:
        """Return the study's record anew and return it: stage, counts, times."""
        self._record = with_uuid(self.client, self.client.studies.get(self._record))
        return self._record

    def ask(
        self,
        question: str | Drafted,
        *,
        key: str | None = None,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        attachments: Sequence[Any] | None = None,
        wait: bool = True,
    ) -> Question:
        """Ask every agent of the study one question once, and wait for the answers.

        Running the same call again, after an interruption or a restart of the notebook too, asks nobody
        twice: it takes up the question that is there, waits for what is missing, and returns it. That holds
        for the same key with the same words, and without a key for the same words. To ask the same words
        again, give another ``key``.

        Parameters
        ----------
        question : str, GuideQuestion, Question or dict
            One question, 1 to 10,000 characters; or one of an interview guide, of another study, or of the
            analysis's next questions, which brings its key, type, options and scale along.
        key : str, optional
            The variable's name in tables: small letters, digits and ``_``; unique in the study.
        type : str, optional
            ``open``, ``yes_no``, ``single_choice``, ``multi_choice``, ``scale``, ``number`` or ``ranking``;
            read from the question's words without it.
        options : list of str, optional
            Options to choose from or rank.
        scale : tuple or dict, optional
            Lowest and highest point, as ``(0, 10)`` or ``{"min": 1, "max": 5, "min_label": "never"}``.
        shuffle_options : bool
            Whether each agent sees the options in its own order.
        attachments : list of MediaAsset, its id, or Path, optional
            Up to 10 pictures (PNG, JPEG, GIF, WEBP) and PDFs that go with the question; paths are uploaded
            first. The embedded engine does not look at them, and its answers say so.
        wait : bool
            Whether to wait for the answers; without it :meth:`wait` does so later. Questions that were not
            waited for are waited for first: agents are asked one question at a time.

        Returns
        -------
        Question
            The question as it was read, with ``asked_count``, ``answer_count`` and ``failed_count``.

        Raises
        ------
        UsageError
            The words, key, type, options, scale or attachments cannot be used; nothing was sent.
        InvalidRequest
            Another question of the study has this key; nobody was asked.
        JobTimeout
            The answers are not all there in time; :meth:`wait` goes on waiting.

        Warns
        -----
        FieldworkWarning
            The words hold two questions, the embedded engine knows few of them, or agents failed to
            answer.
        """
        text, parts = spelled_out(
            question, key=key, type=type, options=options, scale=scale, shuffle_options=shuffle_options
        )
        words = checked_question(text, key=parts["key"], type=parts["type"], options=parts["options"])
        if len(re.findall(r"\?+", words)) > 1:
            warnings.warn(
                "This text holds more than one question mark; ask one question at a time, "
                "so that each answer says what it answers.",
                FieldworkWarning,
                stacklevel=2,
            )
        if wait:
            self._settle(stacklevel=2)
        attached = None if attachments is None else self.client.media.uploaded(attachments)
        asked = ask_once(self.client, self._record, words, **parts, attachments=attached)
        if asked.replayed:
            self.refresh()
        else:
            count = (self._record.question_count or 0) + 1
            self._record = self._record.model_copy(update={"question_count": count})
        if asked.notice:
            warnings.warn(asked.notice, FieldworkWarning, stacklevel=2)
        if not asked.job_ids:  # taken up
            return self._taken_up(asked.question, stacklevel=2) if wait else asked.question
        self._pending.append(Pending(asked.question, tuple(asked.job_ids), asked.poll_after_s))
        if not wait:
            return asked.question
        return self._settle(stacklevel=2)[-1]

    def _taken_up(self, question: Question, stacklevel: int) -> Question:
        """Wait for what is missing of a question that was asked before, and return it with its counts."""
        if (question.answer_count or 0) + (question.failed_count or 0) < (question.asked_count or 0):
            waited = settle_by_counts(self.client, self._record)
            question = next((one for one in waited if one.id == question.id), question)
        warn_of_failures(self.client, self._record, [question], stacklevel=stacklevel + 1)
        return question.model_copy(update={"answers": []})

    def retry(self, *, wait: bool = True) -> list[Question]:
        """Ask the agents again that failed to answer, question by question, and wait for the answers.

        Agents that were removed from the study are not asked again.

        Parameters
        ----------
        wait : bool
            Whether to wait for the answers; without it :meth:`wait` does so later.

        Returns
        -------
        list of Question
            The questions that were asked again; with ``wait`` with what became of the agents asked again.

        Raises
        ------
        JobTimeout
            The answers are not all there in time; :meth:`wait` goes on waiting.

        Warns
        -----
        FieldworkWarning
            Agents failed once more.
        """
        settle(self.client, self._record, self._pending)
        asked = [
            self.client.questions.retry(self._record, question)
            for question in self.questions()
            if question.failed_count
        ]
        asked = [one for one in asked if one.job_ids]
        self._pending += [Pending(one.question, tuple(one.job_ids), one.poll_after_s) for one in asked]
        if not wait:
            return [one.question for one in asked]
        return self._settle(stacklevel=2)

    def wait(self) -> list[Question]:
        """Wait until every question that was asked is answered, and return all questions with their counts.

        It takes up waiting after ``ask(wait=False)``, an interruption, or a restart of the notebook.
        """
        self._settle(stacklevel=2)
        return settle_by_counts(self.client, self._record)

    def complete(
        self, steps: Iterable[str] | None = None, *, force: bool = False, wait: bool = True
    ) -> Findings:
        """Run the analysis of the study, and return what it found.

        Parameters
        ----------
        steps : list of str, optional
            The steps to run, of ``stats``, ``overall_summary``, ``key_segments``, ``divergences``,
            ``shared_mindsets`` and ``next_questions``; all of them without it.
        force : bool
            Whether to run finished steps again.
        wait : bool
            Whether to wait; without it, what was found so far comes back, and the next call waits.

        Raises
        ------
        JobFailed
            The analysis did not succeed.
        """
        if self._completion is None or force:
            self._settle(stacklevel=2)
            settle_by_counts(self.client, self._record)
            queued = self.client.studies.complete(self._record, steps=steps, force=force)
            if queued.job_id is None:
                return self.analysis()
            self._completion = (queued.job_id, queued.poll_after_s)
        if not wait:
            return self.analysis()
        job_id, first_wait = self._completion
        with progress() as say:
            if say is not None:
                say(f"completing {self._name()}")
            (job,) = self.client.jobs.wait(job_id, first_wait=first_wait)
        self._completion = None
        if not succeeded(job):
            raise failure(job, f"The analysis of study {self.id}")
        self.refresh()
        return self._found(job)

    def analysis(self) -> Findings:
        """Return what the completion steps have found so far."""
        return self._found(None)

    def share(self) -> ShareLink:
        """Open the study's share page and return its link.

        Whoever has the link can read the study, so its repr hides it; ``print`` shows it.
        """
        link = self.client.studies.share(self._record).link
        if link is None:
            raise ServiceError("The service shared the study without saying where.", code="no_link")
        return link

    def unshare(self) -> None:
        """Close the share page at once; sharing again makes a new link."""
        self.client.studies.unshare(self._record)

    def pull(self, into: Store, *, attachments: bool = False, again: bool = False) -> Saved:
        """Bring the study into a store: questions, answers, agents, group. Again: only what is new.

        Parameters
        ----------
        into : Store
            The store.
        attachments : bool
            Whether the bytes of attached files come too, not only what they are.
        again : bool
            Whether answers that the store has are read again.

        Returns
        -------
        Saved
            How many questions, agents and answers were new, changed or unchanged.
        """
        if not hasattr(into, "save_study"):
            raise UsageError(f"into must be a store, for example vp.Store('study.duckdb'), not {into!r}.")
        with progress() as say:
            if say is not None:
                say(f"pulling {self._name()}")
            saved = pull_study(self.client, self._record, into, attachments=attachments, again=again, say=say)
            if say is not None:
                say(f"pulled {self._name()}: {saved}")
        return saved

    def questions(self) -> Sequence[Question]:
        """Return the questions with their counts, without answers, in the order asked."""
        listed = self.client.questions.list(self._record, answers=False)
        return [question.model_copy(update={"answers": []}) for question in listed]

    def answers(self) -> Sequence[Answer]:
        """Return every answer. For tables :meth:`pull` is faster and keeps them."""
        return self.client.questions.answers(self._record)

    def remove_agents(self, agent_ids: Iterable[int]) -> list[int]:
        """Remove agents by their numbers, for example ``[17, 42]``, and return those removed.

        Later questions are not put to them; their earlier answers stay and are marked.
        """
        removed = self.client.studies.remove_agents(self._record, agent_ids)
        self._record = self._record.model_copy(update={"agent_count": removed.agent_count})
        return removed.removed

    def __repr__(self) -> str:
        asked = self._record.question_count or 0
        agents = self._record.agent_count
        counted = "" if agents is None else f", {_counted(agents, 'agent')}"
        return (
            f"<Study {self.id} {self.title!r}: {self._record.stage}{counted}, {_counted(asked, 'question')}>"
        )

    def _repr_html_(self) -> str:
        record = self._record
        cells = {
            "study": f"{self.id}: {self.title}",
            "objective": record.objective,
            "stage": record.stage,
            "agents": None if record.agent_count is None else f"{record.agent_count:,}",
            "questions": str(record.question_count or 0),
        }
        rows = "".join(
            f"<tr><th scope='row' style='text-align:left'>{name}</th>"
            f"<td style='text-align:left'>{escaped(value)}</td></tr>"
            for name, value in cells.items()
            if value
        )
        return f"<table><caption>Study</caption><tbody>{rows}</tbody></table>"

    def _settle(self, stacklevel: int) -> list[Question]:
        """Wait for what was asked, and warn of failures."""
        settled = settle(self.client, self._record, self._pending)
        warn_of_failures(self.client, self._record, settled, stacklevel=stacklevel + 1)
        return settled

    def _name(self) -> str:
        return f"{self.title!r}" if self.title else f"study {self.id}"

    def _found(self, job: Job | None) -> Findings:
        """Return the analysis; where the service has no such page, take what the completion job says."""
        try:
            return self.client.studies.analysis(self._record)
        except ServiceError as error:
            if error.status not in (404, 405):
                raise
        steps = job.result if job is not None else None
        return Findings(study_id=self.id, stage=self._record.stage, steps=steps or {})


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
