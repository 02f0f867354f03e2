"""Themes: groups of words that occur together in open answers, with their answers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.cautions import caution
from voxpop.analysis.draws import check_seed
from voxpop.analysis.extras import load
from voxpop.analysis.layout import Grid, Head, Line, html_of, text_of
from voxpop.analysis.picture import Picture
from voxpop.analysis.rounding import one_decimal, whole
from voxpop.analysis.terms import filter_words
from voxpop.errors import UsageError
from voxpop.stats.themes import Factors, factorise, tfidf
from voxpop.survey.bands import Bands
from voxpop.verbatims.answers import Cohorts, OpenAnswers, read_answers
from voxpop.verbatims.theme_chart import draw
from voxpop.verbatims.words import WordCounts, Words

LEAST_ANSWERS = 10
NO_THEME = "no theme"
_LABEL_WORDS, _WORDS, _QUOTED = 3, 8, 3

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Themes:
    """The result of :func:`voxpop.verbatims.themes`: numbered from 1 in descending order of size.

    Attributes
    ----------
    labels : tuple of str
        The three words with the largest weights of each theme.
    main : array of int
        Main theme of each answer, from 0; -1 if it contains none of the words.
    weights : array (answers, themes)
        Strength of each theme in each answer, 0 or more.
    """

    of: OpenAnswers
    words: tuple[tuple[tuple[str, float], ...], ...]
    labels: tuple[str, ...]
    main: npt.NDArray[np.intp]
    weights: Floats
    settled: bool
    asked: Mapping[str, Any]

    def wide(self) -> pd.DataFrame:
        """Return one row per theme.

        Returns
        -------
        pandas.DataFrame
            ``theme`` (number), ``label``, ``terms`` (words by descending weight), ``size`` (answers with this
            main theme), ``share`` (of all answers, 0 to 1), ``quote_ids`` (the most typical answers), then
            one column of shares per cohort.
        """
        rows = []
        for theme, label in enumerate(self.labels):
            row: dict[str, Any] = {
                "theme": theme + 1,
                "label": label,
                "terms": [word for word, _ in self.words[theme]],
                "size": int((self.main == theme).sum()),
                "share": float((self.main == theme).mean()),
                "quote_ids": [self.of.ids[place] for place in self._leading(theme)],
            }
            for held in self.of.cohorts.values():
                for level, share in zip(held.levels, self._shares(held, theme), strict=True):
                    row[f"{held.name}: {level}"] = share
            rows.append(row)
        return pd.DataFrame(rows)

    def long(self) -> pd.DataFrame:
        """Return one row per theme and cohort: count, base and share (0 to 1; missing in an empty cohort)."""
        rows = []
        for theme in [*range(len(self.labels)), -1]:
            inside = self.main == theme
            number, label = (theme + 1, self.labels[theme]) if theme >= 0 else (0, NO_THEME)
            rows.append((number, label, "Total", "Total", int(inside.sum()), len(self.of)))
            for held in self.of.cohorts.values():
                rows += [
                    (number, label, held.name, level, int((inside & members).sum()), int(members.sum()))
                    for level, members in zip(held.levels, held.members, strict=True)
                ]
        made = pd.DataFrame(rows, columns=["theme", "label", "column_group", "column", "count", "base"])
        return made.assign(share=made["count"] / made.base.where(made.base > 0))

    def assignments(self) -> pd.DataFrame:
        """Return one row per answer: its id, main theme (0: none) and strength, and the runner-up theme."""
        ranked = np.argsort(-self.weights, axis=1, kind="stable")
        second = ranked[:, 1] if len(self.labels) > 1 else np.zeros(len(self.of), dtype=np.intp)
        held = np.take_along_axis(self.weights, second[:, None], axis=1).ravel() > 0
        return pd.DataFrame(
            {
                self.of.id_name: list(self.of.ids),
                "theme": self.main + 1,
                "weight": self.weights.max(axis=1),
                "second": np.where(held & (len(self.labels) > 1), second + 1, 0),
            }
        )

    def answers(self, theme: int) -> pd.DataFrame:
        """Return the answers with this main theme, the most typical first.

        Parameters
        ----------
        theme : int
            Number of the theme, from 1; 0 for answers without a theme.
        """
        if not isinstance(theme, int) or isinstance(theme, bool) or not 0 <= theme <= len(self.labels):
            raise UsageError(f"Themes are numbered 1 to {len(self.labels)} (0: none), not {theme!r}.")
        places = np.flatnonzero(self.main == theme - 1)
        strength = self.weights[places].max(axis=1) if theme == 0 else self.weights[places, theme - 1]
        order = np.argsort(-strength.round(9), kind="stable")
        return self.of.frame(places[order]).assign(weight=strength[order])

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the themes again."""
        return {"table": "themes", "question": self.of.name, "where": self.of.where, **self.asked}

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._grid())

    def plot(self) -> Picture:
        """Draw the share of each theme, by cohort if there are any. Needs the extra ``charts``."""
        return draw(self.long(), self.of, self.terms())

    def terms(self) -> str:
        """Return the second line of the caption: base, measure and filter."""
        return " · ".join(
            [*self.of.based(), "% with this main theme", "unweighted", *filter_words(self.of.where)]
        )

    def __repr__(self) -> str:
        return text_of(self._grid())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _shares(self, held: Cohorts, theme: int) -> Floats:
        bases = held.members.sum(axis=1)
        inside = (held.members & (self.main == theme)).sum(axis=1)
        return np.asarray(inside / np.where(bases > 0, bases, np.nan))

    def _leading(self, theme: int) -> list[int]:
        """Return the most typical answers of a theme; ties are in the order of ids."""
        places = np.flatnonzero(self.main == theme)
        order = np.argsort(-self.weights[places, theme].round(9), kind="stable")
        return [int(place) for place in places[order][:_QUOTED]]

    def _grid(self) -> Grid:
        heads = [Head("Total", "Total", "")]
        bases = [whole(len(self.of))]
        for held in self.of.cohorts.values():
            counts = held.members.sum(axis=1)
            heads += [
                Head(held.name, level, "**" if count < 30 else "*" if count < 100 else "")
                for level, count in zip(held.levels, counts, strict=True)
            ]
            bases += [whole(count) for count in counts]
        lines = [Line("Base (unweighted)", bases, "base")]
        shares = self.long()
        for theme in [*range(1, len(self.labels) + 1), 0]:
            rows = shares[shares.theme == theme]
            if theme == 0 and not rows["count"].iloc[0]:
                continue
            cells = ["" if math.isnan(share) else one_decimal(100 * share) for share in rows.share]
            label = f"{theme} {rows.label.iloc[0]}" if theme else NO_THEME
            lines.append(Line(label, cells, "code" if theme else "missing"))
        groups = {"Total": "", **{held.name: held.text for held in self.of.cohorts.values()}}
        return Grid(self.of.text, self.terms(), heads, groups, lines, self._notes(heads))

    def _notes(self, heads: Sequence[Head]) -> list[str]:
        marks = {head.mark for head in heads}
        told = [
            f"{mark} base below {limit}" + (": too small to read" if mark == "**" else "")
            for mark, limit in (("**", 30), ("*", 100))
            if mark in marks
        ]
        for theme, label in enumerate(self.labels):
            ids = ", ".join(str(self.of.ids[place]) for place in self._leading(theme))
            more = ", ".join(word for word, _ in self.words[theme][_LABEL_WORDS:])
            told.append(f"{theme + 1} {label}{f'; also {more}' if more else ''}. Most typical: {ids}.")
        told.append(
            f"{len(self.labels)} themes by TF-IDF and non-negative matrix factorisation, seed "
            f"{self.asked['seed']}: groups of words, not meanings. Read the answers: .answers(1). "
            f"{self.of.named_by()}"
        )
        if not self.settled:
            told.append("The fit did not come to rest; fewer themes may be steadier.")
        return [*told, *self.of.remarks(), *caution(self.of.provenance)]


