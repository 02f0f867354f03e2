"""Log formatting as text or JSON, with the ids of the call or work item and without secrets.

Code that starts a call or a work item opens a context with :func:`thread_of`; every record logged inside it,
in other threads too, carries its ids. Exceptions of libraries are logged without the values that caused them.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import msgspec

_SECRETS = re.compile(
    r"(?P<kept>vp_(?:live|free)_)[\w-]+"
    r"|(?P<scheme>\b[Bb]earer\s+)[^\s\"',]+"
    r"|(?P<place>/(?:shared|pay/checkout|pay/portal)/)[\w.~-]+"
    r"|(?P<user>://[^\s/:@]*:)[^\s/]+(?=@)"
    r"|(?P<other>\b(?:sk|rk|pk|whsec)[-_])[\w-]{8,}"
    r"|(?P<parameter>\b(?:password|api_key|token|secret)=)[^\s&\"',]+"
)
_DATA = re.compile(r"\n(?:DETAIL|CONTEXT|HINT):.*?(?=\n\[SQL|\n\(Background|\Z)", re.DOTALL)
"""Where PostgreSQL shows a rejected row, including answers."""

_CONTROLS = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160))}
_LONGEST = 20_000

_ids: ContextVar[dict[str, Any] | None] = ContextVar("voxpop_log_ids", default=None)


@contextmanager
def thread_of(**ids: Any) -> Iterator[dict[str, Any]]:
    """Add these ids, and those of :func:`note`, to every record logged inside the block.

    Examples
    --------
    >>> with thread_of(request_id="req_1") as noted:
    ...     note(job_id="job_1")
    ...     noted
    {'request_id': 'req_1', 'job_id': 'job_1'}
    """
    noted = dict(ids)
    before = _ids.set(noted)
    try:
        yield noted
    finally:
        _ids.reset(before)


def note(**ids: Any) -> None:
    """Add ids to the records of this call or work item; no effect outside of one."""
    noted = _ids.get()
    if noted is not None:
        noted.update(ids)


def tally(**counts: int) -> None:
    """Add to the counters of this call or work item."""
    noted = _ids.get()
    if noted is not None:
        for name, count in counts.items():
            noted[name] = noted.get(name, 0) + count


def masked(text: str) -> str:
    """Return a text with secrets masked, cut if it is very long.

    Examples
    --------
    >>> masked("vp_live_AbC-123 at postgresql://me:pass@host/x, Bearer abc")
    'vp_live_… at postgresql://me:…@host/x, Bearer …'
    """
    shown = _SECRETS.sub(lambda found: f"{found[found.lastgroup or 0]}…", text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


class TextLines(logging.Formatter):
    """Formatter with one line of text per event, followed by the lines of a traceback."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Format the record; text sent by callers cannot start a new line."""
        return masked(super().formatMessage(record)).translate(_CONTROLS)

    def formatException(self, ei: Any) -> str:
        """Format a traceback without values."""
        return masked("".join(_traced(ei[1])).rstrip("\n"))


class JsonLines(logging.Formatter):
    """Formatter with one JSON object per line: time, level, logger, message, ids, and any traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Format the record."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": moment.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": masked(record.getMessage()),
        }
        for name, value in {**(_ids.get() or {}), **getattr(record, "fields", {})}.items():
            line.setdefault(name, masked(value) if isinstance(value, str) else value)
        if record.exc_info and record.exc_info[1] is not None:
            line["exception"] = masked("".join(_traced(record.exc_info[1])).rstrip("\n"))
        return msgspec.json.encode(line, enc_hook=str).decode()


def _traced(error: BaseException) -> list[str]:
    """Return the lines of a traceback, starting with the causes of the error."""
    lines: list[str] = []
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if behind is not None:
        lines += [*_traced(behind), "\n"]
    if error.__traceback__ is not None:
        lines += ["Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__)]
    lines.append(f"{type(error).__module__}.{type(error).__qualname__}: {_without_values(error)}\n")
    lines += [f"{note}\n" for note in getattr(error, "__notes__", ())]
    for part in getattr(error, "exceptions", ()):
        lines += _traced(part)
    return lines


def _without_values(error: BaseException) -> str:
    """Return the message of an error, without input values for validation and database errors."""
    listed = getattr(error, "errors", None)
    if callable(listed) and type(error).__module__.startswith("pydantic"):
        problems = listed(include_input=False, include_context=False, include_url=False)
        return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['type']}" for each in problems)
    return _DATA.sub("", str(error))
