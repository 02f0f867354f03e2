"""Coded answers: the right type, uneven shares, published directions, memory and small order effects."""

from __future__ import annotations

from collections import Counter
from statistics import correlation, mean, pstdev

import pytest

from voxpop.engines import Failure, Reply
from voxpop.engines.question import Exchange
from voxpop.engines.respondent import Unanswerable
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

INCOMES = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999", "$35,000-$49,999")


def ask(agents, text, history=None, seed=7, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), history or {}, seed=seed))


def known(replies):
    return [reply.value for reply in replies if reply.value is not None]


def average(agents, text, group):
    """Mean coded answer (yes counts 1) of the agents in a group."""
    return mean(float(value) for value in known(ask([agent for agent in agents if group(agent)], text)))


def test_every_reply_says_which_engine_made_it_and_has_the_type_asked_for(agents) -> None:
    allowed = {
        "Would you try a new snack?": bool,
        "How likely are you to return, 0-10?": int,
        "How much would you pay for a coffee?": (int, float),
        "Do you prefer tea, coffee or water?": str,
        "Select all that apply: TikTok, Instagram, none of these": list,
        "Rank these: price, taste, health": list,
    }
    for text, kind in allowed.items():
        replies = ask(agents, text)
        assert [reply.agent_id for reply in replies] == [agent.id for agent in agents]
        assert {reply.engine for reply in replies} == {"embedded-1"}
        assert all(isinstance(value, kind) for value in known(replies))
        assert all(reply.text for reply in replies)


@pytest.mark.parametrize(
    "text",
    [
        "Do you prefer tea, coffee, juice or water in the morning?",
        "What matters most when you buy snacks: price, taste, health or packaging?",
        "Are you very satisfied, somewhat satisfied, somewhat dissatisfied or very dissatisfied with it?",
    ],
)
def test_options_are_not_equally_likely_and_none_takes_all(crowd, text) -> None:
    shares = sorted(count / len(crowd) for count in Counter(known(ask(crowd, text))).values())
    assert shares[-1] / shares[0] > 1.3
    assert shares[-1] < 0.8
    assert len(shares) == len(read_question(text).options)


def test_scales_have_a_plausible_mean_spread_and_ends(crowd) -> None:
    values = known(ask(crowd, "How likely are you to recommend us to a friend, 0-10?"))
    shares = Counter(values)
    assert 5.5 < mean(values) < 8
    assert 1.7 < pstdev(values) < 3
    assert shares[5] > shares[4]
    assert shares[10] > shares[9]
    assert set(values) <= set(range(11))


def test_where_one_is_best_low_numbers_are_good(crowd) -> None:
    good_low = known(ask(crowd, "How was the service from 1 to 5, where 1 is best and 5 is worst?"))
    good_high = known(ask(crowd, "How was the service from 1 to 5, where 5 is best and 1 is worst?"))
    assert mean(good_low) < 3 < mean(good_high)


