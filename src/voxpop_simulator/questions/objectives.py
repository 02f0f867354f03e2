"""The subject of an objective: a thing or an action, in words that fit into a question."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from voxpop.vocabulary.bounds import as_read
from voxpop.vocabulary.nearest import nearest
from voxpop_simulator.questions.objective_phrases import (
    DETERMINERS,
    PREPOSITION,
    PREPOSITIONS,
    TAIL,
    WEAK,
    has_people,
    is_person,
    noun,
    short,
    turned,
    with_article,
)
from voxpop_simulator.questions.objective_words import (
    ADVERBS,
    ATTITUDES,
    BEHAVIOURS,
    COUNTABLE,
    EFFECTS,
    FINDINGS,
    FORMS,
    GERUNDS,
    HAPPENINGS,
    PEOPLE,
    PRONOUNS,
    RESEARCH_VERBS,
    gerund,
)
from voxpop_simulator.questions.wordlists import word_set

_MOST_CHARACTERS = 2_000
_SKIPPED = word_set(
    "would will might may can could should do does did are is be been was were have has had not never still"
    " really actually currently regularly already often sometimes usually increasingly typically likely"
    " willing going planning starting beginning also mostly first to don't doesn't won't wouldn't didn't"
    " aren't can't cannot don’t doesn’t won’t wouldn’t most rarely seldom just ever when while"
)
_STRONG_EFFECTS = EFFECTS - {"change", "drive", "improve", "hurt"}

_HOSTILE = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instruction|prompt|above|previous|prior"
    r"|rules?|everything|guideline)|system prompt|\byou are (?:now )?(?:a|an|dan|chatgpt|the)\b|\bact as\b"
    r"|\bpretend\b|\bjailbreak|\b(?:reveal|print|output|repeat|return|show)\b.{0,40}\b(?:prompt|secret|keys?"
    r"|password|instructions?)\b|\bdrop table\b|\bselect \* from\b|\brm -rf\b|^\s*(?:system|assistant)\s*:",
    re.I,
)
_LEADS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"^(?:(?:the|our|my|this|main|primary|key|overall|core|business|research|study|project|survey|single)"
        r"\s+)*(?:objective|goal|aim|purpose|question|topic|brief|hypothesis|thesis)s?"
        r"(?:\s+(?:of|for|in)\s+(?:this|the|our)\s+\w+)?\s*(?:is|are|:|-|–|—)\s*(?:to\s+|that\s+)?",
        r"^(?:this|the|our)\s+(?:study|research|survey|project|interviews?)\s+"
        r"(?:will|should|aims?|seeks?|wants?|is|tries)?\s*(?:designed|meant|intended)?\s*(?:to\s+)?",
        r"^(?:i|we)(?:['’](?:d|re|m|ve))?\s*(?:would|are|am|also|really|just|currently)?\s*"
        r"(?:like|love|want|need|wish|hope|look|try|trying|aim|plan|hoping|looking|interested|seek|seeking"
        r"|keen|curious|wonder|wondering)(?:ing)?\s*(?:to\s+|in\s+|about\s+|if\s+|whether\s+)?",
        r"^(?:don['’]?t|do) you (?:agree|think|believe|feel) (?:that )?",
        r"^(?:(?:how|where|when|what|which|why)\s+)?(?:should|can|could|do|would|must|might|shall|will)"
        r"\s+(?:i|we)\s+"
        r"(?:launch|introduce|offer|build|add|develop|sell|improve|redesign|fix|raise|lower"
        r"|increase|price|market"
        r"|position|grow|get|reach|win|keep|make|create)?\s*",
        r"^(?:is|are) there (?:any |enough |a |an |still )*",
        r"^(?:please|to|in order to|help (?:us|me)(?: to)?|can you|could you|let['’]?s|so|and|also|first"
        r"|then|finally)[,\s]+",
        r"^(?:tell (?:us|me)|a better understanding of|to get|get|gain|gather|collect|conduct|run|do)\s+"
        r"(?=(?:a |an |some |the )?(?:better |deep |deeper |initial |early |honest )?(?:understanding"
        r"|insights?|feedback|opinions?|views?|research|survey|interviews?|reactions?|about|what|why|how|if|whether))",
    )
)
_PRICE_CHANGE = re.compile(
    r"\b(?:an? |the |our )?price (?:increase|rise|change|cut|hike)s?"
    r"(?: (?:from \S+ to|of|by|to) \S+)? (?:for|on|of|in) ",
    re.I,
)
_PLACES = re.compile(
    r",?\s+(?:in|across|within) (?:the )?(?:us|usa|uk|united states|united kingdom|america|canada|germany"
    r"|france|australia|japan|brazil|india|mexico|europe)\b(?! market)",
    re.I,
)
_ADJECTIVE = re.compile(
    r"^(?:how |whether |if |are |is |do )?(?:[\w'’-]+ ){0,6}?(?:satisfied|dissatisfied|happy|unhappy|worried"
    r"|concerned|interested|excited|aware|loyal|open|willing|likely|ready|comfortable|confident|familiar"
    r"|frustrated|annoyed|knowledgeable|tired|sick|bored|skeptical|afraid)\s+"
    r"(?:[\w'’-]+ ){0,5}?(?P<link>with|about|in|of|to|by)\s+"
    r"(?P<rest>.+)$",
    re.I,
)
_QUALITY = re.compile(
    r"^how (?:important|useful|valuable|relevant|effective|clear|credible|appealing|popular|easy|hard|fair"
    r"|difficult|common|attractive|affordable|big|strong|price[- ]sensitive)\s+(?:is|are)\s+(?P<thing>.+?)"
    r"(?:\s+(?:to|for|among)\s+\S.*)?$",
    re.I,
)
_CAUSE = re.compile(
    r"^(?:what|which)\b.{0,40}?\b(?:make|drive|lead|motivate|encourage|prompt|prevent|stop|keep|influence"
    r"|convince|persuade|cause|push|get|discourage|trigger|help|bring)s?\s+(?P<who>(?:[\w'’-]+\s+){0,5}?)"
    r"(?:to\s+|from\s+)?(?P<rest>\S.*)$",
    re.I,
)
_STATE = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|can|will)\s+(?P<thing>\S.*?)\s+(?:good|bad|worth|better|worse"
    r"|too|safe|fair|ready|dead|still|really|important|effective|overpriced|a|an|the|being|going|more|less"
    r"|here|over|necessary|helpful|harmful|useful|real|just)\b",
    re.I,
)
_MATTERS = re.compile(
    r"^(?:which|what)\b.{0,40}?\b(?:matters?|counts?|(?:is|are) (?:most |more |really )?important)\s+"
    r"(?:(?:most|more|least|really|to [\w'’-]+)\s+)*(?:in|for|about|of|with|when it comes to|on)\s+"
    r"(?P<thing>.+)$",
    re.I,
)
_WH = re.compile(
    r"^(?:how (?:much|many|often|frequently|likely|far|long|quickly|do|does|did|are|is|can|would|will)?"
    r"|why|whether(?: or not)?|if|when|where|who|whom|that|what|which|would|will|do|does|did|are|is|can|could"
    r"|should|have|has)\b\s*(?:or why not\s+)?",
    re.I,
)
_CONTEXT = re.compile(
    r"^(?:we|i|our (?:company|team|startup|client|firm|brand)|the (?:company|client|team))"
    r"(?:['’](?:re|m|ve))?\s+"
    r"(?:are|is|am|have|has|will|plan to|just|currently|soon|recently|been|be|now|\s)*\s*"
    r"(?:launch|develop|introduc|build|mak|sell|creat|offer|design|consider|redesign|releas|produc|run)"
    r"(?:e|es|ed|ing|s)?\s+",
    re.I,
)
_DONE = (
    r"(?:delivered|installed|repaired|cleaned|fixed|checked|serviced|removed|fitted|replaced|shipped|washed"
    r"|painted|tested|translated|printed|tailored|groomed|mowed|done)"
)
# "have dog food delivered" is parsed as verb and object only after replacing "have" by "get"
_HAVE_DONE = re.compile(rf"\b(have|has|having)((?: [\w'’-]+){{1,4}}?) ({_DONE})\b", re.I)
_GET = {"have": "get", "has": "get", "having": "getting"}
_SPELT = {
    "wat": "what", "wht": "what", "abt": "about", "ppl": "people", "teh": "the", "thier": "their",
    "wanna": "want to", "cuz": "because", "shud": "should", "wud": "would", "whi": "why",
}  # fmt: skip
_OFTEN = ("people", "about", "customers", "consumers", "would", "think", "attitudes", "because")
_SECOND_PERSON = re.compile(r"\byou(?:r|rself)?\b", re.I)
_PUSHES = re.compile(
    r"^(?:don|isn|aren|wouldn|won|didn|doesn|shouldn|haven)['’]?t\b|agree that|\bright\s*\?|n['’]t (?:it|you"
    r"|they)\s*\?|\bsurely\b|\bobviously\b|\bof course\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Aim:
    """The parsed subject of an objective.

    Attributes
    ----------
    topic : str or None
        Noun phrase that can follow "about", or None.
    action : str or None
        Action of the people that can follow "to": "cancel your gym membership".
    question : str or None
        The objective's own words, if they are a question that people can be asked.
    words : str
        The analysed text, without excluded readings.
    """

    topic: str | None = None
    action: str | None = None
    question: str | None = None
    words: str = ""

    @property
    def doing(self) -> str | None:
        """The action in a form that can follow "about" or "from"."""
        return None if self.action is None else _as_gerund(self.action)


@lru_cache(maxsize=256)
def read_aim(objective: str) -> Aim:
    """Return the subject of an objective.

    Examples
    --------
    >>> read_aim("Understand why customers cancel their gym membership").action
    'cancel your gym membership'
    >>> read_aim("Measure awareness of and attitudes towards oat milk among US parents").topic
    'oat milk'
    """
    sentences = [one for one in _sentences(as_read(objective)) if not _HOSTILE.search(one)]
    words = " ".join(sentences)
    found = [(one, _read(one)) for one in sentences[:8]]
    named = [aim for _, aim in found if aim.topic or aim.action]
    if not named:
        return Aim(words=words)
    asked = [aim for one, aim in found if (aim.topic or aim.action) and _asks(one)]
    best = (asked or named)[0]
    others = [aim.topic for aim in named if aim.topic and not _points_elsewhere(aim.topic)]
    if best.topic and _points_elsewhere(best.topic):
        best = replace(best, topic=others[0] if others else None)
    if best.action and _points_elsewhere(best.action.split()[-1]):
        verb = " ".join(best.action.split()[:-1])
        best = replace(best, action=f"{verb} {others[0]}" if others and verb else None)
    if best.action and best.topic and " compared with " in best.action:
        best = replace(best, action=None)
    if best.action and best.topic and re.search(rf" {_DONE}$", best.topic):
        best = replace(best, topic=None)
    return replace(best, words=words)


def _sentences(objective: str) -> list[str]:
    """Return the sentences of an objective as plain text."""
    text = unicodedata.normalize("NFKC", objective[:_MOST_CHARACTERS])
    text = re.sub(r"\"([^\"]{1,80})\"", r"“\1”", text)
    text = re.sub(r"<[^<>]{0,200}>|https?://\S+", " ", text)
    text = re.sub(r"\bU\.\s?S\.(?:\s?A\.)?", "US", text)
    text = re.sub(r"\bvs\.?(?=\s)|\bversus\b", "compared with", text)
    text = _PLACES.sub("", text)
    text = _PRICE_CHANGE.sub("prices of ", text)
    text = re.sub(r"\s(?:redesign|relaunch|rebrand|rollout)\b", "", text, flags=re.I)
    text = _HAVE_DONE.sub(lambda found: f"{_GET[found[1].lower()]}{found[2]} {found[3]}", text)
    text = re.sub(r"\bbrand health\b", "brand perception", text, flags=re.I)
    text = re.sub(r"\bdecision[- ]making(?: process(?:es)?)?\b", "decisions", text, flags=re.I)
    text = re.sub(r"\betc\.?", "", re.sub(r"\be\.g\.,?", "for example", text))
    parts = re.split(r"(?<=[.?!])\s+|[\n\r;•]+", text)
    plain = ["".join(one if _is_plain(one) else " " for one in part) for part in parts]
    plain = [part.lower() if part.isupper() and len(part.split()) > 2 else part for part in plain]
    cleaned = [" ".join(map(_spelt, part.strip(" \t-*#>\"'`_").split())) for part in plain]
    return [part for part in cleaned if re.search(r"[^\W\d_]{2}", part)]


def _is_plain(character: str) -> bool:
    return character.isprintable() and unicodedata.category(character) not in ("So", "Co", "Cn")


def _spelt(word: str) -> str:
    """Return the common spelling of a function word."""
    if word in _SPELT:
        return _SPELT[word]
    if (
        len(word) < 5
        or not word.isalpha()
        or not word.islower()
        or word in FORMS
        or word in FINDINGS | PEOPLE
    ):
        return word
    near = nearest(word, _OFTEN, n=1, cutoff=0.79)
    return near[0] if near and near[0][0] == word[0] and abs(len(near[0]) - len(word)) < 2 else word


def _asks(sentence: str) -> bool:
    """Return whether a sentence states a goal of the research rather than a fact."""
    if _CONTEXT.match(sentence):
        return False
    return _without_lead(sentence)[1] or bool(_WH.match(sentence)) or sentence.endswith("?")


def _without_lead(sentence: str) -> tuple[str, bool]:
    """Return a sentence without its research boilerplate, and whether it had any."""
    text, led = sentence, False
    for _ in range(6):
        before = text
        for lead in _LEADS:
            text = lead.sub("", text, count=1)
        text = _without_research_verbs(text)
        if text == before:
            break
        led = True
    return text.strip(), led


def _without_research_verbs(text: str) -> str:
    found = re.match(
        r"(?:(?:better|really|deeply|fully|further|a|an|deeper|in-depth)\s+)*([A-Za-z]{3,})\b[,]?\s*", text
    )
    if not found or not _researches(found[1]):
        return text
    rest = text[found.end() :]
    more = re.match(r"(?:and|&|or|then)\s+([A-Za-z]{3,})\s+", rest)
    if more and _researches(more[1]):
        rest = rest[more.end() :]
    rest = re.sub(
        r"^(?:out|about|into|more about|exactly|the extent to which|for|of|on|in|at|up)\s+", "", rest
    )
    return rest or text


def _researches(word: str) -> bool:
    plain = word.lower()
    forms = {plain, plain.removesuffix("ing"), f"{plain.removesuffix('ing')}e"}
    if forms & RESEARCH_VERBS:
        return True
    if len(plain) < 6 or plain in FORMS or plain in FINDINGS or plain in COUNTABLE or not word.isalpha():
        return False
    return bool(nearest(plain, sorted(RESEARCH_VERBS), n=1, cutoff=0.85)) and word[1:].islower()


def _read(sentence: str) -> Aim:
    question = None
    if sentence.endswith("?") and len(sentence) <= 300 and not _PUSHES.search(sentence):
        by_you = _SECOND_PERSON.search(sentence) and not re.search(r"\b(?:can|could) you\b", sentence, re.I)
        ours = re.search(r"\b(?:i|we|our|us|my)\b", sentence.replace("US", ""), re.I)
        if not ours and (by_you or re.match(r"should\b", sentence, re.I)):
            question = sentence[:1].upper() + sentence[1:]
    text, _ = _without_lead(_CONTEXT.sub("", sentence.rstrip(" .?!…"), count=1))
    before, colon, behind = text.partition(": ")
    if colon and all(re.sub(r"\W", "", word).lower() in FINDINGS | PEOPLE | WEAK for word in before.split()):
        text = behind
    topic, action = _thing(TAIL.sub("", text).strip() or text)
    return Aim(topic, action, question)


def _thing(text: str) -> tuple[str | None, str | None]:
    """Return the topic and the action of a clause."""
    whole = text
    for _ in range(4):
        shorter = _without_findings(text)
        if shorter == text:
            break
        text = shorter
    shortened = text != whole
    if found := _QUALITY.match(text) or _MATTERS.match(text):
        return noun(found["thing"]), None
    if found := _ADJECTIVE.match(text):
        return _linked(found["link"], found["rest"])
    if found := _CAUSE.match(text):
        return _caused(found["who"], found["rest"])
    asked = _WH.match(text)
    if (state := _STATE.match(text)) and not has_people(state["thing"]):
        return noun(state["thing"]), None
    clause = text[asked.end() :] if asked else text
    if asked:
        shorter = _without_findings(clause)
        shortened, clause = shortened or shorter != clause, shorter
        if asked[0].lower().startswith(("which", "what")) and (thing := _done_to(clause.split())):
            return thing, None
    made = _clause(clause.split(), asked=bool(asked), shortened=shortened)
    if made is not None:
        return made
    clause = re.sub(r"\s+(?:is|are|was|were|will|would|should|has|have)\s.*$", "", clause)
    return (noun(clause), None) if clause else (None, None)


def _without_findings(text: str) -> str:
    """Return a clause without "the reasons for", "attitudes towards", "pricing of" and similar phrases."""
    words = text.split()
    for at, word in enumerate(words[:7]):
        if re.fullmatch(
            PREPOSITION + r"|toward|towards|behind|into|facing|regarding|concerning|around|why|when",
            word,
            re.I,
        ):
            before = [re.sub(r"\W", "", one).lower() for one in words[:at]]
            told = [one for one in before if one in FINDINGS]
            rest = words[at + 1 :]
            if not told or before[-1] not in FINDINGS or not rest:
                return text
            if word.lower() in ("why", "when"):
                return " ".join(words[at:])
            while rest and rest[0].lower() in ("and", "or", "of", "towards", "for", "about"):
                rest = rest[1:]
            return " ".join(rest) or text
        if word.lower() in FORMS and word.lower() not in FINDINGS and at:
            return text
    return text


def _linked(link: str, rest: str) -> tuple[str | None, str | None]:
    words = rest.split()
    if link.lower() == "to" and words[0].lower() in FORMS:
        return _acted(words)
    return noun(rest), None


def _caused(who: str, rest: str) -> tuple[str | None, str | None]:
    words = f"{who}{rest}".split()
    for at, word in enumerate(words[1:8], 1):
        if word.lower() in FORMS and (is_person(words[at - 1]) or words[at - 1].lower() in ("to", "from")):
            return _acted(words[at:])
    return _thing(" ".join(words)) if words[0].lower() not in _SKIPPED else (None, None)


def _done_to(words: list[str]) -> str | None:
    """Return the thing in "which services people keep"."""
    for at, word in enumerate(words[1:-1], 1):
        if words[0].lower() not in _SKIPPED and is_person(word) and words[at + 1].lower() in FORMS:
            return noun(" ".join(words[:at]))
    return None


def _clause(words: list[str], *, asked: bool, shortened: bool) -> tuple[str | None, str | None] | None:
    """Return the topic and the action of a verb, with or without its subject; None without a verb."""
    while asked and words and words[0].lower() in _SKIPPED:
        words = words[1:]
    if not words:
        return None
    first = words[0].lower()
    starts = first in FORMS and (asked or FORMS[first] == first or first in GERUNDS)
    if starts and FORMS[first] in BEHAVIOURS | ATTITUDES and first not in COUNTABLE | FINDINGS:
        return _acted(words)
    at = _verb(words, asked=asked)
    if at is None and asked:
        at = _unknown_verb(words)
    if at is None:
        return None
    subject = [word for word in words[:at] if word.lower() not in _SKIPPED]
    verb = FORMS.get(words[at].lower(), "")
    if has_people(" ".join(subject)):
        return _acted(words[at:])
    rest = " ".join(words[at + 1 :])
    named = noun(" ".join(subject), article=True)
    if verb in EFFECTS and named and rest:
        return f"the effect of {named} on {noun(rest) or rest}", None
    if named and (shortened or verb in HAPPENINGS):
        return named, None
    if named and (len(subject) < at or asked):
        return " ".join([named, gerund(verb), turned(rest)]).strip(), None
    return None


def _verb(words: list[str], *, asked: bool) -> int | None:
    """Return the position of the verb: after the people, or between two things."""
    known = [at for at, word in enumerate(words[:10]) if at and word.lower() in FORMS]
    for at in known:
        before = at - 1
        while before > 0 and words[before].lower() in _SKIPPED:
            before -= 1
        if is_person(words[before]):
            return at
    strong = [at for at in known if FORMS[words[at].lower()] in _STRONG_EFFECTS]
    if strong:
        return strong[0]
    told = [at for at in known if words[at - 1].lower() not in DETERMINERS | PREPOSITIONS]
    plain = [at for at in told if words[at - 1].lower() in _SKIPPED]
    if asked:
        plain = plain or told
    return plain[0] if plain else None


def _unknown_verb(words: list[str]) -> int | None:
    """Return the position of a word that must be the people's verb, although it is not in the list."""
    for at, word in enumerate(words[:8]):
        if is_person(word):
            behind = next(
                (place for place in range(at + 1, len(words)) if words[place].lower() not in _SKIPPED),
                len(words),
            )
            verb = "".join(words[behind : behind + 1])
            plain = verb.isalpha() and verb.islower() and verb not in PREPOSITIONS | WEAK and len(verb) > 2
            return (
                behind if plain and not verb.endswith(("ing", "ed", "ly")) and not is_person(verb) else None
            )
    return None


