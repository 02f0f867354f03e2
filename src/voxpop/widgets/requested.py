"""Recruitment requests in words: the request, its responses, and the answers given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from voxpop.client.reading_lines import reading_lines
from voxpop.client.requests import Recruitment
from voxpop.vocabulary import parse
from voxpop.vocabulary.conditions import code_of

if TYPE_CHECKING:
    from voxpop.wire.groups import Group


@dataclass(slots=True)
class Requested:
    """A recruitment request, and the steps so far.

    Attributes
    ----------
    text : str
        The audience in words.
    size : int
        Number of agents requested initially.
    seen : Recruitment or None
        The latest response of the service.
    steps : list of dict
        The answers given, as arguments of ``client.requests.respond``.
    """

    text: str
    size: int
    seen: Recruitment | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)

    @property
    def status(self) -> str:
        """The status; ``queued`` before the first response."""
        return self.seen.status if self.seen is not None else "queued"

    @property
    def group(self) -> Group | None:
        """The group, or None."""
        return self.seen.group if self.seen is not None else None

    def understood(self) -> list[str]:
        """Return the interpretation of the words, in sentences."""
        if self.seen is None or self.seen.request.filters is None:
            return []
        told = reading_lines(self.seen.request)
        told.append(f"Understood as: {parse(self.seen.request.filters).sentence()}.")
        told += [
            f"Screened by asking: {one.question} Kept are those who say {one.keep}."
            for one in self.seen.request.screening or ()
        ]
        return told

    def code(self) -> str:
        """Return the code that makes the same group again.

        Without a screening question, the group is a draw by filter and seed, which is reproducible. With one,
        the request is made again.
        """
        group = self.group
        if group is not None and group.filters and group.seed is not None and not self._screened():
            asked = (group.agent_count or 0) + (group.shortfall or 0)
            return (
                f"# In words: {self.text!r}\n"
                f"audience = {parse(group.filters)!r}\n"
                f"group = vp.recruit(client, audience, size={asked}, seed={group.seed})"
            )
        if not self.steps:
            return f"group = vp.recruit(client, {code_of(self.text)}, size={self.size})"
        lines = [f"asked = client.requests.wait(client.requests.create({code_of(self.text)}, {self.size}))"]
        for step in self.steps:
            given = ", ".join(f"{name}={code_of(value)}" for name, value in step.items())
            lines.append(f"asked = client.requests.wait(client.requests.respond(asked, {given}))")
        return "\n".join([*lines, "group = asked.group"])

    def _screened(self) -> bool:
        return bool(self.seen is not None and self.seen.request.screening)
