"""Storage of the attestation of a study."""

from __future__ import annotations

from typing import Any

from voxpop.tables import attested
from voxpop.tables.store import Store


def keep(store: Store, study: Any, attestation: Any) -> bool:
    """Keep an attestation of a study until the study is saved again.

    Returns
    -------
    bool
        Whether it was kept; false if its answers, questions or agents differ from the store.

    Raises
    ------
    StoreError
        The attestation is malformed, or its signature is invalid.
    """
    uuid = store.study_uuid(study)
    with store._writing() as cursor:
        return attested.keep(cursor, uuid, attestation)
