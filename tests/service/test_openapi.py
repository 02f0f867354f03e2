"""The API description says everything: of each call, each field, each error and each scope."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from endpoints_table import routes, scopes
from running_service import Service
from voxpop.records.keys import SCOPES

SCHEMAS = "#/components/schemas/"
ERROR = {"$ref": f"{SCHEMAS}ErrorResponse"}


@pytest.fixture(scope="module")
def document(embedded: Service) -> dict[str, Any]:
    return embedded.app.openapi()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def properties(part: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every property of a schema, those of schemas inside it too."""
    if isinstance(part, dict):
        named = part.get("properties")
        if isinstance(named, dict):
            yield from ((f"{place}.{name}", each) for name, each in named.items())
        for name, each in part.items():
            yield from properties(each, f"{place}.{name}")
    elif isinstance(part, list):
        for each in part:
            yield from properties(each, place)


def test_it_has_every_route_and_no_other(document: dict[str, Any]) -> None:
    assert {name for name, _ in operations(document)} == {
        f"{min(route.methods)} {route.path}" for route in routes()
    }


def test_every_call_has_a_summary_a_description_a_family_and_a_name_of_its_own(
    document: dict[str, Any],
) -> None:
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(names) == len(set(names))
    for name, operation in operations(document):
        assert operation["summary"].strip(), name
        assert len(operation["tags"]) == 1, name
        said = operation["description"].split("Scope of the key:")[0].strip()
        assert said.endswith("."), name
        assert said.rstrip(".") != operation["summary"].rstrip("."), name


def test_every_call_names_its_scope_for_programs_and_for_people(document: dict[str, Any]) -> None:
    told = dict(operations(document))
    for route in routes():
        operation = told[f"{min(route.methods)} {route.path}"]
        if scopes(route):
            assert operation["security"] == [{"key": []}]
            assert operation["x-required-scope"] == list(scopes(route))
            words = " or ".join(f"`{scope}`" for scope in scopes(route))
            assert operation["description"].count(f"Scope of the key: {words}.") == 1
        else:
            assert "security" not in operation
            assert "x-required-scope" not in operation


def test_the_key_is_described_once(document: dict[str, Any]) -> None:
    (scheme,) = document["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert scheme["description"]


def test_every_parameter_and_body_is_described(document: dict[str, Any]) -> None:
    bare = []
    for name, operation in operations(document):
        for parameter in operation.get("parameters", []):
            if parameter["in"] != "path" and not (
                parameter.get("description") or parameter["schema"].get("description")
            ):
                bare.append(f"{name} {parameter['name']}")
        for media in operation.get("requestBody", {}).get("content", {}).values():
            assert media["schema"], name
    assert bare == []


def test_every_schema_and_every_field_of_it_is_described(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    bare = [place for place, each in properties(schemas, "schemas") if not each.get("description")]
    assert bare == []


def test_every_reference_leads_somewhere_and_every_schema_is_used(document: dict[str, Any]) -> None:
    used = {part.split('"')[0] for part in json.dumps(document).split(SCHEMAS)[1:]}
    assert used == set(document["components"]["schemas"])


def test_what_is_answered_besides_json_is_named(document: dict[str, Any]) -> None:
    answered = {
        name: set(operation["responses"]["200"]["content"])
        for name, operation in operations(document)
        if set(operation["responses"].get("200", {}).get("content", {})) - {"application/json"}
    }
    bulk = {"application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream"}
    assert answered.pop("GET /shared/{token}") == {"application/json", "text/html"}
    assert answered.pop("GET /v1/research-studies/{study_id}/answers") == bulk
    assert answered.pop("GET /v1/research-studies/{study_id}/agents") == bulk
    assert set(answered) == {"GET /v1/media-assets/{media_asset_id}/content"}


def test_every_error_is_documented_with_the_one_shape(document: dict[str, Any]) -> None:
    for name, operation in operations(document):
        answers = operation["responses"]
        errors = {status: body for status, body in answers.items() if status[0] not in "23"}
        assert "default" in errors, name
        assert any(status[0] in "23" for status in answers), name
        for status, body in errors.items():
            assert body["content"]["application/json"]["schema"] == ERROR, f"{name} {status}"
            assert body["description"].endswith("."), f"{name} {status}"
        if "security" in operation:
            assert {"401", "429"} <= set(errors), name
            assert "403" in errors or set(operation["x-required-scope"]) == set(SCOPES), name
        if "{" in name:
            assert "404" in errors, name
        if "requestBody" in operation:
            assert "400" in errors, name
