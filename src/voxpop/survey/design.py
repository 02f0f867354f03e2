"""Sampling designs: the columns that tell how the respondents of a survey were drawn and weighted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from voxpop.errors import UsageError
from voxpop.survey.calibration import Calibration
from voxpop.survey.replicates import Replicates
from voxpop.vocabulary.nearest import did_you_mean, nearest

SinglePsu = Literal["fail", "remove", "adjust", "average", "certainty"]
SINGLE_PSU: tuple[str, ...] = get_args(SinglePsu)

_PER_STAGE = ("probabilities", "strata", "clusters", "fpc")


@dataclass(frozen=True, slots=True)
class Design:
    """How respondents were drawn and weighted, told by the names of columns.

    Columns of several stages of sampling are given in order, the first stage first; one column may be given
    as plain text.

    Attributes
    ----------
    weight : str, optional
        The column of weights.
    probabilities : tuple of str
        Columns of sampling probabilities per stage, in place of a weight, which is the inverse of their
        product.
    strata : tuple of str
        Columns of strata per stage.
    clusters : tuple of str
        Columns of clusters per stage; the first holds the primary sampling units. Without them each
        respondent was drawn for himself.
    nest : bool
        Whether the numbers of clusters begin anew in each stratum.
    fpc : tuple of str
        Columns per stage of the size of the population (units that could have been drawn in the stratum) or,
        if all are at most 1, of the fraction drawn. Without them units were drawn with replacement.
    replicates : Replicates, optional
        Replicate weights; the variance then rests on them alone.
    single_psu : {"fail", "remove", "adjust", "average", "certainty"}
        What to do with a stratum that has one primary sampling unit only: refuse, count it as certain
        (``remove`` and ``certainty``), centre it at the mean of all units, or give it the mean variance of
        the other strata. These are R's ``options(survey.lonely.psu)``.
    calibration : tuple of Calibration
        Known totals that the weights have to meet, one calibration after the other.

    Examples
    --------
    >>> Design("pw", strata="stype", fpc="fpc").columns
    ('pw', 'stype', 'fpc')
    >>> Design("pw", clusters=["dnum", "snum"], fpc=["fpc1", "fpc2"]).stages
    2
    """

    weight: str | None = None
    probabilities: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    nest: bool = False
    fpc: tuple[str, ...] = ()
    replicates: Replicates | None = None
    single_psu: SinglePsu = "fail"
    calibration: tuple[Calibration, ...] = ()

    def __init__(
        self,
        weight: str | None = None,
        *,
        probabilities: str | Sequence[str] = (),
        strata: str | Sequence[str] = (),
        clusters: str | Sequence[str] = (),
        nest: bool = False,
        fpc: str | Sequence[str] = (),
        replicates: Replicates | None = None,
        single_psu: SinglePsu = "fail",
        calibration: Calibration | Sequence[Calibration] = (),
    ) -> None:
        given = {"probabilities": probabilities, "strata": strata, "clusters": clusters, "fpc": fpc}
        for name, columns in given.items():
            object.__setattr__(self, name, _names(name, columns))
        steps = (calibration,) if isinstance(calibration, Calibration) else tuple(calibration)
        rest = {"weight": weight, "nest": nest, "replicates": replicates, "single_psu": single_psu}
        for name, value in (rest | {"calibration": steps}).items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        if self.weight is not None and not isinstance(self.weight, str):
            raise UsageError(f"weight must be the name of a column, not {self.weight!r}.")
        if self.weight is not None and self.probabilities:
            raise UsageError("Give a design weight or probabilities, not both.")
        if self.single_psu not in SINGLE_PSU:
            hint = did_you_mean(nearest(str(self.single_psu), SINGLE_PSU))
            allowed = ", ".join(SINGLE_PSU)
            raise UsageError(f"single_psu must be one of {allowed}, not {self.single_psu!r}{hint}")
        stages = max(len(self.clusters), 1)
        for name in ("probabilities", "strata", "fpc"):
            if len(held := getattr(self, name)) > stages:
                told = f"{stages} stage{'s' if stages > 1 else ''}"
                raise UsageError(
                    f"{name} names {len(held)} columns, but the clusters have {told}; name the clusters of "
                    "each stage (for respondents drawn in the last stage, their id)."
                )
        if self.replicates is not None and not isinstance(self.replicates, Replicates):
            raise UsageError('replicates must be vp.Replicates("repw*", kind), not a list of columns.')
        if self.nest and not self.strata:
            raise UsageError("nest=True tells that clusters are numbered within strata; name the strata.")

    @property
    def stages(self) -> int:
        """Return how many stages of sampling the design names."""
        return max(len(self.clusters), 1)

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of the design in order, those of replicates left out."""
        held = [*([] if self.weight is None else [self.weight]), *self.probabilities]
        held += [*self.strata, *self.clusters, *self.fpc]
        held += [name for step in self.calibration for name in step.columns]
        return tuple(dict.fromkeys(held))

    @property
    def is_plain(self) -> bool:
        """Return whether the design holds no more than a weight."""
        more = (self.probabilities, self.strata, self.clusters, self.fpc, self.replicates, self.calibration)
        return not any(more)

    def words(self) -> str:
        """Return the design in words, for captions.

        Examples
        --------
        >>> Design("pw", strata="stype", clusters="dnum", fpc="fpc").words()
        'weighted by pw, strata stype, clusters dnum, finite population fpc'
        """
        told = [f"weighted by {self.weight}"] if self.weight else []
        told += [f"probabilities {' × '.join(self.probabilities)}"] if self.probabilities else []
        stages = (("strata", self.strata), ("clusters", self.clusters), ("finite population", self.fpc))
        told += [f"{name} {', '.join(columns)}" for name, columns in stages if columns]
        if self.replicates is not None:
            whose = "replicates" if self.replicates.columns else "replicates made of it"
            told.append(f"{self.replicates.kind} {whose}")
        told += [f"calibrated ({step.method}) to {', '.join(step.columns)}" for step in self.calibration]
        return ", ".join(told) or "unweighted"

    def to_json(self) -> dict[str, Any]:
        """Return the design as data."""
        made: dict[str, Any] = {"weight": self.weight}
        made |= {name: list(held) for name in _PER_STAGE if (held := getattr(self, name))}
        made |= {"nest": True} if self.nest else {}
        made |= {"replicates": self.replicates.to_json()} if self.replicates else {}
        made |= {"single_psu": self.single_psu} if self.single_psu != "fail" else {}
        made |= {"calibration": [step.to_json() for step in self.calibration]} if self.calibration else {}
        return made


def _names(name: str, columns: Any) -> tuple[str, ...]:
    """Return column names as a tuple; refuse anything else."""
    held = (columns,) if isinstance(columns, str) else tuple(columns or ())
    for column in held:
        if not isinstance(column, str):
            raise UsageError(f"{name} must be names of columns, not {column!r}.")
    return held
