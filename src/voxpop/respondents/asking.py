"""What an open question asks for: its frame, its topic, the thing it names and what it would have one do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from voxpop.respondents.tales_general import TALES

_FRAMES: tuple[tuple[str, str], ...] = (
    ("why", r"^(?:and |but |so )?(?:why|how come)\b"),
    ("would", r"\bwhat (?:would|could|might|will|else would)\b.{0,30}?\b(?:make|take|get|convince|persuade"
        r"|encourage|motivate|lead|cause|change|push|help you|need to|have to)\b|\bunder what (?:conditions"
        r"|circumstances)|^when would you|\bwhat would you need\b|^(?:in|on) what (?:case|condition)"),
    ("plans", r"\bplans?\b.*\b(?:holiday|vacation|summer|weekend|break|christmas|thanksgiving|trip)"
        r"|\b(?:holiday|vacation|summer|weekend|travel|christmas|thanksgiving)\b.*\bplan(?:s|ning)?\b"),
    ("routine", r"\b(?:your|a) (?:typical |usual |normal |average |weekday )*(?:morning|day"
        r"|evening|routine)\b"),
    ("trip", r"\b(?:ideal|perfect|dream|best|last|favou?rite) (?:vacation|holiday|trip|getaway)\b"),
    ("worry", r"worr|concern|afraid|\bfear|scare|nervous|\brisks?\b"),
    ("dislike", r"dislike|\bhate\b|(?:don'?t|do not) (?:you )?(?:like|enjoy)|like (?:the )?least"
        r"|annoy|frustrat"
        r"|what(?:'s| is) (?:bad|worst|the worst|wrong)|complain|pain point|challeng|hardest|difficult"
        r"|\bproblems?\b|barrier|(?:stop|prevent|keep|hold)s? you (?:from|back)"),
    ("fix", r"\bimprove|\bshould\b.*\b(?:do|change|fix|add|know|focus)|\bchange about|\bdo better"
        r"|suggest|\badvice"
        r"|do differently|like to see|\bfix\b|\bwish\b|make .{1,40} better|missing\b"),
    ("like", r"\b(?:do|did|would) you (?:most |really |personally )?(?:like|love|enjoy|appreciate)\b(?! to)"
        r"|what(?:'s| is) (?:good|best|great|the best)|favou?rite (?:thing|part)|like (?:most|best)"),
    ("wants", r"\blook(?:ing)? for\b|\bmatters?\b|\bimportant\b|features?|\bexpect\b|(?:you"
        r"|want) (?:need|want)\b"
        r"|\bideal\b|\bprefer\b|\bcriteria\b|\bfactors?\b|\bvalue most\b|^what do you (?:need|want)"
        r"|\bhow do you (?:decide|choose|pick)\b|decide"),
    ("think", r""),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(pattern, re.I)) for name, pattern in _FRAMES)
# what a question is about more closely than its leanings say; the first that fits
_DOMAINS: tuple[tuple[str, str], ...] = (
    ("price_rise", r"price (?:rise|increase|hike|change)|rais(?:e|ed|ing) (?:its|their|the|our)? ?prices?"
        r"|prices? (?:went|go|going) up|costs? more now|more expensive"),
    ("streaming", r"streaming|netflix|hulu|disney\+|subscri"),
    ("flying", r"\bfly(?:ing)?\b|\bflights?\b|airline|airport|airplane|plane ticket"),
    ("ev", r"electric (?:car|vehicle|truck)|\bevs?\b|hybrid car|plug-in"),
    ("ai", r"artificial intelligence|\bai\b|chatgpt|chat ?bots?|machine learning|robots?\b|self-driving"),
    ("telehealth", r"telehealth|telemedicine|virtual (?:visit|doctor|care)|online doctor"
        r"|video (?:visit|call).*doctor"),
    ("remote", r"work(?:ing)? (?:from home|remotely|at home)|remote work|home office|hybrid work"),
    ("school", r"\bschools?\b|classroom|teacher"),
    ("convenience", r"online (?:grocer|food|shopping)|grocery (?:delivery|pickup|shopping online)|meal kits?"
        r"|order(?:ing)? (?:groceries|food|online)|deliver(?:y|ed)|takeout|take-?away|\bready meals?"
        r"|frozen (?:meal|dinner|food)|shop(?:ping)? online"),
    ("portions", r"portion|smaller (?:size|serving|pack)s?|appetite"),
    ("restaurants", r"restaurants?|eat(?:ing)? out|din(?:e|ing) out|fast food|cafes?\b|diners?\b"),
    ("selfcare", r"toothpaste|shampoo|skin ?care|\bsoap|deodorant|cosmetic|make-?up|lotion|moisturi"
        r"|sunscreen|razor|hair (?:care|product)|personal care|\bbeauty\b|toothbrush"),
    ("coffee", r"\bcoffee|\btea\b|latte|espresso|energy drink"),
    ("shoes", r"shoes?\b|sneakers|boots\b"),
    ("clothes", r"cloth(?:es|ing)|fashion|jeans|dress(?:es)?\b|jackets?\b|wardrobe|outfits?\b|\bshirts?\b"),
    ("ad", r"\b(?:ads?|advert\w*|commercial|slogan|billboard)\b"),
    ("hotel", r"\bhotels?\b|resort|motel|airbnb"),
    ("news", r"\bnews\b|newspaper|journalis|reporters?\b"),
    ("sustainability", r"packag|recycl|sustainab|plastic|climate|global warming|environment|carbon|solar"),
    ("insurance", r"insurance|\binsurers?\b|health plan|deductible"),
    ("banking", r"\bbank(?:s|ing)?\b|credit union|payment app|credit card|mobile wallet|venmo"),
    ("internet", r"internet (?:provider|service|connection|speed)|broadband|wi-?fi"
        r"|(?:phone|mobile|cell|wireless) (?:plan|provider|carrier|company|network|service)"),
    ("privacy", r"privacy|personal (?:data|information)|your data"),
    ("healthy_living", r"(?:low(?:er)?|less|reduced|no)[- ](?:sugar|fat|salt|sodium|carb|calorie)"
        r"|sugar[- ]free|healthy|healthier|organic|nutrition|diet\b|plant[- ]based"),
    ("doctor", r"(?:choos|pick|find|look|want|expect|like|dislike|trust|value|last|visit|experience|matter).*"
        r"\b(?:doctors?|physicians?|dentists?|clinics?|hospitals?|pediatricians?)\b"
        r"|\b(?:doctors?|physicians?|dentists?|clinics?)\b.*(?:visit|appointment|office|better|improve)"),
    ("medicine", r"medicine|medication|prescription|\bdrugs?\b|\bpills?\b|glp-?1|ozempic|wegovy|vaccin"
        r"|injection|side effects?"),
    ("care", r"(?:hard(?:est)?|difficult|challeng|barrier|stop|prevent|keep).*\bhealth"
        r"|tak(?:e|ing) care of your|stay(?:ing)? healthy|look after your"),
    ("meals", r"breakfast|\blunch|\bdinner|\bsupper|\bcook|\bmeals?\b|recipes?\b|\bkitchen|\beat\b"),
    ("relax", r"\brelax|unwind|free time|spare time|hobb(?:y|ies)|for fun|leisure|weekends?\b|me time"
        r"|after work|recharge|\benjoy doing"),
    ("place", r"where you live|neighbo(?:u)?rhood|your (?:city|town|community|state|area|street|home ?town)"
        r"|living (?:here|there)|moving to|your (?:home|house|apartment)\b"),
    ("future", r"\bfuture\b|next (?:five|ten|few|\d+) years|in (?:five|ten|twenty|\d+) years|getting older"
        r"|\bag(?:e)?ing\b|the world today|up at night|direction of the country"),
    ("car", r"\bcars?\b|vehicles?\b|\btrucks?\b|\bsuvs?\b|automobile|\bdriv(?:e|ing)\b"),
    ("service", r"\b(?:store|supermarket|service|salon|shop|branch|staff|retailer|call cent(?:er|re))s?\b"),
    ("health_worry", r"health ?care|\bhealth\b"),
)  # fmt: skip
_DOMAIN_PATTERNS = tuple((name, re.compile(pattern, re.I)) for name, pattern in _DOMAINS)
RELATED: dict[str, str] = {
    "news": "trust",
    "price_rise": "price",
}
FAMILIES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("indulgence", "healthy_living", "portions", "convenience", "alcohol"), ("food",)),
    **dict.fromkeys(("price", "price_rise", "money_worry", "brand", "shoes"), ("money",)),
    **dict.fromkeys(("novelty", "service"), ("money",)),
    **dict.fromkeys(("technology", "social_media", "privacy", "banking"), ("tech",)),
    **dict.fromkeys(("streaming", "ev"), ("money",)),
    **dict.fromkeys(("family", "school", "safety", "life", "faith", "pets"), ("home",)),
    **dict.fromkeys(("politics", "trust", "news", "sustainability"), ("world",)),
    **dict.fromkeys(("health_worry", "exercise", "tobacco", "strain"), ("body",)),
    "travel": ("leisure",),
    "hotel": ("stay",),
    "ad": ("ads",),
    "telehealth": ("body", "tech"),
    "job": ("work",),
    **dict.fromkeys(("meals", "restaurants", "coffee"), ("food",)),
    **dict.fromkeys(("insurance", "clothes", "car", "selfcare"), ("money",)),
    **dict.fromkeys(("ai", "internet"), ("tech",)),
    **dict.fromkeys(("doctor", "medicine", "care"), ("body",)),
    **dict.fromkeys(("place", "future"), ("home",)),
    "flying": ("leisure",),
    "relax": ("leisure",),
}  # fmt: skip
HEALTHY_TOPICS = frozenset(
    (
        "indulgence",
        "healthy_living",
        "portions",
        "health_worry",
        "telehealth",
        "exercise",
        "tobacco",
        "strain",
        "medicine",
        "care",
    )
)
_BEFORE = (
    r"(?:switch(?:ing)? to|thoughts? (?:on|about)|think (?:of|about)|feel(?:ings)? about"
    r"|opinions? (?:of|on|about)"
    r"|views? (?:on|of)|experiences? (?:with|of)|(?:worr|concern)\w*(?: you| do you have"
    r"| are there)?(?: the)?(?: most)?"
    r"(?: about| with)?|(?:like|love|enjoy|dislike|hate|change|know)(?: the)?(?: most| best"
    r"| least)? about|impressions? of"
    r"|reactions? to|feedback on|look for in|want (?:in|from)|expect (?:of|from)|trust"
    r"|\bbuy(?:ing)?|\btry(?:ing)?"
    r"|\buse|\busing|\bgetting|\bget|\bhear|\bheard of|\bchoose|describe|\bown|about|with|should)"
)
_NOUN = r"((?:(?:a|an|the|this|that|these|those|your|our|my|their)\s+)?(?:[\w'-]+\s+){0,3}[\w'-]+)"
_SUBJECT = re.compile(rf"\b{_BEFORE}\s+{_NOUN}", re.I)
_CUT = re.compile(
    r"\s(?:in|for|at|on|when|that|if|to|from|and|or|as|with|by|most|best|least|improve|do|change"
    r"|is|are|was|were"
    r"|would|should|could|this year|these days|today|right now|you|of|than|before|after|instead|more)\b.*$",
    re.I,
)
_BLOCKED = re.compile(
    r"^(?:you|it|that|this|them|us|me|do|be|the|a|an|your|our|these|those|things?|everything"
    r"|there|doing|how|what)$"
    r"|\b(?:you|it|me|them|us|think|feel|say|make|made|get|is|are|be|do|most|best|thing|one|about"
    r"|why|answer)\b",
    re.I,
)
_ACTION = re.compile(
    r"\b(?:(?:make|let|help) (?:you|people)(?: to)?|(?:get|convince|persuade|encourage|motivate"
    r"|lead|cause|push|help"
    r"|for|allow) you to|would you(?: be willing to| consider)?) ((?:not )?[a-z][\w' -]{2,60})",
    re.I,
)
_VERBS = re.compile(
    r"^(?:switch|try|buy|use|change|move|choose|pay|stop|quit|cancel|go|join|sign|drive|eat|drink"
    r"|visit|come|stay"
    r"|recommend|get|order|download|shop|give|take|leave|return|watch|subscribe|book|trust|vote"
    r"|donate|cook|start)\b"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question, understood for the purpose of talking about it."""

    frame: str
    topic: str
    related: str | None
    families: tuple[str, ...]
    subject: str | None
    plural: bool
    action: str | None
    turned: bool
    source: str


