"""Which answers of an item each answer of a question stands for, or none if that is not certain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORY, INTEGER
from voxpop_simulator.library.items import Item
from voxpop_simulator.library.levels import CLAIM, Level, denied, heads, level, levels, unsure, words_of
from voxpop_simulator.library.wording import plain

Places = tuple[tuple[int, ...], ...]
"""For each answer of a question the places of the item's answers that it counts."""

_YES, _NO = "yes", "no"
_CLOSE = 0.5
_FEWEST_IN_ORDER = 3


def mapped(question: Question, item: Item, turned: bool) -> tuple[Places, bool] | None:
    """Return the places of the item's answers for each answer of a question, and whether all are its own.

    Parameters
    ----------
    question : Question
        A question of type yes or no, single choice, or scale.
    item : Item
        The item.
    turned : bool
        Whether the question says the opposite of the item.
    """
    if question.shape is BOOLEAN:
        found = _asserted(question.text, item, turned)
        return None if found is None else (found, all(len(at) == 1 for at in found))
    if question.shape is INTEGER:
        return _points(question, item, turned)
    if question.shape is not CATEGORY:
        return None
    options = question.options
    asked = [option for option in options if not unsure(option)]
    plain_yes_no = [" ".join(words_of(option)) for option in asked]
    if sorted(plain_yes_no) == [_NO, _YES] and len(item.options) - len(item.aside) > 2:
        found = _asserted(question.text, item, turned)
        if found is None:
            return None
        by_word = dict(zip((_YES, _NO), found, strict=True))
        return tuple(() if unsure(one) else by_word[" ".join(words_of(one))] for one in options), False
    told = _tell(asked)
    if told and not _tell(item.options):
        return None  # "Legal" may be the yes or the no of an item
    same = same_answers(asked, item, turned and not told)
    if same is not None:
        return _spread(options, same), len(asked) == len(item.options)
    collapsed = None if told and turned else _collapsed(asked, item, turned)
    if collapsed is not None:
        return _spread(options, collapsed), False
    ordered = None if turned else _in_item_order(asked, item)
    return None if ordered is None else (_spread(options, ordered), True)


_BARE = frozenset(
    (
        *("yes", "no", "agree", "disagree", "favor", "oppose", "support", "approve", "disapprove", "true"),
        *("false", "for", "against", "not", "neither", "nor", "neutral", "strongly", "somewhat", "probably"),
        *("definitely", "mostly", "fully", "slightly", "completely", "very", "much", "at", "all", "or"),
    )
)
"""Words of answers that say whether a claim holds, and not what is claimed."""


def _tell(options: Sequence[str]) -> bool:
    """Return whether options of a claim name what they are for, whichever way the question is put."""
    placed = levels(list(options))
    if placed is None or all(one.axis != CLAIM for one in placed):
        return False
    return any(not set(words_of(option)) <= _BARE for option in options if not unsure(option))


def _spread(options: Sequence[str], asked: Sequence[tuple[int, ...]]) -> Places:
    """Return the places with none for the options of those without an answer."""
    left = iter(asked)
    return tuple(() if unsure(option) else next(left) for option in options)


def same_answers(asked: Sequence[str], item: Item, turned: bool) -> list[tuple[int, ...]] | None:
    """Return the item's answer with the words of each option, if every answer that was read out has one."""
    taken: dict[int, int] = {}
    for place, option in enumerate(asked):
        scores = [_likeness(option, other) for other in item.options]
        best = max(scores)
        if best < _CLOSE or scores.count(best) > 1 or scores.index(best) in taken:
            return None
        taken[scores.index(best)] = place
    if set(range(len(item.options))) - item.aside - set(taken):
        return None
    at = {place: other for other, place in taken.items()}
    found = [at[place] for place in range(len(asked))]
    if turned:
        placed = levels([item.options[one] for one in found])
        if placed is None or placed[0].axis != CLAIM:
            return None
        opposite = _opposite(placed)
        return None if opposite is None else [(found[one],) for one in opposite]
    return [(one,) for one in found]


def _opposite(placed: Sequence[Level]) -> list[int] | None:
    """Return for each level the place of its opposite, or None on a scale that is not symmetric."""
    order = _in_order(placed)
    sides = [placed[one].side for one in order]
    if sides != [-side for side in reversed(sides)]:
        return None
    back = dict(zip(order, reversed(order), strict=True))
    return [back[place] for place in range(len(placed))]


def _in_order(placed: Sequence[Level]) -> list[int]:
    return sorted(range(len(placed)), key=lambda at: placed[at].side * placed[at].strength)


def _likeness(option: str, other: str) -> float:
    if plain(option) == plain(other):
        return 2.0
    one, two = ({_plainly(word) for word in words_of(each)} for each in (option, other))
    if not one or not two:
        return 0.0
    if denied(option) != denied(other):
        return 0.0
    here, there = level(option), level(other)
    if here is not None and there is not None and here.side != there.side:
        return 0.0
    extra = {word for word in one ^ two if word in _STRONG}
    if extra and one - two and two - one:
        return 0.0
    both = len(one & two)
    return both / len(one | two) if both < min(len(one), len(two)) else 0.5 + 0.5 * both / len(one | two)


def _plainly(word: str) -> str:
    """Return a word of degree as an adjective."""
    return word.removesuffix("ly") if word in ("strongly", "fully", "mostly") else word


_NOBODY = frozenset(("no one", "nobody", "none"))
_STRONG = frozenset(
    (
        *("very", "extremely", "completely", "somewhat", "fairly", "slightly", "moderately", "strong"),
        *("definitely", "probably", "always", "almost", "often", "sometimes", "rarely", "never"),
        *("less", "than", "once", "twice", "several", "few"),
    )
)