def _acted(words: list[str]) -> tuple[str | None, str | None]:
    """Return the topic and the action of words that start with a verb."""
    verb = FORMS.get(words[0].lower(), words[0].lower())
    rest = list(words[1:])
    while rest and rest[0].lower() in ("most", "least", "really", "much", "more") and verb in ATTITUDES:
        rest = rest[1:]
    if rest[:1] == ["to"] and len(rest) > 1 and rest[1].lower() in BEHAVIOURS:
        return _acted(rest[1:])
    if verb in ATTITUDES:
        if verb in ("talk", "hear") and " about " in f" {' '.join(rest)}":
            rest = " ".join(rest).split("about ", 1)[1].split()
        thing = re.sub(
            r"^(?:about|of|to|towards?|with|from|in|on|for|that|when it comes to)\s+", "", " ".join(rest)
        )
        thing = re.sub(r"\s+(?:is|are|will|would|should|could)\b.*$", "", thing)
        return noun(thing), None
    if verb in ("pay", "spend") and (
        paid := re.match(r"(?:.*?\s)?(?:for|on)\s+(\S.*)$", " ".join(rest), re.I)
    ):
        return noun(paid[1]), f"{verb} {turned(short(' '.join(rest)))}"
    if verb in ("churn", "defect", "lapse"):
        return _object(" ".join(rest)), None
    if len(rest) > 1 and rest[0].lower() in ("or", "and") and rest[1].lower() in FORMS:
        verb = f"{verb} {rest[0].lower()} {FORMS[rest[1].lower()]}"
        rest = rest[2:]
    said = turned(short(" ".join(rest)))
    thing = with_article(said) if said else said
    done = f"{verb} {thing}".strip()
    return (None if verb == "get" and len(rest) < 2 else _object(thing)), done


def _object(said: str) -> str | None:
    """Return the object of an action, if it follows the verb."""
    words = re.sub(r"\s(?:to|with|for|from) your? .*$", "", said).split()
    while words and words[0].lower() in PREPOSITIONS | ADVERBS:
        words = words[1:]
    return noun(" ".join(words))


def _as_gerund(action: str) -> str:
    words = action.split()
    if len(words) > 2 and words[1] in ("or", "and") and words[2] in FORMS:
        return " ".join([gerund(words[0]), words[1], gerund(words[2]), *words[3:]])
    return " ".join([gerund(words[0]), *words[1:]])


def _points_elsewhere(topic: str) -> bool:
    words = [word for word in topic.lower().split() if word not in DETERMINERS - {"this", "that"}]
    return all(word in PRONOUNS or word in ("new", "this", "that") for word in words)