@lru_cache(maxsize=2048)
def asked(sentence: str, topics: tuple[tuple[str, float], ...], turned: bool) -> Asked:
    """Return what a question asks for.

    Examples
    --------
    >>> found = asked("What would make you switch to a lower-sugar snack?", (), False)
    >>> found.frame, found.topic, found.subject, found.action
    ('would', 'healthy_living', 'a lower-sugar snack', 'switch to a lower-sugar snack')
    """
    frame = next(name for name, pattern in _COMPILED if pattern.search(sentence))
    fallback = next((name for name, _ in topics if name in TALES), "assent")
    topic = next((name for name, pattern in _DOMAIN_PATTERNS if pattern.search(sentence)), fallback)
    related = RELATED.get(topic)
    if topic == "price_rise" and re.search(r"streaming|netflix|subscri", sentence, re.I):
        related = "streaming"
    if topic == "school" and re.search(r"safe|secur|violen", sentence, re.I):
        related = None
    subject = _subject(sentence)
    return Asked(
        frame=frame,
        topic=topic,
        related=related,
        families=FAMILIES.get(topic, ()),
        subject=subject,
        plural=_plural(subject),
        action=_action(sentence),
        turned=turned and not re.search(r"\bor (?:do you )?not\b|\bor don'?t\b", sentence, re.I),
        source=sentence,
    )


def _plural(subject: str | None) -> bool:
    if not subject:
        return False
    return subject.endswith("s") and not re.search(r"(?:ss|us|is|news)$", subject)


def _swap(words: str) -> str:
    turned = {"your": "my", "yours": "mine", "you": "me", "our": "your", "us": "you", "yourself": "myself"}
    return " ".join(turned.get(word, word) for word in words.split())


def _subject(sentence: str) -> str | None:
    plain = re.sub(r"[?!.,;:\"“”()].*$", "", sentence.strip())
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
    words = found[1].lower().strip()
    words = re.split(r"\s(?:more often|if|when|instead|because)\b", words)[0]
    return _swap(words) if _VERBS.match(words) and len(words.split()) <= 8 else None
