"""JSON Schemas of the tool arguments, from the filter vocabulary and the wire models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from voxpop.vocabulary.fields import FIELDS, Field

Schema = dict[str, Any]

LONGEST_WAIT_S = 600.0
"""Maximum wait of a tool in seconds; larger values are capped."""

_LIVE = "The values in use and their counts: v1.filters.get with this field in fields."


@cache
def filter_properties() -> Mapping[str, Schema]:
    """Return the arguments of a filter: one or more per field, ``match`` and ``filters``.

    Examples
    --------
    >>> sorted(name for name in filter_properties() if name.startswith("age"))
    ['age', 'age_max', 'age_min']
    """
    properties: dict[str, Schema] = {}
    for field in FIELDS.values():
        properties[field.name] = _field(field)
        if field.kind == "range":
            properties |= {f"{field.name}_{end}": _bound(field, end) for end in ("min", "max")}
    properties["match"] = {
        "type": "string",
        "enum": ["all", "any"],
        "default": "all",
        "description": "Whether an agent must meet every condition given, or at least one.",
    }
    properties["filters"] = {
        "type": "object",
        "description": "The whole filter as one object, instead of the arguments for single fields or beside "
        'them: {"match": "all", "filters": {"country": "USA", "age": {"min": 25, "max": 64}, '
        '"health_conditions": {"all": ["hypertension", "diabetes_t2"]}}}. A list or {"any": [...]} matches '
        'any of its values, {"all": [...]} only agents with all of them. Beside the fields: "not" with a '
        'filter excludes its agents, and those whose value is not recorded stay; "any" and "all" take lists '
        'of filters, as in {"country": "USA", "not": {"state": "TX"}, "any": [{"gender": "female"}, '
        '{"age": {"min": 65}}]}. {"count": {"min": 2}} on a list field wants that number of values.',
    }
    return properties


def body_properties(model: type[BaseModel], without: Iterable[str] = ()) -> dict[str, Schema]:
    """Return the fields of a request body as arguments."""
    schema = model.model_json_schema()
    left_out = set(without)
    given = {name: part for name, part in schema["properties"].items() if name not in left_out}
    return {name: _plain(part, schema.get("$defs", {})) for name, part in given.items()}


def wait_property(what: str | None) -> Schema:
    """Return the argument ``poll_timeout_seconds``; ``what`` names the awaited event, if any."""
    told = (
        f"Wait up to so many seconds, {LONGEST_WAIT_S:g} at most, until {what}; the last state is returned "
        "when the time is over, and the work goes on. Without it the answer comes at once."
        if what
        else "Taken by every tool; this one answers at once and has nothing to wait for."
    )
    return {"type": "number", "minimum": 0, "default": 0, "description": told}


def key_property() -> Schema:
    """Return the argument ``idempotency_key`` of a tool that changes something."""
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "description": "Your own key for this call. For 24 hours the same key and arguments give the first "
        "result again and do nothing twice: use it when you do not know whether a call went through.",
    }


def reference(what: str) -> Schema:
    """Return an argument for an id or UUID."""
    return {"type": ["integer", "string"], "description": what}


def object_schema(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    """Return the schema of the arguments of a tool."""
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _field(field: Field) -> Schema:
    told = [field.meaning]
    if field.kind == "range":
        told.append('As {"min": ..., "max": ...}, both ends included; a number alone means exactly that.')
    told += [field.note] if field.note else []
    told += [_LIVE] if field.kind == "category" and not field.levels else []
    if field.kind == "list":
        told.append('A list matches any of its values, {"all": [...]} only agents with all of them.')
    if field.aliases:
        told.append(f"Also accepted as {', '.join(field.aliases)}.")
    return _values(field) | {"description": " ".join(told)}


def _values(field: Field) -> Schema:
    if field.kind == "boolean":
        return {"type": "boolean"}
    if field.kind == "range":
        number = {"type": "integer" if field.integer else "number"}
        ends = {"type": "object", "properties": {"min": number, "max": number}, "additionalProperties": False}
        return {"anyOf": [ends, number]}
    value: Schema = {"type": "string"}
    if field.levels:
        value["enum"] = [*field.levels, *field.sums]
    forms: list[Schema] = [value, {"type": "array", "items": value, "minItems": 1}]
    if field.kind == "list":
        named = {"type": "array", "items": {"type": "string"}, "minItems": 1}
        ends = {name: {"type": "integer", "minimum": 0} for name in ("min", "max")}
        count = {"type": "object", "properties": ends, "additionalProperties": False}
        ways = {"any": named, "all": named, "count": count}
        both = {"type": "object", "properties": ways, "additionalProperties": False}
        forms.append(both)
    return {"anyOf": forms}


def _bound(field: Field, end: str) -> Schema:
    which = {"min": "lowest", "max": "highest"}[end]
    unit = f" in {field.unit}" if field.unit not in (None, "points", "medication classes") else ""
    return {
        "type": "integer" if field.integer else "number",
        "description": f"The {which} {field.name}{unit} wanted, itself included.",
    }


def _plain(part: Schema, named: Mapping[str, Schema]) -> Schema:
    """Return a schema without titles, references and nulls, which a model does not need."""
    if "$ref" in part:
        found = named[part["$ref"].rsplit("/", 1)[1]]
        part = found | {name: value for name, value in part.items() if name != "$ref"}
    if "anyOf" in part:
        forms = [_plain(one, named) for one in part["anyOf"] if one.get("type") != "null"]
        told = {name: value for name, value in part.items() if name != "anyOf"}
        part = (forms[0] if len(forms) == 1 else {"anyOf": forms}) | told
    kept = {name: value for name, value in part.items() if name != "title"}
    if kept.get("default", 0) is None:
        del kept["default"]
    if "properties" in kept:
        kept["properties"] = {name: _plain(one, named) for name, one in kept["properties"].items()}
    if isinstance(kept.get("items"), dict):
        kept["items"] = _plain(kept["items"], named)
    return kept
