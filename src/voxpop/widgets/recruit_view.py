"""What `RecruitBuilder` looks like: lists or words on one side, the audience and its group on the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from voxpop.client.groups import LARGEST
from voxpop.vocabulary import FIELDS, Between
from voxpop.vocabulary.fields import Field
from voxpop.widgets.controls import (
    alert,
    button,
    check,
    choice,
    code_part,
    entry,
    fold,
    radios,
    said,
    status,
)
from voxpop.widgets.labels import GROUPS, stands_for, value_label
from voxpop.widgets.picks import chosen_values, shown_values
from voxpop.widgets.quota import cost_words
from voxpop.widgets.recruit_result import agents_table, result_part
from voxpop.widgets.tree import Node, h, table

if TYPE_CHECKING:
    from voxpop.widgets.recruit_builder import RecruitBuilder
    from voxpop.wire.agents import Agent

NOTE = "Agents are simulated. What they answer is not evidence about people."
METHODS = (
    ("random", "At random"),
    ("stratified", "In proportion to age, gender and state"),
    ("balanced", "Evenly over age and gender"),
)


@dataclass(slots=True)
class Look:
    """What is open, typed and under way; nothing of it changes which group is made."""

    open_groups: set[str] = field(default_factory=lambda: {"demographic"})
    open_fields: set[str] = field(default_factory=set)
    typed: dict[str, str] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    agents: tuple[Agent, ...] = ()
    answer: str = ""
    busy: str = ""
    news: str = ""
    more: bool = False
    code: bool = False

    def arrived(self, what: str) -> None:
        """Note what just happened, for those who hear the page instead of seeing it."""
        self.news = what


def live(builder: RecruitBuilder) -> Node:
    """Return the whole widget."""
    left = _words_part(builder) if builder.mode == "words" else _fields_part(builder)
    ways = (("fields", "Pick from lists"), ("words", "Describe in words"))
    head = h(
        "div",
        h("h3", "Recruit a group"),
        h("p", NOTE),
        class_="vxp-head",
        key="head",
    )
    main = h(
        "div",
        radios("mode", "How do you want to say who takes part?", ways, builder.mode, "mode"),
        left,
        class_="vxp-part vxp-stack",
        key="main",
    )
    side = h("div", _side(builder), class_="vxp-part vxp-side vxp-stack", key="side")
    shown = builder._look.agents if builder.mode == "fields" else ()
    agents = h("div", agents_table(shown), class_="vxp-part vxp-under", key="some") if shown else None
    code = h(
        "div",
        code_part(builder.code, open=builder._look.code, do="code"),
        class_="vxp-part vxp-under",
        key="code-part",
    )
    return h(
        "section",
        head,
        h("div", main, side, class_="vxp-two", key="two"),
        agents,
        code,
        aria_label="Recruit a group",
    )


def _fields_part(builder: RecruitBuilder) -> Node:
    filters, look = builder.filters, builder._look
    ways = (("all", "every condition"), ("any", "at least one of them"))
    match = (
        radios("match", "Agents meet", ways, filters.match, "match") if len(filters.conditions) > 1 else None
    )
    groups = []
    for group, heading in GROUPS.items():
        members = [one for one in FIELDS.values() if one.group == group]
        used = sum(filters.get(one.name) is not None for one in members)
        told = f"{heading} · {used} chosen" if used else heading
        inside = [_field(builder, one) for one in members] if group in look.open_groups else []
        is_open = group in look.open_groups
        groups.append(
            fold(group, h("span", told), inside, open=is_open, do="group", look="vxp-fold vxp-group")
        )
    uncounted = (
        None
        if builder._counts.by_value
        else h("p", "This service does not count by value.", class_="vxp-hint")
    )
    lists = h("div", groups, class_="vxp-folds vxp-lists", key="lists")
    return h("div", match, uncounted, lists, class_="vxp-stack", key="fields")


def _field(builder: RecruitBuilder, known: Field) -> Node:
    name, look = known.name, builder._look
    condition = builder.filters.get(name)
    chosen = h("span", f" {_chosen(name, condition)}", class_="vxp-chosen") if condition is not None else None
    is_open = name in look.open_fields
    inside = (
        () if not is_open else _range(builder, known) if known.kind == "range" else _values(builder, known)
    )
    return fold(name, [h("b", known.label), chosen], inside, open=is_open, do="field")


def _chosen(name: str, condition: Any) -> str:
    if isinstance(condition, Between):
        low, high = condition.min, condition.max
        return (
            f"from {low:g}" if high is None else f"up to {high:g}" if low is None else f"{low:g} to {high:g}"
        )
    values = [value_label(name, value) for value in chosen_values(condition)]
    return ", ".join(values) if len(values) < 4 else f"{', '.join(values[:2])} and {len(values) - 2} more"


def _range(builder: RecruitBuilder, known: Field) -> Iterator[Node]:
    name = known.name
    condition = builder.filters.get(name)
    held = condition if isinstance(condition, Between) else Between(None, None)
    low, high = builder._counts.ranges.get(name, (None, None))
    unit = f" {known.unit}" if known.unit else ""
    span = (
        f"Agents here have {low:g} to {high:g}{unit}."
        if low is not None and high is not None
        else known.meaning
    )
    step = "1" if known.integer else "any"
    ends = (("min", "From", held.min, "low", low), ("max", "To", held.max, "high", high))
    boxes = [
        entry(
            f"{name}-{side}",
            f"{label} ({known.label})",
            "" if bound is None else f"{bound:g}",
            do,
            name,
            kind="number",
            step=step,
            placeholder="" if seen is None else f"{seen:g}",
            error=builder._trouble.get(f"{name}-{side}"),
        )
        for side, label, bound, do, seen in ends
    ]
    yield h("p", span, class_="vxp-hint")
    yield h("div", boxes, class_="vxp-row")
    yield status(builder._look.notes.get(name, ""), id=f"{name}-note", look="vxp-hint")


def _values(builder: RecruitBuilder, known: Field) -> Iterator[Node]:
    name, look, counts = known.name, builder._look, builder._counts
    condition = builder.filters.get(name)
    typed = look.typed.get(name, "")
    shown, left = shown_values(name, condition, counts, typed, name in look.whole)
    if len(counts.options(name)) > 10 or typed:
        yield _search(builder, known, typed, found=len(shown) + left)
    elif name in builder._trouble:
        yield from said(name, None, builder._trouble[name])[0]
    chosen = chosen_values(condition)
    if known.kind == "list" and len(chosen) > 1:
        kind = "all" if type(condition).__name__ == "AllOf" else "any"
        ways = (("any", "any of these"), ("all", "all of these"))
        yield radios(f"{name}-want", f"Agents have ({known.label})", ways, kind, "want", name)
    boxes = []
    for found in shown:
        value = found.value
        count = counts.of(name, value)
        levels = stands_for(name, value) if isinstance(value, str) else ()
        note = found.note or (f"{value} → {', '.join(levels)}" if levels else None)
        label = [value_label(name, value), h("span", f" {note}", class_="vxp-hint") if note else None]
        boxes.append(
            check(
                f"{name}-{value}".replace(" ", "_"),
                label,
                value in chosen,
                "pick",
                [name, value],
                aside=None if count is None else f"{count:,}",
            )
        )
    yield h(
        "fieldset",
        h("legend", known.label, class_="vxp-hidden"),
        h("div", boxes, class_="vxp-values"),
        key="values",
    )
    yield from _rest_of_list(known, left, bool(typed), name in look.whole)


def _search(builder: RecruitBuilder, known: Field, typed: str, found: int) -> Node:
    name = known.name
    hint = f"{found:,} {'value fits' if found == 1 else 'values fit'}" if typed.strip() else None
    box = entry(
        f"{name}-search",
        f"Search in {known.label.lower() if known.label[1:2].islower() else known.label}",
        typed,
        "search",
        name,
        kind="search",
        enter="add",
        hint=hint,
        error=builder._trouble.get(name),
        look="vxp-grow",
    )
    other = not known.finite and typed.strip() and not found
    use = button(f"Use “{typed.strip()}”", "add", name, look="small") if other else None
    return h("div", box, use, class_="vxp-row", key="search")


def _rest_of_list(known: Field, left: int, typed: bool, whole: bool) -> Iterator[Node]:
    if typed or whole:
        if left > 0:
            yield h("p", f"{left:,} more: type more letters to find them.", class_="vxp-hint")
        if whole and not typed:
            yield h(
                "div",
                button(
                    "Show fewer", "all_values", known.name, look="small", name=f"Show fewer of {known.label}"
                ),
            )
    elif left > 0:
        yield h(
            "div",
            button(
                f"Show {left:,} more",
                "all_values",
                known.name,
                look="small",
                name=f"Show {left:,} more of {known.label}",
            ),
        )


def _words_part(builder: RecruitBuilder) -> Node:
    box = entry(
        "words",
        "Who should take part?",
        builder.words,
        "words",
        rows=3,
        hint="In plain words, for example: US adults 25 to 64 who own a dog and shop online. "
        "What no list knows is asked of the agents themselves.",
        error=builder._trouble.get("words"),
    )
    return h("div", box, class_="vxp-stack", key="described")


def _side(builder: RecruitBuilder) -> Iterator[Node | None]:
    yield h("h4", "Your audience", id="audience", tabindex="-1", key="audience")
    if builder.mode == "fields":
        yield from _audience(builder)
    else:
        told = builder.words.strip() or "Nothing is described yet."
        yield h("p", told, class_="vxp-sentence", key="sentence")
    yield alert(builder._trouble.get("counts", ""), id="counts-alert")
    yield from _group_part(builder)
    yield _actions(builder)
    yield status(builder._look.busy, id="busy")
    yield alert(
        builder._trouble.get("recruit") or builder._trouble.get("preview") or builder._trouble.get("", "")
    )
    yield result_part(builder)


def _audience(builder: RecruitBuilder) -> Iterator[Node]:
    sentence = builder.filters.sentence()
    yield h("p", sentence[:1].upper() + sentence[1:], class_="vxp-sentence", key="sentence")
    yield status(count_words(builder), id="count", look="vxp-big")
    chips = [
        h(
            "li",
            button(
                f"{FIELDS[name].label}: {_chosen(name, condition)} ×",
                "drop",
                name,
                look="small",
                name=f"{FIELDS[name].label}: {_chosen(name, condition)} × Remove this condition",
            ),
            key=name,
        )
        for name, condition in builder.filters.conditions
    ]
    if chips:
        clear = (
            h("li", button("Clear all", "clear", look="small plain"), key="clear") if len(chips) > 1 else None
        )
        yield h("ul", chips, clear, class_="vxp-chips", aria_label="Conditions", key="chips")


def count_words(builder: RecruitBuilder) -> str:
    """Return how many agents match, as a sentence."""
    total = builder.available
    if total is None:
        return "Counting …"
    return f"{total:,} {'agent matches' if total == 1 else 'agents match'}"


def _group_part(builder: RecruitBuilder) -> Iterator[Node]:
    trouble, look = builder._trouble, builder._look
    cost = cost_words(builder.size, builder._left) if builder._cost_known else None
    size = look.raw.get("size", str(builder.size))
    yield entry(
        "size",
        "Group size",
        size,
        "size",
        kind="number",
        live=True,
        min="1",
        max=str(LARGEST),
        step="1",
        hint=cost,
        error=trouble.get("size"),
    )
    if builder.mode == "words":
        return
    yield fold("more", "Name and sampling", _sampling(builder), open=look.more, do="more")


def _sampling(builder: RecruitBuilder) -> tuple[Node, ...]:
    trouble, look = builder._trouble, builder._look
    return (
        entry(
            "name",
            "Name of the group",
            builder.name or "",
            "name",
            placeholder="The sentence above",
            error=trouble.get("name"),
        ),
        choice("method", "How agents are drawn", METHODS, builder.sample_method, "method"),
        check("dedupe", "Avoid agents alike in age, gender, state and occupation", builder.dedupe, "dedupe"),
        entry(
            "description",
            "More about them, in words",
            builder.description,
            "description",
            rows=2,
            hint="Agents with a nearer profile are likelier; nobody is left out.",
        ),
        entry(
            "seed",
            "Seed",
            look.raw.get("seed", "" if builder.seed is None else str(builder.seed)),
            "seed",
            kind="number",
            live=True,
            min="0",
            step="1",
            hint="The same seed draws the same agents. Drawn for you when empty.",
            error=trouble.get("seed"),
        ),
    )


def why_not(builder: RecruitBuilder) -> str | None:
    """Return why a group cannot be recruited now; None when it can."""
    if builder._look.busy:
        return "This is under way."
    if "size" in builder._trouble or "seed" in builder._trouble:
        return "Mend the number above first."
    if builder.mode == "words":
        return None if builder.words.strip() else "Describe who should take part first."
    if builder.available is not None and builder.available < builder.size:
        number = builder.available
        match = (
            "nobody matches"
            if not number
            else "1 agent matches"
            if number == 1
            else f"only {number:,} agents match"
        )
        return f"You want {builder.size:,}, and {match}. Ask for fewer, or widen the audience."
    return None


def _actions(builder: RecruitBuilder) -> Node:
    reason = why_not(builder)
    agents = "agent" if builder.size == 1 else "agents"
    recruit = button(
        f"Recruit {builder.size:,} {agents}",
        "recruit",
        look="main",
        why_not=reason,
        described="why-not" if reason else None,
        key="recruit",
    )
    parts: list[Node | None] = [recruit]
    if builder.mode == "fields":
        parts.append(
            button(
                "Show five of them",
                "preview",
                key="preview",
                why_not=None if builder.available else "Nobody matches.",
            )
        )
        if builder.available is not None and 0 < builder.available < builder.size:
            parts.append(button(f"Take all {builder.available:,}", "take_all", key="take-all"))
    told = reason if reason and not builder._look.busy else ""
    return h(
        "div",
        h("div", parts, class_="vxp-line"),
        h("p", told, id="why-not", class_="vxp-hint", aria_live="polite"),
        class_="vxp-stack",
        key="actions",
    )


def still(builder: RecruitBuilder) -> Node:
    """Return what a saved notebook shows."""
    lines: list[Node] = [h("h3", "Recruit a group")]
    if builder.mode == "words":
        lines += [h("p", builder.words or "Nothing is described yet.")]
        lines += [h("p", line) for line in (builder._requested.understood() if builder._requested else ())]
    else:
        sentence = builder.filters.sentence()
        counted = f": {count_words(builder)}." if builder.available is not None else "."
        lines.append(h("p", f"{sentence[:1].upper()}{sentence[1:]}{counted}"))
    group = builder.group
    if group is not None:
        rows = _group_rows(builder)
        lines.append(table("The group", ["what", "value"], rows))
    lines.append(h("pre", builder.code))
    return h("div", lines)


def _group_rows(builder: RecruitBuilder) -> Iterable[tuple[str, str]]:
    group = builder.group
    yield "name", group.name or ""
    yield "agents", f"{group.agent_count or 0:,}"
    if group.shortfall:
        yield "missing", f"{group.shortfall:,}, because no more match"
