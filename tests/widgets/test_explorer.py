"""`Explorer`: the members of a cohort, their answers and quotes, operated by clicks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from hands import Hands, faults, walk, words

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import UsageError
from voxpop.widgets import Explorer
from voxpop.widgets.panel import Panel
from voxpop.widgets.people import People

Take = Callable[[Panel], Hands]


@pytest.fixture(scope="module")
def store(client: Client) -> Iterator[vp.Store]:
    """Return a store with a study of a yes/no, a scale, a multi-choice and an open question."""
    group = client.groups.recruit("g", filters=vp.where(country="USA"), size=300, seed=5)
    study = vp.Study.create(client, group, title="Snacks")
    study.ask("Would you switch to a lower-sugar snack?", key="switch", type="yes_no")
    study.ask("How likely are you to buy it?", key="likely", type="scale", scale=(0, 10))
    study.ask("Where do you buy?", key="where", options=["Store", "Online"], type="multi_choice")
    study.ask("What would make you switch?", key="why", type="open")
    study.ask("How much would you pay for a box, in dollars and cents?", key="price", type="number")
    with vp.Store() as made:
        study.pull(into=made)
        yield made


@pytest.fixture
def explorer(store: vp.Store) -> Explorer:
    return Explorer(store)


@pytest.fixture
def ui(explorer: Explorer, hands: Take) -> Hands:
    return hands(explorer)


@pytest.fixture
def people(store: vp.Store) -> pd.DataFrame:
    return store.respondents().df()


def test_it_begins_with_everybody_and_the_first_question(ui: Hands, explorer: Explorer) -> None:
    assert "300 of 300 agents." in ui.text
    assert (explorer.question, explorer.open_question) == ("switch", "why")
    assert [name for name, _ in ui.controls() if name in ("Question", "Compare by", "Open question")]
    assert explorer.table is not None
    assert explorer.table.caption


def test_every_choice_changes_the_counts_the_base_and_the_table(
    ui: Hands, explorer: Explorer, people: pd.DataFrame
) -> None:
    women = (people.gender == "female").sum()
    assert ui.has(f"Female {women}")
    ui.check("Female")
    assert f"{women} agents match" in ui.region("status")
    assert ui.has(f"Male {(people.gender == 'male').sum()}"), "what would come in addition is counted, too"
    ui.open("Urban or rural")
    rural = ((people.gender == "female") & (people.urban_rural == "rural")).sum()
    assert ui.has(f"Rural {rural}")
    ui.check("Rural")
    assert f"{rural} of 300 agents. Below" in ui.text
    base = explorer.table.long().query("row_kind == 'base'").base.iloc[0]
    assert base + explorer.table.long().query("row_kind == 'missing'")["count"].iloc[0] == rural


def test_ranges_and_lists_choose_whom_the_data_choose(
    ui: Hands, explorer: Explorer, people: pd.DataFrame
) -> None:
    explorer.filters = vp.where(age=vp.between(30, 49), health_conditions=["hypertension", "asthma"])
    ui.settle()
    held = people.health_conditions.map(lambda one: set(one) if hasattr(one, "__len__") else set())
    ill = held.map(lambda one: bool({"hypertension", "asthma"} & one))
    assert explorer.available == (people.age.between(30, 49) & ill).sum() > 0
    explorer.filters = vp.where(match="any", is_parent=True, bmi_class="obese")
    ui.settle()
    assert (
        explorer.available == (people.is_parent | people.bmi_class.astype(str).str.startswith("obese")).sum()
    )


ILL = ["hypertension", "asthma"]


@pytest.mark.filterwarnings("ignore::voxpop.analysis.AnalysisWarning")
@pytest.mark.parametrize(
    "filters",
    [
        vp.where(),
        vp.where(age=vp.between(25, 64), gender="female"),
        vp.where(bmi_class="obese", health_conditions=ILL, state=["CA", "TX"]),
        vp.where(health_conditions=vp.all_of(*ILL)),
        vp.where(match="any", is_parent=True, bmi_class=["normal", "obese_1"], smoking_status="current"),
    ],
    ids=["all", "range", "list", "all of a list", "any"],
)
@pytest.mark.parametrize(
    ("question", "by"), [("likely", "gender"), ("where", "bmi_class"), ("price", "is_parent")]
)
def test_the_table_compares_with_letters_and_is_the_one_that_code_makes(
    ui: Hands, explorer: Explorer, store: vp.Store, question: str, by: str, filters: vp.Filter
) -> None:
    ui.choose("Question", question)
    ui.choose("Compare by", by)
    explorer.filters = filters
    ui.settle()
    names = {"vp": vp, "store": store}
    exec("\n".join(explorer.code.splitlines()[:-1]), names)
    made = eval(explorer.code.splitlines()[-1], names)
    pd.testing.assert_frame_equal(made.long(), explorer.table.long())
    assert made.to_html() == explorer.table.to_html(), "with the same words above and below"


def test_the_chart_shows_every_figure_of_the_table_in_words(ui: Hands, explorer: Explorer) -> None:
    ui.choose("Question", "likely")
    ui.choose("Compare by", "gender")
    (drawn,) = [node for node in walk(ui.tree) if node[1].get("role") == "img"]
    cells = explorer.table.long().query("row_kind == 'code' and percent == percent")
    assert [one for one in cells.percent if f"{one:.1f} %" not in words(drawn)] == []
    best = cells[cells.flag != "**"].sort_values("percent").iloc[-1]
    assert f"ighest: {best.row}, {best.column}" in drawn[1]["aria-label"]
    ui.choose("Question", "price")
    mean = explorer.table.long().iloc[0]["mean"]
    assert f"Total {mean:.1f}" in ui.text


def test_a_band_of_ages_is_chosen_by_a_click_and_let_go_by_another(
    ui: Hands, explorer: Explorer, people: pd.DataFrame
) -> None:
    count = people.age.between(35, 44).sum()
    ui.press(f"35 to 44 {count} (Age)")
    assert explorer.filters == vp.where(age=vp.between(35, 44))
    assert explorer.available == count
    assert ui.find("35 to 44")[1]["aria-pressed"] == "true"
    assert ui.has(f"25 to 34 {people.age.between(25, 34).sum()}"), "the other bands count as before"
    ui.press("35 to 44")
    assert explorer.available == 300


def test_answers_are_read_and_searched_with_who_gave_them_and_what_they_chose(
    ui: Hands, explorer: Explorer, people: pd.DataFrame
) -> None:
    assert f"{people.why.notna().sum()} answers; the first 8:" in ui.region("status")
    word = people.why.dropna().iloc[0].split()[-1].strip(".").lower()
    ui.fill("Search in the answers", word)
    held = people.why.dropna().str.lower().str.contains(word, regex=False).sum()
    assert any(told.startswith(f"{held} answer") for told in ui.region("status"))
    quotes = [node for node in walk(ui.tree) if node[0] == "li" and any(kid[0] == "q" for kid in node[2:])]
    first = people[people.why.notna() & people.why.str.lower().str.contains(word, regex=False)].iloc[0]
    assert words(quotes[0]).startswith(" ".join(words(first.why.replace(word, f" {word} ")).split())[:9])
    assert f"{first.age}, {first.gender}, {first.state}" in words(quotes[0])
    assert f"switch: {first.switch}" in words(quotes[0])
    assert word in [words(node).lower() for node in walk(quotes[0]) if node[0] == "mark"]
    ui.fill("Search in the answers", "")
    ui.press("Show more answers")
    assert any(told.endswith("the first 16:") for told in ui.region("status"))
    ui.fill("Search in the answers", "'; DROP TABLE people; --")
    assert any(told.startswith("0 answers") for told in ui.region("status"))
    assert explorer.error is None


def test_tables_are_collected_in_a_report_and_made_again(
    ui: Hands, explorer: Explorer, store: vp.Store
) -> None:
    ui.press("Add this table to the report")
    assert ui.find("Add this table to the report")[1]["title"] == "It is in the report."
    ui.choose("Compare by", "gender")
    ui.press("Add this table to the report")
    assert [one.get("by") for one in explorer.report] == [None, "gender"]
    assert "by gender" in ui.text
    calls = explorer.report_code().splitlines()[2:]
    people = {"vp": vp, "people": store.respondents()}
    assert calls[0] == "people = store.respondents()"
    assert [eval(call, people).long().shape[0] > 2 for call in calls[1:]] == [True, True]
    ui.press("Take out Would you switch to a lower-sugar snack? by gender")
    assert len(explorer.report) == 1


def test_a_change_during_the_first_count_is_not_lost(
    store: vp.Store, hands: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, begun, gate = People.count, threading.Event(), threading.Event()

    def slowly(*given: object) -> object:
        counted = count(*given)
        begun.set()
        gate.wait(20)
        return counted

    monkeypatch.setattr(People, "count", slowly)
    explorer = Explorer(store)
    begun.wait(20)
    explorer.filters = vp.where(gender="female")
    gate.set()
    ui = hands(explorer)
    assert f"{explorer.available} of 300 agents." in ui.text
    assert "women" in explorer.table.caption()


def test_nobody_is_told_as_nobody(ui: Hands, explorer: Explorer) -> None:
    explorer.filters = vp.where(country="Japan")
    ui.settle()
    assert "0 of 300 agents. Below 30: too small to read." in ui.text
    assert "Nobody is in this cohort." in ui.text


def test_an_export_a_frame_and_a_relation_show_the_same(
    explorer: Explorer, store: vp.Store, hands: Take, tmp_path: Path
) -> None:
    hands(explorer)
    store.export(None, tmp_path / "x")
    for given in (tmp_path / "x", store.frame(), store.respondents()):
        other = Explorer(given)
        hands(other)
        assert other._people.questions == explorer._people.questions
        pd.testing.assert_frame_equal(other.table.long(), explorer.table.long())


def test_only_what_is_there_can_be_chosen(explorer: Explorer, hands: Take) -> None:
    hands(explorer)
    with pytest.raises(UsageError, match="question 'colour' is not among switch"):
        explorer.question = "colour"
    with pytest.raises(UsageError, match="people must be a store"):
        Explorer(17)


def test_every_control_has_a_name_and_every_reference_a_target(ui: Hands) -> None:
    for name in ("Health", "Work", "BMI class", "Health conditions"):
        ui.open(name)
    ui.press("Add this table to the report")
    assert faults(ui.tree) == []


def test_a_saved_notebook_shows_the_cohort_the_table_and_the_code(explorer: Explorer, hands: Take) -> None:
    hands(explorer)
    explorer.by = "gender"
    data = explorer._repr_mimebundle_()[0]
    assert (
        "<caption style='text-align:left'>Would you switch to a lower-sugar snack?</caption>"
        in data["text/html"]
    )
    assert "All agents: 300 of 300 agents." in data["text/plain"]
    assert 'vp.crosstab(people, "switch", by="gender", sig=True)' in data["text/plain"]


def test_closing_ends_its_thread(store: vp.Store) -> None:
    explorer = Explorer(store)
    explorer._worker.idle(20)
    explorer.close()
    assert not explorer._worker.alive
    assert explorer.comm is None


def test_a_figure_of_the_table_shows_who_is_behind_it(
    ui: Hands, explorer: Explorer, people: pd.DataFrame
) -> None:
    ui.choose("Compare by", "gender")
    assert explorer.table is not None
    place = [column.label for column in explorer.table.columns].index("female")
    ui.pick("yes", place)
    behind = people[(people["switch"] == "yes") & (people.gender == "female")].sort_values("agent_id")
    assert f"switch yes, gender female: {len(behind):,} of" in ui.text
    first = behind.iloc[0]
    assert f"agent {first.agent_id}: {first.age}, female, {first.state}" in ui.text
    assert f"{behind.why.notna().sum():,} answers" in ui.text
    assert '.at("yes", "female", "gender").people()' in explorer.code
    made: dict[str, object] = {"store": explorer._given[0]}
    exec(explorer.code.replace("table.at", "behind = table.at"), made)
    assert sorted(made["behind"]["agent_id"]) == list(behind.agent_id)  # type: ignore[index]
    ui.press("Show everybody")
    assert f"{people.why.notna().sum():,} answers" in ui.text
    assert ".people()" not in explorer.code


def test_the_people_behind_a_figure_go_with_the_table(ui: Hands, explorer: Explorer) -> None:
    ui.pick("yes", 0)
    assert ui.has("Show everybody")
    ui.choose("Compare by", "gender")
    assert not ui.has("Show everybody")
    ui.pick("yes", 1)
    ui.pick("yes", 1)  # pressed again
    assert not ui.has("Show everybody")
    assert not faults(ui.tree)


@pytest.mark.parametrize("at", [None, ["yes"], ["yes", 99], ["yes", "1"], [None, 0], {"row": "yes"}])
def test_a_click_on_no_figure_changes_nothing(explorer: Explorer, ui: Hands, at: object) -> None:
    ui.send(["div", {"on": "cell", "at": at}], None)
    assert not ui.has("Show everybody")
    assert explorer.error is None
