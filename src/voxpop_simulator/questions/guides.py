"""Guides: questions for the objective of a study."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from voxpop.engines.question import Question, Scale
from voxpop.vocabulary.filters import AnyOf, Filter
from voxpop_simulator.questions.objective_phrases import DETERMINERS
from voxpop_simulator.questions.objective_words import COUNTABLE, GERUNDS
from voxpop_simulator.questions.objectives import Aim, read_aim
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.wordlists import word_set

FEWEST, MOST = 3, 7
"""Number of questions in an interview guide."""

_GUIDE = 5
_MONEY = {
    "USA": "dollars",
    "Canada": "Canadian dollars",
    "UK": "British pounds",
    "Germany": "euros",
    "France": "euros",
    "Australia": "Australian dollars",
    "Japan": "Japanese yen",
    "Brazil": "Brazilian reais",
    "India": "Indian rupees",
    "Mexico": "Mexican pesos",
    "Italy": "euros",
    "Spain": "euros",
    "Netherlands": "euros",
    "South Korea": "Korean won",
}
_PRICE = re.compile(r"[$£€¥₹]\s?\d[\d,]*(?:\.\d{1,2})?")
_MONTHLY = re.compile(r"\bsubscri|\bmonthly\b|\bper month\b|\bplans?\b|\bmembership|\bstreaming\b", re.I)
_CHANGES = word_set(
    """
    switch cancel leave stop try buy adopt subscribe unsubscribe return abandon trade shift purchase quit drop
    renew upgrade downgrade join ditch donate apply replace hire invest vaccinate delay postpone recommend go
    eat drink order book refinance outsource move change rent visit vote enroll install pay reduce cut
    """
)
_TESTS = word_set("try buy use adopt purchase order install download join subscribe")
_KINDS: tuple[tuple[str, str], ...] = (
    ("price", r"\bpric(?:e|es|ing)\b|willing(?:ness)? to pay|\bpay(?:ing)?\b(?! (?:with|by|via|using|off"
        r"|bills?|down|attention|taxes|later))|\bafford|[$£€¥₹]\s?\d|\bprice point"),
    ("leaving", r"\bchurn|\battrition|\bretention|\bdefect|\blaps(?:e|ed|ing)\b|unsubscrib|\bcancel"),
    ("satisfaction", r"\bsatisf|\bdissatisf|\bnps\b|net promoter|customer experience|patient experience"
        r"|\bpain points?|\bfrustrat|\bloyal\b|\bloyalty (?:to|of)\b|experiences? (?:of|with)|onboarding"
        r"|usability"),
    ("appeal", r"\b(?:ads?|advert\w*|commercials?|slogans?|taglines?|messag\w*|packaging|logos?|designs?"
        r"|names?)\b(?! (?:blocker|for\b))"),
    ("trust", r"\btrust"),
    ("worry", r"\bworr(?:y|ies|ied)|\bconcern(?:s|ed)?\b|\bfears?\b|\banxi"),
    ("policy", r"\b(?:policy|policies|ban|tax|taxes|laws?|bill|regulat\w*|legislation|reform|referendum"
        r"|mandates?|minimum wage|universal basic income|tariffs?|subsid\w+|amendment)\b"
        r"|\boppos(?:e|es|ition)\b|\bsupport for\b|\bvoters support\b"),
    ("concept", r"\bconcepts?\b|\bprototypes?\b|\bnew (?:product|service|\w+ ?\w*)\b|\bideas?\b|\blaunch"
        r"|\binterest in\b|\bappeal\b|\bdemand\b|\badopt|\bwould\b|\bwant from\b|\bunmet needs\b|\bneeds?\b"),
    ("usage", r"\busage\b|\bhabits?\b|\bhow often\b|\bpurchase (?:journey|behavio|decision)"),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(pattern, re.I)) for name, pattern in _KINDS)
_FEES = re.compile(
    r"\b(?:fees?|rates?|bills?|tax(?:es)?|charges?|tolls?|rents?|surcharges?|prices?|costs?)$", re.I
)
_NOT_BOUGHT = re.compile(
    r"\b(?:week|work|jobs?|hours|schools?|degree|law|ban|vote|future|idea|system|community)\b", re.I
)
# objectives that name only a kind of subject: "pricing"
_ALONE = {
    "price": "the prices that you pay",
    "satisfaction": "everyday products and services",
    "leaving": "everyday products and services",
    "appeal": "the advertising that you see",
    "trust": "the companies that you buy from",
    "concept": "new products and services",
    "usage": "everyday products and services",
}
_WHEN = re.compile(r"\b(?:next|year|month|week|today|tomorrow|election)\b", re.I)
_HOW_OFTEN = ("Every day", "Several times a week", "A few times a month", "Less often", "Never")
_SUPPORT = ("Strongly support", "Somewhat support", "Somewhat oppose", "Strongly oppose", "Not sure")


@dataclass(frozen=True, slots=True)
class _Rating:
    """A rating question and its ends."""

    key: str
    text: str
    low: int
    high: int
    low_label: str
    high_label: str


_LIKELY = (0, 10, "not at all likely", "extremely likely")
_FEELING = _Rating(
    "feeling",
    "Overall, how positive or negative do you feel about {about}?",
    1,
    5,
    "very negative",
    "very positive",
)
_RATINGS = {
    "change": _Rating("likelihood", "How likely are you to {action}{soon}?", *_LIKELY),
    "stopping": _Rating("likelihood", "How likely are you to {action}{soon}?", *_LIKELY),
    "leaving": _Rating("likelihood", "How likely are you to give up {about}{soon}?", *_LIKELY),
    "concept": _Rating("likelihood", "How likely would you be to try {about}?", *_LIKELY),
    "doing": _Rating(
        "ease", "How easy or difficult is it for you to {action}?", 1, 5, "very difficult", "very easy"
    ),
    "satisfaction": _Rating(
        "satisfaction",
        "Overall, how satisfied or dissatisfied are you with {about}?",
        *(1, 5, "very dissatisfied", "very satisfied"),
    ),
    "appeal": _Rating(
        "appeal",
        "How appealing or unappealing do you find {about}?",
        *(1, 5, "very unappealing", "very appealing"),
    ),
    "trust": _Rating(
        "trust", "How much trust, if any, do you have in {about}?", 0, 10, "none at all", "complete trust"
    ),
    "worry": _Rating(
        "worry",
        "How worried, if at all, are you about {about}?",
        *(0, 10, "not at all worried", "extremely worried"),
    ),
}


@dataclass(frozen=True, slots=True)
class _Item:
    """A question and its priority in a short questionnaire."""

    rank: int
    question: Question


def interview_guide(objective: str, audience: Filter | None = None) -> list[Question]:
    """Return the questions of an interview: habits first, then the subject, barriers and reasons.

    Parameters
    ----------
    objective : str
        Goal of the interviews, in any words; the questions reuse these words.
    audience : Filter, optional
        The audience; prices are in the currency of its country.

    Returns
    -------
    list of Question
        3 to 7 questions, each with its own key.

    Examples
    --------
    >>> for question in interview_guide("Why do customers cancel their gym membership?"):
    ...     print(f"{question.type}: {question.text}")
    single_choice: How often, if ever, do you think about canceling your gym membership?
    scale: How likely are you to cancel your gym membership in the next 12 months?
    open: What, if anything, would keep you from canceling your gym membership?
    open: What are the main reasons for and against canceling your gym membership, in your view?
    open: Is there anything else about your gym membership that you would like to tell us?
    """
    wanted = _GUIDE + 1 if _PRICE.search(objective) else _GUIDE
    return study_questions(objective, min(max(wanted, FEWEST), MOST), audience)


def study_questions(objective: str, count: int = 4, audience: Filter | None = None) -> list[Question]:
    """Return the most important questions of a study for an objective, in the order to ask them.

    Parameters
    ----------
    objective : str
        Goal of the study, in any words.
    count : int
        Number of questions, 1 to 7.
    audience : Filter, optional
        The audience; prices are in the currency of its country.

    Returns
    -------
    list of Question
        Questions, each with its own key, which is a valid variable name.

    Examples
    --------
    >>> [question.key for question in study_questions("Attitudes towards oat milk", 3)]
    ['feeling', 'concerns', 'reasons']
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST:
        raise ValueError(f"count must be a whole number from 1 to {MOST}, not {count!r}.")
    items = _items(objective, _money_of(audience))
    kept = sorted(sorted(range(len(items)), key=lambda at: items[at].rank)[:count])
    return [items[at].question for at in kept]


