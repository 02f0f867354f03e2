"""Yes/no screening questions for criteria that no filter covers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voxpop.engines.audience import Screen
from voxpop_simulator.audiences.occupation_names import singular
from voxpop_simulator.questions.wordlists import word_set

_IRREGULAR = dict(
    pair.split(":")
    for pair in word_set(
        "bought:buy sold:sell went:go had:have made:make took:take got:get gave:give saw:see "
        "drove:drive ate:eat "
        "drank:drink paid:pay spent:spend left:leave lost:lose met:meet ran:run rode:ride "
        "said:say "
        "sent:send slept:sleep spoke:speak taught:teach thought:think told:tell won:win wore:wear "
        "wrote:write "
        "built:build began:begin became:become broke:break brought:bring caught:catch chose:choose "
        "came:come "
        "did:do fell:fall felt:feel flew:fly found:find forgot:forget grew:grow kept:keep knew:know "
        "held:hold "
        "heard:hear rented:rent hurt:hurt quit:quit hired:hire used:use moved:move "
        "owned:own "
        "visited:visit traveled:travel travelled:travel switched:switch purchased:purchase changed:change "
        "divorced:divorce married:marry tried:try stopped:stop canceled:cancel cancelled:cancel voted:vote "
        "planned:plan watched:watch ordered:order donated:donate adopted:adopt shopped:shop "
        "received:receive "
        "served:serve experienced:experience refinanced:refinance leased:lease financed:finance "
        "studied:study"
    )
)
_PRESENT = word_set(
    "own owns use uses buy buys rent rents play plays watch watches drive drives like likes love loves "
    "hate hates "
    "prefer prefers want wants need needs plan plans intend intends hope hopes shop shops read reads "
    "listen listens "
    "subscribe subscribes travel travels fly flies cook cooks eat eats drink drinks speak speaks vote "
    "votes support "
    "supports follow follows wear wears live lives work works run runs ride rides garden invest invests "
    "save saves "
    "care cares volunteer volunteers attend attends go goes commute commutes belong believe believes "
    "think thinks "
    "feel feels trust trusts struggle struggles suffer suffers manage manages study studies teach "
    "teaches write "
    "writes visit visits order orders consider considers identify identifies enjoy enjoys collect "
    "collects pay pays "
    "spend spends owe owes carry carries hold holds keep keeps make makes take takes get gets do does "
    "know knows "
    "stream streams have has hunt hunts fish gamble gambles practice practices pray prays homeschool "
    "recycle "
    "compost bake bakes clean cleans coach coaches farm farms foster fosters guard guards host"
    " hosts knit knits "
    "nurse nurses paint paints pilot pilots quilt quilts sew sews swim swims tutor tutors "
    "earn earns smoke smokes exercise exercises sleep sleeps vape vapes game games"
)
_STATES = word_set(
    "named called married divorced widowed engaged separated interested retired registered single"
)
_BE = word_set("am is are was were be been being")
_MODAL = word_set("can could would will should might must")
_TAIL_WORDS = {"their": "your", "they": "you", "them": "you", "themselves": "yourself", "theirs": "yours"}
_COUNTABLE = word_set(
    "iphone dog cat pet car house home boat truck phone tablet smartwatch bike bicycle horse gun laptop "
    "computer "
    "chromebook console motorcycle electric-car hybrid suv tesla minivan van rv pool garden timeshare "
    "business "
    "smartphone mac macbook ipad kindle drone bird parrot hamster snake rabbit vehicle credit-card "
    "passport fitbit "
    "printer camera ev peloton playstation xbox"
)
_AGENTS = {
    "owners": "Do you own {a}?",
    "drinkers": "Do you drink {x}?",
    "users": "Do you use {a}?",
    "buyers": "Do you buy {x}?",
    "lovers": "Do you love {s}?",
    "fans": "Are you a fan of {x}?",
    "players": "Do you play {x}?",
    "viewers": "Do you watch {x}?",
    "watchers": "Do you watch {x}?",
    "listeners": "Do you listen to {s}?",
    "readers": "Do you read {s}?",
    "subscribers": "Do you subscribe to {x}?",
    "eaters": "Do you eat {x}?",
    "drivers": "Do you drive {a}?",
    "riders": "Do you ride {a}?",
    "supporters": "Do you support {x}?",
    "customers": "Are you a customer of {x}?",
    "members": "Are you a member of {x}?",
    "collectors": "Do you collect {s}?",
    "enthusiasts": "Are you enthusiastic about {s}?",
    "goers": "Do you go to {x}?",
    "shoppers": "Do you shop at {x}?",
    "voters": "Did you vote for {x}?",
    "investors": "Do you invest in {x}?",
    "renters": "Do you rent {a}?",
    "followers": "Do you follow {x}?",
    "speakers": "Do you speak {x}?",
    "holders": "Do you have {a}?",
    "donors": "Do you donate {x}?",
    "skeptics": "Are you sceptical about {s}?",
}
_ALONE = {
    "homeowners": "Do you own your home?",
    "renters": "Do you rent your home?",
    "gamers": "Do you play video games?",
    "veterans": "Have you served in the military?",
    "voters": "Do you vote in elections?",
    "registered voters": "Are you registered to vote?",
    "likely voters": "Do you intend to vote in the next election?",
    "commuters": "Do you commute to work?",
    "online shoppers": "Do you shop online?",
    "shoppers": "Do you do the shopping for your household?",
    "grandparents": "Are you a grandparent?",
    "grandmothers": "Are you a grandmother?",
    "grandfathers": "Are you a grandfather?",
    "immigrants": "Are you an immigrant?",
    "newlyweds": "Did you recently marry?",
    "military veterans": "Have you served in the military?",
    "war veterans": "Have you served in a war?",
    "living alone": "Do you live alone?",
    "live alone": "Do you live alone?",
    "vapers": "Do you vape?",
    "drivers": "Do you drive?",
    "runners": "Do you run?",
    "cyclists": "Do you cycle?",
    "empty nesters": "Have your children left home?",
    "first time buyers": "Are you a first-time buyer?",
    "couples": "Do you live with a partner?",
}
AGENT_NOUNS = frozenset(_AGENTS)
ALONE = frozenset(_ALONE)


def article(noun: str) -> str:
    """Return the noun with its indefinite article.

    Examples
    --------
    >>> article("nurse"), article("iPhone"), article("user")
    ('a nurse', 'an iPhone', 'a user')
    """
    low = noun.lower()
    vowel = low[:1] in "aeiou" and not low.startswith(("uni", "use", "eu", "one"))
    return f"{'an' if vowel else 'a'} {noun}"


def agent_screen(words: str) -> Screen | None:
    """Return the question for people described by their activity, or None for other words.

    Examples
    --------
    >>> agent_screen("coffee drinkers").question, agent_screen("iPhone users").question
    ('Do you drink coffee?', 'Do you use an iPhone?')
    """
    low = " ".join(words.lower().replace("-", " ").split())
    if low in _ALONE:
        return Screen(words, _ALONE[low], "yes")
    things, _, noun = words.replace("-goers", " goers").rpartition(" ")
    if noun.lower() not in _AGENTS or not things:
        return None
    last = things.split()[-1].lower()
    if last in ("dog", "cat", "pet", "car", "home", "gun", "boat") and things == things.capitalize():
        things = things.lower()
    counted = article(things) if last in _COUNTABLE else things
    several = f"{things}s" if last in _COUNTABLE or last in ("book", "podcast", "stamp", "coin") else things
    question = _AGENTS[noun.lower()].format(a=counted, x=things, s=several)
    return Screen(words, question, "yes")


def noun_screen(words: str, *, keep: str = "yes") -> Screen:
    """Return the question whether a candidate meets the criterion.

    Examples
    --------
    >>> noun_screen("introverts").question, noun_screen("married").question
    ('Are you an introvert?', 'Are you married?')
    """
    last = words.split()[-1]
    if (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or last.endswith(("men", "people")):
        return Screen(words, f"Are you {article(singular(words))}?", keep)
    return Screen(words, f"Are you {words}?", keep)


def phrase_screen(words: str, *, negated: bool = False) -> Screen | None:
    """Return the question for a phrase that starts with a verb or preposition, or None.

    Examples
    --------
    >>> phrase_screen("own a dog").question, phrase_screen("bought a car last year").question
    ('Do you own a dog?', 'Did you buy a car last year?')
    >>> phrase_screen("secretly love jazz").question
    'Do you secretly love jazz?'
    >>> phrase_screen("have never flown")
    Screen(criterion='have never flown', question='Have you ever flown?', keep='no', instead=())
    """
    rest = re.sub(r"^(?:and |but |also |either |now |then |still )+", "", words, flags=re.IGNORECASE).split()
    keep = "yes"
    head = [word.lower().replace("’", "'") for word in rest]
    kept: list[str] = []
    for word, low in zip(rest, head, strict=True):
        if (
            low in ("not", "don't", "doesn't", "didn't", "aren't", "isn't", "haven't", "can't", "cannot")
            and len(kept) < 2
        ):
            keep = "no"
            kept += {
                "don't": ["do"],
                "doesn't": ["do"],
                "didn't": ["did"],
                "aren't": ["are"],
                "isn't": ["are"],
            }.get(low, {"haven't": ["have"], "can't": ["can"], "cannot": ["can"]}.get(low, []))
        elif low == "never" and len(kept) < 2:
            keep = "no"
            kept.append("ever")
        else:
            kept.append(_TAIL_WORDS.get(low, word))
    if negated:
        keep = "no" if keep == "yes" else "yes"
    if kept and kept[-1].lower() == "daily":
        kept[-1:] = ["every", "day"]
    question = _question(kept)
    return Screen(words, question, keep) if question else None


def _question(words: list[str]) -> str | None:
    if not words:
        return None
    head, tail = words[0].lower(), words[1:]
    if head in _BE:
        return _ask("Were" if head in ("was", "were") else "Are", tail)
    if head == "have" or head == "has" or head == "have've":
        return _ask("Have", tail) if tail and is_participle(tail) else _ask("Do", ["have", *tail])
    if head in ("do", "does") and tail and not is_verb(tail[0]) and tail[0] != "ever":
        return _ask("Do", ["do", *tail])
    if head in ("do", "does", "did") and tail:
        return _ask("Did" if head == "did" else "Do", tail)
    if head in _MODAL and tail:
        return _ask(head.capitalize(), tail)
    if head == "with" and tail:
        return _ask("Do", ["have", *tail])
    if head in ("used",) and tail[:1] == ["to"]:
        return _ask("Did", ["use", *tail])
    if head in (
        "ever",
        "recently",
        "currently",
        "often",
        "regularly",
        "frequently",
        "usually",
        "rarely",
        "always",
    ) or (head.endswith("ly") and tail and is_verb(tail[0])):
        inner = _question(tail) if tail else None
        return re.sub(r"^(\w+ you)", rf"\1 {head}", inner) if inner else None
    return _verb_question(head, tail)


def _verb_question(head: str, tail: list[str]) -> str | None:
    if head in ("named", "called") or (head in _STATES and (not tail or tail[0] in ("to", "from", "with"))):
        return _ask("Are", [head, *tail])
    if head in _IRREGULAR:
        return _ask("Did", [_IRREGULAR[head], *tail])
    if head in _PRESENT:
        return _ask("Do", [base(head), *tail])
    if head.endswith("ing") and len(head) > 4:
        if head == "having":
            return _ask("Do", ["have", *tail])
        return _ask("Do", ["own", *tail]) if head == "owning" else _ask("Are", [head, *tail])
    if head.endswith("ed") and len(head) > 3 and tail and head not in ("interested", "need"):
        return _ask(
            "Did", [head[:-1] if head[:-2].endswith(("s", "c", "v", "g", "z", "u")) else head[:-2], *tail]
        )
    if head in ("in", "on", "into", "from", "at", "under", "interested", "familiar", "allergic", "fluent", "open",  # noqa: E501
                "married", "registered", "born", "willing", "afraid", "worried", "concerned", "new", "against"):  # fmt: skip  # noqa: E501
        return _ask("Were" if head == "born" else "Are", [head, *tail])
    return None


def base(verb: str) -> str:
    """Return a verb of the present tense without the ending of the third person.

    Examples
    --------
    >>> base("owns"), base("watches"), base("has"), base("watch")
    ('own', 'watch', 'have', 'watch')
    """
    if verb in ("has", "does", "goes"):
        return {"has": "have", "does": "do", "goes": "go"}[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def is_participle(tail: Sequence[str]) -> bool:
    """Return whether the words after "have" start with a participle ("have visited")."""
    first = (
        tail[1] if tail[0].lower() in ("ever", "recently", "already", "not") and len(tail) > 1 else tail[0]
    )
    low = first.lower()
    return low in _IRREGULAR or low in ("been", "flown", "gone", "done", "seen", "taken", "driven", "eaten", "given",  # noqa: E501
                                        "written", "gotten", "become", "broken", "ridden", "worn", "chosen",
                                        "fallen", "grown", "known") or (low.endswith("ed") and len(low) > 4)  # fmt: skip  # noqa: E501


def _ask(auxiliary: str, words: list[str]) -> str:
    return f"{auxiliary} you {' '.join(words)}".rstrip(" ?.,;") + "?"


def is_verb(word: str) -> bool:
    """Return whether a word is likely a verb that starts a criterion."""
    low = word.lower()
    return (
        low in _PRESENT
        or low in _IRREGULAR
        or low in _BE
        or low in _MODAL
        or low in ("don't", "doesn't", "didn't", "aren't", "isn't", "haven't", "never", "have", "has", "who")
        or (low.endswith("ed") and len(low) > 4)
    )
