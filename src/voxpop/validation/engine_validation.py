"""Validation of an engine: its answers to survey items, scored beside baselines and an attainable ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.engines.agents import Agent
from voxpop.engines.basis import KINDS
from voxpop.engines.engine import checked
from voxpop.engines.respondent import Respondent
from voxpop.errors import UsageError
from voxpop.validation.item_answers import FAILED, NO_ANSWER, ItemAnswers, ask_items, margins, uniform
from voxpop.validation.item_scores import (
    CORRELATIONS,
    ItemScores,
    Score,
    agents,
    people,
    score_items,
    structure,
    summed,
)
from voxpop.validation.item_set import ItemSet
from voxpop.validation.item_tables import item_set
from voxpop.validation.repeated_survey import repeated_survey

RESAMPLES = 500
"""Draws of the bootstrap."""

SCORED, SEEN, UNSEEN, PLACEHOLDERS = "scored", "seen", "unseen", "placeholders"
ENGINE, UNIFORM, MARGINS, REPEATED, HALVES = "engine", "uniform", "margins", "repeated_survey", "halves"


@dataclass(frozen=True, eq=False, slots=True)
class Section:
    """Scores over a part of the items or answers.

    Attributes
    ----------
    name : {"scored", "seen", "unseen", "placeholders"}
        All answers that rest on something; those to items that the engine was built from; those to others;
        and the answers that rest on nothing.
    answers : int
        Number of answers.
    items : ItemScores
        Scores of the engine per item.
    scores : mapping
        Scores by column (``engine``, ``uniform``, ``margins``, ``repeated_survey``, ``halves``) and measure.
    """

    name: str
    answers: int
    items: ItemScores
    scores: Mapping[str, Mapping[str, Score]]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class EngineValidation:
    """The result of :func:`validate_engine`.

    Attributes
    ----------
    engine : str
        Name that the engine puts on its answers.
    held : ItemSet
        The items.
    answers : ItemAnswers
        Every answer.
    sections : tuple of Section
        Scores; sections without enough answers are absent.
    seen : frozenset of str or None
        Items that the engine was built from; None if it does not declare them.
    remote : bool
        Whether the engine is a remote service, such as a language model.
    population : str
        Name of the population of the agents.
    seed : int
        Seed of the answers, baselines and intervals.
    """

    engine: str
    held: ItemSet
    answers: ItemAnswers
    sections: tuple[Section, ...]
    seen: frozenset[str] | None
    remote: bool
    population: str
    seed: int

    def section(self, name: str) -> Section:
        """Return a section by name.

        Raises
        ------
        UsageError
            There is no such section.
        """
        for one in self.sections:
            if one.name == name:
                return one
        there = ", ".join(one.name for one in self.sections) or "none"
        raise UsageError(f"The validation has no section {name!r}; it has {there}.")

    def coverage(self) -> dict[str, int]:
        """Return the number of replies: asked, by basis, without a coded answer, and failed."""
        codes = self.answers.codes
        by_basis = {kind: int((self.answers.basis == at).sum()) for at, kind in enumerate(KINDS)}
        return {
            "asked": int((codes >= FAILED).sum()),
            **by_basis,
            "no_answer": int((codes == NO_ANSWER).sum()),
            "failed": int((codes == FAILED).sum()),
        }

    def wide(self) -> pd.DataFrame:
        """Return one row per section and measure: the engine's score with its interval, and the others."""
        rows = []
        for one in self.sections:
            for measure, score in one.scores[ENGINE].items():
                beside = {
                    column: one.scores[column][measure].value
                    if measure in one.scores.get(column, ())
                    else math.nan
                    for column in (UNIFORM, MARGINS, REPEATED, HALVES)
                }
                rows.append(
                    {
                        "section": one.name,
                        "measure": measure,
                        "items": int((one.items.below[measure] != 0).sum())
                        if measure != CORRELATIONS
                        else None,
                        ENGINE: score.value,
                        "low": score.low,
                        "high": score.high,
                        **beside,
                    }
                )
        return pd.DataFrame(rows)

    def long(self) -> pd.DataFrame:
        """Return one row per item and option: the shares of people and of the agents' answers, by basis."""
        scored, placeholder = (
            agents(self.answers, self.held, chosen)
            for chosen in (self.answers.scored(), self.answers.placeholders())
        )
        rows = [
            (
                *(item.key, item.question, option, item.shares[place], item.n),
                *(scored.whole[at][place], scored.n[at]),
                *(placeholder.whole[at][place], placeholder.n[at]),
            )
            for at, item in enumerate(self.held.items)
            for place, option in enumerate(item.options)
        ]
        names = ["item", "question", "option", "human", "human_n", "scored", "scored_n"]
        return pd.DataFrame(rows, columns=[*names, "placeholder", "placeholder_n"])

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values, rounded to six decimals; figures that do not exist are None."""
        return {
            "engine": self.engine,
            "benchmark": self.held.name,
            "source": self.held.source,
            "population": self.population,
            "agents": len(self.answers.codes),
            "seed": self.seed,
            "items": len(self.held.items),
            "left_out": dict(self.held.left_out),
            "seen_items": None if self.seen is None else sorted(self.seen & {i.key for i in self.held.items}),
            "coverage": self.coverage(),
            "failures": self.answers.reasons,
            "scores": _plain(self.wide()),
            "shares": _plain(self.long()),
        }

    def __repr__(self) -> str:
        return (
            f"EngineValidation(engine={self.engine!r}, benchmark={self.held.name!r}, "
            f"items={len(self.held.items)}, agents={len(self.answers.codes)})"
        )


def _plain(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): _rounded(value) for name, value in row.items()}
        for row in table.astype(object).to_dict("records")
    ]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 6)
    return value


def validate_engine(
    engine: Respondent,
    asked: Sequence[Agent],
    items: Any = "gss",
    *,
    seed: int = 7,
    population: str = "",
    resamples: int = RESAMPLES,
    progress: Callable[[int], None] | None = None,
) -> EngineValidation:
    """Put survey items to an engine and score its answers against people's.

    Beside the engine stand two baselines with the same agents: options drawn with equal chances, and options
    drawn from people's shares overall, alike for all groups; and what a repeated survey of people would
    score. Answers whose basis is ``none`` count as abstentions and are scored apart. If the engine has the
    attribute ``seen_items``, items that it was built from are scored apart from the others.

    Parameters
    ----------
    engine : Respondent
        An engine, by the engine contract.
    asked : sequence of Agent
        A sample of the population that the people stand for: US adults for ``"gss"``.
    items : str, Path, ItemSet or DataFrame
        The items; see :func:`voxpop.validation.item_set`.
    seed : int
        Seed of the answers, the baselines and the intervals.
    population : str
        Name of the population of the agents, for the record.
    resamples : int, default 500
        Draws of the bootstrap; 0 for no intervals.
    progress : callable, optional
        Called with the number of items asked so far.

    Raises
    ------
    UsageError
        The engine does not meet the contract, there are no agents, or the items cannot be read.

    Examples
    --------
    >>> from voxpop.engines.sample_agents import AGENTS
    >>> from voxpop.engines.registry import default_engine
    >>> table = pd.DataFrame(
    ...     {"item": "pet", "question": "Do you have a pet?", "option": ["yes", "no"], "percent": [62, 38]}
    ... )
    >>> validate_engine(default_engine().respondent, AGENTS * 10, table).coverage()["asked"]
    60
    """
    checked(engine)
    held = item_set(items)
    if not asked:
        raise UsageError("There are no agents to ask.")
    seen = seen_items(engine)
    answers = ask_items(engine, asked, held, seed=seed, progress=progress)
    parts: list[tuple[str, ItemSet]] = [(SCORED, held)]
    if seen is not None:
        keys = [item.key for item in held.items]
        parts.append((SEEN, held.only([key for key in keys if key in seen])))
        parts.append((UNSEEN, held.only([key for key in keys if key not in seen])))
    parts.append((PLACEHOLDERS, held))
    sections = [_section(name, part, held, answers, seed, resamples) for name, part in parts if part.items]
    remote = bool(getattr(engine, "remote", False))
    told = tuple(one for one in sections if one.items.keys)
    return EngineValidation(engine.name, held, answers, told, seen, remote, population, seed)


def seen_items(engine: Respondent) -> frozenset[str] | None:
    """Return the keys of the items that an engine was built from, or None if it does not declare them.

    Raises
    ------
    UsageError
        The attribute is not a collection of keys.

    Examples
    --------
    >>> from voxpop.engines.registry import default_engine
    >>> known = seen_items(default_engine().respondent)
    >>> known is None or isinstance(known, frozenset)
    True
    """
    given = getattr(engine, "seen_items", None)
    if given is None:
        return None
    if (
        isinstance(given, str)
        or not isinstance(given, Collection)
        or not all(isinstance(k, str) for k in given)
    ):
        raise UsageError(
            f"seen_items of the engine {engine.name} must be a frozenset of keys such as gss:grass."
        )
    return frozenset(given)


def _section(
    name: str, part: ItemSet, whole: ItemSet, answers: ItemAnswers, seed: int, resamples: int
) -> Section:
    """Score the engine and the baselines on the same items, agents and answers."""
    own = _columns(answers, whole, part)
    chosen = own.placeholders() if name == PLACEHOLDERS else own.scored()
    human = people(part)
    found = score_items(part, human, agents(own, part, chosen))
    kept = part.only(found.keys)
    related = structure(part, own, chosen, found.keys) if part.correlations.first else None
    scores = {ENGINE: summed(found, related, seed=seed, resamples=resamples)}
    for column, draw in ((UNIFORM, uniform), (MARGINS, margins)):
        drawn = draw(own, part, seed=seed)
        beside = None if related is None else structure(part, drawn, chosen, found.keys)
        scores[column] = summed(
            score_items(part, human, agents(drawn, part, chosen)), beside, seed=seed, resamples=0
        )
    if min((item.n for item in kept.items), default=0) > 1:
        scores[REPEATED] = repeated_survey(kept, related, seed=seed)
    if name == SCORED and whole.halves:
        scores[HALVES] = {measure: Score(value) for measure, value in whole.halves.items()}
    return Section(name, int(chosen.sum()), found, scores)


def _columns(answers: ItemAnswers, whole: ItemSet, part: ItemSet) -> ItemAnswers:
    """Return the answers to the items of a part."""
    at = {item.key: place for place, item in enumerate(whole.items)}
    columns = [at[item.key] for item in part.items]
    return ItemAnswers(
        answers.engine, answers.codes[:, columns], answers.basis[:, columns], answers.members, answers.reasons
    )
