"""Parsing of a thesis: its subject, direction, reasons and audience."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from voxpop.vocabulary.bounds import as_read
from voxpop.vocabulary.nearest import nearest
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.theses import drivers as drivers
from voxpop_simulator.theses.catalogue import (
    COMMON_WORDS,
    EMPLOYERS,
    Entry,
    article,
    entries,
    entry_named,
    names_pattern,
)
from voxpop_simulator.theses.thesis_words import OPPOSITE, Move, about_the_future, moves, way_of


@dataclass(frozen=True, slots=True)
class Measured:
    """A subject of a thesis, with its direction: up, down, same, not_up or not_down."""

    entry: Entry
    way: str


@dataclass(frozen=True, slots=True)
class Thesis:
    """The parsed thesis.

    Attributes
    ----------
    text : str
        The complete text, cleaned.
    measured : tuple of Measured
        Subjects of the claim, at most two.
    others : tuple of Entry
        Other named things: rivals, causes, owners.
    rival : Entry or None
        The thing that gains if the first subject loses, or vice versa.
    subject : Entry or None
        Subject of a text without a claim.
    reasons : tuple of str
        Reasons, main reason first.
    future : bool
        Whether the claim is about the future.
    employer : str or None
        Industry of the employers in the claim, empty for any; None if it is about customers.
    contradiction : bool
        Whether it claims both directions for one thing.
    people : str
        The text without names of things, for finding the audience.
    """

    text: str
    measured: tuple[Measured, ...] = ()
    others: tuple[Entry, ...] = ()
    rival: Entry | None = None
    subject: Entry | None = None
    reasons: tuple[str, ...] = ()
    future: bool = False
    employer: str | None = None
    contradiction: bool = False
    people: str = ""


@dataclass(frozen=True, slots=True)
class _Named:
    start: int
    end: int
    entry: Entry


_LEAD = re.compile(
    r"^\W*(?:(?:(?:please |kindly )?(?:test|check|find out|verify|validate|investigate) (?:whether|if"
    r"|that)|thesis|hypothesis|idea|claim|(?:my|our) (?:view|thesis|hypothesis|"
    r"take|bet|claim)(?: is)?|(?:i|we) (?:\w+ly )?(?:think|believe|expect|suspect|bet|argue|guess|feel"
    r"|am convinced|"
    r"are convinced|hear)|it (?:is|seems|looks) (?:likely|clear|as if|like|true)|is it (?:true|likely"
    r"|the case)|do you "
    r"(?:think|believe|expect)|in (?:my|our) view|there is evidence|clearly|so|well|basically|why (?=is"
    r"|are|do|does|"
    r"has|have|will)|how come)\b[:,]?\s*(?:that\s+)?)+",
    re.I,
)
_ASKING = re.compile(
    r"^(?:is|are|was|were|will|would|does|do|did|has|have|had|can|could|should|may|might)\s+", re.I
)
_TYPOS = {
    **dict.fromkeys(("becuase", "becasue", "beacuse", "becaus", "becouse", "cuz", "cos", "bc"), "because"),
    **{"loosing": "losing", "looses": "loses", "trafic": "traffic"},
    **{"grwoing": "growing", "gowing": "growing"},
    **{"decling": "declining", "teh": "the", "adn": "and", "inflaton": "inflation", "demmand": "demand"},
    **{"swithcing": "switching", "swiching": "switching", "gen-z": "Gen Z", "genz": "Gen Z", "w/": "with"},
    **dict.fromkeys(("milenials", "millenials", "millennails"), "millennials"),
    **dict.fromkeys(("restaraunts", "restraunts", "resturants"), "restaurants"),
    **dict.fromkeys(("consumrs", "consumors", "costumers"), "consumers"),
    **{"prise": "price", "pirce": "price", "prcie": "price", "fallling": "falling", "risng": "rising"},
}  # fmt: skip
GROUPS = word_set(
    """
    consumers consumer customers customer people shoppers shopper households household families parents
    mothers moms fathers dads adults americans britons canadians australians germans men women woman man
    millennials millennial z zers x boomers buyers users drivers travelers travellers patients workers
    employees students graduates retirees renters homeowners owners tourists smokers drinkers diners
    viewers gamers fans investors seniors singles couples vegans diabetics nurses teachers engineers
    developers doctors physicians pharmacists subscribers members residents guests citizens they we
    everyone nobody anybody visitors borrowers savers readers listeners players commuters
    """
)
_METRICS = (
    r"(?:market share|share of wallet|share|sales|volumes?|traffic|demand|revenues?|subscriptions?"
    r"|subscribers?|bookings"
    r"|visits|orders|spending|margins|adoption|usage|use|consumption|footfall|churn|sign-?ups|popularity"
    r"|growth|profits?"
    r"|earnings|appeal|stock|shares|customers?|users?|buyers|memberships?|loyalty|prospects|business|decline)"
)
_OF = re.compile(
    rf"^(?:(?:[\w-]+ )?{_METRICS} (?:of|for|in|at|on|from) |the |a |an |its |their |many |most |some "
    rf"|more |fewer |all )+",
    re.I,
)
_LONGEST_NOUN = 15  # words; a longer one is not a name
_ENDS = re.compile(
    rf"(?:['’]s?)?(?:\s+(?:market|retail|unit|afternoon|morning|same-store|overall)*\s*{_METRICS})+$", re.I
)
_AUXILIARY = re.compile(
    r"(?:is|are|was|were|will|would|has|have|had|been|being|be|to|keeps?|continues?|going|set"
    r"|likely|unlikely|may|"
    r"might|could|should|must|can|cannot|expected|about|not|never|no|longer|won['’]t|isn['’]t|aren['’]t"
    r"|doesn['’]t|"
    r"don['’]t|do|does|did|didn['’]t|hasn['’]t|haven['’]t|wont|isnt|still|already|now|also|really|slowly"
    r"|quickly|rapidly|"
    r"steadily|clearly|increasingly|finally|gradually|actually|soon|fails?|failing|failed|remains?"
    r"|stays?|becoming|"
    r"getting|more|ever|much|very|most|looks?|seems?|appears?|starting|beginning|started|begun|both)",
    re.I,
)
_VAGUE = word_set(
    """
    it this that these those things thing they something everything anything nothing stuff there he she
    we i you one sales demand volumes traffic prices price market markets economy business growth
    revenue profits earnings shares stock company companies industry sector future times rates inflation
    people what which who result trend situation life world numbers because why how share costs and or
    but the a an if when costs profit test hello thesis idea
    """
)
_CUSTOMERS_OF = re.compile(
    r"^(?:['’]s?)?\s+(?:customers?|users?|buyers|owners|subscribers|members|fans|shoppers|drinkers"
    r"|viewers|regulars|"
    r"drivers|players|guests)\b",
    re.I,
)
_RIVAL = re.compile(
    r"\b(?:to|against|from|versus|vs\.?|than|over|at the expense of|in favou?r of|for|by)\s+(?:\w+\s+){0,3}$",
    re.I,
)
_BOTH_WAYS = re.compile(
    r"(?:(?:and|but|yet|while|or)\b ?)?(?:(?:also|simultaneously|at the same time|is|are|it|they|both)\b ?)*"
)
_IS = re.compile(r"\s*(?:is|are|was|were|will be|has been|have been|keeps?|will|is now)\s*", re.I)
_SEEING = re.compile(r"\b(?:see|sees|seeing|report\w*|notic\w*|expect\w*|experienc\w*)\s*$", re.I)
_MAKING = re.compile(
    r"^(.+?)\s+(?:(?:will|would|is|are|may|might|could|can)\s+)?(?:lead|leads|leading|led|makes?|making"
    r"|made|forc\w+|push\w*"
    r"|caus\w+|gets?|getting)\s+(?=\w)",
    re.I,
)
_DESPITE = re.compile(r",?\s+(?:despite|even though|even if|although|in spite of|regardless of)\s.*$", re.I)
_DETERMINER = re.compile(r"\b(?:the|a|an|this|their|its|recent|ongoing)\b", re.I)
_TOGETHER = re.compile(r"^(?:['’]s)?\s*(?:,|and|or|&|,\s*and|plus|as well as)\s*$", re.I)
_REPLACING = re.compile(r"replac|displac|cannibal|eat\w* into|share from|disrupt", re.I)


def cleaned(text: str) -> str:
    """Return a text as one line without lead-ins, with common typing errors corrected.

    Examples
    --------
    >>> cleaned("I think that  Starbuks is loosing trafic")
    'Starbucks is losing traffic'
    """
    flat = " ".join(as_read(text).replace("’", "'").replace("“", '"').replace("”", '"').split())
    flat = re.sub(r"\bU\.\s?S\.(?:A\.)?", "US", flat)
    flat = re.sub(r"\bU\.\s?K\.", "UK", flat)
    flat = _LEAD.sub("", flat)
    return re.sub(r"[A-Za-z][\w'/-]*", lambda found: _mended(found[0]), flat).strip(' "')


def _mended(word: str) -> str:
    fixed = _TYPOS.get(word.lower())
    if fixed is not None:
        return fixed[:1].upper() + fixed[1:] if word[:1].isupper() else fixed
    if len(word) < 6 or entry_named(word) is not None or moves(word) or not word.isalpha():
        return word
    if word.lower() in GROUPS or word.endswith("ers"):
        return word
    single = [
        phrase
        for phrase in entries()
        if len(phrase) >= 6 and " " not in phrase and phrase[0] == word[0].lower()
    ]
    near = nearest(word.lower(), single, n=1, cutoff=0.88)
    if not near or near[0].rstrip("s") == word.lower().rstrip("s"):
        return word
    entry = entries()[near[0]]
    if entry.kind == "company":
        return entry.name if word[0].isupper() and " " not in entry.name else word
    return near[0]


def read(text: str) -> Thesis:
    """Return the parsed thesis.

    Examples
    --------
    >>> found = read("Starbucks is losing traffic to energy drinks because of price.")
    >>> [(one.entry.name, one.way) for one in found.measured], found.rival.name, found.reasons
    ([('Starbucks', 'down')], 'energy drinks', ('price',))
    """
    whole = cleaned(text)
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z\"'])", whole)
    at = next((at for at, one in enumerate(sentences) if moves(one) and _named_in(one)), None)
    if at is None:
        at = next((at for at, one in enumerate(sentences) if moves(one)), 0)
    claim, reasons = drivers.split(_LEAD.sub("", sentences[at]).strip(" .!?"))
    others = [other for place, other in enumerate(sentences) if place != at]
    claim = _DESPITE.sub("", claim)
    claim += "".join(
        f" while {drivers.split(one.strip(' .!?'))[0]}" for one in others if moves(one) and _named_in(one)
    )
    reasons += tuple(reason for other in others for reason in drivers.named(other))
    thesis = _claimed(claim, whole)
    reasons = tuple(dict.fromkeys((*reasons, *thesis.reasons)))
    future = about_the_future(claim)
    people = _masked(
        ". ".join([_ASKING.sub("", claim), *(other for other in others if not drivers.named(other))])
    )
    return replace(thesis, reasons=reasons, future=future, people=people, employer=_employer(claim, thesis))


def _named_in(text: str) -> list[_Named]:
    found = []
    for hit in names_pattern().finditer(text):
        entry = entry_named(hit[0])
        if entry is None or (hit[0].lower() in COMMON_WORDS and not hit[0][0].isupper()):
            continue
        if re.match(r"[\s-]+(?:graduates?|students?|grads|educated)\b", text[hit.end() :], re.I):
            continue
        if entry.trade == "medicine" and _taken_by(text, hit):
            continue
        found.append(_Named(hit.start(), hit.end(), entry))
    return found


def _taken_by(text: str, hit: re.Match[str]) -> bool:
    """Return whether a medicine defines the audience ("GLP-1 users", "people on statins")."""
    people = r"\b(?:people|adults|patients|those|women|men|americans|consumers|users)"
    before = rf"{people}\s+(?:who are |who )?(?:on|taking|take|using)\s+(?:an?\s+)?$"
    after = re.match(r"\s+(?:users|patients|takers)\b", text[hit.end() :], re.I)
    return after is not None or re.search(before, text[: hit.start()], re.I) is not None


def _masked(text: str) -> str:
    """Return a text without its names, so that none is mistaken for people."""
    for one in reversed(_named_in(text)):
        text = f"{text[: one.start]}it{text[one.end :]}"
    return text


def _claimed(claim: str, whole: str) -> Thesis:
    """Return the subjects of a claim with their directions."""
    plain = _ASKING.sub("", claim)
    clauses = [part for part in re.split(r",?\s+(?:while|whereas|but)\s+", plain) if part.strip()]
    found = [one for one in (_of_clause(clause) for clause in clauses) if one is not None]
    named = _named_in(plain)
    if not found or not found[0].measured:
        subject = named[0].entry if named else None
        return Thesis(whole, subject=subject, others=tuple(one.entry for one in named[1:]))
    first, measured = found[0], list(found[0].measured)
    contradiction = _both_ways(plain, named)
    rival = first.rival
    for other in found[1:]:
        for one in other.measured:
            same = next((m for m in measured if m.entry.name == one.entry.name), None)
            contradiction |= same is not None and OPPOSITE.get(same.way) == one.way != same.way
            if same is None and len(measured) < 2:
                measured.append(one)
    names = {one.entry.name for one in measured}
    rest = [one.entry for one in named if one.entry.name not in names]
    rest += [one for one in first.others if one.name not in names]
    others = tuple({one.name: one for one in rest}.values())
    return Thesis(whole, tuple(measured), others, rival, None, first.reasons, contradiction=contradiction)


def _both_ways(text: str, named: Sequence[_Named]) -> bool:
    found = [move for move in moves(text) if move.kind == "self" and move.way in ("up", "down")]
    for one, other in pairwise(found):
        between = text[one.end : other.start]
        joined = re.search(r"\b(?:and|but|yet|while|or)\b", between, re.I)
        said = " ".join(re.findall(r"\w+", between.lower()))
        if one.way != other.way and joined and _BOTH_WAYS.fullmatch(said):
            return True
    return False


def _of_clause(clause: str) -> Thesis | None:
    told = moves(clause)
    if not told:
        return None
    named = _named_in(clause)
    outside = [m for m in told if not any(n.start <= m.start and m.end <= n.end for n in named)]
    move = _main(clause, outside)
    if move is None:
        return None
    before = [one for one in named if one.end <= move.start]
    after = [one for one in named if one.start >= move.start]
    way = way_of(move, clause)
    if re.match(r"\W*(?:fewer|less)\b", clause, re.I) and move.way == "up":
        way = OPPOSITE.get(way, way)
    if move.kind == "shift":
        return _shifted(clause, move, way, after)
    if move.kind in ("away", "toward"):
        return _taken(clause, move, way, before, after)
    if move.kind == "act":
        return _acted(clause, move, way, before, after)
    return _moved(clause, move, way, before, after)


def _main(clause: str, told: Sequence[Move]) -> Move | None:
    """Return the word for the claim's direction: in the position of a verb, not of an attribute."""
    if not told:
        return None
    if len(told) > 1 and not _DETERMINER.sub("", clause[: told[0].start]).strip() and told[0].kind != "away":
        return told[1]  # "Rising rates will cut ...": the first word describes the cause
    if len(told) > 1 and _IS.fullmatch(clause[told[0].end : told[1].start]):
        return told[1]  # "growth is slowing"
    if len(told) > 1 and told[0].words.lower() in (
        "lower",
        "higher",
        "stronger",
        "weaker",
        "growing",
        "declining",
    ):
        return told[1]
    return told[0]


