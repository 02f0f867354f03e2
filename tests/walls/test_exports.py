"""The public face: sorted, complete, importable, and nothing else."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import voxpop


def test_all_is_sorted_and_short() -> None:
    assert voxpop.__all__ == sorted(voxpop.__all__)
    assert len(voxpop.__all__) <= 25


@pytest.mark.parametrize("name", voxpop.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(voxpop, name)
    assert name == "__version__" or thing.__doc__


def test_dir_shows_the_advertised_names_and_nothing_else() -> None:
    advertised = {*voxpop.__all__, *voxpop._ALSO, *voxpop._MODULES}
    assert dir(voxpop) == sorted(advertised)
    assert set(voxpop.__all__) == {*voxpop._HOMES, "__version__"}


@pytest.mark.parametrize("name", dir(voxpop))
def test_every_advertised_name_loads(name: str) -> None:
    assert getattr(voxpop, name) is not None


def test_submodules_load_at_their_first_use() -> None:
    code = "import voxpop as vp; print(vp.widgets.__name__, vp.examples.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["voxpop.widgets", "voxpop.examples"]


def test_dir_stays_the_same_after_submodules_are_loaded() -> None:
    before = dir(voxpop)
    importlib.import_module("voxpop.client.groups")
    assert dir(voxpop) == before


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="crosstabs"):
        _ = voxpop.crosstabs  # type: ignore[attr-defined]
