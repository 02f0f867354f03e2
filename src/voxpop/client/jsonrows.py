"""Streaming decoder for JSON answers, which converts typed pieces directly to Arrow columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from voxpop.errors import ConnectionFailed, ServiceError

if TYPE_CHECKING:
    import pyarrow as pa

PIECE = 1 << 22
"""Number of bytes to decode at once."""

_NEAR = 1 << 14
_START = b'"answers"'
_BETWEEN = (b'},{"', b'}, {"')
_NULL = msgspec.Raw(b"null")
_PROFILE = (
    *("agent_name", "agent_age", "agent_city", "agent_state", "agent_country", "agent_occupation"),
    "agent_summary",
)

Rows: TypeAlias = "pa.RecordBatch | list[dict[str, Any]]"
"""Answers as Arrow columns, or as plain JSON objects if they deviate from the documented form."""


class AnswerRow(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An answer of a bulk read; ``value`` and ``option_order`` stay JSON, because many are equal."""

    agent_id: int
    id: int | None = None
    study_id: int | None = None
    question_id: int | None = None
    job_id: str | None = None
    response_text: str | None = None
    value: msgspec.Raw = _NULL
    option_order: msgspec.Raw = _NULL
    answered_at: str | None = None
    engine: str | None = None
    basis: str | None = None
    basis_note: str | None = None
    agent_removed: bool | None = None


class NamedAnswerRow(AnswerRow, gc=False, forbid_unknown_fields=False):
    """An answer without the details of its agent."""

    agent_uuid: str | None = None
    question_uuid: str | None = None


class FullAnswerRow(NamedAnswerRow, gc=False):
    """An answer in its documented form, with the details of its agent."""

    agent_name: str | None = None
    agent_age: int | None = None
    agent_city: str | None = None
    agent_state: str | None = None
    agent_country: str | None = None
    agent_occupation: str | None = None
    agent_summary: str | None = None


class QuestionRow(msgspec.Struct):
    """A question whose answers are decoded later."""

    id: int
    answers: msgspec.Raw = msgspec.Raw(b"[]")


class QuestionRows(msgspec.Struct):
    """The documented list of questions."""

    questions: list[QuestionRow] = []


_rows = msgspec.json.Decoder(list[AnswerRow])
_named_rows = msgspec.json.Decoder(list[NamedAnswerRow])
_full_rows = msgspec.json.Decoder(list[FullAnswerRow])
_plain_rows = msgspec.json.Decoder(list[dict[str, Any]])
_lines = msgspec.json.Decoder(AnswerRow).decode_lines
_full_lines = msgspec.json.Decoder(FullAnswerRow).decode_lines
_plain_lines = msgspec.json.Decoder(dict[str, Any]).decode_lines
_listed = msgspec.json.Decoder(QuestionRows)
_parts = msgspec.json.Decoder(dict[str, msgspec.Raw])
_parts_of_each = msgspec.json.Decoder(list[dict[str, msgspec.Raw]] | None)


def from_lines(pieces: Iterable[bytes], where: str) -> Iterator[Rows]:
    """Yield answers from NDJSON, one per line."""
    rest = b""
    for piece in _gathered(pieces):
        held, _, rest = (rest + piece).rpartition(b"\n")
        if held:
            yield _batch_of_lines(held, where)
    if rest.strip():
        try:
            yield _batch_of_lines(rest, where)
        except ServiceError:
            raise ConnectionFailed(f"The stream of answers from {where} broke off.") from None


def from_json(pieces: Iterable[bytes], where: str) -> Iterator[Rows]:
    """Yield answers from ``{"answers": [...]}``, split between two answers.

    ``},{"`` can also occur inside a text. A split there leaves the first part invalid, so it is decoded
    together with what follows.
    """
    held = b""
    begun = False
    for piece in _gathered(pieces):
        held += piece
        if not begun:
            start = held.find(b"[", held.find(_START) + len(_START)) if _START in held[: 1 << 16] else -1
            begun, held = start >= 0, held[start + 1 :] if start >= 0 else held
        cut = _between(held) if begun else -1
        if cut >= 0 and (batch := _tried(b"[" + held[: cut + 1] + b"]")) is not None:
            yield batch
            held = held[held.index(b"{", cut) :]
    yield from _last_of(held, begun, where)


def _between(held: bytes) -> int:
    """Return the end of the second-last answer, normally near the end of the bytes; -1 if it is not found."""
    for start in (max(0, len(held) - _NEAR), 0):
        if (cut := max(held.rfind(mark, start) for mark in _BETWEEN)) >= 0:
            return cut
    return -1


def _last_of(held: bytes, begun: bool, where: str) -> Iterator[Rows]:
    if not begun:
        raise ServiceError(f"{where} did not return answers: {held[:60]!r}.", status=200, code="bad_answer")
    end = held.rfind(b"]")
    batch = _tried(b"[" + held[: end + 1]) if end >= 0 else None
    if batch is None:
        raise ConnectionFailed(f"The stream of answers from {where} broke off.")
    if len(batch):
        yield batch


