"""The first agents of a population are the smaller population, and a random sample of the larger one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from voxpop.population.blocks import BLOCK, draw_block
from voxpop.population.columns import Category, Column, Members
from voxpop.population.countries import parts
from voxpop.population.file import build_file
from voxpop.population.queries import Population

SEED, SMALL, LARGE = 5, 12_345, 30_000


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Files of the smaller and the larger population of one seed; no size is a whole number of blocks."""
    folder = tmp_path_factory.mktemp("sizes")
    found = folder / "small.duckdb", folder / "large.duckdb"
    for path, size in zip(found, (SMALL, LARGE), strict=True):
        build_file(path, size, SEED)
    return found


@pytest.fixture(scope="module")
def both(paths: tuple[Path, Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name, path in zip(("small", "large"), paths, strict=True):
            connection.execute(f"ATTACH '{path}' AS {name} (READ_ONLY)")
        yield connection


def described(connection: duckdb.DuckDBPyConnection, name: str) -> list[tuple[str, str]]:
    return connection.execute(
        f"SELECT column_name, column_type FROM (DESCRIBE {name}.agents) ORDER BY column_name"
    ).fetchall()


def values(column: Column) -> list[np.ndarray]:
    if isinstance(column, Category):
        return [column.codes]
    if isinstance(column, Members):
        return [column.flags, column.known]
    return [column.values] if column.known is None else [column.values, column.known]


def equal(first: Column, second: Column) -> bool:
    return all(np.array_equal(*pair) for pair in zip(values(first), values(second), strict=True))


def test_the_first_agents_are_the_smaller_population(both: duckdb.DuckDBPyConnection) -> None:
    """Every column has the same type, labels and values, UUIDs included."""
    columns = described(both, "small")
    assert columns == described(both, "large")
    assert len(columns) > 45
    assert ("uuid", "UUID") in columns
    for name, _ in columns:
        differ, pairs = both.execute(
            f"SELECT count(*) FILTER (s.{name} IS DISTINCT FROM l.{name}), count(*) "
            "FROM small.agents s JOIN large.agents l USING (id)"
        ).fetchone()
        assert (name, differ, pairs) == (name, 0, SMALL)
    assert both.execute("SELECT max(id) FROM large.agents").fetchone() == (LARGE,)


def test_counts_of_a_smaller_population_are_its_own(paths: tuple[Path, Path]) -> None:
    with Population(paths[0]) as small, Population(paths[1]) as large:
        assert (small.size, large.size) == (SMALL, LARGE)
        assert (small.name, large.name) == (
            f"{small.version}-{SEED}-{SMALL}",
            f"{large.version}-{SEED}-{LARGE}",
        )
        ids = [1, BLOCK, BLOCK + 1, SMALL]
        assert small.agents(ids) == large.agents(ids)


def test_uuids_of_all_blocks_are_unique(both: duckdb.DuckDBPyConnection) -> None:
    assert both.execute("SELECT count(DISTINCT uuid) FROM large.agents").fetchone() == (LARGE,)


def test_a_block_does_not_depend_on_the_blocks_before_it() -> None:
    """Block 2 is the same alone, after others, and drawn again; other blocks and seeds differ."""
    alone = draw_block(SEED, 2)
    other = draw_block(SEED, 0)
    again = draw_block(SEED, 2)
    assert list(alone) == list(again)
    assert all(equal(alone[name], again[name]) for name in alone)
    for differing in (other, draw_block(SEED + 1, 2)):
        assert not any(equal(alone[name], differing[name]) for name in alone if name != "gender")
        assert {name: column.labels for name, column in alone.items() if isinstance(column, Category)} == {
            name: column.labels for name, column in differing.items() if isinstance(column, Category)
        }


def test_a_block_drawn_alone_is_that_of_the_file(both: duckdb.DuckDBPyConnection) -> None:
    ages = both.execute(
        "SELECT age FROM large.agents WHERE id > 10000 AND id <= 20000 ORDER BY id"
    ).fetchall()
    assert BLOCK == 10_000
    assert [age for (age,) in ages] == draw_block(SEED, 1)["age"].values.tolist()


@pytest.mark.parametrize("first", [500, 2_000, 7_500])
def test_the_first_agents_are_a_random_sample(large: Population, first: int) -> None:
    """Country, age, sex and schooling of the first agents differ from all by sampling errors only."""
    with duckdb.connect(str(large.path), read_only=True) as agents:
        for field in ("country", "gender", "education", "age // 10", "state", "urban_rural", "is_parent"):
            found = agents.execute(
                f"SELECT {field}, count(*) FILTER (id <= {first}), count(*) FROM agents "
                f"WHERE {field} IS NOT NULL GROUP BY 1"
            ).fetchall()
            sample, whole = (sum(row[at] for row in found) for at in (1, 2))
            for level, some, every in found:
                share = every / whole
                error = (share * (1 - share) / sample) ** 0.5
                # 4.5 standard errors of a simple random sample, for some 300 levels and 3 samples
                assert abs(some / sample - share) <= 4.5 * error + 1 / sample, (field, level)


def test_ids_say_nothing_about_an_agent(large: Population) -> None:
    """Ids are unrelated to age, country and income: each correlation is within 4.5 / sqrt(agents)."""
    with duckdb.connect(str(large.path), read_only=True) as agents:
        for value in ("age", "(country = 'USA')::INT", "enum_code(income_quintile)", "household_size", "bmi"):
            found, size = agents.execute(f"SELECT corr(id, {value}), count({value}) FROM agents").fetchone()
            assert abs(found) < 4.5 / size**0.5, value


@pytest.mark.parametrize("number", [0, 1, 7])
def test_every_block_has_the_share_of_each_country(number: int) -> None:
    column = draw_block(SEED, number)["country"]
    assert isinstance(column, Category)
    counts = np.bincount(column.codes, minlength=len(column.labels))
    for country, share in parts().items():
        assert abs(counts[column.labels.index(country)] - share * BLOCK) < 1
    assert counts[column.labels.index("USA")] == pytest.approx(BLOCK * (1 - sum(parts().values())), abs=1)
