"""Everyday words for work: labour status, occupation groups and industries."""

from __future__ import annotations

from voxpop.vocabulary.levels import EDUCATION, OCCUPATION_MAJOR_GROUPS, US_INDUSTRIES
from voxpop_simulator.audiences.mentions import Sense, lexicon, sense
from voxpop_simulator.questions.wordlists import word_set

_STATUS = lexicon(
    ("retirees|retired people|retired adults|retired persons", sense(person=True, labour_status="retired")),
    ("retired|in retirement", sense(labour_status="retired")),
    (
        "students|college students|university students|undergraduates|undergrads|college kids|student|college student",  # noqa: E501
        sense(person=True, labour_status="student"),
    ),
    (
        "in college|in university|in school|studying|at university|enrolled in college",
        sense(labour_status="student"),
    ),
    (
        "graduate students|grad students",
        sense(person=True, labour_status="student", education=EDUCATION[4]),
    ),
    (
        "working students|students who work|students with jobs|students with a job|employed students",
        sense(person=True, labour_status="student", ask="Do you have a paid job?"),
    ),
    (
        "medical students|med students",
        sense(person=True, labour_status="student", ask="Do you study medicine?"),
    ),
    ("law students", sense(person=True, labour_status="student", ask="Do you study law?")),
    ("nursing students", sense(person=True, labour_status="student", ask="Do you study nursing?")),
    ("engineering students", sense(person=True, labour_status="student", ask="Do you study engineering?")),
    ("business students", sense(person=True, labour_status="student", ask="Do you study business?")),
    (
        "unemployed|jobless|out of work|looking for work|between jobs|job seeking|laid off",
        sense(labour_status="unemployed"),
    ),
    ("job seekers|jobseekers|unemployed people", sense(person=True, labour_status="unemployed")),
    (
        "full time or part time|full or part time|part time or full time|work full time or part time|"
        "working full time or part time|employed|in work|in employment|with a job|with jobs|have a job|"
        "have jobs|working|gainfully employed",
        sense(labour_status="employed"),
    ),
    (
        "workers|working people|employees|employed people|working adults",
        sense(person=True, labour_status="employed"),
    ),
    ("homemakers|homemaker", sense(person=True, labour_status="homemaker")),
    (
        "stay at home parents|stay at home parent",
        sense(person=True, labour_status="homemaker", is_parent=True),
    ),
    (
        "stay at home moms|stay at home mothers|stay at home mom|sahms|stay at home mums",
        sense(person=True, labour_status="homemaker", is_parent=True, gender="female"),
    ),
    (
        "stay at home dads|stay at home fathers|stay at home dad",
        sense(person=True, labour_status="homemaker", is_parent=True, gender="male"),
    ),
    ("housewives|housewife", sense(person=True, labour_status="homemaker", gender="female")),
    ("househusbands|househusband", sense(person=True, labour_status="homemaker", gender="male")),
    (
        "unable to work|unable to work because of a disability|on disability|too disabled to work",
        sense(labour_status="disabled"),
    ),
    (
        "disabled|with a disability|with disabilities|disabled people|disabled adults",
        sense(labour_status="disabled", options=("unable to work",)),
    ),
    (
        "full time workers|full time employees",
        sense(person=True, labour_status="employed", ask="Do you work full time?"),
    ),
    (
        "part time workers|part time employees|part timers",
        sense(person=True, labour_status="employed", ask="Do you work part time?"),
    ),
    (
        "full time employed|full time|work full time|working full time|employed full time",
        sense(labour_status="employed", ask="Do you work full time?"),
    ),
    (
        "part time employed|part time|work part time|working part time|employed part time",
        sense(labour_status="employed", ask="Do you work part time?"),
    ),
    (
        "self employed people|freelancers|freelancer|independent contractors",
        sense(person=True, labour_status="employed", ask="Are you self-employed?"),
    ),
    ("self employed|freelance", sense(labour_status="employed", ask="Are you self-employed?")),
    (
        "remote workers|remote employees|telecommuters",
        sense(person=True, labour_status="employed", ask="Do you work from home?"),
    ),
    (
        "work from home|work remotely|working from home|working remotely",
        sense(labour_status="employed", ask="Do you work from home?"),
    ),
    (
        "business owners|entrepreneurs",
        sense(person=True, labour_status="employed", ask="Do you own a business?"),
    ),
    (
        "small business owners|small business owner",
        sense(person=True, labour_status="employed", ask="Do you own a small business?"),
    ),
    ("gig workers", sense(person=True, labour_status="employed", ask="Do you do gig work?")),
    ("shift workers", sense(person=True, labour_status="employed", ask="Do you work in shifts?")),
)


def _group(*titles: str, person: bool = True) -> Sense:
    return sense(person=person, occupation_major_group=titles)


_M = OCCUPATION_MAJOR_GROUPS
_GROUPS = lexicon(
    ("managers|people in management", _group("Management")),
    ("in management", _group("Management", person=False)),
    ("salespeople|sales people|sales workers|sales professionals", _group("Sales and Related")),
    ("in sales", _group("Sales and Related", person=False)),
    (
        "administrative workers|clerical workers|administrative staff",
        _group("Office and Administrative Support"),
    ),
    ("it workers|it professionals|tech workers|tech professionals", _group("Computer and Mathematical")),
    ("techies|people in tech", _group("Computer and Mathematical")),
    ("in tech|in it|in technology|in the tech industry", _group("Computer and Mathematical", person=False)),
    (
        "clinicians|healthcare practitioners|medical professionals|healthcare providers|health care "
        "providers",
        _group("Healthcare Practitioners and Technical"),
    ),
    ("healthcare support workers", _group("Healthcare Support")),
    ("food service workers|restaurant workers|food workers", _group("Food Preparation and Serving Related")),
    ("factory workers|production workers|manufacturing workers", _group("Production")),
    ("construction workers", _group("Construction and Extraction")),
    ("farm workers|farmworkers|agricultural workers", _group("Farming, Fishing, and Forestry")),
    ("farmers|ranchers|fishermen", sense(person=True, industry="Agriculture, Forestry, Fishing and Hunting")),
    ("protective service workers", _group("Protective Service")),
    ("legal professionals", _group("Legal")),
    ("transportation workers", _group("Transportation and Material Moving")),
    ("blue collar|blue collar workers", _group(*_M[18:22])),
    ("white collar|white collar workers", _group(*_M[0:10])),
    ("active duty military|active duty service members", _group("Military Specific")),
)


