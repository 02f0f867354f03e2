"""Shares of common options: a table in a text file, and the list for a question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from voxpop.engines.option_order import ESCAPE, NONE, OTHER
from voxpop.text_files import text_of
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import sections_of

_FILE = Path(__file__).parent / "tables" / "options.txt"
SEEN = ("checked", "unverified", "ours")
_HEADS = ("asks", "can", "kind", "from", "seen")
_ENTRY = Pattern(
    r"([\d.]+)(?:/([\d.]+))? ([^=~@!*]+)(?:=([^~@!*]*))?(?:~([^@!*]*))?(?:@([^!*]*))?(?:! ([a-z]+) ?)?(\*?)"
)
_WORDS = Pattern(r"[a-z0-9é$€£%&+'’./-]+")
_LONGEST = 8
_ALONE = 2  # names of this length or less count only as the whole option ("X", "HP")


@dataclass(frozen=True, slots=True)
class Entry:
    """One common option.

    Attributes
    ----------
    names : tuple of str
        Names in lower case, starting with the one in the table.
    share, main : float
        Share of US adults who tick it, 0 to 1, and relative frequency as the single choice.
    weights : tuple
        Traits and leanings that shift the share, in deviations.
    abroad : tuple
        Countries with a known different (share, main).
    fact : str
        Corresponding screening fact, or "".
    ours : bool
        Whether the figure is an estimate in a list with a source.
    """

    name: str
    names: tuple[str, ...]
    share: float
    main: float
    weights: tuple[tuple[str, float], ...]
    abroad: tuple[tuple[str, float, float], ...] = ()
    fact: str = ""
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """One list of the table: options of a kind, the questions about them, and the source of the shares.

    ``view`` distinguishes tastes and reasons, which differ between questions, from possessions and
    behaviours; ``against`` marks reasons not to do a thing, where "not" in the question changes nothing.
    """

    name: str
    asks: Pattern
    can: tuple[str, ...]
    view: bool
    against: bool
    source: str
    seen: str
    entries: tuple[Entry, ...]


@cache
def lists() -> tuple[Options, ...]:
    """Return all lists of the table, in order.

    Examples
    --------
    >>> platforms = lists()[0]
    >>> platforms.name, platforms.entries[0].name, platforms.entries[0].share
    ('social platforms', 'YouTube', 0.83)
    """
    return tuple(_list(name, lines) for name, lines in sections_of(text_of(_FILE)).items())


def _list(name: str, lines: tuple[str, ...]) -> Options:
    heads = {}
    entries = []
    for line in lines:
        key, colon, value = line.partition(": ")
        if colon and key in _HEADS:
            heads[key] = value
        else:
            entries.append(_entry(line))
    if heads.get("seen") not in SEEN or not entries:
        raise ValueError(f"the list {name!r} needs 'seen: {'|'.join(SEEN)}' and entries")
    return Options(
        name=name,
        asks=Pattern(heads["asks"], re.I),
        can=tuple(filter(None, heads.get("can", "").split("|"))),
        view=heads.get("kind") in ("view", "against"),
        against=heads.get("kind") == "against",
        source=heads.get("from", "ours"),
        seen=heads["seen"],
        entries=tuple(entries),
    )


def _entry(line: str) -> Entry:
    found = _ENTRY.fullmatch(line)
    if found is None:
        raise ValueError(f"no entry of the table of options: {line!r}")
    share, main, name, others, weights, abroad, fact, star = found.groups()
    names = (name, *filter(str.strip, (others or "").split(",")))
    return Entry(
        name=name.strip(),
        names=tuple(_plain(each) for each in names),
        share=float(share) / 100,
        main=float(main or share) / 100,
        weights=tuple(
            (each.split()[0], float(each.split()[1])) for each in (weights or "").split(",") if each.strip()
        ),
        abroad=tuple(map(_there, abroad.split(","))) if abroad else (),
        fact=(fact or "").strip(),
        ours=bool(star),
    )


def _there(text: str) -> tuple[str, float, float]:
    country, _, figures = text.strip().rpartition(" ")
    share, _, main = figures.partition("/")
    return country, float(share) / 100, float(main or share) / 100


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split()).strip(" .?!")


@cache
def _index() -> dict[str, tuple[tuple[int, int], ...]]:
    """Return each name with its (list, entry) pairs."""
    found: dict[str, list[tuple[int, int]]] = {}
    for at, options in enumerate(lists()):
        for seat, entry in enumerate(options.entries):
            for name in entry.names:
                for form in {name, " ".join(_WORDS.findall(name))}:
                    found.setdefault(form, []).append((at, seat))
    return {name: tuple(pairs) for name, pairs in found.items()}


def _named(text: str) -> dict[int, tuple[int, float]]:
    """Return the entries named by an option: list -> (entry, share of the option's text)."""
    index = _index()
    whole = _plain(text)
    bare = _plain(re.sub(r"\(.*?\)", " ", whole)) or whole
    bare = re.sub(
        r"^(?:an?|the|my|your|i (?:usually )?(?:use|have|buy|take|go)|by|with|from|at|on|in)\s+(?=\w)",
        "",
        bare,
    )
    best: dict[int, tuple[int, float]] = {}

    def note(name: str, size: float) -> None:
        for form in (name, name.removesuffix("s"), name + "s"):
            for at, seat in index.get(form, ()):
                if at not in best or best[at][1] < size:
                    best[at] = (seat, size)

    for exact in (whole, bare):
        note(exact, 1.0)
    for part, least in ((bare, 0.0), (whole, 0.3)):
        words = _WORDS.findall(part.replace("/", " / "))
        for start in range(len(words)):
            for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
                name = " ".join(words[start:end]).strip("./-")
                if len(name) > _ALONE:
                    note(name, (0.9 - least) * len(name) / max(len(part), 1))
    return best


@lru_cache(maxsize=1024)
def list_of(text: str, options: tuple[str, ...]) -> tuple[Options, tuple[int | None, ...]] | None:
    """Return the list of a question's options, with the entry of each option, or None.

    At least two options, and most of them, must be known; fewer suffice if the question's text matches.

    Examples
    --------
    >>> found = list_of("Which do you use?", ("Facebook", "TikTok", "None of these"))
    >>> found[0].name, [None if at is None else found[0].entries[at].name for at in found[1]]
    ('social platforms', ['Facebook', 'TikTok', None])
    >>> list_of("Which shape do you like?", ("Round", "Square")) is None
    True
    """
    named = [{} if ESCAPE.match(option) or OTHER.match(option) else _named(option) for option in options]
    real = sum(not (ESCAPE.match(option) or OTHER.match(option) or NONE.match(option)) for option in options)
    chosen: tuple[float, int] | None = None
    for at, each in enumerate(lists()):
        hits = [found[at] for found in named if at in found]
        different = len({seat for seat, _ in hits})
        if not hits or (different < 2 and real > 2):
            continue
        known = different / max(real, 1)
        asked = bool(each.asks.search(text))
        if known < (0.4 if asked else 0.65) or (different < 2 and not asked):
            continue
        rank = known + 0.5 * asked + 0.3 * sum(size for _, size in hits) / len(hits) - at * 1e-4
        if chosen is None or rank > chosen[0]:
            chosen = (rank, at)
    if chosen is None:
        return None
    at = chosen[1]
    taken: set[int] = set()
    seats: list[int | None] = []
    for found in named:
        seat = found[at][0] if at in found else None
        seats.append(None if seat in taken else seat)
        taken.update(() if seat is None else (seat,))
    return lists()[at], tuple(seats)


_REST = Pattern(r"(?:currently|now|at all|yourself|personally|these days|at home)?[?. ]*", re.I)
_VERB = r"\byou (?:currently |personally |ever |usually |regularly |still |also |typically )*"


@lru_cache(maxsize=1024)
def entry_named(sentence: str, *, alone: bool) -> tuple[Options, int] | None:
    """Return the entry asked for by "Do you VERB THING ...?", or None.

    Parameters
    ----------
    sentence : str
        The question.
    alone : bool
        Whether the thing must end the question, so that a yes means only using, having or doing it.

    Examples
    --------
    >>> entry_named("Do you shop at Costco?", alone=True)[0].name
    'grocery chains'
    >>> entry_named("Do you shop at Costco every week?", alone=True) is None
    True
    """
    words = _plain(sentence)
    best: tuple[int, Options, int] | None = None
    for at, options in enumerate(lists()):
        found = _verbs(options.can).search(words) if options.can else None
        if found is None:
            continue
        rest = _WORDS.findall(words[found.end() :])
        for end in range(min(len(rest), _LONGEST), best[0] if best else 0, -1):
            name = " ".join(rest[:end])
            seats = [seat for form in (name, name.removesuffix("s")) for where, seat in _index().get(form, ())
                     if where == at]  # fmt: skip
            if seats and (not alone or _REST.fullmatch(" ".join(rest[end:]))):
                best = (end, options, seats[0])
                break
    return None if best is None else (best[1], best[2])


@cache
def _verbs(can: tuple[str, ...]) -> Pattern:
    return Pattern(rf"{_VERB}(?:{'|'.join(can)}) (?:an?|the|your|any)? ?")
