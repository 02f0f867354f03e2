"""A question type added in one file works from asking to export."""

from __future__ import annotations

import csv
import json
import runpy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyreadstat
import pytest

import voxpop as vp
from made_agents import make_agents
from voxpop.analysis.summary import Summary
from voxpop.analysis.table import Table
from voxpop.client import Client
from voxpop.engines import Exchange, Failure, Question, Reply
from voxpop.engines.agents import Agent
from voxpop.engines.model_answers import Misfit, asked, read_answer, schema_of
from voxpop.errors import InvalidRequest
from voxpop.fieldwork import FieldworkWarning
from voxpop.mcp.results import digest
from voxpop.vocabulary import question_types
from voxpop.vocabulary.question_types import QuestionType
from voxpop.vocabulary.shapes import SHAPES, Scale
from voxpop.widgets import AskPanel
from voxpop.widgets.ask_editor import editor
from voxpop.widgets.people import People
from voxpop_simulator import engine

HERE = Path(__file__).parent
WORDS = "How sure are you that you would switch to a lower-sugar snack?"


@pytest.fixture(scope="module", autouse=True)
def slider() -> Iterator[QuestionType]:
    """The row that the file adds; the table is as before afterwards."""
    before = dict(question_types._ROWS)
    yield runpy.run_path(str(HERE / "slider_type.py"))["SLIDER"]
    question_types._ROWS.clear()
    question_types._ROWS.update(before)


@pytest.fixture(scope="module")
def client(slider: QuestionType) -> Iterator[Client]:
    with vp.local(agents=2_000) as made:
        yield made


@pytest.fixture(scope="module")
def study(client: Client) -> vp.Study:
    group = client.groups.recruit("Adults", filters=vp.where(country="USA"), size=240, seed=3)
    made = vp.Study.create(client, group, title="Snack switching", objective="Who would switch?")
    made.ask(WORDS, key="sure", type="slider", scale={"min": 0, "max": 50, "max_label": "certain"})
    made.ask("How much do you like snacks?", key="liking", type="slider")
    return made


@pytest.fixture(scope="module")
def store(study: vp.Study) -> Iterator[vp.Store]:
    with vp.Store() as made:
        study.pull(into=made)
        yield made


def fits(value: Any, most: int) -> bool:
    return isinstance(value, int | float) and 0 <= value <= most and value % 2.5 == 0


def test_no_other_file_knows_its_name() -> None:
    source = Path(vp.__file__).parents[1]
    files = [path for folder in ("voxpop", "voxpop_simulator") for path in (source / folder).rglob("*.py")]
    assert len(files) > 400
    assert not [path.name for path in files if "slider" in path.read_text(encoding="utf-8")]


