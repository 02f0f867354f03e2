"""Words for places: countries, nationalities, states, regions and large cities.

Northeast, Midwest, South and West are the four regions of the US Census Bureau; New England and the Mountain,
Mid-Atlantic and Pacific states are its divisions. Regions without an official border follow most reference
works: the West Coast is California, Oregon and Washington, the Sun Belt runs from the Carolinas to
California.
"""

from __future__ import annotations

from typing import Any

from voxpop.vocabulary.places import CANADIAN_PROVINCES, COUNTRIES, OTHER_STATE_NAMES, US_STATES
from voxpop_simulator.audiences.mentions import Sense, lexicon, sense
from voxpop_simulator.questions.place_codes import REGIONS
from voxpop_simulator.questions.wordlists import word_set

_EXTRA_REGIONS: dict[str, str] = {
    "new england": "CT ME MA NH RI VT",
    "mid atlantic|the mid atlantic": "NJ NY PA",
    "mountain west|the mountain west|mountain states|the rockies": "AZ CO ID MT NV NM UT WY",
    "pacific states": "AK CA HI OR WA",
    "west coast|the west coast": "CA OR WA",
    "east coast|the east coast": "ME NH MA RI CT NY NJ DE MD VA NC SC GA FL",
    "sun belt|the sun belt|sunbelt|the sunbelt": "AL AZ AR CA FL GA LA MS NV NM NC OK SC TN TX",
    "deep south|the deep south": "AL GA LA MS SC",
    "rust belt|the rust belt": "IL IN MI OH PA WI",
    "pacific northwest|the pacific northwest|pnw": "ID OR WA",
    "southwest|the southwest": "AZ NM OK TX",
    "southeast|the southeast": "AL AR FL GA KY LA MS NC SC TN VA WV",
    "gulf coast|the gulf coast": "AL FL LA MS TX",
    "great lakes|the great lakes": "IL IN MI MN NY OH PA WI",
    "great plains|the great plains": "KS MT NE ND NM OK SD TX WY CO",
    "tri state area|the tri state area": "CT NJ NY",
    "the carolinas|carolinas|both carolinas|north and south carolina": "NC SC",
    "the dakotas|dakotas|both dakotas|north and south dakota": "ND SD",
    "the virginias|both virginias": "VA WV",
}

_PEOPLE_OF: dict[str, str] = {
    "USA": "americans|us residents|us citizens|american people|u s residents|us adults|american adults",
    "Canada": "canadians",
    "UK": "britons|brits|british people|scots|englishmen",
    "Germany": "germans",
    "France": "french people|frenchmen|parisians",
    "Australia": "australians|aussies",
    "Japan": "japanese people",
    "Brazil": "brazilians",
    "India": "indians",
    "Mexico": "mexicans",
    "Italy": "italians",
    "Spain": "spaniards|spanish people",
    "Netherlands": "dutch people|dutchmen",
    "South Korea": "koreans|south koreans|korean people",
}

_ADJECTIVES: dict[str, str] = {
    "USA": "american|us|u s|u s a|america|nationwide|stateside|all 50 states|50 states",
    "Canada": "canadian",
    "UK": "british|english|scottish|welsh|england|scotland|wales|northern ireland|britain|u k",
    "Germany": "german",
    "France": "french",
    "Australia": "australian|aus|aussie",
    "Japan": "japanese",
    "Brazil": "brazilian",
    "India": "indian",
    "Mexico": "mexican",
    "Italy": "italian",
    "Spain": "spanish adults|spanish men|spanish women|spanish parents",
    "Netherlands": "dutch|holland",
    "South Korea": "south korean|korean|korea|s korea|s korean",
}

_AMERICAN_WORDS = (
    "medicare|medicaid|obamacare|401k|401 k|republicans|democrats|republican|democratic voters|gop voters|"
    "food stamps|hbcu|fafsa|social security"
)
"""Institutions that exist only in the USA: they imply the country and become screening questions."""

ALL_OF = "all of "
"""Start of the answer that takes a state or a country for a city."""

UNKNOWN_COUNTRIES = word_set(
    "spanish china chinese russia russian russians nigeria "
    "nigerian nigerians "
    "kenya kenyan kenyans ireland irish portugal portuguese sweden swedish swedes "
    "norway norwegian "
    "norwegians denmark danish danes finland finnish poland polish poles ukraine ukrainian ukrainians "
    "turkey turkish "
    "greece greek greeks egypt egyptian egyptians israel israeli israelis iran iranian iranians "
    "pakistan pakistani "
    "pakistanis bangladesh vietnam vietnamese thailand thai philippines filipino "
    "filipinos "
    "indonesia indonesian indonesians malaysia singapore argentina argentinian argentinians chile "
    "chilean chileans "
    "colombia colombian colombians peru peruvian peruvians venezuela cuba cuban cubans austria austrian "
    "austrians "
    "switzerland swiss belgium belgian belgians europe european europeans africa african africans ghana "
    "ethiopia "
    "asia morocco zealand"
)
"""Places and peoples outside the countries of the vocabulary."""

