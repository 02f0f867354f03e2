"""Zeitgeist surveys: one closed question to a group, with a count per option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from voxpop.client.checks import Ref, group_uuid, identifier, whole_number
from voxpop.client.pagination import by_offset, by_page
from voxpop.client.questions import checked_question
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.wire.groups import Group
from voxpop.wire.questions import Answer
from voxpop.wire.surveys import Survey, SurveyCreated, SurveyIn, SurveyList, SurveyResponse, SurveyResults

LARGEST_PAGE = 500
"""Maximum number of responses per page."""


class Surveys:
    """``client.surveys``: zeitgeist surveys."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        title: str,
        question: str,
        options: Sequence[str],
        *,
        group: Group | str,
        engine: str | None = None,
        idempotency_key: str | None = None,
    ) -> SurveyCreated:
        """Ask every agent of a group one closed question, and return at once with the survey and its job.

        Parameters
        ----------
        title : str
            1 to 300 characters.
        question : str
            One question, 1 to 10,000 characters.
        options : list of str
            2 to 20 different options; each agent chooses one.
        group : Group or str
            The group or its UUID; an integer id is not accepted.
        engine : str, optional
            One of the engines of the service, by name; by default its default engine.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.

        Raises
        ------
        Conflict
            The group is archived.

        Examples
        --------
        ::

            made = client.surveys.create("Lunch", "Where do you eat lunch?", ["Home", "Work"], group=group)
            client.jobs.wait(made.job_id)
            client.surveys.results(made.survey).results
        """
        words = checked_question(question, options=options)
        sent = body(
            SurveyIn,
            title=title,
            question=words,
            research_group_uuid=group_uuid(group, "A survey is created with"),
            answer_options=list(options),
            engine=engine,
        )
        return read(
            SurveyCreated, self._transport.post("/zeitgeist/surveys/create", sent, key=idempotency_key)
        )

    def get(self, survey: Ref) -> Survey:
        """Return one survey."""
        return read(SurveyResponse, self._transport.get(_path(survey))).survey

    def list(self) -> Iterator[Survey]:
        """Iterate over the surveys of the organization, newest first."""

        def fetch(limit: int, offset: int) -> tuple[Sequence[Survey], int | None]:
            params: dict[str, Any] = {"limit": limit, "offset": offset}
            page = read(SurveyList, self._transport.get("/zeitgeist/surveys", params))
            return page.surveys or (), page.total

        return by_offset(fetch)

    def results(self, survey: Ref, *, page: int = 1, page_size: int = 50) -> SurveyResults:
        """Return the count of each option so far, with one page of the responses.

        Parameters
        ----------
        survey : Survey or its id
            The survey.
        page : int
            Page number of the responses, from 1.
        page_size : int
            Responses per page, 1 to 500.
        """
        params = {
            "page": whole_number("page", page, 1),
            "page_size": whole_number("page_size", page_size, 1, LARGEST_PAGE),
        }
        return read(SurveyResults, self._transport.get(f"{_path(survey)}/results", params))

    def responses(self, survey: Ref) -> Iterator[Answer]:
        """Iterate over the responses of a survey, in the order given."""

        def fetch(page: int, page_size: int) -> tuple[Sequence[Answer], int | None]:
            found = self.results(survey, page=page, page_size=page_size)
            pages = None if found.total is None else -(-found.total // page_size)
            return found.responses or (), pages

        return by_page(fetch)

    def delete(self, survey: Ref) -> None:
        """Delete a survey with its results; its job stays readable."""
        self._transport.delete(_path(survey))


def _path(survey: Ref) -> str:
    return f"/zeitgeist/surveys/{identifier(survey, 'survey')}"
