"""The embedded engine answers from the words alone, and says so where something is attached."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from voxpop.engines import Reply
from voxpop.engines.question import Attachment, Exchange, Question
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.embedded import UNSEEN
from voxpop_simulator.questions.question_words import read_question


def never() -> bytes:
    raise AssertionError("the embedded engine has no eyes")


LOGO = Attachment("logo.png", "image/png", 67, never)


def replies(agents: Any, question: Question, history: Any = None) -> list[Reply]:
    found = list(EmbeddedRespondent().answer(agents[:20], question, history or {}, seed=7))
    assert all(isinstance(one, Reply) for one in found)
    return found


@pytest.mark.parametrize(
    "text",
    ["What do you think of this logo?", "Do you like this logo?", "How old are you?", "How good is it, 1-5?"],
)
def test_every_reply_says_that_nothing_was_looked_at_and_is_the_same_else(agents: Any, text: str) -> None:
    question = read_question(text)
    bare, seen = replies(agents, question), replies(agents, replace(question, attachments=(LOGO,)))
    assert seen == [replace(one, text=f"{one.text} {UNSEEN}") for one in bare]


def test_a_question_that_is_repeated_without_files_does_not_speak_of_them(agents: Any) -> None:
    question = read_question("Do you like this logo?")
    first = replies(agents, replace(question, attachments=(LOGO,)))
    told = {one.agent_id: [Exchange(question, one.text, one.value)] for one in first}
    assert not any(UNSEEN in one.text for one in replies(agents, question, told))
    again = replies(agents, replace(question, attachments=(LOGO,)), told)
    assert [one.text for one in again] == [one.text for one in first]
