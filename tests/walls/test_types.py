"""A type checker knows every public name and every closed choice, and refuses what does not exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import voxpop as vp

pytestmark = pytest.mark.slow  # by .ci/lint, which has just filled the cache of mypy
ROOT = Path(__file__).parents[2]
RIGHT = """
people = pd.DataFrame({"switch": ["yes", "no"], "arm": ["a", "b"], "score": [9, 3]})
table: vp.Table = vp.crosstab(people, "switch", by="arm", percent="row", sig=vp.SigTest(adjust="holm"))
picture = table.plot("intervals").save("chart.svg")
frame: pd.DataFrame = vp.means(people, "score", by="arm", sig=True).long()
weighted = vp.rake(people, {"arm": {"a": 0.5, "b": 0.5}}, missing="own").add_to(people)
declared: pd.DataFrame = vp.declare(people, "human")
audience: vp.Filter = vp.where(country="USA", age=vp.between(25, 64), match="any")
builder: vp.widgets.RecruitBuilder


def ask(client: vp.Client, study: vp.Study) -> None:
    group = client.groups.recruit("Some", filters=audience, size=200, sample_method="stratified")
    study.ask("How old are you?", key="age", type="number")
    client.requests.create("US adults", 200, response_mode="sync")
"""
WRONG = {
    "vp.crosstabb(1)": "attr-defined",
    'vp.crosstab(people, "switch", percent="colum")': "arg-type",
    'vp.crosstab(people, "switch", sig="yes")': "arg-type",
    'vp.banner(people, ["switch"], by="arm", percent="all")': "arg-type",
    'vp.SigTest(method="efective")': "arg-type",
    'vp.SigTest(adjust="none")': "arg-type",
    'vp.SigTest(scope="tabel")': "arg-type",
    'vp.multi(people, "switch", of="answers")': "arg-type",
    'vp.rake(people, {}, missing="drop")': "arg-type",
    'vp.rake(people, {}, totals="scale")': "arg-type",
    'vp.agreement(people, "ratio")': "arg-type",
    'vp.declare(people, "real")': "arg-type",
    'vp.where(match="some")': "arg-type",
    'table.plot("bar")': "arg-type",
    'vp.local().requests.create("US adults", 200, response_mode="later")': "arg-type",
    'vp.local().groups.recruit("Some", filters=audience, size=200, sample_method="quota")': "arg-type",
    'vp.Study.open(vp.local(), 1).ask("Why?", type="opne")': "arg-type",
    'number: int = vp.crosstab(people, "switch")': "assignment",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The errors of one run of mypy, by the line of code that each is about."""
    names = [f"vp.{name}" for name in dir(vp)]
    source = "\n".join(["import pandas as pd", "import voxpop as vp", RIGHT, *names, *WRONG])
    path = tmp_path_factory.mktemp("typed") / "use.py"
    path.write_text(source, encoding="utf-8")
    run = [sys.executable, "-m", "mypy", str(path)]  # with our settings, and so with the cache of .ci/lint
    named = {**os.environ, "MYPYPATH": "src"}
    done = subprocess.run(run, cwd=ROOT, env=named, capture_output=True, text=True, check=False)
    lines, found = source.splitlines(), dict[str, list[str]]()
    for number, code in re.findall(r"use\.py:(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE):
        found.setdefault(lines[int(number) - 1], []).append(code)
    assert "checked 1 source file" in done.stdout, done.stdout + done.stderr
    return found


def test_right_use_has_no_error(told: dict[str, list[str]]) -> None:
    assert {line: codes for line, codes in told.items() if line not in WRONG} == {}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_use_is_an_error(line: str, told: dict[str, list[str]]) -> None:
    assert told.get(line) == [WRONG[line]]


def test_the_right_use_runs() -> None:
    held: dict[str, object] = {"pd": pd, "vp": vp}
    exec(compile(RIGHT.replace('.save("chart.svg")', ""), "use.py", "exec"), held)
    assert isinstance(held["table"], vp.Table)
