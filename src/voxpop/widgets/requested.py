"""An audience in words on its way to a group: what was asked, what came back, and what was answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from voxpop.client.requests import Recruitment
from voxpop.vocabulary import parse
from voxpop.vocabulary.conditions import code_of

if TYPE_CHECKING:
    from voxpop.wire.groups import Group


@dataclass(slots=True)
class Requested:
    """A recruitment request and the steps that led to where it is.

    Attributes
    ----------
    text : str
        The audience in words.
    size : int
        How many agents were asked for at first.
    seen : Recruitment or None
        The request as the service gave it last.
    steps : list of dict
        What was answered, as the arguments of ``client.requests.respond``.
    """

    text: str
    size: int
    seen: Recruitment | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)

    @property
    def status(self) -> str:
        """How far it is; ``queued`` before the service has said anything."""
        return self.seen.status if self.seen is not None else "queued"

    @property
    def group(self) -> Group | None:
        """The group, once there is one."""
        return self.seen.group if self.seen is not None else None

    def understood(self) -> list[str]:
        """Return what the words were understood as, in sentences."""
        if self.seen is None or self.seen.request.filters is None:
            return []
        told = [f"Understood as: {parse(self.seen.request.filters).sentence()}."]
        told += [
            f"Screened by asking: {one.question} Kept are those who say {one.keep}."
            for one in self.seen.request.screening or ()
        ]
        return told

    def code(self) -> str:
        """Return the code that makes the same group again.

        Without a screening question the group is a draw by filter and seed, which gives the same agents
        each time; with one, the request is made again.
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
