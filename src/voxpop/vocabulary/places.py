"""Countries with their codes and names, and the states of the USA and Canada."""

from __future__ import annotations

from collections.abc import Mapping

COUNTRIES: Mapping[str, tuple[str, ...]] = {
    "USA": (
        "US",
        "United States",
        "United States of America",
        "the United States",
        "America",
        "U.S.",
        "U.S.A.",
    ),
    "Canada": ("CA", "CAN"),
    "UK": ("GB", "GBR", "United Kingdom", "the United Kingdom", "Great Britain", "Britain", "U.K."),
    "Germany": ("DE", "DEU", "Deutschland"),
    "France": ("FR", "FRA"),
    "Australia": ("AU", "AUS"),
    "Japan": ("JP", "JPN"),
    "Brazil": ("BR", "BRA", "Brasil"),
    "India": ("IN", "IND"),
    "Mexico": ("MX", "MEX", "México"),
    "Italy": ("IT", "ITA", "Italia"),
    "Spain": ("ES", "ESP", "España"),
    "Netherlands": ("NL", "NLD", "the Netherlands", "Holland", "Nederland"),
    "South Korea": ("KR", "KOR", "Korea", "Republic of Korea", "ROK"),
}
"""Canonical country name -> ISO 3166 codes and other names."""

COUNTRY_ADJECTIVES: Mapping[str, str] = {
    "USA": "US",
    "Canada": "Canadian",
    "UK": "UK",
    "Germany": "German",
    "France": "French",
    "Australia": "Australian",
    "Japan": "Japanese",
    "Brazil": "Brazilian",
    "India": "Indian",
    "Mexico": "Mexican",
    "Italy": "Italian",
    "Spain": "Spanish",
    "Netherlands": "Dutch",
    "South Korea": "South Korean",
}
"""Canonical country name -> adjective before "adults" in a sentence."""

US_STATES: Mapping[str, str] = {
    "AK": "Alaska",
    "AL": "Alabama",
    "AR": "Arkansas",
    "AZ": "Arizona",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DC": "District of Columbia",
    "DE": "Delaware",
    "FL": "Florida",
    "GA": "Georgia",
    "HI": "Hawaii",
    "IA": "Iowa",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "MA": "Massachusetts",
    "MD": "Maryland",
    "ME": "Maine",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MO": "Missouri",
    "MS": "Mississippi",
    "MT": "Montana",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "NE": "Nebraska",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NV": "Nevada",
    "NY": "New York",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VA": "Virginia",
    "VT": "Vermont",
    "WA": "Washington",
    "WI": "Wisconsin",
    "WV": "West Virginia",
    "WY": "Wyoming",
}
"""Postal code -> name, for the 50 states and the District of Columbia."""

CANADIAN_PROVINCES: Mapping[str, str] = {
    "AB": "Alberta",
    "BC": "British Columbia",
    "MB": "Manitoba",
    "NB": "New Brunswick",
    "NL": "Newfoundland and Labrador",
    "NS": "Nova Scotia",
    "NT": "Northwest Territories",
    "NU": "Nunavut",
    "ON": "Ontario",
    "PE": "Prince Edward Island",
    "QC": "Quebec",
    "SK": "Saskatchewan",
    "YT": "Yukon",
}
"""Postal code -> name, for the Canadian provinces and territories."""

STATES: Mapping[str, str] = {**US_STATES, **CANADIAN_PROVINCES}
"""All 2-letter codes with their full names."""

OTHER_STATE_NAMES: Mapping[str, str] = {
    "Québec": "QC",
    "Newfoundland": "NL",
    "Yukon Territory": "YT",
    "Washington DC": "DC",
    "Washington, DC": "DC",
    "Washington, D.C.": "DC",
    "Washington State": "WA",
    "New York State": "NY",
}
"""Other names of states -> 2-letter code."""

DIVISIONS: Mapping[str, str] = {
    "new england": "CT ME MA NH RI VT",
    "middle atlantic": "NJ NY PA",
    "east north central": "IL IN MI OH WI",
    "west north central": "IA KS MN MO NE ND SD",
    "south atlantic": "DE DC FL GA MD NC SC VA WV",
    "east south central": "AL KY MS TN",
    "west south central": "AR LA OK TX",
    "mountain": "AZ CO ID MT NV NM UT WY",
    "pacific": "AK CA HI OR WA",
}
"""The nine divisions of the US Census Bureau."""