def test_money_is_skewed_and_heaped_on_round_amounts(crowd) -> None:
    values = sorted(known(ask(crowd, "How much would you pay for a box of 12, in dollars?")))
    assert sum(value % 5 == 0 for value in values) / len(values) > 0.6
    assert mean(values) > values[len(values) // 2]
    assert 0 < sum(value == 0 for value in values) / len(values) < 0.1
    named = known(ask(crowd, "It usually costs $200. How much would you pay?"))
    assert 120 < mean(named) < 300


def test_a_few_do_not_know_and_more_of_the_less_educated(crowd) -> None:
    replies = ask(crowd, "Would you support a tax on sugary drinks?")
    unsure = {reply.agent_id for reply in replies if reply.value is None}
    assert 0.005 < len(unsure) / len(crowd) < 0.06
    low = [agent for agent in crowd if agent.education in ("Less than 9th grade", "9-11th grade")]
    high = [agent for agent in crowd if agent.education == "College graduate or above"]
    assert sum(a.id in unsure for a in low) / len(low) > sum(a.id in unsure for a in high) / len(high)


def conditions(agent) -> int:
    return len(agent.health_profile.conditions) if agent.health_profile else -1


def phq9(agent) -> int:
    return agent.health_profile.phq9_score if agent.health_profile else -1


def glp1(agent) -> bool | None:
    return "glp1_agonist" in agent.health_profile.drug_classes if agent.health_profile else None


# question, the group that says more, the group that says less, the least difference of their means
DIRECTIONS = [
    (
        "Would you switch to a cheaper brand?",
        lambda a: a.household_income in INCOMES,
        lambda a: a.household_income not in INCOMES,
        0.05,
    ),
    (
        "Would you pay more for a premium brand?",
        lambda a: a.household_income not in INCOMES,
        lambda a: a.household_income in INCOMES,
        0.05,
    ),
    ("Would you use an AI app to plan meals?", lambda a: a.age < 40, lambda a: a.age > 60, 0.1),
    (
        "Would you use an AI app to plan meals?",
        lambda a: "College g" in a.education,
        lambda a: "9" in a.education,
        0.05,
    ),
    (
        "How worried are you about your health, 0-10?",
        lambda a: conditions(a) > 3,
        lambda a: 0 <= conditions(a) < 2,
        0.5,
    ),
    ("Are you interested in smaller portions?", lambda a: glp1(a) is True, lambda a: glp1(a) is False, 0.1),
    ("How worried are you about child safety, 0-10?", lambda a: a.is_parent, lambda a: not a.is_parent, 0.5),
    ("How satisfied are you with your life, 0-10?", lambda a: 0 <= phq9(a) < 5, lambda a: phq9(a) > 9, 0.5),
    (
        "How satisfied are you with your job, 0-10?",
        lambda a: a.labour_status == "employed",
        lambda a: a.labour_status == "unemployed",
        0.5,
    ),
    ("Do you use Instagram?", lambda a: a.age < 35, lambda a: a.age > 65, 0.3),
    (
        "How concerned are you about climate change, 0-10?",
        lambda a: a.gender == "female",
        lambda a: a.gender == "male",
        0.1,
    ),
    (
        "How worried are you about paying your bills, 0-10?",
        lambda a: a.household_income in INCOMES,
        lambda a: a.household_income not in INCOMES,
        0.4,
    ),
    (
        "How much would you pay for a pair of jeans?",
        lambda a: a.household_income not in INCOMES,
        lambda a: a.household_income in INCOMES,
        3,
    ),
]


@pytest.mark.parametrize(("text", "more", "less", "least"), DIRECTIONS)
def test_groups_differ_in_the_published_direction(crowd, text, more, less, least) -> None:
    assert average(crowd, text, more) - average(crowd, text, less) > least


def test_about_the_published_share_owns_a_dog_and_always_the_same_agents(crowd) -> None:
    owners = [reply.agent_id for reply in ask(crowd, "Do you own a dog?") if reply.value]
    assert 0.36 < len(owners) / len(crowd) < 0.52
    again = [reply.agent_id for reply in ask(crowd, "Do you have a dog at home?", seed=99) if reply.value]
    assert owners == again


def past(text, replies, **fields):
    question = read_question(text, **fields)
    return {reply.agent_id: [Exchange(question, reply.text, reply.value)] for reply in replies}


def test_who_says_two_of_ten_does_not_say_yes_next(crowd) -> None:
    text = "How likely are you to switch to a lower-sugar snack, 0-10?"
    first = ask(crowd, text)
    then = ask(crowd, "Would you switch to a lower-sugar snack?", past(text, first))
    pairs = [
        (one.value, two.value)
        for one, two in zip(first, then, strict=True)
        if None not in (one.value, two.value)
    ]
    assert all(not yes for said, yes in pairs if said <= 2)
    assert all(yes for said, yes in pairs if said >= 8)


def test_a_yes_or_no_narrows_a_later_rating_without_flattening_it(crowd) -> None:
    text = "Would you recommend our store to a friend?"
    first = ask(crowd[:500], text)
    then = ask(crowd[:500], "How likely are you to recommend our store to a friend, 0-10?", past(text, first))
    pairs = [(a.value, b.value) for a, b in zip(first, then, strict=True) if None not in (a.value, b.value)]
    yes, no = [b for a, b in pairs if a], [b for a, b in pairs if not a]
    assert len({b for _, b in pairs}) >= 7
    assert mean(yes) - mean(no) > 2
    assert len(set(yes)) >= 4
    assert len(set(no)) >= 4
    assert correlation([float(a) for a, _ in pairs], [float(b) for _, b in pairs]) < 0.95


def test_life_satisfaction_has_the_published_shape(crowd) -> None:
    """US means of 6.7 to 7.2 with a mode of 8 and 8 to 10 percent tens (Gallup, OECD Better Life)."""
    values = known(ask(crowd, "How satisfied are you with your life, 0-10?"))
    shares = Counter(values)
    assert 6.4 < mean(values) < 7.4
    assert shares.most_common(1)[0][0] in (7, 8)
    assert 0.05 < shares[10] / len(values) < 0.13


def test_the_same_question_again_gets_the_same_answer(agents) -> None:
    text = "How likely are you to switch to a lower-sugar snack, 0-10?"
    first = ask(agents, text)
    assert [reply.value for reply in ask(agents, text, past(text, first), seed=8)] == [
        reply.value for reply in first
    ]


def test_shuffled_orders_are_recorded_and_leave_the_choice_alone(crowd) -> None:
    options = ["Alpha", "Bravo", "Charlie", "Delta", "Other"]
    shuffled = ask(crowd, "Which name do you like best?", options=options, shuffle_options=True)
    orders = Counter(reply.option_order for reply in shuffled)
    assert len(orders) == 24
    assert all(sorted(order) == [0, 1, 2, 3, 4] and order[-1] == 4 for order in orders)
    turned = ask(
        crowd, "Which name do you like best?", options=[*options[3::-1], "Other"], shuffle_options=True
    )
    assert [reply.value for reply in turned] == [reply.value for reply in shuffled] or _alike(
        turned, shuffled
    ) > 0.85


def _alike(one, two):
    return mean(a.value == b.value for a, b in zip(one, two, strict=True))


def test_order_matters_a_little_when_options_are_not_shuffled(crowd) -> None:
    def first_share(options):
        replies = ask(crowd, "Which name do you like best?", options=options)
        assert {reply.option_order for reply in replies} == {None}
        return mean(reply.value == "Alpha" for reply in replies)

    gain = first_share(["Alpha", "Bravo", "Charlie"]) - first_share(["Bravo", "Alpha", "Charlie"])
    assert 0 < gain < 0.08


def test_several_answers_keep_none_alone_and_respect_a_limit(crowd) -> None:
    options = ["Price", "Taste", "Health", "Brand", "None of these"]
    for reply in ask(crowd, "What matters to you? Pick up to two.", options=options, type="multi_choice"):
        if reply.value is not None:
            assert 1 <= len(reply.value) <= 2
            assert "None of these" not in reply.value or reply.value == ["None of these"]


def test_a_ranking_holds_every_option_once(agents) -> None:
    for reply in ask(agents, "Rank these: price, taste, health"):
        assert reply.value is None or sorted(reply.value) == ["health", "price", "taste"]


class Broken:
    id, uuid = 999, None


def test_a_fault_of_the_engine_is_raised_with_the_agent_and_is_no_answer(agents) -> None:
    with pytest.raises(AttributeError) as caught:
        ask([agents[0], Broken(), agents[1]], "Would you try a new snack?")
    assert caught.value.__notes__ == ["While embedded-1 answered for agent 999."]


def test_what_the_engine_declares_unanswerable_is_a_failure_of_that_agent(agents, monkeypatch) -> None:
    def declared(self, asked, agent, *rest):
        if agent.id == agents[1].id:
            raise Unanswerable("Nothing is known of this agent.")
        return Reply(agent.id, "yes", True, None, self.name)

    monkeypatch.setattr(EmbeddedRespondent, "_reply", declared)
    replies = ask(agents[:3], "Would you try a new snack?")
    assert [type(reply) for reply in replies] == [Reply, Failure, Reply]
    assert replies[1] == Failure(agents[1].id, "unanswerable", "Nothing is known of this agent.")
