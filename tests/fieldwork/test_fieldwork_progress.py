"""The progress line: where it is seen, where it is silent."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest

from voxpop.fieldwork.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def notebook_stream() -> Any:
    return type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()


@pytest.mark.parametrize("setting", ["off", "OFF", "0", "no"])
def test_it_is_silent_when_switched_off(setting: str) -> None:
    with progress(Terminal(), {"VOXPOP_PROGRESS": setting}) as say:
        assert say is None


def test_it_is_silent_where_nobody_looks() -> None:
    with progress(io.StringIO(), {}) as say:
        assert say is None


def test_it_is_silent_while_notebooks_are_tested() -> None:
    with progress(notebook_stream(), {"PYTEST_VERSION": "9"}) as say:
        assert say is None


def test_a_terminal_shows_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    with progress(out, {}) as say:
        assert say is not None
        say("switch: 120 of [200] agents have answered")
    assert "120 of [200] agents" in out.getvalue()


def test_a_terminal_with_nothing_to_say_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    with progress(out, {}):
        pass
    assert out.getvalue() == ""


def test_a_notebook_writes_over_one_line_and_leaves_the_last() -> None:
    out = notebook_stream()
    with progress(out, {}) as say:
        assert say is not None
        say("asking 200 agents")
        say("done")
    assert out.getvalue() == "\rasking 200 agents\rdone             \n"


def test_a_notebook_with_nothing_to_say_writes_nothing() -> None:
    out = notebook_stream()
    with progress(out, {}):
        pass
    assert out.getvalue() == ""


def test_importing_fieldwork_loads_neither_tables_nor_the_service() -> None:
    heavy = [
        "duckdb",
        "pandas",
        "pyarrow",
        "fastapi",
        "sqlalchemy",
        "rich",
        "voxpop.tables",
        "voxpop.service",
    ]
    code = f"import sys; sys.modules.update(dict.fromkeys({heavy!r})); import voxpop.client, voxpop.fieldwork"
    subprocess.run([sys.executable, "-c", code], check=True)
