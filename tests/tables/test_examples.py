"""The sample study that comes with voxpop: whole, small, of all types, and in the wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import voxpop as vp
import voxpop.examples
from voxpop.errors import StoreError
from voxpop.vocabulary.question_types import QUESTION_TYPES

ROOT = Path(__file__).parents[2]


def test_it_is_whole_and_its_tables_are_what_its_data_give() -> None:
    report = vp.verify(vp.examples.folder())
    assert report.ok, str(report)


def test_it_is_small_and_has_300_agents_and_8_questions_of_all_types() -> None:
    files = [path for path in vp.examples.folder().rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(path.stat().st_size for path in files) < 2_000_000
    with vp.examples.load() as store:
        rows = store.tables()
        assert (rows["studies"], rows["questions"], rows["agents"]) == (1, 8, 300)
        types = {kind for (kind,) in store.sql("SELECT DISTINCT type::VARCHAR FROM questions").fetchall()}
        assert types == set(QUESTION_TYPES)


def test_it_shows_that_missing_is_of_several_kinds() -> None:
    with vp.examples.load() as store:
        told = dict(store.sql("SELECT status::VARCHAR, count(*) FROM responses GROUP BY 1").fetchall())
        assert told["not_asked"] == 8
        assert told["no_value"] > 0
        assert sum(told.values()) == 8 * 300
        assert store.sql("SELECT count(*) FROM study_agents WHERE removed").fetchall() == [(4,)]
        assert 0 < store.tables()["health_profiles"] < 300


def test_it_holds_no_address_and_no_key() -> None:
    for path in vp.examples.folder().rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert "127.0.0.1" not in text
        assert "vp_live_" not in text


def test_the_wheel_takes_it_along() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    where = built["targets"]["wheel"]["hooks"]["custom"]["archives"]["data/sample_study"]
    assert Path(vp.__file__).parents[1] / where == voxpop.examples._PACKED


def test_without_it_the_message_says_how_it_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("voxpop.examples._CHECKOUT", tmp_path)
    with pytest.raises(StoreError, match=r"python data/make_sample_study.py"):
        vp.examples.load()
