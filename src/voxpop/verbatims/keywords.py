"""Keywords: words that one cohort uses more than others, with their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.cautions import caution
from voxpop.analysis.columns import Bools
from voxpop.analysis.picture import Picture
from voxpop.analysis.rounding import one_decimal
from voxpop.analysis.terms import filter_words
from voxpop.errors import UsageError
from voxpop.stats.keyness import informative_prior, log_likelihood, log_odds, log_ratio
from voxpop.survey.bands import Bands
from voxpop.verbatims.answers import Cohorts, OpenAnswers, read_answers
from voxpop.verbatims.listing import Heading, Listing, Section, html_of, text_of
from voxpop.verbatims.word_chart import draw_keywords
from voxpop.verbatims.words import WordCounts, Words
from voxpop.vocabulary.nearest import did_you_mean, nearest

PRIOR = 500.0
REST = "rest"

_LONG = (
    *("group", "versus", "term", "forms", "count_a", "count_b", "answers_a", "answers_b", "base_a", "base_b"),
    *("share_a", "share_b", "log_odds", "z", "log_ratio", "g2"),
)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Keywords:
    """The result of :func:`voxpop.verbatims.keywords`: words per cohort, with their answers."""

    of: OpenAnswers
    cohorts: Cohorts
    words: WordCounts
    table: pd.DataFrame
    asked: Mapping[str, Any]

    def long(self) -> pd.DataFrame:
        """Return one row per cohort and word, in descending order of distinctiveness.

        Returns
        -------
        pandas.DataFrame
            ``group`` and ``versus`` (cohorts a and b); ``term`` and its ``forms``. For a and b: uses
            (``count``), answers with the word (``answers``), all answers (``base``) and ``share`` (0 to 1).
            Then ``log_odds`` and ``z``; ``log_ratio`` (base 2) and ``g2`` as a second measure. A positive
            ``z`` means that cohort a uses the word more.
        """
        return self.table.copy()

    def top(self, n: int = 10) -> pd.DataFrame:
        """Return the n most distinctive words of each cohort, with ``z`` above 0."""
        return self.table[self.table.z > 0].groupby("group", sort=False, observed=True).head(n)

    def answers(self, term: str, group: Any = None) -> pd.DataFrame:
        """Return the answers that contain a word, with their ids and agents.

        Parameters
        ----------
        term : str
            The word, in any of its forms.
        group : optional
            The cohort; by default all cohorts.

        Raises
        ------
        UsageError
            If no answer contains the word (with the nearest words), or the cohort is unknown.
        """
        place = self.words.place(term)
        if place is None:
            hint = did_you_mean(nearest(str(term), self.words.terms)) or "."
            raise UsageError(f"No answer to {self.of.name!r} holds the word {term!r}{hint}")
        held = np.zeros(len(self.of), dtype=np.bool_)
        held[self.words.counts[:, [place]].nonzero()[0]] = True
        if group is not None:
            held &= self.cohorts.members[self.cohorts.place(group)]
        return self.of.frame(np.flatnonzero(held))

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the keywords again."""
        return {"table": "keywords", "question": self.of.name, "where": self.of.where, **self.asked}

    def to_html(self) -> str:
        """Return an HTML ``<table>`` with caption and scopes, in the colours of the page."""
        return html_of(self._listing())

    def plot(self, n: int = 8) -> Picture:
        """Draw the shares of answers with the top n words of each cohort, and those of the others.

        Needs the extra ``charts``.
        """
        return draw_keywords(self.top(n), self.cohorts.name, self.of, self.terms())

    def terms(self) -> str:
        """Return the second line of the caption: base, comparison and filter."""
        return " · ".join(
            [
                *self.of.based(),
                f"words each {self.cohorts.name} uses more",
                "unweighted",
                *filter_words(self.of.where),
            ]
        )

    def __repr__(self) -> str:
        return text_of(self._listing())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _listing(self) -> Listing:
        headings = [
            Heading("word", 18, text=True),
            Heading("z", 6),
            Heading("answers", 9),
            Heading("share %", 7),
            Heading("others %", 8),
            Heading("times", 7),
        ]
        sections = []
        top = self.top()
        for group in dict.fromkeys(self.table.group) or ():
            rows = [
                [
                    *(row.term, one_decimal(row.z), f"{row.answers_a:,}"),
                    *(one_decimal(100 * row.share_a), one_decimal(100 * row.share_b), _times(row.log_ratio)),
                ]
                for row in top[top.group == group].itertuples()
            ]
            base = int(self.table[self.table.group == group].base_a.iloc[0])
            versus = self.table[self.table.group == group].versus.iloc[0]
            title = f"{self.cohorts.name}: {group} (n={base:,}) against {versus}"
            sections.append(Section(title, rows or [["no such word", "", "", "", "", ""]]))
        return Listing(self.of.text, self.terms(), headings, sections, self._notes())

    def _notes(self) -> list[str]:
        least = self.asked["words"]["min_answers"]
        told = [
            "z: log-odds with an informative Dirichlet prior of "
            f"{self.asked['prior']:g} words (Monroe, Colaresi, Quinn 2008), over its standard error; it "
            "orders the words and is no test.",
            "share: answers of the cohort that hold the word; others: answers of those it is compared with; "
            "times: how many times as often it is used.",
            f"Words in fewer than {least} answers are left out. .answers(word) gives the answers. "
            f"{self.of.named_by()}",
        ]
        return [*told, *self.of.remarks(), *caution(self.of.provenance)]


