"""The variables of a model: attributes as levels against a reference level, numbers as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import Bools
from voxpop.analysis.frames import Frame, Variable
from voxpop.errors import UsageError
from voxpop.stats.regression import collinear
from voxpop.survey.bands import Bands
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Term:
    """A variable of a model.

    Attributes
    ----------
    name, text : str
        The column, and its wording.
    levels : tuple of str
        The levels with a coefficient each; empty for a number.
    reference : str
        The level that the others are compared with; empty for a number or a multi-response column.
    places : slice
        Its columns in the matrix of the model.
    counts : tuple of int
        Respondents per level, or in all.
    empty : tuple of str
        Declared levels without a respondent, which are left out.
    """

    name: str
    text: str
    levels: tuple[str, ...]
    reference: str
    places: slice
    counts: tuple[int, ...]
    empty: tuple[str, ...] = ()

    def label(self, place: int) -> str:
        """Return the label of a column of the matrix, by its position."""
        if not self.levels:
            return repr(self.name)
        return f"{self.name!r} {self.levels[place - self.places.start]!r}"


@dataclass(frozen=True, eq=False, slots=True)
class Terms:
    """The variables of a model for the rows that have them all.

    Attributes
    ----------
    terms : tuple of Term
        The variables in order.
    rows : array of int
        The rows of the frame in the model.
    matrix : array (rows, columns)
        The variables without a constant.
    missing : dict of str to int
        Respondents left out, by the first column that they lack.
    """

    terms: tuple[Term, ...]
    rows: npt.NDArray[np.intp]
    matrix: Floats
    missing: Mapping[str, int]

    def label(self, place: int) -> str:
        """Return the label of a column of the matrix."""
        return next(t for t in self.terms if t.places.start <= place < t.places.stop).label(place)


@dataclass(frozen=True, eq=False, slots=True)
class _Read:
    """An attribute as read: levels with their members, or numbers."""

    name: str
    text: str
    known: Bools
    numbers: Floats | None = None
    variable: Variable | None = None


def is_numeric(frame: Frame, name: str) -> bool:
    """Return whether a column enters a model as a number: numeric, and not declared as categories."""
    return frame.is_number(name) and not frame.declared(name)


def read_terms(
    frame: Frame,
    keys: Sequence[str | Bands],
    inside: Bools,
    outcome: tuple[str, Bools],
    references: Mapping[str, Any] | None = None,
) -> Terms:
    """Read the variables of a model.

    Parameters
    ----------
    frame : Frame
        The data.
    keys : sequence of str or Bands
        The columns.
    inside : array of bool
        The rows chosen that have a weight.
    outcome : (str, array of bool)
        The column of the outcome, and the rows that have it.
    references : mapping, optional
        Reference levels by column.

    Raises
    ------
    UsageError
        If a variable is constant, a reference is no level with respondents, or too few rows are complete.
    """
    read = [_read(frame, key) for key in keys]
    held, missing = inside, {}
    for name, known in (outcome, *((one.name, one.known) for one in read)):
        lost = int(frame.counts[held & ~known].sum())
        if lost:
            missing[name] = lost
        held = held & known
    rows = np.flatnonzero(held)
    count = int(frame.counts[rows].sum())
    if not count:
        told = ", ".join(repr(one.name) for one in read)
        raise UsageError(f"No respondent has an answer to {outcome[0]!r} and to all of {told}.")
    terms: list[Term] = []
    columns: list[Floats] = []
    wanted = dict(references or {})
    for one in read:
        term, own = _term(frame, one, rows, len(columns), wanted.pop(one.name, None))
        terms.append(term)
        columns += own
    if wanted:
        name = next(iter(wanted))
        hint = did_you_mean(nearest(str(name), [one.name for one in read])) or "."
        raise UsageError(f"reference names {name!r}, which is not a variable of the model{hint}")
    return Terms(tuple(terms), rows, np.column_stack(columns), missing)


def _read(frame: Frame, key: str | Bands) -> _Read:
    if isinstance(key, str) and is_numeric(frame, key):
        numbers = frame.numbers(key)
        text = frame.about(key).get("text") or (FIELDS[key].label if key in FIELDS else key)
        return _Read(key, text, ~np.isnan(numbers), numbers)
    made = frame.attribute(key).with_not_assigned()
    return _Read(made.name, made.text, made.answered, None, made)


def _term(
    frame: Frame, one: _Read, rows: npt.NDArray[np.intp], start: int, wanted: Any
) -> tuple[Term, list[Floats]]:
    """Return a variable and its columns."""
    counts = frame.counts[rows]
    if one.numbers is not None:
        if wanted is not None:
            raise UsageError(
                f"{one.name!r} is a number and has no reference level; cut it into bands with vp.bands first."
            )
        own = one.numbers[rows]
        if own.min() == own.max():
            raise _constant(one.name, f"{own[0]:g}")
        return Term(one.name, one.text, (), "", slice(start, start + 1), (int(counts.sum()),)), [own]
    assert one.variable is not None
    members = [inside[rows] for inside in one.variable.members()]
    sizes = [int(counts[inside].sum()) for inside in members]
    used = [place for place, size in enumerate(sizes) if size]
    levels = one.variable.levels
    whole = int(counts.sum())
    if one.variable.multiple:
        if wanted is not None:
            raise UsageError(f"{one.name!r} is a multi-response question and has no reference level.")
        used = [place for place in used if sizes[place] < whole]
        if not used:
            raise _constant(one.name, "the same options")
        reference = ""
    else:
        if len(used) < 2:
            raise _constant(one.name, repr(levels[used[0]]))
        first = _reference(one.name, [levels[place] for place in used], wanted)
        reference = first
        used = [place for place in used if levels[place] != first]
    shown = tuple(levels[place] for place in used)
    empty = tuple(level for level, size in zip(levels, sizes, strict=True) if not size)
    term = Term(
        one.name,
        one.text,
        shown,
        reference,
        slice(start, start + len(used)),
        tuple(sizes[place] for place in used),
        empty,
    )
    return term, [members[place].astype(np.float64) for place in used]


def _reference(name: str, levels: Sequence[str], wanted: Any) -> str:
    """Return the reference level: the one given, "no" of yes and no, or the first."""
    if wanted is None:
        return "no" if set(levels) == {"yes", "no"} else levels[0]
    label = {True: "yes", False: "no"}[wanted] if isinstance(wanted, bool) else str(wanted)
    if label not in levels:
        hint = did_you_mean(nearest(label, levels)) or f"; it has {', '.join(levels[:20])}"
        raise UsageError(f"reference: {name!r} has no respondents with {label!r}{hint}")
    return label


def _constant(name: str, value: str) -> UsageError:
    return UsageError(
        f"{name!r} is {value} for all respondents of the model, so it has no effect to estimate; leave it "
        "out, or choose other rows."
    )


def check_model(model: Terms, weights: Floats, count: int) -> None:
    """Refuse collinear variables and too few respondents, naming the variables.

    Raises
    ------
    UsageError
        If a variable is made up by others, or there are not more respondents than coefficients.
    """
    width = model.matrix.shape[1] + 1
    if count <= width:
        raise UsageError(
            f"{count:,} respondents are too few for {width:,} coefficients; use fewer variables or levels."
        )
    found = collinear(model.matrix, weights)
    if found is None:
        return
    place, others = found
    if not others:
        raise _constant(model.label(place), "the same number")
    made = " and ".join(dict.fromkeys(model.label(other) for other in others[:4]))
    more = " and others" if len(others) > 4 else ""
    raise UsageError(
        f"{model.label(place)} is made up by {made}{more} (collinear), so their effects cannot be told "
        "apart; leave one of them out, or combine levels."
    )


def separated(model: Terms, outcome: Floats, weights: Floats, slopes: Floats) -> str:
    """Return which variables predict an outcome of 0 and 1 with certainty, and the cure."""
    cure = "combine it with another level, or leave the variable out"
    for term in model.terms:
        groups = [model.matrix[:, place] > 0 for place in range(term.places.start, term.places.stop)]
        labels = [term.label(place) for place in range(term.places.start, term.places.stop)]
        if term.levels and term.reference:
            groups.append(~np.logical_or.reduce(groups))
            labels.append(f"{term.name!r} {term.reference!r}")
        if not term.levels:
            own = model.matrix[:, term.places.start]
            low, high = own[outcome == 0], own[outcome == 1]
            if low.max() <= high.min() or high.max() <= low.min():
                told = f"{term.name!r} tells the two answers apart completely"
                return f"{told}; leave it out, or cut it into bands."
            continue
        for inside, label in zip(groups, labels, strict=True):
            if inside.any() and outcome[inside].min() == outcome[inside].max():
                return f"All respondents with {label} give the same answer; {cure}."
    order = np.argsort(-np.abs(slopes[1:]), kind="stable")[:2]
    told = " and ".join(model.label(int(place)) for place in order)
    return (
        f"A combination of variables, {told} above all, tells the answers apart completely; leave one "
        "out, or combine levels."
    )
