"""Reasons: a "why" explains the coded answer before it, and a question that asks for both gets both."""

from __future__ import annotations

import re

import pytest

from voxpop.engines.question import Exchange
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question


def ask(agents, text, history=None, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), history or {}, seed=7))


BOTH = (
    "Is a gym membership worth the money? Please explain.",
    "Should tipping be abolished? Why or why not?",
    "Do you trust the news? Tell us why.",
    "Would you recommend our store to a friend, and why?",
)


@pytest.mark.parametrize("text", BOTH)
def test_who_is_asked_for_an_answer_and_its_reason_gives_both(crowd, text) -> None:
    question = read_question(text)
    assert question.type == "yes_no"
    reasons: dict[bool, set[str]] = {True: set(), False: set()}
    for reply in ask(crowd[:400], text):
        if reply.value is None:
            continue
        answer, _, reason = reply.text.partition(". ")
        denies = re.search(r"\b(?:no|nope|not)\b(?! (?:doubt|question))", answer.lower()) is not None
        assert denies is not reply.value
        assert len(reason.split()) > 1
        assert reason.endswith((".", "!", "?"))
        reasons[reply.value].add(reason)
    assert all(len(said) > 10 for said in reasons.values())
    assert len(reasons[True] & reasons[False]) < 0.05 * len(reasons[True] | reasons[False])


ABOUT_IT = (
    "Would you buy this product? Why or why not?",
    "Do you support a ban on plastic bags? Why?",
    "Would you pay more for sustainable packaging? Why?",
    "Would you switch banks for a better rate? Why?",
)


@pytest.mark.parametrize("text", ABOUT_IT)
def test_an_offer_a_law_and_a_higher_price_are_spoken_for_and_against(crowd, text) -> None:
    """Agents who say yes and agents who say no give different reasons, for any offer, law or price."""
    said: dict[bool, set[str]] = {True: set(), False: set()}
    for reply in ask(crowd[:500], text):
        if reply.value is not None:
            said[reply.value].add(reply.text.partition(". ")[2])
    assert min(len(reasons) for reasons in said.values()) >= 20
    assert not said[True] & said[False]


def test_what_is_opposed_is_spoken_against_by_a_yes(crowd) -> None:
    asked = "Do you {} a ban on plastic bags? Why?"
    support = {reply.text.partition(". ")[2]: reply.value for reply in ask(crowd, asked.format("support"))}
    oppose = {reply.text.partition(". ")[2]: reply.value for reply in ask(crowd, asked.format("oppose"))}
    shared = [text for text in support if text and text in oppose and support[text] is not None]
    assert len(shared) > 30
    assert all(support[text] is not oppose[text] for text in shared)


def test_who_chooses_gives_a_reason_that_fits_any_choice(crowd) -> None:
    """An agent who chooses tea over coffee does not explain it with coffee."""
    for reply in ask(crowd[:300], "Which do you drink more, tea or coffee? Why?"):
        answer, _, reason = reply.text.partition(". ")
        assert bool(reason) is (reply.value is not None)
        assert not re.search(r"\b(?:tea|coffee|beans?|espresso|latte)\b", reason)
        assert reply.value is None or reply.value in answer.lower()


@pytest.mark.parametrize(
    "text", ["Do you exercise, and how?", "Do you use coupons? If so, what do you buy with them?"]
)
def test_a_second_question_is_answered_by_those_it_is_for(crowd, text) -> None:
    for reply in ask(crowd[:300], text):
        assert reply.value is None or bool(reply.text.partition(". ")[2]) is reply.value


def test_the_second_question_is_answered_as_it_is_alone(crowd) -> None:
    """A question on how an agent exercises gets the same words with and without other questions."""
    alone = ask(crowd[:1000], "How do you usually exercise?")
    words = {sentence for reply in alone for sentence in re.split(r"(?<=[.!?]) ", reply.text)}
    told = [
        reply.text.partition(". ")[2]
        for reply in ask(crowd[:200], "Do you exercise, and how?")
        if reply.value
    ]
    known = [any(part in words for part in re.split(r"(?<=[.!?]) ", text)) for text in told]
    assert sum(known) > 0.5 * len(told)


def test_what_keeps_one_from_it_is_asked_of_everybody(crowd) -> None:
    text = "How often do you exercise, and what keeps you from doing more?"
    for reply in ask(crowd[:300], text):
        assert reply.value is None or len(re.split(r"(?<=[.!?]) ", reply.text)) > 1


def test_asking_for_the_reason_hardly_moves_the_shares(crowd) -> None:
    with_reason = [reply.value for reply in ask(crowd, "Do you trust the news? Tell us why.")]
    without = [reply.value for reply in ask(crowd, "Do you trust the news?")]
    assert with_reason.count(True) == pytest.approx(without.count(True), abs=0.04 * len(crowd))


def test_who_does_not_know_gives_no_reason(crowd) -> None:
    unsure = {reply.text for reply in ask(crowd, BOTH[0]) if reply.value is None}
    alone = ask(crowd, "Is a gym membership worth the money?")
    assert unsure == {reply.text for reply in alone if reply.value is None}


def test_why_explains_the_earlier_answer(crowd) -> None:
    agents = crowd[:300]
    question = read_question("Would you switch to a lower-sugar snack?")
    first = list(EmbeddedRespondent().answer(agents, question, {}, seed=7))
    history = {reply.agent_id: [Exchange(question, reply.text, reply.value)] for reply in first}
    for before, reply in zip(first, ask(agents, "Why?", history), strict=True):
        opening = re.split(r" because|\.", reply.text)[0].lower()[:45]
        if before.value is None:
            assert re.search(r"wasn't sure|couldn't decide|don't know", opening)
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


@pytest.mark.parametrize(
    "text",
    [
        "Why did you choose the grocery store you go to?",
        "Why do you think people stand in line for a new phone?",
        "Please explain what you like about your doctor.",
    ],
)
def test_why_about_something_else_does_not_explain_the_earlier_answer(crowd, text) -> None:
    agents = crowd[:100]
    question = read_question("How satisfied are you with your bank, from 1 to 5?")
    history = {agent.id: [Exchange(question, "4", 4)] for agent in agents}
    for reply in ask(agents, text, history):
        assert not re.match(r"I (?:gave|said|put|went)\b.*\b4\b", reply.text)


def test_a_question_without_earlier_answers_still_gets_a_reason(agents) -> None:
    assert all(reply.text for reply in ask(agents, "Why?"))
