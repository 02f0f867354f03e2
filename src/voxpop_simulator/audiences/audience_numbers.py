"""Numbers in an audience text: ages, incomes, body mass index, PHQ-9 scores and counts of medicines.

"Over 65" means 66 and older (except "over 18", which means adults), "65 and over" means 65 and older. Incomes
become the bands completely inside the bounds; a band cut by a bound is kept, with a screening question on the
bound. "BMI over 30" means 30 and more, like the BMI classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from voxpop.vocabulary import Between
from voxpop.vocabulary.conditions import HowMany
from voxpop.vocabulary.levels import HOUSEHOLD_INCOME
from voxpop_simulator.audiences.mentions import Mention, Sense, sense

_UNITS: list[str] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = {
    word: 10 * n
    for n, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
_WORD = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(sorted(_UNITS, key=len, reverse=True))})"  # noqa: E501
N = rf"((?<![\d.,$£€])\d{{1,3}}(?![\d]|[.,]\d|\s?k\b|\s?%)|\b{_WORD}\b)"
_DECADES = {"20s": 20, "30s": 30, "40s": 40, "50s": 50, "60s": 60, "70s": 70, "80s": 80, "90s": 90}
_DECADES |= {word[:-1] + "ies": start for word, start in _TENS.items()}
_DECADE = rf"(?:(early|mid|late)(?:[ -](?:to|and)[ -](early|mid|late))?[ -])?({'|'.join(_DECADES)})\b"
_OLD = r"(?:[ -]*(?:years?|yrs?)[ -]*(?:olds?|of age)|[ -]*y/?o\b)"
_AGED = r"(?:(?:aged?|ages|age range|between(?: the)?(?: ages?(?: of)?)?|from(?: ages?)?|who are|of age)\s+)*"
_NOT_AGE = (
    r"(?!\s*(?:percent|feet|foot|ft|inch(?:es)?|cm|hours?|days?|weeks?|months?|miles?|pounds?|lbs|kg|dollars|employees|people|staff|"
    r"times|"
    r"(?:or more |different |other )?(?:prescriptions?|medications?|medicines?|meds|drugs|pets|dogs|"
    r"cats|kids|children|cars)"
    r"|years? (?:of(?! age)|in(?! the u)|ago|at|with)|-?person|states))"
)
_NOT_MONTHS = r"(?!\s*(?:m|mo|wks?)\b)"
_MORE = r"(?:over|older than|above|more than|past|greater than|higher than|exceeding)"
_LESS = r"(?:under|younger than|below|less than|fewer than|lower than)"
_LEAST = r"(?:at least|minimum(?: age)?(?: of)?|no younger than|not younger than|no less than)"
_MOST = r"(?:up to|at most|no older than|not older than|maximum(?: age)?(?: of)?|no more than|not over|not more than)"  # noqa: E501
_THE_AGE = r"(?:[\s-]*(?:the )?ages? of)?[\s-]*"
_AND_UP = r"(?:\s*\+|[ -]*plus\b|,?\s+(?:and|or|&) (?:over|older|up|above|more|upwards?)\b|,?\s+years? (?:and|or) (?:over|older|above|up)\b)(?! *\d)"  # noqa: E501
_AND_DOWN = r"(?:,?\s+(?:and|or) (?:under|younger|below|less|fewer)\b)(?!\s*\d)"


def number(text: str) -> int:
    """Return the number that digits or words name.

    Examples
    --------
    >>> number("42"), number("sixty-five"), number("eighteen")
    (42, 65, 18)
    """
    if text.isdigit():
        return int(text)
    tens, _, unit = text.replace("-", " ").partition(" ")
    if tens in _TENS:
        return _TENS[tens] + (_UNITS.index(unit) if unit else 0)
    return _UNITS.index(tens)


_OLDEST = 120
Reader = Callable[["re.Match[str]"], Sense | None]


def _age(low: int | None, high: int | None) -> Sense | None:
    if (high is not None and not 1 <= high <= _OLDEST) or (low is not None and low > _OLDEST):
        return None
    return sense(age=Between(low, high))


def _read_range(found: re.Match[str]) -> Sense | None:
    low, high = sorted((number(found[1]), number(found[2])))
    return _age(low, high) if high >= 13 or "age" in found[0] or "year" in found[0] else None


def _read_decades(found: re.Match[str]) -> Sense | None:
    if found[6] and re.search(
        r"(?:,|\bor\b|\band\b)\s*(?:their |in their )?[a-z ]*$",
        found[0][: found.start(4) - found.start() if found[4] else found.start(6) - found.start()],
    ):
        first, last = _DECADES[found[3]], _DECADES[found[6]]
        if abs(first - last) != 10 or found[1] or found[4]:
            return None
    low = _decade(found[1], found[2], found[3])
    high = _decade(found[4], found[5], found[6]) if found[6] else low
    return _age(min(low[0], high[0]), max(low[1], high[1]))


def _decade(part: str | None, until: str | None, name: str) -> tuple[int, int]:
    start = _DECADES[name]
    parts = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}
    if part is None:
        return start, start + 9
    return start + parts[part][0], start + parts[until or part][1]


def _read_decade_people(found: re.Match[str]) -> Sense | None:
    start = _DECADES.get(f"{found[1]}s") or _TENS.get(found[1])
    return sense(person=True, age=Between(start, start + 9)) if start else None


def _older(than: int, words: str) -> Sense | None:
    """Return the ages above a bound; "over 18" is the usual phrase for adults, so 18 is included."""
    return _bound(than if than == 18 else than + 1, None, words)


def _bound(low: int | None, high: int | None, words: str = "age") -> Sense | None:
    """Return the ages above or below a bound; "over 8" says nothing about ages without a word for them."""
    if low is not None and low < 13 and not re.search(r"age|year|yr|old|y/?o", words):
        return None
    return _age(low, high) if (low or high or 0) >= 5 else None


_SIGNED = r"(?:(?<=^)|(?<=[,;(] )|(?<=adults )|(?<=men )|(?<=people )|\b(?:aged?|ages)\s+)"
"""Where a comparison sign is about the age."""


def _signed(low: int | None, high: int | None) -> Sense | None:
    return _age(low, high) if 17 <= (low or high or 0) <= 100 else None


_AGE_RULES: tuple[tuple[str, Reader], ...] = (
    (
        rf"{_AGED}{N}{_OLD}?\s*(?:-|–|—|\bto\b|\bthrough\b|\buntil\b)\s*{N}{_OLD}?{_NOT_AGE}{_NOT_MONTHS}",
        _read_range,
    ),
    (
        rf"(?:aged?|ages)?\s*\bbetween(?: the)?(?: ages?(?: of)?)?\s+{N}\s+and\s+{N}{_OLD}?{_NOT_AGE}",
        _read_range,
    ),
    (rf"\bages?d?\s+{N}\s+and\s+{N}\b{_NOT_AGE}", _read_range),
    (
        rf"(?:in )?(?:(?:their|his|her|the) )?\b{_DECADE}(?:\s*(?:,|and|or|to|through|-)\s*(?:their )?{_DECADE})?",  # noqa: E501
        _read_decades,
    ),
    (rf"(?:in )?(?:(?:their|his|her|the) )?\b{_DECADE}()()()", _read_decades),
    (rf"\b(\d0|{'|'.join(_TENS)})[ -]?somethings?\b", _read_decade_people),
    (
        rf"(?:aged?\s+)?(?:the )?\b{_MORE}{_THE_AGE}{N}s?{_OLD}?{_NOT_AGE}",
        lambda m: _older(number(m[1]), m[0]),
    ),
    (rf"(?:aged?\s+)?\b{_LEAST}{_THE_AGE}{N}{_OLD}?{_NOT_AGE}", lambda m: _bound(number(m[1]), None, m[0])),
    (rf"(?:aged?\s+|ages\s+)?{N}{_OLD}?{_AND_UP}{_NOT_AGE}", lambda m: _bound(number(m[1]), None, m[0])),
    (
        rf"(?:aged?\s+)?(?:the )?\b{_LESS}{_THE_AGE}{N}s?{_OLD}?{_NOT_AGE}",
        lambda m: _bound(None, number(m[1]) - 1),
    ),
    (rf"(?:aged?\s+)?\b{_MOST}{_THE_AGE}{N}{_OLD}?{_NOT_AGE}", lambda m: _bound(None, number(m[1]))),
    (rf"(?:aged?\s+|ages\s+)?{N}{_OLD}?{_AND_DOWN}{_NOT_AGE}", lambda m: _bound(None, number(m[1]))),
    (rf"{_SIGNED}(?:>=|≥)\s*{N}{_OLD}?{_NOT_AGE}", lambda m: _signed(number(m[1]), None)),
    (rf"{_SIGNED}>\s*{N}{_OLD}?{_NOT_AGE}", lambda m: _signed(number(m[1]) + 1, None)),
    (rf"{_SIGNED}(?:<=|≤)\s*{N}{_OLD}?{_NOT_AGE}", lambda m: _signed(None, number(m[1]))),
    (rf"{_SIGNED}<\s*{N}{_OLD}?{_NOT_AGE}", lambda m: _signed(None, number(m[1]) - 1)),
    (rf"{N}{_OLD}", lambda m: _age(number(m[1]), number(m[1]))),
    (rf"\b(?:aged|age|ages)\s+{N}\b{_NOT_AGE}", lambda m: _age(number(m[1]), number(m[1]))),
)

_MONEY = r"([$]\s?\d[\d,]*(?:\.\d+)?\s?(?:k|thousand|million|m)?|\d+(?:\.\d+)?\s?k|\d[\d,]{3,}(?:\s?dollars)?)(?![\d\w])"  # noqa: E501
_EARN = (
    r"(?:(?:who |that )?(?:earn(?:s|ing)?|mak(?:e|es|ing)|with|having|have)\s+)?"
    r"(?:(?:a |an )?(?:yearly |annual |household |family |total |combined )*(?:incomes?|salary|"
    r"salaries)\s*(?:of |is )?)?"
)
_YEARLY = r"(?:\s*(?:(?:a|per|each) year|/ ?(?:year|yr)|annually|yearly|p\.a\.)|\s+in (?:yearly |annual |household )*income)*"  # noqa: E501
_INCOME_WORDS = re.compile(r"earn|mak(?:e|ing)|income|salar|year|annual")
_LOWS = (0, 15_000, 25_000, 35_000, 50_000, 75_000, 100_000, 150_000, 200_000)


def money(text: str) -> float:
    """Return the dollar amount in a text.

    Examples
    --------
    >>> money("$100k"), money("75,000")
    (100000.0, 75000.0)
    """
    digits = re.sub(r"[^\d.]", "", text).strip(".")
    times = (
        1_000 if re.search(r"k|thousand", text) else 1_000_000 if re.search(r"million|\dm|\d m", text) else 1
    )
    return float(digits) * times


def income(low: float | None, high: float | None) -> Sense | None:
    """Return the bands between two amounts, with a question if an amount cuts a band.

    Examples
    --------
    >>> income(150_000, None).parts
    (('household_income', vp.any_of("$150,000-$199,999", "$200,000 and over")),)
    >>> income(80_000, None).questions
    (("Is your household's yearly income over $80,000?", 'yes'),)
    """
    tops = (*_LOWS[1:], float("inf"))
    floor, ceiling = low or 0, high if high is not None else float("inf")
    bands = tuple(
        band
        for band, first, next_ in zip(HOUSEHOLD_INCOME, _LOWS, tops, strict=True)
        if next_ > floor and first < ceiling
    )
    if not bands or ceiling < 5_000 or (low is not None and low < 5_000):
        return None
    questions = []
    if low is not None and low not in _LOWS:
        questions.append((f"Is your household's yearly income over ${low:,.0f}?", "yes"))
    if high is not None and high not in _LOWS and high + 1 not in _LOWS:
        questions.append((f"Is your household's yearly income under ${high:,.0f}?", "yes"))
    return Sense(sense(household_income=bands).parts, questions=tuple(questions))


def _read_income(low: bool, high: bool) -> Reader:
    def read(found: re.Match[str]) -> Sense | None:
        if "$" not in found[0] and not _INCOME_WORDS.search(found[0]):
            return None
        amounts = [money(found[1])] + ([money(found[2])] if low and high else [])
        if len(amounts) == 2:
            if amounts[0] < 1_000 <= amounts[1]:
                amounts[0] *= 1_000
            return income(min(amounts), max(amounts))
        return income(amounts[0] if low else None, amounts[0] if high else None)

    return read


_INCOME_RULES: tuple[tuple[str, Reader], ...] = (
    (
        rf"{_EARN}(?:between |from )?{_MONEY.replace('{3,}', '*')}\s*(?:-|–|to|and)\s*{_MONEY}{_YEARLY}",
        _read_income(True, True),
    ),
    (rf"{_EARN}\b(?:{_MORE}|{_LEAST})\s+{_MONEY}{_YEARLY}", _read_income(True, False)),
    (
        rf"{_EARN}{_MONEY}(?:\s*\+|\s+(?:or|and) (?:more|above|over|up)|\s+plus){_YEARLY}",
        _read_income(True, False),
    ),
    (rf"{_EARN}\b(?:{_LESS}|{_MOST})\s+{_MONEY}{_YEARLY}", _read_income(False, True)),
    (rf"{_EARN}[>≥]=?\s*{_MONEY}{_YEARLY}", _read_income(True, False)),
    (rf"{_EARN}[<≤]=?\s*{_MONEY}{_YEARLY}", _read_income(False, True)),
    (rf"{_EARN}{_MONEY}\s+(?:or|and) (?:less|below|under){_YEARLY}", _read_income(False, True)),
)

_REAL = r"(\d{1,2}(?:\.\d)?)(?!\d)"


def _measure(field: str, *, whole: bool) -> tuple[tuple[str, Reader], ...]:
    name = (
        r"(?:an? )?\b(?:bmi|body mass index)(?:\s+(?:of|is))?"
        if field == "bmi"
        else (r"(?:an? )?\bphq[- ]?9?(?:\s+scores?)?(?:\s+(?:of|is))?")
    )
    step = 1 if whole else 0

    def between(low: str | None, high: str | None, low_step: int = 0, high_step: int = 0) -> Sense:
        first = None if low is None else _exact(low) + low_step
        last = None if high is None else _exact(high) - high_step
        return Sense(((field, Between(first, last)),))

    return (
        (
            rf"{name}\s+(?:between\s+|from\s+)?{_REAL}\s*(?:-|–|to|and)\s*{_REAL}",
            lambda m: between(m[1], m[2]),
        ),
        (rf"{name}\s+(?:{_MORE}|>)\s*{_REAL}", lambda m: between(m[1], None, step)),
        (rf"{name}\s+(?:{_LEAST}|>=|≥)\s*{_REAL}", lambda m: between(m[1], None)),
        (
            rf"{name}\s+{_REAL}(?:\+|\s+(?:and|or) (?:over|above|more|higher|up|greater))",
            lambda m: between(m[1], None),
        ),
        (rf"{name}\s+(?:{_LESS}|<)\s*{_REAL}", lambda m: between(None, m[1], 0, step)),
        (rf"{name}\s+(?:{_MOST}|<=|≤)\s*{_REAL}", lambda m: between(None, m[1])),
        (rf"{name}\s+{_REAL}(?:\s+(?:and|or) (?:under|below|less|lower))", lambda m: between(None, m[1])),
    )


def _exact(text: str) -> float:
    return float(text) if "." in text else int(text)


_PILLS = r"\s+(?:different |daily |regular )?(?:prescription )?(?:medications?|medicines?|meds|prescriptions|prescription drugs|pills)\b"  # noqa: E501


def _pills(low: int | None, high: int | None) -> Sense:
    return sense(rx_medication_count=Between(low, high))


_PILL_RULES: tuple[tuple[str, Reader], ...] = (
    (rf"\b{_MORE}\s+{N}{_PILLS}", lambda m: _pills(number(m[1]) + 1, None)),
    (rf"\b{_LEAST}\s+{N}{_PILLS}", lambda m: _pills(number(m[1]), None)),
    (rf"{N}(?:\+| or more| and more| plus){_PILLS}", lambda m: _pills(number(m[1]), None)),
    (rf"\b{_LESS}\s+{N}{_PILLS}", lambda m: _pills(None, number(m[1]) - 1)),
    (rf"\b{_MOST}\s+{N}{_PILLS}", lambda m: _pills(None, number(m[1]))),
    (rf"{N}{_PILLS}", lambda m: _pills(number(m[1]), number(m[1]))),
)

_HOME = r"\b(?:a )?(?:households?|famil(?:y|ies)) (?:size )?of\s+"


_PERSON_HOMES = r"(?:persons?|people|member)[- ](?:households?|homes?|famil(?:y|ies))\b"


def _household(low: int | None, high: int | None) -> Sense:
    return sense(household_size=Between(low, high))


_HOUSEHOLD_RULES: tuple[tuple[str, Reader], ...] = (
    (rf"{_HOME}{N}\s*(?:-|–|to)\s*{N}", lambda m: _household(number(m[1]), number(m[2]))),
    (rf"{_HOME}{N}(?:\s*\+| or more| and more| plus)", lambda m: _household(number(m[1]), None)),
    (rf"{_HOME}(?:at least)\s+{N}", lambda m: _household(number(m[1]), None)),
    (rf"{_HOME}{N}(?: people| persons)?\b(?! or)", lambda m: _household(number(m[1]), number(m[1]))),
    (
        rf"{N}(?:\s?\+| or more|-or-more|-plus| plus)[- ]{_PERSON_HOMES}",
        lambda m: _household(number(m[1]), None),
    ),
    (rf"(?:at least |minimum ){N}[- ]{_PERSON_HOMES}", lambda m: _household(number(m[1]), None)),
    (rf"{N}\s*(?:-|–|to|or)\s*{N}[- ]{_PERSON_HOMES}", lambda m: _household(number(m[1]), number(m[2]))),
    (rf"{N}[- ]{_PERSON_HOMES}", lambda m: _household(number(m[1]), number(m[1]))),
    (rf"\bsingle[- ]{_PERSON_HOMES}", lambda m: _household(1, 1)),
)

_ILLS = (
    r"\s+(?:different |other |chronic |long-term |medical |health |of these )*"
    r"(?:conditions|illnesses|diseases|comorbidities|diagnoses|condition|illness)\b(?! of)"
    r"(?:,? including(?= \w))?"
)


def _ills(low: int | None, high: int | None) -> Sense:
    return Sense((("health_conditions", HowMany(low, high)),))


_ILL_RULES: tuple[tuple[str, Reader], ...] = (
    (rf"\b{_MORE}\s+{N}{_ILLS}", lambda m: _ills(number(m[1]) + 1, None)),
    (rf"\b{_LEAST}\s+{N}{_ILLS}", lambda m: _ills(number(m[1]), None)),
    (rf"{N}(?:\s?\+| or more| and more| plus){_ILLS}", lambda m: _ills(number(m[1]), None)),
    (rf"\b{_LESS}\s+{N}{_ILLS}", lambda m: _ills(None, number(m[1]) - 1)),
    (rf"\b{_MOST}\s+{N}{_ILLS}", lambda m: _ills(None, number(m[1]))),
    (rf"\b(?:multiple|several){_ILLS}", lambda m: _ills(2, None)),
    (rf"\bno(?: known)?{_ILLS}", lambda m: _ills(None, 0)),
    (rf"{N}{_ILLS}", lambda m: _ills(number(m[1]), number(m[1]))),
)

_POOR = (
    r"(?:the |of the |of )*(?:federal )?(?:poverty(?: (?:line|level|threshold|guidelines?))?|fpl|"
    r"poverty[- ]level)\b"
)


def _poverty(low: float | None, high: float | None) -> Sense:
    return sense(poverty_ratio=Between(low, high))


_POVERTY_RULES: tuple[tuple[str, Reader], ...] = (
    (rf"(?:income )?(?:{_LESS}|{_MOST}) (\d{{2,3}}) ?% {_POOR}", lambda m: _poverty(None, int(m[1]) / 100)),
    (rf"(?:income )?(?:{_MORE}|{_LEAST}) (\d{{2,3}}) ?% {_POOR}", lambda m: _poverty(int(m[1]) / 100, None)),
    (
        rf"(?:income )?(?:between )?(\d{{2,3}}) ?%? ?(?:-|–|to|and) ?(\d{{2,3}}) ?% {_POOR}",
        lambda m: _poverty(int(m[1]) / 100, int(m[2]) / 100),
    ),
    (rf"(?:living |income )?(?:below|under) {_POOR}", lambda m: _poverty(None, 1)),
    (r"\bin poverty\b", lambda m: _poverty(None, 1)),
)

_RULES = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        *_AGE_RULES,
        *_INCOME_RULES,
        *_measure("bmi", whole=False),
        *_measure("phq9_score", whole=True),
        *_PILL_RULES,
        *_ILL_RULES,
        *_HOUSEHOLD_RULES,
        *_POVERTY_RULES,
    )
)


def number_mentions(text: str) -> Iterator[Mention]:
    """Yield the conditions from the numbers in a text.

    Examples
    --------
    >>> [(m.words, m.sense.parts) for m in number_mentions("women over 65")]
    [('over 65', (('age', vp.between(66)),))]
    """
    lower = text.lower()
    if len(lower) != len(text) or not re.search(
        r"\d|ies\b|t(?:y|een)\b|\b(?:several|multiple|no|single|poverty|fpl)\b|\b(?:"
        + "|".join(_UNITS)
        + r")\b",
        lower,
    ):
        return
    for pattern, read in _RULES:
        for found in pattern.finditer(lower):
            meaning = read(found)
            if meaning is not None:
                start = found.start() + len(found[0]) - len(found[0].lstrip())
                yield Mention(start, found.end(), text[start : found.end()], meaning)
