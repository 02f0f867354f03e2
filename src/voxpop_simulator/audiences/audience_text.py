"""Parsing of audience texts into mentions: known phrases first, then criteria for screening questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voxpop.engines.audience import Screen
from voxpop.vocabulary.places import CANADIAN_PROVINCES, STATES
from voxpop_simulator.audiences import screens as screens
from voxpop_simulator.audiences.audience_health import HEALTH, medical_mentions
from voxpop_simulator.audiences.audience_numbers import number_mentions
from voxpop_simulator.audiences.audience_places import PLACES, UNKNOWN_COUNTRIES
from voxpop_simulator.audiences.audience_spelling import Speller
from voxpop_simulator.audiences.audience_words import WORDS
from voxpop_simulator.audiences.audience_work import WORK
from voxpop_simulator.audiences.mentions import Mention, Sense, sense
from voxpop_simulator.audiences.occupation_names import fold_phrase, occupations
from voxpop_simulator.questions.wordlists import word_set

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LONGEST = 7
_WORDLIKE = word_set("IN OR ME HI OK OH ON MS MD PA VA AL LA DE CO MA ID DC MO PE NS AB NU NL")
_CODE = re.compile(r"\b[A-Z]{2}\b")
_BEFORE_CODE = re.compile(
    r"(?:\b(?:in|from|near|outside|across|except)\s+|[a-z],\s*|\b[A-Z]{2}\s*(?:,|/|and|or|,\s*and|"
    r",\s*or)\s*)$"
)
_PREAMBLE = re.compile(
    r"^\W*(?:(?:please|hi there|ok|so)\b[ ,]*)?(?:(?:(?:i|we)(?:['’](?:m|re|d)| am| are| would)?(?: "
    r"really)?|can you|could you|"
    r"help me|let['’]s)\s+)?(?:(?:also|like|want|need|wish|hoping|trying|planning|to|be|would)\s+)*"
    r"(?:looking for|look for|looking to|search for|searching for|recruit(?:ing)?|find|get|give|show|"
    r"interview(?:ing)?|survey(?:ing)?|"
    r"talk to|talk with|speak to|speak with|hear from|target(?:ing)?|select|reach|ask|poll|study|"
    r"understand|"
    r"a (?:group|panel|sample|focus group|set) of|(?:group|panel|sample|focus group) of)\b"
    r"(?:\s+(?:me|us|to|out|talk|speak|with|interview|survey|recruit|hear|from|reach|for|find|a|an|the|group|panel|sample|of|set)\b)*",
    re.IGNORECASE,
)
_WANT = re.compile(
    r"^\W*(?:i|we)(?:['’]d)?\s+(?:would\s+)?(?:like|want|need)\s+(?:to\s+\w+\s+)?", re.IGNORECASE
)
_OPENER = re.compile(
    r"\b(?:(?:who|that|which)(?:['’](?:ve|re|s|d))?\s+|(?=(?:owning|planning|considering|looking|"
    r"interested|familiar|"
    r"allergic|fluent|shopping|caring|struggling|trying|thinking|using|driving|saving|willing|"
    r"registered(?= (?:to|with|as))|born|buying|"
    r"paying|playing|watching|travell?ing|afraid|worried|concerned|married to|fans of|users of|owners of|"
    r"customers of|members of|employees (?:of|at)|subscribers (?:of|to))\b\s))",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"[.;!?]|\b(?:who|which)\b|,\s*(?=(?:and |but |or )?(?:who|with|without|in|aged|ages|not|living|"
    r"from|live|but|over|under|"
    r"preferably|mostly|excluding|except)\b)|,\s*(?=(?:and|but)\b)|\s(?=(?:aged|ages \d|between (?:the "
    r"ages|\d)|excluding|except)\b)"
    r"|\s(?=(?:and|but|or) (?:are|is|live|have|has|work|earn|smoke|do not|don['’]t|with|without|living|aged|over|under|in)\b)",  # noqa: E501
    re.IGNORECASE,
)
_PLACE_TAIL = re.compile(
    r"\s+(?:in|from|across|within|based in|living in|and live in)\s+(?:the )?$", re.IGNORECASE
)
_VERBS_TOO = word_set(
    "clean cleans coach coaches cook cooks farm farms guard guards host hosts nurse nurses paint"
    " paints pilot "
    "pilots tutor tutors"
)
"""Job names that are also everyday activities: "who cook at home" names no job."""
_NO_TAIL = word_set(
    "visited visit travel traveled moved move born vacation flew fly been invest go went moving visiting"
)
_HELPERS = word_set(
    "are is were was am be been being have has had do does did not don't doesn't didn't aren't isn't "
    "haven't never "
    "currently also regularly still either both recently have've just already ever usually"
)
_FRAMES = word_set(
    "live lives living lived reside resides residing work works working worked have having take takes "
    "taking took use uses "
    "using earn earns earning make makes making smoke smokes smoking smoked drink drinks drinking drank "
    "sleep sleeps "
    "sleeping exercise exercises exercising eat eats eating suffer suffers suffering diagnosed struggle "
    "struggling "
    "quit used stopped gave get gets study studying graduated finished completed dropped went attended "
    "raising raise "
    "prescribed retired employed treated identify identifies had located based enrolled going married "
    "earned"
)
_LEANINGS = word_set(
    "interested afraid worried concerned considering planning familiar fluent allergic willing open "
    "registered born "
    "thinking looking trying new fond likely unlikely able unable married"
)
FILLERS = word_set(
    "people adults adult individuals individual persons person folks participants respondents those "
    "anyone everyone "
    "everybody somebody someone who whom that which are is am be been being a an the of in from with at "
    "by for to as on "
    "their them they his her own and or nor & plus but also both either neither all any some each every "
    "living lives live lived "
    "residing reside located based within across around throughout aged age ages years year old olds "
    "currently "
    "have has having had diagnosed suffering suffer suffers take takes taking took use uses using "
    "prescribed "
    "medication medications medicine medicines drug drugs condition conditions work works worked "
    "working employed "
    "job jobs occupation profession field industry sector identify identifies identifying category "
    "group groups "
    "audience sample panel please i we you me us need want like would looking find recruit get gets "
    "include including "
    "only just mostly mainly preferably ideally exclusively especially strictly not no non without "
    "except excluding "
    "exclude never don't doesn't do does aren't isn't didn't did other than outside than then there "
    "earn earns earning make makes making "
    "income incomes household salary status level range between over under income-level it this these "
    "our my your "
    "state states country city area areas region part parts citizens residents resident adulthood "
    "persons' members "
    "man's about approximately roughly exactly most many several few lot lots number per yearly annual "
    "annually "
    "symptoms symptom history disease score severity quality diet lifestyle weight body self identified "
    "identifying gender origin background ethnicity descent race racial so if where when while more "
    "less least "
    "one two three whose s t re ve patients patient sufferers sufferer users consumers general "
    "population public "
    "now still already households household beneficiaries recipients enrollees anywhere worldwide "
    "globally everywhere country national nationally representative random smoking activity physically "
    "activity habits minus native whether"
)
_NEGATION = re.compile(
    r"\b(?:not|no|non|without|except(?: for)?|excluding|exclude|never|neither|nor|isn['’]t|aren['’]t|"
    r"don['’]t|doesn['’]t|"
    r"didn['’]t|haven['’]t|other than|outside(?: of)?|minus|nobody|anything but|anyone but|instead of)"
    r"[\s-]+(?:(?:a|an|the|any|currently|yet|have|having|had|been|be|in|on|from|living|live|working|"
    r"work|as|taking|take|use|"
    r"using|diagnosed|with|of|who|are|is|people|for|those|prescribed|adults|suffer|get|identify|state|states|also|anyone|being)\s+){0,5}$",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\bnot (?:only|just|necessarily)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """The parsed audience text, in order, with the words that were not understood.

    Attributes
    ----------
    text : str
        The text with corrected spelling.
    mentions : tuple of Mention
        Everything understood; a mention without fields is a criterion for a screening question.
    doubt : (str, tuple of str) or None
        A misspelt word and its possible corrections.
    abroad : str or None
        A place outside the known countries.
    unknown : tuple of str
        Words without a known meaning.
    loose : frozenset of (int, int)
        Positions of the mentions made from such words.
    """

    text: str
    mentions: tuple[Mention, ...]
    doubt: tuple[str, tuple[str, ...]] | None
    abroad: str | None
    unknown: tuple[str, ...]
    loose: frozenset[tuple[int, int]] = frozenset()


class Reader:
    """Parser with the lexicon and the jobs of one population."""

    def __init__(self, labels: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> None:
        jobs = occupations(labels, titles)
        alone = {phrase: _alone(phrase) for phrase in screens.ALONE}
        self._senses: dict[str, Sense] = {**jobs, **alone, **HEALTH, **WORDS, **WORK, **PLACES}
        for verb in ("working", "work", "works", "employed", "worked"):
            self._senses |= {f"{verb} {word}": Sense() for word in ("as", "in", "at", "for")}
        self._speller = Speller(self._senses, FILLERS | screens.AGENT_NOUNS | UNKNOWN_COUNTRIES)

    def read(self, text: str) -> Reading:
        """Return the mentions of a text; never raises, whatever the text."""
        tidy = " ".join(text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"').split())
        tidy, doubt = self._speller.correct(tidy)
        blank = _blank(_blank(tidy, _PREAMBLE), _WANT)
        found = self._candidates(blank)
        fixed = [*_parents(blank)]
        fixed += [m for m in self._clauses(blank, found) if not _overlaps(m, fixed)]
        fixed += [m for m in self._agents(blank, found) if not _overlaps(m, fixed)]
        chosen = _choose(fixed, found)
        leftover, unknown = _leftovers(blank, chosen)
        leftover = [m for m in leftover if not set(m.words.lower().split()) & UNKNOWN_COUNTRIES]
        if doubt is not None and any(doubt[0] in m.words for m in fixed):
            doubt = None
        leftover = [_of_job(blank, m, chosen) for m in leftover]
        ordered = sorted((*chosen, *leftover), key=lambda mention: mention.start)
        kept = tuple(m for m in ordered if m.sense.parts or m.sense.questions)
        loose = frozenset((m.start, m.end) for m in leftover)
        abroad = next((word for word in unknown if word.lower() in UNKNOWN_COUNTRIES), None)
        return Reading(tidy, _negate(blank, kept), doubt, abroad, tuple(unknown), loose)

    def _candidates(self, text: str) -> list[Mention]:
        tokens = list(_TOKEN.finditer(text))
        folded = [fold_phrase(token[0]) for token in tokens]
        found = [*number_mentions(text), *medical_mentions(text), *_codes(text)]
        for first in range(len(tokens)):
            phrase = ""
            for last in range(first, min(first + _LONGEST, len(tokens))):
                gap = text[tokens[last - 1].end() : tokens[last].start()] if last > first else ""
                if gap.strip(" -–/.&") and not (
                    gap.strip() == "," and folded[last] in ("dc", "oregon", "maine")
                ):
                    break
                phrase = f"{phrase} {folded[last]}".strip()
                meaning = self._senses.get(phrase) or self._senses.get(phrase.removesuffix("'s"))
                start, end = tokens[first].start(), tokens[last].end()
                if meaning is not None and _fits(text, start, end, phrase):
                    found.append(Mention(start, end, text[start:end], meaning))
        return found

    def _clauses(self, text: str, found: Sequence[Mention]) -> Iterator[Mention]:
        taken = 0
        for opener in _OPENER.finditer(text):
            if opener.start() < taken:
                continue
            stop = _STOP.search(text, opener.end() + 1)
            end = stop.start() if stop else len(text)
            for start, until in _pieces(text, opener.end(), end):
                inside = [m for m in found if start <= m.start and m.end <= until]
                mention = _criterion(text, start, until, inside)
                if mention is not None:
                    yield mention
                    taken = max(taken, mention.end)

    def _agents(self, text: str, found: Sequence[Mention]) -> Iterator[Mention]:
        tokens = list(_TOKEN.finditer(text))
        for at, token in enumerate(tokens):
            noun = token[0].lower()
            if noun not in screens.AGENT_NOUNS and noun not in _WORKERS:
                continue
            covering = [m for m in found if m.start < token.start() < m.end and m.end >= token.end()]
            first = at
            while first > 0 and at - first < 3 and _modifies(text, tokens, first, found):
                first -= 1
            if first == at or covering or "school" in text[tokens[first].start() : token.end()].lower():
                continue
            start, end = tokens[first].start(), token.end()
            words = text[start:end]
            base = self._senses.get(noun)
            mention = _agent(start, end, words, noun, base)
            if mention is not None:
                yield mention


_CHILDREN = re.compile(
    r"\b(parents?|moms?|dads?|mothers?|fathers?|mums?|(?=(?:with|without|who have|having|have|has|"
    r"raising)\b))"
    r"\s*(?:of|with|without|to|raising|who have|having|have|has)\s+(?!no\b)((?:[\w'-]+\s+){0,3}?"
    r"(?:children|kids|child|teens|teenagers|toddlers?|babies|baby|infants?|newborns?|high[- ]schoolers|"
    r"students|"
    r"preschoolers|sons?|daughters?|adolescents|school-?aged? kids|boys|girls)"
    r"(?:\s+(?:(?:under|over|younger than|aged)\s+(?:the age of\s+)?\d+(?:\s*(?:-|to)\s*\d+)?|in (?:\w+ )?school|in college))?)\b",  # noqa: E501
    re.IGNORECASE,
)
_PLAIN_CHILDREN = re.compile(
    r"(?:a |any |minor |their |young |small |underage )*(?:children|kids|child)(?: under 18)?", re.IGNORECASE
)
_SEXES: dict[str, dict[str, Any]] = {
    "m": {"gender": "female"},
    "d": {"gender": "male"},
    "f": {"gender": "male"},
    "p": {},
    "": {},
}


def _parents(text: str) -> Iterator[Mention]:
    """Yield parents described by their children: "parents of toddlers", "with kids under 5"."""
    for found in _CHILDREN.finditer(text):
        children = found[2]
        if (
            re.search(r"\b(?:without|no|not|and|or|in|who|for)\b", children, re.IGNORECASE)
            and " in " not in children
        ):
            continue
        if found[1] == "" and re.search(
            r"\b(?:don't|do not|not|never|doesn't|teachers?|work\w*)\s*$", text[: found.start()].lower()
        ):
            continue
        asked = None if _PLAIN_CHILDREN.fullmatch(children) else f"Do you have {children}?"
        if found[0].lower().startswith("without"):
            if asked is not None:
                yield Mention(found.start() + 8, found.end(), children, sense(ask=asked))
            continue
        parent: dict[str, Any] = (
            {} if re.match(r"(?:adult|grown)", children, re.IGNORECASE) else {"is_parent": True}
        )
        sex = _SEXES[found[1][:1].lower()]
        meaning = sense(person=bool(found[1]), ask=asked, **sex, **parent)
        yield Mention(found.start(), found.end(), found[0], meaning)


_WORKERS = {
    "workers": "Do you work in {}?",
    "employees": "Do you work for {}?",
    "professionals": "Do you work in {}?",
    "students": "Do you study {}?",
}


def _alone(phrase: str) -> Sense:
    screen = screens.agent_screen(phrase)
    return Sense(person=True, questions=((screen.question, screen.keep),) if screen else ())


def _agent(start: int, end: int, words: str, noun: str, base: Sense | None) -> Mention | None:
    if noun in _WORKERS:
        question = _WORKERS[noun].format(words[: -len(noun)].strip(" -"))
        parts = base.parts if base is not None else ()
        return Mention(start, end, words, Sense(parts, person=True, questions=((question, "yes"),)))
    screen = screens.agent_screen(words)
    return None if screen is None else _asked(start, end, screen, person=True)


def _asked(start: int, end: int, screen: Screen, *, person: bool = False) -> Mention:
    return Mention(
        start, end, screen.criterion, Sense(person=person, questions=((screen.question, screen.keep),))
    )


def _modifies(text: str, tokens: Sequence[re.Match[str]], first: int, found: Sequence[Mention]) -> bool:
    before, after = tokens[first - 1], tokens[first]
    if text[before.end() : after.start()].strip(" -'&"):
        return False
    word = before[0].lower()
    culture = after[0].lower() in (
        "food",
        "restaurant",
        "music",
        "movie",
        "car",
        "football",
        "beer",
        "wine",
        "art",
        "tv",
    )
    covered = any(m.start <= before.start() < m.end for m in found)
    return (culture or not covered) and word not in FILLERS and not word.isdigit()


def _blank(text: str, pattern: re.Pattern[str]) -> str:
    found = pattern.match(text)
    return text if found is None else " " * found.end() + text[found.end() :]


def _fits(text: str, start: int, end: int, phrase: str) -> bool:
    written = text[start:end]
    if re.match(r"(?: State)? (?:University|College|High School|Times|Post)\b", text[end:]):
        return False
    if phrase in _VERBS_TOO and re.search(
        r"\b(?:who|that)\s+(?:\w+ly\s+|often\s+|never\s+)?$", text[:start].lower()
    ):
        return False
    if phrase in ("us", "la", "may"):
        return written.isupper() or (phrase == "us" and text[:start].lower().endswith(("the ", "in ")))
    if phrase in ("parents", "parent", "mother", "father", "mothers", "mom", "dad"):
        return not re.search(
            r"\b(?:their|his|her|your|elderly|aging|ageing|of|my|our)\s+$", text[:start].lower()
        )
    if phrase in ("city", "young", "older", "younger", "working", "employed", "active", "student"):
        return not re.search(
            r"\b(?:big|york|the|salt lake|kansas|parents? of|physically)\s+$", text[:start].lower()
        ) and (not re.search(r"^\s+(?:kids|children|child|of|in|as|at)\b", text[end:].lower()))
    if phrase in ("white", "black", "asian") or phrase in ("rich", "indian"):
        return not re.search(
            r"^[\s-]+(?:collar|friday|tea|coffee|car|food|in|hat|ocean)\b", text[end:].lower()
        )
    return True


def _codes(text: str) -> Iterator[Mention]:
    shouting = text.isupper()
    for found in _CODE.finditer(text):
        code = found[0]
        placed = _BEFORE_CODE.search(text[: found.start()]) is not None
        if (
            code in STATES
            and (placed or (not shouting and code not in _WORDLIKE))
            and (code != "LA" or text[: found.start()].rstrip()[-1:] == ",")
        ):
            canadian: dict[str, Any] = {"country": "Canada"} if code in CANADIAN_PROVINCES else {}
            meaning = sense(state=code, american=not canadian, **canadian)
            yield Mention(found.start(), found.end() + 0, code, meaning)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the criteria of a clause: parts joined by "and" or "but" that start with a verb."""
    at = start
    for joint in re.finditer(r",?\s+(?:and|but)\s+(?:also\s+)?(?=([\w']+))", text[start:end]):
        if screens.is_verb(joint[1]):
            yield _trim(text, at, start + joint.start())
            at = start + joint.end()
    yield _trim(text, at, end)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    start += len(part) - len(part.lstrip(" ,"))
    return start, start + len(part.strip(" ,:-"))


