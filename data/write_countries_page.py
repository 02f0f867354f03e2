"""Write the tables of ``docs/populations-abroad.md`` from the table of statuses in the code.

Run by hand after a change of the statuses: ``python data/write_countries_page.py``.
"""

from __future__ import annotations

from pathlib import Path

from voxpop.population.countries_known import tables_as_text

PAGE = Path(__file__).parents[1] / "docs/populations-abroad.md"
FIRST, LAST = "<!-- tables -->", "<!-- end of tables -->"

text = PAGE.read_text(encoding="utf-8")
before, after = text.split(FIRST)[0], text.split(LAST)[1]
PAGE.write_text(f"{before}{FIRST}\n\n{tables_as_text()}\n\n{LAST}{after}", encoding="utf-8")
