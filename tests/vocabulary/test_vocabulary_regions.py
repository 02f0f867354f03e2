"""Regions outside the USA and Canada: one canonical name each, with aliases."""

from __future__ import annotations

import pytest

from voxpop.vocabulary import where
from voxpop.vocabulary.places import COUNTRIES, OTHER_STATE_NAMES, STATES
from voxpop.vocabulary.regions import REGION_ALIASES, REGION_NAMES, REGIONS


def test_a_name_means_one_region_alone() -> None:
    assert len(REGION_NAMES) == sum(map(len, REGIONS.values()))
    assert set(REGIONS) == set(COUNTRIES) - {"USA", "Canada"}
    names = {name.casefold() for name in (*STATES, *STATES.values(), *OTHER_STATE_NAMES)}
    assert not names & {name.casefold() for name in (*REGION_NAMES, *REGION_ALIASES)}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Bayern", "Bavaria"),
        ("de-by", "Bavaria"),
        ("NORTH RHINE-WESTPHALIA", "North Rhine-Westphalia"),
        ("Thuringen", "Thuringia"),
        ("ile de france", "Île-de-France"),
        ("Bretagne", "Brittany"),
        ("JP-13", "Tokyo"),
        ("Sao Paulo", "São Paulo"),
        ("CDMX", "Mexico City"),
        ("nsw", "New South Wales"),
        ("Orissa", "Odisha"),
        ("Lombardia", "Lombardy"),
        ("IT-52", "Tuscany"),
        ("Castilla y Leon", "Castile and León"),
        ("Noord-Holland", "North Holland"),
        ("Gyeongnam", "South Gyeongsang"),
    ],
)
def test_other_names_are_understood(typed: str, name: str) -> None:
    assert where(state=typed) == where(state=name)


def test_a_sentence_about_another_country_reads_well() -> None:
    filter = where(country="Germany", gender="f", state="Bayern")
    assert filter.sentence() == "German women living in Bavaria"
    filter = where(country="NLD", gender="m", state="Limburg")
    assert filter.sentence() == "Dutch men living in Limburg"
    assert where(country="Korea", state="Seoul").sentence() == "South Korean adults living in Seoul"
    assert where(country="India", ethnicity="Hindu").sentence() == "Indian adults of the group Hindu"
