"""The public face: sorted, complete, importable, and nothing else."""

from __future__ import annotations

import pytest

import voxpop


def test_all_is_sorted_and_short() -> None:
    assert voxpop.__all__ == sorted(voxpop.__all__)
    assert len(voxpop.__all__) <= 25


@pytest.mark.parametrize("name", voxpop.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(voxpop, name)
    assert name == "__version__" or thing.__doc__


def test_dir_shows_the_public_names() -> None:
    assert set(voxpop.__all__) <= set(dir(voxpop))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="crosstabs"):
        _ = voxpop.crosstabs  # type: ignore[attr-defined]
