"""In-process cache of the earlier answers of studies, so that a new question does not reread them all."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from voxpop.engines.question import Attachment, Question
from voxpop.engines.respondent import Remembered, Reply
from voxpop.records import questions, waves
from voxpop.records.database import Database
from voxpop.records.questions import AskedQuestion
from voxpop.records.work_items import Item

CAPACITY = 4_000_000
"""Maximum number of coded answers to keep over all studies: 40 questions to 100,000 agents."""

_MOST_SHARED = 10_000  # distinct values per study that are stored once instead of per answer
_AS_READ = (bool, int, str, type(None))  # types that come back from the database as they were


def as_asked(stored: AskedQuestion, attachments: Sequence[Attachment] = ()) -> Question:
    """Return a stored question in the form that respondents read, with its attachments."""
    return Question(
        text=stored.text,
        type=stored.type,
        options=stored.options,
        scale=stored.scale,
        unit=stored.unit,
        shuffle_options=stored.shuffle_options,
        key=stored.key,
        attachments=tuple(attachments),
    )


class Histories:
    """Coded answers of studies, with one column per question and one row per agent.

    Stored answers never change, so cached values equal those in the database. Missing values are read: after
    a start, after work of another process, and for agents that have not answered every earlier question,
    because they may have been asked again elsewhere. New answers are therefore the same with or without the
    cache.

    Parameters
    ----------
    capacity
        Maximum number of answers to keep; the least recently used studies are dropped first.
    """

    def __init__(self, *, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._studies: OrderedDict[int, _Study] = OrderedDict()
        self._lock = threading.Lock()

    def recall(
        self, c: sa.Connection, database: Database, item: Item, agents: Sequence[int]
    ) -> tuple[AskedQuestion, Remembered]:
        """Return the question of a work item, and the agents' answers to earlier questions.

        Parameters
        ----------
        c, database
            A read connection, and the database from which open answers are read on demand.
        item
            The work item of a study's question.
        agents
            The agents to ask.
        """
        assert item.study_id is not None
        assert item.question_id is not None
        with self._lock:
            study = self._studies.get(item.study_id)
            known = study is not None and item.question_id in study.places
        if study is None or not known:
            asked = waves.remembered(c, item.organization_id, item.study_id)
            with self._lock:
                study = self._studies.setdefault(item.study_id, _Study())
                study.extend(asked)
        place = study.places[item.question_id]
        with self._lock:
            lacking = study.lacking(agents, place)
        if place and lacking:
            read = questions.values(c, study.ids[:place], lacking)
            with self._lock:
                study.add((agent, study.places[question], value) for agent, question, value in read)
        with self._lock:
            if item.study_id in self._studies:
                self._studies.move_to_end(item.study_id)
            self._shrink()
            return study.recalled(database, place, agents)

    def remember(self, item: Item, replies: Iterable[Reply]) -> None:
        """Add stored answers to the question of a work item to the cache."""
        assert item.study_id is not None
        assert item.question_id is not None
        with self._lock:
            study = self._studies.get(item.study_id)
            place = study.places.get(item.question_id) if study is not None else None
            if study is not None and place is not None:
                study.add((reply.agent_id, place, _as_read(reply.value)) for reply in replies)
                self._shrink()

    @property
    def size(self) -> int:
        """Number of cached answers, including empty places."""
        return sum(study.size for study in self._studies.values())

    def _shrink(self) -> None:
        total = self.size
        while total > self._capacity and self._studies:
            total -= self._studies.popitem(last=False)[1].size


class _Study:
    """The answers of one study: a column per question, a row per agent, and which places are filled."""

    def __init__(self) -> None:
        self.asked: list[AskedQuestion] = []
        self.ids: list[int] = []
        self.questions: list[Question] = []
        self.places: dict[int, int] = {}
        self._rows: dict[int, int] = {}
        self._answered: list[int] = []  # by row: bit 0 is the first question
        self._columns: list[list[Any]] = []
        self._shared: dict[Any, Any] = {}

    @property
    def size(self) -> int:
        return len(self._answered) * (len(self._columns) + 1)

    def extend(self, asked: Iterable[AskedQuestion]) -> None:
        """Add questions that are missing; they come after the existing ones."""
        for question in asked:
            if question.id not in self.places:
                self.places[question.id] = len(self.ids)
                self.asked.append(question)
                self.ids.append(question.id)
                self.questions.append(as_asked(question))
                self._columns.append([None] * len(self._answered))

    def lacking(self, agents: Iterable[int], place: int) -> list[int]:
        """Return the agents with a missing answer before this place."""
        all_of_them = (1 << place) - 1
        return [
            agent
            for agent in agents
            if (row := self._rows.get(agent)) is None or self._answered[row] & all_of_them != all_of_them
        ]

    def add(self, answers: Iterable[tuple[int, int, Any]]) -> None:
        """Store answers: agent, place of the question, value."""
        for agent, place, value in answers:
            row = self._rows.get(agent)
            if row is None:
                row = len(self._answered)
                self._answered.append(0)
                for column in self._columns:
                    column.append(None)
                self._rows[agent] = row
            self._columns[place][row] = self._once(value)
            self._answered[row] |= 1 << place

    def recalled(
        self, database: Database, place: int, agents: Sequence[int]
    ) -> tuple[AskedQuestion, Remembered]:
        """Return the question at a place, and the agents' answers to earlier questions."""
        before = (1 << place) - 1
        rows = {agent: self._rows[agent] for agent in agents if agent in self._rows}
        answered = {agent: self._answered[row] & before for agent, row in rows.items()}

        def words(at: int) -> dict[int, str]:
            with database.read() as c:
                return questions.words(c, self.ids[at], agents)

        earlier = Remembered(tuple(self.questions[:place]), self._columns[:place], rows, answered, words)
        return self.asked[place], earlier

    def _once(self, value: Any) -> Any:
        """Return the stored equal value if there is one, to share it."""
        if value is None or isinstance(value, bool | dict):
            return value
        if isinstance(value, list) and not all(isinstance(each, str) for each in value):
            return value
        name = (value.__class__, tuple(value) if isinstance(value, list) else value)
        if len(self._shared) < _MOST_SHARED:
            return self._shared.setdefault(name, value)
        return self._shared.get(name, value)


def _as_read(value: Any) -> Any:
    """Return a value as it would be read from the database."""
    return value if value.__class__ in _AS_READ else msgspec.json.decode(msgspec.json.encode(value))
