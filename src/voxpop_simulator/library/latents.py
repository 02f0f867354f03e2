"""Attitudes beyond the profile: normal scores shared by related items, the same in every study."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from operator import mul
from statistics import NormalDist

from voxpop.engines.draws import draws, key
from voxpop_simulator.library.files import rows

_STEPS = 65536
_DRAWS = 32
_GENERAL = key("library of human answers", "factors")


@cache
def _normals() -> tuple[float, ...]:
    """Return the normal score of each of the numbers that are drawn."""
    normal = NormalDist()
    return tuple(normal.inv_cdf((step + 0.5) / _STEPS) for step in range(_STEPS))


@cache
def loadings() -> dict[str, tuple[tuple[float, ...], float, float]]:
    """Return for each item its loadings on the general factors and its family's, and the rest."""
    made = {}
    for row in rows("loadings"):
        general = tuple(int(row[name]) / 1000 for name in row if name.startswith("factor_"))
        own = int(row["family"]) / 1000
        left = math.sqrt(max(1.0 - sum(load * load for load in general) - own * own, 0.0))
        made[row["item"]] = general, own, left
    return made


@lru_cache(maxsize=32768)
def _factors(uuid: bytes) -> tuple[float, ...]:
    normals = _normals()
    return tuple(normals[step] for step in draws(_GENERAL, uuid)[:16])


@cache
def _members() -> dict[str, list[str]]:
    """Return the names of the items of each family; each has its own draw, after that of the family."""
    told: dict[str, list[str]] = {}
    for row in rows("items"):
        told.setdefault(row["family"], []).append(row["item"])
    assert max(map(len, told.values())) < _DRAWS
    return told


class Latent:
    """Normal scores of agents for one item.

    Two items of one family, or with loadings on the same factors, give scores that go together as the
    answers of people do. An item that nobody's record holds stands alone.

    Parameters
    ----------
    item, family : str
        Name of the item and of its family.

    Examples
    --------
    >>> one, other = Latent("conbus", "conarmy"), Latent("conlegis", "conarmy")
    >>> people = [b"%d" % number for number in range(400)]
    >>> sum((one.score(uuid) > 0) == (other.score(uuid) > 0) for uuid in people) > 220
    True
    """

    def __init__(self, item: str, family: str) -> None:
        self._general, self._own, self._left = loadings().get(item, ((), 0.0, 1.0))
        self._family = key("library of human answers", "family", family)
        self._place = 1 + _members()[family].index(item)

    def score(self, uuid: bytes) -> float:
        """Return the score of the agent with a UUID; over agents it is standard normal."""
        normals, steps = _normals(), draws(self._family, uuid)
        made = self._left * normals[steps[self._place]] + self._own * normals[steps[0]]
        return made + sum(map(mul, self._general, _factors(uuid))) if self._general else made
