"""Phrases, questions and options on household, home, insurance, origin, beliefs and self-rated health."""

from __future__ import annotations

import re
from collections.abc import Callable

from voxpop.engines.agents import Agent
from voxpop.vocabulary.fields import FIELDS
from voxpop_simulator.stances.profile_speech import held, say
from voxpop_simulator.stances.profile_tests import ProfileTest, bounds, compare, is_in, negated

_Maker = Callable[[str], ProfileTest | None]

_ALONE = ("never_married", "divorced", "widowed", "separated")
_MARRIED_ONCE = ("married", "divorced", "widowed", "separated")
_PARTY, _IDEOLOGY = FIELDS["party_id"].sums, FIELDS["ideology"].sums
_MEDICARE = ("medicare", "medicare_and_private", "medicare_and_medicaid")
_MEDICAID = ("medicaid", "medicare_and_medicaid")
_PRIVATE = ("private", "medicare_and_private")
_INSURED = tuple(level for level in FIELDS["insurance"].levels if level != "uninsured")
_CHRISTIAN = ("protestant", "catholic", "orthodox_christian", "other_christian", "christian")
_HEALTH = FIELDS["self_rated_health"].levels

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)})"
_KIDS = r"(?:(?:young |minor |dependent )?(?:kids?|child(?:ren)?)(?: (?:(?:living )?at home|in your home))?)"
_MORE_OR_FEWER = r"(?:more than|at least|over|fewer than|less than|at most|up to|exactly)"


def in_digits(text: str) -> str:
    """Return a text with number words in digits.

    Examples
    --------
    >>> in_digits("two or more children")
    '2 or more children'
    """
    return re.sub(rf"\b(?:{'|'.join(NUMBERS)})\b", lambda found: str(NUMBERS[found[0]]), text)


def _children(text: str) -> ProfileTest | None:
    found = bounds(in_digits(text))
    return compare("children_count", *found) if found else None


def youngest(low: float | None, high: float | None) -> ProfileTest:
    """Return the test that the youngest child at home is between two ages; false without a child."""
    aged = compare("youngest_child_age", low, high)

    def holds(agent: Agent) -> bool | None:
        return False if held(agent, "children_count") == 0 else aged.holds(agent)

    return ProfileTest("youngest_child_age", holds, lambda agent: say(agent, "youngest_child_age"))


def _child_under(text: str) -> ProfileTest | None:
    found = re.search(r"\d+", in_digits(text))
    return youngest(None, int(found[0]) - 1) if found and int(found[0]) <= 18 else None


def _ever_married() -> ProfileTest:
    once = is_in("marital_status", *_MARRIED_ONCE)

    def holds(agent: Agent) -> bool | None:
        return None if held(agent, "marital_status") == "living_with_partner" else once.holds(agent)

    return ProfileTest("marital_status", holds, once.speak)


def _born_in_usa() -> ProfileTest:
    born = is_in("born_in_country", True)

    def holds(agent: Agent) -> bool | None:
        return born.holds(agent) if agent.country == "USA" else None

    return ProfileTest("born_in_country", holds, born.speak)


def _fixed(field: str, *levels: str | bool) -> _Maker:
    test = is_in(field, *levels)
    return lambda text: test


def _family_statements() -> tuple[tuple[str, _Maker], ...]:
    once = _ever_married()
    return (
        (rf"{_KIDS} (?:under|younger than|below)(?: the age of| age)? (?!18|eighteen){_COUNT}"
            r"(?: years?(?: old| of age)?)?", _child_under),
        (r"(?:a )?(?:newborn|baby|infant)", lambda text: youngest(None, 0)),
        (rf"{_MORE_OR_FEWER} {_COUNT} {_KIDS}|{_COUNT} or (?:more|fewer) {_KIDS}"
            rf"|{_COUNT} {_KIDS}(?: or (?:more|fewer))?", _children),
        (r"(?:live|living) (?:alone|by yourself|on your own)", lambda text: compare("household_size", 1, 1)),
        (r"ever been married|been married before", lambda text: once),
        (r"never (?:been )?married", _fixed("marital_status", "never_married")),
        (r"(?:live|living) (?:together )?with (?:a|your) (?:partner|spouse)|married or living with a partner",
            _fixed("marital_status", "married", "living_with_partner")),
        (r"married|(?:a )?spouse", _fixed("marital_status", "married")),
        (r"(?<!been )divorced|(?:an? )?divorcee", _fixed("marital_status", "divorced")),
        (r"(?<!been )widowed|(?:a )?widow(?:er)?", _fixed("marital_status", "widowed")),
        (r"(?<!been )separated(?: from your spouse)?", _fixed("marital_status", "separated")),
        (r"single|unmarried", _fixed("marital_status", *_ALONE)),
    )  # fmt: skip


