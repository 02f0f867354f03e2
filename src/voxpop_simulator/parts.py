"""The simulator's planner, guide and composer, each loaded on first use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from voxpop.engines.audience import AudiencePlan
from voxpop.engines.composition import Claim, Composition, Panel, PanelAnswer, PanelPlan, Verdict
from voxpop.engines.question import Question
from voxpop.vocabulary import Filter

if TYPE_CHECKING:
    from voxpop.engines.human_survey import Asked
    from voxpop.engines.matcher import Find
    from voxpop_simulator.audiences.planner import EmbeddedPlanner

# Imports are inside the methods because each module needs 20 ms to compile its patterns.

_PREPARING = threading.Lock()
_WITH_SCREENS = (
    "US women who own a dog",
    "nurses in Texas who bake bread",
    "parents over 50 who voted in 2024",
)
"""Texts whose screening questions rest on a figure, on nothing and on a question that people were asked."""


class Planner:
    """Rule-based planner for the texts of recruitment requests."""

    name = "embedded-1"

    def prepare(self, *, labels: Mapping[str, Sequence[str]], titles: Mapping[str, str]) -> None:
        """Load the patterns and tables for reading a text."""
        with _PREPARING:
            for text in _WITH_SCREENS:
                _planner().plan(text, labels=labels, titles=titles)

    def plan(
        self,
        text: str,
        *,
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> AudiencePlan:
        """Return the plan for a text (:class:`voxpop.engines.Planner`)."""
        with _PREPARING:  # wait for a preparation rather than do the same beside it
            planner = _planner()
        return planner.plan(text, labels=labels, titles=titles, answers=answers)


@cache
def _planner() -> EmbeddedPlanner:
    """Return the shared planner, which caches data on the population's labels."""
    from voxpop_simulator.audiences.planner import EmbeddedPlanner

    return EmbeddedPlanner()


class Guide:
    """Guide that proposes questions for an objective."""

    def interview_guide(self, objective: str, audience: Filter | None = None) -> list[Question]:
        """Return 3 to 7 interview questions."""
        from voxpop_simulator.questions.guides import interview_guide

        return interview_guide(objective, audience)

    def study_questions(
        self, objective: str, count: int = 4, audience: Filter | None = None
    ) -> list[Question]:
        """Return the most important questions for a study."""
        from voxpop_simulator.questions.guides import study_questions

        return study_questions(objective, count, audience)


class Composer:
    """Composer of theses and their verdicts."""

    def compose(
        self,
        raw_input: str,
        *,
        panel_size: int,
        count: Callable[[Filter], int],
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> Composition:
        """Return the claim of a thesis and its panels (:class:`voxpop.engines.ThesisComposer`)."""
        from voxpop_simulator.theses.thesis_panels import compose

        return compose(
            raw_input, panel_size=panel_size, count=count, labels=labels, titles=titles, answers=answers
        )

    def claim(self, text: str) -> Claim:
        """Return the claim of a text."""
        from voxpop_simulator.theses.thesis_panels import claim

        return claim(text)

    def headline(self, plan: PanelPlan, answers: Sequence[PanelAnswer]) -> str:
        """Return the result of a panel."""
        from voxpop_simulator.theses.verdicts import headline

        return headline(plan, answers)

    def verdict(self, composition: Composition, panels: Sequence[Panel]) -> Verdict:
        """Return the verdict on a thesis from its answers."""
        from voxpop_simulator.theses.verdicts import verdict

        return verdict(composition, panels)


class Matcher:
    """Matcher of questions with those of a survey of people."""

    def index(self, asked: Sequence[Asked]) -> Find:
        """Return a function that finds a question among those of a survey."""
        from voxpop_simulator.library.own_surveys import finder

        return finder(asked)
