"""The table of tools: name, purpose, arguments and output of each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from voxpop.mcp import running
from voxpop.mcp.arguments import KEY, checked
from voxpop.mcp.calls import Calls
from voxpop.mcp.results import MOST_ANSWERS, StudyResults
from voxpop.mcp.schemas import (
    Schema,
    body_properties,
    filter_properties,
    key_property,
    object_schema,
    reference,
    wait_property,
)
from voxpop.vocabulary.fields import FIELDS
from voxpop.wire.agents import AgentPage, AgentResponse
from voxpop.wire.filters import Discovery
from voxpop.wire.groups import RecruitIn, RecruitResponse
from voxpop.wire.jobs import Job
from voxpop.wire.preview import PreviewResponse
from voxpop.wire.questions import AskIn, AskResponse
from voxpop.wire.requests import RequestIn, RequestResponse
from voxpop.wire.studies import StudyIn, StudyResponse
from voxpop.wire.waves import NextWaveIn, NextWaveResponse

INSTRUCTIONS = """\
voxpop is audience research with synthetic participants, called agents. Agents are simulated: what they \
answer is not evidence about people, and a report on it should say so.

The usual order: see who there is (v1.filters.get, v1.agents.search); get a group, from a description in \
plain words (v1.research-group-requests.create) or by exact filters (v1.research-groups.recruit); make a \
study on the group's uuid (v1.research-studies.create); ask one question at a time \
(v1.research-studies.ask, with poll_timeout_seconds, so that all have answered before the next one); read \
counts and answers (v1.research-studies.results).

Errors say which argument is wrong and what is allowed: correct the call and try again."""

Run = Callable[[Calls, Mapping[str, Any]], Awaitable[running.Outcome]]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes
    ----------
    name, title, description : str
        Name, display name and explanation.
    run : callable
        Makes the HTTP calls and reports the outcome.
    output : type of BaseModel
        Model of the structured content.
    properties : dict
        JSON Schema of each argument.
    required : tuple of str
        Required arguments.
    filters : bool
        Whether it takes a filter, as single-field arguments and as ``filters``.
    waits_until : str or None
        Event that ``poll_timeout_seconds`` waits for.
    reads : bool
        Whether the tool is read-only.
    """

    name: str
    title: str
    description: str
    run: Run
    output: type[BaseModel]
    properties: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    filters: bool = False
    waits_until: str | None = None
    reads: bool = False

    def arguments(self) -> Schema:
        """Return the JSON Schema of all arguments."""
        filters = filter_properties() if self.filters else {}
        wait = {"poll_timeout_seconds": wait_property(self.waits_until)}
        once = {} if self.reads else {KEY: key_property()}
        return object_schema({**self.properties, **filters, **wait, **once}, self.required)

    async def call(self, calls: Calls, arguments: Mapping[str, Any]) -> running.Outcome:
        """Check the argument names, then run the tool.

        Raises
        ------
        ServiceError
            An argument is invalid, or the service refuses the call.
        ConnectionFailed
            The service does not answer.
        """
        names = [*self.properties, *(("match", "filters") if self.filters else ()), "poll_timeout_seconds"]
        names += [] if self.reads else [KEY]
        return await self.run(calls, checked(arguments, names, filters=self.filters))


def _number(what: str, lowest: int, highest: int, default: int) -> Schema:
    return {
        "type": "integer",
        "minimum": lowest,
        "maximum": highest,
        "default": default,
        "description": what,
    }


_COUNTRY: Schema = {
    "type": "string",
    "enum": list(FIELDS["country"].levels),
    "description": "The country. Common names and ISO 3166 codes are understood too.",
}
_FIELDS: Schema = {
    "type": "array",
    "items": {"type": "string", "enum": list(FIELDS)},
    "description": "The fields to give; all without it, which is long. Aliases are accepted.",
}
_STUDY = reference("The study's id or uuid, from v1.research-studies.create.")

