"""Normal deviates from counter-based draws."""

from __future__ import annotations

from functools import cache

from voxpop.engines.draws import draws

_NORMAL_SCALE = 1 / 37837.0  # four 16-bit draws have a standard deviation of 65536 * sqrt(4 / 12)


def normal(block: tuple[int, ...], start: int = 0) -> float:
    """Return an approximately normal number (mean 0, deviation 1, within ±3.5) from four draws of a block.

    Sums of uniforms need no logarithm, so all digits are identical on every platform.
    """
    return (block[start] + block[start + 1] + block[start + 2] + block[start + 3] - 131070) * _NORMAL_SCALE


@cache
def quantile(share: float) -> float:
    """Return the standard normal quantile of a share.

    Examples
    --------
    >>> quantile(0.5), round(quantile(0.16), 2)
    (0.0, -0.99)
    """
    from statistics import NormalDist  # slower to import than the rest of the engine's arithmetic

    return NormalDist().inv_cdf(share)


def normals(parts: bytes, count: int) -> list[float]:
    """Return ``count`` approximately normal numbers, 1 to 128."""
    numbers: list[float] = []
    step = 0
    while len(numbers) < count:
        block = draws(parts, step.to_bytes(2, "big"))
        numbers.extend(normal(block, start) for start in range(0, 32, 4))
        step += 1
    return numbers[:count]
