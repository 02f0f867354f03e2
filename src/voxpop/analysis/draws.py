"""Validation of seeds and of numbers of resamples."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from voxpop.errors import UsageError


def check_seed(seed: Any) -> None:
    """Refuse a seed that does not make draws reproducible.

    Raises
    ------
    UsageError
        If the seed is not a nonnegative integer; None would draw anew at each call.

    Examples
    --------
    >>> check_seed(None)
    Traceback (most recent call last):
    voxpop.errors.UsageError: seed must be a whole number of 0 or more, not None.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise UsageError(f"seed must be a whole number of 0 or more, not {seed!r}.")


def check_draws(seed: Any, resamples: Any) -> None:
    """Refuse an invalid seed or number of resamples.

    Examples
    --------
    >>> check_draws(0, 0)
    Traceback (most recent call last):
    voxpop.errors.UsageError: resamples must be a whole number of 1 or more, not 0.
    """
    check_seed(seed)
    if isinstance(resamples, bool) or not isinstance(resamples, Integral) or resamples < 1:
        raise UsageError(f"resamples must be a whole number of 1 or more, not {resamples!r}.")
