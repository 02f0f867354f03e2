"""Attributes of the agent's profile in words, one short sentence per field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from voxpop.engines.agents import Agent
from voxpop_simulator.questions.place_codes import place
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUGS

HEALTH_FIELDS = (
    "health_conditions",
    "health_drug_classes",
    "smoking_status",
    "alcohol_use",
    "physical_activity_level",
    "sleep_quality",
    "diet_quality",
    "bmi_class",
    "phq9_severity",
    "rx_medication_count",
    "bmi",
    "phq9_score",
    "self_rated_health",
)
_EDUCATION = {
    "Less than 9th grade": "I left school before 9th grade.",
    "9-11th grade": "I went to high school but did not finish it.",
    "High school graduate/GED": "I finished high school.",
    "Some college or AA degree": "I have some college behind me.",
    "College graduate or above": "I have a college degree.",
}
_LABOUR = {
    "employed": "I'm working.",
    "unemployed": "I'm out of work right now.",
    "retired": "I'm retired.",
    "student": "I'm a student.",
    "homemaker": "I'm a homemaker.",
    "disabled": "I can't work because of a disability.",
    "other_not_in_labour_force": "I'm not working and not looking for work.",
}
_SMOKING = {"never": "I've never smoked.", "former": "I used to smoke, but I quit.", "current": "I smoke."}
_ALCOHOL = {
    "none": "I don't drink alcohol.",
    "light": "I drink a little now and then.",
    "moderate": "I drink moderately.",
    "heavy": "I drink quite a lot.",
}
_ACTIVITY = {"low": "I don't move much.", "moderate": "I'm moderately active.", "high": "I'm very active."}
_SLEEP = {"poor": "I sleep badly.", "fair": "My sleep is fair.", "good": "I sleep well."}
_DIET = {"poor": "I don't eat very well.", "mixed": "My diet is a mixed bag.", "healthy": "I eat healthily."}
_BMI = {
    "underweight": "I'm underweight.",
    "normal": "My weight is in the normal range.",
    "overweight": "I'm overweight.",
    "obese_1": "My BMI is in the obese range, class 1.",
    "obese_2": "My BMI is in the obese range, class 2.",
    "obese_3": "My BMI is in the obese range, class 3.",
}
_GROUPS = {
    "No migration background": "My family has no migration background.",
    "Migration background": "My family came here from another country.",
    "Non-immigrant": "I'm not an immigrant.",
    "Immigrant": "I'm an immigrant.",
    "Japanese nationals": "I'm a Japanese national.",
    "Foreign nationals": "I'm a foreign national.",
    "Born in Australia, non-Indigenous": "I was born in Australia.",
    "Other or not stated": "I'd rather not say.",
    "Other": "I'd rather not say.",
    **{name: f"I'm {name}." for name in ("Hindu", "Muslim", "Christian", "Sikh", "Buddhist", "Jain")},
    **{f"Born {where}": f"I was born {where}." for where in ("in Europe", "in Asia", "elsewhere overseas")},
}
_MARITAL = {
    "married": "I'm married.",
    "living_with_partner": "I live with my partner.",
    "widowed": "I'm widowed.",
    "divorced": "I'm divorced.",
    "separated": "I'm separated.",
    "never_married": "I've never been married.",
}
_HOUSING = {
    "owner": "I own my home.",
    "renter": "I rent my home.",
    "other": "I neither own nor rent the place where I live.",
}
_INSURANCE = {
    "private": "I have private health insurance.",
    "medicare": "I'm on Medicare.",
    "medicare_and_private": "I have Medicare and private insurance.",
    "medicare_and_medicaid": "I have Medicare and Medicaid.",
    "medicaid": "I'm on Medicaid.",
    "military_va": "I'm covered through the military or the VA.",
    "other": "I have another kind of health plan.",
    "uninsured": "I don't have health insurance.",
}
_RELIGION = {
    "protestant": "I'm Protestant.",
    "catholic": "I'm Catholic.",
    "orthodox_christian": "I'm an Orthodox Christian.",
    "other_christian": "I'm a Christian, neither Catholic nor Protestant.",
    "jewish": "I'm Jewish.",
    "muslim": "I'm Muslim.",
    "other": "My religion is one of the smaller ones.",
    "none": "I have no religion.",
}
_PARTY = {
    "strong_democrat": "I'm a strong Democrat.",
    "democrat": "I'm a Democrat, but not a very strong one.",
    "independent_lean_democrat": "I'm an independent who leans Democratic.",
    "independent": "I'm an independent.",
    "independent_lean_republican": "I'm an independent who leans Republican.",
    "republican": "I'm a Republican, but not a very strong one.",
    "strong_republican": "I'm a strong Republican.",
    "other": "I'm with another party.",
}
_GENDER = {"male": "I'm a man.", "female": "I'm a woman.", "non_binary": "I'm non-binary."}


def held(agent: Agent, field: str) -> Any:
    """Return an attribute of the profile, or None if the agent lacks it.

    Lists of slugs are returned as lists, as in the wire form.
    """
    if field in HEALTH_FIELDS:
        health = agent.health_profile
        if health is None:
            return None
        if field == "health_conditions":
            return list(health.conditions)
        if field == "health_drug_classes":
            return None if health.drug_classes is None else list(health.drug_classes)
        return getattr(health, field)
    if field == "religion" and agent.country == "India" and agent.ethnicity is not None:
        return agent.ethnicity.lower()  # the group that is published there
    return getattr(agent, field)


def listed(names: list[str]) -> str:
    """Join names in a spoken list: "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _conditions(slugs: list[str]) -> str:
    if not slugs:
        return "I have no diagnosed conditions."
    had = [CONDITIONS[slug][0] for slug in slugs if slug in ("stroke", "cancer_history")]
    have = [CONDITIONS[slug][0] if slug in CONDITIONS else slug.replace("_", " ") for slug in slugs]
    have = [name for name in have if name not in had]
    parts = ([f"have {listed(have)}"] if have else []) + [f"have {name}" for name in had]
    return f"I {listed(parts)}."


