"""What is true of the whole service: which population it draws from, and which queue it has."""

from __future__ import annotations

import sqlalchemy as sa

from voxpop.errors import ServiceStartError
from voxpop.records.database import in_turn, insert_or_replace
from voxpop.records.schema import groups, service_facts

_POPULATION = "population"


def keep_to_population(c: sa.Connection, name: str) -> None:
    """Note which population the service draws from; once there are groups, it has to stay the same.

    A group holds numbers of agents, and these mean other agents in another population.

    Parameters
    ----------
    c
        A connection that writes.
    name
        ``version-seed-size``.

    Raises
    ------
    ServiceStartError
        There are groups of another population; the message names both, and says what to do.
    """
    in_turn(c, "population")
    earlier = fact(c, _POPULATION)
    if earlier == name:
        return
    if earlier is not None and c.execute(sa.select(groups.c.id).limit(1)).first() is not None:
        raise ServiceStartError(
            f"The groups of this service were recruited from the population {earlier}, "
            f"and it was started with {name}. {_way_out(earlier, name)}"
        )
    keep_fact(c, _POPULATION, name)


def population_of(c: sa.Connection) -> tuple[int, int] | None:
    """Return size and seed of the population that the service draws from; None before its first start."""
    name = fact(c, _POPULATION)
    if name is None:
        return None
    _, seed, size = name.rsplit("-", 2)
    return int(size), int(seed)


def fact(c: sa.Connection, name: str) -> str | None:
    """Return what is known under a name."""
    value: str | None = c.execute(
        sa.select(service_facts.c.value).where(service_facts.c.name == name)
    ).scalar()
    return value


def keep_fact(c: sa.Connection, name: str, value: str) -> None:
    """Write something down under a name."""
    insert_or_replace(c, service_facts, {"name": name, "value": value}, key=("name",))


def _way_out(earlier: str, name: str) -> str:
    version, seed, size = earlier.rsplit("-", 2)
    if version != name.rsplit("-", 2)[0]:
        return f"Use the voxpop that has {version}, or choose another data folder."
    return f"Start it with {size} agents and seed {seed}, or choose another data folder."
