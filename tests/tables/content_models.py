"""Content models of XML standards: the children of each element in order, and its attributes.

Written from the document type of Triple-S XML 2.0 and the schema of DDI Codebook 2.5.1 for the elements that
exports use. A model is a regular expression over the names of the children, each followed by a space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

Model = tuple[str, frozenset[str], frozenset[str]]
"""Children, required attributes, further attributes."""


def model(children: str = "", required: str = "", allowed: str = "") -> Model:
    return children, frozenset(required.split()), frozenset(allowed.split())


TRIPLE_S: Mapping[str, Model] = {
    "sss": model("(date )?(time )?(origin )?(user )?survey ", "version", "languages modes"),
    "survey": model("(name )?(version )?(title )?record "),
    "record": model("(variable )+", "ident", "href format skip"),
    "variable": model(
        "name label position (filter )?((spread )?(values )?|size )", "ident type", "use format"
    ),
    "values": model("((value )+|range (value )*)"),
    "value": model("", "code", "score"),
    "range": model("", "from to"),
    "position": model("", "start", "finish"),
    "spread": model("", "subfields", "width"),
    **dict.fromkeys(("date", "time", "origin", "user", "name", "title", "label", "size"), model()),
}

_TEXTS = ("titl", "prodDate", "software", "IDNo", "abstract", "collDate", "anlyUnit", "universe", "dataKind")
_MORE_TEXTS = ("sampProc", "collMode", "dataSrc", "weight", "notes", "conditions", "fileName", "fileCont")
_LEAVES = ("caseQnty", "varQnty", "fileType", "labl", "qstnLit", "sumStat", "txt", "catValu", "catStat")

DDI: Mapping[str, Model] = {
    "codeBook": model("(docDscr )*(stdyDscr )+(fileDscr )*(dataDscr )*(otherMat )*", "version"),
    "docDscr": model("(citation )?"),
    "stdyDscr": model("(citation )+(stdyInfo )*(method )*(dataAccs )*"),
    "citation": model("titlStmt (rspStmt )?(prodStmt )?(distStmt )?(serStmt )*(verStmt )*(biblCit )*"),
    "titlStmt": model("titl (subTitl )*(altTitl )*(parTitl )*(IDNo )*"),
    "prodStmt": model("(producer )*(copyright )*(prodDate )*(prodPlac )*(software )*"),
    "stdyInfo": model("(studyBudget )?(subject )*(abstract )*(sumDscr )*"),
    "sumDscr": model("(collDate )*(anlyUnit )*(universe )*(dataKind )*"),
    "method": model("(dataColl )*(notes )*"),
    "dataColl": model("(sampProc )*(collMode )*(resInstru )*(sources )?(collSitu )*(weight )*"),
    "sources": model("(dataSrc )*"),
    "dataAccs": model("(useStmt )*"),
    "useStmt": model("(conditions )*"),
    "fileDscr": model("(fileTxt )*", "", "ID URI"),
    "fileTxt": model("(fileName )*(fileCont )*(dimensns )?(fileType )*"),
    "dimensns": model("(caseQnty )*(varQnty )*"),
    "dataDscr": model("(varGrp )*(var )*"),
    "varGrp": model("(labl )*", "", "ID type otherType var name"),
    "var": model(
        "(labl )*(qstn )*(valrng )*(invalrng )*(sumStat )*(txt )*(catgry )*(varFormat )?",
        "name",
        "ID files wgt wgt-var intrvl",
    ),
    "qstn": model("(qstnLit )*"),
    "valrng": model("(item |range )+"),
    "invalrng": model("(item |range )+"),
    "item": model("", "", "VALUE UNITS"),
    "range": model("", "", "UNITS min max"),
    "catgry": model("(catValu )?(labl )*(txt )*(catStat )*", "", "missing"),
    "varFormat": model("", "", "type schema"),
    **dict.fromkeys(
        (*_TEXTS, *_MORE_TEXTS, *_LEAVES),
        model("", "", "date event version agency contentType clusion subject charset type"),
    ),
}


def violations(root: ElementTree.Element, models: Mapping[str, Model]) -> Iterator[str]:
    """Yield each element whose children or attributes differ from its model."""
    for element in root.iter():
        name = _plain(element)
        if name not in models:
            yield f"{name} is no element of the standard"
            continue
        children, required, allowed = models[name]
        held = "".join(f"{_plain(child)} " for child in element)
        if not re.fullmatch(children, held):
            yield f"{name} holds {held}"
        marks = {mark for mark in element.attrib if not mark.startswith("{")}
        if not required <= marks <= required | allowed:
            yield f"{name} has the attributes {sorted(marks)}"


def _plain(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
