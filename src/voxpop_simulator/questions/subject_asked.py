"""Interpretation of an open question: its form, topic, subject and action."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.questions.brands import brands_in, without_brands
from voxpop_simulator.questions.forms import asks_reaction, form_of, reply_of
from voxpop_simulator.questions.pairs import chooses, pair_in
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.place_codes import CODES
from voxpop_simulator.questions.subjects import FAMILIES, topic_of
from voxpop_simulator.questions.things import ANYTHING, IDEA, MATTER, UNKNOWN, WARES, class_of, new_class
from voxpop_simulator.questions.wordlists import word_set

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
_JUDGED = (
    r"^(?:(?:do|did|would) you (?:\w+ )?(?:like|love|enjoy|hate|dislike|believe in|play|eat|drink|prefer)"
    r"|(?:is|are)(?=\s+[\w' -]+? important\b))"
)
_SUBJECT = Pattern(rf"(?:\b{_BEFORE}|{_JUDGED})(?=\s+{_NOUN})", re.I)
CUT = Pattern(
    r"\s(?:in|for|at|on|when|that|if|to|from|and|or|as|with|by|most|best|least|improve|do|(?<!climate )change"
    r"|is|are|was|were|would|should|could|this year|these days|today|right now|you|of|than|before|after"
    r"|instead|important|more|delivered|here|again|plans|wants|offers|promises|helps|goes|works|lasts|tracks|uses|made|called|named)\b.*$",
    re.I,
)
_BLOCKED = Pattern(
    r"^(?:you|it|that|this|them|us|me|do|be|the|a|an|your|our|these|those|things?|everything"
    r"|there|doing|how|what|here|the (?:name|word|news|idea))$|^(?:some|any)(?:thing|one|body)\b"
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
# words of questions on things to buy or use, not on ideas
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
_TOLD_OF = Pattern(r"\s(?:that|which|to \w+|for \w+ing)\b")
"""Words after a thing whose function is described."""
_MADE_OF = Pattern(r"\s(?:made|with|containing|without)\b")
# subjects of talking about oneself
_OF_ONES_OWN = Pattern(
    r"^(?:an?|one|some) (?:\w+ )?(?:moments?|times?|days?|weeks?|persons?|situations?|memor(?:y|ies)"
    r"|feelings?|stor(?:y|ies)|incidents?|occasions?|someone|dreams?|thoughts?|mistakes?|surprises?)\b",
    re.I,
)
_OR_NOT = Pattern(r"\bor (?:do you )?not\b|\bor don'?t\b", re.I)
_PUNCTUATION = Pattern(r"[?!.,;:\"“”()].*$")
_ACTION_END = Pattern(r"\s(?:more often|if|when|instead|because)\b")
_SINGULAR_S = Pattern(r"(?:ss|us|is|news|series)$")
# kind of a named thing, by the surrounding words
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
_SENTENCE_ON = Pattern(r"[^\"”]*\s[a-z]")
"""Continuation of a quoted sentence or slogan, whose first word is not a name."""
_KNOWN_NAMES = word_set(
    """
    i i'm i'd i've tv tvs us usa uk ai us u.s glp-1 glp ok id bmi ev evs suv suvs gps dvd atm pc wifi wi-fi
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
class AskedSubject:
    """The interpretation of an open question for writing answers.

    Attributes
    ----------
    form : str
        Kind of answer.
    topic : str
        Topic of the lines that match: a class of things (``a drink``), or ``assent`` for an unknown thing,
        ``notion`` for an idea, ``matter`` for neither.
    families : tuple of str
        Families of matching sentences about one's own life.
    subject, action : str or None
        The subject and the proposed action, in the agent's words.
    name, kind : str or None
        An unknown name, and the action that applies to such a thing.
    turned : bool
        Whether the question is about giving something up.
    others : tuple of str
        Alternatives to the subject for a choice or comparison.
    """

    form: str
    topic: str
    families: tuple[str, ...]
    subject: str | None
    plural: bool
    action: str | None
    name: str | None
    kind: str | None
    turned: bool
    source: str
    others: tuple[str, ...] = ()


