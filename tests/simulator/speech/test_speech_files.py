"""The authored text is well formed: every line can be spoken, every slot has a bank, every list an entry."""

from __future__ import annotations

import re

import pytest

from voxpop_simulator.questions.brands import trades
from voxpop_simulator.questions.forms import replies
from voxpop_simulator.questions.subject_asked import PAIR
from voxpop_simulator.questions.subjects import topic_of
from voxpop_simulator.questions.things import CLASSES, IDEA, MATTER, UNKNOWN
from voxpop_simulator.speech.lexicon import thesaurus
from voxpop_simulator.speech.outline import shells_of
from voxpop_simulator.speech.tales import lines_of
from voxpop_simulator.speech.texts import sections, topics

OWN = {"job", "state", "age"}
SLOTS = set("trgbckxwvpqlayhdonue") | {"good", "bad", "do", "s", "z"}
WITH_FAMILIES = ("life_work", "life_home", "life_health")


def every_line(name: str):
    for heading, lines in sections(name).items():
        for line in lines:
            yield heading, line


@pytest.mark.parametrize("name", ["self", "stories", "lexicon", "life"])
def test_lines_can_be_spoken(name) -> None:
    for _, line in every_line(name):
        assert lines_of((line,)).lines


@pytest.mark.parametrize("name", WITH_FAMILIES)
def test_lines_about_ones_own_life_can_be_spoken(name) -> None:
    for heading, line in every_line(name):
        told = heading.startswith(("not_working", "memory"))
        assert lines_of((line if told else line.partition("|")[2].strip(),)).lines


def test_topics_are_told_about() -> None:
    for topic, kinds in topics().items():
        assert {"+", "-", "~"} & set(kinds), topic


@pytest.mark.slow
def test_topics_can_be_spoken() -> None:
    for kinds in topics().values():
        for lines in kinds.values():
            assert lines_of(lines).lines


def test_what_a_question_can_be_about_is_told_about() -> None:
    assert {*CLASSES, UNKNOWN, IDEA, MATTER, *dict(replies()), *trades(), PAIR, "reaction"} <= set(topics())


def test_no_choice_reads_like_a_path() -> None:
    """A choice such as school, work or home is ordered so that no word stands alone between two slashes."""
    path = re.compile("/(?:farm|work|root|tmp|usr)/")
    lines = [line for kinds in topics().values() for lines in kinds.values() for line in lines]
    lines += [line for _, line in every_line("lexicon")]
    assert [line for line in lines if path.search(line)] == []


def test_choices_in_frames_hold_no_slots() -> None:
    """A slot within brackets would never be filled; the subject and the action are written in as words."""
    for _, line in every_line("frames"):
        depth = 0
        for mark in re.findall(r"[\[\]]|\{\w+\}", line):
            depth += (mark == "[") - (mark == "]")
            assert not depth or mark in ("[", "]", "{s}", "{do}", "{z}"), line


def test_frames_use_slots_that_have_a_bank() -> None:
    for name in ("frames", "names"):
        for heading, line in every_line(name):
            if line.startswith("@") or heading in ("leaving", "staying", "going"):
                continue
            assert {slot.lower() for slot in re.findall(r"\{(\w+)\}", line)} <= SLOTS | {"n"}, line
            assert shells_of((line.replace("{n}", "Quillfeather").replace("{z}", "that"),), "it", "do it")


def test_lists_that_lines_draw_from_exist() -> None:
    known = set(sections("lexicon")) | OWN
    names = ("self", "stories", "lexicon", "life", "frames", "names", *WITH_FAMILIES)
    spoken = [line for name in names for _, line in every_line(name)]
    spoken += [line for kinds in topics().values() for lines in kinds.values() for line in lines]
    assert {slot for line in spoken for slot in re.findall(r"<([a-z]\w*)>", line)} <= known


_VOWEL = re.compile(
    r"(?!one\b|once|uni|us[aeiu]|euro)(?:[aeiou]|hour|honest|hono|heir|SUV|MRI|SSD|FM|HR|X-?ray)", re.I
)


def wrong_articles(text: str) -> list[str]:
    """Return each "a" before a vowel and each "an" before a consonant, in all the ways a line can be said."""
    found = re.findall(r"\b(an?) ([\w'-]+)", text, re.I)
    for article, ways in re.findall(r"\b(an?) \[([^\[\]]*)", text, re.I):
        found += [(article, word) for way in ways.split("/") for word in re.findall(r"^[\w'-]+", way)]
    return [f"{one} {word}" for one, word in found if (one.lower() == "an") != bool(_VOWEL.match(word))]


@pytest.mark.slow
def test_articles_agree_with_each_word_that_can_follow_them() -> None:
    names = ("self", "stories", "lexicon", "life", "frames", "names", *WITH_FAMILIES)
    spoken = [line for name in names for _, line in every_line(name)]
    spoken += [line for kinds in topics().values() for lines in kinds.values() for line in lines]
    wrong = {line: found for line in spoken if (found := wrong_articles(thesaurus(line)))}
    assert not wrong


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("What annoys you about grocery shopping?", "groceries"),
        ("How is your commute?", "commute"),
        ("What do you like about your banking app?", "banking"),
        ("Why do people have dog food delivered?", "convenience"),
        ("What do you think about smaller portions in restaurants?", "portions"),
        ("What would stop you from buying an electric car?", "ev"),
        ("What do you have for breakfast?", "breakfast"),
        ("How well do you sleep?", "sleep"),
        ("What do you think about the four-day work week?", "four_day"),
        ("What about a self-cleaning birdcage?", None),
    ],
)
def test_a_topic_is_known_by_its_words(text, topic) -> None:
    assert topic_of(text) == topic
