"""Words of objectives: actions of researchers, populations, and their behaviour."""

from __future__ import annotations

from voxpop_simulator.questions.wordlists import word_set

_DOUBLING = word_set(
    "stop quit get put run shop swim cut set plan skip drop win swap ban jog trim let sit begin opt forget"
)

RESEARCH_VERBS = word_set(
    """
    understand explore find identify measure assess evaluate test learn determine gauge investigate
    examine study know see explain discover validate quantify track analyse analyze uncover research check
    estimate compare map describe probe clarify review ascertain survey interview figure diagnose confirm
    predict
    """
)
"""Research activities in objectives."""

BEHAVIOURS = word_set(
    """
    abandon accept adopt apply ask attend avoid ban bank book borrow bring browse buy call cancel change
    charge choose click clean close collect commute compare complain consume cook cut delay delete
    delegate discard ditch donate download downgrade drink drive drop eat engage enroll exercise fill
    finance fly follow forget get give go handle help hire ignore install invest join keep leave listen
    live lose make manage move negotiate open opt order outsource own pause pay pick plan play postpone
    prefer prepare purchase put quit read reach recommend recycle reduce refinance refuse rely renew rent
    repair replace return sell save schedule seek select send share shift shop sign skip sleep smoke spend
    start stay stop stream subscribe swap switch take tip trade transfer travel try turn unsubscribe
    update upgrade use vaccinate vape visit volunteer vote wait walk watch wear work evaluate discover
    shortlist consider research churn defect lapse upsize binge budget cope sit skim store treat retire
    vary navigate convert teach provide allow require fund protect regulate limit legalize restrict cover
    """
)
"""Behaviour of people towards things."""

ATTITUDES = word_set(
    """
    think feel perceive view see worry know say believe trust like dislike love hate want need expect
    value understand regard experience interpret react respond struggle cope deal care hear talk decide
    learn find support oppose favor favour approve reject back rate judge
    """
)
"""Thoughts and feelings of people about things."""

EFFECTS = word_set("affect impact influence shape change drive alter transform improve hurt disrupt")
"""Effects of one thing on another."""

HAPPENINGS = word_set(
    "lose gain grow shrink rise fall decline slow succeed fail raise increase decrease cost"
)
"""Changes that happen to things."""

FINDINGS = word_set(
    """
    reason reasons driver drivers barrier barriers attitude attitudes perception perceptions awareness
    appeal demand interest willingness satisfaction dissatisfaction experience experiences opinion
    opinions view views feeling feelings reaction reactions response responses likelihood intent intention
    intentions preference preferences need needs expectation expectations motivation motivations trigger
    triggers trust loyalty usage use adoption uptake acceptance pricing price prices churn retention
    attrition concept test testing research study survey interviews feedback insights insight sentiment
    behavior behaviour behaviors behaviours habits habit decisions support concerns worries fears
    frustrations thoughts beliefs knowledge sensitivity elasticity openness comprehension understanding
    resonance relevance consideration reception purchase purchasing journey opportunity opportunities
    potential evaluation challenge challenges points growth image purchases optimization tracking sales ux
    usability sizing point engagement appetite criteria
    """
)
"""Aspects that an objective asks for; the subject follows or precedes these words."""

PEOPLE = word_set(
    """
    people consumers consumer customers customer users user adults parents moms mothers dads fathers women
    men patients students households families americans millennials boomers seniors everyone they someone
    anyone businesses companies teams firms owners smes smbs leaders public kids teens us we who brits
    germans canadians nurses physicians citizens residents professionals gamers cios ctos cfos executives
    staff somebody individuals couples singles retirees folks respondents audiences audience subscribers
    members persons clinicians organizations organisations hospitals restaurants retailers you employee
    patient voter z employees workers
    """
)
"""Words for the people studied."""

NOT_PEOPLE = word_set(
    """
    computers servers printers offers stickers burgers crackers scooters trackers wrappers posters flyers
    prices orders numbers letters papers speakers headphones dinners chargers colors flavors doors errors
    sensors motors factors floors filters covers layers containers razors lasers monitors routers diapers
    slippers trailers tenders powders wafers boosters banners folders freezers waters mowers sweaters
    lists others matters
    """
)

COUNTABLE = word_set(
    """
    app application car vehicle truck bike scooter service product snack bar subscription plan card phone
    smartphone watch smartwatch tablet laptop burger drink beverage brand store bank tool platform website
    site device loan policy program programme kit box package campaign ad advertisement commercial feature
    membership tax candidate law ban system solution machine appliance mattress sofa shoe sneaker cookie
    supplement vitamin pill drug vaccine treatment test screening mortgage account wallet chatbot
    assistant robot camera speaker doorbell thermostat game console magazine newspaper newsletter podcast
    show series channel network hotel airline flight cruise resort restaurant cafe gym class course degree
    school university museum park toy stroller seat bottle razor cleaner pizza sandwich dashboard provider
    vendor agency carrier insurer broker dealer retailer supermarket pharmacy clinic hospital logo slogan
    design prototype name tagline label bundle tier discount coupon promotion trial model ev suv
    integration marketplace startup home house apartment charger panel pump heater fridge dishwasher
    blender mug burrito smoothie cocktail seltzer latte party referendum proposal bill
    """
)
"""Nouns that need an article in the singular."""

ADJECTIVES = word_set(
    """
    remote electric organic new digital online mobile smart social plant-based low high home health food
    mental oat meal fast private public local free cheap luxury premium green big small electricity energy
    water school work job travel city rural urban family women's men's kids' children's baby pet dog cat
    hair skin climate crime gun tax housing student retail email text phone video credit debit life car
    auto sleep hybrid market
    """
)
"""Sentence-initial words that are not names despite their capital letter."""

ONE_EACH = COUNTABLE | word_set("job employer doctor boss career diet cart phone therapist dentist landlord")
"""Things of which a person has only one: "their jobs" becomes "your job"."""

PRONOUNS = word_set("it this that these those them him her one ones thing things something product products")
"""Words that refer to a thing named in another sentence."""


def gerund(verb: str) -> str:
    """Return the -ing form of a verb.

    Examples
    --------
    >>> [gerund(verb) for verb in ("switch", "use", "stop", "lie", "see", "pay")]
    ['switching', 'using', 'stopping', 'lying', 'seeing', 'paying']
    """
    if verb in _DOUBLING:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{verb}ing"


def _third(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _forms(verbs: frozenset[str]) -> dict[str, str]:
    return {form: verb for verb in sorted(verbs) for form in (verb, _third(verb), gerund(verb))}


FORMS = _forms(HAPPENINGS) | _forms(EFFECTS) | _forms(ATTITUDES) | _forms(BEHAVIOURS)
"""Forms of the verbs in objectives -> verb."""

ADVERBS = word_set(
    "away down up off out over back more less fewer around into further together apart through"
)
"""Words between a verb and its object."""

GERUNDS = {gerund(verb): verb for verb in sorted(BEHAVIOURS)}
