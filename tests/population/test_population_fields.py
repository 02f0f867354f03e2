"""The table of fields, the attributes written out beside it, and what a population holds agree."""

from __future__ import annotations

from typing import Any

import pytest

from voxpop.engines.agents import Agent, HealthProfile, annotation_of
from voxpop.population import layout
from voxpop.population.queries import Population
from voxpop.vocabulary.fields import FIELDS, Field, in_records
from voxpop.vocabulary.filters import where
from voxpop.vocabulary.matching import value_of
from voxpop.wire import agents as wire

SENT = {"text": "str", "texts": "list[str]", "boolean": "bool", "integer": "int", "number": "float"}
ABROAD = [name for name in FIELDS["country"].levels if name != "USA"]


@pytest.mark.parametrize(("written", "health"), [(Agent, False), (HealthProfile, True)])
def test_agents_have_an_attribute_for_each_row(written: type, health: bool) -> None:
    rows = in_records(health=health)
    told = {name: kind for name, kind in written.__annotations__.items() if name in _keys(rows)}
    assert list(told) == [row.record_key for row in rows]
    for row in rows:
        nullable = " | None" if row.nullable else ""
        assert told[row.record_key] == annotation_of(row).removesuffix(" | None") + nullable, row.name


@pytest.mark.parametrize(("model", "health"), [(wire.Agent, False), (wire.HealthProfile, True)])
def test_wire_models_have_a_field_for_each_row(model: type[wire.Agent], health: bool) -> None:
    rows = in_records(health=health)
    assert [name for name in model.model_fields if name in _keys(rows)] == [row.record_key for row in rows]
    for row in rows:
        kind = model.model_fields[row.record_key].annotation
        told = kind.__name__ if isinstance(kind, type) else str(kind)
        assert SENT[row.sent] in told, row.name
        assert row.meaning in (model.model_fields[row.record_key].description or "")


def test_columns_have_the_types_of_their_rows(small: Population) -> None:
    types = dict(small._rows(layout.TYPES))
    assert {name: types[name] for name in FIELDS} == {name: row.stored for name, row in FIELDS.items()}


@pytest.mark.parametrize("row", FIELDS.values(), ids=list(FIELDS))
def test_values_stand_only_where_the_row_says_there_are_figures(
    row: Field, records: list[dict[str, Any]]
) -> None:
    for country in FIELDS["country"].levels:
        held = [value_of(one, row.name) for one in records if one["country"] == country]
        known = [value for value in held if value is not None]
        assert known or not row.has_figures(country), country
        if not row.has_figures(country):
            levels = {level for value in known for level in (value if row.kind == "list" else [value])}
            assert levels <= set(row.partly), country
        if not row.nullable and not row.in_health_profile:
            assert len(known) == len(held)


def test_a_level_can_have_figures_where_its_field_has_none(small: Population) -> None:
    conditions = FIELDS["health_conditions"]
    assert conditions.has_figures("Japan", "hypertension")
    assert not conditions.has_figures("Japan", "asthma")
    assert small.count(where(country=ABROAD, health_conditions="hypertension")) > 0
    assert small.count(where(country=ABROAD, health_conditions="asthma")) == 0


def _keys(rows: tuple[Field, ...]) -> set[str]:
    return {row.record_key for row in rows}
