"""Inference of type, options, scale and unit from a question's text; given fields take precedence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from voxpop.engines import question_fields
from voxpop.engines.question import Question, Scale
from voxpop.vocabulary.bounds import as_read
from voxpop.vocabulary.question_parts import MAX_OPTION_TEXT, MAX_OPTIONS
from voxpop.vocabulary.question_types import question_type
from voxpop.vocabulary.shapes import RANKING
from voxpop_simulator.questions import option_lists as listing
from voxpop_simulator.questions.completion import in_full
from voxpop_simulator.questions.pairs import pair_in
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.scales import read_scale
from voxpop_simulator.questions.units import read_unit

NEVER = "Never"
HOW_OFTEN = (
    "Every day",
    "Several times a week",
    "About once a week",
    "A few times a month",
    "Less often",
    NEVER,
)

_MULTI = Pattern(
    r"\b(?:select|choose|check|tick|mark|pick|list|name) (?:all|any|as many|every|up to|one or more|two"
    r"|three|several|the ones)\b"
    r"|\ball that apply\b|\bmultiple answers\b|\bmore than one answer\b|\bcheck boxes\b|\bas many as\b"
    r"|\bwhich ones\b|^(?!.*\b(?:most|best|main|mainly|first|primary|favou?rite|prefer|least|one)\b)"
    r"(?:which|what) of (?:these|the following)\b.*\b(?:do|have|did) you\b"
    r"|\bpick your top\b|\bselect your top\b"
    r"|^(?!.*\b(?:most|best|main|mainly|first|primary|favou?rite|prefer|least)\b)which (?:\w+ ){0,3}?"
    r"(?:services|apps|platforms|brands|devices|products|stores|channels|websites|sites|subscriptions"
    r"|networks|tools) (?:do|have) you (?:currently |usually |regularly |ever |personally )?"
    r"(?:used?|own|have|buy|bought|watch|subscribe|shop|visit|pay)",
    re.I,
)
_SEVERAL = Pattern(
    r"^(?!.*\b(?:most|last|first|best|main|mainly|one)\b)(?:which|what|where) .*"
    r"\b(?:have you|did you|do you (?:use|own|watch|visit|read|shop|subscribe|pay))\b",
    re.I,
)
"""Questions with several valid options if "none" is offered too."""
_NONE = frozenset(("none", "none of these", "none of the above", "none of them", "nothing"))
_RANKING = Pattern(
    r"\brank\b|\branking\b|\brank-order\b|\bin order of\b|\bfrom (?:most|best|least|worst) to (?:least"
    r"|worst|most|best)\b"
    r"|\bput (?:these|the following|them) in order\b|\bsort (?:these|the following)\b|\border (?:these"
    r"|the following)\b",
    re.I,
)
_AUXILIARY = Pattern(
    r"^(?:and |so |but |now |also |ok |okay |well |then |in general |overall |honestly |would you say "
    r"|(?:in|over|during|within) the (?:last|past) (?:\w+ )?(?:days?|weeks?|months?|years?),? "
    r"|please tell us |"
    r"tell us |yes or no)?[,:]?\s*"
    r"(?:do|does|did|are|is|am|was|were|have|has|had|can|could|would|will|should|may|might|shall|must|need)"
    r"(?:n't|n’t)?\s+(?:not\s+)?(?:you|your|it|its|this|that|these|those|the|a|an|any|anyone|anybody"
    r"|there|they|we|our|i|my|he|she"
    r"|someone|people|most|all|some|such|[$£€¥₹]?\w+)\b",
    re.I,
)
_OPEN_LEAD = Pattern(
    r"^(?:can|could|would|will) you (?:please |kindly |briefly |also )?(?:tell(?! (?:the"
    r" difference|apart|whether))"
    r"|describe(?! yourself)|explain|share|elaborate|walk|list|name|"
    r"give (?:us|me|some|more|details|an? (?:example|reason|sense|idea))\b|"
    r"talk|say more|say what|mind (?:telling|describing|sharing)|help us understand)\b"
    r"|^(?:do|would|did) you have any(?:thing)? (?:other |further |additional |more |else |final |general )*"
    r"(?:suggestions?|thoughts?|comments?|advice|ideas?|feedback|questions?|tips|remarks?|to add|to say)\b"
    r"|^(?:and |but )?what if\b|^is there (?:any|some)thing\b"
    r"|^are there any (?:other )?(?:reasons|comments|ways|things)\b",
    re.I,
)
AT_ANOTHER = Pattern(
    r"^(?:and |but |or )?(?:what (?:about|if it (?:was|were|costs?|is))|how about|if it (?:was|were|cost))?"
    r" ?(?:at|for|only|just)? ?(?:[$£€¥₹]\s?)?\d[\d,.]*(?: ?%| percent| dollars?"
    r"| (?:minutes?|hours?|days?|weeks?|months?|years?|miles?))?(?: (?:a|per) (?:month|week|year|day))?\?$",
    re.I,
)
"""A question with another price or number for an earlier question."""
_ANY = Pattern(
    r"^(?:is|was|are|were) there (?:some|any)(?:thing|one|body)?\b|^have you ever\b|^do you have (?:a|any)\b",
    re.I,
)
_TRACK = Pattern(r"\bright (?:direction|track)\b.*\bor\b.*\bwrong (?:track|direction)\b", re.I)
"""A common poll question, with its options as usually tabulated."""
_TOLD_OF = Pattern(
    r"[?]\s+(?:if (?:so|yes),? )?(?:please )?(?:tell (?:us|me)(?: more)? about|describe)\b", re.I
)
_BESIDE = Pattern(r",? if (?:any|at all)\b|,? and (?:why|if so)\b.*$", re.I)
"""Text that is not part of the options: "Are you a cat person or a dog person, and why?"."""
_WEIGHS = Pattern(
    r"\bwhat\b.*\b(?:matters?|important|look for)\b.*\b(?:besides|other than|apart from|aside from)\b", re.I
)
"""Mentions of price in a question on something else: "What matters to you besides price?"."""
_LEAD = Pattern(r"(?:(?:in|at|on|during) the|with|by) ", re.I)
FOLLOW_UP = Pattern(
    r"^(?:and |but |if (?:so|not|yes|no),? )?(?:why|why not|why or why not|please explain|explain"
    r"|please elaborate|how come|what makes you say"
    r"|what is your reason|please tell us why|tell us why|if (?:so|not|yes|no))\b",
    re.I,
)
PROBE = Pattern(
    r"^(?:(?:and|okay|ok|thanks|thank you|interesting|great),? )*"
    r"(?:how so|in what (?:way|sense)s?|(?:such as|like) what|for (?:example|instance)|go on"
    r"|(?:please )?(?:(?:can|could|would) (?:you|we) )?(?:please )?(?:(?:tell (?:me|us)|say)"
    r" (?:a (?:bit|little) )?more|explain|elaborate|expand|be more specific"
    r"|give (?:me |us )?(?:an|one|some) examples?)|what (?:exactly )?do you mean)\b"
    r"(?: (?:about|on|by|of|what|that|this|it|you|mean|there|further|a|bit|please))*[.?!]*$",
    re.I,
)
"""A question for more of the same."""
_AND_WHY = Pattern(r"\band (?:why|what makes)\b", re.I)
_TELLS = Pattern(
    r"^(?:please )?(?:tell (?:us|me) (?:about|what|how)|describe|walk (?:us|me) through"
    r"|talk about)\b[^?]*[.!]$",
    re.I,
)
"""A request to describe something, which a following yes/no question does not replace."""
_ASKS_MORE = Pattern(r"^(?:please )?(?:tell (?:us|me)|explain|describe) (?:what|how|in)\b", re.I)
"""An open request after a short question: "Tea or coffee? Tell us what makes you choose it."."""


class QuestionReader:
    """Infers type, options, scale and unit of a question from its text."""

    def read(
        self,
        text: str,
        *,
        type: str | None = None,
        options: Sequence[str] = (),
        scale: Scale | None = None,
    ) -> Question:
        """Return a question with missing fields inferred (:class:`~voxpop.engines.Reader`)."""
        seen = as_read(text)
        whole = in_full(seen)
        chosen, read_options, read_points = _by_words(whole)
        if type is not None:
            chosen = type
        elif options:
            ranked, several = _RANKING.search(seen), _MULTI.search(seen)
            chosen = "ranking" if ranked else "multi_choice" if several else "single_choice"
        elif scale:
            chosen = "scale"
        row = question_type(chosen)
        return Question(
            text=text,
            type=chosen,
            options=(tuple(options) or read_options or _any_list(seen, chosen)) if row.has_options else (),
            scale=(scale or read_points) if row.has_scale else None,
            unit=read_unit(whole) if "unit" in row.takes else None,
        )


def read_question(
    text: str,
    *,
    type: str | None = None,
    options: Sequence[str] | None = None,
    scale: Scale | Mapping[str, Any] | None = None,
    shuffle_options: bool = False,
    key: str | None = None,
) -> Question:
    """Return a validated question; missing fields are inferred from its text.

    The parameters and errors are those of :func:`voxpop.engines.question_fields.read_question`.

    Examples
    --------
    >>> read_question("Do you prefer tea, coffee or water?").options
    ('tea', 'coffee', 'water')
    >>> read_question("How likely are you to return, 0-10?").scale
    Scale(min=0, max=10, min_label=None, max_label=None)
    """
    return question_fields.read_question(
        text,
        _READER,
        type=type,
        options=options,
        scale=scale,
        shuffle_options=shuffle_options,
        key=key,
    )


_READER = QuestionReader()


@lru_cache(maxsize=1024)
def _by_words(text: str) -> tuple[str, tuple[str, ...], Scale | None]:
    """Return (type, options, scale) inferred from the text alone."""
    sentence = main_sentence(text)
    ranking = bool(_RANKING.search(text))
    lines = _usable(listing.listed_lines(text))
    if lines:
        return ("ranking" if ranking else _choice_type(text, lines)), lines, None
    ranges = _usable(listing.bands(text))
    if ranges and not ranking:
        return _choice_type(text, ranges), ranges, None
    scale = read_scale(text)
    if scale and not ranking:
        return "scale", (), scale
    if ranking:
        options = listing.after_colon(text, ranking=True) or listing.bracketed(text) or _rank_list(sentence)
        options = _usable(options)
        if len(options) >= 2:
            return "ranking", options, None
    options = _usable(
        listing.before_colon(text)
        or listing.bracketed(text)
        or listing.after_colon(text)
        or listing.after_mark(text)
    )
    if len(options) >= 2 and not _OPEN_LEAD.match(sentence):
        return _choice_type(text, options), options, None
    return _plain(text, sentence)


def _plain(text: str, sentence: str) -> tuple[str, tuple[str, ...], Scale | None]:
    lower = sentence.lower()
    if re.search(r"\btrue or false\b", text, re.I):
        return "single_choice", ("True", "False"), None
    if re.search(r"\bagree or disagree\b", text, re.I):
        return "single_choice", ("Agree", "Disagree"), None
    if _TRACK.search(text):
        return "single_choice", ("Right direction", "Wrong track"), None
    if re.search(r"\byes or no\b|\byes/no\b|\by/n\b", text, re.I) or AT_ANOTHER.match(sentence):
        return "yes_no", (), None
    if _OPEN_LEAD.match(sentence) or (_ANY.match(sentence) and _TOLD_OF.search(text)):
        return "open", (), None
    if read_unit(sentence) and not (_AUXILIARY.match(sentence) or _WEIGHS.search(sentence)):
        return "number", (), None
    if re.search(r"^(?:.*,\s*)?how (?:often|frequently|regularly)\b", lower):
        return "single_choice", HOW_OFTEN, None
    if _AND_WHY.search(sentence) and pair_in(sentence):
        return "open", (), None
    options = _usable(_even(listing.or_list(_BESIDE.sub("", sentence))))
    if len(options) >= 2 and not re.match(r"^(?:compared (?:to|with) [^,]+, )?(?:why|how)\b", lower):
        return _choice_type(text, options), options, None
    if _is_yes_no(sentence):
        return "yes_no", (), None
    views = r"^(?:why|what|which|who|where|when)\b.*\b(?:think|feel|like|mean|make|thoughts)\b"
    if read_unit(text) and not (re.match(views, lower) or _WEIGHS.search(sentence)):
        return "number", (), None
    return "open", (), None


def _even(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return options without a preposition that only the first has ("in the morning, afternoon")."""
    lead = _LEAD.match(options[0]) if len(options) > 2 else None
    if lead is None or any(_LEAD.match(option) for option in options[1:]):
        return options
    return (options[0][lead.end() :], *options[1:])