def _shifted(clause: str, move: Move, way: str, after: Sequence[_Named]) -> Thesis | None:
    if not after:
        unknown = _unknown_after(clause[move.end :])
        return Thesis("", (Measured(unknown, way),)) if unknown else None
    to = next(
        (one for one in after[1:] if re.search(r"\bto(?:ward)?s?\b", clause[after[0].end : one.start])), None
    )
    return Thesis("", (Measured(after[0].entry, way),), rival=to.entry if to else None)


def _taken(
    clause: str, move: Move, way: str, before: Sequence[_Named], after: Sequence[_Named]
) -> Thesis | None:
    if before and _CUSTOMERS_OF.match(clause[before[-1].end : move.start]) and after and way in OPPOSITE:
        return Thesis("", (Measured(before[-1].entry, OPPOSITE[way]),), rival=after[0].entry)
    making = _MAKING.match(clause[: move.start])
    reasons = drivers.parts("by", making[1]) if making else ()
    if after:
        other = next((one for one in after[1:] if _RIVAL.search(clause[after[0].end : one.start])), None)
        if other is None and re.search(r"\bfrom\b", clause[after[0].end : after[-1].start]):
            other = after[-1]
        rival = other.entry if other else None
        return Thesis("", (Measured(after[0].entry, way),), rival=rival, reasons=reasons)
    if before:
        return Thesis("", (Measured(before[0].entry, way),))
    unknown = _unknown_after(clause[move.end :]) or _unknown_before(clause, move)
    return Thesis("", (Measured(unknown, way),)) if unknown else None


