"""Validations of engines in words and tables."""

from __future__ import annotations

import math

from voxpop.engines.basis import KINDS
from voxpop.stats.gaps import compare_gaps
from voxpop.validation.engine_validation import (
    ENGINE,
    HALVES,
    MARGINS,
    PLACEHOLDERS,
    REPEATED,
    SCORED,
    SEEN,
    UNIFORM,
    UNSEEN,
    EngineValidation,
    Section,
)
from voxpop.validation.item_scores import (
    MEASURES,
    PERCENT,
    THRESHOLD,
    Score,
    agents,
    item_gaps,
    people,
)

COLUMNS = {
    ENGINE: "engine",
    UNIFORM: "uniform",
    MARGINS: "margins",
    REPEATED: "repeated survey",
    HALVES: "two halves",
}
"""Columns of scores with their headings."""

COLUMN_NOTES = {
    UNIFORM: "options drawn with equal chances, by the same agents",
    MARGINS: "options drawn from people's shares overall, alike for all groups, by the same agents",
    REPEATED: "a second survey of people by the same design against the first, the attainable score; answers "
    "that follow the published shares themselves can come closer to them than that",
    HALVES: "two random halves of the people of one year against each other, from the records; each half is "
    "smaller than the survey, so these scores are a lower bound of what people reach",
}

TITLES = {
    SCORED: "All answers that rest on something",
    SEEN: "Items that the engine was built from",
    UNSEEN: "Items that the engine was not built from",
    PLACEHOLDERS: "Placeholders, whose basis is none",
}
"""Titles of the sections."""


def shown(found: EngineValidation) -> list[tuple[str, Section]]:
    """Return the sections with their titles; one that repeats the first only adds to its title."""
    first = _section(found, SCORED)
    told, titles = [], dict(TITLES)
    for one in found.sections:
        if first is not None and one.name in (SEEN, UNSEEN) and one.items.keys == first.items.keys:
            titles[SCORED] = f"{TITLES[SCORED]}: {TITLES[one.name].lower()}"
        else:
            told.append(one)
    return [(titles[one.name], one) for one in told]


def _section(found: EngineValidation, name: str) -> Section | None:
    return next((one for one in found.sections if one.name == name), None)


def headings(section: Section) -> list[str]:
    """Return the headings of the table of a section."""
    return ["measure", "items", *(words for column, words in COLUMNS.items() if column in section.scores)]


def column_notes(found: EngineValidation) -> list[str]:
    """Return what the columns beside the engine are, one sentence each."""
    there = {column for section in found.sections for column in section.scores}
    return [f"{COLUMNS[column]}: {words}." for column, words in COLUMN_NOTES.items() if column in there]


def rows_of(section: Section) -> list[list[str]]:
    """Return the rows of the table of a section: label, items, and a score per column."""
    rows = []
    for measure, label in MEASURES.items():
        if measure not in section.scores[ENGINE] or math.isnan(section.scores[ENGINE][measure].value):
            continue
        below = section.items.below.get(measure)
        cells = [label, "" if below is None else f"{int((below != 0).sum()):,}"]
        for column in COLUMNS:
            if column in section.scores:
                score = section.scores[column].get(measure, Score(math.nan))
                cells.append(written(score, measure, interval=column == ENGINE))
        rows.append(cells)
    return rows


def written(score: Score, measure: str, *, interval: bool = False) -> str:
    """Return a score as text, with its interval if there is one.

    Examples
    --------
    >>> written(Score(0.167, 0.15, 0.184), "error", interval=True)
    '16.7 (15.0 to 18.4)'
    >>> written(Score(float("nan")), "error")
    ''
    """
    if math.isnan(score.value):
        return ""
    text = _number(score.value, measure)
    if not interval or math.isnan(score.low):
        return text
    return f"{text} ({_number(score.low, measure)} to {_number(score.high, measure)})"


def _number(value: float, measure: str) -> str:
    digits = 1 if measure in PERCENT else 3 if measure == "jensen_shannon" else 2
    text = f"{100 * value if measure in PERCENT else value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def verdicts(found: EngineValidation) -> list[str]:
    """Return the findings in sentences: what the engine has seen, error, gaps, and coverage."""
    told = [seen(found)]
    words = {SCORED: "Over", UNSEEN: "Over the items not seen,", PLACEHOLDERS: "Placeholders:"}
    for _, section in shown(found):
        if section.name in words:
            told.append(_error(section, words[section.name]))
            if section.name != PLACEHOLDERS:
                told += _gaps(section)
    return [*told, coverage(found)]


