"""Several waves of a panel as one table: one row per agent and wave."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from duckdb import DuckDBPyConnection, DuckDBPyRelation

from voxpop.engines.basis_counts import counted
from voxpop.errors import UsageError
from voxpop.tables.columns import enum
from voxpop.tables.people import Variable, provenance_note, respondents_view, variables
from voxpop.tables.schema import literal, quote

_UNKEYED = re.compile(r"q\d+(_\d+)*")
_NUMBERS = ("INTEGER", "DOUBLE")


def waves_of(cursor: DuckDBPyConnection, study_uuid: str) -> list[str]:
    """Return the studies of a study's panel that the store has, first wave to last."""
    found = cursor.execute(
        "SELECT study_uuid FROM studies WHERE coalesce(panel_uuid, study_uuid) = "
        "(SELECT coalesce(panel_uuid, study_uuid) FROM studies WHERE study_uuid = ?) "
        "ORDER BY coalesce(wave, 1), study_uuid",
        [study_uuid],
    ).fetchall()
    return [uuid for (uuid,) in found]


def panel_view(cursor: DuckDBPyConnection, study_uuids: Sequence[str], *, removed: bool) -> DuckDBPyRelation:
    """Create the view of several waves and return it as a relation, ordered by wave and agent.

    The answers to questions with the same key share a column. Its metadata are those of
    :func:`voxpop.tables.people.respondents_view`, with the answers of all waves counted together.

    Raises
    ------
    UsageError
        The studies are not waves of one panel, or a key stands for different kinds of questions.
    """
    wave_of = _numbered(cursor, study_uuids)
    asked = {uuid: variables(cursor, uuid, removed=removed) for uuid in wave_of}
    columns = _merged([(wave_of[uuid], item) for uuid in wave_of for item in asked[uuid]])
    parts = []
    for uuid in wave_of:
        held = respondents_view(cursor, uuid, removed=removed, panel=True)
        own = {item.name for item in asked[uuid]}
        profile = [quote(name) for name in held.columns if name not in own]
        answers = [
            f"{quote(name) if name in own else 'NULL'}{'::VARCHAR' if name in own else ''}::{kind} "
            f"AS {quote(name)}"
            if kind.startswith("ENUM")
            else f"{quote(name) if name in own else 'NULL'}::{kind} AS {quote(name)}"
            for name, (kind, _) in columns.items()
        ]
        parts.append(f"SELECT {', '.join([*profile, *answers])} FROM {quote(held.alias)}")
    mark = hashlib.sha256(" ".join([*wave_of, str(removed)]).encode()).hexdigest()[:32]
    view = f"respondents_waves_{mark}"
    cursor.execute(
        f"CREATE OR REPLACE TEMP VIEW {view} AS SELECT * FROM ({' UNION ALL BY NAME '.join(parts)}) "
        "ORDER BY wave, agent_id, agent_uuid"
    )
    notes = dict.fromkeys(provenance_note(cursor, uuid) for uuid in wave_of)
    cursor.execute(f"COMMENT ON VIEW {view} IS {literal(_joined(list(notes)))}")
    told = {name: about for name, (_, about) in columns.items()}
    told["wave"] = {"text": "Wave", "waves": list(wave_of.values())}
    for name, about in told.items():
        text = json.dumps(about, ensure_ascii=False, sort_keys=True)
        cursor.execute(f"COMMENT ON COLUMN {view}.{quote(name)} IS {literal(text)}")
    return cursor.view(view)


def _numbered(cursor: DuckDBPyConnection, study_uuids: Sequence[str]) -> dict[str, int]:
    """Return the wave of each study, first to last."""
    if not study_uuids:
        raise UsageError("study: name at least one wave.")
    known = cursor.execute(
        "SELECT study_uuid, coalesce(wave, 1), coalesce(panel_uuid, study_uuid), title FROM studies "
        "WHERE study_uuid IN (SELECT unnest(?)) ORDER BY 2, 1",
        [list(study_uuids)],
    ).fetchall()
    if len({panel for _, _, panel, _ in known}) > 1:
        titles = ", ".join(repr(title) for *_, title in known)
        raise UsageError(f"study: {titles} are not waves of one panel; read each by itself.")
    return {uuid: wave for uuid, wave, _, _ in known}


def _merged(asked: Sequence[tuple[int, Variable]]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return type and metadata of each column, in the order first asked."""
    found: dict[str, list[tuple[int, Variable]]] = {}
    for wave, item in asked:
        found.setdefault(item.name, []).append((wave, item))
    return {name: _column(name, same) for name, same in found.items()}


def _column(name: str, same: Sequence[tuple[int, Variable]]) -> tuple[str, dict[str, Any]]:
    (first, one), *others = same
    about: dict[str, Any] = dict(one.about)
    kind = one.sql_type
    for wave, other in others:
        other_words = other.about["text"] != one.about["text"]
        if other.about["type"] != one.about["type"] or (other_words and _UNKEYED.fullmatch(name)):
            raise UsageError(
                f"{name!r} is {one.about['text']!r} ({one.about['type']}) in wave {first} and "
                f"{other.about['text']!r} ({other.about['type']}) in wave {wave}; give different questions "
                "different keys, or read the waves one by one."
            )
        if other_words:
            about["notice"] = f"Wave {wave} has other words: {other.about['text']!r}."
        kind = _common(kind, other)
        about |= _ends(about, other.about)
    bases = [part for _, item in same for part in item.about.get("bases") or ()]
    if bases:
        rows = [
            (part["kind"], note, part["answers"] if place == 0 else 0)
            for part in bases
            for place, note in enumerate(part["notes"] or [None])
        ]
        about["bases"] = counted(rows)
    if options := [option for _, item in same for option in item.about.get("options") or ()]:
        about["options"] = list(dict.fromkeys(options))
    return kind, about


def _common(kind: str, other: Variable) -> str:
    """Return the type that holds the answers of two waves."""
    if kind == other.sql_type:
        return kind
    if kind in _NUMBERS and other.sql_type in _NUMBERS:
        return "DOUBLE"
    levels = [level for text in (kind, other.sql_type) for level in _levels(text)]
    return enum(list(dict.fromkeys(levels)))


def _levels(kind: str) -> list[str]:
    """Return the levels in the definition of an ENUM.

    Examples
    --------
    >>> _levels("ENUM('yes', 'don''t know')")
    ['yes', "don't know"]
    """
    return [level.replace("''", "'") for level in re.findall(r"'((?:[^']|'')*)'", kind)]


def _ends(about: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ends of a scale that covers those of two waves."""
    if about.get("min") is None or other.get("min") is None:
        return {}
    return {"min": min(about["min"], other["min"]), "max": max(about["max"], other["max"])}


def _joined(notes: Sequence[str]) -> str:
    """Return the provenance of several waves, naming each engine, population and version once."""
    parts: dict[str, dict[str, None]] = {}
    for note in notes:
        for part in filter(None, note.split("; ")):
            kind = next(one for one in ("engine", "population", "health data", part) if part.startswith(one))
            rest = part[len(kind) :].strip()
            parts.setdefault(kind, {}).update(dict.fromkeys(rest.split(", ") if rest else ()))
    return "; ".join(f"{kind} {', '.join(names)}".strip() for kind, names in parts.items())
