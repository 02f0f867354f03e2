"""A question that a guide, another study or an analysis has drafted is asked as it is."""

from __future__ import annotations

import pytest

from voxpop.errors import UsageError
from voxpop.fieldwork.wording import spelled_out
from voxpop.wire.groups import GuideQuestion
from voxpop.wire.questions import Question, Scale

NOTHING = {"key": None, "type": None, "options": None, "scale": None, "shuffle_options": False}


def test_words_alone_bring_nothing_along() -> None:
    assert spelled_out("Why?", **NOTHING) == ("Why?", NOTHING)


def test_a_question_of_a_guide_brings_its_key_type_and_scale() -> None:
    scale = Scale(min=0, max=10)
    drafted = GuideQuestion(key="likely", question="How likely?", type="scale", scale=scale)
    words, parts = spelled_out(drafted, **NOTHING)
    assert words == "How likely?"
    assert parts == {**NOTHING, "key": "likely", "type": "scale", "scale": scale, "shuffle_options": None}


def test_what_is_given_beside_it_comes_first() -> None:
    drafted = {"question": "Which?", "type": "single_choice", "options": ["A", "B"]}
    _, parts = spelled_out(drafted, **NOTHING | {"key": "which", "options": ["A", "B", "C"]})
    assert parts["options"] == ["A", "B", "C"]
    assert (parts["key"], parts["type"]) == ("which", "single_choice")


def test_a_question_that_was_asked_elsewhere_can_be_asked_again() -> None:
    asked = Question(id=1, uuid="u", key="why", question="Why?", type="open", shuffle_options=True)
    words, parts = spelled_out(asked, **NOTHING)
    assert (words, parts["key"], parts["shuffle_options"]) == ("Why?", "why", True)


def test_an_unknown_part_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"unknown part 'typ'; did you mean type\?"):
        spelled_out({"question": "Why?", "typ": "open"}, **NOTHING)
