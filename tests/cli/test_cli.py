"""The command line: exit codes, one line on stderr, never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import voxpop as vp
from forked_commands import run
from served_service import Served
from voxpop.cli import main

BAD_USAGE = [
    ([], "Missing command"),
    (["dmo"], "No such command 'dmo'"),
    (["demo", "--size", "many"], "--size"),
    (["demo", "--size", "5"], "10 to 2,000"),
    (["serve", "--port", "70000"], "0 to 65535"),
    (["serve", "--engine", "oracle"], "Installed: simulator"),
    (["serve", "--knowledge", "our.knowledge"], "There is no file our.knowledge"),
    (
        ["worker", "--database", "postgresql://u@127.0.0.1/x", "--knowledge", "x.knowledge"],
        "no file x.knowledge",
    ),
    (["serve", "--agents", "5"], "1,000 to 10,000,000"),
    (["population", "build", "--agents", "5"], "1,000 to 10,000,000"),
    (["keys", "create", "--organization", "acme", "--scope", "studies:rite"], "studies:read"),
    (["serve", "--public-url", "voxpop.example"], "VOXPOP_PUBLIC_URL must be"),
    (["keys", "create", "--organization", " ", "--scope", "studies:read"], "--organization"),
    (["pull", "1", "--to", "x.duckdb"], "VOXPOP_BASE_URL"),
    (["export", "1"], "--to"),
]


def voxpop(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run("-m", "voxpop", *arguments, cwd=cwd, env={**os.environ, **environment})


@pytest.mark.parametrize(
    ("arguments", "hint"), BAD_USAGE, ids=[" ".join(a) or "nothing" for a, _ in BAD_USAGE]
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    arguments: list[str],
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert hint in told.err
    assert len(told.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_program_ends_with_the_exit_code_of_wrong_usage(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "voxpop", "dmo"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "voxpop: No such command 'dmo'. Did you mean 'demo'? See voxpop --help.\n"


def test_a_failure_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    done = voxpop("verify", "nowhere", cwd=tmp_path)
    assert done.returncode == 1
    assert "nowhere" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_a_service_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = voxpop(
        "pull",
        "1",
        "--to",
        "x.duckdb",
        cwd=tmp_path,
        VOXPOP_BASE_URL="http://127.0.0.1:9",
        VOXPOP_API_KEY="vp_live_x",
    )
    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    running = Served(tmp_path)
    yield running.base_url, running.data
    running.close()


def test_serve_says_where_it_is_and_ends_on_sigterm(tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [
        sys.executable,
        "-m",
        "voxpop",
        "serve",
        "--port",
        "0",
        "--agents",
        "3000",
        "--data",
        str(data),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            says_where_it_is_and_ends(json.loads(server.stdout.readline()), server, data)
        finally:
            server.kill()


def says_where_it_is_and_ends(ready: dict[str, str], server: subprocess.Popen[str], data: Path) -> None:
    assert ready == {
        "base_url": f"{ready['root_url']}/v1",
        "root_url": ready["root_url"],
        "data_dir": str(data),
    }
    assert httpx.get(f"{ready['root_url']}/healthz").json()["status"] == "ok"
    asked = time.monotonic()
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=10) == 0
    assert time.monotonic() - asked < 10


def test_a_second_service_on_the_folder_is_refused(served: tuple[str, Path], tmp_path: Path) -> None:
    _, data = served
    done = voxpop("serve", "--port", "0", "--agents", "3000", "--data", str(data), cwd=tmp_path)
    assert done.returncode == 1
    assert str(data) in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_keys_are_made_listed_and_revoked_beside_a_running_server(
    served: tuple[str, Path], tmp_path: Path
) -> None:
    base_url, data = served
    folder = ["--data", str(data)]
    made = voxpop(
        "keys", "create", "--organization", "acme", "--scope", "studies:read", *folder, cwd=tmp_path
    )
    key = made.stdout.strip()
    assert key.startswith("vp_live_")
    call = {"url": f"{base_url}/research-studies", "headers": {"Authorization": f"Bearer {key}"}}
    assert httpx.get(**call).status_code == 200
    listed = voxpop("keys", "list", *folder, cwd=tmp_path).stdout
    assert "acme" in listed
    assert key not in listed
    assert voxpop("keys", "revoke", key[:16], *folder, cwd=tmp_path).returncode == 0
    deadline = time.monotonic() + 10
    while httpx.get(**call).status_code != 401:
        assert time.monotonic() < deadline, "a revoked key still opens the door"
        time.sleep(0.1)
    told = voxpop("audit", "list", "--organization", "acme", "--json", *folder, cwd=tmp_path).stdout
    entries = [json.loads(line) for line in told.splitlines()]
    assert [(one["actor"], one["action"]) for one in entries] == [
        ("command line", "organization.create"),
        ("command line", "key.create"),
        ("command line", "key.revoke"),
    ]
    assert entries[-1]["object_id"] == key[:16]
    assert key not in told
    plain = voxpop("audit", "list", *folder, cwd=tmp_path).stdout
    assert "\tacme\tcommand line\tkey.revoke\t" in plain
    assert voxpop("audit", "prune", *folder, cwd=tmp_path).stdout.startswith("deleted 0 entries")
    nobody = voxpop("audit", "list", "--organization", "nobody", *folder, cwd=tmp_path)
    assert (nobody.returncode, len(nobody.stderr.splitlines())) == (1, 1)
    unknown = voxpop("keys", "revoke", "vp_live_nothing", *folder, cwd=tmp_path)
    assert unknown.returncode == 1
    assert len(unknown.stderr.splitlines()) == 1


def test_pull_and_export_a_study_and_verify_what_was_written(
    served: tuple[str, Path], tmp_path: Path
) -> None:
    base_url, data = served
    made = voxpop(
        *("keys", "create", "--organization", "acme", "--scope", "studies:read", "--scope", "studies:write"),
        *("--data", str(data)),
        cwd=tmp_path,
    )
    settings = {"VOXPOP_BASE_URL": base_url, "VOXPOP_API_KEY": made.stdout.strip()}
    with vp.connect(settings["VOXPOP_BASE_URL"], settings["VOXPOP_API_KEY"]) as client:
        group = vp.recruit(client, vp.where(country="USA"), size=20)
        study = vp.Study.create(client, group, title="Dogs")
        study.ask("Do you own a dog?", key="dog")
    pulled = voxpop("pull", "1", "--to", "dogs.duckdb", cwd=tmp_path, **settings)
    assert (pulled.returncode, pulled.stderr) == (0, "")
    assert "20 answers" in pulled.stdout
    with vp.Store(tmp_path / "dogs.duckdb") as store:
        assert len(store.respondents("Dogs").fetchall()) == 20
    assert voxpop("export", study.uuid, "--to", "dogs", cwd=tmp_path, **settings).returncode == 0
    assert voxpop("verify", "dogs", cwd=tmp_path).returncode == 0
    (tmp_path / "dogs" / "codebook.json").write_text("{}")
    changed = voxpop("verify", "dogs", cwd=tmp_path)
    assert (changed.returncode, "codebook.json" in changed.stdout) == (1, True)


def test_pulling_a_study_that_is_not_there_leaves_no_file(served: tuple[str, Path], tmp_path: Path) -> None:
    base_url, data = served
    made = voxpop(
        *("keys", "create", "--organization", "acme", "--scope", "studies:read", "--data", str(data)),
        cwd=tmp_path,
    )
    settings = {"VOXPOP_BASE_URL": base_url, "VOXPOP_API_KEY": made.stdout.strip()}
    done = voxpop("pull", "99", "--to", "nothing.duckdb", cwd=tmp_path, **settings)
    assert done.returncode == 1
    assert "99" in done.stderr
    assert not (tmp_path / "nothing.duckdb").exists()
