"""Reading of profile values from data of one's own: text, numbers and lists as they stand in tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from voxpop.vocabulary.row import Field
from voxpop.vocabulary.values import canonical, fold, is_known, suggestions

YOUNGEST, OLDEST = 18, 110
"""Ages of agents."""

_YES = frozenset(("yes", "y", "true", "t", "1", "1.0"))
_NO = frozenset(("no", "n", "false", "f", "0", "0.0"))
_NUMBER = re.compile(r"[$€£]?\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s*(?:years?|yrs?)?")
_MONEY = re.compile(r"\d[\d,]*")
_LONGEST = 200


class Unfit(ValueError):
    """A value that does not fit its field; the message says what is allowed."""


def fitted(field: Field, value: Any) -> Any:
    """Return a value as an agent record holds it.

    Parameters
    ----------
    field : Field
    value : object
        A value that is not missing: text, number, boolean, or a list; lists may be text with ``;``, ``|`` or
        commas.

    Raises
    ------
    Unfit
        The value does not fit; the message has the nearest ones.

    Examples
    --------
    >>> from voxpop.vocabulary.fields import field
    >>> fitted(field("gender"), "Female"), fitted(field("age"), "41"), fitted(field("veteran"), "no")
    ('female', 41, False)
    >>> fitted(field("household_income"), 52_000), fitted(field("state"), "texas")
    ('$50,000-$74,999', 'TX')
    >>> fitted(field("gender"), "femal")
    Traceback (most recent call last):
    voxpop.vocabulary.profile_values.Unfit: no value of gender; did you mean female?
    """
    if field.kind == "boolean":
        return _boolean(value)
    if field.kind == "range":
        return _number(field, value)
    if field.kind == "list":
        return _list(field, value)
    return _level(field, value)


def _boolean(value: Any) -> bool:
    word = fold(str(value))
    if word in _YES or word in _NO:
        return word in _YES
    raise Unfit("must be yes or no")


def _number(field: Field, value: Any) -> int | float:
    found = _as_number(value)
    if found is None:
        raise Unfit("must be a number")
    if field.name == "age" and not YOUNGEST <= found <= OLDEST:
        raise Unfit(f"must be {YOUNGEST} to {OLDEST}")
    if found < 0 or found > 1e6:
        raise Unfit("must be 0 to 1,000,000")
    if field.integer:
        return math.floor(found)
    return round(found, field.decimals or 1)


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    read = _NUMBER.fullmatch(str(value).strip())
    return None if read is None else float(read[1].replace(",", ""))


def _list(field: Field, value: Any) -> list[str]:
    given: Iterable[Any] = re.split(r"[;|,]", value) if isinstance(value, str) else value
    if not isinstance(given, Iterable):
        raise Unfit("must be a list")
    words = [str(one).strip() for one in given if str(one).strip()]
    if [fold(word) for word in words] in (["none"], ["no"]):
        return []
    found = {_level(field, word) for word in words}
    return sorted(found, key=field.levels.index)


def _level(field: Field, value: Any) -> str:
    text = str(value).strip()
    if isinstance(value, float) and value.is_integer():
        text = str(int(value))
    name = canonical(field, text)
    if is_known(field, name) and name not in field.sums:
        return name
    if not field.levels and not field.known:
        if not text or len(text) > _LONGEST:
            raise Unfit(f"must be text of 1 to {_LONGEST} characters")
        return text
    if (band := _band(field, value)) is not None:
        return band
    near = [one for one in suggestions(field, text) if one not in field.sums]
    raise Unfit(_told(field, near))


def _band(field: Field, value: Any) -> str | None:
    """Return the level of an amount, if the levels are ranges of amounts."""
    amount = _as_number(value)
    starts = [_start(level) for level in field.levels]
    if amount is None or amount < 0 or any(start is None for start in starts) or len(starts) < 3:
        return None
    below = [level for level, start in zip(field.levels, starts, strict=True) if (start or 0) <= amount]
    return below[-1] if below else None


def _start(level: str) -> float | None:
    """Return the lowest amount of a level such as ``$15,000-$24,999``."""
    if "$" not in level:
        return None
    if level.casefold().startswith(("under", "less")):
        return 0.0
    found = _MONEY.search(level)
    return None if found is None else float(found[0].replace(",", ""))


def _told(field: Field, near: list[str]) -> str:
    if near:
        first = f"{', '.join(near[:-1])} or {near[-1]}" if len(near) > 1 else near[0]
        return f"no value of {field.name}; did you mean {first}?"
    levels = field.levels or field.known
    return f"no value of {field.name}; it has {', '.join(levels[:12])}{', …' if len(levels) > 12 else ''}"
