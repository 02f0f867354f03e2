"""Everyday words for home, family, insurance, religion, politics and origin in the fields of agents.

"Single" means without a partner: never married, divorced, separated or widowed. Republicans and Democrats are
those who call themselves so; independents include those who lean to a party. Medicare and Medicaid include
people who have other insurance besides.
"""

from __future__ import annotations

from voxpop.vocabulary import Between
from voxpop_simulator.audiences.mentions import lexicon, sense

SINGLE = ("widowed", "divorced", "separated", "never_married")
UNMARRIED = ("living_with_partner", *SINGLE)
CHRISTIAN = ("protestant", "catholic", "orthodox_christian", "other_christian")
MEDICARE = ("medicare", "medicare_and_private", "medicare_and_medicaid")
MEDICAID = ("medicare_and_medicaid", "medicaid")
PRIVATE = ("private", "medicare_and_private")
INSURED = (*MEDICARE, "private", "medicaid", "military_va", "other")
REPUBLICAN = ("republican", "strong_republican")
DEMOCRAT = ("strong_democrat", "democrat")
INDEPENDENT = ("independent_lean_democrat", "independent", "independent_lean_republican")
LIBERAL = ("extremely_liberal", "liberal", "slightly_liberal")
CONSERVATIVE = ("slightly_conservative", "conservative", "extremely_conservative")

_HOME = lexicon(
    ("homeowners|home owners|home owner|homeowner|house owners", sense(person=True, housing_tenure="owner")),
    (
        "own their home|own their homes|own a home|own a house|own their own home|own homes|own my home|"
        "owning a home|own their house|owning their home|owns a home|owns their home|home owning",
        sense(housing_tenure="owner"),
    ),
    ("renters|renter", sense(person=True, housing_tenure="renter")),
    (
        "rent|renting|rents|rent their home|rent an apartment|rent their apartment|rent a home|"
        "rent a house|rent their homes",
        sense(housing_tenure="renter"),
    ),
    ("live alone|lives alone|living alone", sense(household_size=Between(1, 1))),
)

_MARRIAGE = lexicon(
    ("married|are married|currently married", sense(marital_status="married")),
    ("married people|married couples", sense(person=True, marital_status="married")),
    ("divorced", sense(marital_status="divorced")),
    ("separated", sense(marital_status="separated")),
    ("divorcees", sense(person=True, marital_status="divorced")),
    ("widowed", sense(marital_status="widowed")),
    ("widows", sense(person=True, marital_status="widowed", gender="female")),
    ("widowers", sense(person=True, marital_status="widowed", gender="male")),
    (
        "never married|never been married|have never been married|have never married",
        sense(marital_status="never_married"),
    ),
    ("unmarried|not married", sense(marital_status=UNMARRIED)),
    ("single", sense(marital_status=SINGLE)),
    ("singles|single people|single adults", sense(person=True, marital_status=SINGLE)),
    (
        "cohabiting|living together|live together|living with a partner|living with their partner|"
        "live with their partner|live with a partner|cohabitating",
        sense(marital_status="living_with_partner"),
    ),
    (
        "single parents|single parent|lone parents",
        sense(person=True, marital_status=SINGLE, is_parent=True),
    ),
    (
        "single moms|single mothers|single mom|single mother|single mums",
        sense(person=True, gender="female", marital_status=SINGLE, is_parent=True),
    ),
    (
        "single dads|single fathers|single dad|single father",
        sense(person=True, gender="male", marital_status=SINGLE, is_parent=True),
    ),
)