def _usable(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct options found in the text, or none if they are not valid options."""
    first: dict[str, str] = {}
    for option in options:
        if option:
            first.setdefault(option.casefold(), option)
    unique = tuple(first.values())
    fits = 2 <= len(unique) <= MAX_OPTIONS and all(len(option) <= MAX_OPTION_TEXT for option in unique)
    return unique if fits else ()


def _choice_type(text: str, options: tuple[str, ...]) -> str:
    plain = {option.lower() for option in options}
    if plain <= {"yes", "no", "y", "n"}:
        return "yes_no"
    several = _MULTI.search(text) or (_SEVERAL.search(text) and not _NONE.isdisjoint(plain))
    return "multi_choice" if several else "single_choice"


def _rank_list(sentence: str) -> tuple[str, ...]:
    tail = re.sub(r"^.*?\brank(?:ing)?\s+(?:the following|these|them)?\s*", "", sentence, flags=re.I)
    tail = re.sub(
        r"\s+(?:in order of|from (?:most|best|least|worst)|by|according to)\b.*$", "", tail, flags=re.I
    )
    return listing.split_list(tail, both=True)


def _any_list(words: str, chosen: str) -> tuple[str, ...]:
    """Return options for a question declared as a choice, parsed as permissively as possible."""
    sentence = main_sentence(words)
    found = listing.after_colon(words, ranking=True) or listing.bracketed(words) or listing.or_list(sentence)
    return _usable(found or (_rank_list(sentence) if question_type(chosen).shape is RANKING else ()))


def main_sentence(text: str) -> str:
    """Return the actual question: the last question that is not only "why?".

    Examples
    --------
    >>> main_sentence("It costs $5. Would you buy it? Why or why not?")
    'Would you buy it?'
    >>> main_sentence("Tell us about your last flight. Was it on time?")
    'Tell us about your last flight.'
    """
    flat = " ".join(text.split())
    sentences = [
        part.strip()
        for part in re.split(r"(?<=[?!])\s+|(?<=[a-z0-9)\"”]\.)\s+(?=[A-Z\"“])", flat)
        if part.strip()
    ]
    asking = [part for part in sentences if part.endswith("?") and not _adds(part)]
    if asking and _TELLS.match(sentences[0]) and _AUXILIARY.match(asking[-1]):
        chosen = sentences[0]
    elif asking and len(sentences) > 1 and _ASKS_MORE.match(sentences[-1]) and asking[-1].count(" ") < 5:
        chosen = sentences[-1]
    elif asking:
        chosen = asking[-1]
    else:
        rest = [part for part in sentences if not _adds(part)]
        chosen = (rest or sentences)[-1]
    return re.sub(r"^(?:q?\d{1,3}[.):]\s+)", "", chosen, flags=re.I)


def _adds(sentence: str) -> bool:
    return bool(FOLLOW_UP.match(sentence) or PROBE.match(sentence))


def asks_reason(text: str) -> bool:
    """Return whether a question also asks for the reason of the answer.

    Examples
    --------
    >>> asks_reason("Is it worth it? Please explain."), asks_reason("Tea or coffee, and why?")
    (True, True)
    >>> asks_reason("Is it worth it?")
    False
    """
    flat = " ".join(text.split())
    return bool(_AND_WHY.search(flat)) or any(
        FOLLOW_UP.match(part.strip()) for part in re.split(r"(?<=[?!.])\s+", flat)[1:]
    )


_SECOND = Pattern(
    r"^(?P<first>(?:\S+ ){2,}?\S*?)(?:,? and (?:if (?:so|yes),? )?|[?.] (?:and )?if (?:so|yes),? )"
    r"(?P<asks>(?:(?:what|which|where|when|who|how) (?!much\b|many\b|often\b|likely\b|long\b|old\b|makes\b)"
    r"(?:(?!(?:we|you|they|it|he|she|i|this|that)\b)\w+ ){0,2}?(?:do|does|did|is|are|was|were|have|has|had"
    r"|would|could|can|should|keeps?|stops?|prevents?)\b[^?]*)"
    r"|how|where|when|which(?: ones?)?|what (?:kind|type|brand)s?)\?",
    re.I,
)
_WHOLE = {"how": "How do you usually do it", "where": "Where do you usually do it"}


@lru_cache(maxsize=1024)
def second_question(text: str) -> str | None:
    """Return the open question that accompanies a coded one, or None.

    Examples
    --------
    >>> second_question("How often do you exercise, and what keeps you from doing more?")
    'How often do you exercise? What keeps you from doing more?'
    >>> second_question("Do you use coupons? If so, where do you get them?")
    'Do you use coupons? Where do you get them?'
    >>> second_question("Do you know who we are and what we do?") is None
    True
    """
    found = _SECOND.match(" ".join(text.split()))
    if found is None:
        return None
    asks = found["asks"]
    return f"{found['first']}? {_WHOLE.get(asks.lower()) or asks[0].upper() + asks[1:]}?"


def _is_yes_no(sentence: str) -> bool:
    if not sentence.endswith("?") and not _AUXILIARY.match(sentence):
        return False
    if re.search(
        r",\s*(?:don|doesn|didn|isn|aren|wasn|won|wouldn|can|couldn|haven|hasn)(?:'|’)?n?(?:'"
        r"|’)?t\s+(?:you|it|they|we)\s*\?$",
        sentence,
        re.I,
    ):
        return True
    if re.match(r"^(?:(?:in|on|for|to|at|with|from|by|about) )?(?:what|which|whom)\b", sentence, re.I):
        return False
    if re.match(r"^(?:why|who|whose|where|when|how)\b", sentence, re.I):
        return False
    for clause in (
        sentence,
        *(sentence[match.end() :] for match in re.finditer(r"[,:;]\s+|\s[-–—]\s", sentence)),
    ):
        if _AUXILIARY.match(clause) and not _OPEN_LEAD.match(clause):
            return True
    return False
