"""What is true of the whole service: which population it draws from, and which queue it has."""

from __future__ import annotations

import sqlalchemy as sa

from voxpop.errors import ServiceStartError
from voxpop.records.database import in_turn
from voxpop.records.inserting import insert_or_replace
from voxpop.records.schema import answers, groups, jobs, service_facts

_POPULATION = "population"


def keep_to_population(c: sa.Connection, name: str) -> str:
    """Return which population the service draws from: the one noted, once it has to stay the same.

    Groups, jobs and answers hold numbers of agents, and these mean other agents in another population. On a
    server others may be drawing from the population already, so that there the first start decides.

    Parameters
    ----------
    c
        A connection that writes.
    name
        ``version-seed-size``: what the service would draw from, and does when nothing keeps it from that.

    Returns
    -------
    str
        That name, or the name noted earlier, which differs in its version alone.

    Raises
    ------
    ServiceStartError
        Seed or size are not those of the population noted; the message names both, and says what to do.
    """
    in_turn(c, "population")
    kept = population_for(c, name)
    if kept == name:
        keep_fact(c, _POPULATION, name)
    return kept


def population_for(c: sa.Connection, name: str) -> str:
    """Return what :func:`keep_to_population` would, or refuse as it does, and change nothing.

    The tables may be those of an earlier version.
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
    """Return the name of the population that the service draws from; None before its first start."""
    return fact(c, _POPULATION) if sa.inspect(c).has_table(service_facts.name) else None


def _names_agents(c: sa.Connection) -> bool:
    """Return whether anything refers to agents by their numbers."""
    asked = sa.select(jobs.c.id).where(jobs.c.agent_id.is_not(None))
    several = (sa.select(groups.c.id), asked, sa.select(answers.c.id))
    return any(c.execute(one.limit(1)).first() is not None for one in several)


def fact(c: sa.Connection, name: str) -> str | None:
    """Return what is known under a name."""
    value: str | None = c.execute(
        sa.select(service_facts.c.value).where(service_facts.c.name == name)
    ).scalar()
    return value


def keep_fact(c: sa.Connection, name: str, value: str) -> None:
    """Write something down under a name."""
    insert_or_replace(c, service_facts, {"name": name, "value": value}, key=("name",))
