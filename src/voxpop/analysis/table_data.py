"""The data of a table: figures with bases, letters and marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from voxpop.analysis.figures import LEVEL, Column, Figures, Group
from voxpop.analysis.sig_test import SigTest, marked
from voxpop.analysis.significance import Compared, Rows, compare
from voxpop.analysis.table_spec import TableSpec
from voxpop.survey.provenance import Provenance

NOT_ASKED = "not asked"

_LONG = (
    *("question", "row_kind", "row", "column_group", "column", "letter"),
    *("count", "weighted_count", "base", "weighted_base", "effective_base"),
    *("percent", "ci_low", "ci_high", "higher_than", "flag", "footnote"),
)
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class TableData:
    """The figures of a table, with bases, letters and marks."""

    name: str
    text: str
    rows: tuple[tuple[str, str], ...]
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    figures: Figures
    missing_label: str
    multiple: bool
    parts: Mapping[str, tuple[str, ...]]
    asked: TableSpec
    source: str
    remarks: tuple[str, ...]
    respondents: int
    stat_labels: tuple[str, str, str] = ("Mean", "SD", "Median")
    ordered: bool = False
    provenance: Provenance = "unknown"
    grounds: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the levels of the question, in order."""
        return tuple(label for kind, label in self.rows if kind == "code")

    def long(self) -> pd.DataFrame:
        """Return one row per cell, then one row per column for its base and for its missing answers.

        Percentages and intervals are from 0 to 100, at full precision; NaN if a base is zero. A table of a
        numeric question also has rows of kind ``stat``, with their figures in an additional column ``value``.
        """
        made = pd.DataFrame(
            [*self._cells(), *self._stats(), *self._bases()],
            columns=[*_LONG, *self._more()],
        )
        return made.astype({"count": "int64", "base": "int64"})

    def _more(self) -> list[str]:
        arrows = self.asked.sig is not None and not self.asked.sig.lettered
        return [*(["lower_than"] if arrows else []), *([] if self.figures.means is None else ["value"])]

    def wide(self) -> pd.DataFrame:
        """Return the displayed table as numbers: bases, percentages, statistics, missing answers."""
        f = self.figures
        stats = [
            (label, [values[place] for values in self.stats()])
            for place, label in enumerate(self.stat_labels)
        ]
        blocks: list[tuple[str, Any]] = [
            *self.base_rows(),
            *((label, line) for (_, label), line in zip(self.rows, f.percent, strict=True)),
            *(stats if f.means is not None else []),
            *((label, held[0]) for label, held in self.missing_rows()),
        ]
        columns = pd.MultiIndex.from_tuples([(column.group, column.label) for column in self.columns])
        return pd.DataFrame(
            [held for _, held in blocks], index=[label for label, _ in blocks], columns=columns
        )

    def spec(self) -> dict[str, Any]:
        """Return the specification as data, sufficient to compute the table again."""
        asked = self.asked
        return {
            "table": asked.call,
            "rows": self.name,
            "by": [by if isinstance(by, str) else by.to_json() for by in asked.by],
            "weight": asked.weight,
            "where": asked.where,
            "percent": asked.percent,
            "sig": None if asked.sig is None else asked.sig.to_json(),
            "nets": {label: list(levels) for label, levels in asked.nets.items()} or None,
            "boxes": asked.boxes,
            "min_base": asked.min_base,
            "small_base": asked.small_base,
            **(asked.more or {}),
            "interval": {"method": "wilson", "level": LEVEL},
            "respondents": self.respondents,
            "source": self.source,
        }

    def compared(self) -> list[tuple[Group, Compared]]:
        """Compare the columns of each group, by the table's test or the default one."""
        test = self.asked.sig or SigTest()
        weighted = self.asked.weight is not None
        made = []
        for group in self.groups:
            moments = self.figures.means if test.method != "unweighted" else self.figures.plain
            rows = Rows(
                tuple(label for _, label in self.rows),
                self.figures.cells[:, :, group.places],
                self.figures.bases[:, group.places],
                group.shared,
                None if moments is None else moments[group.places],
                len(self.levels),
                group.overlaps,
                None if group.rest is None else group.rest[1 if test.method == "unweighted" else 0],
            )
            made.append((group, compare(rows, test, weighted=weighted, min_base=self.asked.min_base)))
        return made

    def letters(self) -> list[list[str]]:
        """Return the letters of significantly lower columns, or arrows, per row (then mean) and column."""
        made = [["" for _ in self.columns] for _ in range(len(self.rows) + 1)]
        if self.asked.sig is None:
            return made
        for group, compared in self.compared():
            names = [column.letter for column in self.columns[group.places]]
            own = compared.letters(self.asked.sig, names)
            for line, found in zip(made, own, strict=False):
                line[group.places] = found
        return made

    def stats(self) -> list[tuple[float, float, float]]:
        """Return the mean, standard deviation and median per column, if the question is numeric."""
        return [(held.mean, held.sd, held.median) for held in self.figures.means or ()]

    def base_rows(self) -> list[tuple[str, Floats]]:
        """Return the rows of bases with their labels: one without weights, three with weights."""
        labels = ("Base (unweighted)", "Base (weighted)", "Effective base")
        bases = list(zip(labels, self.figures.bases, strict=True))
        return bases if self.asked.weight else bases[:1]

    def missing_rows(self) -> list[tuple[str, Floats]]:
        """Return the rows outside all bases: no answer, and not asked, if known from a store."""
        f = self.figures
        return [(self.missing_label, f.missing), *([(NOT_ASKED, f.unasked)] if f.unasked[0].any() else [])]

    def flag(self, effective: float) -> str:
        """Return the mark of a base: ``**`` too small to read, ``*`` small."""
        if effective < self.asked.min_base:
            return "**"
        return "*" if effective < self.asked.small_base else ""

    def footnote(self, flag: str) -> str:
        """Return the meaning of a mark."""
        base = "effective base" if self.asked.weight else "base"
        return {
            "**": f"{base} below {self.asked.min_base:g}: too small to read",
            "*": f"{base} below {self.asked.small_base:g}",
        }.get(flag, "")

    def _cells(self) -> Iterator[dict[str, Any]]:
        f, letters = self.figures, self.letters()
        for j, column in enumerate(self.columns):
            for i, (kind, label) in enumerate(self.rows):
                flag = self.flag(f.below[2, i, j])
                yield (
                    _head(self.name, kind, label, column)
                    | {"count": f.cells[0, i, j], "weighted_count": f.cells[1, i, j]}
                    | _triple(f.below[:, i, j])
                    | {"percent": f.percent[i, j], "ci_low": f.low[i, j], "ci_high": f.high[i, j]}
                    | marked(letters[i][j], self.asked.sig)
                    | {"flag": flag, "footnote": self.footnote(flag)}
                )

    def _stats(self) -> Iterator[dict[str, Any]]:
        letters = self.letters()[-1]
        for j, (column, held) in enumerate(zip(self.columns, self.figures.means or (), strict=False)):
            flag = self.flag(held.n_eff)
            low, high = held.interval(LEVEL)
            for label, value in zip(self.stat_labels, (held.mean, held.sd, held.median), strict=True):
                yield (
                    _head(self.name, "stat", label, column)
                    | {"count": held.n, "weighted_count": held.sum_w}
                    | _triple(np.array([held.n, held.sum_w, held.n_eff]))
                    | (
                        {"ci_low": low, "ci_high": high} | marked(letters[j], self.asked.sig)
                        if label == self.stat_labels[0]
                        else {}
                    )
                    | {"flag": flag, "footnote": self.footnote(flag), "value": value}
                )

    def _bases(self) -> Iterator[dict[str, Any]]:
        f = self.figures
        for j, column in enumerate(self.columns):
            left = (("missing", label, held) for label, held in self.missing_rows())
            for kind, label, held in (("base", "Base", f.bases), *left):
                flag = self.flag(f.bases[2, j]) if kind == "base" else ""
                yield (
                    _head(self.name, kind, label, column)
                    | {"count": held[0, j], "weighted_count": held[1, j]}
                    | _triple(f.bases[:, j])
                    | {"flag": flag, "footnote": self.footnote(flag)}
                )


def _head(question: str, kind: str, row: str, column: Column) -> dict[str, Any]:
    return {
        "question": question,
        "row_kind": kind,
        "row": row,
        "column_group": column.group,
        "column": column.label,
        "letter": column.letter,
        **dict.fromkeys(("higher_than", "lower_than"), ""),
    }


def _triple(bases: Sequence[float] | Floats) -> dict[str, float]:
    return dict(zip(("base", "weighted_base", "effective_base"), bases, strict=True))
