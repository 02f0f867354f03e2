"""Prediction-powered means and shares: answers of people, joined with predictions of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from voxpop.stats.intervals import wilson

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]

Corners = tuple[Floats, Floats]
"""Two answers and two predictions, which imaginary people give in every combination."""

FEWEST = 10
"""Minimum number of people in a stratum whose predictions are used."""

ROUNDING = 1e-12
"""Relative difference of two means that is taken for rounding."""

APART = 0.5
"""Standard deviations between the mean and the answers and predictions of imaginary people, for numbers."""


@dataclass(frozen=True, eq=False, slots=True)
class Sides:
    """People with answers and predictions, and a pool with predictions only.

    Attributes
    ----------
    outcomes, predictions : arrays of float
        Per person: the answer, and a prediction made without it. The order is the same.
    pool : array of float
        Predictions for a second sample of the same population, agents for instance.
    weights, pool_weights : arrays of float, optional
        Sampling weights, above 0.
    strata, pool_strata : arrays of int, optional
        Stratum of each person and of each member of the pool, from 0. The pool may have another mix of
        strata than the people; it has to represent their population within each stratum only.
    """

    outcomes: Floats
    predictions: Floats
    pool: Floats
    weights: Floats | None = None
    pool_weights: Floats | None = None
    strata: Codes | None = None
    pool_strata: Codes | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Spread:
    """Parts of the variance of a combined estimate, as a function of the tuning parameters.

    With ``scale`` times as many people the variance is ``people/scale`` less, per stratum,
    ``(cross/scale)² / (own/scale + pool)``.
    """

    people: float
    cross: Floats
    own: Floats
    pool: Floats

    def variance(self, scale: float = 1.0) -> float:
        """Return the variance with ``scale`` times as many people and the best tuning parameters."""
        below = self.own / scale + self.pool
        lam = np.clip(np.divide(self.cross / scale, below, out=np.zeros_like(below), where=below > 0), 0, 1)
        saved = 2 * lam * self.cross / scale - lam**2 * below
        return max(self.people / scale - float(saved.sum()), 0.0)


@dataclass(frozen=True, eq=False, slots=True)
class Combined:
    """A figure from people alone, and from people and predictions together.

    Attributes
    ----------
    n : int
        People.
    n_eff, df : float
        Kish's effective base of the people, and degrees of freedom of the combined interval.
    people, people_se, people_low, people_high : float
        Estimate from people alone, with its standard error and interval.
    pool : float
        Mean prediction of the pool.
    estimate, se, low, high : float
        The combined estimate. If predictions do not help, these are the figures of the people.
    lam : float
        Tuning parameter, 0 to 1: the part of the predictions' correction that is used; the mean over the
        people with several strata.
    worth : float
        Number of additional people of the same design who would have shortened the interval as much.
    shift, shift_z : float
        Mean prediction of the pool less that of the people, and the same in standard errors: beyond the
        noise, people and pool do not represent the same population.
    spread : Spread
        Parts of the variance, for planning.
    """

    n: int
    n_eff: float
    df: float
    people: float
    people_se: float
    people_low: float
    people_high: float
    pool: float
    estimate: float
    se: float
    low: float
    high: float
    lam: float
    worth: float
    shift: float
    shift_z: float
    spread: Spread


@dataclass(frozen=True, eq=False, slots=True)
class Stratum:
    """Members of a stratum, their mass, and the mean and variance of the pool's predictions."""

    members: npt.NDArray[np.bool_]
    mass: float
    mean: float
    variance: float


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """A tuned estimate: its parameters by stratum, variance before corrections, and corrections."""

    lam: Floats
    estimate: float
    variance: float
    variance_people: float
    spread: Spread