@lru_cache(maxsize=256)
def _items(objective: str, money: str) -> tuple[_Item, ...]:
    aim = read_aim(objective)
    kind = _kind(aim)
    if aim.topic is None and aim.action is None and aim.question is None:
        named = _named(aim)
        if named not in _ALONE:
            return tuple(_about_life())
        kind = "satisfaction" if named in ("satisfaction", "leaving") else "general"
        aim = replace(aim, topic=_ALONE[named])
    return tuple(_about(kind, aim, money))


def _about(kind: str, aim: Aim, money: str) -> Iterator[_Item]:
    """Return the seven questions, or eight with a price, in the order to ask them."""
    about = aim.topic or aim.doing or "this"
    if kind in ("satisfaction", "usage", "leaving"):
        about = re.sub(r"^an? (.+)$", r"the \1 that you use", about)
    subject = (aim.doing if kind == "change" else None) or about
    yield _Item(3, _warm_up(kind, aim, subject))
    yield from _main(kind, aim, about, money)
    yield _Item(1, _in_the_way(kind, aim, about))
    yield _Item(2, _reasons(kind, aim, subject))
    yield _Item(6, _importance(subject))
    yield _Item(7, _elsewhere(kind, subject))
    yield _Item(
        5, _open("anything_else", f"Is there anything else about {about} that you would like to tell us?")
    )


