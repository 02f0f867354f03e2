"""The audit log of the organization, as an iterator and as a frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voxpop.client.checks import whole_number
from voxpop.client.shapes import read
from voxpop.client.transport import Transport
from voxpop.wire.audit import MOST_ENTRIES, AuditEntry, AuditLog

if TYPE_CHECKING:
    import pandas as pd

_LARGEST = 2**63 - 1


class Audit:
    """``client.audit``: the organization's append-only log; it needs a key with the scope ``audit:read``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, after: int = 0) -> Iterator[AuditEntry]:
        """Iterate over the entries, oldest first.

        Parameters
        ----------
        after : int
            Only entries with an id above this one.

        Examples
        --------
        ::

            for entry in client.audit.list():
                print(entry.at, entry.key_prefix, entry.action, entry.object_kind, entry.object_id)
        """
        place: int | None = whole_number("after", after, 0, _LARGEST)
        while place is not None:
            page = read(
                AuditLog,
                self._transport.get("/organization/audit-log", {"after": place, "limit": MOST_ENTRIES}),
            )
            yield from page.entries
            place = page.next_after

    def frame(self, *, after: int = 0) -> pd.DataFrame:
        """Return the entries as a pandas frame, one row each, oldest first.

        Parameters
        ----------
        after : int
            Only entries with a higher id.
        """
        import pandas as pd  # imported where used

        columns = list(AuditEntry.model_fields)
        rows = [[getattr(entry, name) for name in columns] for entry in self.list(after=after)]
        made = pd.DataFrame(rows, columns=columns)
        whole = dict.fromkeys(("key_id", "quantity"), "Int64") | {"id": "int64"}
        return made.assign(at=pd.to_datetime(made["at"], utc=True)).astype(whole)
