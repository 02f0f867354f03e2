"""Pulls: copy all or some of an organization's studies from a service into a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from voxpop.client.checks import HasId, Ref
from voxpop.client.polling import Clock, utc_now
from voxpop.errors import Forbidden, ServiceError, UsageError
from voxpop.fieldwork.progress import Say, progress
from voxpop.fieldwork.pull_group import pull_group
from voxpop.fieldwork.pull_study import NOT_THERE, pull_bytes, pull_study, source_of

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.tables import Saved, Store


@dataclass(slots=True, repr=False)
class Pulled:
    """Result of a pull.

    Attributes
    ----------
    studies : list of Saved
        One per study, in the order pulled.
    rows : dict of str to int
        Number of groups, direct questions, surveys and usage snapshots pulled.
    left_out : dict of str to str
        What was not pulled, with the reason: the service does not offer it, or the key may not read it.
    """

    studies: list[Saved] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Pulled {self}>"

    def __str__(self) -> str:
        """Return a summary in words."""
        new = sum(saved.answers.new for saved in self.studies)
        changed = sum(saved.answers.changed for saved in self.studies)
        many = len(self.studies)
        parts = [f"{many:,} {'study' if many == 1 else 'studies'} ({new:,} new answers"]
        parts[0] += f", {changed:,} changed)" if changed else ")"
        parts += [f"{rows:,} {name if rows != 1 else name[:-1]}" for name, rows in self.rows.items() if rows]
        told = ", ".join(parts)
        left = "; ".join(f"{name}: {why}" for name, why in self.left_out.items())
        return f"{told}; left out: {left}" if left else told


def pull(
    client: Client,
    into: Store,
    *,
    studies: Ref | Iterable[Ref] | None = None,
    attachments: bool = False,
    again: bool = False,
    clock: Clock = utc_now,
) -> Pulled:
    """Pull studies, or all data of the organization, from a service into a store.

    Pulling again adds new rows and updates changed ones; answers already in the store are not read again.
    Each study is written completely or not at all, so after an interruption the next pull continues with the
    interrupted study.

    Parameters
    ----------
    client : Client
        The service.
    into : Store
        The store.
    studies : study, its id, or a list of these, optional
        Studies to pull. By default everything is pulled: all studies, groups with their members, direct
        questions with their targets and answers, surveys, and the usage.
    attachments : bool
        Whether to pull the bytes of attached files as well as their metadata.
    again : bool
        Whether to read answers again that are already in the store.
    clock : callable
        Returns the current time.

    Returns
    -------
    Pulled
        What was pulled; ``str()`` gives a summary.

    Examples
    --------
    ::

        with vp.Store("everything.duckdb") as store:
            print(vp.pull(client, store))
    """
    if not hasattr(into, "save_study"):
        raise UsageError(f"into must be a store, for example vp.Store('study.duckdb'), not {into!r}.")
    made = Pulled()
    with progress() as say:
        for study in client.studies.list() if studies is None else _each(studies):
            made.studies.append(
                pull_study(client, study, into, attachments=attachments, again=again, say=say, clock=clock)
            )
        if studies is None:
            _Rest(client, into, made, say, source_of(client, clock)).pull(attachments)
    return made


def _each(studies: Ref | Iterable[Ref]) -> Iterable[Ref]:
    if isinstance(studies, int | str | HasId):
        return [studies]
    if not isinstance(studies, Iterable):
        raise UsageError(f"studies must be studies or their ids, for example [1, 2], not {studies!r}.")
    return studies


class _Rest:
    """Pulls everything other than studies."""

    def __init__(
        self, client: Client, into: Store, made: Pulled, say: Say | None, source: dict[str, Any]
    ) -> None:
        self.client, self.into, self.made, self.say, self.source = client, into, made, say, source

    def pull(self, attachments: bool) -> None:
        """Pull each family; skip one that the service lacks or the key may not read."""
        families = {
            "groups": self._groups,
            "direct questions": lambda: self._direct_questions(attachments),
            "surveys": self._surveys,
            "usage snapshots": self._usage,
        }
        for name, rows in families.items():
            self.made.rows[name] = 0
            try:
                for _ in rows():
                    self.made.rows[name] += 1
                    if self.say is not None:
                        self.say(f"pulling {name}: {self.made.rows[name]:,}")
            except Forbidden:
                self.made.left_out[name] = "the key may not read them"
            except ServiceError as error:
                if error.status not in NOT_THERE:
                    raise
                self.made.left_out[name] = "the service does not list them"

    def _groups(self) -> Iterator[Any]:
        for group in self.client.groups.list(archived=True):
            yield pull_group(self.client, group, self.into, self.source)

    def _direct_questions(self, attachments: bool) -> Iterator[Any]:
        for record in self.client.direct_questions.list():
            yield self.into.save_direct_question(record, self.source)
            if attachments:
                pull_bytes(self.client, self.into, record.attachments or ())

    def _surveys(self) -> Iterator[Any]:
        held = self.into.sql("SELECT survey_id, answer_count FROM surveys WHERE status = 'completed'")
        done = set(held.fetchall())
        for survey in self.client.surveys.list():
            known = (survey.id, survey.answer_count) in done
            responses = None if known else self.client.surveys.responses(survey)
            yield self.into.save_survey(survey, responses, self.source)

    def _usage(self) -> Iterator[Any]:
        yield self.into.save_usage(self.client.billing.usage(), self.source)