def standardized(weights: Floats | None, size: int) -> Floats:
    """Return weights with sum 1.

    Examples
    --------
    >>> standardized(None, 4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    if weights is None:
        return np.full(size, 1 / size)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def jackknife_factors(shares: Floats) -> Floats:
    """Return the factor of each squared residual in the delete-one jackknife variance of a weighted mean.

    ``(n-1)/n · w²/(1-w)²`` with weights that add up to 1; without weights ``1/(n(n-1))``. Removing person i
    moves the mean by ``-w_i(y_i-m)/(1-w_i)`` (R survey: ``as.svrepdesign(type="JK1", mse=TRUE)``).
    """
    n = shares.size
    return np.asarray((n - 1) / n * (shares / (1 - shares)) ** 2, dtype=np.float64)


def pool_moments(values: Floats, shares: Floats) -> tuple[float, float]:
    """Return the weighted mean of the pool's predictions and the linearised variance of this mean."""
    mean = float(shares @ values)
    many = values.size
    variance = many / (many - 1) * float(shares**2 @ (values - mean) ** 2) if many > 1 else math.inf
    return mean, variance


def combined_mean(sides: Sides, *, lam: float | None = None, level: float = 0.95) -> Combined:
    """Estimate a mean from people's answers and predictions.

    ``mean_w(y) + λ(mean(pool) - mean_w(predictions))`` (A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I.
    Jordan, T. Zrnic, *Science* 382, 2023), with the λ in [0, 1] that minimises the estimated variance (A. N.
    Angelopoulos, J. C. Duchi, T. Zrnic, *PPI++*, 2023), one per stratum (A. Fisch and others, *Stratified
    PPI*, NeurIPS 2024). With strata, the mix of strata is the people's own, and its noise is part of the
    variance.

    For small samples, the variance of people is that of the jackknife; a tuned λ costs a degree of freedom
    and adds its own variance times the squared shift between people and pool, as for a regression estimator
    (W. G. Cochran, *Sampling Techniques*, 1977, 7.9); intervals are Student's; and predictions that do not
    lower the variance after these corrections get λ = 0. As for shares, four imaginary people are added where
    variances are compared, with answers and predictions half a standard deviation from the mean: without them
    intervals from 30 people cover 77 % where agents are right but for one gross error in thirty.

    Parameters
    ----------
    sides : Sides
        People and pool.
    lam : float, optional
        A fixed λ instead of the tuned one.
    level : float, default 0.95
        Confidence.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y, pool = rng.normal(5, 2, 100), rng.normal(5, 2, 2_000)
    >>> found = combined_mean(Sides(y, y + rng.normal(0, 1, 100), pool + rng.normal(0, 1, 2_000)))
    >>> round(found.people_se, 2), round(found.se, 2), round(found.lam, 2)
    (0.17, 0.1, 0.69)
    """
    from scipy.special import stdtrit  # imported where used

    shares = standardized(sides.weights, sides.outcomes.size)
    strata = strata_of(sides, shares)
    factors = jackknife_factors(shares)
    pieces = pieces_of(sides, shares, strata, factors, mean_corners(sides, shares) if lam is None else None)
    chosen = np.array([best([piece]) if lam is None else lam for piece in pieces])
    fit = fitted(sides, shares, strata, pieces, factors, chosen, estimated=lam is None)
    n_eff = 1 / float(shares @ shares)
    used = int(np.count_nonzero(fit.lam)) if lam is None else 0
    df = max(n_eff - 1 - used, 1.0)
    people = float(shares @ sides.outcomes)
    people_se = math.sqrt(float(factors @ (sides.outcomes - people) ** 2))
    se = people_se * math.sqrt(fit.variance / fit.variance_people) if fit.variance_people > 0 else 0.0
    half = float(stdtrit(max(n_eff - 1, 1.0), 0.5 + level / 2)) * people_se
    own = float(stdtrit(df, 0.5 + level / 2)) * se
    told = (
        (people, people_se, people - half, people + half),
        (fit.estimate, se, fit.estimate - own, fit.estimate + own),
    )
    return _told(sides, strata, fit, shares, told, df)


