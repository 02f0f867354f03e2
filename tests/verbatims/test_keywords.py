"""Keywords: which words a cohort uses more, and the answers that hold each of them."""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from voxpop.errors import UsageError
from voxpop.survey.declaring import declare
from voxpop.verbatims import Words, keywords
from voxpop.verbatims.words import count_words

PLAIN = Words(stem=False, min_answers=1)


@pytest.fixture
def people() -> pd.DataFrame:
    """Six who talk of price, six of taste, one who says one word twelve times, one without an answer."""
    price = [
        "The price is too high",
        "Price, the price!",
        "Prices went up",
        "It costs more",
        "Price",
        "Dear price",
    ]
    taste = ["The taste", "Taste is bad", "It tastes of chalk", "Bad taste", "Good taste", "No taste"]
    texts = [*price, *taste, "banana " * 12, None]
    return pd.DataFrame(
        {
            "agent_id": [100 - place for place in range(14)],
            "why": texts,
            "arm": ["price"] * 6 + ["taste"] * 6 + ["taste", "price"],
            "age": range(20, 34),
        }
    )


def test_the_log_odds_are_those_of_monroe_colaresi_and_quinn() -> None:
    # by hand, equations 16 and 20 to 22: y_a = 6 of 8 words, y_b = 2 of 8, a prior of 10 words spread 1:1
    data = pd.DataFrame({"why": ["cat cat cat dog"] * 2 + ["cat dog dog dog"] * 2, "arm": list("aabb")})
    found = keywords(data, "why", by="arm", group="a", words=PLAIN, prior=10).long().set_index("term")
    delta = math.log((6 + 5) / (8 + 10 - 6 - 5)) - math.log((2 + 5) / (8 + 10 - 2 - 5))
    assert found.loc["cat", "log_odds"] == pytest.approx(delta, rel=1e-12)
    assert found.loc["cat", "z"] == pytest.approx(delta / math.sqrt(1 / 11 + 1 / 7), rel=1e-12)


def test_answers_that_hold_a_word_stand_beside_it(people: pd.DataFrame) -> None:
    found = keywords(people, "why", by="arm", words=Words(stem=True, min_answers=2), prior=20)
    first = found.top(1).set_index("group")
    assert first.loc["price", ["term", "answers_a", "base_a", "answers_b"]].tolist() == ["price", 5, 6, 0]
    assert first.loc["taste", ["term", "answers_a", "base_a", "answers_b"]].tolist() == ["taste", 6, 7, 0]
    assert first.loc["price", "forms"] == "price, prices"
    told = found.answers("prices")
    assert set(told.text) == {text for text in people.why.dropna() if "rice" in text.casefold()}
    assert set(told.agent_id) == {100, 99, 98, 96, 95}


def test_one_talkative_agent_makes_no_keyword(people: pd.DataFrame) -> None:
    told = keywords(people, "why", by="arm", words=Words(stem=False, min_answers=2)).long()
    assert "banana" not in set(told.term)
    capped = keywords(people, "why", by="arm", words=Words(stem=False, min_answers=1, cap=1)).long()
    assert capped[capped.term == "banana"].count_a.max() == 1


def test_a_cohort_is_never_compared_with_itself() -> None:
    data = pd.DataFrame({"why": ["soup", "soup salad", "salad"], "brands": [["A"], ["A", "B"], ["B"]]})
    found = keywords(data, "why", by="brands", group="A", words=PLAIN).long()
    assert found.base_a.iloc[0] == 2
    assert found.base_b.iloc[0] == 1, "those in A are not among the others"


def test_versus_takes_two_levels_alone(people: pd.DataFrame) -> None:
    third = people.assign(arm=["other" if place % 3 == 0 else arm for place, arm in enumerate(people.arm)])
    found = keywords(third, "why", by="arm", group="price", versus="taste", words=PLAIN)
    assert set(found.long().versus) == {"taste"}
    assert found.long().base_b.iloc[0] == int(((third.arm == "taste") & third.why.notna()).sum())


def test_nothing_depends_on_the_order_of_the_rows(people: pd.DataFrame) -> None:
    first = keywords(people, "why", by="arm", words=PLAIN)
    second = keywords(people.sample(frac=1, random_state=3), "why", by="arm", words=PLAIN)
    pd.testing.assert_frame_equal(first.long(), second.long())
    assert repr(first) == repr(second)


def test_the_data_are_left_as_they_are(people: pd.DataFrame) -> None:
    before = people.copy()
    keywords(people, "why", by="arm", words=PLAIN)
    pd.testing.assert_frame_equal(people, before)


def test_counts_equal_those_of_scikit_learn(people: pd.DataFrame) -> None:
    texts = people.why.dropna().tolist()
    other = import_module("sklearn.feature_extraction.text").CountVectorizer(token_pattern=r"\w+(?:'\w+)?")
    theirs = other.fit_transform(texts)
    ours = count_words(texts, stem=False)
    assert ours.terms == tuple(other.get_feature_names_out())
    assert (ours.counts.toarray() == theirs.toarray()).all()


def test_a_misspelt_word_or_level_names_the_nearest(people: pd.DataFrame) -> None:
    found = keywords(people, "why", by="arm", words=PLAIN)
    with pytest.raises(UsageError, match="banana"):
        found.answers("bananna")
    with pytest.raises(UsageError, match="no level 'prise'; did you mean price"):
        keywords(people, "why", by="arm", group="prise")
    with pytest.raises(UsageError, match="did you mean why"):
        keywords(people, "whyy", by="arm")


def test_a_coded_question_is_no_open_one(people: pd.DataFrame) -> None:
    people.attrs["voxpop"] = {"columns": {"why": {"type": "single_choice", "text": "Why?"}}}
    with pytest.raises(UsageError, match=r"single_choice question, not an open question.*vp.crosstab"):
        keywords(people, "why", by="arm")
    with pytest.raises(UsageError, match="'years' must hold text to be an open question"):
        keywords(people.rename(columns={"age": "years"}), "years", by="arm")
    with pytest.raises(UsageError, match="'age' is an attribute, not an open question"):
        keywords(people, "age", by="arm")


def test_ids_that_stand_for_several_answers_are_refused(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="belongs to several answers; pass the column of answer ids"):
        keywords(people.assign(agent_id=1), "why", by="arm")
    named = people.assign(agent_id=1, answer_id=np.arange(14))
    assert keywords(named, "why", by="arm", words=PLAIN).of.id_name == "answer_id"


def test_text_and_html_hold_the_same_figures(people: pd.DataFrame) -> None:
    found = keywords(declare(people, "simulated"), "why", by="arm", words=Words(stem=False, min_answers=3))
    shown = repr(found)
    assert "arm: price (n=6) against rest" in shown
    assert "is no test" in shown
    for line in found.top().itertuples():
        assert line.term in shown
        assert f">{line.term}</th>" in found.to_html()
    assert "this is not evidence about people" in shown


def test_spec_is_data_enough_to_do_it_again(people: pd.DataFrame) -> None:
    spec = keywords(people, "why", by="arm", words=PLAIN, prior=20).spec()
    again = keywords(
        people,
        spec["question"],
        by=spec["by"],
        words=Words(**spec["words"]),
        prior=spec["prior"],
        versus=spec["versus"],
    )
    assert again.spec() == spec
