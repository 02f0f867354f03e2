"""Outlines of answers, computed once per question: sentence frames whose slots are bound to lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from voxpop_simulator.questions.offers import Offer
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.subject_asked import AskedSubject
from voxpop_simulator.questions.subjects import beside_topic
from voxpop_simulator.questions.things import ANYTHING, CLASSES, IDEA, MATTER, UNKNOWN
from voxpop_simulator.questions.topics import content
from voxpop_simulator.speech.grammar import Parts, parse
from voxpop_simulator.speech.offered import reaction_lines
from voxpop_simulator.speech.tales import Lines, lines_of
from voxpop_simulator.speech.texts import sections, topics

_FEW = 12
_RARE_WORD = 0.12  # a word in a larger share of a bank's lines belongs to the topic itself
_MOST_TIMES = 4  # maximum weight of a line that uses a word of the question
SIDES = "+-~"
_SLOT = re.compile(r"\{(\w+)\}")
_LISTS = re.compile(r"<\w+>")  # names of lists are not spoken
_TIMES = re.compile(r"(\d+)\* ")
_BURDENS = {
    "food_prices": -0.8,
    "price": -0.5,
    "price_rise": -0.9,
    "money_worry": -0.4,
    "strain": -0.2,
    "raised": -0.7,
}
_PRICES = ("price", "food_prices", "price_rise", "raised")
_DARK = {
    "politics": -0.4,
    "tobacco": -0.4,
    "telehealth": 0.1,
    "ad": -0.1,
    "advertising": -0.1,
    "banking": 0.1,
}
# topics without reasons of their own -> topic whose reasons fit
_NEAR = {
    "ai": "technology",
    "restaurants": "service",
    "doctor": "health_worry",
    "medicine": "health_worry",
    "clothes": "shoes",
    "flying": "travel",
}
_WIDE = ("a home thing",)  # classes that also use the lines on any new thing
_OWN = Pattern(r"\b(?:I|I'm|I've|I'd|I'll|my|me|we|mine|suits me|myself)\b")
"""Words about oneself, which cannot serve as reasons for others."""
_CLEAR = 0.2  # stances at this distance from the middle are spoken as for or against
_NAMED_TOPICS = (
    *(*CLASSES, UNKNOWN, IDEA, MATTER),
    *("tv", "books", "apps", "music", "games", "brand", "shopping", "service", "packaging", "onboarding"),
)
_APART = ("who", "when", "where", "sources", "instead", "brands")
"""Frames whose answers add nothing on the topic itself."""
_ALIKE = ("reply", "think", "mind", "like", "dislike", "people", "else")
"""Forms whose lines go together within a family, so that one may follow another."""
_DOING = Pattern(
    r"^what (?:do|did) you (?:usually |normally |mostly |like to )?(?:do|eat|drink|watch|read|play|wear)\b"
    r"|^(?:what|which|who)(?:'s| is| are| was)? (?:\w+ )*favou?rite\b",
    re.I,
)
_CHOSEN = Pattern(
    r"^why (?:did|do|have|are) you (?:choose|chosen|buy|bought|use|used|using|like|love|prefer|pick"
    r"|watch|drink|eat|stay|shop|go|trust|recommend|enjoy|want)|^w(?:hy|hat)\b.*\bwould you recommend\b",
    re.I,
)
_TOLD = Pattern(
    r"\b(?P<good>good|great|best|positive|pleasant|wonderful|surpris\w+|exceed\w*|delight\w*|favou?rite)\b"
    r"|\b(?:bad|worst|poor|negative|terrible|frustrat\w+|disappoint\w*|problem|upset|angry|annoy\w*|complain\w*)\b",
    re.I,
)
_GIVING_UP = Pattern(
    r"\b(?:stop|quit|giv(?:e|ing) up|cancel|switch|leav|drop|cut|reduc|avoid|without|get(?:ting)? rid"
    r"|unsubscrib|delet|end)",
    re.I,
)
# subjects that hardly anybody likes, and those that hardly anybody would welcome
_BLEAK = Pattern(
    r"\b(?:loneliness|lonely|war|crime|poverty|pollution|homeless\w*|corruption|racism|violence|spam"
    r"|scams?|debt|inflation|traffic jams?|bullying|addiction|waste|delays?|robocalls?|layoffs?"
    r"|hidden fees|tipping)\b",
    re.I,
)
_UNWELCOME = Pattern(
    r"\b(?:clos(?:e|ed|ing)|bann?(?:ed)?|discontinu\w+|rais(?:e|ed)|cancel\w*|lost|cut|ended|stopped|went up"
    r"|worse|more expensive|remov\w+|shut|gone|requir\w+|forced|lose)\b",
    re.I,
)
_ABOUT = ("would", "think", "why", "wants")
_BY_SIDE = {"t": "+-~", "r": "gbm"}
_KINDS = {"good": "+", "bad": "-", "v": "w", **{kind: kind for kind in "gbckxwpqnu"}}


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot in a frame to be filled from a bank; a capital letter starts a sentence."""

    bank: str
    capital: bool


