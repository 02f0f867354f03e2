"""Implementation of each tool: its HTTP calls and the sentence that reports their outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voxpop.errors import NotFound
from voxpop.mcp.arguments import (
    KEY,
    body_of,
    filter_of,
    key_of,
    reference_of,
    refusal,
    wait_of,
    whole_number_of,
)
from voxpop.mcp.calls import Calls
from voxpop.mcp.results import MOST_ANSWERS, NOTE, digest, told_of
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.parse import parse
from voxpop.vocabulary.unknown_fields import unknown_in_words

Arguments = Mapping[str, Any]

MOST_AGENTS = 10
"""Maximum number of agent records in a recruiting result; the group holds all of them."""

MOST_JOBS = 25
"""Number of job ids in an asking result: the first ones and the last, which usually ends last."""

ANSWERS_SHOWN = 5
"""Default number of answers shown per question."""

_WORKING = ("queued", "running")
_SAMPLE = ("exclude_group_ids", "quotas", "boosts")
_RECRUIT = ("name", "description", "group_size", "sample_method", "dedupe", "seed", *_SAMPLE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a tool.

    Attributes
    ----------
    content : dict
        Response of the service, with long lists shortened.
    told : str
        Outcome and next step as text.
    """

    content: dict[str, Any]
    told: str


async def get_filters(calls: Calls, given: Arguments) -> Outcome:
    """Return the values of filter fields and their counts in one country."""
    params = body_of(given, ("country", "fields"))
    found = await calls.get("/filters", params)
    agents = found.get("recruitable_agent_count", 0)
    fields = [*found.get("filters", {}), *found.get("ranges", {})]
    return Outcome(found, f"{agents:,} agents in {found.get('country')}; values of {', '.join(fields)}.")


async def search_agents(calls: Calls, given: Arguments) -> Outcome:
    """Return one page of matching agents."""
    paging = body_of(given, ("page", "per_page"))
    audience = filter_of(given, ("page", "per_page", "poll_timeout_seconds"))
    found = await calls.get("/agents/search", {**paging, "filters": json.dumps(audience)})
    told = f"{found.get('total', 0):,} agents match; page {found.get('page')} of {found.get('pages')}."
    return Outcome(found, told + _unknown(found, audience))


async def find_agent(calls: Calls, given: Arguments) -> Outcome:
    """Return the first matching agent."""
    audience = filter_of(given, ("poll_timeout_seconds",))
    found = await calls.post("/agents/find", audience)
    agent = found.get("agent", {})
    told = str(agent.get("summary") or f"Agent {agent.get('id')}.")
    return Outcome(found, told + _unknown(found, audience))


async def recruit(calls: Calls, given: Arguments) -> Outcome:
    """Recruit a group by an exact filter."""
    audience = filter_of(given, (*_RECRUIT, "poll_timeout_seconds", KEY))
    body = {**body_of(given, _RECRUIT), "filters": audience}
    raw = {"X-Filter-Raw-DSL": "true"}
    found = await calls.post("/research-groups/recruit", body, raw, key=key_of(given))
    told = _recruited(found["group"])
    if not found["group"]["agent_count"] and _lacking(found, audience):
        told = "The group is empty: recruit with another filter."
    return Outcome(_few_agents(found), told + _unknown(found, audience))


async def create_request(calls: Calls, given: Arguments) -> Outcome:
    """Request a group in plain words, and optionally wait for it."""
    seconds = wait_of(given)
    body = body_of(given, ("request_text", "group_size", "response_mode", *_SAMPLE))
    made = await calls.post("/research-group-requests", body, key=key_of(given))
    path = f"/research-group-requests/{made['request']['id']}"
    found = await calls.until(
        seconds,
        made,
        look=lambda: calls.get(path),
        ended=lambda seen: seen["request"]["status"] not in _WORKING,
        hint=lambda seen: seen.get("poll_after_s"),
    )
    return Outcome(_few_agents(found), _requested(found))


