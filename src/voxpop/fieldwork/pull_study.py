"""Pull of one study with its questions, answers, agents, group and failures into a store."""

from __future__ import annotations

import hashlib
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

from voxpop.client.checks import Ref
from voxpop.client.polling import Clock, utc_now
from voxpop.errors import ServiceError, StoreError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.fieldwork.progress import Say
from voxpop.fieldwork.pull_group import pull_group

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.tables import Saved, Store
    from voxpop.wire.attestations import Attestation
    from voxpop.wire.questions import Question
    from voxpop.wire.studies import Study

T = TypeVar("T")

NOT_THERE = (404, 405)
"""Status codes of a service that lacks an addition to the documented interface."""

_TELL_EVERY = 0.25


def pull_study(
    client: Client,
    study: Ref,
    into: Store,
    *,
    attachments: bool = False,
    again: bool = False,
    say: Say | None = None,
    clock: Clock = utc_now,
) -> Saved:
    """Pull one study from the service into a store; see :meth:`voxpop.fieldwork.Study.pull`.

    Parameters
    ----------
    client, study, into
        The service, the study and the store.
    attachments : bool
        Whether to pull the bytes of attached files as well as their metadata.
    again : bool
        Whether to read answers again that are already in the store.
    say : callable, optional
        Called with the progress as a short text.
    clock : callable
        Returns the current time.
    """
    known = with_uuid(client, client.studies.get(study))
    questions = client.questions.list(known, answers=False)
    source = source_of(client, clock)
    after = 0 if again else _newest(into, known)
    with client.questions.answer_batches(known, after=after) as answers:  # streams while the rest is read
        parts = _parts(client, known, into, source) | {"study": known, "questions": questions}
        with ThreadPoolExecutor(1, thread_name_prefix="voxpop-attestation") as beside:
            signed = beside.submit(_attestation, client, known)  # the service signs while the store writes
            saved = into.save_study(answers=_counted(answers, parts, say), **parts)
    if lacking := _lacking(into, known, questions):  # answers out of order, or a stream cut off
        with client.questions.answer_batches(known) as answers:
            saved = into.save_study(answers=_counted(answers, parts, say), **parts)
        lacking = _lacking(into, known, questions)
    if lacking:
        warnings.warn(
            f"{known.title or known.id!r}: the service counts {lacking:,} more answers than it returns.",
            FieldworkWarning,
            stacklevel=3,
        )
    attest(client, known, into, signed.result())
    if attachments:
        pull_bytes(client, into, [one for question in questions for one in question.attachments or ()])
    return saved


def attest(client: Client, study: Study, into: Store, signed: Attestation | None) -> bool:
    """Save the service's attestation of a study in the store, and record its key.

    Parameters
    ----------
    client, study, into
        The service, the study and the store.
    signed : Attestation or None
        The attestation made while the study was saved. It is read again if answers were added since.

    Returns
    -------
    bool
        Whether the attestation matches the study in the store; false while answers are being produced.
    """
    from voxpop.tables import trust  # imported where used: loads the table readers
    from voxpop.tables.signed import keep

    if signed is None:
        return False
    try:
        if not keep(into, study, signed):
            signed = _attestation(client, study)
            if signed is None or not keep(into, study, signed):
                return False
        warned = trust.note(signed, client.base_url)
    except StoreError as error:
        warnings.warn(
            f"{study.title or study.id!r} was pulled unsigned: {error}", FieldworkWarning, stacklevel=4
        )
        return False
    for warning in warned:
        warnings.warn(warning, FieldworkWarning, stacklevel=4)
    return True


def _attestation(client: Client, study: Study) -> Attestation | None:
    return offered(lambda: client.studies.attestation(study))


def source_of(client: Client, clock: Clock) -> dict[str, Any]:
    """Return the origin of rows: address, version and population, without keys."""
    told = client.about()
    return {
        "base_url": client.base_url,
        "version": told.get("version"),
        "population": told.get("population"),
        "pulled_at": clock(),
    }