@dataclass(frozen=True, slots=True)
class Shell:
    """One sentence frame: alternating text parts and slots."""

    parts: tuple[Parts | Slot, ...]
    times: int = 1


@dataclass(frozen=True, slots=True)
class Outline:
    """Outline of the answers to one question; tuples of three are good, bad and mixed."""

    shells: tuple[tuple[Shell, ...], ...]
    more: tuple[tuple[Shell, ...], ...]
    banks: Mapping[str, tuple[Lines, ...]]


def shells_of(lines: tuple[str, ...], subject: str, action: str) -> tuple[Shell, ...]:
    """Return frames; one that starts with ``3*`` is repeated three times."""
    made: list[Shell] = []
    for line in lines:
        many = _TIMES.match(line)
        text = line[many.end() :] if many else line
        text = text.replace("{s}", subject).replace("{do}", action)
        parts: list[Parts | Slot] = []
        for at, part in enumerate(_SLOT.split(text)):
            if at % 2:
                parts.append(Slot(part.lower(), part[0].isupper()))
            elif part:
                parts.append(parse(part))
        times = int(many[1]) if many else 1
        made += [Shell(tuple(parts), times)] * times
    return tuple(made)


@lru_cache(maxsize=512)
def outline_of(found: AskedSubject, offer: Offer | None = None) -> Outline:
    """Return the outline of a question, or of a reaction to an offer."""
    subject, action = found.subject or "", found.action or ""
    apart = found.form in _APART
    frames: tuple[tuple[Shell, ...], ...]
    if offer is not None:
        frames = tuple(
            shells_of(_reactions(found, side, bare=not offer.attributes), subject, action) for side in SIDES
        )
    elif found.name and found.kind and found.topic in _NAMED_TOPICS:
        unknown = tuple(line.replace("{n}", found.name) for line in sections("names")[found.kind])
        frames = (shells_of(unknown, subject, action),) * 3
        apart = True
    else:
        frames = tuple(
            shells_of(_usable(_frame_lines(_frame_of(found), side), found), subject, action) for side in SIDES
        )
    banks = {slot: tuple(_bank(found, kind) for kind in kinds) for slot, kinds in _BY_SIDE.items()}
    for slot, kind in _KINDS.items():
        banks[slot] = (_bank(found, kind),) * 3
    if found.turned and found.form in _ABOUT and _GIVING_UP.search(found.source):
        banks.update(_given_up(found) if found.form == "why" else _giving_up(found))
    for slot in "hdoe":
        banks[slot] = (_bank(found, slot),) * 3 if _speaks(found.topic, slot) else banks["t"]
    if _TOLD.search(found.source):
        banks["e"] = banks["t"]
    elif found.form == "time" and "e" in topics().get(found.topic, {}):
        banks["t"] = banks["e"]
    for slot, heading in (("a", "attitude"), ("y", _talk_of(found)), ("i", "lead"), ("z", "trail")):
        banks[slot] = (_own_lines(heading),) * 3
    more = tuple(shells_of(_more_lines(_more_of(found, apart), side), "", "") for side in SIDES)
    return Outline(frames, more, banks)


