"""Recruitment by request: read the text, screen candidates and create the group.

Each step ends in one transaction, which only the holder of the work item can commit. An interrupted step is
therefore repeated, and nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.audience import AudiencePlan, Clarification, Planner, PlanNotMade
from voxpop.engines.registry import default_engine
from voxpop.engines.respondent import Failure, Reply, Respondent
from voxpop.errors import UsageError
from voxpop.jobs import group_draws, prospects, quota_screening, spending
from voxpop.jobs.prospects import LOOKED_AT, Outlook, Prospect, outlook
from voxpop.jobs.quota_screening import QuotaScreening
from voxpop.jobs.screening import MOST_CANDIDATES, Listen, Screening
from voxpop.jobs.shelf import AgentShelf
from voxpop.jobs.turns import Turn
from voxpop.jobs.unknown_audiences import question_of, settled
from voxpop.population.designs import Drawn, Line
from voxpop.population.designs import line as candidates_of
from voxpop.population.quotas import Design
from voxpop.records import groups, jobs, model_calls, requests, work_items
from voxpop.records.database import Database
from voxpop.records.requests import GroupRequest
from voxpop.vocabulary import FIELDS, Filter, parse

if TYPE_CHECKING:
    from voxpop.population.file import Population

_LONGEST_NAME = 300
_OTHER_QUOTAS = "Change the quotas and send the request again."
_WIDEN = "Widen the audience, for example more ages or places."


class _ClaimLost(Exception):
    """Another worker holds the work item; its effects count."""


class _TurnOver(Exception):
    """The work item was put back with its results so far, and continues later."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A request being processed; its end also ends the job, unless more is to follow."""

    item: work_items.Item
    job_id: str
    request: GroupRequest
    last: bool = True

    @property
    def audience(self) -> Filter:
        return parse(self.request.filters or {})


