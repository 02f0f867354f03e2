"""Open answers: one to four sentences, varied, true to the profile, and explaining what was said before."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from voxpop.respondents import EmbeddedRespondent, Exchange, read_question
from voxpop.respondents.medical_words import CONDITIONS, DRUGS
from voxpop.respondents.places import STATES, place

TEXTS = (
    "What would make you switch to a lower-sugar snack?",
    "Describe your ideal vacation.",
    "What do you think about prices these days?",
)


def ask(agents, text, history=None, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), history or {}, seed=7))


def sentences(text):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", text)


@pytest.mark.parametrize("text", TEXTS)
def test_answers_are_varied(crowd, text) -> None:
    replies = ask(crowd[:500], text)
    assert len({reply.text for reply in replies}) == 500
    assert max(Counter(sentences(reply.text)[0] for reply in replies).values()) <= 25
    pairs = [pair for reply in replies for pair in _bigrams(reply.text)]
    assert len(set(pairs)) / len(pairs) > 0.5


def _bigrams(text):
    words = re.findall(r"[a-z0-9'$-]+", text.lower())
    return list(pairwise(words))


@pytest.mark.parametrize("text", TEXTS)
def test_answers_have_one_to_four_sentences_and_no_code(crowd, text) -> None:
    for reply in ask(crowd[:500], text):
        assert reply.value is None
        assert 1 <= len(sentences(reply.text)) <= 4
        assert reply.text[0].isupper() or reply.text[0].isdigit()
        assert reply.text.endswith(".")


def test_nothing_said_contradicts_the_profile(crowd) -> None:
    for text in TEXTS:
        for agent, reply in zip(crowd, ask(crowd, text), strict=True):
            said = reply.text
            check_person(agent, said)
            check_health(agent, said)


def check_person(agent, said) -> None:
    for number in re.findall(r"\b(?:at|being|aged|of) (\d+)\b|^(\d+) and in", said):
        assert str(agent.age) in number
    own = place(agent.state)
    for name in STATES.values():
        if re.search(rf"\b(?:in|a) {name}\b", said) and name not in own:
            assert name in own
    assert agent.is_parent or not re.search(r"\bwith kids\b|\bas a parent\b", said)
    assert agent.labour_status == "retired" or not re.search(r"\bretired\b|\bretiree\b", said)
    assert (
        agent.labour_status == "student"
        or not re.search(r"\bstudent\b|\bI study\b", said)
        or agent.occupation
    )
    assert agent.occupation or "working as" not in said
    assert agent.urban_rural == "rural" or "countryside" not in said
    assert agent.education == "College graduate or above" or "college graduate" not in said


def check_health(agent, said) -> None:
    health = agent.health_profile
    for slug, (name, _) in CONDITIONS.items():
        if re.search(rf"\bwith {name}\b", said, re.I):
            assert slug in (health.conditions if health else ())
    for slug, (name, _) in DRUGS.items():
        if re.search(rf"\btaking {name}\b", said, re.I):
            assert slug in (health.drug_classes if health else ())
    assert not re.search(r"\bas a smoker\b", said) or health.smoking_status == "current"
    assert not re.search(r"\bnon-drinker\b", said) or health.alcohol_use == "none"


def test_why_explains_the_earlier_answer(crowd) -> None:
    agents = crowd[:300]
    question = read_question("Would you switch to a lower-sugar snack?")
    first = list(EmbeddedRespondent().answer(agents, question, {}, seed=7))
    history = {reply.agent_id: [Exchange(question, reply.text, reply.value)] for reply in first}
    for before, reply in zip(first, ask(agents, "Why?", history), strict=True):
        opening = reply.text.split(" because")[0].lower()[:45]
        if before.value is None:
            assert re.search(r"not (?:decide|sure)|no clear|don't know", opening)
        else:
            assert re.search(r"\byes\b" if before.value else r"\bno\b", opening)


@pytest.mark.parametrize(
    ("text", "fields", "value", "shown"),
    [
        ("How was it, 0-10?", {}, 7, "7"),
        ("How much would you pay for it?", {}, 15, "$15"),
        ("Tea, coffee or milk?", {"options": ["Tea", "Coffee", "Milk"]}, "Coffee", '"Coffee"'),
        ("Rank these: price, taste, health", {}, ["taste", "price", "health"], "taste"),
    ],
)
def test_why_names_the_code_that_was_given(agents, text, fields, value, shown) -> None:
    question = read_question(text, **fields)
    history = {agent.id: [Exchange(question, "", value)] for agent in agents}
    assert all(
        shown.lower() in reply.text.lower()
        for reply in ask(agents, "What is the main reason for your answer?", history)
    )


def test_a_question_without_earlier_answers_still_gets_a_reason(agents) -> None:
    assert all(reply.text for reply in ask(agents, "Why?"))


def test_coded_answers_are_said_in_words_too(agents) -> None:
    for reply in ask(agents, "Would you try a new snack?"):
        if reply.value is not None:
            said_no = re.search(r"\bno\b|\bnot\b", reply.text.lower()) is not None
            assert (
                said_no is not reply.value or "no question" in reply.text or "without a doubt" in reply.text
            )
    for reply in ask(agents, "How likely are you to return, 0-10?"):
        assert reply.value is None or str(reply.value) in reply.text
