"""Coded answers from stances, one function per question type."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from voxpop.engines.draws import draws, key
from voxpop.engines.option_order import ESCAPE, NONE, OTHER
from voxpop.engines.question import Question
from voxpop.vocabulary.shapes import CATEGORIES
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.topics import content, topics_of
from voxpop_simulator.stances.choices import appeals, ticks
from voxpop_simulator.stances.leanings import LEANING, Leaning
from voxpop_simulator.stances.life_facts import Fact, fact_asked
from voxpop_simulator.stances.normals import normal, normals
from voxpop_simulator.stances.stance import AnswerPlan

_PRIMACY = (
    0.07  # bonus of the first position for an option's appeal, in deviations, if options are not shuffled
)
# what people say matters: taste 85 %, price 76 %, health 62 %, convenience 57 %, environment 31 % of US
# adults (IFIC Food & Health Survey 2024); the places between are ours
_PULL = (
    (r"quality|taste|flavou?r", 0.8),
    (r"price|cost|value|afford|cheap", 0.65),
    (r"safe|reliab|durab", 0.4),
    (r"health|ingredient|nutrition", 0.3),
    (r"convenien|easy|speed|time", 0.15),
    (r"recommend|review|friend", 0.0),
    (r"brand|reputation", -0.25),
    (r"environment|sustainab|ethic|packaging", -0.5),
    (r"advert|celebrit|influencer", -1.0),
)  # fmt: skip
_FAR = 1.2  # maximum deviations between options by chance: one of two options gets 3 of 4 answers
_ONESELF = 0.8  # added appeal of oneself when asked who does a thing; our estimate
_ME = Pattern(r"(?:mostly |mainly )?(?:me|you|myself|yourself|i do|i am)$", re.I)
_TICKED = 0.3  # options above this appeal are ticked
_UP_TO = Pattern(
    r"\b(?:up to|at most|no more than|maximum of|top|pick|choose|select)\s+(?:your (?:top )?)?(one|two"
    r"|three|four|five|\d)\b",
    re.I,
)
_COUNT = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


@dataclass(frozen=True, slots=True)
class Appeal:
    """Factors in the appeal of one option."""

    bias: float
    leanings: tuple[tuple[Leaning, float], ...]
    kind: str
    fact: Fact | None = None


@lru_cache(maxsize=1024)
def appeals_of(question: Question) -> tuple[Appeal, ...]:
    """Return the appeal of each option, from its text alone, so that shuffling has no effect."""
    subject = sorted(content(question.text))
    made = []
    for at, option in enumerate(question.options):
        bias = normal(draws(key("option", *subject, option.casefold())))
        pull = next((pull for pattern, pull in _PULL if re.search(pattern, option, re.I)), None)
        bias = 0.4 * min(max(bias, -_FAR), _FAR) if pull is None else bias * 0.12 + pull
        kind = (
            "escape"
            if ESCAPE.match(option)
            else "none"
            if NONE.match(option)
            else "other"
            if OTHER.match(option)
            else ""
        )
        bias += _ONESELF if _ME.match(option) else 0.0
        bias += {"escape": -2.6, "none": -1.4, "other": -1.0}.get(kind, 0.0)
        if at == 0 and not question.shuffle_options and not kind:
            bias += _PRIMACY
        loadings = tuple((LEANING[name], 0.6 * weight) for name, weight in topics_of(option))
        made.append(Appeal(round(bias, 6), loadings, kind, _fact_of(question, option)))
    return tuple(made)


def _fact_of(question: Question, option: str) -> Fact | None:
    """Return the screening fact stated by ticking an option ("Which of these do you use? Facebook")."""
    verb = _STATES.search(question.text) if question.shape is CATEGORIES else None
    return fact_asked(f"Do you {verb[1].lower()} {option}?") if verb else None


_STATES = Pattern(
    r"\b(?:do|have) you (?:currently |personally |ever |regularly )*(use|own|have|drink|wear)\b", re.I
)


def utilities(
    plan: AnswerPlan, person: tuple[float, ...], uuid: bytes, moment: tuple[int, ...], country: str = "USA"
) -> list[float]:
    """Return the appeal of each option to an agent; options of the table by their shares."""
    if plan.known is not None:
        if plan.question.shape is CATEGORIES:
            return ticks(plan.known, person, uuid, country, moment)
        return appeals(plan.known, person, uuid, country, moment)
    own = appeals_of(plan.question)
    personal = normals(plan.subject + b"options" + uuid, len(own))
    found = []
    for at, appeal in enumerate(own):
        if appeal.fact is not None:
            latent = appeal.fact.latent(person, uuid)
            found.append(latent + _TICKED if latent > 0 else latent - 1.0)
            continue
        total = (
            appeal.bias
            + 0.85 * personal[_seat(plan.question, at)]
            + 0.5 * (moment[at % 24 + 8] / 65536 - 0.5)
        )
        for leaning, weight in appeal.leanings:
            total += weight * leaning.of(person, uuid)
        found.append(total)
    return found


def _seat(question: Question, at: int) -> int:
    return _seats(question.options)[at]


@lru_cache(maxsize=1024)
def _seats(options: tuple[str, ...]) -> tuple[int, ...]:
    """Return each option's alphabetical rank, so that a taste belongs to the option, not its position."""
    alphabet = sorted(options, key=str.casefold)
    return tuple(alphabet.index(option) for option in options)