class Recruiter:
    """Runs recruitment requests.

    Parameters
    ----------
    database
        Stores the requests.
    population, shelf
        The population that is searched for candidates, and the cache from which they are read.
    respondent
        Answers screening questions for the candidates.
    planner
        Reads the request texts; voxpop's own by default.
    """

    def __init__(
        self,
        database: Database,
        population: Population,
        shelf: AgentShelf,
        respondent: Respondent,
        planner: Planner | None = None,
    ) -> None:
        self._database = database
        self._population = population
        self._shelf = shelf
        self._respondent = respondent
        self._planner = planner

    def prepare(self) -> None:
        """Load what the planner and the respondent need, if they can tell beforehand."""
        from voxpop.population.corpus import corpus  # imported where a text is read

        self._planner = self._planner or default_engine().planner
        prepare = getattr(self._planner, "prepare", None)
        if prepare is not None:
            prepare(labels=self._labels(), titles=corpus())
        prepare = getattr(self._respondent, "prepare", None)
        if prepare is not None:
            prepare()

    def run(self, item: work_items.Item, turn: Turn) -> None:
        """Advance a request as far as possible, to its group or to a state that awaits a response."""
        with self._database.read() as c:
            job_id, request = _of_item(c, item)
        self.bring(item, job_id, request, turn)

    def bring(
        self, item: work_items.Item, job_id: str, request: GroupRequest, turn: Turn, *, last: bool = True
    ) -> GroupRequest | None:
        """Advance a request as far as possible.

        Parameters
        ----------
        item, job_id
            The work item and its job.
        request
            The request as stored.
        turn
            Decides when screening yields to other work.
        last
            Whether the end of the request also ends the job and the work item; otherwise both continue.

        Returns
        -------
        GroupRequest or None
            The request as stored at the end; None if the claim has passed to another worker, or if it
            continues later.
        """
        try:
            request = self._begin(_Task(item, job_id, request, last))
            if request.phase == "reading":
                request = self._read(_Task(item, job_id, request, last))
            if request.phase == "screening":
                request = self._screen(_Task(item, job_id, request, last), turn)
            if request.phase == "recruiting":
                request = self._recruit(_Task(item, job_id, request, last))
        except (_ClaimLost, _TurnOver):
            return None
        return request

    def _begin(self, task: _Task) -> GroupRequest:
        request = task.request
        with self._held(task) as c:
            changes: dict[str, Any] = {"status": "running"}
            if request.seed is None:
                changes["seed"] = groups.next_seed(c, self._population.seed)
            if request.phase == "waiting":
                changes |= {"phase": "reading", "progress_message": "Reading the request."}
            return requests.change(c, request, **changes)

    def _planned(self, task: _Task) -> AudiencePlan:
        """Return the plan for the text, with what it cost booked."""
        request = task.request
        try:
            plan = self._plan(request)
        except PlanNotMade as failure:
            with self._database.begin() as c:
                spending.book_text(c, request.organization_id, model_calls.PLANNING, failure.spent)
            raise
        if plan.spent is not None:
            with self._held(task) as c:
                spending.book_text(c, request.organization_id, model_calls.PLANNING, plan.spent)
        return plan

    def _read(self, task: _Task) -> GroupRequest:
        request, plan = task.request, self._planned(task)
        if plan.refusal is not None:
            return self._refuse(task, plan.refusal.reason, plan.refusal.hint)
        filters, asked = self._settled(plan, request)
        seen = Outlook(tuple(Prospect(one, None, None) for one in plan.screening), None)
        if asked is None and plan.screening:
            plan, filters, seen, asked = self._looked_at(plan, filters, request)
            if plan.refusal is not None:
                return self._refuse(task, plan.refusal.reason, plan.refusal.hint)
        understood: dict[str, Any] = {
            "filters": filters.to_json(),
            "screening": [one.to_json() for one in seen.prospects],
            "understood": [span.to_json() for span in plan.understood],
        }
        if plan.quotas and asked is None and not (request.sampling or {}).get("quotas"):
            plain: dict[str, Any] = {"quotas": None, "boosts": None, "excluded": []}
            cells = prospects.cells(plan.quotas, request.group_size)
            understood["sampling"] = plain | (request.sampling or {}) | {"quotas": cells}
        if asked is not None:
            return self._ask_back(task, asked, understood)
        if plan.screening and (request.sampling or {}).get("boosts"):
            screened = "; ".join(screen.criterion for screen in plan.screening)
            reason = f"Boosts cannot be combined with a screening, which {screened!r} needs."
            return self._refuse(task, reason, "Leave one of them out, or use quotas.", **understood)
        available = self._available(request, filters)
        reasons = [plan.sensitive] if plan.sensitive else []
        if available < request.group_size:
            reasons.append(
                f"{_only(available)} {_match(available)} {filters.sentence()!r}; "
                f"{request.group_size:,} {_were(request.group_size)} asked for."
            )
        if reasons:
            return self._review(task, " ".join(reasons), available, **understood)
        told = request.progress_message
        if seen.prospects:
            try:
                told = self._told_before(replace(request, **understood), filters, seen, available)
            except UsageError as error:
                return self._refuse(task, str(error), _OTHER_QUOTAS, **understood)
        with self._held(task) as c:
            return requests.change(c, request, phase="screening", progress_message=told, **understood)

    def _ask_back(self, task: _Task, asked: Clarification, understood: dict[str, Any]) -> GroupRequest:
        told = {"question": asked.question, "missing": list(asked.missing), "options": list(asked.options)}
        return self._end(
            task,
            "needs_clarification",
            phase="answer",
            progress_message=f"Waiting for an answer: {asked.question}",
            clarification=told,
            **understood,
        )

    def _settled(self, plan: AudiencePlan, request: GroupRequest) -> tuple[Filter, Clarification | None]:
        """Return the filter after the answers on unknown fields, and the open question."""
        if plan.clarification is not None:
            return plan.filters, plan.clarification
        find = self._population.unknown_fields
        filters = settled(plan.filters, request.answers, find)
        return filters, question_of(filters, find)

    def _looked_at(
        self, plan: AudiencePlan, filters: Filter, request: GroupRequest
    ) -> tuple[AudiencePlan, Filter, Outlook, Clarification | None]:
        """Look at what the screening questions rest on, and settle those that rest on nothing."""
        gone: set[str] = set()  # questions
        text = request.request_text
        given = {question: answer for question, answer in request.answers}
        while True:
            screens = [one for one in plan.screening if one.question not in gone]
            seed = self._population.seed
            some = self._population.sample(filters, LOOKED_AT, seed=request.seed or seed) if screens else []
            seen = outlook(self._respondent, self._shelf, screens, some, seed=seed)
            asked = prospects.question_of(seen.unknown)
            if asked is None or asked.question not in given:
                spans = prospects.without(plan.understood, gone, request.request_text)
                return replace(plan, screening=tuple(screens), understood=spans), filters, seen, asked
            gone |= {one.question for one in seen.unknown}
            answer = given[asked.question]
            if prospects.left_out(answer):
                continue
            text = f"{text}; {answer}"
            plan = self._plan(request, text)
            filters, asked = self._settled(plan, request)
            if plan.refusal is not None or asked is not None:
                return plan, filters, Outlook((), None), asked

    def _screen(self, task: _Task, turn: Turn) -> GroupRequest:
        request = task.request
        if not request.screening:
            with self._held(task) as c:
                return requests.change(c, request, phase="recruiting")
        if (request.sampling or {}).get("quotas"):
            return self._screen_cells(task, turn)
        wanted = request.group_size
        with self._database.read() as c:
            before = requests.kept(c, request.organization_id, request.id)

        def note(screened: int, kept: list[int]) -> None:
            self._note(task, turn, len(kept), screened=screened, kept=kept)

        screened, kept = self._screening(request).run(
            self._candidates(task, MOST_CANDIDATES),
            wanted,
            screened=request.screened or 0,
            kept=before,
            note=note,
            listen=self._listening(task),
        )
        told = _told(screened, len(kept), wanted)
        if len(kept) >= wanted:
            with self._held(task) as c:
                return requests.change(
                    c, request, phase="recruiting", screened=screened, progress_message=told
                )
        reason = (
            f"{_only(len(kept))} of the {screened:,} that were screened {_match(len(kept))}; "
            f"{wanted:,} {_were(wanted)} asked for."
        )
        return self._review(task, reason, len(kept), screened=screened)

    def _screen_cells(self, task: _Task, turn: Turn) -> GroupRequest:
        """Ask the candidates of each quota, until all are full or all were asked."""
        request, line = task.request, self._line(task.request, task.audience)
        cells = QuotaScreening(self._screening(request), line)
        with self._database.read() as c:
            before = requests.kept(c, request.organization_id, request.id)

        def note(asked: list[int], kept: list[int]) -> None:
            sampling = (request.sampling or {}) | {"asked": asked}
            found = cells.filled(asked, kept)
            self._note(task, turn, found, screened=sum(asked), kept=kept, sampling=sampling)

        asked, kept = cells.run(asked=_asked(request), kept=before, note=note, listen=self._listening(task))
        drawn = quota_screening.members(line, asked, kept)
        found, screened = len(drawn.ids), sum(asked)
        if found >= request.group_size:
            told = _told(screened, found, request.group_size)
            with self._held(task) as c:
                return requests.change(
                    c, request, phase="recruiting", screened=screened, progress_message=told
                )
        reason = (
            f"{_only(found)} of the {screened:,} that were screened {_fill(found)} the quotas; "
            f"{request.group_size:,} {_were(request.group_size)} asked for. "
            f"{'; '.join(quota_screening.short_of(drawn))}."
        )
        return self._review(task, reason, found, screened=screened)

    def _screening(self, request: GroupRequest) -> Screening:
        return Screening(self._shelf, self._respondent, request.screening, seed=self._population.seed)

    def _listening(self, task: _Task) -> Listen:
        """Return a function that books what the answers of candidates cost."""

        def listen(said: Iterable[Reply | Failure]) -> Iterator[Reply | Failure]:
            return spending.booked(
                self._database, self._database.clock, task.item, said, model_calls.SCREENING
            )

        return listen

    def _note(self, task: _Task, turn: Turn, found: int, **changes: Any) -> None:
        """Save the state of a screening, and give way to other work if it is time."""
        wanted = task.request.group_size
        with self._database.begin() as c:
            if not turn.hold(c, task.item):
                raise _ClaimLost
            told = _told(changes["screened"], found, wanted)
            requests.change(c, task.request, progress_message=told, **changes)
            jobs.set_progress(c, task.job_id, min(found, wanted), wanted)
        if turn.over:
            raise _TurnOver

    def _line(self, request: GroupRequest, audience: Filter) -> Line:
        """Return the candidates of the quotas, in an order that depends only on the request's seed."""
        assert request.seed is not None
        return candidates_of(
            self._population,
            audience,
            request.group_size,
            seed=request.seed,
            exclude=self._without(request),
            design=self._design(request),
        )

    def _told_before(self, request: GroupRequest, audience: Filter, seen: Outlook, available: int) -> str:
        """Return how many candidates are likely to be asked."""
        if (request.sampling or {}).get("quotas"):
            return quota_screening.told(self._line(request, audience), seen)
        return seen.told(request.group_size, available)

    def _recruit(self, task: _Task) -> GroupRequest:
        request, audience = task.request, task.audience
        try:
            design = self._design(request)
            drawn = self._drawn(task, design)
        except UsageError as error:
            return self._refuse(task, str(error), _OTHER_QUOTAS)
        members = group_draws.members_of(drawn)
        if not members:
            sought = "; ".join([audience.sentence(), *(one["criterion"] for one in request.screening)])
            return self._refuse(task, f"No agent matches {sought!r}.", _WIDEN)
        wanted = request.group_size + sum(boost.size for boost in design.boosts)
        excluded = (request.sampling or {}).get("excluded") or []
        sampling = group_draws.sampling_of(drawn, design, excluded, near=None)
        if request.screening:
            sampling["screened"] = True
        with self._ending(task) as c:
            group = groups.create(
                c,
                request.organization_id,
                name=_name(audience, request),
                description=request.request_text,
                filters=audience.to_json(),
                sample_method="random",
                seed=request.seed,
                shortfall=wanted - len(members),
                agent_ids=members,
                sampling=sampling,
            )
            told = f"Recruited {len(members):,} of {wanted:,} agents."
            if request.screening:
                told = _told(request.screened or 0, len(drawn.ids), request.group_size)
            if task.last:
                result = _result(request, "completed") | {"group_id": group.id, "group_uuid": group.uuid}
                jobs.finish(c, task.job_id, result)
            return requests.change(
                c, request, status="completed", phase="done", group_id=group.id, progress_message=told
            )

    def _plan(self, request: GroupRequest, text: str | None = None) -> AudiencePlan:
        from voxpop.population.corpus import corpus  # imported where a text is read

        planner = self._planner = self._planner or default_engine().planner
        answers = [(question, answer) for question, answer in request.answers]
        return planner.plan(
            text or request.request_text, labels=self._labels(), titles=corpus(), answers=answers
        )

    def _labels(self) -> dict[str, Sequence[str]]:
        return {
            name: self._population.labels(name)
            for name, field in FIELDS.items()
            if field.kind in ("category", "list")
        }

    def _candidates(self, task: _Task, size: int) -> list[int]:
        """Return the agents who may be in the group, in an order that depends only on the request's seed."""
        assert task.request.seed is not None
        without = self._without(task.request)
        return self._population.sample(task.audience, size, seed=task.request.seed, exclude=without)

    def _drawn(self, task: _Task, design: Design) -> Drawn:
        """Return the members with their weights; those kept in a screening without quotas have none."""
        request = task.request
        if request.screening:
            with self._database.read() as c:
                kept = requests.kept(c, request.organization_id, request.id)
            if design:
                line = self._line(request, task.audience)
                return quota_screening.members(line, _asked(request), kept)
            matching = self._available(request, task.audience)
            kept = kept[: request.group_size]
            return Drawn(kept, None, None, matching, matching, group_draws.SCREENED)
        assert request.seed is not None
        return self._population.draw(
            task.audience,
            request.group_size,
            seed=request.seed,
            exclude=self._without(request),
            design=design,
        )

    def _design(self, request: GroupRequest) -> Design:
        given = request.sampling or {}
        return group_draws.design_of(given.get("quotas"), given.get("boosts"), request.group_size)

    def _without(self, request: GroupRequest) -> list[int]:
        """Return the members of the groups that a request excludes."""
        numbers = (request.sampling or {}).get("excluded")
        if not numbers:
            return []
        with self._database.read() as c:
            return group_draws.excluded(c, request.organization_id, numbers)[1]

    def _available(self, request: GroupRequest, filters: Filter) -> int:
        without = self._without(request)
        if not without:
            return self._population.count(filters)
        return self._population.draw(filters, 0, seed=0, exclude=without).matching

    def _review(self, task: _Task, reason: str, available: int, **changes: Any) -> GroupRequest:
        review = {"reason": reason, "requested": task.request.group_size, "available": available}
        told = f"Waiting for a review: {reason}"
        return self._end(
            task, "awaiting_review", phase="review", progress_message=told, review=review, **changes
        )

    def _refuse(self, task: _Task, reason: str, hint: str, **changes: Any) -> GroupRequest:
        refusal = {"reason": reason, "hint": hint}
        told = f"Refused: {reason}"
        return self._end(task, "refused", phase="done", progress_message=told, refusal=refusal, **changes)

    def _end(self, task: _Task, status: str, **changes: Any) -> GroupRequest:
        """End the job, which does not always end the request."""
        with self._ending(task) as c:
            if task.last:
                jobs.finish(c, task.job_id, _result(task.request, status))
            return requests.change(c, task.request, status=status, **changes)

    @contextmanager
    def _held(self, task: _Task) -> Iterator[sa.Connection]:
        """Save an intermediate state, as long as this process holds the work item."""
        with self._database.begin() as c:
            if not work_items.renew(c, task.item):
                raise _ClaimLost
            yield c

    @contextmanager
    def _ending(self, task: _Task) -> Iterator[sa.Connection]:
        """Save the final state, and end the work item if nothing follows."""
        with self._database.begin() as c:
            if not (work_items.finish(c, task.item) if task.last else work_items.renew(c, task.item)):
                raise _ClaimLost
            yield c


