"""Facts about an agent as bits, which a sentence can require: ``parent rural| ...``."""

from __future__ import annotations

import re
from functools import lru_cache

from voxpop.engines.agents import Agent, HealthProfile
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.stances.leanings import LEANING
from voxpop_simulator.stances.life_facts import FACTS
from voxpop_simulator.stances.profile_speech import held

_NAMES = (
    "job retired student homemaker seeking disabled parent childless rural urban young mid old poor middle"
    " rich us abroad smoker exsmoker drinker dry active inactive diabetic pressure cholesterol asthma"
    " arthritis migraine reflux pain heavy glp1 meds nomeds low sleepless grad desk standing manual driving"
    " care serving teaching selling tech cold hot owner renter driver carless dog cat petless woman man"
    " title placed"
    " canada uk australia germany france japan brazil india mexico italy spain netherlands south_korea"
)
_LEANING = {
    "thrifty": ("price", 0.35),
    "easygoing": ("price", -0.35),
    "curious": ("novelty", 0.35),
    "settled": ("novelty", -0.35),
    "techy": ("technology", 0.4),
    "lowtech": ("technology", -0.4),
    "healthy": ("healthy_living", 0.45),
    "treats": ("healthy_living", -0.45),
    "green": ("sustainability", 0.5),
    "private": ("privacy", 0.5),
    "trusting": ("trust", 0.4),
    "wary": ("trust", -0.4),
    "hurried": ("convenience", 0.4),
    "patient": ("convenience", -0.4),
    "loyal": ("brand", 0.45),
    "strained": ("strain", 0.7),
    "careful": ("safety", 0.5),
    "content": ("life", 0.4),
}
BITS: dict[str, int] = {name: 1 << at for at, name in enumerate((*_NAMES.split(), *_LEANING))}
"""Tag -> bit."""
_FACTS = {
    "driver": ("car", True),
    "carless": ("car", False),
    "dog": ("dog", True),
    "cat": ("cat", True),
}
ASKED_FACTS = sum(BITS[name] for name in (*_FACTS, "petless"))
"""Bits of the agent's possessions; each costs a draw and is computed only if a line requires it."""
ASKED_LEANINGS = sum(BITS[name] for name in _LEANING)
"""Bits of the agent's leanings, which also cost a draw each."""

_POOR = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999")
_RICH = ("$150,000-$199,999", "$200,000 and over")
_STATUS = {
    "employed": "job",
    "retired": "retired",
    "student": "student",
    "homemaker": "homemaker",
    "unemployed": "seeking",
    "disabled": "disabled",
}
_GROUPS = {
    "Management": "desk",
    "Business and Financial Operations": "desk",
    "Computer and Mathematical": "desk tech",
    "Architecture and Engineering": "desk tech",
    "Life, Physical, and Social Science": "desk",
    "Community and Social Service": "care",
    "Legal": "desk",
    "Educational Instruction and Library": "teaching standing",
    "Healthcare Practitioners and Technical": "care standing",
    "Healthcare Support": "care standing",
    "Protective Service": "standing",
    "Food Preparation and Serving Related": "serving standing",
    "Building and Grounds Cleaning and Maintenance": "manual standing",
    "Personal Care and Service": "serving standing",
    "Sales and Related": "selling",
    "Office and Administrative Support": "desk",
    "Farming, Fishing, and Forestry": "manual",
    "Construction and Extraction": "manual standing",
    "Installation, Maintenance, and Repair": "manual",
    "Production": "manual standing",
    "Transportation and Material Moving": "driving",
}
_WARM = "AL AR AZ FL GA HI LA MS NV NM OK SC TX"
_COLD = "AK CT IA ID IL IN MA ME MI MN MT ND NE NH NY OH PA RI SD VT WI WY"
_CONDITIONS = {
    "diabetes_t1": "diabetic",
    "diabetes_t2": "diabetic",
    "hypertension": "pressure",
    "high_cholesterol": "cholesterol",
    "asthma": "asthma",
    "arthritis": "arthritis",
    "migraine": "migraine",
    "gerd": "reflux",
    "chronic_pain": "pain",
}


def _mask(names: str) -> int:
    return sum(BITS[name] for name in names.split())


_STATUS_BITS = {status: BITS[name] for status, name in _STATUS.items()}
_GROUP_BITS = {group: _mask(names) for group, names in _GROUPS.items()}
_STATE_BITS = {
    **{code: BITS["hot"] for code in _WARM.split()},
    **{code: BITS["cold"] for code in _COLD.split()},
}
_CONDITION_BITS = {slug: BITS[name] for slug, name in _CONDITIONS.items()}


def country_tag(country: str) -> str:
    """Return the tag of a country.

    Examples
    --------
    >>> country_tag("South Korea")
    'south_korea'
    """
    return country.lower().replace(" ", "_")


