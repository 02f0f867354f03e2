"""The extra `widgets`: a one-sentence error where it is missing; nothing else imports it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def run(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("missing", ["anywidget", "traitlets"])
def test_without_the_extra_one_sentence_names_it(missing: str, tmp_path: Path) -> None:
    done = run(f"import sys; sys.modules[{missing!r}] = None; from voxpop.widgets import Explorer", tmp_path)
    assert done.stderr.splitlines()[-1] == (
        "voxpop.errors.UsageError: The widgets need the extra 'widgets'; "
        "install it with: pip install 'voxpop[widgets]'"
    )


def test_nothing_else_loads_it(tmp_path: Path) -> None:
    code = (
        "import sys, voxpop as vp, voxpop.fieldwork, voxpop.analysis, voxpop.tables, voxpop.client\n"
        "print([one for one in ('anywidget', 'ipywidgets', 'traitlets', 'IPython') if one in sys.modules])"
    )
    assert run(code, tmp_path).stdout == "[]\n"


def test_what_the_browser_runs_names_no_address() -> None:
    import voxpop.widgets

    folder = Path(voxpop.widgets.__file__).parent
    for name in ("view.js", "view.css"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "http" not in text
        assert "import " not in text
        assert "eval(" not in text
