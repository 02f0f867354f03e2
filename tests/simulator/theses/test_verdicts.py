"""Verdicts from answers made by hand: outcomes, intervals as published, confidence worked out on paper."""

from __future__ import annotations

import pytest
from test_theses_corpus import plan

from voxpop.engines.composition import SIMULATED, PanelAnswer
from voxpop_simulator.theses.verdicts import headline, verdict

DOWN = plan("Starbucks is losing Gen Z because of price")
CUSTOMERS, EXPERTS = DOWN.panels
UP = plan("Starbucks is gaining customers").panels[0]
STEADY = plan("Starbucks sales will hold steady").panels[0]
NOT_DOWN = plan("Starbucks is not losing customers").panels[0]


def answered(lower, same, higher, *, key="change", start=1, reasons=()):
    values = ["Somewhat lower"] * lower + ["About the same"] * same + ["Much higher"] * higher
    made = [PanelAnswer(start + at, key, at, value, value) for at, value in enumerate(values)]
    made += [PanelAnswer(start + 500 + at, "reason", at, one, one) for at, one in enumerate(reasons)]
    return made


def support(panel, answers, composition=DOWN):
    return verdict(composition, [(panel, answers)]).support


@pytest.mark.parametrize(
    ("lower", "same", "higher", "expected"),
    [
        (8, 1, 1, "supports"),  # 8 of 9: 95% interval 57% to 98%
        (1, 1, 8, "contradicts"),
        (5, 0, 0, "supports"),  # 5 of 5: from 57%
        (4, 0, 0, "inconclusive"),  # four answers decide nothing
        (4, 1, 0, "supports"),  # 4 of 4: from 51%
        (3, 2, 0, "inconclusive"),  # 3 of 3: from 44%
        (5, 0, 1, "inconclusive"),  # 5 of 6: 44% to 97%
        (5, 5, 5, "inconclusive"),
        (0, 25, 0, "inconclusive"),
        (0, 0, 0, "inconclusive"),
    ],
)
def test_one_panel_on_a_thesis_of_decline(lower, same, higher, expected):
    assert support(CUSTOMERS, answered(lower, same, higher)) == expected


@pytest.mark.parametrize("panel", [UP, NOT_DOWN])
def test_a_rise_and_a_denied_fall_are_read_alike(panel):
    assert support(panel, answered(1, 1, 8)) == "supports"
    assert support(panel, answered(8, 1, 1)) == "contradicts"
    assert support(panel, answered(3, 4, 3)) == "inconclusive"


@pytest.mark.parametrize(
    ("lower", "same", "higher", "expected"),
    [
        (2, 20, 3, "supports"),
        (1, 11, 13, "contradicts"),  # 13 of 14 that see a change see a rise
        (8, 9, 8, "inconclusive"),
        (0, 19, 6, "contradicts"),  # most say the same, but all that see a change see a rise
    ],
)
def test_a_thesis_that_nothing_changes(lower, same, higher, expected):
    assert STEADY.claimed == "same"
    assert support(STEADY, answered(lower, same, higher, key="outlook")) == expected


def test_panels_that_disagree_are_mixed_and_a_panel_that_decides_nothing_does_not_count():
    for_it, against, open_ = answered(8, 1, 1), answered(1, 1, 8, start=50), answered(4, 2, 4, start=50)
    assert verdict(DOWN, [(CUSTOMERS, for_it), (EXPERTS, against)]).support == "mixed"
    assert verdict(DOWN, [(CUSTOMERS, for_it), (EXPERTS, open_)]).support == "supports"
    assert verdict(DOWN, [(CUSTOMERS, open_), (EXPERTS, against)]).support == "contradicts"
    assert verdict(DOWN, []).support == "inconclusive"


def test_a_driver_that_the_answers_refute_makes_a_supported_direction_mixed():
    refuted = ["Convenience"] * 18 + ["Prices"] * 2  # 70% to 97% against 3% to 30%
    open_ = ["Convenience"] * 11 + ["Prices"] * 9
    backed = ["Convenience"] * 2 + ["Prices"] * 18
    assert support(CUSTOMERS, answered(15, 4, 1, reasons=refuted)) == "mixed"
    assert support(CUSTOMERS, answered(15, 4, 1, reasons=open_)) == "supports"
    assert support(CUSTOMERS, answered(15, 4, 1, reasons=backed)) == "supports"
    assert support(CUSTOMERS, answered(1, 4, 15, reasons=refuted)) == "contradicts"


@pytest.mark.parametrize(
    ("with_it", "movers", "interval"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998) 857, table I, method 3
        (81, 263, "26% to 37%"),  # 0.2553 to 0.3662
        (15, 148, "6% to 16%"),  # 0.0624 to 0.1605
        (0, 20, "0% to 16%"),  # 0.0000 to 0.1611
        (1, 29, "1% to 17%"),  # 0.0061 to 0.1718
    ],
)
def test_intervals_are_the_published_ones(with_it, movers, interval):
    found = verdict(DOWN, [(CUSTOMERS, answered(with_it, 7, movers - with_it))])
    claim = found.evidence[0]["claim"]
    assert f"Of the {movers} who see a change, {with_it / movers:.0%} see it as the thesis says" in claim
    assert claim.endswith(f"(95% interval {interval}).")
    assert len(found.evidence[0]["answer_ids"]) == movers + 7


