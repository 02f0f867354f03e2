"""Counter-based draws: the same words give the same numbers on every machine and in every process."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b

_NORMAL_SCALE = 1 / 37837.0  # four 16-bit draws have a standard deviation of 65536 * sqrt(4 / 12)


def key(*parts: object) -> bytes:
    """Return 8 bytes that stand for these parts.

    Examples
    --------
    >>> key("price", 3) == key("price", 3), key("price", 3) == key("price", 4)
    (True, False)
    """
    return blake2b("\x1f".join(map(str, parts)).encode(), digest_size=8).digest()


def draws(*parts: bytes) -> tuple[int, ...]:
    """Return 32 independent integers in 0..65535 for these parts."""
    digest = blake2b(b"\x1f".join(parts), digest_size=64).digest()
    return tuple(memoryview(digest).cast("H")) if _LITTLE else _swapped(digest)


def normal(block: tuple[int, ...], start: int = 0) -> float:
    """Return a near-normal number (mean 0, deviation 1, within ±3.5) from four draws of a block.

    Sums of uniforms need no logarithm, so the last digit does not depend on the platform.
    """
    return (block[start] + block[start + 1] + block[start + 2] + block[start + 3] - 131070) * _NORMAL_SCALE


@cache
def quantile(share: float) -> float:
    """Return the standard normal deviate below which a share of the draws lies.

    Examples
    --------
    >>> quantile(0.5), round(quantile(0.16), 2)
    (0.0, -0.99)
    """
    from statistics import NormalDist  # costs more to import than the rest of the engine's arithmetic

    return NormalDist().inv_cdf(share)


def normals(parts: bytes, count: int) -> list[float]:
    """Return ``count`` near-normal numbers, 1 to 128."""
    numbers: list[float] = []
    step = 0
    while len(numbers) < count:
        block = draws(parts, step.to_bytes(2, "big"))
        numbers.extend(normal(block, start) for start in range(0, 32, 4))
        step += 1
    return numbers[:count]


def _swapped(digest: bytes) -> tuple[int, ...]:
    return tuple(digest[i] | digest[i + 1] << 8 for i in range(0, 64, 2))


_LITTLE = memoryview(b"\x01\x00").cast("H")[0] == 1
