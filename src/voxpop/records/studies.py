"""Studies: agents, stage, share link and completion results."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from voxpop.errors import Conflict
from voxpop.records.database import now
from voxpop.records.groups import Group
from voxpop.records.inserting import insert, insert_or_replace
from voxpop.records.references import find, missing, new_uuid
from voxpop.records.schema import (
    answers,
    group_members,
    groups,
    questions,
    studies,
    study_agents,
    study_steps,
)

STAGES = ("active", "completing", "completed")


@dataclass(frozen=True, slots=True)
class Study:
    """A stored study; ``agent_count`` excludes removed agents."""

    id: int
    uuid: str
    title: str
    objective: str | None
    stage: str
    group_uuid: str
    agent_count: int
    question_count: int
    created_at: datetime
    completed_at: datetime | None


@dataclass(frozen=True, slots=True)
class StudyAgent:
    """An agent in a study."""

    agent_id: int
    position: int
    removed_at: datetime | None
    inclusion_probability: float | None = None
    design_weight: float | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """Share state of a study; the token is a secret."""

    enabled: bool
    token: str | None

    def __repr__(self) -> str:
        return f"Share(enabled={self.enabled})"


_QUESTIONS = sa.select(sa.func.count()).where(questions.c.study_id == studies.c.id).scalar_subquery()
_SELECT: sa.Select[*tuple[Any, ...]] = sa.select(
    studies.c.id,
    studies.c.uuid,
    studies.c.title,
    studies.c.objective,
    studies.c.stage,
    groups.c.uuid,
    studies.c.agent_count,
    _QUESTIONS,
    studies.c.created_at,
    studies.c.completed_at,
).join(groups, groups.c.id == studies.c.group_id)


def create(
    c: sa.Connection, organization_id: int, *, title: str, objective: str | None, group: Group
) -> Study:
    """Create a study with the current agents of a group; later changes of the group do not affect it.

    Raises
    ------
    Conflict
        The group is archived.
    """
    if group.archived:
        raise Conflict(
            f"Group {group.id} is archived; a new study needs a group in use.", details={"status": "archived"}
        )
    number = insert(
        c,
        studies,
        uuid=new_uuid(),
        organization_id=organization_id,
        group_id=group.id,
        title=title,
        objective=objective,
        stage="active",
        agent_count=group.agent_count,
        created_at=now(c),
    )
    copied = ["agent_id", "position", "inclusion_probability", "design_weight"]
    members = sa.select(sa.literal(number), *(group_members.c[name] for name in copied)).where(
        group_members.c.group_id == group.id
    )
    c.execute(study_agents.insert().from_select(["study_id", *copied], members))
    return get(c, organization_id, number)


def get(c: sa.Connection, organization_id: int, reference: int | str) -> Study:
    """Return one study by number or UUID; :class:`NotFound` when there is none."""
    row = c.execute(_SELECT.where(find(studies, organization_id, reference, noun="study"))).first()
    if row is None:
        raise missing("study", reference)
    return Study(*row)


def hold(c: sa.Connection, organization_id: int, study_id: int) -> Study:
    """Return one study and lock it until this transaction ends."""
    _lock(c, organization_id, study_id)
    return get(c, organization_id, study_id)


def list_(c: sa.Connection, organization_id: int, *, limit: int, offset: int) -> tuple[int, list[Study]]:
    """Return how many studies there are and one page of them, newest first."""
    condition = studies.c.organization_id == organization_id
    total = c.execute(sa.select(sa.func.count()).select_from(studies).where(condition)).scalar_one()
    page = _SELECT.where(condition).order_by(studies.c.id.desc()).limit(limit).offset(offset)
    return total, [Study(*row) for row in c.execute(page)]


def agents(c: sa.Connection, organization_id: int, study_id: int) -> list[StudyAgent]:
    """Return the agents of a study in group order, removed ones too."""
    statement = (
        sa.select(*(study_agents.c[name] for name in StudyAgent.__dataclass_fields__))
        .join(studies, studies.c.id == study_agents.c.study_id)
        .where(studies.c.id == study_id, studies.c.organization_id == organization_id)
        .order_by(study_agents.c.position)
    )
    return [StudyAgent(*row) for row in c.execute(statement).all()]


def remove_agents(
    c: sa.Connection, organization_id: int, study_id: int, agent_ids: Iterable[int]
) -> tuple[list[int], list[int]]:
    """Remove agents from a study; their earlier answers stay.

    Returns
    -------
    removed, not_found : list of int
        Agents removed, and agents that were not in the study, both in the order given.
    """
    _lock(c, organization_id, study_id)
    present = {agent.agent_id for agent in agents(c, organization_id, study_id) if agent.removed_at is None}
    asked = list(dict.fromkeys(agent_ids))
    removed = [agent for agent in asked if agent in present]
    if removed:
        c.execute(
            study_agents.update()
            .where(study_agents.c.study_id == study_id, study_agents.c.agent_id == sa.bindparam("leaving"))
            .values(removed_at=now(c)),
            [{"leaving": agent} for agent in removed],
        )
        c.execute(
            studies.update()
            .where(studies.c.id == study_id)
            .values(agent_count=studies.c.agent_count - len(removed))
        )
    return removed, [agent for agent in asked if agent not in present]


def set_stage(c: sa.Connection, organization_id: int, study_id: int, stage: str) -> None:
    """Set the stage of a study; ``completed_at`` is the time of the last completion."""
    if stage not in STAGES:
        raise ValueError(f"stage must be one of {', '.join(STAGES)}, not {stage!r}")
    changes: dict[str, Any] = {"stage": stage}
    if stage == "completed":
        changes["completed_at"] = now(c)
    c.execute(
        studies.update()
        .where(studies.c.id == study_id, studies.c.organization_id == organization_id)
        .values(changes)
    )


def share(c: sa.Connection, organization_id: int, study_id: int, enabled: bool) -> Share:
    """Enable or disable the share link of a study.

    Enabling twice keeps the link. Enabling after disabling creates a new link; the old one stays invalid.
    """
    _lock(c, organization_id, study_id)
    current = get_share(c, organization_id, study_id)
    if enabled == current.enabled:
        return current
    token = secrets.token_urlsafe(32) if enabled else None
    c.execute(studies.update().where(studies.c.id == study_id).values(share_token=token))
    return Share(enabled, token)


def get_share(c: sa.Connection, organization_id: int, study_id: int) -> Share:
    """Return the share state of a study; :class:`NotFound` when there is no such study."""
    condition = find(studies, organization_id, study_id, noun="study")
    row = c.execute(sa.select(studies.c.share_token).where(condition)).first()
    if row is None:
        raise missing("study", study_id)
    return Share(row[0] is not None, row[0])


def by_token(c: sa.Connection, token: str) -> tuple[int, int] | None:
    """Return the organization and study of a share token, or None."""
    row = c.execute(
        sa.select(studies.c.organization_id, studies.c.id, studies.c.share_token).where(
            studies.c.share_token == token
        )
    ).first()
    if row is None or not secrets.compare_digest(row[2], token):
        return None
    return row[0], row[1]


def save_step(
    c: sa.Connection, organization_id: int, study_id: int, step: str, result: Mapping[str, Any]
) -> None:
    """Store the result of a completion step, replacing an earlier one."""
    study = get(c, organization_id, study_id)
    row = {
        "study_id": study.id,
        "step": step,
        "result": dict(result),
        "saved_at": now(c),
        "data_version": None,
    }
    insert_or_replace(c, study_steps, row, key=("study_id", "step"))


def get_steps(c: sa.Connection, organization_id: int, study_id: int) -> dict[str, dict[str, Any]]:
    """Return the stored results by step name, in the order saved."""
    statement = _steps(organization_id, study_id).order_by(study_steps.c.saved_at, study_steps.c.step)
    return {row.step: row.result for row in c.execute(statement)}


def data_version(c: sa.Connection, study_id: int) -> str:
    """Return a version string that changes with every answer and removed agent."""
    last = sa.select(sa.func.coalesce(sa.func.max(answers.c.id), 0)).where(answers.c.study_id == study_id)
    gone = sa.select(sa.func.count()).where(
        study_agents.c.study_id == study_id, study_agents.c.removed_at.is_not(None)
    )
    row = c.execute(sa.select(last.scalar_subquery(), gone.scalar_subquery())).one()
    return f"answers:{row[0]} removed:{row[1]}"


def mark_steps(c: sa.Connection, study_id: int, steps: Iterable[str], version: str) -> None:
    """Store the data version that the results of some steps are based on."""
    c.execute(
        study_steps.update()
        .where(study_steps.c.study_id == study_id, study_steps.c.step.in_(list(steps)))
        .values(data_version=version)
    )


def current_steps(c: sa.Connection, organization_id: int, study_id: int) -> set[str]:
    """Return the steps whose results are up to date with all answers and removals."""
    fresh = study_steps.c.data_version == data_version(c, study_id)
    return {row.step for row in c.execute(_steps(organization_id, study_id).where(fresh))}


def _lock(c: sa.Connection, organization_id: int, study_id: int) -> None:
    condition = find(studies, organization_id, study_id, noun="study")
    c.execute(sa.select(studies.c.id).where(condition).with_for_update(key_share=True))


def _steps(organization_id: int, study_id: int) -> sa.Select[Any]:
    return (
        sa.select(study_steps.c.step, study_steps.c.result)
        .join(studies, studies.c.id == study_steps.c.study_id)
        .where(studies.c.id == study_id, studies.c.organization_id == organization_id)
    )
