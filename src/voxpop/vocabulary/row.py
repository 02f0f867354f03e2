"""The row type of the table of agent fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from types import MappingProxyType
from typing import Literal

Kind = Literal["category", "boolean", "list", "range"]
Group = Literal["demographic", "professional", "health"]
Sent = Literal["text", "texts", "boolean", "integer", "number"]

_SENT: Mapping[Kind, Sent] = MappingProxyType({"category": "text", "list": "texts", "boolean": "boolean"})
_STORED = MappingProxyType({"category": "ENUM", "list": "ENUM[]", "boolean": "BOOLEAN"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """One field of an agent, with everything that the rest of voxpop derives from it.

    Population and store columns, agent records on the wire, filters, counts, pickers, arguments of MCP tools
    and the codebook are all generated from these rows.

    Attributes
    ----------
    name : str
        Canonical name; also the column name in populations, stores and exports.
    kind : {"category", "boolean", "list", "range"}
        One value, yes or no, several values, or a number.
    group : {"demographic", "professional", "health"}
        Section of the field. Health fields are in the ``health_profile`` of an agent record and in the table
        ``health_profiles``, all others in the record itself and in ``agents``.
    label : str
        Short heading.
    meaning : str
        Description for the codebook, the API reference and the arguments of tools.
    aliases : tuple of str
        Other names that a filter may use.
    hints : tuple of str
        Related words that are not aliases, used for suggestions when the spelling is not similar.
    levels : tuple of str
        Allowed values in order; empty if the population determines them.
    known : tuple of str
        Values known in advance, if the population determines the values.
    by_country : mapping of str to tuple of str
        Country -> values that occur there, if countries differ.
    names : mapping of str to str
        Other name of a value -> value.
    sums : mapping of str to tuple of str
        Value of filters that covers several levels -> those levels.
    open : bool
        Whether a filter may name unlisted values, such as job titles.
    ordered : bool
        Whether the levels are ordinal.
    unit : str or None
        Unit of a number.
    integer : bool
        Whether all values are whole numbers.
    decimals : int
        Number of decimals of a fractional number; sums are exact to this precision.
    starts : tuple of int
        Lower bounds of the usual bands of a whole number.
    countries : tuple of str or None
        Countries with figures; None for all. Elsewhere the value is unknown, which is not the same as false.
    partly : tuple of str
        Levels for which all other countries have figures too.
    nullable : bool
        Whether the value may be missing.
    key : str or None
        Key in an agent record if it differs from ``name``.
    record_place : int or None
        Position among the keys of an agent record; fields with None follow in the order of the table.
    sent_as : {"text", "texts", "boolean", "integer", "number"} or None
        Type on the wire if it does not follow from the kind.
    small : bool
        Whether a whole number fits into an unsigned byte.
    phrase : str
        Wording of the field in a sentence about people, with ``{}`` for the values.
    words : mapping of str to str
        Value (``yes`` and ``no`` of a boolean) -> its wording in that sentence.
    lower : bool
        Whether values start with a lower-case letter inside a sentence.
    cohort : str or None
        Noun phrase for the agents at a level, with ``{}`` for the level; None excludes the field from key
        segments.
    cohort_words : mapping of str to str
        Level (``yes`` and ``no`` of a boolean) -> noun phrase that replaces ``cohort``.
    value_labels : mapping of str to str
        Value -> label in a picker.
    note : str
        Notes on the values for callers of tools.
    ranked : bool
        Whether description words that occur in a value raise the chance of drawing the agent.
    """

    name: str
    kind: Kind
    group: Group
    label: str
    meaning: str
    aliases: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    by_country: Mapping[str, tuple[str, ...]] = attribute(default_factory=dict)
    names: Mapping[str, str] = attribute(default_factory=dict)
    sums: Mapping[str, tuple[str, ...]] = attribute(default_factory=dict)
    open: bool = False
    ordered: bool = False
    unit: str | None = None
    integer: bool = False
    decimals: int = 0
    starts: tuple[int, ...] = ()
    countries: tuple[str, ...] | None = None
    partly: tuple[str, ...] = ()
    nullable: bool = True
    key: str | None = None
    record_place: int | None = None
    sent_as: Sent | None = None
    small: bool = True
    phrase: str
    words: Mapping[str, str] = attribute(default_factory=dict)
    lower: bool = False
    cohort: str | None = None
    cohort_words: Mapping[str, str] = attribute(default_factory=dict)
    value_labels: Mapping[str, str] = attribute(default_factory=dict)
    note: str = ""
    ranked: bool = False

    @property
    def finite(self) -> bool:
        """Whether an unknown value is an error (strict filters respond with 422)."""
        return self.kind in ("category", "list") and not self.open

    @property
    def in_health_profile(self) -> bool:
        """Whether the field is in the ``health_profile`` of an agent record."""
        return self.group == "health"

    @property
    def record_key(self) -> str:
        """Key in an agent record, or in its ``health_profile`` for a health field."""
        return self.key or self.name

    @property
    def sent(self) -> Sent:
        """Type of the values on the wire."""
        return self.sent_as or _SENT.get(self.kind) or ("integer" if self.integer else "number")

    @property
    def stored(self) -> str:
        """SQL type of the field's column in a population."""
        number = ("UTINYINT" if self.small else "INTEGER") if self.integer else "DOUBLE"
        return _STORED.get(self.kind, number)

    def has_figures(self, country: str, level: str | None = None) -> bool:
        """Return whether a country has figures; without them a missing value means "unknown".

        Parameters
        ----------
        country : str
        Restrict the question to one level.
            One level instead of all of them.
        """
        return self.countries is None or country in self.countries or level in self.partly