def themes(
    data: Any,
    question: str,
    k: int | None = None,
    *,
    by: str | Bands | Sequence[str | Bands] | None = None,
    where: Any = None,
    seed: int = 0,
    ids: str | None = None,
    attributes: Iterable[str] | None = None,
    words: Words | None = None,
) -> Themes:
    """Find groups of words that occur together in the answers to an open question.

    Needs the extra ``text``. The same data and seed yield the same themes, in descending order of size.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent (``store.respondents(study)``) or one row per answer. The data are not modified.
    question : str
        The column of answers.
    k : int, optional
        Number of themes; by default 3 to 12, increasing with the number of answers.
    by : str, Bands or list of these, optional
        Attributes to break the themes down by.
    where : Filter, dict or bools, optional
        Rows to include.
    seed : int, default 0
        Seed of the initial values of the fit.
    ids : str, optional
        The column of answer ids, as in :func:`voxpop.verbatims.keywords`.
    attributes : iterable of str, optional
        Columns shown beside an answer.
    words : Words, optional
        Rules for counting words, as in :func:`voxpop.verbatims.keywords`.

    Returns
    -------
    Themes
        See ``.wide()``, ``.long()``, ``.answers(theme)``, ``.assignments()`` and ``.plot()``.

    Raises
    ------
    UsageError
        If a column is unknown, the question is not open, there are fewer than 10 answers, or more themes than
        answers or words.

    Examples
    --------
    >>> price = ["The price is too high", "Price matters", "A high price", "Too high, the price", "Prices"]
    >>> taste = ["Taste is good", "The good taste", "It must taste good", "Good taste", "Taste comes first"]
    >>> people = pd.DataFrame({"agent_id": range(10), "why": price + taste})
    >>> found = themes(people, "why", k=2, seed=1)
    >>> found.wide()[["theme", "label", "size"]].values.tolist()
    [[1, 'price · high', 5], [2, 'taste · good', 5]]
    >>> found.answers(2).agent_id.tolist()[:2]
    [5, 6]
    """
    load("sklearn.decomposition", "text", "Themes need")
    check_seed(seed)
    listed = [by] if isinstance(by, str | Bands) else list(by or ())
    held = read_answers(
        data, question, by=listed, where=where, ids=ids, attributes=attributes, least=LEAST_ANSWERS
    )
    rules = words or Words()
    counted = rules.count(held.shown)
    used = np.bincount(counted.counts.indices, minlength=len(counted.terms))
    kept = counted.content(rules.stops)
    kept = kept[used[kept] >= rules.min_answers]
    filled = np.flatnonzero(np.asarray(counted.counts[:, kept].sum(axis=1)).ravel() > 0)
    wanted = _how_many(k, len(filled), kept.size, question)
    factors = factorise(tfidf(counted.counts[:, kept])[filled], wanted, seed=seed)
    found = _ordered(factors, [counted.terms[place] for place in kept])
    weights = np.zeros((len(held), wanted))
    weights[filled] = factors.weights[:, found]
    main = np.where(weights.max(axis=1) > 0, weights.round(9).argmax(axis=1), -1)
    heaviest = [_heaviest(factors.terms[theme], counted, kept) for theme in found]
    asked = {
        "k": wanted,
        "by": [b if isinstance(b, str) else {"bands": b.column, "starts": list(b.starts)} for b in listed],
        "seed": seed,
        "words": rules.to_json(),
        "ids": held.id_name,
        "answers": len(held),
        "source": held.source,
    }
    labels = tuple(" · ".join(word for word, _ in held[:_LABEL_WORDS]) for held in heaviest)
    return Themes(held, tuple(heaviest), labels, main, weights, factors.settled, asked)


