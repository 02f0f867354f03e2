"""Clock jumps: each agent still answers once when the clock is set forwards or back."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from running_service import Service, finish, new_study
from voxpop.records.database import utc_now
from voxpop.settings import WorkSettings


@pytest.mark.parametrize("jump", [timedelta(hours=5), timedelta(days=-400)], ids=["forwards", "back"])
def test_a_clock_that_jumps_amid_answers(
    home: Path, tmp_path: Path, database_url: str, jump: timedelta
) -> None:
    off = timedelta(0)

    def clock() -> datetime:
        return utc_now() + off

    service = Service(home, tmp_path, database_url, clock, work=WorkSettings(takeover_s=1))
    try:
        http = service.client(service.key())
        study = new_study(http, 1_500)
        path = f"/research-studies/{study['id']}/questions"
        asked = [http.post(path, json={"question": text}).json() for text in ("Do you smoke?", "Why?")]
        time.sleep(0.1)
        off = jump
        for question in asked:
            finish(http, question["job_ids"][::100])
        off = timedelta(0)
        third = http.post(path, json={"question": "What else?"}).json()
        finish(http, third["job_ids"][::100])
        for question in http.get(path, params={"answers": False}).json()["questions"]:
            counts = (question["asked_count"], question["answer_count"], question["failed_count"])
            assert counts == (study["agent_count"], study["agent_count"], 0)
        jobs = http.get("/jobs", params={"ids": ",".join(asked[0]["job_ids"][::100])}).json()["jobs"]
        assert {job["status"] for job in jobs} == {"finished"}
    finally:
        service.close()