def _acted(
    clause: str, move: Move, way: str, before: Sequence[_Named], after: Sequence[_Named]
) -> Thesis | None:
    making = _MAKING.match(clause[: move.start])
    cause = making[1] if making else _noun_before(clause, move)
    who = _is_group(cause) or _employed(cause) is not None or not cause
    if after:
        company = (
            before[0].entry
            if before and before[0].entry.kind == "company" and after[0].entry.employer
            else None
        )
        maker = next(
            (one.entry for one in before if one.entry.kind == "company"), before[0].entry if before else None
        )
        rival = maker if _REPLACING.search(move.words) else None
        reasons = () if who or company or rival else drivers.parts("by", cause)
        return Thesis("", (Measured(after[0].entry, way),), rival=rival, reasons=reasons)
    unknown = (
        None
        if re.search(r"\b(?:be|been|being|is|are|was|were)\s+\w*\s*$", clause[: move.start])
        else (_unknown_after(clause[move.end :]))
    )
    if unknown is not None and before and not who:
        return Thesis(
            "", (Measured(unknown, way),), others=(before[0].entry,), reasons=drivers.parts("by", cause)
        )
    if before and (unknown is None or who):
        own = re.match(r"['’]s?\s+(.+)", _noun_before(clause, move)[before[0].end :])
        return Thesis("", (Measured(before[0].entry, way),), reasons=(own[1],) if own else ())
    unknown = unknown or _unknown_before(clause, move)
    return (
        Thesis("", (Measured(unknown, way),), reasons=() if who else drivers.parts("by", cause))
        if unknown
        else None
    )


