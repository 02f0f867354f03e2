"""Recruiting from an audience: what is sent, what is refused, and what deserves a warning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from small_service import Service

import voxpop as vp
from voxpop.client import Client
from voxpop.errors import FilterError
from voxpop.fieldwork import FieldworkWarning


@pytest.fixture
def service() -> Service:
    return Service(additions=True)


@pytest.fixture
def documented() -> Service:
    """A service with the documented interface only."""
    return Service(additions=False)


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with service.client() as made:
        yield made


ADULTS = vp.where(country="USA", age=vp.between(25, 64))


@pytest.mark.parametrize("audience", [ADULTS, ADULTS.to_json(), ADULTS.to_flat()])
def test_an_audience_is_a_filter_or_its_json(client: Client, service: Service, audience: Any) -> None:
    group = vp.recruit(client, audience, 4, seed=9, sample_method="stratified", description="busy people")
    assert group.uuid
    sent = service.bodies[-1]
    assert sent["filters"] == {"match": "all", "filters": {"country": "USA", "age": {"min": 25, "max": 64}}}
    assert (sent["group_size"], sent["seed"], sent["sample_method"]) == (4, 9, "stratified")
    assert sent["description"] == "busy people"


def test_a_group_without_a_name_is_called_by_its_filter(client: Client, service: Service) -> None:
    vp.recruit(client, ADULTS, 4)
    assert service.bodies[-1]["name"] == ADULTS.sentence() == "US adults aged 25 to 64"
    vp.recruit(client, ADULTS, 4, name="mine")
    assert service.bodies[-1]["name"] == "mine"


@pytest.mark.parametrize("wrong", [{"gendr": "male"}, {"gender": "femal"}, {"age": {"min": 9, "max": 1}}])
def test_a_wrong_filter_is_refused_before_the_call(client: Client, service: Service, wrong: Any) -> None:
    with pytest.raises(FilterError):
        vp.recruit(client, wrong, 4)
    assert service.calls == []


def test_a_shortfall_is_a_warning_with_both_numbers(client: Client, service: Service) -> None:
    service.shortfall = 96
    with pytest.warns(FieldworkWarning, match="4 of 100 agents recruited"):
        vp.recruit(client, ADULTS, 100)


def test_a_service_that_tells_little_is_enough(documented: Service) -> None:
    group = vp.recruit(documented.client(), ADULTS, 4)
    assert (group.id, group.shortfall) == (1, 0)
