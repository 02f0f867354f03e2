"""Checks of arguments before a call is sent, with helpful messages."""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable
from uuid import UUID

from voxpop.errors import FieldworkWarning, FilterError, UsageError
from voxpop.vocabulary.conditions import AnyOf
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.filters import Filter
from voxpop.vocabulary.parse import parse
from voxpop.vocabulary.unknown import unknown_values
from voxpop.vocabulary.unknown_fields import unknown_in_words
from voxpop.wire.filters import Unknown

Live = Callable[[Sequence[str], Sequence[str]], Mapping[str, Sequence[str]]]
"""Function from countries and fields to the values in use, by field."""

_SAFE_IN_A_PATH = re.compile(r"[A-Za-z0-9._~-]+")


@runtime_checkable
class HasId(Protocol):
    """Anything with an ``id``: a wire model, or a study handle."""

    @property
    def id(self) -> object:
        """The id at the service."""


@runtime_checkable
class HasUuid(Protocol):
    """Anything with a ``uuid``: a wire model, or a study handle."""

    @property
    def uuid(self) -> object:
        """The UUID as text."""


Ref = int | str | HasId
"""A resource, its id or its UUID."""


def one_response(answer: str | None, approve: bool | None) -> None:
    """Require either an answer or a decision.

    Raises
    ------
    UsageError
        Both or neither are given.
    """
    if (answer is None) == (approve is None):
        raise UsageError("respond takes either answer='…' or approve=True or False.")


def with_job_id(told: Any) -> Any:
    """Return the response of a one-call endpoint with its job's id as ``job_id``, as in other responses."""
    job_id = told.get("job", {}).get("id") if isinstance(told, dict) else None
    return told if job_id is None else told | {"job_id": job_id}


def identifier(thing: Ref, what: str) -> str:
    """Return the path segment of a resource: its id, UUID or job id.

    Examples
    --------
    >>> identifier(7, "study"), identifier("job_1", "job")
    ('7', 'job_1')
    """
    value: Any = thing
    if isinstance(thing, HasId) and not isinstance(thing, int | str):
        value = thing.id if thing.id is not None else getattr(thing, "uuid", None)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise UsageError(f"A {what} is given as the {what} itself, its id or its UUID, not {thing!r}.")
    text = str(value).strip()
    if not _SAFE_IN_A_PATH.fullmatch(text):
        raise UsageError(f"{value!r} is not the id or UUID of a {what}.")
    return text


def group_uuid(group: Any, use: str = "A study is created with") -> str:
    """Return the dashed UUID of a group; refuse an integer id, because the service needs the UUID.

    Parameters
    ----------
    group : Group or str
        The group, or its UUID.
    use : str
        Purpose, for the beginning of the message.
    """
    value = group.uuid if isinstance(group, HasUuid) and not isinstance(group, str | UUID) else group
    if isinstance(value, int) or (
        isinstance(value, str) and value.strip().isdigit() and len(value.strip()) < 32
    ):
        raise UsageError(
            f"{use} the group's UUID, and {value!r} is its number: "
            f"pass the group itself, or client.groups.get({value}).uuid."
        )
    try:
        return str(UUID(str(value).strip()))
    except ValueError:
        raise UsageError(
            f"group must be a group or its UUID (as 5f0c4a0e-9d3b-4f6e-8a53-0d7f6f1c2b11), not {group!r}."
        ) from None


def agent_numbers(agent_ids: Any) -> list[int]:
    """Return agent ids as a list; refuse UUIDs, text and an empty list.

    Examples
    --------
    >>> agent_numbers(range(17, 19))
    [17, 18]
    """
    single = isinstance(agent_ids, int | str) or hasattr(agent_ids, "__index__")
    given = [agent_ids] if single else list(agent_ids)
    for one in given:
        if isinstance(one, bool) or not hasattr(one, "__index__"):
            raise UsageError(
                f"agent_ids are the agents' numbers, for example [17, 42], not {one!r}: use agent.id."
            )
    if not given:
        raise UsageError("agent_ids is empty; name at least one agent, for example [17].")
    return [whole_number("agent_ids", one) for one in given]


def whole_number(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """Return an integer within inclusive bounds; accept numpy integers, refuse booleans.

    Examples
    --------
    >>> whole_number("size", 0, 1, 10_000)
    Traceback (most recent call last):
    voxpop.errors.UsageError: size must be a whole number from 1 to 10,000, not 0.
    """
    bounds = f" from {low:,} to {high:,}" if low is not None and high is not None else ""
    bounds = bounds or (f" of at least {low:,}" if low is not None else "")
    wrong = UsageError(f"{name} must be a whole number{bounds}, not {value!r}.")
    if isinstance(value, bool):
        raise wrong
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong from None
    if (low is not None and number < low) or (high is not None and number > high):
        raise wrong
    return number


def checked_filter(filters: Any, live: Live | None = None) -> Filter:
    """Return a filter and refuse values that no agent can have.

    The service itself lets a misspelt value match nobody; here it is an error with the nearest values.

    Parameters
    ----------
    filters : Filter or dict
        The filter.
    live : callable, optional
        Returns the values in use of some fields in some countries. It is called for values missing from the
        vocabulary in fields whose values vary by service: states, ethnic groups, industries.

    Raises
    ------
    FilterError
        All problems, by field.
    """
    if isinstance(filters, str):
        raise UsageError(
            f"filters must be a filter, not the text {filters!r}: "
            'make one with vp.where, as vp.where(country="USA", age=vp.between(25, 64)).'
        )
    understood = parse(filters)
    problems = unknown_values(understood)
    open_ = [one["field"] for one in problems if not FIELDS[one["field"]].levels]
    if open_ and live is not None:
        named = understood.get("country")
        countries = [str(value) for value in named.values] if isinstance(named, AnyOf) else ["USA"]
        problems = unknown_values(understood, live(countries, list(dict.fromkeys(open_))))
    if problems:
        told: dict[str, list[str]] = {}
        for problem in problems:
            told.setdefault(problem["field"], []).append(problem["message"])
        raise FilterError(told)
    return understood


def warn_of_unknown(answer: Unknown, asked: Filter | None = None) -> None:
    """Warn about values that the service reports as unknown, and about fields unknown where asked for.

    Parameters
    ----------
    answer : Unknown
        The response.
    asked : Filter, optional
        The filter that was sent; without it fields are left out.
    """
    for one in answer.unknown_values or ():
        told = one.message if one.message.endswith("?") else f"{one.message}."
        warnings.warn(f"{one.field}: {told} It matches nobody.", FieldworkWarning, stacklevel=3)
    known = [one.model_dump() for one in answer.unknown or () if one.field in FIELDS]
    for told in unknown_in_words(known, asked) if asked is not None else ():
        warnings.warn(told, FieldworkWarning, stacklevel=3)
