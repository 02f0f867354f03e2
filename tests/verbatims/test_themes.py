"""Themes and quotes: groups of words, the answers they come from, and a few that may be quoted."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from voxpop.errors import UsageError
from voxpop.tables import Store
from voxpop.verbatims import Words, quotes, themes

PRICE = ("price", "cost", "dollar", "cheap", "budget")
TASTE = ("taste", "sweet", "flavour", "chalk", "sugar")
HEALTH = ("doctor", "heart", "weight", "health", "sleep")


@pytest.fixture
def people() -> pd.DataFrame:
    """Three planted themes of 60, 40 and 20 answers of four of their five words, three without a word."""
    draw = np.random.default_rng(5)
    texts = [
        " ".join(draw.choice(words, 4, replace=False))
        for words, many in ((PRICE, 60), (TASTE, 40), (HEALTH, 20))
        for _ in range(many)
    ]
    return pd.DataFrame(
        {
            "agent_id": np.arange(123) * 7 % 1009,
            "why": [*texts, "the", "it is what it is", "so"],
            "arm": (["a", "b"] * 62)[:123],
            "stance": ["no"] * 60 + ["yes"] * 63,
        }
    )


def test_planted_themes_are_found_the_largest_first(people: pd.DataFrame) -> None:
    found = themes(people, "why", k=3, words=Words(stem=False))
    assert found.wide()["size"].tolist() == [60, 40, 20]
    assert [set(terms) for terms in found.wide().terms] == [set(PRICE), set(TASTE), set(HEALTH)]
    assert found.answers(0).text.tolist() == ["the", "it is what it is", "so"] or len(found.answers(0)) == 3


def test_every_theme_leads_back_to_its_answers(people: pd.DataFrame) -> None:
    found = themes(people, "why", k=3, words=Words(stem=False))
    by_id = people.set_index("agent_id").why
    for theme, words in enumerate((PRICE, TASTE, HEALTH), 1):
        told = found.answers(theme)
        assert all(set(by_id[name].split()) <= set(words) for name in told.agent_id)
        assert set(found.wide().quote_ids[theme - 1]) <= set(told.agent_id)
    given = found.assignments().set_index("agent_id")
    assert set(given.index) == set(people.agent_id)
    assert given.theme.value_counts().to_dict() == {1: 60, 2: 40, 3: 20, 0: 3}


def test_the_same_seed_gives_the_same_themes_whatever_the_order_of_the_rows(people: pd.DataFrame) -> None:
    first = themes(people, "why", k=3, seed=2)
    second = themes(people.sample(frac=1, random_state=1), "why", k=3, seed=2)
    assert first.labels == second.labels
    assert first.assignments().theme.tolist() == second.assignments().theme.tolist()
    assert repr(first) == repr(second)


def test_shares_by_cohort_add_up(people: pd.DataFrame) -> None:
    found = themes(people, "why", k=3, by="arm", words=Words(stem=False))
    long = found.long()
    assert np.allclose(long.groupby(["column_group", "column"]).share.sum(), 1)
    inside = people[(people.arm == "a")].why.str.split().str[0].isin(PRICE)
    row = long[(long.theme == 1) & (long.column == "a")].iloc[0]
    assert (row["count"], row.base) == (int(inside.sum()), int((people.arm == "a").sum()))


def test_too_few_answers_or_too_many_themes_are_refused(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="has 9 answers here; at least 10 are needed"):
        themes(people.head(9), "why")
    with pytest.raises(UsageError, match=r"k must be 1 to 15, as 'why' has 120 answers with 15 words"):
        themes(people, "why", k=50, words=Words(stem=False))
    with pytest.raises(UsageError, match=r"numbered 1 to 3"):
        themes(people, "why", k=3).answers(4)


def test_without_the_extra_one_sentence_names_it(
    people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.decomposition", None)
    with pytest.raises(UsageError, match=r"^Themes need the extra 'text'; .*pip install 'voxpop\[text\]'$"):
        themes(people, "why")
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(UsageError, match=r"^Stems need the extra 'text'"):
        Words().count(["prices"])
    assert quotes(people, "why", 2).ids, "quotes need no extra"


def test_quotes_are_representative_spread_and_dissenting(people: pd.DataFrame) -> None:
    found = quotes(people, "why", 4).long()
    assert found.role.tolist() == ["representative", "spread", "spread", "dissenting"]
    assert set(found.text.iloc[0].split()) <= set(PRICE), "most answers are about the price"
    spoken = [frozenset(PRICE), frozenset(TASTE), frozenset(HEALTH)]
    told = {words for words in spoken for text in found.text if set(text.split()) <= words}
    assert told == set(spoken), "the spread reaches every theme"


def test_a_dissenting_voice_gave_another_answer_to_the_coded_question(people: pd.DataFrame) -> None:
    found = quotes(people, "why", 3, dissent="stance").long().set_index("role")
    stance = people.set_index("agent_id").stance
    assert stance[found.loc["dissenting", "agent_id"]] == "no"
    assert stance[found.loc["representative", "agent_id"]] == "yes"
    assert found.loc["dissenting", "why"].startswith("said no to stance; 51.2 % said yes")


def test_answers_of_a_fitting_length_come_first() -> None:
    texts = ["Yes.", "No.", "Fine.", *(f"This answer number {word} has quite enough words" for word in "abc")]
    found = quotes(pd.DataFrame({"why": texts}), "why", 3).long()
    assert all(len(text.split()) >= 8 for text in found.text)


def test_the_same_words_are_quoted_once() -> None:
    texts = ["Too dear for me, I would not buy it now"] * 5 + ["I like the taste and I will buy more of it"]
    assert len(quotes(pd.DataFrame({"why": texts}), "why", 5).chosen) == 2


def test_quotes_for_each_cohort_and_among_the_answers_of_a_theme(people: pd.DataFrame) -> None:
    found = themes(people, "why", k=3, words=Words(stem=False))
    own = quotes(people, "why", 2, only=found.answers(3).agent_id)
    assert all(set(text.split()) <= set(HEALTH) for text in own.long().text)
    each = quotes(people, "why", 2, by="arm").long()
    arm = people.set_index("agent_id").arm
    assert [f"arm: {arm[name]}" for name in each.agent_id] == each.group.tolist()
    with pytest.raises(UsageError, match="no answer with agent_id -1"):
        quotes(people, "why", only=[-1])


def test_markup_is_shown_plain_and_kept_raw() -> None:
    texts = ["<b>Price</b> &amp; taste:<ul><li>too dear for us</li><li>too sweet for me</li></ul>"]
    told = quotes(pd.DataFrame({"why": texts}), "why", 1).long()
    assert told.text.tolist() == ["Price & taste: • too dear for us • too sweet for me"]
    assert told.raw.tolist() == texts


def test_answers_out_of_a_store_are_named_by_their_numbers() -> None:
    said = [f"Number {place} says that the price of a box is still too high" for place in range(12)]
    agents = [
        {
            "id": place,
            "uuid": f"agent-{place}",
            "name": "A",
            "age": 30 + place,
            "gender": "male",
            "country": "USA",
        }
        for place in range(12)
    ]
    question = {"id": 1, "uuid": "question-1", "key": "why", "question": "Why?", "type": "open"}
    answers = [
        {"id": 500 - place, "question_id": 1, "agent_id": place, "job_id": "job_1", "response_text": text}
        | {"value": None, "answered_at": "2026-11-20T10:00:00Z", "engine": "embedded-1"}
        for place, text in enumerate(said)
    ]
    study = {"id": 1, "uuid": "0" * 31 + "1", "title": "T", "created_at": "2026-11-20T09:00:00Z"}
    with Store() as store:
        store.save_study(study=study, questions=[question], answers=answers, agents=agents, source={})
        found = quotes(store.respondents("T"), "why", 3)
    assert found.of.id_name == "answer_id"
    assert [said[500 - name] for name in found.ids] == found.long().raw.tolist()
    assert "engine embedded-1" in found.of.source
    assert "Answers are named by answer_id" in repr(found)
