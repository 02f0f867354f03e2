"""Base class of the widgets: view tree, browser actions, errors, static view and shutdown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voxpop.errors import ServiceError, UsageError, VoxpopError
from voxpop.widgets.tree import Node, html_of, text_of
from voxpop.widgets.worker import Worker

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as _missing:
    raise UsageError(
        "The widgets need the extra 'widgets'; install it with: pip install 'voxpop[widgets]'"
    ) from _missing

_HERE = Path(__file__).parent


def message_of(error: Exception) -> str:
    """Return the message of an error, without status code and request id."""
    told = error.message if isinstance(error, ServiceError) else str(error)
    return told[:1].upper() + told[1:]


class Panel(anywidget.AnyWidget):
    """A widget that displays a value.

    A subclass builds the live view (:meth:`_live`), the static view for saved notebooks (:meth:`_still`), and
    one method ``_do_NAME(value, at)`` per browser action.

    Attributes
    ----------
    error : Exception or None
        The last error; None after a success.
    """

    _esm = _HERE / "view.js"
    _css = _HERE / "view.css"
    _view = traitlets.Dict().tag(sync=True)
    error: traitlets.Instance[Exception | None] = traitlets.Instance(Exception, allow_none=True)
    _closed = True  # nothing to close before construction is complete

    def __init__(self, name: str) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._seen = 0
        self._focus: dict[str, Any] = {"n": 0, "id": ""}
        self._trouble: dict[str, str] = {}
        self._worker = Worker(name)
        self._closed = False
        super().__init__()
        self.on_msg(self._received)

    # View

    def _live(self) -> Node:
        """Return the live view."""
        raise NotImplementedError

    def _still(self) -> Node:
        """Return the static view for a saved notebook: no controls, ids, clocks or secrets."""
        raise NotImplementedError

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change the state under the lock, and update the view once at the end."""
        with self._lock:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth and not self._closed:
                    self._view = {
                        "seq": self._seen,
                        "tree": self._live().to_json(),
                        "focus": dict(self._focus),
                    }

    def _move_focus(self, id: str) -> None:
        """Move the focus to another element, if it is in this widget."""
        self._focus = {"n": self._focus["n"] + 1, "id": id}

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        with self._lock:
            still = self._still()
        data: dict[str, Any] = {"text/plain": text_of(still), "text/html": html_of(still)}
        if self._closed:
            return data
        live = super()._repr_mimebundle_(**kwargs)
        if live is None:
            return data
        return {**live[0], **data}, live[1]

    def __repr__(self) -> str:
        with self._lock:
            return text_of(self._still())

    # Browser actions

    def _received(self, _: Any, content: dict[str, Any], buffers: Sequence[Any]) -> None:
        action: Callable[..., None] | None = getattr(self, f"_do_{content.get('do')}", None)
        with self._changing():
            self._seen = max(self._seen, int(content.get("seq") or 0))
            if action is None:
                return
            value = content.get("value")
            if buffers:
                value = [(name, bytes(data)) for name, data in zip(value or (), buffers, strict=False)]
            try:
                action(value, content.get("at"))
            except VoxpopError as error:
                self._failed(error)

    # Errors

    def _failed(self, error: Exception, field: str = "") -> None:
        """Store an error, and show it beside its field, or at the top."""
        with self._changing():
            self.error = error
            self._trouble[field] = message_of(error)

    def _succeeded(self, *fields: str) -> None:
        """Clear all errors, or those of some fields."""
        self._forget(*(fields or tuple(self._trouble)))

    def _forget(self, *fields: str) -> None:
        """Clear the errors of some fields."""
        for field in fields:
            self._trouble.pop(field, None)
        if not self._trouble:
            self.error = None

    def _work(self, task: Callable[[], None], field: str = "") -> Callable[[], None]:
        """Return the task wrapped for the thread: exceptions are shown and stored."""

        def guarded() -> None:
            try:
                task()
            except VoxpopError as error:
                self._failed(error, field)

        return guarded

    # Shutdown

    def close(self) -> None:
        """Close the widget, its thread and its connection to the browser. Results in the service remain."""
        if self._closed:
            return
        self._closed = True
        self._end()
        layout = self.layout
        super().close()
        self.__dict__.pop("_repr_mimebundle_", None)  # the static view stays available
        if layout is not None:
            layout.close()

    def _end(self) -> None:
        """Stop the background work of the widget."""
        self._worker.close()
