"""The code of the README runs and gives the printed output."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def run(code: str, names: dict[str, Any]) -> Any:
    """Run a block as a notebook cell would: the last expression is its output."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "README.md", "exec"), names)
    return eval(compile(ast.Expression(last.value), "README.md", "eval"), names) if last else None


def test_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = FENCE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert blocks
    try:
        for code, shown in blocks:
            output = run(code, names)
            if shown:
                assert repr(output).strip() == shown.strip()
    finally:
        if "client" in names:
            names["client"].close()


def test_ci_runs_the_two_commands_of_the_readme_step_by_step() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("pip install -q", "pip install")
    steps = [step for line in ci.splitlines() for step in line.split(" && ")]
    for end in ("voxpop demo", "pytest"):
        (command,) = re.findall(rf"^python3 -m venv .*{end}$", readme, re.MULTILINE)
        for step in command.split(" && "):
            assert step in steps
            steps = steps[steps.index(step) + 1 :]


def test_ci_checks_lint_and_types_before_the_tests() -> None:
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert steps.index(".ci/lint") < steps.index(".venv/bin/pytest")
    lint = (ROOT / ".ci" / "lint").read_text(encoding="utf-8").splitlines()
    checks = ['"$bin/ruff" check', '"$bin/ruff" format --check', '"$bin/mypy"']
    assert lint[-4:] == [*checks, '"$bin/pytest" -q -n 0 -m slow tests/walls/test_types.py']
    assert "set -euo pipefail" in lint


def test_changelog_marks_every_entry() -> None:
    entries = re.findall(r"^- (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert entries
    assert [entry for entry in entries if not entry.startswith(("**breaking**", "**non-breaking**"))] == []


def test_the_readme_names_every_setting_of_an_engine() -> None:
    modules = (ROOT / "src" / "voxpop" / "settings").glob("*.py")
    settings = "".join(module.read_text(encoding="utf-8") for module in modules)
    read = set(re.findall(r'"(VOXPOP_ENGINE(?:_[A-Z]+)?)"', settings))
    assert {"VOXPOP_ENGINE", "VOXPOP_ENGINE_REPLICATE"} <= read
    assert read == set(
        re.findall(r"VOXPOP_ENGINE(?:_[A-Z]+)?", (ROOT / "README.md").read_text(encoding="utf-8"))
    )
