"""Subject of a question: its leanings, the direction of a yes, and its content words."""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop.engines.question import Question
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import word_set

# pattern -> leanings; a leaning with a minus sign decreases with a match
_TOPICS: tuple[tuple[str, dict[str, float]], ...] = (
    (r"pay (?:more|extra)|premium|more expensive|higher price|price (?:rise|increase|hike)|luxury"
        r"|costs? more|afford", {"price": -1.0}),
    (r"cheap|discount|coupon|save money|\bdeals\b|\b(?:good|better|best) deal\b"
        r"|\bon sale\b|bargain|store[- ]brand|generic"
        r"|lower price|special offer|promo|loyalty points", {"price": 1.0}),
    (r"\bprices?\b|\bcosts?\b|expensive|inflation|budget|value for money", {"price": 0.9}),
    (r"\bai\b|artificial intelligence|chatgpt|chatbot|robot|\bapps?\b|smart ?(?:phone|home|watch"
        r"|speaker)|technolog|gadget|online banking|software|computer|digital|internet|wearable|virtual"
            r"|streaming|crypto|electric (?:car|vehicle)|self-driving|website"
                r"|telehealth|tablet", {"technology": 1.0}),
    (r"social media|facebook|instagram|tik ?tok|snapchat|youtube|influencer"
        r"|twitter|reddit", {"social_media": 1.0}),
    (r"privacy|personal data|data (?:collect|shar)|track(?:ed|ing)? you|surveillance|identity theft"
        r"|security of your|hack", {"privacy": 1.0}),
    (r"portion|smaller (?:pack|size|meal|serving)|mini|bite[- ]sized?|snack[- ]size|single[- ]serve"
        r"|appetite", {"portions": 1.0}),
    (r"low(?:er)?[- ](?:sugar|fat|salt|sodium|carb|calorie)|sugar[- ]free|healthy|healthier|organic"
        r"|whole ?grain|vitamin|protein|nutrition|vegetable|salad|fruit|fiber|diet\b|plant[- ]based"
            r"|weight|wellness|probiotic", {"healthy_living": 0.9, "indulgence": -0.3}),
    (r"snack|candy|chocolate|dessert|sweets?\b|sugary|fast food|soda|chips|ice cream|cookies|cake"
        r"|burger|pizza|fries|treat", {"indulgence": 1.0}),
    (r"\bhealth\b(?! ?care| insurance)|illness|disease|diabetes|blood pressure|cancer|heart attack"
        r"|stroke|doctor|medical|symptom|pain|medicine|medication|side effects?"
            r"|hospital|vaccin", {"health_worry": 1.0}),
    (r"health ?care|health insurance|medical bills?", {"health_worry": 0.6, "money_worry": 0.6}),
    (r"exercise|gym|fitness|work ?out|sport|running|yoga|physical activity|hiking|bike"
        r"|cycling|walk", {"exercise": 1.0}),
    (r"\bjobs?\b|\bwork(?:place|ing)?\b|employer|career|boss|salary|coworkers|colleagues", {"job": 1.0}),
    (r"(?<!daily )(?<!in your )\blife\b|happy|happiness|well-?being"
        r"|things (?:these days|going)|standard of living|marriage", {"life": 1.0}),
    (r"stress|anxious|anxiety|lonel|overwhelm|burn(?:ed|t)? ?out|depress|mental health|tired"
        r"|exhaust|sleep", {"strain": 1.0}),
    (r"child|kids?\b|parent|baby|babies|toddler|school|famil|daughter|\bsons?\b|car seat"
        r"|screen time", {"family": 1.0}),
    (r"safety|\bsafe\b|danger|risk|crime|secure|insurance|accident|guns?|protect", {"safety": 1.0}),
    (r"environment|climate|global warming"
        r"|sustainab|recycl|carbon|plastic|eco|green (?:energy|product)|packaging|solar"
        r"|pollution|planet", {"sustainability": 1.0}),
    (r"government|politic|election|\bvote|congress|president|policy|\btax|news\b|democracy"
        r"|immigration", {"politics": 0.8, "trust": 0.4}),
    (r"\btrust|confiden(?:t|ce) in|believe what|honest|institution|\bbanks?\b|scien(?:ce|tist)"
        r"|media\b", {"trust": 1.0}),
    (r"money|debt|savings?\b|\brent\b|mortgage|bills?\b|retirement|financ|afford|paycheck|credit card"
        r"|econom|grocer", {"money_worry": 0.8}),
    (r"brand|loyal|favou?rite|same (?:product|store)|well-known|name[- ]brand", {"brand": 1.0}),
    (r"\bnew\b|try\b|switch|different|innovat|latest|first to|adventur|unfamiliar|experiment|change\b"
        r"|subscri", {"novelty": 0.9}),
    (r"convenien|quick|easy|fast\b|deliver|ready[- ](?:made|to)|time[- ]saving|frozen|microwave"
        r"|meal kit|takeout|take-?away|drive-?thr|order(?:ing)? online|on the go"
            r"|instant", {"convenience": 1.0}),
    (r"travel|vacation|holiday|flight|hotel|trip|cruise|airline|abroad", {"travel": 1.0}),
    (r"church|god\b|relig|pray|faith|spiritual|bible", {"faith": 1.0}),
    (r"alcohol|beer|wine|cocktail|\b(?:go(?:ing)? to|at|in) (?:a |the )?bars?\b|spirits"
        r"|drinking", {"alcohol": 1.0}),
    (r"smok(?:e|ing)|cigarette|tobacco|vap(?:e|ing)|nicotine", {"tobacco": 1.0}),
    (r"\bpets?\b|\bdogs?\b|\bcats?\b|puppy|kitten", {"pets": 1.0}),
)  # fmt: skip
_COMPILED = tuple((Pattern(pattern, re.I), table) for pattern, table in _TOPICS)
_AGAINST = Pattern(
    r"\b(?:avoid|stop|quit(?!e)|give up|dislike|hate|cancel|reduce|cut (?:back|down)|refuse|ban\b|against"
    r"|overrated|waste of|abolish\w*"
    r"|unlikely|oppose|reluctant|skip|less\b|eat fewer|never|stay away"
    r"|(?:do|would|will|are|is|have|should) you not|not (?:buy|like|use|try|want|trust|switch)"
    r"|don'?t (?:like|want|trust|buy|use))",
    re.I,
)


