"""A service killed during a survey: after a restart every agent has answered once."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import httpx

from running_service import finish, recruit
from served_service import Served


def caller(served: Served, key: str) -> httpx.Client:
    return httpx.Client(base_url=served.base_url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


def test_surveys_and_free_questions_outlive_a_kill(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        key = served.key("studies:read", "studies:write", "free:ask")
        with caller(served, key) as http:
            group = recruit(http, 1_500)["group"]
            body = {"title": "t", "question": "Tea or coffee?", "research_group_uuid": group["uuid"]}
            made = http.post("/zeitgeist/surveys/create", json=body | {"answer_options": ["Tea", "Coffee"]})
            free = http.post(
                "/free/questions", json={"question": "Why?"}, headers={"Idempotency-Key": "once"}
            )
            time.sleep(0.15)
            served.close()  # kill -9
        served = Served(tmp_path)
        with caller(served, key) as http:
            survey, job = finish(http, [made.json()["job_id"], free.json()["job"]["id"]])
            assert (survey["status"], survey["result"]["answered"]) == ("finished", 1_500)
            assert [one["agent_id"] for one in job["result"]["results"]] == free.json()["agent_ids"]
            given: Counter[int] = Counter()
            for page in range(1, 4):
                where = f"/zeitgeist/surveys/{made.json()['survey']['id']}/results"
                read = http.get(where, params={"page": page, "page_size": 500}).json()
                given.update(one["agent_id"] for one in read["responses"])
            members = http.get(f"/research-groups/{group['id']}").json()["agents"]
            assert given == Counter(agent["id"] for agent in members)
            again = http.post(
                "/free/questions", json={"question": "Why?"}, headers={"Idempotency-Key": "once"}
            )
            assert again.headers["idempotent-replayed"] == "true"
            assert again.json()["operation"]["status"] == "completed"
            assert http.get("/billing/usage").json()["quota"]["used"] == 1_512
    finally:
        served.close()
