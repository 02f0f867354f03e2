"""The provenance of answers travels with the data and is the source of every note."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest

import voxpop as vp
from voxpop.analysis import AnalysisWarning, cohorts, crosstab, means, multi, nps, price_ladder, proportions
from voxpop.errors import UsageError
from voxpop.survey.declaring import declare, provenance_of
from voxpop.survey.provenance import PROVENANCE_COLUMN as COLUMN
from voxpop.tables import Store, open_export
from voxpop.validation import validate
from voxpop.verbatims import Words, keywords, quotes
from voxpop.vocabulary import where

QUESTIONS = [
    {"id": 1, "uuid": "q-1", "key": "switch", "question": "Would you switch?", "type": "yes_no"},
    {"id": 2, "uuid": "q-2", "key": "why", "question": "Why?", "type": "open"},
]


@pytest.fixture
def store() -> Iterator[Store]:
    agents = [
        {"id": n, "uuid": f"a-{n}", "name": "N", "age": 30 + n, "gender": ("male", "female")[n % 2]}
        for n in range(40)
    ]
    answers = [
        {"id": n, "question_id": 1, "agent_id": n, "value": n % 3 > 0, "engine": "embedded-1"}
        for n in range(40)
    ] + [
        {
            "id": 100 + n,
            "question_id": 2,
            "agent_id": n,
            "response": "the price is too high",
            "engine": "embedded-1",
        }
        for n in range(40)
    ]
    with Store() as filled:
        filled.save_study(
            {"uuid": "s-1", "id": 1, "title": "Snacks"}, QUESTIONS, answers, agents, {"population": "1-7-100"}
        )
        yield filled


@pytest.fixture
def people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "switch": ["yes", "no"] * 40,
            "score": [n % 11 for n in range(80)],
            "gender": ["male", "female", "female", "male"] * 20,
            "why": ["too dear to me", "the price is high"] * 40,
            "id": range(80),
        }
    )


def every_output(data: Any, folder: Path) -> dict[str, str]:
    """Return the text of every output that can be made from the data."""
    table = crosstab(data, "switch", by="gender", sig=True)
    both = {"men": where(gender="male"), "all": where(gender=["male", "female"])}
    made = {
        "crosstab": table,
        "means": means(data, "score", by="gender", sig=True),
        "nps": nps(data, "score"),
        "proportions": proportions(data, "switch", "yes"),
        "multi": multi(data, ["switch"]),
        "cohorts": cohorts(data, "switch", both),
        "prices": price_ladder(data, "score"),
        "quotes": quotes(data, "why", n=1, ids="id"),
        "keywords": keywords(data, "why", by="gender", words=Words(min_answers=1)),
        "validate": validate(data, "switch", {"yes": 40, "no": 60}),
    }
    told = {name: f"{one!r}\n{one._repr_html_()}" for name, one in made.items()}
    plain = {name: " ".join(text.split()) for name, text in told.items()}
    sheet = openpyxl.load_workbook(table.to_excel(folder / "table.xlsx")).worksheets[0]
    plain["excel"] = " ".join(str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value)
    for name, one in (("bars", table), ("ladder", made["prices"]), ("distances", made["validate"])):
        drawn = one.plot()  # type: ignore[attr-defined]
        plain[name] = " ".join(str(drawn.chart.to_dict()).replace("', '", " ").replace("\\n", " ").split())
    return plain


def test_nothing_is_said_of_agents_where_the_data_do_not_say_that_they_are(
    people: pd.DataFrame, tmp_path: Path
) -> None:
    for data, sampling in (
        (people, "how these rows were sampled is not known"),
        (declare(people, "human"), "sampling error of a simple random sample of people"),
    ):
        for name, text in every_output(data, tmp_path).items():
            lower = text.lower().replace("agent_id", "")
            assert "simulated" not in lower, name
            assert "evidence" not in lower, name
            assert "agents" not in lower, name
            assert "synthetic" not in lower, name
            if name not in ("quotes", "keywords", "validate"):  # these print no interval
                assert sampling in text, name


def test_what_agents_answered_says_so_everywhere(people: pd.DataFrame, tmp_path: Path) -> None:
    for name, text in every_output(declare(people, "simulated"), tmp_path).items():
        assert "Agents are simulated and chosen by filters: this is not evidence about people." in text, name


@pytest.mark.filterwarnings("ignore:Answers of simulated agents and of people are mixed")
def test_a_mixture_says_that_it_is_one(people: pd.DataFrame, tmp_path: Path) -> None:
    both = pd.concat([declare(people, "simulated"), declare(people, "human")], ignore_index=True)
    both["id"] = range(len(both))
    for name, text in every_output(both, tmp_path).items():
        assert "Answers of simulated agents and of people are mixed" in text, name


def test_a_mixture_is_warned_of(people: pd.DataFrame) -> None:
    both = pd.concat([declare(people, "simulated"), people])  # these people were not declared
    with pytest.warns(AnalysisWarning, match="only some rows say whose they are"):
        crosstab(both, "switch")
    for kind in ("simulated", "human"):
        one = both[both[COLUMN] == kind]
        assert provenance_of(one) == (kind if len(one) else "unknown")


def test_what_a_store_hands_out_is_simulated_and_stays_so(store: Store, people: pd.DataFrame) -> None:
    relation = store.respondents("Snacks")
    frame = store.frame("Snacks")
    weighted = frame.assign(w=1.5)
    merged = frame.merge(pd.DataFrame({"agent_id": range(40), "extra": range(40)}), on="agent_id")
    for data in (
        relation,
        relation.filter("age > 40"),
        relation.project("switch, voxpop_provenance"),
        relation.df(),
        relation.to_arrow_table(),
        frame,
        frame[frame.age > 40],
        weighted,
        merged,
        pd.concat([frame, frame]),
        store.respondents("Snacks", removed=True),
    ):
        assert provenance_of(data) == "simulated"
        note = crosstab(data, "switch").notes()[-1]
        assert note.startswith(
            "Agents are simulated and chosen by filters: this is not evidence about people."
        )
    assert "Source: engine embedded-1" in " ".join(crosstab(relation, "switch").notes())
    with pytest.warns(AnalysisWarning, match="mixed"):
        told = crosstab(pd.concat([frame, declare(people, "human")]), "switch").notes()[-1]
    assert told.startswith("Answers of simulated agents and of people are mixed")


def test_rows_without_the_column_say_nothing(store: Store) -> None:
    frame = store.frame("Snacks")
    plain = pd.DataFrame(frame.drop(columns=COLUMN).to_dict("list"))
    assert provenance_of(plain) == "unknown"
    assert "Agents" not in crosstab(plain, "switch").notes()[-1]


@pytest.mark.parametrize("form", ["pandas", "arrow", "relation"])
@pytest.mark.parametrize("kind", ["human", "simulated"])
def test_any_data_can_be_declared(people: pd.DataFrame, form: str, kind: str) -> None:
    data = {
        "pandas": people,
        "arrow": pa.Table.from_pandas(people),
        "relation": duckdb.connect().from_df(people),
    }[form]
    told = declare(data, kind)
    assert provenance_of(told) == kind
    assert provenance_of(data) == "unknown"  # the data given are not changed
    assert provenance_of(declare(told, kind)) == kind
    with pytest.raises(UsageError, match=f"These data are already declared as {kind}"):
        declare(told, "human" if kind == "simulated" else "simulated")


def test_a_frame_or_table_may_say_it_as_a_whole(people: pd.DataFrame) -> None:
    people.attrs["voxpop"] = {"provenance": "human"}
    assert provenance_of(people) == "human"
    table = pa.Table.from_pandas(people.head()).replace_schema_metadata(
        {"voxpop": '{"provenance": "simulated"}'}
    )
    assert provenance_of(table) == "simulated"
    people.attrs["voxpop"] = {"provenance": "humans"}
    with pytest.raises(UsageError, match="provenance is 'humans'"):
        crosstab(people, "switch")


def test_other_words_are_refused(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="provenance must be simulated or human, not 'mixed'"):
        vp.declare(people, "mixed")
    with pytest.raises(UsageError, match="holds 'agents'; allowed are simulated, human"):
        crosstab(people.assign(**{COLUMN: "agents"}), "switch")
    with pytest.raises(UsageError, match="not list"):
        declare([1, 2], "human")


def test_a_benchmark_is_not_made_of_agents(people: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="The benchmark must be answers of people, not simulated"):
        validate(declare(people, "simulated"), "switch", declare(people, "simulated"))
    assert "Synthetic agents against people" in repr(
        validate(declare(people, "simulated"), "switch", declare(people, "human"))
    )
    told = repr(validate(declare(people, "human"), "switch", {"yes": 50, "no": 50}))
    assert "People against a benchmark" in told


def test_an_export_carries_it(store: Store, tmp_path: Path) -> None:
    folder = store.export("Snacks", tmp_path / "snacks", formats="csv")
    assert '"provenance": "simulated"' in (folder / "provenance.json").read_text()
    assert '"provenance": "simulated"' in (folder / "codebook.json").read_text()
    assert provenance_of(pd.read_csv(folder / "csv/respondents.csv")) == "simulated"
    with open_export(folder) as opened:
        assert provenance_of(opened.respondents().df()) == "simulated"