def _error(section: Section, words: str) -> str:
    beside = ", ".join(
        f"{COLUMNS[column]} {written(section.scores[column]['error'], 'error')}"
        for column in (UNIFORM, MARGINS, REPEATED)
        if column in section.scores
    )
    own = written(section.scores[ENGINE]["error"], "error", interval=True)
    number = len(section.items.keys)
    return (
        f"{words} {number:,} item{'s' * (number != 1)}, the mean error of a share is {own} points ({beside})."
    )


def _gaps(section: Section) -> list[str]:
    number = int(section.items.below["gap_sign"].sum())
    if not number:
        return []
    own = written(section.scores[ENGINE]["gap_sign"], "gap_sign", interval=True)
    beside = [
        f"{COLUMNS[column]} {written(section.scores[column]['gap_sign'], 'gap_sign')} %"
        for column in (UNIFORM, REPEATED)
        if column in section.scores
    ]
    return [
        f"Of {number:,} differences of 8 points or more between groups of people, {own} % have the right "
        f"sign ({', '.join(beside)})."
    ]


def coverage(found: EngineValidation) -> str:
    """Return a sentence on how many replies are scored, by basis, and how many are not."""
    counts = found.coverage()
    scored = sum(counts[kind] for kind in KINDS[:-1])
    kinds = ", ".join(f"{kind} {counts[kind]:,}" for kind in KINDS[:-1] if counts[kind])
    first = _section(found, SCORED)
    items = len(first.items.keys) if first is not None else 0
    rest = ", ".join(
        f"{counts[kind]:,} {words}"
        for kind, words in (
            (KINDS[-1], "are placeholders and count as abstentions"),
            ("no_answer", "have no coded answer"),
            ("failed", f"failed{_most_often(found)}"),
        )
        if counts[kind]
    )
    share = scored / counts["asked"] if counts["asked"] else 0.0
    return (
        f"Coverage: of {counts['asked']:,} replies, {scored:,} ({share:.0%}) are scored"
        f"{f' ({kinds})' if kinds else ''}{f', {rest}' if rest else ''}; {items:,} of "
        f"{len(found.held.items):,} items have enough scored answers."
    )


def _most_often(found: EngineValidation) -> str:
    reasons = found.answers.reasons
    return f" (most often: {max(reasons, key=reasons.__getitem__)})" if reasons else ""


def seen(found: EngineValidation) -> str:
    """Return a sentence on which items the engine was built from, and what agreement with them means."""
    if found.seen is not None:
        keys = {item.key for item in found.held.items}
        own = len(found.seen & keys)
        told = f"The engine declares that it was built from {own:,} of the {len(keys):,} items"
        section = _section(found, SEEN)
        if section is None:
            return f"{told}."
        return (
            f"{told}. {len(section.items.keys):,} of them have enough scored answers: agreement with people "
            "on these is by construction and no evidence that the engine is right about other questions."
        )
    if found.remote:
        return (
            "A language model does not declare what it was built from: these questions and their published "
            "answers may have been in its training data."
        )
    return "The engine does not declare which of these items it was built from (attribute seen_items)."


GAP_HEADINGS = ("groups", "gaps", "right sign", "size, people = 1")
"""Headings of the table of differences between groups."""


def gap_rows(found: EngineValidation) -> list[list[str]]:
    """Return the differences of 8 points or more by pair of groups: number, right sign, and size.

    Only answers that rest on something count.
    """
    human, other = people(found.held), agents(found.answers, found.held, found.answers.scored())
    pairs = item_gaps(found.held, human, other)
    rows = []
    for at, (_, one, two) in enumerate(found.held.contrasts):
        gaps = compare_gaps([ours[at] for ours, _ in pairs], [theirs[at] for _, theirs in pairs], THRESHOLD)
        if gaps.number:
            share, size = f"{100 * gaps.sign_share:.0f} %", f"{gaps.ratio:.2f}"
            rows.append([f"{one} and {two}", f"{gaps.number:,}", share, size])
    return rows


def farthest(found: EngineValidation, number: int = 10) -> list[list[str]]:
    """Return the items with the largest total variation: question, share of people and of agents.

    The shares are those of the option in which they differ most.
    """
    section = _section(found, SCORED)
    if section is None:
        return []
    table = found.long()
    table["apart"] = (table["scored"] - table["human"]).abs()
    keys = sorted(
        range(len(section.items.keys)), key=lambda at: (-section.items.of("total_variation", at), at)
    )[:number]
    rows = []
    for at in keys:
        own = table[table["item"] == section.items.keys[at]]
        worst = own.sort_values("apart", ascending=False, kind="stable").to_dict("records")[0]
        shares = [f"{100 * worst[side]:.0f} %" for side in ("human", "scored")]
        rows.append([str(worst["item"]), str(worst["question"]), str(worst["option"]), *shares])
    return rows