def _moved(
    clause: str, move: Move, way: str, before: Sequence[_Named], after: Sequence[_Named]
) -> Thesis | None:
    if after and _SEEING.search(clause[: move.start]):
        return Thesis("", (Measured(after[0].entry, way),))
    if not before:
        group = _is_group(_noun_before(clause, move))
        unknown = None if group else _unknown_before(clause, move)
        if unknown is not None:
            rival = next((one.entry for one in after if _RIVAL.search(clause[move.end : one.start])), None)
            return Thesis("", (Measured(unknown, way),), rival=rival)
        entry = after[0].entry if after else _unknown_after(clause[move.end :])
        return Thesis("", (Measured(entry, way),)) if entry else None
    measured = [before[0]]
    for one in before[1:]:
        if _TOGETHER.match(clause[measured[-1].end : one.start]) and len(measured) < 2:
            measured.append(one)
    if before[0].entry.kind == "company" and len(before) > 1 and len(measured) == 1:
        measured = (
            [before[-1]]
            if before[-1].entry.kind == "category" and "'" in clause[before[0].end :][:2]
            else measured
        )
    rival = next((one.entry for one in after if _RIVAL.search(clause[move.end : one.start])), None)
    return Thesis("", tuple(Measured(one.entry, way) for one in measured), rival=rival)


