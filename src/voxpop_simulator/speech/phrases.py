"""Spoken forms of coded answers."""

from __future__ import annotations


def _bank(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split("|"))


YES = _bank(
    "Yes.|Yes, I think so.|Yes, I'd say so.|Yes, for the most part.|I'd say yes.|Yeah.|Yeah, I think so."
    "|Yes, mostly.|Probably yes."
)
YES_STRONG = _bank(
    "Yes, definitely.|Absolutely.|Yes, without a doubt.|Definitely.|For sure.|Yes, no question.|Oh yes."
)
NO = _bank(
    "No.|No, I don't think so.|No, not really.|I'd say no.|No, not for me.|Probably not.|Nope, not really."
    "|Not really, no."
)
NO_STRONG = _bank(
    "No, definitely not.|Absolutely not.|No, no way.|No, not at all.|Definitely not.|No, not a chance."
)
CHOSEN = _bank(
    "{}.|{}, I'd say.|I'd go with {}.|{}, probably.|{}, for me.|I'd pick {}."
    "|{}, I think.|I'd say {}.|{} for sure."
)
CHOSEN_CLAUSE = _bank("{}.|{}, I'd say.|{}, probably.|{}, for me.|{}, I think.")
RATED = _bank("{}.|I'd say {}.|{}, I think.|I'd give it {}.|Probably {}.|{} for me.|About {}.")
GUESSED = _bank(
    "{}.|About {}.|Around {}.|I'd say {}.|Roughly {}.|{}, give or take.|Probably {}.|Maybe {}.|{} or so."
)
SEVERAL = _bank("{}.|{}.|{}, I'd say.|Mostly {}.|I'd say {}.|{}, those are mine.")
RANKED = _bank(
    "First {0}, then {1}.|{0} first, then {1}.|I'd put {0} first, then {1}.|{0} comes first, then {1}."
)
UNSURE = _bank(
    "I don't know.|I'm not sure.|Hard to say, I don't know.|I really couldn't tell you."
    "|No idea, to be honest.|I don't have an answer to that.|Not sure."
)
SAID: dict[str, tuple[str, ...]] = {
    "boolean": _bank(
        "I said {}|I answered {}|I went with {}|My answer was {}"
        "|I put {}|I chose {}|It was {} for me|I had to say {}"
    ),
    "integer": _bank("I gave it {}|I said {}|I put {}|I went with {}"),
    "number": _bank("I said {}|I put {}|I went with {}"),
    "choice": _bank('I picked "{}"|I said "{}"|I went with "{}"|I chose "{}"'),
    "ordered categories": _bank('I put "{}" first|"{}" came first for me|I ranked "{}" highest'),
    "unsure": _bank("I wasn't sure|I couldn't decide|I said I don't know"),
}
