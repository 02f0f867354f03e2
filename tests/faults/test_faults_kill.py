"""`kill -9` of service, worker or PostgreSQL at random moments loses and duplicates nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from errands import Errand, Site, asking, check_the_books, recruiting, studying, thesis

Make = Callable[[Site], Errand]
ERRANDS: tuple[Make, ...] = (recruiting, asking, studying, thesis)
LATEST_S = 1.5
"""The latest moment of a kill after the call was sent; an idle machine needs about that for an errand."""

VICTIMS = {"sqlite": ("service",), "postgresql": ("service", "worker", "postgres")}


def rounds(kind: str, count: int) -> list[tuple[Make, str, int]]:
    """Return a number of rounds that pair each errand with each victim in turn."""
    pairs = [(make, victim) for victim in VICTIMS[kind] for make in ERRANDS]
    return [(*pairs[number % len(pairs)], number) for number in range(count)]


def named(value: object) -> str:
    return getattr(value, "__name__", str(value))


def endure(site: Site, make: Make, victim: str, number: int) -> None:
    """Run an errand, kill its victim meanwhile, restart it, and check the outcome."""
    errand = make(site)
    errand.begin()
    time.sleep(Random(f"{victim} {number}").uniform(0.0, LATEST_S))
    site.kill(victim)()
    errand.check()
    check_the_books(site)


@pytest.mark.parametrize(("make", "victim", "number"), rounds("sqlite", 4), ids=named)
def test_on_sqlite(sqlite_site: Site, make: Make, victim: str, number: int) -> None:
    endure(sqlite_site, make, victim, number)


@pytest.mark.parametrize(("make", "victim", "number"), rounds("postgresql", 12), ids=named)
def test_on_postgresql(postgres_site: Site, make: Make, victim: str, number: int) -> None:
    endure(postgres_site, make, victim, number)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "victim", "number"), rounds("sqlite", 208)[4:], ids=named)
def test_on_sqlite_again_and_again(sqlite_site: Site, make: Make, victim: str, number: int) -> None:
    endure(sqlite_site, make, victim, number)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "victim", "number"), rounds("postgresql", 212)[12:], ids=named)
def test_on_postgresql_again_and_again(postgres_site: Site, make: Make, victim: str, number: int) -> None:
    endure(postgres_site, make, victim, number)
