"""A study with a small model on a llama.cpp server, which tests the wire format and not the answers.

Not collected without the two packages; see ``small_model``.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_model import NAME, served_model

import voxpop as vp
from voxpop.errors import FieldworkWarning

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_model(tmp_path_factory.mktemp("model") / "log.txt") as address:
        yield address


def test_a_study_runs_from_end_to_end(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.INFO, "voxpop.engines")
    monkeypatch.setenv("VOXPOP_ENGINE_KEY", "none")
    monkeypatch.setenv("VOXPOP_ENGINE_CONCURRENCY", "2")
    monkeypatch.setenv("VOXPOP_ENGINE_TIMEOUT", "120")
    with vp.local(agents=1_000, engine=f"openai:{NAME}", engine_url=url) as client, warnings.catch_warnings():
        warnings.simplefilter("ignore", FieldworkWarning)  # says what `lost` shows below
        group = vp.recruit(client, vp.where(country="USA"), size=2, seed=3)
        study = vp.Study.create(client, group, title="Snacks")
        study.ask("Would you switch to oat milk?", key="switch", type="yes_no")
        study.ask("How much do you like it?", key="like", type="scale", scale=(1, 5))
        study.ask("Which one?", key="which", options=["Oat", "Soy", "Almond"], type="single_choice")
        study.ask("Why?", key="why", type="open")
        answers = list(study.answers())
        lost = [one.error for one in client.questions.unanswered(study.id) if one.error]
        with vp.Store(tmp_path / "snacks.duckdb") as store:
            study.pull(into=store)
        usage = client.billing.usage()
    # Processors round differently, so now and then the model says nothing where it spoke on another machine.
    assert len(answers) + len(lost) == 8
    assert len(answers) >= 4
    assert all("answer was invalid twice" in one.message for one in lost)
    assert {type(one.value) for one in answers} <= {bool, int, str, type(None)}
    assert all(one.response_text for one in answers)
    assert usage.models is not None
    assert usage.models.input_tokens > 8 * 200
    assert "called with a strict JSON schema." in caplog.text
