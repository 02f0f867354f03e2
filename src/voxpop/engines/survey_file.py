"""Files of human surveys: one Parquet file with the coded respondents and their codebook."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from voxpop.engines.human_survey import SEVERAL, Asked, Axis, HumanSurvey
from voxpop.errors import UsageError

SUFFIX = ".knowledge"
_ABOUT, _FORMAT = b"voxpop_knowledge", 1


def save_survey(survey: HumanSurvey, path: str | Path) -> Path:
    """Write a survey to a file that only its owner can read, and return its path.

    The file holds coded profiles, weights and answers of people: it is as confidential as the survey itself.

    Parameters
    ----------
    survey, path
        The survey, and the file, which is replaced.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, Any] = {"weight": survey.weights}
    for number, axis in enumerate(survey.axes):
        columns[f"axis_{number}"] = axis.places
    for number, one in enumerate(survey.asked):
        parts = one.values.T if one.kind == SEVERAL else [one.values]
        columns |= {f"asked_{number}_{part}": np.ascontiguousarray(held) for part, held in enumerate(parts)}
    about = {"format": _FORMAT, "digest": survey.digest, **survey.described()}
    table = pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(about).encode()})
    target = Path(path).expanduser()
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            pq.write_table(table, file, compression="zstd")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target


def open_survey(path: str | Path) -> HumanSurvey:
    """Read a survey from a file.

    Raises
    ------
    UsageError
        The file is missing, or is not a complete file of this kind.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    source = Path(path).expanduser()
    if not source.is_file():
        raise UsageError(f"There is no file {source}; write one with vp.knowledge(...).save(...).")
    try:
        table = pq.read_table(source)
    except (pa.ArrowException, OSError) as error:
        raise _not_ours(source) from error
    written = (table.schema.metadata or {}).get(_ABOUT)
    if written is None:
        raise _not_ours(source)
    about = json.loads(written)
    if about["format"] != _FORMAT:
        raise UsageError(f"{source} was written by a newer voxpop (format {about['format']}); upgrade.")
    made = _made(about, {name: table[name].to_numpy() for name in table.column_names})
    if made.digest != about["digest"]:
        raise UsageError(f"{source} was changed after it was written; write it again with save.")
    return made


def opened_survey(given: object) -> HumanSurvey | None:
    """Return the survey of a path, of a survey, or of an object with the attribute ``survey``.

    Raises
    ------
    UsageError
        The file cannot be read, or the object is no survey.
    """
    if given is None or isinstance(given, HumanSurvey):
        return given
    if isinstance(given, str | Path):
        return open_survey(given)
    held = getattr(given, "survey", None)
    if isinstance(held, HumanSurvey):
        return held
    raise UsageError(
        f"knowledge must be vp.knowledge(...) or the path of a {SUFFIX} file, not {type(given).__name__}."
    )


def _made(about: dict[str, Any], columns: dict[str, Any]) -> HumanSurvey:
    axes = []
    for number, told in enumerate(about["axes"]):
        held: dict[str, Any] = {name: tuple(told[name]) for name in ("levels", "starts", "parents")}
        axes.append(Axis(**{**told, **held, "places": columns[f"axis_{number}"].astype(np.int16)}))
    asked = []
    for number, told in enumerate(about["asked"]):
        parts = [
            columns[f"asked_{number}_{part}"]
            for part in range(max(1, len(told["options"])))
            if f"asked_{number}_{part}" in columns
        ]
        values = np.column_stack(parts) if told["kind"] == SEVERAL else parts[0]
        asked.append(Asked(told["name"], told["wording"], told["kind"], tuple(told["options"]), values))
    weights = columns["weight"]
    return HumanSurvey(about["name"], about["country"], weights, tuple(axes), tuple(asked), about["fielded"])


def _not_ours(source: Path) -> UsageError:
    return UsageError(f"{source} is not a saved survey; write one with vp.knowledge(...).save(...).")
