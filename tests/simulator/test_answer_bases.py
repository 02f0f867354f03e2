"""Every answer says what it rests on: the profile, a published figure of the very question, or nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from voxpop.engines import Basis, Question, Reply
from voxpop.engines.agents import Agent
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.stances.numbers import numbers

ENGINE = EmbeddedRespondent()


@pytest.fixture(scope="module")
def americans(crowd: list[Agent]) -> list[Agent]:
    return [agent for agent in crowd if agent.country == "USA"][:200]


def bases(agents: list[Agent], question: str | Question) -> Counter[Basis]:
    asked = read_question(question) if isinstance(question, str) else question
    return Counter(ENGINE.basis(asked, agents))


def kinds(agents: list[Agent], question: str | Question) -> set[str]:
    return {basis.kind for basis in bases(agents, question)}


def choice(text: str, *options: str, many: bool = False) -> Question:
    return Question(text, "multi_choice" if many else "single_choice", options=options)


@pytest.mark.parametrize("text", ["How old are you?", "Are you a nurse?", "What is your gender?"])
def test_what_the_profile_holds_rests_on_the_profile(americans: list[Agent], text: str) -> None:
    assert kinds(americans, text) == {"profile"}


def test_what_the_profile_does_not_record_rests_on_nothing(americans: list[Agent]) -> None:
    unrecorded = [replace(agent, education=None) for agent in americans]
    assert bases(unrecorded, "What is your highest level of education?") == {
        Basis("none", "The agent's profile does not record: education."): len(unrecorded)
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Do you support the death penalty?", "53% of US adults say yes: Gallup, October 2024"),
        ("Are you opposed to the death penalty?", "47% of US adults say yes: Gallup, October 2024"),
        (
            "Do you own a dog?",
            "46% of US adults say yes: AVMA 2024, Pet Ownership and Demographics Sourcebook (households)",
        ),
    ],
)
def test_a_published_share_is_named_with_its_source(americans: list[Agent], text: str, said: str) -> None:
    assert set(bases(americans, text)) == {
        Basis("published", f"{said}; differences between groups are modelled.")
    }


def test_a_figure_from_memory_says_so(americans: list[Agent]) -> None:
    (basis,) = bases(americans, "Do you believe in ghosts?")
    assert "YouGov, 2022 (quoted from memory, not checked)" in basis.note


@pytest.mark.parametrize(
    "text",
    [
        "Do you support the death penalty for drug dealers?",
        "Do you have confidence in the police of your own town?",
        "Have you ever seen a UFO?",
        "Are you a cardiologist?",
        "Would you buy a lower-sugar snack?",
        "How much would you pay for a pint of ice cream?",
        "How many hours a day would you like to watch TV?",
        "How satisfied are you with your bicycle, from 0 to 10?",
        "What do you think about coffee?",
    ],
)
def test_a_question_without_a_figure_of_its_own_is_a_placeholder(americans: list[Agent], text: str) -> None:
    assert kinds(americans, text) == {"none"}


def test_a_spread_around_a_published_amount_is_modelled(americans: list[Agent]) -> None:
    (basis,) = bases(americans, "How many hours a day do you watch TV?")
    assert basis.kind == "modelled"
    assert "American Time Use Survey" in basis.note


def test_a_placeholder_names_the_nearest_known_question_which_is_answered(americans: list[Agent]) -> None:
    (basis,) = bases(americans, "Have you used marijuana in the past 30 days?")
    nearest = "Do you think the use of marijuana should be made legal or not?"
    assert basis.kind == "none"
    assert f"in these words: {nearest} (should be legal; should not be legal)." in basis.note
    assert kinds(americans, choice(nearest, "should be legal", "should not be legal")) == {"published"}
    (far,) = bases(americans, "Would you fly to the moon?")
    assert "Nearest" not in far.note


def test_yes_and_no_leave_out_those_who_took_no_side(americans: list[Agent]) -> None:
    (basis,) = bases(americans, "Does life serve a purpose?")
    assert basis.kind == "published"
    assert basis.note.endswith("with answers merged, without the 5% who took no side.")


@pytest.mark.parametrize(
    ("text", "around"),
    [
        ("How much would you pay for a pint of ice cream?", "a guess of $5"),
        ("How much would you pay for a hologram?", "a guess of $20"),
        ("Imagine a lamp for $49. How much would you pay for it?", "the price that the question names"),
    ],
)
def test_what_one_would_pay_rests_on_no_published_price(
    americans: list[Agent], text: str, around: str
) -> None:
    said = f"No published price is known; the answer is a placeholder, spread around {around}."
    assert set(bases(americans, text)) == {Basis("none", said)}


def test_no_price_of_the_table_has_a_source() -> None:
    assert {line.source for line in numbers()["prices"]} == {"ours"}


def test_options_rest_on_the_shares_of_their_list(americans: list[Agent]) -> None:
    use = choice("Which of these social media platforms do you use?", "Facebook", "TikTok", many=True)
    assert kinds(americans, use) == {"published"}
    heard = choice("Which of these have you heard of?", "Facebook", "TikTok", many=True)
    assert kinds(americans, heard) == {"none"}
    estimated = choice("Which streaming services do you use?", "Netflix", "Hulu", many=True)
    assert kinds(americans, estimated) == {"none"}
    one = choice("Which search engine do you use most?", "Google", "Bing", "Yahoo")
    assert kinds(americans, one) == {"modelled"}


def test_figures_of_the_usa_say_nothing_about_other_countries(americans: list[Agent]) -> None:
    germans = [replace(agent, country="Germany") for agent in americans]
    assert bases(germans, "Do you own a dog?") == {
        Basis("none", "No figure of Germany is known for this question; the answer is a placeholder."): 200
    }


def test_not_doing_a_thing_rests_on_the_profile(americans: list[Agent]) -> None:
    abstinent = [a for a in americans if a.health_profile and a.health_profile.alcohol_use == "none"]
    assert abstinent
    assert kinds(abstinent, "How many glasses of wine do you drink a week?") == {"profile"}


@pytest.mark.parametrize("text", ["Do you own a dog?", "How old are you?", "Would you fly to the moon?"])
def test_the_basis_told_before_is_that_of_the_answers(crowd: list[Agent], text: str) -> None:
    question = read_question(text)
    told = list(ENGINE.basis(question, crowd[:60]))
    said = list(ENGINE.answer(crowd[:60], question, {}, seed=11))
    assert told == [reply.basis for reply in said if isinstance(reply, Reply)]