def _criterion(text: str, start: int, end: int, inside: Sequence[Mention]) -> Mention | None:
    """Return the criterion for a screening question, or None if the lexicon covers the words."""
    words = text[start:end]
    tokens = [token.lower() for token in words.split()]
    telling = [m for m in inside if not set(m.fields) <= {"state", "country"} or not m.fields]
    placed = bool(inside) and _LIVES.match(words) is not None
    if not tokens or placed or (telling and _framed(tokens, telling)):
        return None
    if (
        any(m.start == start for m in inside)
        and not (set(tokens[:2]) & _LEANINGS)
        and "of" not in tokens[1:2]
    ):
        return None
    tail = max((m for m in inside if m.end == end), key=lambda m: m.end - m.start, default=None)
    if tail is not None and not (set(tokens) & _NO_TAIL) and set(tail.fields) & {"state", "country", "age"}:
        before = _PLACE_TAIL.search(text[start : tail.start])
        if before is not None or "age" in tail.fields:
            end = start + (before.start() if before is not None else len(text[start : tail.start].rstrip()))
            words = text[start:end]
    screen = screens.phrase_screen(_of_phrase(words))
    if screen is None:
        return None
    return _asked(start, end, replace(screen, criterion=words))


def _of_phrase(words: str) -> str:
    found = re.match(
        r"(fans|users|owners|customers|members|employees|subscribers) (of|at|to) (.+)", words, re.IGNORECASE
    )
    if found is None:
        return words
    verbs = {"fans": "are a fan of", "users": "use", "owners": "own", "customers": "are a customer of"}
    verbs |= {"members": "are a member of", "employees": "work for", "subscribers": "subscribe to"}
    return f"{verbs[found[1].lower()]} {found[3]}"


