"""Notes on the wording of questions, following survey methodology; they never block a question.

The rules are those of questionnaire textbooks: one topic at a time, no leading words, no double negation, no
absolute terms, short enough to remember.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from voxpop.vocabulary.question_types import shape_of
from voxpop.vocabulary.shapes import CATEGORY, WORDS, Shape

LONG = 35
"""Number of words above which a question is called long."""

_LEADING = (
    r"\b(do|did|would|wo|is|are|should)n['’]t\s+(you|we|it|they|people)\b",
    r"\b(do|would|wouldn['’]t|don['’]t)\s+you\s+(not\s+)?agree\s+that\b",
    r"\bhow\s+(great|amazing|wonderful|terrible|awful|much\s+do\s+you\s+(love|hate|enjoy))\b",
    r"\b(most|many)\s+(people|experts|doctors|customers)\s+(say|think|believe|agree|know)\b",
    r"\b(obviously|clearly|of\s+course|as\s+(you|everyone|we\s+all)\s+knows?)\b",
    r",\s*(right|correct|isn['’]t\s+it|don['’]t\s+you|aren['’]t\s+you|wouldn['’]t\s+you)\s*\?",
)
_NEGATIONS = re.compile(r"\b(not|never|no|none|without|unless|hardly|\w+n['’]t)\b", re.IGNORECASE)
_ABSOLUTE = re.compile(r"\b(always|never|every\s+single|all\s+of\s+the\s+time|ever)\b", re.IGNORECASE)
_JUDGED = re.compile(
    r"\b(satisfied|happy|likely|important|rate|agree|useful|easy|like|trust|recommend|quality|feel\s+about)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\b([a-z-]{3,})\s+(and|or)\s+(?:the\s+|its\s+|your\s+)?([a-z-]{3,})\b", re.IGNORECASE)
_ONE_THING = {
    frozenset(pair)
    for pair in (
        ("yes", "no"),
        ("friends", "family"),
        ("friend", "colleague"),
        ("friends", "colleagues"),
        ("terms", "conditions"),
        ("more", "less"),
        ("pros", "cons"),
        ("food", "drink"),
        ("arts", "crafts"),
        ("agree", "disagree"),
        ("satisfied", "dissatisfied"),
        ("likely", "unlikely"),
        ("once", "twice"),
        ("health", "safety"),
        ("buy", "sell"),
        ("mother", "father"),
        ("male", "female"),
        ("children", "teenagers"),
    )
}


def wording_notes(text: str, *, type: str | None = None, options: Sequence[str] = ()) -> list[str]:
    """Return notes on the wording of a question, each with a suggestion.

    Parameters
    ----------
    text : str
        The text of the question.
    type : str, optional
        The shape of its answers.
    options : list of str
        The answer options.

    Examples
    --------
    >>> wording_notes("How satisfied are you with the price and quality?")
    ['Two things in one question: "price and quality". Ask about each on its own.']
    >>> wording_notes("How satisfied are you with the price?")
    []
    """
    return list(_notes(text.strip(), shape_of(type), options))


def _notes(text: str, shape: Shape | None, options: Sequence[str]) -> Iterator[str]:
    if len(re.findall(r"\?+", text)) > 1:
        yield "More than one question mark: ask one question at a time."
    elif (joined := _two_things(text, shape, options)) is not None:
        yield f'Two things in one question: "{joined}". Ask about each on its own.'
    if (leading := _first(_LEADING, text)) is not None:
        yield f'"{leading}" leads to an answer. Ask it evenly.'
    if len(_NEGATIONS.findall(text)) > 1:
        yield "Two negations are easily misread. Say it positively."
    elif (
        shape is not WORDS
        and (absolute := _ABSOLUTE.search(text)) is not None
        and absolute[0].lower() != "ever"
    ):
        yield f'Few can say yes to "{absolute[0]}". Ask how often instead.'
    if len(text.split()) > LONG:
        yield f"{len(text.split())} words: a shorter question is answered better."
    if text and not text.endswith(("?", ".", ":")) and len(text.split()) > 2:
        yield "End it as a question."
    folded = {option.strip().casefold() for option in options}
    if shape is CATEGORY and len(folded) > 4 and not folded & {"other", "none of these", "none"}:
        yield "Does an option fit everybody? Perhaps add Other or None of these."


def _two_things(text: str, shape: Shape | None, options: Sequence[str]) -> str | None:
    """Return what is joined in a question that asks for one judgement; open questions may join topics.

    Topics distinguished by the options are not reported.
    """
    if shape is WORDS or _JUDGED.search(text) is None:
        return None
    offered = " ".join(options).lower()
    for found in _JOINED.finditer(text):
        both = found[1].lower(), found[3].lower()
        told_apart = any(word in offered for word in both) or text[: found.start()].endswith(",")
        if frozenset(both) not in _ONE_THING and not told_apart:
            return found[0]
    return None


def _first(patterns: Sequence[str], text: str) -> str | None:
    for pattern in patterns:
        if (found := re.search(pattern, text, re.IGNORECASE)) is not None:
            return found[0].strip(" ,?")
    return None