def pick_one(plan: AnswerPlan, scores: list[float], stance: float) -> str:
    """Return the chosen option: by rank for ordered options, by appeal otherwise."""
    options = plan.question.options
    if plan.order is not None:
        return options[plan.order.ranks.index(bisect_right(plan.borders, stance))]
    return options[max(range(len(options)), key=scores.__getitem__)]


def pick_many(plan: AnswerPlan, scores: list[float]) -> list[str]:
    """Return the chosen options in listed order; "none" and "don't know" options exclude all others."""
    if plan.known is not None:
        return _ticked(plan, scores)
    options, own = plan.question.options, appeals_of(plan.question)
    limit = most_allowed(plan.question.text)
    real = [at for at, appeal in enumerate(own) if appeal.kind in ("", "other")]
    ranked = sorted(real, key=lambda at: -scores[at])
    chosen = [at for at in ranked if scores[at] > _TICKED]
    alone = [at for at, appeal in enumerate(own) if appeal.kind in ("none", "escape")]
    if all(own[at].fact for at in real):  # facts are ticked regardless of appeal
        none = next((at for at in alone if own[at].kind == "none"), None)
        return [options[at] for at in sorted(chosen[:limit] or ([] if none is None else [none]))]
    chosen = chosen or ranked[:1]
    if alone and (
        not real or scores[ranked[0]] < max(scores[at] for at in alone) or scores[ranked[0]] < -0.4
    ):
        return [options[max(alone, key=scores.__getitem__)]]
    return [options[at] for at in sorted(chosen[:limit])]


def _ticked(plan: AnswerPlan, scores: list[float]) -> list[str]:
    """Return the ticked options of the table; without any, the "none" option or the nearest one."""
    options, picks = plan.question.options, plan.known.picks if plan.known else ()
    real = sorted(
        (at for at, pick in enumerate(picks) if pick.kind in ("", "other")), key=lambda at: -scores[at]
    )
    chosen = [at for at in real if scores[at] > 0 and not _REFUSES.match(options[at])]
    refused = [at for at in real if scores[at] > 0 and _REFUSES.match(options[at])]
    if chosen:
        return [options[at] for at in sorted(chosen[: most_allowed(plan.question.text)])]
    none = [at for at, pick in enumerate(picks) if pick.kind == "none"] or refused
    return [options[at] for at in none[:1] or real[:1]]


_REFUSES = Pattern(r"i (?:don'?t|do not|skip|have no)\b|no (?:particular|bank)\b|skip\b|nothing$", re.I)


@lru_cache(maxsize=1024)
def most_allowed(text: str) -> int:
    """Return the maximum number of options that a question allows ("pick up to three").

    Examples
    --------
    >>> most_allowed("Pick up to three."), most_allowed("Select all that apply.")
    (3, 99)
    """
    found = _UP_TO.search(text)
    if not found:
        return 99
    return _COUNT.get(found[1].lower()) or max(int(found[1]), 1)


def rated(plan: AnswerPlan, stance: float, moment: tuple[int, ...]) -> int:
    """Return the chosen point of the question's scale; long scales are heaped on the middle and the ends."""
    scale = plan.question.scale
    assert scale is not None  # a scale question always has one
    at = bisect_right(plan.borders, stance)
    if scale.points >= 10:
        at = _heaped(at, scale.points, moment[4], 20_000 if plan.frame.name == "recommend" else 5_000)
    return scale.max - at if plan.flip else scale.min + at


def _heaped(at: int, points: int, draw: int, ends: int) -> int:
    if points > 21:
        step = 5 if draw < 26_000 else 10
        return min((at + step // 2) // step * step, points - 1)
    middle = (points - 1) // 2 if points % 2 else points // 2
    if draw < 16_000 and abs(at - middle) == 1:
        return middle
    if draw < ends and at == 1:
        return 0
    if draw < ends and at == points - 2:
        return points - 1
    return at
