"""Saving, exporting and checking, each in a process of its own: `python bench_export.py [ANSWERS …]`.

The peak of memory must not grow with the answers where rows are streamed: saving, exporting and verifying.
Budget for 1,000,000 answers: export and verify together 6 s and 500 MB. CPU seconds tell more than the
others on a busy machine.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq
from bench_toolkit import KINDS, STUDY, agents, batches, questions

import voxpop as vp
from voxpop.service.signing import Signer
from voxpop.tables import attested, manifest
from voxpop.wire.canonical import question_sha256

STEPS = ("nothing", "save", "export", "verify", "sign", "signed", "open", "diff")


def step(what: str, folder: Path, people: int) -> None:
    """Do one thing and say how long it took, and how much memory at most."""
    path = folder / "store.duckdb"
    begun, used = time.perf_counter(), time.process_time()
    if what == "save":
        with vp.Store(path) as store:
            store.save_study(STUDY, questions(), batches(people), agents(people))
    elif what == "export":
        with vp.Store(path) as store:
            begun, used = time.perf_counter(), time.process_time()
            store.export(None, folder / "export")
    elif what == "verify":
        assert vp.verify(folder / "export").ok
    elif what == "sign":
        sign(folder / "export")
    elif what == "signed":  # as verify, and the digest of what was signed
        assert vp.verify(folder / "export").signature.startswith("signed with a key")
    elif what == "open":
        vp.open_export(folder / "export").close()
    elif what == "diff":
        assert vp.diff(folder / "export", folder / "export").same
    spent = (time.perf_counter() - begun, time.process_time() - used)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1 << 20 if sys.platform == "darwin" else 1024
    )
    sys.stdout.write(json.dumps([*spent, peak]))


def sign(folder: Path) -> None:
    """Sign an export as its service would have done."""
    told = json.loads((folder / "provenance.json").read_text())["study"]
    asked = pq.read_table(folder / "data/questions.parquet").sort_by("position").to_pylist()
    digests = {key: one.told for key, one in attested._answers(folder, [one["key"] for one in asked]).items()}
    statement = {
        "format": "voxpop-attestation",
        "format_version": 1,
        "study": {"uuid": told["study_uuid"], "title": told["title"], "objective": told["objective"]},
        "questions": [
            {"position": one["position"], "key": one["key"], "question_sha256": question_sha256(one)}
            | digests[one["key"]]
            for one in asked
        ],
        "answers": {"count": sum(one["answers"] for one in digests.values()), "last_id": 0},
        "agents": attested.agents_of(folder),
        "service": {"name": "bench", "version": "0"},
        "signed_at": "2026-11-23T00:00:00Z",
    }
    signed = Signer("bench", bytes(32)).sign(statement).model_dump()
    (folder / attested.NAME).write_text(manifest.to_json(signed))
    stated = manifest.read(folder)
    size, digest = manifest.file_hash(folder / attested.NAME)
    entries = [*manifest.entries(stated), manifest.Entry(attested.NAME, size, digest)]
    (folder / manifest.NAME).write_text(manifest.to_json(manifest.make(entries, stated["created"])))


def main(sizes: list[int]) -> None:
    for size in sizes:
        people = max(1, size // len(KINDS))
        with tempfile.TemporaryDirectory() as folder:
            for what in STEPS:
                command = [sys.executable, __file__, what, folder, str(people)]
                told = subprocess.run(command, capture_output=True, text=True, check=True)
                seconds, cpu, peak = json.loads(told.stdout)
                rate = size / seconds if what != "nothing" else 0
                told_of = f"{seconds:8.2f} s {cpu:8.2f} s CPU {rate:>12,.0f} rows/s {peak:8,.0f} MB"
                sys.stdout.write(f"{size:>12,} {what:<8}{told_of}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in STEPS:
        step(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main([int(text) for text in sys.argv[1:]] or [100_000, 1_000_000])