def _noun_before(clause: str, move: Move) -> str:
    words = clause[: move.start].split()
    while words and _AUXILIARY.fullmatch(words[-1]):
        words.pop()
    return " ".join(words).strip(" ,'\"")


def _is_group(noun: str) -> bool:
    words = re.findall(
        r"[a-z']+",
        re.split(r"\s(?:in|of|over|under|aged|from|with|who|on|at|among|between)\s", noun.lower())[0],
    )
    return bool(words) and (words[-1] in GROUPS or words[-1].endswith("-olds"))


def _unknown_before(clause: str, move: Move | None) -> Entry | None:
    noun = _noun_before(clause, move) if move is not None else clause.strip(" .?!")
    if re.match(rf"{re.escape(noun)} (?:is|has|was)\b", clause) and re.fullmatch(r"[A-Z]\w+s", noun):
        return Entry(noun, "company", "firm", noun, noun, article(noun))  # a name: "Allbirds is ..."
    return None if _is_group(noun) else _entry_of(noun, opening=True)


def _unknown_after(rest: str) -> Entry | None:
    noun = re.split(
        r"\b(?:among|in|at|because|and|but|or|for|from|to|on|by|this|next|over|than|with|as|when|if|less"
        r"|more|instead)\b|[,.;:?!]",
        _OF.sub("", rest.strip()),
    )[0]
    return _entry_of(noun.strip(), opening=False)


