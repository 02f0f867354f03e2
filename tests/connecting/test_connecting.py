"""Connecting: to a service by address and key, or to the embedded service."""

from __future__ import annotations

import gc
import tempfile
import threading
from pathlib import Path

import httpx
import pytest

import voxpop as vp
from voxpop.errors import UsageError

KEY = "vp_live_" + "0" * 43
EVERYBODY = vp.where(age=vp.between(18))


def servers() -> int:
    return sum(thread.name == "voxpop-server" for thread in threading.enumerate())


def test_an_address_needs_a_key_and_a_key_an_address() -> None:
    with pytest.raises(UsageError, match=r"http://127.0.0.1:1 needs a key.*VOXPOP_API_KEY"):
        vp.connect("http://127.0.0.1:1")
    with pytest.raises(UsageError, match=r"address of its service.*VOXPOP_BASE_URL"):
        vp.connect(api_key=KEY)


def test_the_environment_names_address_and_key_and_arguments_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOXPOP_BASE_URL", "http://127.0.0.1:1")
    with pytest.raises(UsageError, match="VOXPOP_API_KEY"):
        vp.connect()
    monkeypatch.setenv("VOXPOP_API_KEY", KEY)
    with vp.connect() as client, vp.connect("http://127.0.0.1:2/v1", "vp_live_" + "1" * 43) as other:
        assert client.base_url == "http://127.0.0.1:1/v1"
        assert other.base_url == "http://127.0.0.1:2/v1"
        assert KEY not in repr(client)


def test_a_client_that_is_closed_says_so() -> None:
    client = vp.connect("http://127.0.0.1:1", KEY)
    client.close()
    client.close()
    with pytest.raises(UsageError, match=r"closed; make a new one"):
        client.groups.get(1)


@pytest.mark.parametrize("agents", [0, 999, 10_000_001])
def test_a_population_of_another_size_is_refused_and_leaves_nothing(agents: int) -> None:
    before = servers()
    with pytest.raises(UsageError, match="1,000 to 10,000,000"):
        vp.local(agents=agents)
    assert servers() == before


def test_without_a_folder_everything_goes_with_the_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = servers()
    with vp.local(agents=1_000) as client:
        assert [folder.name.startswith("voxpop-") for folder in tmp_path.iterdir()] == [True]
        root = client.root_url
        assert httpx.get(f"{root}/healthz").status_code == 200
    assert list(tmp_path.iterdir()) == []
    assert servers() == before
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{root}/healthz")


def test_a_client_that_nobody_holds_stops_its_service() -> None:
    before = servers()
    client = vp.local(agents=1_000)
    assert servers() == before + 1
    del client
    gc.collect()
    assert servers() == before


def test_a_folder_keeps_groups_studies_and_answers(tmp_path: Path) -> None:
    with vp.local(agents=1_000, data=tmp_path) as client:
        group = vp.recruit(client, EVERYBODY, 12, name="kept", seed=1)
        study = vp.Study.create(client, group, title="Kept")
        study.ask("Would you switch?", key="switch", type="yes_no")
        answers = [(one.agent_id, one.response_text) for one in study.answers()]
    with vp.local(agents=1_000, data=tmp_path) as client:
        assert client.groups.get(group.uuid).name == "kept"
        again = vp.Study.open(client, study.uuid)
        assert [(one.agent_id, one.response_text) for one in again.answers()] == answers
        assert again.ask("Why?", key="why").answer_count == 12


def test_two_embedded_services_run_side_by_side() -> None:
    with vp.local(agents=1_000) as one, vp.local(agents=1_000) as other:
        assert one.base_url != other.base_url
        first, second = (vp.recruit(client, EVERYBODY, 5, seed=1) for client in (one, other))
        assert first.id == second.id
