"""Quotes: answers that are representative, show the range, or dissent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.cautions import caution
from voxpop.analysis.columns import Bools
from voxpop.analysis.draws import check_seed
from voxpop.analysis.rounding import one_decimal
from voxpop.analysis.terms import filter_words
from voxpop.errors import UsageError
from voxpop.stats.themes import tfidf
from voxpop.survey.bands import Bands
from voxpop.verbatims.answers import AGENT_IDS, Cohorts, OpenAnswers, read_answers
from voxpop.verbatims.listing import Heading, Listing, Section, html_of, text_of
from voxpop.verbatims.words import count_words, words_of

REPRESENTATIVE, SPREAD, DISSENTING = "representative", "spread", "dissenting"
LENGTH = (8, 60)
CANDIDATES = 2_000
"""Maximum number of candidates for quotes, drawn with the seed."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Quote:
    """A chosen answer: its position, its cohort, its role, and the reason for the choice."""

    place: int
    group: str
    role: str
    why: str


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Quotes:
    """The result of :func:`voxpop.verbatims.quotes`: answers with their ids and their agents' attributes."""

    of: OpenAnswers
    chosen: tuple[Quote, ...]
    asked: Mapping[str, Any]

    @property
    def ids(self) -> list[Any]:
        """Return the ids of the answers, in the order of choice."""
        return [self.of.ids[quote.place] for quote in self.chosen]

    def long(self) -> pd.DataFrame:
        """Return one row per quote.

        Returns
        -------
        pandas.DataFrame
            ``group`` (the cohort), ``role`` (representative, spread or dissenting), ``why``, the answer's id,
            the agent's id and attributes, ``text`` as shown and ``raw`` as given.
        """
        made = self.of.frame([quote.place for quote in self.chosen])
        for place, name in enumerate(("group", "role", "why")):
            made.insert(place, name, [getattr(quote, name) for quote in self.chosen])
        return made

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to choose the quotes again."""
        return {"table": "quotes", "question": self.of.name, "where": self.of.where, **self.asked}

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._listing())

    def __repr__(self) -> str:
        return text_of(self._listing())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _listing(self) -> Listing:
        headings = [
            Heading("answer", max(8, *(len(str(name)) for name in self.ids), 0)),
            Heading("quote", 46, text=True),
            Heading("who", 16, text=True),
        ]
        people = self.of.people
        shown = [name for name in people.columns if name not in AGENT_IDS]
        sections = []
        for group in dict.fromkeys(quote.group for quote in self.chosen):
            for role in (REPRESENTATIVE, SPREAD, DISSENTING):
                held = [quote for quote in self.chosen if (quote.group, quote.role) == (group, role)]
                if not held:
                    continue
                rows = [
                    [
                        str(self.of.ids[quote.place]),
                        f"“{self.of.shown[quote.place]}”",
                        ", ".join(filter(None, (_told(people[name].iloc[quote.place]) for name in shown))),
                    ]
                    for quote in held
                ]
                told = f"{role}: {held[0].why}"
                sections.append(Section(f"{group} · {told}" if group else told, rows))
        return Listing(self.of.text, self._terms(), headings, sections, self._notes())

    def _terms(self) -> str:
        return " · ".join([*self.of.based(), f"{len(self.chosen):,} quotes", *filter_words(self.of.where)])

    def _notes(self) -> list[str]:
        low, high = LENGTH
        told = [
            f"Quotes illustrate; they measure nothing. Answers of {low} to {high} words come first. "
            f"{self.of.named_by()}"
        ]
        return [*told, *self.of.remarks(), *caution(self.of.provenance)]


def _told(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | np.ndarray):
        return ", ".join(map(str, value))
    return "" if value is None or value is pd.NA or value != value else str(value)


def quotes(
    data: Any,
    question: str,
    n: int = 5,
    *,
    by: str | Bands | None = None,
    where: Any = None,
    only: Iterable[Any] | None = None,
    dissent: bool | str = True,
    seed: int = 0,
    ids: str | None = None,
    attributes: Iterable[str] | None = None,
) -> Quotes:
    """Choose quotes: the most representative answer, answers that show the range, and a dissenting one.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent (``store.respondents(study)``) or one row per answer. The data are not modified.
    question : str
        The column of answers.
    n : int, default 5
        Number of quotes; fewer are returned if there are too few distinct answers.
    by : str or Bands, optional
        An attribute; n quotes are chosen for each of its cohorts.
    where : Filter, dict or bools, optional
        Rows to include.
    only : iterable, optional
        Ids of the candidate answers, such as ``found.answers(2).answer_id`` of a theme.
    dissent : bool or str, default True
        Whether one quote is dissenting: the answer least similar to the others. If given the column of a
        coded question, the representative quote gave its most frequent answer, and the dissenting quote
        another.
    seed : int, default 0
        Seed for drawing candidates from more than 2,000 answers.
    ids : str, optional
        The column of answer ids, as in :func:`voxpop.verbatims.keywords`.
    attributes : iterable of str, optional
        Columns shown beside a quote; by default age, gender, state and occupation.

    Returns
    -------
    Quotes
        See ``.long()`` and ``.ids``. Other lengths than 8 to 60 words are used only if there are too few.

    Raises
    ------
    UsageError
        If a column or id is unknown, the question is not open, or there are no answers.

    Examples
    --------
    >>> why = ["The price is too high", "The price is far too high for me", "High price", "I love the taste"]
    >>> people = pd.DataFrame({"agent_id": range(4), "why": why, "age": [30, 41, 52, 63]})
    >>> quotes(people, "why", 2).long()[["role", "agent_id", "age"]].values.tolist()
    [['representative', 0, 30], ['dissenting', 3, 63]]
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise UsageError(f"n must be a whole number of 1 or more, not {n!r}.")
    stance = dissent if isinstance(dissent, str) else None
    listed = [*([by] if by is not None else []), *([stance] if stance is not None else [])]
    check_seed(seed)
    held = read_answers(data, question, by=listed, where=where, ids=ids, attributes=attributes)
    opinion = _opinion(held.cohorts[stance]) if stance is not None else None
    taken = np.ones(len(held), dtype=np.bool_) if only is None else _only(held, only)
    groups: list[tuple[str, Bools]] = [("", taken)]
    if by is not None:
        cohorts = held.cohorts[by if isinstance(by, str) else by.column]
        groups = [
            (f"{cohorts.name}: {level}", members & taken)
            for level, members in zip(cohorts.levels, cohorts.members, strict=True)
        ]
    rule = _Rule(n, seed, bool(dissent), opinion)
    found = [
        quote for group, members in groups for quote in _chosen(held, np.flatnonzero(members), group, rule)
    ]
    if not found:
        raise UsageError(f"{question!r} has no answers to quote here.")
    asked = {
        "n": n,
        "by": by if by is None or isinstance(by, str) else {"bands": by.column, "starts": list(by.starts)},
        "only": None if only is None else [held.ids[place] for place in np.flatnonzero(taken)],
        "dissent": dissent,
        "seed": seed,
        "ids": held.id_name,
        "source": held.source,
    }
    return Quotes(held, tuple(found), asked)


