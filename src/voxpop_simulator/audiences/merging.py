"""Merging of mentions into one filter, with contradictions and ambiguities of the text.

An excluded value from a closed list becomes the other values, any other exclusion (a condition, a medicine, a
job) a group that is excluded, and alternatives on different fields or ranges a group of which one must hold.
The job of people who do not work now is not recorded, and is left to the caller.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from operator import or_

from voxpop.engines.audience import Screen
from voxpop.vocabulary import FIELDS, AllOf, AnyOf, Between, Condition, Filter
from voxpop.vocabulary.conditions import HowMany
from voxpop.vocabulary.levels import US_ETHNICITIES
from voxpop.vocabulary.places import CANADIAN_PROVINCES, US_STATES
from voxpop.vocabulary.synonyms import CONDITIONS, DRUG_CLASSES
from voxpop.vocabulary.values import levels_of
from voxpop_simulator.audiences.alternatives import Run, alternatives
from voxpop_simulator.audiences.frame_words import AFTER, BEFORE, GLUE, JOINTS, NEGATIONS, PERSONS, RELATIVES
from voxpop_simulator.audiences.mentions import Mention

Values = tuple[str | bool, ...]
_BETWEEN = GLUE | PERSONS | NEGATIONS | RELATIVES | JOINTS | set(BEFORE) | set(AFTER) | {"well", "as"}
LISTS = ("health_conditions", "health_drug_classes")
WORK = ("occupation", "occupation_major_group", "industry")
_KNOWN = {"state": tuple(US_STATES), "ethnicity": US_ETHNICITIES}
_PLAIN_DIABETES = re.compile(r"diabet(?:es|ics?)", re.I)
_ANY_DIABETES: tuple[tuple[str, Condition], ...] = (
    ("health_conditions", AnyOf(("diabetes_t2", "diabetes_t1"))),
)
"""What "no diabetes" excludes; "diabetes" alone is type 2, as in filters."""
_CODE = re.compile(r"[A-Z]{2}")
"""The code of a state: a list of them needs no commas."""
_PROVINCES = tuple(CANADIAN_PROVINCES)


@dataclass
class Merged:
    """The merged result of a sequence of mentions.

    Attributes
    ----------
    conditions : dict of str to Condition
        One condition per field.
    screens : list of Screen
        Screening questions.
    conflict : (tuple of str, str, str) or None
        Fields in which two phrases contradict each other, and the two phrases.
    either : tuple of Mention
        Two phrases whose conjunction can mean "both" or "one of them".
    groups : list of Filter
        Alternatives and exclusions that one condition per field cannot express.
    former : tuple of Mention
        Jobs of people who do not work now.
    recorded : set of str
        Lists with exclusions; agents without data on them are not excluded, and must be left out.
    """

    conditions: dict[str, Condition] = field(default_factory=dict)
    screens: list[Screen] = field(default_factory=list)
    conflict: tuple[tuple[str, ...], str, str] | None = None
    either: tuple[Mention, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)
    groups: list[Filter] = field(default_factory=list)
    former: tuple[Mention, ...] = ()
    recorded: set[str] = field(default_factory=set)


def join(text: str, one: Mention, other: Mention) -> str:
    """Return the connector of two neighbouring mentions: "or", "and", "," or nothing."""
    gap = text[one.end : other.start].lower()
    if any(word not in _BETWEEN for word in re.findall(r"[^\W_]+(?:'[^\W_]+)*", gap)):
        return ""
    if re.search(r"\b(?:or|nor|vs|versus)\b|/", gap):
        return "or"
    if re.search(r"\band\b|&|\bplus\b|\s\+\s|\bas well as\b", gap):
        return "and"
    if not gap.strip() and _CODE.fullmatch(one.words) and _CODE.fullmatch(other.words):
        return ","
    return "," if "," in gap and not re.search(r"\b(?:but|who)\b", gap) else ""


def _or(text: str, one: Mention, other: Mention) -> bool:
    return re.search(r"\b(?:or|nor|vs|versus)\b|/", text[one.end : other.start].lower()) is not None


def _one_question(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with criteria joined by "or" merged into one question."""
    found: list[Mention] = []
    for mention in mentions:
        last = found[-1] if found else None
        if (
            last is not None
            and _asks_only(last)
            and _asks_only(mention)
            and join(text, last, mention) == "or"
        ):
            question = f"{last.sense.questions[0][0][:-1]}, or {_lowered(mention.sense.questions[0][0])}"
            words = text[last.start : mention.end]
            meaning = replace(last.sense, questions=((question, "yes"),))
            found[-1] = replace(last, end=mention.end, words=words, sense=meaning)
        else:
            found.append(mention)
    return found