_STOP = word_set(
    """
    a an the and or but if of in on at to for from by with about into over under as is are was were be
    been being am do does did done have has had having you your yours yourself i me my we our us they
    them their it its this that these those there here what which who whom whose when where why how much
    many often likely would will could should can may might shall must not no yes any some all most more
    less least very really just than then so too also only ever never please rate rating scale point
    points one two three four five six seven eight nine ten means best worst where following select
    apply choose describe tell think feel say consider believe agree disagree important importance
    satisfied satisfaction worried concerned overall general currently now today week month year day per
    times time usually typically average past last next months years interested interest willing thing
    things make made get go going want need like prefer dollars dollar pay spend price out extent each
    every other another someone people person reason reasons main explain answer gave give given because
    use using feeling kind type recommend buy purchase likely definitely probably
    """
)


@lru_cache(maxsize=4096)
def topics_of(text: str) -> tuple[tuple[str, float], ...]:
    """Return the leanings addressed by a text, with their weights, at most four.

    Examples
    --------
    >>> topics_of("Would you try a new app?")
    (('technology', 1.0), ('novelty', 0.9))
    """
    found: dict[str, float] = {}
    price_settled = False
    for pattern, table in _COMPILED:
        if pattern.search(text):
            if "price" in table:
                if price_settled:
                    continue
                price_settled = True
            for name, weight in table.items():
                if abs(weight) > abs(found.get(name, 0.0)):
                    found[name] = weight
    strongest = sorted(found, key=lambda name: (-abs(found[name]), list(found).index(name)))[:4]
    return tuple((name, found[name]) for name in strongest)


def turned(sentence: str) -> bool:
    """Return whether a yes is a vote against the subject ("Would you avoid sugar?")."""
    return bool(_AGAINST.search(sentence))


def stem(word: str) -> str:
    """Return a word without its most common endings."""
    for ending in ("ing", "ies", "ed", "es", "er", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Return the stems of a question's subject words.

    Examples
    --------
    >>> sorted(content("How likely are you to switch to a lower-sugar snack?"))
    ['low', 'snack', 'sugar', 'switch']
    """
    words = re.findall(r"[a-z]+", text.lower().replace("'", ""))
    return frozenset(stem(word) for word in words if len(word) > 2 and word not in _STOP)


_FRAMING = frozenset(
    content(
        "support favor approve oppose opposed against believe trust confidence"
        " hours minutes number own eat drink watch take"
    )
)
"""Words of a question that its frame accounts for."""


def same_subject(question: Question, wording: str, words: Pattern) -> bool:
    """Return whether a question and the wording of a figure have the same subject, word for word.

    Parameters
    ----------
    question : Question
        Its options do not count.
    wording : str
        The question that the figure was asked with.
    words : Pattern
        Words that name the subject of the figure.

    Examples
    --------
    >>> figure = "Do you support the death penalty?", Pattern("death penalty|capital punishment")
    >>> same_subject(Question("Are you opposed to capital punishment?", "yes_no"), *figure)
    True
    >>> same_subject(Question("Do you support the death penalty for treason?", "yes_no"), *figure)
    False
    """
    text = question.text
    for option in sorted(question.options, key=len, reverse=True):
        text = text.replace(option, " ")
    return content(words.sub(" ", text)) - _FRAMING == content(words.sub(" ", wording)) - _FRAMING