def _named(aim: Aim) -> str:
    return next((name for name, pattern in _COMPILED if pattern.search(aim.words)), "general")


def _kind(aim: Aim) -> str:
    """Return the question set for an objective."""
    named, thing = _named(aim), aim.topic and not _is_doing(aim.topic)
    verb, _, rest = (aim.action or "").partition(" ")
    if verb == "stop" and rest.split(" ")[0] in GERUNDS:
        return "stopping"
    if named == "price" and (not verb or verb in _TESTS | {"pay", "spend"}):
        return "price" if aim.topic and thing and not _FEES.search(aim.topic) else "general"
    if named == "leaving" and not verb:
        return "leaving" if thing else "general"
    if verb in ("pay", "spend") and thing and re.search(r" (?:for|on) ", f" {rest}"):
        return "price"
    if verb in _TESTS and thing and named == "concept":
        return "concept"
    if verb:
        changes = verb in _CHANGES or named == "leaving" or (verb == "get" and aim.topic is None)
        return "change" if changes else "doing"
    if named == "price" or (not thing and named in ("concept", "usage", "satisfaction", "appeal", "policy")):
        return "policy" if named == "policy" and aim.topic else "general"
    if aim.topic and " compared with " in aim.topic:
        return "general"
    if aim.topic and re.match(r"the (?:effect|impact|role|influence|future) of\b", aim.topic):
        return "general"
    return named


def _is_doing(topic: str) -> bool:
    """Return whether a topic is an event or activity, not a thing to own.

    Examples
    --------
    >>> [_is_doing(topic) for topic in ("buying a home", "the mobile banking app", "sustainable packaging")]
    [True, False, False]
    """
    words = topic.split()
    thing = re.split(r" (?:for|of|with|in|on|without|to) ", topic)[0].split()[-1]
    done = words[0] in GERUNDS and words[1:2] and words[1] in DETERMINERS
    return bool(done) or (thing not in COUNTABLE and any(word in GERUNDS for word in words[:3]))


def _warm_up(kind: str, aim: Aim, subject: str) -> Question:
    if kind == "doing":
        asked = str(aim.action)
    elif kind == "stopping":
        asked = _kept_up(aim)
    elif kind == "change":
        asked = f"think about {subject}"
    elif kind in ("price", "concept"):
        asked = f"buy or use anything like {aim.topic}"
        if _NOT_BOUGHT.search(str(aim.topic)):
            asked = f"come across anything like {aim.topic}"
    elif kind == "appeal":
        asked = f"notice anything like {aim.topic}"
    elif kind in ("leaving", "satisfaction", "usage"):
        asked = f"use or deal with {aim.topic}"
    else:
        asked = f"think or talk about {subject}"
    return read_question(f"How often, if ever, do you {asked}?", options=_HOW_OFTEN, key="how_often")


def _kept_up(aim: Aim) -> str:
    """Return the opposite of stopping: "stop taking statins" becomes "take statins"."""
    first, _, rest = (aim.action or "").removeprefix("stop ").partition(" ")
    return f"{GERUNDS[first]} {rest}".strip()


