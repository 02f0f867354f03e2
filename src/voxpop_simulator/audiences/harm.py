"""Audiences recruited to be harmed: exposed, harassed, deceived, or excluded for who they are.

What counts is what is to be done to the people, not who they are or what happened to them: any group can be
recruited, and so can people who were harassed or defrauded. The rules read the aim ("so their employers can
be told"), not the topic ("who were outed at work").
"""

from __future__ import annotations

import re

from voxpop.engines.audience import Refusal
from voxpop_simulator.audiences.harm_acts import FAMILIES, PEOPLE, forms_of

_I = re.IGNORECASE
_THEM = (
    r"(?:them|him|her|these (?:people|men|women|\w+s)|those (?:people|\w+s)|such (?:people|\w+s)|these|those)"
)
_PRIVATE = re.compile(
    r"\b(?:gay|lesbians?|bisexual|queer|lgbt\w*|trans(?:gender)?|closeted|hiv|aids|undocumented|immigrants?|migrants?|"
    r"refugees?|muslims?|jew(?:s|ish)?|christians?|hindus?|black|hispanic|latino\w*|asian|abortions?|pregnant|"
    r"disab\w+|bipolar|depress\w+|autis\w+|epilep\w+|schizo\w+|diabet\w+|cancer|addict\w*|unions?|ex-employees|"
    r"whistle-?blowers?|sex workers?|homosexuals?|religion|ethnic\w*|race|aged? \d\d|over \d\d|mothers|women|"
    r"recovery|illness|mental|papers|informants?|witness\w*|female|journalists?|politicians?|activists?)\b",
    _I,
)
_TOLD_TO = (
    r"(?:employers?|boss(?:es)?|landlords?|parents|famil(?:y|ies)|church(?:es)?|neighbou?rs?|spouses?|wives|husbands|"
    r"schools?|police|authorities|immigration|ice|co-?workers|colleagues|communit(?:y|ies)|the public|"
    r"everyone|media)"
)
_ALWAYS: tuple[tuple[str, str], ...] = (
    (
        "expose people",
        rf"\bcan out\b|\b(?:to|and|will|would|could|we|then) out (?:{_THEM}|to)\b|\bouting {_THEM}\b|"
        rf"\b(?:expose|unmask|dox+|blackmail|extort|denounce|deport) {_THEM}\b|\bdox+(?:ing)?\b|\bname "
        rf"and shame\b|"
        rf"\b(?:report|turn|hand) {_THEM} (?:to|in|over)\b|\b(?:intend|want|going|plan) to report {_THEM}\b|"
        r"\btip[- ]?line\b|\bcall (?:the )?(?:ice|police|immigration) on\b",
    ),
    (
        "harass or intimidate people",
        rf"\b(?:harass|bully|intimidate|terrori[sz]e|threaten|frighten|scare|humiliate|stalk|hound|attack|shame|punish|"
        rf"silence|hurt|confront|provoke|torment|taunt|mock|upset|insult) {_THEM}\b|"
        r"\b(?:would|will|could|to) (?:frighten|scare|intimidate|threaten|terrify|humiliate|hurt) "
        r"(?:them|people|her|him)\b|\bhurts? (?:them |her |him )?(?:the )?most\b|\b(?:forum|online|mass) "
        r"raid\b|"
        r"\bwe run a \w+ raid\b|\b(?:make|makes|making|get|gets) (?:them|her|him) (?:withdraw|"
        r"afraid|shut up|cry|suffer|disappear|retract|break down)\b|\bwhat pressure would\b|"
        r"\b(?:track|trace|hunt) (?:her|him|them) down\b|\b(?:easy|how) to find (?:her|him|them "
        r")?again\b|\bwork out where (?:she|he|"
        r"mine|they|my)\b|"
        r"\bwhere (?:she|he|mine|my (?:ex|wife|husband|girlfriend|partner)) (?:went|lives?|is|moved|works)\b|"
        r"\beasy to (?:find|follow|track|stalk)\b",
    ),
    (
        "deceive or defraud people",
        rf"\b(?:trick|lure|con|fool|dupe|deceive|scam|defraud|manipulate|swindle|groom) {_THEM}\b|"
        r"\b(?:would|will|most likely to|likely to|likeliest to|easiest to|who|they) (?:fall for|be "
        r"(?:tricked|fooled|"
        r"conned|scammed))\b(?! ?(?:it)? (?:in|last|before))|\bwire money to a stranger\b|"
        r"\b(?:claiming|claim|pretend\w*|posing|pose) (?:to be|as) (?:their|a|an|the|his|her|from)\b|"
        r"\bimpersonat(?:e|es|ing) (?:the|a|an|their)\b|\blooks? like (?:they|it) comes? from\b|"
        r"\basking for (?:their )?(?:card|bank|login|account) details\b|"
        r"\b(?:get|gets|getting|push|pushes|talk) them (?:to|into) (?:wire|send money|invest|sign over|"
        r"buy gift|"
        r"transfer|hand over|reveal|pay a fake|buy(?:ing)? from us without|agree to an?)\b|"
        r"\bsign over their\b|\bnon-?existent\b|\b(?:don't they|do they (?:not|never)) (?:\w+ "
        r")?read\b|\bthey "
        r"(?:cannot|can't|do not|"
        r"don't) (?:understand|read|notice)\b|\bfake (?:irs|police|charity|invoice|bank|prize|threat|"
        r"letter|text|"
        r"profile|job|lottery|tax)s?\b(?!.{0,30}\btraining\b)|\bgift cards? fastest\b",
    ),
    (
        "keep people from voting",
        r"\b(?:keep|keeps|keeping|make|makes|making|get|gets|discourag\w+|stop|stops|deter|deters|prevent|prevents|"
        r"suppress\w*)\b[^.?!]{0,50}\b(?:stay(?:ing)? (?:at )?(?:home|away)|from voting|from (?:the "
        r")?polls?|not vote|"
        r"(?:of )?them home|voting less|turnout down)\b|\bvote by (?:replying|text|sms|phone)\b|"
        r"\b(?:wrong|changed|false) (?:polling|election|voting) (?:dates?|places?|day)\b",
    ),
    (
        "exploit an addiction or a weakness",
        r"\b(?:get|bring|lure|win|pull|draw)s? them back (?:to|into|on)\b[^.?!]{0,60}\b(?:bet|betting|"
        r"casino|gambl\w+|buying|"
        r"drinking|drugs?|using|playing|site|slots?)\b|\baround the (?:exclusion|ban|block|limit)\b|"
        r"\bwithout a prescription\b",
    ),
    (
        "endanger children",
        r"\b(?:do(?:n't| not)|when nobody|when no one|stop) watch(?:es|ing)? (?:their|the|a) (?:child|"
        r"children|kids?)\b|"
        r"\b(?:kids?|child(?:ren)?) (?:are|is) (?:alone|unsupervised|unwatched)\b|\balone with (?:the |"
        r"their )?(?:kids|children)\b",
    ),
)
_DO = r"\b(?:to|can|could|will|would|should|we|then|who to|whom to|easiest to|want to) (?:\w+ly )?"
_DONE = r"\b(?:can|could|would|might|should|to|easily|will) be (?:\w+ly )?"
_PLANNED: tuple[tuple[str, str], ...] = (
    (
        "expose people",
        rf"{_DO}(?:expose|unmask|dox+|blackmail|extort|denounce|deport)\b(?! to\b)|"
        rf"{_DONE}(?:outed|exposed(?! to)|unmasked|doxx?ed|blackmailed|deported|denounced)\b|\bby "
        rf"blackmail\b|"
        rf"(?:{_DO}|{_DONE})report(?:ed)?(?: {_THEM})? to (?:the |their )?(?:{_TOLD_TO}|board|school "
        rf"board|state)\b|"
        rf"\bso (?:that )?(?:the |their |our )?(?:{_TOLD_TO}|insurers?|recruiters?|banks?|agents?) can "
        r"(?:pick|find|deny|avoid|arrest|deport|reject|fire|know|report|remove|track|see|refuse|spot|identify)\b|"
        r"\b(?:list|names|addresses|photos|profiles?) (?:that )?(?:we|i) (?:will|can|want to|would) "
        r"(?:publish|post|leak|"
        r"share|send)\b|\b(?:publish|post|leak) their (?:names|addresses|photos|details|data)\b",
    ),
    (
        "harass or intimidate people",
        rf"{_DO}(?:harass|bully|intimidate|terrori[sz]e|threaten|humiliate|stalk|dogpile|torment|silence)\b|"
        rf"{_DONE}(?:harassed|bullied|intimidated|terrori[sz]ed|threatened|humiliated|stalked|silenced)\b|"
        r"\bshut (?:them |her |him )?up\b|\bso (?:that )?(?:we|i) can fire\b|\bwhere (?:she|he|my "
        r"ex[\w-]*) lives\b",
    ),
    (
        "deceive or defraud people",
        rf"{_DO}(?:trick|con|fool|dupe|deceive|scam|defraud|swindle|groom)\b|"
        rf"{_DONE}(?:tricked|conned|fooled|duped|deceived|scammed|defrauded|swindled|groomed|lured|exploited)\b|"
        r"\b(?:would|will|likely to) (?:give|tell|share|send|enter|reveal) (?:\w+ ){0,2}(?:pins?|"
        r"passwords?|card|bank|"
        r"account|social security)\b|\bnudes?\b|\bwithout (?:complaining|them noticing|understanding)\b|"
        r"\bto sign over\b",
    ),
    (
        "exclude people for who they are",
        r"\b(?:to|can|could|and|we) (?:deny|refuse|withhold|cancel) (?:\w+ )?(?:coverage|credit|loans?|"
        r"housing|jobs?|"
        r"insurance|service|benefits|claims|care)\b|\breject (?:them )?legally\b|\bavoid (?:renting|"
        r"hiring|serving|"
        r"insuring|lending)\b",
    ),
    ("exploit an addiction or a weakness", r"\b(?:can|could|to|be) (?:be )?lured? back\b"),
)
_VICTIM = re.compile(
    r"\b(?:lost|fell|received|victims?|was|were|had|got|been|experienced|reported)\b[^.?!,;:]{0,40}$", _I
)
"""Words before something that was done to the people."""
_OF_TRAITS: tuple[tuple[str, str], ...] = (
    (
        "expose people",
        rf"\b(?:recogni[sz]e|spot|detect|unmask|single out|pick out|identify) (?:{_THEM}|somebody|"
        rf"someone|who is|who "
        r"are|which of)\b|\b(?:give|gives) (?:them|him|her|it) away\b|\bgiveaways?\b|\bsigns? (?:that "
        r")?(?:tells?|show|"
        rf"reveal)\b|\b{_TOLD_TO}\b[^.?!]{{0,25}}\b(?:be (?:told|informed|notified|warned|alerted)|learn "
        rf"(?:about|of) them|"
        r"find out about them)\b|\btell (?:their|the) "
        rf"{_TOLD_TO}\b",
    ),
    (
        "exclude people for who they are",
        rf"\b(?:screen|weed|filter|keep|sort|force|push|price|drive) {_THEM} out\b|\b(?:turn|send) "
        rf"{_THEM} away\b|"
        r"\b(?:don't|do not|won't|never|not|avoid|stop|without) (?:want to |have to )?(?:hir(?:e|ing)|"
        r"rent(?:ing)? to|insur(?:e|"
        r"ing)|lend(?:ing)? to|serv(?:e|ing)|employ(?:ing)?|cover(?:ing)?|promot(?:e|ing)) (?:them|him|"
        r"her)\b|"
        r"\b(?:quietly )?(?:skip|discard|bin) (?:these|those|their|such) (?:cvs?|resumes?|applications?|"
        r"applicants?)\b|"
        rf"\b(?:drop|reject|decline|deny|blacklist|refuse|fire|evict|exclude) {_THEM}\b|\bset (?:a "
        rf")?higher\b[^.?!]{{0,30}}\b"
        r"(?:rates?|premiums?|rents?|prices?)\b|\bcharge them more\b|\bwithout (?:saying so|(?:them|"
        r"anyone|anybody) noticing|"
        r"getting (?:caught|sued)|it looking)\b|\bproxy (?:questions?|variables?)\b",
    ),
)
_COMPILED = tuple((aim, re.compile(pattern, _I)) for aim, pattern in (*_ALWAYS, *_PLANNED))
_WITH_TRAIT = tuple((aim, re.compile(pattern, _I)) for aim, pattern in _OF_TRAITS)
_PROTECTING = re.compile(
    r"\b(?:prevent(?:ion|ing)?|protect\w*|warn(?:ing|ings)? (?:that|people|about)|harder (?:to|for)|training|"
    r"awareness|anti-\w+|reduce|fair(?:ness|er)?|audit|safer|rights|support they|detect(?:ion)? "
    r"(?:scams?|fraud))\b",
    _I,
)
_ACTS = tuple(
    (family.aim, re.compile(rf"\b(?:{forms_of(family.verbs)}) {family.whom}", _I)) for family in FAMILIES
)
_EFFECTS = tuple(
    (family.aim, re.compile(rf"\b(?:{effect.replace('{T}', PEOPLE)})", _I))
    for family in FAMILIES
    for effect in family.effects
)
_STEPS = tuple((family.aim, re.compile(step, _I)) for family in FAMILIES for step in family.steps)
_PLANNING = re.compile(
    r"\b(?:to|so|can|could|will|would|should|we|us|i|we'd|we'll|help|helps|how|goal|aims?|aimed|want|plans?|need|best|"
    r"ways?|whether|likely|by|for|works?|most|faster|fastest|quickest|messages?|letters?|posts?|lines?|scripts?|offers?|"
    r"images?|memes?|ads?|wording|words|phrases?|pitch|tactics?|threats?|rumou?rs?|stor(?:y|ies)|claims?)\b",
    _I,
)
"""Words before an act that make it a plan, or the instrument of one."""
_OF_OTHERS = re.compile(
    r"(?:\b(?:who|(?:people|men|women|adults|ones|those|\w+ers|\w+ors) that)(?: \w+ly| have| has| had|"
    r" ever| often| sometimes| may| might| were| was| are)*|"
    r"\b(?:who|that|they|people|\w+ers|\w+ors) (?:try|tries|tried|trying|want|wants|wanted|like|tend|"
    r"used|attempt|attempts|"
    r"attempted|plan|intend) to|"
    r"\b(?:scammers?|fraudsters?|criminals?|bull(?:y|ies)|abusers?|employers?|landlords?|compan(?:y|ies)|insurers?|banks?|"
    r"trolls?|traffickers?|predators?|con artists?|hackers?|lenders?|they|others|platforms?|"
    r"strangers?|politicians|media|"
    r"exes|attackers?|stalkers?|groomers?|cults?|extremists?|recruiters?|sellers?|firms?|brands?|"
    r"it)(?: \w+ly| can| could| may| might| would| try to| use to)*|"
    r"\b(?:not|never|don't|doesn't|won't|without|avoid|avoids|avoiding|stop|stops|stopping|prevent\w*|"
    r"against|rather than|"
    r"instead of|less likely to|than to|do not|does not|should not|from|no longer|tempted to|designed "
    r"to stop|"
    r"(?:people|customers|those|they|someone|anyone|men|exes) trying to)(?: \w+ly| to| people| anyone|"
    r" others| being)*) $",
    _I,
)
"""Words before an act that somebody else does, or that shall not happen."""
_DEFENDING = re.compile(
    r"\b(?:prevent\w*|protect\w*|safeguard\w*|support(?:s|ing|ive)? (?:for|service|line|group|they|"
    r"victims|survivors)|warn(?:s|ing|ings)?\b|"
    r"harder (?:to|for)|training|awareness|anti-\w+|reduc(?:e|es|ing)|fair(?:er|ness)|audit|safer|"
    r"safety|rights|detect\w*|"
    r"recover\w* (?:from|afterwards)|help (?:them|people|victims|survivors|seniors|tenants|women) "
    r"(?:to )?(?:spot|avoid|recogni[sz]e|recover|"
    r"report|stay|quit|stop|resist|cope|feel)|so (?:that )?(?:we|they) can (?:spot|avoid|stop|block|"
    r"prevent|fix|improve|resist|help)|"
    r"victim support|charity|ombudsman|watchdog|regulator|legal aid|helpline|hotline|clinic\b|public "
    r"health|counsell?ing|"
    r"(?:stop|stopping|fight|fighting|combat|tackle|block|counter)\w* (?:\w+ ){0,2}?(?:scams?|"
    r"fraud\w*|abuse|harassment|bullying|"
    r"discrimination|trafficking|phishing|stalking|hate|misinformation|suppression|predators?|grooming))\b",
    _I,
)
"""Words of an aim for the people; they outweigh an act only where no one plans it as "we"."""
_OURSELVES = re.compile(r"\b(?:we|us|our|i|my|me|let's|client)\b", _I)
_TO_GO = re.compile(r"\b(?:quit|resign|leave|move out|moving out|move away|moving away)$", _I)
_MEANS = re.compile(
    r"\b(?:we|us|our|i|need|want|help|messages?|threats?|insults?|posts?|rumou?rs?|letters?|calls?|pressure|comments?|notes?)\b",
    _I,
)
_TO_STAY = re.compile(
    r"\b(?:retention|retain|keep (?:them|people|staff|talent)|stay|loyalty|exit interviews?|turnover|"
    r"attrition)\b",
    _I,
)
"""Leaving may be what a study of retention asks about; it is against people if somebody uses means to it."""
_FOR_HEALTH = re.compile(
    r"\s(?:into|off|away from|out of) (?:\w+ )?(?:quit|stop|smok|vap|drug|drink|drunk|get|see|wear|"
    r"slow|speed|text)\w*",
    _I,
)
_HINT = (
    "Any group can be recruited to hear from it; describe the people and what is to be learned, without "
    "an aim "
    "against them."
)


