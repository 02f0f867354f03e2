"""Cautions for readers of figures: standing notes and warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import placeholder_notice, source_notices, survey_notice
from voxpop.survey.provenance import Provenance

NOT_EVIDENCE = "Agents are simulated and chosen by filters: this is not evidence about people."
MIXED = (
    "Answers of simulated agents and of people are mixed, or only some rows say whose they are: what agents "
    "answer is not evidence about people."
)
_CAUTIONS: dict[Provenance, tuple[str, ...]] = {
    "simulated": (NOT_EVIDENCE,),
    "human": (),
    "mixed": (MIXED,),
    "unknown": (),
}
_SAMPLE = "the sampling error of a simple random sample"
_NOISE: dict[Provenance, str] = {
    "simulated": "tell only the noise of drawing agents",
    "human": f"show {_SAMPLE} of people; they leave out coverage and nonresponse",
    "mixed": "treat all rows as one random sample, which they are not",
    "unknown": f"show {_SAMPLE}; how these rows were sampled is not known",
}
_P_VALUE: dict[Provenance, str] = {
    "simulated": "two cohorts drawn from one and the same pool",
    "human": "samples of two cohorts that are alike",
    "mixed": "two cohorts drawn at random from one and the same pool",
    "unknown": "two cohorts drawn at random from one and the same pool",
}
NOUNS: dict[Provenance, str] = {
    "simulated": "agents",
    "human": "people",
    "mixed": "respondents",
    "unknown": "respondents",
}
"""Nouns for the rows of data, by provenance."""


_MOST_SOURCES = 3
"""Sources named above a table; the codebook has all of them."""


class AnalysisWarning(UserWarning):
    """Warning: a figure was computed, but a property of the data makes it doubtful."""


def caution(provenance: Provenance) -> tuple[str, ...]:
    """Return the note required below answers; empty unless the answers come from agents.

    Examples
    --------
    >>> caution("simulated"), caution("unknown")
    (('Agents are simulated and chosen by filters: this is not evidence about people.',), ())
    """
    return _CAUTIONS[provenance]


def standing_note(provenance: Provenance, *, tested: bool, how: str = "Wilson") -> str:
    """Return the note below every table: the provenance of the answers and the meaning of its intervals.

    Parameters
    ----------
    provenance : {"simulated", "human", "mixed", "unknown"}
        Provenance of the answers.
    tested : bool
        Whether the table has significance letters.
    how : str, default "Wilson"
        Method of the intervals.

    Examples
    --------
    >>> standing_note("simulated", tested=False)
    'Agents are simulated ... Intervals (95 %, Wilson) tell only the noise of drawing agents.'
    >>> standing_note("human", tested=False)
    'Intervals (95 %, Wilson) show the sampling error of a simple random sample of people; ...'
    """
    told = f"Intervals (95 %, {how}){', letters and p-values' if tested else ''} {_NOISE[provenance]}"
    if tested:
        joint = ": a" if provenance == "simulated" else ". A"
        told += f"{joint} p-value is how often {_P_VALUE[provenance]} would differ by this much or more"
    return " ".join([*caution(provenance), f"{told}."])


def grounds_told(about: Mapping[str, Mapping[str, Any]], names: Iterable[str]) -> tuple[str, ...]:
    """Return notices on what the answers of columns rest on: placeholders first, then sources.

    Parameters
    ----------
    about : mapping
        Metadata of the columns, as :meth:`voxpop.tables.Store.respondents` attaches it: ``bases`` counts what
        the answers rest on. Columns without it have no notice.
    names : iterable of str
        The columns used.

    Examples
    --------
    >>> rests = {"switch": {"bases": [{"kind": "none", "answers": 12, "notes": ["No figure is known."]}]}}
    >>> grounds_told(rests, ["age", "switch"])
    ("Placeholders: no figure is known for 'switch' (12 of 12 answers). Nothing here is a finding.",)
    >>> rests = {"legal": {"bases": [{"kind": "published", "answers": 9, "notes": ["Shares of 2020."]}]}}
    >>> grounds_told(rests, ["legal"])
    ("Published, 'legal': Shares of 2020.",)
    """
    lost: list[str | None] = []
    sourced: list[str] = []
    for name in dict.fromkeys(names):
        bases = about.get(name, {}).get("bases") or ()
        missing = sum(one["answers"] for one in bases if one["kind"] == NONE)
        lost.append(placeholder_notice(name, missing, sum(one["answers"] for one in bases)))
        lost.append(survey_notice(name, bases))
        sourced += source_notices(name, bases)
    more = len(sourced) - _MOST_SOURCES
    if more > 0:
        sourced[_MOST_SOURCES:] = [f"{more:,} more {'source' if more == 1 else 'sources'} in the codebook."]
    return (*(told for told in lost if told is not None), *sourced)


def versions_told(
    versions: Sequence[str], source: str, provenance: Provenance = "unknown", stacklevel: int = 3
) -> tuple[str, ...]:
    """Return notes on the provenance of answers and health data; warn if several versions are mixed.

    Parameters
    ----------
    versions : sequence of str
        The distinct versions of the health figures; empty if no health attribute is used.
    source : str
        Source of the data, as worded by :meth:`voxpop.tables.Store.respondents`.
    provenance : {"simulated", "human", "mixed", "unknown"}
        Mixed data cause a warning; the standing note below the table explains the consequence.
    stacklevel : int, default 3
        Stack level of the warning.

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
    for remark in [*mixed, *([MIXED] if provenance == "mixed" else [])]:
        warnings.warn(remark, AnalysisWarning, stacklevel=stacklevel)
    alone = len(versions) == 1 and versions[0] not in source
    return (*mixed, *([f"Health attributes: {versions[0]}."] if alone else []))