def _main(kind: str, aim: Aim, about: str, money: str) -> Iterator[_Item]:
    if aim.question is not None:
        yield _Item(0, read_question(aim.question, key="main"))
        return
    if kind == "price":
        often = " per month" if _MONTHLY.search(aim.words) else ""
        text = f"What is the most you would pay{often} for {about}, in {money}?"
        yield _Item(0, read_question(text, type="number", key="most_to_pay"))
        if prices := _PRICE.findall(aim.words):
            text = f"How likely would you be to buy {about} at a price of {prices[-1]}{often}?"
            yield _Item(4, _rated("likelihood", text, 0, 10, "not at all likely", "extremely likely"))
        return
    yield _Item(0, _central(kind, aim, about))


def _central(kind: str, aim: Aim, about: str) -> Question:
    if kind == "policy":
        return read_question(
            f"On balance, do you support or oppose {about}?", options=_SUPPORT, key="support"
        )
    rating = _RATINGS.get(kind, _FEELING)
    soon = "" if _WHEN.search(aim.action or "") else " in the next 12 months"
    text = rating.text.format(about=about, action=aim.action, soon=soon)
    return _rated(rating.key, text, rating.low, rating.high, rating.low_label, rating.high_label)


def _in_the_way(kind: str, aim: Aim, about: str) -> Question:
    if kind == "change":
        return _open("barriers", f"What, if anything, would keep you from {aim.doing}?")
    if kind == "stopping":
        return _open("triggers", f"What, if anything, would make you {aim.action}?")
    if kind == "doing":
        return _open("barriers", f"What, if anything, gets in your way when you {aim.action}?")
    if kind == "price":
        return _open("barriers", f"What, if anything, would keep you from buying {about}?")
    if kind == "concept":
        return _open("barriers", f"What, if anything, would keep you from trying {about}?")
    if kind in ("leaving", "satisfaction", "usage"):
        return _open("barriers", f"What, if anything, would you change about {about}?")
    return _open("concerns", f"What concerns, if any, do you have about {about}?")


def _reasons(kind: str, aim: Aim, subject: str) -> Question:
    if kind == "change":
        return _open("reasons", f"What are the main reasons for and against {subject}, in your view?")
    if kind == "stopping" and aim.action is not None:
        kept = aim.action.removeprefix("stop ")
        return _open("reasons", f"What are the main reasons for and against {kept}, in your view?")
    if kind == "doing":
        return _open("reasons", f"What matters most to you when you {aim.action}, and why?")
    return _open("reasons", f"What matters most to you about {subject}, and why?")


def _importance(subject: str) -> Question:
    text = f"How much importance, if any, do you attach to {subject}?"
    return _rated("importance", text, 0, 10, "none at all", "a great deal")


def _elsewhere(kind: str, subject: str) -> Question:
    if kind in ("price", "concept", "leaving", "usage"):
        return _open("alternatives", f"What do you use or do today instead of {subject}?")
    return _open("sources", f"Where do you mostly hear or read about {subject}?")


def _about_life() -> Iterator[_Item]:
    """Return the questions for an objective without a subject."""
    yield _Item(
        3, read_question("How often do you try products or services that are new to you?", key="how_often")
    )
    text = "Overall, how satisfied or dissatisfied are you with your life these days?"
    yield _Item(0, _rated("satisfaction", text, 1, 5, "very dissatisfied", "very satisfied"))
    yield _Item(1, _open("barriers", "What, if anything, gets in the way of what you want to do?"))
    yield _Item(2, _open("reasons", "What matters most to you in your daily life, and why?"))
    text = "How much importance, if any, do you attach to the price when you buy something?"
    yield _Item(6, _rated("importance", text, 0, 10, "none at all", "a great deal"))
    yield _Item(7, _open("sources", "Where do you mostly get advice before you decide something?"))
    yield _Item(5, _open("anything_else", "Is there anything else that you would like to tell us?"))


def _open(key: str, text: str) -> Question:
    return read_question(text, type="open", key=key)


def _rated(key: str, text: str, low: int, high: int, low_label: str, high_label: str) -> Question:
    return read_question(text, scale=Scale(low, high, low_label, high_label), key=key)


def _money_of(audience: Filter | None) -> str:
    asked = None if audience is None else dict(audience.conditions).get("country")
    countries = asked.values if isinstance(asked, AnyOf) else ()
    return _MONEY.get(str(countries[0]), "dollars") if len(countries) == 1 else "dollars"
