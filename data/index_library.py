"""The words of the library's items, written for a fast start: `python data/index_library.py`.

Run it after a change of the items or of the way their wording is read; a test compares the table.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from voxpop_simulator.library import files
from voxpop_simulator.library.entries import told, written

TABLE = Path(files.__file__).parent / "tables" / "entries.csv"


def main() -> None:
    rows = [written(item) for item in told()]
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    sys.stdout.write(f"{TABLE.name}: {len(rows)} items.\n")


if __name__ == "__main__":
    main()
