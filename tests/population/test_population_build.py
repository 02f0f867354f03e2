"""A population is built once, is the same every time, and is refused when its file is not whole."""

from __future__ import annotations

import hashlib
import shutil
import signal
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from forked_commands import run
from voxpop.errors import PopulationError, UsageError
from voxpop.population.file import build_file, open_population
from voxpop.population.queries import Population
from voxpop.population.reference import POPULATION_VERSION
from voxpop.vocabulary.filters import where


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a population of 300 agents, seed 2."""
    folder = tmp_path_factory.mktemp("built")
    open_population(300, 2, home=folder).close()
    return folder


@pytest.fixture
def copied(built: Path, tmp_path: Path) -> Path:
    """The same folder, to be spoiled."""
    return shutil.copytree(built, tmp_path / "copied")


def file_of(home: Path, population: Population) -> Path:
    return home / "population" / f"{population.name}.duckdb"


def content_hash(path: Path) -> str:
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute("SELECT * FROM agents ORDER BY id").fetchall()
        return hashlib.sha256(repr(rows).encode()).hexdigest()


def test_the_same_seed_and_size_give_the_same_content(tmp_path: Path) -> None:
    hashes = []
    for folder in ("one", "two"):
        with_same = open_population(1_500, 11, home=tmp_path / folder)
        with_same.close()
        hashes.append(content_hash(file_of(tmp_path / folder, with_same)))
    other = open_population(1_500, 12, home=tmp_path)
    other.close()
    assert hashes[0] == hashes[1]
    assert content_hash(file_of(tmp_path, other)) != hashes[0]


def test_the_file_says_what_it_was_built_from(small: Population, home: Path) -> None:
    assert small.name == f"{small.version}-3-2000"
    assert (small.seed, small.size) == (3, 2_000)
    assert file_of(home, small) == small.path
    assert small.path.is_file()
    assert small.meta["reference_version"] == "2026-11-22"
    assert "2,000 agents" in repr(small)


def test_categories_are_enums_and_lists_are_lists_of_enums(small: Population, home: Path) -> None:
    with duckdb.connect(str(file_of(home, small)), read_only=True) as connection:
        types = dict(connection.execute("SELECT column_name, column_type FROM (DESCRIBE agents)").fetchall())
        ids = [row[0] for row in connection.execute("SELECT id FROM agents").fetchall()]
    assert types["gender"] == "ENUM('male', 'female', 'non_binary')"
    assert types["state"].startswith("ENUM(")
    assert types["health_conditions"].startswith("ENUM(")
    assert types["health_conditions"].endswith("[]")
    assert (types["uuid"], types["bmi"], types["age"]) == ("UUID", "DOUBLE", "UTINYINT")
    assert ids == list(range(1, 2_001))


def test_uuids_are_valid_unique_and_lead_back_to_the_agent(small: Population) -> None:
    agents = small.agents([1, 2, 1_999, 2_000])
    assert {uuid.UUID(agent.uuid).version for agent in agents} == {8}
    assert {uuid.UUID(agent.uuid).variant for agent in agents} == {uuid.RFC_4122}
    assert [small.id_of(agent.uuid) for agent in agents] == [1, 2, 1_999, 2_000]
    assert len({agent.uuid for agent in small.agents(range(1, 2_001))}) == 2_000
    assert small.id_of("3a7734d6-baff-83dc-b683-19d6a982a633") is None
    assert small.id_of("not a uuid") is None


@pytest.mark.parametrize(("agents", "seed"), [(0, 7), (-1, 7), (10**9, 7), (100, -1), (True, 7)])
def test_a_size_or_seed_out_of_range_is_refused(tmp_path: Path, agents: int, seed: int) -> None:
    with pytest.raises(UsageError, match="must be a whole number from"):
        open_population(agents, seed, home=tmp_path)


@pytest.mark.parametrize("size", [1, 30])
def test_even_a_tiny_population_can_be_built(tmp_path: Path, size: int) -> None:
    population = open_population(size, 1, home=tmp_path)
    assert population.count(where()) == size
    assert len(population.agents(range(1, size + 1))) == size
    assert population.ranges(where())["age"]["min"] is not None
    population.close()


def test_a_second_opening_does_not_build_again(home: Path, small: Population) -> None:
    said: list[str] = []
    open_population(2_000, 3, home=home, progress=said.append).close()
    assert said == []


def test_ten_processes_that_ask_at_once_share_one_build(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from voxpop.population.file import open_population\n"
        "from voxpop.vocabulary.filters import where\n"
        "said = []\n"
        "population = open_population(2000, 6, home=Path(sys.argv[1]), progress=said.append)\n"
        "print(population.count(where()), any(text.startswith('building') for text in said))\n"
    )
    with ThreadPoolExecutor(10) as crowd:
        started = [crowd.submit(run, "-c", code, str(tmp_path)) for _ in range(10)]
        answers = [process.result().stdout.split() for process in started]
    assert [answer[0] for answer in answers] == ["2000"] * 10
    assert [answer[1] for answer in answers].count("True") == 1
    assert len(list((tmp_path / "population").glob("*.duckdb"))) == 1
    assert list((tmp_path / "population").glob("*building*")) == []


def test_a_build_killed_at_any_moment_leaves_no_broken_file(tmp_path: Path) -> None:
    """The process is killed (SIGKILL) at each word that it says, and while it writes the file."""
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from voxpop.population.file import open_population\n"
        "def said(words):\n"
        "    if sys.argv[2] in words:\n"
        "        if sys.argv[3:]:\n"  # let the file begin, then die in the middle of it
        "            import threading, time\n"
        "            folder = Path(sys.argv[1], 'population')\n"
        "            def wait():\n"
        "                while not any(p.stat().st_size for p in folder.glob('.*.building')):\n"
        "                    time.sleep(0.001)\n"
        "                os.kill(os.getpid(), signal.SIGKILL)\n"
        "            threading.Thread(target=wait, daemon=True).start()\n"
        "        else:\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "open_population(20000, 6, home=Path(sys.argv[1]), progress=said)\n"
    )
    folder = tmp_path / "population"
    for moment in (["a population of"], ["counting"], ["a population of", "later"]):
        done = run("-c", code, str(tmp_path), *moment)
        assert done.returncode == -signal.SIGKILL
        assert list(folder.glob("*.duckdb")) == []
    assert len(list(folder.glob(".*.building"))) == 1
    population = open_population(20_000, 6, home=tmp_path)
    assert population.count(where()) == 20_000
    assert list(folder.glob(".*building*")) == []
    population.close()


def test_what_a_stopped_build_left_is_cleared_away(copied: Path) -> None:
    left = copied / "population" / f".{POPULATION_VERSION}-2-40.deadbeef.building"
    left.write_bytes(b"half a file")
    population = open_population(40, 2, home=copied)
    assert population.name == f"{POPULATION_VERSION}-2-40"
    assert not left.exists()
    population.close()


@pytest.mark.parametrize("damage", ["cut", "cut at the head", "empty", "garbage", "another database"])
def test_a_damaged_file_is_refused_with_its_name_and_what_to_do(copied: Path, damage: str) -> None:
    path = copied / "population" / f"{POPULATION_VERSION}-2-300.duckdb"
    whole = path.read_bytes()
    if damage == "another database":
        path.unlink()
        with duckdb.connect(str(path)) as connection:
            connection.execute("CREATE TABLE other AS SELECT 1 AS x")
    else:
        parts = {
            "cut": whole[:-300_000],
            "cut at the head": whole[:5_000],
            "empty": b"",
            "garbage": b"x" * 70_000,
        }
        path.write_bytes(parts[damage])
    with pytest.raises(PopulationError, match="Delete the file") as caught:
        open_population(300, 2, home=copied)
    assert str(path) in str(caught.value)


def test_a_file_damaged_in_the_middle_is_noticed_when_read(tmp_path: Path) -> None:
    population = open_population(30_000, 2, home=tmp_path)
    population.close()
    path = file_of(tmp_path, population)
    content = bytearray(path.read_bytes())
    for at in range(20_000, len(content) - 262_144, 50_000):
        content[at : at + 64] = b"\xff" * 64
    path.write_bytes(bytes(content))
    with pytest.raises(PopulationError, match="cannot be read"):
        open_population(30_000, 2, home=tmp_path).facets(where())


def test_a_population_can_be_built_into_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mine.duckdb"
    build_file(path, 400, 2)
    with Population(path) as population:
        assert (population.size, population.count(where())) == (400, 400)
    with pytest.raises(UsageError, match="already exists"):
        build_file(path, 400, 2)
    assert [found.name for found in path.parent.iterdir()] == ["mine.duckdb"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "population").write_text("a file where the folder should be")
    with pytest.raises(PopulationError, match="cannot be built"):
        open_population(10, 1, home=tmp_path)


def test_a_closed_population_says_so(built: Path) -> None:
    with open_population(300, 2, home=built) as population:
        assert population.size == 300
    population.close()
    with pytest.raises(PopulationError, match="is closed"):
        population.count(where(age=30))


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import sys, voxpop.population; print([m for m in ('numpy', 'duckdb', 'scipy') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
