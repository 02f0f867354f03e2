"""What an open question asks for: its frame, its topic, the thing it names and what it would have one do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from voxpop.questions.patterns import Pattern
from voxpop.questions.places import CODES
from voxpop.questions.subjects import FAMILIES, topic_of
from voxpop.questions.things import IDEA, MATTER, UNKNOWN, class_of
from voxpop.questions.wordlists import word_set
from voxpop.vocabulary.fields import FIELDS

# questions that are answered out of one bank of their own: topic -> what is asked
_REPLIES: tuple[tuple[str, str], ...] = (
    ("cancelled", r"\bwhy (?:did|have|do) you .*\b(?:cancel|unsubscrib|stop(?:ped)? (?:using|subscrib|paying)"
        r"|(?:leave|left|quit|drop(?:ped)?)\b.*(?:subscri|service|plan\b|membership|\bus\b))"
        r"|\b(?:reasons?|made you|led you|caused you|prompted you)\b.*\b(?:cancel|unsubscrib|leav(?:e"
        r"|ing) (?:us|the"
        r" service)|stop (?:using|subscrib))|reasons? .*\bcancel\w*\b"),
    ("barrier", r"(?:keep|stop|prevent|hold|discourag)\w* (?:\w+ ){1,3}(?:from )?(?:\w+ )*(?:exercis"
        r"|work(?:ing)? out"
        r"|being (?:more )?(?:physically )?active|going to the gym|staying (?:fit|active))"
        r"|(?:barriers?|obstacles?) to (?:\w+ )*(?:exercis|activ)|in the way of (?:\w+ )*(?:exercis|activ"
        r"|work(?:ing)?"
        r" out)|why don'?t you (?:exercise|work out)|(?:hard|difficult) for you to (?:exercise|stay active)"),
    ("challenge", r"(?:challenges?|struggles?|hardest (?:thing|part)|problems?|difficult(?:y|ies)|worr(?:y"
        r"|ies)).{0,24}"
        r"\b(?:(?:in )?your (?:daily |everyday |personal )?life|right now|these days|you(?:'re"
        r"| are) facing|you face"
        r"(?: today)?)\W*(?:right now|today|these days|at the moment)?\W*$"
        r"|struggl\w+ with (?:the )?(?:most )?(?:right"
        r" now|these days|lately|in (?:your )?(?:daily )?life)|keeps? you (?:up|awake) at night"),
    ("raised", r"(?:how would you|would you (?:do|feel)|what if|your (?:reaction|response)"
        r"|what happens).*(?:(?:rais|rose"
        r"|increas|hik|doubl)\w*\b.*\bprices?|prices? .*(?:go|goes|went|gone|rose|increased?"
        r"|doubled) ?(?:up)?)"),
    ("windfall", r"(?:what would you|how would you).*(?:\b(?:won|win|got|get|found|received?|were given"
        r"|had)\b.*(?:\$ ?\d"
        r"|lottery|money|bonus|refund|inherit)|(?:spend|do with).*(?:\$ ?\d|extra|unexpected|bonus|refund"
        r"|lottery))"
        r"|^(?:if|imagine) you (?:won|got|received|found|were given|had an extra).*(?:\$ ?\d|lottery|bonus"
        r"|extra money)"),
    ("goals", r"\bgoals?\b|resolutions?\b|hop(?:e|ing) to (?:achieve|accomplish)|see yourself in"
        r"|looking forward to (?:most )?(?:this|next|in the)|(?:want|like) to (?:achieve|accomplish)"),
    ("myself", r"(?:describe|about|introduce|characteri[sz]e) yourself|words .*describe you(?:rself)?\b"
        r"|describe you as a person|who are you\b"),
    ("proud", r"\b(?:proud|grateful|thankful)\b"),
    ("bought", r"(?:last|latest|most recent) (?:\w+ )?(?:thing|item|product|purchase)s?\b.*\b(?:buy|bought"
        r"|purchase|made)"
        r"|(?:last|latest|most recent) (?:\w+ ){0,2}purchase|did you (?:last )?buy (?:last|most recently)"),
    ("wish", r"\b(?:wish|hope)\b.*\b(?:exist|someone would|somebody would|there (?:was|were)|invent)"
        r"|(?:doesn'?t|does not|don'?t) (?:yet )?exist|unmet needs?|(?:product|service|invention)s? (?:do"
        r"|would) you"
        r" (?:wish|like to see|want|need)"),
    ("switched", r"\bwhy (?:did|have) you .*\b(?:switch|chang|mov|leav|left|quit)\w*\b.*\b(?:providers?"
        r"|brands?|banks?"
        r"|compan(?:y|ies)|carriers?|insurers?|insurance|doctors?|stores?|plans?|gym|dentist|suppliers?)\b"
        r"|^(?!.*\bjob\b).*\breasons? (?:\w+ ){0,4}(?:left|leaving|quit|switch\w*)\b"),
    ("meaning", r"\bmeans? to you\b|how (?:do|would) you define|your (?:own )?(?:definition|idea) of"),
)  # fmt: skip
_REACTION = Pattern(
    r"how would you (?:feel|react|respond)|what would you do if"
    r"|what would your reaction",
    re.I,
)
_FRAMES: tuple[tuple[str, str], ...] = (
    ("words", r"(?:\b(?:one|two|three|four|five|\d)|\b(?:what|which)) (?:\w+ )?(?:words?|adjectives?)\b"
        r"|\b(?:words?|adjectives?) (?:would you use|come|best|that)\b"),
    ("brands", r"\b(?:which|what|name|list) (?:\w+ ){0,3}(?:brands?|companies|manufacturers?|stores"
        r"|providers|names)\b.*"
        r"\b(?:come to mind|think of|aware|know|heard|recall|remember|familiar)"),
    ("people", r"^(?:and |but |so )?why (?:do|are|would|have|did|don'?t|aren'?t) (?:\w+ )?(?:people|others"
        r"|some|many|most|customers|consumers|americans|parents|women|men|young|older|they|so many)\b"),
    ("why", r"^(?:and |but |so )?(?:why|how come)\b|\breasons? for and against|\bmain reasons?\b"
        r"|^what (?:is|was|were|are) (?:the |your )?(?:\w+ )?reasons?\b|^what (?:made|led|brought"
        r"|prompted) you\b"),
    ("breakfast", r"^what .*\b(?:have|eat|make|having|eating|cook)\b.*\bbreakfast"
        r"|^(?:what is|what's|describe) your (?:usual |typical |normal )?breakfast"),
    ("lunch", r"^what .*\b(?:have|eat|make|having|eating|cook|pack)\b.*\blunch"
        r"|^(?:what is|what's|describe) your (?:usual |typical |normal )?lunch"),
    ("dinner", r"^what .*\b(?:have|eat|make|having|eating|cook)\b.*\b(?:dinner|supper)"
        r"|^what(?:'s| is| did you have)? for (?:dinner|supper)"
        r"|^(?:what is|what's|describe) your (?:usual |typical )?dinner"),
    ("fix", r"\bwould you (?:change|improve|fix|add|do differently)\b|\bcould (?:change|improve|fix)\b"
        r"|\bcould\b.*\bdo\b.*\b(?:better|higher|earn|improve)"),
    ("wants", r"^what makes you (?:loyal|choose|pick|trust|come back|return|buy|stay|prefer|go back)"),
    ("would", r"\bwhat\b[\w ,]{0,20}? (?:would|could|might|will)\b.{0,30}?\b(?:make|take|get|convince"
        r"|persuade|encourage|motivate|lead|cause|change|push|help you|need to|have to)\b"
        r"|\bunder what (?:conditions|circumstances)|^when would you|\bwhat would you need\b"
        r"|^(?:in|on) what (?:case|condition)"),
    ("stops", r"\b(?:stop|prevent|keep|hold|discourage|deter|hesita)\w* you\b.*\b(?:from|back|buy|us|try"
        r"|switch)"
        r"|make you hesitate|hesita\w+ (?:to|about)"),
    ("time", r"\b(?:a|the last|one) time (?:when |that )?(?:you|when|a |your |the |some)|\b(?:good|bad"
        r"|best|worst|great"
        r"|positive|negative|memorable|recent|last) (?:\w+ )?experience|\blast time you\b|\bwhat happened\b"),
    ("plans", r"\bplans?\b.*\b(?:holiday|vacation|summer|weekend|break|christmas|thanksgiving|trip)"
        r"|\b(?:holiday|vacation|summer|weekend|travel|christmas|thanksgiving)\b.*\bplan(?:s|ning)?\b"),
    ("routine", r"\b(?:your|a) (?:typical |usual |normal |average |weekday )*(?:morning|day"
        r"|evening|routine|night)\b(?!mare)"),
    ("trip_past", r"\b(?:last|latest|most recent|previous) (?:\w+ )?(?:vacation|holiday|trip|getaway)\b"
        r"|\bvacation (?:that )?you (?:took|had|went on)\b"),
    ("show", r"^(?:which|what) (?:\w+ ){0,4}?(?:tv|television|shows?|series|movies?|films?|programs?)\b.*"
        r"\b(?:do|did|have|are) you\b.*\b(?:watch|enjoy|like|love|see|seen)"
        r"|\bfavou?rite (?:tv |television )?(?:show|series|movie|film|program)\b"),
    ("trip", r"\b(?:ideal|perfect|dream|best|favou?rite) (?:vacation|holiday|trip|getaway)\b"),
    ("more", r"anything else|(?:any )?other (?:comments|thoughts|feedback)|further comments"),
    ("sources", r"^(?:where|how) (?:do|did|would|else|have|can)?.*\b(?:hear|learn|find out|read about|get"
        r" (?:\w+ ){0,3}(?:news|advice|information|ideas|recommendations)|first (?:hear|see))\b"),
    ("where", r"^where\b"),
    ("who", r"^who\b|^which person\b"),
    ("when", r"^when\b|^(?:at )?what time\b"),
    ("instead", r"\binstead of\b|\balternatives?\b"),
    ("mind", r"comes? to (?:your )?mind|first (?:thing|thought|impression|reaction)|\bassociat"
        r"|hear the (?:name|word)"),
    ("worry", r"worr|concern|afraid|\bfear|scare|nervous|\brisks?\b"),
    ("dislike", r"dislike|\bhate\b|(?:don'?t|do not) (?:you )?(?:like|enjoy)|like (?:the )?least"
        r"|annoy|frustrat|bother|irritat|drives? you|g[eo]ts? in (?:your|the) way|confus|unclear"
        r"|what(?:'s| is) (?:bad|worst|the worst|wrong)|complain|pain points?|challeng|hardest|difficult"
        r"|\bproblems?\b|barrier|gripe"),
    ("fix", r"\bimprove|\bshould\b.*\b(?:do|change|fix|add|know|focus)|\bchange about|\bdo better"
        r"|suggest|\badvice|do differently|like to see|\bfix\b|\bwish\b|make .{1,40} better|missing\b"),
    ("like", r"^(?:what|which|who)(?:'s| is| are| was)? (?:\w+ )*favou?rite\b|\b(?:do|did"
        r"|would) you (?:most |really |personally )?(?:like|love|enjoy|appreciate)\b(?! to)"
        r"|what(?:'s| is) (?:good|best|great|the best)|favou?rite (?:thing|part)|like (?:most|best)"
        r"|\bbenefits?\b|\badvantages?\b|\bappeals? to you"),
    ("wants", r"\blook(?:ing)? for\b|\bmatters?\b|\bimportant\b|features?|\bexpect\b|(?:you"
        r"|want) (?:need|want)\b|\bideal\b|\bprefer\b|\bcriteria\b|\bfactors?\b|\bvalue most\b"
        r"|^what do you (?:need|want)|\bhow do you (?:decide|choose|pick)\b|decide"),
    ("think", r""),
)  # fmt: skip
REPLIES = frozenset(name for name, _ in _REPLIES)
"""The topics of questions that are answered out of one bank of their own."""
STORIES = frozenset(("routine", "plans", "trip", "trip_past", "show", "breakfast", "lunch", "dinner"))
"""The frames that are answered with a story of one's own."""
_BEFORE = (
    r"(?:switch(?:ing)? to|thoughts? (?:on|about)|think (?:of|about)|feel(?:ings)? about"
    r"|opinions? (?:of|on|about)|views? (?:on|of)|experiences? (?:with|of)"
    r"|(?:worr|concern)\w*(?: you| do you have| are there)?(?: the)?(?: most)?(?: about| with)?"
    r"|(?:like|love|enjoy|dislike|hate|change|know|annoys you|bothers you|frustrates you)(?: the)?"
    r"(?: most| best| least)? about|impressions? of|reactions? to|feedback on|look for in"
    r"|want (?:in|from)|expect (?:of|from)|pay(?:ing)? for|spend(?:ing)? on|trust"
    r"|\bbuy(?:ing)?|\btry(?:ing)?|\buse|\busing|\bgetting|\bget"
    r"|hear about|\bhear|\bheard of|\bchoose|describe|\bown|instead of|for and against|about|with|should"
    r"|how (?:is|was|are|were))"
)
_NOUN = r"((?:(?:a|an|the|this|that|these|those|your|our|my|their)\s+)?(?:[\w'-]+\s+){0,3}[\w'-]+)"
_SUBJECT = Pattern(rf"\b{_BEFORE}\s+{_NOUN}", re.I)
_CUT = Pattern(
    r"\s(?:in|for|at|on|when|that|if|to|from|and|or|as|with|by|most|best|least|improve|do|change"
    r"|is|are|was|were|would|should|could|this year|these days|today|right now|you|of|than|before|after"
    r"|instead|more|delivered|here|again)\b.*$",
    re.I,
)
_BLOCKED = Pattern(
    r"^(?:you|it|that|this|them|us|me|do|be|the|a|an|your|our|these|those|things?|everything"
    r"|there|doing|how|what|here|the (?:name|word|news|idea))$"
    r"|\b(?:you|it|me|them|us|think|feel|say|make|made|get|is|are|be|do|most|best|thing|one|about"
    r"|why|answer|words?|times?|experiences?|paying|working|taking|started|different|direction)\b",
    re.I,
)
_ACTION = Pattern(
    r"\b(?:(?:make|let|help) (?:you|people)(?: to)?|(?:get|convince|persuade|encourage|motivate"
    r"|lead|cause|push|help|for|allow) you to|would you(?: be willing to| consider)?)"
    r" ((?:not )?[a-z][\w' -]{2,60})",
    re.I,
)
_VERBS = Pattern(
    r"^(?:switch|try|buy|use|change|move|choose|pay|stop|quit|cancel|go|join|sign|drive|eat|drink"
    r"|visit|come|stay|recommend|get|order|download|shop|give|take|leave|return|watch|subscribe|book"
    r"|trust|vote|donate|cook|start)\b"
)
# words of questions about things that one buys or uses, not about ideas
_THING = Pattern(
    r"\b(?:buy|bought|use|using|try|own|price|pay|products?|brand|company|switch|order|gadget|tool|design"
    r"|name|get"
    r"|concept|features?|logo|it|this|a|an)\b",
    re.I,
)
_OF_THIS = Pattern(
    r"^(?:this|the|our|these) (?:new )?(?:idea|concept|product|offer|design|logo"
    r"|name)s?$",
    re.I,
)
_OR_NOT = Pattern(r"\bor (?:do you )?not\b|\bor don'?t\b", re.I)
_PUNCTUATION = Pattern(r"[?!.,;:\"“”()].*$")
_ACTION_END = Pattern(r"\s(?:more often|if|when|instead|because)\b")
_SINGULAR_S = Pattern(r"(?:ss|us|is|news|series)$")
# what kind of thing a name stands for, by the words around it
_KINDS: tuple[tuple[str, str], ...] = (
    ("watch", r"\b(?:tv|television|shows?|movies?|films?|series|episodes?|documentary)\b"),
    ("read", r"\b(?:books?|novels?|author|magazine|newspaper)\b"),
    ("use", r"\b(?:apps?|websites?|site|software|games?|platform|online|service|download)\b"),
    ("person", r"\b(?:candidate|senator|governor|mayor|actor|actress|singer|celebrity|politician)\b"),
    ("buy", r""),
)  # fmt: skip
_NAME = Pattern(
    r"(?<![.?!:] )(?<!^)(?<![\w'-])[A-Z][\w&'-]*(?: (?:[A-Z0-9][\w&'-]*|of|the|and) ?[A-Z][\w'-]*"
    r"| [A-Z0-9][\w&'-]*)*"
)
_KNOWN_NAMES = word_set(
    """
    i i'm i'd i've tv us usa uk ai us u.s glp-1 glp ok id bmi ev evs suv suvs gps dvd atm pc wifi wi-fi
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december american americans english spanish christmas thanksgiving
    easter halloween medicare medicaid social security congress internet netflix hulu disney facebook
    instagram tiktok snapchat twitter reddit youtube chatgpt venmo paypal airbnb iphone android ozempic
    wegovy phq-9 covid covid-19 black friday new year america europe mexico canada germany france japan
    brazil india australia white house supreme court mr mrs dr why what how which who where when would do
    and but nasa diy hr hmo gp nhs eu un
    """
)


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question, understood for the purpose of talking about it.

    Attributes
    ----------
    frame : str
        What kind of answer it wants.
    topic : str
        Whose lines fit; a class of things (``a drink``), or ``assent`` for a thing of which nothing is known,
        ``notion`` for an idea, ``matter`` for what is neither.
    families : tuple of str
        The families of sentences about one's own life that fit.
    subject, action : str or None
        The thing it names and what it would have one do, as the agent would say them.
    name, kind : str or None
        A name that the engine knows nothing about, and what one would do with such a thing.
    turned : bool
        Whether it asks about giving something up.
    """

    frame: str
    topic: str
    families: tuple[str, ...]
    subject: str | None
    plural: bool
    action: str | None
    name: str | None
    kind: str | None
    turned: bool
    source: str


@cache
def _frames() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern, re.I)) for name, pattern in _FRAMES)


@cache
def _replies() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern, re.I)) for name, pattern in _REPLIES)


@lru_cache(maxsize=2048)
def asked(sentence: str, turned: bool) -> Asked:
    """Return what a question asks for.

    Examples
    --------
    >>> found = asked("What would make you switch to a lower-sugar snack?", False)
    >>> found.frame, found.topic, found.subject, found.action
    ('would', 'healthy_living', 'a lower-sugar snack', 'switch to a lower-sugar snack')
    >>> found = asked("What did you think of the TV show Quillfeather?", False)
    >>> found.frame, found.name, found.kind
    ('think', 'Quillfeather', 'watch')
    """
    frame = next(name for name, pattern in _frames() if pattern.search(sentence))
    subject = _subject(sentence)
    topic = _topic(sentence, subject)
    reply = next((name for name, pattern in _replies() if pattern.search(sentence)), None)
    if reply and not (reply == "meaning" and topic not in (UNKNOWN, IDEA, MATTER)):
        frame, topic = "reply", reply
    elif reply:
        frame = "means"
    elif _REACTION.search(sentence):
        frame, topic = "reaction", "reaction"
    name = _name(sentence)
    return Asked(
        frame=frame,
        topic=topic,
        families=FAMILIES.get(topic, ()),
        subject=subject,
        plural=_plural(subject),
        action=_action(sentence),
        name=name,
        kind=next(kind for kind, pattern in _KINDS if re.search(pattern, sentence, re.I)) if name else None,
        turned=turned and not _OR_NOT.search(sentence),
        source=sentence,
    )


def _topic(sentence: str, subject: str | None) -> str:
    """Return the topic of a question, or what kind of thing it is about when no topic knows it."""
    new = bool(subject and subject.startswith(("a ", "an ")))
    what = class_of(subject) if subject else None
    if new and subject and (len(subject.split()) > 3 or what == "a plan"):
        return what or UNKNOWN
    known = topic_of(sentence)
    if known is not None:
        return what if known == "place" and what in ("an event", "an organization") else known
    if subject and _OF_THIS.match(subject):
        return UNKNOWN
    return what or (UNKNOWN if new or _THING.search(sentence) else MATTER)


def names_nothing(found: Asked) -> bool:
    """Return whether a question says nothing of what it is about, as in "What would make you switch?".

    Examples
    --------
    >>> names_nothing(asked("What would make you switch?", False))
    True
    >>> names_nothing(asked("What would make you switch to tea?", False))
    False
    """
    bare = found.action is None or " " not in found.action
    return bare and found.subject is None and found.name is None and topic_of(found.source) is None


def in_terms_of(found: Asked, earlier: Asked) -> Asked:
    """Return a question that names nothing as one about what an earlier question is about.

    Examples
    --------
    >>> earlier = asked("Would you switch to a lower-sugar snack?", False)
    >>> about = in_terms_of(asked("What would make you switch?", False), earlier)
    >>> about.frame, about.topic, about.action
    ('would', 'healthy_living', 'switch to a lower-sugar snack')
    """
    return replace(earlier, frame=found.frame, turned=found.turned, source=found.source)


def _name(sentence: str) -> str | None:
    """Return a name in a question that the engine knows nothing about."""
    for found in _NAME.finditer(sentence):
        words = found[0].lower().removesuffix("'s").split()
        if all(word in _KNOWN_NAMES or word in _places() for word in words):
            continue
        if " ".join(words) in _places() or (len(words) == 1 and len(found[0]) < 3):
            continue
        return found[0].removesuffix("'s")
    return None


@cache
def _places() -> frozenset[str]:
    names = {word for name in CODES for word in name.split()}
    levels = (level for field in FIELDS.values() for level in field.levels)
    return frozenset(names | {word.lower() for level in levels for word in level.split()})


def _plural(subject: str | None) -> bool:
    if not subject:
        return False
    return subject.endswith("s") and not _SINGULAR_S.search(subject)


def _swap(words: str) -> str:
    turned = {"your": "my", "yours": "mine", "you": "me", "our": "your", "us": "you", "yourself": "myself"}
    return " ".join(turned.get(word, word) for word in words.split())


def _subject(sentence: str) -> str | None:
    plain = _PUNCTUATION.sub("", sentence.strip())
    for found in _SUBJECT.finditer(plain):
        words = _CUT.sub("", " " + found[1]).strip()
        if len(words) >= 3 and not _BLOCKED.search(words) and len(words.split()) <= 5:
            first, _, rest = words.partition(" ")
            return _swap(f"{first.lower()} {rest}".strip() if rest else _kept(words))
    return None


def _kept(word: str) -> str:
    return word if word.isupper() and len(word) <= 4 else word[:1].lower() + word[1:]


def _action(sentence: str) -> str | None:
    found = _ACTION.search(sentence.rstrip("?!. "))
    if not found:
        return None
    words = _ACTION_END.split(found[1].lower().strip())[0]
    return _swap(words) if _VERBS.match(words) and len(words.split()) <= 8 else None