@pytest.mark.parametrize(
    ("panels", "expected"),
    [
        # z = 7/3 = 2.333, 2 Phi - 1 = 0.980; n = 10: 0.980 * 10/30
        ([(8, 1, 1)], 0.33),
        # z = 20/sqrt(20) = 4.47, 2 Phi - 1 = 1.000; n = 20: 1/2
        ([(20, 0, 0)], 0.50),
        # z = 0
        ([(10, 5, 10)], 0.0),
        # inconclusive: z = 2/sqrt(10) = 0.632, 2 Phi - 1 = 0.473; n = 12: 0.473 * 12/32 / 2
        ([(6, 2, 4)], 0.09),
        # Z = (2.333 + 2.333)/sqrt(2) = 3.300, 2 Phi - 1 = 0.999; n = 20: 0.999 / 2
        ([(8, 1, 1), (8, 1, 1)], 0.50),
        # mixed: Z = 0
        ([(8, 1, 1), (1, 1, 8)], 0.0),
        ([(0, 0, 0)], 0.0),
    ],
)
def test_confidence_is_what_the_formula_gives_on_paper(panels, expected):
    plans = (CUSTOMERS, EXPERTS)
    given = [(plans[at], answered(*counts, start=100 * at)) for at, counts in enumerate(panels)]
    assert verdict(DOWN, given).confidence == expected


def test_more_answers_of_the_same_kind_make_the_verdict_firmer():
    found = [verdict(DOWN, [(CUSTOMERS, answered(6 * by, 3 * by, by))]).confidence for by in (1, 3, 10, 50)]
    assert found == sorted(found)
    assert found[-1] < 1


def test_every_claim_names_the_answers_it_rests_on():
    answers = answered(6, 3, 1, reasons=["Prices"] * 6 + ["Health"] * 3)
    answers += [
        PanelAnswer(900, "why", 0, "It got too expensive.", None),
        PanelAnswer(901, "why", 9, "I moved next door.", None),
        PanelAnswer(902, "usage", 0, "Never", "Never"),
    ]
    found = verdict(DOWN, [(CUSTOMERS, answers)])
    change = CUSTOMERS.questions[1].text
    assert [(one["claim"], one["answer_ids"]) for one in found.evidence] == [
        (
            f"{change} Of 10 people asked, 6 say lower, 1 say higher and 3 say about the same. Of the 7 who "
            "see a change, 86% see it as the thesis says (95% interval 49% to 97%).",
            list(range(1, 11)),
        ),
        (
            'Of 9 answers on reasons, 6 name "Prices" (67%, 95% interval 35% to 88%); none is named more '
            'often. The option stands for "price".',
            list(range(501, 510)),
        ),
        ("Starbucks: somebody who sees it lower says: “It got too expensive.”", [900]),
        ("Starbucks: somebody who sees it higher says: “I moved next door.”", [901]),
    ]
    assert found.note == SIMULATED


def test_a_dont_know_is_not_in_the_base():
    answers = [*answered(8, 1, 1), PanelAnswer(99, "change", 99, "Not sure.", None)]
    found = verdict(DOWN, [(CUSTOMERS, answers)])
    assert 99 not in found.evidence[0]["answer_ids"]
    assert "Of 10 people asked" in found.evidence[0]["claim"]


def test_a_headline_has_its_shares_its_base_and_the_commonest_reason():
    answers = answered(20, 12, 8, reasons=["Prices"] * 20 + ["Health"] * 18)
    assert headline(CUSTOMERS, answers) == (
        "Starbucks: 50% say lower and 20% higher than 12 months ago, 30% about the same (n = 40). "
        'Named most often as the reason: "Prices" (53%, n = 38).'
    )
    assert headline(STEADY, answered(1, 2, 1, key="outlook")) == (
        "Starbucks: 25% expect lower and 25% higher over the next 12 months, 50% about the same "
        "(n = 4, a small base)."
    )
    assert headline(CUSTOMERS, []) == "Starbucks: no answers to count (n = 0)."


def test_both_panels_wordings_of_a_reason_are_counted_together():
    own = answered(5, 0, 5, reasons=["My household's budget"] * 4 + ["Prices"] * 5)
    market = answered(5, 0, 5, start=100, reasons=["Household budgets"] * 4 + ["Prices"] * 2)
    claim = verdict(DOWN, [(CUSTOMERS, own), (EXPERTS, market)]).evidence[2]["claim"]
    assert '7 name "Prices"' in claim
    assert '"Household budgets" is named most often (53%).' in claim
