"""Question understanding: type, options, scale and unit out of the words; explicit fields win."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from voxpop.errors import InvalidRequest
from voxpop.questions import listing
from voxpop.questions.completion import in_full
from voxpop.questions.pairs import pair_in
from voxpop.questions.patterns import Pattern
from voxpop.questions.question import CHOICE_TYPES, QUESTION_TYPES, Question, Scale
from voxpop.questions.scales import read_scale
from voxpop.questions.units import read_unit
from voxpop.vocabulary.bounds import as_read
from voxpop.vocabulary.nearest import nearest

MAX_TEXT = 10_000
MAX_OPTIONS = 60
MAX_OPTION_TEXT = 500
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
"""Questions of which several options can hold where "none" is offered, too."""
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
"""A question that puts another price or number to what was asked before."""
_ANY = Pattern(
    r"^(?:is|was|are|were) there (?:some|any)(?:thing|one|body)?\b|^have you ever\b|^do you have (?:a|any)\b",
    re.I,
)
_TRACK = Pattern(r"\bright (?:direction|track)\b.*\bor\b.*\bwrong (?:track|direction)\b", re.I)
"""A question of many polls, with the options as they are tabulated."""
_TOLD_OF = Pattern(
    r"[?]\s+(?:if (?:so|yes),? )?(?:please )?(?:tell (?:us|me)(?: more)? about|describe)\b", re.I
)
_BESIDE = Pattern(r",? if (?:any|at all)\b|,? and (?:why|if so)\b.*$", re.I)
"""What is no part of the options: "Are you a cat person or a dog person, and why?"."""
_WEIGHS = Pattern(
    r"\bwhat\b.*\b(?:matters?|important|look for)\b.*\b(?:besides|other than|apart from|aside from)\b", re.I
)
"""What speaks of a price and asks for something else: "What matters to you besides price?"."""
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
"""An order to tell of something, which a yes or no after it does not answer."""
_ASKS_MORE = Pattern(r"^(?:please )?(?:tell (?:us|me)|explain|describe) (?:what|how|in)\b", re.I)
"""An order after a short question that wants words: "Tea or coffee? Tell us what makes you choose it."."""


def read_question(
    text: str,
    *,
    type: str | None = None,
    options: Sequence[str] | None = None,
    scale: Scale | Mapping[str, Any] | None = None,
    shuffle_options: bool = False,
    key: str | None = None,
) -> Question:
    """Understand a question; what the fields do not say is read from its words.

    Parameters
    ----------
    text : str
        1 to 10,000 characters after stripping.
    type : str, optional
        One of ``QUESTION_TYPES``; read from the words when None.
    options : sequence of str, optional
        2 to 60 different options, for single_choice (the default then), multi_choice and ranking.
    scale : Scale or mapping, optional
        ``{min, max, min_label, max_label}`` in whole numbers, at most 100 apart, for the type scale.
    shuffle_options : bool
        Show the options to each agent in an order of its own.
    key : str, optional
        A variable name: a lower-case letter, then lower-case letters, digits and ``_``.

    Raises
    ------
    InvalidRequest
        With ``details["fields"]``, field name to messages, when fields are wrong or contradict each other.

    Examples
    --------
    >>> read_question("Do you prefer tea, coffee or water?").options
    ('tea', 'coffee', 'water')
    >>> read_question("How likely are you to return, 0-10?").scale
    Scale(min=0, max=10, min_label=None, max_label=None)
    """
    words = text.strip() if isinstance(text, str) else ""
    given_options = _checked_options(options)
    given_scale = _checked_scale(scale)
    _check_rest(words, type, key)
    seen = as_read(words)
    chosen, read_options, read = _by_words(in_full(seen))
    if type is not None:
        chosen = type
    elif given_options:
        chosen = (
            "ranking" if _RANKING.search(seen) else "multi_choice" if _MULTI.search(seen) else "single_choice"
        )
    elif given_scale:
        chosen = "scale"
    _check_fit(chosen, type, given_options, given_scale)
    final_options = (
        (given_options or read_options or _any_list(seen, chosen)) if chosen in CHOICE_TYPES else ()
    )
    if chosen in CHOICE_TYPES and len(final_options) < 2:
        raise _wrong(
            "options", f"a {chosen} question needs 2 to {MAX_OPTIONS} options, and its words list none."
        )
    if shuffle_options and chosen not in CHOICE_TYPES:
        raise _wrong(
            "shuffle_options", f"only questions with options can be shuffled; this one is read as {chosen}."
        )
    return Question(
        text=words,
        type=chosen,
        options=final_options,
        scale=(given_scale or read or Scale(0, 10)) if chosen == "scale" else None,
        unit=read_unit(in_full(seen)) if chosen == "number" else None,
        shuffle_options=bool(shuffle_options),
        key=key,
    )


def _wrong(field: str, message: str) -> InvalidRequest:
    return InvalidRequest(f"{field}: {message}", details={"fields": {field: [message]}})


def _checked_options(options: Sequence[str] | None) -> tuple[str, ...]:
    if options is None:
        return ()
    if isinstance(options, str) or not all(isinstance(option, str) for option in options):
        raise _wrong("options", "must be a list of texts.")
    cleaned = tuple(option.strip() for option in options)
    if not 2 <= len(cleaned) <= MAX_OPTIONS:
        raise _wrong("options", f"2 to {MAX_OPTIONS} options are allowed, not {len(cleaned)}.")
    if any(not option or len(option) > MAX_OPTION_TEXT for option in cleaned):
        raise _wrong("options", f"each option must have 1 to {MAX_OPTION_TEXT} characters.")
    seen: set[str] = set()
    for option in cleaned:
        if option.casefold() in seen:
            raise _wrong("options", f"{option!r} is listed twice.")
        seen.add(option.casefold())
    return cleaned


def _checked_scale(scale: Scale | Mapping[str, Any] | None) -> Scale | None:
    if scale is None or isinstance(scale, Scale):
        made = scale
    else:
        unknown = set(scale) - {"min", "max", "min_label", "max_label"}
        if unknown:
            raise _wrong(
                "scale", f"unknown {sorted(unknown)[0]!r}; a scale has min, max, min_label and max_label."
            )
        if any(
            isinstance(scale.get(end), bool) or not isinstance(scale.get(end), int) for end in ("min", "max")
        ):
            raise _wrong("scale", "min and max must be whole numbers.")
        made = Scale(scale["min"], scale["max"], scale.get("min_label"), scale.get("max_label"))
    if made is not None and made.min >= made.max:
        raise _wrong("scale", f"min must be below max, not {made.min} and {made.max}.")
    if made is not None and made.max - made.min > 100:
        raise _wrong("scale", f"min and max may be at most 100 apart, not {made.max - made.min}.")
    return made


def _check_rest(words: str, type: str | None, key: str | None) -> None:
    if not 1 <= len(words) <= MAX_TEXT:
        raise _wrong("question", f"must have 1 to {MAX_TEXT:,} characters, not {len(words):,}.")
    if type is not None and type not in QUESTION_TYPES:
        near = nearest(str(type), QUESTION_TYPES, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise _wrong("type", f"{type!r} is none of {', '.join(QUESTION_TYPES)}{hint}")
    if key is not None and not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", key):
        raise _wrong(
            "key", f"{key!r} must start with a lower-case letter and hold only a-z, 0-9 and _ (at most 64)."
        )


def _check_fit(chosen: str, type: str | None, options: tuple[str, ...], scale: Scale | None) -> None:
    if options and scale:
        raise _wrong("scale", "a question has options or a scale, not both.")
    if options and chosen not in CHOICE_TYPES:
        raise _wrong(
            "options", f"a {chosen} question takes no options; use single_choice, multi_choice or ranking."
        )
    if scale and chosen != "scale":
        raise _wrong("scale", f"a {chosen} question takes no scale; use the type scale.")


@lru_cache(maxsize=1024)
def _by_words(text: str) -> tuple[str, tuple[str, ...], Scale | None]:
    """Return (type, options, scale) as the words alone say."""
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
    """Return options without a preposition that only the first one has ("in the morning, afternoon")."""
    lead = _LEAD.match(options[0]) if len(options) > 2 else None
    if lead is None or any(_LEAD.match(option) for option in options[1:]):
        return options
    return (options[0][lead.end() :], *options[1:])


def _usable(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options found in the words without repeats; nothing when they cannot be options."""
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
    """Options for a question that the caller declared a choice, read as generously as possible."""
    sentence = main_sentence(words)
    found = listing.after_colon(words, ranking=True) or listing.bracketed(words) or listing.or_list(sentence)
    return _usable(found or (_rank_list(sentence) if chosen == "ranking" else ()))


def main_sentence(text: str) -> str:
    """Return the sentence that asks: the last question that is not a mere "why?".

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
    """Return whether a question wants the reason with the answer.

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
    """Return a coded question as the open one that goes with it; None where none does.

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
