"""Pulling: a study with its questions, answers and agents, from the service into a store."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from voxpop.client.checks import Ref
from voxpop.errors import ServiceError

if TYPE_CHECKING:
    from voxpop.client import Client
    from voxpop.tables import Saved, Store
    from voxpop.wire.questions import Question
    from voxpop.wire.studies import Study


def pull(client: Client, study: Ref, into: Store) -> Saved:
    """Bring a study from the service into a store.

    Pulling again adds what is new and updates what has changed; answers that the store has are not read
    again.

    Parameters
    ----------
    client : Client
        The service.
    study : Study or its id
        The study.
    into : Store
        The store.

    Returns
    -------
    Saved
        How many questions, agents and answers were new, changed or unchanged.
    """
    known = with_uuid(client, client.studies.get(study))
    questions = client.questions.list(known, answers=False)
    parts = {
        "study": known,
        "questions": questions,
        "agents": _agents(client, known),
        "source": _source(client),
    }
    after = _newest(into, known)
    saved = _save(client, into, parts, after)
    if after and _is_short(into, known, questions):
        saved = _save(client, into, parts, 0)
    return saved


def _source(client: Client) -> dict[str, Any]:
    """Say where a study comes from: address, version and population, without keys."""
    told = client.about()
    return {
        "base_url": client.base_url,
        "version": told.get("version"),
        "population": told.get("population"),
    }


def _save(client: Client, store: Store, parts: dict[str, Any], after: int) -> Saved:
    with client.questions.answer_batches(parts["study"], after=after) as batches:
        if batches is not None:
            return store.save_study(answers=batches, **parts)
    return store.save_study(answers=client.questions.answer_records(parts["study"], after=after), **parts)


def with_uuid(client: Client, study: Study) -> Study:
    """Give a study of a service that tells only numbers a UUID: the same one every time."""
    if study.uuid:
        return study
    made = str(uuid5(NAMESPACE_URL, f"{client.base_url}/research-studies/{study.id}"))
    return study.model_copy(update={"uuid": made})


def _agents(client: Client, study: Study) -> Any:
    """Read the agents of the study; None where the service does not list them, as answers tell of them."""
    try:
        found = client.studies.agent_table(study.id)
        return client.studies.agents(study.id) if found is None else found
    except ServiceError as error:
        if error.status not in (404, 405):
            raise
        return None


def _newest(store: Store, study: Study) -> int:
    """Return the highest number of the study's answers in the store, 0 when it has none."""
    held = store.sql(
        "SELECT epoch_us(s.created_at), max(a.answer_id) FROM studies s JOIN answers a USING (study_uuid) "
        "WHERE study_uuid = ? GROUP BY ALL",
        [study.uuid],
    ).fetchall()
    if len(held) != 1 or study.created_at is None or held[0][0] != _microseconds(study.created_at):
        return 0
    return int(held[0][1] or 0)


def _microseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


def _is_short(store: Store, study: Study, questions: Iterable[Question]) -> bool:
    """Whether the store has fewer answers than the service counts: then one came in out of order."""
    held = store.sql("SELECT count(*) FROM answers WHERE study_uuid = ?", [study.uuid]).fetchall()
    return int(held[0][0]) < sum(question.answer_count or 0 for question in questions)
