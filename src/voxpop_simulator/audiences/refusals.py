"""Refused audiences: people under 18, named individuals, and texts that describe no people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxpop.engines.audience import Refusal
from voxpop.vocabulary import Between
from voxpop.vocabulary.name_lists import given_names
from voxpop_simulator.audiences.mentions import Mention
from voxpop_simulator.questions.wordlists import word_set

_MINORS = re.compile(
    r"\b(?:high[- ]?school(?:ers| students?| kids| seniors| juniors| freshmen| sophomores)|(?:middle|"
    r"elementary|primary|grade)"
    r"[- ]?school(?:ers| students?| kids| pupils)|school ?children|schoolkids|school ?(?:boys|girls)|"
    r"pupils|"
    r"kindergart(?:e?ners|en children)|toddlers?|bab(?:y|ies)(?! boomers?)|infants?|newborns?|minors|"
    r"underage(?:d)?(?: people)?|"
    r"teen(?:s|agers?)?|teenage(?:d)?(?: \w+)?|tweens?|pre-?teens?|adolescents?|child(?:ren)?(?!['’]s)|"
    r"kids(?!['’])|juveniles|"
    r"preschoolers|(?:boys|girls)(?! scout)|gen(?:eration)? alpha)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^\W*(?:please |can you |could you |would you |kindly |i want you to |i need you to |now )*"
    r"((?:write|compose|translate|summari[sz]e|tell|sing|calculate|solve|draw|paint|explain|describe|"
    r"generate|code|"
    r"debug|play|repeat|say|print|act|pretend|imagine|convert|order me|book me|remind|delete|drop|run|"
    r"execute|"
    r"open|show me how|give me (?:a|the|your|an) (?:recipe|joke|poem|story|prompt|password|list of "
    r"(?:recipes|jokes)|system)"
    r"|what|who is|who was|why|when|how|where is|is it|are you|do you|does|should i|hello|hi\b|hey|thanks|thank you|test)\b[^.,;!?]*)",  # noqa: E501
    re.IGNORECASE,
)
_INJECTION = re.compile(
    r"\b((?:ignore|disregard|forget|override|bypass)\b[^.;!?]{0,30}?\b(?:instructions?|prompts?|rules|"
    r"guidelines|"
    r"everything|system|filters)|system prompt|jailbreak|you are now [^.;!?]{1,40})",
    re.IGNORECASE,
)
_KNOWN_PERSON = re.compile(
    r"\b(?:(?:mr|mrs|ms|dr|senator|president|congressman|congresswoman|governor|mayor|judge|professor|"
    r"prof|sir|"
    r"king|queen|prince|princess|pope|sen|rep)\.?\s+[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)*)"
)
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Senator|President|Congressman|Congresswoman|Governor|Mayor|Judge|Professor|Prof|"
    r"King|Queen|"
    r"Prince|Princess|Pope)\.?\s+[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)*"
)
_OFFICE = re.compile(
    r"\bthe (?:current |former )?(?:president|vice president|ceo|mayor|governor|prime minister|king|"
    r"queen|pope|founder|"
    r"principal|owner) (?:of|at) [^,.;!?]+",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\b(?:my|our) (?:next[- ]door |own |best |ex[- ]?|former |upstairs |downstairs |old |new )*"
    r"(?:neighbou?rs?|boss|wife|husband|ex|girlfriend|boyfriend|partner|spouse|mother|father|mom|dad|"
    r"parents|brother|"
    r"sister|siblings|son|daughter|family|friends?|colleagues?|co-?workers?|landlord|tenants?|"
    r"roommates?|classmates?|"
    r"teacher|doctor|manager|employees|staff|uncle|aunt|cousins?|grandmother|grandfather|therapist|"
    r"students|"
    r"patients|clients|in-laws)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:\b\d{1,5}\s+)?\b(?:[A-Za-z][\w'’]*\s+){1,2}(?:street|avenue|ave|road|boulevard|blvd|lane|st|"
    r"drive|court)\b\.?"
    r"(?=\s*(?:$|[,.;]|in\b|and\b))",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"[\w.+-]+@[\w-]+\.\w+|(?<![\w@])@\w{3,}|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b|\b\d{3}-\d{2}-\d{4}\b"
)
_FAMOUS = re.compile(
    r"\b(?:elon musk|taylor swift|donald trump|joe biden|barack obama|kamala harris|kanye west|"
    r"beyonc[eé]|oprah|"
    r"oprah winfrey|jeff bezos|bill gates|mark zuckerberg|kim kardashian|lebron james|hillary clinton|"
    r"bernie sanders|"
    r"tom cruise|brad pitt|rihanna|drake|lady gaga|michelle obama|tim cook|sam altman)\b(?!['’]s)",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(
    r"^(?:['’]s)?\s*-?\s*(?:fans?|voters?|supporters?|listeners?|followers?|viewers?|readers?|"
    r"customers?|shoppers?|"
    r"members?|users?|owners?|lovers|subscribers|buyers|drinkers|players|watchers|drivers|products?|"
    r"critics|haters|"
    r"enthusiasts|employees|skeptics|music|concert|concerts|songs|rallies|movies|books)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b([A-Z][a-zé'’-]+)\s+(?:[A-Z]\.?\s+)?((?:Mc|Mac|O'|De|Van )?[A-Z][a-zé'’-]*[a-zé])\b")
_PLACE_BEFORE = re.compile(r"\b(?:at|for|of|from|in|near|with|to|use|using|on)\s+(?:the\s+)?$", re.IGNORECASE)

_ADULTS = "Ask for adults, for example ages 18 to 24, or ask the parents of these young people."
_KINDS = "Describe a kind of people by what they have in common, for example their age, state or occupation."
_AUDIENCE = 'Say who should answer, for example "nurses in Texas over 40".'


def no_audience(text: str) -> Refusal | None:
    """Return the reason why a text describes no audience, or None.

    Examples
    --------
    >>> no_audience("write me a poem").reason
    'The text asks for no audience: "write me a poem".'
    """
    if not re.search(r"\w", text):
        return Refusal("The text is empty of any audience.", _AUDIENCE)
    found = _INJECTION.search(text) or _TASK.search(text)
    if found is None:
        return None
    return Refusal(f'The text asks for no audience: "{found[1].strip()[:80]}".', _AUDIENCE)


LONGEST_TEXT = 4_000
"""Maximum length of an audience text in characters, with white space collapsed."""


def too_long(text: str) -> Refusal | None:
    """Return the reason why a text is too long, or None; no part of a text is silently ignored.

    Examples
    --------
    >>> print(too_long("nurses " * 1_000).reason)
    The text has 6,999 characters; embedded-1 reads texts of at most 4,000.
    """
    length = len(" ".join(text.split()))
    if length <= LONGEST_TEXT:
        return None
    return Refusal(
        f"The text has {length:,} characters; embedded-1 reads texts of at most {LONGEST_TEXT:,}.",
        "Say who is wanted in fewer words, without what the study is about.",
    )


def under_age(text: str, mentions: Sequence[Mention]) -> Refusal | None:
    """Return the reason why an audience includes people under 18, or None; parents of children are adults."""
    adult = False
    for mention in mentions:
        for name, condition in mention.sense.parts:
            if name == "age" and isinstance(condition, Between) and not mention.negated:
                low, high = condition.min, condition.max
                if (high is not None and high < 18) or (low is not None and low < 18):
                    return _minors(mention.words)
                adult |= low is not None and low >= 18
            low_bound = condition.min if isinstance(condition, Between) and condition.max is None else None
            if name == "age" and mention.negated and low_bound is not None and low_bound <= 18:
                return _minors(f"not {mention.words}")
    if adult:
        return None
    for found in _MINORS.finditer(text):
        inside = any(mention.start <= found.start() and found.end() <= mention.end for mention in mentions)
        if not inside and not re.search(
            r"\b(?:without|no|not|first|second|third|only|own|youngest|oldest|eldest|with|have|has|"
            r"having|raising|expecting) (?:\w+ )?$",
            text[: found.start()],
            re.IGNORECASE,
        ):
            return _minors(found[0])
    return None


def _minors(words: str) -> Refusal:
    return Refusal(f'People under 18 are not recruited: "{words.strip()}".', _ADULTS)


def individuals(text: str, mentions: Sequence[Mention], phrases: Sequence[Mention] = ()) -> Refusal | None:
    """Return the reason why an audience consists of identifiable persons, or None.

    A capitalised word with another one is a name, unless it is no given name and a phrase of the lexicon has
    one of the two.

    Examples
    --------
    >>> individuals("my neighbour", ()).reason
    'Named or identifiable persons are not recruited: "my neighbour".'
    """
    screens = [mention for mention in mentions if not mention.sense.parts]
    for pattern in (_CONTACT, _MINE, _OFFICE, _TITLED, _ADDRESS, _FAMOUS):
        for found in pattern.finditer(text):
            if pattern is _ADDRESS and not _is_address(found[0], text):
                continue
            inside = pattern not in (_CONTACT, _ADDRESS) and any(
                m.start <= found.start() < m.end for m in screens
            )
            if not inside and not _AFTER_NAME.match(text[found.end() :]):
                return _person(found[0])
    return _named(text, mentions, phrases)


def _is_address(words: str, text: str) -> bool:
    if words[:1].isdigit():
        return not re.search(r"\b(?:years?|and|or|to|over|under)\b", words, re.IGNORECASE)
    return bool(
        re.search(r"\b(?:of|at|on|live[sd]? on|living on)\s+$", text[: text.index(words)] + "", re.IGNORECASE)
    ) or (re.match(r"on\s", words, re.IGNORECASE) is not None)


def _named(text: str, mentions: Sequence[Mention], phrases: Sequence[Mention]) -> Refusal | None:
    for found in _NAME.finditer(text):
        first, last = found[1].casefold(), found[2].casefold()
        if any(mention.start < found.end() and found.start() < mention.end for mention in mentions):
            continue
        if first in _NO_NAMES or last in _NO_NAMES or _AFTER_NAME.match(text[found.end() :]):
            continue
        known = first in given_names()
        if not known and any(one.start < found.end() and found.start() < one.end for one in phrases):
            continue
        if known or not _PLACE_BEFORE.search(text[: found.start()]):
            return _person(found[0])
    return None


_NO_NAMES = word_set(
    "the a an all any people adults i we find recruit get give want looking need some who that and or "
    "in from "
    "adult person individuals group audience sample panel please corp inc company market foods house "
    "depot club "
    "university college school hospital church bank american united north south east west new great general"
)


def _person(words: str) -> Refusal:
    return Refusal(f'Named or identifiable persons are not recruited: "{words.strip()}".', _KINDS)