def combined_share(
    sides: Sides, *, lam: float | None = None, level: float = 0.95, tuned: bool = False
) -> Combined:
    """Estimate a share from people's answers (0 or 1) and predictions (0 to 1).

    As :func:`combined_mean`, with Wilson's interval on ``n / ratio`` people: n is the effective base that
    gives the variance of the people's share, and ratio the variance with predictions over that without.
    Without weights and with λ = 0 it is Wilson's interval of the people.

    A small sample may show no wrong prediction by chance, which would make the agents look perfect. So four
    imaginary people are added in the variances: one for each pair of an answer, 0 or 1, and the lowest or
    highest prediction (compare A. Agresti and Y. Min, *Biometrics* 61, 2005, for paired shares). Without them
    intervals from 30 people cover as little as 75 % where one agent in twenty errs.

    Parameters
    ----------
    sides, lam, level
        As for :func:`combined_mean`.
    tuned : bool, default False
        Whether a given λ was tuned on these people, at another value of a quantile, so that its corrections
        apply.

    Examples
    --------
    >>> y, pool = np.repeat([0.0, 1.0], [60, 40]), np.repeat([0.0, 1.0], [500, 500])
    >>> right = combined_share(Sides(y, y, pool))
    >>> wrong = combined_share(Sides(y, np.tile([0.0, 1.0], 50), pool))
    >>> [(round(one.estimate, 2), round(one.low, 2), round(one.high, 2)) for one in (right, wrong)]
    [(0.49, 0.45, 0.53), (0.4, 0.31, 0.5)]
    """
    (made,) = combined_shares([sides], lam=lam, level=level, tuned=tuned)
    return made


def combined_shares(
    levels: Sequence[Sides], *, lam: float | None = None, level: float = 0.95, tuned: bool = False
) -> list[Combined]:
    """Estimate the shares of several levels of one answer with a λ in common, so that they add up to 1.

    Parameters
    ----------
    levels : sequence of Sides
        Per level, whether each person gave it (0 or 1), and the predictions. People, weights and strata are
        the same.
    lam, level, tuned
        As for :func:`combined_share`.
    """
    one = levels[0]
    shares = standardized(one.weights, one.outcomes.size)
    factors = jackknife_factors(shares)
    strata = [strata_of(sides, shares) for sides in levels]
    estimated = lam is None or tuned
    pieces = [
        pieces_of(sides, shares, own, factors, share_corners(sides) if estimated else None)
        for sides, own in zip(levels, strata, strict=True)
    ]
    chosen = np.array([best(list(held)) if lam is None else lam for held in zip(*pieces, strict=True)])
    return [
        _share(
            sides,
            shares,
            own,
            fitted(sides, shares, own, held, factors, chosen, estimated=estimated),
            level,
        )
        for sides, own, held in zip(levels, strata, pieces, strict=True)
    ]


def _share(sides: Sides, shares: Floats, strata: list[Stratum], fit: Fit, level: float) -> Combined:
    """Return a share with Wilson's interval on as many people as its variance is worth."""
    people = float(np.clip(shares @ sides.outcomes, 0, 1))
    n = shares.size
    plain = float(jackknife_factors(shares) @ (sides.outcomes - people) ** 2) * (n - 1) / n
    base = people * (1 - people) / plain if plain > 0 else 1 / float(shares @ shares)
    ratio = fit.variance / fit.variance_people if fit.variance_people > 0 else 1.0
    estimate = float(np.clip(fit.estimate, 0, 1))
    low, high = (float(end) for end in wilson(estimate, base / max(ratio, 1e-12), level))
    own_low, own_high = (float(end) for end in wilson(people, base, level))
    se = math.sqrt(people * (1 - people) / base)
    told = (people, se, own_low, own_high), (estimate, se * math.sqrt(ratio), low, high)
    return _told(sides, strata, fit, shares, told, math.inf)


