"""Groups of 5,000 agents differ in the direction that was published, by a plausible amount.

One row a finding: who published it, the question, the group that says more, the group that says less, and
the band in which the difference of the two means must lie (a yes counts 1, a rating its points). The bands
are plausible, not measured: groups differ clearly, and much less than people do. ``checked`` findings were
looked up in the source or a report of it; the others are from memory and docs/simulator.md says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean

import pytest

from made_agents import make_agents
from voxpop.engines.agents import Agent
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

Group = Callable[[Agent], bool]
LOW = ("Under $15,000", "$15,000-$24,999", "$25,000-$34,999")
HIGH = ("$100,000-$149,999", "$150,000-$199,999", "$200,000 and over")


@dataclass(frozen=True)
class Finding:
    name: str
    source: str
    checked: bool
    question: str
    more: Group
    less: Group
    least: float
    most: float


def _conditions(agent: Agent) -> int:
    return len(agent.health_profile.conditions) if agent.health_profile else -1


def _phq9(agent: Agent) -> int:
    return agent.health_profile.phq9_score or 0 if agent.health_profile else -1


def _drug(agent: Agent, slug: str) -> bool | None:
    return slug in (agent.health_profile.drug_classes or ()) if agent.health_profile else None


def _health(agent: Agent, field: str, value: str) -> bool:
    return bool(agent.health_profile) and getattr(agent.health_profile, field) == value


def _poor(agent: Agent) -> bool:
    return agent.household_income in LOW


def _rich(agent: Agent) -> bool:
    return agent.household_income in HIGH


def _young(agent: Agent) -> bool:
    return agent.age < 30


def _old(agent: Agent) -> bool:
    return agent.age >= 65


def _woman(agent: Agent) -> bool:
    return agent.gender == "female"


def _man(agent: Agent) -> bool:
    return agent.gender == "male"


def _college(agent: Agent) -> bool:
    return agent.education == "College graduate or above"


def _school(agent: Agent) -> bool:
    return agent.education in ("Less than 9th grade", "9-11th grade")


def _parent(agent: Agent) -> bool:
    return agent.is_parent is True


def _childless(agent: Agent) -> bool:
    return agent.is_parent is False


def _works(agent: Agent) -> bool:
    return agent.labour_status == "employed"


def _seeks(agent: Agent) -> bool:
    return agent.labour_status == "unemployed"


FINDINGS = [
    Finding("price sensitivity falls with income", "Wakefield & Inman 2003, Journal of Retailing 79:199",
            False, "Would you switch to a cheaper brand?", _poor, _rich, 0.08, 0.5),
    Finding("a premium appeals more with income", "Wakefield & Inman 2003, Journal of Retailing 79:199",
            False, "Would you pay more for a premium brand?", _rich, _poor, 0.08, 0.5),
    Finding("willingness to pay rises with income", "BLS Consumer Expenditure Survey",
            False, "How much would you pay for a pair of jeans?", _rich, _poor, 5, 60),
    Finding("younger adults use technology more", "Czaja et al. 2006, Psychology and Aging 21:333",
            True, "Would you use a smart speaker at home?", _young, _old, 0.1, 0.6),
    Finding("the better educated use technology more", "Czaja et al. 2006, Psychology and Aging 21:333",
            True, "Would you use a new banking app?", _college, _school, 0.05, 0.5),
    Finding("older adults are more concerned about AI", "Pew Research Center, August 2023 (42 % and 61 %)",
            True, "Are you worried about artificial intelligence?", _old, _young, 0.05, 0.4),
    Finding("worry about health rises with conditions", "NCHS, National Health Interview Survey",
            False, "How worried are you about your health, 0-10?",
            lambda a: _conditions(a) > 3, lambda a: 0 <= _conditions(a) < 2, 0.5, 3.5),
    Finding("worry about health rises with depressive symptoms", "NCHS, National Health Interview Survey",
            False, "How worried are you about your health, 0-10?",
            lambda a: _phq9(a) > 9, lambda a: 0 <= _phq9(a) < 5, 0.4, 3.5),
    Finding("GLP-1 users want smaller portions",
            "Blundell et al. 2017, Diabetes, Obesity and Metabolism 19:1242",
            True, "Are you interested in smaller portions?",
            lambda a: _drug(a, "glp1_agonist") is True, lambda a: _drug(a, "glp1_agonist") is False,
            0.12, 0.6),
    Finding("GLP-1 users eat fewer snacks",
            "Hristakeva et al. 2024, Cornell and Numerator (-10 % savory snacks)",
            True, "Do you like salty snacks, 0-10?",
            lambda a: _drug(a, "glp1_agonist") is False, lambda a: _drug(a, "glp1_agonist") is True, 0.3, 3),
    Finding("parents worry more about child safety", "Pew Research Center 2023, Parenting in America Today",
            True, "How worried are you about child safety, 0-10?", _parent, _childless, 0.7, 4),
    Finding("mothers worry more than fathers",
            "Pew Research Center 2023, Parenting in America Today (46 % and 32 %)",
            True, "How worried are you about your children, 0-10?",
            lambda a: _parent(a) and _woman(a), lambda a: _parent(a) and _man(a), 0.1, 2),
    Finding("life satisfaction falls with depressive symptoms",
            "Fleche & Layard 2015, CEP Discussion Paper 1356",
            True, "How satisfied are you with your life, 0-10?",
            lambda a: 0 <= _phq9(a) < 5, lambda a: _phq9(a) > 9, 0.6, 4),
    Finding("life satisfaction rises with income", "Kahneman & Deaton 2010, PNAS 107:16489",
            True, "How satisfied are you with your life, 0-10?", _rich, _poor, 0.3, 2.5),
    Finding("the unemployed are less satisfied with life", "Clark & Oswald 1994, Economic Journal 104:648",
            True, "How satisfied are you with your life, 0-10?", _works, _seeks, 0.2, 2.5),
    Finding("the employed are more satisfied with their work",
            "Clark & Oswald 1994, Economic Journal 104:648",
            True, "How satisfied are you with your job, 0-10?", _works, _seeks, 0.6, 4),
    Finding("women are more concerned about the environment",
            "Zelezny et al. 2000, Journal of Social Issues 56:443",
            True, "How concerned are you about climate change, 0-10?", _woman, _man, 0.15, 1.5),
    Finding("the better educated trust more", "Alesina & La Ferrara 2002, Journal of Public Economics 85:207",
            True, "Do you trust most people?", _college, _school, 0.05, 0.5),
    Finding("those with higher incomes trust more",
            "Alesina & La Ferrara 2002, Journal of Public Economics 85:207",
            True, "Do you trust most people?", _rich, _poor, 0.05, 0.5),
    Finding("Black adults trust less", "Alesina & La Ferrara 2002, Journal of Public Economics 85:207",
            True, "Do you trust most people?", lambda a: a.ethnicity == "White, non-Hispanic",
            lambda a: a.ethnicity == "Black or African American", 0.02, 0.4),
    Finding("younger adults use Instagram", "Pew Research Center 2024 (78 % under 30, 15 % at 65 and over)",
            True, "Do you use Instagram?", _young, _old, 0.45, 0.75),
    Finding("younger adults use Snapchat", "Pew Research Center 2024 (65 % under 30, 4 % at 65 and over)",
            True, "Do you use Snapchat?", _young, _old, 0.4, 0.75),
    Finding("younger adults use TikTok", "Pew Research Center 2024 (62 % under 30, 10 % at 65 and over)",
            False, "Do you use TikTok?", _young, _old, 0.3, 0.65),
    Finding("younger adults use YouTube", "Pew Research Center 2024 (93 % under 30, 60 % at 65 and over)",
            True, "Do you use YouTube?", _young, _old, 0.2, 0.45),
    Finding("younger adults use Venmo", "Pew Research Center 2022 (57 % under 30, 15 % at 65 and over)",
            True, "Do you use Venmo?", _young, _old, 0.25, 0.55),
    Finding("women use Pinterest", "Pew Research Center 2021 (46 % and 16 %)",
            True, "Do you use Pinterest?", _woman, _man, 0.15, 0.4),
    Finding("college graduates use LinkedIn",
            "Pew Research Center 2021 (51 % with a degree, 10 % with high school or less)",
            True, "Do you use LinkedIn?", _college, _school, 0.25, 0.6),
    Finding("men own guns more often", "Pew Research Center 2023 (40 % and 25 %)",
            True, "Do you own a gun?", _man, _woman, 0.08, 0.25),
    Finding("rural residents own guns more often",
            "Pew Research Center 2023 (47 % rural, 20 to 30 % elsewhere)",
            True, "Do you own a gun?", lambda a: a.urban_rural == "rural", lambda a: a.urban_rural == "urban",
            0.12, 0.3),
    Finding("rural residents have pets more often", "Pew Research Center 2023 (71 % rural, 62 % of all)",
            True, "Do you have any pets?", lambda a: a.urban_rural == "rural",
            lambda a: a.urban_rural == "urban", 0.04, 0.25),
    Finding("women have tattoos more often", "Pew Research Center 2023 (38 % and 27 %)",
            True, "Do you have a tattoo?", _woman, _man, 0.05, 0.2),
    Finding("older adults have fewer tattoos",
            "Pew Research Center 2023 (41 % under 30, 13 % at 65 and over)",
            True, "Do you have a tattoo?", _young, _old, 0.2, 0.5),
    Finding("women are vegetarians more often", "Gallup 2023 (6 % and 2 %)",
            True, "Are you a vegetarian?", _woman, _man, 0.01, 0.1),
    Finding("high incomes own electric cars more often", "Gallup 2024 (14 % upper, 3 % lower income)",
            True, "Do you own an electric car?", _rich, _poor, 0.04, 0.2),
    Finding("low incomes worry about bills",
            "Federal Reserve 2025, Economic Well-Being of U.S. Households in 2024",
            True, "How worried are you about paying your bills, 0-10?", _poor, _rich, 0.7, 4),
    Finding("worry about bills falls with education",
            "Federal Reserve 2025, Economic Well-Being of U.S. Households in 2024 (87 % and 47 % doing okay)",
            True, "How worried are you about paying your bills, 0-10?", _school, _college, 0.1, 2.5),
    Finding("the active exercise more", "Trost et al. 2002, Medicine & Science in Sports & Exercise 34:1996",
            False, "Do you enjoy exercise, 0-10?",
            lambda a: _health(a, "physical_activity_level", "high"),
            lambda a: _health(a, "physical_activity_level", "low"), 0.5, 4),
    Finding("stress falls with age", "American Psychological Association, Stress in America",
            True, "How stressed are you, 0-10?", _young, _old, 0.2, 3),
    Finding("religion matters more to older adults", "Pew Research Center 2014, Religious Landscape Study",
            True, "How important is religion in your life, 0-10?", _old, _young, 0.2, 3),
]  # fmt: skip


@pytest.fixture(scope="module")
def panel() -> list[Agent]:
    return make_agents(5_000, seed=3)


def average(agents: list[Agent], question: str) -> float:
    replies = EmbeddedRespondent().answer(agents, read_question(question), {}, seed=7)
    values = [reply.value for reply in replies if reply.value is not None]  # type: ignore[union-attr]
    return mean(map(float, values))


def test_there_are_enough_findings_and_most_were_looked_up() -> None:
    assert len(FINDINGS) >= 25
    assert len({finding.name for finding in FINDINGS}) == len(FINDINGS)
    assert sum(finding.checked for finding in FINDINGS) >= 20


@pytest.mark.parametrize("finding", FINDINGS, ids=[finding.name for finding in FINDINGS])
def test_groups_differ_as_published(panel: list[Agent], finding: Finding) -> None:
    more = average([agent for agent in panel if finding.more(agent)], finding.question)
    less = average([agent for agent in panel if finding.less(agent)], finding.question)
    assert finding.least < more - less < finding.most, f"{more:.3f} and {less:.3f}"
