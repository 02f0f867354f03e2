"""The sample study that ships with voxpop: 300 agents and 8 questions of all types, without a service."""

from __future__ import annotations

import hashlib
import tarfile
from functools import cache
from pathlib import Path

from voxpop.errors import StoreError
from voxpop.files import whole_folder
from voxpop.settings import home
from voxpop.tables import Store, open_export

_HERE = Path(__file__).resolve().parent
_CHECKOUT = _HERE.parents[1] / "data" / "sample_study"
_PACKED = _HERE / "sample_study.tar.xz"
"""The sample in an installed package."""


def folder() -> Path:
    """Return the folder of the sample study, an export as written by :meth:`voxpop.Store.export`.

    An installed package unpacks it into the data folder of voxpop (``VOXPOP_HOME``) on first use.

    Raises
    ------
    StoreError
        The sample is neither in the package nor in the checkout.

    Examples
    --------
    >>> sorted(path.name for path in folder().glob("*.json"))
    ['codebook.json', 'datapackage.json', 'manifest.json', 'provenance.json']
    """
    if _PACKED.is_file():
        return _unpacked(_PACKED, home() / "examples")
    if (_CHECKOUT / "manifest.json").is_file():
        return _CHECKOUT
    raise StoreError("The sample study is missing. In a checkout, run: python data/make_sample_study.py")


def _unpacked(packed: Path, examples: Path) -> Path:
    """Return the unpacked folder of an archive, which is named by its content and written once."""
    place = examples / f"sample_study-{_digest(packed)}"
    if not place.is_dir():
        with whole_folder(place) as draft, tarfile.open(packed) as archive:
            for member in archive:
                content = archive.extractfile(member)
                assert content is not None  # the build packs nothing but files
                path = draft / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content.read())
    return place


@cache
def _digest(packed: Path) -> str:
    return hashlib.sha256(packed.read_bytes()).hexdigest()[:12]


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
