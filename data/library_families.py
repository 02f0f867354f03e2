"""Groups the questions of the library of human answers by family and sets aside a fifth of the families.

`python data/library_families.py us_gss_items.csv` writes `tests/reference/library_families.csv`. It was run once,
before the matcher was designed. Questions are of one family if they share the beginning of their wording, the stem
of their name (without digits and the letter of a split ballot), or most of the words of their title. A family is
set aside by a digest of the name that comes first in it.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from pathlib import Path

WRITTEN = Path(__file__).parents[1] / "tests" / "reference" / "library_families.csv"
SALT = "voxpop library 2026-11-23/"
ONE_IN = 5
BEGINNING = 45
"""Characters of wording, without notes to the interviewer, that two questions of a battery share."""
STEMS = ("nat", "spk", "col", "lib", "suicide", "racdif", "knw", "hlp", "aid", "sprt", "poltrt", "lonely")
"""Names of batteries whose wording is cut or put in other words by part of the codebook."""

NOTE = re.compile(r"\([^)]*(?:hand card|for each|would you say|using this card)[^)]*\)|^[A-Z]\.\s*", re.I)


def beginning(wording: str) -> str:
    """Return the first letters of a question without notes."""
    bare = NOTE.sub("", wording).strip(" (.").lower()
    return re.sub(r"[^a-z]+", " ", bare).strip()[:BEGINNING]


def words(title: str) -> frozenset[str]:
    """Return the longer words of a title."""
    return frozenset(word for word in re.findall(r"[a-z]+", title.lower()) if len(word) > 2)


def families(items: list[dict[str, str]]) -> dict[str, str]:
    """Return the family of each item: the name that comes first in it."""
    names = [row["item"] for row in items]
    of = {name: name for name in names}

    def root(name: str) -> str:
        while of[name] != name:
            name = of[name]
        return name

    def join(one: str, other: str) -> None:
        first, second = sorted((root(one), root(other)))
        of[second] = first

    seen: dict[str, str] = {}
    for row in items:
        name = row["item"]
        keys = [re.sub(r"\d+y?$|y$", "", name)]
        keys += [stem + "*" for stem in STEMS if name.startswith(stem)]
        if len(beginning(row["wording"])) >= BEGINNING:
            keys.append(beginning(row["wording"]))
        for key in keys:
            join(name, seen.setdefault(key, name))
    told = {row["item"]: words(row["title"]) for row in items}
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            both, either = told[one] & told[other], told[one] | told[other]
            if len(both) >= 2 and len(both) / len(either) >= 0.6:
                join(one, other)
    return {name: root(name) for name in names}


def set_aside(family: str) -> bool:
    """Return whether a family is set aside."""
    digest = hashlib.sha256((SALT + family).encode()).digest()
    return int.from_bytes(digest[:8], "big") % ONE_IN == 0


def main(path: Path) -> None:
    with path.open(encoding="utf-8") as lines:
        found = families(list(csv.DictReader(lines)))
    with WRITTEN.open("w", encoding="utf-8", newline="") as written:
        rows = csv.writer(written, lineterminator="\n")
        rows.writerow(("item", "family", "set_aside"))
        rows.writerows((item, family, str(set_aside(family)).lower()) for item, family in found.items())
    aside = [item for item, family in found.items() if set_aside(family)]
    print(f"{len(set(found.values()))} families of {len(found)} items; {len(aside)} items set aside")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