_PERSONAL = ("else", "habit", "change", "ideal", "time", "routine")
"""Forms about oneself, for which lines that evaluate a thing do not fit."""
CHOOSING = ("compare", "else", "like", "why", "think", "wants", "both", "habit", "mind")
"""Forms that choose between alternatives."""
_OF_TOPIC = ("habit", "use", "know", "where", "when", "who", "sources", "ideal", "instead", "stops")
"""Forms about the purpose of a brand rather than the brand itself."""
KNOWN_AS_IS = (
    *("hotel", "travel", "flying", "tv", "music", "books", "games", "sports", "service", "shopping"),
    *("a place", "movie_theaters", "museums", "concerts", "camping", "hobbies"),
)
"""Topics whose lines are about existing things, not about planned offers."""
_IDEA_OF = Pattern(r"\b(?:idea|concept|thought|notion) of (?:an?|having|a new)\b", re.I)
_ABOUT_BRANDS = ("brand", "trust", "shopping")
"""Topics of questions about the brand they name."""
_NOT_OF_BRANDS = ("visit us", "meaning", "loyal brand")
"""Banks of lines about an unnamed company."""
_SERVED = Pattern(r"service|staff|cashier|employee", re.I)
PAIR = "pair"
"""Topic of reasons for one of two arbitrary alternatives."""


@lru_cache(maxsize=2048)
def asked(sentence: str, turned: bool) -> AskedSubject:
    """Return the interpretation of a question.

    Examples
    --------
    >>> found = asked("What would make you switch to a lower-sugar snack?", False)
    >>> found.form, found.topic, found.subject, found.action
    ('would', 'healthy_living', 'a lower-sugar snack', 'switch to a lower-sugar snack')
    >>> found = asked("What did you think of the TV show Quillfeather?", False)
    >>> found.form, found.name, found.kind
    ('think', 'Quillfeather', 'watch')
    """
    form = form_of(sentence)
    subject = _subject(sentence)
    topic = topic_in(sentence, subject)
    reply = reply_of(sentence)
    brands = brands_in(sentence)
    if brands and reply in _NOT_OF_BRANDS:
        reply = None
    if reply and not (reply == "meaning" and topic not in (UNKNOWN, IDEA, MATTER)):
        form, topic = "reply", reply
    elif reply:
        form = "means"
    elif asks_reaction(sentence) and form != "solve":
        form, topic = "reaction", "reaction"
    elif topic in (UNKNOWN, MATTER) and (form in _PERSONAL or (subject and _OF_ONES_OWN.match(subject))):
        topic = ANYTHING
    others = _others(sentence, form)
    if others:
        form, topic, subject = "versus", brands[0].trade if brands else PAIR, others[0]
    elif brands and form not in ("reply", "means", "reaction"):
        topic = _of_brand(sentence, form)
        subject = brands[0].name if topic in (brands[0].trade, brands[0].topic) else subject
    name = None if brands else unknown_name(sentence)
    return AskedSubject(
        form=form,
        topic=topic,
        families=FAMILIES.get(topic, ()),
        subject=subject,
        plural=is_plural(subject),
        action=_action(sentence),
        name=name,
        kind=next(kind for kind, pattern in _KINDS if re.search(pattern, sentence, re.I)) if name else None,
        turned=turned and not _OR_NOT.search(sentence),
        source=sentence,
        others=others[1:],
    )


def _others(sentence: str, form: str) -> tuple[str, ...]:
    """Return the alternatives that a question offers for a choice or comparison."""
    if form not in CHOOSING:
        return ()
    names = tuple(brand.name for brand in brands_in(sentence))
    if names:
        return names if len(names) > 1 and chooses(sentence) else ()
    return pair_in(sentence) or ()


def _of_brand(sentence: str, form: str) -> str:
    """Return the topic of a question with a brand name: its trade, unless other words are more specific."""
    brand = brands_in(sentence)[0]
    known = topic_of(without_brands(sentence))
    if known == "service" and not _SERVED.search(sentence):
        known = None
    if known not in (None, brand.topic, *_ABOUT_BRANDS):
        return known or brand.topic
    return brand.topic if form in _OF_TOPIC else brand.trade


