"""Reactions to a described offer: what an agent likes and dislikes of it, and the frames that name it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from voxpop.engines.draws import draws, key
from voxpop_simulator.questions.offers import Offer
from voxpop_simulator.questions.subject_asked import AskedSubject, is_plural
from voxpop_simulator.questions.subjects import FAMILIES
from voxpop_simulator.questions.things import UNKNOWN
from voxpop_simulator.speech.texts import sections

REACTIONS = ("think", "like", "dislike", "reaction", "mind", "why")
"""Forms whose answers name the offer that was described before them."""
_POINT = re.compile(r"\{([pqPQ])\}")
_TIMES = re.compile(r"^\d+\* ")
_OF_PAST = re.compile(
    r"/I've never been|/happy with|/, every time|I'm tired of/I can't stand/I've had enough of/|/I dread"
    r"|/I look forward to/I'd miss/I count on"
)
"""Alternatives that presuppose that one has had the thing."""
_LONGEST = 75  # characters of the frames that stand beside a frame with the name


def reaction_to(found: AskedSubject, offer: Offer) -> AskedSubject:
    """Return a question on an offer as one on its kind of thing, called by its name."""
    topic = offer.kind if offer.kind != UNKNOWN else UNKNOWN if found.form == "reply" else found.topic
    return replace(
        found,
        form="think" if found.form in ("reaction", "mind") else found.form,
        topic=topic,
        families=FAMILIES.get(topic, ()),
        subject=offer.called,
        plural=not offer.name and is_plural(offer.thing),
        name=None,
        kind=None,
        turned=False,
    )


def points_of(offer: Offer, uuid: bytes) -> dict[str, tuple[str, ...]]:
    """Return what an agent likes (``p``) and dislikes (``q``) of an offer, the same in every answer.

    No attribute is in both, and nobody likes a price.

    Examples
    --------
    >>> offer = Offer("Zephyr", "ring", "a gadget", ("the sensor", "that there are no buttons in it"), "$99")
    >>> points = points_of(offer, b"agent")
    >>> len(points["p"]), len(points["q"]), set(points["p"]) & set(points["q"])
    (1, 2, set())
    """
    block = draws(key("attributes", offer.called, *offer.attributes), uuid)
    order = sorted(range(len(offer.attributes)), key=lambda at: block[at])
    told = [offer.attributes[at] for at in order]
    half = (len(told) + 1) // 2
    priced = [f"the price of {offer.price}"] if offer.price else []
    return {"p": tuple(told[:half]), "q": (*told[half:], *priced)}


def naming(point: str, offer: Offer) -> str:
    """Return a point of an offer with the name of the offer.

    Examples
    --------
    >>> offer = Offer("Zephyr", "ring", "a gadget", (), "$99")
    >>> naming("the sensor", offer), naming("that it's made of wood", offer)
    ('the sensor in Zephyr', 'that Zephyr is made of wood')
    >>> naming("the price of $99", offer)
    'the price of Zephyr'
    """
    if offer.price and point == f"the price of {offer.price}":
        return f"the price of {offer.called}"
    if point.endswith(" in it"):
        return f"{point.removesuffix('it')}{offer.called}"
    for said, named in (("that it's ", "is "), ("that it ", "")):
        if point.startswith(said):
            return f"that {offer.called} {named}{point.removeprefix(said)}"
    return f"{point} in {offer.called}"


def named_once(text: str, offer: Offer) -> str:
    """Return an answer that calls an offer by its name once, and in which clauses stand where they may.

    Examples
    --------
    >>> offer = Offer("Zephyr", "ring", "a gadget", (), "")
    >>> named_once("I like Zephyr. The sensor in Zephyr, mostly, and that Zephyr is round.", offer)
    'I like Zephyr. The sensor, mostly, and that it is round.'
    """
    name, text = re.escape(offer.called), text.replace(" without that ", " without the fact that ")
    first = re.search(name, text, re.I)
    if first is None:
        return text
    rest = re.sub(rf" (?:in|of) {name}\b", "", text[first.end() :], flags=re.I)
    return text[: first.end()] + re.sub(rf"(?<=\bthat ){name}\b", "it", rest, flags=re.I)


@lru_cache(maxsize=64)
def reaction_lines(form: str, side: str, *, bare: bool) -> tuple[str, ...]:
    """Return the frames of reactions to an offer, each with its name or with what it has.

    Parameters
    ----------
    form : str
        Form of the question: ``think``, ``like``, ``dislike`` or ``why``.
    side : str
        ``+``, ``-`` or ``~``.
    bare : bool
        Whether the offer has no attributes, so that a frame must have its name.
    """
    own = _pointing(form, side)
    if side == "~":
        both = form in ("think", "why")
        every = (*_pointing("think", side), *_pointing("like", side), *_pointing("dislike", side))
        return () if bare else every if both else own
    named = [_TIMES.sub("", line) for line in _lines("think", side) if "{s}" in line]
    beside = own if form in ("like", "dislike") else _pointing("like" if side == "+" else "dislike", side)
    short = [_TIMES.sub("", line) for line in beside if len(line) <= _LONGEST]
    return (*(() if bare else own), *(f"2* {name} {line}" for name in named for line in short))


def _pointing(form: str, side: str) -> tuple[str, ...]:
    return tuple(line for line in _lines(form, side) if _POINT.search(line))


def _lines(form: str, side: str) -> Sequence[str]:
    known = sections("frames")
    lines = known.get(f"{form} {side}") or known.get(f"{form} ~", ())
    return [_OF_PAST.sub("", line) for line in lines]