async def create_study(calls: Calls, given: Arguments) -> Outcome:
    """Create a study on a group."""
    body = body_of(given, ("title", "objective", "research_group_uuid"))
    found = await calls.post("/research-studies", body, key=key_of(given))
    study = found["study"]
    told = f"Study {study['id']} with {study['agent_count']:,} agents. Next: v1.research-studies.ask."
    return Outcome(found, told)


async def ask(calls: Calls, given: Arguments) -> Outcome:
    """Ask the agents of a study one question, and optionally wait for their answers."""
    seconds, path = wait_of(given), f"/research-studies/{reference_of(given, 'study_id')}/questions"
    others = ("study_id", "poll_timeout_seconds", KEY)
    body = {name: value for name, value in given.items() if name not in others}
    made = await calls.post(path, body, key=key_of(given))
    question = await calls.until(
        seconds,
        made["question"],
        look=lambda: _question(calls, path, made),
        ended=_answered,
        hint=lambda _: made.get("poll_after_s"),
    )
    jobs = list(made.get("job_ids", []))
    kept = jobs if len(jobs) <= MOST_JOBS else [*jobs[: MOST_JOBS - 1], jobs[-1]]
    content = {**made, "job_ids": kept, "question": question}
    if not _answered(question):
        content["status"] = "started" if seconds else made.get("status", "queued")
        return Outcome(content, f"{_counted(question)} so far. {_look_later(jobs)}")
    content |= {"status": "finished", "poll_after_s": None}
    return Outcome(content, f"{_counted(question)}. Next: v1.research-studies.results. {NOTE}")


async def preview(calls: Calls, given: Arguments) -> Outcome:
    """Tell how a question would be read and what its answers would rest on."""
    path = f"/research-studies/{reference_of(given, 'study_id')}/questions/preview"
    others = ("study_id", "poll_timeout_seconds")
    told = await calls.post(path, {name: value for name, value in given.items() if name not in others})
    rests = ", ".join(f"{one['basis']} for {one['agents']:,}" for one in told["bases"])
    lines = [
        f"Read as {told['question']['type']}.",
        f"{told['looked_at']:,} of {told['agent_count']:,} agents were looked at, and none was asked.",
        f"Answers would rest on: {rests or 'nothing, as there are no agents'}.",
        told["placeholders"] or "",
    ]
    return Outcome(told, " ".join(filter(None, lines)))


async def get_results(calls: Calls, given: Arguments) -> Outcome:
    """Read the counts and some answers of each question, and the analysis where there is one."""
    seconds, path = wait_of(given), f"/research-studies/{reference_of(given, 'study_id')}"
    shown = whole_number_of(given, "answers_per_question", ANSWERS_SHOWN, MOST_ANSWERS)
    study = (await calls.get(path))["study"]
    if seconds:
        await calls.until(
            seconds,
            await calls.get(f"{path}/questions", {"answers": "false"}),
            look=lambda: calls.get(f"{path}/questions", {"answers": "false"}),
            ended=lambda seen: all(map(_answered, seen["questions"])),
            hint=lambda seen: seen.get("poll_after_s"),
        )
    questions = _chosen((await calls.get(f"{path}/questions"))["questions"], given.get("question"))
    try:
        analysis = await calls.get(f"{path}/analysis")
    except NotFound:  # other services may not have this endpoint
        analysis = None
    found = digest(study, questions, analysis, shown)
    told = [
        " ".join(
            [f"{one.get('key') or one['id']}: {_counted(one)}{told_of(one)}.", one["placeholders"] or ""]
        ).strip()
        for one in found["questions"]
    ]
    return Outcome(found, "\n".join([*(told or ["No question was asked yet."]), NOTE]))


async def get_job(calls: Calls, given: Arguments) -> Outcome:
    """Return a job, optionally after waiting for it to end."""
    seconds, path = wait_of(given), f"/jobs/{reference_of(given, 'job_id')}"
    job = await calls.until(
        seconds,
        await calls.get(path),
        look=lambda: calls.get(path),
        ended=lambda seen: seen["status"] in ("finished", "failed"),
        hint=lambda seen: (seen.get("meta") or {}).get("poll_after_s"),
    )
    ending = job.get("domain_status")
    told = f"Job {job['id']} is {job['status']}{f' as {ending}' if ending else ''}."
    return Outcome(job, told)


