"""The questions of the data files of this folder, and the items that are set aside."""

from __future__ import annotations

import csv
from pathlib import Path

from library_evaluation import Asked

from voxpop.engines.question import Question, Scale
from voxpop_simulator.library.items import items
from voxpop_simulator.library.wording import plain

HERE = Path(__file__).parent
FAMILIES = HERE.parents[1] / "reference" / "library_families.csv"
TYPES = ("yes_no", "single_choice", "scale")


def set_aside() -> set[str]:
    with FAMILIES.open(encoding="utf-8") as lines:
        return {row["item"] for row in csv.DictReader(lines) if row["set_aside"] == "true"}


def _rows(name: str, cells: int) -> list[list[str]]:
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    cut = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [row for row in cut if len(row) == cells and row[cells - 3 if cells == 3 else 1] in TYPES]


def question(kind: str, text: str, parts: str) -> Question:
    if kind == "scale":
        ends, labels = parts.split(" ", 1)
        low, high = ends.split("-")
        return Question(text, kind, scale=Scale(int(low), int(high), *labels.split("; ")))
    return Question(text, kind, options=tuple(part.strip() for part in parts.split(";") if part.strip()))


def paraphrases(name: str) -> list[Asked]:
    """The paraphrases of one file with the answers that they stand for."""
    made = []
    for item, kind, text, parts, means in _rows(f"paraphrases_{name}", 5):
        places = tuple(tuple(int(place) for place in at if place != "-") for at in means.split("/"))
        made.append(Asked(question(kind, text, parts), item, places))
    return made


def unanswered(name: str) -> list[Asked]:
    """The questions of one file that no item answers."""
    return [Asked(question(*row)) for row in _rows(f"unanswered_{name}", 3)]


def in_own_words(names: set[str]) -> list[Asked]:
    """Items in their own wording, whole and without the beginning of a battery, with their own answers."""
    made = []
    for item in items():
        if item.name in names:
            places = tuple((place,) for place in range(len(item.options)))
            texts = dict.fromkeys((item.noted, item.core))
            asked = [Question(text, "single_choice", options=item.options) for text in texts]
            if [plain(option) for option in item.options] == ["yes", "no"]:
                asked += [Question(text, "yes_no") for text in texts]
            made += [Asked(one, item.name, places) for one in asked]
    return made