def _drugs(slugs: list[str]) -> str:
    if not slugs:
        return "I take no prescription medicines."
    return (
        f"I take {listed([DRUGS[slug][0] if slug in DRUGS else slug.replace('_', ' ') for slug in slugs])}."
    )


def _at_home(count: int) -> str:
    if count == 0:
        return "I have no children under 18 at home."
    return f"I have {count} {'child' if count == 1 else 'children'} under 18 at home."


def _youngest(age: int | None) -> str:
    if age is None:
        return _at_home(0)
    return f"My youngest is {age}." if age else "My youngest is not one yet."


def _job(title: Any) -> str:
    return f"My job is {title}." if title else "I don't have a job at the moment."


_SPOKEN: dict[str, Callable[[Any], str]] = {
    "age": lambda age: f"I'm {age}.",
    "name": lambda name: f"I'm {name}.",
    "is_parent": lambda parent: "I have kids." if parent else "I don't have kids.",
    "gender": lambda value: _GENDER.get(value, f"I'm {value}."),
    "country": lambda value: f"I live in {'the USA' if value == 'USA' else value}.",
    "state": lambda value: f"I live in {place(value)}.",
    "ethnicity": lambda value: _GROUPS.get(value, f"My background is {value}.") if value else NOT_SAID,
    "education": lambda value: _EDUCATION.get(value, f"{value}."),
    "household_income": lambda band: f"Our household income is {band[0].lower() + band[1:]} a year.",
    "urban_rural": lambda value: (
        "I live in an urban area." if value == "urban" else "I live in a rural area."
    ),
    "occupation": _job,
    "title_variant": _job,
    "occupation_major_group": lambda group: f"My line of work is {group}." if group else _job(None),
    "industry": lambda industry: f"I work in {industry}." if industry else _job(None),
    "labour_status": lambda status: _LABOUR.get(status, f"{status}."),
    "smoking_status": lambda value: _SMOKING.get(value, f"{value}."),
    "alcohol_use": lambda value: _ALCOHOL.get(value, f"{value}."),
    "physical_activity_level": lambda value: _ACTIVITY.get(value, f"{value}."),
    "sleep_quality": lambda value: _SLEEP.get(value, f"{value}."),
    "diet_quality": lambda value: _DIET.get(value, f"{value}."),
    "bmi_class": lambda value: _BMI.get(value, f"{value}."),
    "bmi": lambda value: f"My BMI is {value:g}.",
    "phq9_score": lambda value: f"My PHQ-9 score is {value:g}.",
    "phq9_severity": lambda value: f"My depression symptoms are {value.replace('_', ' ')}.",
    "rx_medication_count": lambda count: (
        f"I take {count} prescription medicine{'' if count == 1 else 's'}."
        if count
        else "I take no prescription medicines."
    ),
    "health_conditions": _conditions,
    "health_drug_classes": _drugs,
    "marital_status": lambda value: _MARITAL.get(value, f"{value}."),
    "household_size": lambda size: "I live alone." if size == 1 else f"We are {size} people at home.",
    "children_count": _at_home,
    "youngest_child_age": _youngest,
    "housing_tenure": lambda value: _HOUSING.get(value, f"{value}."),
    "insurance": lambda value: _INSURANCE.get(value, f"{value}."),
    "veteran": lambda served: "I'm a veteran." if served else "I'm not a veteran.",
    "born_in_country": lambda here: "I was born here." if here else "I was born in another country.",
    "religion": lambda value: _RELIGION.get(value, f"I'm {value.capitalize()}."),
    "party_id": lambda value: _PARTY.get(value, f"{value}."),
    "ideology": lambda value: f"Politically I'm {value.replace('_', ' ')}.",
    "self_rated_health": lambda value: f"My health is {value.replace('_', ' ')}.",
}


