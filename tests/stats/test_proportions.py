"""Two-proportion tests and their correction, against published and independently computed figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from voxpop.stats import benjamini_hochberg, two_proportions


def test_two_proportions_as_r_gives_them() -> None:
    # R 4.2: prop.test(c(15, 25), c(50, 50), correct = FALSE): X-squared = 4.1667, p-value = 0.04123
    difference, z, p = two_proportions(15, 50, 25, 50)
    assert float(difference) == pytest.approx(-0.2)
    assert float(z) ** 2 == pytest.approx(4.1667, abs=5e-5)
    assert float(p) == pytest.approx(0.04123, abs=5e-6)


@pytest.mark.parametrize("counts", [(83, 86, 129, 136), (3, 40, 17, 61), (60, 60, 1, 90)])
def test_its_square_is_the_chi_square_without_correction(counts: tuple[int, int, int, int]) -> None:
    x, n, y, m = counts
    _, z, p = two_proportions(x, n, y, m)
    expected = scipy_stats.chi2_contingency([[x, n - x], [y, m - y]], correction=False)
    assert float(z) ** 2 == pytest.approx(expected.statistic)
    assert float(p) == pytest.approx(expected.pvalue)


def test_many_at_once_and_none_where_nothing_varies() -> None:
    difference, z, p = two_proportions([10, 0, 20, 0], [20, 20, 20, 0], [[5], [0]], [[20], [20]])
    assert difference.shape == (2, 4)
    assert np.isnan(difference).tolist() == [[False, False, False, True]] * 2
    assert np.isnan(p).tolist() == [[False, False, False, True], [False, True, False, True]]
    assert np.isnan(z).tolist() == np.isnan(p).tolist()


@pytest.mark.parametrize("counts", [(5, 4, 1, 2), (-1, 4, 1, 2)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="between 0 and their bases"):
        two_proportions(*counts)


def test_benjamini_hochberg_as_scipy_gives_it() -> None:
    p = np.random.default_rng(3).random((6, 7)) ** 3
    expected = scipy_stats.false_discovery_control(p.ravel(), method="bh").reshape(p.shape)
    assert benjamini_hochberg(p) == pytest.approx(expected)


def test_benjamini_hochberg_on_the_published_example() -> None:
    # Benjamini and Hochberg (1995), section 3: at 5 % exactly the four smallest of 15 hold.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262]
    p += [0.5719, 0.6528, 0.7590, 1.0]
    assert (benjamini_hochberg(p) <= 0.05).tolist() == [True] * 4 + [False] * 11


def test_untestable_pairs_do_not_count() -> None:
    adjusted = benjamini_hochberg([float("nan"), 0.02, 0.04])
    assert np.isnan(adjusted[0])
    assert adjusted[1:].tolist() == [0.04, 0.04]
    assert benjamini_hochberg([]).size == 0