def tags_of(agent: Agent) -> int:
    """Return the bits that hold for an agent; unknown attributes set no bits."""
    age = agent.age
    bits = BITS["young"] if age < 30 else BITS["mid"] if age < 60 else BITS["old"]
    bits |= _STATUS_BITS.get(agent.labour_status, 0)
    bits |= _GROUP_BITS.get(agent.occupation_major_group or "", 0)
    if agent.is_parent is not None:
        bits |= BITS["parent"] if agent.is_parent else BITS["childless"]
    if agent.urban_rural is not None:
        bits |= BITS["rural"] if agent.urban_rural == "rural" else BITS["urban"]
    if agent.household_income is not None:
        rank = "poor" if agent.household_income in _POOR else "middle"
        bits |= BITS["rich" if agent.household_income in _RICH else rank]
    if agent.country == "USA":
        bits |= BITS["us"] | _STATE_BITS.get(agent.state or "", 0)
    else:
        bits |= BITS["abroad"] | BITS[country_tag(agent.country)]
    bits |= {"owner": BITS["owner"], "renter": BITS["renter"]}.get(held(agent, "housing_tenure"), 0)
    bits |= BITS["placed"] if agent.state else 0
    bits |= BITS["title"] if job_said(agent.title_variant) else 0
    bits |= {"female": BITS["woman"], "male": BITS["man"]}.get(agent.gender, 0)
    if agent.education == "College graduate or above":
        bits |= BITS["grad"]
    return bits if agent.health_profile is None else bits | _health(agent.health_profile)


def _health(health: HealthProfile) -> int:
    bits = 0
    for slug in health.conditions:
        bits |= _CONDITION_BITS.get(slug, 0)
    smoking = health.smoking_status
    bits |= BITS["smoker"] if smoking == "current" else BITS["exsmoker"] if smoking == "former" else 0
    if health.alcohol_use is not None:
        bits |= BITS["dry"] if health.alcohol_use == "none" else BITS["drinker"]
    if health.physical_activity_level is not None:
        bits |= BITS["inactive"] if health.physical_activity_level == "low" else BITS["active"]
    if health.bmi is not None and health.bmi >= 28:
        bits |= BITS["heavy"]
    if health.drug_classes is not None:
        bits |= BITS["glp1"] if "glp1_agonist" in health.drug_classes else 0
        bits |= BITS["meds"] if health.drug_classes else BITS["nomeds"]
    if (health.phq9_score or 0) >= 10:
        bits |= BITS["low"]
    return bits | BITS["sleepless"] if health.sleep_quality == "poor" else bits


@lru_cache(maxsize=8192)
def job_said(title: str | None) -> str | None:
    """Return a job title with its article for a sentence, or None if it has no such form.

    Examples
    --------
    >>> job_said("Lead Machinist"), job_said("RN Supervisor"), job_said("Accountants and Auditors")
    ('a lead machinist', 'an RN supervisor', None)
    """
    if not title or len(title) > 34 or _UNSAID.search(title):
        return None
    words = [word if word.isupper() or word[1:2].isupper() else word.lower() for word in title.split()]
    said = " ".join(words)
    vowel = said[0] in "aeio" or (words[0].isupper() and words[0][0] in "AEFHILMNORSX")
    vowel = vowel or (said[0] == "u" and not said.startswith(("uni", "use", "util", "uro")))
    return f"{'an' if vowel else 'a'} {said}"


_UNSAID = Pattern(r"^president$|[,(/]|\d|(?<!s)s$|\band\b|\bof\b", re.I)


def leaning_tags(agent: Agent, wanted: int, person: tuple[float, ...]) -> int:
    """Return the requested bits that hold for the leanings of an agent with these traits."""
    uuid = agent.uuid.encode()
    bits, known = 0, dict[str, float]()
    for tag, (name, bound) in _LEANING.items():
        if not wanted & BITS[tag]:
            continue
        if name not in known:
            known[name] = LEANING[name].of(person, uuid)
        if known[name] > bound if bound > 0 else known[name] < bound:
            bits |= BITS[tag]
    return bits


def fact_tags(agent: Agent, person: tuple[float, ...]) -> int:
    """Return the bits of possessions of an agent with these traits, consistent with its answers on them."""
    if agent.country != "USA":
        return 0
    uuid = agent.uuid.encode()
    bits = 0
    for tag, (name, wanted) in _FACTS.items():
        bits |= BITS[tag] if FACTS[name].holds(person, uuid) is wanted else 0
    if not bits & (BITS["dog"] | BITS["cat"]) and not FACTS["pet"].holds(person, uuid):
        bits |= BITS["petless"]
    return bits
