"""What a service has signed of a study, kept in a store beside the study."""

from __future__ import annotations

from typing import Any

from voxpop.tables import attested
from voxpop.tables.store import Store


def keep(store: Store, study: Any, attestation: Any) -> bool:
    """Keep an attestation of a study until the study is saved again.

    Returns
    -------
    bool
        Whether it was kept: not when the signed answers, questions or agents are not those in the store.

    Raises
    ------
    StoreError
        It is malformed, or its signature does not hold.
    """
    uuid = store.study_uuid(study)
    with store._writing() as cursor:
        return attested.keep(cursor, uuid, attestation)
