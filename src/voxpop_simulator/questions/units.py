"""Numbers and money in the text of a question: whether it asks for a number, and its unit."""

from __future__ import annotations

import re

from voxpop_simulator.questions.patterns import Pattern

CURRENCIES = (
    ("USD", r"\$|\bus dollars?\b|\bdollars?\b|\busd\b|\bbucks\b"),
    ("EUR", r"€|\beuros?\b|\beur\b"),
    ("GBP", r"£|\bpounds? sterling\b|\bgbp\b|\bquid\b|\bbritish pounds?\b"),
    ("JPY", r"¥|\byen\b|\bjpy\b"),
    ("INR", r"₹|\brupees?\b|\binr\b"),
    ("CAD", r"\bcanadian dollars?\b|\bcad\b"),
    ("AUD", r"\baustralian dollars?\b|\baud\b"),
    ("BRL", r"\breais\b|\bbrl\b"),
    ("MXN", r"\bpesos?\b|\bmxn\b"),
)
SIGNS = {
    "USD": "$",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "INR": "₹",
    "CAD": "C$",
    "AUD": "A$",
    "BRL": "R$",
    "MXN": "MX$",
}

_PERIOD = (
    r"(?:a|an|per|each|every|in an?|in the (?:past|last)|during an?|over an?)\s+(?:typical "
    r"|average |normal |usual |given |single )?(day|week|month|year|night|hour|weekday|weekend)\b"
)
_MONEY = Pattern(
    r"\bhow much (?:money|cash)\b|\bhow much (?:per|a|each|every) \w+ (?:would|will|do|can"
    r"|could) you\b.{0,40}\b(?:pay|spend)\b|\bhow much (?:would|will|do|did|should|are|could|can"
    r"|have) (?:you"
    r"|your household|it|we)\b.{0,60}\b(?:pay|spend|spent|cost|save|donate|charge|budget|earn"
    r"|willing to)\b"
    r"|\b(?:what|which|at what|how high an?)\b.{0,30}\b(?:price|amount|budget|cost)\b(?!s? (?:range"
    r"|increase|matter|mean|do you think about))"
    r"|\bhow many (?:dollars|euros|yen|rupees|pesos|reais)\b|\bmaximum (?:you|you'd|you would) (?:pay"
    r"|spend)\b|\bmost you(?:'d| would) (?:be willing to )?(?:pay|spend)\b"
    r"|\bwhat (?:would|will|do|did) you (?:usually |normally )?(?:pay|spend)\b"
    r"|\bwhat (?:is|was) your (?:average )?(?:monthly |weekly |yearly |annual )?"
    r"(?:rent|mortgage|budget|salary|(?:electric(?:ity)?|(?:cell )?phone|internet|grocery|gas|water|utility"
    r"|heating) bill)\b"
    r"|\bhow much (?:money )?(?:do|does|did) (?:you|your household) (?:currently )?"
    r"(?:have|keep|hold|owe|put)\b.{0,30}\b(?:savings?|saved|bank|retirement|debt|credit cards?|checking"
    r"|emergency fund|invested)\b"
    r"|\bhow much (?:debt|savings) (?:do|does) (?:you|your household) have\b"
    r"|\bhow much did (?:your|the) .{2,40} cost\b"
    r"|\b(?:max(?:imum)?|most|highest|least|minimum) (?:amount |price )?(?:that )?you(?:'d| would|'re| are)"
    r"(?: be)?(?: willing to)? (?:pay|spend)\b"
    r"|\bwillingness to pay\b|\bfair price\b|\bhow much is .{2,60} worth\b|\bhow (?:much"
    r"|expensive) (?:is|was|are|were) your (?:[\w'-]+ ){0,3}"
    r"(?:rent|mortgage|bills?|grocer|premium|payment|subscription)"
)
_PRICE_TALK = Pattern(
    r"\bwhat (?:do you think|are your thoughts|is your opinion)\b|\bhow (?:important|fair|likely|does"
    r"|do)\b|\bprice range\b|^why\b|\bprices?,? (?:or|versus|vs) (?:\w+ )?quality\b"
    r"|\bquality,? (?:or|versus|vs) (?:\w+ )?price\b|\bspend too much\b"
    r"|\bwhat should\b"
)
_DEGREE = Pattern(
    r"\bhow much (?:do|did|would|does|have|are|has) (?:you|it|this|that|your \w+) .{0,25}?\b(?:like"
    r"|love|hate|trust|enjoy|care|worry|worried|agree|disagree|know|want|value|believe|miss|matter"
    r"|bother|affect|influence|interest|fear|support|need)"
)
_PERCENT = Pattern(
    r"\bwhat (?:percentage|percent|share|proportion|fraction)\b|\bhow many percent\b|\bin percent\b"
    r"|\bpercentage of\b.*\?"
)
_TIMES = Pattern(
    r"\bhow many times\b(?:.*?\b"
    + _PERIOD
    + r")?|\bhow often (?:"
    + _PERIOD
    + r")|\bnumber of times\b(?:.*?\b"
    + _PERIOD
    + ")?"
)
_TOLD_BY_IT = Pattern(
    r"\b(?:tells|telling|shows?|showing|says|tracks?|tracking|counts?|knows|limits?|limiting)"
    r" (?:(?:you|people|us|them|everyone) )?how (?:many|much|long|often|far|old)\b"
)
"""Information that is not asked for: "a label that tells you how many washes it will last"."""
_COUNT = Pattern(
    r"\bhow many\s+((?:[\w'’-]+\s+){0,3}?[\w'’-]+?)(?=\s+(?:do|did|does|are|is|would|will|have|has|were"
    r"|was|can|could|should|per|a|in|of|on|out|during|within|you|people|there|live|each)\b|[?,.]|$)"
)
SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""The first whole numbers in words."""
OF_SO_MANY = Pattern(
    r"\bhow many of (?:(?:your|our) (?:(?:last|past|next|most recent) )?|the (?:last|past|next) )"
    rf"(?:(?P<many>\d{{1,3}}|{'|'.join(SPELT[2:])}) )?(?=\w+ (?:are|is|was|were|do|did|have|has|would)\b)"
)
"""Words before the things to count: "How many of your last ten dinners were ..."."""
_ENTERED = Pattern(r"\b(?:enter|give|state|type(?: in)?|write) the number of (?=\w)")
_LONG = Pattern(r"\bhow (?:long|much time)\b")
_OLD = Pattern(
    r"\bhow old (?:are|were) you\b|\bhow old (?:is|was) (?:your|the)\b|\bage in years\b|\bat what age\b"
    r"|(?<!people )(?<!someone )(?<!person )(?<!others )(?<!at )"
    r"\b(?:what is|what's|whats|your|state your|enter your) (?:your |current |exact )?age\b"
)
_MEASURES = (
    (Pattern(r"\bhow much weight\b"), "pounds"),
    (Pattern(r"\bhow tall\b|\byour height\b"), "in"),
    (Pattern(r"\bhow much do you weigh\b|\b(?:what(?:'s| is| was)|enter|state|give|type)\b.{0,20}"
        r"\byour (?:\w+ )?weight\b|\byour weight (?:in|\()"), "lb"),
    (Pattern(r"\bwhat (?:is|'s) your (?:current )?(?:bmi|body mass index)\b(?! (?:class|category"
        r"|group))"), "kg/m2"),
    (Pattern(r"\b(?:phq-?\s?9|depression) score\b"), "points"),
    (Pattern(r"\bhow far\b"), "miles"),
    (Pattern(r"\bwhat number\b|\bgive (?:me )?a number\b|\benter a number\b|\bin what year\b"
        r"|\bwhat year\b"), "number"),
)  # fmt: skip
PRICE = Pattern(r"[$£€¥₹]\s?\d+(?:,\d{3})*(?:\.\d+)?")
"""An amount with a currency sign in front."""
_TIME_UNIT = Pattern(r"\b(seconds|minutes|hours|days|weeks|months|years)\b")


def currency(text: str) -> str | None:
    """Return the ISO code of the currency in the text, or None.

    Examples
    --------
    >>> currency("How much would you pay, in euros?"), currency("How many pounds do you weigh?")
    ('EUR', None)
    """
    words = text.lower()
    named = [(code, found.start()) for code, pattern in CURRENCIES if (found := re.search(pattern, words))]
    if not named:
        return (
            "GBP" if re.search(r"\bin pounds\b|\bhow many pounds would you (?:pay|spend)\b", words) else None
        )
    codes = {code for code, _ in named}
    for code in ("CAD", "AUD"):
        if code in codes:
            return code
    return min(named, key=lambda pair: pair[1])[0]


def read_unit(text: str) -> str | None:
    """Return the unit of the number that the question asks for, or None if it asks for no number.

    Examples
    --------
    >>> read_unit("How many times a week do you cook?"), read_unit("How much would you pay for it?")
    ('times a week', 'USD')
    >>> read_unit("How much do you trust banks?") is None
    True
    >>> read_unit("What do you think of a watch that shows how many steps you took?") is None
    True
    """
    words = _TOLD_BY_IT.sub("that", " ".join(text.lower().replace("’", "'").split()))
    words = _ENTERED.sub("how many ", words).replace("how many, if any,", "how many")
    if _DEGREE.search(words):
        return None
    if _MONEY.search(words) and not _PRICE_TALK.search(words):
        return currency(words) or "USD"
    if _OLD.search(words):
        return "years"
    if _PERCENT.search(words):
        return "%"
    found = _TIMES.search(words)
    if found:
        period = next((part for part in found.groups() if part), None)
        return f"times a {period}" if period else "times"
    for pattern, unit in _MEASURES:
        if pattern.search(words):
            return unit
    return _counted(words)


def _counted(words: str) -> str | None:
    found = _COUNT.search(OF_SO_MANY.sub("how many ", re.sub(r"\bout of (?:every )?\d+ ", "", words)))
    period = re.search(_PERIOD, words)
    if found:
        noun = " ".join(found[1].split()[-2:])
        return f"{noun} a {period[1]}" if period and period[1] not in noun else noun
    if _LONG.search(words):
        named = _TIME_UNIT.search(words)
        if named:
            return named[1]
        if re.search(r"\bhow long (?:have|has) you\b|\bhow long .*\b(?:lived|worked|owned|been)\b", words):
            return "years"
        if re.search(
            r"\bhow long (?:do|does|did|is|was)\b.*\b(?:spend|take|shower|lunch break|wait|ready)\b", words
        ):
            return "minutes"
        if period or "commute" in words or re.search(r"\btake you to\b", words):
            return "minutes"
    if (
        re.search(r"\bhow much (?:coffee|tea|water|alcohol|tv|sleep|screen time|exercise)\b", words)
        and period
    ):
        return f"{'hours' if re.search('tv|sleep|screen|exercise', words) else 'drinks'} a {period[1]}"
    return None