def _home_statements() -> tuple[tuple[str, _Maker], ...]:
    plan = r"(?:health|medical) (?:insurance|coverage|plan)(?: coverage| plan)?"
    home = r"(?:the |your |a |your own )?(?:current )?(?:home|house|residence|place|apartment|condo)"
    dwelling = rf"{home}(?: (?:that |where |in which )?you (?:currently )?live(?: in)?)?"
    return (
        (rf"own {dwelling}|(?:a )?home ?owner", _fixed("housing_tenure", "owner")),
        (rf"rent {dwelling}|(?:a )?(?:renter|tenant)", _fixed("housing_tenure", "renter")),
        (rf"(?:no|without(?: any)?) {plan}|uninsured", _fixed("insurance", "uninsured")),
        (rf"(?:private|commercial|employer(?:-sponsored| sponsored)?) (?:{plan}|insurance)",
            _fixed("insurance", *_PRIVATE)),
        (r"medicare", _fixed("insurance", *_MEDICARE)),
        (r"medicaid", _fixed("insurance", *_MEDICAID)),
        (rf"(?:covered by )?{plan}|medically insured", _fixed("insurance", *_INSURED)),
    )  # fmt: skip


def _origin_statements() -> tuple[tuple[str, _Maker], ...]:
    usa = r"(?:the )?(?:usa|us|u\.s\.?(?:a\.?)?|united states(?: of america)?|america)"
    here = r"(?:(?:the|this) country|the country (?:where|in which) you live)"
    service = r"(?:us |u\.s\. |united states )?(?:military|armed forces|armed services)"
    abroad, in_usa = negated(is_in("born_in_country", True)), _born_in_usa()
    not_usa = negated(in_usa)
    return (
        (rf"(?:an? )?(?:military |war |us |u\.s\. )?veteran(?: of (?:the )?{service})?"
            rf"|(?:ever )?served (?:on active duty )?in the {service}", _fixed("veteran", True)),
        (rf"born (?:outside|outside of) {usa}", lambda text: not_usa),
        (rf"born in {usa}", lambda text: in_usa),
        (rf"born (?:abroad|(?:outside|outside of) {here}|in another country)|foreign-born|(?:an )?immigrant",
            lambda text: abroad),
        (rf"born in {here}|native-born", _fixed("born_in_country", True)),
    )  # fmt: skip


def _belief_statements() -> tuple[tuple[str, _Maker], ...]:
    return (
        (r"(?:an? )?protestant", _fixed("religion", "protestant")),
        (r"(?:an? )?(?:roman )?catholic", _fixed("religion", "catholic")),
        (r"(?:an? )?(?:eastern |greek |russian )?orthodox christian",
            _fixed("religion", "orthodox_christian")),
        (r"(?:an? )?christian", _fixed("religion", *_CHRISTIAN)),
        (r"(?:an? )?jew(?:ish)?", _fixed("religion", "jewish")),
        *((rf"(?:an? )?{name}", _fixed("religion", name)) for name in ("muslim", "buddhist", "hindu")),
        (r"(?:an? )?strong democrat", _fixed("party_id", "strong_democrat")),
        (r"(?:an? )?strong republican", _fixed("party_id", "strong_republican")),
        (r"(?:an? )?(?:registered )?democrat", _fixed("party_id", *_PARTY["democrats"])),
        (r"(?:an? )?(?:registered )?republican", _fixed("party_id", *_PARTY["republicans"])),
        (r"(?:an? )?(?:political |politically )?independent", _fixed("party_id", *_PARTY["independents"])),
        (r"(?:an? )?(?:political(?:ly)? )?liberal", _fixed("ideology", *_IDEOLOGY["liberals"])),
        (r"(?:an? )?(?:political(?:ly)? )?conservative", _fixed("ideology", *_IDEOLOGY["conservatives"])),
        (r"a (?:political )?moderate|politically moderate|middle of the road",
            _fixed("ideology", "moderate")),
        (r"in (?:very )?good health", _fixed("self_rated_health", *_HEALTH[2:])),
        (r"in excellent health", _fixed("self_rated_health", "excellent")),
        (r"in poor health", _fixed("self_rated_health", "poor")),
    )  # fmt: skip


STATEMENTS: tuple[tuple[str, _Maker], ...] = (
    *_family_statements(),
    *_home_statements(),
    *_origin_statements(),
    *_belief_statements(),
)
"""Pattern of a phrase -> maker of its test, in the order in which they are tried."""

