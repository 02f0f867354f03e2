"""Classes of things without a topic: a drink, a gadget, a place, an idea, by the words of their names."""

from __future__ import annotations

import re
from functools import cache

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import rows_of

UNKNOWN, IDEA, MATTER = "assent", "notion", "matter"
"""Topics for an unknown thing, an idea to be decided on, and a matter of life."""
ANYTHING = "anything"
"""Topic of lines that answer any question; the last resort."""
CLASSES: dict[str, str] = {
    "a drink": UNKNOWN,
    "a food": UNKNOWN,
    "a new drink": "a drink",
    "a new food": "a food",
    "a plan": UNKNOWN,
    "an app": UNKNOWN,
    "a gadget": UNKNOWN,
    "a home thing": UNKNOWN,
    "a garment": UNKNOWN,
    "a remedy": UNKNOWN,
    "a place": MATTER,
    "an event": MATTER,
    "an organization": MATTER,
    "a thing": UNKNOWN,
    "an activity": MATTER,
    "an animal": MATTER,
    "a season": MATTER,
    "nature": MATTER,
    "a kind of people": MATTER,
    "a behavior": MATTER,
    "a belief": MATTER,
}
"""Topic of a class of things -> topic whose lines are used if the class has none."""

WARES = ("a drink", "a food", "an app", "a gadget", "a home thing", "a garment", "a remedy", "a plan")
"""Classes of things to buy or use."""

# words anywhere in a name, which take precedence over its last word
_ANYWHERE: tuple[tuple[str, Pattern], ...] = tuple(
    (kind, Pattern(pattern, re.I))
    for kind, pattern in (
        ("a plan", r"subscri\w+|memberships?|monthly|meal kits?|rental|\bservices?$"),
        ("an app", r"\bapps?\b|web ?sites?|platform|software|chatbots?|dashboard"
            r"|browser|extension|plug-?in|prototype|mock-?up|wireframe"
            r"|(?:online|scheduling|planning|management|reporting|ai|digital|budgeting)"
            r" (?:tool|portal|assistant)s?"),
        (IDEA, r"\b(?:laws?|bans?|tax(?:es)?|polic(?:y|ies)|rules?|proposals?|reforms?|universal|curfew"
            r"|minimum wage|regulations?|subsid\w+|mandates?|legali[sz]\w+|ideas?|referendum|work ?week"
            r"|cuts)\b"),
        ("a remedy", r"\b(?:shampoo|conditioner|toothpaste|deodorant|sunscreen|vitamins?|supplements?"
            r"|skin ?care|soap|probiotics?|sleep aid|pain (?:relief|patch)|herbal|cough)\b(?!.* app)"),
        ("a gadget", r"\bself-(?!checkout|care|help|esteem)|\bsmart\b|robot\w*|electric\b|devices?\b|gadgets?"
            r"|machines?\b|trackers?\b|sensors?\b|chargers?\b|drones?\b|heated|cordless|rechargeable"
            r"|automatic|\bwireless"),
    )
)  # fmt: skip
_OBJECTS = ("a gadget", "a home thing", "a garment")
"""Classes of things that everybody has, unless the question says more than their name."""
_NEW = {"a drink": "a new drink", "a food": "a new food"}
"""Classes that need other wording while nobody can have tried the thing."""
_VESSELS = re.compile(
    r"\b(?:lines?|range|series|version|kind|type|sort|brand|packs?|packets?|bags?|pods?|box(?:es)?|bottles?|cans?"
    r"|cartons?|jars?|cups?|bowls?|pouch(?:es)?|tubs?|sticks?|shots?|bites?|cubes?)$",
    re.I,
)
_DOING = re.compile(r"(?:[a-z]{3,}ing|being) \w+", re.I)
_ARTICLE = re.compile(r"^(?:a|an|the|this|that|these|those|my|your|our|new)\s+(?:new\s+)?", re.I)


@cache
def _last() -> dict[str, str]:
    return {word: name for name, words in reversed(rows_of("things")) for word in words.split()}


def _one(word: str) -> str:
    """Return the approximate singular of a noun."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def class_of(name: str) -> str | None:
    """Return the class of a thing by the words of its name, or None.

    Examples
    --------
    >>> class_of("oat milk"), class_of("a self-cleaning birdcage"), class_of("a subscription razor")
    ('a drink', 'a gadget', 'a plan')
    >>> class_of("a ban on plastic bags"), class_of("loneliness")
    ('notion', None)
    """
    bare = _ARTICLE.sub("", name.strip())
    found = next((kind for kind, pattern in _ANYWHERE if pattern.search(bare)), None)
    if found is not None or not bare:
        return found
    outside, _, inside = bare.lower().partition(" of ")
    if inside and _VESSELS.search(outside) and (kind := class_of(inside)):
        return kind
    head = re.split(r"\s(?:of|for|with|that|which|from|in|on|to|made)\s", f"{bare.lower()} ")[0].split()
    last = head[-1] if head else ""
    found = _last().get("-".join(head[-2:])) or _last().get(last) or _last().get(_one(last))
    if len(head) > 1 and _VESSELS.search(last):
        kind = _last().get(head[-2]) or _last().get(_one(head[-2]))
        return kind if kind in _NEW else found
    if found in _OBJECTS and name.strip() == last:
        return "a thing"
    return found or ("a behavior" if _DOING.match(bare) else None)


def new_class(name: str | None) -> str | None:
    """Return the class of a newly introduced thing.

    Examples
    --------
    >>> new_class("a line of frozen soups"), new_class("a tea bag"), new_class("a smart lamp")
    ('a new food', 'a new drink', 'a gadget')
    """
    found = class_of(name) if name else None
    return _NEW.get(found or "", found)