def strata_of(sides: Sides, shares: Floats) -> list[Stratum]:
    """Return the strata of people with the predictions of the pool in each.

    Raises
    ------
    ValueError
        If a stratum of people has fewer than two members of the pool.
    """
    if sides.strata is None or sides.pool_strata is None:
        mean, variance = pool_moments(sides.pool, standardized(sides.pool_weights, sides.pool.size))
        return [Stratum(np.ones(shares.size, dtype=np.bool_), 1.0, mean, variance)]
    made = []
    for code in np.unique(sides.strata):
        there = sides.pool_strata == code
        if np.count_nonzero(there) < 2:
            raise ValueError(f"stratum {code} has fewer than two members of the pool.")
        own = None if sides.pool_weights is None else sides.pool_weights[there]
        mean, variance = pool_moments(sides.pool[there], standardized(own, int(there.sum())))
        members = sides.strata == code
        made.append(Stratum(members, float(shares[members].sum()), mean, variance))
    return made


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A stratum centred on its means: factors, answers and predictions, and its contribution to λ.

    The last ``imagined`` entries are imaginary people.
    """

    factors: Floats
    answers: Floats
    predictions: Floats
    size: float
    shift: float
    pool: float
    imagined: int

    @property
    def cross(self) -> float:
        """Return the jackknife covariance of the two means."""
        return float(self.factors @ (self.answers * self.predictions))

    @property
    def own(self) -> float:
        """Return the jackknife variance of the mean prediction of people."""
        return float(self.factors @ self.predictions**2)

    @property
    def alone(self) -> float:
        """Return the jackknife variance of the mean answer."""
        return float(self.factors @ self.answers**2)

    def left(self, lam: float, last: int = 0) -> float:
        """Return the variance of the residuals, of all or of the last entries."""
        apart = self.answers - lam * self.predictions
        return float(self.factors[-last:] @ apart[-last:] ** 2)

    def estimated(self, lam: float) -> float:
        """Return the variance with the corrections for a λ that was estimated, and the pool's part."""
        if self.size <= 2 or not self.own > 0:
            return math.inf
        cost = (self.size - 1) / (self.size - 2) * (1 + self.shift**2 / (self.own * self.size))
        return self.left(lam) * cost + lam**2 * self.pool


def pieces_of(
    sides: Sides, shares: Floats, strata: list[Stratum], factors: Floats, corners: Corners | None
) -> list[Piece]:
    """Return each stratum centred on its means; ``corners`` adds four imaginary people in all."""
    made = []
    for one in strata:
        own = one.members
        y, f, h = sides.outcomes[own], sides.predictions[own], factors[own]
        mass = shares[own] / one.mass
        mean_y, mean_f = float(mass @ y), float(mass @ f)
        if corners is not None:
            y = np.concatenate([y, np.repeat(corners[0], 2)])
            f = np.concatenate([f, np.tile(corners[1], 2)])
            h = np.concatenate([h, np.full(4, one.mass * float(factors.mean()))])
        size = one.mass**2 / float(shares[own] @ shares[own])
        shift, pool = one.mass * (one.mean - mean_f), one.mass**2 * one.variance
        imagined = 0 if corners is None else 4
        made.append(Piece(h, y - mean_y, f - mean_f, size, shift, pool, imagined))
    return made


def share_corners(sides: Sides) -> Corners:
    """Return the ends of answers (0 and 1) and of predictions, at which imaginary people answer."""
    return np.array([0.0, 1.0]), np.array([sides.pool.min(), sides.pool.max()])


def mean_corners(sides: Sides, shares: Floats) -> Corners:
    """Return answers and predictions half a standard deviation from their mean."""
    made = []
    for values, mass in (
        (sides.outcomes, shares),
        (sides.pool, standardized(sides.pool_weights, sides.pool.size)),
    ):
        mean = float(mass @ values)
        apart = APART * math.sqrt(float(mass @ (values - mean) ** 2))
        made.append(np.array([mean - apart, mean + apart]))
    return made[0], made[1]


def best(pieces: list[Piece]) -> float:
    """Return the λ of a stratum that minimises the sum of variances; 0 if it lowers none after correction.

    Several pieces are several figures of the same stratum, such as the shares of all levels.
    """
    if min(piece.size for piece in pieces) < FEWEST:
        return 0.0
    above = sum(piece.cross for piece in pieces)
    below = sum(piece.own + piece.pool for piece in pieces)
    if not above > 0 or not below > 0:
        return 0.0
    lam = min(above / below, 1.0)
    held = [piece for piece in pieces if piece.own > 0]
    gained = sum(piece.alone for piece in held) - sum(piece.estimated(lam) for piece in held)
    return lam if gained > 0 else 0.0


