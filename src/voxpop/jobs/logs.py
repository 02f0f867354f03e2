"""Log lines, as text or as JSON: with the ids of the call or the work they belong to, and no secrets.

Whoever begins a call or a piece of work opens a :func:`thread_of` lines; what is logged inside it, in other
threads too, carries its ids. Errors of libraries are told without the values they complain of.
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
"""Where PostgreSQL shows the row that it does not take, answers and all."""

_CONTROLS = {number: f"\\x{number:02x}" for number in (*range(32), *range(127, 160))}
_LONGEST = 20_000

_ids: ContextVar[dict[str, Any] | None] = ContextVar("voxpop_log_ids", default=None)


@contextmanager
def thread_of(**ids: Any) -> Iterator[dict[str, Any]]:
    """Give every line that is logged inside these ids, and those that :func:`note` adds to them.

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
    """Add ids to the lines of this call or work; nothing happens outside of one."""
    noted = _ids.get()
    if noted is not None:
        noted.update(ids)


def tally(**counts: int) -> None:
    """Add numbers to what this call or work has counted so far."""
    noted = _ids.get()
    if noted is not None:
        for name, count in counts.items():
            noted[name] = noted.get(name, 0) + count


def masked(text: str) -> str:
    """Return a text with the secrets in it blotted out, and cut if it is very long.

    Examples
    --------
    >>> masked("vp_live_AbC-123 at postgresql://me:pass@host/x, Bearer abc")
    'vp_live_… at postgresql://me:…@host/x, Bearer …'
    """
    shown = _SECRETS.sub(lambda found: f"{found[found.lastgroup or 0]}…", text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


class TextLines(logging.Formatter):
    """One line of text for each event; a traceback follows on lines of its own."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Write the line; what a caller has sent cannot begin another one."""
        return masked(super().formatMessage(record)).translate(_CONTROLS)

    def formatException(self, ei: Any) -> str:
        """Write a traceback without values."""
        return masked("".join(_traced(ei[1])).rstrip("\n"))


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, ids, and the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the line."""
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
    """Return the lines of a traceback, the errors behind it first."""
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
    """Return what an error says; of a model's or a database's error, not what it was given."""
    listed = getattr(error, "errors", None)
    if callable(listed) and type(error).__module__.startswith("pydantic"):
        problems = listed(include_input=False, include_context=False, include_url=False)
        return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['type']}" for each in problems)
    return _DATA.sub("", str(error))