def _reactions(found: AskedSubject, side: str, *, bare: bool) -> tuple[str, ...]:
    """Return the frames of a reaction to an offer, or the usual ones if none has its name."""
    return reaction_lines(found.form, side, bare=bare) or _usable(_frame_lines(found.form, side), found)


def _frame_of(found: AskedSubject) -> str:
    """Return the frames of an answer; a bank with its own follow-ups starts with one of its lines."""
    followed = found.form == "reply" and f"{found.topic} another ~" in sections("frames")
    return "followed" if followed else found.form


def _more_of(found: AskedSubject, apart: bool) -> str:
    """Return the frames that follow an answer: those of its topic, of a family, or of its form."""
    known = sections("frames")
    if apart:
        return "apart"
    nearer = (found.topic, *(found.families if found.form in _ALIKE else ()))
    return next((name for name in nearer if f"{name} another ~" in known), found.form)


def _talk_of(found: AskedSubject) -> str:
    """Return the heading of closing words: that of a family of the question if it has its own."""
    known = sections("self")
    return next((own for family in found.families if (own := f"talk {family}") in known), "talk")


def _speaks(topic: str, kind: str) -> bool:
    """Return whether a topic has lines of a kind, or may use the generic ones."""
    return topic in (*CLASSES, UNKNOWN, IDEA, MATTER) or kind in topics().get(topic, {})


def _given_up(found: AskedSubject) -> dict[str, tuple[Lines, ...]]:
    """Return the banks for a question on why something was given up: arguments against it."""
    against = {"r": "b", "g": "b", "p": "q", "t": "-"}
    return {slot: (_bank(found, kind),) * 3 for slot, kind in against.items()}


def _giving_up(found: AskedSubject) -> dict[str, tuple[Lines, ...]]:
    """Return the banks for a question about giving something up."""
    moving = sections("frames")
    going, staying = lines_of(moving["going"]), lines_of(moving["staying"])
    bodily = "food" in found.families or "body" in found.families
    leaving = tuple(line for line in moving["leaving"] if bodily or "doctor" not in line)
    return {
        "r": (going, staying, staying),
        "g": (going,) * 3,
        "b": (staying,) * 3,
        "c": (lines_of(leaving),) * 3,
        "t": (lines_of(()),) * 3,
    }


def _usable(lines: tuple[str, ...], found: AskedSubject) -> tuple[str, ...]:
    """Return the frames whose subject and action a question has, once per alternative."""
    return tuple(
        line.replace("{z}", other)
        for line in lines
        if (found.subject or "{s}" not in line) and (found.action or "{do}" not in line)
        for other in (found.others if "{z}" in line else ("",))
    )


@cache
def _frame_lines(frame: str, side: str) -> tuple[str, ...]:
    """Return the frames of a kind of question; ``@name`` includes another section."""
    known = sections("frames")
    lines = known.get(f"{frame} {side}") or known.get(f"{frame} ~") or known[f"think {side}"]
    made: list[str] = []
    for line in lines:
        made += _frame_lines(line[1:], side) if line.startswith("@") else [line]
    return tuple(made)


def _more_lines(frame: str, side: str) -> tuple[str, ...]:
    known = sections("frames")
    own = f"{frame} another"
    return known.get(f"{own} {side}") or known.get(f"{own} ~") or known[f"another {side}"]


@lru_cache(maxsize=64)
def lacking_shells(what: str) -> tuple[Shell, ...]:
    """Return the words of an agent asked about something it does not have: kids, a dog, a cigarette."""
    return shells_of(sections("frames")[f"lacking {what}"], "", "")


def lacking_outline(outline: Outline) -> Outline:
    """Return an outline whose later sentences fit an agent that does not have the subject."""
    words = {"y": (_own_lines("talk lacking"),) * 3}
    return replace(outline, more=(lacking_shells("more"),) * 3, banks={**outline.banks, **words})


