"""Rounding for display: half up, as analysts expect; data keep full precision."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def one_decimal(value: float) -> str:
    """Format a number with one decimal, rounding half up.

    Examples
    --------
    >>> one_decimal(12.25), one_decimal(0.05), one_decimal(100.0)
    ('12.3', '0.1', '100.0')
    """
    return f"{_round(value, '0.1'):,}"


def whole(value: float) -> str:
    """Format a number without decimals, rounding half up, with thousands separators.

    Examples
    --------
    >>> whole(12.5), whole(6193.99995803834)
    ('13', '6,194')
    """
    return f"{_round(value, '1'):,}"


def _round(value: float, step: str) -> Decimal:
    # round to nine digits first: 100 * x / base may be 12.249999999999998 instead of 12.25
    return Decimal(repr(round(float(value), 9))).quantize(Decimal(step), rounding=ROUND_HALF_UP)


def number_text(value: float) -> str:
    """Format a mean, with two decimals if it is small."""
    return f"{value:,.2f}" if abs(value) < 100 else one_decimal(value)
