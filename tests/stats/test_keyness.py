"""Log-odds, G² and the log ratio against figures computed with 50 digits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from voxpop.stats.keyness import informative_prior, log_likelihood, log_odds, log_ratio

A = [
    "the price is too high for me",
    "high price and poor value",
    "i worry about price and side effects",
    "price price price",
    "too expensive for my budget",
]
B = [
    "the taste is great and it works",
    "works well and i trust the brand",
    "i worry about side effects",
    "great taste great brand",
    "the price is fine",
]
WORDS = sorted({word for text in A + B for word in text.split()})
COUNTS = [np.array([sum(text.split().count(word) for text in texts) for word in WORDS]) for texts in (A, B)]

# mpmath, 50 digits: Monroe, Colaresi and Quinn (2008) with α = 0.01 a word, and with ten words spread as used
UNIFORM = {
    "price": (1.994783511361155, 1.156488360982521, 1.854919797965168),
    "great": (-5.823747168474637, 100.33222591362126, -0.5814097207196142),
    "the": (-1.1712391195617569, 1.3223249235222525, -1.018536220275246),
    "about": (0.0, 1.9801980198019802, 0.0),
}
INFORMATIVE = {"price": (1.3116440180648046, 0.5725397085311937, 1.7334574134691956)}


def check(prior: np.ndarray, expected: dict[str, tuple[float, float, float]]) -> None:
    found = log_odds(*COUNTS, prior)
    for word, figures in expected.items():
        place = WORDS.index(word)
        got = (found.delta[place], found.variance[place], found.z[place])
        assert got == pytest.approx(figures, rel=1e-9, abs=1e-12)


def test_log_odds_with_a_flat_prior() -> None:
    check(np.full(len(WORDS), 0.01), UNIFORM)


def test_log_odds_with_an_informative_prior() -> None:
    check(informative_prior(*COUNTS, 10), INFORMATIVE)


def test_the_other_way_round_the_sign_turns() -> None:
    prior = informative_prior(*COUNTS, 500)
    there, back = log_odds(*COUNTS, prior), log_odds(*COUNTS[::-1], prior)
    assert there.delta == pytest.approx(-back.delta)
    assert there.variance == pytest.approx(back.variance)


def test_a_vocabulary_of_one_word_has_no_odds_to_compare() -> None:
    found = log_odds([4], [9], [2.0])
    assert math.isfinite(found.z[0])


def test_log_likelihood_and_log_ratio_of_a_word() -> None:
    place = WORDS.index("price")
    g2 = log_likelihood(*COUNTS, 27, 27)
    assert g2[place] == pytest.approx(4.4953548451916925, rel=1e-9)
    assert g2[WORDS.index("about")] == 0
    assert log_ratio(*COUNTS, 27, 27)[place] == pytest.approx(2.115477217419936, rel=1e-9)
