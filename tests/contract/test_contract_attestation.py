"""Attestations: a signed digest of what the service holds of a study."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime
from typing import Any

import httpx

from running_service import Service, ask, finish, new_study
from voxpop.vocabulary.fields import FIELDS
from voxpop.wire.attestations import AttestationResponse, SigningKey, fingerprint, holds, key_bytes
from voxpop.wire.canonical import AGENTS


def attestation(http: httpx.Client, study: dict[str, Any]) -> AttestationResponse:
    return AttestationResponse.model_validate(http.get(f"/research-studies/{study['id']}/attestation").json())


def digest(names: list[str], rows: list[list[Any]]) -> str:
    """Hash rows as the canonical form says, one by one and in plain Python."""
    lines = [json.dumps(names, separators=(",", ":"))]
    lines += [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def moment(text: str) -> str:
    return datetime.fromisoformat(text).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def test_the_statement_is_signed_with_the_public_key(
    service: Service, http: httpx.Client, asked: Any
) -> None:
    answer = service.client().get("/signing-key")  # without a key
    key = SigningKey.model_validate(answer.json())
    signed = attestation(http, asked).attestation
    assert (answer.status_code, key.service, key.algorithm) == (200, "voxpop", "ed25519")
    assert signed.public_key == key.public_key
    public = key_bytes(key.public_key)
    assert fingerprint(public) == key.fingerprint == json.loads(signed.statement)["key"]
    assert holds(signed.statement, signed.signature, public)
    assert not holds(signed.statement + " ", signed.signature, public)
    assert not holds(signed.statement, signed.signature, bytes(32))
    assert not holds(signed.statement, base64.b64encode(bytes(64)).decode(), public)


def test_the_digests_are_those_of_plain_rows(http: httpx.Client, asked: Any) -> None:
    statement = json.loads(attestation(http, asked).attestation.statement)
    assert statement["study"]["uuid"] == asked["uuid"]
    assert statement["population"].endswith("-7-3000")
    answers = http.get(f"/research-studies/{asked['id']}/answers").json()["answers"]
    assert statement["answers"] == {"count": 24, "last_id": max(one["id"] for one in answers)}
    questions = http.get(f"/research-studies/{asked['id']}/questions?answers=false").json()["questions"]
    for question, told in zip(questions, statement["questions"], strict=True):
        rows = sorted(
            (one for one in answers if one["question_id"] == question["id"]), key=lambda one: one["agent_id"]
        )
        values = [{True: "yes", False: "no"}.get(one["value"], one["value"]) for one in rows]
        assert told["answers"] == 12
        plain = digest(
            [
                "agent_id",
                "response_text",
                "value_text",
                "value_number",
                "value_list",
                "option_order",
                "engine",
            ],
            [
                [one["agent_id"], one["response_text"], value, None, None, one["option_order"], one["engine"]]
                for one, value in zip(rows, values, strict=True)
            ],
        )
        bases = digest(
            ["agent_id", "basis", "basis_note"],
            [[one["agent_id"], one["basis"], one["basis_note"]] for one in rows],
        )
        both = json.dumps([plain, ["basis", bases]])
        assert told["answers_sha256"] == hashlib.sha256(both.encode()).hexdigest()
        assert told["runs_sha256"] == digest(
            ["agent_id", "answer_id", "job_id", "answered_at"],
            [[one["agent_id"], one["id"], one["job_id"], moment(one["answered_at"])] for one in rows],
        )
    agents = http.get(f"/research-studies/{asked['id']}/agents").json()["agents"]
    later = {row.record_key for row in FIELDS.values() if row.record_key not in AGENTS.names}
    places = ("profile_provenance", "inclusion_probability", "design_weight", "arm")
    later |= {*places}
    profile = [name for name in agents[0] if name not in ("health_profile", "agent_removed", *later)]
    health = [
        name
        for name in next(one["health_profile"] for one in agents if one["health_profile"])
        if name not in later
    ]

    def figure(name: str, value: Any) -> Any:
        real = name in ("bmi", "phq9_score", "poverty_ratio", "inclusion_probability", "design_weight")
        return repr(float(value)) if real and value is not None else value

    rows = [
        [
            *(one[name] for name in profile),
            one["health_profile"] is not None,
            *(figure(name, (one["health_profile"] or {}).get(name)) for name in health),
            one["agent_removed"],
        ]
        for one in sorted(agents, key=lambda one: int(one["id"]))
    ]
    names = [*profile, "has_health", *health, "agent_removed"]
    held = []
    for name in (*(row.record_key for row in FIELDS.values()), *places):
        if name in later:
            told = [
                [one["id"], figure(name, (one | (one["health_profile"] or {})).get(name))]
                for one in sorted(agents, key=lambda one: int(one["id"]))
            ]
            told = [pair for pair in told if pair[1] is not None]
            held += [[name, digest(["id", name], told)]] if told else []
    whole = json.dumps([digest(names, rows), *held])
    assert statement["agents"] == {"count": 12, "sha256": hashlib.sha256(whole.encode()).hexdigest()}


def test_an_attestation_is_of_the_study_as_it_is_now(http: httpx.Client) -> None:
    study = new_study(http, 4)
    finish(http, ask(http, study, "How many cups a day?", key="cups", type="number")["job_ids"])
    before = json.loads(attestation(http, study).attestation.statement)
    again = json.loads(attestation(http, study).attestation.statement)
    assert {**again, "signed_at": ""} == {**before, "signed_at": ""}
    agent = http.get(f"/research-studies/{study['id']}/agents").json()["agents"][0]["id"]
    http.post(f"/research-studies/{study['id']}/agents/remove", json={"agent_ids": [agent]})
    finish(http, ask(http, study, "And why?", key="why")["job_ids"])
    after = json.loads(attestation(http, study).attestation.statement)
    assert after["questions"][0] == before["questions"][0]
    assert (len(after["questions"]), after["answers"]["count"]) == (2, 7)
    assert after["agents"]["sha256"] != before["agents"]["sha256"]


def test_the_studies_of_others_are_not_attested(stranger: httpx.Client, asked: Any) -> None:
    assert stranger.get(f"/research-studies/{asked['id']}/attestation").status_code == 404
