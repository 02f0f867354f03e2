"""Ordered answer options: their direction, their positions, and "don't know" options."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop.engines.option_order import ESCAPE
from voxpop_simulator.questions.patterns import Pattern

_MIDDLE = Pattern(
    r"(?:neither|neutral|no change|(?:about |stay(?:ed|s)? |just )?the same|no difference|mixed|about right"
    r"|(?:remain(?:ed|s)? |about |roughly )?(?:unchanged|equal)|equally|both|indifferent|maybe|it depends"
    r"|might or might not|might\b|undecided|in between|so-so|half)"
)
# complete, half, and nothing of the quantity asked for
_STRENGTHS: tuple[tuple[str, float], ...] = (
    (r"very (?:little|few|slightly)", 0.2),
    (r"(?:extremely|very) or (?:very|extremely|quite|fairly)", 0.8),
    (r"(?:extremely|completely|totally|absolutely|entirely|overwhelmingly|a great deal|essential|a must)",
        0.95),
    (r"(?:strongly|definitely|certainly|very|highly|greatly|much|far|a lot|lots|really|severe\w*|major"
        r"|serious\w*|huge|always|all of)", 0.82),
    (r"(?:pretty|quite|fairly|rather|mostly|a fair amount|quite a bit|considerabl[ey]|probably|usually|most"
        r" of)", 0.66),
    (r"moderate\w*", 0.53),
    (r"(?:somewhat|generally|partly|some\b|tend to|leaning|lean|medium|to some extent)", 0.58),
    (r"(?:slight\w*|a little|a bit|only a little|minor|mild\w*|a few|few\b|little)", 0.32),
)  # fmt: skip
_WEAK = Pattern(r"(?:not (?:very|too|so|really|particularly|that|overly|especially|much)\b|hardly|barely)")
_HARDLY = Pattern(r"(?:hardly|barely|almost) (?:any|ever|never|none|no)\b")
_NOTHING = Pattern(
    r"(?:not (?:\w+ )?at all|none at all|nothing|none\b|no \w+ at all|never"
    r"|no (?!longer|more\b|way)\w+|not a (?:\w+ )?\w+|not (?!very|too|so|really)\w+(?: at all)?$)"
)
_AGAINST = Pattern(
    r"(?:dis\w+|un\w+|worse\w*|poor\w*|bad\w*|negativ\w*|oppos\w+|difficult\w*|hard\b|harder|against"
    r"|decreas\w*|harm\w*|false|no\b|less|fewer|lower|too (?:low|little|few)|dull|pessimistic|weak"
    r"|ineffective"
    r"|(?:would|will|do|does|should|could|can)(?:n't| not)\b|not (?:buy|use|try|do|recommend|agree|likely)"
    r"|illegal\b|unfair\b|declin\w*|failing|inconvenient|(?:definitely|probably|certainly|absolutely) not)"
)
_FOR = Pattern(
    r"(?:agree\w*|likely|satisf\w+|important|interested|concerned|worried|support\w*|favou?r\w*|better|more"
    r"|higher|positive\w*|good|yes|increas\w*|improv\w*|too (?:high|much|many)|comfortabl\w*|confident|happy"
    r"|true|approv\w*|optimistic|eas(?:y|ier)|for\b|familiar|aware|would|will|healthy|helpful|effective"
    r"|legal\b|fair\b|convenient|safe|appealing|likely|well\b|love|like)"
)
# words that denote a position themselves
_PLACES: tuple[tuple[str, float], ...] = (
    (r"(?:excellent|outstanding|perfect|superb|exceptional|the best|love it|amazing)", 0.93),
    (r"(?:very good|great|wonderful|living comfortably|thriving)", 0.78),
    (r"(?:doing (?:okay|ok|fine|well|alright|all right))", 0.62),
    (r"(?:average|okay\b|ok\b|acceptable|adequate|satisfactory|decent)", 0.46),
    (r"fair$|only fair|below average", 0.41),
    (r"(?:just (?:about )?getting by|getting by|barely|making ends meet)", 0.36),
    (r"(?:poor|bad|weak)$", 0.13),
    (r"(?:pretty |fairly )?routine$", 0.48),
    (r"exciting$", 0.82),
    (r"(?:very (?:poor|bad)|terrible|awful|horrible|worst|dreadful|hate|unacceptable)", 0.03),
    (r"(?:(?:find\w* it )?(?:very |quite )?(?:difficult|hard) to (?:get by|manage)|struggl\w+"
        r"|in trouble)", 0.12),
    (r"(?:(?:you |i )?(?:currently|already) (?:own|use|have|do|subscribe|take))", 0.95),
    (r"(?:you |i )?(?:(?:are |am |'m )?(?:seriously|actively) consider\w*|(?:will|plan to|intend to)\b)",
        0.74),
    (r"(?:you |i )?(?:might|may|could|would) consider", 0.5),
    (r"(?:you |i )?(?:would|will)(?:n't| not| never) (?:buy|use|consider|have|own|take)\b(?!.*definitely)",
        0.12),
    (r"(?:never heard|have(?:n't| not) heard|i've never)", 0.02),
    (r"(?:heard of|know (?:of|the name))", 0.36),
    (r"(?:good)$", 0.58),
)  # fmt: skip
_EXCELLENT = 0.93
_STRENGTH = tuple((Pattern(pattern), place) for pattern, place in _STRENGTHS)
_PLACE = tuple((Pattern(pattern), place) for pattern, place in _PLACES)
_VERSUS = Pattern(r"(?:much |far |somewhat )?(more|less) (.+?) than (.+)")
_NUMBER = Pattern(r"\d[\d,]*(?:\.\d+)?|\ban hour\b", re.I)
_ZERO = Pattern(r"(?:none|never|nothing)\b", re.I)
_OPPOSITE = Pattern(
    r"\b(?:dis|un)(?:satisf|agree|likely|favo|approv|import|happy|comfort|health)|\boppose|\bworse"
)


@dataclass(frozen=True, slots=True)
class Ordered:
    """Ordered options: ``ranks[i]`` is the rank of option i from low to high, None for a "don't know" option.

    ``cuts`` are the borders between neighbours on a 0-1 axis, from low to high, halfway between the meanings
    of the words. If ``numeric``, ``amounts`` are the lower borders of number bands instead.
    """

    ranks: tuple[int | None, ...]
    levels: int
    numeric: bool
    cuts: tuple[float, ...] = ()
    amounts: tuple[float, ...] = ()


@lru_cache(maxsize=1024)
def read_order(options: tuple[str, ...]) -> Ordered | None:
    """Return the order of options that form a rating or number bands, or None.

    Examples
    --------
    >>> read_order(("Very likely", "Somewhat likely", "Not at all likely", "Don't know")).ranks
    (2, 1, 0, None)
    >>> read_order(("Better", "Worse", "About the same")).ranks
    (2, 0, 1)
    >>> read_order(("tea", "coffee", "water")) is None
    True
    """
    real = [
        option
        for option in options
        if not ESCAPE.match(option) or option.lower() in ("undecided", "no opinion")
    ]
    if len(real) < 2:
        return None
    numbered = [option for option in real if _NUMBER.search(option) or _ZERO.match(option)]
    if len(numbered) == len(real) or (len(numbered) >= 3 and numbered == real[:-1]):
        return _bands(options, numbered)  # a last option without a number is separate: "I work from home"
    places = _places(real)
    if places is None:
        return None
    line = sorted(places)
    rank = {option: line.index(place) for option, place in zip(real, places, strict=True)}
    cuts = tuple(round((low + high) / 2, 4) for low, high in itertools.pairwise(line))
    if line[-1] == _EXCELLENT and len(line) > 2:  # few call a thing excellent, whatever the other options
        cuts = (*cuts[:-1], max(cuts[-1], 0.855))
    return Ordered(tuple(rank.get(option) for option in options), len(real), False, cuts)


def ranked(values: tuple[float, ...]) -> tuple[int, ...]:
    """Return the rank of each value from low to high; equal values keep the listed order.

    Examples
    --------
    >>> ranked((52.0, 365.0, 0.0))
    (1, 2, 0)
    """
    line = sorted(range(len(values)), key=values.__getitem__)
    return tuple(line.index(at) for at in range(len(values)))


def _places(real: list[str]) -> list[float] | None:
    """Return a distinct position from 0 to 1 for each option, or None if they are not a scale."""
    texts = [option.lower().replace("’", "'").strip().rstrip(".") for option in real]
    known = _versus(texts) or [_place(text, _two_sided(texts)) for text in texts]
    filled = _filled(known)
    if filled is None:
        return None
    if len(set(filled)) == len(filled) and (_straight(filled) or len(filled) == 3):
        return filled
    rising = all(a <= b for a, b in itertools.pairwise(filled)) and filled[0] < filled[-1]
    falling = all(a >= b for a, b in itertools.pairwise(filled)) and filled[0] > filled[-1]
    if not (rising or falling):
        return None
    step = 0.04 if rising else -0.04  # synonyms keep the listed order
    return [round(place + step * (at - len(filled) / 2), 4) for at, place in enumerate(filled)]


def _straight(places: list[float]) -> bool:
    return places in (sorted(places), sorted(places, reverse=True))


def _two_sided(texts: list[str]) -> bool:
    """Whether the options range between opposites, rather than from nothing to a lot."""
    if any(_MIDDLE.match(text) for text in texts):
        return True
    if any(_NOTHING.match(text) for text in texts) and not any(_OPPOSITE.search(text) for text in texts):
        return False
    against = sum(bool(_AGAINST.search(text)) for text in texts)
    return 0 < against < len(texts)


def _place(text: str, two_sided: bool) -> float | None:
    for pattern, place in _PLACE:
        if pattern.match(text):
            return place
    if _MIDDLE.match(text):
        return 0.5
    bare = re.sub(r"^(?:yes,?|no,) (?=\w)|^i (?:am |would |was |have )?|^it (?:is|was) ", "", text)
    against = bool(_AGAINST.search(text)) and two_sided
    strength = next((place for pattern, place in _STRENGTH if pattern.match(bare)), None)
    if not two_sided:
        if _HARDLY.match(bare):
            return 0.13
        if _WEAK.match(bare):
            return 0.27
        if _NOTHING.match(bare) or re.match(r"no\b", bare):
            return 0.08
        return strength or (0.72 if _FOR.search(bare) else None)
    if strength is None:
        if not (against or _FOR.search(bare) or _WEAK.match(bare)):
            return None
        strength = 0.7
    size = 0.5 * (0.78 if strength > 0.8 else 0.46 if strength == 0.7 else 0.28) + 0.05 * (strength > 0.9)
    if _WEAK.match(bare) or _NOTHING.match(bare):
        against = not (_AGAINST.search(text) and re.search(r"\b(?:dis|un)\w+|worse|bad", text))
    return 0.5 - size if against else 0.5 + size


def _versus(texts: list[str]) -> list[float | None] | None:
    """Return positions for "more A than B", "more B than A" and "both"; the first listed is high."""
    found = [_VERSUS.match(text) for text in texts]
    sides = [each for each in found if each]
    if len(sides) < 2 or sides[0][2] != sides[1][3] or not sides[0][2]:
        return None
    first = sides[0][2] if sides[0][1] == "more" else sides[0][3]
    return [
        0.5 if each is None else (0.74 if (each[2] == first) is (each[1] == "more") else 0.26)
        for each in found
    ]


def _filled(places: list[float | None]) -> list[float] | None:
    """Return positions with the gaps of a list filled evenly, if the ends and most options are known."""
    missing = sum(place is None for place in places)
    first, last = places[0], places[-1]
    if not missing:
        return [place for place in places if place is not None]
    if first is None or last is None or abs(first - last) < 0.45 or missing * 2 > len(places) - 1:
        return None
    filled: list[float] = []
    for at, place in enumerate(places):
        if place is None:
            later = next(n for n in range(at, len(places)) if places[n] is not None)
            end = places[later] or 0.0
            place = filled[-1] + (end - filled[-1]) / (later - at + 1)
        filled.append(place)
    return filled if _straight(filled) else None


def _bands(options: tuple[str, ...], real: list[str]) -> Ordered | None:
    values = [_band(option) for option in real]
    rising = values == sorted(values) and values[0] < values[-1]
    falling = values == sorted(values, reverse=True) and values[0] > values[-1]
    if not rising and not falling:
        return None
    order = {option: at if rising else len(real) - 1 - at for at, option in enumerate(real)}
    amounts = tuple(sorted(values))
    return Ordered(tuple(order.get(option) for option in options), len(real), True, (), amounts)


_TIMES = (
    (r"second", 1 / 60), (r"minute|\bmins?\b", 1.0), (r"hour|\bhrs?\b", 60.0), (r"\bday", 1_440.0),
    (r"week", 10_080.0), (r"month", 43_200.0), (r"year", 525_600.0),
)  # fmt: skip


def _band(option: str) -> float:
    low = option.lower().replace("half an hour", "30 minutes").replace("an hour", "1 hour")
    numbers = [float(number.replace(",", "")) for number in _NUMBER.findall(low)]
    if not numbers:
        return -1.0
    scale = 1.0
    for pattern, size in _TIMES:
        if re.search(pattern, low) and re.search(r"\d\s*(?:-|–|to)?\s*\d*\s*\+?\s*(?:" + pattern + ")", low):
            scale = size
            break
    if re.search(r"\d\s*k\b", low):
        scale = 1_000.0
    at = numbers[0] * scale
    if re.search(r"under|less|below|fewer|up to|younger|at most|within", low) and len(numbers) == 1:
        return at * 0.5 if at > 0 else 0.0
    if re.search(r"more|over|\+|above|at least|older|ago", low) and len(numbers) == 1:
        return at * (1 + 1e-6)
    return at
