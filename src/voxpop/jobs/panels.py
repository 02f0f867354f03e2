"""Panels of a thesis: recruit and ask them, then evaluate them together for the verdict.

A panel is a group and a study of its own. Its work item waits for the study's questions without occupying a
worker; the item that ends the last panel draws the verdict and ends the job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from voxpop.engines.composition import Composition, PanelAnswer, PanelPlan, ThesisComposer, Verdict
from voxpop.jobs.asking import ask_study
from voxpop.jobs.panel_storage import panel_from_json
from voxpop.jobs.placeholders import NOTHING_KNOWN, is_placeholder
from voxpop.jobs.queue import JobQueue
from voxpop.records import groups, jobs, questions, studies, thesis, usage, work_items
from voxpop.records.database import Database
from voxpop.records.thesis import Panel, Thesis

if TYPE_CHECKING:
    from voxpop.population.file import Population

_LONGEST_NAME = 300
_PANEL_WORDS = {"channel_check": "Channel check", "expert_call": "Expert call"}


class PanelWork:
    """Runs theses once they are composed.

    Parameters
    ----------
    database, population
        The database and the population.
    queue
        Queue for the work of the questions.
    composer
        Interprets the answers of the panels.
    """

    def __init__(
        self,
        database: Database,
        population: Population,
        queue: JobQueue,
        composer: ThesisComposer,
    ) -> None:
        self._database = database
        self._population = population
        self._queue = queue
        self._composer = composer

    def run(self, item: work_items.Item) -> None:
        """Recruit and ask the panels of a thesis, or end the job of a thesis that has to stop."""
        with self._database.read() as c:
            made = _of_item(c, item)
            planned = [(panel, panel_from_json(panel.plan)) for panel in thesis.panels(c, made.id)]
        batches: list[work_items.Batch] = []
        with self._database.begin() as c:
            if not work_items.finish(c, item):
                return
            if made.status != "recruiting":
                jobs.finish(c, made.job_id, _result(made))
                return
            for panel, each in planned:
                batches.append(self._begin(c, made, panel, each))
            asked = sum(each.size for _, each in planned)
            told = f"Asking {asked:,} agents in {_panels(len(planned))}."
            thesis.change(c, made, status="asking", phase="asking", progress_message=told)
            jobs.set_progress(c, made.job_id, 0, len(planned))
        for batch in batches:
            self._queue.put(batch.items, study_id=batch.study_id)

    def run_panel(self, item: work_items.Item) -> None:
        """End a panel whose questions have ended, and the thesis after its last panel."""
        assert item.study_id is not None
        with self._database.read() as c:
            panel = thesis.panel_of_study(c, item.study_id)
            said, lost = _answers(c, item.organization_id, item.study_id)
        plan = panel_from_json(panel.plan)
        told = self._composer.headline(plan, said) if said or not lost else NOTHING_KNOWN
        with self._database.begin() as c:
            if not work_items.finish(c, item):
                return
            ending = _Ending(c, item.organization_id, self._composer)
            ending.end_panel(panel, len(said) + lost, status="completed", headline=told)

    def _begin(self, c: sa.Connection, made: Thesis, panel: Panel, each: PanelPlan) -> work_items.Batch:
        """Recruit a panel and ask it all questions; return the work items, ending with that of the panel.

        A panel that was asked before a retry is only evaluated again.
        """
        whose = made.organization_id
        if panel.study_id is not None:
            thesis.change_panel(c, panel, status="asking", headline=None)
            return work_items.Batch(panel.study_id, _own_work(c, whose, panel.study_id))
        seed = groups.next_seed(c, self._population.seed)
        agent_ids = self._population.sample(each.filters, each.size, seed=seed)
        name = f"{_PANEL_WORDS.get(each.kind, each.kind)}: {each.audience_text}"[:_LONGEST_NAME]
        group = groups.create(
            c,
            whose,
            name=name,
            description=made.raw_input,
            filters=each.filters.to_json(),
            sample_method="random",
            seed=seed,
            shortfall=each.size - len(agent_ids),
            agent_ids=agent_ids,
        )
        study = studies.create(c, whose, title=name, objective=made.raw_input, group=group)
        items: list[int] = []
        reserved = panel.usage_event_id
        usage.shrink(c, reserved, len(agent_ids) * len(each.questions))
        for question in each.questions:
            items += ask_study(c, whose, study, question, reserved=reserved).item_ids
        thesis.change_panel(c, panel, status="asking", group_id=group.id, study_id=study.id)
        return work_items.Batch(study.id, items + _own_work(c, whose, study.id))


def abandon_thesis(c: sa.Connection, item: work_items.Item, reason: tuple[str, str]) -> None:
    """End a thesis whose panels could not be recruited."""
    made = _of_item(c, item)
    jobs.fail(c, {made.job_id: reason})
    for panel in thesis.panels(c, made.id):
        usage.settle(c, panel.usage_event_id, 0)
        thesis.change_panel(c, panel, status="failed")
    told = f"The thesis failed: {reason[1]}"
    thesis.change(c, made, status="failed", phase="done", progress_message=told)


def abandon_panel(
    c: sa.Connection, item: work_items.Item, reason: tuple[str, str], composer: ThesisComposer
) -> None:
    """End a panel whose answers could not be evaluated; the other panels continue."""
    assert item.study_id is not None
    panel = thesis.panel_of_study(c, item.study_id)
    given = questions.list_(c, item.organization_id, item.study_id)
    delivered = sum(question.answer_count for question in given)
    told = f"This panel failed: {reason[1]}"
    ending = _Ending(c, item.organization_id, composer)
    ending.end_panel(panel, delivered, status="failed", headline=told)


@dataclass(frozen=True, slots=True)
class _Ending:
    """A connection, an organization, and the composer that draws verdicts."""

    c: sa.Connection
    organization_id: int
    composer: ThesisComposer

    def end_panel(self, panel: Panel, delivered: int, **changes: Any) -> None:
        """Record the end of a panel, and draw the verdict if it is the last one."""
        c = self.c
        made = thesis.change(c, thesis.get(c, self.organization_id, panel.thesis_id))  # lock the thesis
        thesis.change_panel(c, panel, **changes)
        usage.settle(c, panel.usage_event_id, delivered)
        every = thesis.panels(c, made.id)
        ended = [each for each in every if each.status in thesis.ENDED]
        jobs.set_progress(c, made.job_id, len(ended), len(every))
        if len(ended) == len(every):
            _draw(c, made, every, self.composer)


def _draw(c: sa.Connection, made: Thesis, every: Sequence[Panel], composer: ThesisComposer) -> None:
    heard, lost = [], 0
    for panel in every:
        if panel.status == "completed" and panel.study_id is not None:
            said, placeholders = _answers(c, made.organization_id, panel.study_id)
            heard.append((panel_from_json(panel.plan), said))
            lost += placeholders
    if not heard:
        told = "The thesis failed: none of its panels could be read."
        made = thesis.change(c, made, status="failed", phase="done", progress_message=told)
        jobs.fail(c, {made.job_id: ("panels_failed", told)})
        return
    kept = made.composition or {}
    composition = Composition(
        subjects=tuple(kept["subjects"]),
        stance=kept["stance"] or "",
        primary_driver=kept["primary_driver"] or "",
        secondary_drivers=tuple(kept["secondary_drivers"]),
        falsifiable_claim=kept["falsifiable_claim"] or "",
        panels=tuple(each for each, _ in heard),
    )
    answered = sum(len(said) for _, said in heard) + lost
    only_placeholders = 0 < lost == answered
    drawn = Verdict("inconclusive", 0.0, ()) if only_placeholders else composer.verdict(composition, heard)
    of_them = ""
    if lost:
        of_them = ", all placeholders" if only_placeholders else f", {lost:,} of them placeholders"
        told = f"{lost:,} of {answered:,} answers are placeholders and left out: no figure is known."
        drawn = replace(drawn, note=f"{told} {drawn.note}")
    made = thesis.change(
        c,
        made,
        status="completed",
        phase="done",
        verdict=asdict(drawn),
        progress_message=f"{answered:,} answers of {_panels(len(heard))}{of_them}: {drawn.support}.",
    )
    jobs.finish(c, made.job_id, _result(made) | {"support": drawn.support, "confidence": drawn.confidence})


def _own_work(c: sa.Connection, organization_id: int, study_id: int) -> list[int]:
    """Queue the work item that evaluates a panel once its questions have ended."""
    return work_items.create(
        c, organization_id, thesis.PANEL, count=1, study_id=study_id, question_id=None, after_questions=True
    )


def _answers(c: sa.Connection, organization_id: int, study_id: int | None) -> tuple[list[PanelAnswer], int]:
    """Return the answers of a panel without placeholders, and the number of placeholders."""
    keys = {question.id: question.key for question in questions.list_(c, organization_id, study_id or 0)}
    given = questions.answers(c, organization_id, study_id)
    said = [
        PanelAnswer(each.id, keys[each.question_id] or "", each.agent_id, each.text, each.value)
        for each in given
        if not is_placeholder(each)
    ]
    return said, len(given) - len(said)


def _result(made: Thesis) -> dict[str, Any]:
    return {"thesis_id": made.id, "status": made.status}


def _of_item(c: sa.Connection, item: work_items.Item) -> Thesis:
    (job,) = jobs.of_item(c, item.id)
    assert job.detail is not None
    return thesis.get(c, item.organization_id, job.detail["thesis_id"])


def _panels(count: int) -> str:
    return "1 panel" if count == 1 else f"{count} panels"
