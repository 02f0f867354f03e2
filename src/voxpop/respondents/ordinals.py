"""Ordered answer options: which end means more, which option is an escape."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop.respondents.patterns import Pattern

ESCAPE = Pattern(
    r"^(?:i )?(?:don'?t know|do not know|not sure|unsure|prefer not|rather not|can'?t say|no answer"
    r"|not applicable|n/a|no opinion|undecided|decline)",
    re.I,
)
NONE = Pattern(
    r"^(?:none|neither|nothing|no one|nobody)\b|^i (?:don'?t|do not) (?:use|have|take|buy|like) any"
    r"|^not any\b",
    re.I,
)
OTHER = Pattern(r"^(?:other|something else|somewhere else|someone else|another)\b", re.I)

_DOWN = (
    r"(?:dis\w+|un\w+|not\b.*|worse|less|poor(?:ly)?|bad(?:ly)?|low|negative(?:ly)?|oppose\w*|rarely"
    r"|seldom|difficult|hard|no|never|infrequent(?:ly)?"
    r"|against|decrease\w*|too low|dull|pessimistic|weak|slow|harmful|cheap)"
)
_STRONG = (
    r"(?:strongly|completely|totally|definitely|absolutely|certainly|extremely|very|highly|much"
    r"|a lot|far|greatly|entirely|really)"
)
_MILD = (
    r"(?:somewhat|slightly|a little|a little bit|rather|fairly|probably|mostly|tend to|a bit"
    r"|moderately|quite|generally|lean towards?)"
)
_RULES: tuple[tuple[str, float], ...] = (
    (r"(?:neither|neutral|no change|(?:about |stay |stays )?the same|mixed|average|about right"
        r"|indifferent|maybe|it depends|might or might not|undecided|in between|okay|ok|so-so"
            r"|no difference|moderate\b)", 0.5),
    (rf"no,? {_STRONG}|(?:definitely|certainly|absolutely) (?:would |will |does |do )?not\b", 0.0),
    (rf"no,? {_MILD}|{_MILD} no\b|probably (?:would |will |does |do )?not\b", 0.25),
    (rf"{_STRONG} {_DOWN}", 0.0),
    (rf"{_MILD} {_DOWN}", 0.25),
    (r"(?:not at all|none at all|no \w+ at all|never|terrible|awful|horrible|worst|hate|dreadful"
        r"|nothing|none\b|no interest|not (?:\w+ )?at all)", 0.0),
    (r"(?:not very|not really|not too|not much|not so|not particularly|rarely|seldom|hardly"
        r"|almost never|less often|only a little|very little|little|a little|slightly|once in a while"
            r"|a few times a year|once or twice a year|yearly|less than once)", 0.22),
    (r"(?:every day|daily|always|several times a day|more than once a day|almost always|constantly"
        r"|a great deal|excellent|outstanding|essential|love|completely|totally|a lot|all of|perfect)", 1.0),
    (rf"(?:yes,? )?{_STRONG}\b(?! {_DOWN})", 1.0),
    (r"(?:several times a week|most days|very often|most of the time|(?:a few|[2-6]|two to three|2-3"
        r"|3-4|4-6) times (?:a|per) week|nearly every day|very good|great)", 0.85),
    (r"(?:often|usually|frequently|weekly|(?:about )?once a week|a fair amount|quite a bit|quite|good"
        r"|fairly|(?:\w+ )?(?:of the time)|probably|mostly)", 0.7),
    (r"(?:somewhat|sometimes|moderately|occasionally|a few times a month|(?:two|2|2-3"
        r"|two or three) times a month|some\b|fair\b|partly|medium|now and then)", 0.5),
    (r"(?:monthly|once a month|about once a month)", 0.35),
    (rf"{_DOWN}$", 0.15),
    (r"(?:agree\w*|likely|satisfied|important|interested|concerned|worried|support\w*|favou?r\w*|better"
        r"|more|high|positive|good|yes|increase\w*|too high|comfortable|confident|happy|true|true\b"
            r"|approve|optimistic|easy|too much|for)$", 0.8),
    (r"poor|bad|false|too little|low|no", 0.12),
)  # fmt: skip
_COMPILED = tuple((Pattern(pattern), score) for pattern, score in _RULES)
_NUMBER = Pattern(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Ordered:
    """Options in an order: ``ranks[i]`` is the place of option i from low to high, None for an escape."""

    ranks: tuple[int | None, ...]
    levels: int
    numeric: bool


@lru_cache(maxsize=1024)
def read_order(options: tuple[str, ...]) -> Ordered | None:
    """Return the order of options that form a rating, a frequency or number bands; None otherwise.

    Examples
    --------
    >>> read_order(("Very likely", "Somewhat likely", "Not at all likely", "Don't know")).ranks
    (2, 1, 0, None)
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
    numeric = all(_NUMBER.search(option) or option.lower() in ("none", "never", "nothing") for option in real)
    scores = [_band(option) if numeric else _score(option) for option in real]
    if any(score is None for score in scores):
        return None
    values = [score for score in scores if score is not None]
    rising = all(a < b for a, b in itertools.pairwise(values))
    falling = all(a > b for a, b in itertools.pairwise(values))
    if not rising and not falling:
        rising = all(a <= b for a, b in itertools.pairwise(values)) and values[0] < values[-1]
        falling = all(a >= b for a, b in itertools.pairwise(values)) and values[0] > values[-1]
    if not rising and not falling:
        return None
    order = {option: at if rising else len(real) - 1 - at for at, option in enumerate(real)}
    return Ordered(tuple(order.get(option) for option in options), len(real), numeric)


def _score(option: str) -> float | None:
    text = option.lower().replace("’", "'").strip()
    for pattern, score in _COMPILED:
        if pattern.match(text):
            return score
    return None


def _band(option: str) -> float | None:
    numbers = [float(number.replace(",", "")) for number in _NUMBER.findall(option)]
    if not numbers:
        return -1.0
    low = option.lower()
    if re.search(r"under|less|below|fewer|up to|younger|at most", low) and len(numbers) == 1:
        return numbers[0] - 1e-6 * 2 if numbers[0] > 0 else 0.0
    if re.search(r"more|over|\+|above|at least|older", low) and len(numbers) == 1:
        return numbers[0] + 1e-6
    return numbers[0]
