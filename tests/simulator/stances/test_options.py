"""Options with published shares are chosen at about these shares, by the named groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from voxpop.engines.agents import Agent
from voxpop.population.countries import ABROAD
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.stances.leanings import LEANINGS, TRAITS
from voxpop_simulator.stances.life_facts import FACTS
from voxpop_simulator.stances.options import list_of, lists

LISTS = {options.name: options for options in lists()}


@pytest.fixture(scope="module")
def people(panel_of_the_usa: list[Agent]) -> list[Agent]:
    return panel_of_the_usa[:3_000]


def values(agents, text, options):
    question = read_question(text, options=list(options))
    replies = EmbeddedRespondent().answer(agents, question, {}, seed=7)
    return [reply.value for reply in replies if reply.value is not None]


def ticked(agents, text, options):
    """Percent of those with an answer that tick each option, or choose it."""
    said = values(agents, text, options)
    found = Counter(name for each in said for name in (each if isinstance(each, list) else [each]))
    return {option: 100 * found[option] / len(said) for option in options}


@pytest.mark.parametrize("options", lists(), ids=LISTS)
def test_every_list_names_what_there_is(options) -> None:
    names = [name for entry in options.entries for name in entry.names]
    assert len(names) == len(set(names))
    assert options.seen == "ours" or options.source != "ours"
    for entry in options.entries:
        assert 0 < entry.share <= 0.95
        assert 0 < entry.main <= 1
        assert {name for name, _ in entry.weights} <= {*TRAITS, *LEANINGS}, entry.name
        assert {country for country, _, _ in entry.abroad} <= set(ABROAD), entry.name
        assert entry.fact in ("", *FACTS)


TICKED = [
    ("social platforms", "Which of these have you used in the past month? Select all that apply.", 8),
    ("video streaming", "Which of these do you watch? Select all that apply.", 9),
    ("payment apps", "Which of these do you use? Select all that apply.", 6),
    ("devices", "Which of these do you own? Select all that apply.", 10),
    ("grocery chains", "Where do you shop for groceries? Select all that apply.", 10),
    ("music services", "Which of these do you use? Select all that apply.", 7),
    ("cuisines", "Which cuisines do you like? Select all that apply.", 8),
    ("reasons to choose food", "What matters when you choose a snack? Select all that apply.", 7),
]


@pytest.mark.parametrize(("name", "text", "count"), TICKED, ids=[name for name, _, _ in TICKED])
def test_an_option_is_ticked_by_about_its_share(people, name, text, count) -> None:
    entries = LISTS[name].entries[:count]
    found = ticked(people, text, [entry.name for entry in entries])
    for entry in entries:
        assert found[entry.name] == pytest.approx(100 * entry.share, abs=5.5), entry.name


CHOSEN = [
    ("search engines", "Which search engine do you use most?", 5),
    ("ways to pay", "How do you usually pay in stores?", 5),
    ("sports to watch", "What is your favorite sport to watch?", 6),
    ("where news comes from", "Where do you get most of your news?", 6),
    ("how people get to work", "How do you usually get to work?", 4),
    ("breakfasts", "What do you usually have for breakfast?", 7),
    ("reasons to choose", "What is the main reason you choose a brand?", 7),
    ("car makes", "Which make of car do you drive?", 9),
]


@pytest.mark.parametrize(("name", "text", "count"), CHOSEN, ids=[name for name, _, _ in CHOSEN])
def test_where_one_is_chosen_it_is_in_proportion(people, name, text, count) -> None:
    entries = LISTS[name].entries[:count]
    found = ticked(people, text, [entry.name for entry in entries])
    whole = sum(entry.main for entry in entries)
    for entry in entries:
        assert found[entry.name] == pytest.approx(100 * entry.main / whole, abs=6.5), entry.name


def test_facebook_stands_above_tiktok_and_a_supermarket_above_a_gas_station(people) -> None:
    used = ticked(people, "Which do you use?", ["Facebook", "TikTok", "LinkedIn", "None of these"])
    assert used["Facebook"] > used["TikTok"] + 20
    snacks = ticked(people, "Where do you usually buy snacks?", ["Gas station", "Supermarket", "Online"])
    assert snacks["Supermarket"] > 5 * snacks["Gas station"]


def test_other_none_and_options_that_nobody_knows(people) -> None:
    text, known = "Which streaming service do you use most?", ["Netflix", "Hulu", "Max", "Peacock"]
    found = ticked(people, text, [*known, "Zorblo", "Other", "None of these"])
    assert 0 < found["Other"] < 9
    assert 0 < found["None of these"] < 15
    assert found["Peacock"] / 3 < found["Zorblo"] < found["Netflix"]


def test_who_uses_a_thing_ticks_it_and_says_so(people) -> None:
    options = ["Netflix", "Hulu", "Peacock", "None of these"]
    said = values(people, "Which of these do you watch? Select all that apply.", options)
    uses = EmbeddedRespondent().answer(people, read_question("Do you watch Hulu?"), {}, seed=99)
    yes = sum(reply.value for reply in uses) / len(people)
    assert yes == pytest.approx(sum("Hulu" in each for each in said) / len(said), abs=0.01)


def test_more_have_heard_of_a_thing_than_use_it_and_least_is_not_most(people) -> None:
    options = ["Spotify", "Pandora", "Tidal"]
    heard = ticked(people, "Which of these have you heard of? Select all that apply.", options)
    used = ticked(people, "Which of these do you use? Select all that apply.", options)
    assert all(heard[name] > used[name] + 10 for name in options)
    least = ticked(people, "Which music service do you use least?", options)
    assert least["Tidal"] > least["Spotify"]


def test_the_order_of_the_list_moves_shares_a_little(people) -> None:
    options = ["Price", "Quality", "Brand", "Customer service"]
    text = "What matters most when you choose a bank?"
    first, last = ticked(people, text, options), ticked(people, text, options[::-1])
    assert 0 < first["Price"] - last["Price"] < 5


def test_countries_have_their_own_shares_where_the_table_knows_them(people) -> None:
    british = [replace(agent, country="UK") for agent in people]
    shops = ["Tesco", "Walmart", "Sainsbury's", "Asda"]
    assert ticked(british, "Which supermarket do you use most?", shops)["Tesco"] > 35
    assert ticked(people, "Which supermarket do you use most?", shops)["Walmart"] > 80


def test_a_ranking_stays_a_ranking_where_one_may_not_know(people) -> None:
    options = ["Price", "Quality", "Brand", "Don't know"]
    question = read_question("Rank what matters to you.", type="ranking", options=options)
    replies = EmbeddedRespondent().answer(people, question, {}, seed=7)
    assert {type(reply.value) for reply in replies} == {list, type(None)}


@pytest.mark.parametrize(
    ("text", "options", "name"),
    [
        ("Where do you buy shoes?", ("Online", "Thrift store"), "where clothes and shoes are bought"),
        ("Where do you buy snacks?", ("Gas station", "Supermarket"), "where snacks and drinks are bought"),
        ("Which matters most for a snack?", ("Taste", "Price", "Brand"), "reasons to choose food"),
        ("Which matters most for a laptop?", ("Quality", "Price", "Brand"), "reasons to choose"),
        ("Why did you not buy it?", ("Too expensive", "No need", "Not available"), "reasons not to"),
        ("Which shape?", ("Round", "Square", "Oval"), None),
        ("Which name is best?", ("Acme", "Bolt", "Corex"), None),
    ],
)  # fmt: skip
def test_the_words_of_a_question_tell_the_list(text, options, name) -> None:
    found = list_of(text, options)
    assert (found and found[0].name) == name
