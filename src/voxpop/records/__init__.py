"""The service's state: SQL tables, one module of queries per family, migrations.

Every query takes a connection and an organization, and sees only the rows of that organization.
Only ``database.py`` knows which database is in use.
"""

from __future__ import annotations