def say(agent: Agent, field: str) -> str:
    """Return the agent's sentence about one attribute of its profile."""
    value = held(agent, field)
    if value is None and field in HEALTH_FIELDS:
        return "I don't smoke." if field == "smoking_status" and _non_smoker(agent) else NOT_KNOWN
    if field == "health_conditions" and not value and agent.health_profile and agent.health_profile.partial:
        return (
            "I have no high blood pressure, diabetes or obesity; about other conditions I'd rather not say."
        )
    if field == "youngest_child_age" and held(agent, "children_count") == 0:
        return _youngest(None)
    if value is None and (field in NOT_EVERYWHERE or (field in _WORK and agent.labour_status is None)):
        return NOT_SAID
    return _SPOKEN[field](value)


def say_condition(slug: str, *, has: bool) -> str:
    """Return "I have asthma." or "I don't have asthma."."""
    name = CONDITIONS[slug][0]
    if slug in ("stroke", "cancer_history"):
        return f"I have {name}." if has else f"I have never {name}."
    return f"I have {name}." if has else f"I don't have {name.removeprefix('an ')}."


def say_drug(slug: str, *, has: bool) -> str:
    """Return "I take a statin." or "I don't take a statin."."""
    return f"I {'take' if has else 'don' + chr(39) + 't take'} {DRUGS[slug][0]}."


def _non_smoker(agent: Agent) -> bool:
    return agent.health_profile is not None and agent.health_profile.smokes is False


NOT_EVERYWHERE = (
    *("is_parent", "education", "household_income", "urban_rural", "marital_status", "household_size"),
    *("children_count", "youngest_child_age", "housing_tenure", "insurance", "veteran", "born_in_country"),
    *("religion", "party_id", "ideology"),
)
"""Fields without values in some countries, for lack of figures."""

_WORK = ("labour_status", "occupation", "title_variant", "occupation_major_group", "industry")
"""Fields without values for those without a job, and for agents whose labour status is not recorded."""

NOT_SAID = "I'd rather not say."
NOT_KNOWN = "I'd rather not say; I have no health details to share."
