"""Keys are shown once, stored as a digest, told apart by organization, and can be revoked."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from voxpop.errors import Conflict, NotFound, UsageError
from voxpop.records import keys
from voxpop.records.schema import api_keys


def test_a_key_tells_who_calls(c: Connection, org: int) -> None:
    key = keys.create_key(c, org, ["studies:read", "studies:write"])
    caller = keys.authenticate(c, key)
    assert caller is not None
    assert caller.organization_id == org
    assert caller.kind == "live"
    assert caller.scopes == {"studies:read", "studies:write"}


@pytest.mark.parametrize("kind", ["live", "free"])
def test_a_key_has_its_kind_in_front_and_256_random_bits(c: Connection, org: int, kind: str) -> None:
    made = {keys.create_key(c, org, ["free:ask"], kind=kind) for _ in range(3)}
    assert len(made) == 3
    assert all(re.fullmatch(rf"vp_{kind}_[A-Za-z0-9_-]{{43}}", key) for key in made)


def test_the_whole_key_is_nowhere_in_the_database(c: Connection, org: int) -> None:
    key = keys.create_key(c, org, ["studies:read"])
    stored = " ".join(str(tuple(row)) for row in c.execute(sa.select(api_keys)))
    assert key not in stored
    assert key[16:] not in stored


@pytest.mark.parametrize(
    "wrong", ["", "vp_live_", "vp_live_" + "A" * 43, "sk_something", "vp_live_\udcff", "é" * 50]
)
def test_an_unknown_or_malformed_key_is_nobody(c: Connection, org: int, wrong: str) -> None:
    keys.create_key(c, org, ["studies:read"])
    assert keys.authenticate(c, wrong) is None


def test_a_revoked_key_is_nobody_and_says_when(c: Connection, org: int) -> None:
    first, second = (keys.create_key(c, org, ["studies:read"]) for _ in range(2))
    assert keys.revoke(c, first[:16]) == 1
    assert keys.authenticate(c, first) is None
    assert keys.authenticate(c, second) is not None
    assert [bool(info.revoked_at) for info in keys.list_keys(c)] == [True, False]


@pytest.mark.parametrize("prefix", ["vp_live_", "", "vp_live_nosuchke"])
def test_revoking_needs_the_prefix_of_one_active_key(c: Connection, org: int, prefix: str) -> None:
    keys.create_key(c, org, ["studies:read"])
    with pytest.raises(NotFound, match="keys list"):
        keys.revoke(c, prefix)


def test_a_list_shows_the_first_16_characters_only(c: Connection, org: int) -> None:
    key = keys.create_key(c, org, ["billing:read"])
    (info,) = keys.list_keys(c)
    assert info.prefix == key[:16]
    assert info.organization == "Snack Research"
    assert info.scopes == ("billing:read",)


def test_an_unknown_scope_is_named_with_the_nearest_one(c: Connection, org: int) -> None:
    with pytest.raises(UsageError, match="'studies:reed' is unknown; did you mean studies:read; allowed: "):
        keys.create_key(c, org, ["studies:reed"])


def test_a_key_without_scopes_or_of_an_unknown_kind_is_refused(c: Connection, org: int) -> None:
    with pytest.raises(UsageError, match="at least one scope"):
        keys.create_key(c, org, [])
    with pytest.raises(UsageError, match="live or free"):
        keys.create_key(c, org, ["free:ask"], kind="dead")


def test_an_organization_is_made_once(c: Connection, org: int) -> None:
    assert keys.organization_id(c, "Snack Research") == org
    assert keys.organization_id(c, "nobody") is None
    with pytest.raises(Conflict, match="Snack Research"):
        keys.create_organization(c, "Snack Research")
    with pytest.raises(UsageError, match="1 to 200"):
        keys.create_organization(c, "  ")