def abandon(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    """End the request of a work item that failed repeatedly."""
    job_id, request = _of_item(c, item)
    jobs.fail(c, {job_id: reason})
    jobs.set_detail(c, job_id, phase=request.phase)  # where a retry continues
    refuse_failed(c, request, reason)


def refuse_failed(c: sa.Connection, request: GroupRequest, reason: tuple[str, str]) -> None:
    """End a request whose work cannot be done."""
    refusal = {"reason": f"The recruitment failed: {reason[1]}", "hint": "Send the request again."}
    told = f"Refused: {refusal['reason']}"
    requests.change(c, request, status="refused", phase="done", refusal=refusal, progress_message=told)


def _of_item(c: sa.Connection, item: work_items.Item) -> tuple[str, GroupRequest]:
    (job,) = jobs.of_item(c, item.id)
    assert job.detail is not None
    return job.id, requests.get(c, item.organization_id, job.detail["request_id"])


def _result(request: GroupRequest, status: str) -> dict[str, Any]:
    return {"request_id": request.id, "status": status}


def _name(audience: Filter, request: GroupRequest) -> str:
    screened = ", ".join(screen["criterion"] for screen in request.screening)
    named = f"{audience.sentence()} (screened: {screened})" if screened else audience.sentence()
    return named[:_LONGEST_NAME]


def _asked(request: GroupRequest) -> list[int]:
    """Return how many candidates of each quota were asked; empty before the first."""
    return list((request.sampling or {}).get("asked") or ())


def _told(screened: int, found: int, wanted: int) -> str:
    agents = "agent" if screened == 1 else "agents"
    return f"Screened {screened:,} {agents}; {min(found, wanted):,} of {wanted:,} found."


def _only(count: int) -> str:
    return "No agent" if not count else f"Only {count:,} agent{'' if count == 1 else 's'}"


def _match(count: int) -> str:
    return "matches" if count in (0, 1) else "match"


def _fill(count: int) -> str:
    return "fills" if count in (0, 1) else "fill"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
