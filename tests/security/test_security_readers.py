"""Readers of untrusted text and files accept any input or refuse it with one sentence."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import voxpop as vp
from voxpop.engines.question import Question
from voxpop.errors import InvalidRequest, StoreError
from voxpop_simulator.questions.question_words import read_question

KINDS = ("open", "yes_no", "single_choice", "multi_choice", "scale", "number", "ranking")
WORDS = st.sampled_from(
    (
        *(
            "Would you",
            "How much",
            "which",
            "from 1 to",
            "(a) tea",
            "(b) coffee",
            "rank",
            "select all",
            "dollars",
        ),
        *(
            "0 = never",
            "10 = always",
            "1",
            "5",
            "or",
            "?",
            ",",
            ":",
            "-",
            "/",
            "\n",
            "$",
            "%",
            "\u202e",
            "🙂",
        ),
    )
)
SCALES = st.none() | st.fixed_dictionaries({"min": st.integers(-9, 9), "max": st.integers(-9, 9)})
SHORT, LONG = 400, 20_000


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=examples == SHORT,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


both = pytest.mark.parametrize(
    "examples", [SHORT, pytest.param(LONG, marks=pytest.mark.slow)], ids=["short", "long"]
)


@both
def test_any_words_are_a_question_or_are_refused_with_the_field(examples: int) -> None:
    @profile(examples)
    @given(
        text=st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join)),
        kind=st.none() | st.sampled_from(KINDS),
        options=st.none() | st.lists(st.text(max_size=20), max_size=6),
        scale=SCALES,
        shuffle=st.booleans(),
    )
    def read(text: str, kind: str | None, options: list[str] | None, scale: Any, shuffle: bool) -> None:
        try:
            found = read_question(text, type=kind, options=options, scale=scale, shuffle_options=shuffle)
        except InvalidRequest as refused:
            named.add(",".join(refused.details["fields"]))
            return
        assert isinstance(found, Question)
        assert found.type in KINDS
        assert len(set(found.options)) == len(found.options)
        if found.scale is not None:
            assert found.scale.min < found.scale.max
        again = read_question(
            found.text,
            type=found.type,
            options=list(found.options) or None,
            scale=None if found.scale is None else {"min": found.scale.min, "max": found.scale.max},
        )
        assert (again.type, again.options) == (found.type, found.options)

    named: set[str] = set()
    read()
    assert "" not in named
    assert len(named) > 2


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small export, whole."""
    folder = tmp_path_factory.mktemp("readers") / "export"
    with vp.local(agents=3_000) as client, vp.Store() as store:
        study = vp.Study.create(client, vp.recruit(client, vp.where(country="USA"), 5, seed=1), title="t")
        study.ask("Do you smoke?", key="smoke")
        study.pull(into=store)
        store.export(study, folder)
    return folder


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("../../x"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def changed(data: Any, draw: Any) -> Any:
    """Return JSON with one value somewhere replaced, taken out or doubled."""
    if isinstance(data, dict) and data and draw(st.integers(0, 3)):
        name = draw(st.sampled_from(sorted(data)))
        if not draw(st.integers(0, 5)):
            return {key: value for key, value in data.items() if key != name}
        return data | {name: changed(data[name], draw)}
    if isinstance(data, list) and data and draw(st.integers(0, 3)):
        place = draw(st.integers(0, len(data) - 1))
        return [*data[:place], changed(data[place], draw), *data[place + draw(st.integers(0, 1)) :]]
    return draw(VALUES)


@pytest.mark.parametrize("examples", [25, pytest.param(600, marks=pytest.mark.slow)], ids=["short", "long"])
def test_any_export_opens_and_verifies_or_is_refused_in_a_sentence(
    export: Path, tmp_path: Path, examples: int
) -> None:
    files = sorted(path.relative_to(export) for path in export.rglob("*") if path.is_file())

    @settings(profile(examples), derandomize=examples == 25)
    @given(data=st.data())
    def read(data: st.DataObject) -> None:
        folder = tmp_path / "export"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(export, folder)
        path = folder / data.draw(st.sampled_from(files))
        if path.suffix == ".json":
            told = json.loads(path.read_text(encoding="utf-8"))
            path.write_text(json.dumps(changed(told, data.draw)), encoding="utf-8")
        else:
            held = path.read_bytes()
            at, count = data.draw(st.integers(0, len(held))), data.draw(st.integers(0, 40))
            path.write_bytes(held[:at] + data.draw(st.binary(max_size=40)) + held[at + count :])
        for reading in (lambda: vp.open_export(folder).close(), lambda: vp.verify(folder)):
            with suppress(StoreError):
                reading()

    read()


def test_a_table_whose_columns_have_names_that_are_no_text_is_damaged(export: Path, tmp_path: Path) -> None:
    shutil.copytree(export, tmp_path / "export")
    path = tmp_path / "export" / "data" / "questions.parquet"
    path.write_bytes(path.read_bytes().replace(b"unit", b"uni\x80"))
    report = vp.verify(tmp_path / "export")
    assert not report.ok
    assert "data/questions.parquet" in str(report)
    with pytest.raises(StoreError):
        vp.open_export(tmp_path / "export")


@pytest.mark.parametrize(
    ("name", "value"),
    [("path", []), ("bytes", None), ("bytes", "../x"), ("sha256", 1), ("key", "x"), ("content_sha256", {})],
)
def test_a_manifest_with_values_of_other_kinds_is_malformed(
    export: Path, tmp_path: Path, name: str, value: Any
) -> None:
    shutil.copytree(export, tmp_path / "export")
    path = tmp_path / "export" / "manifest.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    told["files"][1][name] = value
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(StoreError, match=f"malformed: {name} of a file"):
        vp.verify(tmp_path / "export")
