"""A study from the first question to the share link, on a full service and on a documented one."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from small_service import Service

import voxpop as vp
from voxpop.client import Polling
from voxpop.errors import JobFailed, JobTimeout, UsageError
from voxpop.fieldwork import FieldworkWarning


@pytest.fixture
def service() -> Service:
    return Service(additions=True)


@pytest.fixture
def documented() -> Service:
    """A service with the documented interface only."""
    return Service(additions=False)


@pytest.fixture(params=["with additions", "as documented"])
def either(request: pytest.FixtureRequest) -> Service:
    """One after the other."""
    return Service(additions=request.param == "with additions")


def study_of(service: Service, **options: Any) -> vp.Study:
    client = service.client(**options)
    group = vp.recruit(client, {"country": "USA"}, 4)
    return vp.Study.create(client, group, title="Snacks", objective="Who would switch?")


def test_the_whole_way(either: Service) -> None:
    study = study_of(either)
    question = study.ask("Would you switch?", key="switch", type="yes_no")
    assert (question.key, question.asked_count, question.answer_count, question.failed_count) == (
        "switch",
        4,
        4,
        0,
    )
    assert study.complete().steps
    assert str(study.share()).startswith("http://service.test/shared/")
    assert study.unshare() is None
    assert len(study.answers()) == 4
    assert [found.answers for found in study.questions()] == [[]]


def test_the_documented_waits_hold_where_the_service_gives_no_hint(documented: Service) -> None:
    documented.looks_before_the_end = 2
    study_of(documented).ask("Why?")
    assert documented.slept[:3] == [45.0, 20.0, 20.0]


def test_hints_make_waiting_short(service: Service) -> None:
    service.looks_before_the_end = 2
    study_of(service).ask("Why?")
    assert service.slept[:3] == [0.5, 0.25, 0.25]


def test_failed_answers_are_counted_and_warned_of(either: Service) -> None:
    either.failing = {2}
    study = study_of(either)
    with pytest.warns(FieldworkWarning, match="1 of 4 agents failed to answer 'why'"):
        question = study.ask("Why?", key="why")
    assert (question.asked_count, question.answer_count, question.failed_count) == (4, 3, 1)


@pytest.mark.parametrize(
    ("failing", "words"), [({2}, "'why'. The reason: Reason 2."), ({1, 2, 3}, "'why'. Most often: Reason 2.")]
)
def test_the_warning_says_why_they_failed(service: Service, failing: set[int], words: str) -> None:
    service.failing = failing
    study = study_of(service)
    with pytest.warns(FieldworkWarning) as seen:
        study.ask("Why?", key="why")
    (one,) = seen
    assert str(one.message).endswith(words)
    assert one.filename == __file__


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"question": ""}, "1 to 10,000"), ({"key": "Two Words"}, "two_words"), ({"type": "yesno"}, "yes_no")],
)
def test_mistakes_in_a_question_are_found_before_the_call(service: Service, wrong: Any, words: str) -> None:
    study = study_of(service)
    before = len(service.calls)
    given = {"question": "Why?"} | wrong
    with pytest.raises(UsageError, match=words):
        study.ask(given.pop("question"), **given)
    assert len(service.calls) == before


@pytest.mark.parametrize(
    ("text", "warned"), [("Why? And when?", True), ("Really??", False), ("Say why.", False)]
)
def test_two_questions_in_one_are_warned_of_and_asked(service: Service, text: str, warned: bool) -> None:
    study = study_of(service)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        study.ask(text)
    assert [issubclass(one.category, FieldworkWarning) for one in seen] == [True] * warned
    assert len(service.questions) == 1


def test_not_waiting_returns_at_once_and_wait_takes_it_up(service: Service) -> None:
    study = study_of(service)
    first = study.ask("One?", key="one", wait=False)
    assert (service.slept, first.answer_count) == ([], 0)
    study.ask("Two?", key="two", wait=False)
    assert [question.answer_count for question in study.wait()] == [4, 4]


def test_the_next_question_waits_for_the_one_before(either: Service) -> None:
    study = study_of(either)
    study.ask("One?", wait=False)
    study.ask("Two?")
    asked = [
        number
        for number, call in enumerate(either.calls)
        if call.method == "POST" and "questions" in call.url.path
    ]
    between = either.calls[asked[0] + 1 : asked[1]]
    assert any("/jobs/job_1_" in call.url.path for call in between)


def test_waiting_that_was_cut_off_is_taken_up_by_wait(service: Service) -> None:
    service.looks_before_the_end = 50
    study = study_of(service, polling=Polling(deadline=3))
    with pytest.raises(JobTimeout, match="wait again later"):
        study.ask("Why?")
    for job in service.jobs.values():
        job["looks"] = 0
    assert study.wait()[0].answer_count == 4


def test_a_study_opened_anew_waits_by_counts(service: Service) -> None:
    study_of(service).ask("Why?", key="why", wait=False)
    again = vp.Study.open(service.client(polling=Polling(step=5, deadline=8)), 1)
    with pytest.raises(JobTimeout, match="4 of 4 answers"):
        again.wait()
    for job_id in service.jobs:
        service._job(job_id)
    assert again.wait()[0].answer_count == 4


def test_completing_waits_for_open_questions_first(service: Service) -> None:
    study = study_of(service)
    study.ask("Why?", wait=False)
    analysis = study.complete(steps=["stats"])
    assert analysis.steps == {"stats": {"agents": 4}}
    assert service.bodies[-1] == {"force": False, "steps": ["stats"]}


def test_completing_without_waiting_is_waited_for_by_the_next_call(service: Service) -> None:
    study = study_of(service)
    study.complete(wait=False)
    assert service.slept == []
    study.complete()
    assert service.slept != []
    assert service.paths("POST").count("/research-studies/1/complete") == 1


def test_without_an_analysis_page_the_jobs_result_is_the_analysis(documented: Service) -> None:
    found = study_of(documented).complete()
    assert found.steps == {"summary": "done"}


@pytest.mark.parametrize(
    ("end", "code", "words"),
    [
        (
            {"status": "failed", "error": {"code": "no_answers", "message": "Nothing to read."}},
            "no_answers",
            "Nothing",
        ),
        (
            {"status": "finished", "domain_status": "needs_clarification"},
            "needs_clarification",
            "needs_clarification",
        ),
    ],
)
def test_finished_is_not_success_when_the_domain_status_says_otherwise(
    either: Service, end: Any, code: str, words: str
) -> None:
    either.analysis_status = end
    study = study_of(either)
    with pytest.raises(JobFailed, match=words) as caught:
        study.complete()
    assert (caught.value.job_id, caught.value.code) == ("job_c", code)


def test_agents_are_removed_by_their_numbers(service: Service) -> None:
    study = study_of(service)
    assert study.remove_agents([2]) == [2]
    assert "3 agents" in repr(study)


def test_it_shows_what_it_is_and_no_secret(service: Service) -> None:
    study = study_of(service)
    assert repr(study) == "<Study 1 'Snacks': active, 4 agents, 0 questions>"
    study.ask("Why?")
    assert repr(study).endswith("1 question>")
    link = study.share()
    shown = repr(study) + study._repr_html_() + repr(link) + repr(vars(study))
    assert "Snacks" in study._repr_html_()
    assert "sss" not in shown
    assert "k3y" not in shown


def test_titles_are_escaped(service: Service) -> None:
    client = service.client()
    study = vp.Study.create(client, "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11", title="<script>x</script>")
    assert "<script>" not in study._repr_html_()
