"""Wire form of direct-question records: targets, answers and artifacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from voxpop.engines.agents import Agent
from voxpop.jobs.artifacts import summary
from voxpop.records import answer_bases, direct_questions, media
from voxpop.records.direct_questions import Target
from voxpop.records.questions import Answer, AskedQuestion
from voxpop.service.attaching import attachment_shape
from voxpop.service.state import ServiceState

PAGES = "/direct-questions"
"""Path of record pages below the service's root."""

_encoder = msgspec.json.Encoder()


def direct_records(
    state: ServiceState, organization_id: int, root_url: str, asked: Sequence[AskedQuestion]
) -> list[dict[str, Any]]:
    """Return direct-question records ready for encoding, with agents as raw JSON.

    Parameters
    ----------
    state, organization_id
        The service state, and the owner of the questions.
    root_url
        The service's root URL, for links.
    asked
        The questions, in response order.
    """
    with state.database.read() as c:
        targets = direct_questions.targets(c, asked)
        groups = direct_questions.group_uuids(c, asked)
        wanted = {number for question in asked for number in question.attachments}
        assets = {asset.id: asset for asset in media.named(c, organization_id, wanted)}
    ids = sorted({target.agent_id for those in targets.values() for target in those})
    agents = {agent.id: agent for agent in state.population.agents(ids)} if ids else {}
    raw = {number: msgspec.Raw(_encoder.encode(agent)) for number, agent in agents.items()}
    records = []
    for question in asked:
        record = _record(question, targets[question.id], agents, raw)
        shown = [assets[number] for number in question.attachments if number in assets]
        left = sum(target.status == "started" for target in targets[question.id])
        records.append(
            record
            | {
                "research_group_uuid": groups.get(question.group_id or 0),
                "attachments": [attachment_shape(asset) for asset in shown],
                "question_url": question_url(question, root_url),
                "web_url": f"{root_url}{PAGES}/{question.uuid}",
                "poll_after_s": state.poll_after(left) if left else None,
            }
        )
    return records


def one_record(
    state: ServiceState, organization_id: int, root_url: str, question: AskedQuestion
) -> dict[str, Any]:
    """Return one record as plain JSON values."""
    (record,) = direct_records(state, organization_id, root_url, [question])
    plain: dict[str, Any] = msgspec.json.decode(_encoder.encode(record))
    return plain


def shared_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the public part of a record, without links, jobs and ids.

    Examples
    --------
    >>> shared_record({"question": "Why?", "id": 7, "targets": [], "artifacts": [], "created_at": None})
    {'question': 'Why?', 'created_at': None, 'targets': [], 'artifacts': []}
    """
    kept = ("question", "type", "options", "scale", "unit", "status", "created_at")
    of_agent = ("name", "age", "gender", "state", "country", "occupation", "summary")
    of_answer = ("response_text", "value", "answered_at", "engine", "basis", "basis_note")
    return {
        **{name: record[name] for name in kept if name in record},
        "targets": [
            {
                "agent": {name: target["agent"].get(name) for name in of_agent},
                "status": target["status"],
                "answer": target["answer"] and {name: target["answer"].get(name) for name in of_answer},
            }
            for target in record["targets"]
        ],
        "artifacts": [{name: one[name] for name in ("kind", "text")} for one in record["artifacts"]],
    }


def question_url(question: AskedQuestion, root_url: str) -> str:
    """Return the URL of a direct-question record."""
    return f"{root_url}/v1/direct-questions/{question.id}"


def _record(
    question: AskedQuestion,
    targets: Sequence[Target],
    agents: Mapping[int, Agent],
    raw: Mapping[int, msgspec.Raw],
) -> dict[str, Any]:
    status = _status(targets)
    given = [target.answer for target in targets if target.answer is not None]
    made = summary(question, given, agents) if status == "completed" else None
    return {
        "id": question.id,
        "uuid": question.uuid,
        "question": question.text,
        "type": question.type,
        "options": list(question.options) or None,
        "scale": question.scale,
        "unit": question.unit,
        "shuffle_options": question.shuffle_options,
        "notice": question.notice,
        "engine": question.engine,
        "status": status,
        "asked_of": question.asked_of,
        "asked_count": len(targets),
        "answer_count": len(given),
        "failed_count": sum(target.status == "failed" for target in targets),
        "created_at": question.created_at,
        "targets": [_target(target, raw) for target in targets],
        "artifacts": [made] if made is not None else [],
    }


def _status(targets: Sequence[Target]) -> str:
    states = {target.status for target in targets}
    if "started" in states:
        return "running"
    return "failed" if states == {"failed"} else "completed"


def _target(target: Target, raw: Mapping[int, msgspec.Raw]) -> dict[str, Any]:
    shape = {
        "agent": raw[target.agent_id],
        "job_id": target.job_id,
        "status": target.status,
        "answer": _answer(target.answer) if target.answer is not None else None,
    }
    return shape if target.error is None else shape | {"error": target.error}


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.id,
        "response_text": answer.text,
        "value": answer.value,
        "answered_at": answer.answered_at,
        "engine": answer.engine,
        **answer_bases.fields_of(answer.basis),
        "option_order": answer.option_order,
    }
