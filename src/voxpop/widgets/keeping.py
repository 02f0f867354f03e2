"""Questions that are written and not yet asked, kept on disk: a restart of the kernel loses nothing."""

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
"""How many studies' drafts are kept; the oldest go first."""


def place(study_uuid: str) -> Path:
    """Return the file for a study's drafts."""
    return home() / "panels" / f"{study_uuid}.json"


def keep(study_uuid: str, drafts: list[dict[str, Any]]) -> None:
    """Write the drafts, all or nothing; without any the file goes."""
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
    """Return the drafts that were kept; none when there are none or, with a warning, the file is damaged."""
    path = place(study_uuid)
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return [dict(one) for one in held["questions"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:  # of whatever stands in the file
        logger.warning("The drafts in %s cannot be read and are left out: %s", path, error)
        return []
