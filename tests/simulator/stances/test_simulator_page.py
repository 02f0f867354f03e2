"""docs/simulator.md lists every regularity of the code with size, source and status."""

from __future__ import annotations

from pathlib import Path

from test_published_directions import FINDINGS

from voxpop_simulator.questions.how_often import HABITS, USUAL
from voxpop_simulator.questions.question_frames import FRAMES
from voxpop_simulator.stances.leanings import CHECKED, LEANINGS
from voxpop_simulator.stances.life_facts import SCREENS
from voxpop_simulator.stances.numbers import numbers
from voxpop_simulator.stances.options import lists
from voxpop_simulator.stances.toplines import toplines

PAGE = (Path(__file__).parents[3] / "docs" / "simulator.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def looked_up(checked: bool) -> str:
    return "checked" if checked else "unverified"


def weights(table_of: dict[str, float]) -> str:
    return ", ".join(f"{name} {weight:+g}" for name, weight in table_of.items()) or "-"


def test_every_leaning_is_on_the_page_with_its_weights_and_source() -> None:
    assert table("Leanings") == [
        [name, weights(of), source, looked_up(name in CHECKED)] for name, (of, source) in LEANINGS.items()
    ]


def test_every_screening_share_is_on_the_page() -> None:
    assert table("Screening shares") == [
        [s.name, f"{s.share * 100:g} %", weights(s.weights), s.source, looked_up(s.checked)] for s in SCREENS
    ]


def test_every_tested_finding_is_on_the_page() -> None:
    assert table("Findings that hold as tests") == [
        [f.name, f"{f.least:g} to {f.most:g}", f.source, looked_up(f.checked)] for f in FINDINGS
    ]


def test_every_frame_is_on_the_page() -> None:
    assert table("Usual answers") == [
        [f.name, f"{f.mean:g}", f"{f.spread:g}", f"{f.skew:g}", f"{f.yes * 100:g} %"] for f in FRAMES
    ]


def test_every_habit_is_on_the_page_and_says_whether_it_is_a_guess() -> None:
    assert table("How often people do things") == [
        [
            *(h.name, f"{10**h.middle:.3g}", f"{h.spread:g}", f"{h.never * 100:g} %", h.source),
            "-" if h.source == "ours" else looked_up(h.checked),
        ]
        for h in (*(habit for _, habit in HABITS), USUAL)
    ]


def told(seen: str) -> str:
    return "-" if seen == "ours" else seen


def test_every_list_of_options_is_on_the_page_with_its_source() -> None:
    assert table("Common options") == [
        [
            *(each.name, str(len(each.entries))),
            ", ".join(f"{entry.name} {entry.share * 100:g} %" for entry in each.entries[:3]),
            *(each.source, told(each.seen)),
        ]
        for each in lists()
    ]


def test_every_usual_number_is_on_the_page() -> None:
    assert table("Usual numbers") == [
        [
            *(f"{n.section}: {n.name}", f"{n.usual:,.10g}", n.per, f"{n.spread:g}", f"{n.none * 100:g} %"),
            *(n.source, told(n.seen)),
        ]
        for section in numbers().values()
        for n in section
    ]


def test_every_topline_is_on_the_page() -> None:
    assert table("Published shares of yes") == [
        [line.question, f"{line.yes * 100:g} %", line.source, told(line.seen)] for line in toplines()
    ]
