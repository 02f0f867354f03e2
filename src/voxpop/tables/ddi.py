"""DDI Codebook 2.5 of a study, with the coded data that it describes, for archives and catalogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from voxpop.tables.codebook import NOTE
from voxpop.tables.coding import WEIGHT, Coded, Respondents, respondents_coded
from voxpop.tables.origin import Origin
from voxpop.tables.people import RESPONDENTS
from voxpop.tables.xml_parts import Lines, document, element, leaf

FILES = ("codebook.xml", f"{RESPONDENTS}.csv")
_SPACE = "ddi:codebook:2_5"
_SCHEMA = "https://ddialliance.org/Specification/DDI-Codebook/2.5/XMLSchema/codebook.xsd"


def write(
    cursor: DuckDBPyConnection, study: Mapping[str, Any], folder: Path, created: datetime | None
) -> None:
    """Write ``codebook.xml`` and the data as codes, ``respondents.csv``."""
    made, origin = respondents_coded(cursor, study["study_uuid"]), Origin.of_study(cursor, study)
    root = element(
        "codeBook",
        _document(origin, created),
        _study(cursor, study, origin, made),
        _file(made),
        element("dataDscr", *_sets(made), *_variables(made)),
        version="2.5",
        xmlns=_SPACE,
        xmlns__xsi="http://www.w3.org/2001/XMLSchema-instance",
        xsi__schemaLocation=f"{_SPACE} {_SCHEMA}",
    )
    codebook, data = (folder / "ddi" / name for name in FILES)
    codebook.write_text(document(root, comments=[origin.statement]), encoding="utf-8", newline="\n")
    records = [",".join(column.name for column in made.columns)]
    records += map(",".join, zip(*map(_fields, made.columns), strict=True))
    data.write_text("".join(f"{record}\n" for record in records), encoding="utf-8", newline="\n")


def _document(origin: Origin, created: datetime | None) -> Lines:
    date = [leaf("prodDate", f"{created:%Y-%m-%d}", date=f"{created:%Y-%m-%d}")] if created else []
    return element(
        "docDscr",
        element(
            "citation",
            element("titlStmt", leaf("titl", f"Codebook of {origin.title}")),
            element("prodStmt", *date, leaf("software", "voxpop", version=version("voxpop"))),
        ),
    )


def _study(cursor: DuckDBPyConnection, study: Mapping[str, Any], origin: Origin, made: Respondents) -> Lines:
    """Describe what was asked of whom, and that the answers are simulated."""
    collected = cursor.execute(
        "SELECT min(answered_at), max(answered_at) FROM answers WHERE study_uuid = ?", [study["study_uuid"]]
    ).fetchall()[0]
    dates = [
        leaf("collDate", f"{time:%Y-%m-%d}", date=f"{time:%Y-%m-%d}", event=event)
        for event, time in zip(("start", "end"), collected, strict=True)
        if time is not None
    ]
    population = ", ".join(origin.populations) or "not recorded"
    engine = ", ".join(origin.engines) or "not recorded"
    return element(
        "stdyDscr",
        element(
            "citation",
            element(
                "titlStmt",
                leaf("titl", origin.title),
                leaf("IDNo", study["study_uuid"], agency="voxpop"),
            ),
            element("prodStmt", leaf("software", "voxpop", version=version("voxpop"))),
        ),
        element(
            "stdyInfo",
            *([leaf("abstract", origin.objective, contentType="abstract")] if origin.objective else []),
            leaf("abstract", origin.statement, contentType="abstract"),
            element(
                "sumDscr",
                *dates,
                leaf("anlyUnit", "Simulated agent"),
                leaf("universe", f"Simulated agents of the population {population}; no people", clusion="I"),
                leaf("dataKind", "Simulated survey answers"),
            ),
        ),
        element(
            "method",
            element(
                "dataColl",
                leaf("sampProc", f"{made.rows:,} agents drawn from the simulated population {population}."),
                leaf("collMode", f"Simulated: answers made by the engine {engine}. No person was asked."),
                element("sources", leaf("dataSrc", origin.line or "Source not recorded")),
                *([leaf("weight", _WEIGHTED)] if _weight(made) else []),
            ),
            *(leaf("notes", remark, subject="basis of answers") for remark in made.remarks),
        ),
        element("dataAccs", element("useStmt", leaf("conditions", NOTE))),
    )


_WEIGHTED = f"{WEIGHT} is the inverse of the probability with which an agent was drawn into the study."


def _file(made: Respondents) -> Lines:
    return element(
        "fileDscr",
        element(
            "fileTxt",
            leaf("fileName", FILES[1]),
            leaf("fileCont", f"One row per agent, answers as codes. {NOTE}"),
            element("dimensns", leaf("caseQnty", made.rows), leaf("varQnty", len(made.columns))),
            leaf("fileType", "CSV with a header record; empty if missing without a reason", charset="UTF-8"),
        ),
        ID="F1",
        URI=FILES[1],
    )


def _weight(made: Respondents) -> str | None:
    """Return the id of the weight, if agents have one."""
    for place, column in enumerate(made.columns, 1):
        if column.name == WEIGHT and column.valid().any():
            return f"V{place}"
    return None


def _sets(made: Respondents) -> Iterator[Lines]:
    """Yield a group for the options of each multiple choice and ranking."""
    place, number = 1, 0
    for family in made.families():
        if family[0].of:
            number += 1
            yield element(
                "varGrp",
                leaf("labl", family[0].of_label),
                ID=f"G{number}",
                type="multipleResp" if family[0].kind == "option" else "other",
                **({} if family[0].kind == "option" else {"otherType": "ranking"}),
                var=" ".join(f"V{place + step}" for step in range(len(family))),
                name=family[0].of,
            )
        place += len(family)


def _variables(made: Respondents) -> Iterator[Lines]:
    weight = _weight(made)
    for place, column in enumerate(made.columns, 1):
        own = f"V{place}"
        marks: dict[str, object] = {"ID": own, "name": column.name, "files": "F1"}
        if own == weight:
            marks["wgt"] = "wgt"
        elif weight:
            marks["wgt-var"] = weight
        marks["intrvl"] = "contin" if column.kind == "quantity" else "discrete"
        yield element("var", *_variable(column), **marks)


def _variable(column: Coded) -> Iterator[Lines]:
    """Yield the parts of a variable in the order of the standard."""
    valid = column.valid()
    yield leaf("labl", column.label or column.name)
    if column.wording:
        yield element("qstn", leaf("qstnLit", column.wording))
    held = None if column.texts else column.cells[valid]
    if column.kind in ("quantity", "place") and held is not None and len(held):
        units = "INT" if np.array_equal(np.round(held), held) else "REAL"
        ends = leaf("range", UNITS=units, min=_number(held.min()), max=_number(held.max()))
        yield element("valrng", ends)
    if column.missing:
        yield element("invalrng", *(leaf("item", VALUE=_number(code)) for code in column.missing))
    yield leaf("sumStat", int(valid.sum()), type="vald")
    yield leaf("sumStat", int((~valid).sum()), type="invd")
    if column.kind == "quantity" and held is not None and len(held):
        for name, value in (("min", held.min()), ("max", held.max()), ("mean", _mean(held))):
            yield leaf("sumStat", _number(value), type=name)
    if notes := " ".join(part for part in (column.notice, column.unit and f"Unit: {column.unit}.") if part):
        yield leaf("txt", notes)
    if not column.texts:
        yield from _categories(column)
    yield leaf("varFormat", type="character" if column.texts else "numeric", schema="other")


def _categories(column: Coded) -> Iterator[Lines]:
    """Yield each labelled code with its frequency; codes of missing answers are marked."""
    labels = dict(column.values)
    if column.points:
        labels = {float(one): labels.get(float(one), "") for one in range(*_span(column.points))}
    for codes, marks in ((labels, {}), (column.missing, {"missing": "Y"})):
        for code, text in codes.items():
            yield element(
                "catgry",
                leaf("catValu", _number(code)),
                *([leaf("labl", text)] if text else []),
                leaf("catStat", int((column.cells == code).sum()), type="freq"),
                **marks,
            )


def _span(points: tuple[int, int]) -> tuple[int, int]:
    return points[0], points[1] + 1


def _mean(held: Any) -> float:
    return float(np.round(np.sum(held) / len(held), 6))


def _number(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else repr(float(value))


def _fields(column: Coded) -> list[str]:
    if column.texts:
        return ['"' + text.replace('"', '""') + '"' if text else "" for text in column.cells]
    return ["" if np.isnan(cell) else _number(float(cell)) for cell in column.cells]
