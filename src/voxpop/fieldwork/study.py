"""The study handle: ask questions one by one, run the analysis, share the study and pull its data."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from voxpop.client.findings import Findings
from voxpop.client.jobs import succeeded
from voxpop.client.preview import QuestionPreview
from voxpop.client.questions import checked_question
from voxpop.errors import ServiceError, UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.once import ask_once
from voxpop.fieldwork.panel import Panel
from voxpop.fieldwork.progress import progress
from voxpop.fieldwork.pull_study import pull_study, with_uuid
from voxpop.fieldwork.waiting import Pending, failure, settle, settle_by_counts, warn_of_failures
from voxpop.fieldwork.wording import Drafted, spelled_out
from voxpop.vocabulary.markup import escaped
from voxpop.vocabulary.question_types import BuiltInType
from voxpop.wire.estimates import Estimate
from voxpop.wire.groups import Group
from voxpop.wire.jobs import Job
from voxpop.wire.questions import Answer, Question
from voxpop.wire.studies import Study as Record

if TYPE_CHECKING:
    from voxpop.client import Client, ShareLink
    from voxpop.client.checks import Ref
    from voxpop.tables import Saved, Store


class Study(Panel):
    """A study at a service, with the client to work on it.

    The handle stores no answers; pull them into a store. Make one with :meth:`create`, or open an existing
    study with :meth:`open`.

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

        Each call creates another study, because two studies of the same title on one group are normal. In a
        cell that may run again, pass ``idempotency_key``, or open the study by its id.

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
            For 24 hours the same key and arguments return the same study instead of a new one.
        """
        record = client.studies.create(title, objective, group=group, idempotency_key=idempotency_key)
        told = {"title": title, "research_group_uuid": getattr(group, "uuid", group)}
        told["agent_count"] = getattr(group, "agent_count", None)
        missing = {name: value for name, value in told.items() if not getattr(record, name)}
        made = cls(client, record.model_copy(update=missing))
        if idempotency_key is not None:
            made.refresh()  # may be an earlier study that has questions
        return made

    @classmethod
    def open(cls, client: Client, study: Ref) -> Study:
        """Open an existing study by its id, UUID or model."""
        return cls(client, client.studies.get(study))

    @property
    def id(self) -> int:
        """Id of the study."""
        return self._record.id

    @property
    def uuid(self) -> str:
        """UUID of the study."""
        return self._record.uuid

    @property
    def title(self) -> str:
        """Title of the study."""
        return self._record.title

    def refresh(self) -> Record:
        """Read the study's record again and return it, with its stage, counts and times."""
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
        engine: str | None = None,
        wait: bool = True,
    ) -> Question:
        """Ask every agent of the study one question, and wait for the answers.

        Running the same call again, even after an interruption or a restart of the notebook, asks no agent
        twice: it finds the existing question, waits for missing answers, and returns it. A question is the
        same if its key and words are the same or, without a key, its words. To ask the same words again, pass
        a different ``key``.

        Parameters
        ----------
        question : str, GuideQuestion, Question or dict
            The question, 1 to 10,000 characters; or a question of an interview guide, of another study, or of
            the analysis's next questions, which provides key, type, options and scale as well.
        key : str, optional
            Name of the variable in tables: small letters, digits and ``_``; unique in the study.
        type : str, optional
            ``open``, ``yes_no``, ``single_choice``, ``multi_choice``, ``scale``, ``number`` or ``ranking``;
            by default read from the question's words.
        options : list of str, optional
            Options to choose from or rank.
        scale : tuple or dict, optional
            Lowest and highest point, such as ``(0, 10)`` or ``{"min": 1, "max": 5, "min_label": "never"}``.
        shuffle_options : bool
            Whether each agent sees the options in its own order.
        attachments : list of MediaAsset, its id, or Path, optional
            Up to 10 images (PNG, JPEG, GIF, WEBP) and PDFs to attach to the question; paths are uploaded
            first. The embedded engine does not read them, and its answers say so.
        engine : str, optional
            One of the engines of the service, by name; by default its default engine. Every answer names its
            engine, and agents remember their answers by other engines. To put the same words to two engines
            independently, use two studies of one group.
        wait : bool
            Whether to wait for the answers; if false, call :meth:`wait` later. Earlier questions with pending
            answers are waited for first, because agents answer one question at a time.

        Returns
        -------
        Question
            The question as interpreted, with ``asked_count``, ``answer_count`` and ``failed_count``.

        Raises
        ------
        UsageError
            The words, key, type, options, scale or attachments are invalid; nothing was sent.
        InvalidRequest
            Another question of the study has this key; nothing was asked.
        JobTimeout
            Not all answers arrived in time; call :meth:`wait` to continue waiting.

        Warns
        -----
        FieldworkWarning
            The words contain two questions, the embedded engine knows few of the words, or agents failed to
            answer.
        """
        text, parts = spelled_out(
            question,
            key=key,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            engine=engine,
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
        if not asked.job_ids:  # existing question
            return self._taken_up(asked.question, stacklevel=2) if wait else asked.question
        self._pending.append(Pending(asked.question, tuple(asked.job_ids), asked.poll_after_s))
        if not wait:
            return asked.question
        return self._settle(stacklevel=2)[-1]

    def preview(
        self,
        question: str | Drafted,
        *,
        key: str | None = None,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        engine: str | None = None,
    ) -> QuestionPreview:
        """Tell how a question would be read and what its answers would rest on, without asking it.

        Parameters
        ----------
        question, key, type, options, scale, shuffle_options, engine
            As in :meth:`ask`.

        Returns
        -------
        QuestionPreview
            The question as read, and the number of agents per kind of basis, with notes; displays as text and
            HTML. Of a large group, a sample of 1,000 agents is looked at, and the preview says so.

        Raises
        ------
        UsageError
            The words, key, type, options or scale are invalid.
        NotFound
            The service does not support previews.

        Examples
        --------
        ::

            study.preview("Would you switch to oat milk?")
        """
        text, parts = spelled_out(
            question,
            key=key,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            engine=engine,
        )
        return self.client.questions.preview(self._record, text, **parts)

    def estimate(
        self,
        questions: str | Drafted | Sequence[str | Drafted],
        *,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: tuple[int, int] | Mapping[str, Any] | None = None,
        engine: str | None = None,
    ) -> Estimate:
        """Return what questions would cost, without asking them: calls, tokens, dollars and time.

        The figures rest on what the service has observed of the engine; before its first calls they are
        usual ones. Attachments are not counted.

        Parameters
        ----------
        questions : str, GuideQuestion, Question, dict, or a list of them
            The questions in the order in which they would be asked, since agents remember earlier ones.
        type, options, scale, engine : optional
            As in :meth:`ask`, for all questions that do not specify them.

        Returns
        -------
        Estimate
            ``cost_dollars`` is None if a price is unknown, and ``minutes`` if a speed is; ``notes`` say so.
        """
        listed = [questions] if isinstance(questions, str | Mapping | BaseModel) else list(questions)
        asked = []
        for one in listed:
            words, parts = spelled_out(
                one, key=None, type=type, options=options, scale=scale, shuffle_options=False, engine=engine
            )
            asked.append({"question": words, **parts})
        return self.client.questions.estimate(self._record, asked)

    def _taken_up(self, question: Question, stacklevel: int) -> Question:
        """Wait for missing answers of an existing question, and return it with its counts."""
        if (question.answer_count or 0) + (question.failed_count or 0) < (question.asked_count or 0):
            waited = settle_by_counts(self.client, self._record)
            question = next((one for one in waited if one.id == question.id), question)
        warn_of_failures(self.client, self._record, [question], stacklevel=stacklevel + 1)
        return question.model_copy(update={"answers": []})

    def retry(self, *, wait: bool = True) -> list[Question]:
        """Ask each question again of the agents that failed to answer it, and wait for the answers.

        Agents that were removed from the study are not asked again.

        Parameters
        ----------
        wait : bool
            Whether to wait for the answers; if false, call :meth:`wait` later.

        Returns
        -------
        list of Question
            The questions that were asked again; with ``wait``, their counts cover the agents asked again.

        Raises
        ------
        JobTimeout
            Not all answers arrived in time; call :meth:`wait` to continue waiting.

        Warns
        -----
        FieldworkWarning
            Agents failed again.
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
        """Wait until every question is answered, and return all questions with their counts.

        Call it after ``ask(wait=False)``, an interruption, or a restart of the notebook.
        """
        self._settle(stacklevel=2)
        return settle_by_counts(self.client, self._record)

    def complete(
        self, steps: Iterable[str] | None = None, *, force: bool = False, wait: bool = True
    ) -> Findings:
        """Run the analysis of the study, and return its findings.

        Parameters
        ----------
        steps : list of str, optional
            Steps to run, out of ``stats``, ``overall_summary``, ``key_segments``, ``divergences``,
            ``shared_mindsets`` and ``next_questions``; all of them by default.
        force : bool
            Whether to run finished steps again.
        wait : bool
            Whether to wait; if false, the findings so far are returned, and the next call waits.

        Raises
        ------
        JobFailed
            The analysis failed.
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
        """Return the findings of the completion steps so far."""
        return self._found(None)

    def share(self) -> ShareLink:
        """Open the study's share page and return its link.

        Anyone with the link can read the study, so its repr hides the URL; ``print`` shows it.
        """
        link = self.client.studies.share(self._record).link
        if link is None:
            raise ServiceError("The service shared the study but returned no link.", code="no_link")
        return link

    def unshare(self) -> None:
        """Close the share page at once; sharing again creates a new link."""
        self.client.studies.unshare(self._record)

    def pull(self, into: Store, *, attachments: bool = False, again: bool = False) -> Saved:
        """Pull questions, answers, agents and group into a store; pulling again adds only what is new.

        Parameters
        ----------
        into : Store
            The store.
        attachments : bool
            Whether to pull the bytes of attached files as well as their metadata.
        again : bool
            Whether to read answers again that are already in the store.

        Returns
        -------
        Saved
            Number of new, changed and unchanged questions, agents and answers.
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
        """Return the questions in the order asked, with their counts but without answers."""
        listed = self.client.questions.list(self._record, answers=False)
        return [question.model_copy(update={"answers": []}) for question in listed]

    def answers(self) -> Sequence[Answer]:
        """Return all answers; for tables, :meth:`pull` is faster and stores them."""
        return self.client.questions.answers(self._record)

    def remove_agents(self, agent_ids: Iterable[int]) -> list[int]:
        """Remove agents by their ids, for example ``[17, 42]``, and return the ids removed.

        They are not asked later questions; their earlier answers stay and are marked.
        """
        removed = self.client.studies.remove_agents(self._record, agent_ids)
        self._record = self._record.model_copy(update={"agent_count": removed.agent_count})
        return removed.removed

    def __repr__(self) -> str:
        asked = self._record.question_count or 0
        agents = self._record.agent_count
        counted = "" if agents is None else f", {_counted(agents, 'agent')}"
        wave = f"wave {self._record.wave}, " if self._record.wave > 1 else ""
        questions = _counted(asked, "question")
        return f"<Study {self.id} {self.title!r}: {wave}{self._record.stage}{counted}, {questions}>"

    def _repr_html_(self) -> str:
        record = self._record
        cells = {
            "study": f"{self.id}: {self.title}",
            "wave": str(record.wave) if record.wave > 1 else None,
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
        """Wait for pending questions, and warn of failures."""
        settled = settle(self.client, self._record, self._pending)
        warn_of_failures(self.client, self._record, settled, stacklevel=stacklevel + 1)
        return settled

    def _name(self) -> str:
        return f"{self.title!r}" if self.title else f"study {self.id}"

    def _found(self, job: Job | None) -> Findings:
        """Return the analysis, or the completion job's result if the service has no analysis page."""
        try:
            return self.client.studies.analysis(self._record)
        except ServiceError as error:
            if error.status not in (404, 405):
                raise
        steps = job.result if job is not None else None
        return Findings(study_id=self.id, stage=self._record.stage, steps=steps or {})


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
