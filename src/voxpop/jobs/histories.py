"""Earlier answers of studies, kept in the process so that a new question does not read all of them again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from voxpop.engines.question import Attachment, Question, Scale
from voxpop.engines.respondent import Remembered, Reply
from voxpop.records import questions
from voxpop.records.database import Database
from voxpop.records.questions import AskedQuestion
from voxpop.records.work import Item

CAPACITY = 4_000_000
"""How many coded answers are kept at most, of all studies together: 40 questions to 100,000 agents."""

_MOST_SHARED = 10_000  # different values of one study that are kept once instead of once per answer
_AS_READ = (bool, int, str, type(None))  # types that come back from the database as they were


def as_asked(stored: AskedQuestion, attachments: Sequence[Attachment] = ()) -> Question:
    """Return a stored question as a respondent understands it, with the files that go with it."""
    return Question(
        text=stored.text,
        type=stored.type,
        options=stored.options,
        scale=Scale(**stored.scale) if stored.scale is not None else None,
        unit=stored.unit,
        shuffle_options=stored.shuffle_options,
        key=stored.key,
        attachments=tuple(attachments),
    )


class Histories:
    """The coded answers of studies, one column per question and one row per agent.

    An answer that is stored never changes, so whatever is here is what the database would give. What is not
    here is read: after a start, after work of another process, and for agents that have not answered every
    earlier question, because they may have been asked again elsewhere. The answers that follow are therefore
    the same whether anything is kept or not.

    Parameters
    ----------
    capacity
        How many answers are kept; the studies that were not asked for longest are dropped first.
    """

    def __init__(self, *, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._studies: OrderedDict[int, _Study] = OrderedDict()
        self._lock = threading.Lock()

    def recall(
        self, c: sa.Connection, database: Database, item: Item, agents: Sequence[int]
    ) -> tuple[AskedQuestion, Remembered]:
        """Return the question of a work item with what agents have answered to the earlier ones.

        Parameters
        ----------
        c, database
            A connection that reads, and where the answers are read in words once they are looked at.
        item
            The work item of a study's question.
        agents
            Who is asked.
        """
        assert item.study_id is not None
        assert item.question_id is not None
        with self._lock:
            study = self._studies.get(item.study_id)
            known = study is not None and item.question_id in study.places
        if study is None or not known:
            asked = questions.list_(c, item.organization_id, item.study_id)
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
        """Keep answers to the question of a work item; to be called once they are stored."""
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
        """How many answers are kept, empty places included."""
        return sum(study.size for study in self._studies.values())

    def _shrink(self) -> None:
        total = self.size
        while total > self._capacity and self._studies:
            total -= self._studies.popitem(last=False)[1].size


class _Study:
    """The answers of one study: a column per question, a row per agent, and which of them are there."""

    def __init__(self) -> None:
        self.asked: list[AskedQuestion] = []
        self.ids: list[int] = []
        self.questions: list[Question] = []
        self.places: dict[int, int] = {}
        self._rows: dict[int, int] = {}
        self._answered: list[int] = []  # by row: bit 0 stands for the first question
        self._columns: list[list[Any]] = []
        self._shared: dict[Any, Any] = {}

    @property
    def size(self) -> int:
        return len(self._answered) * (len(self._columns) + 1)

    def extend(self, asked: Iterable[AskedQuestion]) -> None:
        """Add the questions that are not there yet; they were asked after those that are."""
        for question in asked:
            if question.id not in self.places:
                self.places[question.id] = len(self.ids)
                self.asked.append(question)
                self.ids.append(question.id)
                self.questions.append(as_asked(question))
                self._columns.append([None] * len(self._answered))

    def lacking(self, agents: Iterable[int], place: int) -> list[int]:
        """Return the agents of which an answer before this place is not there."""
        all_of_them = (1 << place) - 1
        return [
            agent
            for agent in agents
            if (row := self._rows.get(agent)) is None or self._answered[row] & all_of_them != all_of_them
        ]

    def add(self, answers: Iterable[tuple[int, int, Any]]) -> None:
        """Keep answers: agent, place of the question, value."""
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
        """Return the question at a place with the answers of agents to those before it."""
        before = (1 << place) - 1
        rows = {agent: self._rows[agent] for agent in agents if agent in self._rows}
        answered = {agent: self._answered[row] & before for agent, row in rows.items()}

        def words(at: int) -> dict[int, str]:
            with database.read() as c:
                return questions.words(c, self.ids[at], agents)

        earlier = Remembered(tuple(self.questions[:place]), self._columns[:place], rows, answered, words)
        return self.asked[place], earlier

    def _once(self, value: Any) -> Any:
        """Return an equal value that is kept already, if there is one."""
        if value is None or isinstance(value, bool | dict):
            return value
        if isinstance(value, list) and not all(isinstance(each, str) for each in value):
            return value
        name = (value.__class__, tuple(value) if isinstance(value, list) else value)
        if len(self._shared) < _MOST_SHARED:
            return self._shared.setdefault(name, value)
        return self._shared.get(name, value)


def _as_read(value: Any) -> Any:
    """Return a value as it is when it is read from the database."""
    return value if value.__class__ in _AS_READ else msgspec.json.decode(msgspec.json.encode(value))
