"""Codeframes and codings: rules and people code answers, tables count them, agreement is measured."""

from __future__ import annotations

import math
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from voxpop.analysis import crosstab, means
from voxpop.errors import UsageError
from voxpop.verbatims import Codings, agreement, codeframe

FRAME = codeframe(
    [
        {"code_id": "dear", "label": "Too dear", "include": ["expens*", "price*", "/\\btoo (much|dear)\\b/"]},
        {
            "code_id": "taste",
            "label": "Taste",
            "include": "taste; sweet",
            "exclude": "good taste",
            "parent": "Food",
        },
        {"code_id": "health", "label": "Health", "include": [re.compile("doctor")], "parent": "Food"},
        {"code_id": "other", "label": "Other", "definition": "Anything else"},
    ]
)


@pytest.fixture
def people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "agent_id": [11, 12, 13, 14, 15, 16],
            "why": [
                "Too EXPENSIVE, and too sweet",
                "The doctor’s price",
                "Good taste",
                "Tasteless",
                None,
                "It is so sweet",
            ],
            "arm": ["a", "a", "a", "b", "b", "b"],
        }
    )


def test_rules_code_at_whole_words_whatever_the_case(people: pd.DataFrame) -> None:
    made = FRAME.code(people, "why").long()
    assert list(zip(made.agent_id, made.code_id, strict=True)) == [
        (11, "dear"),
        (11, "taste"),
        (12, "dear"),
        (12, "health"),
        (16, "taste"),
    ]
    assert set(made.coder) == {"rule:dear", "rule:taste", "rule:health"}
    assert made.text.tolist() == ["EXPENSIVE", "sweet", "price", "doctor", "sweet"]
    assert [
        people.why[row.agent_id - 11][slice(*row.span)] for row in made.itertuples()
    ] == made.text.tolist()


def test_codings_feed_a_multi_response_table(people: pd.DataFrame) -> None:
    codings = FRAME.code(people, "why")
    joined = codings.join(people)
    assert joined["why_codes"].to_pylist() == [
        ["Too dear", "Taste"],
        ["Too dear", "Health"],
        [],
        [],
        None,
        ["Taste"],
    ]
    table = crosstab(joined, "why_codes", by="arm", nets=codings.nets)
    wide = table.wide()["Total"]["Total"]
    assert table.levels == ("Too dear", "Taste", "Health", "Other"), "a code that nobody gave stays"
    assert wide["Base (unweighted)"] == 5, "an answer without a code was given; no answer was not"
    assert wide[["Too dear", "Taste", "Food", "Other"]].tolist() == [40, 40, 60, 0]
    assert "why_codes" not in people.columns


def test_codings_join_any_kind_of_data(people: pd.DataFrame) -> None:
    codings = FRAME.code(people, "why")
    shuffled = people.sample(frac=1, random_state=1)
    own = dict(zip(shuffled.agent_id, codings.join(shuffled, "codes")["codes"].to_pylist(), strict=True))
    assert own == dict(zip(people.agent_id, codings.join(people)["why_codes"].to_pylist(), strict=True))
    assert codings.join(pa.Table.from_pandas(people)).num_rows == 6
    with pytest.raises(UsageError, match="already have a column 'arm'"):
        codings.join(people, "arm")
    with pytest.raises(UsageError, match="do not hold the answers to 'why' that were coded"):
        codings.join(people.assign(agent_id=people.agent_id + 100))


PEOPLES = [
    {"answer_id": 11, "code_id": ["dear", "taste"], "coder": "Ann"},
    {"answer_id": 12, "code_id": "Too dear", "coder": "Ann"},
    {"answer_id": 13, "code_id": None, "coder": "Ann"},
    {"answer_id": 11, "code_id": "dear", "coder": "Bob", "at": "2026-11-20"},
    {"answer_id": 12.0, "code_id": "health", "coder": "Bob"},
    {"answer_id": "13", "code_id": "taste", "coder": "Bob"},
]


@pytest.fixture
def coded(people: pd.DataFrame) -> Codings:
    return FRAME.code(people, "why", PEOPLES)


def test_people_are_coders_beside_the_rules(coded: Codings) -> None:
    assert coded.coders == ("rules", "Ann", "Bob")
    assert coded.wide().loc[["Too dear", "no code", "answers"]].values.tolist() == [
        [2, 2, 1],
        [2, 1, 0],
        [5, 3, 3],
    ]
    assert coded.settled("Ann") == {11: ["Too dear", "Taste"], 12: ["Too dear"], 13: []}
    assert coded.settled(settle="most")[12] == ["Too dear", "Health"]
    assert coded.settled(settle="all") == {11: ["Too dear"], 12: [], 13: [], 14: [], 16: ["Taste"]}
    assert coded.answers("health").agent_id.tolist() == [12]
    assert coded.uncoded("rules").agent_id.tolist() == [13, 14]


