"""The service's state: SQL tables, one module of queries per family, migrations.

Every query takes a connection and the organization; what another organization has does not exist for it.
Nothing outside ``database.py`` knows which database it is.
"""

from __future__ import annotations
