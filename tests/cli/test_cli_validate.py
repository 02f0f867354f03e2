"""`voxpop validate`: the table, the page, JSON, and errors in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from voxpop.cli import main
from voxpop.engines import Basis, Question, Reply, registry
from voxpop_simulator import EmbeddedRespondent

FEW = ["--agents", "120", "--population", "3000", "--items", "6"]

WRONG = [
    (["--engine", "simulater"], "Did you mean simulator?"),
    (["--engine", "opnai:gpt-x"], "Did you mean openai:gpt-x?"),
    (["--engine", "openai:gpt-x"], "set OPENAI_API_KEY"),
    (["--engine", "simulator+openai:gpt-x"], "those of simulator, and validation scores values"),
    (["--agents", "20"], "100 to 100,000"),
    (["--items", "0"], "1 or more"),
    (["--population", "5"], "1,000 to 10,000,000"),
    (["--benchmark", "pew"], "There is no benchmark 'pew'"),
]


@pytest.mark.parametrize(("arguments", "hint"), WRONG, ids=[" ".join(one) for one, _ in WRONG])
def test_wrong_usage_is_one_line(
    arguments: list[str],
    hint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if "+" in arguments[1]:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert main(["validate", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert hint in told.err
    assert len(told.err.splitlines()) == 1


class Undeclaring(EmbeddedRespondent):
    """An engine that answers every question and declares nothing."""

    name = "undeclaring-1"
    seen_items = None  # type: ignore[assignment]

    def answer(self, agents: Any, question: Question, history: Any, *, seed: int) -> Iterator[Any]:
        for said in super().answer(agents, question, history, seed=seed):
            yield replace(said, basis=Basis("modelled", "Our survey.")) if isinstance(said, Reply) else said


def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the engine ``undeclaring`` beside the simulator."""
    own = registry.EntryPoint("undeclaring", f"{__name__}:Undeclaring", registry.GROUP)
    there = list(registry.entry_points(group=registry.GROUP))
    monkeypatch.setattr(registry, "entry_points", lambda group: [*there, own])


def test_the_table_has_the_baselines_and_says_what_is_not_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(monkeypatch)
    assert main(["validate", "--engine", "undeclaring", *FEW]) == 0
    told = capsys.readouterr().out
    for words in ("uniform", "margins", "repeated survey", "mean error of a share, points"):
        assert words in told
    assert "The engine does not declare which of these items it was built from" in told
    assert "Over 6 items, the mean error of a share is" in told
    assert "General Social Survey" in told
    assert "Coverage: of " in told
    assert "by construction" not in told


def test_the_table_says_which_items_the_engine_holds_and_from_which_it_abstains(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["validate", *FEW]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "built from 6 of the 6 items. 4 of them have enough scored answers: agreement" in told
    assert "agreement with people on these is by construction" in told
    assert "All answers that rest on something: items that the engine was built from measure" in told
    assert "Over 4 items, the mean error of a share is" in told
    assert "Placeholders: 2 items, the mean error of a share is" in told
    assert "are placeholders and count as abstentions" in told
    assert told.count("mean error of a share, points") == 2  # the items held, and the placeholders


def test_json_has_every_figure_and_is_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for _ in range(2):
        assert main(["validate", *FEW, "--json"]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
    told = json.loads(found[0])
    assert (told["engine"], told["agents"], told["items"]) == ("embedded-1", 120, 6)
    assert {row["measure"] for row in told["scores"]} >= {"error", "gap_sign", "variance_between"}
    assert len({row["item"] for row in told["shares"]}) == 6


def test_the_page_has_its_picture_and_the_command_that_makes_it_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "docs" / "validation.md"
    page.parent.mkdir()
    assert main(["validate", *FEW, "--page", str(page)]) == 0
    assert capsys.readouterr().err.splitlines()[-2:] == [
        f"wrote {page}",
        f"wrote {page.parent / 'pictures' / 'validation.png'}",
    ]
    text = page.read_text(encoding="utf-8")
    assert "`voxpop validate --engine simulator --agents 120 --items 6 --population 3000 --page FILE`" in text
    assert "(pictures/validation.png)" in text
    assert (page.parent / "pictures" / "validation.png").read_bytes().startswith(b"\x89PNG")
    assert "\n| mean error of a share, points | 4 |" in text
    assert "\n| mean error of a share, points | 2 |" in text.split("## Placeholders, whose basis is none")[1]
    assert "agreement with people on these is by construction" in text.split("![")[0]
    assert "items are left out" in text


def test_own_figures_need_no_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        "item,question,option,percent\npet,Do you have a pet?,yes,62\npet,Do you have a pet?,no,38\n",
        encoding="utf-8",
    )
    assert main(["validate", "--agents", "120", "--population", "3000", "--benchmark", str(path)]) == 0
    told = capsys.readouterr().out
    assert "Over 1 item, the mean error" in told
    assert "repeated survey" not in told.split("In brackets")[0]  # the number of people is not known


def test_a_language_model_is_not_called_without_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("VOXPOP_ENGINE_PRICES", "0.15,0.60")
    assert main(["validate", "--engine", "openai:gpt-x", *FEW]) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert "openai:gpt-x will be called about 642 times, for about $0.1" in told
    assert "51,360 written, of sizes usual, since no call was observed yet" in told  # 80 tokens a call
    assert "Add --yes" in told
    monkeypatch.delenv("VOXPOP_ENGINE_PRICES")
    assert main(["validate", "--engine", "openai:gpt-x", *FEW]) == 2
    assert "its price is not known" in capsys.readouterr().err


def test_too_few_adults_in_the_population_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--agents", "3000", "--population", "3000", "--items", "1"]) == 2
    assert "give a larger --population" in capsys.readouterr().err
