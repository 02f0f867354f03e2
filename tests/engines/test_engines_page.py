"""The page on engines: its code is the package beside this test, and runs as it stands."""

from __future__ import annotations

import contextlib
import io
import re
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "engines.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def test_the_engine_on_the_page_is_the_one_that_is_installed_in_tests() -> None:
    code, _ = BLOCK.findall(PAGE)[0]
    assert code == (HERE / "third_party" / "toplines_engine.py").read_text(encoding="utf-8")
    told = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    project = tomllib.loads((HERE / "third_party" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tomllib.loads(told)["project"] == project


def test_the_code_of_the_page_runs_and_prints_what_it_shows() -> None:
    names: dict[str, Any] = {"__name__": "page"}
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == 4
    for code, shown in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "engines.md", "exec", dont_inherit=True), names)
        assert said.getvalue().strip() == shown.strip()
