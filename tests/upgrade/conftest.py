"""A home with the population of an earlier version, as that version built it.

``populations/2026.3-7-3000.duckdb.xz`` was built by the last commit whose ``POPULATION_VERSION`` was 2026.3,
with ``voxpop population build --agents 3000 --seed 7``, and packed with ``xz -9``. What lies in ``written``
was recruited from it.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

OLDER = "2026.3-7-3000"
PACKED = Path(__file__).parent / "populations" / f"{OLDER}.duckdb.xz"

collect_ignore = ["conftest.py"]  # no doctests here, and several modules of this name cannot be collected


@pytest.fixture
def older_home(tmp_path: Path) -> Path:
    """Return a home whose only population is an earlier one."""
    place = tmp_path / "older" / "population" / f"{OLDER}.duckdb"
    place.parent.mkdir(parents=True)
    place.write_bytes(lzma.decompress(PACKED.read_bytes()))
    return place.parent.parent


@pytest.fixture
def older_file(older_home: Path) -> Path:
    """Return the file of that population."""
    return older_home / "population" / f"{OLDER}.duckdb"
