"""The table of the words of the library's items is that of its code."""

from __future__ import annotations

from voxpop_simulator.library import files
from voxpop_simulator.library.entries import told, written


def test_the_table_has_the_words_of_every_item() -> None:
    """Run ``python data/index_library.py`` if this fails."""
    assert [dict(row) for row in files.rows("entries")] == [written(item) for item in told()]
