"""Options that are times of day ("Before 9pm, 9-10pm"), as hours, and the usual times of activities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop.engines.option_order import ESCAPE
from voxpop_simulator.questions.ordinals import Ordered
from voxpop_simulator.questions.patterns import Pattern

_TIME = Pattern(r"(\d{1,2})(?::(\d\d))?\s*(a\.?m\b|p\.?m\b)?|noon|midday|midnight", re.I)
_MARKED = Pattern(r"\d\s*[ap]\.?m\b|noon|midday|midnight|o'clock", re.I)
_BEFORE = Pattern(r"\b(?:before|earlier|by|until|till)\b", re.I)
_NIGHT = 4.0  # times before four in the morning belong to the previous evening


@dataclass(frozen=True, slots=True)
class Usual:
    """Usual time of an activity, in hours of the day, and its spread."""

    words: Pattern
    hour: float
    spread: float


# our estimates, based on the American Time Use Survey: most sleep from 11 to 6 and eat dinner from 5:30 to 7
_USUAL = tuple(
    Usual(Pattern(words, re.I), hour, spread)
    for words, hour, spread in (
        (r"\b(?:bed|bedtime|asleep|sleep)\b(?!.*\bwake)", 22.7, 1.35),
        (r"\b(?:wake|waking|get up|out of bed|alarm)\b", 6.6, 1.35),
        (r"\b(?:breakfast|first meal)\b", 7.9, 1.2),
        (r"\blunch\b", 12.3, 0.7),
        (r"\b(?:dinner|supper|evening meal)\b", 18.4, 0.95),
        (r"\b(?:to|for|start(?:ing)?|begin|arrive at) work\b", 8.0, 1.3),
        (r"\b(?:finish|leave|end|get off|home from) work\b", 17.1, 1.5),
        (r"\b(?:tv|television|stream|watch)\b", 20.0, 1.8),
        (r"\bcoffee\b", 8.3, 2.0),
    )
)


def _hours(option: str) -> list[float]:
    """Return the times in an option, in hours; a time without am or pm takes that of the next one."""
    found = [(match, (match[3] or "").lower()) for match in _TIME.finditer(option)]
    hours: list[float] = []
    later = ""
    for match, half in reversed(found):
        word = match[0].lower()
        later = "a" if word == "midnight" else "p" if word in ("noon", "midday") else half[:1] or later
        if match[1] is None:
            hours.append(0.0 if word == "midnight" else 12.0)
            continue
        hour = int(match[1]) % 12 + int(match[2] or 0) / 60 + (12 if later == "p" else 0)
        if not half and hours and later and hour % 12 > hours[-1] % 12 and hours[-1] % 12 == 0:
            hour = (hour + 12) % 24  # 11-midnight, 11-noon: the other half of the day
        hours.append(hour)
    return hours[::-1]


def _evening(hours: list[float], option: str) -> list[float]:
    """Return times without am or pm next to midnight as evening times."""
    marked = "midnight" in option.lower()
    return [hour + 12 if hour < 12 and not (marked and hour == 0) else hour for hour in hours]


@lru_cache(maxsize=1024)
def clock_order(options: tuple[str, ...]) -> Ordered | None:
    """Return the order of options that are times of day, or None for others.

    ``amounts`` are the start hours of the options; hours after midnight are above 24.

    Examples
    --------
    >>> clock_order(("Before 9pm", "9-10pm", "10pm-midnight", "After midnight")).amounts
    (20.0, 21.0, 22.0, 24.0)
    >>> clock_order(("Tea", "Coffee")) is None
    True
    """
    real = [option for option in options if not ESCAPE.match(option)]
    named = [_hours(option) for option in real]
    if len(real) < 2 or not all(named):
        return None
    if not all(map(_MARKED.search, real)):
        if not any("midnight" in option.lower() for option in real):
            return None
        named = [_evening(hours, option) for hours, option in zip(named, real, strict=True)]
    late = any(hour >= 17 for hours in named for hour in hours)
    starts = []
    for option, hours in zip(real, named, strict=True):
        start = hours[0] + (24 if late and hours[0] < _NIGHT else 0)
        starts.append(start - 1 if _BEFORE.search(option) and len(hours) == 1 else start)
    if sorted(set(starts)) != sorted(starts):
        return None
    place = {option: sorted(starts).index(start) for option, start in zip(real, starts, strict=True)}
    ranks = tuple(place.get(option) for option in options)
    return Ordered(ranks, len(real), numeric=True, amounts=tuple(sorted(starts)))


def clock_borders(text: str, hours: tuple[float, ...]) -> list[float]:
    """Return the lower stance limit of each option but the first, for the activity of a question.

    Examples
    --------
    >>> clock_borders("When do you go to bed?", (20.0, 21.0, 22.0, 24.0))
    [-1.26, -0.52, 0.96]
    """
    known = next((one for one in _USUAL if one.words.search(text)), None)
    middle = known.hour if known else (hours[0] + hours[-1] + 1) / 2
    spread = known.spread if known else max((hours[-1] - hours[0]) / 3, 0.5)
    return [round((hour - middle) / spread, 2) for hour in hours[1:]]
