"""The shape of one row of the table of agent fields."""

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
    """One field of an agent: everything that the rest of voxpop derives from it.

    The columns of a population and of a store, the agent record on the wire, filters, counts, pickers, the
    arguments of MCP tools and the codebook are all made from these rows.

    Attributes
    ----------
    name : str
        The canonical name; also the column of populations, stores and exports.
    kind : {"category", "boolean", "list", "range"}
        One value, yes or no, several values, or a number.
    group : {"demographic", "professional", "health"}
        Where the field is shown. Health fields stand in the ``health_profile`` of an agent record and in the
        table ``health_profiles``, all others in the record itself and in ``agents``.
    label : str
        A short heading.
    meaning : str
        A sentence for the codebook, the API reference and the arguments of tools.
    aliases : tuple of str
        Other names that a filter may use.
    hints : tuple of str
        Words for the field that are no aliases and spelled too differently to be found as near.
    levels : tuple of str
        The allowed values in order; empty where the population decides them.
    known : tuple of str
        Values that are known beforehand where the population decides.
    by_country : mapping of str to tuple of str
        Country -> the values that agents there can have, where countries differ.
    names : mapping of str to str
        Other name of a value -> the value.
    sums : mapping of str to tuple of str
        Value that a filter may name for several levels -> those levels.
    open : bool
        Whether a filter may name other values than the known ones, as job titles.
    ordered : bool
        Whether the order of the levels means something.
    unit : str or None
        What a number counts or measures.
    integer : bool
        Whether agents hold whole numbers only.
    decimals : int
        Decimals of a number that is not whole; sums are exact to so many.
    starts : tuple of int
        Where the usual bands of a whole number begin.
    countries : tuple of str or None
        Countries with figures; None for all. Elsewhere the field is unknown, which is not the same as false.
    partly : tuple of str
        Levels for which all other countries have figures too.
    nullable : bool
        Whether an agent may lack a value.
    key : str or None
        The key in an agent record where it is not ``name``.
    record_place : int or None
        Place among the keys of an agent record; None for behind those with a place, in the table's order.
    sent_as : {"text", "texts", "boolean", "integer", "number"} or None
        The type on the wire where it does not follow from the kind.
    small : bool
        Whether a whole number fits into one unsigned byte.
    phrase : str
        The field in a sentence about people, with ``{}`` for the values.
    words : mapping of str to str
        Value (``yes`` and ``no`` of a boolean) -> its words in that sentence.
    lower : bool
        Whether values begin with a small letter inside a sentence.
    cohort : str or None
        Noun of the agents at a level, with ``{}`` for the level; None keeps the field out of key segments.
    cohort_words : mapping of str to str
        Level (``yes`` and ``no`` of a boolean) -> noun, where ``cohort`` does not say it well.
    value_labels : mapping of str to str
        Value -> what a picker shows.
    note : str
        What a tool's caller needs to know of its values.
    ranked : bool
        Whether words of a description that occur in values make an agent likelier to be drawn.
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
        """Whether a value outside the known ones is a mistake (strict filters answer 422)."""
        return self.kind in ("category", "list") and not self.open

    @property
    def in_health_profile(self) -> bool:
        """Whether it stands in the ``health_profile`` of an agent record."""
        return self.group == "health"

    @property
    def record_key(self) -> str:
        """The key in an agent record, or in its ``health_profile`` for a health field."""
        return self.key or self.name

    @property
    def sent(self) -> Sent:
        """The type of its values on the wire."""
        return self.sent_as or _SENT.get(self.kind) or ("integer" if self.integer else "number")

    @property
    def stored(self) -> str:
        """The SQL type of its column in a population."""
        number = ("UTINYINT" if self.small else "INTEGER") if self.integer else "DOUBLE"
        return _STORED.get(self.kind, number)

    def has_figures(self, country: str, level: str | None = None) -> bool:
        """Return whether there are figures for a country; without them a missing value means "unknown".

        Parameters
        ----------
        country : str
        level : str, optional
            One level instead of all of them.
        """
        return self.countries is None or country in self.countries or level in self.partly
