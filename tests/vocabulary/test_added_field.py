"""Adding an agent field takes one row and the code that draws its values.

The rows are added in a process of its own, which tells what it saw as JSON; nothing is left in this one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from voxpop.errors import UsageError
from voxpop.vocabulary.fields import FIELDS, Field, add

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.fieldwork import Study
    from voxpop.tables import Store

SAMPLE = Path(__file__).parents[2] / "data" / "sample_study"
HELPERS = [str(Path(__file__).parents[1] / folder) for folder in ("mcp", "widgets")]

COMMUTE = Field(
    name="commute",
    kind="category",
    group="demographic",
    label="Way to work",
    meaning="How long the agent's way to work is.",
    aliases=("commuting",),
    levels=("short", "usual", "long"),
    names={"far": "long"},
    ordered=True,
    countries=("USA",),
    phrase="with a {} way to work",
    cohort="agents with a {} way to work",
    value_labels={"usual": "As usual"},
)
LANGUAGES = Field(
    name="languages",
    kind="list",
    group="demographic",
    label="Languages",
    meaning="The languages that the agent speaks at home.",
    levels=("english", "spanish", "other"),
    phrase="speaking {}",
)
GLASSES = Field(
    name="wears_glasses",
    kind="boolean",
    group="health",
    label="Glasses",
    meaning="Whether the agent wears glasses.",
    key="glasses",
    phrase="who {} glasses",
    words={"yes": "wear", "no": "do not wear"},
)
SCREEN = Field(
    name="screen_hours",
    kind="range",
    group="health",
    label="Screen time",
    meaning="The hours that the agent spends before a screen on a usual day.",
    unit="hours a day",
    decimals=1,
    phrase="with {} hours before a screen",
)
PERSONA = ["Way to work: ", "Languages: english", "Glasses: ", "Screen time (hours a day): "]
ADDED = (COMMUTE, LANGUAGES, GLASSES, SCREEN)


def register() -> None:
    """Add the rows, and the code that draws their values."""
    for row in ADDED:
        add(row)
    import numpy as np

    from voxpop.population.columns import Category, Column, Members, Numbers
    from voxpop.population.drawing import Columns, draws

    def people(found: Columns) -> tuple[Any, Any]:
        """Return ages, and who lives in the USA."""
        age, country = found["age"], found["country"]
        assert isinstance(age, Numbers)
        assert isinstance(country, Category)
        return age.values.astype(np.int16), country.codes == country.labels.index("USA")

    @draws("commute")
    def _(seed: int, found: Columns) -> Column:
        age, usa = people(found)
        return Category(np.where(usa, age % 3, -1), COMMUTE.levels)

    @draws("languages")
    def _(seed: int, found: Columns) -> Column:
        age, _ = people(found)
        flags = np.stack([age > 0, age % 2 == 0, age % 5 == 0], axis=1)
        return Members(flags, np.ones(age.size, dtype=bool), LANGUAGES.levels)

    @draws("wears_glasses")
    def _(seed: int, found: Columns) -> Column:
        health = found["health_conditions"]
        assert isinstance(health, Members)
        return Numbers(people(found)[0] >= 45, GLASSES.stored, health.known)

    @draws("screen_hours")
    def _(seed: int, found: Columns) -> Column:
        health = found["health_conditions"]
        assert isinstance(health, Members)
        return Numbers(people(found)[0] % 7 / 2, SCREEN.stored, health.known)


def service(client: Client) -> dict[str, Any]:
    """See the fields in discovery, counts, filters, recruiting, records and tools."""
    from talking import Talk

    import voxpop as vp

    far = vp.where(country="USA", commuting="far", wears_glasses=True, screen_hours=vp.between(1))
    counts = client.filters.counts("USA", "commute", "languages", "wears_glasses", "screen_hours")
    wanted = vp.where(commute=["short", "long"], age=vp.between(30))
    group = client.groups.recruit("Commuters", filters=wanted, size=40)
    agent = client.agents.find(far)
    key = client._transport._key
    talk = Talk(client.base_url.removesuffix("/v1"), key)
    found = talk("v1.agents.find", commute="long", screen_hours_min=1, languages=["spanish"])
    return {
        "values": {name: [one.value for one in values] for name, values in counts.filters.items()},
        "ranges": sorted(counts.ranges),
        "counted": sum(one.count for one in counts.filters["commute"]) == counts.recruitable_agent_count,
        "abroad": client.filters.count(vp.where(country="Japan", commute="long")),
        "count": client.filters.count(far),
        "sentence": far.sentence(),
        "recruited": sorted({one.commute for one in client.groups.agents(group)}),
        "agent": [agent.commute, agent.languages[0], agent.health_profile.glasses],
        "hours": agent.health_profile.screen_hours >= 1,
        "tool": found["agent"]["commute"],
    }


def tables(client: Client, store: Store, study: Study, folder: Path) -> dict[str, Any]:
    """See the fields in a store, in tables made of it and in an export."""
    import voxpop as vp

    study.pull(into=store)
    people = store.respondents(study)
    types = dict(zip(people.columns, map(str, people.types), strict=True))
    table = vp.crosstab(people, "switch", by="commute")
    store.export(study, folder, formats=["csv", "spss"])
    report = vp.verify(folder)
    with vp.open_export(folder) as again:
        same = again.respondents().fetchall() == people.fetchall()
    book = {one["name"]: one for one in json.loads((folder / "codebook.json").read_text())["profile"]}
    return {
        "types": {row.name: types[row.name] for row in ADDED},
        "columns": list(dict.fromkeys(table.long()["column"])),
        "title": str(vp.crosstab(people, "commute")).splitlines()[0],
        "report": str(report),
        "ok": report.ok and report.signed_by is not None,
        "same": same,
        "book": [book["commute"]["label"], [one["value"] for one in book["commute"]["levels"]]],
        "unit": book["screen_hours"]["unit"],
    }


def older(path: Path, study: Study) -> dict[str, Any]:
    """Check a store and an export written before, whose tables lack the fields."""
    import voxpop as vp

    with vp.Store(path) as store:
        empty = store.respondents("Snacks of before").fetchall()
        study.pull(into=store)
        moved = store.respondents(study).project("agent_id, commute, summary, wears_glasses").fetchall()
    with vp.Store() as new:
        study.pull(into=new)
        made = new.respondents(study).project("agent_id, commute, summary, wears_glasses").fetchall()
    with vp.open_export(SAMPLE) as sample:
        unknown = sample.respondents().project("commute").distinct().fetchall()
    return {"kept": len(empty), "moved": moved == made, "unknown": unknown}


def picker(client: Client) -> dict[str, Any]:
    """See the fields in the picker of the recruiting widget."""
    from hands import Hands

    from voxpop.widgets import RecruitBuilder

    builder = RecruitBuilder(client, filters={"commute": "usual", "wears_glasses": True}, size=5)
    try:
        hands = Hands(builder)
        hands.settle()
        return {"picker": hands.text}
    finally:
        builder.close()


def see(home: Path) -> dict[str, Any]:
    """Build a small population with the fields, and tell what is seen of them."""
    register()
    import voxpop as vp

    with vp.local(agents=1_000, data=home / "data") as client, vp.Store(home / "s.duckdb") as store:
        group = client.groups.recruit("Americans", filters=vp.where(country="USA"), size=30)
        study = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
        study.ask("Would you switch to a new snack?", key="switch", type="yes_no")
        seen = service(client) | tables(client, store, study, home / "export") | picker(client)
        return seen | older(home / "before.duckdb", study) | described()


def described() -> dict[str, Any]:
    """See the fields in the API reference, in the arguments of tools and in the segments of a study."""
    from voxpop.engines.persona import persona
    from voxpop.jobs.cohorts import cohorts
    from voxpop.mcp.schemas import filter_properties
    from voxpop.population.file import open_population
    from voxpop.wire.agents import AgentPage

    models = AgentPage.model_json_schema()["$defs"]
    keys = [models["Agent"]["properties"], models["HealthProfile"]["properties"]]
    with open_population(1_000, 7, home=Path(sys.argv[1])) as population:
        agents = population.agents(range(1, 600))
    nouns = {one.noun for one in cohorts(agents)}
    profile = persona(next(one for one in agents if one.health_profile))
    return {
        "reference": [keys[0]["commute"]["description"], "glasses" in keys[1]],
        "argument": filter_properties()["commute"]["anyOf"][0],
        "bounds": sorted(name for name in filter_properties() if name.startswith("screen")),
        "noun": "agents with a long way to work" in nouns,
        "persona": [words for words in PERSONA if words in profile],
    }


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    from voxpop.tables import Store  # not above: the process that adds fields imports this file first

    home = tmp_path_factory.mktemp("added")
    with Store(home / "before.duckdb") as store:
        people = [{"id": 1, "uuid": "a-1", "name": "A", "age": 40, "summary": "A is 40."}]
        study = {"id": 1, "uuid": "s-1", "title": "Snacks of before"}
        store.save_study(study, questions=[], answers=[], agents=people)
    run = subprocess.run(
        [sys.executable, __file__, str(home)], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return dict(json.loads(run.stdout.splitlines()[-1]))


def test_the_service_knows_the_fields(seen: dict[str, Any]) -> None:
    assert seen["values"] == {
        "commute": ["short", "usual", "long"],
        "languages": ["english", "spanish", "other"],
        "wears_glasses": [True, False],
    }
    assert seen["ranges"] == ["screen_hours"]
    assert seen["counted"]
    assert seen["abroad"] == 0 < seen["count"]
    assert seen["recruited"] == ["long", "short"]
    assert seen["agent"] == ["long", "english", True]
    assert seen["hours"]


def test_filters_say_them_in_words(seen: dict[str, Any]) -> None:
    assert seen["sentence"] == (
        "US adults with a long way to work, who wear glasses and with 1 or more hours before a screen"
    )


def test_tools_the_api_reference_and_language_models_are_told_of_them(seen: dict[str, Any]) -> None:
    assert seen["tool"] == "long"
    assert seen["argument"] == {"type": "string", "enum": ["short", "usual", "long"]}
    assert seen["bounds"] == ["screen_hours", "screen_hours_max", "screen_hours_min"]
    assert seen["reference"] == ["How long the agent's way to work is. One of short, usual, long.", True]
    assert seen["noun"]
    assert seen["persona"] == PERSONA


def test_tables_have_typed_columns_with_levels_in_order(seen: dict[str, Any]) -> None:
    assert seen["types"] == {
        "commute": "ENUM('short', 'usual', 'long')",
        "languages": "VARCHAR[]",
        "wears_glasses": "BOOLEAN",
        "screen_hours": "DOUBLE",
    }
    assert seen["columns"] == ["Total", "short", "usual", "long"]
    assert seen["title"] == "Way to work"


def test_exports_hold_describe_and_verify_them(seen: dict[str, Any]) -> None:
    assert seen["ok"], seen["report"]
    assert seen["same"]
    assert seen["book"] == ["Way to work", ["short", "usual", "long"]]
    assert seen["unit"] == "hours a day"


def test_the_picker_offers_them(seen: dict[str, Any]) -> None:
    for words in (
        "Way to work: As usual ×",
        "Glasses: Yes ×",
        'vp.where(commute="usual", wears_glasses=True)',
    ):
        assert words in seen["picker"]


def test_older_stores_and_exports_open_without_values(seen: dict[str, Any]) -> None:
    assert seen["kept"] == 1
    assert seen["moved"]  # each value in its own column, though the columns have another order
    assert seen["unknown"] == [[None]]


def test_nothing_is_added_late_or_twice(seen: dict[str, Any]) -> None:
    assert not set(FIELDS) & {row.name for row in ADDED}
    with pytest.raises(UsageError, match="'commute' cannot be added after"):
        add(COMMUTE)


if __name__ == "__main__":
    import os

    sys.path += HELPERS
    os.environ["VOXPOP_HOME"] = sys.argv[1]
    sys.stdout.write(json.dumps(see(Path(sys.argv[1]))))
