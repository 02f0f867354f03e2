"""The sample study that ships with voxpop: 300 agents and 8 questions of all types, without a service."""

from __future__ import annotations

from pathlib import Path

from voxpop.errors import StoreError
from voxpop.tables import Store, open_export

_HERE = Path(__file__).resolve().parent
_PLACES = (_HERE / "sample_study", _HERE.parents[1] / "data" / "sample_study")
"""Folders of the sample in an installed package and in a checkout."""


def folder() -> Path:
    """Return the folder of the sample study, an export as written by :meth:`voxpop.Store.export`.

    Raises
    ------
    StoreError
        The sample is neither in the package nor in the checkout.

    Examples
    --------
    >>> sorted(path.name for path in folder().glob("*.json"))
    ['codebook.json', 'datapackage.json', 'manifest.json', 'provenance.json']
    """
    for place in _PLACES:
        if (place / "manifest.json").is_file():
            return place
    raise StoreError("The sample study is missing. In a checkout, run: python data/make_sample_study.py")


def load() -> Store:
    """Open the sample study as a store in memory.

    Examples
    --------
    >>> store = load()
    >>> store.sql("SELECT count(*) FROM agents").fetchall()
    [(300,)]
    >>> store.close()
    """
    return open_export(folder())
