"""Settings of background work on a database server."""

from __future__ import annotations

from dataclasses import dataclass

from voxpop.settings.reading import Environ, number, read_settings, setting, variables, whole


@dataclass(frozen=True, slots=True)
class WorkSettings:
    """Settings for sharing the work of a service between processes on one database server.

    Attributes
    ----------
    takeover_s : float
        Seconds without a heartbeat after which another worker takes the work over.
    concurrency : int
        Maximum number of work items to run concurrently per process.
    per_organization : int
        Maximum number of work items of one organization to run concurrently over all processes.
    connections : int
        Maximum number of database connections per process.
    """

    takeover_s: float = setting("VOXPOP_TAKEOVER", number(1, 3_600), 30.0)
    concurrency: int = setting("VOXPOP_CONCURRENCY", whole(1, 64), 2)
    per_organization: int = setting("VOXPOP_ORGANIZATION_CONCURRENCY", whole(1, 1_000), 4)
    connections: int = setting("VOXPOP_DATABASE_CONNECTIONS", whole(5, 1_000), 20)

    @classmethod
    def from_environment(cls, environ: Environ = None, *, concurrency: int | None = None) -> WorkSettings:
        """Read the settings; ``concurrency`` overrides ``VOXPOP_CONCURRENCY``.

        Raises
        ------
        UsageError
            A setting is not a number within its bounds.
        """
        source = variables(environ)
        if concurrency is not None:
            source = {**source, "VOXPOP_CONCURRENCY": str(concurrency)}
        return read_settings(cls, source)
