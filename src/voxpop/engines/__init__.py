"""Engines: the answering contract, the registry of engines, and the language-model engine.

An engine is any object with a ``name`` and an ``answer`` method; docs/engines.md has an example.
"""

from __future__ import annotations

from voxpop.engines.agents import Agent, HealthProfile
from voxpop.engines.audience import AudiencePlan, Clarification, Planner, PlanNotMade, Refusal, Screen
from voxpop.engines.basis import Basis
from voxpop.engines.composition import (
    Claim,
    Composition,
    PanelAnswer,
    PanelPlan,
    Restated,
    Restater,
    ThesisComposer,
    Verdict,
)
from voxpop.engines.guide import Guide
from voxpop.engines.question import Attachment, Exchange, Question, Scale
from voxpop.engines.question_fields import Reader
from voxpop.engines.respondent import EngineClosed, Failure, Remembered, Reply, Respondent, Unanswerable
from voxpop.engines.spent import Spent
from voxpop.engines.writer import Sentence, Writer, Written

__all__ = [
    "Agent",
    "Attachment",
    "AudiencePlan",
    "Basis",
    "Claim",
    "Clarification",
    "Composition",
    "EngineClosed",
    "Exchange",
    "Failure",
    "Guide",
    "HealthProfile",
    "PanelAnswer",
    "PanelPlan",
    "PlanNotMade",
    "Planner",
    "Question",
    "Reader",
    "Refusal",
    "Remembered",
    "Reply",
    "Respondent",
    "Restated",
    "Restater",
    "Scale",
    "Screen",
    "Sentence",
    "Spent",
    "ThesisComposer",
    "Unanswerable",
    "Verdict",
    "Writer",
    "Written",
]
