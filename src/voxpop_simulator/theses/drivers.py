"""Drivers of a thesis: its reasons, in its own words and as answer options."""

from __future__ import annotations

import re

from voxpop_simulator.theses.thesis_words import moves

_HEDGES = r"(?:mainly|mostly|primarily|largely|partly|chiefly|in part|probably|simply|just|only|perhaps|also)"
_LINKS = (
    r"because of|because|due to|owing to|thanks to|driven (?:\w+ly )?by|led by|caused by|fuell?ed by"
    r"|helped by|hurt by"
    r"|pushed by|on the back of|as a result of|on account of|in response to|attributable to|amid|given"
    r"|now that|with"
    r"(?= \w+(?: \w+){0,3} (?:rising|falling|high|low|up|down|so)\b)|since(?= (?!\d|last|the (?:start"
    r"|pandemic|spring"
    r"|summer|fall|winter)|january|february|march|april|may|june|july|august|september|october|november"
    r"|december)"
    r"\w+)|after(?= \w+ (?:raised|cut|changed|closed|banned)\b)|as(?= (?!well\b|much\b|many\b|long\b"
    r"|soon\b|a\b|an\b"
    r"|of\b|such\b|good\b|bad\b|strong\b|expected\b|fast\b|their\b|its\b|often\b)[\w'’-]+ [\w'’-]+)"
)
_BY = re.compile(rf"(?:,\s*)?\b(?:(?:{_HEDGES})\s+)*\b({_LINKS})\s+(.+)$", re.I | re.S)
_FIRST = re.compile(rf"^(?:{_HEDGES}\s+)*({_LINKS})\s+([^,]+),\s+(.+)$", re.I | re.S)
_NAMED = re.compile(
    r"^(?:the|its|their|a|one)?\s*(?:main |key |primary |biggest |real |first )*(?:reason|cause|driver)s?"
    r"(?: for (?:this|that|it))? (?:is|are|being)\s+(.+)$"
    r"|^(.+?) (?:is|are) (?:the|a) (?:main |key |primary |biggest |real )*(?:reason|cause|driver)s?\b.*$",
    re.I,
)
_NOT_BUT = re.compile(
    rf"\bnot (?!only)(?:{_HEDGES} )*(?:because of|because|due to)\s+.+?\bbut\s+(?:rather )?"
    r"(?:(?:because of|due to|because)\s+)?",
    re.I,
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just) (because of|because|due to)\s+(.+?)\s*,?\s+but (?:also )?", re.I)
_TAIL = re.compile(
    r"(?:\s*[;:.!?].*$)|,?\s+(?:but|while|whereas|although|though|so|which|and so|and not|not"
    r"|rather than|instead of)\s.*$",
    re.I,
)
_AUDIENCE = re.compile(r",?\s+(?:(?:especially |particularly )?among(?:st)?\s+.+|in (?:the )?[A-Z][\w .]+)$")
_PLACED = re.compile(
    r",?\s+(?:especially |particularly )?among(?:st)? [^,]+|\s+in (?:the )?[A-Z][\w]+(?: [A-Z]\w+)*$"
)
_PARTS = re.compile(
    rf"\s*(?:,\s*and|,|\band\b|\bplus\b|\bas well as\b|\balong with\b|&|\bbut also\b)\s+(?:(?:{_HEDGES})\s+)*"
    rf"(?:(?:because of|because|due to|owing to)\s+)?",
    re.I,
)
_STRIP = re.compile(rf"^(?:(?:{_HEDGES}|the|its|their|a|an|his|her|rather|by)\s+)+", re.I)

# answer option for each driver
_OPTIONS: tuple[tuple[str, str], ...] = (
    (r"\b(?<!birth )(?<!tax )(?<!crime )(?<!exchange )rates?\b|borrowing costs?"
     r"|cost of (?:credit|money)|financing costs?|\bfed\b|monetary", "Interest rates"),
    (r"tariffs?|trade war|import dut", "Tariffs"),
    (r"glp-?1|ozempic|wegovy|weight[- ]loss (?:drugs?|medicines?)|obesity drugs?", "Weight-loss medicines"),
    (r"charging|range anxiety|\bfuel|\bgas(?:oline)? prices?|petrol", "Cost of fuel or charging"),
    (r"insurance (?:cost|premium|price)s?", "Cost of insurance and taxes"),
    (r"\b(?:wages?|salar(?:y|ies)|labou?r costs?)\b", "Wages"),
    (r"inflation|cost of living|prices?\b|pricing|pricey|expensive|afford\w*|cheap\w*|fees?\b|\bvalue\b",
     "Prices"),
    (r"\bcosts?\b", "Costs"),
    (r"budgets?|incomes?|squeezed?|stretched|savings|debt|paychecks?|student loans?|purchasing power"
     r"|less money",
     "My household's budget"),
    (r"labou?r shortage|shortage of workers|staff(?:ing)? shortages?|worker shortages?",
     "Availability of workers"),
    (r"\bjobs?\b|unemployment|layoffs?|labou?r market|recession|slowdown|economy", "Job security"),
    (r"side effects?|safety concerns?", "Side effects or risks"),
    (r"\bhealth|wellness|sugar|diets?\b|nutrition|calories|processed", "Health"),
    (r"qualit|taste|flavou?r|freshness|durab|reliab", "Quality"),
    (r"convenien|speed|easy|ease\b|faster|saves? time|wait(?:ing)? times?|\btime\b", "Convenience"),
    (r"service|staff\b|customer care", "Service"),
    (r"privacy|data (?:breach|leak)|security", "Privacy"),
    (r"trust|scandal|reputation|boycott|politic\w*|brand image", "Trust in the company"),
    (r"environment|climate|sustainab|packaging|carbon|green", "The environment"),
    (r"compet\w+|rivals?|alternatives?|substitutes?|other brands", "Other brands or products"),
    (r"\bai\b|artificial intelligence|automation|technolog|chatbots?|robots?", "New technology"),
    (r"advert\w*|\bads?\b|marketing|influencers?|social media|tiktok", "Advertising or social media"),
    (r"regulat\w*|polic(?:y|ies)\b|government|\btax(?:es)?\b|subsid|tax credits?|ban\b|laws?\b|incentives?",
     "Government policy"),
    (r"weather|heat ?waves?|winter|hurricanes?|storms?", "Weather"),
    (r"remote work|work(?:ing)? from home|hybrid work|return to (?:the )?office", "Working from home"),
    (r"content|shows?\b|films?\b|movies?\b|sports rights", "Choice of shows and films"),
    (r"coverage|reimburse\w*|insur\w+", "Cost or insurance cover"),
    (r"supply|shortages?|availab\w*", "Availability"),
    (r"boredom|fashion|trends?|style|tastes\b", "Changing tastes"),
    (r"burn ?out|stress|workload", "Stress"),
    (r"demand\b|orders\b", "Demand from customers"),
    (r"uncertain\w*", "Uncertainty about the economy"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.I), option) for pattern, option in _OPTIONS)
