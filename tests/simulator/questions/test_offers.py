"""Descriptions of products are read into a name, a thing, its kind, its attributes and its price."""

from __future__ import annotations

import pytest

from voxpop_simulator.questions.offers import Offer, offer_read


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        (
            "Imagine a tea made from old bread.",
            Offer("", "tea", "a new drink", ("that it's made from old bread",), ""),
        ),
        (
            "Suppose a company launches a smart lamp that dims itself at night and costs $49.",
            Offer("", "smart lamp", "a gadget", ("that it dims itself at night",), "$49"),
        ),
        (
            "Brightleaf is a new oat crisp with sea salt. It keeps fresh for a week. It costs $5 a box.",
            Offer(
                "Brightleaf", "oat crisp", "assent", ("the sea salt", "that it keeps fresh for a week"), "$5"
            ),
        ),
        (
            "Imagine an app that tracks your sleep, with no ads and a free trial, for $4 a month.",
            Offer(
                "",
                "app",
                "an app",
                ("that there are no ads in it", "the free trial", "that it tracks my sleep"),
                "$4",
            ),
        ),
        (
            "Meet Nordrun, a running shoe with a carbon plate, made of recycled nylon, priced at $120.",
            Offer(
                "Nordrun",
                "running shoe",
                "assent",
                ("the carbon plate", "that it's made of recycled nylon"),
                "$120",
            ),
        ),
        (
            "Consider a new toothpaste without fluoride that whitens teeth in two weeks.",
            Offer(
                "",
                "toothpaste",
                "a remedy",
                ("that there is no fluoride in it", "that it whitens teeth in two weeks"),
                "",
            ),
        ),
        (
            "Here is a concept: Zephyr is a smart ring that measures your heart rate. It costs $199.",
            Offer("Zephyr", "smart ring", "a gadget", ("that it measures my heart rate",), "$199"),
        ),
        (
            "A startup is developing a self-cleaning birdcage.",
            Offer("", "self-cleaning birdcage", "a gadget", (), ""),
        ),
    ],
)
def test_an_offer_is_read_from_its_description(text: str, offer: Offer) -> None:
    assert offer_read(f"{text} What do you think of it?") == offer


@pytest.mark.parametrize(
    "text",
    [
        "What do you think of ice cream?",
        "The city considers a ban on gas stoves. What do you think of it?",
        "Imagine a friend lends you money. How would you feel?",
        "Suppose a neighbor with a loud dog moves in. What do you think of it?",
        "Imagine a friend named Bob asks you for help. What do you think of it?",
        "Would you buy it?",
    ],
)
def test_other_texts_offer_nothing(text: str) -> None:
    assert offer_read(text) is None
