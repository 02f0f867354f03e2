"""No text takes long to read: readers see a bounded part of it, and try only patterns that can fit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from voxpop.engines.question import Exchange, Question
from voxpop.engines.question_fields import MAX_TEXT
from voxpop.vocabulary.bounds import LONGEST_READ, as_read, is_read_whole
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.embedded import notice_of
from voxpop_simulator.questions.forms import replies
from voxpop_simulator.questions.needs import needs_of
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.subjects import topic_patterns
from voxpop_simulator.questions.wordlists import patterns_of

REFERENCE = Path(__file__).parent / "reference"
TOKENS = ("a ", "a", " ", "1 ", "$1 ", ", ", "do you ", "what ", ". A ", "or ", "_", "\n", "- a\n", "-1 = ")


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("type", ["open", "yes_no", "number"])
def test_readers_see_no_more_of_a_longer_text(token, type, monkeypatch) -> None:
    seen: list[int] = []
    compiled = Pattern._compiled

    class Noting:
        def __init__(self, made: re.Pattern[str]) -> None:
            self.made = made

        def __getattr__(self, name: str):
            def call(*args):
                seen.append(len(args[1] if name == "sub" else args[0]))
                return getattr(self.made, name)(*args)

            return call

    monkeypatch.setattr(Pattern, "_compiled", lambda self: Noting(compiled(self)))
    text = (f"Do you like {type} " + token * MAX_TEXT)[: MAX_TEXT - 1] + "?"
    notice_of(read_question(text, type=type))
    assert seen
    assert max(seen) <= LONGEST_READ + 100


@pytest.mark.parametrize("token", TOKENS)
def test_what_is_read_does_not_grow(token) -> None:
    for times in (1, 2, 4, 8):
        text = "Do you like " + token * (2_000 * times) + " tea?"
        read = as_read(text)
        assert len(read) <= LONGEST_READ
        assert read.startswith("Do you like")
        assert read.endswith("tea?")
        assert as_read(read) == read


def test_ordinary_questions_are_read_as_they_are() -> None:
    for line in (REFERENCE / "wordings.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"]
        assert as_read(text) == text
        assert is_read_whole(text)


def test_whoever_asks_is_told_what_is_not_read() -> None:
    long = Question("We plan to sell tea. " + "It is very good tea. " * 200 + "Would you buy it?", "yes_no")
    assert "reads the first and the last 750 characters" in (notice_of(long) or "")
    assert notice_of(Question("Would you buy a tea made from old bread?", "yes_no")) is None
    spaced = Question("Would you buy" + " " * 5_000 + "tea?", "yes_no")
    assert notice_of(spaced) is None  # all of its words are read


def test_long_questions_that_differ_where_nothing_is_read_are_not_the_same(agents) -> None:
    told = "Imagine a tea. " + "It is good. " * 100
    first, other = (
        Question(f"{told}{middle} {told}Would you buy it?", "yes_no")
        for middle in ("It costs little.", "It costs much.")
    )
    respondent, crowd = EmbeddedRespondent(), agents[:20]
    assert as_read(first.text) == as_read(other.text)
    history = {agent.id: [Exchange(first, "As I said.", True)] for agent in crowd}
    assert {said.text for said in respondent.answer(crowd, first, history, seed=1)} == {"As I said."}
    assert "As I said." not in {said.text for said in respondent.answer(crowd, other, history, seed=1)}


def patterns() -> list[Pattern]:
    return [pattern for table in ("forms", "general", "reasons") for _, pattern in patterns_of(table)] + [
        pattern for _, pattern in (*replies(), *topic_patterns())
    ]


def test_no_pattern_that_fits_is_left_out() -> None:
    lines = (REFERENCE / "open_questions.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines][::8]
    texts += [text.upper() for text in texts[:10]] + ["ſerviceſ for your Kıds"]
    fits = 0
    for pattern in patterns():
        compiled = re.compile(pattern.pattern, pattern.flags)
        for text in texts:
            found, made = pattern.search(text), compiled.search(text)
            assert (found and found.span()) == (made and made.span()), (pattern.pattern, text)
            fits += made is not None
    assert fits > 200


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"would you ((?:not )?[a-z][\w' -]{2,60})", "would you aaa"),
        (r"(?:tea|coffee)?s", "s"),
        (r"te?a(?!pot)", "ta"),
        (r"colou?r|\d+", "7"),
        (r"[(|]tea", "|tea"),
        (r"a(?=b)b|(?<!x)yz", "yz"),
        (r"(?:ab){0,2}cd", "cd"),
        (r"\x41bc", "Abc"),
        (r"(?P<name>tea)+ time", "teatea time"),
    ],
)
def test_needs_never_leave_out_what_fits(pattern, text) -> None:
    assert re.search(pattern, text)
    assert Pattern(pattern).search(text)
    needs = needs_of(pattern)
    assert needs is None or not needs.may_fit("?") or re.search(pattern, "?")
