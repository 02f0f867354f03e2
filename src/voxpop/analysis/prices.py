"""Price analyses: acceptable range (Van Westendorp) and revenue per price (Gabor and Granger)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.cautions import versions_told
from voxpop.analysis.cohort import chosen, read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.counter import Counter
from voxpop.analysis.crosstab import By, open_frame, read_by, shown
from voxpop.analysis.draws import check_draws
from voxpop.analysis.figures import LEVEL, Banner, Column, banner_of
from voxpop.analysis.frames import Bools, Frame, Variable
from voxpop.analysis.picture import Picture
from voxpop.analysis.price_chart import draw
from voxpop.analysis.price_data import OPINIONS, PriceCohort, PriceData
from voxpop.analysis.table_spec import TableSpec
from voxpop.errors import UsageError
from voxpop.stats.intervals import wilson
from voxpop.stats.prices import point_intervals, price_curves
from voxpop.vocabulary.nearest import did_you_mean, nearest

Floats = npt.NDArray[np.float64]

_MOST_PRICES = 60


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Prices(PriceData):
    """The result of :func:`price_range` and :func:`price_ladder`.

    Attributes
    ----------
    text : str
        The wording of the question.
    cohorts : tuple of PriceCohort
        Total first, then the levels of each attribute.
    """

    def plot(self) -> Picture:
        """Draw the curves, one panel per cohort. Needs the extra ``charts``."""
        return draw(self)


def price_range(
    data: Any,
    questions: Mapping[str, str],
    by: By = None,
    *,
    weight: WeightName = None,
    where: Any = None,
    seed: int = 0,
    resamples: int = 200,
    min_base: int = 30,
    small_base: int = 100,
) -> Prices:
    """Estimate the range of acceptable prices from Van Westendorp's four questions.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent. The data are not modified.
    questions : mapping
        The columns of the four prices, keyed ``too_cheap``, ``cheap``, ``expensive`` and ``too_expensive``.
        Respondents whose prices are not in ascending order are excluded and counted.
    by, weight, where, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`.
    seed, resamples : int, default 0 and 200
        Seed and number of bootstrap resamples for the intervals. Whole respondents are drawn with
        replacement, together with their weights.

    Returns
    -------
    Prices
        ``.long()`` has the four prices with their intervals; see also ``.curves()`` and ``.plot()``.

    Raises
    ------
    UsageError
        If a column is unknown or not numeric, or nobody named four prices in ascending order.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"a": [2, 4], "b": [4, 6], "c": [6, 8], "d": [8, 10]})
    >>> asked = {"too_cheap": "a", "cheap": "b", "expensive": "c", "too_expensive": "d"}
    >>> found = price_range(people, asked, resamples=20)
    >>> found.wide()[["lowest", "optimal", "indifferent", "highest"]].values.tolist()
    [[5.0, 6.0, 6.0, 7.0]]
    """
    check_draws(seed, resamples)
    names = _opinions(questions)
    asked = TableSpec(
        "price_range",
        weight_of(data, weight),
        shown(read_where(where, data)),
        "column",
        None,
        {},
        None,
        min_base,
        small_base,
        read_by(by),
        {**dict(zip(OPINIONS, names, strict=True)), "seed": seed, "resamples": resamples},
    )
    frame, counter = _frame(data, names, asked, where)
    named = np.array([frame.numbers(name) for name in names])
    given = ~np.isnan(named).any(axis=0)
    with np.errstate(invalid="ignore"):
        ordered = given & (np.diff(named, axis=0) >= 0).all(axis=0)
    banner = _banner(frame, counter, ordered, asked)
    if not counter.count(ordered):
        raise UsageError(f"Nobody named four prices in ascending order in {', '.join(names)}.")
    made = [
        _ranged(frame, counter, column, members & ordered & counter.mask, named, asked)
        for column, members in zip(banner.columns, banner.members, strict=True)
    ]
    untidy, silent = counter.count(given & ~ordered), counter.count(~given)
    told = [
        *([f"{untidy:,} left out: their four prices do not ascend."] if untidy else []),
        *([f"{silent:,} did not name four prices."] if silent else []),
        "Acceptable: from where as many find it too cheap as not cheap, to where as many find it too "
        "expensive as not expensive (Van Westendorp 1976).",
    ]
    remarks = versions_told(frame.versions, frame.note, frame.provenance)
    text = frame.about(names[2]).get("text") or "Acceptable prices"
    return Prices(
        text,
        tuple(made),
        asked,
        frame.note,
        remarks,
        tuple(told),
        frame.provenance,
        frame.grounds,
    )


def price_ladder(
    data: Any,
    questions: str | Mapping[float, str],
    by: By = None,
    *,
    buys: Any = "yes",
    weight: WeightName = None,
    where: Any = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Prices:
    """Estimate the share of buyers and the revenue at each price (Gabor and Granger).

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent. The data are not modified.
    questions : mapping of price to str, or str
        The column of the question asked at each price; or one column of amounts that agents would pay, in
        which case those who name at least a price count as buyers at it.
    by, weight, where, min_base, small_base
        As in :func:`voxpop.analysis.crosstab`.
    buys : str or list, default "yes"
        The answers that count as buying, for example ``[4, 5]`` on a scale.

    Returns
    -------
    Prices
        ``.long()`` has the shares with their intervals and the revenue, ``.wide()`` the best price.

    Raises
    ------
    UsageError
        If a column or answer is unknown (with the nearest ones), or there are fewer than two prices.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"at_5": ["yes", "yes", "yes", "no"], "at_9": ["yes", "no", "no", "no"]})
    >>> price_ladder(people, {5: "at_5", 9: "at_9"}).long()[["price", "buy", "revenue"]].values.tolist()
    [[5.0, 75.0, 3.75], [9.0, 25.0, 2.25]]
    >>> price_ladder(pd.DataFrame({"price": [4, 6, 6, 10]}), "price").wide().best_price.tolist()
    [6.0]
    """
    single = isinstance(questions, str)
    ladder = {} if isinstance(questions, str) else _ladder(questions)
    names = [questions] if isinstance(questions, str) else list(ladder.values())
    asked = TableSpec(
        "price_ladder",
        weight_of(data, weight),
        shown(read_where(where, data)),
        "column",
        None,
        {},
        None,
        min_base,
        small_base,
        read_by(by),
        {"questions": questions if single else {f"{price:g}": name for price, name in ladder.items()}},
    )
    if not single:
        asked = replace(asked, more={**(asked.more or {}), "buys": _labels(buys)})
    frame, counter = _frame(data, names, asked, where)
    steps = _amounts(frame, names[0]) if single else _choices(frame, ladder, _labels(buys))
    answered = np.logical_or.reduce([known for _, known, _ in steps])
    banner = _banner(frame, counter, answered, asked)
    if not counter.count(answered):
        raise UsageError(f"{', '.join(names)} have no answers in these data.")
    made = [
        _laddered(counter, column, members & answered, steps)
        for column, members in zip(banner.columns, banner.members, strict=True)
    ]
    told = ["Revenue: price times the share that would buy, per respondent; without costs and competitors."]
    if single:
        told.insert(0, "Who names an amount is counted as a buyer at it and below.")
    remarks = versions_told(frame.versions, frame.note, frame.provenance)
    text = frame.about(names[0]).get("text") or "Prices"
    return Prices(
        text,
        tuple(made),
        asked,
        frame.note,
        remarks,
        tuple(told),
        frame.provenance,
        frame.grounds,
    )


def _opinions(questions: Any) -> tuple[str, ...]:
    """Read the columns of the four prices, in order."""
    if not isinstance(questions, Mapping) or set(questions) != set(OPINIONS):
        given = ", ".join(map(str, questions)) if isinstance(questions, Mapping) else repr(questions)
        raise UsageError(f"questions must map a column to each of {', '.join(OPINIONS)}, not {given}.")
    names = tuple(str(questions[opinion]) for opinion in OPINIONS)
    if len(set(names)) < len(names):
        raise UsageError(f"The four prices need four different columns, not {', '.join(names)}.")
    return names


def _frame(data: Any, names: Sequence[str], asked: TableSpec, where: Any) -> tuple[Frame, Counter]:
    chooser = read_where(where, data)
    # the bootstrap draws single respondents, so rows of different weights stay separate
    weights = [asked.weight] if asked.weight and asked.call == "price_range" else []
    frame = open_frame(data, [*names, *asked.by, *weights], chooser, asked)
    return frame, Counter(frame, chosen(frame, chooser), asked.weight is not None)


def _banner(frame: Frame, counter: Counter, answered: Bools, asked: TableSpec) -> Banner:
    nobody = np.zeros(0, dtype=np.intp)
    across = [frame.attribute(key).with_not_assigned() for key in asked.by]
    return banner_of(counter, Variable("price", "price", (), nobody, nobody, answered, False), across)


def _ranged(
    frame: Frame, counter: Counter, column: Column, inside: Bools, named: Floats, asked: TableSpec
) -> PriceCohort:
    base = counter.base(inside)
    own = np.flatnonzero(inside)
    weights = (frame.sums if counter.weighted else frame.counts)[own]
    if not weights.sum() > 0:
        return PriceCohort(column, int(base[0]), float(base[2]), ())
    order = np.lexsort((weights, *named[:, own][::-1]))  # makes sums independent of the order of the data
    curves = price_curves(named[:, own][:, order], weights[order])
    each = frame.numbers(asked.weight)[own] if asked.weight else np.ones(own.size)
    more = asked.more or {}
    intervals = point_intervals(
        named[:, own], frame.counts[own], each, seed=more["seed"], resamples=more["resamples"], level=LEVEL
    )
    lines = tuple(
        {"point": point, "price": price, "ci_low": intervals[point][0], "ci_high": intervals[point][1]}
        for point, price in curves.points().items()
    )
    return PriceCohort(column, int(base[0]), float(base[2]), lines, curves)


def _ladder(questions: Any) -> dict[float, str]:
    if not isinstance(questions, Mapping):
        raise UsageError('questions must be a column of amounts, or prices with columns such as {5: "at_5"}.')
    try:
        made = {float(price): str(name) for price, name in questions.items()}
    except (TypeError, ValueError):
        raise UsageError(f"A price must be a number: {', '.join(map(str, questions))}.") from None
    if len(made) < 2 or any(not price >= 0 for price in made):
        raise UsageError(
            f"A ladder needs two or more prices, none negative, not {', '.join(map(str, questions))}."
        )
    return dict(sorted(made.items()))


def _labels(buys: Any) -> list[str]:
    listed = [buys] if isinstance(buys, str) or not isinstance(buys, Iterable) else list(buys)
    return [{True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level) for level in listed]


def _choices(
    frame: Frame, ladder: Mapping[float, str], buys: Sequence[str]
) -> list[tuple[float, Bools, Bools]]:
    """Return, per price, the respondents with an answer and the buyers."""
    made = []
    for price, name in ladder.items():
        asked = frame.variable(name)
        strange = [level for level in buys if level not in asked.levels]
        if strange and len(strange) == len(buys):
            hint = (
                did_you_mean(nearest(strange[0], asked.levels)) or f"; it has {', '.join(asked.levels[:20])}"
            )
            raise UsageError(f"{name!r} has no answer {strange[0]!r} that counts as buying{hint}")
        buying = np.zeros(frame.rows, dtype=np.bool_)
        wanted = np.isin(asked.codes, [place for place, level in enumerate(asked.levels) if level in buys])
        buying[asked.agents[wanted]] = True
        made.append((price, asked.answered, buying))
    return made


def _amounts(frame: Frame, name: str) -> list[tuple[float, Bools, Bools]]:
    """Return, per amount, who answered and who named at least that much; limited to frequent amounts."""
    numbers = frame.numbers(name)
    known = ~np.isnan(numbers)
    values, places = np.unique(numbers[known], return_inverse=True)
    if values.size < 2:
        raise UsageError(f"{name!r} holds fewer than two amounts; a ladder needs two or more prices.")
    if values[0] < 0:
        raise UsageError(f"{name!r} holds {values[0]:g}; prices must be 0 or more.")
    if values.size > _MOST_PRICES:
        times = np.bincount(places, weights=frame.counts[known])
        values = np.sort(values[np.argsort(-times, kind="stable")[:_MOST_PRICES]])
    return [(float(price), known, known & (numbers >= price)) for price in values]


def _laddered(
    counter: Counter, column: Column, inside: Bools, steps: Sequence[tuple[float, Bools, Bools]]
) -> PriceCohort:
    base = counter.base(inside)
    lines = []
    for price, known, buying in steps:
        asked, bought = counter.base(inside & known), counter.base(inside & known & buying)
        share = float(bought[1] / asked[1]) if asked[1] > 0 else math.nan
        low, high = (float(end) for end in wilson(share, asked[2], LEVEL))
        lines.append(
            {"price": price, "asked": int(asked[0]), "buy": 100 * share}
            | {"ci_low": 100 * low, "ci_high": 100 * high, "revenue": price * share}
        )
    return PriceCohort(column, int(base[0]), float(base[2]), tuple(lines))
