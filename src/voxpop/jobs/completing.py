"""Completion of a study: runs the analysis steps in order and saves each result at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from voxpop.engines.agents import Agent
from voxpop.engines.spent import Spent
from voxpop.engines.writer import Writer
from voxpop.jobs.contrasts import key_segments
from voxpop.jobs.divergences import divergences
from voxpop.jobs.evidence import Evidence, gather
from voxpop.jobs.findings import stats
from voxpop.jobs.mindsets import shared_mindsets
from voxpop.jobs.retelling import reasked, retold
from voxpop.jobs.spending import book_text
from voxpop.jobs.summarising import next_questions, overall_summary
from voxpop.records import jobs, model_calls, questions, studies
from voxpop.records.database import Clock, Database

STEPS: Mapping[str, Callable[[Evidence], dict[str, Any]]] = {
    "stats": stats,
    "overall_summary": overall_summary,
    "key_segments": key_segments,
    "divergences": divergences,
    "shared_mindsets": shared_mindsets,
    "next_questions": next_questions,
}
"""Steps by name, in the order in which they run."""

IN_WORDS: Mapping[str, Callable[[dict[str, Any], Writer], tuple[dict[str, Any], Spent | None]]] = {
    "overall_summary": retold,
    "next_questions": reasked,
}
"""Steps whose text a writer may rephrase. All figures of every step are computed here."""


class Agents(Protocol):
    """A source of agent profiles, such as a population."""

    def agents(self, ids: list[int]) -> list[Agent]:
        """Return the agents with these ids, in the order given."""
        ...


def complete_study(
    database: Database,
    population: Agents,
    job: jobs.Job,
    clock: Clock,
    *,
    writer: Writer | None = None,
) -> dict[str, Any]:
    """Run the steps of a completion job on the answers available now.

    Each step is saved in its own transaction with the version of the data it has read, so a job taken over
    after a stop only repeats work. Ending the job, which is up to the caller, moves the study to
    ``completed``.

    Parameters
    ----------
    database : Database
        Holds the study and receives the results.
    population : Population
        Source of the agents' profiles.
    job : Job
        A completion job: ``detail["steps"]`` names the steps; all steps run by default.
    clock : callable
        Unused: results contain no times, and the database records when each was saved.
    writer : Writer, optional
        Writes the overall summary and the next questions; voxpop's own wording by default.

    Returns
    -------
    dict
        ``study_id, steps``: the job's result.

    Raises
    ------
    NotFound
        The study no longer exists.
    ValueError
        The job has no study.
    """
    if job.study_id is None:
        raise ValueError(f"The completion job {job.id} has no study.")
    asked = (job.detail or {}).get("steps") or list(STEPS)
    steps = [step for step in STEPS if step in asked]
    evidence, version = read_evidence(database, population, job.organization_id, job.study_id)
    for done, step in enumerate(steps, start=1):
        result, spent = STEPS[step](evidence), None
        if writer is not None and step in IN_WORDS:
            result, spent = IN_WORDS[step](result, writer)
        with database.begin() as c:
            book_text(c, job.organization_id, model_calls.SUMMARY, spent)
            if not jobs.hold_open(c, job.id):  # another worker ended it; later results must stay
                break
            studies.save_step(c, job.organization_id, job.study_id, step, result)
            studies.mark_steps(c, job.study_id, [step], version)
            jobs.set_progress(c, job.id, done, len(steps))
    return {"study_id": job.study_id, "steps": steps}


def read_evidence(
    database: Database, population: Agents, organization_id: int, study_id: int
) -> tuple[Evidence, str]:
    """Read the questions and answers of a study, with the version of this data."""
    with database.read() as c:
        study = studies.get(c, organization_id, study_id)
        asked = questions.list_(c, organization_id, study.id)
        given = questions.answers(c, organization_id, study.id)
        version = studies.data_version(c, study.id)
    ids = sorted({answer.agent_id for answer in given if not answer.agent_removed})
    profiles = {agent.id: agent for agent in population.agents(ids)}
    return gather(asked, given, profiles), version
