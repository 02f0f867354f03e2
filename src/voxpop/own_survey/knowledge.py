"""The user's own survey of people as agents answer from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voxpop.analysis.columns import arrow_columns, open_data
from voxpop.engines.donors import Donors, Profile
from voxpop.engines.human_survey import NUMBER, Asked, Floats, HumanSurvey
from voxpop.engines.survey_file import SUFFIX, open_survey, save_survey
from voxpop.errors import UsageError
from voxpop.own_survey.nearness import columns_of, fitted
from voxpop.own_survey.printing import Report, as_html, as_text
from voxpop.own_survey.profile_columns import Given, axes_of
from voxpop.own_survey.question_columns import Wordings, asked_of
from voxpop.own_survey.share_table import COLUMNS, Shares
from voxpop.own_survey.sources import Source, read_source
from voxpop.own_survey.uncertainty import Estimate, Estimator
from voxpop.survey.survey import Survey
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.nearest import did_you_mean, nearest
from voxpop.vocabulary.values import canonical, is_known

_AGENTS = (
    "Expected answers of these agents; the interval is that of the survey: sampling of respondents,"
    " smoothing over profiles and extrapolation beyond its reach, without nonresponse and coverage errors."
)
_DIRECT = "Weighted answers of the respondents themselves; the interval is that of sampling them."


class Knowledge:
    """A survey of people from which agents answer, as :func:`knowledge` reads it.

    Attributes
    ----------
    survey : HumanSurvey
        Coded profiles, weights and answers of the respondents. They stay on this machine: answers of agents
        are drawn from them, and no record enters a service's database, an export or a share page.
    """

    def __init__(self, survey: HumanSurvey, report: Report | None = None) -> None:
        self.survey = survey
        self._report = report or Report()
        self._donors = Donors(survey)

    def __repr__(self) -> str:
        """Return respondents, fields, questions and what did not fit, as text."""
        return as_text(self.survey, self._report)

    def _repr_html_(self) -> str:
        return as_html(self.survey, self._report)

    def save(self, path: str | Path) -> Path:
        """Write the survey to a ``.knowledge`` file for ``voxpop serve`` and ``voxpop worker``.

        The file holds coded answers of people and is as confidential as the survey. Only its owner can read
        it.

        Parameters
        ----------
        path
            The file, which is replaced.
        """
        target = Path(path)
        if target.suffix != SUFFIX:
            raise UsageError(f"The file needs the ending {SUFFIX}, such as our{SUFFIX}, not {target.name}.")
        return save_survey(self.survey, target)

    def shares(
        self, question: str, people: Any = None, by: str | None = None, *, level: float = 0.95
    ) -> Shares:
        """Return what the survey says about groups of agents, with the survey's own uncertainty.

        A crosstab of agents' answers shows only the noise of drawing agents, however few respondents are
        behind them. This table shows the effective number of respondents, and intervals that also hold for
        cohorts that the survey does not reach.

        Parameters
        ----------
        question
            Column of the survey, or its wording.
        people
            Agents, one per row with their profile, such as ``store.respondents(study)``. Default: the
            respondents themselves.
        by
            Column of ``people`` with the groups; without ``people``, a field shared with agents.
        level
            Confidence, above 0 and below 1.

        Raises
        ------
        UsageError
            The survey has no such question, or the data no such column.

        Examples
        --------
        >>> import pandas as pd
        >>> import voxpop as vp
        >>> own = pd.DataFrame({"gender": ["male", "female"] * 50, "tea": ["yes", "no", "no", "no"] * 25})
        >>> know = vp.knowledge(own, questions={"tea": "Do you drink tea?"})
        >>> know.shares("tea", by="gender").long()[["group", "answer", "estimate"]].values.tolist()
        [['male', 'yes', 0.5], ['male', 'no', 0.5], ['female', 'yes', 0.0], ['female', 'no', 1.0]]
        """
        if not 0 < level < 1:
            raise UsageError(f"level must lie between 0 and 1, not {level}.")
        import pandas as pd

        asked = self._asked(question)
        rows = []
        answers = columns_of(self.survey, asked.name)
        made = {
            answer: Estimator(self.survey, self._donors, values, is_share=asked.kind != NUMBER)
            for answer, values in answers.items()
        }
        if people is None:
            for group, inside in self._respondents(by):
                rows += [(group, answer, *_row(one.direct(inside, level))) for answer, one in made.items()]
        else:
            for group, held in self._agents(people, by):
                rows += [(group, answer, *_row(one.of(held, level))) for answer, one in made.items()]
        frame = pd.DataFrame(rows, columns=list(COLUMNS))
        notes = (_DIRECT if people is None else _AGENTS, f"Source: {self.survey.cited(asked.name)}.")
        return Shares(asked.wording, by or "", notes, frame)

    def _asked(self, question: str) -> Asked:
        for one in self.survey.asked:
            if question in (one.name, one.wording):
                return one
        names = [one.name for one in self.survey.asked]
        near = did_you_mean(nearest(question, names)) or f"; it has {', '.join(names)}."
        raise UsageError(f"{self.survey.name} has no question {question!r}{near}")

    def _respondents(self, by: str | None) -> Iterator[tuple[str, npt.NDArray[np.bool_]]]:
        if by is None:
            yield "all", np.ones(self.survey.people, dtype=bool)
            return
        for axis in self.survey.axes:
            if by in (axis.field, axis.column):
                for place, label in enumerate(axis.levels):
                    if (axis.places == place).any():
                        yield label, axis.places == place
                return
        shared = ", ".join(axis.field for axis in self.survey.axes)
        raise UsageError(f"by: {self.survey.name} has no field {by!r}; it has {shared or 'none'}.")

    def _agents(self, people: Any, by: str | None) -> Iterator[tuple[str, dict[Profile | None, int]]]:
        names, _, _ = open_data(people)
        fields = [axis.field for axis in self.survey.axes]
        needed = [*fields, "country", *([by] if by else [])]
        if missing := [name for name in needed if name not in names]:
            raise UsageError(
                f"people has no column {missing[0]!r}; pass one row per agent, with its profile."
            )
        table = arrow_columns(people, needed).to_pydict()
        counts: dict[str, dict[Profile | None, int]] = {}
        anywhere = "country" in fields
        for row in zip(*(table[name] for name in needed), strict=True):
            group = "all" if by is None else _named(row[-1])
            profile = tuple(axis.place(value) for axis, value in zip(self.survey.axes, row, strict=False))
            here = profile if anywhere or row[len(fields)] == self.survey.country else None
            own = counts.setdefault(group, {})
            own[here] = own.get(here, 0) + 1
        order = FIELDS[by].levels if by is not None and by in FIELDS else ()
        for group in sorted(
            counts, key=lambda name: (order.index(name) if name in order else len(order), name)
        ):
            yield group, counts[group]


def _named(value: Any) -> str:
    return "unknown" if value is None else str(value)


def _row(found: Estimate) -> tuple[Any, ...]:
    return (
        found.value,
        found.low,
        found.high,
        found.donors,
        found.agents,
        found.reached,
        found.beyond,
    )


def knowledge(
    data: Any,
    *,
    weights: str | None = None,
    profile: Given | None = None,
    questions: Wordings | None = None,
    country: str = "USA",
    name: str | None = None,
    fielded: str | None = None,
) -> Knowledge:
    """Return a survey of people from which agents can answer, by ``vp.local(knowledge=...)``.

    An agent answers as one respondent drawn at random, more often one with a near profile and a large weight.
    It answers all questions of the survey as the same respondent, so answers go together as in the survey.

    Parameters
    ----------
    data
        A survey of ``vp.data``, a pandas, polars or Arrow table, a DuckDB relation, or a path: ``.sav``,
        ``.dta``, ``.csv``, ``.parquet``, or a ``.knowledge`` file of :meth:`Knowledge.save`.
    weights
        Column of survey weights. Default: the weight of a survey's design, else all count alike.
    profile
        Field of agents -> column; or -> (column, {value: level of the field}) where the labels differ.
        Default: columns named like a field whose values fit.
    questions
        Column -> wording; a tuple of columns are the options of one question. Default: the labels of ``.sav``
        and ``.dta`` files, which these complete. Columns without a wording are not used.
    country
        Country of the respondents, unless a column holds it.
    name, fielded
        Name of the survey, by default that of the file, and when people were asked, for the notes.

    Raises
    ------
    UsageError
        A file or column is missing, weights are invalid, or no column holds a question.

    Examples
    --------
    >>> import pandas as pd
    >>> import voxpop as vp
    >>> own = pd.DataFrame({"gender": ["male", "female"] * 50, "switch": ["yes", "no", "no", "no"] * 25})
    >>> wording = {"switch": "Would you switch to a lower-sugar snack?"}
    >>> know = vp.knowledge(own, questions=wording, name="snacks")
    >>> print(know)
    snacks: 100 people in USA, effective 100
    Fields: Gender (gender)
    Questions
      switch  Would you switch to a lower-sugar snack?  yes, no  100 answers
    """
    if isinstance(data, str | Path) and Path(data).suffix == SUFFIX:
        if any(one is not None for one in (weights, profile, questions, name, fielded)):
            raise UsageError(f"A {SUFFIX} file is complete; read the survey itself to change it.")
        return Knowledge(open_survey(data))
    if weights is None and isinstance(data, Survey):
        weights = data.design.weight
    source = read_source(data, name)
    weight = _weights(source, weights)
    place = canonical(FIELDS["country"], country)
    if not is_known(FIELDS["country"], place):
        near = did_you_mean(nearest(country, FIELDS["country"].levels)) or "."
        raise UsageError(f"country: there are no agents in {country!r}{near}")
    own = [weights] if weights else []
    named = {column for key in questions or () for column in ((key,) if isinstance(key, str) else key)}
    fits = axes_of(source, profile, place, {*own, *named})
    axes = tuple(axis for axis, _ in fits)
    asked, left = asked_of(source, questions, [*own, *(axis.column for axis in axes)])
    if not asked:
        raise UsageError(
            f"{source.name} has no column with a question; name them: questions={{column: wording}}."
        )
    survey = fitted(HumanSurvey(source.name, place, weight, axes, asked, fielded))
    return Knowledge(survey, Report(tuple(fit for _, fit in fits), left))


def _weights(source: Source, column: str | None) -> Floats:
    """Return the weights of the respondents, 1 on average."""
    if column is None:
        return np.ones(len(source.frame))
    source.check([column], "weights")
    import pandas as pd

    made = pd.to_numeric(source.frame[column], errors="coerce").to_numpy(np.float64)
    wrong = ~np.isfinite(made) | (made < 0)
    if wrong.any() or not made.sum() > 0:
        first = int(np.flatnonzero(wrong)[0]) if wrong.any() else 0
        raise UsageError(
            f"weights: row {first:,} of {column!r} holds {source.frame[column].iloc[first]!r}; a weight is a "
            "number from 0 up, and one at least is above 0."
        )
    return np.asarray(made / made.mean())
