"""Background work of `AskPanel`: asking, polling, screening, completing and sharing."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from voxpop.client.jobs import succeeded
from voxpop.client.polling import Timekeeper, utc_now
from voxpop.errors import JobTimeout, ServiceError, VoxpopError
from voxpop.fieldwork import Study
from voxpop.fieldwork.once import ask_once
from voxpop.widgets.drafts import Draft, to_state
from voxpop.widgets.keeping import keep
from voxpop.widgets.panel import Panel
from voxpop.widgets.quota import answers_left
from voxpop.widgets.worker import Worker

if TYPE_CHECKING:
    from voxpop.client.findings import Findings
    from voxpop.wire.questions import Question
    from voxpop.wire.studies import Study as Record

SAVE_AFTER = 0.4
"""Delay before drafts are saved, in seconds without a change."""


@dataclass(slots=True)
class Removal:
    """Agents removed by a screening question.

    Attributes
    ----------
    question_id : int
        The screening question.
    keep : tuple
        The answers of the agents that stay.
    removed : int
        Number of agents removed.
    """

    question_id: int
    keep: tuple[Any, ...]
    removed: int


@dataclass(slots=True)
class Screening:
    """A screening question, with the answers used to select agents."""

    question_id: int
    answers: dict[Any, list[int]] = field(default_factory=dict)
    keep: set[Any] = field(default_factory=set)

    def leaving(self) -> list[int]:
        """Return the agents whose answer is not one of those to keep."""
        return [agent for value, agents in self.answers.items() if value not in self.keep for agent in agents]


class Running(Panel):
    """Background work of the panel, in two threads: one asks and polls, the other runs errands."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._drafts: list[Draft] = []
        self._removals: list[Removal] = []
        self._retried: set[int] = set()
        self._screening: Screening | None = None
        self._record: Record | None = None
        self._findings: Findings | None = None
        self._completed = False
        self._shared = False
        self._running: int | None = None
        self._stopping = False
        self._busy = ""
        self._began: dict[int, float] = {}
        self._next_look: float | None = None
        self._held_until: float | None = None
        self._left: int | None = None
        self._cost_known = False
        self._errands = Worker("AskPanel errands")
        super().__init__("AskPanel")
        self._client = study.client.waiting(poll=self._wait_to_look, retry=self._wait_to_retry)

    # Interruptible waits, shown in the panel

    def _wait_to_look(self, seconds: float) -> None:
        with self._changing():
            self._next_look = time.monotonic() + seconds
        self._worker.pause(seconds)
        with self._lock:
            self._next_look = None

    def _wait_to_retry(self, seconds: float) -> None:
        with self._changing():
            self._held_until = time.monotonic() + seconds
        try:
            self._worker.pause(seconds)
        finally:
            with self._changing():
                self._held_until = None

    # Loading existing questions

    def _load(self) -> None:
        """Load the study and its questions; poll those in progress."""
        record = self._client.studies.get(self.study.id)
        listed = list(self._client.questions.list(record, answers=False))
        with self._changing():
            self._record = record
            self._completed = record.stage == "completed"
            self._merge(listed)
            self._forget("load")
        try:
            left = answers_left(self._client)
        except VoxpopError:
            pass  # the cost is optional
        else:
            with self._changing():
                self._left, self._cost_known = left, True
        self._watch_open()

    def _merge(self, listed: list[Question]) -> None:
        """Put the questions already asked first, in their order, and update their counts."""
        known = {draft.question_id: draft for draft in self._drafts if draft.sent}
        asked = []
        for question in listed:
            draft = known.get(question.id) or Draft(self._new_number())
            draft.see(question)
            asked.append(draft)
            if draft not in self._drafts:
                self._drafts.append(draft)
        self._drafts = asked + [draft for draft in self._drafts if not draft.sent]

    def _new_number(self) -> int:
        return 1 + max((draft.number for draft in self._drafts), default=0)

    def _watch_open(self) -> None:
        for draft in [one for one in self._drafts if one.sent and one.asked and not one.ended]:
            self._watch(draft, first_wait=0.0)

    # Asking

    def _ask_all(self) -> None:
        """Ask all valid questions one after the other, and wait for each."""
        try:
            while (draft := self._next_draft()) is not None:
                if not self._put(draft):
                    break
                self._watch(draft, first_wait=self._first_wait)
        finally:
            with self._changing():
                self._running, self._stopping, self._busy = None, False, ""
        self.study.refresh()

    def _next_draft(self) -> Draft | None:
        with self._lock:
            if self._stopping:
                return None
            ready = [draft for draft in self._drafts if not draft.sent and not draft.problems()]
            return ready[0] if ready else None

    def _put(self, draft: Draft) -> bool:
        where = f"{draft.number}-send"
        with self._changing():
            self._running = draft.number
            self._forget(where)
            given, text = draft.arguments(), draft.text
        try:
            asked = ask_once(self._client, self._record or self.study.refresh(), text, **given)
        except VoxpopError as error:
            self._failed(error, where)
            return False
        with self._changing():
            self._first_wait = asked.poll_after_s
            draft.job_ids = tuple(asked.job_ids or ())
            draft.asked = len(draft.job_ids)
            draft.see(asked.question)
            draft.question_id = asked.question.id or asked.question_id or -draft.number
            # A question already asked in another panel or before a restart must not appear twice.
            twins = [one for one in self._drafts if one.question_id == draft.question_id]
            self._drafts = [one for one in self._drafts if one is draft or one not in twins]
            self._began[draft.number] = time.monotonic()
            self._drafts.sort(key=lambda one: not one.sent)
        self._save()
        return True

    def _ask_again(self, draft: Draft) -> None:
        """Retry a question for the agents that failed, and poll it."""
        assert draft.question_id is not None
        try:
            asked = self._client.questions.retry(self.study.id, draft.question_id)
            with self._changing():
                draft.see(asked.question)
                draft.job_ids, draft.reasons = tuple(asked.job_ids or ()), {}
                self._retried.add(draft.question_id)
                self._began[draft.number] = time.monotonic()
                self._completed = self._completed and not asked.job_ids
            self._watch(draft, first_wait=asked.poll_after_s)
        finally:
            self._rest()

    _first_wait: float | None = None

    def _watch(self, draft: Draft, first_wait: float | None) -> None:
        """Poll a question until every agent has answered or failed."""
        with self._changing():
            self._running = draft.number
            self._began.setdefault(draft.number, time.monotonic())
        try:
            if self._counted(draft):
                self._watch_counts(draft, first_wait)
            else:
                self._watch_jobs(draft, first_wait)
        finally:
            with self._changing():
                self._running = None
        if draft.failed:
            self._errands.do(self._work(self._read_reasons, f"{draft.number}-send"))

    def _counted(self, draft: Draft) -> bool:
        """Whether the service counts the answers of questions."""
        for question in self._client.questions.list(self.study.id, answers=False):
            if question.id == draft.question_id:
                return question.asked_count is not None
        return False

    def _watch_counts(self, draft: Draft, first_wait: float | None) -> None:
        times = Timekeeper(self._client.polling, self._wait_to_look, utc_now)

        def look() -> Any:
            seen = self._client.questions.progress(self.study.id)
            with self._changing():
                for one in self._drafts:
                    found = [each for each in seen.questions or () if each.id == one.question_id]
                    if found:
                        one.see(found[0])
            return seen

        times.until(
            look,
            lambda _: draft.ended,
            hint=lambda seen: seen.poll_after_s,
            first_wait=first_wait,
            too_late=lambda: JobTimeout(
                f"Not all agents have answered within {times.polling.deadline:g} seconds. "
                "Their jobs go on in the service: run the cell again later."
            ),
        )

    def _watch_jobs(self, draft: Draft, first_wait: float | None) -> None:
        def look(done: int, total: int) -> None:
            with self._changing():
                draft.answered, draft.asked = done, total

        jobs = self._client.jobs.wait(draft.job_ids, first_wait=first_wait, on_look=look)
        with self._changing():
            draft.answered = sum(map(succeeded, jobs))
            draft.failed = len(jobs) - draft.answered

    def _read_reasons(self) -> None:
        """Read the reasons of failures, if the service reports them."""
        try:
            lost = [one for one in self._client.questions.unanswered(self.study.id) if one.error]
        except ServiceError as error:
            if error.status not in (404, 405):
                raise
            return
        with self._changing():
            for draft in self._drafts:
                told = [
                    one.error.message for one in lost if one.question_id == draft.question_id and one.error
                ]
                draft.reasons = dict(Counter(told))

    # Screening, the analysis and the share page

    def _read_answers(self, question_id: int) -> None:
        try:
            found = Screening(question_id)
            for answer in self._client.questions.answers(self.study.id):
                if answer.question_id == question_id and not answer.agent_removed:
                    value = tuple(answer.value) if isinstance(answer.value, list) else answer.value
                    found.answers.setdefault(value, []).append(answer.agent_id)
            if True in found.answers:
                found.keep = {True}
            else:
                found.keep = set(found.answers)
            with self._changing():
                self._screening = found
                self._forget("screening")
                self._move_focus("screening")
        finally:
            self._rest()

    def _remove(self, screening: Screening) -> None:
        try:
            leaving = screening.leaving()
            removed = self._client.studies.remove_agents(self.study.id, leaving)
            with self._changing():
                kept = tuple(value for value in screening.answers if value in screening.keep)
                self._removals.append(Removal(screening.question_id, kept, len(removed.removed or leaving)))
                self._screening = None
                self._move_focus("status")
            record = self._client.studies.get(self.study.id)
            with self._changing():
                self._record = record
            self.study.refresh()
        finally:
            self._rest()

    def _complete(self) -> None:
        try:
            handle = Study(self._client, self._client.studies.get(self.study.id))
            found = handle.complete()
            with self._changing():
                self._findings, self._completed = found, True
                self._forget("complete")
                self._move_focus("findings")
            self.study.refresh()
        finally:
            self._rest()

    def _share(self, wanted: bool) -> None:
        try:
            link = self._client.studies.share(self.study.id).link if wanted else None
            if not wanted:
                self._client.studies.unshare(self.study.id)
            with self._changing():
                self._shared = wanted
                self._forget("share")
            # Not part of the state: a saved notebook must not give its readers access to the study.
            self.send({"slot": "link", "text": str(link) if link else ""})
        finally:
            self._rest()

    def _rest(self) -> None:
        with self._changing():
            self._busy = ""

    # Saving drafts

    def _save(self) -> None:
        self._errands.later("save", SAVE_AFTER, self._keep)

    def _keep(self) -> None:
        with self._lock:
            held = [to_state(draft) for draft in self._drafts if not draft.sent]
        try:
            keep(self.study.uuid, [one for one in held if one])
        except OSError as error:
            self._failed(error, "keep")

    def _end(self) -> None:
        super()._end()
        self._errands.hurry()
        self._errands.idle(2)
        self._errands.close()
