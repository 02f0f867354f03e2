"""Noun phrases from an objective in a form for questions: short, with their article, addressing "you"."""

from __future__ import annotations

import re

from voxpop_simulator.questions.objective_words import (
    ADJECTIVES,
    COUNTABLE,
    FINDINGS,
    FORMS,
    GERUNDS,
    NOT_PEOPLE,
    ONE_EACH,
    PEOPLE,
)
from voxpop_simulator.questions.wordlists import word_set

_MOST_WORDS = 12

DETERMINERS = word_set("a an the this that these those your their our my his her its any some each every no")
WEAK = word_set(
    "a an the and or but of for to in on with by from about at as into than that their your our its is are"
    " more most very so if how why what when where which who whether like towards toward versus because"
    " new between when while"
)
AMOUNTS = word_set("more less fewer many much most enough several")
PREPOSITION = (
    r"for|of|with|to|in|on|from|by|that|at|as|about|without|compared|over|than|during|while|among|under"
)
PREPOSITIONS = frozenset(PREPOSITION.split("|"))
TAIL = re.compile(
    r"(?:,?\s+(?:among|amongst|in order to|so that|so we|so as to|given that|with a view"
    r"|with the (?:aim|goal)|to (?:help|inform|decide|guide|support|prepare|improve|optimi[sz]e|identify"
    r"|understand|see|find)\b|and (?:why|how|what|whether|if|who|which|when|where|identify|understand|measure"
    r"|find|explore|determine|assess|test|see|to)\b|by (?:age|gender|region|segment|income|generation)"
    r"|before (?:we|the|our|its|launch)|after (?:we|the launch|our)|ahead of|as part of|rather than not"
    r"|(?:in|over|within|during) (?:the )?(?:next|coming|last|past|previous) \w+|this year|these days|today"
    r"|right now|at the moment|who\b|with (?:[\w-]+ ){0,2}(?:voters|customers|consumers|users|parents"
    r"|people)\b|or not\b|vs\.? not\b)"
    r"|,\s*(?:and|including|such as|focus\w*|especially|particularly|with|so|but|which|why|how|what|who|we"
    r"|they|it|i|because|if|e\.?g\.?|for example|or|plus|given)\b|\s[-–—]\s|\s*[:(\[]).*$",
    re.I,
)
_ENDINGS = ("ing", "tion", "ment", "ness", "ity", "ance", "ence", "ics", "ism", "ship", "able", "ive", "less")


def noun(text: str, *, article: bool = True) -> str | None:
    """Return a noun phrase in a form for questions, or None if nothing remains."""
    words = turned(short(text)).split()
    while words and words[0].lower() in WEAK - DETERMINERS - {"new"}:
        words = words[1:]
    if words and re.fullmatch(r"two|three|four|five|six|[2-9]", words[0], re.I):
        words = words[1:]
    if len(words) > 2 and words[1][0] in "$£€¥₹":
        words = words[2:]
    whole = list(words)
    plain = not any(word.lower() in PREPOSITIONS - {"compared", "with"} for word in words)
    while plain and len(words) > 1 and re.sub(r"\W", "", words[-1]).lower() in FINDINGS:
        words = words[:-1]
        while words and words[-1].lower() in WEAK:
            words = words[:-1]
    if "compared" in words and words[-1].lower() in ("brand", "brands"):
        words = words[:-1]
    if words and words[-1].endswith(("'s", "’s")):
        words[-1] = words[-1][:-2]
    if words and words[-1].lower() in ("customers", "customer", "subscribers", "audience"):
        return None
    bare = [word for word in words if word.lower() not in DETERMINERS]
    if not bare or all(is_person(word) or word.lower() in FINDINGS for word in bare):
        kept = len(whole) > len(words) and whole[-1].lower() in ("loyalty", "trust", "engagement")
        return _cased(whole) if kept else None
    said = _cased(words)
    return with_article(said) if article else said


