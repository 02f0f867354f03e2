"""Studies: create, read, complete, share, and remove agents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from voxpop.client.arrow import batches, table_of
from voxpop.client.checks import Ref, agent_numbers, group_uuid, identifier
from voxpop.client.findings import Findings
from voxpop.client.pagination import by_offset
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import UsageError
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.wire.attestations import Attestation, AttestationResponse
from voxpop.wire.groups import Group
from voxpop.wire.studies import (
    COMPLETION_STEPS,
    CompleteIn,
    CompleteResponse,
    RemoveAgentsIn,
    RemoveAgentsResponse,
    ShareIn,
    ShareResponse,
    Study,
    StudyAgent,
    StudyAgents,
    StudyIn,
    StudyList,
    StudyResponse,
)
from voxpop.wire.waves import NextWaveIn, NextWaveResponse, Wave, WaveList

if TYPE_CHECKING:
    import pyarrow as pa


class ShareLink(str):
    """A share link: a URL as text, whose repr hides the secret part.

    Examples
    --------
    >>> ShareLink("http://127.0.0.1:8000/shared/abcdefgh")
    <share link http://127.0.0.1:8000/shared/…; print() shows it, whoever has it can read the study>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return (
            f"<share link {self.rpartition('/')[0]}/…; print() shows it, whoever has it can read the study>"
        )


class Sharing(ShareResponse):
    """The sharing state of a study; its repr hides the link, which is a secret."""

    @property
    def link(self) -> ShareLink | None:
        """The share link, or None if the study is not shared."""
        found = self.share_link or self.url or (self.model_extra or {}).get("share_url")
        return ShareLink(found) if found and self.enabled is not False else None

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        yield "enabled", self.enabled
        yield "link", self.link