@cache
def _own_lines(heading: str) -> Lines:
    return lines_of(sections("self")[heading])


def _bank(found: AskedSubject, kind: str) -> Lines:
    known = topics()
    told = known.get(found.topic) or known[UNKNOWN]
    general = CLASSES.get(found.topic, UNKNOWN)
    lines = told.get(kind, ())
    if kind in SIDES:
        if found.topic in _WIDE:
            lines += known[general].get(kind, ())
        lines = lines or tuple(line for side in SIDES for line in told.get(side, ()))
    elif not lines and kind in "gbm":
        lines = known[_NEAR.get(found.topic, general)].get(kind, ())
    elif not lines:
        lines = known[general].get(kind, ()) or known[ANYTHING].get(kind, ())
    if found.form == "people":
        lines = tuple(line for line in lines if not _OWN.search(line)) or lines
    it, that = "they" if found.plural else "it", found.subject or "that"
    texts = tuple(text.replace("{it}", it).replace("{s}", that) for text in lines)
    if found.form == "reply" or len(texts) <= _FEW:
        return _compiled(texts)
    return _favouring(texts, beside_topic(found.source, found.topic))


@lru_cache(maxsize=2048)
def _compiled(texts: tuple[str, ...]) -> Lines:
    return lines_of(texts)


@lru_cache(maxsize=512)
def _favouring(texts: tuple[str, ...], words: frozenset[str]) -> Lines:
    """Return lines weighted so that half of the draws share rare words with the question."""
    used = [content(_LISTS.sub(" ", text)) & words for text in texts]
    count = Counter(word for each in used for word in each)
    telling = {word for word, times in count.items() if times <= _RARE_WORD * len(texts)}
    made = [lines_of((text,)).lines for text in texts]
    every = [line for lines in made for line in lines]
    near = [line for lines, each in zip(made, used, strict=True) if each & telling for line in lines]
    if not near:
        return Lines(every)
    share = sum(line.times for line in near)
    many = min(max(sum(line.times for line in every) // share - 1, 0), _MOST_TIMES)
    return Lines([*every, *(replace(line, times=line.times * many) for line in near)] if many else every)


@lru_cache(maxsize=2048)
def _given(source: str, frame: str) -> tuple[int | None, bool]:
    """Return the side that a question asks for, and whether its subject is disliked by almost everybody."""
    bleak = bool(_BLEAK.search(source) or (frame == "reaction" and _UNWELCOME.search(source)))
    if _DOING.search(source) or (frame == "why" and _CHOSEN.search(source)):
        return 0, bleak
    told = _TOLD.search(source) if frame == "time" else None
    return (None if told is None else 0 if told["good"] else 1), bleak


def side_shown(found: AskedSubject, stance: float, axis: str) -> int:
    """Return 0, 1 or 2 for arguments for a coded answer that implies this stance: good, bad or mixed."""
    against = (axis == "worry") is not (found.turned and not _GIVING_UP.search(found.source))
    return _side(-stance if against else stance)


def side_of(
    found: AskedSubject, stance: float, axis: str, topics: tuple[tuple[str, float], ...], glad: bool
) -> int:
    """Return 0 for an answer in favour of the subject, 1 for one against it, 2 for a mixed one."""
    side, bleak = _given(found.source, found.form)
    if side is not None:
        return side
    attitude = -stance if axis == "worry" and found.form != "would" else stance
    if found.topic in _BURDENS and found.form not in ("would", "why"):
        weight = dict(topics).get("price" if found.topic in _PRICES else found.topic, 0.0)
        if weight > 0 and axis != "worry" and (found.topic in _PRICES or not glad):
            attitude = -attitude
        attitude += _BURDENS[found.topic]
    elif found.form != "would":
        attitude += _DARK.get(found.topic, 0.0)
    if bleak:
        attitude -= 1.0
    if found.turned and found.form not in _ABOUT:
        attitude = -attitude
    return _side(attitude)


def _side(attitude: float) -> int:
    return 0 if attitude > _CLEAR else 1 if attitude < -_CLEAR else 2
