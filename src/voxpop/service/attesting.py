"""Attestations: a signed digest of all data that a service holds of a study."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response

from voxpop.records import bulk, questions, studies
from voxpop.records.questions import AskedQuestion
from voxpop.service.answering import encoded
from voxpop.service.auth import CallDep, KeyedRoute, needs
from voxpop.service.errors import documented
from voxpop.service.signing import Signer
from voxpop.wire.attestations import (
    ALGORITHM,
    FORMAT,
    FORMAT_VERSION,
    AttestationResponse,
    SigningKey,
    fingerprint,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from voxpop.service.state import ServiceState

router: APIRouter = APIRouter(prefix="/v1/research-studies", tags=["studies"], route_class=KeyedRoute)
bare: APIRouter = APIRouter(tags=["health"])

_AT_ONCE = 20_480


@router.get(
    "/{study_id}/attestation",
    summary="What the service holds of a study, as a signed digest",
    response_model=AttestationResponse,
    status_code=200,
    dependencies=[needs("studies:read")],
    responses=documented(401, 403, 404),
)
def attest(call: CallDep, study_id: str) -> Response:
    """Return a signed digest of the current questions, answers and agents of a study."""
    state = call.state
    statement = _statement(state, call.organization, study_id)
    return encoded({"attestation": state.signer.sign(statement).model_dump()})


@bare.get(
    "/v1/signing-key",
    summary="The public key that the service signs with",
    response_model=SigningKey,
    status_code=200,
    responses=documented(),
)
def signing_key(request: Request) -> Response:
    """Return the public key, whose fingerprint verifiers of exports compare."""
    signer: Signer = request.app.state.service.signer
    held = {
        "service": signer.name,
        "algorithm": ALGORITHM,
        "public_key": base64.b64encode(signer.public_key).decode(),
        "fingerprint": fingerprint(signer.public_key),
    }
    return encoded(held)


def _statement(state: ServiceState, organization: int, reference: str) -> dict[str, Any]:
    """Return a consistent snapshot of everything that is signed."""
    with state.database.read() as connection:
        study = studies.get(connection, organization, reference)
        asked = questions.list_(connection, organization, study.id)
        digests = [_digest(state, connection, organization, study.id, one) for one in asked]
        members = studies.agents(connection, organization, study.id)
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "study": {
            "uuid": study.uuid,
            "title": study.title,
            "objective": study.objective,
            "created_at": _text(study.created_at),
        },
        "questions": [
            {"position": place, "key": one.key, "question_sha256": _words(one)}
            | {name: value for name, value in digest.items() if name not in ("engines", "last")}
            for place, (one, digest) in enumerate(zip(asked, digests, strict=True), 1)
        ],
        "answers": {
            "count": sum(one["answers"] for one in digests),
            "last_id": max((one["last"] for one in digests), default=0),
        },
        "agents": _agents(state, members),
        "engines": sorted({engine for one in digests for engine in one["engines"]}),
        "population": state.population.name,
        "service": {"name": state.signer.name, "version": state.version},
        "signed_at": _text(state.clock()),
    }


def _digest(
    state: ServiceState,
    connection: sa.Connection,
    organization: int,
    study_id: int,
    question: AskedQuestion,
) -> dict[str, Any]:
    """Digest the answers to a question in batches; the digest is cached, since answers never change."""
    import pyarrow.compute as pc

    from voxpop.service import columnar  # imported where used: few calls need columns
    from voxpop.wire.canonical import AnswersHasher, coded_columns

    many, newest = bulk.last_answer(connection, question.id)
    what = f"{question.id} {many} {newest}"
    if (found := state.signer.digests.get(what)) is not None:
        return found
    hasher, engines, after = AnswersHasher(), set(), 0
    while part := bulk.answers_by_agent(connection, organization, question.id, after=after, limit=_AT_ONCE):
        stored, after = part
        rows = columnar.answers(study_id, stored, frozenset()).sort_by("agent_id")
        for name, column in coded_columns(rows["value"], question.type).items():
            rows = rows.append_column(name, column)
        engines.update(pc.unique(rows["engine"]).to_pylist())
        hasher.add_answers(rows)
        hasher.add_runs(rows.rename_columns({"id": "answer_id"}))
    made = hasher.told | {"engines": sorted(engines), "last": newest}
    state.signer.remember(what, made)
    return made


def _agents(state: ServiceState, members: Sequence[studies.StudyAgent]) -> dict[str, Any]:
    """Digest the agent records of a study, their removal, weights and arms; records never change."""
    from voxpop.wire.canonical import agents_content

    places = [
        (one.agent_id, one.removed_at is not None, one.inclusion_probability, one.design_weight, one.arm)
        for one in members
    ]
    who = hashlib.sha256(repr(places).encode())
    if (found := state.signer.digests.get(who.hexdigest())) is not None:
        return found
    said = agents_content(_records(state, sorted(members, key=lambda one: one.agent_id)))
    made = {"count": said.rows, "sha256": said.sha256}
    state.signer.remember(who.hexdigest(), made)
    return made


def _records(state: ServiceState, members: Sequence[studies.StudyAgent]) -> Iterator[pa.Table]:
    """Read the records of agents part by part, with a column for each health field."""
    import pyarrow as pa

    from voxpop.service import columnar

    for start in range(0, len(members), _AT_ONCE):
        part = members[start : start + _AT_ONCE]
        columns = state.population.agent_columns([member.agent_id for member in part])
        batch = columnar.agents(
            columns,
            [member.removed_at is not None for member in part],
            [member.inclusion_probability for member in part],
            [member.design_weight for member in part],
            [member.arm for member in part],
        )
        table = pa.table(batch)
        profiles = table["health_profile"].combine_chunks()
        table = table.append_column("has_health", profiles.is_valid())
        for name, column in zip(profiles.type.names, profiles.flatten(), strict=True):
            table = table.append_column(name, column)
        yield table


def _words(question: AskedQuestion) -> str:
    from voxpop.wire.canonical import question_sha256

    scale = {} if question.scale is None else asdict(question.scale)
    held = {name: getattr(question, name) for name in ("text", "type", "unit", "shuffle_options", "notice")}
    ends = {f"scale_{name}": scale.get(name) for name in ("min", "max", "min_label", "max_label")}
    return question_sha256(held | ends | {"options": question.options})


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