def topic_in(sentence: str, subject: str | None) -> str:
    """Return the topic of a question, or the class of its subject if no topic matches."""
    new = bool(subject and subject.startswith(("a ", "an ")))
    what = class_of(subject) if subject else None
    long = bool(subject and len(subject.split()) > (2 if what == "a remedy" else 3))
    if new and subject and (long or what == "a plan"):
        return new_class(subject) or UNKNOWN
    if new and subject and " new " in subject and new_class(subject) != what:
        return new_class(subject) or UNKNOWN
    if new and subject and what in WARES and _is_told_of(subject, sentence):
        return new_class(subject) or UNKNOWN
    known = topic_of(sentence)
    if known in KNOWN_AS_IS and _IDEA_OF.search(sentence):
        return UNKNOWN
    if known is not None:
        return what if known == "place" and what in ("a place", "an event", "an organization") else known
    if subject and _OF_THIS.match(subject):
        return UNKNOWN
    return (new_class(subject) if new else what) or (UNKNOWN if new or _THING.search(sentence) else MATTER)


def _is_told_of(subject: str, sentence: str) -> bool:
    """Return whether a question describes what something new does or is made of."""
    after = sentence.lower().partition(subject)[2]
    general = topic_of(subject) in (None, "apps", "technology")
    return bool(_MADE_OF.match(after) or (general and _TOLD_OF.match(after)))


def names_nothing(found: AskedSubject) -> bool:
    """Return whether a question does not state its subject, as in "What would make you switch?".

    Examples
    --------
    >>> names_nothing(asked("What would make you switch?", False))
    True
    >>> names_nothing(asked("What would make you switch to tea?", False))
    False
    """
    bare = found.form != "reply" and (found.action is None or " " not in found.action)
    return bare and found.subject is None and found.name is None and topic_of(found.source) is None


def in_terms_of(found: AskedSubject, earlier: AskedSubject) -> AskedSubject:
    """Return a question without a subject as one with the subject of an earlier question.

    Examples
    --------
    >>> earlier = asked("Would you switch to a lower-sugar snack?", False)
    >>> about = in_terms_of(asked("What would make you switch?", False), earlier)
    >>> about.form, about.topic, about.action
    ('would', 'healthy_living', 'switch to a lower-sugar snack')
    """
    source = f"{found.source} {earlier.action or earlier.subject or ''}".strip()
    return replace(earlier, form=found.form, turned=found.turned, source=source)


def unknown_name(sentence: str) -> str | None:
    """Return an unknown name in a question."""
    for found in _NAME.finditer(sentence):
        words = found[0].lower().removesuffix("'s").split()
        if all(word in _KNOWN_NAMES or word in _places() for word in words):
            continue
        if " ".join(words) in _places() or (len(words) == 1 and len(found[0]) < 3):
            continue
        if sentence[found.start() - 1] in '"“' and _SENTENCE_ON.match(sentence[found.end() :]):
            continue
        return found[0].removesuffix("'s")
    return None


@cache
def _places() -> frozenset[str]:
    names = {word for name in CODES for word in name.split()}
    levels = (level for field in FIELDS.values() for level in field.levels)
    return frozenset(names | {word.lower() for level in levels for word in level.split()})


def is_plural(subject: str | None) -> bool:
    """Return whether a noun phrase is plural."""
    if not subject:
        return False
    return subject.endswith("s") and not _SINGULAR_S.search(subject)


def in_first_person(words: str) -> str:
    """Return words of a question as the one who answers says them.

    Examples
    --------
    >>> in_first_person("your sleep")
    'my sleep'
    """
    turned = {"your": "my", "yours": "mine", "you": "me", "our": "your", "us": "you", "yourself": "myself"}
    return " ".join(turned.get(word, word) for word in words.split())


def _subject(sentence: str) -> str | None:
    plain = _PUNCTUATION.sub("", sentence.strip())
    for found in _SUBJECT.finditer(plain):
        words = CUT.sub("", " " + found[1]).strip()
        if len(words) >= 3 and not _BLOCKED.search(words) and len(words.split()) <= 5:
            first, _, rest = words.partition(" ")
            return in_first_person(f"{first.lower()} {rest}".strip() if rest else _kept(words))
    return None


def _kept(word: str) -> str:
    return word if word.isupper() and len(word) <= 4 else word[:1].lower() + word[1:]


def _action(sentence: str) -> str | None:
    found = _ACTION.search(sentence.rstrip("?!. "))
    if not found:
        return None
    words = _ACTION_END.split(found[1].lower().strip())[0]
    return in_first_person(words) if _VERBS.match(words) and len(words.split()) <= 8 else None