def _how_many(k: int | None, answers: int, words: int, question: str) -> int:
    """Validate the number of themes, or choose one: 3 for a few answers, 12 for thousands."""
    if answers < LEAST_ANSWERS:
        raise UsageError(
            f"{answers:,} answers to {question!r} share a word with another; themes need "
            f"{LEAST_ANSWERS} or more."
        )
    most = min(answers, words)
    if k is None:
        return min(most, max(3, min(12, round(math.sqrt(answers / 15)))))
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= most:
        raise UsageError(
            f"k must be 1 to {most:,}, as {question!r} has {answers:,} answers with {words:,} words in "
            f"common, not {k!r}."
        )
    return k


def _ordered(factors: Factors, terms: Sequence[str]) -> list[int]:
    """Sort themes by size, then by their words."""
    main = factors.weights.round(9).argmax(axis=1)[factors.weights.max(axis=1) > 0]
    sizes = np.bincount(main, minlength=len(factors.terms))
    first = [terms[int(row.round(9).argmax())] for row in factors.terms]
    return sorted(range(len(factors.terms)), key=lambda theme: (-sizes[theme], first[theme], theme))


def _heaviest(row: Floats, words: WordCounts, kept: npt.NDArray[np.intp]) -> tuple[tuple[str, float], ...]:
    order = np.argsort(-row.round(9), kind="stable")[:_WORDS]
    return tuple((words.terms[kept[place]], float(row[place])) for place in order if row[place] > 0.01)
