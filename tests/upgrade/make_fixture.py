"""Write the files that a version of voxpop leaves behind: `python make_fixture.py NAME.tar.xz`.

A folder of the service's state, a store and an export of one study with three questions, and what is in them
in plain JSON, as the version itself tells it. Run it before tables or formats change, and keep what it
writes; for an earlier version, check that one out and set PYTHONPATH to its `src`. Where the population has
changed as well, keep its file in `populations`, as conftest.py says.
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
import tempfile
from pathlib import Path

AGENTS, SEED = 3_000, 7


def write(folder: Path) -> None:
    """Do a small piece of research, and keep all of it."""
    os.environ["VOXPOP_PROGRESS"] = "off"
    os.environ["VOXPOP_HOME"] = tempfile.mkdtemp()
    import voxpop as vp

    with vp.local(agents=AGENTS, seed=SEED, data=folder / "state") as client:
        group = vp.recruit(
            client, vp.where(country="USA", age=vp.between(25, 64)), 30, name="Workers", seed=1
        )
        study = vp.Study.create(client, group, title="Snacks", objective="Who would switch, and why?")
        study.ask("Would you switch to a lower-sugar snack?", key="switch", type="yes_no")
        study.ask("How much would you pay for a box of 12, in dollars?", key="price")
        study.ask("What would make you switch?", key="why")
        study.complete()
        with vp.Store(folder / "store.duckdb") as store:
            study.pull(into=store)
            store.export(study, folder / "export")
            answers = store.sql(
                "SELECT q.key, a.agent_uuid, a.response_text, CAST(a.answered_at AS VARCHAR) FROM answers a "
                "JOIN questions q USING (question_uuid) ORDER BY ALL"
            ).fetchall()
        stage = client.studies.get(study.id).stage
    told = {"group": group.uuid, "study": study.uuid, "stage": stage, "answers": answers}
    (folder / "told.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


def main(target: Path) -> None:
    """Write it all into one small file."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write(folder)
        for left in (*folder.rglob("*.lock"), *folder.rglob("*-shm"), *folder.rglob("*-wal")):
            left.unlink()
        with tarfile.open(target, "w:xz", preset=9) as packed:
            for path in sorted(folder.iterdir()):
                packed.add(path, path.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
