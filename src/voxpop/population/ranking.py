"""Soft targeting: sampling weights from the words shared by a description and an agent's profile.

Each shared word multiplies the weight by :data:`PER_WORD`, up to five words. All weights are positive, so no
agent is excluded. A sample drawn with these weights is an unequal-probability sample: its shares and means
are not those of the matching agents. See :mod:`voxpop.population.sampling` for the draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from voxpop.population.columns import LISTS
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.places import STATES
from voxpop.vocabulary.values import canonical

RANKED = tuple(name for name, field in FIELDS.items() if field.ranked)
"""Fields whose words count."""

PER_WORD = 4.0
"""Factor of an agent's weight per shared word."""

_MOST_WORDS = 5
_WORD = re.compile(r"[a-z0-9]+(?:-[0-9]+)?")
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """a about adult adults agent agents all an and any are as at be been by do for from group has have
        in into is it like live living no none not of on only or other people person persons some than that
        the their them they this to us usa want who whose with work worker workers working except including
        first line""",
    )
)


def stem(word: str) -> str:
    """Return a word without its insignificant endings.

    Examples
    --------
    >>> stem("nurses"), stem("teaching"), stem("teachers"), stem("bus")
    ('nurse', 'teach', 'teach', 'bus')
    """
    for ending, put in (("ies", "y"), ("ers", ""), ("ing", ""), ("er", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            return word[: -len(ending)] + put
    return word


def words(text: str) -> frozenset[str]:
    """Return the stems of the significant words of a text."""
    found = _WORD.findall(text.casefold().replace("_", " "))
    return frozenset(stem(word) for word in found if word not in _EMPTY and len(word) > 1)


def nearness(description: str, labels: Mapping[str, Sequence[str]]) -> dict[str, npt.NDArray[np.float64]]:
    """Return the number of shared words per label, for each field with any match.

    Parameters
    ----------
    description : str
        Free text.
    labels : mapping
        Labels of each field, in code order.

    Examples
    --------
    >>> nearness("nurses in Texas", {"occupation": ["Cashiers", "Registered Nurses"], "state": ["CA"]})
    {'occupation': array([0., 1.])}
    """
    wanted = words(description)
    named = {name: _named(name, description) for name in LISTS}
    found = {}
    for field in RANKED:
        options = labels.get(field, ())
        score = np.array([float(len(wanted & _profile_words(field, label))) for label in options])
        for at, label in enumerate(options):
            if label in named.get(field, ()):
                score[at] = max(score[at], 1.0)
        if score.any():
            found[field] = score
    return found


def scored(
    values: npt.NDArray[np.integer], score: npt.NDArray[np.float64], bits: bool
) -> npt.NDArray[np.int64]:
    """Return the number of shared words of each agent in one field.

    Parameters
    ----------
    values : array (agents,)
        Codes of labels, -1 if missing; or with ``bits`` one bit per label.
    score : array (labels,)
    bits : bool

    Examples
    --------
    >>> scored(np.array([1, -1]), np.array([0.0, 2.0]), False)
    array([2, 0])
    >>> scored(np.array([3, 0]), np.array([1.0, 1.0]), True)
    array([2, 0])
    """
    if not bits:
        return np.asarray(np.append(score, 0).astype(np.int64)[values])
    total = np.zeros(values.size, dtype=np.int64)
    masks = values.astype(np.uint64)
    for at in np.flatnonzero(score):
        total += (masks >> np.uint64(at) & np.uint64(1)).astype(np.int64) * int(score[at])
    return total


def weights(scores: Iterable[npt.NDArray[np.int64]], size: int) -> npt.NDArray[np.float64]:
    """Return the weight of each agent, which is 1 without shared words."""
    total = np.zeros(size, dtype=np.int64)
    for score in scores:
        total += score
    return np.asarray((PER_WORD ** np.arange(_MOST_WORDS + 1.0))[np.minimum(total, _MOST_WORDS)])


def _profile_words(field: str, label: str) -> frozenset[str]:
    return words(STATES.get(label, label) if field == "state" else label)


def _named(field: str, description: str) -> set[str]:
    """Return the slugs that a description refers to by a synonym of up to three words."""
    parts = re.findall(r"[\w-]+", description)
    spans = [
        " ".join(parts[at : at + length]) for length in (1, 2, 3) for at in range(len(parts) - length + 1)
    ]
    return {canonical(FIELDS[field], span) for span in spans}
