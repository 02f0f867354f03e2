"""Service-wide facts, such as the population that agents are drawn from and the queue."""

from __future__ import annotations

import sqlalchemy as sa

from voxpop.errors import ServiceStartError
from voxpop.records.database import in_turn
from voxpop.records.inserting import insert_or_replace
from voxpop.records.schema import answers, groups, jobs, service_facts

_POPULATION = "population"


def keep_to_population(c: sa.Connection, name: str) -> str:
    """Return the population to draw from: the stored one if it must stay the same.

    Groups, jobs and answers refer to agents by id, and the ids differ between populations. On a database
    server the first start decides, because other services may already be drawing agents.

    Parameters
    ----------
    c
        A connection that writes.
    name
        ``version-seed-size`` of the population that the service would use if it is free to choose.

    Returns
    -------
    str
        That name, or the stored name, which then differs only in its version.

    Raises
    ------
    ServiceStartError
        Seed or size differ from the stored population; the message names both and says what to do.
    """
    in_turn(c, "population")
    kept = population_for(c, name)
    if kept == name:
        keep_fact(c, _POPULATION, name)
    return kept


def population_for(c: sa.Connection, name: str) -> str:
    """Return the result of :func:`keep_to_population`, or raise its error, without writing.

    The tables may have an earlier version.
    """
    if not sa.inspect(c).has_table(service_facts.name):
        return name
    earlier = fact(c, _POPULATION)
    if earlier is None or (c.dialect.name == "sqlite" and not _names_agents(c)):
        return name
    _, seed, size = earlier.rsplit("-", 2)
    if name.rsplit("-", 2)[1:] != [seed, size]:
        raise ServiceStartError(
            f"The agents of this service are of the population {earlier}, and it was started with {name}. "
            f"Start it with {size} agents and seed {seed}, or choose another data folder or database."
        )
    return earlier


def population_of(c: sa.Connection) -> str | None:
    """Return the name of the service's population; None before its first start."""
    return fact(c, _POPULATION) if sa.inspect(c).has_table(service_facts.name) else None


def _names_agents(c: sa.Connection) -> bool:
    """Return whether anything refers to agents by id."""
    asked = sa.select(jobs.c.id).where(jobs.c.agent_id.is_not(None))
    several = (sa.select(groups.c.id), asked, sa.select(answers.c.id))
    return any(c.execute(one.limit(1)).first() is not None for one in several)


def fact(c: sa.Connection, name: str) -> str | None:
    """Return the fact stored under a name."""
    value: str | None = c.execute(
        sa.select(service_facts.c.value).where(service_facts.c.name == name)
    ).scalar()
    return value


def keep_fact(c: sa.Connection, name: str, value: str) -> None:
    """Store a fact under a name."""
    insert_or_replace(c, service_facts, {"name": name, "value": value}, key=("name",))