def _collapsed(asked: Sequence[str], item: Item, turned: bool) -> list[tuple[int, ...]] | None:
    """Return the item's answers on the side of each option, or in the same order if there are as many."""
    ours, theirs = levels(asked), _read_out(item)
    if ours is None or theirs is None:
        return None
    axes = {next(one.axis for one in placed if one.axis) for placed in (ours, list(theirs.values()))}
    if len(axes) > 1:
        return None
    if turned and axes != {CLAIM}:
        return None
    found: list[tuple[int, ...]] = [()] * len(asked)
    for side in (1, 0, -1):
        mine = sorted(
            (at for at, one in enumerate(ours) if one.side == side), key=lambda at: ours[at].strength
        )
        other = -side if turned else side
        held = sorted(
            (at for at, one in theirs.items() if one.side == other), key=lambda at: theirs[at].strength
        )
        if len(mine) == len(held):
            for at, place in zip(mine, held, strict=True):
                found[at] = (place,)
        elif len(mine) == 1 and held:
            found[mine[0]] = tuple(sorted(held))
        else:
            return None
    return found


def _read_out(item: Item) -> dict[int, Level] | None:
    """Return the places of the answers that were read out on the item's scale, or None if it is none."""
    places = [at for at in range(len(item.options)) if at not in item.aside]
    placed = levels([item.options[at] for at in places])
    return None if placed is None else dict(zip(places, placed, strict=True))


def _in_item_order(asked: Sequence[str], item: Item) -> list[tuple[int, ...]] | None:
    """Return the item's answers in order, if there are as many, with the same ends, and no side differs."""
    places = [at for at in range(len(item.options)) if at not in item.aside]
    if len(asked) != len(places) or len(asked) < _FEWEST_IN_ORDER:
        return None
    up = _ends_agree(asked[0], asked[-1], item.options[places[0]], item.options[places[-1]])
    down = _ends_agree(asked[-1], asked[0], item.options[places[0]], item.options[places[-1]])
    if up == down:
        return None
    found = places if up else places[::-1]
    pairs = [(level(option), level(item.options[at])) for option, at in zip(asked, found, strict=True)]
    sided = all(ours is None or theirs is None or ours.side == theirs.side for ours, theirs in pairs)
    return [(at,) for at in found] if sided else None


def _ends_agree(low: str, high: str, first: str, last: str) -> bool:
    return _likeness(low, first) >= _CLOSE and _likeness(high, last) >= _CLOSE


def _points(question: Question, item: Item, turned: bool) -> tuple[Places, bool] | None:
    """Return one answer of an ordered item for each point of a scale of the same length."""
    scale = question.scale
    places = [at for at in range(len(item.options)) if at not in item.aside]
    if scale is None or scale.points != len(places) or not scale.min_label or not scale.max_label:
        return None
    ends = (item.options[places[0]], item.options[places[-1]])
    up = _ends_agree(scale.min_label, scale.max_label, *ends)
    down = _ends_agree(scale.max_label, scale.min_label, *ends)
    if up == down:
        return None
    if turned:
        placed = _read_out(item)
        if placed is None or next(iter(placed.values())).axis != CLAIM:
            return None
        up = not up
    ordered = places if up else places[::-1]
    return tuple((at,) for at in ordered), True


def _asserted(text: str, item: Item, turned: bool) -> Places | None:
    """Return the item's answers that say yes and no to a question."""
    placed = _read_out(item)
    told = plain(text)
    if told.startswith(("how ", "what ", "which ", "who ")):
        return None
    if placed is not None and next(one.axis for one in placed.values() if one.axis) == CLAIM:
        yes = tuple(at for at, one in placed.items() if one.side == (-1 if turned else 1))
    elif turned:
        return None
    else:
        yes = _quoted(told, item, placed)
    left_out = item.aside | item.undecided
    yes = tuple(at for at in yes if at not in item.undecided)
    no = tuple(at for at in range(len(item.options)) if at not in left_out and at not in yes)
    return (yes, no) if yes and no else None


def _as_much(option: str, phrase: str) -> bool:
    """Return whether an answer says a phrase, or says it more strongly."""
    words = set(words_of(option))
    more = words - set(phrase.split())
    return words >= set(phrase.split()) and denied(option) == denied(phrase) and "almost" not in more


def _quoted(told: str, item: Item, placed: dict[int, Level] | None) -> tuple[int, ...]:
    """Return the item's answers whose words a question has, or that are on the side that it names."""
    said = set(re.findall(r"[a-z0-9]+", told.replace("'", "")))
    places = [at for at in range(len(item.options)) if at not in item.aside]
    named = {word: heads()[word] for word in said if word in heads()}
    phrases = [
        phrase
        for phrase in (" ".join(words_of(item.options[at])) for at in places)
        if re.search(rf"\b{re.escape(phrase)}\b", told) and (" " in phrase or phrase in ("always", "never"))
    ]
    if phrases:
        longest = max(phrases, key=len)
        chosen = [at for at in places if _as_much(item.options[at], longest)]
        at_an_end = chosen in (places[: len(chosen)], places[-len(chosen) :])
        return tuple(chosen) if at_an_end else ()
    nobody = [at for at in places if plain(item.options[at]) in _NOBODY]
    if len(nobody) == 1 and len(places) > 2:
        return tuple(at for at in places if at not in nobody)
    if placed is None:
        return ()
    axis = next(one.axis for one in placed.values() if one.axis)
    sides = {sign for head, sign in named.values() if head == axis}
    degrees = said & (_STRONG | {"too"}) - {"than", "once", "less"}
    if axis in ("much", "more", "high") or len(sides) != 1 or degrees:
        return ()
    return tuple(at for at, one in placed.items() if one.side in sides)
