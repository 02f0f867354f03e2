"""Stateful sequences of calls: no order makes the service fail."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from running_service import READ_WRITE, Service

CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


@pytest.mark.parametrize(
    ("examples", "again"),
    [(12, True), pytest.param(400, False, marks=pytest.mark.slow)],
    ids=["short", "long"],
)
def test_no_order_of_calls_makes_the_service_fail(embedded: Service, examples: int, again: bool) -> None:
    api = schemathesis.openapi.from_url(f"{embedded.root_url}/openapi.json")
    headers = {
        "Authorization": f"Bearer {embedded.key(*READ_WRITE, 'free:ask', 'billing:read', 'billing:write')}"
    }
    answered = 0

    class Workflow(api.as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
            return {"headers": headers}

        def validate_response(self, response: Any, case: schemathesis.Case, **_: Any) -> None:
            nonlocal answered
            answered += response.status_code < 300
            case.validate_response(response, checks=CHECKS, headers=headers)

    Workflow.run(
        settings=settings(
            max_examples=examples,
            stateful_step_count=8,
            derandomize=again,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
    )
    assert answered >= examples  # else nothing was begun that others could follow
