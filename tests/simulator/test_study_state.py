"""Histories have the same effect in any form, whichever agents are asked together."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from voxpop.engines.question import Exchange, Question
from voxpop.engines.respondent import Remembered, Reply
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

STUDY = [
    "Imagine a box of tea made from old bread. Would you buy it for $9?",
    "And for $14?",
    "How much would you be willing to pay for it?",
    "Have you heard of Oatly?",
    "How often do you buy from Oatly?",
    "Would you recommend it?",
    "Do you like your job, and why?",
    "On a scale of 1 to 5, how would you rate lunch number 1?",
    "On a scale of 1 to 5, how would you rate lunch number 2?",
    "Would you buy it for $11?",
    "Why?",
    "What do you think of Oatly?",
    "Would you buy it for $11?",
]


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    return [read_question(text, type="yes_no" if text.startswith("And") else None) for text in STUDY]


def exchanges(answers: dict[tuple[int, int], Reply], agent: int, questions: list[Question], before: int):
    return [
        Exchange(questions[at], answers[agent, at].text, answers[agent, at].value)
        for at in range(before)
        if (agent, at) in answers
    ]


def recalled(
    answers: dict[tuple[int, int], Reply], ids: list[int], questions: list[Question], before: int
) -> Remembered:
    """The same answers as columns."""
    rows = {agent: row for row, agent in enumerate(ids)}
    columns = [
        [answers[agent, at].value if (agent, at) in answers else None for agent in ids]
        for at in range(before)
    ]
    answered = {agent: sum(1 << at for at in range(before) if (agent, at) in answers) for agent in ids}
    return Remembered(
        tuple(questions[:before]),
        columns,
        rows,
        answered,
        lambda at: {agent: answers[agent, at].text for agent in ids if (agent, at) in answers},
    )


def test_an_answer_depends_on_the_agents_own_history_alone(agents, questions) -> None:
    crowd, respondent = agents[:60], EmbeddedRespondent()
    ids = [agent.id for agent in crowd]
    answers: dict[tuple[int, int], Reply] = {}
    for at, question in enumerate(questions):
        histories = {agent: exchanges(answers, agent, questions, at) for agent in ids}
        alone = [next(iter(respondent.answer([one], question, histories, seed=7))) for one in crowd]
        together = list(respondent.answer(crowd, question, histories, seed=7))
        columns = list(respondent.answer(crowd, question, recalled(answers, ids, questions, at), seed=7))
        backwards = list(respondent.answer(crowd[::-1], question, histories, seed=7))[::-1]
        assert alone == together == columns == backwards, question.text
        for place, reply in enumerate(alone):
            assert isinstance(reply, Reply)
            if (place + at) % 3 or at > 9:  # each agent has missed other questions
                answers[reply.agent_id, at] = reply


def test_columns_read_as_exchanges(questions) -> None:
    answers = {
        (agent, at): Reply(agent, f"{agent} {at}", at, None, "x") for agent, at in [(5, 0), (5, 2), (9, 1)]
    }
    columns = recalled(answers, [5, 9], questions, 3)
    assert len(columns) == 2
    for agent, given in zip_longest(columns, (5, 9)):
        assert columns[agent] == exchanges(answers, given, questions, 3)


def test_the_same_words_on_another_scale_are_asked_anew(agents) -> None:
    words = "How satisfied are you with your job?"
    wide, narrow = (read_question(words, type="scale", scale={"min": 0, "max": top}) for top in (100, 10))
    reason = read_question("Why?")
    respondent = EmbeddedRespondent()
    history: dict[int, list[Exchange]] = {agent.id: [] for agent in agents}
    for question in (wide, narrow, reason):
        for agent, reply in zip(agents, respondent.answer(agents, question, history, seed=1), strict=True):
            assert isinstance(reply, Reply)
            assert question is not narrow or reply.value is None or 0 <= reply.value <= 10
            history[agent.id].append(Exchange(question, reply.text, reply.value))
