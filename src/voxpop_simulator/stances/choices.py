"""Choices among options with published shares, shifted by each agent's traits."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import log

from voxpop.engines.draws import draws, key
from voxpop.engines.option_order import ESCAPE, NONE, OTHER
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import CATEGORIES
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.stances.leanings import LEANING, TRAITS, Leaning
from voxpop_simulator.stances.life_facts import FACTS, Fact
from voxpop_simulator.stances.normals import normal, quantile
from voxpop_simulator.stances.options import Entry, entry_named, list_of

# trait -> (mean, deviation) over the US population: a weight moves people, not the share
_USUAL: dict[str, tuple[float, float]] = {
    "age": (-0.06, 1.00), "mid_age": (0.45, 0.50), "income": (0.21, 1.03), "education": (0.08, 0.87),
    "female": (0.49, 0.50), "parent": (0.28, 0.45), "urban": (0.79, 0.41), "employed": (0.73, 0.45),
    "unemployed": (0.02, 0.14), "retired": (0.13, 0.34), "disabled": (0.05, 0.21), "conditions": (0.39, 1.06),
    "bmi": (-0.01, 0.88), "phq9": (0.05, 0.93), "smoker": (0.10, 0.30), "drinker": (-0.20, 0.65),
    "active": (-0.02, 0.88), "diet": (-0.21, 0.83), "sleep": (-0.01, 0.71), "glp1": (0.05, 0.22),
    "black": (0.12, 0.33), "hispanic": (0.17, 0.38),
}  # fmt: skip
_GRAIN = 4096
_PRIMACY = 0.07  # deviations, if one option is chosen and options are not shuffled: as for unlisted options
_SMALL = {"other": 0.05, "none": 0.06, "escape": 0.02, "both": 0.35}  # of those who choose one
_ANEW = {True: 10_000, False: 5_000}  # out of 65,536: agents who choose anew now
_MODES: tuple[tuple[str, float], ...] = (
    (r"\b(?:heard of|aware of|familiar|recogni[sz]e|know of|come across)\b", 1.5),
    (r"\bever\b|\bin your life", 0.4),
    (
        r"\b(?:yesterday|today|every day|daily|past (?:24 hours|day|week)|last week|this week|regularly)\b",
        -0.35,
    ),
    (r"\bmost important|\bmain\b|\bfavou?rite|\bprimar|\bprefer", -0.5),
    (r"\bconsider|\bopen to\b|\bwould you (?:use|buy|try|shop)", 0.25),
)
_MODE = tuple((Pattern(pattern, re.I), shift) for pattern, shift in _MODES)
_TURNED = Pattern(
    r"\b(?:least|never|avoid|dislike|hate|worst|cancel|give up|would not|wouldn't"
    r"|not (?:use|buy|like|trust))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Pick:
    """Selection parameters of one option.

    ``level`` is the normal deviate above which it is ticked and ``main`` the logarithm of its relative
    frequency as the single choice, at home and, if different, abroad; ``seat`` is the position of its draw in
    the block.
    """

    level: float
    main: float
    seat: int
    weights: tuple[tuple[int, float], ...] = ()
    leanings: tuple[tuple[Leaning, float], ...] = ()
    fact: Fact | None = None
    kind: str = ""
    size: float = 1.0
    start: float = 0.0
    abroad: tuple[tuple[str, float, float], ...] = ()

    def shift(self, person: tuple[float, ...], uuid: bytes) -> float:
        """Return the shift by the agent's traits and leanings, in deviations; 0 on average."""
        total = self.start
        for at, weight in self.weights:
            total += weight * person[at]
        for leaning, weight in self.leanings:
            total += weight * leaning.of(person, uuid)
        return total

    def at(self, country: str) -> tuple[float, float]:
        """Return level and main in a country."""
        for name, level, main in self.abroad:
            if name == country:
                return level, main
        return self.level, self.main


@dataclass(frozen=True, slots=True)
class Known:
    """Options of a question in the table, with their selection parameters and draws."""

    picks: tuple[Pick, ...]
    salt: bytes
    view: bool
    mode: float
    turned: bool
    seats: int