def questions_in(body: bytes, where: str) -> list[QuestionRow]:
    """Return the documented list of questions, with their answers not yet decoded."""
    try:
        return _listed.decode(body).questions
    except msgspec.DecodeError:
        raise _no_questions(where) from None


def answers_to(question: QuestionRow, after: int = 0, met: set[int] | None = None) -> Iterator[Rows]:
    """Yield the decoded answers to one question whose id is above ``after``.

    Parameters
    ----------
    question : QuestionRow
        The question.
    after : int
        An answer id.
    met : set of int, optional
        Agents whose details are known from other questions and are not needed again; the agents of this
        question are added.
    """
    met = set() if met is None else met
    try:
        named = _named_rows.decode(question.answers)
        rows: Sequence[AnswerRow] = named
        full = not met.issuperset(row.agent_id for row in rows)
        if full := full or any(row.agent_uuid or row.question_uuid for row in named):
            rows = _full_rows.decode(question.answers)
    except msgspec.ValidationError:
        plain = _plain_rows.decode(question.answers)
        yield [{**one, "question_id": one.get("question_id") or question.id} for one in plain]
        return
    for row in rows:
        row.question_id = row.question_id or question.id
    if chosen := [row for row in rows if not after or (row.id or 0) > after]:
        met.update(map(attrgetter("agent_id"), chosen))
        yield columns_of(chosen, full=full)


def without_answers(body: bytes, where: str) -> dict[str, Any]:
    """Return the documented list of questions, dropping answers that the service includes anyway."""
    try:
        told = _parts.decode(body)
        each = _parts_of_each.decode(told.pop("questions", _NULL)) or []
        rest = {name: msgspec.json.decode(part) for name, part in told.items()}
        return rest | {
            "questions": [
                {name: msgspec.json.decode(part) for name, part in one.items() if name != "answers"}
                for one in each
            ]
        }
    except msgspec.DecodeError:
        raise _no_questions(where) from None


def _no_questions(where: str) -> ServiceError:
    return ServiceError(f"{where} did not return a list of questions.", status=200, code="bad_answer")


def _batch_of_lines(lines: bytes, where: str) -> Rows:
    """Convert NDJSON answers to columns, or to plain objects if they have another form."""
    try:
        return _columns(lines, _lines, _full_lines, _plain_lines)
    except msgspec.DecodeError as error:
        raise ServiceError(
            f"The answers from {where} are not valid JSON: {error}.", status=200, code="bad_answer"
        ) from None


def _tried(body: bytes) -> Rows | None:
    try:
        return _columns(body, _rows.decode, _full_rows.decode, _plain_rows.decode)
    except msgspec.DecodeError:
        return None


def _columns(
    body: bytes,
    usual: Callable[[bytes], list[AnswerRow]],
    full: Callable[[bytes], list[FullAnswerRow]],
    plain: Callable[[bytes], list[dict[str, Any]]],
) -> Rows:
    try:
        return columns_of(usual(body))
    except msgspec.ValidationError:  # decoding details of agents is noticeably slower with very many answers
        pass
    try:
        return columns_of(full(body), full=True)
    except msgspec.ValidationError:
        return plain(body)


def columns_of(rows: Sequence[AnswerRow], *, full: bool = False) -> pa.RecordBatch:
    """Convert answers to the columns of a bulk read in Arrow, plus those of further details."""
    import pyarrow as pa

    columns = {}
    for name, kind in (_types() | _more() if full else _types()).items():
        held = list(map(attrgetter(name), rows))
        if name == "value":
            columns[name] = _texts(held)
        elif name == "option_order":
            columns[name] = _orders(held)
        else:
            columns[name] = pa.array(held, kind)
    return pa.RecordBatch.from_pydict(columns)


def _texts(held: Sequence[msgspec.Raw]) -> Any:
    """Build a text column from pieces of JSON, which cannot contain zero bytes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not held:
        return pa.array([], pa.string())
    return pc.split_pattern(pa.array([b"\0".join(held)], pa.binary()).cast(pa.string()), "\0").flatten()


def _orders(held: Sequence[msgspec.Raw]) -> Any:
    """Parse option orders, each distinct one once."""
    import pyarrow as pa

    texts = _texts(held).dictionary_encode()
    read = [msgspec.json.decode(text) for text in texts.dictionary.to_pylist()]
    return pa.array(read, pa.list_(pa.int64())).take(texts.indices)


@cache
def _types() -> dict[str, Any]:
    import pyarrow as pa

    whole, text = pa.int64(), pa.string()
    return {
        **{"id": whole, "question_id": whole, "agent_id": whole, "job_id": text, "response_text": text},
        **{"value": text, "option_order": None, "answered_at": text, "engine": text},
        **{"basis": text, "basis_note": text},
        "agent_removed": pa.bool_(),
    }


@cache
def _more() -> dict[str, Any]:
    import pyarrow as pa

    texts = dict.fromkeys(("question_uuid", "agent_uuid", *_PROFILE), pa.string())
    return texts | {"agent_age": pa.int64()}


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Join incoming bytes into pieces large enough to decode."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)
