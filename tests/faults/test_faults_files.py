"""Processes killed at every step of a replacement: the whole earlier folder or the whole new one stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from killing import killed_at_each_step
from voxpop import files
from voxpop.files import settle, whole_file, whole_folder

EARLIER, NEW = {"a": "1", "part/b": "1"}, {"a": "2", "part/b": "2", "part/c": "2"}


def fill(folder: Path, content: dict[str, str]) -> None:
    for name, text in content.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def content_of(folder: Path) -> dict[str, str]:
    return {str(one.relative_to(folder)): one.read_text() for one in folder.rglob("*") if one.is_file()}


def replace(target: Path, content: dict[str, str]) -> None:
    with whole_folder(target) as draft:
        fill(draft, content)


@pytest.mark.parametrize("in_one_step", [True, False])
@pytest.mark.parametrize("there", [True, False])
def test_a_killed_replacement_leaves_the_earlier_folder_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool, there: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr(files, "_system_exchange", lambda: None)
    else:
        assert files._system_exchange() is not None  # Linux and macOS have a call for it
    target = tmp_path / "snacks"
    if there:
        replace(target, EARLIER)
    seen = set()
    for steps in killed_at_each_step(lambda: replace(target, NEW)):
        if not in_one_step:
            settle(target)  # as every reader does that finds no folder
        if not there and not target.exists():
            held = "nothing"
        else:
            held = {str(EARLIER): "earlier", str(NEW): "new"}[str(dict(sorted(content_of(target).items())))]
        seen.add(held)
        again = {"d": str(steps)}
        replace(target, again)
        assert content_of(target) == again
        assert os.listdir(tmp_path) == ["snacks"], f"after {steps} steps"
        if there:
            replace(target, EARLIER)
        else:
            for one in sorted(target.rglob("*"), reverse=True):
                one.unlink() if one.is_file() else one.rmdir()
            target.rmdir()
    assert seen == ({"earlier", "new"} if there else {"nothing", "new"})
    assert steps >= 15


def test_a_killed_save_leaves_the_earlier_file_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    path.write_text("earlier")

    def save() -> None:
        with whole_file(path) as draft:
            draft.write_text("new")

    seen = set()
    for _ in killed_at_each_step(save):
        seen.add(path.read_text())
        path.write_text("earlier")
    assert seen == {"earlier", "new"}
    for left in tmp_path.glob(".chart.*"):
        os.utime(left, (0, 0))
    save()
    assert os.listdir(tmp_path) == ["chart.svg"]


def test_the_draft_of_a_process_that_is_at_work_stays(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from voxpop.files import whole_folder\n"
        "with whole_folder(Path(sys.argv[1])) as draft:\n"
        "    (draft / 'slow').write_text('slow')\n"
        "    print('writing', flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "snacks")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as slow:
        assert slow.stdout is not None
        assert slow.stdout.readline() == "writing\n"
        replace(tmp_path / "snacks", NEW)
        assert content_of(tmp_path / "snacks") == NEW
        slow.communicate("go on\n")
        assert slow.returncode == 0
    assert content_of(tmp_path / "snacks") == {"slow": "slow"}
    assert os.listdir(tmp_path) == ["snacks"]


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    replace(tmp_path / "link", NEW)
    assert (tmp_path / "link").is_symlink()
    assert content_of(tmp_path / "real") == NEW


def test_a_failing_block_leaves_the_earlier_folder_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "snacks"
    replace(target, EARLIER)

    def fail() -> None:
        with whole_folder(target) as draft:
            fill(draft, NEW)
            raise OSError(28, "full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert content_of(target) == EARLIER
    assert os.listdir(tmp_path) == ["snacks"]


def test_an_export_killed_at_any_step_is_the_whole_earlier_one_or_the_whole_new_one(tmp_path: Path) -> None:
    """Each run of the child opens the store anew; the killed one leaves nothing after the next export."""
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from pathlib import Path
from killing import killed_at_each_step
import voxpop.analysis, voxpop.tables
from voxpop.tables import Store, verify

place = Path(sys.argv[1])
study = lambda words: dict(
    study={{"uuid": "s", "id": 1, "title": "Snacks"}},
    questions=[{{"id": 1, "uuid": "q", "key": "why", "question": "Why?", "type": "open"}}],
    answers=[{{"id": n, "question_id": 1, "agent_id": n, "response_text": words}} for n in (1, 2, 3)],
    agents=[{{"id": n, "uuid": f"a{{n}}", "name": "A", "age": 30}} for n in (1, 2, 3)],
)

def export(words):
    with Store() as store:
        store.save_study(**study(words))
        store.export(None, place / "snacks")

def in_a_child(words):
    *_, last = killed_at_each_step(lambda: export(words), first=10**9)

in_a_child("earlier")
seen = set()
for steps in killed_at_each_step(lambda: export("new"), every=3):
    raw = (place / "snacks" / "data" / "answers.parquet").read_bytes()
    names = sorted(str(one.relative_to(place)) for one in (place / "snacks").rglob("*"))
    seen.add((raw, tuple(names)))
assert len(seen) == 2, len(seen)
in_a_child("last")
assert [one.name for one in place.iterdir()] == ["snacks"]
assert verify(place / "snacks").ok
print(steps)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 60