def _entry_of(noun: str, *, opening: bool) -> Entry | None:
    """Return an entry for a thing missing from the catalogue, or None if the words name nothing."""
    noun = re.split(r"\s(?:in|of|at|among|for|from|across|amongst|with|by|on)\s", _OF.sub("", noun.strip()))[
        0
    ]
    if noun.count(" ") > _LONGEST_NOUN:
        return None
    noun = re.sub(r"['’]s?$", "", _ENDS.sub("", f" {noun}")).strip(" ,'\"")
    words = noun.split()
    if not words or len(words) > 4 or not re.fullmatch(r"[\w&.+' -]+", noun) or len(noun) < 3:
        return None
    if words[-1].lower() in _VAGUE or noun.lower() in _VAGUE or words[-1].lower() in GROUPS or noun.isdigit():
        return None
    if (
        moves(noun)
        or _employed(noun) is not None
        or re.match(r"(?:and|or|not|very|much|so|too|\w+ly)\b", noun, re.I)
    ):
        return None
    proper = [word[:1].isupper() or word[:1].isdigit() for word in words]
    telling = proper[1:] if opening and len(words) > 1 else proper
    if all(telling) and (len(words) > 1 or not opening or not words[0][1:].islower()):
        return Entry(noun, "company", "firm", noun, noun, article(noun))
    if opening and len(words) == 1 and proper[0] and not noun.endswith("s"):
        return Entry(noun, "product", "thing", noun, noun, article(noun))
    plain = noun if words[0].isupper() else noun[:1].lower() + noun[1:]
    return Entry(plain, "product", "thing", plain, plain, article(plain))


def _employed(noun: str) -> str | None:
    """Return the industry of the employers in a noun phrase, ignoring adjectives."""
    head = noun.split(" in ")[0]
    return next((name for words, name in EMPLOYERS if re.search(rf"\b(?:{words})$", head, re.I)), None)


_BY_TRADE = {
    "restaurant": "Accommodation and Food Services",
    "store": "Retail Trade",
    "bank": "Finance and Insurance",
    "software": "Information",
    "social": "Information",
    "car": "Manufacturing",
    "device": "Manufacturing",
    "care": "Health Care and Social Assistance",
}


def _employer(claim: str, thesis: Thesis) -> str | None:
    if not thesis.measured or not thesis.measured[0].entry.employer:
        return None
    found = next((name for words, name in EMPLOYERS if re.search(rf"\b(?:{words})\b", claim, re.I)), None)
    if found is not None:
        return found
    return next((_BY_TRADE[one.trade] for one in thesis.others if one.trade in _BY_TRADE), "")
