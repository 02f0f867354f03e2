"""What a caller does with a recruitment request: make it, answer its question, decide its review."""

from __future__ import annotations

from voxpop.jobs.queue import JobQueue
from voxpop.records import requests, work
from voxpop.records.database import Database
from voxpop.records.requests import GroupRequest


def request_group(
    database: Database, queue: JobQueue, organization_id: int, text: str, group_size: int
) -> GroupRequest:
    """Store a request for a group and start the work."""
    with database.begin() as c:
        request = requests.create(
            c, organization_id, text=text, group_size=group_size, progress_message="Waiting to be read."
        )
        items = work.of_job(c, request.job_id)
    queue.put(items)
    return request


def answer(
    database: Database, queue: JobQueue, organization_id: int, request_id: str, words: str
) -> GroupRequest:
    """Answer the question of a request, which is then read again in its light.

    Raises
    ------
    NotFound
        There is no such request.
    Conflict
        It has asked nothing (``details.status``).
    """
    with database.begin() as c:
        request = requests.get(c, organization_id, request_id)
        asked = (request.clarification or {}).get("question", "")
        request = requests.leave(
            c,
            request,
            "needs_clarification",
            status="running",
            phase="reading",
            progress_message="Reading the request again with your answer.",
            clarification=None,
            answers=[*request.answers, [asked, words]],
        )
        request = requests.requeue(c, request)
        items = work.of_job(c, request.job_id)
    queue.put(items)
    return request


def approve(
    database: Database, queue: JobQueue, organization_id: int, request_id: str, group_size: int | None = None
) -> GroupRequest:
    """Let a request go on with the agents there are.

    Parameters
    ----------
    database, queue
        Where the request is, and who is told of the work.
    organization_id, request_id
        Whose request, and which.
    group_size
        How many agents are wanted now; as many as before without it.

    Raises
    ------
    NotFound
        There is no such request.
    Conflict
        It awaits no review (``details.status``).
    """
    with database.begin() as c:
        request = requests.get(c, organization_id, request_id)
        request = requests.leave(
            c,
            request,
            "awaiting_review",
            status="running",
            # A review before the screening lets that begin; one after it lets the group be made.
            phase="screening" if request.screened is None else "recruiting",
            progress_message="Approved; going on.",
            review=None,
            group_size=group_size or request.group_size,
        )
        request = requests.requeue(c, request)
        items = work.of_job(c, request.job_id)
    queue.put(items)
    return request


def decline(database: Database, organization_id: int, request_id: str) -> GroupRequest:
    """End a request that awaits review; no group is made.

    Raises
    ------
    NotFound
        There is no such request.
    Conflict
        It awaits no review (``details.status``).
    """
    with database.begin() as c:
        return requests.leave(
            c,
            requests.get(c, organization_id, request_id),
            "awaiting_review",
            status="refused",
            phase="done",
            progress_message="Declined at the review.",
            review=None,
            refusal={
                "reason": "The request was declined at its review.",
                "hint": "Make a new request with another audience or another group size.",
            },
        )
