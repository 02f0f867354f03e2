"""Profiles that an organization brings: checked, completed from alike agents if asked, and marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from voxpop.engines.agents import Agent
from voxpop.errors import InvalidRequest
from voxpop.population.corpus import corpus
from voxpop.vocabulary import did_you_mean, nearest, parse
from voxpop.vocabulary.fields import FIELDS, Field
from voxpop.vocabulary.profile_values import Unfit, fitted
from voxpop.vocabulary.values import fold, is_elsewhere

if TYPE_CHECKING:
    from voxpop.population.file import Population

MOST = 10_000
NEEDED = ("age", "gender", "country")
"""Fields without which nobody can be asked."""

_LIVE = ("occupation", "industry")
_BAND = 5
_DONORS = 500
_MOST_TOLD = 5
_HEALTH = tuple(name for name, row in FIELDS.items() if row.in_health_profile)
_PLAIN = tuple(name for name, row in FIELDS.items() if not row.in_health_profile)
_SOURCE = "brought by the organization"
_BLOCKS = (
    ("labour_status", "occupation", "occupation_major_group", "industry", "title_variant"),
    ("is_parent", "children_count", "youngest_child_age"),
    ("household_income", "income_quintile", "poverty_ratio"),
    ("bmi", "bmi_class"),
    ("phq9_score", "phq9_severity"),
    ("health_drug_classes", "rx_medication_count"),
)
"""Fields that must fit each other: they come from a donor that agrees with what is known of them, or not."""
_OBESE = ("obese_1", "obese_2", "obese_3")

Profile = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Brought:
    """Records to store, the number of values that were filled by field, and those that were not read."""

    records: list[dict[str, Any]]
    filled: dict[str, int]
    unread: list[tuple[str, str, int]]


def records_of(
    population: Population, columns: Mapping[str, Sequence[Any]], *, fill: bool, seed: int, first: int = 1
) -> Brought:
    """Return the agent records of a table of profiles.

    Parameters
    ----------
    population
        Knows the occupations and industries, and provides the donors.
    columns
        Values by field, None where they are not recorded.
    fill
        Whether to draw what is not recorded from agents that are alike.
    seed
        Seed of these draws.
    first
        Number of the first person.

    Raises
    ------
    InvalidRequest
        A field is unknown, columns differ in length, a value does not fit, or a person lacks a field of
        :data:`NEEDED` (``details.fields``).
    """
    size = _check_columns(columns, MOST + 1 - first)
    problems: dict[str, list[str]] = {}
    profiles: list[Profile] = [{} for _ in range(size)]
    unread: Counter[tuple[str, str]] = Counter()
    for name, values in columns.items():
        _read_column(population, FIELDS[name], (values, first), profiles, problems, unread)
    known = [frozenset(profile) for profile in profiles]
    if fill and not problems:
        _fill(population, profiles, seed)
    _check_needed(profiles, problems, first)
    _check_health(profiles, problems, first)
    if problems:
        raise _refused(problems)
    made = [
        _record(place, profile, own, population.version)
        for place, (profile, own) in enumerate(zip(profiles, known, strict=True), first)
    ]
    filled = Counter(name for profile, own in zip(profiles, known, strict=True) for name in {*profile} - own)
    told = [(field, value, many) for (field, value), many in sorted(unread.items())]
    return Brought(made, {name: filled[name] for name in FIELDS if filled[name]}, told)


def _check_columns(columns: Mapping[str, Sequence[Any]], most: int) -> int:
    problems: dict[str, list[str]] = {}
    for name in columns:
        if name not in FIELDS:
            hint = did_you_mean(nearest(name, FIELDS)) or "."
            problems[f"columns.{name}"] = [f"is no field of agents{hint}"]
    sizes = {len(values) for values in columns.values()}
    if len(sizes) > 1:
        problems["columns"] = [f"must have one length, not {', '.join(map(str, sorted(sizes)))}"]
    elif not 1 <= (size := sizes.pop()) <= most:
        left = "" if most == MOST else f", as a group takes {MOST:,}"
        problems["columns"] = [f"must have 1 to {most:,} people{left}, not {size:,}"]
    else:
        if not problems:
            return size
    raise _refused(problems)


def _read_column(
    population: Population,
    field: Field,
    numbered: tuple[Sequence[Any], int],
    profiles: Sequence[Profile],
    problems: dict[str, list[str]],
    unread: Counter[tuple[str, str]],
) -> None:
    live = {fold(label): label for label in population.labels(field.name)} if field.name in _LIVE else {}
    told: list[str] = []
    values, first = numbered
    for place, value in enumerate(values):
        if value is None:
            continue
        try:
            read = fitted(field, value)
        except Unfit as unfit:
            told.append(f"person {place + first}: {str(value)[:60]!r}: {unfit}")
            continue
        if field.name in _LIVE:
            found = live.get(fold(read)) or (corpus().get(read.casefold()) if live else None)
            if found is None:
                unread[field.name, read] += 1
                continue
            read = found
        profiles[place][field.name] = read
    if told:
        more = [f"and {len(told) - _MOST_TOLD:,} more"] if len(told) > _MOST_TOLD else []
        problems[f"columns.{field.name}"] = [*told[:_MOST_TOLD], *more]


def _check_needed(profiles: Sequence[Profile], problems: dict[str, list[str]], first: int) -> None:
    for name in NEEDED:
        lacking = [place for place, profile in enumerate(profiles, first) if name not in profile]
        if lacking and f"columns.{name}" not in problems:
            shown = ", ".join(map(str, lacking[:_MOST_TOLD]))
            more = ", …" if len(lacking) > _MOST_TOLD else ""
            problems[f"columns.{name}"] = [
                f"is not known of {len(lacking):,} people (numbers {shown}{more}); leave them out, or send "
                'fill: "population"'
            ]
    for place, profile in enumerate(profiles, first):
        state, country = profile.get("state"), profile.get("country")
        if state and country and is_elsewhere(FIELDS["state"], state, frozenset((country,))):
            told = problems.setdefault("columns.state", [])
            if len(told) < _MOST_TOLD:
                told.append(f"person {place}: {state!r} is not in {country}")


def _check_health(profiles: Sequence[Profile], problems: dict[str, list[str]], first: int) -> None:
    """Refuse health fields of people whose conditions are unknown, since unknown is not the same as none."""
    for name in _HEALTH:
        lone = [
            place
            for place, profile in enumerate(profiles, first)
            if name in profile and "health_conditions" not in profile
        ]
        if lone:
            problems[f"columns.{name}"] = [
                f"needs health_conditions of the same person, [] for none; {len(lone):,} people lack them "
                f"(the first is number {lone[0]})"
            ]


def _refused(problems: dict[str, list[str]]) -> InvalidRequest:
    told = "; ".join(f"{name} {texts[0]}" for name, texts in problems.items())
    return InvalidRequest(f"The people cannot be brought: {told}.", details={"fields": problems})


def _fill(population: Population, profiles: Sequence[Profile], seed: int) -> None:
    """Give each profile what it lacks from one alike agent (hot deck), cell by cell.

    Donors have the same country and gender and an age within the same five years, as far as these are known;
    among up to 500 of them, drawn at random, the one with the most equal values is taken.
    """
    cells: dict[tuple[Any, ...], list[Profile]] = {}
    for profile in profiles:
        age = profile.get("age")
        cell = (profile.get("country"), profile.get("gender"), None if age is None else age // _BAND)
        cells.setdefault(cell, []).append(profile)
    for place, cell in enumerate(sorted(cells, key=lambda one: tuple(map(str, one)))):
        country, gender, band = cell
        asked: dict[str, Any] = {"country": country, "gender": gender}
        if band is not None:
            asked["age"] = {"min": max(band * _BAND, 18), "max": band * _BAND + _BAND - 1}
        wanted = parse({name: value for name, value in asked.items() if value is not None})
        donors = population.agents(population.sample(wanted, _DONORS, seed=(seed + place) & 0x7FFF_FFFF))
        if donors:
            _from_donors(cells[cell], [_profile(donor) for donor in donors], seed + place)


def _from_donors(profiles: Sequence[Profile], donors: Sequence[Profile], seed: int) -> None:
    rng = np.random.default_rng(seed)
    held: dict[str, Any] = {}
    own_health = frozenset(_HEALTH)
    healthy = np.array(["health_conditions" in donor for donor in donors])
    for profile in profiles:
        score = rng.random(len(donors)) / 2  # ties are decided at random
        for name, value in profile.items():
            if name not in held:
                held[name] = np.fromiter((repr(one.get(name)) for one in donors), dtype=object)
            score += held[name] == repr(value)
        if not own_health.isdisjoint(profile):
            score[~healthy] = -1  # a donor without health data has nothing to add
        _take(profile, donors[int(np.argmax(score))])


def _take(profile: Profile, donor: Profile) -> None:
    """Add what a profile lacks, without fields that would not fit those it has."""
    apart = {
        name
        for block in _BLOCKS
        if any(name in profile and profile[name] != donor.get(name) for name in block)
        for name in block
    }
    known = dict(profile)
    for name, value in donor.items():
        if name not in apart:
            profile.setdefault(name, value)
    weight = known.get("bmi_class") or ("obese_1" if known.get("bmi", 0) >= 30 else None)
    if (
        "health_conditions" not in known
        and "health_conditions" in profile
        and {"bmi", "bmi_class"} & {*known}
    ):
        others = [one for one in profile["health_conditions"] if one != "obesity"]
        obese = ["obesity"] if weight in _OBESE else []
        order = FIELDS["health_conditions"].levels.index
        profile["health_conditions"] = sorted([*others, *obese], key=order)


def _profile(agent: Agent) -> Profile:
    """Return the known fields of an agent by name."""
    plain = {name: getattr(agent, FIELDS[name].record_key) for name in _PLAIN}
    health = agent.health_profile
    if health is not None:
        plain |= {name: getattr(health, FIELDS[name].record_key) for name in _HEALTH}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in plain.items()
        if value is not None
    }


def _record(place: int, profile: Profile, own: frozenset[str], version: str) -> dict[str, Any]:
    """Return an agent record with the origin of its fields."""
    if "occupation" in profile and "labour_status" not in profile:
        profile = profile | {"labour_status": "employed"}
    record: dict[str, Any] = {FIELDS[name].record_key: profile.get(name) for name in _PLAIN}
    record["name"] = f"Person {place}"
    filled = [name for name in FIELDS if name in profile and name not in own and name != "labour_status"]
    told = f"{_SOURCE.capitalize()}: {', '.join(name for name in FIELDS if name in own)}."
    told += (
        f" Drawn from alike agents of population {version} (hot deck by country, gender and age): "
        f"{', '.join(filled)}."
        if filled
        else " Other fields are not recorded."
    )
    record["profile_provenance"] = told
    record["summary"] = _summary(record, profile)
    if "health_conditions" in profile:
        health = {FIELDS[name].record_key: profile.get(name) for name in _HEALTH}
        drawn = "health_conditions" not in own
        health["source"] = f"population {version}, hot deck" if drawn else _SOURCE
        health["method_version"] = "hot-deck-alike" if drawn else "brought"
        health |= {"calibration_version": "none", "reference_version": "none"}
        record["health_profile"] = health
    return record


def _summary(record: Mapping[str, Any], profile: Profile) -> str:
    """Return one or two sentences on what is known."""
    where = ", ".join(filter(None, (record["state"], record["country"])))
    gender = str(record["gender"]).replace("_", " ")
    known = [
        f"{FIELDS[name].label.lower()}: {str(profile[name]).replace('_', ' ')}"
        for name in ("education", "occupation", "labour_status", "household_income", "marital_status")
        if name in profile
    ]
    first = f"{record['name']} is {record['age']} years old, {gender}, and lives in {where}."
    return f"{first} Known are {'; '.join(known)}." if known else first
