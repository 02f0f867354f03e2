"""Earlier answers influence related questions only."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from voxpop.engines.question import Exchange
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

HOW_OFTEN = ["Every day", "Weekly", "Monthly", "Less often", "Never"]


def ask(agents, text, history=None, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), history or {}, seed=7))


def remembered(agents, text, value, **fields):
    """The agents who answered a first question with this value, with that answer as their history."""
    question = read_question(text, **fields)
    replies = EmbeddedRespondent().answer(agents, question, {}, seed=7)
    history = {r.agent_id: [Exchange(question, r.text, r.value)] for r in replies if r.value == value}
    return [agent for agent in agents if agent.id in history], history


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Would you switch to fresh dog food?", {}),
        ("How likely are you to buy fresh dog food, 0-10?", {}),
        ("How often do you buy treats for your dog?", {"options": HOW_OFTEN}),
        ("How satisfied are you with your dog's food, 0-10?", {}),
    ],
)
def test_owning_a_dog_decides_no_later_answer(crowd, text, fields) -> None:
    owners, history = remembered(crowd, "Do you own a dog?", True)
    assert len(owners) > 1_000
    assert [r.value for r in ask(owners, text, history, **fields)] == [
        r.value for r in ask(owners, text, **fields)
    ]


def test_some_owners_never_do_and_some_say_no(crowd) -> None:
    owners, history = remembered(crowd, "Do you own a dog?", True)
    often = Counter(
        r.value for r in ask(owners, "How often do you brush your dog?", history, options=HOW_OFTEN)
    )
    assert 0.03 < often["Never"] / len(owners) < 0.5
    switch = Counter(r.value for r in ask(owners, "Would you switch to fresh dog food?", history))
    assert 0.2 < switch[True] / len(owners) < 0.8


def test_who_has_no_dog_does_nothing_with_one(crowd) -> None:
    others, history = remembered(crowd, "Do you own a dog?", False)
    text = "How often do you buy treats for your dog?"
    said = Counter(r.value for r in ask(others, text, history, options=HOW_OFTEN))
    assert said["Never"] / len(others) > 0.95


def test_who_says_two_of_ten_does_not_say_definitely(crowd) -> None:
    low, history = remembered(crowd, "How likely are you to switch to a lower-sugar snack, 0-10?", 2)
    options = ["Definitely", "Probably", "Probably not", "Definitely not"]
    said = {r.value for r in ask(low, "Would you switch to a lower-sugar snack?", history, options=options)}
    assert len(low) > 100
    assert not said & {"Definitely", "Probably"}


@pytest.mark.parametrize("value", [True, False])
def test_ratings_after_a_yes_or_no_are_spread_out(crowd, value) -> None:
    people, history = remembered(crowd, "Would you switch to a lower-sugar snack?", value)
    text = "How likely are you to switch to a lower-sugar snack, 0-10?"
    said = Counter(r.value for r in ask(people, text, history))
    assert max(said.values()) / len(people) < 0.33
    assert len([1 for count in said.values() if count / len(people) > 0.04]) >= 5
    if value:
        assert sum(said[point] for point in range(5)) == 0
    else:
        assert sum(said[point] for point in range(6, 11)) == 0


def test_the_same_question_gets_the_same_answer_again(crowd) -> None:
    text = "How satisfied are you with your life, 0-10?"
    question = read_question(text)
    first = ask(crowd[:300], text)
    history = {r.agent_id: [Exchange(question, r.text, r.value)] for r in first}
    assert [r.value for r in ask(crowd[:300], text, history)] == [r.value for r in first]


def test_a_question_that_names_nothing_is_about_what_was_asked_before(agents) -> None:
    snack = read_question("Would you switch to a lower-sugar snack?")
    price = read_question("How much would you pay for a box of 12, in dollars?")
    bank = read_question("Do you trust your bank?")
    past = {agent.id: [Exchange(snack, "Yes.", True), Exchange(price, "$9.", 9)] for agent in agents}
    named = ask(agents, "What would make you switch to a lower-sugar snack?", past)
    assert [r.text for r in ask(agents, "What would make you switch?", past)] != [
        r.text for r in ask(agents, "What would make you switch?")
    ]
    food = r"snack|sugar|flavor|taste|calor|sweet|protein|fiber|ingredient|fruit|portion|eat|recipe|label"
    about = [re.search(food, r.text) is not None for r in ask(agents, "What would make you switch?", past)]
    asked = [re.search(food, r.text) is not None for r in named]
    assert sum(about) == pytest.approx(sum(asked), rel=0.15)
    later = {agent.id: [*past[agent.id], Exchange(bank, "No.", False)] for agent in agents}
    still = [re.search(food, r.text) is not None for r in ask(agents, "What would make you switch?", later)]
    assert sum(still) == pytest.approx(sum(asked), rel=0.15)


OFFER = "Imagine a snack box with smaller portions for $12 a month."
LIKELY = [
    "Definitely would",
    "Probably would",
    "Might or might not",
    "Probably would not",
    "Definitely would not",
]


def offered(agents):
    """The agents with what they answered to an offer, by their answer."""
    question = read_question(f"{OFFER} How likely are you to subscribe?", options=LIKELY)
    said = EmbeddedRespondent().answer(agents, question, {}, seed=7)
    return {reply.agent_id: [Exchange(question, reply.text, reply.value)] for reply in said}


def test_who_would_take_an_offer_recommends_it_and_who_would_not_does_not(crowd) -> None:
    history = offered(crowd)
    share = {}
    for answer in (LIKELY[0], LIKELY[-1]):
        people = [agent for agent in crowd if history[agent.id][0].value == answer]
        assert len(people) > 100
        said = [r.value for r in ask(people, "Would you recommend the box to a friend?", history)]
        share[answer] = said.count(True) / len(said)
    assert share[LIKELY[0]] > 0.85
    assert share[LIKELY[-1]] < 0.15


def test_what_an_offer_costs_is_what_it_is_held_against(crowd) -> None:
    history = offered(crowd)
    pay = "How much would you pay for it per month, in dollars?"
    named = {r.agent_id: r.value for r in ask(crowd, pay, history) if r.value is not None}
    middle = sorted(named.values())[len(named) // 2]
    assert 8 <= middle <= 14
    refused = [named[one] for one, (told,) in history.items() if told.value == LIKELY[-1] and one in named]
    assert sum(price > 12 for price in refused) / len(refused) < 0.05
    high = sorted(r.value for r in ask(crowd, "At what price would it be too expensive?", history) if r.value)
    assert 14 <= high[len(high) // 2] <= 28


def test_open_follow_ups_speak_of_the_offer(agents) -> None:
    history = offered(agents)
    alone = [r.text for r in ask(agents, "What would you change about it?")]
    about = [r.text for r in ask(agents, "What would you change about it?", history)]
    food = r"flavor|taste|sugar|snack|portion|salt|sweet|eat|recipe|ingredient|fruit|protein|pack|box"
    assert sum(re.search(food, text) is not None for text in about) > len(about) / 3
    assert sum(re.search(food, text) is not None for text in alone) < len(alone) / 5


def test_a_probe_gets_more_of_the_same_and_never_the_same_words(agents) -> None:
    breakfast = read_question("What do you usually eat for breakfast?")
    first = {r.agent_id: r.text for r in ask(agents, breakfast.text)}
    past = {number: [Exchange(breakfast, text, None)] for number, text in first.items()}
    more = ask(agents, "Can you tell me more about that?", past)
    food = r"egg|toast|cereal|oat|yogurt|coffee|tea|fruit|bread|milk|bagel|banana|juice|breakfast|eat|cheese"
    assert sum(re.search(food, r.text, re.I) is not None for r in more) > 0.6 * len(more)
    assert sum(r.text == first[r.agent_id] for r in more) <= 0.01 * len(more)


def test_why_after_an_open_question_is_about_that_one(agents) -> None:
    coded, opened = read_question("Do you trust your bank?"), read_question("What do you eat for breakfast?")
    past = {a.id: [Exchange(coded, "No.", False), Exchange(opened, "Toast and eggs.", None)] for a in agents}
    why = [r.text for r in ask(agents, "Why?", past)]
    assert not any(re.match(r"I (?:said|answered|went with|put|picked|chose)", text) for text in why)


def test_who_has_not_heard_of_a_brand_has_not_bought_it_and_says_so(crowd) -> None:
    unaware, history = remembered(crowd[:2000], "Have you heard of Oatly?", False)
    aware, told = remembered(crowd[:2000], "Have you heard of Oatly?", True)
    bought = [r.value for r in ask(unaware, "Have you ever bought it?", history)]
    assert bought.count(True) == 0
    assert True in [r.value for r in ask(aware, "Have you ever bought it?", told)]
    said = [r.text for r in ask(unaware[:200], "What do you think of it?", history)]
    unknown = r"Oatly|heard|know|name|never|tried|no opinion|first I hear"
    assert sum(re.search(unknown, text) is not None for text in said) > 0.9 * len(said)


def test_who_has_heard_of_no_new_snack_eats_snacks_all_the_same(crowd) -> None:
    people, history = remembered(crowd[:1000], "Have you heard of any new snacks lately?", False)
    often = [r.value for r in ask(people, "How often do you eat snacks?", history, options=HOW_OFTEN)]
    assert often.count("Never") < 0.2 * len(often)
    said = [r.text for r in ask(people[:100], "What snack do you like best?", history)]
    assert not any(re.search(r"(?:heard of|don't know) (?:any|snack|it)", text) for text in said)


def test_how_much_more_is_nothing_after_a_no(crowd) -> None:
    people, history = remembered(crowd[:1000], "Would you pay more for a toy that is tested?", False)
    assert {r.value for r in ask(people, "How much more, in percent?", history)} == {0}


def test_nobody_tells_the_age_of_a_child_that_is_not_there(crowd) -> None:
    ages: dict[bool | None, list[int | None]] = {True: [], False: []}
    for agent, reply in zip(crowd, ask(crowd, "How old is your youngest child?"), strict=True):
        ages.setdefault(agent.is_parent, []).append(reply.value)
    assert set(ages[False]) == {None}
    assert sum(age is not None for age in ages[True]) > 0.9 * len(ages[True])
    assert all(0 <= age <= 17 for age in ages[True] if age is not None)


BOX = "Imagine a snack box with smaller portions."
LADDERS = [
    [f"{BOX} Would you buy it for $8?", "Would you buy it for $12?", "And for $16?", "At $20?"],
    [f"{BOX} Would you buy it for $20?", "What about $16?", "What if it was $12?", "And for $8?"],
    [f"Would you buy a box of protein bars for ${price}?" for price in (8, 12, 16, 20)],
]


@pytest.mark.parametrize("ladder", LADDERS, ids=["up", "down", "each whole"])
def test_fewer_buy_at_a_higher_price_and_nobody_pays_more_but_not_less(crowd, ladder) -> None:
    people = crowd[:1500]
    history: dict[int, list[Exchange]] = {agent.id: [] for agent in people}
    shares = {}
    for text in ladder:
        question = read_question(text)
        assert question.type == "yes_no"
        replies = list(EmbeddedRespondent().answer(people, question, history, seed=7))
        for reply in replies:
            history[reply.agent_id].append(Exchange(question, reply.text, reply.value))
        price = int(re.findall(r"\$(\d+)", text)[-1])
        shares[price] = sum(reply.value is True for reply in replies) / len(replies)
    steps = [shares[low] - shares[high] for low, high in ((8, 12), (12, 16), (16, 20))]
    assert min(steps) > 0
    assert shares[8] > 1.5 * shares[20]
    for told in history.values():
        prices = {int(re.findall(r"\$(\d+)", one.question.text)[-1]): one.value for one in told}
        refused = [price for price, value in prices.items() if value is False]
        taken = [price for price, value in prices.items() if value is True]
        assert not refused or not taken or max(taken) < min(refused)


def test_the_four_prices_of_the_price_sensitivity_meter_lie_in_their_order_for_everybody(crowd) -> None:
    people = crowd[:1500]
    history: dict[int, list[Exchange]] = {agent.id: [] for agent in people}
    for text in (
        f"{BOX} At what price would it be so cheap that you would doubt its quality?",
        "At what price would it be a bargain?",
        "At what price would it be getting expensive?",
        "At what price would it be too expensive?",
    ):
        question = read_question(text)
        for reply in list(EmbeddedRespondent().answer(people, question, history, seed=7)):
            history[reply.agent_id].append(Exchange(question, reply.text, reply.value))
    whole = [[one.value for one in told if one.value is not None] for told in history.values()]
    assert all(prices == sorted(prices) for prices in whole)
    assert sum(prices[0] < prices[-1] for prices in whole if len(prices) == 4) > 0.95 * len(whole)


def test_what_one_would_pay_decides_whether_one_buys(crowd) -> None:
    people, question = crowd[:1500], read_question(f"{BOX} How much would you pay for it, in dollars?")
    first = list(EmbeddedRespondent().answer(people, question, {}, seed=7))
    history = {r.agent_id: [Exchange(question, r.text, r.value)] for r in first}
    buys = {r.agent_id: r.value for r in ask(people, "Would you buy it for $5?", history)}
    for reply in first:
        if reply.value is not None and buys[reply.agent_id] is not None:
            assert buys[reply.agent_id] is (reply.value >= 5)
