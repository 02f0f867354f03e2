"""Which topic an open question is about, by its words; the first that fits, the narrowest first."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from voxpop.questions.patterns import Pattern
from voxpop.questions.topics import content
from voxpop.questions.wordlists import patterns_of

_MONEY = (
    *("tariffs", "bnpl", "membership", "life_insurance", "secondhand", "tipping", "fees", "gas_prices"),
    *("food_prices", "phone_bill", "returns", "credit_cards", "investing", "subscriptions", "store_brand"),
    *("online_shopping", "retirement", "housing", "debt", "saving", "economy", "car_repair", "car_dealer"),
    *("bank_choice", "bank_switch", "budgeting", "save_barrier", "saving_for", "control", "cut_back"),
    *("splurge", "windfall", "big_purchase", "loyal_or_price", "where_clothes", "where_shoes", "car_wants"),
    *("self_driving", "dynamic_pricing", "shrinkflation", "self_checkout", "fast_fashion"),
)
"""Topics and banks of money, beside the oldest."""
_BODY = """
    health_worry, exercise, tobacco, strain, sleep, doctor, medicine, care, dentist, hospital,
    urgent_care, home_test, pharmacy, weight_drug, vaccine, supplements, skin, hair, gym, therapy,
    ageing, caregiving, nursing_home, pain, condition, balanced_diet, weight, health_info,
    care_cost, checkup, health_system, altmed, cold_flu, energy_level, looks, senses, medical_ai,
    meditation, outdoors, mood_season, self_care, healthy_means, health_state, tobacco_why,
    friend_therapy, help_barriers, pressure_signs, night_awake, gym_why, moves_me, skin wants, a
    remedy stops, info_sources, pays_care, keep_meds, doctor_know, trust_doctor, care_where,
    put_off, health_advice, health_hopes, bad_night, stress_source, talk_mental, quit_help,
    mind_sharp, people_inactive, stay_healthy, family_health, food_relation, surgery_say,
    doctor_left, prep_doctor, sleep_why, chose_doctor, bed_time, mental_physical, miss_young,
    wake_feel, last_health, sick_worst, fitness_level, floss, drug_ads, generics, otc_home,
    cannabis, fav_exercise, habit_break, best_habit, stress_feel, support_friend, depression_know,
    social_mood, choose_toothpaste, scents, get_ready, choose_hairdresser, makeup_why,
    parents_taught, health_topic, no_longer_alone, end_of_life, feel_young, parent_health,
    sick_food, gym_class, employer_health, sun_protect, tracker, covid_care, resolutions_fail,
    age_surprise, insurance_unclear, health_change, a remedy, barrier, selfcare
"""
"""Topics of health and of looking after oneself, with a comma between them."""
FAMILIES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("indulgence", "healthy_living", "portions", "convenience", "alcohol"), ("food",)),
    **dict.fromkeys(("meals", "restaurants", "coffee", "groceries", "drinks"), ("food",)),
    **dict.fromkeys(("price", "price_rise", "money_worry", "brand", "shoes", "banking"), ("money",)),
    **dict.fromkeys(("novelty", "service", "streaming", "ev", "insurance", "clothes"), ("money",)),
    **dict.fromkeys(("car", "energy", "repairs", "shopping", "charity", "college"), ("money",)),
    **dict.fromkeys(("technology", "social_media", "privacy", "ai", "internet", "phone", "apps"), ("tech",)),
    **dict.fromkeys(("family", "school", "safety", "life", "faith", "pets", "place", "future"), ("home",)),
    **dict.fromkeys(("friends", "garden", "holidays", "cleaning"), ("home",)),
    **dict.fromkeys(("politics", "trust", "news", "sustainability"), ("world",)),
    **dict.fromkeys(" ".join(_BODY.split()).split(", "), ("body",)),
    **dict.fromkeys(("travel", "flying", "relax", "tv", "music", "books", "games", "sports"), ("leisure",)),
    **dict.fromkeys(("a drink", "a food", "a new drink", "a new food"), ("food",)),
    **dict.fromkeys(("vegetables", "meat_fish", "meat_free", "feeding", "recipes", "breakfast"), ("food",)),
    **dict.fromkeys(("lunch", "tea", "tap_water", "na_drinks", "food_label", "processed"), ("food",)),
    **dict.fromkeys(("takeout", "ready_meals", "grocery_delivery", "food_waste", "food_prices"), ("food",)),
    **dict.fromkeys(("store_brand", "order_tech"), ("food",)),
    **dict.fromkeys(("a plan", "a garment", "packaging", "loyalty_program", "raised"), ("money",)),
    **dict.fromkeys(("bought", "wish", "cancelled", "switched"), ("money",)),
    **dict.fromkeys(_MONEY, ("money",)),
    **dict.fromkeys(("an app", "a gadget", "onboarding"), ("tech",)),
    **dict.fromkeys(("website", "wearable", "smart_home", "screen_time", "notifications"), ("tech",)),
    **dict.fromkeys(("passwords", "scams", "chatbot", "podcasts", "messaging", "video_calls"), ("tech",)),
    **dict.fromkeys(("movie_theaters", "museums", "theme_parks", "camping", "cruises"), ("leisure",)),
    **dict.fromkeys(("podcasts", "concerts", "hobbies"), ("leisure",)),
    "hotel": ("stay",),
    **dict.fromkeys(("ad", "advertising"), ("ads",)),
    "telehealth": ("body", "tech"),
    "job": ("work",),
    "remote": ("work",),
    "commute": ("work",),
}  # fmt: skip
"""Topic -> the families of sentences about one's own life that fit it."""
HEALTHY_TOPICS = frozenset(
    (
        *("indulgence", "healthy_living", "portions", "health_worry", "telehealth", "exercise", "tobacco"),
        *("strain", "medicine", "care", "sleep"),
    )
)
"""Topics where people speak of their health."""


_KNOWN = r"(?:close )?(?:friends?|family(?: members?)?|colleagues?|relatives?|co-?workers?)"
_LISTENERS = Pattern(
    rf"\b(?:to|tell|advise) (?:(?:a|an|your|any|other|some) )?{_KNOWN}"
    rf"(?:(?:, or|, and|,| and| or) (?:(?:a|an|your) )?{_KNOWN})*",
    re.I,
)
"""To whom somebody would recommend what the question is about."""


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return patterns_of("topics")


def topic_of(sentence: str) -> str | None:
    """Return the topic of a question; None when no words of it are known.

    Examples
    --------
    >>> topic_of("What annoys you about grocery shopping?"), topic_of("What about a self-cleaning birdcage?")
    ('groceries', None)
    >>> topic_of("How likely are you to recommend your gym to a friend or colleague?")
    'gym'
    """
    about = _LISTENERS.sub("", sentence)
    return next((name for name, pattern in _patterns() if pattern.search(about)), None)


@lru_cache(maxsize=2048)
def beside_topic(sentence: str, topic: str) -> frozenset[str]:
    """Return the content words of a question other than those by which its topic is known.

    Examples
    --------
    >>> sorted(beside_topic("What do you think about the price of eggs?", "price"))
    ['egg']
    """
    for name, pattern in _patterns():
        if name == topic:
            sentence = pattern.sub(" ", sentence)
    return content(sentence)
