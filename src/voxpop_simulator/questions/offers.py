"""Offers: what a described product is called, what kind of thing it is, what it has, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from voxpop_simulator.questions.brands import brands_in
from voxpop_simulator.questions.context import thing_described
from voxpop_simulator.questions.follow_ups import offer_in
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import in_first_person, is_plural, unknown_name
from voxpop_simulator.questions.things import UNKNOWN, WARES, new_class
from voxpop_simulator.questions.units import PRICE

_NAMED = Pattern(
    r"(?:^|[.:] )(?!(?:Here|This|That|There|It|They|We|Our|The|An?|Imagine|Picture|Suppose|What)\b)"
    r"([A-Z][\w'-]*(?: (?:&|[A-Z][\w'-]*))*)(?= (?:is|are) an? )"
)
_WITH = re.compile(r"\s(?:with|without|made|that|which|for)\b.*$")
_NEW_THING = Pattern(r"^(?:an?|its|their) new\b", re.I)
_YET = Pattern(
    r"\b(?:imagine|suppose|picture|concept|idea|new|launch\w*|introduc\w*|develop\w*|plan\w*)\b", re.I
)
"""Words for what is not on sale yet."""
_COSTS = Pattern(
    r",?(?: and| which| that| it)*(?: (?:is|are|be|sold|priced|available|costs?|costing|goes|comes?|sells|for"
    r"|at|in|just|only|about|around|a|an|the|pint|box|pack|bottle|can|bag|jar|price|of|from|per))*\s$",
    re.I,
)
"""Words before a price that belong to it."""
_PER = Pattern(r"^ (?:an?|per|each|every) \w+\b")
_LISTED = Pattern(
    r"\b(?:with|containing|featuring|including|includes?|has|have|without)\s+(?P<list>[^.;:?!]+)", re.I
)
_MADE = Pattern(
    r"\b(?P<made>(?:hand|home)?made|baked|brewed|grown|built|filled|infused|sweetened|packed|knitted|woven)"
    r" (?P<of>(?:from|of|with|in|by|without) [^.;:,?!]+)",
    re.I,
)
_DOES = Pattern(
    r"\b(?:(?:that|which)(?= \w+s\b)|(?<=[.;] )(?:it|they)|(?<=^)(?:it|they)) (?P<does>[a-z]\w* [^.;:,?!]+)",
    re.I,
)
_NEXT_CLAUSE = Pattern(
    r",? (?:and )?(?:sold|priced|available|made|that|which|it|costs?|costing|designed|delivered|called|comes"
    r"|for (?=people|those|adults|\$))\b.*$",
    re.I,
)
_ITEMS = re.compile(r",\s*(?:and\s+|or\s+)?|\s+and\s+|\s+&\s+|\s+plus\s+")
_BARE = Pattern(r"^(?:no|zero|less|more|fewer|only|half|all|up to|\d)", re.I)
_DEGREE = Pattern(r"^(?:no|zero|less|more|fewer|half)\b|^[\d.]+ ?(?:%|percent) (?:less|more|fewer)\b", re.I)
_ARTICLE = Pattern(r"^(?:an?|the|its|their|some|added)\s+", re.I)
_NO_POINT = Pattern(r"^(?:sold|comes|costs?|priced|available|called|named|is called|is sold)\b", re.I)
_LONGEST, _MOST = 9, 6
_NEW_WARES = ("a new drink", "a new food")


@dataclass(frozen=True, slots=True)
class Offer:
    """A described product or service.

    Attributes
    ----------
    name : str
        Its name, or an empty string.
    thing : str
        Words for what it is, without an article.
    kind : str
        Class of the thing, such as ``a new food``; ``assent`` if unknown.
    attributes : tuple of str
        What the description says that it has or does: noun phrases, and clauses that begin with "that it".
    price : str
        Its price as described, or an empty string.
    """

    name: str
    thing: str
    kind: str
    attributes: tuple[str, ...]
    price: str

    @property
    def called(self) -> str:
        """Its name, or the thing with "the"."""
        return self.name or f"the {self.thing}"


@lru_cache(maxsize=1024)
def offer_read(text: str) -> Offer | None:
    """Return the offer that is described before a question, or None.

    Examples
    --------
    >>> text = "Imagine Velvet Oat, a new oat milk ice cream with sea salt and no dairy, sold for $6.99."
    >>> offer = offer_read(f"{text} What do you think of it?")
    >>> offer.name, offer.thing, offer.kind
    ('Velvet Oat', 'oat milk ice cream', 'a new food')
    >>> offer.attributes, offer.price
    (('the sea salt', 'that there is no dairy in it'), '$6.99')
    >>> offer_read("Do you like ice cream?") is None
    True
    """
    told = offer_in(text)
    described = thing_described(told) if told else None
    if not described:
        return None
    thing = _WITH.sub("", re.sub(r"^(?:an?|its|their) (?:new )?", "", described, flags=re.I))
    kind = new_class(thing) or UNKNOWN
    if kind not in (*WARES, *_NEW_WARES, "a behavior", "a thing", UNKNOWN):
        return None
    brands = brands_in(told)
    named = _NAMED.search(told)
    name = brands[0].name if len(brands) == 1 else named[1] if named else unknown_name(told) or ""
    price = PRICE.search(told)
    sold = kind in (*WARES, *_NEW_WARES)
    if not (sold or price or _NEW_THING.match(described)):
        return None
    after = told[max(told.lower().find(thing.lower()), 0) + len(thing) :]
    return Offer(
        name,
        thing,
        kind if sold else UNKNOWN,
        _attributes(_unpriced(after)),
        price[0].strip() if price else "",
    )


def is_new(name: str, earlier: Iterable[str]) -> bool:
    """Return whether an earlier question describes something of this name as new, so that nobody has it yet.

    Examples
    --------
    >>> told = "Imagine Velvet Oat, a new oat milk ice cream. Would you buy it?"
    >>> is_new("Velvet Oat", [told]), is_new("Oatly", ["Imagine Oatly launches a new ice cream. Good idea?"])
    (True, False)
    """
    if not name or brands_in(name):
        return False
    offers = ((offer_read(text), offer_in(text)) for text in earlier)
    return any(offer is not None and offer.name == name and _YET.search(told) for offer, told in offers)


def _unpriced(text: str) -> str:
    """Return a description without its prices and the words that introduce them."""
    while (found := PRICE.search(text)) is not None:
        before = _COSTS.sub("", text[: found.start()].rstrip() + " ")
        text = before + _PER.sub("", text[found.end() :])
    return text


def _attributes(text: str) -> tuple[str, ...]:
    made = [f"that it's {found['made'].lower()} {found['of'].strip()}" for found in _MADE.finditer(text)]
    bare = _MADE.sub(" ", text)
    does = []
    for found in _DOES.finditer(bare):
        said = _LISTED.sub("", found["does"]).strip() or found["does"]
        if not _NO_POINT.match(said) and not _LISTED.match(said):
            does.append(f"that it {in_first_person(said)}")
    listed: list[str] = []
    for found in _LISTED.finditer(bare):
        lacking = found[0].lower().startswith("without")
        items = _ITEMS.split(_NEXT_CLAUSE.sub("", found["list"]))
        listed += [_phrase(item.strip(), lacking) for item in items if item.strip()]
    points = [each for each in (*listed, *made, *does) if len(each.split()) <= _LONGEST + 2]
    return tuple(dict.fromkeys(points))[:_MOST]


def _phrase(item: str, lacking: bool) -> str:
    """Return an item of a list as a noun phrase."""
    bare = _ARTICLE.sub("", item)
    if lacking:
        item = item if item.lower().startswith("no ") else f"no {item.removeprefix('any ')}"
    if _DEGREE.search(item):
        return f"that there {'are' if is_plural(item) else 'is'} {item} in it"
    return item if _BARE.match(item) else f"the {in_first_person(bare)}"