_COVER = lexicon(
    (
        "uninsured|without health insurance|no health insurance|have no health insurance|"
        "without insurance|no insurance|have no insurance|not insured|don't have health insurance|"
        "lack health insurance|lacking health insurance",
        sense(insurance="uninsured"),
    ),
    (
        "insured|with health insurance|have health insurance|health insurance",
        sense(insurance=tuple(INSURED)),
    ),
    (
        "medicare|medicare coverage|medicare insurance|medicare or medicare advantage|"
        "medicare including medicare advantage|original medicare or medicare advantage",
        sense(american=True, insurance=MEDICARE),
    ),
    (
        "medicare beneficiaries|medicare recipients|medicare enrollees|medicare members|medicare patients",
        sense(person=True, american=True, insurance=MEDICARE),
    ),
    ("medicaid|medicaid coverage|medicaid insurance", sense(american=True, insurance=MEDICAID)),
    (
        "medicaid beneficiaries|medicaid recipients|medicaid enrollees|medicaid members|medicaid patients",
        sense(person=True, american=True, insurance=MEDICAID),
    ),
    (
        "dual eligible|dual eligibles|dually eligible|both medicare and medicaid|medicare and medicaid",
        sense(american=True, insurance="medicare_and_medicaid"),
    ),
    (
        "private health insurance|private insurance|privately insured|commercial insurance|"
        "commercially insured",
        sense(insurance=PRIVATE),
    ),
    ("tricare|va health care|va health insurance", sense(american=True, insurance="military_va")),
)

_SERVICE = lexicon(
    ("veterans|military veterans|army veterans", sense(person=True, veteran=True)),
    ("veteran|served in the military|military veteran|served in the armed forces", sense(veteran=True)),
    ("non veterans|nonveterans|civilians", sense(person=True, veteran=False)),
)

_ORIGIN = lexicon(
    ("immigrants|foreign born people", sense(person=True, born_in_country=False)),
    (
        "foreign born|born abroad|born outside the us|born outside the country|born overseas|immigrant|"
        "born outside the united states|born outside the usa",
        sense(born_in_country=False),
    ),
    (
        "native born|us born|born in us|born in usa|born in the u s|american born|born in the us|born "
        "in the usa|born in america|"
        "born in the united states",
        sense(born_in_country=True, american=True),
    ),
)

_FAITH = lexicon(
    ("catholic|roman catholic", sense(religion="catholic")),
    ("catholics|roman catholics", sense(person=True, religion="catholic")),
    ("protestant", sense(religion="protestant")),
    ("protestants", sense(person=True, religion="protestant")),
    ("jewish", sense(religion="jewish")),
    ("jews|jewish people", sense(person=True, religion="jewish")),
    ("muslim", sense(religion="muslim")),
    ("muslims|muslim people", sense(person=True, religion="muslim")),
    ("buddhist", sense(religion="buddhist")),
    ("buddhists", sense(person=True, religion="buddhist")),
    ("hindu", sense(religion="hindu")),
    ("hindus", sense(person=True, religion="hindu")),
    ("christian", sense(religion=CHRISTIAN)),
    ("christians", sense(person=True, religion=CHRISTIAN)),
    (
        "secular|nonreligious|non religious|not religious|aren't religious|isn't religious|are not religious|"
        "is not religious|not at all religious|have no religion|no religious affiliation|"
        "religiously unaffiliated|no religion|without a "
        "religion|"
        "unaffiliated with any religion",
        sense(religion="none"),
    ),
)

