"""Recruitment requests: an audience in plain words becomes a group, or an error says what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxpop.client.reading_lines import reading_lines
from voxpop.errors import AwaitingReview, NeedsClarification, Refused, ServiceError, VoxpopError
from voxpop.fieldwork.progress import progress
from voxpop.wire.groups import Group

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.client.requests import Recruitment


def recruit_by_request(client: Client, text: str, size: int, **terms: Any) -> Group:
    """Request a group in plain words, wait, and return it.

    Parameters
    ----------
    client : Client
        The service to recruit from.
    text : str
        The audience in plain words, 1 to 10,000 characters.
    size : int
        Number of agents, 1 to 10,000.
    **terms
        ``quotas``, ``boost`` and ``exclude``.

    Raises
    ------
    NeedsClarification, AwaitingReview, Refused
        The request needs a response from you, or was refused; the message says what to do.
    JobTimeout
        The request did not end in time; it continues in the service.
    """
    with progress() as say:

        def tell(seen: Recruitment) -> None:
            if say is not None and seen.request.progress_message:
                read = "; ".join(reading_lines(seen.request))
                say(f"{seen.request.progress_message} {read}".rstrip())

        ended = client.requests.wait(client.requests.create(text, size, **terms), on_look=tell)
    return group_of(ended)


def group_of(ended: Recruitment) -> Group:
    """Return the group of a request that has ended, or raise the error that explains its state."""
    if ended.status != "completed":
        raise _stopped(ended)
    if ended.group is None:
        raise ServiceError(
            f"Request {ended.id} is completed but has no group.", status=200, code="bad_answer"
        )
    return ended.group


def _stopped(ended: Recruitment) -> VoxpopError:
    request = ended.request
    then = f'then client.requests.wait("{request.id}").group is the group'
    if request.status == "needs_clarification":
        asked = request.clarification
        question = asked.question if asked is not None else "The audience is not clear."
        options = tuple(asked.options or ()) if asked is not None else ()
        hint = f" ({'; '.join(options)})" if options else ""
        read = "".join(f"\n  {line}" for line in reading_lines(request))
        read = f"\nThe rest was understood as:{read}" if read else ""
        return NeedsClarification(
            f'{question}{hint} Answer with client.requests.respond("{request.id}", answer="…"); '
            f"{then}.{read}",
            request=request,
            question=question,
            options=options,
        )
    if request.status == "awaiting_review":
        reason = request.review.reason if request.review is not None else "The request awaits a review."
        return AwaitingReview(
            f'{reason} Go on with client.requests.respond("{request.id}", approve=True), or end it with '
            f"approve=False; {then}.",
            request=request,
            review=request.review,
        )
    refusal = request.refusal
    told = "The request was refused." if refusal is None else f"{refusal.reason} {refusal.hint or ''}".strip()
    return Refused(told, request=request, refusal=refusal)
