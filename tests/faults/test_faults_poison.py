"""One agent ends every process that asks it: a real service loses that answer and nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from errands import Site

POISON = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Spoil(MetaPathFinder):
    # Lets the embedded engine end its process at one agent, as a fault in native code would.
    def find_spec(self, name, path, target=None):
        if name != "voxpop.jobs.runner":
            return None
        sys.meta_path.remove(self)
        from voxpop_simulator.embedded import EmbeddedRespondent
        reply = EmbeddedRespondent._reply
        def deadly(engine, asked, agent, *rest):
            if agent.id == int(os.environ["POISONOUS_AGENT"]) and "deadly" in asked.plan.question.text:
                os.kill(os.getpid(), signal.SIGKILL)
            return reply(engine, asked, agent, *rest)
        EmbeddedRespondent._reply = deadly
        return None

sys.meta_path.insert(0, Spoil())
"""
PATIENCE_S = 90.0


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    (tmp_path / "poison").mkdir()
    (tmp_path / "poison" / "sitecustomize.py").write_text(POISON)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "poison"))
    monkeypatch.setenv("POISONOUS_AGENT", "1102")
    made = Site(tmp_path / "site")
    yield made
    made.close()


def test_the_neighbours_are_answered_and_the_service_dies_once(site: Site) -> None:
    group = site.call(
        "POST", "/research-groups/create", json={"name": "g", "agent_ids": list(range(1001, 1103))}
    )["group"]
    header = {"Idempotency-Key": "once"}
    body = {"question": "Would you eat a deadly mushroom?"}
    path = f"/research-groups/{group['uuid']}:ask"
    accepted = site.call("POST", path, json=body, headers=header)
    ends = time.monotonic() + PATIENCE_S
    while site.service.running and time.monotonic() < ends:
        time.sleep(0.05)
    assert not site.service.running, "the poison ended no process"
    site.service.kill()  # closes its pipes
    site.service.start()
    site.await_end()
    assert site.service.running
    states = dict(site.rows("SELECT status, count(*) FROM jobs GROUP BY status"))
    assert states == {"finished": 101, "failed": 1}
    ((agent, error),) = site.rows("SELECT agent_id, error FROM jobs WHERE status = 'failed'")
    assert agent == 1102
    assert "process_ended" in error
    assert site.rows("SELECT used FROM usage_cycles") == [(101,)]
    assert "was in hand when a process ended" in site.service.log.read_text()
    assert "status -9" in site.service.log.read_text()
    assert accepted["job_ids"]
