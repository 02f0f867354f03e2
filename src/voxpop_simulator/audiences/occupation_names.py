"""Jobs in an audience text, found through the titles of the population's occupations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from voxpop_simulator.audiences.audience_work import VAGUE_JOBS
from voxpop_simulator.audiences.mentions import Sense, sense

_SCHOOL = re.compile(r"(?:Kindergarten|Elementary School|Middle School|Secondary School) Teachers")
_OTHER = {
    **{"doctor": "physician", "doctors": "physicians", "cop": "police officer", "cops": "police officers"},
    **{"nps": "nurse practitioners", "np": "nurse practitioner", "pas": "physician assistants"},
    **{"trucker": "truck driver", "truckers": "truck drivers", "attorney": "lawyer", "attorneys": "lawyers"},
    **{
        "crnas": "nurse anesthetists",
        "hr managers": "human resources managers",
        "hr manager": "human resources manager",
    },
    **{"primary care doctors": "primary care physicians", "pcps": "primary care physicians"},
    **{"pcp": "primary care physician", "gps": "general practitioners", "sysadmins": "system administrators"},
}
"""Other names of jobs -> a name among the titles."""


def fold_phrase(text: str) -> str:
    """Return a phrase in the spelling of the lexicon: lower case, hyphens and slashes as spaces.

    Examples
    --------
    >>> fold_phrase("Stay-at-home  Moms")
    'stay at home moms'
    """
    return " ".join(text.casefold().replace("-", " ").replace("/", " ").replace(",", " ").split())


def plural(word: str) -> str:
    """Return the plural of a noun or of a phrase's last noun.

    Examples
    --------
    >>> plural("nurse"), plural("secretary"), plural("coach"), plural("salesman")
    ('nurses', 'secretaries', 'coaches', 'salesmen')
    """
    if word.endswith("man"):
        return f"{word[:-3]}men"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def singular(word: str) -> str:
    """Return the singular of a plural noun or of a phrase's last noun.

    Examples
    --------
    >>> singular("nurses"), singular("secretaries"), singular("coaches"), singular("salesmen")
    ('nurse', 'secretary', 'coach', 'salesman')
    """
    if word.endswith("men"):
        return f"{word[:-3]}man"
    if word.endswith("people"):
        return f"{word[:-6]}person"
    if word.endswith("wives"):
        return f"{word[:-5]}wife"
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def occupations(labels: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> dict[str, Sense]:
    """Return every name of a job, singular and plural, with the live occupations that it means.

    A name is an occupation, a job title, or the last words of occupations before any comma, which mean the whole
    family: "teachers" is every kind of teachers.
    """  # noqa: E501
    live = tuple(labels.get("occupation", ())) or tuple(dict.fromkeys(titles.values()))
    found = {name: named for name, named in _tails(live).items() if _is_family(name, named)}
    exact: dict[str, dict[str, None]] = {}
    known = set(live)
    for title, label in titles.items():
        if label in known and "," not in title:
            exact.setdefault(fold_phrase(title.split(",")[0]), {})[label] = None
    families = {name: named for name, named in found.items() if not _vague(name)}
    for name, named in list(families.items()):
        families.setdefault(singular(name), named)
    for name, named in exact.items():
        if not _vague(name):
            families[name] = families[plural(name)] = named
    for name, other in _OTHER.items():
        if other in families:
            families[name] = families[other]
    for label in live:
        families[fold_phrase(label)] = families[singular(fold_phrase(label))] = {label: None}
    schools = {label: None for label in live if _SCHOOL.match(label)}
    if schools:
        families |= {
            name: schools
            for name in ("k 12 teachers", "k12 teachers", "teachers k 12", "grade school teachers")
        }
    return {name: _sense(name, tuple(named)) for name, named in families.items()}


def _tails(live: Sequence[str]) -> dict[str, dict[str, None]]:
    """Return the last words of occupations, each with the occupations that end with them."""
    found: dict[str, dict[str, None]] = {}
    for label in live:
        head = fold_phrase(label.split(",")[0].replace("--", " "))
        for joined in head.split(" and "):
            words = joined.split()
            if not words or not words[-1].endswith(("s", "men", "people")):
                continue
            for at in range(len(words)):
                found.setdefault(" ".join(words[at:]), {})[label] = None
    return found


def _is_family(name: str, named: Mapping[str, None]) -> bool:
    """Return whether a last word names its occupations: several of them, or one that has no other words.

    "Makers" is not a name for tool and die makers.
    """
    if " " in name or len(named) > 1:
        return True
    heads = (fold_phrase(part) for label in named for part in label.split(",")[0].split(" and "))
    return name in heads


def _vague(name: str) -> bool:
    return name in VAGUE_JOBS or len(name) < 2 or not name[0].isalpha()


def _sense(name: str, named: tuple[str, ...]) -> Sense:
    return sense(person=name == plural(singular(name)) or name.endswith("s"), occupation=named)
