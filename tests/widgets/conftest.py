"""An embedded service for the widgets, and widgets that end with their test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from hands import Hands

import voxpop as vp
from voxpop.client import Client
from voxpop.widgets.panel import Panel

W = TypeVar("W", bound=Panel)


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    """Return a client of an embedded service with 3,000 agents."""
    with vp.local(agents=3_000) as made:
        yield made


@pytest.fixture
def hands() -> Iterator[Callable[[Panel], Hands]]:
    """Give hands for widgets, and close these afterwards: no thread may be left."""
    held: list[Panel] = []

    def take(widget: Panel) -> Hands:
        held.append(widget)
        made = Hands(widget)
        made.settle()
        return made

    yield take
    for widget in held:
        widget.close()
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("voxpop R")] == []
