"""Sentence completions and clipped questions, rewritten as full questions.

Sentence completion is a projective technique of market research: "The best thing about summer is ___." asks
for the same as "What is the best thing about summer?".
"""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.spelling import spelled_out

_LEAD = Pattern(
    r"^(?:please )?(?:complete|finish|fill in)\b"
    r"(?: (?:the|this|these|following|next|sentence|statement|phrase|thought|blanks?|out|in|with|your|own"
    r"|words?))*\s*[:.\-]\s*",
    re.I,
)
_BLANK = Pattern(r"\s*(?:_{2,}|\.{2,}|…|\[blank\]|\(blank\))[\s.?!\"”]*$", re.I)
_OFTEN = r"(?:(?:often|usually|always|mostly|really) )?"
_WHEN = r"when(?:ever)? I (?P<a>.+?),? I(?: |$)"
_THINK = r"when I (?:think (?:of|about)|hear(?: of| about)?) (?P<a>.+?),? I"
_MEANT = (
    (r"an? (?P<a>(?:good|great|ideal|perfect) .+?) is(?: (?:one|some(?:one|body)))?(?: (?:who|that|which))?",
     "what makes a {a}"),
    (rf"{_THINK} (?:feel|am)", "how do you feel about {a}"),
    (rf"{_THINK}\b.*", "what comes to mind when you think of {a}"),
    (rf"{_WHEN}{_OFTEN}worry(?: about| that)?", "what worries you when you {a}"),
    (rf"{_WHEN}{_OFTEN}(?:feel|am)", "how do you feel when you {a}"),
    (rf"{_WHEN}{_OFTEN}", "what do you do when you {a}"),
    (r"if I could change (?:one |a single |any)thing (?:about|in) (?P<a>.+?),? (?:it|I)\b.*",
     "what would you change about {a}"),
    (r"if (?P<a>I .+?),? I(?: would|'d)", "what would you do if {a}"),
    (r"I(?: would|'d) (?:be (?:more )?(?:likely|willing) to )?(?P<a>.+?),? (?:only )?if",
     "what would make you {a}"),
    (r"I (?:feel|am) (?:most |really )?(?P<a>\w+(?: \w+)?) when", "when do you feel {a}"),
    (r"I(?: would|'d)(?: (?:like|love|want) to)? (?P<v>\w+?)(?:(?<=\w[b-df-hj-np-tv-xz])e)?(?P<a>(?: .+?)?),?"
     r" but(?: I)?",
     "what keeps you from {v}ing{a}"),
    (r"I(?: don't| do not) (?P<a>.+?) because", "why don't you {a}"),
    (r"I (?P<a>.+?) because", "why do you {a}"),
    (r"I wish (?P<a>.+?)(?: (?:would|could))?", "what do you wish {a} would do"),
    (rf"I {_OFTEN}worry (?:about|that)", "what worries you most"),
    (r"(?P<a>.+?) makes? me(?: feel)?", "how does {a} make you feel"),
    (r"(?P<a>.+?) reminds? me of", "what does {a} remind you of"),
    (r"people who (?P<a>.+?) (?:are|seem)", "what kind of people {a}"),
    (r"(?P<a>(?:the|my|our) .+?) (?P<b>is|are|was|were)(?: that| to| when)?", "what {b} {a}"),
)  # fmt: skip
_RULES = tuple((Pattern(rf"{pattern}$", re.I), meant) for pattern, meant in _MEANT)
_CLIPPED = tuple(
    (Pattern(rf"{pattern}\W*$", re.I), meant)
    for pattern, meant in (
        (r"(?P<a>age|gender|sex|race|ethnicity|occupation|job title|industry|education|(?:household )?income"
         r"|(?:marital|employment|parental|smoking) status|(?:home )?state|height|weight)",
         "what is your {a}"),
        (r"number of (?P<a>(?:children|kids|pets|dogs|cats|cars|bedrooms)\b[^?]{0,30})",
         "how many {a} do you have"),
        (r"ever (?P<a>(?:\w+ed|bought|been|had|eaten|drunk|driven|flown|taken|seen|gone)\b[^?]{0,40})",
         "have you ever {a}"),
        (r"any (?P<a>(?:allerg\w+|pets|children|kids|siblings|tattoos|debts?"
         r"|(?:dietary|health) [^?]{3,20}))",
         "do you have any {a}"),
        (r"(?P<a>own (?:an?|your) [^?]{2,30})", "do you {a}"),
        (r"(?P<a>(?:currently |still )?(?:married|employed|retired|self-employed|interested in [^?]{2,30}))",
         "are you {a}"),
    )
)  # fmt: skip
"""Questions without a verb, as in forms: "Age?", "Any allergies?", "Ever tried yoga?"."""
_OR_NOT = Pattern(r"(?<=\w),? or not\?$")
_YOURS = {"i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "i'm": "you're"}
_FIRST = Pattern(r"^(?:[A-Z](?=[a-z]*ing\b)|(?:The|An?|My|Our|People)\b)")
_ME = Pattern(rf"(?<![\w'])(?:{'|'.join(sorted(_YOURS, key=len, reverse=True))})(?![\w'])", re.I)


@lru_cache(maxsize=2048)
def in_full(text: str) -> str:
    """Return a question with abbreviations expanded, rewritten as a full question if necessary.

    Examples
    --------
    >>> in_full("The best thing about summer is ___.")
    'What is the best thing about summer?'
    >>> in_full("Complete the sentence: I would cook more if...")
    'What would make you cook more?'
    >>> in_full("Ever tried yoga?"), in_full("What do you think of tea?")
    ('Have you ever tried yoga?', 'What do you think of tea?')
    """
    whole = spelled_out(text)
    for pattern, meant in _CLIPPED:
        if found := pattern.match(whole.strip()):
            asked = meant.format(a=found["a"][0].lower() + found["a"][1:])
            return f"{asked[0].upper()}{asked[1:]}?"
    whole = _OR_NOT.sub("?", whole)
    lead = _LEAD.match(whole)
    said = whole[lead.end() :] if lead else whole
    begun = _BLANK.sub("", said)
    if lead is None and begun == said:
        return whole
    begun = _FIRST.sub(lambda found: found[0].lower(), begun.strip(" \"“”'"))
    for pattern, meant in _RULES:
        if found := pattern.match(begun.rstrip(" ,:.")):
            parts = {name: _ME.sub(_turned, part or "") for name, part in found.groupdict().items()}
            asked = meant.format(**parts)
            return f"{asked[0].upper()}{asked[1:]}?"
    return whole


def _turned(found: re.Match[str]) -> str:
    return _YOURS[found[0].lower()]