_LIVES = re.compile(
    r"(?:(?:do|does|don't|doesn't|not|currently|also|are|is|were|currently|all|both|have|lived|been|"
    r"aren't) )*"
    r"(?:live|lives|living|lived|reside|resides|residing|located|based|from|in|outside|american|"
    r"canadian|work in|works in|working in|"
    r"moved from|come from|comes from|(?:are|is) \w+$)\b",
    re.IGNORECASE,
)


def _framed(tokens: Sequence[str], inside: Sequence[Mention]) -> bool:
    helped = False
    for token in tokens:
        if token in _HELPERS:
            helped = True
            continue
        if any(token in re.split(r"[\s-]+", m.words.lower()) for m in inside) and helped:
            return True
        if token in _LEANINGS and token not in _FRAMES:
            return False
        if token.endswith("ing") or token.endswith("ed") or not helped:
            return token in _FRAMES or (helped and token in ("overweight", "obese"))
        return not screens.is_participle([token]) or token in _FRAMES
    return True


def _overlaps(mention: Mention, others: Iterable[Mention]) -> bool:
    return any(mention.start < other.end and other.start < mention.end for other in others)


def _choose(fixed: Sequence[Mention], found: Sequence[Mention]) -> list[Mention]:
    chosen = list(fixed)
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if not _overlaps(mention, chosen):
            chosen.append(mention)
    return chosen


