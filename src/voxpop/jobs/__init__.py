"""Background work: the queue, the runner, and one handler per kind of work item.

The database rows are the authoritative record of the work; a queue only announces it.
"""

from __future__ import annotations