_YOUR = (
    r"(?:what(?:'s| is| was)|which(?: is)?|please (?:state|enter|select)|state|select)?\s*(?:is )?your "
    r"(?:current |own |present |main |primary )*"
)
_BEST = (
    r"(?:which|what)(?: of (?:these|the following)(?: \w+)?| \w+| \w+ \w+)? best describes your (?:current )?"
)
_INCLUDING = r"(?:,? including (?:yourself|you))?"
_SUCH_HEALTH = (
    r"(?:own )?(?:overall |general |physical |current )*health(?: status)?(?: in general| overall)?"
)
_HOME = r"(?:your|the) (?:\w+ )?(?:home|house|residence|place|apartment)"
_WHERE = r"(?: (?:where|in which|that) you (?:currently )?live(?: in)?)?"
_UNDER_18 = r"(?: (?:who are )?(?:under|younger than)(?: the age of| age)? (?:18|eighteen))?"
_COVER = r"(?:health|medical) (?:insurance|coverage|plan)"
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("marital_status", rf"{_YOUR}(?:marital|relationship) status|{_BEST}(?:marital|relationship) status"),
    (
        "household_size",
        rf"{_YOUR}household size|how (?:large|big) is your household"
        rf"|how many (?:people|persons)(?:{_INCLUDING},?)? (?:currently )?"
        r"(?:live in|are (?:there )?in|make up|are part of) your (?:household|home)"
        rf"(?: in total)?{_INCLUDING}",
    ),
    (
        "youngest_child_age",
        rf"how old is your youngest(?: child| kid)?(?: at home)?|{_YOUR}youngest (?:child|kid)'s age"
        r"|what is the age of your youngest (?:child|kid)",
    ),
    (
        "children_count",
        rf"how many (?:own )?(?:kids|children){_UNDER_18}(?: do you have| live (?:with you"
        rf"|in your (?:home|household))| are (?:there )?in your (?:home|household)){_UNDER_18}"
        r"(?: (?:living )?(?:at home|with you|in your (?:home|household)))?",
    ),
    (
        "housing_tenure",
        rf"do you (?:currently )?(?:own or rent|rent or own)(?: {_HOME}{_WHERE})?"
        rf"|do you (?:currently )?own (?:a home|{_HOME}{_WHERE}),? (?:or )?rent\b.*"
        rf"|{_YOUR}(?:housing|home ownership|homeownership) (?:status|situation|tenure)"
        rf"|{_BEST}(?:housing|home ownership|homeownership)(?: (?:status|situation|tenure))?",
    ),
    (
        "insurance",
        rf"(?:what|which) (?:kind|type|form) of {_COVER}(?: coverage)?(?: if any)?"
        rf"(?: do you (?:currently )?have| are you covered by| covers you)"
        rf"|what {_COVER} do you (?:currently )?have"
        rf"|{_YOUR}(?:source of )?{_COVER}(?: coverage| status| type| situation)?"
        rf"|{_BEST}{_COVER}(?: coverage| status| situation)?",
    ),
    (
        "religion",
        rf"{_YOUR}(?:religion|religious (?:affiliation|preference|identity)|faith)"
        r"|(?:what|which) religion(?: if any)?"
        r" (?:do you (?:practice|follow|belong to|identify with)|are you)"
        rf"|{_BEST}(?:religion|religious (?:affiliation|identity))",
    ),
    (
        "party_id",
        rf"{_YOUR}(?:political party|political affiliation|party (?:affiliation|identification|id)|party)"
        rf"|{_BEST}(?:party|political) (?:affiliation|identification)"
        r"|(?:what|which) (?:political )?party do you"
        r" (?:identify with|belong to|lean toward|feel closest to)"
        r"|(?:do|would) you (?:usually |generally )?(?:think of|consider|call) yourself (?:as |to be )?"
        r"(?:an? )?(?:strong )?(?:republican|democrat|independent),?(?: or)? .*",
    ),
    (
        "ideology",
        rf"{_YOUR}(?:political (?:ideology|views|orientation|leaning|position)|ideology)"
        rf"|{_BEST}political (?:ideology|views|orientation)"
        r"|how would you describe your (?:own )?political (?:views|ideology|viewpoint|orientation)"
        r"|how (?:liberal or conservative|conservative or liberal) (?:are you|do you consider yourself)",
    ),
    (
        "self_rated_health",
        rf"{_YOUR}{_SUCH_HEALTH}|how (?:is|good is|'s) your {_SUCH_HEALTH}"
        rf"|how would you (?:rate|describe) your {_SUCH_HEALTH}|rate your {_SUCH_HEALTH}"
        rf"|(?:would|do) you say (?:that )?(?:in general,? )?your {_SUCH_HEALTH} is",
    ),
)
"""Field -> pattern of a question for its value."""

LEVELS: dict[str, tuple[str, ...]] = {
    "self_rated_health": _HEALTH,
    "ideology": FIELDS["ideology"].levels,
}
"""Ordered levels, from low to high."""

