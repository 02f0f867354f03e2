"""The search for a question of a user's own survey, by the rules of the library of human answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voxpop.engines.human_survey import CATEGORY, NUMBER, Asked
from voxpop.engines.matcher import Find, Matched
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import CATEGORIES, INTEGER
from voxpop.vocabulary.shapes import NUMBER as AMOUNT
from voxpop_simulator.library.items import EVERYBODY, Item
from voxpop_simulator.library.mapping import Places, mapped, same_answers
from voxpop_simulator.library.matching import Index
from voxpop_simulator.library.wording import plain

_LABELLED_ENDS = 2


def finder(asked: Sequence[Asked]) -> Find:
    """Return a function that finds the survey's question that certainly asks the same as a question.

    Examples
    --------
    >>> own = Asked("q1", "Would you switch to a lower-sugar snack?", CATEGORY, ("Yes", "No"), np.zeros(9))
    >>> find = finder([own])
    >>> find(Question("Do you think you would switch to lower-sugar snacks?", "yes_no")).places
    ((0,), (1,))
    >>> find(Question("Would you switch to a cheaper snack?", "yes_no")) is None
    True
    """
    by_name = {one.name: one for one in asked}
    items = [_item(one) for one in asked]

    def mapping(question: Question, item: Item, turned: bool) -> tuple[Places, bool] | None:
        return _mapped(question, by_name[item.name], item, turned)

    index = Index(items, mapping)

    def find(question: Question) -> Matched | None:
        if question.attachments:
            return None
        said = plain(question.text)
        same = [item for item in items if plain(item.wording) == said]
        if same:
            made = [(item, got) for item in same if (got := mapping(question, item, False)) is not None]
            return Matched(by_name[made[0][0].name], made[0][1][0]) if len(made) == 1 else None
        found = index.find(question)
        return None if found is None else Matched(by_name[found.item.name], found.places)

    return find


def _item(one: Asked) -> Item:
    options = one.options if one.kind != NUMBER else ()
    alike = tuple(1.0 / len(options) for _ in options)
    people = int(one.answered.sum())
    return Item(one.name, one.name, one.wording, one.wording, 0, people, EVERYBODY, options, alike)


def _mapped(question: Question, one: Asked, item: Item, turned: bool) -> tuple[Places, bool] | None:
    if one.kind == CATEGORY:
        return mapped(question, item, turned)
    if turned:
        return None
    if one.kind == NUMBER:
        fits = question.shape is AMOUNT or (question.shape is INTEGER and _is_scale(question, one))
        return ((), True) if fits else None
    if question.shape is not CATEGORIES:
        return None
    same = same_answers(question.options, item, turned=False)
    return None if same is None else (tuple(same), True)


def _is_scale(question: Question, one: Asked) -> bool:
    """Return whether the numbers of a survey are the points of a question's scale, in the same direction."""
    scale, held = question.scale, one.values[~np.isnan(one.values)]
    if scale is None or not held.size or (held.min(), held.max()) != (scale.min, scale.max):
        return False
    ends = (scale.min_label, scale.max_label)
    if len(one.options) != _LABELLED_ENDS or not all(ends):
        return True
    return [plain(str(end)) for end in ends] == [plain(label) for label in one.options]
