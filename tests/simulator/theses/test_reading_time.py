"""Reading a thesis takes time linear in its length."""

from __future__ import annotations

import itertools
import time

import pytest
from test_theses_corpus import plan

from voxpop.vocabulary.bounds import LONGEST_READ

FILLERS = (
    *(
        "a ",
        "1 ",
        "$1 ",
        "10% ",
        ", ",
        "- ",
        "and ",
        "or ",
        "it is ",
        "they are ",
        "is ",
        "to ",
        "also ",
        "both ",
    ),
    *(
        "sales ",
        "market ",
        "market share ",
        "retail unit ",
        "the ",
        "more ",
        "because ",
        "because of ",
        "not ",
    ),
    *(
        "not because of ",
        "but ",
        "among ",
        "people ",
        "Aa ",
        "Aa'b ",
        "who ",
        "we think ",
        "in the ",
        "lower ",
    ),
    *("falling ", "by ", "at the same time ", "the main reason is ", "mostly ", "customers of "),
)
FRAMES = (
    "Starbucks is falling and {}x rising",
    "{}Starbucks is falling because of price",
    "Starbucks is losing {}x",
    "{}x is falling",
)
MOST = 1.0  # seconds of processor time of this thread; plain theses take 0.01


@pytest.mark.parametrize("frame", FRAMES)
def test_the_longest_theses_are_read_at_once(frame: str) -> None:
    plan("Starbucks is losing traffic")
    slow: list[tuple[float, str]] = []
    for filler in FILLERS:
        text = frame.format(filler * (LONGEST_READ // len(filler)))[-LONGEST_READ:]
        begun = time.thread_time()
        plan(text)
        taken = time.thread_time() - begun
        if taken > MOST:
            slow.append((round(taken, 2), text[:60]))
    assert not slow


def test_two_ways_are_told_apart_at_once_whatever_stands_between() -> None:
    said = ("it is ", "they are ", "is ", "both ", "at the same time ", "it ")
    for pair in itertools.product(said, repeat=2):
        between = "".join(pair) * 12
        assert plan(f"Starbucks sales are rising and {between}falling").clarification is not None
        begun = time.thread_time()
        plan(f"Starbucks sales are rising and {between}x falling")
        assert time.thread_time() - begun < MOST
