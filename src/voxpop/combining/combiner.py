"""From the rows of people and agents to the lines of a combination."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from voxpop.analysis.frames import Bools, Floats
from voxpop.analysis.terms import filter_words
from voxpop.combining.asked import Asked
from voxpop.combining.combination import Combination
from voxpop.combining.models import Rows, coefficient_lines
from voxpop.combining.population import (
    Strata,
    balance,
    check_balance,
    check_shift,
    check_strata,
    strata_of,
)
from voxpop.combining.predicted import Pairing, answers_of, cell_pairing, shared_levels, twin_pairing
from voxpop.combining.sides import Side, name_of
from voxpop.errors import UsageError
from voxpop.stats.prediction_quantiles import combined_quantile
from voxpop.stats.predictions import Combined, Sides, Spread, combined_mean, combined_shares
from voxpop.vocabulary.nearest import did_you_mean, nearest

Masks = tuple[Bools, Bools]
SURVEY = (
    "If the agents answer from a survey, leave these people out of it: otherwise their answers count twice."
)


@dataclass(frozen=True, eq=False)
class Combiner:
    """People and agents, with what is asked of them."""

    asked: Asked
    people: Side
    agents: Side
    where: Any

    @cached_property
    def kind(self) -> str:
        """Return the kind of figure: share, mean, quantile or model."""
        asked = self.asked
        if asked.model is not None:
            return "model"
        if asked.quantile is not None:
            return "quantile"
        number = asked.level is None and all(
            side.is_number(asked.question) for side in (self.people, self.agents)
        )
        return "mean" if number else "share"

    @cached_property
    def levels(self) -> list[str]:
        """Return the levels whose shares are estimated, or one name for a number."""
        asked = self.asked
        if self.kind in ("mean", "quantile") or asked.model == "linear":
            return [""]
        own, theirs = (side.variable(asked.question).levels for side in (self.people, self.agents))
        lost = [level for level in own if level not in theirs]
        if lost:
            raise UsageError(
                f"{asked.question!r}: people answered {lost[0]!r}, which no agent did and which is not "
                "among the "
                "levels of the agents "
                f"({', '.join(theirs[:8])}){did_you_mean(nearest(lost[0], theirs)) or '.'} Give "
                "both the same labels."
            )
        if asked.level is None:
            return list(dict.fromkeys([*own, *theirs]))
        if asked.level not in theirs:
            hint = did_you_mean(nearest(asked.level, theirs)) or f"; it has {', '.join(theirs)}"
            raise UsageError(f"{asked.question!r} has no level {asked.level!r}{hint}")
        return [asked.level]

    @cached_property
    def answers(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Return the answers of people and of agents by level, NaN where missing."""
        if self.levels == [""]:
            people, agents = ({"": side.numbers(self.asked.question)} for side in (self.people, self.agents))
            return people, agents
        name = self.asked.question
        return dict(answers_of(self.people, name, self.levels)), dict(
            answers_of(self.agents, name, self.levels)
        )

    @cached_property
    def answered(self) -> Masks:
        """Return whether people and agents answered."""
        own, theirs = (~np.isnan(next(iter(held.values()))) for held in self.answers)
        return own & self.people.kept, theirs & self.agents.kept

    @cached_property
    def pairing(self) -> Pairing:
        """Return how people get their predictions."""
        if self.asked.twins is None:
            return cell_pairing(self.people, self.agents, self.asked.on)
        return twin_pairing(self.people, self.agents, self.asked.twins, self.answered[0])

    @cached_property
    def predictions(self) -> dict[str, tuple[Floats, Floats]]:
        """Return the predictions for people and agents by level."""
        told = self.answered[1]
        return {
            level: self.pairing.predict(np.where(told, held, np.nan))
            for level, held in self.answers[1].items()
        }

    @cached_property
    def masks(self) -> Masks:
        """Return the people with answer and prediction, and the agents of the pool with an answer."""
        own, theirs = next(iter(self.predictions.values()))
        people, pool = (
            self.answered[0] & ~np.isnan(own),
            self.answered[1] & self.pairing.pool & ~np.isnan(theirs),
        )
        if np.count_nonzero(people) < 2:
            raise UsageError(
                f"Only {np.count_nonzero(people)} people have an answer and a prediction; 2 are needed."
            )
        if np.count_nonzero(pool) < 2:
            raise UsageError(
                f"Only {np.count_nonzero(pool)} agents answered {self.asked.question!r}; 2 are needed."
            )
        return people, pool

    @cached_property
    def strata(self) -> Strata:
        """Return the strata of both sides."""
        return strata_of(self.people, self.agents, self.asked.strata)

    def groups(self) -> Iterator[tuple[str, str, Masks]]:
        """Yield the cohorts: attribute, level and members; Total first."""
        inside = [np.zeros(side.kept.size, dtype=np.bool_) for side in (self.people, self.agents)]
        found = []
        for key in self.asked.by:
            held = [side.members(side.variable(key)) for side in (self.people, self.agents)]
            for level in shared_levels(self.people, self.agents, key):
                none = [np.zeros_like(one) for one in inside]
                members = held[0].get(level, none[0]), held[1].get(level, none[1])
                if not any(one.any() for one in self._within(members)):
                    continue  # a declared level that nobody has
                inside = [whole | own for whole, own in zip(inside, members, strict=True)]
                found.append((name_of(key), level, members))
        whole = [one if self.asked.by else np.ones_like(one) for one in inside]
        yield "Total", "Total", self._within((whole[0], whole[1]))
        for name, level, members in found:
            yield name, level, self._within(members)

    def _within(self, members: Masks) -> Masks:
        return self.masks[0] & members[0], self.masks[1] & members[1]

    def made(self) -> Combination:
        """Return the combination.

        Raises
        ------
        UsageError
            If people and agents do not stand for the same population.
        """
        asked = self.asked
        profile = [*asked.on, *asked.by, *asked.strata]
        groups = list(self.groups())
        table = balance(self.people, self.agents, profile, groups[0][2], self.strata)
        check_balance(table, self.strata, (asked.weight, asked.agent_weight))
        lines, spreads = [], []
        for name, label, masks in groups:
            check_strata(self.strata, *masks)
            if self.kind == "model":
                lines += self._coefficients(masks)
                continue
            for level, found in self._figures(masks).items():
                check_shift(found, f"{name}: {label}" if name != "Total" else "All")
                lines.append(self._line(name, label, level, found, masks))
                spreads.append(found.spread)
        return Combination(
            name=asked.question,
            text=self.people.frame.about(asked.question).get("text") or self._wording(),
            asked=asked,
            kind=self.kind,
            lines=tuple(lines),
            spreads=tuple(spreads),
            terms=tuple(self._terms(groups[0][2])),
            remarks=tuple(self._remarks()),
            profiles=table,
        )

    def _wording(self) -> str:
        held = self.agents.frame.about(self.asked.question).get("text")
        return str(held) if held else self.asked.question

    def _sides(self, masks: Masks, level: str) -> Sides:
        """Return the arrays of a cohort for one level."""
        (people, pool), (own, theirs) = masks, self.predictions[level]
        weights = None if self.people.weights is None else self.people.weights[people]
        pool_weights = None if self.agents.weights is None else self.agents.weights[pool]
        made = Sides(self.answers[0][level][people], own[people], theirs[pool], weights, pool_weights)
        if not self.strata.names:
            return made
        return replace(made, strata=self.strata.people[people], pool_strata=self.strata.agents[pool])

    def _figures(self, masks: Masks) -> dict[str, Combined]:
        """Return the figures of a cohort by level."""
        people, pool = (int(np.count_nonzero(mask)) for mask in masks)
        if people < 2:
            return {level: _nothing(people, len(self.asked.strata)) for level in self.levels}
        sides = [self._sides(masks, level) for level in self.levels]
        lam = None
        if pool < 2:  # without agents, the figure is that of the people
            sides, lam = [replace(one, pool=np.zeros(2), pool_weights=None) for one in sides], 0.0
        if self.kind == "mean":
            found = [combined_mean(sides[0], lam=lam)]
        elif self.kind == "quantile":
            found = [combined_quantile(sides[0], self.asked.quantile or 0.5, lam=lam)]
        else:
            found = combined_shares(sides, lam=lam)
        if pool < 2:
            found = [replace(one, pool=math.nan, shift=math.nan, shift_z=0.0) for one in found]
        return dict(zip(self.levels, found, strict=True))

    def _line(self, name: str, label: str, level: str, found: Combined, masks: Masks) -> dict[str, Any]:
        scale = 100.0 if self.kind == "share" else 1.0
        flag = (
            "**" if found.n_eff < self.asked.min_base else "*" if found.n_eff < self.asked.small_base else ""
        )
        return {
            "column_group": name,
            "group": label,
            "level": level,
            "n": found.n,
            "n_eff": found.n_eff,
            "people": scale * found.people,
            "people_low": scale * found.people_low,
            "people_high": scale * found.people_high,
            "agents_n": int(np.count_nonzero(masks[1])),
            "agents": scale
            * (found.pool if self.kind == "quantile" else self._agents_alone(level, masks[1])),
            "estimate": scale * found.estimate,
            "se": scale * found.se,
            "ci_low": scale * found.low,
            "ci_high": scale * found.high,
            "lambda": found.lam,
            "worth": found.worth,
            "shift": scale * found.shift,
            "shift_z": found.shift_z,
            "flag": flag,
        }

    def _agents_alone(self, level: str, pool: Bools) -> float:
        """Return the mean of the agents' own answers, which in a cohort is not that of their cells."""
        if not pool.any():
            return math.nan
        weights = None if self.agents.weights is None else self.agents.weights[pool]
        return float(np.average(self.answers[1][level][pool], weights=weights))

    def _coefficients(self, masks: Masks) -> list[dict[str, Any]]:
        level = self.levels[0]
        own, theirs = self.predictions[level]
        people, pool = masks
        sides = (
            Rows(self.people, people, self.answers[0][level][people], own[people]),
            Rows(self.agents, pool, theirs[pool], theirs[pool]),
        )
        return coefficient_lines(self.asked, *sides)

    def _terms(self, masks: Masks) -> Iterator[str]:
        people, pool = (int(np.count_nonzero(mask)) for mask in masks)
        yield from self.agents.frame.grounds
        if self.asked.level is not None:
            yield f"{'log odds' if self.kind == 'model' else 'share'} of {self.asked.level}"
        yield f"Base: {people:,} people who answered {self.asked.question} and {pool:,} agents"
        yield f"weighted by {self.asked.weight}" if self.asked.weight else "unweighted"
        yield self.pairing.words
        if self.strata.names:
            yield f"strata: {', '.join(self.strata.names)}"
        yield from filter_words(self.where)

    def _remarks(self) -> Iterator[str]:
        kept, answered = self.people.kept, self.answered[0]
        if missing := int(np.count_nonzero(kept & ~answered)):
            yield f"{missing:,} people without an answer are in no figure of the people."
        if lost := int(np.count_nonzero(answered & ~self.masks[0])):
            what = "a twin that answered" if self.pairing.by_twins else "a prediction"
            yield f"{lost:,} people without {what} are left out."
        if any("survey" in note.casefold() for note in self.agents.frame.grounds):
            yield SURVEY


def _nothing(people: int, strata: int) -> Combined:
    """Return the line of a cohort with too few people for any figure."""
    none, empty = math.nan, np.zeros(strata)
    return Combined(
        n=people,
        n_eff=float(people),
        df=none,
        people=none,
        people_se=none,
        people_low=none,
        people_high=none,
        pool=none,
        estimate=none,
        se=none,
        low=none,
        high=none,
        lam=0.0,
        worth=none,
        shift=none,
        shift_z=0.0,
        spread=Spread(none, empty, empty, empty),
    )