class Studies:
    """``client.studies``: studies, each with one group."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        title: str,
        objective: str | None = None,
        *,
        group: Group | str,
        idempotency_key: str | None = None,
    ) -> Study:
        """Create a study on a group.

        Parameters
        ----------
        title : str
            1 to 300 characters.
        objective : str, optional
            Objective of the study.
        group : Group or str
            The group to ask, or its UUID; an integer id is not accepted.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.
        """
        sent = body(StudyIn, title=title, objective=objective, research_group_uuid=group_uuid(group))
        return read(StudyResponse, self._transport.post("/research-studies", sent, key=idempotency_key)).study

    def list(self) -> Iterator[Study]:
        """Iterate over the studies of the organization, newest first."""

        def fetch(limit: int, offset: int) -> tuple[Sequence[Study], int | None]:
            page = read(
                StudyList, self._transport.get("/research-studies", {"limit": limit, "offset": offset})
            )
            return page.studies or (), page.total

        return by_offset(fetch)

    def get(self, study: Ref) -> Study:
        """Return one study."""
        answer = self._transport.get(_path(study))
        return read(Study, answer.get("study", answer) if isinstance(answer, dict) else answer)

    def complete(
        self, study: Ref, *, steps: Iterable[str] | None = None, force: bool = False
    ) -> CompleteResponse:
        """Queue the analysis of a study whose question jobs have all ended.

        Parameters
        ----------
        study : Study or its id
            The study.
        steps : list of str, optional
            Steps to run; by default all six in order.
        force : bool
            Whether to run finished steps again.
        """
        chosen = _steps(steps)
        sent = {"force": bool(force)} | ({} if chosen is None else body(CompleteIn, steps=chosen))
        answer = self._transport.post(f"{_path(study)}/complete", sent)
        if isinstance(answer, dict) and "job_id" not in answer and isinstance(answer.get("job"), dict):
            answer = {**answer, "job_id": answer["job"].get("id")}
        return read(CompleteResponse, answer)

    def analysis(self, study: Ref) -> Findings:
        """Return the findings of the completion steps."""
        return read(Findings, self._transport.get(f"{_path(study)}/analysis"))

    def attestation(self, study: Ref) -> Attestation:
        """Return the attestation of a study: digests of its data, signed by the service."""
        return read(AttestationResponse, self._transport.get(f"{_path(study)}/attestation")).attestation

    def share(self, study: Ref) -> Sharing:
        """Open the study's share page, readable by anyone with the link; sharing again makes a new link."""
        return self._share(study, True)

    def unshare(self, study: Ref) -> Sharing:
        """Close the study's share page at once."""
        return self._share(study, False)

    def sharing(self, study: Ref) -> Sharing:
        """Return whether the study is shared, with its link."""
        return read(Sharing, self._transport.get(f"{_path(study)}/share"))

    def agents(self, study: Ref) -> Sequence[StudyAgent]:
        """Return the agents of a study in group order, including removed ones, which are marked."""
        return read(StudyAgents, self._transport.get(f"{_path(study)}/agents")).agents

    def agent_table(self, study: Ref) -> pa.Table | None:
        """Return the agents of a study as an Arrow table, or None if the service does not support Arrow."""
        with batches(self._transport, f"{_path(study)}/agents") as found:
            return None if found is None else table_of(found)

    def remove_agents(self, study: Ref, agent_ids: Iterable[int]) -> RemoveAgentsResponse:
        """Remove agents from a study; earlier answers stay and are marked.

        Parameters
        ----------
        study : Study or its id
            The study.
        agent_ids : list of int
            Agent ids, for example ``[17, 42]``; neither UUIDs nor text.
        """
        sent = body(RemoveAgentsIn, agent_ids=agent_numbers(agent_ids))
        return read(RemoveAgentsResponse, self._transport.delete(f"{_path(study)}/agents", sent))

    def next_wave(
        self,
        study: Ref,
        *,
        refresh: float = 0.0,
        attrition: float = 0.0,
        seed: int | None = None,
        title: str | None = None,
        objective: str | None = None,
        idempotency_key: str | None = None,
    ) -> NextWaveResponse:
        """Create a study of the same people again; it asks nothing yet.

        Parameters
        ----------
        study : Study or its id
            The latest wave so far.
        refresh : float
            Share of its agents, 0 to 1, that is replaced by fresh ones, each from the same quota or
            stratum of its group, and screened as it was; fresh agents were in no earlier wave.
        attrition : float
            Share of its agents, 0 to below 1, that drops out without replacement.
        seed : int, optional
            Seed of the draws; by default the service derives one from the study and the wave.
        title, objective : str, optional
            Of the new study; by default those of the study.
        idempotency_key : str, optional
            Repeating the call with the same key and arguments within 24 hours returns the first response
            and has no further effect. By default each call has its own key.
        """
        sent = body(
            NextWaveIn, refresh=refresh, attrition=attrition, seed=seed, title=title, objective=objective
        )
        answer = self._transport.post(f"{_path(study)}/next-wave", sent, key=idempotency_key)
        return read(NextWaveResponse, answer)

    def waves(self, study: Ref) -> Sequence[Wave]:
        """Return the waves of a study's panel, first to last."""
        return read(WaveList, self._transport.get(f"{_path(study)}/waves")).waves

    def _share(self, study: Ref, enabled: bool) -> Sharing:
        return read(Sharing, self._transport.post(f"{_path(study)}/share", body(ShareIn, enabled=enabled)))


def _path(study: Ref) -> str:
    return f"/research-studies/{identifier(study, 'study')}"


def _steps(steps: Iterable[str] | None) -> list[str] | None:
    if steps is None:
        return None
    chosen = [steps] if isinstance(steps, str) else list(steps)
    for step in chosen:
        if step not in COMPLETION_STEPS:
            near = did_you_mean(nearest(str(step), COMPLETION_STEPS, cutoff=0.3)) or "."
            raise UsageError(
                f"steps: {step!r} is no completion step{near} They are {', '.join(COMPLETION_STEPS)}."
            )
    return chosen