TOOLS = (
    Tool(
        "v1.filters.get",
        "Filter values and counts",
        "Which values each filter field has in one country, and how many simulated agents have each; of age, "
        "bmi and other numbers the lowest, highest and mean. Use it before recruiting, to spell values as "
        "they are (occupation, industry, ethnicity, state) and to see how many agents there are. Name only "
        "the fields you need.",
        running.get_filters,
        Discovery,
        properties={"country": _COUNTRY, "fields": _FIELDS},
        required=("country",),
        reads=True,
    ),
    Tool(
        "v1.agents.search",
        "Search agents",
        "How many simulated agents match a filter (total), and their full records in pages. Give conditions "
        "as arguments: country, age, gender, occupation, health_conditions and so on. With per_page 1 it is "
        "a cheap count.",
        running.search_agents,
        AgentPage,
        properties={
            "page": _number("The page, from 1.", 1, 10_000_000, 1),
            "per_page": _number("Agents on a page.", 1, 500, 25),
        },
        filters=True,
        reads=True,
    ),
    Tool(
        "v1.agents.find",
        "Find one agent",
        "The full record of one simulated agent that matches a filter: who it is, work, household, health. "
        "An error with the code not_found when none matches.",
        running.find_agent,
        AgentResponse,
        filters=True,
        reads=True,
    ),
    Tool(
        "v1.research-groups.recruit",
        "Recruit a group by exact filters",
        "Draws a group of simulated agents that match a filter exactly, and keeps it. Use it when the "
        "audience is known field by field; use v1.research-group-requests.create for a description in plain "
        "words. When fewer match, all of them are recruited and shortfall says how many are missing. Gives "
        "the group, whose uuid a study needs, and its first agents.",
        running.recruit,
        RecruitResponse,
        properties=body_properties(RecruitIn, without=("filters",)),
        required=("group_size",),
        filters=True,
    ),
    Tool(
        "v1.research-group-requests.create",
        "Request a group in plain words",
        'Recruits simulated agents from a description, for example "US nurses over 40 who smoke". What no '
        "filter covers is found out by asking candidates. Ends as completed with a group, or as "
        "needs_clarification, awaiting_review or refused with the reason; only completed has a group.",
        running.create_request,
        RequestResponse,
        properties=body_properties(RequestIn),
        required=("request_text", "group_size"),
        waits_until="the request has ended or waits for somebody",
    ),
    Tool(
        "v1.research-studies.create",
        "Create a study",
        "Makes a study of the agents of one group. Questions are then asked in the study, and agents "
        "remember what they answered earlier in it.",
        running.create_study,
        StudyResponse,
        properties=body_properties(StudyIn),
        required=("title", "research_group_uuid"),
    ),
    Tool(
        "v1.research-studies.next-wave",
        "Create the next wave of a study",
        "Makes a study of the same agents again, without those that drop out (attrition) and with fresh "
        "agents in place of some (refresh). It asks nothing: ask the same questions with the same keys. "
        "Agents that stay remember their answers and do not change by themselves between waves.",
        running.next_wave,
        NextWaveResponse,
        properties={"study_id": _STUDY, **body_properties(NextWaveIn)},
        required=("study_id",),
    ),
    Tool(
        "v1.research-studies.preview",
        "Preview a question",
        "How a question would be read (type, options, scale) and what the agents' answers would rest on, "
        "before anything is asked or counted: profile, published, modelled, or none, which means "
        "placeholders that are no findings. Takes the arguments of v1.research-studies.ask.",
        running.preview,
        PreviewResponse,
        properties={"study_id": _STUDY, **body_properties(AskIn, without=("attachments",))},
        required=("study_id", "question"),
        reads=True,
    ),
    Tool(
        "v1.research-studies.ask",
        "Ask a question",
        "Asks every agent of a study one question; each answers in the first person and, unless the "
        "question is open, with a coded value. Ask one thing at a time, in neutral words. Say the type and "
        "the options unless the words make them plain. Calling it again asks again, unless with the same "
        "idempotency_key. Answers are simulated, "
        "not evidence about people.",
        running.ask,
        AskResponse,
        properties={"study_id": _STUDY, **body_properties(AskIn)},
        required=("study_id", "question"),
        waits_until="all agents have answered",
    ),
    Tool(
        "v1.research-studies.results",
        "Read a study's results",
        "For each question how many agents gave each value, mean and median of numbers, and some answers in "
        "the agents' own words; once the study was completed, also the claims of its analysis with the "
        "answers they rest on. Simulated, not evidence about people.",
        running.get_results,
        StudyResults,
        properties={
            "study_id": _STUDY,
            "question": reference("One question only, by key, id or uuid; all of them without it."),
            "answers_per_question": _number(
                "How many answers of each question to show word for word.",
                0,
                MOST_ANSWERS,
                running.ANSWERS_SHOWN,
            ),
        },
        required=("study_id",),
        waits_until="no answer is outstanding",
        reads=True,
    ),
    Tool(
        "v1.jobs.get",
        "Read a job",
        "How far a piece of background work is: started, finished or failed, with its result or error. A "
        "question has one job per agent and the last one tends to end last. Where domain_status is given, it "
        "says how the work itself ended.",
        running.get_job,
        Job,
        properties={"job_id": {"type": "string", "description": "The job's id."}},
        required=("job_id",),
        waits_until="the job has ended",
        reads=True,
    ),
)
"""All tools, in the order of a workflow."""

BY_NAME: Mapping[str, Tool] = {tool.name: tool for tool in TOOLS}
"""All tools by name."""
