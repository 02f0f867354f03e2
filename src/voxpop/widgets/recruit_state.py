"""The state of `RecruitBuilder`: selection, responses of the service, and equivalent code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from voxpop.client.checks import whole_number
from voxpop.client.groups import LARGEST, METHODS
from voxpop.errors import UsageError, VoxpopError
from voxpop.vocabulary import Filter
from voxpop.vocabulary.conditions import code_of
from voxpop.widgets.live_counts import LiveCounts, read_counts
from voxpop.widgets.picking import Picking
from voxpop.widgets.quota import answers_left
from voxpop.widgets.requested import Requested

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.wire.groups import Group


class RecruitState(Picking):
    """The selection in a `RecruitBuilder`, and its result."""

    words: traitlets.Unicode[str, str | bytes] = traitlets.Unicode()
    mode: traitlets.Enum[str] = traitlets.Enum(("fields", "words"), "fields")
    size: traitlets.Any = traitlets.Any(200)
    name: traitlets.Unicode[str | None, str | bytes | None] = traitlets.Unicode(None, allow_none=True)
    sample_method: traitlets.Any = traitlets.Any("random")
    seed: traitlets.Any = traitlets.Any(None)
    description: traitlets.Unicode[str, str | bytes] = traitlets.Unicode("")
    group: traitlets.Any = traitlets.Any(None)

    def __init__(
        self,
        client: Client,
        *,
        filters: Filter | dict[str, Any] | None = None,
        words: str | None = None,
        size: int = 200,
    ) -> None:
        self._requested: Requested | None = None
        self._made_from: dict[str, Any] | None = None
        self._left: int | None = None
        self._cost_known = False
        super().__init__("RecruitBuilder")
        self._client = client.waiting(poll=self._worker.pause, retry=self._worker.pause)
        with self._changing():
            self.size = size
            self.filters = Filter() if filters is None else filters
            if words is not None:
                self.words, self.mode = words, "words"
        self._count_soon(0.0)
        self._worker.do(self._read_quota)

    # Public state

    @property
    def code(self) -> str:
        """Python code that recruits the same group without the widget."""
        with self._lock:
            lines = ["import voxpop as vp", ""]
            if self.mode == "words":
                requested = self._requested or Requested(self.words, self.size)
                return "\n".join([*lines, requested.code()])
            return "\n".join(
                [*lines, f"audience = {self.filters!r}", f"group = vp.recruit({self._arguments()})"]
            )

    # Validation of assigned values

    @traitlets.validate("size")
    def _check_size(self, proposal: Any) -> int:
        return whole_number("size", proposal["value"], 1, LARGEST)

    @traitlets.validate("seed")
    def _check_seed(self, proposal: Any) -> int | None:
        value = proposal["value"]
        return None if value is None else whole_number("seed", value, 0, 2**63 - 1)

    @traitlets.validate("sample_method")
    def _check_method(self, proposal: Any) -> str:
        if proposal["value"] not in METHODS:
            raise UsageError(f"sample_method {proposal['value']!r} is not known; use {', '.join(METHODS)}.")
        return str(proposal["value"])

    @traitlets.observe("filters", "words", "mode", "size", "name", "sample_method", "seed", "description")
    def _changed(self, change: Any) -> None:
        with self._changing():
            if change["name"] == "filters":
                self._look.agents = ()
            if change["name"] == "words" and self._requested is not None and self.group is not None:
                self._requested = None

    def _read_quota(self) -> None:
        try:
            left = answers_left(self._client)
        except VoxpopError:
            return  # the cost is optional; real failures recur in required calls
        with self._changing():
            self._left, self._cost_known = left, True

    def _read(self, filters: Filter, fields: list[str]) -> LiveCounts:
        return read_counts(self._client, filters, fields)

    def _arguments(self) -> str:
        """Return the arguments of ``vp.recruit`` for the selection, with the seed of the recruited group."""
        group: Group | None = self.group
        now = {
            "filters": self.filters,
            "size": self.size,
            "sample_method": self.sample_method,
            "seed": self.seed,
            "description": self.description or None,
            "name": self.name,
        }
        seed = group.seed if group is not None and now == self._made_from else self.seed
        parts = ["client", "audience", f"size={self.size}"]
        parts += [f"name={code_of(self.name)}"] if self.name else []
        parts += [f"seed={seed}"] if seed is not None else []
        parts += [f"sample_method={code_of(self.sample_method)}"] if self.sample_method != "random" else []
        parts += [f"description={code_of(self.description)}"] if self.description else []
        return ", ".join(parts)
