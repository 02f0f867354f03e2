"""The table of question types: rows that say what they are, and values that fit their questions or do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import pytest

from voxpop.errors import InvalidRequest, UsageError
from voxpop.vocabulary import question_types
from voxpop.vocabulary.question_parts import checked_options, checked_scale
from voxpop.vocabulary.question_types import (
    QUESTION_TYPES,
    QuestionType,
    add_question_type,
    checked_type,
    is_open,
    shape_of,
)
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORY, INTEGER, NUMBER, SHAPES, Misfit, Scale


@dataclass(frozen=True)
class Parts:
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    unit: str | None = None


DRINKS = Parts(options=("Tea", "Coffee", "Water"))
TENTHS = Parts(scale=Scale(0, 10, min_label="never", max_label="always"))
SLIDER = QuestionType(
    name="slider",
    shape=NUMBER,
    label="Slider",
    offer="Slider",
    takes=frozenset({"scale"}),
    default_scale=Scale(0, 100),
    step=5,
)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, QuestionType]]:
    """The table, which is as before after the test."""
    rows = dict(question_types._ROWS)
    yield question_types._ROWS
    question_types._ROWS.clear()
    question_types._ROWS.update(rows)


def test_the_seven_types_are_there_in_their_order() -> None:
    names = ["open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking"]
    assert list(QUESTION_TYPES) == names
    assert [QUESTION_TYPES[name].name for name in names] == names
    assert {row.shape for row in QUESTION_TYPES.values()} == set(SHAPES.values())
    assert [name for name in names if is_open(name)] == ["open"]


@pytest.mark.parametrize(
    ("name", "parts", "given", "read"),
    [
        ("yes_no", Parts(), "Yes.", True),
        ("yes_no", Parts(), False, False),
        ("single_choice", DRINKS, "coffee.", "Coffee"),
        ("multi_choice", DRINKS, ["Tea", "tea", "Water"], ["Tea", "Water"]),
        ("multi_choice", DRINKS, ("Tea",), ["Tea"]),
        ("ranking", DRINKS, ["Water", "Tea", "Coffee"], ["Water", "Tea", "Coffee"]),
        ("scale", TENTHS, "7", 7),
        ("scale", TENTHS, 7.0, 7),
        ("number", Parts(), "$1,200", 1200),
        ("number", Parts(), 2.5, 2.5),
        ("open", Parts(), "anything", "anything"),
    ],
)
def test_a_value_that_fits_is_read_in_its_exact_form(name: str, parts: Parts, given: Any, read: Any) -> None:
    found = QUESTION_TYPES[name].read(parts, given)
    assert found == read
    assert type(found) is type(read)


@pytest.mark.parametrize(
    ("name", "parts", "given", "reason"),
    [
        ("yes_no", Parts(), 1, '"yes", "no"'),
        ("single_choice", DRINKS, "Milk", '"Milk" is none'),
        ("single_choice", DRINKS, ["Tea"], "is none"),
        ("multi_choice", DRINKS, "Tea", "a list"),
        ("multi_choice", DRINKS, [], "at least one"),
        ("ranking", DRINKS, ["Tea", "Water"], "each of the 3 options"),
        ("scale", TENTHS, 11, "from 0 to 10, not 11"),
        ("scale", TENTHS, 2.5, "a whole number"),
        ("scale", TENTHS, True, "a whole number"),
        ("number", Parts(), "1,5", "one number"),
        ("number", Parts(), float("inf"), "one number"),
        ("number", TENTHS, -1, "from 0 to 10, not -1"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_the_reason(
    name: str, parts: Parts, given: Any, reason: str
) -> None:
    with pytest.raises(Misfit, match=reason):
        QUESTION_TYPES[name].read(parts, given)


def test_a_step_counts_from_the_lower_end() -> None:
    asked = Parts(scale=Scale(2, 13))
    assert [SLIDER.settled(asked, value) for value in (0, 4, 5, 9.5, 13, 99)] == [2, 2, 7, 12, 12, 12]
    assert SLIDER.read(asked, 7) == 7
    with pytest.raises(Misfit, match="steps of 5, not 8"):
        SLIDER.read(asked, 8)
    assert SLIDER.instruction(asked) == (
        'Give a number from 2 to 13 in "value", without a unit or other words. Use steps of 5.'
    )


def test_the_parts_of_a_type_are_checked_by_its_row(table: dict[str, QuestionType]) -> None:
    add_question_type(SLIDER)
    QUESTION_TYPES["slider"].check((), Scale(0, 50))
    for name, options, scale, field, words in (
        ("slider", ("a", "b"), None, "options", "a slider question takes no options"),
        ("open", (), Scale(0, 5), "scale", "use the type scale or slider"),
        ("slider", ("a", "b"), Scale(0, 5), "scale", "not both"),
    ):
        with pytest.raises(InvalidRequest, match=words) as refused:
            QUESTION_TYPES[name].check(options, scale)
        assert list(refused.value.details["fields"]) == [field]
    with pytest.raises(InvalidRequest, match="only questions with options"):
        QUESTION_TYPES["slider"].check_complete((), shuffled=True)


def test_a_type_that_nobody_knows_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InvalidRequest, match="did you mean ranking") as refused:
        checked_type("rankin")
    assert list(refused.value.details["fields"]) == ["type"]
    assert checked_type(None) is None


@pytest.mark.parametrize("options", [["a"], ["a", "A"], "ab", ["a", " "], ["a"] * 61, ["a", "b" * 501]])
def test_options_that_cannot_be_chosen_from_are_refused(options: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        checked_options(options)
    assert list(refused.value.details["fields"]) == ["options"]


@pytest.mark.parametrize("scale", [{"min": 5, "max": 5}, {"min": 0, "max": 101}, {"min": 0}, {"low": 1}])
def test_ends_that_are_no_scale_are_refused(scale: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        checked_scale(scale)
    assert list(refused.value.details["fields"]) == ["scale"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (replace(SLIDER, name="Slider"), "lower-case letters"),
        (replace(SLIDER, name="a" * 17), "1 to 16"),
        (replace(SLIDER, name="scale"), "already"),
        (replace(SLIDER, shape=CATEGORY), "need options"),
        (replace(SLIDER, shape=INTEGER, takes=frozenset()), "default ends"),
        (replace(SLIDER, shape=BOOLEAN), "a step"),
        (replace(SLIDER, step=0), "a step"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(
    row: QuestionType, reason: str, table: dict[str, QuestionType]
) -> None:
    before = list(table)
    with pytest.raises(UsageError, match=reason):
        add_question_type(row)
    assert list(table) == before
    assert shape_of("slider") is None


def test_type_checkers_know_the_types_of_the_table() -> None:
    assert get_args(question_types.BuiltInType) == tuple(QUESTION_TYPES)