_POLITICS = lexicon(
    ("republicans", sense(person=True, american=True, party_id=REPUBLICAN)),
    ("republican", sense(american=True, party_id=REPUBLICAN)),
    ("democrats", sense(person=True, american=True, party_id=DEMOCRAT)),
    ("democrat|democratic", sense(american=True, party_id=DEMOCRAT)),
    (
        "independents|political independents|politically independent|independent voters",
        sense(person=True, party_id=INDEPENDENT),
    ),
    ("liberals|political liberals", sense(person=True, ideology=LIBERAL)),
    ("liberal|politically liberal", sense(ideology=LIBERAL)),
    ("conservatives|political conservatives", sense(person=True, ideology=CONSERVATIVE)),
    ("conservative|politically conservative", sense(ideology=CONSERVATIVE)),
    ("moderates|political moderates", sense(person=True, ideology="moderate")),
    ("politically moderate|moderate politically", sense(ideology="moderate")),
    (
        "moderate or conservative|conservative or moderate|moderate to conservative",
        sense(ideology=("moderate", *CONSERVATIVE)),
    ),
    (
        "moderate or liberal|liberal or moderate|moderate to liberal|liberal to moderate",
        sense(ideology=(*LIBERAL, "moderate")),
    ),
    (
        "republican or independent|independent or republican|republican or independent leaning",
        sense(american=True, party_id=(*REPUBLICAN, *INDEPENDENT)),
    ),
    (
        "democrat or independent|independent or democrat|democratic or independent|independent or democratic",
        sense(american=True, party_id=(*DEMOCRAT, *INDEPENDENT)),
    ),
    ("strong democrats", sense(person=True, american=True, party_id="strong_democrat")),
    ("reps|gop|gop voters", sense(person=True, american=True, party_id=REPUBLICAN)),
    ("strong reps", sense(person=True, american=True, party_id="strong_republican")),
    ("strong republicans", sense(person=True, american=True, party_id="strong_republican")),
    ("strong democrat", sense(american=True, party_id="strong_democrat")),
    ("strong republican", sense(american=True, party_id="strong_republican")),
    (
        "democratic leaners|independents leaning democrat|independents leaning democratic|leaning "
        "democrat|leaning democratic|"
        "democrat leaning independents|independents who lean democrat|"
        "independents who lean democratic|lean democrat|lean democratic|democratic leaning independents",
        sense(american=True, party_id="independent_lean_democrat"),
    ),
    (
        "republican leaners|independents leaning republican|leaning republican|"
        "republican leaning independents|independents who lean republican|lean republican",
        sense(american=True, party_id="independent_lean_republican"),
    ),
    ("pure independents|true independents", sense(person=True, party_id="independent")),
    (
        "very liberal|extremely liberal",
        sense(ideology="extremely_liberal"),
    ),
    ("very conservative|extremely conservative", sense(ideology="extremely_conservative")),
)

_HEALTH = lexicon(
    ("poor health|in poor health|poor self rated health", sense(self_rated_health="poor")),
    (
        "fair or poor health|in fair or poor health|poor or fair health|in poor or fair health",
        sense(self_rated_health=("poor", "fair")),
    ),
    ("fair health|in fair health", sense(self_rated_health="fair")),
    ("good health|in good health", sense(self_rated_health=("good", "very_good", "excellent"))),
    ("very good health|in very good health", sense(self_rated_health=("very_good", "excellent"))),
    (
        "rate their own health as fair or poor|rate their health as fair or poor|rate their health fair "
        "or poor|"
        "rate their own health as poor or fair|rate their health as poor or fair",
        sense(self_rated_health=("poor", "fair")),
    ),
    ("rate their health as poor|rate their own health as poor", sense(self_rated_health="poor")),
    (
        "rate their health as excellent|rate their own health as excellent",
        sense(self_rated_health="excellent"),
    ),
    ("excellent health|in excellent health", sense(self_rated_health="excellent")),
)

_INCOME = lexicon(
    (
        "top income quintile|highest income quintile|top income fifth|top fifth of incomes|top 20 "
        "percent of incomes",
        sense(income_quintile="highest"),
    ),
    (
        "bottom two income quintiles|bottom 2 income quintiles|lowest two income quintiles|bottom 40 "
        "percent of incomes|"
        "bottom two income fifths|bottom 2 income fifths|lowest two income fifths|lowest 2 income fifths",
        sense(income_quintile=("lowest", "second")),
    ),
    (
        "top two income quintiles|top 2 income quintiles|highest two income quintiles|top 40 percent "
        "of incomes|"
        "top two income fifths|top 2 income fifths|highest two income fifths|highest 2 income fifths",
        sense(income_quintile=("fourth", "highest")),
    ),
    (
        "middle income quintile|middle income fifth|middle fifth of incomes",
        sense(income_quintile="middle"),
    ),
    (
        "bottom income quintile|lowest income quintile|bottom income fifth|lowest fifth of incomes",
        sense(income_quintile="lowest"),
    ),
)

PROFILE = {**_INCOME, **_HOME, **_MARRIAGE, **_COVER, **_SERVICE, **_ORIGIN, **_FAITH, **_POLITICS, **_HEALTH}
"""Phrase, in lower case and without hyphens -> its conditions."""
