"""Importing the respondents stays cheap: patterns and authored text wait until they are needed."""

from __future__ import annotations

import subprocess
import sys

_COUNT = """
import builtins, re, sys
made, opened = [], []
compiled, plain = re._compile, builtins.open
re._compile = lambda *a: (made.append(a[0]), compiled(*a))[1]
import voxpop.engines, voxpop_simulator
print(len(made), [n for n in sys.modules if n.startswith(("pydantic_ai", "scipy", "pandas", "duckdb"))])
"""


def test_importing_compiles_few_patterns_and_loads_no_heavy_library() -> None:
    made = subprocess.run([sys.executable, "-c", _COUNT], capture_output=True, text=True, check=True)
    count, _, heavy = made.stdout.strip().partition(" ")
    assert int(count) < 60
    assert heavy == "[]"
