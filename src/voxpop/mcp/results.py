"""Study results cut to what a language model can read: counts, some answers and the claims."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field

from voxpop.engines.basis import NONE
from voxpop.engines.basis_counts import placeholder_notice
from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import RANKING
from voxpop.wire.base import Out
from voxpop.wire.questions import Answer, Question
from voxpop.wire.studies import Study

NOTE = "Simulated agents gave these answers. They are not evidence about people."
MOST_ANSWERS = 500

_MOST_IDS = 10
_MOST_SHARES = 10
_LEFT_OUT = {"study_id", "question_id", "job_id", "option_order", "agent_city", "agent_summary"}


class Share(Out):
    """Number of agents that gave one value."""

    value: Any = Field(description="The coded answer, or one of several that an agent chose.")
    count: int = Field(description="How many agents gave it.")
    share: float = Field(description="Their share of the agents with a coded answer, from 0 to 1.")


class Numbers(Out):
    """Summary statistics of a numeric question."""

    mean: float = Field(description="Their mean.")
    median: float = Field(description="Their median.")
    min: float = Field(description="The lowest.")
    max: float = Field(description="The highest.")


class QuestionResult(Question):
    """A question with its counts and some of its answers."""

    no_value: int = Field(description="How many answers have no coded value, as of those who do not know.")
    distribution: list[Share] | None = Field(description="Counts by value; null for open questions.")
    numbers: Numbers | None = Field(description="For scales and numbers; null for all others.")
    placeholders: str | None = Field(
        description="A notice if no figure is known for some of the answers: they are no findings. Else null."
    )
    answers: list[Answer] = Field(description="The first answers, as many as asked for.")


class StudyResults(Out):
    """Results of a study so far."""

    study: Study = Field(description="The study.")
    questions: list[QuestionResult] = Field(description="The questions in the order asked.")
    analysis: dict[str, Any] | None = Field(
        description="What completing the study has found, each claim with some of the answers it rests on; "
        "null before."
    )
    note: str = Field(description="What these results are not.")


def digest(
    study: Mapping[str, Any],
    questions: Iterable[Mapping[str, Any]],
    analysis: Mapping[str, Any] | None,
    answers_shown: int,
) -> dict[str, Any]:
    """Collect the results of a study."""
    return {
        "study": dict(study),
        "questions": [_question(one, answers_shown) for one in questions],
        "analysis": _analysis(analysis),
        "note": NOTE,
    }


def told_of(question: Mapping[str, Any]) -> str:
    """Return the result of a question as the end of a sentence; empty for open questions.

    Examples
    --------
    >>> told_of({"numbers": None, "distribution": [{"value": True, "count": 3, "share": 0.75}]})
    '; Yes 75 % (3)'
    """
    if question["numbers"]:
        return "; mean {mean:g}, median {median:g}, from {min:g} to {max:g}".format(**question["numbers"])
    words = {True: "Yes", False: "No"}
    shares = [
        f"{words.get(one['value'], one['value'])} {one['share']:.0%} ({one['count']:,})".replace("%", " %")
        for one in question["distribution"] or ()
    ]
    more = f" and {len(shares) - _MOST_SHARES} more values" if len(shares) > _MOST_SHARES else ""
    return f"; {', '.join(shares[:_MOST_SHARES])}{more}" if shares else ""


def _question(question: Mapping[str, Any], answers_shown: int) -> dict[str, Any]:
    answers = [one for one in question.get("answers", []) if not one.get("agent_removed")]
    values = [one["value"] for one in answers if one.get("value") is not None]
    shape = shape_of(question.get("type"))
    told = shape is None or shape.coded
    numbers = [one for one in values if isinstance(one, int | float)]
    numeric = numbers if shape is not None and shape.numeric else []
    shown = [
        {name: value for name, value in one.items() if name not in _LEFT_OUT}
        for one in answers[:answers_shown]
    ]
    return dict(question) | {
        "no_value": len(answers) - len(values) if told else 0,
        "distribution": _distribution(values, ranked=shape is RANKING) if told else None,
        "numbers": _numbers(numeric) if numeric else None,
        "placeholders": placeholder_notice(
            str(question.get("key") or question["question"]),
            sum(one.get("basis") == NONE for one in answers),
            len(answers),
        ),
        "answers": shown,
    }


def _distribution(values: Sequence[Any], *, ranked: bool) -> list[dict[str, Any]]:
    """Count values, most frequent first; rankings count the first place.

    Examples
    --------
    >>> _distribution([["Nuts", "Fruit"], ["Fruit"]], ranked=False)[0]
    {'value': 'Fruit', 'count': 2, 'share': 1.0}
    """
    listed = [value if isinstance(value, list) else [value] for value in values]
    counted = Counter(one for chosen in listed for one in (chosen[:1] if ranked else chosen))
    return [
        {"value": value, "count": count, "share": round(count / len(values), 3)}
        for value, count in counted.most_common()
    ]


def _numbers(values: Sequence[float]) -> dict[str, float]:
    return {
        "mean": round(statistics.fmean(values), 3),
        "median": statistics.median(values),
        "min": min(values),
        "max": max(values),
    }


def _analysis(analysis: Mapping[str, Any] | None) -> dict[str, Any] | None:
    steps = (analysis or {}).get("steps") or {}
    if not steps:
        return None
    return {
        "stage": (analysis or {}).get("stage"),
        "steps": {name: _step(one) for name, one in steps.items()},
    }


def _step(step: Any) -> dict[str, Any]:
    """Keep the text and claims of a step, and what it leaves out; programs read its tables over HTTP."""
    step = step if isinstance(step, Mapping) else {}
    claims = [_claim(one) for one in step.get("claims") or [] if isinstance(one, Mapping)]
    kept = {name: step[name] for name in ("text", "placeholders") if step.get(name)}
    return kept | {"claims": claims}


def _claim(claim: Mapping[str, Any]) -> dict[str, Any]:
    ids = list(claim.get("answer_ids") or [])
    kept = {name: claim[name] for name in ("text", "suggestion") if name in claim}
    return kept | {"answer_ids": ids[:_MOST_IDS], "answer_count": len(ids)}
