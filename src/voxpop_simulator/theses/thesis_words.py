"""Words for directions in a thesis: the moving thing, the verb, and negations."""

from __future__ import annotations

import re
from dataclasses import dataclass

# direction, kind, forms. "self": the subject before the verb moves; "act": the object after it is moved;
# "away" and "toward": people leave or adopt the object after it; "shift": from one thing to another
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("down", "shift", r"(?:switch|mov|migrat|shift|turn|defect|convert|go)\w*(?: away| over)? from"),
    ("down", "shift", r"trad(?:e|es|ed|ing) (?:down|up|away) from"),
    ("up", "toward", r"(?:switch|mov|migrat|shift|turn|defect|flock|convert|return|go)\w*(?: over| back"
                     r"| away)? to"
                     r"(?! (?:be|grow|lose|rise|fall|decline)\b)"),
    ("up", "toward", r"trad(?:e|es|ed|ing) (?:down|up) to"),
    ("up", "toward", r"adopt(?:s|ed|ing)?|embrac\w+|prefer(?:s|red|ring)?|choos(?:e|es|ing)|opt(?:s|ed"
                     r"|ing)? for"
                     r"|sign\w* up (?:for|to)|discover\w*|stock\w* up on|splurg\w* on"),
    ("down", "away", r"abandon\w*|ditch\w*|leav(?:e|es|ing)|left(?! )|cancel\w*|avoid\w*|quit(?:s|ting)?"
                     r"|reject\w*|skip(?:s|ped|ping)?|giv(?:e|es|ing) up(?: on)?|(?:cut|pull|scal"
                     r"|dial)\w* back"
                     r"(?: on| from)?|los(?:e|es|ing) interest in|(?:cut|reduc)\w* (?:their "
                     r"|its )?(?:spending|spend)"
                     r"(?: on)?|drop(?:s|ped|ping)? (?=their|the)|los(?:e|es|ing) (?:faith|trust) in"
                     r"|sour\w* on"
                     r"|turn\w* (?:away from|their backs on)|mov\w* away from"
                     r"|stop(?:s|ped|ping)? (?:shopping at|buying|using|watching|visiting|eating"
                     r"|drinking|going to|paying for)"),
    ("down", "away", r"(?:buy|drink|eat|spend|us|watch|order|visit|shop|driv|fly|tak|smok|need|want|play|see"
                     r"|go|sav|borrow|brew|report|sell|bet|gambl|read|listen|cook|pay"
                     r"|invest)\w*(?: out)?(?: \w+){0,2} (?:less|fewer|lower)(?: (?:on|at|of|often"
                     r"|in|with|for))?"),
    ("up", "toward", r"(?:buy|drink|eat|spend|us|watch|order|visit|shop|driv|fly|tak|smok|need|want|play|see"
                     r"|go|sav|borrow|brew|report|sell|bet|gambl|read|listen|cook|pay"
                     r"|invest)\w*(?: out)?(?: \w+){0,2} (?:more|higher)(?! (?:expensive|conscious|careful|"
                     r"sensitive))(?: (?:on|at|of|often|in|with|for))?"),
    ("down", "away", r"tired of|sick of|fed up with|bored (?:of|with)|(?:isn['’]t|aren['’]t|not"
                     r"|no longer|don['’]t"
                     r"|doesn['’]t) (?:buy|drink|eat|us|watch|order|visit|shop|driv|fly|tak|smok|play|go"
                     r"|read|wear)\w*"
                     r"(?: (?:at|to|from|with))?(?! (?:less|fewer|more)\b)"),
    ("down", "act", r"cut(?:s|ting)?|reduc\w+|hurt\w*|harm\w*|dent(?:s|ed|ing)?|squeez\w+|erod\w+|depress\w*"
                    r"|cannibali[sz]\w+|disrupt\w*|replac\w+|displac\w+|kill(?:s|ed|ing)?|curb\w*|trim\w*"
                    r"|lower(?:s|ed|ing)|weigh\w* on|pressur(?:es|ed|ing)|threaten\w*|crush\w*"
                    r"|drag\w* (?:down|on)"
                    r"|limit(?:s|ed|ing)|delay\w*|postpon\w+|defer(?:s|red|ring)?|freez\w+|slash\w*"
                    r"|put(?:s|ting)? (?:off|people off)|keep\w* (?:[\w-]+ ){1,4}out of|hold\w* back"
                    r"|tak\w* share from|steal\w* share from|undermin\w*|eat\w* into|push\w* down"
                    r"|bring\w* down"
                    r"|discourag\w*|weaken(?=(?:s|ed|ing)? (?:demand|sales|spending))\w*"),
    ("down", "act", r"(?:push|driv|scar)\w* (?:[\w-]+ ){1,3}(?:away|out|to (?:switch|leave|cancel|quit))"),
    ("up", "act", r"(?:push|steer|nudg|driv|lead|pull)\w* (?:[\w-]+ ){1,3}(?:towards?|to|into)"
                  r"(?! (?:switch|leave|cancel|quit|cut|buy|spend|drink|eat|reduce)\b)"),
    ("up", "act", r"boost\w*|lift(?:s|ed|ing)?|rais(?:e|es|ed|ing)|driv(?:e|es|ing)(?! by)|drove"
                  r"|help(?:s|ed|ing)?"
                  r"|support(?:s|ed|ing)?|fuel(?:s|ed|ing|led|ling)?|stimulat\w+|spur\w*|encourag\w*"
                  r"|push\w* up|bring\w* (?:forward|back)|win\w* back|speed\w* up"
                  r"|accelerat\w+(?= (?:demand|sales|adoption|spending))"
                  r"|increas(?:e|es|ed|ing)(?= (?!in\b|because|due|as\b|by\b|over\b|among|next|this)\w)"),
    ("down", "self", r"los(?:e|es|ing|t)|declin\w*|fall(?:s|ing|en)?|fell|slow(?:s|ed|ing)?(?: down)?"
                     r"|weak(?:en\w*|er"
                     r"|ness)?|soft(?:er|en\w*)?|shrink\w*|shrank|shrunk|slump\w*|contract(?:s|ed|ing)"
                     r"|fad(?:e|es|ed|ing)|deteriorat\w+|collaps\w+|tumbl\w+|slip(?:s|ped|ping)?|crater\w*"
                     r"|miss(?:es|ed|ing)?|underperform\w*|struggl\w+|suffer\w*|stall(?:s|ed|ing)?|worse\w*"
                     r"|disappoint\w*|out of fashion|out of favou?r|under pressure|dying|dies|die|dead|doomed"
                     r"|lower|drop(?:s|ped|ping)?|plung\w+|sink(?:s|ing)?|sank|cede\w*|ceding|overrated"
                     r"|less popular|unpopular|overvalued|overestimat\w+|fail(?:s|ed|ing)?(?! to)|down"
                     r"|peaked|frozen|ending"),
    ("up", "self", r"gain(?:s|ed|ing)?|grow(?:s|n|ing|th)?|grew|ris(?:e|es|ing|en)|rose|increas(?:e|es"
                   r"|ed|ing)"
                   r"|expand\w*|expansion|accelerat\w+|improv\w+|strengthen\w*|strong(?:er)?|recover\w*"
                   r"|rebound\w*|surg(?:e|es|ed|ing)|soar\w*|boom(?:s|ed|ing)?|outperform\w*|beat(?:s|ing)?"
                   r"|win(?:s|ning)?"
                   r"|won(?!['’])|tak(?:e|es|ing) (?:market )?share|thriv\w+|flourish\w*|popular(?:ity)?"
                   r"|doubl\w+|climb\w*"
                   r"|higher|benefit(?:s|ed|ting|ing)? from|attract(?:s|ed|ing)?|undervalued"
                   r"|underestimat\w+|comeback|catching on"
                   r"|taking off"
                   r"|tak\w* off|succeed\w*"),
    ("same", "self", r"stable|flat|steady|unchanged|stay the same|hold(?:s|ing)? (?:up|steady)|resilient"
                     r"|plateau\w*"
                     r"|stagnat\w*"),
)  # fmt: skip
_MOVES = tuple((way, kind, re.compile(rf"\b(?:{forms})\b", re.I)) for way, kind, forms in _FORMS)
_NOT_A_MOVE = re.compile(
    r"\b(?:(?:cut|lower|rais|increas|slash|hik)\w* (?:its |their |the )?prices?\b(?! of)|los(?:e|es|ing"
    r"|t) weight"
    r"|weight[- ]loss|rising star|growing number of(?= )|leaving aside|(?:more|less) than\b|at least\b)",
    re.I,
)
_DENIALS = re.compile(
    r"\b(?:not(?! only\b)|nobody|no one|never|cannot|no longer|no sign of|no evidence of|without|hardly"
    r"|neither|unlikely to"
    r"|(?:un)?able to resist|fail(?:s|ed|ing)? to|stop(?:s|ped|ping)? (?=los|grow|fall|declin|ris|gain)"
    r"|far from"
    r"|no(?= (?:decline|growth|loss|drop|fall|gain|rise|increase)))\b|\b\w+n['’]t\b|\bwont\b|\bisnt\b",
    re.I,
)
_INVERSE = re.compile(
    r"\b(?:churn|cancell?ations?|defaults?|delinquenc(?:y|ies)|complaints?|unemployment|layoffs?"
    r"|vacanc(?:y|ies)"
    r"|joblessness|closures?)\b",
    re.I,
)
_FUTURE = re.compile(
    r"\b(?:will|won['’]t|wont|would|going to(?! (?:the|a|an)\b| [A-Z])|gonna|set to|expected? to"
    r"|about to|likely to|likely|may|might|could|should"
    r"|shall|next (?:year|quarter|month)|soon|by (?:the end of |early |late )?20\d\d|in (?:the )?coming"
    r"|over the next|forecast|expect|eventually)\b|['’]ll\b",
    re.I,
)
OPPOSITE = {"up": "down", "down": "up", "same": "same"}