@lru_cache(maxsize=1024)
def known_options(question: Question, subject: bytes) -> Known | None:
    """Return the selection parameters of a question's options, or None if no list of the table matches."""
    found = list_of(question.text, question.options)
    if found is None:
        return None
    options, seats = found
    entries = [options.entries[seat] for seat in seats if seat is not None]
    share, main = _middle([entry.share for entry in entries]), _middle([entry.main for entry in entries])
    alphabet = sorted(question.options, key=str.casefold)
    total = sum(entry.main for entry in entries) + main * sum(
        seat is None and not _kind(option) for option, seat in zip(question.options, seats, strict=True)
    )
    picks = []
    for at, (option, seat) in enumerate(zip(question.options, seats, strict=True)):
        place = alphabet.index(option)
        if not options.view:  # an entry of the table has the same draw in every question
            place = seat if seat is not None else (len(options.entries) + place) % 128
        alone = question.shape is CATEGORIES and NONE.match(option)
        kind = _kind(option) if seat is None or alone else ""
        if kind:
            small = _SMALL[kind]
            picks.append(Pick(-quantile(small), log(small * total), place, kind=kind))
        elif seat is None:
            jitter = min(max(normal(draws(key("option", option.casefold()))), -1.5), 1.5)
            level = -quantile(min(max(share, 0.03), 0.9)) - 0.2 * jitter
            picks.append(Pick(round(level, 4), round(log(main) + 0.3 * jitter, 4), place))
        else:
            picks.append(_pick(options.entries[seat], place))
        if not picks[0].kind and not at and not question.shuffle_options:
            picks[0] = replace(picks[0], main=round(picks[0].main + _PULL * _PRIMACY, 4))
    mode = next((shift for pattern, shift in _MODE if pattern.search(question.text)), 0.0)
    salt = subject + b"options" if options.view else key("options", options.name)
    turned = not options.against and bool(_TURNED.search(question.text))
    return Known(tuple(picks), salt, options.view, mode, turned, max(pick.seat for pick in picks) + 1)


def _kind(option: str) -> str:
    return next((kind for kind, pattern in _KINDS if pattern.match(option)), "")


_KINDS = (
    ("escape", ESCAPE),
    ("none", NONE),
    ("other", OTHER),
    ("both", Pattern(r"both|(?:about )?equally|no preference|a mix\b|it depends|(?:about )?the same", re.I)),
)


