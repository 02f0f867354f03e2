"""Wire models: strict on input, open on output, with a description of each field."""

from __future__ import annotations

import importlib
import pkgutil
from datetime import UTC, datetime

import pytest
from pydantic import BaseModel, ValidationError

import voxpop.wire
from voxpop.wire.base import In, Out
from voxpop.wire.groups import Group, RecruitIn
from voxpop.wire.jobs import Job
from voxpop.wire.questions import Answer, AskIn
from voxpop.wire.studies import RemoveAgentsIn, Study

MODELS = {
    model
    for module in pkgutil.iter_modules(voxpop.wire.__path__)
    for model in vars(importlib.import_module(f"voxpop.wire.{module.name}")).values()
    if isinstance(model, type) and issubclass(model, BaseModel) and model not in (BaseModel, In, Out)
}


def by_name(model: type[BaseModel]) -> str:
    return model.__name__


@pytest.mark.parametrize("model", sorted(MODELS, key=by_name), ids=by_name)
def test_every_model_is_strict_in_or_open_out_and_explains_its_fields(model: type[BaseModel]) -> None:
    assert issubclass(model, In) != issubclass(model, Out)
    assert model.model_config["extra"] == ("forbid" if issubclass(model, In) else "allow")
    assert model.__doc__
    assert [name for name, field in model.model_fields.items() if not field.description] == []


@pytest.mark.parametrize("size", ["5", 5.0, True, 0, 10_001, None])
def test_what_is_sent_has_exact_types_and_bounds(size: object) -> None:
    with pytest.raises(ValidationError, match="group_size"):
        RecruitIn.model_validate({"filters": {}, "group_size": size})


def test_what_is_sent_knows_its_fields() -> None:
    with pytest.raises(ValidationError, match="size"):
        RecruitIn.model_validate({"filters": {}, "group_size": 5, "size": 5})


@pytest.mark.parametrize("text", ["", "   ", "x" * 10_001])
def test_a_question_has_words(text: str) -> None:
    with pytest.raises(ValidationError):
        AskIn(question=text)


@pytest.mark.parametrize("key", ["Age", "1st", "a-b", "a\n", "", "ä"])
def test_a_key_is_a_variable_name(key: str) -> None:
    with pytest.raises(ValidationError, match="key"):
        AskIn(question="Why?", key=key)


def test_tuples_may_be_sent_where_lists_are_meant() -> None:
    assert AskIn(question="Which?", options=("a", "b")).options == ["a", "b"]
    assert RemoveAgentsIn(agent_ids=(1, 2)).agent_ids == [1, 2]


def test_what_is_read_keeps_what_it_does_not_know() -> None:
    study = Study.model_validate({"id": 1, "uuid": "u", "title": "t", "stage": "paused", "mood": "good"})
    assert (study.stage, study.mood) == ("paused", "good")


def test_a_job_needs_no_more_than_the_interface_gives() -> None:
    job = Job.model_validate({"id": "job_1", "status": "queued", "result": None, "error": None, "meta": {}})
    assert (job.status, job.meta.poll_after_s, job.domain_status) == ("queued", None, None)


def test_times_are_utc_with_a_z() -> None:
    group = Group(
        id=1, uuid="u", name="g", agent_count=0, created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    )
    assert group.model_dump(mode="json")["created_at"] == "2026-01-02T03:04:05Z"


@pytest.mark.parametrize("value", [True, False, 3, 3.5, "tea", ["tea", "milk"], None])
def test_a_coded_answer_keeps_its_type(value: object) -> None:
    read = Answer.model_validate({"id": 1, "agent_id": 1, "response_text": "x", "value": value}).value
    assert (read, type(read)) == (value, type(value))
