"""Frequencies of behaviours: answer options as times a year, and usual rates.

Vague words ("rarely", "often") have no fixed rate: people read them relative to the usual rate of the
behaviour (Schaeffer 1991). Half of their rate comes from the word, half from the behaviour.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop_simulator.questions.patterns import Pattern

YEAR = {
    "hour": 5_840.0,  # of the sixteen waking hours
    "day": 365.0,
    "night": 365.0,
    "weekday": 260.0,
    "weekend": 52.0,
    "week": 52.0,
    "month": 12.0,
    "year": 1.0,
}
_COUNTS = {"once": 1.0, "one": 1.0, "twice": 2.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0,
           "six": 6.0, "a few": 3.0, "several": 3.0, "a couple": 2.0, "a couple of": 2.0, "multiple": 3.0,
           "many": 6.0, "a": 1.0, "an": 1.0, "per": 1.0, "every": 1.0}  # fmt: skip
_UNIT = r"(hour|day|night|weekday|weekend|week|month|year)s?"
_TIMES = Pattern(
    r"(?:(\d+|once|one|two|three|four)\s*(?:-|–|to|or)\s*)?(\d+|once|one|twice|two|three|four|five|six|a few"
    r"|several|a couple(?: of)?|multiple|many)\b\+?(?: or (?:more|twice|two))?(?: (?:times?|days?|nights?"
    r"|visits?|occasions?|trips?|cups?|drinks?))?(?: or (?:more|fewer|less))?(?: times)?,?"
    r" (?:a|an|per|each|every|in a) " + _UNIT
)
_EVERY = Pattern(
    r"(?:almost |nearly |about |at least |more or less |once |one time )*(?:every|each) (?:other |(?:\d+\s*"
    r"(?:-|–|to|or)\s*)?(few|couple of|\d+|two|three|four|six)\s*)?(?:single )?" + _UNIT
)
_ADVERB = (
    (r"(?:almost |nearly |about )?hourly", 5_840.0),
    (r"(?:almost |nearly |about )?daily", 365.0),
    (r"bi-?weekly|fortnightly", 26.0),
    (r"(?:about )?weekly", 52.0),
    (r"(?:about )?monthly", 12.0),
    (r"quarterly|seasonally", 4.0),
    (r"yearly|annually", 1.0),
    (r"(?:on )?(?:all|most) (?:days|mornings|evenings|nights)", 260.0),
    (r"(?:on )?(?:some|certain|a few) (?:days|mornings|evenings|nights)", 100.0),
    (r"on weekends(?: only)?|weekends only|only on weekends", 70.0),
)
# word -> (times a year, times the usual rate of the behaviour)
_VAGUE = (
    (r"hardly ever|almost never|very rarely|once in a (?:blue moon|great while)", 2.0, 0.06),
    (r"rarely|seldom|infrequently|not (?:very )?often|not (?:very )?much", 8.0, 0.14),
    (r"occasionally|now and then|once in a while|from time to time", 20.0, 0.45),
    (r"sometimes|some of the time|every so often", 45.0, 0.8),
    (r"fairly often|quite often|regularly|about half the time", 100.0, 1.6),
    (r"often|frequently|usually|a lot|most of the time|much of the time", 160.0, 2.6),
    (r"very (?:often|frequently)|nearly always|almost always|most times", 280.0, 4.5),
    (r"always|constantly|all the time|all (?:or most |\(or most\) )?of the time|every time", 600.0, 8.0),
)
_AGO = Pattern(
    r"(?:(?:with)?in |during |over )?(?:the )?(?:past|last|previous) (?:(?:\d+\s*(?:-|–|to)\s*)?(\d+|few"
    r"|couple of|two|three|six|twelve) )?"
    + _UNIT
    + r"|(?:more than |over |about |between )?(?:(?:\d+|one|an?|two|three|six)"
    r"\s*(?:-|–|to|and)\s*)?(\d+|one|an?|two|three|five|six|ten|twelve)\+? " + _UNIT + r"(?: or more)? ago"
)
_GAPS = {"few": 3.0, "couple of": 2.0, "twelve": 12.0, "ten": 10.0}
_JUST = Pattern(r"(?:earlier )?today|yesterday")
_NEVER = Pattern(r"never|not at all|none\b|zero\b|0 times|i (?:don'?t|do not|never)\b|0$")
_FEWER = Pattern(r"less (?:often|than|frequently)|fewer (?:than|often)?|under|up to|at most|rarer")
_MORE = Pattern(r"more (?:often|than|frequently)|over|at least")
_ADVERBS = tuple((Pattern(pattern), rate) for pattern, rate in _ADVERB)
_VAGUES = tuple((Pattern(pattern), own, of_usual) for pattern, own, of_usual in _VAGUE)


@dataclass(frozen=True, slots=True)
class Habit:
    """Frequency of a behaviour among US adults: log10 of times a year, and the share that never does it.

    Attributes
    ----------
    middle : float
        log10 of the usual (median) times a year, over all adults.
    spread : float
        Standard deviation of log10 of the times a year.
    never : float
        Share that never does it.
    source : str
        Source of the fitted figures; "ours" for an estimate of this project.
    checked : bool
        Whether the source, or a report on it, was checked.
    """

    name: str
    middle: float
    spread: float
    never: float
    source: str = "ours"
    checked: bool = False


HABITS: tuple[tuple[str, Habit], ...] = (
    (r"how often (?:did|do|does|were) (?:the |our |your )?(?:nurses?|doctors?|staff|employees|agents?)\b",
        Habit("served well", 3.0, 0.55, 0.01)),
    (r"\black companionship|\bleft out\b|\bbothered by\b"
        r"|\bfe(?:el|lt)(?:ing)? (?:\w+ )?(?:nervous|anxious|depressed|sad|down\b|hopeless|worthless|lonely"
        r"|isolated|angry|afraid|panick|guilty|bored)", Habit("low moods", -0.2, 2.2, 0.37,
        "NCHS, NHIS 2019 (anxious: daily 12, weekly 11, monthly 8, less 32, never 37 %)")),
    (r"iced coffee|cold brew", Habit("iced coffee", 0.9, 1.0, 0.3)),
    (r"fast[- ]food|drive-?thr|burger", Habit("fast food", 1.44, 0.5, 0.04,
        "Gallup, July 2013 (3, 16, 28, 33, 16 and 4 %, from every day to never)", True)),
    (r"snack", Habit("snacks", 2.62, 0.45, 0.01,
        "USDA, What We Eat in America 2017-2020 (95 % of adults on a given day)", True)),
    (r"church|religious service|worship|mosque|synagogue", Habit("services", 0.6, 1.3, 0.31,
        "Gallup 2021-2023 (21, 9, 11, 25 and 31 %, from every week to never)", True)),
    (r"\bpray", Habit("prayer", 2.2, 1.0, 0.16)),
    (r"dentist|dental", Habit("dentist", 0.07, 0.55, 0.01,
        "NCHS, NHIS 2019 (65.5 % in 12 months) and 2011 (44 % in six months)", True)),
    (r"doctor|physician|check-?up|clinic", Habit("doctor", 0.42, 0.56, 0.02)),
    (r"(?:shop|buy|order|purchase)\w*\b.*\bonline|online (?:shop|order|purchase)", Habit(
        "online shopping", 1.42, 0.6, 0.1,
        "Pew Research Center, July 2022 (76 % buy by phone, 32 % every week)", True)),
    (r"cook\w*|homemade|home-cooked", Habit("cooking", 2.4, 0.28, 0.05,
        "CBS News 2005 (dinner cooked on 6-7, 4-5, 2-3, 1 and 0 nights: 43, 32, 17, 2, 4 %)", True)),
    (r"coffee|latte|espresso", Habit("coffee", 2.6, 0.5, 0.2,
        "National Coffee Association 2025 (66 % on the past day)", True)),
    (r"floss", Habit("flossing", 1.9, 0.85, 0.32,
        "NCHS, NHANES 2009-2012 (30 % every day, 37 % less often, 32 % never)")),
    (r"brush(?:ing)? (?:your )?teeth", Habit("teeth", 2.785, 0.112, 0.005)),
    (r"shower|bathe|wash your hair|deodorant|shampoo", Habit("washing", 2.45, 0.25, 0.01)),
    (r"check\w* (?:your )?(?:phone|email|messages)|look at your phone", Habit("phone", 4.1, 0.5, 0.03)),
    (r"social media|facebook|instagram|tik ?tok|snapchat|youtube|whatsapp", Habit(
        "social media", 2.65, 0.65, 0.15)),
    (r"chatgpt|\bai\b|chatbot|artificial intelligence", Habit("AI tools", 0.6, 1.1, 0.42)),
    (r"\bnews\b|newspaper", Habit("news", 2.4, 0.5, 0.05)),
    (r"exercise|work ?out|gym|fitness|jog|\brun\b|yoga", Habit("exercise", 2.05, 0.55, 0.12)),
    (r"\bwalk", Habit("walking", 2.3, 0.45, 0.04)),
    (r"breakfast", Habit("breakfast", 2.48, 0.42, 0.06)),
    (r"soda|soft drink|energy drink", Habit("soft drinks", 1.75, 0.75, 0.14)),
    (r"fruit|vegetable|salad", Habit("vegetables", 2.4, 0.35, 0.02)),
    (r"candy|chocolate|dessert|sweets|ice cream|cookie|chips", Habit("sweets", 2.0, 0.5, 0.04)),
    (r"vitamin|supplement", Habit("supplements", 2.1, 0.9, 0.25)),
    (r"alcohol|beer|wine|cocktail", Habit("alcohol", 1.35, 0.9, 0.3)),
    (r"grocer|supermarket|food shopping", Habit("groceries", 1.85, 0.28, 0.03)),
    (r"restaurant|eat(?:ing)? out|dine out|take-?out|take-?away|deliver|meal kit", Habit(
        "eating out", 1.6, 0.5, 0.04)),
    (r"\bfly\b|flight|airline|air travel", Habit("flying", 0.0, 0.5, 0.15)),
    (r"travel|vacation|holiday|cruise|trip", Habit("travel", 0.3, 0.45, 0.08)),
    (r"movie theat|cinema|concert|museum|theater|theatre|live sport", Habit("outings", 0.35, 0.55, 0.2)),
    (r"clothes|clothing|shoes|fashion", Habit("clothes", 0.85, 0.4, 0.02)),
    (r"read (?:a )?books?|reading", Habit("reading", 1.7, 0.9, 0.12)),
    (r"recycl", Habit("recycling", 2.1, 0.7, 0.08)),
    (r"sleep|nap\b", Habit("sleep", 2.45, 0.3, 0.02)),
    (r"\btv\b|television|stream|watch", Habit("watching", 2.5, 0.4, 0.03)),
    (r"laundry|vacuum|\bclean", Habit("chores", 1.9, 0.35, 0.03)),
    (r"volunteer|donat|charit", Habit("giving", 0.45, 0.7, 0.3)),
)  # fmt: skip
"""Pattern of a question -> frequency of the behaviour; the first match counts."""
USUAL = Habit("anything else", 1.6, 0.75, 0.07)
_COMPILED = tuple((Pattern(pattern, re.I), habit) for pattern, habit in HABITS)


@lru_cache(maxsize=4096)
def habit_of(sentence: str) -> Habit | None:
    """Return the behaviour of a question if it is in the table.

    Examples
    --------
    >>> habit_of("How often do you eat fast food?").name, habit_of("How often do you juggle?")
    ('fast food', None)
    """
    return next((habit for pattern, habit in _COMPILED if pattern.search(sentence)), None)


def habit_words(habit: Habit) -> Pattern:
    """Return the pattern of the questions on a behaviour of the table."""
    return next(pattern for pattern, each in _COMPILED if each is habit)


def times_a_year(option: str, habit: Habit = USUAL) -> float | None:
    """Return the times a year of an answer option, or None if it names no frequency.

    Examples
    --------
    >>> times_a_year("Twice a week"), times_a_year("Every day"), times_a_year("Never")
    (104.0, 365.0, 0.0)
    >>> times_a_year("Blue") is None
    True
    """
    text = option.lower().replace("’", "'").strip().rstrip(".").removeprefix("only ")
    if _NEVER.match(text):
        return 0.0
    rate = _counted(text)
    if rate is None:
        rate = _since(text)
        if rate is not None:
            return rate
        for pattern, own, of_usual in _VAGUES:
            if pattern.match(text):
                return math.sqrt(own * of_usual * 10**habit.middle)
        return None
    if _FEWER.match(text):
        return rate * 0.45
    return rate * 2.2 if _MORE.match(text) else rate


def _since(text: str) -> float | None:
    """Return the times a year implied by the time since the last occurrence ("1-6 months ago")."""
    if _JUST.match(text):
        return 300.0
    found = _AGO.match(text)
    if not found:
        return None
    count = found[1] or found[3] or "1"
    gap = _GAPS.get(count) or _COUNTS.get(count) or float(count)
    longer = 0.4 if re.match(r"more than|over", text) or "or more" in text else 1.0
    return longer * YEAR[found[2] or found[4]] / gap


def _counted(text: str) -> float | None:
    bare = re.sub(r"^(?:less (?:often )?than|fewer than|more (?:often )?than|at least|about|around|roughly"
                  r"|only|under|over|up to|at most|approximately|maybe)\s+", "", text)  # fmt: skip
    for pattern, rate in _ADVERBS:
        if pattern.match(bare):
            return rate
    every = _EVERY.match(bare)
    if every:
        unit = YEAR[every[2]] * (0.75 if re.match(r"almost|nearly", bare) else 1.0)
        if every[1]:
            gap = _COUNTS.get(every[1].replace("couple of", "two").replace("few", "three")) or (
                float(every[1]) if every[1].isdigit() else 3.0
            )
            return unit / gap
        return unit / 2 if "other" in bare else unit
    found = _TIMES.match(bare)
    if not found:
        return None
    high = _COUNTS.get(found[2]) or float(found[2])
    low = (_COUNTS.get(found[1]) or float(found[1])) if found[1] else high
    return math.sqrt(max(low, 0.5) * high) * YEAR[found[3]]


@lru_cache(maxsize=1024)
def frequencies(options: tuple[str, ...], habit: Habit) -> tuple[float, ...] | None:
    """Return the times a year of each option, distinct and in the listed order, or None.

    "More often" and "less often" at the end of a list are relative to the adjacent option.
    """
    rates = [times_a_year(option, habit) for option in options]
    for at, option in enumerate(options):
        text = option.lower()
        beside = next((rates[near] for near in (at - 1, at + 1)
                       if 0 <= near < len(rates) and rates[near]), None)  # fmt: skip
        if rates[at] is None and beside and re.match(r"more (?:often|frequently)|more than that", text):
            rates[at] = beside * 2.2
        if rates[at] is None and beside and re.match(r"less (?:often|frequently)|rarer", text):
            smaller = min(rate for rate in rates if rate)
            rates[at] = smaller * 0.35
    if any(rate is None for rate in rates):
        return None
    known = [rate for rate in rates if rate is not None]
    rising = known[0] < known[-1]
    line = known if rising else known[::-1]
    return tuple(known) if line == sorted(line) and len(set(line)) > 1 else _between(options, known)


def _between(options: tuple[str, ...], rates: list[float]) -> tuple[float, ...] | None:
    """Move vague words that overtake an exact neighbour ("Often, Daily") back between their neighbours."""
    vague = [any(pattern.match(option.lower()) for pattern, _, _ in _VAGUES) for option in options]
    if not any(vague):  # in an order of their own ("Once a day, twice a day, less than once a day")
        return tuple(rates) if len(set(rates)) == len(rates) else None
    order = range(len(rates)) if rates[0] <= rates[-1] else range(len(rates) - 1, -1, -1)
    exact = [at for at in order if not vague[at]]
    if [rates[at] for at in exact] != sorted(rates[at] for at in exact):
        return None
    fixed = list(rates)
    line = list(order)
    for place, at in enumerate(line):
        before = fixed[line[place - 1]] if place else 0.0
        if vague[at] and fixed[at] <= before:
            fixed[at] = 1.6 * before
        after = [fixed[later] for later in line[place + 1 :] if not vague[later]]
        if vague[at] and after and fixed[at] >= min(after):
            fixed[at] = math.sqrt(max(before, 1.0) * min(after))
    found = [fixed[at] for at in line]
    return tuple(fixed) if found == sorted(found) and len(set(found)) > 1 else None
