"""Screening questions: about the published share says yes, and always the same agents."""

from __future__ import annotations

import pytest

from voxpop.engines.agents import Agent
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.stances.life_facts import SCREENS

ASKED = {
    "dog": ("Do you own a dog?", "Do you have a dog at home?"),
    "cat": ("Do you have a cat?", "Do you own any cats?"),
    "pet": ("Do you have any pets?", "Do you own a pet?"),
    "smartphone": ("Do you own a smartphone?", "Do you have a smart phone?"),
    "ev": ("Do you own an electric car?", "Do you have an electric vehicle?"),
    "car": ("Do you own a car?", "Do you have a car?"),
    "passport": ("Do you have a valid passport?", "Do you own a passport?"),
    "gun": ("Do you own a gun?", "Do you have a firearm?"),
    "registered": ("Are you registered to vote?", "Are you currently registered to vote?"),
    "facebook": ("Do you use Facebook?", "Do you visit Facebook every day?"),
    "instagram": ("Do you use Instagram?", "Are you on Instagram?"),
    "tiktok": ("Do you use TikTok?", "Are you on TikTok?"),
    "youtube": ("Do you use YouTube?", "Do you watch YouTube?"),
    "pinterest": ("Do you use Pinterest?", "Are you on Pinterest?"),
    "linkedin": ("Do you use LinkedIn?", "Are you on LinkedIn?"),
    "whatsapp": ("Do you use WhatsApp?", "Are you on WhatsApp?"),
    "snapchat": ("Do you use Snapchat?", "Are you on Snapchat?"),
    "reddit": ("Do you use Reddit?", "Are you on Reddit?"),
    "tattoo": ("Do you have a tattoo?", "Do you have any tattoos?"),
    "vegetarian": ("Are you a vegetarian?", "Are you vegetarian?"),
    "coffee": ("Do you drink coffee?", "Do you drink any coffee?"),
    "gym": ("Are you a member of a gym?", "Do you belong to a gym?"),
    "flu": ("Did you get a flu shot this season?", "Have you had a flu vaccine this year?"),
    "glasses": ("Do you wear glasses?", "Do you currently wear glasses?"),
    "pregnant": ("Are you pregnant?", "Are you currently pregnant?"),
    "left": ("Are you left-handed?", "Are you left handed?"),
}


def who_says_yes(agents: list[Agent], text: str, seed: int) -> list[int]:
    replies = EmbeddedRespondent().answer(agents, read_question(text), {}, seed=seed)
    return [reply.agent_id for reply in replies if reply.value]  # type: ignore[union-attr]


def test_every_screen_is_asked_here() -> None:
    assert set(ASKED) == {screen.name for screen in SCREENS}
    assert len(SCREENS) >= 20


@pytest.mark.parametrize("screen", SCREENS, ids=[screen.name for screen in SCREENS])
def test_about_the_published_share_says_yes(panel_of_the_usa: list[Agent], screen) -> None:
    asked = panel_of_the_usa
    if screen.among != "US adults":
        assert screen.among == "women aged 18 to 44"
        asked = [agent for agent in asked if agent.gender == "female" and agent.age <= 44]
    owners = who_says_yes(asked, ASKED[screen.name][0], seed=7)
    assert len(owners) / len(asked) == pytest.approx(screen.share, abs=0.035)


def test_men_and_women_past_the_age_are_not_pregnant(crowd: list[Agent]) -> None:
    pregnant = who_says_yes(crowd, "Are you pregnant?", seed=7)
    assert pregnant
    assert all(agent.gender == "female" and agent.age <= 44 for agent in crowd if agent.id in set(pregnant))


@pytest.mark.parametrize("name", ASKED)
def test_it_is_always_the_same_agents(crowd: list[Agent], name: str) -> None:
    assert who_says_yes(crowd, ASKED[name][0], seed=7) == who_says_yes(crowd, ASKED[name][1], seed=99)


def test_one_who_has_a_dog_has_a_pet_and_one_with_an_electric_car_has_a_car(crowd: list[Agent]) -> None:
    pets = set(who_says_yes(crowd, "Do you have any pets?", seed=1))
    assert set(who_says_yes(crowd, "Do you own a dog?", seed=1)) <= pets
    cars = set(who_says_yes(crowd, "Do you own a car?", seed=1))
    assert set(who_says_yes(crowd, "Do you own an electric car?", seed=1)) <= cars