def test_agreement_per_code_is_that_of_the_krippendorff_package(coded: Codings) -> None:
    found = agreement(coded, resamples=50).long().set_index("code")
    gave = {"rules": {11, 12}, "Ann": {11, 12}, "Bob": {11}}
    nan = math.nan
    units = {11: 0, 12: 1, 13: 2, 14: 3, 16: 4}
    values = np.full((3, 5), nan)
    for row, coder in enumerate(gave):
        seen = units if coder == "rules" else (11, 12, 13)
        for name in seen:
            values[row, units[name]] = name in gave[coder]
    theirs = import_module("krippendorff").alpha(values, level_of_measurement="nominal")
    assert found.loc["Too dear", "alpha"] == pytest.approx(theirs, rel=1e-12)
    assert found.loc["Too dear", "units"] == 3


def test_without_variation_agreement_is_missing_with_a_reason(people: pd.DataFrame) -> None:
    same = [
        {"answer_id": name, "code_id": "dear", "coder": who} for who in ("Ann", "Bob") for name in (11, 12)
    ]
    found = agreement(codeframe({"dear": [], "taste": []}).code(people, "why", same), resamples=20)
    line = found.long().iloc[0]
    assert (line.percent, math.isnan(line.alpha), math.isnan(line.kappa)) == (100, True, True)
    assert line.reason == "every coder gave every unit the same value; chance would agree as well"
    assert "dear: every coder" in repr(found)


def test_perfect_agreement_is_not_called_certain() -> None:
    alike = pd.DataFrame({"Ann": [1, 2, 1, 2], "Bob": [1, 2, 1, 2]})
    assert "says only that no disagreement was seen" in " ".join(repr(agreement(alike)).split())


def test_agreement_of_a_table_of_values() -> None:
    values = pd.DataFrame({"Ann": [1, 2, 3, 4, 5], "Bob": [1, 2, 3, 4, 4]})
    found = agreement(values, level="interval", resamples=20).long().iloc[0]
    theirs = import_module("krippendorff").alpha(values.T.to_numpy(), level_of_measurement="interval")
    assert found.alpha == pytest.approx(theirs, rel=1e-12)
    theirs = import_module("sklearn.metrics").cohen_kappa_score(values.Ann, values.Bob, weights="quadratic")
    assert found.kappa == pytest.approx(theirs, rel=1e-12)
    ordered = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    words = pd.DataFrame({"A": ["low", "high", "mid"], "B": ["low", "mid", "mid"]}).astype(ordered)
    assert agreement(words, level="ordinal", resamples=20).long().percent.iloc[0] == pytest.approx(200 / 3)
    with pytest.raises(UsageError, match="must be numbers or an ordered pandas Categorical"):
        agreement(words.astype("string"), level="ordinal")


@pytest.mark.parametrize(
    ("codes", "told"),
    [
        ({}, "needs at least one code"),
        ([{"code_id": "a"}, {"code_id": "a"}], "has the code 'a' twice"),
        ([{"code_id": "a", "includes": "x"}], "no field 'includes'; did you mean include"),
        ([{"label": "a"}], "needs a code_id"),
        ({"a": "/(/"}, "is not a valid regular expression"),
        ({"a": ["*"]}, "must be a word or a regular expression"),
        ([{"code_id": "a", "parent": "b"}, {"code_id": "b"}], "has the name of a code"),
        (3, "codes must be a mapping"),
    ],
)
def test_a_codeframe_that_is_none_is_refused(codes: object, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        codeframe(codes)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"answer_id": 99, "code_id": "dear", "coder": "Ann"}, "no answer with agent_id 99"),
        (
            {"answer_id": 11, "code_id": "dera", "coder": "Ann"},
            "gave answer 11 the unknown code 'dera'.*mean dear",
        ),
        ({"answer_id": 11, "code_id": "dear"}, "needs a column 'coder'"),
        ({"answer_id": 11, "code_id": "dear", "coder": "rules"}, "'rules' is reserved for the rules"),
        ({"code_id": "dear", "coder": "Ann"}, "needs a column 'agent_id'"),
    ],
)
def test_a_wrong_row_of_codes_is_refused_by_name(
    people: pd.DataFrame, row: dict[str, object], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        FRAME.code(people, "why", [row])


def test_agreement_takes_two_coders(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="needs two or more coders, not 1"):
        agreement(FRAME.code(people, "why"))
    with pytest.raises(UsageError, match="No code has a rule, and nobody has coded"):
        codeframe({"a": []}).code(people, "why")


def test_an_open_question_is_not_tabulated_but_coded(people: pd.DataFrame) -> None:
    people.attrs["voxpop"] = {"columns": {"why": {"type": "open", "text": "Why?"}}}
    for call in (crosstab, means):
        with pytest.raises(UsageError, match=r"open question; code its answers .*vp\.codeframe"):
            call(people, "why")