def _leftovers(text: str, chosen: Sequence[Mention]) -> tuple[list[Mention], list[str]]:
    """Return criteria from the words that nothing covers, and the unknown words."""
    runs: list[list[re.Match[str]]] = [[]]
    ends = sorted(chosen, key=lambda m: m.start)
    previous = 0
    for token in re.finditer(r"[\w$%'&.+-]*\w[\w$%'+-]*", text):
        covered = any(m.start < token.end() and token.start() < m.end for m in ends)
        parted = bool(re.search(r"[,;:.!?()]", text[previous : token.start()]))
        joint = token[0].lower() in ("and", "or", "but", "nor", "who", "that")
        if covered or parted or joint:
            runs.append([])
        if not covered and not joint:
            runs[-1].append(token)
        previous = token.end()
    made: list[Mention] = []
    unknown: list[str] = []
    for run in runs:
        mention = _from_run(text, run)
        if mention is not None and len(run) <= 9:
            made.append(mention)
        unknown += [token[0] for token in run if _content(token[0])]
    return made, unknown


def _of_job(text: str, mention: Mention, chosen: Sequence[Mention]) -> Mention:
    """Return a criterion before a job as a question about that job ("children's book authors")."""
    job = next(
        (
            m
            for m in chosen
            if set(m.fields) & {"occupation", "occupation_major_group"} and m.start > mention.start
        ),
        None,
    )
    question = mention.sense.questions[0][0] if mention.sense.questions else ""
    if job is None or text[mention.end : job.start].strip() or question != f"Are you {mention.words}?":
        return mention
    return _asked(
        mention.start,
        mention.end,
        replace(screens.noun_screen(f"{mention.words} {job.words}"), criterion=mention.words),
    )


