"""Context before a question: a described product, a request, or named brands."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from voxpop_simulator.questions.brands import brands_in
from voxpop_simulator.questions.forms import replies, reply_of
from voxpop_simulator.questions.pairs import chooses, pair_in
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import (
    CHOOSING,
    CUT,
    KNOWN_AS_IS,
    PAIR,
    AskedSubject,
    asked,
    is_plural,
    names_nothing,
    topic_in,
)
from voxpop_simulator.questions.subjects import FAMILIES, topic_of
from voxpop_simulator.questions.things import ANYTHING, MATTER, UNKNOWN, class_of, new_class

# a noun with its article, without modifiers after it
_NEW = Pattern(
    r"\b(?<!without )(?=((?:an?|its|their) (?:new )?(?!(?:few|lot|number|bit|kind|way)\b)"
    r"(?:[\w'-]+ ){0,3}[\w'-]+))",
    re.I,
)
_EDIBLE_TOLD = Pattern(
    r"\b(?:imagine|picture|suppose|here is|here's|consider|idea|concept|new|plan(?:s|ning)"
    r"|launch\w*|introduc\w*|develop\w*|test(?:s|ing)|about to|would (?:sell|offer)|read the|describ\w*)\b",
    re.I,
)
_THINGS = Pattern(r"\b(?:an?|new|its|their|of) (?=((?:[\w'&-]+,? ){0,6}[\w'-]+))", re.I)
_POINTS = Pattern(
    r"\b(?:this|it|its|that|these|them|they|the)\b"
    r"|^(?:what|who|why|how|when|where)[^?]{0,30}\?$",
    re.I,
)
_TOLD_MORE = Pattern(
    r"\s(?:made|sold|designed|called|named|ready|priced|using|served|packed|filled|infused|grown|baked|built"
    r"|offering|where|who|which|whose|lightly|each|lets|helps|orders|tells|tracks|reminds|sends|measures|warns"
    r"|translates|hides|cleans)\b.*$",
    re.I,
)
_OF_A_KIND = Pattern(r"\b(an?) (new )?(?:pair|set|line|series|kind|type|range|sort) of ", re.I)
_ONCE = Pattern(
    r"^(?:please )?(?:describe|tell|talk|think|share|recall|remember)\b.*"
    r"\b(?:(?:last|first|most recent|recent|best|worst) (?:\w+ )?time|a (?:recent )?time"
    r"|an? (?:occasion|experience|moment|situation))\b",
    re.I,
)
"""Questions about an event that precede a question on how it went."""
_EMPTY = Pattern(
    r"^an? (?:new )?(?:idea|concept|proposal|example|description|picture|question|pair|set|moment)$", re.I
)
_OFFERING = Pattern(
    r"\b(?:compan(?:y|ies)|brands?|startup|maker|chain|store|city|state|friend|utility|manufacturer"
    r"|retailer|bank|restaurant|clinic|employer|workplace|website|day|week|month|year|minute|hour)s?$"
    r"|\b(?:city|town|chain|startup|company|brand|store|hotel|theater|library|museum|airline|school|gym|team"
    r"|restaurant|bank|clinic) (?:wants|plans|offers|lets|sells|tests|proposes|launches|makes|opens|will)\b",
    re.I,
)
OFFER_MADE = Pattern(
    r"\b(?:test(?:s|ing)|launch\w*|introduc\w*|develop(?:s|ed|ing)|startup|imagine|meet|suppose|picture|concept"
    r"|propos\w*|consider\w*"
    r"|plan(?:s|ning)? to|wants? to|would (?:let|offer|give|be)|is an? (?:new )?[\w-]+)\b",
    re.I,
)
# words in the description of an offer, which is not a question about one's own life
_OFFERED = Pattern(
    r"\b(?:imagine|suppose|picture|concept|idea|products?|services?|apps?|brands?|compan(?:y|ies)|launch\w*|new"
    r"|design\w*|offers?|proposal)\b|[$£€¥₹]\s?\d",
    re.I,
)
# subjects to be for or against, so that a reaction to them is an opinion
_PROPOSED = ("notion", "housing", "taxes", "four_day", "bike_lane", "pay_range", "basic_income", "guns")
# introductions that are questions or requests themselves
_ASKING = Pattern(
    r"^(?:please )?(?:describe|tell|talk|think (?:of|about|back)|share|recall|what|how|why|when|who)\b", re.I
)


@lru_cache(maxsize=2048)
def in_context(found: AskedSubject, before: str) -> AskedSubject:
    """Return a question that does not name its subject as one about the thing described before it.

    Examples
    --------
    >>> from voxpop_simulator.questions.subject_asked import asked
    >>> found = asked("What do you think of it?", False)
    >>> about = in_context(found, "Imagine a sparkling tea made from old bread.")
    >>> about.topic, about.subject
    ('a new drink', 'the idea')
    """
    edible = _edible(before) if found.form != "reply" and _POINTS.search(found.source) else None
    if edible:
        families = FAMILIES.get(edible, ())
        return replace(found, topic=edible, families=families, subject="the idea", plural=False)
    this = bool(found.subject and found.subject.startswith(("this ", "these ", "the ", "your ")))
    reply = reply_of(found.source, before)
    only_before = OFFER_MADE.search(before) and reply == reply_of(before) and not _ASKING.match(before)
    if reply and reply != reply_of(found.source) and not only_before:
        return replace(_out_of(found, reply), name=None)
    if found.form != "reply" and _ONCE.match(before) and names_nothing(found):
        return replace(asked(before, found.turned), source=f"{before} {found.source}")
    if found.form == "reaction":
        about = topic_of(before)
        return replace(found, form="think", topic=about) if about in _PROPOSED else found
    if found.form == "reply" or (found.topic not in (UNKNOWN, MATTER, ANYTHING) and not this):
        return found
    if (reply := reply_of(before)) and _ASKING.match(before):
        return _out_of(found, reply)
    if found.name is None and (brands_in(before) or pair_in(before)):
        return _of_brands(found, before)
    subject = thing_described(before)
    reply = None if _OFFERED.search(before) else reply_of(before)
    if reply:
        return replace(_out_of(found, reply), subject=None)
    known = (class_of(subject) or topic_of(subject)) if subject else None
    topic = (topic_of(before) if known == "ai" else known) or topic_in(before, subject)
    if topic in KNOWN_AS_IS and OFFER_MADE.search(before):
        topic = UNKNOWN
    if topic in (UNKNOWN, MATTER) and found.topic not in (UNKNOWN, MATTER, ANYTHING):
        return found
    return replace(
        found,
        form="reply" if topic in dict(replies()) else found.form,
        topic=topic,
        families=FAMILIES.get(topic, ()),
        subject=subject or found.subject,
        plural=is_plural(subject or found.subject),
    )


def _out_of(found: AskedSubject, bank: str) -> AskedSubject:
    """Return a question as one with its own answer bank."""
    return replace(found, form="reply", topic=bank, families=FAMILIES.get(bank, ()))


def _edible(text: str) -> str | None:
    """Return the class of the first new food or drink described in a text, if any."""
    if not _EDIBLE_TOLD.search(text):
        return None
    for found in _THINGS.finditer(text):
        words = found[1].split()
        for many in range(len(words), 0, -1):
            kind = new_class(" ".join(words[:many]).strip(","))
            if kind == "an organization":
                break
            if kind:
                return kind if kind in ("a new drink", "a new food") else None
    return None


def _of_brands(found: AskedSubject, before: str) -> AskedSubject:
    """Return a question as one about the brands or the two things named before it."""
    brands = brands_in(before)
    names = tuple(brand.name for brand in brands) or pair_in(before) or ()
    one = replace(found, subject=names[0], plural=False, topic=brands[0].trade if brands else found.topic)
    if len(names) < 2 or not chooses(before) or found.form not in CHOOSING:
        return one
    return replace(one, form="versus", topic=one.topic if brands else PAIR, others=names[1:])


def thing_described(text: str) -> str | None:
    """Return the first new thing mentioned in a text, other than its provider."""
    for found in _NEW.finditer(_OF_A_KIND.sub("their ", text)):
        words = _TOLD_MORE.sub("", CUT.sub("", " " + found[1])).strip()
        if _EMPTY.match(words):
            continue
        if len(words.split()) > 1 and class_of(words) != "an organization" and not _OFFERING.search(words):
            first, _, rest = words.partition(" ")
            return f"{first.lower()} {rest}"
    return None
