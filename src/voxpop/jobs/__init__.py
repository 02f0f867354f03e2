"""What runs in the background: the queue, the runner, and one handler per kind of work.

The rows of the database are the truth about work; a queue only says that there is some.
"""

from __future__ import annotations
