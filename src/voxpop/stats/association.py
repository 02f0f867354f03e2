"""Association of two questions: chi-square, Cramér's V, adjusted residuals, and Rao-Scott with weights."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class ChiSquare:
    """Pearson's test of a table of counts; NaN where fewer than two rows or columns are left.

    Attributes
    ----------
    chi2, df, p, g2 : float
        Pearson's statistic without Yates' correction, degrees of freedom, p-value; likelihood ratio.
    cramers_v, cramers_v_corrected : float
        Plain, and corrected for the bias of small tables.
    expected, residuals : array
        Expected counts and adjusted standardized residuals of the rows and columns that are not empty.
    rows, columns : array of bool
        Which rows and columns these are.
    sparse : int
        How many expected counts are below 5.
    """

    chi2: float
    df: float
    p: float
    g2: float
    cramers_v: float
    cramers_v_corrected: float
    expected: Floats
    residuals: Floats
    rows: Bools
    columns: Bools
    sparse: int


def chi_square(counts: npt.ArrayLike, *, yates: bool = False) -> ChiSquare:
    """Test independence in a table of counts, on the rows and columns that are not empty.

    ``χ² = Σ(O-E)²/E`` (K. Pearson, 1900; R: ``chisq.test(correct = FALSE)``). Adjusted residual
    ``(O-E)/sqrt(E(1-r)(1-c))`` with r and c the shares of row and column (S. J. Haberman, *Biometrics* 29,
    1973). Cramér's V is ``sqrt(χ²/(N·min(rows-1, columns-1)))``, its corrected form that of W. Bergsma, *J.
    Korean Stat. Soc.* 42 (2013).

    Parameters
    ----------
    counts : array_like of int, two axes
        How many respondents each cell has.
    yates : bool, default False
        Whether to use Yates' correction in a table of two by two.

    Examples
    --------
    >>> found = chi_square([[3533, 424], [3526, 363]])
    >>> round(found.chi2, 4), round(found.p, 4), round(found.cramers_v, 4), found.sparse
    (4.146, 0.0417, 0.023, 0)
    """
    from scipy.special import chdtrc, xlogy  # imported where used

    every = np.asarray(counts, dtype=np.float64)
    rows, columns = every.sum(axis=1) > 0, every.sum(axis=0) > 0
    held = every[np.ix_(rows, columns)]
    total = float(held.sum())
    if min(held.shape, default=0) < 2:
        no = math.nan
        return ChiSquare(no, no, no, no, no, no, held, np.full(held.shape, no), rows, columns, 0)
    r, c = held.sum(axis=1, keepdims=True) / total, held.sum(axis=0, keepdims=True) / total
    expected = r * c * total
    gap = np.abs(held - expected)
    if yates and held.shape == (2, 2):
        gap = gap - min(0.5, float(gap.min()))
    chi2 = math.fsum((gap**2 / expected).ravel())
    df = (held.shape[0] - 1) * (held.shape[1] - 1)
    return ChiSquare(
        chi2,
        df,
        float(chdtrc(df, chi2)),
        2 * math.fsum(xlogy(held, held / expected).ravel()),
        cramers_v(chi2, total, *held.shape),
        cramers_v_corrected(chi2, total, *held.shape),
        expected,
        (held - expected) / np.sqrt(expected * (1 - r) * (1 - c)),
        rows,
        columns,
        int((expected < 5).sum()),
    )


def cramers_v(chi2: float, total: float, rows: int, columns: int) -> float:
    """Return ``sqrt(χ²/(N·min(rows-1, columns-1)))``, 0 to 1 (H. Cramér, 1946).

    Examples
    --------
    >>> round(cramers_v(4.14598934756687, 7846, 2, 2), 6)
    0.022987
    """
    return math.sqrt(chi2 / (total * min(rows - 1, columns - 1)))


def cramers_v_corrected(chi2: float, total: float, rows: int, columns: int) -> float:
    """Return Cramér's V corrected for its bias (W. Bergsma, *J. Korean Stat. Soc.* 42, 2013).

    Examples
    --------
    >>> round(cramers_v_corrected(4.14598934756687, 7846, 2, 2), 6)
    0.020025
    """
    if total <= 1:
        return math.nan
    phi2 = max(0.0, chi2 / total - (rows - 1) * (columns - 1) / (total - 1))
    room = min(rows - (rows - 1) ** 2 / (total - 1), columns - (columns - 1) ** 2 / (total - 1)) - 1
    return math.sqrt(phi2 / room) if room > 0 else math.nan


@dataclass(frozen=True, slots=True)
class RaoScott:
    """Rao and Scott's corrections of the chi-square of a weighted table; NaN where there is nothing to test.

    Attributes
    ----------
    x2 : float
        Pearson's statistic of the weighted shares, scaled to the respondents.
    f, ndf, ddf, p : float
        Second order: the statistic, its degrees of freedom and p-value.
    first_p, first_df : float
        First order: p-value and degrees of freedom.
    cramers_v : float
        Cramér's V of the weighted shares.
    """

    x2: float
    f: float
    ndf: float
    ddf: float
    p: float
    first_p: float
    first_df: float
    cramers_v: float


def rao_scott(sums: npt.ArrayLike, squares: npt.ArrayLike, respondents: float) -> RaoScott:
    """Test independence in a weighted table (R survey: ``svychisq(statistic = "F")``, weights only).

    With p the weighted shares of the cells, V their linearised covariance, C the contrasts of interaction
    made orthogonal to the main effects and ``P = diag(1/p)``: ``D = (C'PC/n)⁻¹ C'PVPC``,
    ``F = X²/tr D`` on ``(tr D)²/tr D²`` and n - 1 times as many degrees of freedom; first order: ``X²`` over
    the mean of D's eigenvalues, as chi-square. The sums of squared weights per cell are all that V needs.
    Sources: J. N. K. Rao, A. J. Scott, *Ann. Stat.* 12 (1984); D. R. Thomas, J. N. K. Rao, *JASA* 82 (1987).

    Parameters
    ----------
    sums, squares : array_like of float, two axes
        Sums of weights and of squared weights per cell.
    respondents : float
        Respondents with a weight above 0.

    Examples
    --------
    >>> found = rao_scott([[30.0, 10.0], [20.0, 40.0]], [[40.0, 12.0], [25.0, 70.0]], 80)
    >>> round(found.f, 4), found.ndf, round(found.p, 6)
    (12.6668, 1.0, 0.000633)
    """
    weights, spread = np.asarray(sums, dtype=np.float64), np.asarray(squares, dtype=np.float64)
    kept = np.ix_(weights.sum(axis=1) > 0, weights.sum(axis=0) > 0)
    weights, spread = weights[kept], spread[kept]
    if min(weights.shape, default=0) < 2 or respondents < 2:
        return _untested(math.nan, math.nan)
    total = math.fsum(weights.ravel())
    shares, s = weights.ravel() / total, spread.ravel()
    covariance = np.diag(s) - np.outer(s, shares) - np.outer(shares, s) + s.sum() * np.outer(shares, shares)
    covariance *= respondents / (respondents - 1) / total**2
    table = shares.reshape(weights.shape)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    x2 = respondents * math.fsum(((table - expected) ** 2 / expected).ravel())
    inverse = np.divide(1.0, shares, out=np.zeros_like(shares), where=shares > 0)
    return corrected(x2, covariance, inverse, weights.shape, respondents, respondents - 1)


def _untested(x2: float, v: float) -> RaoScott:
    no = math.nan
    return RaoScott(x2, no, no, no, no, no, no, v)


def _interactions(rows: int, columns: int) -> Floats:
    """Return the contrasts of interaction, orthogonal to both main effects."""

    def contrasts(levels: int) -> Floats:
        return np.asarray(np.linalg.qr(np.vstack((np.eye(levels - 1), -np.ones(levels - 1))))[0])

    return np.asarray(np.kron(contrasts(rows), contrasts(columns)), dtype=np.float64)


def corrected(
    x2: float,
    covariance: Floats,
    inverse: Floats,
    shape: tuple[int, ...],
    respondents: float,
    degrees: float,
) -> RaoScott:
    """Correct Pearson's statistic by what a design does to the contrasts of interaction.

    Parameters
    ----------
    x2 : float
        Pearson's statistic, scaled to the number of respondents.
    covariance : array (cells, cells)
        Covariance of the shares of the cells.
    inverse : array of float
        One over the share of each cell, 0 for an empty one.
    shape : (int, int)
        Rows and columns of the table.
    respondents, degrees : float
        Number of respondents, and degrees of freedom of the design.
    """
    from scipy.special import chdtrc, fdtrc  # imported where used

    contrasts = _interactions(*shape)
    scaled = inverse[:, None] * contrasts
    simple = contrasts.T @ scaled / respondents
    free = contrasts.shape[1]
    v = cramers_v(x2, respondents, shape[0], shape[1])
    if np.linalg.matrix_rank(simple) < free:
        return _untested(x2, v)
    delta = np.linalg.solve(simple, scaled.T @ covariance @ scaled)
    trace, second = float(np.trace(delta)), float(np.sum(delta * delta.T))
    ndf = trace**2 / second
    ddf = ndf * degrees
    f = x2 / trace
    return RaoScott(
        x2, f, ndf, ddf, float(fdtrc(ndf, ddf, f)), float(chdtrc(free, x2 * free / trace)), free, v
    )
