"""Checks that people and agents stand for the same population, and the table of their profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from voxpop.analysis.frames import Bools, Floats
from voxpop.combining.predicted import profile_codes, shared_levels
from voxpop.combining.sides import Attribute, Codes, Side, name_of
from voxpop.errors import UsageError
from voxpop.stats.bases import effective_base
from voxpop.stats.predictions import FEWEST, Combined

LEVEL = 0.001
"""Level at which a difference between people and agents is refused."""

FURTHEST = 4.0
"""Standard errors by which the predictions for people may differ from those for agents."""

_SAME = 1e-9


@dataclass(frozen=True, eq=False, slots=True)
class Strata:
    """Strata of both sides, as positions in one list of labels; empty labels if there are none."""

    people: Codes
    agents: Codes
    labels: tuple[str, ...]
    names: tuple[str, ...]


def strata_of(people: Side, agents: Side, keys: Sequence[Attribute]) -> Strata:
    """Cross the columns of the strata."""
    own, theirs = np.zeros(people.kept.size, np.intp), np.zeros(agents.kept.size, np.intp)
    labels = [""]
    for key in keys:
        levels = shared_levels(people, agents, key)
        first, second, many = profile_codes(people, agents, key)
        own = np.where((own >= 0) & (first >= 0), own * many + first, -1)
        theirs = np.where((theirs >= 0) & (second >= 0), theirs * many + second, -1)
        labels = [f"{label}, {level}".removeprefix(", ") for label in labels for level in levels]
    return Strata(own, theirs, tuple(labels), tuple(name_of(key) for key in keys))


def check_strata(strata: Strata, people: Bools, agents: Bools) -> None:
    """Refuse strata that are missing for people, or in which there are no agents."""
    if not strata.names:
        return
    if lost := int(np.count_nonzero(people & (strata.people < 0))):
        raise UsageError(
            f"strata: {lost:,} people have no {' or '.join(strata.names)}; leave them out with where=, "
            "or give "
            "them a level of their own."
        )
    for code in np.unique(strata.people[people]):
        if (many := int(np.count_nonzero(agents & (strata.agents == code)))) < 2:
            raise UsageError(
                f"strata: there are people in {strata.labels[code]!r}, but {many} agents; recruit agents "
                "there, or "
                "take fewer strata."
            )


def balance(
    people: Side, agents: Side, keys: Sequence[Attribute], masks: tuple[Bools, Bools], strata: Strata
) -> pd.DataFrame:
    """Return the profiles of people and agents: one row per column and level.

    With strata, agents are weighted to the people's mix of them.

    Returns
    -------
    pandas.DataFrame
        ``column``, ``level``, ``people``, ``agents`` (percent, weighted), ``difference`` and ``z``, the
        difference in standard errors.
    """
    inside, pool = masks
    own = _weights(people, inside)
    theirs = _weights(agents, pool)
    if strata.names:
        theirs = theirs * _to_people(strata, own, theirs)
    rows = []
    for key in dict.fromkeys(keys):
        levels = shared_levels(people, agents, key)
        codes, more, _ = profile_codes(people, agents, key)
        first, second = own * (codes >= 0), theirs * (more >= 0)
        bases = [float(effective_base(w.sum(), (w**2).sum())) for w in (first, second)]
        for place, level in enumerate(levels):
            shares = [float(w[c == place].sum() / w.sum()) for w, c in ((first, codes), (second, more))]
            if not any(shares):
                continue  # a declared level that nobody has
            both = (bases[0] * shares[0] + bases[1] * shares[1]) / sum(bases)
            error = np.sqrt(both * (1 - both) * (1 / bases[0] + 1 / bases[1]))
            apart = shares[0] - shares[1]
            z = float(apart / error) if error > 0 else 0.0
            rows.append((name_of(key), level, 100 * shares[0], 100 * shares[1], 100 * apart, z))
    return pd.DataFrame(rows, columns=["column", "level", "people", "agents", "difference", "z"])


def _weights(side: Side, mask: Bools) -> Floats:
    return np.asarray(mask * (1.0 if side.weights is None else side.weights), dtype=np.float64)


def _to_people(strata: Strata, own: Floats, theirs: Floats) -> Floats:
    size = len(strata.labels)
    wanted, held = (
        np.bincount(np.maximum(codes, 0), weights=w * (codes >= 0), minlength=size)
        for codes, w in ((strata.people, own), (strata.agents, theirs))
    )
    factors = np.divide(wanted, held, out=np.zeros(size), where=held > 0)
    return np.where(strata.agents >= 0, factors[np.maximum(strata.agents, 0)], 0.0)


def check_balance(table: pd.DataFrame, strata: Strata, weights: tuple[str | None, str | None]) -> None:
    """Refuse agents of another population than the people's.

    Raises
    ------
    UsageError
        If a share differs by more than chance explains (level 0.001 over all levels), or the agents were
        weighted to this very sample.
    """
    from scipy.special import ndtri  # imported where used

    held = table[~table["column"].isin(strata.names)]
    if held.empty:
        return
    if weights[1] is not None and weights[0] is None and held["difference"].abs().max() < _SAME:
        raise UsageError(
            f"The agents are weighted ({weights[1]!r}) to exactly the profile of these people. Agents "
            "tell something "
            "about the population only if their profile comes from elsewhere: weight both to the "
            "population, or "
            f"leave the agents unweighted and take strata={held['column'].iloc[0]!r}."
        )
    furthest = held.iloc[int(held["z"].abs().to_numpy().argmax())]
    if abs(furthest["z"]) > -float(ndtri(LEVEL / 2 / len(held))):
        column, level = furthest["column"], furthest["level"]
        raise UsageError(
            f"{column}: {furthest['people']:.1f} % of the people are {level!r}, but "
            f"{furthest['agents']:.1f} % of the "
            "agents, which is more than chance explains. Agents have to stand for the population of the "
            "people. "
            "Weight the people to the population (vp.rake, weight=), choose both with the same where=, "
            "or take "
            f"strata={column!r}, which uses the people's own mix."
        )


def check_shift(found: Combined, where: str) -> None:
    """Refuse predictions that differ between people and agents by more than chance explains."""
    if found.n_eff >= FEWEST and abs(found.shift_z) > FURTHEST:
        raise UsageError(
            f"{where}: the mean prediction for the agents differs from that for the people by "
            f"{found.shift:+.3g}, {abs(found.shift_z):.1f} standard errors. Agents and people do not "
            "stand for the "
            "same population, or twins know less of their people than the other agents know of "
            "themselves. Bring "
            "both with the same profile columns (vp.people), or take strata=."
        )