def _middle(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


@lru_cache(maxsize=2048)
def _pick(entry: Entry, seat: int) -> Pick:
    weights = tuple((TRAITS.index(name), weight) for name, weight in entry.weights if name in TRAITS)
    leanings = tuple((LEANING[name], weight) for name, weight in entry.weights if name not in TRAITS)
    start = -sum(weight * _USUAL[TRAITS[at]][0] for at, weight in weights)
    extra = sum((weight * _USUAL[TRAITS[at]][1]) ** 2 for at, weight in weights)
    size = (1 + extra + sum(weight * weight for _, weight in leanings)) ** 0.5
    fact = FACTS[entry.fact] if entry.fact else None

    def figures(share: float, main: float) -> tuple[float, float]:
        level = -quantile(min(max(share, 0.001), 0.98)) * size
        return round(level, 4), round(log(max(main, 1e-4)) - 0.5 * (_PULL**2) * (size * size - 1), 4)

    level, main = figures(entry.share, entry.main)
    abroad = tuple((country, *figures(*there)) for country, *there in entry.abroad)
    return Pick(level, main, seat, weights, leanings, fact, "", round(size, 4), round(start, 4), abroad)


_PULL = 1.28  # deviation of a Gumbel draw: traits affect a choice as much as a tick


def ticks(
    known: Known, person: tuple[float, ...], uuid: bytes, country: str, moment: tuple[int, ...]
) -> list[float]:
    """Return the distance of each option from its threshold for an agent; positive options are ticked."""
    block = _block(known, uuid, moment if known.view else None)
    table = _table()
    found = []
    for pick in known.picks:
        if pick.fact is not None and country == "USA":
            latent = pick.fact.latent(person, uuid) + known.mode
        else:
            own = table[block[pick.seat] >> 4]
            latent = own + pick.shift(person, uuid) - pick.at(country)[0] + known.mode * pick.size
        found.append(-latent - 0.8 if known.turned and not pick.kind else latent)
    return found


def appeals(
    known: Known, person: tuple[float, ...], uuid: bytes, country: str, moment: tuple[int, ...]
) -> list[float]:
    """Return the appeal of each option for a single choice, so that choices have the known proportions.

    The same draw decides on ticking, so that an agent that prefers a thing also uses it.
    """
    block = _block(known, uuid, moment)
    table, gumbel = _table(), _gumbels()
    found = []
    held = False
    for pick in known.picks:
        if pick.fact is not None and country == "USA":
            own, shift, level = pick.fact.own(uuid), pick.fact.shift(person), pick.fact.threshold
        else:
            own, shift, level = table[block[pick.seat] >> 4], pick.shift(person, uuid), pick.at(country)[0]
        main = pick.at(country)[1]
        held = held or (not pick.kind and own + shift > level)
        if known.turned and not pick.kind:
            main, own, shift = -0.6 * main, -own, -shift
        found.append(main + _PULL * shift + gumbel[min(max(int((own + 4) * 512), 0), _GRAIN - 1)])
    if not known.view:  # agents that have or use none of the options say so, if an option allows it
        return [
            (-9.0 if held else 9.0) if pick.kind == "none" else score
            for pick, score in zip(known.picks, found, strict=True)
        ]
    return found


def _block(known: Known, uuid: bytes, moment: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the agent's draws, one per seat; some are redrawn at other moments."""
    anew = moment is not None and moment[7] < _ANEW[known.view]
    block = draws(known.salt, uuid, bytes((moment[9] % 256,))) if anew and moment else draws(known.salt, uuid)
    if known.seats > 32:
        for word in _MORE[: (known.seats - 1) // 32]:
            block += draws(known.salt, uuid, word)
    return block


_MORE = (b"more", b"most", b"last")


@cache
def _table() -> tuple[float, ...]:
    """Return normal deviates by rank, from the lowest to the highest of 4,096."""
    return tuple(round(quantile((at + 0.5) / _GRAIN), 5) for at in range(_GRAIN))


@cache
def _gumbels() -> tuple[float, ...]:
    """Return the Gumbel deviate for each normal deviate from -4 to 4, for choices in given proportions."""
    from statistics import NormalDist

    below = NormalDist().cdf
    return tuple(round(-log(-log(below((at + 0.5) / 512 - 4))), 5) for at in range(_GRAIN))


@dataclass(frozen=True, slots=True)
class UsedFact(Fact):
    """Whether an agent has, uses or does something listed in the table, drawn with the table's share."""

    pick: Pick | None = None

    def latent(self, person: tuple[float, ...], uuid: bytes) -> float:
        """Return the distance of an agent from the threshold between yes and no."""
        pick = self.pick
        assert pick is not None  # ensured below
        block = draws(self.salt, uuid)
        for word in _MORE[: pick.seat // 32]:
            block = draws(self.salt, uuid, word)
        return _table()[block[pick.seat % 32] >> 4] + pick.shift(person, uuid) - pick.level


@lru_cache(maxsize=1024)
def used_fact(sentence: str, *, alone: bool = True) -> Fact | None:
    """Return the fact asked for by "Do you VERB THING?", if the table of options has the thing.

    Examples
    --------
    >>> used_fact("Do you subscribe to Netflix?").name, used_fact("Do you like Netflix?")
    ('Netflix', None)
    """
    found = entry_named(sentence, alone=alone)
    if found is None:
        return None
    options, seat = found
    entry = options.entries[seat]
    if entry.fact:
        return FACTS[entry.fact]
    return UsedFact(entry.name, 0.0, (), key("options", options.name), (), _pick(entry, seat))
