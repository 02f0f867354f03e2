"""Code frames: categories for coding open answers, by rules and by people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voxpop.errors import UsageError
from voxpop.verbatims.answers import OpenAnswers, read_answers
from voxpop.verbatims.codings import RULES, Coding, Codings
from voxpop.vocabulary.nearest import did_you_mean, nearest

_FIELDS = ("code_id", "label", "definition", "include", "exclude", "parent")

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Code:
    """One category.

    Attributes
    ----------
    code_id, label, definition : str
        Id, label for tables, and meaning.
    include, exclude : tuples of patterns
        Rules. An answer that matches an ``include`` rule and no ``exclude`` rule gets the code.
    parent : str, optional
        The net of the code, if any.
    """

    code_id: str
    label: str
    definition: str = ""
    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    parent: str | None = None

    def find(self, text: str) -> tuple[int, int] | None:
        """Return the span of the first match of the rules in a text; None without a match."""
        if any(pattern.search(text) for pattern in self.exclude):
            return None
        spans = [hit.span() for pattern in self.include if (hit := pattern.search(text))]
        return min(spans) if spans else None


@dataclass(frozen=True, slots=True)
class Codeframe:
    """The categories of a question, in order; made by :func:`voxpop.verbatims.codeframe`."""

    codes: tuple[Code, ...]

    @property
    def labels(self) -> dict[str, str]:
        """Return the label of each code."""
        return {code.code_id: code.label for code in self.codes}

    @property
    def nets(self) -> dict[str, list[str]]:
        """Return the labels per net, for ``vp.crosstab(nets=…)``."""
        made: dict[str, list[str]] = {}
        for code in self.codes:
            if code.parent:
                made.setdefault(code.parent, []).append(code.label)
        return made

    def code(
        self,
        data: Any,
        question: str,
        table: Any = None,
        *,
        coder: str | None = None,
        where: Any = None,
        ids: str | None = None,
        attributes: Iterable[str] | None = None,
    ) -> Codings:
        """Code the answers to an open question by rules, and by people if a table of codes is given.

        Parameters
        ----------
        data : Survey, DataFrame, Polars or Arrow table, DuckDB relation
            One row per agent (``store.respondents(study)``) or one row per answer. The data are not modified.
        question : str
            The column of answers.
        table : pandas.DataFrame or iterable of dict, optional
            Codes by people: the answer's id (in a column named as the id column, or ``answer_id``),
            ``code_id`` (a code, its label, or a list of them), ``coder``, and optionally ``at``. A row
            without a code means that the coder read the answer and no code applies.
        coder : str, optional
            The coder of a table without a column ``coder``.
        where : Filter, dict or bools, optional
            Rows to include.
        ids : str, optional
            The column of answer ids, as in :func:`voxpop.verbatims.keywords`.
        attributes : iterable of str, optional
            Columns shown beside an answer.

        Returns
        -------
        Codings
            ``.join(data)`` adds the codes to the data as a list column for ``vp.crosstab``.

        Raises
        ------
        UsageError
            If there is neither a rule nor a table, or the table has an unknown answer or code, or no coder.
        """
        held = read_answers(data, question, where=where, ids=ids, attributes=attributes)
        ruled = any(code.include for code in self.codes)
        if not ruled and table is None:
            raise UsageError(
                f"No code has a rule, and nobody has coded {question!r}: add rules to the codes, or pass "
                "a table of people's codes."
            )
        made: list[Coding] = list(self._by_rule(held)) if ruled else []
        seen = {RULES: set(held.ids)} if ruled else {}
        for answer, codes, who, at in [] if table is None else _rows(table, held, coder):
            made += self._by_person(answer, codes, who, at)
            seen.setdefault(who, set()).add(answer)
        order = {name: place for place, name in enumerate(held.ids)}
        place = {code.code_id: place for place, code in enumerate(self.codes)}
        made.sort(key=lambda row: (row.coder != RULES, row.coder, order[row.answer], place[row.code_id]))
        looked = {who: frozenset(answers) for who, answers in seen.items()}
        return Codings(held, self.labels, self.nets, tuple(dict.fromkeys(made)), looked)

    def _by_rule(self, held: OpenAnswers) -> Iterator[Coding]:
        for name, text in zip(held.ids, held.shown, strict=True):
            for code in self.codes:
                span = code.find(text)
                if span is not None:
                    yield Coding(name, code.code_id, RULES, None, span)

    def _by_person(self, answer: Any, codes: Sequence[Any], who: str, at: Any) -> Iterator[Coding]:
        by_label = {code.label: code.code_id for code in self.codes}
        for given in codes:
            code_id = str(given) if str(given) in self.labels else by_label.get(str(given))
            if code_id is None:
                hint = did_you_mean(nearest(str(given), [*self.labels, *by_label]))
                hint = hint or f"; the codes are {', '.join(self.labels)}"
                raise UsageError(f"{who} gave answer {answer} the unknown code {given!r}{hint}")
            yield Coding(answer, code_id, who, at, None)

    def __repr__(self) -> str:
        told = ", ".join(f"{code.code_id} ({len(code.include)} rules)" for code in self.codes[:8])
        return f"<Codeframe {len(self.codes)} codes: {told}{', …' if len(self.codes) > 8 else ''}>"


def codeframe(codes: Any) -> Codeframe:
    """Make a code frame for open answers.

    Parameters
    ----------
    codes : mapping, DataFrame or iterable of dict
        A mapping of label to rules, or rows with ``code_id`` and optionally ``label``, ``definition``,
        ``include``, ``exclude`` and ``parent`` (a net). A rule is a word or phrase, matched as whole words
        without regard to case, with ``*`` for any ending (``"expens*"``); or a regular expression, compiled
        or between slashes (``"/too (much|dear)/"``). Several rules in one text are separated by ``;``.

    Returns
    -------
    Codeframe
        ``.code(data, question)`` codes answers; an answer may get several codes.

    Raises
    ------
    UsageError
        If there is no code, a code is repeated, a field is unknown, or a regular expression is invalid.

    Examples
    --------
    >>> frame = codeframe({"price": ["price*", "expens*"], "taste": ["taste", "/sweet|salty/"]})
    >>> people = pd.DataFrame({"agent_id": [1, 2, 3], "why": ["Too sweet, too expensive", "Prices", "No"]})
    >>> codings = frame.code(people, "why")
    >>> codings.long()[["agent_id", "code_id"]].values.tolist()
    [[1, 'price'], [1, 'taste'], [2, 'price']]
    >>> codings.join(people)["why_codes"].to_pylist()
    [['price', 'taste'], ['price'], []]
    """
    made = tuple(_code(row) for row in _listed(codes))
    if not made:
        raise UsageError("A codeframe needs at least one code.")
    for what, names in (("code", [code.code_id for code in made]), ("label", [code.label for code in made])):
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise UsageError(f"The codeframe has the {what} {repeated[0]!r} twice.")
    for code in made:
        if code.parent in {other.label for other in made}:
            raise UsageError(f"The net {code.parent!r} has the name of a code; choose another name.")
    return Codeframe(made)


def _listed(codes: Any) -> list[Mapping[str, Any]]:
    if isinstance(codes, Mapping):
        return [{"code_id": str(name), "include": rules} for name, rules in codes.items()]
    if isinstance(codes, pd.DataFrame):
        return [{str(name): value for name, value in row.items()} for row in codes.to_dict("records")]
    rows = list(codes) if isinstance(codes, Iterable) and not isinstance(codes, str) else [codes]
    for row in rows:
        if not isinstance(row, Mapping):
            raise UsageError(
                'codes must be a mapping such as {"price": ["price*"]}, or rows with code_id and include, '
                f"not {type(row).__name__}."
            )
    return rows


def _code(row: Mapping[str, Any]) -> Code:
    strange = [name for name in row if name not in _FIELDS]
    if strange:
        hint = did_you_mean(nearest(str(strange[0]), _FIELDS)) or f"; it has {', '.join(_FIELDS)}"
        raise UsageError(f"A code has no field {strange[0]!r}{hint}")
    given = {name: value for name, value in row.items() if not _is_missing(value)}
    code_id = str(given.get("code_id", "")).strip()
    if not code_id:
        raise UsageError("A code needs a code_id.")
    return Code(
        code_id,
        str(given.get("label", code_id)),
        str(given.get("definition", "")),
        _patterns(given.get("include", ()), code_id),
        _patterns(given.get("exclude", ()), code_id),
        str(given["parent"]) if given.get("parent") else None,
    )


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and value != value)


def _patterns(rules: Any, code_id: str) -> tuple[Pattern, ...]:
    if isinstance(rules, str) and not (len(rules) > 1 and rules[0] == rules[-1] == "/"):
        rules = [part.strip() for part in rules.split(";") if part.strip()]
    elif isinstance(rules, str | re.Pattern):
        rules = [rules]
    return tuple(_pattern(rule, code_id) for rule in rules)


def _pattern(rule: Any, code_id: str) -> Pattern:
    if isinstance(rule, re.Pattern):
        return rule
    if not isinstance(rule, str) or not rule.strip("/ *"):
        raise UsageError(
            f"A rule of the code {code_id!r} must be a word or a regular expression, not {rule!r}."
        )
    if len(rule) > 2 and rule[0] == rule[-1] == "/":
        try:
            return re.compile(rule[1:-1], re.IGNORECASE)
        except re.error as error:
            raise UsageError(
                f"The rule {rule} of the code {code_id!r} is not a valid regular expression: {error}."
            ) from None
    parts = [re.escape(part).replace(r"\*", r"\w*") for part in rule.split()]
    words = r"\s+".join(parts).replace("'", "['’]")
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def _rows(table: Any, held: OpenAnswers, coder: str | None) -> Iterator[tuple[Any, list[Any], str, Any]]:
    """Yield codes by people: the answer, its codes, the coder, and the time."""
    rows = table.to_dict("records") if isinstance(table, pd.DataFrame) else list(table)
    known = {str(name): name for name in held.ids}
    for row in rows:
        name = row.get(held.id_name, row.get("answer_id"))
        if name is None:
            raise UsageError(f"The table of codes needs a column {held.id_name!r} with the answer ids.")
        answer = known.get(str(name), known.get(_whole(name)))
        if answer is None:
            raise UsageError(f"{held.name!r} has no answer with {held.id_name} {name!r} here.")
        who = row.get("coder", coder)
        if _is_missing(who) or not str(who).strip():
            raise UsageError("The table of codes needs a column 'coder', or pass the coder with coder=.")
        if str(who) == RULES:
            raise UsageError(f"{RULES!r} is reserved for the rules of the codeframe; use another name.")
        codes = row.get("code_id")
        listed = list(codes) if isinstance(codes, list | tuple | set) else [codes]
        at = row.get("at")
        yield (
            answer,
            [code for code in listed if not _is_missing(code) and code != ""],
            str(who),
            None if _is_missing(at) else at,
        )


def _whole(name: Any) -> str:
    """Return an id as text, without the fraction of integers read as floats, such as 12.0."""
    return str(int(name)) if isinstance(name, float) and name.is_integer() else str(name)