def _times(doublings: float) -> str:
    return f"{one_decimal(2**doublings)}x" if doublings < 9 else "> 500x"


def keywords(
    data: Any,
    question: str,
    by: str | Bands,
    group: Any = None,
    *,
    versus: Any = REST,
    where: Any = None,
    ids: str | None = None,
    attributes: Iterable[str] | None = None,
    words: Words | None = None,
    prior: float = PRIOR,
) -> Keywords:
    """Find words that one cohort uses more than others in its answers to an open question.

    Parameters
    ----------
    data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
        One row per agent (``store.respondents(study)``) or one row per answer. The data are not modified.
    question : str
        The column of answers.
    by : str or Bands
        The attribute whose cohorts are compared.
    group : optional
        One level of ``by``; by default every level is compared.
    versus : default "rest"
        The reference: all other answers, or another level of ``by``.
    where : Filter, dict or bools, optional
        Rows to include.
    ids : str, optional
        The column of answer ids. Default: the ids in the store that the relation comes from, else a column
        ``<question>_answer_id`` or ``answer_id``, else the agent's id, else the row number.
    attributes : iterable of str, optional
        Columns shown beside an answer; by default age, gender, state and occupation.
    words : Words, optional
        Rules for counting words: stems, stop words, minimum number of answers, limit per answer.
    prior : float, default 500
        Size of the prior in words, distributed as in all answers; larger values rank rare words lower.

    Returns
    -------
    Keywords
        See ``.long()``, ``.top(n)``, ``.answers(word)`` and ``.plot()``.

    Raises
    ------
    UsageError
        If a column or level is unknown (with the nearest names), the question is not open, a cohort is empty,
        or no word occurs in enough answers.

    Examples
    --------
    >>> people = pd.DataFrame(
    ...     {
    ...         "agent_id": range(8),
    ...         "why": ["The price", "Too high a price", "Price!", "Taste"] + ["Good taste", "Taste"] * 2,
    ...         "arm": ["a"] * 4 + ["b"] * 4,
    ...     }
    ... )
    >>> found = keywords(people, "why", by="arm", words=Words(stem=False), prior=10)
    >>> found.top()[["group", "term", "answers_a", "answers_b"]].values.tolist()
    [['a', 'price', 3, 0], ['b', 'taste', 4, 1]]
    >>> found.answers("price").agent_id.tolist()
    [0, 1, 2]
    """
    if not prior > 0:
        raise UsageError(f"prior must be above 0, not {prior!r}.")
    rules = words or Words()
    held = read_answers(data, question, by=[by], where=where, ids=ids, attributes=attributes, least=2)
    (cohorts,) = held.cohorts.values()
    counted = rules.count(held.shown)
    kept = counted.content(rules.stops)
    chosen = range(len(cohorts.levels)) if group is None else [cohorts.place(group)]
    sides = [(place, *_sides(cohorts, place, versus)) for place in chosen]
    full = [side for side in sides if side[1].any() and side[2].any()]
    if group is not None or versus != REST or not full:
        _check_sides(cohorts, sides, full, versus)
    tables = [
        _compared(counted, kept, one, other, prior, rules.min_answers).assign(
            group=cohorts.levels[place], versus=versus if versus == REST else str(versus)
        )
        for place, one, other in full
    ]
    table = pd.concat(tables, ignore_index=True)[list(_LONG)]
    if table.empty:
        raise UsageError(
            f"No word occurs in {rules.min_answers} answers to {question!r}; ask more agents, or lower "
            "the limit with words=Words(min_answers=…)."
        )
    asked = {
        "by": by if isinstance(by, str) else {"bands": by.column, "starts": list(by.starts)},
        "group": group,
        "versus": versus,
        "words": rules.to_json(),
        "prior": prior,
        "ids": held.id_name,
        "answers": len(held),
        "source": held.source,
    }
    return Keywords(held, cohorts, counted, table, asked)