def offered(read: Callable[[], T]) -> T | None:
    """Return the result of a read that is an addition to the interface; None if the service lacks it."""
    try:
        return read()
    except ServiceError as error:
        if error.status not in NOT_THERE:
            raise
        return None


def with_uuid(client: Client, study: Study) -> Study:
    """Give a study from a service without UUIDs a UUID that is always the same."""
    if study.uuid:
        return study
    made = str(uuid5(NAMESPACE_URL, f"{client.base_url}/research-studies/{study.id}"))
    return study.model_copy(update={"uuid": made})


def pull_bytes(client: Client, into: Store, attachments: Iterable[Any]) -> int:
    """Pull attachment bytes that the store lacks; return the number of files pulled."""
    asked = {one.id for one in attachments if one.id is not None}
    lacking = into.sql(
        "SELECT question_uuid, attachment_uuid, attachment_id FROM attachments WHERE content IS NULL"
    ).fetchall()
    came = 0
    for question_uuid, attachment_uuid, number in lacking:
        if number not in asked:
            continue
        content = offered(lambda number=number: client.media.content(number))  # type: ignore[misc]
        if content is not None:
            digest = hashlib.sha256(content).hexdigest()
            into.save_content(question_uuid, attachment_uuid, content, digest)
            came += 1
    return came


def _parts(client: Client, study: Study, into: Store, source: dict[str, Any]) -> dict[str, Any]:
    """Read the parts of a study other than its answers, and pull its group."""
    agents, saved = offered(lambda: _agents(client, study)), None
    if group := study.research_group_uuid:
        saved = offered(lambda: pull_group(client, group, into, source, agents))
    return {
        "agents": agents,
        "agents_saved": bool(saved),
        "profiles": _profiles(client, study) if agents is None else None,
        "unanswered": offered(lambda: client.questions.unanswered(study)),
        "source": source,
    }


def _counted(batches: Iterator[Any], parts: dict[str, Any], say: Say | None) -> Iterator[Any]:
    """Show the number of answers pulled, the total and the rate."""
    if say is None:
        yield from batches
        return
    title = parts["study"].title or f"study {parts['study'].id}"
    total = sum(question.answer_count or 0 for question in parts["questions"])
    begun = told = time.perf_counter()
    rows = 0
    for batch in batches:
        yield batch
        rows += len(batch)
        now = time.perf_counter()
        if now - told >= _TELL_EVERY:
            told = now
            of = f" of {total:,}" if total >= rows else ""
            say(f"pulling {title!r}: {rows:,}{of} answers, {rows / (now - begun):,.0f} a second")


def _profiles(client: Client, study: Study) -> Sequence[Any] | None:
    """Return the agents of the study's group, for services that do not list a study's agents."""
    uuid = study.research_group_uuid
    return offered(lambda: client.groups.agents(uuid)) if uuid else None


def _agents(client: Client, study: Study) -> Any:
    found = client.studies.agent_table(study.id)
    return client.studies.agents(study.id) if found is None else found


def _newest(store: Store, study: Study) -> int:
    """Return the highest id among the study's answers in the store, or 0."""
    held = store.sql(
        "SELECT epoch_us(s.created_at), max(a.answer_id) FROM studies s JOIN answers a USING (study_uuid) "
        "WHERE study_uuid = ? GROUP BY ALL",
        [study.uuid],
    ).fetchall()
    if len(held) != 1 or study.created_at is None or held[0][0] != _microseconds(study.created_at):
        return 0
    return int(held[0][1] or 0)


def _microseconds(moment: datetime) -> int:
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1_000_000)


def _lacking(store: Store, study: Study, questions: Iterable[Question]) -> int:
    """Return how many of the answers that the service counted are missing in the store."""
    held = store.sql("SELECT count(*) FROM answers WHERE study_uuid = ?", [study.uuid]).fetchall()
    return max(0, sum(question.answer_count or 0 for question in questions) - int(held[0][0]))