def _content(word: str) -> bool:
    low = word.lower().strip("'")
    return low not in FILLERS and not re.fullmatch(r"[\d.,$%+-]+", low) and len(low) > 1


_OPENS = word_set("at with without on into interested from in having has have is are")


def _from_run(text: str, run: Sequence[re.Match[str]]) -> Mention | None:
    content = [at for at, token in enumerate(run) if _content(token[0])]
    if not content:
        return None
    first, last = content[0], content[-1]
    opener = next((at for at in range(first - 1, -1, -1) if run[at][0].lower() in _OPENS), None)
    if opener is not None:
        words = text[run[opener].start() : run[last].end()]
        negated = words.lower().startswith("without ")
        screen = screens.phrase_screen(f"with {words[8:]}" if negated else words, negated=negated)
        if screen is not None:
            return _asked(run[opener].start(), run[last].end(), replace(screen, criterion=words))
    start, end = run[first].start(), run[last].end()
    words = text[start:end]
    if screens.is_verb(run[first][0]) or words.lower().endswith("ing"):
        screen = screens.phrase_screen(words)
        if screen is not None:
            return _asked(start, end, screen)
    return _asked(start, end, screens.agent_screen(words) or screens.noun_screen(words))


def _negate(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the mentions with exclusions marked; "or" and "and" extend a negation."""
    marked: list[Mention] = []
    end = 0
    for mention in mentions:
        before = text[end : mention.start]
        negated = _NEGATION.search(before) is not None and not _ONLY.search(before)
        prefixed = re.search(r"\bnon[\s-]+$", text[: mention.start], re.IGNORECASE) is not None
        if (
            not negated
            and marked
            and marked[-1].negated
            and re.fullmatch(r"\s*,?\s*(?:(?:or|nor|and|any|a|an|the)\s+)*", before)
        ):
            negated = _carries(text, marked[-1], mention)
        marked.append(replace(mention, negated=negated or prefixed))
        end = mention.end
    return tuple(marked)


def _carries(text: str, last: Mention, mention: Mention) -> bool:
    prefixed = re.search(r"\bnon[\s-]+$", text[: last.start], re.IGNORECASE) is not None
    return not prefixed and (set(last.fields) == set(mention.fields) or not mention.fields or not last.fields)