@dataclass(frozen=True, slots=True)
class Move:
    """A word for a direction, with its position: ``way`` is up, down, same, not_up or not_down."""

    start: int
    end: int
    way: str
    kind: str
    words: str


def moves(text: str) -> list[Move]:
    """Return the direction words of a clause, in order, preferring longer ones at the same position.

    Examples
    --------
    >>> [(move.words, move.way, move.kind) for move in moves("Sales will fall as people switch to tea")]
    [('fall', 'down', 'self'), ('switch to', 'up', 'toward')]
    """
    blocked = [(found.start(), found.end()) for found in _NOT_A_MOVE.finditer(text)]
    found = [
        Move(hit.start(), hit.end(), way, kind, hit[0])
        for way, kind, pattern in _MOVES
        for hit in pattern.finditer(text)
        if not any(start < hit.end() and hit.start() < end for start, end in blocked)
    ]
    kept: list[Move] = []
    for move in sorted(found, key=lambda move: (move.start, -move.end)):
        if not kept or move.start >= kept[-1].end:
            kept.append(move)
    return kept


def way_of(move: Move, text: str) -> str:
    """Return the direction of a move in its clause, with negations and things that are bad if they rise.

    Examples
    --------
    >>> text = "Netflix is not failing to grow"
    >>> way_of(moves(text)[0], text)
    'up'
    """
    way = move.way
    around = text[: move.start] + text[move.end : move.end + 24]
    if _INVERSE.search(around) and move.kind in ("self", "act"):
        way = OPPOSITE[way]
    if sum(denial.start() < move.start for denial in _DENIALS.finditer(text)) % 2:
        return {"up": "not_up", "down": "not_down"}.get(way, way)
    return way


def about_the_future(text: str) -> bool:
    """Return whether a claim is about the future.

    Examples
    --------
    >>> about_the_future("Sales will fall"), about_the_future("Sales are falling")
    (True, False)
    """
    return _FUTURE.search(text) is not None
