"""The wheel: its size, and its packed texts, read as an installed package reads them."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIMULATOR = ROOT / "src" / "voxpop_simulator"
ANSWER = """
import pathlib, sys
import voxpop, voxpop_simulator
from voxpop_simulator.text_files import text_of
assert pathlib.Path(voxpop_simulator.__file__).is_relative_to(sys.argv[1]), voxpop_simulator.__file__
for line in sys.stdin.read().split():
    text = text_of(pathlib.Path(voxpop_simulator.__file__).parent / line)
    assert text == (pathlib.Path(sys.argv[2]) / line).read_text("utf-8"), line
with voxpop.examples.load() as store:
    print(store.tables()["agents"], voxpop.verify(voxpop.examples.folder()).ok)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_it_has_at_most_3_megabytes(wheel: Path) -> None:
    assert wheel.stat().st_size <= 3_000_000


def test_an_installed_wheel_reads_every_text_and_opens_the_sample(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as whole:
        assert not [name for name in whole.namelist() if name.endswith(".txt") and "dist-info" not in name]
        whole.extractall(tmp_path)
    names = [path.relative_to(SIMULATOR).as_posix() for path in SIMULATOR.rglob("*.txt")]
    assert len(names) > 20
    done = subprocess.run(
        [sys.executable, "-c", ANSWER, str(tmp_path), str(SIMULATOR)],
        input="\n".join(names),
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["300", "True"], done.stderr
