"""Groups: recruit, interview, append, create, update, archive, read and list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from voxpop.client.checks import (
    Ref,
    agent_numbers,
    checked_filter,
    group_uuid,
    identifier,
    warn_of_unknown,
    whole_number,
)
from voxpop.client.direct_questions import asked_body
from voxpop.client.filters import Filters
from voxpop.client.pagination import by_offset
from voxpop.client.sample_terms import sample_terms
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import UsageError
from voxpop.vocabulary import Filter, did_you_mean, nearest
from voxpop.vocabulary.question_types import BuiltInType
from voxpop.wire.agents import Agent
from voxpop.wire.direct_questions import AskOnceIn, AskOnceResponse
from voxpop.wire.filters import Unknown
from voxpop.wire.groups import (
    AddMembersResponse,
    AppendIn,
    AppendResponse,
    CreateIn,
    CreateResponse,
    Group,
    GroupChangeResponse,
    GroupList,
    GroupResponse,
    InterviewIn,
    InterviewResponse,
    Member,
    MembersIn,
    RecruitIn,
    RemoveMembersResponse,
    ReplaceIn,
    ReplaceResponse,
    SampleMethod,
    UpdateIn,
)
from voxpop.wire.questions import Scale

LARGEST = 10_000
"""Maximum number of agents per call."""

METHODS: tuple[str, ...] = get_args(SampleMethod)


class Groups:
    """``client.groups``: recruited sets of agents."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._live = Filters(transport).values_in_use

    def recruit(  # noqa: PLR0913 (options by keyword)
        self,
        name: str,
        *,
        filters: Filter | dict[str, Any],
        size: int,
        sample_method: SampleMethod = "random",
        seed: int | None = None,
        dedupe: bool = True,
        description: str | None = None,
        quotas: Any = None,
        boost: Any = None,
        exclude: Any = None,
        idempotency_key: str | None = None,
    ) -> Group:
        """Recruit a group by an exact filter and return it.

        Parameters
        ----------
        name : str
            A name for the group, 1 to 300 characters.
        filters : Filter or dict
            The eligible agents.
        size : int
            Number of agents, 1 to 10,000. If fewer match, all of them are recruited, and ``shortfall`` of
            the group is the number missing.
        sample_method : {"random", "stratified", "balanced"}
            A simple random sample; one in proportion to age band, gender and state; or one with equal
            numbers of each age band and gender.
        seed : int, optional
            The same seed, filter and population give the same agents in the same order. Default: drawn by the
            service.
        dedupe : bool
            Whether an agent may be in the group only once; voxpop's own service never draws one twice.
        description : str, optional
            Audience in words. It excludes nobody; each word found in an agent's profile makes the agent 4
            times as likely to be drawn next, for up to 5 words. The group is then an unequal-probability
            sample, whose shares differ from those of the matching agents unless they are weighted.
        quotas : list or dict, optional
            Fixed numbers: ``(filter, size)`` pairs that exclude each other and sum to ``size``, or shares by
            field, as ``{"gender": {"female": 0.5, "male": 0.5}, "age": {"18-34": 0.4, "35+": 0.6}}``.
        boost : pair or list of pairs, optional
            Agents beyond ``size`` from a part of the audience: ``(vp.where(condition="gout"), 200)``. The
            design weights account for the overlap.
        exclude : group, id, or list of them, optional
            Groups whose members are not drawn.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.

        Raises
        ------
        FilterError
            An unknown field or value; the message names the nearest.
        UsageError
            Another argument is out of bounds.
        """
        # Additive fields are sent only if given, because other services may not know them.
        asked = checked_filter(filters, self._live)
        sent = body(
            RecruitIn,
            name=name,
            description=description or None,
            dedupe=dedupe,
            **self._draw(asked, size, sample_method, seed),
            **sample_terms(quotas, boost, exclude),
        )
        raw = {"X-Filter-Raw-DSL": "true"}
        answer = self._transport.post("/research-groups/recruit", sent, headers=raw, key=idempotency_key)
        if not isinstance(answer, dict):
            return read(Group, answer)
        warn_of_unknown(read(Unknown, answer), asked)  # the agent records are not needed here
        return read(Group, answer.get("group"))

    def interview(  # noqa: PLR0913 (options by keyword)
        self,
        objective: str,
        *,
        filters: Filter | dict[str, Any],
        size: int,
        name: str | None = None,
        sample_method: SampleMethod = "random",
        seed: int | None = None,
        dedupe: bool = True,
        quotas: Any = None,
        boost: Any = None,
        exclude: Any = None,
        idempotency_key: str | None = None,
    ) -> InterviewResponse:
        """Recruit a group for interviews and return it with an interview guide.

        Parameters
        ----------
        objective : str
            Objective of the interviews, 1 to 10,000 characters; the guide is made from its words.
        filters, size, sample_method, seed, dedupe, quotas, boost, exclude
            As for :meth:`recruit`.
        name : str, optional
            A name for the group.
        idempotency_key : str, optional
            As for :meth:`recruit`.

        Returns
        -------
        InterviewResponse
            ``group``, ``recruited_agents`` and ``interview_guide``: 3 to 7 questions in order, each with
            ``key, type, options`` and ``scale``.

        Examples
        --------
        ::

            made = client.groups.interview(
                "Why do people cancel their meal kit?", filters=vp.where(country="USA"), size=12
            )
            [question.question for question in made.interview_guide]
        """
        asked = checked_filter(filters, self._live)
        sent = body(
            InterviewIn,
            objective=objective,
            name=name,
            dedupe=dedupe,
            **self._draw(asked, size, sample_method, seed),
            **sample_terms(quotas, boost, exclude),
        )
        answer = self._transport.post("/research-groups/interview", sent, key=idempotency_key)
        made = read(InterviewResponse, answer)
        warn_of_unknown(made, asked)
        return made

    def append(
        self,
        group: Group | str,
        *,
        filters: Filter | dict[str, Any],
        size: int,
        sample_method: SampleMethod = "random",
        seed: int | None = None,
        dedupe: bool = True,
        quotas: Any = None,
        boost: Any = None,
        exclude: Any = None,
        idempotency_key: str | None = None,
    ) -> AppendResponse:
        """Append agents to a group; members are not drawn again, and existing studies do not change.

        Parameters
        ----------
        group : Group or str
            The group or its UUID; an integer id is not accepted.
        filters, size, sample_method, seed, dedupe, quotas, boost, exclude
            As for :meth:`recruit`; the new agents are a sample of the matching non-members. Two simple
            random draws with the same filter are one larger sample with known weights; after any other
            append the weights of the group are not known, and are removed.
        idempotency_key : str, optional
            As for :meth:`recruit`.

        Returns
        -------
        AppendResponse
            The updated ``group``, ``added_agent_ids``, ``recruited_agents``, and ``shortfall`` of this draw.

        Raises
        ------
        Conflict
            The group is archived.

        Examples
        --------
        ::

            more = client.groups.append(group, filters=vp.where(state="CA"), size=20)
            more.added_agent_ids, more.shortfall
        """
        reference = group_uuid(group, "A group is appended to by")
        asked = checked_filter(filters, self._live)
        drawn = self._draw(asked, size, sample_method, seed) | sample_terms(quotas, boost, exclude)
        sent = body(AppendIn, dedupe=dedupe, **drawn)
        path = f"/research-groups/{reference}/append"
        grown = read(AppendResponse, self._transport.post(path, sent, key=idempotency_key))
        warn_of_unknown(grown, asked)
        return grown

    def create(
        self,
        name: str,
        agent_ids: Iterable[int],
        *,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> Group:
        """Create a group from agent ids and return it.

        Parameters
        ----------
        name : str
            A name for the group, 1 to 300 characters.
        agent_ids : list of int
            Ids of 1 to 10,000 agents, in the order to ask them; not UUIDs.
        description : str, optional
            Description of the members.
        idempotency_key : str, optional
            As for :meth:`recruit`.

        Examples
        --------
        ::

            found = client.agents.search({"state": "CA"}, limit=10)
            client.groups.create("Ten Californians", [agent.id for agent in found])
        """
        sent = body(CreateIn, name=name, agent_ids=agent_numbers(agent_ids), description=description or None)
        made = self._transport.post("/research-groups/create", sent, key=idempotency_key)
        return read(CreateResponse, made).group

    def update(self, group: Ref, *, name: str | None = None, description: str | None = None) -> Group:
        """Change name or description of a group and return it; omitted fields do not change.

        Parameters
        ----------
        group : Group or its id
            The group.
        name : str, optional
            New name, 1 to 300 characters.
        description : str, optional
            New description; an empty text removes it.

        Examples
        --------
        ::

            client.groups.update(group, name="Snack switchers", description="")
        """
        if name is None and description is None:
            raise UsageError("Nothing is given to change: pass name, description or both.")
        changes = {"name": name, "description": description}
        given = {field: value for field, value in changes.items() if value is not None}
        body(UpdateIn, **given)
        sent = {field: value or None for field, value in given.items()}
        return read(GroupChangeResponse, self._transport.post(f"{_path(group)}/update", sent)).group

    def archive(self, group: Ref) -> Group:
        """Archive a group and return it: it leaves the lists and new studies, but stays readable.

        Examples
        --------
        ::

            client.groups.archive(group).archived
        """
        return read(GroupChangeResponse, self._transport.delete(_path(group))).group

    def add_agents(self, group: Ref, agent_ids: Iterable[int]) -> AddMembersResponse:
        """Add agents to a group by id; ``rejected`` lists those that cannot be added.

        Parameters
        ----------
        group : Group or its id
            The group.
        agent_ids : list of int
            Agent ids, for example ``[17, 42]``; neither UUIDs nor text.

        Raises
        ------
        Conflict
            The group is archived.

        Examples
        --------
        ::

            answer = client.groups.add_agents(group, [17, 42])
            answer.added, [(one.agent_id, one.reason) for one in answer.rejected]
        """
        return read(AddMembersResponse, self._change(group, "add", agent_ids))

    def remove_agents(self, group: Ref, agent_ids: Iterable[int]) -> RemoveMembersResponse:
        """Remove agents from a group by id; existing studies keep their agents.

        Parameters
        ----------
        group : Group or its id
            The group.
        agent_ids : list of int
            Agent ids, for example ``[17, 42]``; neither UUIDs nor text.

        Raises
        ------
        Conflict
            The group is archived.

        Examples
        --------
        ::

            client.groups.remove_agents(group, [17]).group.agent_count
        """
        return read(RemoveMembersResponse, self._change(group, "remove", agent_ids))

    def replace(self, group: Ref, agent_ids: Iterable[int], *, seed: int | None = None) -> ReplaceResponse:
        """Replace agents of a group by others drawn from the same cell of the sample.

        The cell is that of the quotas, boosts or strata that the group was recruited with. Existing studies
        keep their agents.

        Parameters
        ----------
        group : Group or its id
            The group.
        agent_ids : list of int
            Members, which leave the group, or agents that were removed from it.
        seed : int, optional
            The same seed and group give the same replacements. Default: drawn by the service.

        Returns
        -------
        ReplaceResponse
            ``replaced`` with the pairs, ``rejected`` with reasons, and the new ``members`` with the weights
            of the agents that they replace.

        Examples
        --------
        ::

            answer = client.groups.replace(group, [17, 42])
            {one.agent_id: one.replacement_id for one in answer.replaced}
        """
        given = {} if seed is None else {"seed": whole_number("seed", seed, 0, 2**63 - 1)}
        sent = body(ReplaceIn, agent_ids=agent_numbers(agent_ids), **given)
        return read(ReplaceResponse, self._transport.post(f"{_path(group)}/agents/replace", sent))

    def members(self, group: Ref) -> Sequence[Member]:
        """Return the members of a group with inclusion probabilities and design weights, in the order drawn.

        Examples
        --------
        ::

            sum(member.design_weight for member in client.groups.members(group))
        """
        return self.read(group, agents=False).members

    def ask(
        self,
        group: Ref,
        question: str,
        *,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: Scale | tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        attachments: Sequence[Any] | None = None,
        wait_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> AskOnceResponse:
        """Ask every agent of a group, once per idempotency key.

        Parameters
        ----------
        group : Group or its id
            The group.
        question : str
            One question, 1 to 10,000 characters.
        type, options, scale, shuffle_options, attachments
            As for :meth:`~voxpop.client.questions.Questions.ask`.
        wait_seconds : float, optional
            Seconds for which the service may wait for the end, at most 60.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments returns the same operation.

        Raises
        ------
        Conflict
            The key was used for something else, or the group is archived or has no agents.

        Examples
        --------
        ::

            asked = client.groups.ask(group, "Do you own a car?", wait_seconds=20)
            client.direct_questions.wait(asked).artifacts[0].text
        """
        sent = asked_body(
            AskOnceIn,
            question,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            attachments=attachments,
            wait_seconds=wait_seconds,
        )
        return read(AskOnceResponse, self._transport.once(f"{_path(group)}:ask", sent, idempotency_key))

    def get(self, group: Ref) -> Group:
        """Return one group."""
        return self.read(group, agents=False).group

    def agents(self, group: Ref) -> Sequence[Agent]:
        """Return the agents of a group, in the order drawn."""
        return self.read(group).agents

    def list(self, *, archived: bool = False) -> Iterator[Group]:
        """Iterate over the groups of the organization, newest first; with ``archived``, the archived ones."""

        def fetch(limit: int, offset: int) -> tuple[Sequence[Group], int | None]:
            params: dict[str, Any] = {"limit": limit, "offset": offset} | (
                {"archived": "true"} if archived else {}
            )
            page = read(GroupList, self._transport.get("/research-groups", params))
            return page.groups or (), page.total

        return by_offset(fetch)

    def read(self, group: Ref, *, agents: bool = True) -> GroupResponse:
        """Return one group and its agents, in the order drawn, in one call.

        Parameters
        ----------
        group : Group, its id or its UUID
            The group.
        agents : bool
            If False, ``agent_ids`` has their ids if the service offers that; otherwise it is None and the
            agents are included.
        """
        return read(GroupResponse, self._transport.get(_path(group), None if agents else {"agents": "false"}))

    def _change(self, group: Ref, how: str, agent_ids: Iterable[int]) -> Any:
        sent = body(MembersIn, agent_ids=agent_numbers(agent_ids))
        return self._transport.post(f"{_path(group)}/agents/{how}", sent)

    def _draw(
        self, asked: Filter, size: int, sample_method: SampleMethod, seed: int | None
    ) -> dict[str, Any]:
        """Check the arguments common to all draws."""
        if sample_method not in METHODS:
            near = did_you_mean(nearest(str(sample_method), METHODS, cutoff=0.3)) or "."
            raise UsageError(f"sample_method {sample_method!r} is not known{near} Use {', '.join(METHODS)}.")
        return {
            "filters": asked.to_json(),
            "group_size": whole_number("size", size, 1, LARGEST),
            "sample_method": sample_method,
            "seed": None if seed is None else whole_number("seed", seed, 0, 2**63 - 1),
        }


def _path(group: Ref) -> str:
    return f"/research-groups/{identifier(group, 'group')}"
