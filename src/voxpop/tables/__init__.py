"""Studies as typed tables: the store, its schema, exports and their verification."""

from __future__ import annotations

from voxpop.tables.differing import Diff, diff
from voxpop.tables.opening import open_export
from voxpop.tables.saving import Saved
from voxpop.tables.store import Store
from voxpop.tables.surveys import data
from voxpop.tables.verify import Report, verify
from voxpop.tables.writing import Change

__all__ = ["Change", "Diff", "Report", "Saved", "Store", "data", "diff", "open_export", "verify"]
