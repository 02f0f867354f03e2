"""Compute every table of this export again from its data, and compare; exit 1 on a difference.

Needs voxpop: the version that wrote this stands in provenance.json.
"""

import sys
from pathlib import Path

from voxpop.checking import check, people, results

folder = Path(__file__).resolve().parent
data = people(folder)  # one row per agent, from data/*.parquet, as a relation and as a frame
wrong = 0
for told in results(folder):  # spec/tables.json and tables/*.json
    found = check(told, data)
    print(f"{told.id}: {found or 'same'}")
    wrong += found is not None
sys.exit(1 if wrong else 0)
