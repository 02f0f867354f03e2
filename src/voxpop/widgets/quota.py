"""The cost of questions to a group, relative to the answers left this month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voxpop.wire.usage import NO_LIMIT

if TYPE_CHECKING:
    from voxpop.client import Client


def answers_left(client: Client) -> int | None:
    """Return the number of answers left this month; None if there is no limit or it is unknown."""
    quota = client.billing.usage().quota
    if quota is None or quota.limit is None or quota.limit >= NO_LIMIT:
        return None
    return max(0, quota.limit - (quota.used or 0))


def cost_words(size: int, left: int | None) -> str:
    """Return the cost of recruitment and of each question, as a sentence.

    Examples
    --------
    >>> cost_words(200, 500)
    'Recruiting uses no quota. Each question to this group takes 200 of the 500 answers left this month.'
    >>> cost_words(200, None)
    'Recruiting uses no quota. Each question to this group takes 200 answers; this service sets no limit.'
    """
    each = f"Recruiting uses no quota. Each question to this group takes {size:,}"
    if left is None:
        return f"{each} {'answer' if size == 1 else 'answers'}; this service sets no limit."
    if size > left:
        return f"{each} answers, and {left:,} are left this month: that is not enough for one question."
    return f"{each} of the {left:,} answers left this month."
