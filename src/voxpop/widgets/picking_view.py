"""The view of filter selection: collapsible fields with counts, and the current audience."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from voxpop.vocabulary import FIELDS, Between, Filter
from voxpop.vocabulary.fields import Field
from voxpop.widgets.controls import button, check, entry, fold, radios, said, status
from voxpop.widgets.labels import GROUPS, stands_for, value_label
from voxpop.widgets.live_counts import Band
from voxpop.widgets.picks import chosen_values, shown_values
from voxpop.widgets.tree import Node, h

if TYPE_CHECKING:
    from voxpop.widgets.picking import Picking


def fields_part(picking: Picking) -> Node:
    """Return the fields, each with its values and counts."""
    filters, look = picking.filters, picking._look
    ways = (("all", "every condition"), ("any", "at least one of them"))
    match = radios("match", "Agents meet", ways, filters.match, "match") if filters.terms > 1 else None
    groups = []
    for group, heading in GROUPS.items():
        members = [one for one in picking._fields if one.group == group]
        used = sum(filters.get(one.name) is not None for one in members)
        told = f"{heading} · {used} chosen" if used else heading
        inside = [_field(picking, one) for one in members] if group in look.open_groups else []
        is_open = group in look.open_groups
        groups.append(
            fold(group, h("span", told), inside, open=is_open, do="group", look="vxp-fold vxp-group")
        )
    uncounted = (
        None
        if picking._counts.by_value
        else h("p", "This service does not count by value.", class_="vxp-hint")
    )
    lists = h("div", groups, class_="vxp-folds vxp-lists", key="lists")
    return h("div", match, uncounted, lists, class_="vxp-stack", key="fields")


def _field(picking: Picking, known: Field) -> Node:
    name, look = known.name, picking._look
    condition = picking.filters.get(name)
    chosen = h("span", f" {_chosen(name, condition)}", class_="vxp-chosen") if condition is not None else None
    is_open = name in look.open_fields
    inside: list[Node] = []
    if is_open:
        inside += _range(picking, known) if known.kind == "range" else _values(picking, known)
        if countries := picking._counts.unknown_in(name):
            told = f"Not known for all agents in {', '.join(countries)}."
            inside.append(h("p", told, class_="vxp-hint", key="unknown"))
    return fold(name, [h("b", known.label), chosen], inside, open=is_open, do="field")


def _chosen(name: str, condition: Any) -> str:
    if isinstance(condition, Between):
        low, high = condition.min, condition.max
        return (
            f"from {low:g}" if high is None else f"up to {high:g}" if low is None else f"{low:g} to {high:g}"
        )
    values = [value_label(name, value) for value in chosen_values(condition)]
    return ", ".join(values) if len(values) < 4 else f"{', '.join(values[:2])} and {len(values) - 2} more"


def _range(picking: Picking, known: Field) -> Iterator[Node]:
    name = known.name
    condition = picking.filters.get(name)
    held = condition if isinstance(condition, Between) else Between(None, None)
    low, high = picking._counts.ranges.get(name, (None, None))
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
            error=picking._trouble.get(f"{name}-{side}"),
        )
        for side, label, bound, do, seen in ends
    ]
    yield h("p", span, class_="vxp-hint")
    bands = picking._counts.bands.get(name, ())
    if bands:
        yield _bands(known, bands, condition)
    yield h("div", boxes, class_="vxp-row vxp-top")
    yield status(picking._look.notes.get(name, ""), id=f"{name}-note", look="vxp-hint")


def _bands(known: Field, bands: Sequence[Band], condition: Any) -> Node:
    """Return a range as a histogram whose bars can be selected."""
    largest = max(band.count for band in bands)
    buttons = []
    for band in bands:
        words = (
            f"{band.low:g} and over"
            if band.high is None
            else f"{band.low:g}"
            if band.low == band.high
            else f"{band.low:g} to {band.high:g}"
        )
        told = [h("span", words), h("span", f"{band.count:,}", class_="vxp-count")]
        share = {"--share": f"{band.count / largest if largest else 0:.3f}"}
        pressed = condition == Between(band.low, band.high)
        named = f"{words} {band.count:,} ({known.label})"
        buttons.append(
            h(
                "button",
                told,
                type="button",
                on="band",
                at=[known.name, band.low, band.high],
                class_="vxp-band",
                aria_pressed="true" if pressed else "false",
                aria_label=named,
                vars=share,
                key=str(band.low),
            )
        )
    return h("div", buttons, class_="vxp-bands", role="group", aria_label=known.label, key="bands")


def _values(picking: Picking, known: Field) -> Iterator[Node]:
    name, look, counts = known.name, picking._look, picking._counts
    condition = picking.filters.get(name)
    typed = look.typed.get(name, "")
    shown, left = shown_values(name, condition, counts, typed, name in look.whole)
    if len(counts.options(name)) > 10 or typed:
        yield _search(picking, known, typed, found=len(shown) + left)
    elif name in picking._trouble:
        yield from said(name, None, picking._trouble[name])[0]
    chosen = chosen_values(condition)
    if known.kind == "list" and len(chosen) > 1:
        kind = "all" if type(condition).__name__ == "AllOf" else "any"
        ways = (("any", "any of these"), ("all", "all of these"))
        yield radios(f"{name}-want", f"Agents have ({known.label})", ways, kind, "want", name)
    boxes = []
    largest = max((counts.of(name, found.value) or 0 for found in shown), default=0)
    for found in shown:
        value = found.value
        count = counts.of(name, value)
        levels = stands_for(name, value) if isinstance(value, str) else ()
        note = found.note or (f"{value} → {', '.join(levels)}" if levels else None)
        label = [value_label(name, value), h("span", f" {note}", class_="vxp-hint") if note else None]
        line = check(
            f"{name}-{value}".replace(" ", "_"),
            label,
            value in chosen,
            "pick",
            [name, value],
            aside=None if count is None else f"{count:,}",
        )
        share = (count or 0) / largest if largest else 0
        boxes.append(Node(line.tag, {**line.attrs, "vars": {"--share": f"{share:.3f}"}}, line.children))
    yield h(
        "fieldset",
        h("legend", known.label, class_="vxp-hidden"),
        h("div", boxes, class_="vxp-values"),
        key="values",
    )
    yield from _rest_of_list(known, left, bool(typed), name in look.whole)


def _search(picking: Picking, known: Field, typed: str, found: int) -> Node:
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
        error=picking._trouble.get(name),
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


def audience_part(picking: Picking) -> Iterator[Node]:
    """Yield the filter as a sentence, the number of matches, and its conditions with remove buttons."""
    sentence = picking.filters.sentence()
    yield h("p", sentence[:1].upper() + sentence[1:], class_="vxp-sentence", key="sentence")
    yield status(count_words(picking), id="count", look="vxp-big")
    for number, told in enumerate(lacking(picking)):
        yield h("p", told, class_="vxp-hint", key=f"unknown-{number}")
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
        for name, condition in picking.filters.conditions
    ]
    chips += [
        h(
            "li",
            button(
                f"{Filter(groups=(group,)).sentence().removeprefix('all agents, ')} ×",
                "drop_group",
                group.kind,
                look="small",
                name=f"{Filter(groups=(group,)).sentence()} × Remove this condition",
            ),
            key=f"group-{group.kind}",
        )
        for group in picking.filters.groups
    ]
    if chips:
        clear = (
            h("li", button("Clear all", "clear", look="small plain"), key="clear") if len(chips) > 1 else None
        )
        yield h("ul", chips, clear, class_="vxp-chips", aria_label="Conditions", key="chips")


def lacking(picking: Picking) -> list[str]:
    """Return a sentence for each chosen field that is unknown where it is asked for."""
    return picking._counts.lacking(picking.filters) if picking.available is not None else []


def count_words(picking: Picking) -> str:
    """Return the number of matching agents as a sentence."""
    total = picking.available
    if total is None:
        return "Counting …"
    if not total and lacking(picking):
        return "Not known"
    return f"{total:,} {'agent matches' if total == 1 else 'agents match'}"