_MOST_WORDS = 3  # longer ones are clauses, or too specific for an option


def split(statement: str) -> tuple[str, tuple[str, ...]]:
    """Return a claim without its reasons, and the reasons, main reason first.

    Words on the people meant ("because of price among Gen Z") stay with the claim.

    Examples
    --------
    >>> split("Sales fall because of prices and service among Gen Z")
    ('Sales fall among Gen Z', ('prices', 'service'))
    >>> split("As rents rise, people move out")
    ('people move out', ('rents rise',))
    """
    text = _NOT_BUT.sub("because of ", statement)
    text = _NOT_ONLY.sub(r"\1 \2 and also ", text)
    first = _FIRST.match(text)
    if first:
        return first[3], parts(first[1], first[2])
    found = _BY.search(text)
    if not found:
        return text, ()
    reason = found[2]
    placed = _PLACED.search(_TAIL.sub("", reason))
    kept = placed[0] if placed else ""
    rest = _TAIL.search(reason)
    claim = f"{text[: found.start()]}{kept}{_contrast(rest[0]) if rest else ''}"
    reason = _PLACED.sub("", _TAIL.sub("", reason))
    return claim.strip(), parts(found[1], reason)


def _contrast(rest: str) -> str:
    """Return the part of a tail that makes a different statement about a different subject."""
    return rest if re.match(r",?\s+(?:but|while|whereas)\s", rest, re.I) and moves(rest) else ""


def named(sentence: str) -> tuple[str, ...]:
    """Return the reasons given in a separate sentence ("The main reason is price.").

    Examples
    --------
    >>> named("The main reason is price."), named("Convenience is the main driver.")
    (('price',), ('Convenience',))
    """
    text = sentence.strip(" .!?")
    found = _NAMED.match(text)
    if found:
        return parts("because of", found[1] or found[2])
    by = re.match(rf"^(?:this is |it is |that is )?(?:{_HEDGES} )*({_LINKS})\s+(.+)$", text, re.I)
    return parts(by[1], by[2]) if by else ()


def parts(link: str, reason: str) -> tuple[str, ...]:
    """Return the reasons in a list, after a link such as "because of" or "by".

    Examples
    --------
    >>> parts("by", "the tariffs and rising rates")
    ('tariffs', 'rising rates')
    """
    clause = link.lower() in ("because", "as", "since", "now that", "after")
    if clause and not re.search(r"\band (?:because|due)", reason, re.I):
        pieces = [reason] if moves(reason) or len(reason.split()) > 3 else _PARTS.split(reason)
    else:
        pieces = _PARTS.split(reason)
    cleaned = [_STRIP.sub("", piece.strip(" ,.;:!?\"'")).strip() for piece in pieces if piece]
    return tuple(dict.fromkeys(piece for piece in cleaned if piece and not piece.lower().startswith("not ")))


def option(driver: str) -> str:
    """Return a driver as an answer option in neutral words; empty if there is none.

    Examples
    --------
    >>> option("rising mortgage rates"), option("insurance costs rise"), option("its new app")
    ('Interest rates', 'Cost of insurance and taxes', 'New app')
    """
    for pattern, words in _COMPILED:
        if pattern.search(driver):
            return words
    plain = _STRIP.sub("", driver).strip()
    clause = moves(plain) or re.search(
        r"\b(?:is|are|was|were|has|have|will|do|does|want|think|feel|got|get|gets|look|looks|treat|make"
        r"|made|became|become)\b",
        plain,
    )
    if not plain or clause or len(plain.split()) > _MOST_WORDS:
        return ""
    return plain[:1].upper() + plain[1:]
