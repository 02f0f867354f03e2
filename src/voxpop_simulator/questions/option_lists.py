"""Answer options in the text of a question: lines, brackets, after a colon, or "A, B or C"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxpop_simulator.questions.patterns import Pattern

_BULLET = Pattern(r"^\s*(?:[-*•–·]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)]|\[\s?\])\s+(\S.*?)\s*$")
_INLINE_LETTERS = Pattern(
    r"(?:^|\s)\(?([a-hA-H])[.)]\s+(.+?)(?=(?:[,;]?\s+\(?[a-hA-H][.)]\s)|[?.]?\s*$)", re.S
)
_EXAMPLES = Pattern(
    r"^\s*(?:e\.?\s?g\b|i\.?\s?e\b|for example|for instance|such as|including|like |incl\b|not counting"
    r"|excluding)",
    re.I,
)
_INSTRUCTION = Pattern(
    r"^\s*(?:please\s+)?(?:select|choose|pick|check|tick|mark|rank|only)\b|^\s*(?:all that apply"
    r"|multiple answers|one answer)",
    re.I,
)
_AT_LEAST = (
    r"(?!(?<=[\d%] or )(?:more|less|fewer|over|older|under|younger|above|below|higher|lower)\b(?!.*\d))"
)
_OR = Pattern(rf"\s*,?\s+(?:or|and/or)\s+{_AT_LEAST}", re.I)
_AND = Pattern(rf"\s*,?\s+(?:and|&|or)\s+{_AT_LEAST}", re.I)
_OPPOSITES = (
    {"male", "female"},
    {"man", "woman"},
    {"urban", "rural"},
    {"city", "country"},
    {"own", "rent"},
    {"employed", "unemployed"},
    {"married", "single"},
    {"yes", "no"},
    {"better", "worse"},
    {"agree", "disagree"},
    {"support", "oppose"},
    {"favor", "oppose"},
    {"favour", "oppose"},
    {"for", "against"},
    {"like", "dislike"},
    {"approve", "disapprove"},
    {"happy", "unhappy"},
    {"safe", "unsafe"},
    {"fair", "unfair"},
    {"comfortable", "uncomfortable"},
    {"trust", "distrust"},
    {"love", "hate"},
    {"increase", "decrease"},
    {"rise", "fall"},
    {"legal", "illegal"},
    {"more", "less"},
    {"good", "bad"},
    {"true", "false"},
    {"morning", "evening"},
    {"optimistic", "pessimistic"},
    {"satisfied", "dissatisfied"},
    {"introvert", "extrovert"},
    {"easy", "difficult"},
    {"easy", "hard"},
    {"helpful", "harmful"},
    {"important", "unimportant"},
    {"likely", "unlikely"},
    {"cat", "dog"},
    {"online", "in store"},
)
_PICK = Pattern(
    r"\b(?:prefer|rather|choose|pick|favou?r|more likely to|mostly|usually|mainly|typically|generally"
    r"|better|best|most|least"
    r"|first|which|instead|lean|more (?:of|like))\b",
    re.I,
)
_EITHER = Pattern(
    r"(?:are you|(?:of|see|consider) yourself(?: as)?)\b.*"
    r"\b(?:person|owl|early bird|saver|spender|planner|leader|follower|talker|listener|optimist|pessimist"
    r"|realist|dreamer|homebody|texter|caller)\b.*\bor\b|\bor\b.*\b(?:person|owl|spender|homebody)$"
    r"|(?:do|are) you (?:(?!\bever\b).)*\b(?:in|at|on|by|with|before|after) (?:the |your |an? )?\w+ or"
    r" (?:in|at|on|by|alone|before|after|over)\b",
    re.I,
)
"""Questions with two alternatives: "Are you a cat person or a dog person?", "... or at night?"."""
_PLACED = Pattern(r"(?:in|at|on|by|with|before|after)\b", re.I)
_COUNTED = Pattern(
    r"^(?:(?:have|has) (?:you|your|anyone)|(?:are|were) you (?:currently )?(?:taking|using|on)\b"
    r"|(?:do|did) you (?:currently |now |regularly |ever |personally |also )?(?:take|have|own|suffer"
    r"|smoke|use|live with)\b"
    r"|(?:do|did|are|were|can|could|would|will|should|is)\b.{0,40}\b(?:any|ever|anyone)\b)",
    re.I,
)
_LOOKS_LIKE = Pattern(
    r"^what (?:does|do|did|would|is|was)\b.*\b(?:look|feel|sound|taste|smell) like\b"
    r"|\bfrom the (?:time|moment) you\b",
    re.I,
)
_NO_CHOICE = Pattern(
    r", ?(?:on purpose or by accident|for better or (?:for )?worse"
    r"|real or fictional|living or \w+|past or present|good or bad|big or small|large or small"
    r"|positive or negative)\W*$"
    r"|\bor (?:not(?! at all| (?:made )?much difference| (?:too|very|so) \w+| \w+\W*$"
    r"| (?:currently )?(?:employed|working|married))|so|older|over|under|younger"
    r"|above|below|(?:more|less)(?=\s*(?:$|[?,.)]"
    r"|for\b|than\b|times\b|a\b|per\b)))\b(?<!more or less)",
    re.I,
)
_OPEN_END = Pattern(
    r"^(?:any\b|another\b|other\b|some other\b|similar\b|anything\b|the like|so\b|not$|more$|why\b|how\b)",
    re.I,
)
_WHOLE = Pattern(
    r"^(?:not at all|not (?:made )?much difference|stay(?:ed)? (?:about )?the same|(?:kept|left) as"
    r"|neither|both|none|(?:prefer|rather) not|some(?:thing|where|one|body) else"
    r"|don'?t know|not sure|about right"
    r"|about the same|the same"
    r"|no difference|it depends|no preference|either|other)",
    re.I,
)
_ARTICLE = Pattern(r"^(?:the|an?(?! (?:little|bit|lot|few|great|good|couple)\b))\s+(?=\S)", re.I)
_TAIL = Pattern(
    r"\s+(?:in(?! person\b)|on|at|for|when|with|to|from|during"
    r"|as|after|before|if|these|this|right now|nowadays"
    r"|today|while|because|than|about)\b.*$",
    re.I,
)
_LEAD = Pattern(
    r"^.*?\b(?:(?:would|do) you rather(?: (?:live in|live|have|own|drink|eat|watch|work)\b)?"
    r"|(?:would|do|did|will) you (?:generally |usually |mostly "
    r"|really |most )?"
    r"(?:prefer|choose|pick|favou?r|go for|lean towards?|drink|eat|buy|take|have|use"
    r"|say(?: that)?(?: it is| it's| you are| you're)?|like|want|live in|shop|pay|read|watch"
    r"|see yourself as|consider yourself(?: to be)?|think of yourself as)"
    r"|(?:is|are) (?:your|the|you) ?[\w' -]{0,40} likely to be|(?:are|is|was|were) (?:you|it|this"
    r"|that|the [\w' -]{2,30}?|your [\w' -]{2,30}?|they)"
    r"|which (?:do|would|of these do|of these would) you (?:prefer|choose|pick|like|buy|use)(?: (?:more"
    r"|most|better|best))?"
    r"|prefer|rather have|rather)\s+(?=\S)",
    re.I,
)


# words after a question that are not options: "Do you smoke? If so, how many, and when"
_NO_OPTION = Pattern(
    r"^(?:if|and|but|so|why|how|when|where|who|please|thanks?|thank you|be|explain|describe|tell|include"
    r"|consider|think|remember|note|answer|say|give|i|we|you|it|this|that|these|those)\b",
    re.I,
)

# "Compared with last year, do you spend more, less ...": words before the actual question
_ASIDE = Pattern(
    r"^(?:compared (?:with|to)|in|on|over|during|within|for|when|if|thinking (?:about|of)|overall"
    r"|generally|as of|after|before|at|given|based on|considering|knowing|all things considered)\b"
    r"[^,?]{0,60},\s+(?=(?:do|does|did|are|is|would|will|have|has|can|should|which|what|how)\b)",
    re.I,
)
_COMMAND = Pattern(r"^(?:please\s+)?(?:describe|explain|tell|share|write|think of)\b", re.I)
_BARE = Pattern(
    r"(?!(?:are|is|was|were|do|does|did|would|will|have|has|can|could|should|may|which|what|who|how|why|where"
    r"|when|if|whether|please)\b)[\w'-]{2,20}(?: [\w'-]{2,20})?(?:, [\w'-]{2,20}(?: [\w'-]{2,20})?)*,?"
    r" or [\w'-]{2,20}(?: [\w'-]{2,20})?",
    re.I,
)


def clean(option: str) -> str:
    """Return an option without surrounding quotes, bullets and full stops."""
    return re.sub(r"^(?:either|between)\s+", "", option.strip(" \t\r\n\"'“”‘’.,;:?"), flags=re.I)


def listed_lines(text: str) -> tuple[str, ...]:
    """Return the options on separate lines, with bullets or numbers before them."""
    found = [match[1] for line in text.splitlines() if (match := _BULLET.match(line))]
    if len(found) >= 2:
        return tuple(clean(option) for option in found)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    heads = [at for at, line in enumerate(lines) if re.search(r"[:?]\s*(?:\([^()]*\))?$", line)]
    if heads and heads[0] == len(lines) - len(lines[heads[0] + 1 :]) - 1:
        rest = [line for line in lines[heads[0] + 1 :] if not _INSTRUCTION.match(line)]
        if len(rest) >= 2 and all(len(line) <= 80 and not line.endswith("?") for line in rest):
            return tuple(clean(option) for option in rest)
    letters = _INLINE_LETTERS.findall(text)
    if len(letters) >= 2 and [letter.lower() for letter, _ in letters] == list("abcdefgh")[: len(letters)]:
        return tuple(clean(option) for _, option in letters)
    return ()


def split_list(part: str, *, both: bool = False) -> tuple[str, ...]:
    """Split "A, B or C" into its options; ``both`` also splits at a final "and".

    Examples
    --------
    >>> split_list("red, dark green or blue"), split_list("1, 2, 3 or more")
    (('red', 'dark green', 'blue'), ('1', '2', '3 or more'))
    """
    part = part.strip().rstrip("?.! ")
    if ";" in part:
        pieces = part.split(";")
    elif part.count(" / ") > 1:
        return tuple(clean(piece) for piece in part.split(" / ") if clean(piece))
    elif "," in part:
        pieces = re.split(r",\s+(?=\D|\d{1,3}(?!\d))", part)
    elif " | " in part:
        return tuple(clean(piece) for piece in part.split(" | ") if clean(piece))
    elif " / " in part or re.fullmatch(r"[^/]+(?:/[^/]+)+", part):
        return tuple(clean(piece) for piece in part.split("/") if clean(piece))
    else:
        pieces = [part]
    pieces = [re.sub(r"^(?:or|and/or|and)\s+", "", piece.strip(), flags=re.I) for piece in pieces]
    last = (_AND if both else _OR).split(pieces[-1])
    return tuple(clean(piece) for piece in [*pieces[:-1], *last] if clean(piece))


def bracketed(text: str) -> tuple[str, ...]:
    """Return the options inside round or square brackets, if any."""
    for inside in re.findall(r"[(\[]([^()\[\]]{3,600})[)\]]", text):
        if _EXAMPLES.match(inside) or _INSTRUCTION.match(inside):
            continue
        inside = re.sub(r"^\s*(?:options|answers?|choices?)\s*:\s*", "", inside, flags=re.I)
        options = split_list(inside, both="," in inside)
        separated = len(options) >= 3 or "/" in inside or ";" in inside or _OR.search(inside)
        if len(options) >= 2 and separated and all(len(option) <= 60 for option in options):
            return options
    return ()


def after_colon(text: str, *, ranking: bool = False) -> tuple[str, ...]:
    """Return the options after the last colon or dash (or between one and the question mark)."""
    text = _DASH.sub(": ", text) if ":" not in text else text
    if ":" not in text:
        return ()
    head, _, tail = text.rpartition(":")
    if _CLAUSE.match(tail) or ("?" not in head and _ASKED_LATER.search(tail)):
        return ()
    tail = re.split(r"\?|(?<=[a-z])\.(?:\s|$)", tail.strip(), maxsplit=1)[0]
    if re.search(r"\d$", head) and re.match(r"\d\d\b", tail):
        return ()
    if re.match(r"(?:what|how|why)\b", tail, re.I) or _STATED.match(tail):
        return ()
    options = split_list(tail, both=ranking or not re.search(r"\bor\b", tail))
    listed = len(options) >= 3 or (len(options) == 2 and re.search(r"\bor\b|/|,|;", tail))
    return options if listed and all(len(option) <= 80 for option in options) else ()


def before_colon(text: str) -> tuple[str, ...]:
    """Return the options before a colon whose question follows it.

    Examples
    --------
    >>> before_colon("Chocolate or salty snacks: which would you give up, and why?")
    ('Chocolate', 'salty snacks')
    >>> before_colon("Netflix, Hulu, Disney+: what sets each of them apart?")
    ()
    """
    head, mark, tail = text.partition(":")
    if not mark or not re.match(r"\s*which\b", tail, re.I) or not re.search(r"\bor\b|,", head):
        return ()
    options = split_list(head)
    return options if len(options) >= 2 and all(len(option.split()) <= 4 for option in options) else ()


_SPACED = Pattern(r"[A-Z][a-z]+")
_SPACED_OUT = Pattern(r"(?:\s+[A-Z][a-z]+){3,7}\s*")
"""Options in single words without separators: "How often? Never Sometimes Usually Always"."""
_ASIDE_IN = Pattern(
    r"^\s*(?:\((?:check|select|choose|pick|mark|tick)[^()]*\)"
    r"|(?:please )?(?:check|select|choose|pick|mark|tick) [^.:,?]*[.:])\s*",
    re.I,
)
"""An instruction before the options, in brackets or as a sentence."""


def after_mark(text: str) -> tuple[str, ...]:
    """Return the options after the question mark ("Which would you buy? Red, green, blue").

    Examples
    --------
    >>> after_mark("Which would you buy? Red, green, blue")
    ('Red', 'green', 'blue')
    >>> after_mark("How often do you snack? Never, sometimes, often")
    ('Never', 'sometimes', 'often')
    >>> after_mark("Do you smoke? If so, how many, and since when")
    ()
    """
    head, mark, tail = text.rpartition("?")
    if re.match(r"\s*[-•*] ", tail):
        tail = re.sub(r"\s*[-•*] +", ", ", tail.strip()).lstrip(", ")
    tail = _ASIDE_IN.sub("", tail)
    if not mark or len(tail) > 600 or re.search(r"\.\s+\w", tail):
        return ()
    options = tuple(_SPACED.findall(tail)) if _SPACED_OUT.fullmatch(tail) else split_list(tail)
    if len(options) < (2 if " / " in tail else 3) or not all(len(option.split()) <= 6 for option in options):
        return ()
    asks_which = re.match(r".*\b(?:which|what|who|pick|choose|select|best)\b", head, re.I | re.S)
    counted = sum(bool(re.search(r"\d", option)) for option in options) >= 2
    return options if asks_which or counted or not any(map(_NO_OPTION.match, options)) else ()


_RANGE = Pattern(
    r"\d\s?%?\s?(?:-|–|to)\s?\$?\d|\b(?:more|less|fewer) than \d|\d\+|\d%? or (?:more|less|fewer)", re.I
)


def bands(text: str) -> tuple[str, ...]:
    """Return options after the question mark that are number ranges, as in "How many? 0, 1-5, 6 or more".

    Examples
    --------
    >>> bands("How many books did you read? 0, 1-5, 6-10, more than 10")
    ('0', '1-5', '6-10', 'more than 10')
    >>> bands("How was it? 0-10")
    ()
    """
    options = after_mark(text)
    return options if sum(bool(_RANGE.search(option)) for option in options) >= 2 else ()


_ASKS_BOTH = Pattern(r"(?:.*, )?(?:what|why)\b(?:(?!\bor\b)[^,:])*\b\w+ or \w+\b", re.I)
"""Questions in which opposites are not options: "What do you like or dislike about it?"."""
_OWN_OR_RENT = Pattern(r"\bown\b.*\brent\b", re.I)
_CLAUSE = Pattern(r"\s*(?:which|what|who|whom|why|how|where|when)\b", re.I)
_ASKED_LATER = Pattern(
    r"[.!]\s+(?:[^?]*[.!]\s+)?(?:so )?(?!why(?: or why not)?\?)(?:what|how|why|where|when|who)\b[^?]*\?", re.I
)
_DASH = Pattern(
    r"\s[-–—]\s(?=(?:[\w'-]+ ){0,4}[\w'-]+(?:(?:, (?:[\w'-]+ ){0,4}[\w'-]+)*,? or [\w' -]+"
    r"|(?:, (?:[\w'-]+ ){0,4}[\w'-]+){2,})\?\s*$)"
)
"""A dash before a list that ends the question."""
_STATED = Pattern(r"[\"“][^\"”]*[.!][\"”]")
"""A quoted statement that is the subject of the question."""
_QUOTED = Pattern(r"[\"“][^\"”]*[\"”]")
_AFTER_COMMA = Pattern(
    r"[^,:]*[,:]\s+(?!(?:if|or|and|such as|for instance|for example|like|including|in|as)\b)(.*)"
)


_KIND_OR_KIND = Pattern(
    r"(?:which|what) \w+ or (?:\w+ ){1,3}?(?:did|do|does|have|has|are|is|was|were|would|will|can)\b", re.I
)
"""Questions on one of two kinds of things: "Which movie or TV show did you enjoy?"."""


_BEGUN = Pattern(
    r".*\b(?:from|with|of|by|when|if|about|like|as|to|for|at|on|than) (?:an?|your|the|some|any) [\w'-]+$",
    re.I,
)
"""The start of a list within a question: "What have you learned from a coach, mentor or friend?"."""
_ARTICLED = Pattern(r"(?:an?|the|your|some|any)\b", re.I)
_ANY_OF = Pattern(
    r"(?:which|what) [\w'-]+(?: of [\w'-]+)?, (?:[\w'-]+, )*[\w'-]+,? or [\w'-]+ (?:[\w'-]+ )+[\w'-]+$",
    re.I,
)
"""Questions on any of several kinds of things: "Which movie, book or song changed your life?"."""


_BAND = Pattern(
    r"(?:(?:less|fewer|more) than|under|over|up to)? ?[$£€]?\d[\d,.]*(?: ?(?:-|–|to) ?[$£€]?\d[\d,.]*)?"
    r"(?: (?:or more|or less|hours?|minutes?|days?|weeks?|months?|years?|times?|miles?))*",
    re.I,
)


def _banded(words: str) -> tuple[str, ...]:
    """Return the number bands in a question: "do you spend under 1, 1-3 or over 3 hours?"."""
    pieces = split_list(words)
    if len(pieces) < 3 or not all(re.search(r"\d", piece) for piece in pieces):
        return ()
    first = list(_BAND.finditer(pieces[0]))
    last = _BAND.match(pieces[-1])
    inner = pieces[1:-1]
    if not first or last is None or not all(_BAND.fullmatch(piece) for piece in inner):
        return ()
    return (first[-1][0].strip(), *inner, last[0].strip())


_SUCH_AS = Pattern(
    r"(?:do|did|have|has|are|is|would|will|can) .*\b(?:such as|for example|including|e\.g\.?)\b", re.I
)
"""Questions with examples that are not options: "Do you follow a diet such as keto or vegan?"."""
_BEFORE_DASH = Pattern(r"^.*\s[-–—]+\s(?=(?:would|do|does|are|is|have|has) )", re.I)
_MORE_OR_LESS = Pattern(
    r"\b(?P<one>more (?P<what>\w+))(?:,|,? or) (?P<other>less (?P=what))\b(?P<rest>.*)", re.I
)
_NO_DIFFERENCE = Pattern(r"\bno (?:difference|effect|impact)\b", re.I)


def _more_or_less(words: str) -> tuple[str, ...]:
    """Return the options of "Does it make you more or less likely to buy, or does it make no difference?"."""
    found = _MORE_OR_LESS.search(words)
    if found is None or not (rest := _NO_DIFFERENCE.search(found["rest"])):
        return ()
    return found["one"], found["other"], rest[0]


_SIDE = r"above|over|more than|at least|below|under|less than|fewer than|older than|younger than"
_ABOVE_OR_BELOW = Pattern(
    rf"\b(?P<one>{_SIDE}) or (?P<other>{_SIDE}) (?P<at>[$£€]?\d[\d,.]*\b(?:k\b| ?%)?)", re.I
)


def _two_sides(words: str) -> tuple[str, ...]:
    """Return the two sides of a threshold: "Is your income above or below $75,000?"."""
    found = _ABOVE_OR_BELOW.search(words)
    return tuple(f"{side} {found['at']}" for side in (found["one"], found["other"])) if found else ()


def or_list(sentence: str) -> tuple[str, ...]:
    """Return the options of "Do you prefer A, B or C?", or none if the question asks whether any applies."""
    words = _ASIDE.sub("", _BEFORE_DASH.sub("", sentence.strip().rstrip("? ")))
    if listed := _banded(words) or _two_sides(words) or _more_or_less(words):
        return listed
    no_list = (_COMMAND, _KIND_OR_KIND, _ANY_OF, _SUCH_AS)
    if any(each.match(words) for each in no_list) or _LOOKS_LIKE.search(words):
        return ()
    if _BARE.fullmatch(words):
        return split_list(words)
    if not re.search(r"\bor\b", words, re.I) or _NO_CHOICE.search(words):
        return ()
    opposite: tuple[str, str] | None = next(
        (
            pair
            for pair in re.findall(r"\b(\w+) or (\w+)\b", words)
            if set(map(str.lower, pair)) in _OPPOSITES
        ),
        None,
    )
    if (
        opposite
        and "," not in words.partition(opposite[0])[2].partition(opposite[1])[0]
        and not _ASKS_BOTH.match(words)
    ):
        return opposite
    if _CLAUSE.match(words) and not words.lower().startswith("which"):
        after = _AFTER_COMMA.match(_QUOTED.sub("", words))
        begun = after is not None and _is_begun(words, after[1]) and not _COMPARED.search(words)
        if after is None or not re.search(r"\bor\b", after[1], re.I) or begun:
            return ()
    pieces = list(split_list(words))
    if len(pieces) < 2 or any(map(_CLAUSE.match, pieces[1:])):
        return ()
    whole = len(pieces) > 2 and _WHOLE.match(pieces[-1])
    counted = _COUNTED.match(words) and not (whole or _PICK.search(words) or _OWN_OR_RENT.search(words))
    if _OPEN_END.match(pieces[-1]) or counted:
        return ()
    options = _trim(pieces)
    if _OWN_OR_RENT.search(words):
        lead = re.compile(r"^(?:do|does|did) (?:you|your household) (?:currently )?", re.I)
        options = tuple(clean(lead.sub("", piece)) for piece in pieces)
    asks_which = re.match(r"^(?:which|who|what)\b", words, re.I)
    if (
        len(options) == 2
        and not asks_which
        and not any(each.search(words) for each in (_PICK, _EITHER, _OWN_OR_RENT))
        and set(map(str.lower, options)) not in _OPPOSITES
    ):
        return ()
    return options if all(options) and all(len(option) <= 80 for option in options) else ()


_ASKED_AGAIN = Pattern(
    r"(?:(?:do|are|would) you (?:usually |mostly |more of )?|(?:are|is|do|does) (?:they|it|things) )"
    r"(?:an? )?",
    re.I,
)
"""Start of a last option that is a full clause: "Are you a planner, or do you go with the flow?"."""


_COMPARED = Pattern(r"\b(?:more|most|better|best|less|least|rather)\b.*, [\w' -]+ or [\w' -]+$", re.I)
"""Comparisons of two things: "Who would you trust more with your data, Google or Apple?"."""


def _is_begun(words: str, listed: str) -> bool:
    """Return whether the list after a comma continues a list before it."""
    head = words[: len(words) - len(listed)].rstrip(", ")
    last = listed.rpartition(" or ")[2]
    return bool(_BEGUN.match(head)) and (not _ARTICLED.match(listed) or len(last.split()) > 3)


_TO_DO = Pattern(r"^to (?:\w+ (?=(?:online|in|at|on|by|with|from)\b))?", re.I)
"""Question words in the first option: "Do you prefer to shop online or in a store?"."""
_THAT = Pattern(r"^(?:that )?(?:in general,? |overall,? )?(?:that )?", re.I)
_WITHIN = Pattern(r"\s+over the (?:next|past|last|coming)\b.*$", re.I)
_NEITHER = Pattern(r"^(neither \w+ nor \w+)\b.*$", re.I)


def _without_object(last: str, others: Sequence[str]) -> str:
    """Return the last option without the common part: "strongly oppose" of "... oppose building it"."""
    words = last.split()
    ends = {other.split()[-1].lower() for other in others if other.split()}
    at = next((at for at, word in enumerate(words[:-1]) if word.lower() in ends), None)
    return last if at is None or at > 2 else " ".join(words[: at + 1])


_DEGREES = r"(?:much|far|way|a (?:little|bit|lot)|very|somewhat|extremely|slightly|mostly|fairly|completely)"
_DEGREE = Pattern(rf"\b{_DEGREES} .*$", re.I)


def _by_degree(first: str, others: Sequence[str]) -> str:
    """Return the first option without the words before its degree, if another option has a degree too."""
    found = _DEGREE.search(first)
    return found[0] if found and any(map(_DEGREE.match, others)) else first


def _from_same(first: str, last: str) -> str:
    """Return the first option from the word that starts the last one: "work fully remote"."""
    words, start = first.split(), last.split()[0].lower()
    at = next((at for at, word in enumerate(words) if at and word.lower() == start), None)
    return first if at is None or len(start) < 4 else " ".join(words[at:])


def _as_long(first: str, second: str) -> str:
    """Return the first option without its lead if both end alike: "visit better than"."""
    words, many = first.split(), len(second.split())
    alike = len(words) > many > 1 and words[-1].lower() == second.split()[-1].lower()
    return " ".join(words[-many:]) if alike else first


def _trim(pieces: list[str]) -> tuple[str, ...]:
    """Remove the lead of the first piece and the tail of the last."""
    first, last = pieces[0], pieces[-1]
    if len(pieces) > 2 and re.match(r"^(?:which|what|who|of these)\b", first, re.I):
        pieces = pieces[1:]
        first = pieces[0]
    else:
        lead = _LEAD.match(first)
        first = first[lead.end() :] if lead else first
        if not any(piece.lower().startswith("to ") for piece in pieces[1:]):
            first = _TO_DO.sub("", first)
        first = _from_same(first, last)
        first = _by_degree(_as_long(first, pieces[1]), pieces[1:])
        places = list(_PLACED.finditer(first))
        if places and _PLACED.match(last):
            return (*(clean(piece) for piece in (first[places[-1].start() :], *pieces[1:-1])), clean(last))
        typical = min(len(piece.split()) for piece in pieces[1:])
        if lead is None:
            first = " ".join(first.split()[-max(typical, 1) :])
    first = _THAT.sub("", first)
    first = re.sub(
        r"^(?:have\s+|.*\b(?:is|are|was|were|feels?|been)\s+|more (?:of|like)\s+|it\s+)(?=\S)",
        "",
        first,
        flags=re.I,
    )
    inner = [_ARTICLE.sub("", piece) for piece in (first, *pieces[1:-1])]
    anew = _ASKED_AGAIN.match(last)
    if anew:
        return tuple(clean(piece) for piece in (*inner, last[anew.end() :]))
    last = _WITHIN.sub("", last)
    last = last if _WHOLE.match(last) else _without_object(last, inner)
    last = _NEITHER.sub(r"\1", _ARTICLE.sub("", last)).removeprefix("that ")
    if not _WHOLE.match(last) and not any(_TAIL.search(piece) for piece in inner):
        last = _TAIL.sub("", last)
    if not _WHOLE.match(last) and len(pieces) > 2 and all(len(piece.split()) == 1 for piece in inner):
        last = last.split()[0] if last else last
    return tuple(clean(piece) for piece in (*inner, last))
