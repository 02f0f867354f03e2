"""Replicate weights: the columns that hold them, or how they are made, and how they give a variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args

from voxpop.errors import UsageError
from voxpop.vocabulary.nearest import did_you_mean, nearest

ReplicateKind = Literal["brr", "fay", "jk1", "jkn", "bootstrap", "sdr", "other"]
REPLICATE_KINDS: tuple[str, ...] = get_args(ReplicateKind)
MADE = ("jk1", "jkn", "brr", "fay", "bootstrap")
"""Kinds that can be made from strata and clusters."""


@dataclass(frozen=True, slots=True)
class Replicates:
    """Replicate weights of a survey.

    Attributes
    ----------
    columns : str or tuple of str
        The columns, or a pattern such as ``"repw*"``. Without columns the replicates are made from the strata
        and clusters of the design (``jk1``, ``jkn``, ``brr``, ``fay`` and ``bootstrap``).
    kind : {"brr", "fay", "jk1", "jkn", "bootstrap", "sdr", "other"}
        How they were made: balanced half-samples, those of Fay, the jackknife without and with strata, a
        bootstrap, successive differences, or anything else, which needs ``scale``.
    rho : float
        Fay's factor, from 0 to below 1; weights are multiplied by rho or 2 - rho. Only for ``"fay"``.
    scale : float, optional
        Factor of all squared deviations; by default that of the kind.
    rscales : tuple of float
        Factor of each squared deviation; by default 1. Columns of kind ``"jkn"`` need them.
    combined : bool
        Whether the columns hold the weights themselves, or factors that the weight is multiplied by.
    mse : bool
        Whether deviations are those from the estimate of the full sample, or from the mean of the replicates.
    times, seed : int
        Number of bootstrap replicates to make, and the seed of their draws.

    Examples
    --------
    >>> Replicates("repw*", "fay", rho=0.3).of(["weight", "repw1", "repw2"])
    ('repw1', 'repw2')
    """

    columns: str | tuple[str, ...] = ()
    kind: ReplicateKind = "other"
    rho: float = 0.0
    scale: float | None = None
    rscales: tuple[float, ...] = ()
    combined: bool = True
    mse: bool = False
    times: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.columns, str):
            object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "rscales", tuple(float(value) for value in self.rscales))
        if self.kind not in REPLICATE_KINDS:
            hint = did_you_mean(nearest(str(self.kind), REPLICATE_KINDS))
            allowed = ", ".join(REPLICATE_KINDS)
            raise UsageError(f"The kind of replicates must be one of {allowed}, not {self.kind!r}{hint}")
        if not 0 <= self.rho < 1 or (self.rho and self.kind != "fay"):
            raise UsageError(
                f"rho is {self.rho!r}; it must be 0 or more and below 1, and belongs to kind='fay' alone."
            )
        if any(not value >= 0 for value in (*self.rscales, *(() if self.scale is None else (self.scale,)))):
            raise UsageError("The scale and rscales of replicates must be 0 or more.")
        if not self.columns:
            self._check_made()
            return
        if self.kind == "other" and self.scale is None and not self.rscales:
            raise UsageError("Replicates of kind 'other' need scale=, rscales= or both.")
        if self.kind == "jkn" and not self.rscales:
            raise UsageError(
                "Replicates of kind 'jkn' need rscales=, one factor per replicate: (n - 1)/n of its stratum."
            )

    def _check_made(self) -> None:
        """Refuse what replicates that are made from a design do not take."""
        if self.kind not in MADE:
            raise UsageError(
                f"Replicates of kind {self.kind!r} need their columns; only those of {', '.join(MADE)} "
                "can be made."
            )
        if self.scale is not None or self.rscales or not self.combined:
            raise UsageError("scale, rscales and combined belong to columns of replicates; name the columns.")
        if self.times < 2:
            raise UsageError(f"times is {self.times!r}; a bootstrap takes 2 or more replicates.")

    def of(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the columns among these names, with a pattern resolved.

        Raises
        ------
        UsageError
            If a column is absent, or no column matches the pattern.
        """
        if isinstance(self.columns, str):
            found = tuple(name for name in names if fnmatchcase(name, self.columns))
            if not found:
                raise UsageError(
                    f"No column matches the replicates {self.columns!r}; name the columns, or a pattern such "
                    f'as "repw*". The columns are {", ".join(list(names)[:40])}'
                )
            return found
        absent = [name for name in self.columns if name not in names]
        if absent:
            hint = did_you_mean(nearest(absent[0], names))
            raise UsageError(f"The data have no column {absent[0]!r}, which shall hold replicates{hint}")
        return self.columns

    def to_json(self) -> dict[str, Any]:
        """Return the replicates as data."""
        made: dict[str, Any] = {
            "columns": self.columns if isinstance(self.columns, str) else list(self.columns),
            "kind": self.kind,
            "combined": self.combined,
            "mse": self.mse,
        }
        if not self.columns:
            made = {"kind": self.kind, "mse": self.mse}
            made |= {"times": self.times, "seed": self.seed} if self.kind == "bootstrap" else {}
        if self.kind == "fay":
            made["rho"] = self.rho
        if self.scale is not None:
            made["scale"] = self.scale
        if self.rscales:
            made["rscales"] = list(self.rscales)
        return made
