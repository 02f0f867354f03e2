"""The runner: claims a work item, passes it to its handler, and makes sure that its jobs end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.audience import Planner
from voxpop.engines.composition import ThesisComposer
from voxpop.engines.engine import Engine
from voxpop.engines.registry import default_engine
from voxpop.engines.respondent import EngineClosed, Respondent
from voxpop.engines.several import Engines
from voxpop.engines.writer import Writer
from voxpop.errors import ServiceError, Unavailable, VoxpopError
from voxpop.jobs.apart import GIVEN_UP_AFTER, HALVED_AFTER, ProcessEnded, ProcessNotStarted, RunApart
from voxpop.jobs.asking import close, run_question
from voxpop.jobs.conducting import Conductor, abandon_study_request
from voxpop.jobs.heartbeat import Heartbeat
from voxpop.jobs.histories import Histories
from voxpop.jobs.logs import tally, thread_of
from voxpop.jobs.queue import JobQueue
from voxpop.jobs.recruiting import Recruiter, abandon
from voxpop.jobs.screening import MOST_CANDIDATES, Screening
from voxpop.jobs.shelf import AgentShelf
from voxpop.jobs.steps import CompleteStudy, complete, enqueue_completion, leave_completing, run_completion
from voxpop.jobs.surveying import FREE, abandon_survey, run_survey
from voxpop.jobs.turns import Turn
from voxpop.records import jobs, questions, work_items
from voxpop.records.database import Clock, Database
from voxpop.records.requests import RECRUITING
from voxpop.records.study_requests import CONDUCTING
from voxpop.records.surveys import SURVEY
from voxpop.records.thesis import PANEL, THESIS

if TYPE_CHECKING:
    from voxpop.jobs.watching import Watch
    from voxpop.population.file import Population

__all__ = ["Runner", "complete", "enqueue_completion"]

logger: logging.Logger = logging.getLogger(__name__)
done: logging.Logger = logging.getLogger("voxpop.work")
OPEN = nullcontext()

ATTEMPTS = 3
"""Number of errors of a work item after which its jobs fail; deaths of processes are not counted."""

SURVEYS = (FREE, SURVEY)


class Runner:
    """Runs work items, one per call; several runners may share a database.

    Parameters
    ----------
    database
        The database.
    population
        Source of the agents.
    respondent
        Answers for the agents.
    clock
        Returns aware UTC datetimes.
    queue
        Receives the work items to run next.
    complete_study
        Runs the steps of a completion; voxpop's own by default.
    planner
        Reads the texts of recruitment requests; that of the default engine by default.
    writer
        Words the findings of studies; voxpop's own sentences by default.
    heartbeat
        Renews the claims of long-running items; without it an item must end within its lease.
    watch
        Metrics, if wanted.

    Attributes
    ----------
    apart : callable or None
        Runs items in separate processes after a process ended while running them; without it they run in this
        process like any other.
    engines : Engines or None
        All engines, if questions may name one other than the respondent.
    """

    def __init__(
        self,
        database: Database,
        population: Population,
        respondent: Respondent,
        clock: Clock,
        *,
        queue: JobQueue,
        complete_study: CompleteStudy | None = None,
        planner: Planner | None = None,
        writer: Writer | None = None,
        heartbeat: Heartbeat | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.database = database
        self.population = population
        self.respondent = respondent
        self.clock = clock
        self.queue = queue
        self._complete_study = complete_study
        self._writer = writer
        self._parts = Engine(respondent, default_engine)
        self._heartbeat = heartbeat
        self.apart: RunApart | None = None
        self._watch = watch
        self.engines: Engines | None = None
        self._shelf = AgentShelf(population)
        self._histories = Histories()
        self._recruiter = Recruiter(database, population, self._shelf, respondent, planner)
        self._handlers: Mapping[str, Callable[[work_items.Item, Turn], None]] = {
            jobs.QUESTION: self._ask,
            jobs.COMPLETION: self._complete,
            RECRUITING: self._recruiter.run,
            CONDUCTING: self._conduct,
            THESIS: self._test,
            PANEL: self._end_panel,
            FREE: self._survey,
            SURVEY: self._survey,
        }

    def prepare(self) -> None:
        """Load what the first recruitment request needs."""
        self._recruiter.prepare()

    def screened(self, screens: Sequence[Mapping[str, Any]], agents: list[int], wanted: int) -> list[int]:
        """Return up to a number of agents that pass screening questions, in the order given."""
        screening = Screening(self._shelf, self.respondent, screens, seed=self.population.seed)
        most = agents[:MOST_CANDIDATES]
        return screening.run(most, wanted, screened=0, kept=(), note=lambda _, __: None)[1][:wanted]

    def run_item(self, item_id: int) -> None:
        """Run one work item, unless it cannot be claimed now.

        No exception of a handler leaves this method: the item is tried again, and after :data:`ATTEMPTS` its
        jobs fail.
        """
        with self.database.begin() as c:
            item = work_items.claim(c, item_id)
        if item is None:
            return
        ids = {"work_item": item.id, "kind": item.kind, "organization": item.organization_id}
        ids |= {"study": item.study_id} if item.study_id is not None else {}
        ids |= {"question": item.question_id} if item.question_id is not None else {}
        with thread_of(**ids) as noted, self._watch.open_items.track_inprogress() if self._watch else OPEN:
            begun = time.perf_counter()
            outcome = self._outcome(item)
            seconds = time.perf_counter() - begun
            done.info("Work item %s: %s.", item.id, outcome, extra={"fields": {"seconds": round(seconds, 4)}})
        if self._watch is not None:
            stored = noted.get("answered", 0), noted.get("failed", 0)
            self._watch.item(item.kind, outcome, seconds, *stored)

    def _outcome(self, item: work_items.Item) -> str:
        """Run a claimed item, and return the outcome in a word or two."""
        if not item.deaths:
            return self.handle(item)
        logger.warning("%s was in hand when a process ended; count: %s.", _named(item), item.deaths)
        if item.deaths >= HALVED_AFTER:
            with self.database.begin() as c:
                halves = jobs.halve(c, item)
            if halves:
                logger.warning("%s is run in two halves: items %s and %s.", _named(item), *halves)
                self.queue.put(halves, study_id=item.study_id)
                return "halved"
        if item.deaths >= GIVEN_UP_AFTER:  # a survey skips the agent at which it stopped, and continues
            return self.handle(item) if item.kind in SURVEYS else self._fail(item, _ended(item))
        return self.handle(item) if self.apart is None else self._alone(item, self.apart)

    def _alone(self, item: work_items.Item, apart: RunApart) -> str:
        """Run an item in a separate process, whose end does not end this one."""
        try:
            with self._heartbeat.of(item) if self._heartbeat is not None else nullcontext():
                told = apart(item)
        except ProcessEnded as error:
            logger.error("%s: %s", _named(item), error)
            with self.database.begin() as c:
                work_items.died(c, item)
            self.queue.put([item.id], study_id=item.study_id)
            return "process ended"
        except ProcessNotStarted as error:
            logger.warning("%s runs in this process: %s", _named(item), error)
            return self.handle(item)
        except (EngineClosed, Unavailable) as error:
            return self._later(item, error)
        with self.database.begin():
            pass  # tells caches that another process has written
        tally(**told.counts)
        for put in told.put:
            self.queue.put(put.item_ids, study_id=put.study_id)
        return told.word

    def handle(self, item: work_items.Item) -> str:
        """Run a claimed item in this process, and return the outcome in a word or two."""
        turn = Turn(self.queue, self.clock)
        try:
            self._run(item, turn)
        except (EngineClosed, Unavailable) as error:
            return self._later(item, error)
        except VoxpopError as error:
            logger.warning("%s, attempt %s of %s: %s", _named(item), item.failures, ATTEMPTS, error)
            return self._again(item, _reason(error))
        except Exception:  # the boundary of background work: log the error, try again, and end the jobs
            logger.exception("%s, attempt %s of %s, failed.", _named(item), item.failures, ATTEMPTS)
            return self._again(item, _unexpected(item))
        if turn.over:
            self.queue.put([item.id], study_id=item.study_id)
            return "goes on"
        self._wake_next(item)
        return "done"

    def _run(self, item: work_items.Item, turn: Turn) -> None:
        with self._heartbeat.of(item) if self._heartbeat is not None else nullcontext():
            self._handlers[item.kind](item, turn)

    def _ask(self, item: work_items.Item, _: Turn) -> None:
        seed, histories, respondent = self.population.seed, self._histories, self._asked(item)
        run_question(self.database, self._shelf, respondent, self.clock, seed, item, histories=histories)

    def _survey(self, item: work_items.Item, turn: Turn) -> None:
        seed, respondent = self.population.seed, self._asked(item)
        run_survey(self.database, self._shelf, respondent, self.clock, seed, item, turn=turn)

    def _asked(self, item: work_items.Item) -> Respondent:
        """Return the engine that the question of an item names, or the default one."""
        if self.engines is None or item.question_id is None:
            return self.respondent
        with self.database.read() as c:
            named = questions.engine_of(c, item.question_id)
        return self.respondent if named is None else self.engines.stored(named).respondent

    def _complete(self, item: work_items.Item, _: Turn) -> None:
        steps = self._complete_study or _steps_of_voxpop(self._writer)
        run_completion(self.database, self.population, self.clock, item, steps)

    def _conduct(self, item: work_items.Item, turn: Turn) -> None:
        Conductor(
            self.database,
            self.population,
            self.clock,
            queue=self.queue,
            recruiter=self._recruiter,
            complete_study=self._complete_study or _steps_of_voxpop(self._writer),
        ).run(item, turn)

    def _test(self, item: work_items.Item, _: Turn) -> None:
        from voxpop.jobs.panels import PanelWork  # imported where used: few services run theses

        PanelWork(self.database, self.population, self.queue, self._parts.composer).run(item)

    def _end_panel(self, item: work_items.Item, _: Turn) -> None:
        from voxpop.jobs.panels import PanelWork

        PanelWork(self.database, self.population, self.queue, self._parts.composer).run_panel(item)

    def _later(self, item: work_items.Item, error: VoxpopError) -> str:
        """Put back an item whose database or engine is unavailable; it waits and has not failed."""
        logger.warning("Work item %s waits: %s", item.id, error)
        with self.database.begin() as c:
            work_items.put_back(c, item)
        return "waits"

    def _again(self, item: work_items.Item, reason: tuple[str, str]) -> str:
        if item.failures >= ATTEMPTS:
            return self._fail(item, reason)
        with self.database.begin() as c:
            released = work_items.release(c, item)
        if released:
            self.queue.put([item.id], study_id=item.study_id)
        return "tried again"

    def _fail(self, item: work_items.Item, reason: tuple[str, str]) -> str:
        with self.database.begin() as c:
            if not work_items.finish(c, item):
                return "taken over"
            if item.kind == PANEL:
                _abandon_panel(c, item, reason, self._parts.composer)
            else:
                ABANDON[item.kind](c, item, reason)
        self._wake_next(item)
        return "failed"

    def _wake_next(self, item: work_items.Item) -> None:
        # After the commit: if two workers end a question together, the later one sees that it is done.
        if item.question_id is not None:
            with self.database.read() as c:
                following = work_items.next_question(c, item)
            self.queue.put(following, study_id=item.study_id)


def _abandon_question(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    close(c, item, {}, reason)


def _abandon_completion(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    jobs.fail(c, {job.id: reason for job in jobs.of_item(c, item.id)})
    leave_completing(c, item, "active")


def _abandon_thesis(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    from voxpop.jobs.panels import abandon_thesis

    abandon_thesis(c, item, reason)


def _abandon_panel(
    c: sa.Connection, item: work_items.Item, reason: tuple[str, str], composer: ThesisComposer
) -> None:
    from voxpop.jobs.panels import abandon_panel

    abandon_panel(c, item, reason, composer)


ABANDON: Mapping[str, Callable[[sa.Connection, work_items.Item, tuple[str, str]], None]] = {
    jobs.QUESTION: _abandon_question,
    jobs.COMPLETION: _abandon_completion,
    RECRUITING: abandon,
    CONDUCTING: abandon_study_request,
    THESIS: _abandon_thesis,
    FREE: abandon_survey,
    SURVEY: abandon_survey,
}
"""How the jobs of each kind of work end after repeated failures; panels are handled separately."""


def _steps_of_voxpop(writer: Writer | None) -> CompleteStudy:
    from voxpop.jobs.completing import complete_study  # imported where used: the statistics are slow to load

    return partial(complete_study, writer=writer)


def _named(item: work_items.Item) -> str:
    """Return the name of a work item for the log, with its kind and the ids it works on."""
    told = {"organization": item.organization_id, "study": item.study_id, "question": item.question_id}
    about = [item.kind, *(f"{name} {number}" for name, number in told.items() if number is not None)]
    return f"Work item {item.id} ({', '.join(about)})"


def _reason(error: VoxpopError) -> tuple[str, str]:
    if isinstance(error, ServiceError):
        return error.code, error.message
    return "respondent_failed", str(error)


def _ended(item: work_items.Item) -> tuple[str, str]:
    return (
        "process_ended",
        f"The process that ran it ended {item.deaths} times without an error, lately with nothing else in "
        f"hand; the log names each time (work item {item.id}).",
    )


def _unexpected(item: work_items.Item) -> tuple[str, str]:
    return (
        "internal_error",
        f"The work failed unexpectedly {ATTEMPTS} times; the log says why (work item {item.id}).",
    )
