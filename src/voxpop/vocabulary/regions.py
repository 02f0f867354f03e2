"""Regions of countries other than the USA and Canada: the names used in agent records, and synonyms.

Filters accept no 2-letter codes for them, because many of these codes are US states. A region is known by its
English or local name and by its full ISO 3166-2 code ("DE-BY").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

_PREFECTURES = (
    *("Hokkaido", "Aomori", "Iwate", "Miyagi", "Akita", "Yamagata", "Fukushima", "Ibaraki"),
    *("Tochigi", "Gunma", "Saitama", "Chiba", "Tokyo", "Kanagawa", "Niigata", "Toyama"),
    *("Ishikawa", "Fukui", "Yamanashi", "Nagano", "Gifu", "Shizuoka", "Aichi", "Mie"),
    *("Shiga", "Kyoto", "Osaka", "Hyogo", "Nara", "Wakayama", "Tottori", "Shimane"),
    *("Okayama", "Hiroshima", "Yamaguchi", "Tokushima", "Kagawa", "Ehime", "Kochi", "Fukuoka"),
    *("Saga", "Nagasaki", "Kumamoto", "Oita", "Miyazaki", "Kagoshima", "Okinawa"),
)

REGIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "UK": {
        "NE": ("North East", "North East England"),
        "NW": ("North West", "North West England"),
        "YH": ("Yorkshire and The Humber", "Yorkshire"),
        "EM": ("East Midlands",),
        "WM": ("West Midlands",),
        "EE": ("East of England",),
        "LN": ("London", "Greater London"),
        "SE": ("South East", "South East England"),
        "SW": ("South West", "South West England"),
        "WA": ("Wales", "Cymru"),
        "SC": ("Scotland",),
        "NI": ("Northern Ireland",),
    },
    "Germany": {
        "BW": ("Baden-Württemberg", "Baden-Wuerttemberg"),
        "BY": ("Bavaria", "Bayern"),
        "BE": ("Berlin",),
        "BB": ("Brandenburg",),
        "HB": ("Bremen",),
        "HH": ("Hamburg",),
        "HE": ("Hesse", "Hessen"),
        "MV": ("Mecklenburg-Vorpommern", "Mecklenburg-Western Pomerania"),
        "NI": ("Lower Saxony", "Niedersachsen"),
        "NW": ("North Rhine-Westphalia", "Nordrhein-Westfalen", "NRW"),
        "RP": ("Rhineland-Palatinate", "Rheinland-Pfalz"),
        "SL": ("Saarland",),
        "SN": ("Saxony", "Sachsen"),
        "ST": ("Saxony-Anhalt", "Sachsen-Anhalt"),
        "SH": ("Schleswig-Holstein",),
        "TH": ("Thuringia", "Thüringen", "Thueringen"),
    },
    "France": {
        "IDF": ("Île-de-France",),
        "ARA": ("Auvergne-Rhône-Alpes",),
        "NAQ": ("Nouvelle-Aquitaine",),
        "OCC": ("Occitanie", "Occitania"),
        "HDF": ("Hauts-de-France",),
        "GES": ("Grand Est",),
        "PAC": ("Provence-Alpes-Côte d'Azur", "PACA"),
        "PDL": ("Pays de la Loire",),
        "BRE": ("Brittany", "Bretagne"),
        "NOR": ("Normandy", "Normandie"),
        "BFC": ("Bourgogne-Franche-Comté",),
        "CVL": ("Centre-Val de Loire",),
        "COR": ("Corsica", "Corse"),
        "RE": ("La Réunion", "Réunion"),
        "GP": ("Guadeloupe",),
        "MQ": ("Martinique",),
        "GF": ("French Guiana", "Guyane"),
        "YT": ("Mayotte",),
    },
    "Australia": {
        "NSW": ("New South Wales", "NSW"),
        "VIC": ("Victoria", "VIC"),
        "QLD": ("Queensland", "QLD"),
        "WA": ("Western Australia",),
        "SA": ("South Australia",),
        "TAS": ("Tasmania", "TAS"),
        "ACT": ("Australian Capital Territory", "ACT"),
        "NT": ("Northern Territory",),
    },
    "Japan": {
        f"{number:02}": (name, f"{name} Prefecture") for number, name in enumerate(_PREFECTURES, start=1)
    },
    "Brazil": {
        "SP": ("São Paulo",),
        "MG": ("Minas Gerais",),
        "RJ": ("Rio de Janeiro",),
        "BA": ("Bahia",),
        "PR": ("Paraná",),
        "RS": ("Rio Grande do Sul",),
        "PE": ("Pernambuco",),
        "CE": ("Ceará",),
        "PA": ("Pará",),
        "SC": ("Santa Catarina",),
        "GO": ("Goiás",),
        "MA": ("Maranhão",),
        "PB": ("Paraíba",),
        "AM": ("Amazonas",),
        "ES": ("Espírito Santo",),
        "MT": ("Mato Grosso",),
        "RN": ("Rio Grande do Norte",),
        "PI": ("Piauí",),
        "AL": ("Alagoas",),
        "DF": ("Distrito Federal", "Brasília"),
        "MS": ("Mato Grosso do Sul",),
        "SE": ("Sergipe",),
        "RO": ("Rondônia",),
        "TO": ("Tocantins",),
        "AC": ("Acre",),
        "AP": ("Amapá",),
        "RR": ("Roraima",),
    },
    "India": {
        "UP": ("Uttar Pradesh",),
        "MH": ("Maharashtra",),
        "BR": ("Bihar",),
        "WB": ("West Bengal",),
        "MP": ("Madhya Pradesh",),
        "TN": ("Tamil Nadu",),
        "RJ": ("Rajasthan",),
        "KA": ("Karnataka",),
        "GJ": ("Gujarat",),
        "AP": ("Andhra Pradesh",),
        "OD": ("Odisha", "Orissa"),
        "TG": ("Telangana",),
        "KL": ("Kerala",),
        "JH": ("Jharkhand",),
        "AS": ("Assam",),
        "PB": ("Punjab",),
        "CG": ("Chhattisgarh",),
        "HR": ("Haryana",),
        "DL": ("Delhi", "New Delhi"),
        "JK": ("Jammu and Kashmir",),
        "LA": ("Ladakh",),
        "UK": ("Uttarakhand",),
        "HP": ("Himachal Pradesh",),
        "TR": ("Tripura",),
        "ML": ("Meghalaya",),
        "MN": ("Manipur",),
        "NL": ("Nagaland",),
        "GA": ("Goa",),
        "AR": ("Arunachal Pradesh",),
        "PY": ("Puducherry", "Pondicherry"),
        "MZ": ("Mizoram",),
        "CH": ("Chandigarh",),
        "SK": ("Sikkim",),
        "AN": ("Andaman and Nicobar Islands",),
        "DH": ("Dadra and Nagar Haveli and Daman and Diu",),
        "LD": ("Lakshadweep",),
    },
    "Mexico": {
        "MEX": ("State of Mexico", "México", "Estado de México"),
        "CMX": ("Mexico City", "Ciudad de México", "CDMX"),
        "JAL": ("Jalisco",),
        "VER": ("Veracruz",),
        "PUE": ("Puebla",),
        "GUA": ("Guanajuato",),
        "NLE": ("Nuevo León",),
        "CHP": ("Chiapas",),
        "MIC": ("Michoacán",),
        "OAX": ("Oaxaca",),
        "BCN": ("Baja California",),
        "CHH": ("Chihuahua",),
        "GRO": ("Guerrero",),
        "TAM": ("Tamaulipas",),
        "COA": ("Coahuila",),
        "HID": ("Hidalgo",),
        "SIN": ("Sinaloa",),
        "SON": ("Sonora",),
        "SLP": ("San Luis Potosí",),
        "TAB": ("Tabasco",),
        "QUE": ("Querétaro",),
        "YUC": ("Yucatán",),
        "MOR": ("Morelos",),
        "ROO": ("Quintana Roo",),
        "DUR": ("Durango",),
        "ZAC": ("Zacatecas",),
        "AGU": ("Aguascalientes",),
        "TLA": ("Tlaxcala",),
        "NAY": ("Nayarit",),
        "CAM": ("Campeche",),
        "BCS": ("Baja California Sur",),
        "COL": ("Colima",),
    },
    "Italy": {
        "25": ("Lombardy", "Lombardia"),
        "62": ("Lazio", "Latium"),
        "72": ("Campania",),
        "82": ("Sicily", "Sicilia"),
        "34": ("Veneto",),
        "45": ("Emilia-Romagna",),
        "21": ("Piedmont", "Piemonte"),
        "75": ("Apulia", "Puglia"),
        "52": ("Tuscany", "Toscana"),
        "78": ("Calabria",),
        "88": ("Sardinia", "Sardegna"),
        "42": ("Liguria",),
        "57": ("Marche",),
        "65": ("Abruzzo",),
        "36": ("Friuli-Venezia Giulia",),
        "32": ("Trentino-South Tyrol", "Trentino-Alto Adige", "South Tyrol"),
        "55": ("Umbria",),
        "77": ("Basilicata",),
        "67": ("Molise",),
        "23": ("Aosta Valley", "Valle d'Aosta"),
    },
    "Spain": {
        "AN": ("Andalusia", "Andalucía"),
        "CT": ("Catalonia", "Cataluña", "Catalunya"),
        "MD": ("Madrid", "Community of Madrid", "Comunidad de Madrid"),
        "VC": ("Valencian Community", "Comunitat Valenciana", "Comunidad Valenciana"),
        "GA": ("Galicia",),
        "CL": ("Castile and León", "Castilla y León"),
        "CN": ("Canary Islands", "Canarias", "the Canaries"),
        "PV": ("Basque Country", "País Vasco", "Euskadi"),
        "CM": ("Castilla-La Mancha", "Castile-La Mancha"),
        "MC": ("Murcia", "Region of Murcia", "Región de Murcia"),
        "AR": ("Aragon", "Aragón"),
        "IB": ("Balearic Islands", "Illes Balears", "Islas Baleares"),
        "EX": ("Extremadura",),
        "AS": ("Asturias",),
        "NC": ("Navarre", "Navarra"),
        "CB": ("Cantabria",),
        "RI": ("La Rioja",),
        "ML": ("Melilla",),
        "CE": ("Ceuta",),
    },
    "Netherlands": {
        "ZH": ("South Holland", "Zuid-Holland"),
        "NH": ("North Holland", "Noord-Holland"),
        "NB": ("North Brabant", "Noord-Brabant"),
        "GE": ("Gelderland",),
        "UT": ("Utrecht",),
        "OV": ("Overijssel",),
        "LI": ("Limburg",),
        "FR": ("Friesland", "Fryslân"),
        "GR": ("Groningen",),
        "DR": ("Drenthe",),
        "FL": ("Flevoland",),
        "ZE": ("Zeeland",),
    },
    "South Korea": {
        "41": ("Gyeonggi", "Gyeonggi-do"),
        "11": ("Seoul",),
        "26": ("Busan",),
        "48": ("South Gyeongsang", "Gyeongnam", "Gyeongsangnam-do"),
        "28": ("Incheon",),
        "47": ("North Gyeongsang", "Gyeongbuk", "Gyeongsangbuk-do"),
        "27": ("Daegu",),
        "44": ("South Chungcheong", "Chungnam", "Chungcheongnam-do"),
        "46": ("South Jeolla", "Jeonnam", "Jeollanam-do"),
        "45": ("North Jeolla", "Jeonbuk", "Jeollabuk-do"),
        "43": ("North Chungcheong", "Chungbuk", "Chungcheongbuk-do"),
        "42": ("Gangwon", "Gangwon-do"),
        "30": ("Daejeon",),
        "29": ("Gwangju",),
        "31": ("Ulsan",),
        "49": ("Jeju", "Jeju-do", "Jeju Island"),
        "50": ("Sejong", "Sejong City"),
    },
}
"""Country -> local part of the ISO 3166-2 code -> name in agent records (``state``) and other names."""

REGION_NAMES: Mapping[str, str] = {
    names[0]: country for country, regions in REGIONS.items() for names in regions.values()
}
"""Region name -> country."""

_ISO = {
    "UK": "GB",
    "Germany": "DE",
    "France": "FR",
    "Australia": "AU",
    "Japan": "JP",
    "Brazil": "BR",
    "India": "IN",
    "Mexico": "MX",
    "Italy": "IT",
    "Spain": "ES",
    "Netherlands": "NL",
    "South Korea": "KR",
}
_WITH_ARTICLE = frozenset({"East Midlands", "West Midlands", "East of England", "State of Mexico"}) | {
    "Australian Capital Territory",
    "Northern Territory",
    "Distrito Federal",
    "Andaman and Nicobar Islands",
    "Aosta Valley",
    "Valencian Community",
    "Canary Islands",
    "Basque Country",
    "Balearic Islands",
}
_IN_ENGLAND = frozenset({"North East", "North West", "South East", "South West"})


def region_in_words(name: str) -> str:
    """Return a region as it follows "in" in a sentence.

    Examples
    --------
    >>> region_in_words("Bavaria"), region_in_words("East Midlands"), region_in_words("North East")
    ('Bavaria', 'the East Midlands', 'the North East of England')
    """
    if name in _IN_ENGLAND:
        return f"the {name} of England"
    return f"the {name}" if name in _WITH_ARTICLE else name


def without_accents(text: str) -> str:
    """Return a text without accents.

    Examples
    --------
    >>> without_accents("São Paulo")
    'Sao Paulo'
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(mark for mark in parts if not unicodedata.combining(mark))


def _aliases() -> Iterator[tuple[str, str]]:
    for country, regions in REGIONS.items():
        for code, (name, *others) in regions.items():
            for other in (*others, without_accents(name), *map(without_accents, others)):
                if other != name:
                    yield other, name
            yield f"{_ISO[country]}-{code}", name


REGION_ALIASES: Mapping[str, str] = dict(_aliases())
"""Other name of a region, also without accents, or its ISO 3166-2 code -> name in agent records."""
