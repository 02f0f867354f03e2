"""The engines of a service: the default one, and others that a question may name."""

from __future__ import annotations

from collections.abc import Mapping

from voxpop.engines.engine import Engine
from voxpop.errors import ServiceError
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.vocabulary.question_parts import wrong_part


class Engines:
    """Engines by name, the default one first.

    Parameters
    ----------
    engines
        Each engine by the name under which it is configured.
    """

    def __init__(self, engines: Mapping[str, Engine]) -> None:
        self._engines = dict(engines)
        self.default: Engine = next(iter(self._engines.values()))

    @property
    def remote(self) -> bool:
        """Whether any engine is a slow remote service."""
        return any(one.remote for one in self._engines.values())

    @property
    def batched(self) -> bool:
        """Whether any engine answers in batches, for which work waits up to a day."""
        return any(getattr(one.respondent, "batched", False) for one in self._engines.values())

    def asked(self, name: str | None) -> Engine:
        """Return the engine that a caller names, or the default one.

        Raises
        ------
        InvalidRequest
            The service has no such engine.
        """
        found = self._found(name)
        if found is None:
            near = did_you_mean(nearest(str(name), self._engines)) or "."
            told = f"this service has no engine {name!r}{near} It has {', '.join(self._engines)}."
            raise wrong_part("engine", told)
        return found

    def stored(self, name: str | None) -> Engine:
        """Return the engine of a stored question, or the default one.

        Raises
        ------
        ServiceError
            The service was restarted without this engine.
        """
        found = self._found(name)
        if found is None:
            raise ServiceError(
                f"The question names the engine {name}, which this service was started without.",
                code="engine_unknown",
            )
        return found

    def close(self) -> None:
        """Cancel running work of all engines and close their connections."""
        for one in self._engines.values():
            one.close()

    def _found(self, name: str | None) -> Engine | None:
        if name is None:
            return self.default
        by_own_name = {one.name: one for one in self._engines.values()}
        return self._engines.get(name) or by_own_name.get(name)