def _unknown(found: Mapping[str, Any], audience: Mapping[str, Any]) -> str:
    """Return one sentence per filter value that matches nobody, and per field that is unknown."""
    messages = [str(one.get("message", "")) for one in found.get("unknown_values") or ()]
    told = [f" {text}{'' if text.endswith('?') else '.'} It matches nobody." for text in messages]
    return "".join([*told, *(f" {text}" for text in _lacking(found, audience))])


def _lacking(found: Mapping[str, Any], audience: Mapping[str, Any]) -> list[str]:
    """Return one sentence per field of a filter that is unknown where it is asked for."""
    known = [one for one in found.get("unknown") or () if one.get("field") in FIELDS]
    return unknown_in_words(known, parse(audience)) if known else []


def _few_agents(found: Mapping[str, Any]) -> dict[str, Any]:
    agents = found.get("recruited_agents")
    if not agents:
        return dict(found)
    few = {"recruited_agents": agents[:MOST_AGENTS]}
    return {**found, **few, **({"members": found["members"][:MOST_AGENTS]} if "members" in found else {})}


def _recruited(group: Mapping[str, Any]) -> str:
    missing = group.get("shortfall") or 0
    short = f" {missing:,} fewer than asked for, because no more match." if missing else ""
    if not group["agent_count"]:
        return "No agent matches, so the group is empty: recruit with a wider filter."
    return (
        f"Recruited {group['agent_count']:,} agents, of whom {MOST_AGENTS} at most are shown.{short} "
        f"Next: v1.research-studies.create with research_group_uuid {group['uuid']}."
    )


def _requested(found: Mapping[str, Any]) -> str:
    request = found["request"]
    status, told = request["status"], f"Request {request['id']} is {request['status']}."
    if status == "completed":
        return f"{told} {_recruited(found['group'])}"
    if status == "needs_clarification":
        asked = request.get("clarification") or {}
        options = f" Options: {', '.join(asked['options'])}." if asked.get("options") else ""
        return f"{told} {asked.get('question')}{options} Make a new request whose words answer this."
    if status == "awaiting_review":
        review = request.get("review") or {}
        way = f"POST /v1/research-group-requests/{request['id']}/respond"
        return f"{told} {review.get('reason')} A person decides this: the user can approve it with {way}."
    if status == "refused":
        refused = request.get("refusal") or {}
        return f"{told} {refused.get('reason')} {refused.get('hint')}"
    return f"{told} {_look_later([found.get('job_id')])}"


def _look_later(jobs: list[Any]) -> str:
    if not jobs or jobs[-1] is None:
        return ""
    return f"Look again with v1.jobs.get, job_id {jobs[-1]} and poll_timeout_seconds."


async def _question(calls: Calls, path: str, made: Mapping[str, Any]) -> dict[str, Any]:
    listed = await calls.get(path, {"answers": "false"})
    return next(
        (one for one in listed["questions"] if one["id"] == made["question_id"]), dict(made["question"])
    )


def _answered(question: Mapping[str, Any]) -> bool:
    ended = question.get("answer_count", 0) + question.get("failed_count", 0)
    return bool(ended >= question.get("asked_count", 0))


def _counted(question: Mapping[str, Any]) -> str:
    answered, failed = question.get("answer_count", 0), question.get("failed_count", 0)
    told = f"{answered:,} of {question.get('asked_count', 0):,} agents have answered"
    return f"{told}, {failed:,} failed" if failed else told


def _chosen(questions: list[dict[str, Any]], wanted: Any) -> list[dict[str, Any]]:
    if wanted is None:
        return questions
    found = [one for one in questions if str(wanted) in (str(one["id"]), one["uuid"], one.get("key"))]
    if not found:
        names = ", ".join(str(one.get("key") or one["id"]) for one in questions) or "none yet"
        raise refusal("fields", {"question": [f"no question {str(wanted)[:60]!r}; the study has {names}"]})
    return found
