"""Reference audience sentences with their expected plans (reference/audiences.jsonl)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from american_labels import LABELS
from voxpop.population.corpus import corpus
from voxpop.vocabulary import parse, unknown_values
from voxpop_simulator.audiences.planner import EmbeddedPlanner

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "reference" / "audiences.jsonl").read_text("utf-8").splitlines()
]
PLANNER = EmbeddedPlanner()


def plan(text, answers=()):
    return PLANNER.plan(text, labels=LABELS, titles=corpus(), answers=[("", answer) for answer in answers])


def state_of(found):
    if found.refusal:
        return "refused"
    if found.clarification:
        return "needs_clarification"
    return "awaiting_review" if found.sensitive else "understood"


@pytest.mark.parametrize("case", CASES, ids=[" > ".join((c["text"], *c.get("answers", ()))) for c in CASES])
def test_the_text_is_understood_as_the_plan_says(case):
    found = plan(case["text"], case.get("answers", ()))

    assert state_of(found) == case["state"]
    assert found.filters.to_json() == case["filters"]
    assert [[screen.question, screen.keep] for screen in found.screening] == case["screening"]
    assert (found.refusal.reason if found.refusal else None) == case.get("reason")
    assert found.sensitive == case.get("sensitive")
    asked = found.clarification
    assert (asked.question if asked else None) == case.get("question")
    assert (list(asked.missing) if asked else None) == case.get("missing")
    assert (list(asked.options) if asked else None) == case.get("options")


def test_the_corpus_is_large_enough_and_every_sentence_stands_once():
    assert len(CASES) >= 150
    assert sum(case["awkward"] for case in CASES) >= 40
    assert len({(case["text"], *case.get("answers", ())) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[str(at) for at in range(len(CASES))])
def test_the_filters_are_valid_and_name_only_known_values(case):
    filters = plan(case["text"], case.get("answers", ())).filters

    assert parse(filters.to_json()) == filters
    assert unknown_values(filters, LABELS) == []
