"""Example of a question type added by one row; `test_adding_a_question_type` runs this file."""

from __future__ import annotations

from voxpop.vocabulary.question_types import QuestionType, add_question_type
from voxpop.vocabulary.shapes import NUMBER, Scale

SLIDER = add_question_type(
    QuestionType(
        name="slider",
        shape=NUMBER,
        label="Slider",
        offer="A slider",
        takes=frozenset({"scale"}),
        default_scale=Scale(0, 100),
        max_scale=1_000,
        step=2.5,
        default_table="means",
    )
)
