"""Zeitgeist surveys: one closed question to a group, with counts per option."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from voxpop.wire.base import In, Out, Page, Texts, Words
from voxpop.wire.questions import Answer, EngineName

SurveyStatus = Literal["running", "completed", "failed"]

MOST_OPTIONS = 20
"""Maximum number of options of a survey."""

LONGEST_OPTION = 500
"""Maximum number of characters of an option."""


def _all_different(options: list[str]) -> list[str]:
    seen: set[str] = set()
    for option in options:
        text = option.strip()
        if not 1 <= len(text) <= LONGEST_OPTION:
            raise ValueError(f"each option must have 1 to {LONGEST_OPTION} characters, not {len(text)}")
        if text.casefold() in seen:
            raise ValueError(f"all options must differ; {text[:80]!r} is there twice")
        seen.add(text.casefold())
    return options


class SurveyIn(In):
    """Body of ``POST /v1/zeitgeist/surveys/create``."""

    title: Words = Field(min_length=1, max_length=300, description="The survey's title, 1 to 300 characters.")
    question: Words = Field(
        min_length=1, max_length=10_000, description="The question's words, 1 to 10,000 characters."
    )
    research_group_uuid: str = Field(description="The UUID of the group that is asked.")
    answer_options: Annotated[Texts, AfterValidator(_all_different)] = Field(
        min_length=2, max_length=MOST_OPTIONS, description="2 to 20 different options; one can be chosen."
    )
    engine: EngineName = None


class Survey(Out):
    """A survey and its status."""

    id: int = Field(description="The survey's id.")
    uuid: str = Field(description="The survey's UUID.")
    title: str = Field(description="The survey's title.")
    question: str = Field(description="The question's words.")
    answer_options: list[str] = Field(default_factory=list, description="The options, in this order.")
    research_group_uuid: str | None = Field(default=None, description="The group that is asked.")
    status: SurveyStatus | str = Field(description="running, completed, or failed when nobody answered.")
    job_id: str | None = Field(default=None, description="The one job of the survey.")
    asked_count: int = Field(default=0, description="Number of agents asked.")
    answer_count: int = Field(default=0, description="Number of agents that answered.")
    failed_count: int = Field(default=0, description="Number of agents that failed to answer.")
    url: str | None = Field(default=None, description="URL of the survey.")
    created_at: datetime | None = Field(default=None, description="Creation time, UTC.")


class SurveyCreated(Out):
    """Response of ``POST /v1/zeitgeist/surveys/create``."""

    survey: Survey = Field(description="The new survey.")
    job_id: str = Field(description="The job to poll.")
    poll_after_s: float | None = Field(
        default=None, description="Suggested seconds until the next poll of the job."
    )


class SurveyResponse(Out):
    """Response of reading one survey."""

    survey: Survey = Field(description="The survey.")


class SurveyList(Page):
    """One page of the organization's surveys, newest first."""

    surveys: list[Survey] = Field(description="The surveys of this page.")


class OptionResult(Out):
    """Count of one option."""

    option: str = Field(description="The option.")
    count: int = Field(description="Number of agents that chose it.")
    share: float | None = Field(
        default=None, description="Their share of all who chose an option, 0 to 1; null while nobody has."
    )


class SurveyResults(Out):
    """The results of a survey so far, and one page of the responses."""

    survey: Survey = Field(description="The survey.")
    results: list[OptionResult] = Field(description="Every option in the survey's order.")
    base: int = Field(default=0, description="How many agents chose an option: what shares are of.")
    no_value: int = Field(default=0, description="How many answered without choosing an option.")
    placeholders: str | None = Field(
        default=None, description="A notice if no figure is known for some of the answers. Else null."
    )
    responses: list[Answer] = Field(description="The responses of this page, by answer id.")
    page: int = Field(description="The page given, from 1.")
    page_size: int = Field(description="Responses per page, 1 to 500.")
    total: int = Field(description="Total number of responses.")
    pages: int = Field(default=0, description="Number of pages.")
