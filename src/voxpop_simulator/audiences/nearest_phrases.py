"""The nearest things that can be asked for, for a phrase that is not understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from voxpop.vocabulary import FIELDS
from voxpop_simulator.audiences.occupation_names import fold_phrase
from voxpop_simulator.questions.topics import content

_MOST = 3


def choices(words: str, labels: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return up to three values of the vocabulary that share a word with a phrase, the nearest first.

    Examples
    --------
    >>> choices("untreated sleep apnea", {})
    ('sleep apnea',)
    """
    wanted = content(fold_phrase(words))
    if not wanted:
        return ()
    scored = []
    for shown, stems in _values(tuple(labels.get("occupation", ()))):
        shared = len(wanted & stems)
        if shared:
            scored.append((-shared / len(wanted | stems), len(shown), shown))
    return tuple(shown for score, _, shown in sorted(scored)[:_MOST] if score <= -0.25)


@lru_cache(maxsize=4)
def _values(occupations: tuple[str, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    fields = (
        "health_conditions",
        "health_drug_classes",
        "labour_status",
        "insurance",
        "occupation_major_group",
    )
    shown = [value.replace("_", " ") for name in fields for value in FIELDS[name].levels]
    return tuple((one, content(fold_phrase(one))) for one in (*shown, *occupations))
