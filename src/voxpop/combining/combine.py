"""``vp.combine``: figures from answers of people and of agents together."""

from __future__ import annotations

from typing import Any

from voxpop.analysis.cohort import read_where
from voxpop.analysis.columns import WeightName, weight_of
from voxpop.analysis.crosstab import By, read_by, shown
from voxpop.combining.asked import Asked, check_provenance
from voxpop.combining.combination import Combination
from voxpop.combining.combiner import Combiner
from voxpop.combining.sides import read_side


def combine(  # noqa: PLR0913 (options by keyword)
    human: Any,
    agents: Any,
    question: str,
    level: str | None = None,
    by: By = None,
    *,
    twins: str | None = None,
    on: By = None,
    strata: By = None,
    quantile: float | None = None,
    model: str | None = None,
    terms: By = None,
    weight: WeightName = None,
    agent_weight: WeightName = None,
    where: Any = None,
    min_base: int = 30,
    small_base: int = 100,
) -> Combination:
    """Estimate what people would answer from a sample of people and the answers of agents.

    The figure of the people is corrected by ``λ × (answers of agents in the population - what agents predict
    for these people)``, with λ from 0 to 1 tuned so that the interval is shortest (prediction-powered
    inference). Intervals hold however wrong the agents are; agents that do not help get λ = 0, and the figure
    is that of the people.

    Parameters
    ----------
    human, agents : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per person, and per agent, with the question and profile columns under the same names and
        with the same labels. People, as weighted, and agents have to stand for the same population.
    question : str
        The question. Numbers give means, other columns shares.
    level : str, optional
        The level whose share is estimated; by default all, with one λ so that they add up to 100.
    by : str, Bands or list of them, optional
        Attributes whose levels are the cohorts.
    twins : str, optional
        A column on both sides that pairs each person with the agent that has the person's profile
        (``vp.people``). All other agents are the sample of the population. Without it, the prediction for a
        person is the mean answer of agents of the same profile.
    on : str, Bands or list of them, optional
        Profile columns of the predictions, from the most to the least important; by default those of ``by``.
        Cells of fewer than five agents are merged over the last column.
    strata : str, Bands or list of them, optional
        Columns whose mix is taken from the people, so that agents have to stand for their population within
        each stratum only; each stratum has its own λ.
    quantile : float, optional
        Estimate this quantile of a number instead of the mean; 0.5 is the median.
    model : {"linear", "logistic"}, optional
        Estimate the coefficients of a regression on ``terms``; a logistic one needs ``level``.
    terms : str, Bands or list of them, optional
        Explanatory columns: numbers as they are, others by level against the first one.
    weight, agent_weight : str or False, optional
        Columns of weights; by default that of a survey, ``False`` for none. Weights of agents must come from
        the population, never from this sample.
    where : Filter, optional
        A filter on people and agents.
    min_base, small_base : int
        Effective numbers of people below which cohorts are marked ``**`` and ``*``.

    Returns
    -------
    Combination
        ``.long()``, ``.balance()``, ``.humans_needed(margin)``, ``.plot()``.

    Raises
    ------
    UsageError
        If columns, levels or pairs do not fit, or the profiles or predictions show that people and agents do
        not stand for the same population.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> draw = np.random.default_rng(1)
    >>> def some(size):
    ...     frame = pd.DataFrame({"age": draw.choice(["young", "old"], size)})
    ...     share = 0.2 + 0.6 * (frame["age"] == "old")
    ...     return frame.assign(switch=np.where(draw.random(size) < share, "yes", "no"))
    >>> found = combine(some(200), some(4_000), "switch", "yes", on="age")
    >>> line = found.long().iloc[0]
    >>> bool(line["ci_high"] - line["ci_low"] < line["people_high"] - line["people_low"])
    True
    """
    across = read_by(by)
    asked = Asked(
        question=question,
        level=level,
        by=across,
        twins=twins,
        on=read_by(on) or across,
        strata=read_by(strata),
        quantile=quantile,
        model=model,
        terms=read_by(terms),
        weight=weight_of(human, weight),
        agent_weight=weight_of(agents, agent_weight),
        min_base=min_base,
        small_base=small_base,
    )
    asked.check()
    check_provenance(human, agents)
    keys = asked.keys()
    people = read_side("people", human, keys, asked.weight, where)
    simulated = read_side("agents", agents, keys, asked.agent_weight, where)
    return Combiner(asked, people, simulated, shown(read_where(where, human))).made()
