"""Wilson's interval against R's prop.test and its own definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxpop.stats import wilson

# R 4.2.2: prop.test(x, n, correct = FALSE)$conf.int
R = [
    (10, 13, 0.497436240532725, 0.918204712815014),
    (38, 52, 0.597477801663729, 0.832310397048335),
    (153, 248, 0.555085372744534, 0.67521824871477),
    (2, 3, 0.207659600802048, 0.938508055279604),
    (0, 3, 0.0, 0.561497031755045),
]


@pytest.mark.parametrize(("count", "base", "low", "high"), R)
def test_equals_r(count: int, base: int, low: float, high: float) -> None:
    np.testing.assert_allclose(np.ravel(wilson(count / base, base)), [low, high], rtol=1e-9, atol=1e-15)


def test_of_an_empty_base_is_missing() -> None:
    low, high = wilson([np.nan, 0.5], [0, 0])
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_ends_exactly_at_zero_and_one() -> None:
    low, high = wilson([0.0, 1.0], 50)
    assert (low[0], high[1]) == (0.0, 1.0)


@given(st.floats(0, 1), st.floats(1, 1e6))
def test_holds_the_share_and_stays_within_zero_and_one(share: float, base: float) -> None:
    low, high = wilson(share, base)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


def test_more_confidence_is_wider() -> None:
    narrow, wide = wilson(0.4, 80, level=0.9), wilson(0.4, 80, level=0.99)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize("level", [0, 1, 95])
def test_refuses_a_level_that_is_no_share(level: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        wilson(0.5, 10, level=level)
