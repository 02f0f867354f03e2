"""The wheel: its size, and its packed texts and tables, read as an installed package reads them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import pytest

import voxpop
from voxpop.population.file import open_population
from voxpop.text_files import columns_of, pack, rows_of

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
FILES = """
import csv, pathlib, sys, time
opened = []
sys.addaudithook(lambda event, about: opened.append(str(about[0])) if event == "open" else None)
import voxpop
assert not [path for path in opened if path.endswith((".xz", ".bz2"))], opened

import voxpop_simulator
from voxpop.text_files import rows_of, text_of
installed, source = map(pathlib.Path, sys.argv[1:])
for package in (voxpop, voxpop_simulator):
    assert pathlib.Path(package.__file__).is_relative_to(installed), package.__file__
began = time.process_time()
rows_of(installed / "voxpop/population/reference/us_urban_rural.csv")
assert time.process_time() - began < 0.25
for line in sys.stdin.read().split():
    with (source / line).open(encoding="utf-8", newline="") as whole:
        if line.endswith(".csv"):
            assert list(rows_of(installed / line)) == list(csv.DictReader(whole)), line
        else:
            assert text_of(installed / line) == whole.read(), line
print("the same")
"""
POPULATION = """
import pathlib, sys
from voxpop.population import file, reference
assert pathlib.Path(reference.__file__).is_relative_to(sys.argv[1]), reference.__file__
print(file.open_population(500, 4, home=pathlib.Path(sys.argv[2])).size)
"""
SAMPLE = """
import os, sys
os.environ["VOXPOP_HOME"] = sys.argv[1]
import voxpop
with voxpop.examples.load() as store:
    print(store.tables()["agents"], voxpop.verify(voxpop.examples.folder()).ok)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as whole:
        whole.extractall(folder)
    return folder


def told(installed: Path, program: str, *words: Path, given: str = "") -> str:
    """Return what a program that imports the installed wheel prints."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        input=given,
        env={**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=installed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def agents_of(home: Path) -> str:
    """Return a digest of the agents in the only population of a folder."""
    (path,) = (home / "population").glob("*.duckdb")
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute("SELECT * FROM agents ORDER BY id").fetchall()
    assert len(rows) == 500
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def test_it_has_at_most_three_point_three_megabytes(wheel: Path) -> None:
    assert wheel.stat().st_size <= 3_300_000


def test_the_same_source_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_an_installed_wheel_reads_the_packed_texts_and_tables_on_first_use(installed: Path) -> None:
    texts = list((SOURCE / "voxpop_simulator").rglob("*.txt"))
    tables = list((SOURCE / "voxpop").glob("*/reference/*.csv"))
    assert len(texts) > 20
    assert len(tables) > 70
    names = [path.relative_to(SOURCE).as_posix() for path in (*texts, *tables)]
    assert not [name for name in names if (installed / name).exists()]
    assert told(installed, FILES, installed, SOURCE, given="\n".join(names)) == "the same"


def test_an_installed_wheel_builds_the_population_of_the_source(installed: Path, tmp_path: Path) -> None:
    assert Path(voxpop.__file__).is_relative_to(SOURCE)
    open_population(500, 4, home=tmp_path / "source").close()
    assert told(installed, POPULATION, installed, tmp_path / "wheel") == "500"
    assert agents_of(tmp_path / "wheel") == agents_of(tmp_path / "source")


def test_an_installed_wheel_unpacks_and_verifies_the_sample(installed: Path, tmp_path: Path) -> None:
    assert told(installed, SAMPLE, tmp_path) == "300 True"
    (unpacked,) = (tmp_path / "examples").iterdir()
    sample = ROOT / "data" / "sample_study"
    names = {path.relative_to(sample) for path in sample.rglob("*") if path.is_file()}
    assert {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()} == names
    assert all((unpacked / name).read_bytes() == (sample / name).read_bytes() for name in names)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.md": "a"}, "must have .txt files or .csv files"),
        ({"a.txt": "a", "b.csv": "b\n"}, "and not both"),
        ({"a.csv": "a,b\n1,2\n3\n"}, "shorter"),
        ({"a.csv": "a,b\n1\x1f,2\n"}, "has a separator"),
    ],
)
def test_a_folder_that_cannot_be_packed_is_refused(files: dict[str, str], words: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        pack(tmp_path)


def test_packed_cells_keep_what_csv_quotes_and_tables_may_be_empty(tmp_path: Path) -> None:
    folder = tmp_path / "reference"
    folder.mkdir()
    (folder / "a.csv").write_text('x,y\n"one, two","three\nfour"\n,"""é"""\n', encoding="utf-8")
    (folder / "b.csv").write_text("x,y\n", encoding="utf-8")
    name, content = pack(folder)
    (tmp_path / name).write_bytes(content)
    shutil.rmtree(folder)
    assert rows_of(folder / "a.csv") == ({"x": "one, two", "y": "three\nfour"}, {"x": "", "y": '"é"'})
    assert columns_of(folder / "b.csv") == {"x": (), "y": ()}
    with pytest.raises(KeyError, match=r"c\.csv"):
        rows_of(folder / "c.csv")