WORDS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "marital_status": (
        (r"never|not yet married", ("never_married",)),
        (r"married or (?:living|cohabit|in a)", ("married", "living_with_partner")),
        (r"partner|cohabit|living together|domestic|civil union", ("living_with_partner",)),
        (r"widow", ("widowed",)),
        (r"divorced (?:or|/|and) separated", ("divorced", "separated")),
        (r"divorce", ("divorced",)),
        (r"separated", ("separated",)),
        (r"single|not married|unmarried", _ALONE),
        (r"married", ("married",)),
    ),
    "housing_tenure": (
        (r"rent[- ]free|without pay|famil|parent|relative|friend|neither|other|something else", ("other",)),
        (r"own|mortgage|buying", ("owner",)),
        (r"rent", ("renter",)),
    ),
    "insurance": (
        (r"uninsured|no (?:health |medical )?(?:insurance|coverage)|not (?:insured|covered)|none|don'?t have",
            ("uninsured",)),
        (r"(?:medicare and|dual).*medicaid|medicaid and medicare|dual", ("medicare_and_medicaid",)),
        (r"medicare (?:and|plus|with).*(?:private|supplement|medigap)|medigap", ("medicare_and_private",)),
        (r"medicare", _MEDICARE),
        (r"medicaid", _MEDICAID),
        (r"military|\bva\b|veteran|tricare", ("military_va",)),
        (r"private|employer|work|marketplace|commercial|job|obamacare|bought", _PRIVATE),
        (r"other|another|something else", ("other",)),
    ),
    "religion": (
        (r"atheis|agnostic", ()),
        (r"^none|no religi|nothing in particular|unaffiliated|not religious", ("none",)),
        (r"protestant", ("protestant",)),
        (r"catholic", ("catholic",)),
        (r"orthodox(?! jew)", ("orthodox_christian",)),
        (r"other christian|another christian|christian.*other", ("other_christian",)),
        (r"christian", _CHRISTIAN),
        (r"jew", ("jewish",)),
        (r"muslim|islam", ("muslim",)),
        (r"buddh", ("buddhist",)),
        (r"hindu", ("hindu",)),
        (r"other|another|something else", ("other",)),
    ),
    "party_id": (
        (r"strong(?:ly)? democrat", ("strong_democrat",)),
        (r"strong(?:ly)? republican", ("strong_republican",)),
        (r"lean.*democrat|democrat.*lean", ("independent_lean_democrat",)),
        (r"lean.*republican|republican.*lean", ("independent_lean_republican",)),
        (r"(?:not (?:very )?strong|weak).*democrat|democrat.*not (?:very )?strong", ("democrat",)),
        (r"(?:not (?:very )?strong|weak).*republican|republican.*not (?:very )?strong", ("republican",)),
        (r"democrat", _PARTY["democrats"]),
        (r"republican|gop", _PARTY["republicans"]),
        (r"independent", _PARTY["independents"]),
        (r"other|another|something else|third party", ("other",)),
    ),
    "ideology": (
        (r"(?:extremely|very|strongly) liberal", ("extremely_liberal",)),
        (r"(?:slightly|somewhat|lean\w*) liberal", ("slightly_liberal",)),
        (r"(?:extremely|very|strongly) conservative", ("extremely_conservative",)),
        (r"(?:slightly|somewhat|lean\w*) conservative", ("slightly_conservative",)),
        (r"moderate|middle", ("moderate",)),
        (r"liberal|progressive|^left", _IDEOLOGY["liberals"]),
        (r"conservative|^right", _IDEOLOGY["conservatives"]),
    ),
    "self_rated_health": (
        (r"excellent|outstanding", ("excellent",)),
        (r"very (?:bad|poor)|terrible", ()),
        (r"very good|very well|very healthy", ("very_good", "excellent")),
        (r"fair|average|^ok|okay|so-so", ("fair",)),
        (r"poor|bad|unhealthy", ("poor",)),
        (r"good|well|healthy", ("good", "very_good", "excellent")),
    ),
}  # fmt: skip
"""Field -> (pattern of an option, levels that it covers); the first match counts.

An option that covers levels of narrower options ("Single" beside "Divorced") is left with the others.
"""


def narrowed(tests: list[ProfileTest | None]) -> list[ProfileTest | None]:
    """Take from the levels of each test those of narrower tests beside it.

    Examples
    --------
    >>> single, divorced = is_in("marital_status", "divorced", "widowed"), is_in("marital_status", "divorced")
    >>> [sorted(test.levels) for test in narrowed([single, divorced])]
    [['widowed'], ['divorced']]
    """
    levels = [test.levels for test in tests if test is not None]
    found: list[ProfileTest | None] = []
    for test in tests:
        if test is not None:
            inside = frozenset().union(*(each for each in levels if each < test.levels))
            test = is_in(test.field, *sorted(test.levels - inside)) if inside else test
        found.append(test)
    return found
