"""`RecruitBuilder`: from a description to a group by clicks, with the code that does the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hands import Hands, faults

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import FieldworkWarning, FilterError, UsageError
from voxpop.vocabulary.places import US_STATES
from voxpop.widgets import RecruitBuilder
from voxpop.widgets.panel import Panel

Take = Callable[[Panel], Hands]


@pytest.fixture
def builder(client: Client) -> RecruitBuilder:
    return RecruitBuilder(client, size=20)


@pytest.fixture
def ui(builder: RecruitBuilder, hands: Take) -> Hands:
    return hands(builder)


@pytest.fixture
def fresh() -> Iterator[Callable[[], Client]]:
    """Return unused services."""
    made: list[Client] = []

    def start() -> Client:
        made.append(vp.local(agents=3_000))
        return made[-1]

    yield start
    for client in made:
        client.close()


def rare_states(client: Client) -> list[str]:
    """Return the two states with the fewest agents that are at least two, the rarer one first."""
    counts = client.filters.counts("USA", "state").filters["state"]
    ordered = sorted((level.count, str(level.value)) for level in counts if level.count > 1)
    return [state for _, state in ordered[:2]]


def rerun(code: str, client: Client) -> list[int]:
    """Run the code of a widget in a cell of its own, and return the agents of its group."""
    names = {"client": client}
    exec(code, names)
    return [agent.id for agent in client.groups.agents(names["group"])]


# Picking from lists


def test_it_begins_with_everybody_counted(ui: Hands, client: Client) -> None:
    assert f"{client.filters.count({}):,} agents match" in ui.region("status")
    assert "All agents" in ui.text


def test_picking_values_and_a_range_makes_the_filter_that_code_would_make(
    ui: Hands, builder: RecruitBuilder, client: Client
) -> None:
    ui.open("Country")
    ui.check("USA")
    ui.open("Age")
    ui.fill("From (Age)", "25")
    ui.fill("To (Age)", "64")
    ui.open("Health")
    ui.open("Medication classes")
    ui.fill("Search in medication classes", "semaglutide")
    assert "semaglutide → glp1_agonist" in ui.text
    ui.check("GLP-1 medicine")
    expected = vp.where(country="USA", age=vp.between(25, 64), health_drug_classes="glp1_agonist")
    assert builder.filters == expected
    assert "US adults aged 25 to 64 taking a GLP-1 medicine" in ui.text
    assert f"{client.filters.count(expected):,} agents match" in ui.region("status")


def test_values_are_counted_under_the_conditions_on_the_other_fields(ui: Hands, client: Client) -> None:
    ui.open("Country")
    ui.check("USA")
    ui.open("Gender")
    women = client.filters.count(vp.where(country="USA", gender="female"))
    assert ui.has(f"Female {women:,}")
    ui.check("Female")
    men = client.filters.count(vp.where(country="USA", gender="male"))
    assert ui.has(f"Male {men:,}"), "what would come in addition is not counted as nobody"
    countries = client.filters.counts(vp.where(gender="female"), "country").filters["country"]
    most = max((level for level in countries if level.value != "USA"), key=lambda level: level.count)
    assert ui.has(f"{most.value} {most.count:,}")


def test_a_range_cannot_cross(ui: Hands, builder: RecruitBuilder) -> None:
    ui.open("Age")
    ui.fill("To (Age)", "40")
    ui.fill("From (Age)", "50")
    assert builder.filters == vp.where(age=vp.between(50, 50))
    assert "The upper end moved to 50, too." in ui.region("status")
    ui.fill("From (Age)", "")
    ui.fill("To (Age)", "")
    assert builder.filters == vp.where()


def test_a_wrong_number_is_named_beside_its_box_and_changes_nothing(
    ui: Hands, builder: RecruitBuilder
) -> None:
    ui.open("Age")
    ui.fill("From (Age)", "30.5")
    assert ui.error_of("From (Age)") == "Age takes whole numbers."
    assert builder.filters == vp.where()
    assert isinstance(builder.error, UsageError)
    ui.fill("From (Age)", "30")
    assert builder.error is None
    assert builder.filters == vp.where(age=vp.between(30))


def test_several_conditions_can_be_any_or_all_within_a_list_and_overall(
    ui: Hands, builder: RecruitBuilder
) -> None:
    ui.open("Health")
    ui.open("Health conditions")
    for name in ("Hypertension", "High cholesterol"):
        ui.fill("Search in health conditions", name)
        ui.check(name)
    ui.check("all of these")
    assert builder.filters == vp.where(health_conditions=vp.all_of("hypertension", "high_cholesterol"))
    ui.open("Gender")
    ui.check("Female")
    ui.check("at least one of them")
    assert builder.filters.match == "any"
    assert "at least one of these" in ui.text


def test_a_long_list_is_short_until_more_is_wanted(ui: Hands) -> None:
    ui.open("Health")
    ui.open("Medication classes")
    before = sum(node[1].get("type") == "checkbox" for _, node in ui.controls())
    assert before < 12
    ui.press("Show 32 more of Medication classes")
    assert sum(node[1].get("type") == "checkbox" for _, node in ui.controls()) == before + 32
    ui.press("Show fewer of Medication classes")
    assert sum(node[1].get("type") == "checkbox" for _, node in ui.controls()) == before


def test_a_value_that_stands_for_several_says_so(ui: Hands, builder: RecruitBuilder, client: Client) -> None:
    ui.open("Health")
    ui.open("BMI class")
    obese = client.filters.count(vp.where(bmi_class="obese"))
    assert ui.has(f"Obese, any class obese → obese_1, obese_2, obese_3 {obese:,}")
    ui.check("Obese, any class")
    assert builder.filters == vp.where(bmi_class="obese")


def test_what_the_lists_do_not_hold_is_typed_and_resolved_by_the_service(
    ui: Hands, builder: RecruitBuilder
) -> None:
    ui.open("Work")
    ui.open("Occupation")
    ui.fill("Search in occupation", "nurse")
    ui.fill("Search in occupation", "physician of the sea")
    with pytest.warns(FieldworkWarning, match="'physician of the sea' is not a known value of occupation"):
        ui.press("Use “physician of the sea”")
    assert builder.filters == vp.where(occupation="physician of the sea")


def test_typing_what_no_agent_has_is_an_error_beside_the_box(ui: Hands, builder: RecruitBuilder) -> None:
    ui.open("Health")
    ui.open("Health conditions")
    ui.fill("Search in health conditions", "dragon pox")
    node = ui.find("Search in health conditions")
    ui.send([node[0], node[1] | {"on": node[1]["enter"]}], "dragon pox")
    assert "fits no value" in ui.error_of("Search in health conditions")
    assert isinstance(builder.error, FilterError)
    assert builder.filters == vp.where()


def test_conditions_are_taken_away_one_by_one_or_all_at_once(ui: Hands, builder: RecruitBuilder) -> None:
    builder.filters = {"country": "USA", "gender": "female", "age": {"min": 30}}
    ui.settle()
    ui.press("Age: from 30 × Remove this condition")
    assert builder.filters == vp.where(country="USA", gender="female")
    ui.press("Clear all")
    assert builder.filters == vp.where()


# The group


def test_recruiting_gives_the_group_and_code_that_gives_it_again(
    ui: Hands, builder: RecruitBuilder, client: Client
) -> None:
    builder.filters = vp.where(country="USA", age=vp.between(25, 64))
    ui.settle()
    ui.fill("Group size", "30")
    ui.fill("Name of the group", "Working age")
    ui.choose("How agents are drawn", "balanced")
    ui.press("Recruit 30 agents")
    assert builder.group.name == "Working age"
    assert "Group recruited 30 agents are in it." in ui.text
    assert rerun(builder.code, client) == [agent.id for agent in client.groups.agents(builder.group)]


def test_a_group_cannot_be_larger_than_the_audience(
    ui: Hands, builder: RecruitBuilder, client: Client
) -> None:
    builder.filters = vp.where(country="USA", state=rare_states(client)[0])
    ui.settle()
    there = client.filters.count(builder.filters)
    assert 0 < there < 20
    recruit = ui.find("Recruit 20 agents")
    assert recruit[1]["aria-disabled"] == "true"
    assert f"You want 20, and only {there} agents match." in ui.text
    ui.press(f"Take all {there}")
    ui.press(f"Recruit {there} agents")
    assert builder.group.agent_count == there


@pytest.mark.parametrize("typed", ["0", "10001", "many", ""])
def test_a_wrong_size_is_named_beside_its_box(ui: Hands, builder: RecruitBuilder, typed: str) -> None:
    ui.fill("Group size", typed)
    assert ui.error_of("Group size")
    assert ui.find("Recruit")[1]["aria-disabled"] == "true"
    assert builder.size == 20
    ui.fill("Group size", "15")
    assert builder.size == 15
    assert builder.error is None


def test_some_who_match_are_shown_and_given(ui: Hands, builder: RecruitBuilder) -> None:
    builder.filters = vp.where(country="USA", gender="female")
    ui.settle()
    ui.press("Show five agents")
    shown = builder.preview(5)
    assert len(shown) == 5
    assert all(agent.name in ui.text for agent in shown)
    assert {agent.gender for agent in shown} == {"female"}


def test_the_cost_is_told_in_answers(ui: Hands) -> None:
    assert "Each question to this group takes 20 answers; this service sets no limit." in ui.text


def test_it_can_be_used_from_code_alone(client: Client, hands: Take) -> None:
    builder = RecruitBuilder(client, filters={"country": "Japan"}, size=7)
    hands(builder)
    seen = []
    builder.observe(lambda change: seen.append(change["new"]), "group")
    assert builder.recruit() is builder.group
    assert seen == [builder.group]
    with pytest.raises(FilterError, match="did you mean"):
        builder.filters = {"gender": "femail"}
    with pytest.raises(UsageError, match="10,000"):
        builder.size = 10_001
    assert builder.filters == vp.where(country="Japan")


# In words


def test_clear_words_become_a_group(client: Client, hands: Take) -> None:
    builder = RecruitBuilder(client, size=12)
    ui = hands(builder)
    ui.check("Describe in words")
    ui.fill("Who should take part?", "US women aged 30 to 40")
    ui.press("Recruit 12 agents")
    assert builder.group.agent_count == 12
    assert "Understood as: US women aged 30 to 40." in ui.text
    assert rerun(builder.code, client) == [agent.id for agent in client.groups.agents(builder.group)]


def test_a_question_back_is_answered_in_its_place(fresh: Callable[[], Client], hands: Take) -> None:
    client = fresh()
    builder = RecruitBuilder(client, words="Dog owners aged 25 to 64", size=10)
    ui = hands(builder)
    ui.press("Recruit 10 agents")
    assert builder.group is None
    assert "Clarification needed" in ui.text
    assert ui.has("USA")
    ui.fill("Your answer", "the USA")
    ui.press("Answer")
    assert builder.group.agent_count == 10
    assert "Screened by asking: Do you own a dog?" in ui.text
    made = [agent.id for agent in client.groups.agents(builder.group)]
    assert rerun(builder.code, fresh()) == made, "a service that begins anew gives the same agents"


def test_an_answer_must_hold_something(client: Client, hands: Take) -> None:
    ui = hands(RecruitBuilder(client, words="Dog owners aged 25 to 64", size=10))
    ui.press("Recruit 10 agents")
    ui.press("Answer")
    assert ui.error_of("Your answer") == "Type an answer, or choose one."


def test_a_review_is_approved_or_declined_in_its_place(client: Client, hands: Take) -> None:
    rare, other = rare_states(client)
    builder = RecruitBuilder(client, words=f"US adults from {US_STATES[rare]}", size=900)
    ui = hands(builder)
    ui.press("Recruit 900 agents")
    assert "Review needed" in ui.text
    there = client.filters.count(vp.where(country="USA", state=rare))
    ui.press(f"Go on with {there}")
    assert builder.group.agent_count == there
    assert "because no more match" in ui.text
    ui.fill("Who should take part?", f"US adults from {US_STATES[other]}")
    ui.press("Recruit 900 agents")
    ui.press("Do not recruit")
    assert "Not recruited" in ui.text


def test_a_refusal_says_why_and_lets_the_words_be_changed(client: Client, hands: Take) -> None:
    builder = RecruitBuilder(client, words="Children aged 8 to 12", size=10)
    ui = hands(builder)
    ui.press("Recruit 10 agents")
    assert "Not recruited" in ui.text
    assert builder.group is None
    with pytest.raises(UsageError, match="no group"):
        builder.recruit()
    ui.press("Change my words")
    assert "Not recruited" not in ui.text


def test_no_words_are_no_audience(client: Client, hands: Take) -> None:
    ui = hands(RecruitBuilder(client, words=" ", size=10))
    assert ui.find("Recruit 10 agents")[1]["title"] == "Describe who should take part first."


# For everybody


@pytest.mark.parametrize("words", [None, "Dog owners aged 25 to 64", "Children aged 8 to 12"])
def test_every_control_has_a_name_and_every_reference_a_target(
    client: Client, hands: Take, words: str | None
) -> None:
    ui = hands(RecruitBuilder(client, words=words, size=10))
    if words is None:
        for name in (
            "Work",
            "Health",
            "Country",
            "Age",
            "Occupation",
            "Health conditions",
            "BMI",
            "Name and sampling",
        ):
            ui.open(name)
        ui.fill("From (Age)", "x")
        ui.press("Show five agents")
    ui.press("Recruit 10 agents")
    assert faults(ui.tree) == []


def test_a_saved_notebook_shows_the_audience_the_group_and_the_code(client: Client, hands: Take) -> None:
    builder = RecruitBuilder(
        client, filters=vp.where(country="USA", household_income="Under $15,000"), size=5
    )
    hands(builder)
    builder.recruit()
    data, _ = builder._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    html, text = data["text/html"], data["text/plain"]
    for told in ("The group", "vp.recruit(client, audience, size=5"):
        assert told in html
        assert told in text
    assert "<caption" in html
    assert not {"<button", "<input", "<script", "id="} & set(html.split())
    assert builder.group.uuid not in html
    assert client._transport._key not in str(data) + str(builder._view)
    assert repr(builder) == text


def test_closing_ends_its_thread_and_its_connection(client: Client) -> None:
    builder = RecruitBuilder(client)
    builder._worker.idle(10)
    builder.close()
    assert not builder._worker.alive
    assert builder.comm is None
    assert "text/html" in builder._repr_mimebundle_()
    builder.close()


def test_without_a_service_it_says_so_and_keeps_the_error(hands: Take) -> None:
    nowhere = vp.Client("http://127.0.0.1:9", "vp_live_" + "x" * 43, sleep=lambda _: None)
    builder = RecruitBuilder(nowhere)
    builder._client._transport._sleep = lambda _: None
    ui = hands(builder)
    assert any("Nothing answers" in told for told in ui.region("alert"))
    assert isinstance(builder.error, vp.VoxpopError)


def test_an_unknown_field_is_not_told_as_nobody(ui: Hands, builder: RecruitBuilder) -> None:
    builder.filters = vp.where(country="Japan", veteran=True)
    ui.settle()
    assert "Not known" in ui.region("status")
    assert '"Veteran" is unknown for agents in Japan' in ui.text
    assert "obody matches" not in ui.text
    assert "0 agents match" not in ui.text
