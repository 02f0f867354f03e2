"""Schemas of the tools: every field of the vocabulary, typed, with its values and meaning."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.mcp.schemas import filter_properties
from voxpop.mcp.tools import BY_NAME, TOOLS
from voxpop.vocabulary import FIELDS, Field

FILTERED = ("v1.agents.search", "v1.agents.find", "v1.research-groups.recruit")
CONTRACT = [
    "v1.filters.get",
    "v1.agents.search",
    "v1.agents.find",
    "v1.research-groups.recruit",
    "v1.research-group-requests.create",
    "v1.research-studies.create",
    "v1.research-studies.next-wave",
    "v1.research-studies.preview",
    "v1.research-studies.ask",
    "v1.research-studies.results",
    "v1.jobs.get",
]
READING = {
    "v1.filters.get",
    "v1.agents.search",
    "v1.agents.find",
    "v1.research-studies.preview",
    "v1.research-studies.results",
    "v1.jobs.get",
}


def forms(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["type"]: one for one in schema.get("anyOf", [schema])}


def test_the_tools_are_those_of_the_contract() -> None:
    assert [tool.name for tool in TOOLS] == CONTRACT
    assert {tool.name for tool in TOOLS if tool.reads} == READING


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_argument_is_typed_and_explained(tool: Any) -> None:
    schema = tool.arguments()
    assert set(schema["required"]) <= set(schema["properties"])
    for name, one in schema["properties"].items():
        assert one["description"], name
        assert "type" in one or "anyOf" in one, name
        assert not {"title", "$ref"} & set(one), name
    assert "poll_timeout_seconds" in schema["properties"]
    assert 60 < len(tool.description) < 600


@pytest.mark.parametrize("tool", FILTERED)
def test_filter_tools_take_every_field(tool: str) -> None:
    properties = BY_NAME[tool].arguments()["properties"]
    assert set(FIELDS) <= set(properties)
    assert {"match", "filters"} <= set(properties)


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_each_field_has_the_forms_of_its_kind(field: Field) -> None:
    schema = filter_properties()[field.name]
    assert field.meaning in schema["description"]
    if field.kind == "boolean":
        assert schema["type"] == "boolean"
    elif field.kind == "range":
        number = "integer" if field.integer else "number"
        assert set(forms(schema)) == {"object", number}
        assert set(forms(schema)["object"]["properties"]) == {"min", "max"}
        assert {filter_properties()[f"{field.name}_{end}"]["type"] for end in ("min", "max")} == {number}
    else:
        assert {"string", "array"} <= set(forms(schema))
        assert set(field.levels) <= set(forms(schema)["string"].get("enum", []))
        assert forms(schema)["array"]["items"] == forms(schema)["string"]
        assert all(alias in schema["description"] for alias in field.aliases)


def test_fields_of_discovery_is_an_array_of_fields() -> None:
    fields = BY_NAME["v1.filters.get"].arguments()["properties"]["fields"]
    assert fields["type"] == "array"
    assert fields["items"]["enum"] == list(FIELDS)
