"""`import voxpop` has no side effects."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import json, logging, os, sys, threading
reads = []
class Watched(dict):
    pass
original = os.environ
class Environ(type(original)):
    def __getitem__(self, key):
        if str(key).startswith(("VOXPOP", "API_V1", "THESIS")): reads.append(key)
        return super().__getitem__(key)
original.__class__ = Environ
hook, handlers, threads = sys.excepthook, list(logging.getLogger().handlers), threading.active_count()
import voxpop
voxpop.where(country="USA", age=voxpop.between(25, 64))
print(json.dumps({
    "reads": reads,
    "hook": sys.excepthook is hook,
    "handlers": logging.getLogger().handlers == handlers,
    "threads": threading.active_count() == threads,
    "modules": [m for m in %r if m in sys.modules],
}))
"""
HEAVY = [
    "pandas",
    "numpy",
    "scipy",
    "duckdb",
    "pyarrow",
    "fastapi",
    "sqlalchemy",
    "httpx",
    "pydantic",
    "rich",
]


def run(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=True)


def test_import_prints_nothing_and_leaves_no_file(tmp_path: Path) -> None:
    done = run("import voxpop", tmp_path)
    assert (done.stdout, done.stderr, list(tmp_path.iterdir())) == ("", "", [])


def test_import_reads_no_setting_starts_nothing_and_loads_nothing_heavy(tmp_path: Path) -> None:
    assert json.loads(run(PROBE % HEAVY, tmp_path).stdout) == {
        "reads": [],
        "hook": True,
        "handlers": True,
        "threads": True,
        "modules": [],
    }


@pytest.mark.parametrize("name", ["voxpop.client", "voxpop.wire", "voxpop.fieldwork"])
def test_the_client_side_works_without_the_service(name: str, tmp_path: Path) -> None:
    blocked = ["fastapi", "uvicorn", "sqlalchemy", "alembic", "jinja2", "voxpop.service", "voxpop.records"]
    code = f"import sys\nsys.modules.update(dict.fromkeys({blocked!r}))\nimport {name}, voxpop\n"
    code += "client = voxpop.Client('http://127.0.0.1:9/v1', 'vp_live_' + 'x' * 43)\n"
    code += "print(client)\nclient.close()"
    shown = run(code, tmp_path).stdout
    assert "127.0.0.1:9" in shown
    assert "xxxxx" not in shown