def _lowered(question: str) -> str:
    return question[0].lower() + question[1:]


def _asks_only(mention: Mention) -> bool:
    questions = mention.sense.questions
    return (
        not mention.sense.parts and not mention.negated and len(questions) == 1 and questions[0][1] == "yes"
    )


def merge(text: str, mentions: Sequence[Mention], *, both: bool = False) -> Merged:
    """Return the single filter for some mentions, or the reason for having none.

    Parameters
    ----------
    text : str
        The text that contains the mentions.
    mentions : sequence of Mention
        The mentions, in the order of the text.
    both : bool, default False
        Whether an ambiguous "and" or "or" between fields is known to require both.
    """
    result = Merged()
    mentions = _one_question(text, mentions)
    plain = [_excluded(mention, result) for mention in mentions]
    joins = _joins(text, mentions)
    runs = _runs([mention for mention in plain], joins)
    together = [] if both else alternatives(text, plain, runs, joins)
    for first, last in together:
        result.groups.append(reduce(or_, (run.filter() for run in runs[first : last + 1])))
    if not both:
        _disjunction(runs, joins, together, result)
        _unread_or(text, mentions, runs, together, result)
    for at, run in enumerate(runs):
        if not any(first <= at <= last for first, last in together):
            _narrow(run, result)
    _settle_lists(result, text)
    if not result.either:
        _former_work(mentions, result)
    return result


def _joins(text: str, mentions: Sequence[Mention]) -> list[str]:
    joins = [join(text, one, other) for one, other in pairwise(mentions)]
    for at in range(len(joins) - 2, -1, -1):
        if (
            joins[at] == ","
            and joins[at + 1] in ("or", "and")
            and mentions[at].fields == mentions[at + 1].fields
        ):
            joins[at] = joins[at + 1]
    return joins


def _runs(mentions: Sequence[Mention], joins: Sequence[str]) -> list[Run]:
    runs: list[Run] = []
    for at, mention in enumerate(mentions):
        if at and runs and mention.fields and _joined(runs[-1], mention, joins[at - 1]):
            united = _united(runs[-1].union, dict(mention.sense.parts))
            if united is not None:
                runs[-1].union = united
                runs[-1].mentions.append(mention)
                runs[-1].last = at
                continue
            runs.append(Run([mention], at, at, dict(mention.sense.parts), broken=True))
            continue
        runs.append(Run([mention], at, at, dict(mention.sense.parts)))
    return runs


def _joined(run: Run, mention: Mention, joint: str) -> bool:
    """Return whether a mention extends the one before it ("nurses and teachers")."""
    last = run.mentions[-1]
    if not joint or set(run.union) != set(mention.fields) or last.negated or mention.negated:
        return False
    if mention.fields == ("household_income",) and joint == "and" and not last.sense.person:
        return False
    if mention.fields == ("age",) or isinstance(mention.sense.parts[0][1], Between):
        people = last.sense.person and mention.sense.person
        return joint == "or" or people or _apart(run.union, mention)
    if mention.fields[0] in LISTS:
        return joint == "or" or (last.sense.person and mention.sense.person)
    return True


def _apart(union: Mapping[str, Condition], mention: Mention) -> bool:
    name, condition = mention.sense.parts[0]
    before = union[name]
    return (
        isinstance(before, Between) and isinstance(condition, Between) and _overlap(before, condition) is None
    )


def _united(one: Mapping[str, Condition], other: Mapping[str, Condition]) -> dict[str, Condition] | None:
    """Return the condition that holds for either, or None if one condition per field cannot express it."""
    different = [name for name in one if one[name] != other[name]]
    if len(different) > 1:
        return None
    joined = dict(one)
    for name in different:
        first, second = one[name], other[name]
        if isinstance(first, Between) and isinstance(second, Between):
            hull = _hull(first, second, FIELDS[name].integer)
            if hull is None:
                return None
            joined[name] = hull
        elif isinstance(first, AnyOf) and isinstance(second, AnyOf):
            joined[name] = AnyOf(_ordered(name, tuple(dict.fromkeys((*first.values, *second.values)))))
    return joined


def _ordered(name: str, values: Values) -> Values:
    levels = FIELDS[name].levels or _KNOWN.get(name, ())
    if name in LISTS or not all(value in levels for value in values):
        return values
    return tuple(level for level in levels if level in values)