SHORT_STATES: dict[str, str] = {
    **{"calif": "CA", "fla": "FL", "ga": "GA", "mass": "MA", "mich": "MI", "minn": "MN", "tenn": "TN"},
    **{"wis": "WI", "wisc": "WI", "wash": "WA", "ore": "OR", "ariz": "AZ", "colo": "CO", "conn": "CT"},
    **{"okla": "OK", "tex": "TX", "penn": "PA", "penna": "PA", "ala": "AL", "nebr": "NE", "mont": "MT"},
    **{"nev": "NV", "del": "DE", "ky": "KY", "va": "VA", "pa": "PA", "md": "MD", "mo": "MO", "vt": "VT"},
}
"""Abbreviations of states as newspapers write them, with a capital letter."""

_CITIES: dict[str, str] = {
    "new york city|nyc|manhattan|brooklyn": "NY",
    "los angeles|san francisco|san diego|san jose|sacramento|oakland|the bay area|bay area|silicon valley": "CA",  # noqa: E501
    "chicago": "IL",
    "houston|dallas|austin|san antonio|fort worth|el paso": "TX",
    "phoenix|tucson": "AZ",
    "philadelphia|pittsburgh": "PA",
    "miami|orlando|tampa|jacksonville": "FL",
    "atlanta": "GA",
    "boston": "MA",
    "seattle": "WA",
    "denver": "CO",
    "detroit": "MI",
    "minneapolis": "MN",
    "las vegas": "NV",
    "nashville|memphis": "TN",
    "new orleans": "LA",
    "charlotte|raleigh": "NC",
    "cleveland|cincinnati": "OH",
    "baltimore": "MD",
    "milwaukee": "WI",
    "st louis": "MO",
    "indianapolis": "IN",
    "salt lake city": "UT",
    "honolulu": "HI",
}
_CITIES_ABROAD = {
    "London": "UK",
    "Paris": "France",
    "Berlin": "Germany",
    "Tokyo": "Japan",
    "Sydney": "Australia",
}
_RESIDENTS = {
    "texans": "TX",
    "californians": "CA",
    "floridians": "FL",
    "new yorkers": "NY",
    "ohioans": "OH",
    "virginians": "VA",
    "michiganders": "MI",
    "pennsylvanians": "PA",
    "hoosiers": "IN",
    "alaskans": "AK",
    "hawaiians": "HI",
    "minnesotans": "MN",
    "oregonians": "OR",
    "coloradans": "CO",
    "arizonans": "AZ",
}


def _states() -> dict[str, Sense]:
    found = {
        name.casefold(): sense(state=code, american=code in US_STATES) for code, name in US_STATES.items()
    }
    found |= {
        name.casefold(): sense(state=code, country="Canada") for code, name in CANADIAN_PROVINCES.items()
    }
    for name, code in OTHER_STATE_NAMES.items():
        if "," not in name:
            american = code in US_STATES
            country: dict[str, Any] = {} if american else {"country": "Canada"}
            found[name.casefold()] = sense(state=code, american=american, **country)
    found |= {
        f"state of {name.casefold()}": sense(state=code, american=True) for code, name in US_STATES.items()
    }
    found |= {
        f"{name.casefold()} state": sense(state=code, american=True) for code, name in US_STATES.items()
    }
    found |= {name: sense(person=True, state=code, american=True) for name, code in _RESIDENTS.items()}
    found |= {name: sense(state=code, american=True) for name, code in SHORT_STATES.items()}
    found["georgia"] = sense(state="GA", options=("Georgia in the USA", "the country Georgia"))
    found["the country georgia"] = found["georgia the country"] = sense(
        options=("unknown",), country="Georgia"
    )
    found |= {
        phrase: sense(state="GA", american=True)
        for phrase in ("georgia usa", "georgia in the usa", "georgia us")
    }
    washington = ("Washington State", "Washington DC")
    found["washington"] = sense(state="WA", american=True, options=washington)
    found["la"] = sense(state="CA", american=True, options=("all of California", "Louisiana"))
    found["portland"] = sense(state="OR", american=True, options=("all of Oregon", "all of Maine"))
    return found


