"""`study.preview` tells what answers would rest on, and the answers then say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import voxpop as vp
from four_bases import NONE, FourBases
from voxpop.errors import UsageError


@pytest.fixture(scope="module")
def study() -> Iterator[vp.Study]:
    with vp.local(agents=3_000, engine=FourBases()) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=40)
        yield vp.Study.create(client, group, title="Snacks", objective="Who would switch?")


def test_a_preview_counts_each_basis_and_the_answers_agree(study: vp.Study) -> None:
    told = study.preview("Is this mixed?", type="yes_no")
    assert study.questions() == []
    study.ask("Is this mixed?", key="mixed", type="yes_no")
    given = Counter(answer.basis for answer in study.answers())
    assert {one.basis: one.agents for one in told.bases} == given
    assert len(given) == 4


def test_placeholders_are_named_before_anything_is_spent(study: vp.Study) -> None:
    told = study.preview("Would you switch, as a guess?", key="guessed")
    assert told.placeholders == (
        "Placeholders: no figure is known for 'guessed' (40 of 40 answers). Nothing here is a finding."
    )
    for shown in (repr(told), told._repr_html_()):
        assert f"none: 40 of 40. {NONE.note}" in shown
        assert "nothing was asked" in shown
    assert "Engine: four-1." in repr(told)
    assert study.preview("Have you heard of it?").placeholders is None


def test_the_reading_of_the_question_is_shown(study: vp.Study) -> None:
    told = study.preview("How much do you like it?", scale={"min": 1, "max": 5, "max_label": "a lot"})
    assert "(scale)" in repr(told)
    assert "Scale: 1 to 5 = a lot." in repr(told)
    assert "Options: Tea, Coffee." in repr(study.preview("Which one?", options=["Tea", "Coffee"]))


def test_a_question_without_words_is_refused(study: vp.Study) -> None:
    with pytest.raises(UsageError):
        study.preview("  ")


def test_a_large_group_says_that_it_is_a_sample(study: vp.Study) -> None:
    group = vp.recruit(study.client, vp.where(country="USA"), size=1_100)
    large = vp.Study.create(study.client, group, title="Many", objective="Who would switch?")
    assert "A sample: 1,000 of 1,100 agents were looked at." in repr(large.preview("Is this mixed?"))
