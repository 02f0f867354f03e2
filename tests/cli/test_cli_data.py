"""`voxpop pull`, `export`, `verify` and `diff`, in the process: what they write, and the exit codes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import voxpop as vp
from running_service import Service
from voxpop.cli import main
from voxpop.tables.formats import FORMATS

UPDATE = "UPDATE agents SET age = 99 WHERE agent_id = (SELECT min(agent_id) FROM agents)"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The sample study in a store's file."""
    path = tmp_path / "kept.duckdb"
    with vp.examples.load() as sample, vp.Store(path) as store:
        store.read_parquet(sample.to_parquet(tmp_path / "tables")[0].parent)
    return path


@pytest.fixture(scope="module")
def service(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(home, tmp_path_factory.mktemp("cli"))
    yield running
    running.close()


@pytest.fixture
def connected(service: Service, monkeypatch: pytest.MonkeyPatch) -> str:
    """The settings of a service with two studies."""
    key = service.key()
    monkeypatch.setenv("VOXPOP_BASE_URL", service.base_url)
    monkeypatch.setenv("VOXPOP_API_KEY", key)
    with vp.connect() as client:
        group = vp.recruit(client, vp.where(country="USA"), size=5, seed=2)
        for title in ("Tea", "Coffee"):
            vp.Study.create(client, group, title=title).ask("Do you like it?", key="likes", type="yes_no")
    return key


def test_a_store_is_exported_without_a_service_in_other_forms(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    forms = ["--format", "csv", "--format", "excel"]
    assert main(["export", "Lower-sugar snacks", "--store", str(kept), "--to", str(folder), *forms]) == 0
    assert (folder / "csv/respondents.csv").is_file()
    assert (folder / "excel/study.xlsx").is_file()
    assert main(["verify", str(folder)]) == 0


def test_what_cannot_be_exported_is_one_line(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = ["--to", str(tmp_path / "x")]
    assert main(["export", "1", "--store", str(tmp_path / "none.duckdb"), *to]) == 2
    assert "There is no store" in capsys.readouterr().err
    assert main(["export", "Cakes", "--store", str(kept), *to]) == 1
    assert "no study 'Cakes'" in capsys.readouterr().err
    assert main(["export", "1", "--store", str(kept), "--format", "stata", *to]) == 2
    told = capsys.readouterr().err
    assert "'stata' is unknown" in told
    assert [name for name in FORMATS if name not in told] == []
    assert not (tmp_path / "x").exists()


def test_verify_names_the_cell_and_the_table_and_exits_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(vp.examples.folder(), folder)
    path = folder / "data/answers.parquet"
    table = pq.read_table(path)
    cells = table["value_text"].to_pylist()
    row = next(place for place, key in enumerate(table["key"].to_pylist()) if key == "switch")
    cells[row] = {"yes": "no", "no": "yes"}[cells[row]]
    place = table.column_names.index("value_text")
    pq.write_table(table.set_column(place, "value_text", pa.array(cells)), path)
    assert main(["verify", str(folder)]) == 1
    told = capsys.readouterr().out
    assert "data/answers.parquet: row (key switch, agent_id " in told
    assert "tables/02-crosstab-switch-by-gender-smoking_status.json: computed again it differs" in told


def test_diff_names_what_changed_and_exits_1(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with vp.Store(kept) as store:
        store.export(1, tmp_path / "before")
        store.sql(UPDATE)
        store.export(1, tmp_path / "after")
    assert main(["diff", str(tmp_path / "before"), str(tmp_path / "before")]) == 0
    assert "hold the same data" in capsys.readouterr().out
    assert main(["diff", str(tmp_path / "before"), str(tmp_path / "after")]) == 1
    assert "agents: 1 changed in age" in capsys.readouterr().out
    assert main(["diff", str(tmp_path), str(tmp_path / "after")]) == 1
    assert "not a voxpop export" in capsys.readouterr().err


@pytest.mark.usefixtures("connected")
def test_everything_of_the_organization_is_pulled_without_a_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.duckdb"
    assert main(["pull", "--to", str(path)]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{path}: ")
    assert " studies (" in told
    with vp.Store(path) as store:
        assert store.tables()["studies"] >= 2
        assert store.tables()["groups"] >= 1
    assert main(["pull", "1", "2", "--to", str(path), "--again"]) == 0
    assert "2 studies (0 new answers)" in capsys.readouterr().out


def test_no_service_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pull", "--to", str(tmp_path / "x.duckdb")]) == 2
    assert "Which service?" in capsys.readouterr().err
    monkeypatch.setenv("VOXPOP_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("VOXPOP_API_KEY", "vp_live_x")
    assert main(["pull", "--to", str(tmp_path / "x.duckdb")]) == 1
    assert "127.0.0.1:9" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
