"""Tables by named filters, which may overlap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from voxpop.analysis.cautions import NOUNS
from voxpop.analysis.cohort import Chooser, check_values, chosen, columns_of, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.crosstab import open_frame, origin_of, shown, tabulate
from voxpop.analysis.frames import Bools, Frame, Variable
from voxpop.analysis.sig_test import Sig, read_sig
from voxpop.analysis.table import Table
from voxpop.analysis.table_spec import TableSpec
from voxpop.errors import UsageError
from voxpop.vocabulary.filters import Filter


def cohorts(
    data: Any,
    question: str,
    named: Mapping[str, Any],
    *,
    weight: WeightName = None,
    where: Any = None,
    sig: Sig = True,
    nets: Mapping[str, Any] | None = None,
    boxes: Any = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Table:
    """Tabulate a question by named filters, which may overlap.

    Parameters
    ----------
    data, question, weight, where, sig, nets, boxes, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`; ``sig`` is on by default. The tests account for the effective
        base that two cohorts share; cohorts with identical members are not compared.
    named : dict of str to Filter or dict
        Filters by cohort name, on any columns of the data.

    Returns
    -------
    Table
        One column per cohort, after Total, which contains all respondents.

    Raises
    ------
    UsageError
        If no cohort is given, or a value is not a filter.

    Examples
    --------
    >>> import pandas as pd
    >>> from voxpop.vocabulary import between, where
    >>> people = pd.DataFrame({"switch": ["yes", "no", "yes"], "age": [25, 40, 60]})
    >>> old, grown = where(age=between(35)), where(age=between(18))
    >>> table = cohorts(people, "switch", {"35 and older": old, "adults": grown})
    >>> table.wide().loc["Base (unweighted)", "cohort"].tolist()
    [2.0, 3.0]
    """
    if not isinstance(named, Mapping) or not named:
        raise UsageError(
            'cohorts must map names to filters, such as {"young": vp.where(age=vp.between(18, 34))}.'
        )
    filters = {str(name): _filter(name, given, data) for name, given in named.items()}
    chooser = read_where(where, data)
    asked = TableSpec(
        "cohorts",
        weight_of(data, weight),
        shown(chooser),
        "column",
        read_sig(sig),
        nets or {},
        boxes,
        min_base,
        small_base,
    )
    asked = replace(asked, more={"cohorts": {name: held.data for name, held in filters.items()}})
    keys = [key for held in filters.values() for key in columns_of(held)]
    frame = open_frame(data, [question, *keys], chooser, asked)
    for held in filters.values():
        check_values(frame, held)
    members = {name: chosen(frame, held) for name, held in filters.items()}
    table = tabulate(frame, chooser, frame.variable(question), [_across(frame, members)], asked)
    named_so = [f"{name}: {held.data.words}." for name, held in filters.items()]
    remarks = (*named_so, *_overlaps(table), *table.remarks)
    return replace(
        table, remarks=remarks, origin=replace(origin_of(data, question, chooser), cohorts=filters)
    )


def _filter(name: Any, given: Any, data: Any) -> Chooser:
    held = read_where(given, data) if isinstance(given, Filter | Mapping) else None
    if not isinstance(held, Chooser):
        raise UsageError(f"The cohort {name!r} must be a filter, such as vp.where(gender='female').")
    return held


def _across(frame: Frame, members: Mapping[str, Bools]) -> Variable:
    """Return the cohorts as one attribute with several levels per agent."""
    agents = [np.flatnonzero(inside) for inside in members.values()]
    codes = [np.full(own.size, place, dtype=np.intp) for place, own in enumerate(agents)]
    return Variable(
        "cohort",
        "Cohort",
        tuple(members),
        np.concatenate(agents),
        np.concatenate(codes),
        np.ones(frame.rows, dtype=np.bool_),
        True,
    )


def _overlaps(table: Table) -> list[str]:
    """Return a note on the number of agents that cohorts share."""
    (group,) = table.groups
    shared = group.shared[0] if group.shared is not None else np.zeros((0, 0))
    names = [column.label for column in table.columns[group.places]]
    told = [
        f"{names[j]} and {names[i]} ({int(shared[i, j]):,})"
        for i in range(len(names))
        for j in range(i)
        if shared[i, j]
    ]
    return [f"{NOUNS[table.provenance].capitalize()} in two cohorts: {', '.join(told)}."] if told else []
