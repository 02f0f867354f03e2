"""Predictions of people's answers: those of their twins, or the mean answers of agents with a like "
"profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from voxpop.analysis.frames import Bools, Floats
from voxpop.combining.sides import Attribute, Codes, Side, name_of
from voxpop.errors import UsageError

FEWEST = 5
"""Minimum number of agents in a cell; cells with fewer are merged over the last column of ``on``."""


@dataclass(frozen=True, eq=False, slots=True)
class Pairing:
    """How predictions are found.

    Attributes
    ----------
    rows : array of int
        Per person the row of their agent, -1 without one; empty if cells predict.
    pool : array of bool
        Whether each agent belongs to the sample of the population.
    person_cells, agent_cells : list of arrays of int
        Cells of the profile, from the finest to all in one; -1 where a value is missing.
    words : str
        The way of predicting, for the caption.
    """

    rows: Codes
    pool: Bools
    person_cells: list[Codes]
    agent_cells: list[Codes]
    words: str

    @property
    def by_twins(self) -> bool:
        """Return whether people have twins."""
        return self.rows.size > 0

    def predict(self, answers: Floats) -> tuple[Floats, Floats]:
        """Return the prediction of each person and of each agent; NaN if there is none.

        Parameters
        ----------
        answers : array of float
            Answers of all agents, NaN where missing.
        """
        if self.by_twins:
            held = np.where(self.rows >= 0, answers[self.rows], np.nan)
            return np.asarray(held), answers
        people = np.full(self.person_cells[0].size, np.nan)
        agents = np.full(answers.size, np.nan)
        told = self.pool & ~np.isnan(answers)
        for own, theirs in zip(self.person_cells, self.agent_cells, strict=True):
            cells = int(max(own.max(initial=0), theirs.max(initial=0))) + 1
            used = told & (theirs >= 0)
            counts = np.bincount(theirs[used], minlength=cells)
            sums = np.bincount(theirs[used], weights=answers[used], minlength=cells)
            means = np.divide(sums, counts, out=np.full(cells, np.nan), where=counts >= FEWEST)
            for cell, made in ((own, people), (theirs, agents)):
                open_ = np.isnan(made) & (cell >= 0)
                made[open_] = means[cell[open_]]
        return people, np.where(told, agents, np.nan)


def twin_pairing(people: Side, agents: Side, key: str, answered: Bools) -> Pairing:
    """Pair people with the agents of the same key; all other agents are the sample of the population.

    Raises
    ------
    UsageError
        If a key is not unique, nobody has a twin, or no agent is left that is nobody's twin.
    """
    labels = [_labels(side, key) for side in (people, agents)]
    places = {label: place for place, label in enumerate(labels[1]) if label is not None}
    rows = np.array([-1 if label is None else places.get(label, -1) for label in labels[0]], dtype=np.intp)
    rows = np.where(people.kept & answered, rows, -1)
    if not (rows >= 0).any():
        shown = ", ".join(repr(label) for label in [one for one in labels[1] if one is not None][:3])
        raise UsageError(
            f"twins={key!r}: no person who answered has an agent with the same value; agents have "
            f"{shown or 'none'}."
        )
    pool = agents.kept.copy()
    pool[rows[rows >= 0]] = False
    if np.count_nonzero(pool) < 2:
        raise UsageError(
            f"twins={key!r}: all agents are twins of people who answered. The figures also need agents "
            "that are "
            "drawn from the population of the people, or twins of people who were not asked."
        )
    return Pairing(rows, pool, [], [], f"predictions: twins by {key}")


def _labels(side: Side, key: str) -> list[str | None]:
    variable = side.variable(key, most=False)
    codes = side.codes(key, variable.levels)
    told = codes[side.kept & (codes >= 0)]
    counts = np.bincount(told, minlength=len(variable.levels))
    if (counts > 1).any():
        raise UsageError(
            f"twins={key!r}: {side.noun} have {variable.levels[int(counts.argmax())]!r} "
            f"{int(counts.max())} times; "
            "each value may stand for one person and one agent."
        )
    return [
        variable.levels[code] if code >= 0 and kept else None
        for code, kept in zip(codes, side.kept, strict=True)
    ]


def cell_pairing(people: Side, agents: Side, on: Sequence[Attribute]) -> Pairing:
    """Predict by the mean answer of agents in cells of profile columns."""
    columns = [profile_codes(people, agents, key) for key in on]
    person_cells, agent_cells = [], []
    for depth in range(len(columns), -1, -1):
        own, theirs = np.zeros(people.kept.size, np.intp), np.zeros(agents.kept.size, np.intp)
        for first, second, many in columns[:depth]:
            own = np.where((own >= 0) & (first >= 0), own * many + first, -1)
            theirs = np.where((theirs >= 0) & (second >= 0), theirs * many + second, -1)
        person_cells.append(own)
        agent_cells.append(theirs)
    words = f"predictions: mean answers of agents of the same {_listed([name_of(key) for key in on])}"
    return Pairing(np.zeros(0, np.intp), agents.kept.copy(), person_cells, agent_cells, words)


def profile_codes(people: Side, agents: Side, key: Attribute) -> tuple[Codes, Codes, int]:
    """Return the levels of a profile column on both sides as positions in one list, and its length.

    Raises
    ------
    UsageError
        If no level of the people is one of the agents.
    """
    levels = shared_levels(people, agents, key)
    return people.codes(key, levels), agents.codes(key, levels), len(levels)


def shared_levels(people: Side, agents: Side, key: Attribute) -> list[str]:
    """Return the levels that either side has, those of the people first."""
    own, theirs = (side.variable(key).levels for side in (people, agents))
    if not set(own) & set(theirs):
        raise UsageError(
            f"{name_of(key)!r} has no level in common: people have {', '.join(own[:6])}; agents have "
            f"{', '.join(theirs[:6])}. Give both the same labels, or cut numbers with vp.bands."
        )
    return list(dict.fromkeys([*own, *theirs]))


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def answers_of(side: Side, question: str, levels: Sequence[str]) -> Mapping[str, Floats]:
    """Return, per level, 1 for rows that have it, 0 for those that answered otherwise, NaN for no answer."""
    variable = side.variable(question)
    answered = variable.answered[side.order]
    members = side.members(variable)
    nobody = np.zeros(answered.size, dtype=np.bool_)
    return {level: np.where(answered, members.get(level, nobody) * 1.0, np.nan) for level in levels}
