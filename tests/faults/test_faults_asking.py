"""A process killed while asking and restarted: one question, each answer once, billed once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random

import httpx
import pytest

from running_service import new_study
from served_service import Served

SIZE = 400
SCRIPT = """
import sys
import voxpop as vp

client = vp.connect(sys.argv[1], sys.argv[2])
study = vp.Study.open(client, int(sys.argv[3]))
print("asking", flush=True)
first = study.ask("Do you smoke?", key="smokes")
second = study.ask("What do you have for lunch?")
print(first.answer_count, second.answer_count, flush=True)
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("asking"))
    yield running
    running.terminate()


def script(served: Served, key: str, study: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, served.base_url, key, str(study)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", range(2))
def test_a_script_that_was_killed_while_asking_is_run_again(served: Served, number: int) -> None:
    key = served.key(organization=f"round {number}")
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=served.base_url, headers=headers, timeout=60) as http:
        cut_off_and_run_again(served, key, number, http)


def cut_off_and_run_again(served: Served, key: str, number: int, http: httpx.Client) -> None:
    study = new_study(http, SIZE)["id"]
    for attempt in range(2):
        with script(served, key, study) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "asking\n"
            time.sleep(Random(f"{number} {attempt}").uniform(0.0, 0.12))
            process.kill()
    with script(served, key, study) as again:
        assert again.communicate(timeout=120)[0] == f"asking\n{SIZE} {SIZE}\n"
    assert again.returncode == 0
    listed = http.get(f"/research-studies/{study}/questions").json()
    assert [(one["key"], one["asked_count"], len(one["answers"])) for one in listed["questions"]] == [
        ("smokes", SIZE, SIZE),
        (None, SIZE, SIZE),
    ]
    assert http.get("/billing/usage").json()["quota"]["used"] == 2 * SIZE


def test_the_same_words_under_another_key_are_another_question(served: Served) -> None:
    import voxpop as vp

    key = served.key(organization="keys")
    headers = {"Authorization": f"Bearer {key}"}
    with (
        vp.connect(served.base_url, key) as client,
        httpx.Client(base_url=served.base_url, headers=headers, timeout=60) as http,
    ):
        study = vp.Study.open(client, new_study(http, 5)["id"])
        first = study.ask("Do you smoke?", key="one")
        assert study.ask("Do you smoke?", key="one").id == first.id
        assert study.ask("Do you smoke?", key="two").id != first.id
        bare = study.ask("Do you smoke?")
        assert bare.id not in (first.id, None)
        assert study.ask("Do you smoke?").id == bare.id
        assert study.ask("Do you smoke?", type="open").id != bare.id
        assert study.refresh().question_count == 4
        with pytest.raises(vp.VoxpopError, match=r"'one' is the key of an earlier question .* other words"):
            study.ask("Do you drink?", key="one")
        assert http.get("/billing/usage").json()["quota"]["used"] == 4 * 5
