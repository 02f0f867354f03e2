"""Base classes of wire models: strict for requests, open for responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, FailFast, Field, field_validator


class In(BaseModel):
    """A request body: unknown fields are refused, and types are strict.

    Examples
    --------
    >>> from voxpop.wire.studies import ShareIn
    >>> ShareIn(enabled=True).model_dump()
    {'enabled': True}
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    @field_validator("*", mode="after")
    @classmethod
    def _storable(cls, value: Any) -> Any:
        refuse_nul(value)
        return value


class Out(BaseModel):
    """A response: unknown fields are kept.

    Examples
    --------
    >>> from voxpop.wire.studies import ShareResponse
    >>> ShareResponse(enabled=False, colour="blue").model_dump()
    {'enabled': False, 'url': None, 'share_link': None, 'colour': 'blue'}
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow", defer_build=True)


class Page(Out):
    """Fields of every list paged by ``limit`` and ``offset``."""

    total: int = Field(description="How many there are over all pages.")
    limit: int = Field(description="The most that one answer holds, 1 to 500.")
    offset: int = Field(description="How many were skipped before the first one given.")


def refuse_nul(value: Any) -> None:
    """Raise ValueError if a text, also inside a list or object, contains a character databases refuse.

    Examples
    --------
    >>> refuse_nul(["a", {"b": "c"}])
    >>> refuse_nul({"b": [chr(0)]})
    Traceback (most recent call last):
    ...
    ValueError: must not have the character U+0000
    """
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("must not have the character U+0000")
    elif isinstance(value, Mapping):
        for name, each in value.items():
            refuse_nul(name)
            refuse_nul(each)
    elif isinstance(value, list | tuple):
        for each in value:
            refuse_nul(each)


def _as_list(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _valid(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("must be valid Unicode text") from None
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


Words = Annotated[str, AfterValidator(_valid), AfterValidator(_not_blank)]
"""A text with at least one character that is not white space."""

Texts = Annotated[list[Annotated[str, AfterValidator(_valid)]], BeforeValidator(_as_list)]
"""A list or tuple of texts."""

Integers = Annotated[list[Annotated[int, Field(ge=0, lt=2**63)]], FailFast(), BeforeValidator(_as_list)]
"""A list or tuple of ids; validation reports the first invalid one."""
