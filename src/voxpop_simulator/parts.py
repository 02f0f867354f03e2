"""What the simulator does beside answering; each part loads its rooms when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from voxpop.engines.audience import AudiencePlan
from voxpop.engines.composition import Claim, Composition, Panel, PanelAnswer, PanelPlan, Verdict
from voxpop.engines.question import Question
from voxpop.vocabulary import Filter

if TYPE_CHECKING:
    from voxpop_simulator.audiences.planner import EmbeddedPlanner

# The imports inside the methods are of rooms whose patterns take 20 ms each to compile.


class Planner:
    """Reads the texts of recruitment requests by rules."""

    name = "embedded-1"

    def plan(
        self,
        text: str,
        *,
        labels: Mapping[str, Sequence[str]],
        titles: Mapping[str, str],
        answers: Sequence[tuple[str, str]] = (),
    ) -> AudiencePlan:
        """Return what the text asks for (:class:`voxpop.engines.Planner`)."""
        return _planner().plan(text, labels=labels, titles=titles, answers=answers)


@cache
def _planner() -> EmbeddedPlanner:
    """Return the one planner; it keeps what it has worked out of the population's labels."""
    from voxpop_simulator.audiences.planner import EmbeddedPlanner

    return EmbeddedPlanner()


class Guide:
    """Proposes questions for an objective."""

    def interview_guide(self, objective: str, audience: Filter | None = None) -> list[Question]:
        """Return 3 to 7 questions of an interview."""
        from voxpop_simulator.questions.guides import interview_guide

        return interview_guide(objective, audience)

    def study_questions(
        self, objective: str, count: int = 4, audience: Filter | None = None
    ) -> list[Question]:
        """Return the questions of a study, those that matter most."""
        from voxpop_simulator.questions.guides import study_questions

        return study_questions(objective, count, audience)


class Composer:
    """Composes theses, and draws their verdicts."""

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
        """Return what a thesis claims and its panels (:class:`voxpop.engines.ThesisComposer`)."""
        from voxpop_simulator.theses.thesis_panels import compose

        return compose(
            raw_input, panel_size=panel_size, count=count, labels=labels, titles=titles, answers=answers
        )

    def claim(self, text: str) -> Claim:
        """Return what a text claims."""
        from voxpop_simulator.theses.thesis_panels import claim

        return claim(text)

    def headline(self, plan: PanelPlan, answers: Sequence[PanelAnswer]) -> str:
        """Return what a panel says."""
        from voxpop_simulator.theses.verdicts import headline

        return headline(plan, answers)

    def verdict(self, composition: Composition, panels: Sequence[Panel]) -> Verdict:
        """Return what the answers say for and against a thesis."""
        from voxpop_simulator.theses.verdicts import verdict

        return verdict(composition, panels)
