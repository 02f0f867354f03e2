"""Storage of unsent questions on disk, which survives a restart of the kernel."""

from __future__ import annotations

import json
import logging
import os
import secrets
from pathlib import Path
from typing import Any

from voxpop.settings import home

logger: logging.Logger = logging.getLogger(__name__)

MOST = 200
"""Maximum number of studies with saved drafts; the oldest are deleted first."""


def place(study_uuid: str) -> Path:
    """Return the path of a study's drafts."""
    return home() / "panels" / f"{study_uuid}.json"


def keep(study_uuid: str, drafts: list[dict[str, Any]]) -> None:
    """Write the drafts atomically; delete the file if there are none."""
    path = place(study_uuid)
    if not drafts:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    draft.write_text(json.dumps({"questions": drafts}, ensure_ascii=False, indent=1), encoding="utf-8")
    os.replace(draft, path)
    held = sorted(path.parent.glob("*.json"), key=lambda one: one.stat().st_mtime, reverse=True)
    for old in held[MOST:]:
        old.unlink(missing_ok=True)


def kept(study_uuid: str) -> list[dict[str, Any]]:
    """Return the saved drafts; empty if there are none or, with a warning, if the file is damaged."""
    path = place(study_uuid)
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return [dict(one) for one in held["questions"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:  # any content is possible in a damaged file
        logger.warning("The drafts in %s cannot be read and are ignored: %s", path, error)
        return []
