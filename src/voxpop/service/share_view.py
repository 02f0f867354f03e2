"""Data of a study's share page, without keys, jobs and internal ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.basis import Basis
from voxpop.jobs.evidence import SIMULATED, Column, Evidence, gather, scale_ends
from voxpop.jobs.findings import question_figures
from voxpop.jobs.quoting import pick_quotes
from voxpop.records.answer_bases import fields_of
from voxpop.records.questions import Answer, AskedQuestion
from voxpop.service.pages import NOTE, clip, render_page
from voxpop.vocabulary.question_types import type_labels
from voxpop.vocabulary.shapes import INTEGER

OPEN_QUOTES = 6
CITED_PER_CLAIM = 2
QUOTES_PER_QUESTION = 10
CITABLE = 60  # answers of a claim to choose quotes from, evenly spread
MOST_READ = 1_000  # the same for a question

TITLES = {
    "key_segments": "Who answers differently",
    "divergences": "Where opinion is divided",
    "shared_mindsets": "Answers that go together",
}
_NUMBERS = ("mean", "mean_ci_low", "mean_ci_high", "sd", "median", "q1", "q3", "min", "max")


@dataclass(frozen=True, slots=True)
class SharedStudy:
    """A shared study.

    Attributes
    ----------
    title, objective : str
        As entered by the researcher.
    population : str
        The population's version.
    agent_count : int
        Number of agents in the study.
    date : datetime
        Time of completion, or else of creation.
    questions : sequence of AskedQuestion
        In the order asked.
    answers : sequence of Answer
        All answers; those of removed agents are left out here.
    agents : mapping of int to Agent
        All agents who answered, by id.
    steps : mapping of str to dict
        Results of the finished completion steps.
    """

    title: str
    objective: str | None
    population: str
    agent_count: int
    date: datetime
    questions: Sequence[AskedQuestion]
    answers: Sequence[Answer]
    agents: Mapping[int, Agent]
    steps: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def render_share_page(data: SharedStudy) -> str:
    """Return the share page of a study as a complete HTML document without scripts."""
    return render_page("share.html", page=share_json(data), types=type_labels())


def share_json(data: SharedStudy) -> dict[str, Any]:
    """Return the content of a study's share page as JSON values.

    Returns
    -------
    dict
        ``title, objective, note, provenance, summary, questions, findings, next_questions``. Questions
        and quotes have a ``ref`` of this page (``q1``, ``q1a2``), which findings point to; shares are
        0-1.
    """
    evidence = gather(data.questions, data.answers, data.agents)
    quotes = _Quotes(evidence)
    for column in evidence.columns:
        if not column.question.shape.coded:
            quotes.choose(column, OPEN_QUOTES)
    summary = _summary(data, quotes)
    findings = [_finding(data.steps[step], step, quotes) for step in TITLES if step in data.steps]
    follow_ups = data.steps.get("next_questions", {}).get("claims", [])
    return {
        "title": clip(data.title, 300) or "Untitled study",
        "objective": clip(data.objective, 2_000) or None,
        "note": NOTE,
        "provenance": {
            "engine": sorted({clip(answer.engine, 80) for answer in data.answers if answer.engine}),
            "population": clip(data.population, 80),
            "agents": data.agent_count,
            "answers": sum(column.answered for column in evidence.columns),
            "date": data.date.isoformat().replace("+00:00", "Z"),
        },
        "summary": summary,
        "questions": [_question(data, column, quotes) for column in evidence.columns],
        "findings": findings,
        "next_questions": [_follow_up(line) for line in follow_ups],
    }


class _Quotes:
    """The quoted answers of a page, numbered at first use."""

    def __init__(self, evidence: Evidence) -> None:
        self.columns = evidence.columns
        self.numbers = {column.question.id: place for place, column in enumerate(evidence.columns, start=1)}
        self.agents = evidence.agents
        self.places = {
            int(number): (column, place)
            for column in evidence.columns
            for place, number in enumerate(column.ids)
            if number
        }
        self.chosen: dict[int, list[int]] = {column.question.id: [] for column in evidence.columns}

    def choose(self, column: Column, size: int, among: Sequence[int] | None = None) -> list[int]:
        """Quote up to ``size`` diverse answers of a question, as far as space permits."""
        ids = _spread(column.answer_ids(column.ids > 0), MOST_READ) if among is None else list(among)
        taken = self.chosen[column.question.id]
        room = min(size, QUOTES_PER_QUESTION - len(taken))
        picked = (
            [ids[place] for place in pick_quotes([self.text(number) for number in ids], room)]
            if room > 0
            else []
        )
        taken.extend(number for number in picked if number not in taken)
        return picked

    def cite(self, answer_ids: Iterable[int]) -> list[dict[str, Any]]:
        """Return references to a few of these answers, preferring those already quoted."""
        known = [number for number in answer_ids if number in self.places]
        quoted = {number for taken in self.chosen.values() for number in taken}
        cited = [number for number in known if number in quoted][:CITED_PER_CLAIM]
        if not cited and known:
            column = self.places[known[0]][0]
            of_question = [number for number in known if self.places[number][0] is column]
            cited = self.choose(column, CITED_PER_CLAIM, _spread(of_question, CITABLE))
        return [{name: self._quote(number)[name] for name in ("ref", "name", "age")} for number in cited]

    def ref(self, answer_id: int) -> str:
        """Return the reference of a quoted answer."""
        question = self.places[answer_id][0].question.id
        return f"q{self.numbers[question]}a{self.chosen[question].index(answer_id) + 1}"

    def text(self, answer_id: int) -> str:
        column, place = self.places[answer_id]
        answer = column.answers[place]
        return clip(answer.text, 700) if answer else ""

    def basis(self, answer_id: int) -> Basis | None:
        column, place = self.places[answer_id]
        answer = column.answers[place]
        return answer.basis if answer else None

    def of(self, column: Column) -> list[dict[str, Any]]:
        """Return the quotes of a question with first name, age, state and occupation."""
        return [self._quote(number) for number in self.chosen[column.question.id]]

    def _quote(self, answer_id: int) -> dict[str, Any]:
        agent = self.agents[self.places[answer_id][1]]
        return {
            "ref": self.ref(answer_id),
            "text": self.text(answer_id),
            **fields_of(self.basis(answer_id)),
            "name": clip(agent.name.split(" ")[0], 40),
            "age": agent.age,
            "state": agent.state,
            "occupation": clip(agent.occupation or agent.labour_status.replace("_", " "), 80),
        }


def _spread(ids: Sequence[int], most: int) -> list[int]:
    """Return up to ``size`` of the ids, evenly spread."""
    if len(ids) <= most:
        return list(ids)
    return [ids[place * len(ids) // most] for place in range(most)]


def _summary(data: SharedStudy, quotes: _Quotes) -> list[dict[str, Any]]:
    return [_claim(line, quotes) for line in data.steps.get("overall_summary", {}).get("claims", [])]


def _finding(result: Mapping[str, Any], step: str, quotes: _Quotes) -> dict[str, Any]:
    return {
        "step": step,
        "title": TITLES[step],
        "claims": [_claim(line, quotes) for line in result.get("claims", [])],
        "notes": [clip(note, 700) for note in result.get("notes", []) if note != SIMULATED],
    }


def _claim(line: Mapping[str, Any], quotes: _Quotes) -> dict[str, Any]:
    asked = (quotes.numbers.get(number) for number in line["question_ids"])
    return {
        "text": clip(line["text"], 700),
        "count": line["count"],
        "base": line["base"],
        "answers": len(line["answer_ids"]) + len(line.get("others", {}).get("answer_ids", [])),
        "flag": line.get("flag", ""),
        "questions": [f"q{number}" for number in asked if number is not None],
        "quotes": quotes.cite(line["answer_ids"]),
    }


def _follow_up(line: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "question": clip(line["suggestion"]["question"], 600),
        "type": type_labels().get(line["suggestion"]["type"], line["suggestion"]["type"]),
        "ask": clip(line["ask"], 200),
        "reason": clip(line["text"], 700),
    }


def _question(data: SharedStudy, column: Column, quotes: _Quotes) -> dict[str, Any]:
    question, figures = column.question, question_figures(column)
    scale: dict[str, Any] | None = None
    if question.scale is not None or question.shape is INTEGER:
        low, high = scale_ends(question)
        labels = ("min_label", "max_label")
        scale = {"min": low, "max": high}
        scale |= {end: clip(getattr(question.scale, end, None), 80) or None for end in labels}
    return {
        "ref": f"q{quotes.numbers[question.id]}",
        "question": clip(question.text, 800),
        "type": question.type,
        "unit": question.unit,
        "scale": scale,
        **{name: figures[name] for name in ("asked", "answered", "failed", "no_value", "base", "notice")},
        "bases": [one | {"notes": [clip(note, 600) for note in one["notes"]]} for one in figures["bases"]],
        "placeholders": clip(figures["placeholders"], 1_000) or None,
        "distribution": [_level(row) for row in figures["distribution"]],
        **{name: figures[name] for name in _NUMBERS if name in figures},
        "quotes": quotes.of(column),
    }


def _level(row: Mapping[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = {"label": clip(str(row["label"]), 160)}
    return shown | {
        name: row[name] for name in ("count", "share", "ci_low", "ci_high", "mean_rank") if name in row
    }