@dataclass(frozen=True, slots=True)
class _Opinion:
    """Agents with the most frequent answer to a coded question, agents with another, and descriptions."""

    common: Bools
    other: Bools
    told: tuple[str, ...]


def _opinion(cohorts: Cohorts) -> _Opinion:
    counts = cohorts.members.sum(axis=1)
    common = int(counts.argmax())
    share = one_decimal(100 * counts[common] / max(1, counts.sum()))
    told = []
    for answer in range(cohorts.members.shape[1]):
        own = [level for level, held in zip(cohorts.levels, cohorts.members[:, answer], strict=True) if held]
        said = f"said {', '.join(own)} to {cohorts.name}; {share} % said {cohorts.levels[common]}"
        told.append(said)
    members = cohorts.members
    return _Opinion(members[common], members.any(axis=0) & ~members[common], tuple(told))


def _only(held: OpenAnswers, only: Iterable[Any]) -> Bools:
    wanted = list(only)
    position = {name: place for place, name in enumerate(held.ids)}
    strange = [name for name in wanted if name not in position]
    if strange:
        raise UsageError(f"{held.name!r} has no answer with {held.id_name} {strange[0]!r} here.")
    taken = np.zeros(len(held), dtype=np.bool_)
    taken[[position[name] for name in wanted]] = True
    return taken


