"""Engines by name, by alias and as objects; a wrong choice has one clear error before anything is made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from third_party.toplines_engine import Toplines

import voxpop as vp
from voxpop.engines import Basis, registry
from voxpop.engines.registry import check, open_engine
from voxpop.engines.sample_agents import AGENTS
from voxpop.engines.testing import QUESTIONS
from voxpop.errors import ServiceStartError, UsageError
from voxpop.jobs.apart import Apart, ProcessNotStarted, Recipe
from voxpop.settings import EngineSettings, ServiceSettings
from voxpop_simulator import EmbeddedRespondent

HERE = Path(__file__).parent
STUDY = """
import voxpop as vp
with vp.local(agents=2_000, engine="toplines") as client:
    group = vp.recruit(client, "US adults 25 to 64", size=30)
    study = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
    study.ask("Would you switch to oat milk?", key="switch")
    study.ask("Why?", key="why")
    study.complete()
    answers = study.answers()
engines, values = ({getattr(answer, name) for answer in answers} for name in ("engine", "value"))
print(len(answers), sorted(engines), sorted(values))
"""


@pytest.mark.parametrize("name", ["simulator", "embedded", "embedded-1"])
def test_the_default_engine_has_its_earlier_names(name: str, tmp_path: Path) -> None:
    engine = open_engine(EngineSettings.from_environment({}, name=name), home=tmp_path)
    assert (engine.name, engine.remote) == ("embedded-1", False)
    assert isinstance(engine.respondent, EmbeddedRespondent)


WRONG = [
    ("simulater", "Did you mean simulator?"),
    ("openia", "Did you mean openai:MODEL?"),
    ("oracle", "Installed: simulator; language models: openai:MODEL, anthropic:MODEL, "),
]


@pytest.mark.parametrize(("name", "told"), WRONG)
def test_a_wrong_name_has_the_nearest_right_ones(name: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"The engine '{name}' is not installed") as caught:
        vp.local(engine=name, data=tmp_path / "data")
    assert told in str(caught.value)
    assert not (tmp_path / "data").exists()


class Nameless:
    def answer(self, agents: Any, question: Any, history: Any, *, seed: int) -> Any:
        return iter(())


class Narrow:
    name = "narrow-1"

    def answer(self, agents: Any, question: Any) -> Any:
        return iter(())


class HalfGuide(Toplines):
    guide = object()


WRONG_OBJECTS = [
    (object(), r"object lacks name .* and answer\(agents, question, history, \*, seed\)"),
    (Nameless(), "Nameless lacks name"),
    (Narrow(), r"Narrow lacks answer\(agents, question, history, \*, seed\)"),
    (HalfGuide(), "HalfGuide lacks guide.interview_guide and guide.study_questions"),
    (Toplines, r"Toplines is a class; pass an instance: Toplines\(\)"),
    (7, "int lacks name"),
]


@pytest.mark.parametrize(("engine", "told"), WRONG_OBJECTS)
def test_an_object_that_is_no_engine_is_told_what_it_lacks(engine: Any, told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        vp.local(engine=engine, data=tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_parts_of_its_own_come_before_those_of_the_default(tmp_path: Path) -> None:
    class Guided(Toplines):
        guide = registry.default_engine().guide
        closed = False

        def close(self) -> None:
            self.closed = True

        def notice(self, question: Any) -> str:
            return f"About {question}."

        rests = Basis("published", "Shares of our survey, 2025.")

        def basis(self, question: Any, agents: Sequence[Any]) -> Iterator[Basis]:
            return iter([self.rests for _ in agents])

    given = Guided()
    engine = open_engine(EngineSettings.from_environment({}, name=given), home=tmp_path)
    assert engine.guide is given.guide
    assert engine.reader is registry.default_engine().reader
    assert (engine.writer, engine.restater) == (None, None)
    assert engine.notice("tea") == "About tea."  # type: ignore[arg-type]
    assert list(engine.basis(QUESTIONS[0], AGENTS)) == [given.rests] * len(AGENTS)
    engine.close()
    assert given.closed


def test_an_entry_point_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = registry.EntryPoint("broken", "no_such_module:engine", registry.GROUP)
    odd = registry.EntryPoint("odd", "voxpop:__version__", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [broken, odd])
    for name, told in (("broken", "cannot be loaded .*no_such_module"), ("odd", "must name a callable")):
        settings = EngineSettings(name=name)
        check(settings)
        with pytest.raises(ServiceStartError, match=told):
            open_engine(settings, home=Path())


def test_an_engine_that_cannot_be_sent_to_another_process_is_used_in_this_one(tmp_path: Path) -> None:
    settings = ServiceSettings(engine=EngineSettings(given=lambda: None))
    apart = Apart(Recipe("sqlite://", timedelta(seconds=1), tmp_path, tmp_path, settings))
    with pytest.raises(ProcessNotStarted, match="The engine cannot be sent to another process"):
        apart(None)  # type: ignore[arg-type]


def test_a_study_with_an_engine_that_is_an_object() -> None:
    with vp.local(agents=2_000, engine=Toplines()) as client:
        group = vp.recruit(client, "US adults 25 to 64", size=30)  # read by the default engine
        study = vp.Study.create(client, group, title="Snacks", objective="Who would switch?")
        study.ask("Would you switch to oat milk?", key="switch")
        answers = study.answers()
    assert {answer.engine for answer in answers} == {"toplines-1"}
    assert {answer.value for answer in answers} == {True, False}


def test_a_package_with_an_engine_is_installed_and_found_by_its_name(tmp_path: Path) -> None:
    folder, target = tmp_path / "source", tmp_path / "site"
    folder.mkdir()
    for name in ("pyproject.toml", "toplines_engine.py"):
        (folder / name).write_bytes((HERE / "third_party" / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--target", str(target), str(folder)], check=True)
    environ = os.environ | {"PYTHONPATH": str(target)}
    done = subprocess.run(
        [sys.executable, "-c", STUDY], env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "30"  # "Why?" cannot be answered from shares
    assert "['toplines-1'] [False, True]" in done.stdout