def _regions() -> dict[str, Sense]:
    found: dict[str, Sense] = {}
    everywhere = {phrase: codes.split() for phrase, codes in _EXTRA_REGIONS.items()}
    for name, region in REGIONS.items():
        everywhere[f"the {name}|{name}ern us|{name}ern states|{name}erners|the {name}ern us|in {name}"] = (
            list(region)
        )
    everywhere["northeast|north east"] = list(REGIONS["northeast"])
    everywhere["midwest|midwestern|the middle west|mid west"] = list(REGIONS["midwest"])
    everywhere["southern|the american south|southern us"] = list(REGIONS["south"])
    everywhere["western us|the american west"] = list(REGIONS["west"])
    for phrases, codes in everywhere.items():
        ordered = tuple(code for code in US_STATES if code in set(codes))
        for phrase in phrases.split("|"):
            found[phrase] = sense(state=ordered, american=True)
    for name in ("south", "west"):  # where it stands by itself
        found[name] = sense(state=tuple(c for c in US_STATES if c in set(REGIONS[name])), american=True)
    return found


def _cities() -> dict[str, Sense]:
    found: dict[str, Sense] = {}
    for names, code in _CITIES.items():
        for name in names.split("|"):
            found[name] = _part_of(US_STATES[code], state=code, american=True)
            found[f"{name} metro"] = found[f"{name} area"] = found[f"greater {name}"] = found[name]
            found[f"{name} metro area"] = found[f"{name} metropolitan area"] = found[name]
            found |= {
                f"{name} {US_STATES[code].casefold()}": found[name],
                f"{name} {code.casefold()}": found[name],
            }
    for name, country in _CITIES_ABROAD.items():
        found[name.casefold()] = _part_of(f"the {country}" if country == "UK" else country, country=country)
    found["portland oregon"] = _part_of("Oregon", state="OR", american=True)
    found["portland maine"] = _part_of("Maine", state="ME", american=True)
    return found


def _part_of(whole: str, *, american: bool = False, **fields: Any) -> Sense:
    """Return the sense of a city: its whole state or country is offered, because agents live in no city."""
    return sense(american=american, options=(f"{ALL_OF}{whole}",), **fields)


def _countries() -> dict[str, Sense]:
    found: dict[str, Sense] = {}
    for country, names in COUNTRIES.items():
        for name in (country, *(name for name in names if len(name) > 3)):
            found[name.casefold().replace(".", " ").strip()] = sense(country=country)
        found |= lexicon((_ADJECTIVES[country], sense(country=country)))
        found |= lexicon((_PEOPLE_OF[country], sense(person=True, country=country)))
    for people in ("residents", "adults", "citizens", "nurses", "workers", "consumers", "households"):
        found[f"us {people}"] = found["us"]
    found["north america"] = found["north americans"] = sense(country=("USA", "Canada"))
    for name in list(found):
        if name.startswith("us ") and name not in ("us residents", "us citizens", "us adults"):
            del found[name]
    return found


def _ancestries() -> dict[str, Sense]:
    found: dict[str, Sense] = {}
    groups = {
        "Asian": "Indian Chinese Korean Japanese Vietnamese Filipino Pakistani Thai",
        "Hispanic or Latino": "Mexican Cuban Colombian Dominican",
    }
    for ethnicity, peoples in groups.items():
        for people in peoples.split():
            article = "an" if people[0] in "AEIO" else "a"
            meaning = sense(
                person=True, american=True, ask=f"Are you {article} {people} American?", ethnicity=ethnicity
            )
            found[f"{people.lower()} americans"] = found[f"{people.lower()} american"] = meaning
    found["puerto ricans"] = sense(
        person=True, american=True, ask="Are you Puerto Rican?", ethnicity="Hispanic or Latino"
    )
    return found


def _institutions() -> dict[str, Sense]:
    asked = {
        "republicans": "Do you think of yourself as a Republican?",
        "democrats": "Do you think of yourself as a Democrat?",
        "republican": "Do you think of yourself as a Republican?",
        "medicare": "Do you have Medicare?",
        "medicaid": "Do you have Medicaid?",
    }
    return {
        word: sense(person=word.endswith("s"), american=True, ask=question)
        for word, question in asked.items()
    }


PLACES: dict[str, Sense] = {
    **_countries(),
    **_states(),
    **_regions(),
    **_cities(),
    **_ancestries(),
    **_institutions(),
}
"""Phrase, in lower case and without hyphens -> its conditions."""

AMERICAN_WORDS = frozenset(_AMERICAN_WORDS.split("|"))

ANYWHERE = frozenset(
    (
        "anywhere",
        "any country",
        "everywhere",
        "worldwide",
        "all countries",
        "any",
        "no matter",
        "globally",
        "any place",
    )
)
"""Answers that mean that the country does not matter."""
