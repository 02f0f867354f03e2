"""The table of endpoints, scopes and tests is the one that the routes and the tests make."""

from __future__ import annotations

from endpoints_table import COMMAND, TABLE, table


def test_the_table_of_endpoints_is_up_to_date() -> None:
    now = table()
    written = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    assert written == now, f"{TABLE.name} is not up to date: run `{COMMAND}`. It would be:\n{now}"


def test_every_endpoint_has_a_test_that_calls_it() -> None:
    assert [row for row in table().splitlines() if row.endswith("| – |")] == []