def harmful(text: str) -> Refusal | None:
    """Return the reason why an audience is to be harmed, or None.

    Examples
    --------
    >>> harmful("Gay men in Texas who we can out to their employers").reason
    'The request aims to expose people: "can out".'
    >>> harmful("Gay men in Texas, for a study of safety at work")
    """
    plain = " ".join(text.replace("’", "'").split())
    for aim, pattern in _COMPILED:
        for found in pattern.finditer(plain):
            if not _VICTIM.search(plain[: found.start()]) and not _FOR_HEALTH.match(plain, found.end()):
                return _refusal(aim, found)
    planned = _planned_act(plain)
    if planned is not None:
        return planned
    if _PRIVATE.search(plain) is None or _PROTECTING.search(plain):
        return None
    for aim, pattern in _WITH_TRAIT:
        for told in pattern.finditer(plain):
            if not re.search(r"\bthey(?: \w+ly)? $", plain[: told.start()], _I):
                return _refusal(aim, told)
    return None


def _planned_act(plain: str) -> Refusal | None:
    """Return the refusal of an act against people that a text plans, or None.

    An act counts where somebody is to do it, or something is to have the effect: not where others did it to
    the people, where they do it themselves, or where it is to be prevented.
    """
    if _DEFENDING.search(plain):
        return None
    for aim, pattern in (*_ACTS, *_EFFECTS):
        for found in pattern.finditer(plain):
            before = re.split(r"[.;!?]\s", plain[: found.start()])[-1]
            if _OF_OTHERS.search(before) or _VICTIM.search(before) or _FOR_HEALTH.match(plain, found.end()):
                continue
            if _TO_GO.search(found[0]) and not _is_driven_out(plain, before):
                continue
            if _PLANNING.search(before[-90:]):
                return _refusal(aim, found)
    for aim, pattern in _STEPS:
        for found in pattern.finditer(plain):
            before = re.split(r"[.;!?]\s", plain[: found.start()])[-1]
            if not _OF_OTHERS.search(before) and not _VICTIM.search(before):
                return _refusal(aim, found)
    return None


def _is_driven_out(plain: str, before: str) -> bool:
    """Return whether people are to be made to leave for who they are, by somebody's means."""
    means = _MEANS.search(before) is not None
    return means and _PRIVATE.search(plain) is not None and _TO_STAY.search(plain) is None


def _refusal(aim: str, found: re.Match[str]) -> Refusal:
    return Refusal(f'The request aims to {aim}: "{found[0].strip()}".', _HINT)