def short(text: str) -> str:
    """Return a phrase without its tail and quotes, shortened for a question."""
    text = re.sub(
        r"^(?:two|three|four|five|six|\d|several|different|some)\s+[\w-]+s\s+for\s+", "", text, flags=re.I
    )
    plain = re.sub(r"[\"‘`*_~|{}<>\\]", "", TAIL.sub("", f" {text} ")).strip(" ,.;:!?-–—")
    words = plain.split()[:_MOST_WORDS]
    while words and words[-1].lower().strip(",") in WEAK - {"new", "most"}:
        words = words[:-1]
    said = " ".join(words).strip(" ,.;:!?")
    whole = said.count("“") == said.count("”")
    return said if whole else said.replace("“", "").replace("”", "")


def turned(text: str) -> str:
    """Return third-person words in the second person: "their gym" becomes "your gym"."""
    turns = {
        "their": "your",
        "they": "you",
        "themselves": "yourself",
        "our": "the",
        "my": "the",
        "people's": "your",
    }
    words = text.split()
    for at, word in enumerate(words):
        if word.lower() == "their":
            near = [place for place in (at + 1, at + 2) if place < len(words)]
            one = next((place for place in near if words[place].removesuffix("s").lower() in ONE_EACH), None)
            if one is not None:
                words[one] = words[one].removesuffix("s")
    return " ".join(turns.get(word.lower(), word) for word in words)


def with_article(said: str) -> str:
    """Add an article to a noun that needs one.

    Examples
    --------
    >>> [with_article(one) for one in ("meal kit", "EV charger", "Nike app", "oat milk", "new apps")]
    ['a meal kit', 'an EV charger', 'the Nike app', 'oat milk', 'new apps']
    """
    words = said.split()
    if not words or words[0].lower() in DETERMINERS | AMOUNTS or words[0][0].isdigit():
        return said
    if re.match(PREPOSITION + r"|more|less|away|up|off|out|down|into", words[0], re.I):
        if re.fullmatch(PREPOSITION, words[0], re.I) and len(words) > 1:
            return f"{words[0]} {with_article(' '.join(words[1:]))}"
        if words[0].lower() in ("for", "to", "from"):
            return said
    head = re.split(rf"\s(?:{PREPOSITION})\s", said, maxsplit=1)[0].split()[-1].lower()
    if head not in COUNTABLE or " and " in said or ", " in said or words[0].lower() in GERUNDS:
        return said
    first = words[0]
    proper = first[0].isupper() and not first.isupper() and len(words) > 1
    return f"the {said}" if proper else f"{_article(first)} {said}"


def _article(word: str) -> str:
    if word.isupper() and len(word) > 1:
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    if re.match(r"(?:uni|use|usu|eu|one\b|u[bt]i)", word.lower()):
        return "a"
    return "an" if re.match(r"[aeiou]|hour|honest|heir", word.lower()) else "a"


def _cased(words: list[str]) -> str:
    """Return words as inside a sentence: with a lower-case first letter unless it is a name."""
    first = words[0]
    plain = first.lower()
    listed = plain in COUNTABLE | FINDINGS | PEOPLE | DETERMINERS | ADJECTIVES or plain in FORMS
    if first[:1].isupper() and first[1:].islower() and (listed or plain.endswith(_ENDINGS)):
        first = plain
    return " ".join([first, *words[1:]])


def is_person(word: str) -> bool:
    """Return whether a word names people who can be studied."""
    plain = re.sub(r"[^a-z]", "", word.lower().removesuffix("'s").removesuffix("’s"))
    if plain in PEOPLE:
        return True
    return (
        plain.endswith(("ers", "ors", "ists", "ians", "eers")) and plain not in NOT_PEOPLE and len(plain) > 4
    )


def has_people(text: str) -> bool:
    """Return whether a text names people who can be studied."""
    return any(is_person(word) for word in text.split()) or bool(re.search(r"\bgen z\b", text, re.I))