@dataclass(frozen=True, slots=True)
class _Rule:
    """Settings of the choice: number, seed, and the source of dissent."""

    n: int
    seed: int
    dissent: bool
    opinion: _Opinion | None


def _chosen(held: OpenAnswers, places: npt.NDArray[np.intp], group: str, rule: _Rule) -> list[Quote]:
    """Choose the quotes of one cohort from its answers."""
    pool = _pool(held, places, rule)
    if not len(pool):
        return []
    vectors = _vectors([held.shown[place] for place in pool])
    centre = vectors.mean(axis=0)
    near = (vectors @ centre / max(float(np.sqrt(centre @ centre)), 1e-12)).round(9)
    typical = near if rule.opinion is None else np.where(rule.opinion.common[pool], near, near - 2)
    first = int(typical.argmax())
    why = "most like all the others"
    if rule.opinion is not None and rule.opinion.common[pool[first]]:
        why = f"most like all the others; {rule.opinion.told[int(pool[first])]}"
    made = [Quote(int(pool[first]), group, REPRESENTATIVE, why)]
    last = _dissenting(pool, vectors, near, first, rule.opinion) if rule.dissent and rule.n > 1 else None
    kept = [first] if last is None else [first, last[0]]
    alike = (vectors @ vectors.T).round(9)
    while len(kept) < min(rule.n, len(pool)):
        nearest = alike[:, kept].max(axis=1)
        nearest[kept] = np.inf
        chosen = int(nearest.argmin())
        kept.append(chosen)
        made.append(Quote(int(pool[chosen]), group, SPREAD, "unlike those already chosen"))
    if last is not None:
        made.append(Quote(int(pool[last[0]]), group, DISSENTING, last[1]))
    return made


def _pool(held: OpenAnswers, places: npt.NDArray[np.intp], rule: _Rule) -> npt.NDArray[np.intp]:
    """Return distinct answers of suitable length, by id; of any length if there are too few."""
    if len(places) > CANDIDATES:
        places = np.sort(np.random.default_rng(rule.seed).choice(places, CANDIDATES, replace=False))
    different: dict[tuple[str, ...], int] = {}
    for place in places:
        different.setdefault(tuple(words_of(held.shown[place])), int(place))
    worded = {words: place for words, place in different.items() if words}
    fitting = [place for words, place in worded.items() if LENGTH[0] <= len(words) <= LENGTH[1]]
    return np.array(fitting if len(fitting) >= rule.n else list(worded.values()), dtype=np.intp)


def _vectors(texts: Sequence[str]) -> Floats:
    """Return TF-IDF vectors of length 1, of content words if there are any."""
    words = count_words(texts, stem=False)
    kept = words.content(True)
    counts = words.counts[:, kept] if kept.size else words.counts
    return np.asarray(tfidf(counts).toarray(), dtype=np.float64)


def _dissenting(
    pool: npt.NDArray[np.intp], vectors: Floats, near: Floats, first: int, opinion: _Opinion | None
) -> tuple[int, str] | None:
    """Find the dissenting answer: typical of another opinion, or else least similar to the others."""
    free = np.arange(len(pool)) != first
    if opinion is not None:
        other = free & opinion.other[pool]
        if not other.any():
            return None
        centre = vectors[other].mean(axis=0)
        chosen = int(np.where(other, (vectors @ centre).round(9), -np.inf).argmax())
        return chosen, opinion.told[int(pool[chosen])]
    spoken = free & (vectors.any(axis=1))
    if not spoken.any():
        return None
    return int(np.where(spoken, near, np.inf).argmin()), "least like all the others"
