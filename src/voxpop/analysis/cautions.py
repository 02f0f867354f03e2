"""What a reader must know of a figure before using it: the standing notes, and warnings."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

NOT_EVIDENCE = "Agents are simulated and chosen by filters: this is not evidence about people."
INTERVALS = "Intervals (95 %, {how}) tell only the noise of drawing agents."
P_VALUES = (
    "Intervals (95 %, {how}), letters and p-values tell only the noise of drawing agents: a p-value is how "
    "often two cohorts drawn from one and the same pool would differ by this much or more."
)


class AnalysisWarning(UserWarning):
    """A figure was made, but something about the data makes it doubtful."""


def standing_note(*, tested: bool, how: str = "Wilson") -> str:
    """Return the note that stands under every table: what agents are, and what noise means here.

    Examples
    --------
    >>> standing_note(tested=False)
    'Agents are simulated ... Intervals (95 %, Wilson) tell only the noise of drawing agents.'
    """
    return f"{NOT_EVIDENCE} {(P_VALUES if tested else INTERVALS).format(how=how)}"


def versions_told(versions: Sequence[str], source: str, stacklevel: int = 3) -> tuple[str, ...]:
    """Return the remarks on where answers and health data come from; warn when several versions are mixed.

    Parameters
    ----------
    versions : sequence of str
        The different versions of the health figures, in words; none where no health attribute is used.
    source : str
        Where the data come from, in the words of :meth:`voxpop.tables.Store.respondents`.
    stacklevel : int, default 3
        Whose line the warning names.

    Examples
    --------
    >>> versions_told(["NHANES 2021-2023, method 2"], "engine embedded-1; population 1-7-100")
    ('Health attributes: NHANES 2021-2023, method 2.',)
    """
    mixed = []
    for part in source.split("; "):
        kind, _, names = part.partition(" ")
        if kind in ("engine", "population") and ", " in names:
            mixed.append(f"Answers of several {kind}s are mixed: {names}.")
    if len(versions) > 1:
        mixed.append(f"Health data of {len(versions)} versions are mixed: {'; '.join(versions)}.")
    for remark in mixed:
        warnings.warn(remark, AnalysisWarning, stacklevel=stacklevel)
    alone = len(versions) == 1 and versions[0] not in source
    return (*mixed, *([f"Health attributes: {versions[0]}."] if alone else []))
