"""The specification of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from voxpop.analysis.sig_test import SigTest

Percent = Literal["column", "row", "total"]
PERCENTS: tuple[str, ...] = get_args(Percent)


@dataclass(frozen=True, slots=True)
class TableSpec:
    """The arguments of a table, sufficient with the data to compute it again."""

    call: str
    weight: str | None
    where: Mapping[str, Any] | str | None
    percent: str
    sig: SigTest | None
    nets: Mapping[str, tuple[str, ...]]
    boxes: Any
    min_base: float
    small_base: float
    by: tuple[Any, ...] = ()
    more: Mapping[str, Any] | None = None
