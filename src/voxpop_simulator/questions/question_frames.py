"""Question frames: the meaning of a yes, and the usual distribution of answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from voxpop_simulator.questions.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Frame:
    """A kind of question: the meaning of a yes, and the usual distribution of answers.

    ``mean`` and ``spread`` are on a 0-1 scale, ``yes`` is the usual share of yes. They are the project's
    reading of common survey toplines (docs/simulator.md), not estimates for a specific question.
    """

    name: str
    axis: str
    mean: float
    spread: float
    yes: float
    leanings: tuple[tuple[str, float], ...] = ()
    skew: float = 0.0

    def share(self, stance: float, mean: float) -> float:
        """Return the 0-1 position of a stance; skew narrows the upper side and widens the lower."""
        turn = -self.skew if stance > 0 else self.skew
        return mean + self.spread * (1 + turn) * stance

    def stance_at(self, share: float, mean: float) -> float:
        """Return the stance at a position: the inverse of :meth:`share`."""
        turn = -self.skew if share > mean else self.skew
        return (share - mean) / (self.spread * (1 + turn))


RECOMMEND = Frame("recommend", "favour", 0.71, 0.23, 0.68, (("life", 0.25), ("brand", 0.25)))
WORRY = Frame("worry", "worry", 0.50, 0.36, 0.55, (("strain", 0.5),))
SATISFACTION = Frame("satisfaction", "favour", 0.735, 0.2, 0.78, (("life", 0.6),), 0.3)
IMPORTANCE = Frame("importance", "importance", 0.67, 0.24, 0.76)
TRUST = Frame("trust", "favour", 0.46, 0.28, 0.40, (("trust", 0.8),))
DIFFICULTY = Frame("difficulty", "worry", 0.42, 0.25, 0.42, (("strain", 0.4),))
FREQUENCY = Frame("frequency", "use", 0.42, 0.27, 0.5)
AGREEMENT = Frame("agreement", "favour", 0.58, 0.245, 0.60, (("assent", 0.5),))
POLICY = Frame("policy", "favour", 0.56, 0.28, 0.56, (("assent", 0.3),))
INTENT = Frame("intent", "favour", 0.54, 0.265, 0.50)
AWARE = Frame("awareness", "use", 0.40, 0.27, 0.26)
STATE = Frame("state", "favour", 0.63, 0.225, 0.74)
HEALTH = Frame("health", "favour", 0.72, 0.25, 0.84)
LIKING = Frame("liking", "favour", 0.64, 0.215, 0.64)
PAST = Frame("past", "use", 0.45, 0.27, 0.45)
HABIT = Frame("habit", "use", 0.48, 0.27, 0.5)
BELIEF = Frame("belief", "favour", 0.54, 0.24, 0.55, (("assent", 0.3),))
GENERAL = Frame("general", "favour", 0.55, 0.25, 0.54)
RISK = Frame("risk", "worry", 0.30, 0.28, 0.18, (("strain", 0.4),))
NATION = Frame("nation", "favour", 0.42, 0.24, 0.28, (("trust", 0.6),))
EASE = Frame("ease", "favour", 0.69, 0.22, 0.76)
LARGE = Frame("large purchase", "favour", 0.32, 0.27, 0.16)
FRAMES = (
    *(RECOMMEND, WORRY, SATISFACTION, IMPORTANCE, TRUST, DIFFICULTY, FREQUENCY, AGREEMENT, POLICY, INTENT),
    *(AWARE, STATE, HEALTH, LIKING, PAST, HABIT, BELIEF, GENERAL),
    *(RISK, NATION, EASE, LARGE),
)
"""All frames, as listed in docs/simulator.md."""
OWN_STATE = (STATE, HEALTH)
"""Frames on personal well-being: their usual answers are published and depend little on the wording."""

_HEALTH = r"(?:(?:general |overall |physical |mental |current )*health|body|fitness|shape)"
_MISHAP = (
    r"likely\b.{0,40}\byou (?:will |would |might |could )?(?:(?:ever )?(?:lose|get sick|get ill|develop)"
    r"|be(?:come)? (?:a victim|laid off|fired|robbed|hacked|injured|disabled|ill|sick|unemployed)"
    r"|have (?:an accident|a heart|a stroke)|run out|go bankrupt)"
)
_OF_THE_NATION = (
    r"^(?!.*worr)(?=.*(?:\brate|satisf|\bcondition|\bbetter or worse|\bgetting better|\b(?:right|wrong) track"
    r"|\bright direction|things are going|describe|how good|how well|quality))"
    r".*(?:\beconomy\b|\bthings are going in (?:the |this )|(?:in|of|about) (?:the |this |our )?(?:country"
    r"|nation|united states|u\.s|america)\b|\bnation'?s\b|\bcountry'?s\b|\bgovernment\b|\bcongress\b)"
)
_LARGE_THING = (
    r"(?:buy|purchas\w*|get|lease|own|considering?)\b.{0,24}\b(?:car|vehicle|truck|suv|house"
    r"|home\b(?! (?:insur|gym))|boat|motorcycle|solar panels?|heat pump|condo|rv)s?\b"
)
_SERVED = r"\brat(?:e|ing)\b.*\b(?:experience|service|visit|stay|hospital|hotel|clinic|checkout|delivery)\b"
_SENTENCES: tuple[tuple[str, Frame], ...] = (
    (r"recommend", RECOMMEND),
    (_SERVED, SATISFACTION),
    (r"\bhow easy\b|\beasy or (?:difficult|hard)\b", EASE),
    (r"\b(?:heard|familiar|aware|recogni[sz]e)\b|know (?:of|about|the brand)\b", AWARE),
    (r"hardship", DIFFICULTY),
    (r"\bhow important\b", IMPORTANCE),
    (_MISHAP, RISK),
    (_OF_THE_NATION, NATION),
    (_LARGE_THING, LARGE),
    (r"worr|concern(?!ed,)|afraid|fear\b|scared|nervous|anxious|bother|stressed|threat|a problem for", WORRY),
    (r"satisf|happy|content with|pleased|fulfil", SATISFACTION),
    (r"important|importan|matter|essential|priorit|value most", IMPORTANCE),
    (r"trust|confiden", TRUST),
    (r"(?:rate|describe|is|call|about) your (?:own )?" + _HEALTH + r"|\byour (?:own )?" + _HEALTH
        + r"\b.{0,20}\bis\b|how healthy\b.{0,12}\byou\b", HEALTH),
    (r"(?:managing|doing) financially|getting by|(?:your|your family'?s?|household'?s?) (?:personal |own "
        r"|current |overall )*(?:financial (?:situation|condition)|finances|standard of living)", STATE),
    (r"difficult|hard (?:is|was|for)|struggle|frustrat|annoy", DIFFICULTY),
    (r"how often|how frequently|how many|times a|per (?:week|month|day)|usually|regularly", FREQUENCY),
    (r"agree|disagree", AGREEMENT),
    (r"support|oppose|favou?r|approve|should\b", POLICY),
    (r"would you|will you|how likely|likely|interest(?:ed)?|willing|plan to|consider|intend|want to"
        r"|could you|appeal", INTENT),
    (r"^(?:.*, )?do you (?:personally |really |still )*(?:believe|think|feel|expect)\b", BELIEF),
    (r"how (?:was|were|good|well|is)\b|\b(?:like|enjoy|love|prefer|service|experience|taste|rate|rating"
        r"|good|quality|excellent|impression|opinion of|think of|find)\b", LIKING),
    (r"^(?:.*, )?(?:have|has) you(?:r)?\b.*ever|^(?:.*, )?(?:have|did) you\b", PAST),
    (r"^(?:.*, )?do you\b|\b(?:own|use|have|eat|drink|watch|read|buy)\b", HABIT),
    (r"think|believe|feel|expect", BELIEF),
)  # fmt: skip
_OPTIONS: tuple[tuple[str, Frame], ...] = (
    (r"\b(?:dis)?agree\b", AGREEMENT),
    (r"\b(?:easy|easier|convenient)\b", LIKING),
    (r"\b(?:dis|un)?satisfied\b|\b(?:un)?happy\b", SATISFACTION),
    (r"\b(?:worried|concerned|afraid|anxious|stressed)\b", WORRY),
    (r"\b(?:un)?important\b", IMPORTANCE),
    (r"\b(?:familiar|aware|heard)\b", AWARE),
    (r"\b(?:trust|confident)\b", TRUST),
    (r"\b(?:un)?likely\b|\binterested\b|\bwould\b|\bwilling\b", INTENT),
    (r"\b(?:support|oppose|favou?r|approve)", POLICY),
    (r"\bhardship\b|\bproblem\b|\bdifficult\b", DIFFICULTY),
    (r"\b(?:comfortabl\w+|getting by)\b", STATE),
    (r"\b(?:excellent|good|poor|positive|easy|like it|love it)\b", LIKING),
)
_SENTENCE = tuple((Pattern(pattern, re.I), frame) for pattern, frame in _SENTENCES)
_OPTION = tuple((Pattern(pattern, re.I), frame) for pattern, frame in _OPTIONS)
_FILLER = Pattern(
    r"\b(?:would|could|can) you (?:please |say |personally )*(?:say|rate|describe|call|characteri[sz]e"
    r"|consider|tell (?:me|us))(?= (?:that |it |you|your|the|this|these|our|how|is\b))",
    re.I,
)


def plain(sentence: str) -> str:
    """Return a sentence without polite phrases that look like a question on possible behaviour.

    Examples
    --------
    >>> plain("How would you rate your bank?"), plain("Would you buy it?")
    ('How rate your bank?', 'Would you buy it?')
    """
    return _FILLER.sub(lambda found: "rate" if "rate" in found[0].lower() else "", sentence)


def frame_of(sentence: str) -> Frame:
    """Return the frame of a question.

    Examples
    --------
    >>> frame_of("How worried are you about your health?").name
    'worry'
    >>> frame_of("Would you say your health is good or poor?").name
    'health'
    """
    words = plain(sentence)
    return next((frame for pattern, frame in _SENTENCE if pattern.search(words)), GENERAL)


def shape_of(options: tuple[str, ...], frame: Frame) -> Frame:
    """Return the frame whose usual answers match the option wording, or else the question's own frame.

    Agree/disagree statements have the frame of such statements, whatever their subject.

    Examples
    --------
    >>> shape_of(("Agree", "Disagree"), HABIT).name, shape_of(("Red", "Blue"), HABIT).name
    ('agreement', 'habit')
    """
    if frame in (*OWN_STATE, RISK, NATION, LARGE):
        return frame
    words = " | ".join(options)
    found = next((shape for pattern, shape in _OPTION if pattern.search(words)), frame)
    return frame if frame.axis == "worry" and found in (LIKING, INTENT) else found
