"""Repeated runs of a table with other numbers of threads and another order of rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from drawn_frames import SEVERAL, Case
from hypothesis import HealthCheck, Phase, settings

from voxpop.analysis import columns

EXAMPLES = int(os.environ.get("DIFFERENTIAL_EXAMPLES", "0"))
"""Examples per test, drawn anew each time; without it few, and always the same."""

TIMES = {1: 1, 2: 2, 8: 2}
"""How often each number of threads makes a result; every run of every number must agree with the first."""

OFTEN = {1: 5, 2: 5, 8: 5}
"""The same for large frames, which several threads count, and where more examples are asked for."""


def drawn(examples: int) -> Any:
    """Return how hypothesis draws: few examples, always the same; or as many as asked for, made simple."""
    usual = settings(
        derandomize=not EXAMPLES, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    if EXAMPLES:
        return settings(usual, max_examples=EXAMPLES)
    return settings(usual, max_examples=examples, phases=[Phase.generate])


def steady(case: Case, make: Callable[[Any], Any]) -> Any:
    """Make a result several times by 1, 2 and 8 threads, then of shuffled rows; all must be the same."""
    first = digest = None
    small = len(case.frame) < min(SEVERAL) and not EXAMPLES
    for threads, times in (TIMES if small else OFTEN).items():
        with threaded(threads) as database:
            data = case.data(database)
            for _ in range(times):
                made = make(data)
                if first is None:
                    first, digest = made, exact(made)
                assert exact(made) == digest, f"another result by {threads} threads: {case.outline}"
    order = np.random.default_rng(0).permutation(len(case.frame))
    with threaded(2) as database:
        shuffled = replace(case, frame=case.frame.iloc[order])
        assert exact(make(shuffled.data(database))) == digest, (
            f"another result in other order: {case.outline}"
        )
    return first


@contextmanager
def threaded(threads: int) -> Iterator[duckdb.DuckDBPyConnection]:
    """Let frames, and a new database, be counted by so many threads."""
    frames = columns._database(os.getpid())
    usual = frames.execute("SELECT current_setting('threads')").fetchall()[0][0]
    frames.execute(f"SET threads = {threads}")
    try:
        with duckdb.connect(config={"threads": threads}) as database:
            yield database
    finally:
        frames.execute(f"SET threads = {usual}")


def exact(result: Any) -> str:
    """Return every figure of a result as text, to the last digit."""
    return "\n".join(
        repr(frame.to_dict("split"))
        for frame in (
            getattr(result, method)() for method in ("long", "pairs", "curves") if hasattr(result, method)
        )
        if isinstance(frame, pd.DataFrame)
    )
