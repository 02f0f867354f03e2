"""The client: each ``client.<family>.<verb>`` is one call, with retries, polling and paging built in."""

from __future__ import annotations

from voxpop.client.client import Client
from voxpop.client.filters import Counts
from voxpop.client.findings import Findings
from voxpop.client.jobs import ended, succeeded
from voxpop.client.polling import Polling
from voxpop.client.requests import Recruitment
from voxpop.client.studies import ShareLink, Sharing

__all__ = [
    "Client",
    "Counts",
    "Findings",
    "Polling",
    "Recruitment",
    "ShareLink",
    "Sharing",
    "ended",
    "succeeded",
]