def test_it_is_asked_with_its_own_bounds_or_the_default_ones(study: vp.Study) -> None:
    sure, liking = study.questions()
    assert (sure.type, sure.key, sure.scale.min, sure.scale.max) == ("slider", "sure", 0, 50)
    assert sure.scale.max_label == "certain"
    assert (liking.scale.min, liking.scale.max, liking.options) == (0, 100, None)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"type": "slider", "options": ["a", "b"]}, "options"),
        ({"type": "slider", "scale": {"min": 0, "max": 1_001}}, "scale"),
        ({"type": "slider", "shuffle_options": True}, "shuffle_options"),
        ({"type": "open", "scale": {"min": 0, "max": 5}}, "scale"),
        ({"type": "slyder"}, "type"),
    ],
)
def test_a_bad_body_is_refused_by_the_field(
    client: Client, study: vp.Study, parts: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        client._transport.post(f"/research-studies/{study.id}/questions", {"question": WORDS, **parts})
    assert refused.value.status == 400
    assert list(refused.value.details["fields"]) == [field]
    assert len(study.questions()) == 2


def test_the_simulator_answers_by_its_shape(study: vp.Study) -> None:
    answers = study.answers()
    sure, liking = (
        [one.value for one in answers if one.question_id == question.id] for question in study.questions()
    )
    assert len(sure) == len(liking) == 240
    known = [value for value in sure if value is not None]
    assert len(known) >= 200
    assert all(fits(value, 50) for value in known)
    assert all(fits(value, 100) for value in liking if value is not None)
    assert len(set(known)) >= 5
    assert max(value for value in liking if value is not None) > 50


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_simulator_answers_a_type_of_every_shape(name: str) -> None:
    unheard = next(row for row in question_types.QUESTION_TYPES.values() if row.shape is SHAPES[name])
    row = QuestionType(
        name="unheard",
        shape=unheard.shape,
        label="?",
        offer="?",
        takes=unheard.takes,
        default_scale=unheard.default_scale,
    )
    question_types._ROWS["unheard"] = row
    options = ("Tea", "Coffee", "Water") if row.has_options else ()
    question = Question("Which do you like?", "unheard", options, row.default_scale)
    agents = make_agents(40)
    said = list(engine().answer(agents, question, {}, seed=1))
    assert len(said) == len(agents)
    for one in said:
        assert isinstance(one, Reply)
        assert one.text
        if row.shape.coded and one.value is not None:
            assert row.read(question, one.value) == one.value
    assert row.shape is SHAPES["none"] or len({str(one.value) for one in said}) > 1
    del question_types._ROWS["unheard"]


def test_it_is_stored_typed_and_read_back(study: vp.Study, store: vp.Store) -> None:
    told = {one.agent_id: one.value for one in study.answers() if one.question_id == study.questions()[0].id}
    held = store.sql(
        "SELECT a.agent_id, value_number, value_text, value_list FROM answers a "
        "JOIN questions USING (question_uuid) WHERE key = 'sure' AND type = 'slider'"
    ).fetchall()
    assert {agent: number for agent, number, *_ in held} == told
    assert all(text is None and chosen is None for *_, text, chosen in held)
    people = store.respondents(study)
    types = dict(zip(people.columns, map(str, people.types), strict=True))
    assert (types["sure"], types["liking"]) == ("DOUBLE", "DOUBLE")


def test_it_has_a_default_table_and_a_chart(study: vp.Study, store: vp.Store) -> None:
    people = People(store, study)
    assert {"sure", "liking"} <= set(people.questions)
    assert "liking" in people.measured
    shown = people.tabulate("liking", "gender", vp.where())
    assert isinstance(shown, Summary)
    values = [row for (row,) in store.respondents(study).select("liking").fetchall() if row is not None]
    assert shown.long()["mean"][0] == pytest.approx(sum(values) / len(values))
    assert shown.plot().to_svg().startswith("<svg")
    banded = vp.crosstab(store.respondents(study), "gender", by=vp.bands("sure", [25]))
    assert isinstance(banded, Table)


def test_the_share_page_and_the_analysis_count_it(client: Client, study: vp.Study) -> None:
    found = study.complete()
    (sure, _) = found.steps["stats"]["questions"]
    assert sure["mean"] is not None
    assert sure["base"] == sum(row["count"] for row in sure["distribution"])


def test_a_language_model_is_given_counts(study: vp.Study) -> None:
    asked = [one.model_dump() | {"answers": []} for one in study.questions()]
    asked[0]["answers"] = [{"value": 5.0, "id": 1}, {"value": None, "id": 2}]
    told = digest({}, asked, None, 1)["questions"][0]
    assert (told["numbers"]["mean"], told["no_value"]) == (5.0, 1)


def test_it_is_exported_described_and_verified(study: vp.Study, store: vp.Store, tmp_path: Path) -> None:
    folder = store.export(study, tmp_path / "snacks", formats=["csv", "spss"])
    assert vp.verify(folder).ok
    told = json.loads((folder / "codebook.json").read_text(encoding="utf-8"))
    (sure, _) = told["questions"]
    assert (sure["type"], sure["base"] + 0 > 0) == ("slider", True)
    assert 0 <= sure["min"] <= sure["max"] <= 50
    with (folder / "csv/respondents.csv").open(newline="", encoding="utf-8") as file:
        cells = [row["sure"] for row in csv.DictReader(file)]
    assert all(cell == "" or fits(float(cell), 50) for cell in cells)
    frame, meta = pyreadstat.read_sav(folder / "spss/respondents.sav")
    assert meta.variable_measure["sure"] == "scale"
    assert meta.variable_value_labels["sure"][50.0] == "certain"
    assert frame["sure"].dropna().map(lambda value: fits(value, 50)).all()


def test_the_editor_offers_it_with_its_ends(client: Client, study: vp.Study) -> None:
    panel = AskPanel(vp.Study.open(client, study.uuid))
    panel.add(WORDS, type="slider", scale=(0, 20))
    try:
        shown = " ".join(node.words() for node in editor(panel, 1, panel._drafts[-1], {}))
        assert "A slider" in shown
        assert "Lowest point" in shown
        assert "type='slider'" in panel.code.replace('"', "'")
    finally:
        panel.close()


def test_a_language_model_is_told_what_to_return() -> None:
    question = Question(WORDS, "slider", scale=Scale(0, 50, max_label="certain"))
    assert schema_of(question)["properties"]["value"]["anyOf"][0] == {
        "type": "number",
        "minimum": 0,
        "maximum": 50,
    }
    assert "Give a number from 0 to 50 (50 means certain)" in asked(question)
    assert "Use steps of 2.5." in asked(question)
    assert read_answer(question, {"answer": "Quite sure.", "value": "37.5"}) == ("Quite sure.", 37.5)
    for wrong in (51, 3, "many"):
        with pytest.raises(Misfit):
            read_answer(question, {"answer": "Quite sure.", "value": wrong})


class Stubborn:
    """An engine that knows no type by name: it looks at the shape, and sometimes gives what does not fit."""

    name = "stubborn-1"

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        assert question.shape.numeric
        assert question.scale is not None
        for place, agent in enumerate(agents):
            value = (question.scale.min, str(question.scale.max), 3, "lots")[place % 4]
            yield Reply(agent.id, f"I say {value}.", value, None, self.name)


def test_an_engine_from_outside_is_held_to_the_row() -> None:
    with vp.local(agents=2_000, engine=Stubborn()) as client:
        group = client.groups.recruit("Adults", filters=vp.where(country="USA"), size=8, seed=3)
        study = vp.Study.create(client, group, title="Outside")
        with pytest.warns(FieldworkWarning, match="in steps of 2.5, not 3"):
            study.ask(WORDS, key="sure", type="slider", scale=(0, 50))
        assert sorted(one.value for one in study.answers()) == [0, 0, 50, 50]
        failed = [one.error for one in client.questions.unanswered(study)]
        assert {one.code for one in failed} == {"unfit_answer"}
        assert any("one number" in one.message for one in failed)
