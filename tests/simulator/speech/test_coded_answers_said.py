"""The words of coded answers agree with their values."""

from __future__ import annotations

import re

from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question


def ask(agents, text, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), {}, seed=7))


def test_coded_answers_are_said_in_words_too(agents) -> None:
    for reply in ask(agents, "Would you try a new snack?"):
        if reply.value is not None:
            denies = re.search(r"\b(?:no|nope|not)\b(?! question)", reply.text.lower()) is not None
            assert denies is not reply.value
    for reply in ask(agents, "How likely are you to return, 0-10?"):
        assert reply.value is None or str(reply.value) in reply.text


def test_choices_are_said_as_people_say_them(agents) -> None:
    for reply in ask(agents, "Which do you prefer: Dr Pepper, Sprite or Fanta?"):
        assert reply.value is None or (reply.value in reply.text and ":" not in reply.text)
    for reply in ask(agents, "Select all that apply: TV, radio, podcasts"):
        assert not isinstance(reply.value, list) or len(reply.value) < 2 or " and " in reply.text