def _hull(one: Between, other: Between, integer: bool) -> Between | None:
    low = None if one.min is None or other.min is None else min(one.min, other.min)
    high = None if one.max is None or other.max is None else max(one.max, other.max)
    (first, second) = sorted((one, other), key=lambda b: float("-inf") if b.min is None else b.min)
    touching = first.max is None or second.min is None or second.min <= first.max + (1 if integer else 0)
    return Between(low, high) if touching and (low, high) != (None, None) else None


def _overlap(one: Between, other: Between) -> Between | None:
    lows = [bound for bound in (one.min, other.min) if bound is not None]
    highs = [bound for bound in (one.max, other.max) if bound is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return None if low is not None and high is not None and low > high else Between(low, high)


def _disjunction(
    runs: Sequence[Run], joins: Sequence[str], together: Sequence[tuple[int, int]], result: Merged
) -> None:
    """Find where "and" or "or" is ambiguous."""
    inner = [run for run in runs if set(run.union) != {"country"} or len(runs) == 1]
    for before, run in pairwise(inner):
        if any(first <= runs.index(before) and runs.index(run) <= last for first, last in together):
            continue
        link = joins[run.first - 1] if run.first else ""
        people = before.mentions[-1].sense.person and run.mentions[0].sense.person
        different = set(before.union) != set(run.union) or run.broken
        crossing = link == "or" and not (before.mentions[-1].negated or run.mentions[0].negated)
        if (
            (crossing and different)
            or (link == "and" and people and different)
            or (run.broken and not _same_range(before, run))
        ):
            result.either = result.either or (before.mentions[-1], run.mentions[0])


def _unread_or(
    text: str,
    mentions: Sequence[Mention],
    runs: Sequence[Run],
    together: Sequence[tuple[int, int]],
    result: Merged,
) -> None:
    """Find an "or" that joins no alternatives, so that the text must not be read as a list of conditions."""
    spans = [(run.first, run.last) for run in runs]
    spans += [(runs[first].first, runs[last].last) for first, last in together]
    for at, (one, other) in enumerate(pairwise(mentions)):
        joined = any(first <= at and at + 1 <= last for first, last in spans)
        if not joined and not (one.negated and other.negated) and _or(text, one, other):
            result.either = result.either or (one, other)


def _same_range(before: Run, run: Run) -> bool:
    return set(before.union) == set(run.union) and all(isinstance(c, Between) for c in run.union.values())


def _narrow(run: Run, result: Merged) -> None:
    for mention in run.mentions:
        result.screens += [screen for screen in mention.screens if screen not in result.screens]
    for name, condition in run.union.items():
        before = result.conditions.get(name)
        if isinstance(condition, HowMany):
            result.groups.append(Filter("all", ((name, condition),)))
            continue
        if name in LISTS:
            _collect(name, condition, result)
            continue
        if isinstance(condition, AnyOf) and set(condition.values) == {True, False}:
            continue
        both = condition if before is None else _common(name, before, condition)
        if both is None:
            fields = (name,)
            result.conflict = result.conflict or (fields, result.sources[name], run.mentions[0].words)
            continue
        result.conditions[name] = both
        result.sources.setdefault(name, run.mentions[0].words)


def _common(name: str, one: Condition, other: Condition) -> Condition | None:
    if isinstance(one, Between) and isinstance(other, Between):
        return _overlap(one, other)
    if isinstance(one, AnyOf) and isinstance(other, AnyOf):
        wanted = {level for value in other.values for level in _levels(name, value)}
        kept = tuple(value for value in one.values if set(_levels(name, value)) & wanted)
        return AnyOf(kept) if kept else None
    return None


def _levels(name: str, value: str | bool) -> frozenset[str | bool]:
    if isinstance(value, bool):
        return frozenset((value,))
    return frozenset(levels_of(FIELDS[name], value))


def _collect(name: str, condition: Condition, result: Merged) -> None:
    """Collect the conditions on a list field: single values together, each choice of values separately."""
    before = result.conditions.get(name)
    if before is None:
        result.conditions[name] = condition
        return
    if not isinstance(condition, AnyOf) or not isinstance(before, AnyOf | AllOf):
        return
    single_before = isinstance(before, AllOf) or len(before.values) == 1
    if single_before and len(condition.values) == 1:
        values = tuple(dict.fromkeys((*before.values, *condition.values)))
        result.conditions[name] = AllOf(values) if len(values) > 1 else AnyOf(values)
    elif set(before.values) <= set(condition.values):
        return
    elif single_before:
        result.conditions[name] = condition
        result.screens += [value_screen(name, str(value)) for value in before.values]
    else:
        result.screens += [value_screen(name, str(value)) for value in condition.values[:1]]


def value_screen(name: str, value: str, words: str | None = None, keep: str = "yes") -> Screen:
    """Return the question about a condition or a medicine.

    Examples
    --------
    >>> value_screen("health_conditions", "asthma", keep="no").question
    'Do you have asthma?'
    """
    verb, names = ("have", CONDITIONS) if name == "health_conditions" else ("take", DRUG_CLASSES)
    spoken = names[value][0] if value in names else value.replace("_", " ")
    return Screen(words or spoken, f"Do you {verb} {spoken}?", keep)


def _settle_lists(result: Merged, text: str) -> None:
    """A class of medicine never comes twice, as a brand and as its class."""
    for name in LISTS:
        condition = result.conditions.get(name)
        if isinstance(condition, AllOf) and len(condition.values) == 1:
            result.conditions[name] = AnyOf(condition.values)


def _former_work(mentions: Sequence[Mention], result: Merged) -> None:
    """Find the jobs of people who do not work now."""
    status = result.conditions.get("labour_status")
    if not isinstance(status, AnyOf) or "employed" in status.values:
        return
    gone = {name for name in WORK if result.conditions.pop(name, None) is not None}
    result.former = tuple(m for m in mentions if gone & set(m.fields) and not m.negated)


def _excluded(mention: Mention, result: Merged) -> Mention:
    """Return the positive form of an excluded mention: the other values, or questions that keep "no"."""
    if mention.sense.group is not None:
        result.groups.append(~mention.sense.group if mention.negated else mention.sense.group)
        if mention.negated:
            result.recorded |= {name for name, _ in mention.sense.group.every_condition() if name in LISTS}
        return replace(mention, sense=replace(mention.sense, group=None))
    if not mention.negated:
        return mention
    parts = mention.sense.parts
    if not parts:
        flipped = tuple(
            (question, "no" if keep == "yes" else "yes") for question, keep in mention.sense.questions
        )
        return replace(mention, sense=replace(mention.sense, questions=flipped))
    own = tuple(part for part in parts if part[0] != "country") or parts
    if len(own) == 1 and not mention.sense.questions:
        name, condition = own[0]
        other = complement(name, condition)
        if other is not None:
            return replace(mention, sense=replace(mention.sense, parts=((name, other),)))
    if not mention.sense.questions:
        excluded = Filter("all", _ANY_DIABETES if _PLAIN_DIABETES.fullmatch(mention.words) else own)
        result.groups.append(~excluded)
        result.recorded |= {name for name, _ in own if name in LISTS}
        return replace(mention, sense=replace(mention.sense, parts=()))
    questions = tuple((screen.question, screen.keep) for screen in _denials(mention))
    return replace(mention, sense=replace(mention.sense, parts=(), questions=questions))


def _denials(mention: Mention) -> list[Screen]:
    return [Screen(mention.words, question, "no") for question, _ in mention.sense.questions]


def complement(name: str, condition: Condition) -> Condition | None:
    """Return the complement of a condition, or None if a filter cannot express it.

    Examples
    --------
    >>> complement("smoking_status", AnyOf(("current",))), complement("age", Between(66, None))
    (vp.any_of("never", "former"), vp.between(max=65))
    >>> complement("health_conditions", AnyOf(("asthma",)))
    """
    if isinstance(condition, Between):
        step = 1 if FIELDS[name].integer else 0
        if condition.max is None and condition.min is not None:
            return Between(None, condition.min - step)
        if condition.min is None and condition.max is not None:
            return Between(condition.max + step, None)
        return Between(1, None) if name == "rx_medication_count" and condition == Between(0, 0) else None
    if not isinstance(condition, AnyOf | AllOf):
        return None
    if name == "is_parent":
        return AnyOf(tuple(not value for value in condition.values))
    levels = FIELDS[name].levels or _KNOWN.get(name, ())
    if name == "state" and set(condition.values) <= set(_PROVINCES):
        levels = _PROVINCES
    if name in (*LISTS, *WORK) or not levels:
        return None
    gone = {level for value in condition.values for level in _levels(name, value)}
    left = tuple(level for level in levels if level not in gone)
    return AnyOf(left) if left else None