def fitted(
    sides: Sides,
    shares: Floats,
    strata: list[Stratum],
    pieces: list[Piece],
    factors: Floats,
    lam: Floats,
    *,
    estimated: bool,
) -> Fit:
    """Return the estimate with one λ per stratum and its variance."""
    y, people = sides.outcomes, float(shares @ sides.outcomes)
    residual, added, imagined = np.empty_like(y), 0.0, 0.0
    for one, piece, part in zip(strata, pieces, lam, strict=True):
        residual[one.members] = y[one.members] + part * (one.mean - sides.predictions[one.members])
        if piece.imagined:
            imagined += piece.left(0.0, piece.imagined)
            added += piece.left(part, piece.imagined)
        if part > 0 and estimated and piece.own > 0:
            added += piece.estimated(part) - piece.left(part)
        elif part > 0:
            added += part**2 * piece.pool
    real = float(factors @ (y - people) ** 2)
    alone = real + imagined
    part = real / alone if alone > 0 else 1.0
    cross = np.array([piece.cross if piece.size >= FEWEST else 0.0 for piece in pieces])
    own, pool = np.array([[piece.own, piece.pool] for piece in pieces]).T
    spread = Spread(real, part * cross, part * own, part * pool)
    if not lam.any():
        return Fit(lam, people, alone, alone, spread)
    estimate = float(shares @ residual)
    return Fit(lam, estimate, float(factors @ (residual - estimate) ** 2) + added, alone, spread)


def _told(
    sides: Sides,
    strata: list[Stratum],
    fit: Fit,
    shares: Floats,
    told: tuple[tuple[float, float, float, float], tuple[float, float, float, float]],
    df: float,
) -> Combined:
    """Return the result from the people's and the combined estimate, standard error and interval."""
    people, combined = told
    mass = np.array([one.mass for one in strata])
    ratio = fit.variance / fit.variance_people if fit.variance_people > 0 else 1.0
    mean_f = float(shares @ sides.predictions)
    mean_pool = float(mass @ np.array([one.mean for one in strata]))
    whole, _ = pool_moments(sides.pool, standardized(sides.pool_weights, sides.pool.size))
    noise = float(mass**2 @ np.array([one.variance for one in strata]))
    squares = np.array([float(shares[one.members] @ shares[one.members]) for one in strata])
    noise += float(squares @ _pool_spreads(sides, strata))
    shift = mean_pool - mean_f
    if abs(shift) <= ROUNDING * max(abs(mean_pool), abs(mean_f)):
        shift = 0.0  # the same prediction for everybody has no noise to compare the rounding with
    lam = float(mass @ fit.lam)
    if lam == 0:
        combined = people
    n = shares.size
    return Combined(
        n,
        1 / float(shares @ shares),
        df,
        *people,
        whole,
        *combined,
        lam,
        float(n * (1 / ratio - 1)) if ratio > 0 else math.inf,
        shift,
        _standardized_shift(shift, noise),
        fit.spread,
    )


def _pool_spreads(sides: Sides, strata: list[Stratum]) -> Floats:
    """Return the variance of the pool's predictions in each stratum.

    It stands for that of the people's predictions as well, which few people would tell badly.
    """
    if sides.strata is None or sides.pool_strata is None:
        mass = standardized(sides.pool_weights, sides.pool.size)
        return np.array([float(mass @ (sides.pool - strata[0].mean) ** 2)])
    made = []
    for code, one in zip(np.unique(sides.strata), strata, strict=True):
        there = sides.pool_strata == code
        own = None if sides.pool_weights is None else sides.pool_weights[there]
        made.append(float(standardized(own, int(there.sum())) @ (sides.pool[there] - one.mean) ** 2))
    return np.array(made)


def _standardized_shift(shift: float, noise: float) -> float:
    if noise > 0:
        return shift / math.sqrt(noise)
    return 0.0 if abs(shift) < 1e-12 else math.copysign(math.inf, shift)
