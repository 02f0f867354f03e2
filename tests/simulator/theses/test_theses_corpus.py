"""Reference theses with their expected compositions (reference/theses.jsonl)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from american_labels import LABELS as AMERICAN
from voxpop.population.corpus import corpus
from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.theses.thesis_panels import compose

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "reference" / "theses.jsonl").read_text("utf-8").splitlines()
]
LABELS = {**AMERICAN, "country": FIELDS["country"].levels}


def plan(text, answers=(), size=25, count=lambda filter: 100):
    answered = [("", answer) for answer in answers]
    return compose(text, panel_size=size, count=count, labels=LABELS, titles=corpus(), answers=answered)


def drivers(found):
    return [driver for driver in (found.primary_driver, *found.secondary_drivers) if driver]


@pytest.mark.parametrize("case", CASES, ids=[" > ".join((c["text"], *c.get("answers", ()))) for c in CASES])
def test_the_thesis_is_composed_as_it_should_be(case):
    found = plan(case["text"], case.get("answers", ()))

    assert [f"{one['name']} ({one['kind']})" for one in found.subjects] == case["subjects"]
    assert found.stance == case["stance"]
    assert drivers(found) == case["drivers"]
    assert (found.refusal.reason if found.refusal else None) == case.get("refusal")
    asked = found.clarification
    assert (asked.question if asked else None) == case.get("question")
    assert (list(asked.missing) if asked else None) == case.get("missing")
    assert found.sensitive == case.get("sensitive")
    assert [[one.kind, one.audience_text, one.claimed, one.decisive, one.driver] for one in found.panels] == (
        case.get("panels", [])
    )


def test_the_corpus_is_large_enough_and_every_case_stands_once():
    assert len(CASES) >= 60
    assert sum(case["awkward"] for case in CASES) >= 20
    assert len({(case["text"], *case.get("answers", ())) for case in CASES}) == len(CASES)