def _sector(title: str, *, person: bool = False) -> Sense:
    return sense(person=person, industry=title)


_SECTORS: dict[str, tuple[str, str]] = {
    "Agriculture, Forestry, Fishing and Hunting": ("agriculture|farming|forestry", ""),
    "Mining, Quarrying, and Oil and Gas Extraction": (
        "mining|oil and gas|the oil industry|the oil and gas industry",
        "",
    ),
    "Utilities": ("utilities|the utilities industry", "utility workers"),
    "Construction": ("construction|the construction industry|the building trade", ""),
    "Manufacturing": ("manufacturing|the manufacturing industry|factories", ""),
    "Wholesale Trade": ("wholesale|wholesale trade", "wholesale workers"),
    "Retail Trade": (
        "retail|the retail industry|retail trade|stores",
        "retail workers|retail employees|store employees",
    ),
    "Transportation and Warehousing": (
        "transportation|logistics|warehousing|the transportation industry|warehouses",
        "",
    ),
    "Information": (
        "media|the information sector|publishing|telecommunications|broadcasting",
        "media workers",
    ),
    "Finance and Insurance": (
        "finance|banking|insurance|the finance industry|financial services|the financial industry|"
        "finance and insurance",
        "finance professionals|finance workers|finance people",
    ),
    "Real Estate and Rental and Leasing": (
        "real estate|the real estate industry",
        "real estate professionals",
    ),
    "Professional, Scientific, and Technical Services": (
        "professional services|consulting|the consulting industry",
        "",
    ),
    "Administrative and Support and Waste Management and Remediation Services": ("waste management", ""),
    "Educational Services": (
        "education|schools|higher education|the education sector",
        "education workers|school staff|school employees",
    ),
    "Health Care and Social Assistance": (
        "healthcare|health care|the healthcare industry|the health care industry|the medical "
        "field|"
        "medicine|social assistance|the health sector",
        "healthcare workers|health care workers|healthcare professionals|health care professionals|"
        "health workers|healthcare employees",
    ),
    "Arts, Entertainment, and Recreation": (
        "entertainment|the arts|recreation|the entertainment industry",
        "",
    ),
    "Accommodation and Food Services": (
        "hospitality|food service|food services|the hospitality industry",
        "hospitality workers",
    ),
    "Public Administration": (
        "government|public administration|the public sector|the government",
        "government workers|government employees|public servants|civil servants|public sector workers",
    ),
}


def _sectors() -> dict[str, Sense]:
    found = {title.casefold().replace(",", ""): _sector(title) for title in US_INDUSTRIES if " " in title}
    for title, (places, people) in _SECTORS.items():
        for word in places.split("|"):
            for before in ("in ", "work in ", "works in ", "working in ", "work at ", "in the field of "):
                found[f"{before}{word}"] = _sector(title)
        for word in filter(None, people.split("|")):
            found[word] = _sector(title, person=True)
    return found


_BY_ITSELF = {
    "manufacturing": "Manufacturing",
    "retail": "Retail Trade",
    "construction": "Construction",
    "healthcare": "Health Care and Social Assistance",
    "finance": "Finance and Insurance",
    "banking": "Finance and Insurance",
    "hospitality": "Accommodation and Food Services",
    "education": "Educational Services",
    "agriculture": "Agriculture, Forestry, Fishing and Hunting",
    "logistics": "Transportation and Warehousing",
}
"""Industries named by one word, where it stands by itself."""


def _group_titles() -> dict[str, Sense]:
    titles = {title.casefold().replace(",", ""): title for title in OCCUPATION_MAJOR_GROUPS}
    several = {f"{name} workers": title for name, title in titles.items()}
    several |= {f"{name} occupations": title for name, title in titles.items()}
    return {
        name: _group(title)
        for name, title in (several | {k: v for k, v in titles.items() if " " in k}).items()
    }


WORK: dict[str, Sense] = {
    **_group_titles(),
    **_sectors(),
    **{word: _sector(title) for word, title in _BY_ITSELF.items()},
    **_STATUS,
    **_GROUPS,
}
"""Phrase, in lower case and without hyphens -> its conditions."""

VAGUE_JOBS = word_set(
    "worker workers operator operators owner owners player players member members user users assistant "
    "assistants "
    "helper helpers aide aides technician technicians specialist specialists representative "
    "representatives "
    "clerk clerks agent agents attendant attendants tender tenders cleaner cleaners host checker server "
    "servers sub "
    "ea gm pt ot od np ra rd pca cma vet buyer buyers president principal producer messenger lawn presser "
    "founder mover movers packer packers coach other hand general other school restaurant all driver "
    "drivers "
    "caregiver caregivers carer carers maker makers "
    "supervisors supervisor leader leaders executives and author authors hosts producers reader readers "
    "models model minister officer officers teller framer mason valet keyer sports patrol lead"
) - {"lawn", "author", "authors", "executives", "drivers", "driver", "technicians", "supervisors", "mason"}
"""Titles that are too often an ordinary word to count as a job on their own."""
