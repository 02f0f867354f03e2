"""What the simulator's answers rest on: the profile, a published figure, or nothing that is known.

A figure counts as published only for the question it was asked with: every subject word of the question must
be one of the figure's, and the other way round. A figure of a nearby question may still shape a placeholder,
but the placeholder says that it is one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from voxpop.engines.agents import Agent
from voxpop.engines.basis import MODELLED, NONE, PROFILE, PUBLISHED, Basis
from voxpop.engines.option_order import ESCAPE, OTHER
from voxpop.engines.option_order import NONE as NONE_OF_THESE
from voxpop.vocabulary.fields import FIELDS
from voxpop.vocabulary.shapes import BOOLEAN, CATEGORIES, NUMBER
from voxpop_simulator.library.answers import Match, library
from voxpop_simulator.questions.how_often import habit_of, habit_words
from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.topics import same_subject, turned
from voxpop_simulator.stances.amounts import amount_line, price_behind
from voxpop_simulator.stances.borders import habit_threshold
from voxpop_simulator.stances.life_facts import SCREENS, Fact
from voxpop_simulator.stances.options import entry_named, list_of
from voxpop_simulator.stances.profile_speech import NOT_KNOWN, NOT_SAID
from voxpop_simulator.stances.stance import AnswerPlan
from voxpop_simulator.stances.toplines import topline_for

HOME = "USA"
"""Country of the published figures."""

PLACEHOLDER = Basis(NONE, "No figure is known for this question; the answer is a placeholder.")
WORDS = Basis(NONE, "No human answers stand behind these words; they are a placeholder.")

_WISHED = Pattern(r"\b(?:would|should|want|wish|prefer|like to|need|ideal|plan|will)\b", re.I)
"""Ways of asking for what people would do, not for what they do."""

_SHIFTED = Pattern(
    r"\b(?:ever|heard of|aware|familiar|recogni[sz]e|know of|least|never|avoid|dislike|hate|worst|cancel"
    r"|consider|open to|would|yesterday|today|past|last|previous)\b",
    re.I,
)
"""Ways of asking for something else than what people use, have or do."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the answers to one question rest on.

    Attributes
    ----------
    profile : Basis or None
        For agents whose profile answers.
    unrecorded : Basis
        For agents whose profile should answer and does not.
    home : Basis
        For other agents of the USA, the country of the figures.
    shut : Basis
        For agents who do not have or do the thing that the question presupposes.
    human : Match or None
        Human answers to the question, with the agents they are for.
    """

    profile: Basis | None
    unrecorded: Basis
    home: Basis
    shut: Basis = PLACEHOLDER
    human: Match | None = None

    def of(self, agent: Agent) -> Basis:
        """Return what an answer beyond the profile rests on."""
        if self.human is not None and self.human.is_for(agent):
            return self.human.basis
        return self.home if agent.country == HOME else _abroad(self.home, agent.country)

    def of_profile(self, value: Any, said: str) -> Basis:
        """Return what an answer from the profile rests on, which may record nothing."""
        unknown = said in (NOT_KNOWN, NOT_SAID) or (isinstance(value, str) and ESCAPE.match(value))
        return self.unrecorded if unknown or self.profile is None else self.profile


@lru_cache(maxsize=1024)
def _abroad(home: Basis, country: str) -> Basis:
    if home.kind == NONE:
        return home
    return Basis(NONE, f"No figure of {country} is known for this question; the answer is a placeholder.")


def grounds_of(plan: AnswerPlan) -> Grounds:
    """Return what the answers to a question rest on.

    Examples
    --------
    >>> from voxpop.engines.question import Question
    >>> from voxpop_simulator.stances.stance import plan_of
    >>> grounds_of(plan_of(Question("Do you support the death penalty?", "yes_no"))).home.note
    '53% of US adults say yes: Gallup, October 2024; differences between groups are modelled.'
    >>> grounds_of(plan_of(Question("Do you support purple zebras?", "yes_no"))).home.kind
    'none'
    """
    own = plan.profile.field if plan.profile is not None else ""
    label = FIELDS[own].label.lower() if own in FIELDS else own.replace("_", " ")
    home = _published(plan)
    if home is PLACEHOLDER:
        home = _with_nearest(plan)
    return Grounds(
        profile=Basis(PROFILE, f"The agent's profile: {label}.") if own else None,
        unrecorded=Basis(NONE, f"The agent's profile does not record: {label}."),
        home=home,
        shut=_of_gate(plan),
        human=plan.human,
    )


def _with_nearest(plan: AnswerPlan) -> Basis:
    """Return the basis of a placeholder, with the nearest question that people were asked if one is near."""
    near = library().told_nearest(plan.question) if plan.human is None and plan.profile is None else ""
    if not near:
        return PLACEHOLDER
    return Basis(
        NONE, f"{PLACEHOLDER.note} Nearest known question, which is answered if asked in these words: {near}."
    )


def _published(plan: AnswerPlan) -> Basis:
    question = plan.question
    if not question.shape.coded:
        return WORDS
    if plan.fact is not None:
        return _of_fact(plan)
    if plan.known is not None:
        return _of_options(plan)
    if question.shape is NUMBER:
        return _of_amount(plan)
    line = topline_for(plan.sentence, plan.frame, yes_no=question.shape is BOOLEAN)
    if line is not None and same_subject(plan.question, line.question, line.words):
        share = 1 - line.yes if turned(plan.sentence) != turned(line.question) else line.yes
        if question.shape is BOOLEAN:
            return _cited(PUBLISHED, f"{share:.0%} of US adults say yes", line.source, line.seen)
        if plan.order is not None or question.scale is not None:
            spread = f"Spread over the scale by a rule, around {share:.0%} who say yes to this"
            return _cited(MODELLED, spread, line.source, line.seen)
    return _of_habit(plan)


def _of_fact(plan: AnswerPlan) -> Basis:
    assert plan.fact is not None
    return PLACEHOLDER if _SHIFTED.search(plan.sentence) else _share_of(plan.fact, plan.sentence)


def _of_gate(plan: AnswerPlan) -> Basis:
    gate = plan.gate
    if gate is None:
        return PLACEHOLDER
    if gate.fact is not None:
        return _share_of(gate.fact, plan.sentence, alone=False)
    return Basis(PROFILE, f"The agent's profile: {gate.label}.")


def _share_of(fact: Fact, sentence: str, *, alone: bool = True) -> Basis:
    """Return the basis of a fact: its published share of yes."""
    screen = next((screen for screen in SCREENS if screen.name == fact.name), None)
    if screen is not None:
        seen = "checked" if screen.checked else "unverified"
        return _cited(PUBLISHED, f"{screen.share:.0%} of {screen.among} say yes", screen.source, seen)
    found = entry_named(sentence, alone=alone)
    if found is None or found[0].entries[found[1]].ours:
        return PLACEHOLDER
    options, seat = found
    share = options.entries[seat].share
    return _cited(PUBLISHED, f"{share:.0%} of US adults say yes", options.source, options.seen)


def _of_options(plan: AnswerPlan) -> Basis:
    """Return the basis of a choice among options whose shares are in the table."""
    question = plan.question
    found = list_of(question.text, question.options)
    assert found is not None  # plan.known is made from it
    options, seats = found
    known = all(
        seat is not None and not options.entries[seat].ours
        for option, seat in zip(question.options, seats, strict=True)
        if not (ESCAPE.match(option) or OTHER.match(option) or NONE_OF_THESE.match(option))
    )
    asked = options.asks.search(question.text) and not _SHIFTED.search(question.text)
    if options.seen == "ours" or not known or not asked or options.view:
        return PLACEHOLDER
    if question.shape is not CATEGORIES:
        said = "One choice in proportion to the shares of US adults who name each option"
        main = "(main" in options.source  # the shares of those who choose one are the source's own
        return _cited(MODELLED, said, _OURS.sub("", options.source) if main else options.source, options.seen)
    return _cited(PUBLISHED, "Shares of US adults", options.source, options.seen)


def _of_amount(plan: AnswerPlan) -> Basis:
    around = price_behind(plan.question)
    if around:
        return Basis(
            NONE, f"No published price is known; the answer is a placeholder, spread around {around}."
        )
    line = amount_line(plan.question)
    if (
        line is None
        or _WISHED.search(plan.question.text)
        or not same_subject(plan.question, line.name, line.asks)
    ):
        return PLACEHOLDER
    return _cited(MODELLED, "Spread by a rule around the usual amount of US adults", line.source, line.seen)


def _of_habit(plan: AnswerPlan) -> Basis:
    habit = habit_of(plan.sentence)
    if habit is None or _WISHED.search(plan.question.text):
        return PLACEHOLDER
    if not same_subject(plan.question, habit.name, habit_words(habit)):
        return PLACEHOLDER
    by_rates = plan.order is not None and not plan.order.cuts and not plan.order.numeric
    by_threshold = plan.question.shape is BOOLEAN and habit_threshold(plan.sentence, plan.frame) is not None
    if not by_rates and not by_threshold:
        return PLACEHOLDER
    seen = "checked" if habit.checked else "unverified"
    return _cited(MODELLED, "Spread by a rule fitted to how often US adults do it", habit.source, seen)


_OTHERS = Pattern(r"; the others are ours$")
"""Entries beside the source's own are marked one by one."""

_OURS = Pattern(r"; [^;]*\bours\b[^;]*$|\bours\b")


def _cited(kind: str, said: str, source: str, seen: str) -> Basis:
    source = _OTHERS.sub("", source)
    if seen == "ours" or _OURS.search(source):
        return PLACEHOLDER
    unchecked = "" if seen == "checked" else " (quoted from memory, not checked)"
    groups = "; differences between groups are modelled" if kind == PUBLISHED else ""
    return Basis(kind, f"{said}: {source.rstrip('.')}{unchecked}{groups}.")