def _sides(cohorts: Cohorts, place: int, versus: Any) -> tuple[Bools, Bools]:
    """Return masks of a cohort and of its reference; no answer is in both."""
    one = cohorts.members[place]
    if isinstance(versus, str) and versus == REST:
        return one, cohorts.members.any(axis=0) & ~one
    other = cohorts.members[cohorts.place(versus)]
    return one & ~other if cohorts.place(versus) != place else one, other & ~one


def _check_sides(
    cohorts: Cohorts, sides: Sequence[tuple[int, Bools, Bools]], full: Sequence[Any], versus: Any
) -> None:
    """Refuse an empty cohort that was requested by name, or a comparison without a second side."""
    if len(full) == len(sides) or (full and len(sides) > 1):
        return
    place, one, _ = sides[0]
    against = "the rest" if versus == REST else str(versus)
    if len(sides) > 1:
        raise UsageError(f"All answers belong to one level of {cohorts.name!r}; there is nothing to compare.")
    empty = cohorts.levels[place] if not one.any() else against
    raise UsageError(f"The cohort {empty!r} of {cohorts.name!r} has no answers of its own to compare.")


def _compared(
    words: WordCounts, kept: npt.NDArray[np.intp], one: Bools, other: Bools, prior: float, least: int
) -> pd.DataFrame:
    """Compare all words of two sides; return keyword candidates in descending order of distinctiveness."""
    sides = [words.counts[np.flatnonzero(side)] for side in (one, other)]
    uses = [np.asarray(side.sum(axis=0), dtype=np.float64).ravel() for side in sides]
    answers = [np.bincount(side.indices, minlength=len(words.terms)) for side in sides]
    bases = [int(one.sum()), int(other.sum())]
    totals = [float(side.sum()) for side in uses]
    seen = np.flatnonzero((uses[0] + uses[1]) > 0)
    if not seen.size or not min(totals) > 0:
        return pd.DataFrame(columns=list(_LONG))
    a, b = uses[0][seen], uses[1][seen]
    found = log_odds(a, b, informative_prior(a, b, prior))
    made = pd.DataFrame(
        {
            "place": seen,
            "count_a": a.astype(np.int64),
            "count_b": b.astype(np.int64),
            "answers_a": answers[0][seen],
            "answers_b": answers[1][seen],
            "base_a": bases[0],
            "base_b": bases[1],
            "share_a": answers[0][seen] / bases[0],
            "share_b": answers[1][seen] / bases[1],
            "log_odds": found.delta,
            "z": found.z,
            "log_ratio": log_ratio(a, b, *totals),
            "g2": log_likelihood(a, b, *totals),
        }
    )
    made = made[np.isin(seen, kept) & (made.answers_a + made.answers_b >= least)]
    made["term"] = [words.terms[place] for place in made.place]
    made["forms"] = [", ".join(words.forms[place]) for place in made.place]
    order = np.lexsort((made.term.to_numpy(dtype=str), -made.z.round(9).to_numpy()))
    return made.iloc[order]
