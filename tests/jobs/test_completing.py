"""The completion steps: figures that can be recomputed, claims that rest on the answers they name."""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from scipy import stats as scipy_stats

import made_study
from voxpop.engines.agents import Agent
from voxpop.engines.question import Question
from voxpop.jobs.completing import STEPS, complete_study
from voxpop.jobs.evidence import Evidence, gather
from voxpop.jobs.steps import enqueue_completion, run_completion
from voxpop.records import groups, jobs, keys, questions, studies, work_items
from voxpop.records.database import Database
from voxpop.records.questions import Answer, AskedQuestion
from voxpop.vocabulary.shapes import Scale
from voxpop.wire.studies import COMPLETION_STEPS

QUESTIONS, ANSWERS, AGENTS = made_study.study()
BY_ID = {answer.id: answer for answer in ANSWERS}


def gathered(given: Sequence[Answer] = ANSWERS, asked: Sequence[AskedQuestion] = QUESTIONS) -> Evidence:
    return gather(asked, given, AGENTS)


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, Any]]:
    return {step: run(gathered()) for step, run in STEPS.items()}


def named(claim: dict[str, Any]) -> list[Answer]:
    return [BY_ID[number] for number in claim["answer_ids"]]


def figures(results: dict[str, dict[str, Any]], number: int) -> dict[str, Any]:
    return next(row for row in results["stats"]["questions"] if row["question_id"] == number)


# Every step


def test_the_steps_are_those_of_the_wire_in_its_order() -> None:
    assert tuple(STEPS) == COMPLETION_STEPS


@pytest.mark.parametrize("step", STEPS)
def test_every_claim_names_existing_answers_to_its_questions(
    step: str, results: dict[str, dict[str, Any]]
) -> None:
    assert results[step]["claims"]
    for claim in results[step]["claims"]:
        assert claim["text"].endswith((".", "?"))
        assert claim["answer_ids"] == sorted(set(claim["answer_ids"]))
        assert {answer.question_id for answer in named(claim)} == set(claim["question_ids"])
        assert claim["answer_ids"]
        assert 0 <= claim["count"] <= claim["base"]


@pytest.mark.parametrize("step", STEPS)
def test_every_step_says_that_agents_are_simulated(step: str, results: dict[str, dict[str, Any]]) -> None:
    assert any("simulated" in note for note in results[step]["notes"])


def test_results_are_json_and_do_not_depend_on_the_order_of_answers(
    results: dict[str, dict[str, Any]],
) -> None:
    shuffled = list(ANSWERS)
    random.Random(5).shuffle(shuffled)
    again = {step: run(gathered(shuffled)) for step, run in STEPS.items()}
    assert json.dumps(again, allow_nan=False) == json.dumps(results, allow_nan=False)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("asked", [QUESTIONS, []], ids=["nothing answered", "nothing asked"])
def test_a_study_without_answers_has_no_claims(step: str, asked: list[AskedQuestion]) -> None:
    result = STEPS[step](gather(asked, [], {}))
    assert result["claims"] == []
    json.dumps(result, allow_nan=False)


def test_one_answer_is_enough_to_run_and_too_little_to_compare() -> None:
    evidence = gathered([answer for answer in ANSWERS if answer.agent_id == 1])
    results = {step: run(evidence) for step, run in STEPS.items()}
    assert results["key_segments"]["claims"] == results["divergences"]["claims"] == []
    assert figures(results, 2)["sd"] is None
    json.dumps(results, allow_nan=False)


def test_answers_of_removed_agents_are_counted_and_left_out() -> None:
    gone = [replace(answer, agent_removed=answer.agent_id <= 40) for answer in ANSWERS]
    results = {step: run(gathered(gone)) for step, run in STEPS.items()}
    left = {answer.id for answer in gone if not answer.agent_removed}
    assert all(set(claim["answer_ids"]) <= left for result in results.values() for claim in result["claims"])
    assert (figures(results, 2)["base"], figures(results, 2)["removed"]) == (200, 40)
    assert "240 answers of agents removed from the study are left out." in results["stats"]["notes"]


def test_every_claim_about_ten_thousand_agents_rests_on_answers_that_are_there() -> None:
    asked, given, people = made_study.study(10_000)
    more = [replace(asked[0], id=7), replace(asked[3], id=8)]
    given += [
        replace(answer, id=answer.id + 10**7, question_id=target.id)
        for source, target in zip((1, 4), more, strict=True)
        for answer in given[(source - 1) * 10_000 : source * 10_000]
    ]
    evidence = gather([*asked, *more], given, people)
    known = {answer.id for answer in given}
    claims = [claim for run in STEPS.values() for claim in run(evidence)["claims"]]
    assert claims
    assert all(claim["answer_ids"] and known.issuperset(claim["answer_ids"]) for claim in claims)


# stats


def test_distribution_and_base_are_counted_without_those_who_do_not_know(
    results: dict[str, dict[str, Any]],
) -> None:
    row = figures(results, 1)
    values = [made_study.would_switch(number) for number in AGENTS]
    assert (row["asked"], row["answered"], row["failed"]) == (241, 240, 1)
    assert (row["base"], row["no_value"]) == (len(values) - values.count(None), values.count(None))
    assert [(level["label"], level["count"]) for level in row["distribution"]] == [
        ("Yes", values.count(True)),
        ("No", values.count(False)),
    ]


@pytest.mark.parametrize("number", [1, 2, 4, 5, 6])
def test_intervals_are_wilsons(number: int, results: dict[str, dict[str, Any]]) -> None:
    row = figures(results, number)
    for level in row["distribution"]:
        exact = scipy_stats.binomtest(level["count"], row["base"]).proportion_ci(method="wilson")
        assert level["share"] == pytest.approx(level["count"] / row["base"])
        assert (level["ci_low"], level["ci_high"]) == pytest.approx((exact.low, exact.high))


def test_several_choices_sum_above_one_and_an_empty_choice_is_an_answer(
    results: dict[str, dict[str, Any]],
) -> None:
    row = figures(results, 5)
    assert row["base"] == 240
    assert [level["count"] for level in row["distribution"]] == [120, 80, 34]


def test_mean_median_and_spread_are_those_of_the_standard_library(
    results: dict[str, dict[str, Any]],
) -> None:
    values = [made_study.price(number) for number in AGENTS]
    row = figures(results, 2)
    assert row["mean"] == pytest.approx(statistics.fmean(values))
    assert row["median"] == statistics.median(values)
    assert row["sd"] == pytest.approx(statistics.stdev(values))
    expected = scipy_stats.t.interval(0.95, 239, loc=statistics.fmean(values), scale=scipy_stats.sem(values))
    assert (row["mean_ci_low"], row["mean_ci_high"]) == pytest.approx(expected)


def test_the_rows_of_a_number_hold_every_answer_once(results: dict[str, dict[str, Any]]) -> None:
    row = figures(results, 2)
    assert sum(level["count"] for level in row["distribution"]) == row["base"] == 240
    assert 3 <= len(row["distribution"]) <= 10
    assert row["distribution"][0]["label"].startswith("$")


@pytest.mark.parametrize(
    "values",
    [
        [5],
        [5, 5, 5],
        list(range(40)),
        [0.001 * n for n in range(40)],
        [*range(30), 10**9],
        [-3, 4],
        [7] * 30 + list(range(12)),
    ],
)
def test_any_numbers_can_be_laid_out(values: list[float]) -> None:
    asked = made_study.question(1, "number")
    given = made_study.answers(asked, [(n, value, str(value)) for n, value in enumerate(values, start=1)])
    (row,) = STEPS["stats"](gather([asked], given, AGENTS))["questions"]
    assert sum(level["count"] for level in row["distribution"]) == len(values)
    assert len(row["distribution"]) <= 10


def test_a_scale_shows_every_point_and_a_long_one_is_binned() -> None:
    for ends, points in (((1, 5), 5), ((0, 100), None)):
        asked = made_study.question(1, "scale", scale=Scale(*ends))
        given = made_study.answers(asked, [(n, 1 + n % 2 + n % 40, "") for n in range(1, 41)])
        given = [replace(answer, value=min(answer.value, ends[1])) for answer in given]
        (row,) = STEPS["stats"](gather([asked], given, AGENTS))["questions"]
        assert len(row["distribution"]) == points if points else len(row["distribution"]) <= 10
        assert sum(level["count"] for level in row["distribution"]) == 40


def test_an_option_that_nobody_chose_is_there_and_so_is_an_answer_beside_the_options() -> None:
    asked = made_study.question(1, "single_choice", options=("A", "B"))
    given = made_study.answers(asked, [(1, "A", ""), (2, "Z", ""), (3, "A", "")])
    (row,) = STEPS["stats"](gather([asked], given, AGENTS))["questions"]
    assert [(level["label"], level["count"]) for level in row["distribution"]] == [
        ("A", 2),
        ("B", 0),
        ("Z", 1),
    ]


def test_a_ranking_counts_first_places_and_gives_mean_ranks() -> None:
    asked = made_study.question(1, "ranking", options=("A", "B"))
    given = made_study.answers(asked, [(1, ["A", "B"], ""), (2, ["B", "A"], ""), (3, ["B", "A"], "")])
    (row,) = STEPS["stats"](gather([asked], given, AGENTS))["questions"]
    assert [(level["count"], level["mean_rank"]) for level in row["distribution"]] == [
        (1, pytest.approx(5 / 3)),
        (2, pytest.approx(4 / 3)),
    ]


def test_headlines_are_recomputed_from_the_answers_they_name(results: dict[str, dict[str, Any]]) -> None:
    claims = {claim["question_ids"][0]: claim for claim in results["stats"]["claims"]}
    assert {answer.value for answer in named(claims[1])} == {True}
    assert len(claims[1]["answer_ids"]) == claims[1]["count"]
    assert f"({claims[1]['count']} of {claims[1]['base']})" in claims[1]["text"]
    assert claims[2]["median"] == statistics.median(answer.value for answer in named(claims[2]))
    assert {answer.value for answer in named(claims[4])} == {claims[4]["outcome"]}
    assert all(claims[5]["outcome"] in answer.value for answer in named(claims[5]))
    assert claims[6]["mean"] == pytest.approx(statistics.fmean(answer.value for answer in named(claims[6])))


# key_segments


def test_the_cohort_that_answers_differently_is_found_with_its_numbers(
    results: dict[str, dict[str, Any]],
) -> None:
    claim = next(c for c in results["key_segments"]["claims"] if c["question_ids"] == [1])
    assert (claim["attribute"], claim["level"], claim["outcome"]) == ("gender", "male", "Yes")
    men = [n for n in AGENTS if n % 2 and made_study.would_switch(n) is not None]
    yes = [n for n in men if made_study.would_switch(n)]
    women = [n for n in AGENTS if n % 2 == 0 and made_study.would_switch(n) is not None]
    women_yes = [n for n in women if made_study.would_switch(n)]
    assert [answer.agent_id for answer in named(claim)] == yes
    assert (claim["count"], claim["base"]) == (len(yes), len(men))
    others = claim["others"]
    assert (others["count"], others["base"]) == (len(women_yes), len(women))
    assert [BY_ID[number].agent_id for number in others["answer_ids"]] == women_yes
    assert claim["difference"] == pytest.approx(len(yes) / len(men) - len(women_yes) / len(women))
    table = [[len(yes), len(men) - len(yes)], [len(women_yes), len(women) - len(women_yes)]]
    assert claim["p"] == pytest.approx(scipy_stats.chi2_contingency(table, correction=False).pvalue)
    assert claim["p"] <= claim["p_adjusted"] < 0.05
    assert "men say Yes less often than the others" in claim["text"]


def test_small_cohorts_are_shown_flagged_and_not_tested() -> None:
    few = [answer for answer in ANSWERS if answer.agent_id <= 100]
    result = STEPS["key_segments"](gathered(few))
    rows = [row for table in result["questions"] for row in table["cohorts"]]
    assert {row["flag"] for row in rows} == {"*", "**"}
    for row in rows:
        assert (row["p"] is None) == (row["flag"] == "**") or row["share"] in (0, 1)
        if row["base"] < 30:
            assert row["flag"] == "**"
    assert result["tests"] < sum(1 for _ in rows) * 3


def test_agents_without_health_data_are_in_no_health_cohort(results: dict[str, dict[str, Any]]) -> None:
    table = next(t for t in results["key_segments"]["questions"] if t["question_id"] == 2)
    bases = [row["base"] for row in table["cohorts"] if row["attribute"] == "smoking_status"]
    assert len(bases) == 3
    assert sum(bases) == 216


def test_nothing_is_claimed_where_cohorts_answer_alike() -> None:
    asked = made_study.question(1, "yes_no")
    given = made_study.answers(asked, [(n, n * 7919 % 1009 % 2 == 0, "") for n in AGENTS])
    result = STEPS["key_segments"](gather([asked], given, AGENTS))
    assert result["claims"] == []
    assert result["notes"][0].startswith("No cohort")


# divergences and mindsets


def test_sides_of_a_divided_question_name_their_own_answers(results: dict[str, dict[str, Any]]) -> None:
    divided = [claim for claim in results["divergences"]["claims"] if "sides" in claim]
    assert 1 in {claim["question_ids"][0] for claim in divided}
    for claim in divided:
        together = [number for side in claim["sides"] for number in side["answer_ids"]]
        assert sorted(together) == claim["answer_ids"]
        assert [len(side["answer_ids"]) for side in claim["sides"]] == [s["count"] for s in claim["sides"]]
    first = next(claim for claim in divided if claim["question_ids"] == [1])
    for side in first["sides"]:
        assert {BY_ID[number].value for number in side["answer_ids"]} == {side["label"] == "Yes"}


def test_a_minority_view_of_open_answers_is_found(results: dict[str, dict[str, Any]]) -> None:
    views = [claim for claim in results["divergences"]["claims"] if "word" in claim]
    users = [n for n in AGENTS if made_study.reason(n) == made_study.RARE]
    assert users in [[answer.agent_id for answer in named(view)] for view in views]
    for view in views:
        using = [answer.id for answer in ANSWERS if view["word"] in answer.text.lower()]
        assert view["answer_ids"] == [number for number in using if BY_ID[number].question_id == 3]


def test_answers_that_go_together_are_the_same_agents_and_their_lift_is_right(
    results: dict[str, dict[str, Any]],
) -> None:
    claim = next(c for c in results["shared_mindsets"]["claims"] if c["question_ids"] == [1, 6])
    by_question = {number: [a for a in named(claim) if a.question_id == number] for number in (1, 6)}
    assert [a.agent_id for a in by_question[1]] == [a.agent_id for a in by_question[6]]
    assert len(by_question[1]) == claim["count"]
    both = [n for n in AGENTS if made_study.would_switch(n) is not None]
    assert claim["base"] == len(both)
    yes = claim["first"]["outcome"] == "Yes"
    first = {n for n in both if made_study.would_switch(n) is yes}
    second = {n for n in both if (made_study.likely(n) > 5 if yes else made_study.likely(n) < 5)}
    assert claim["lift"] == pytest.approx(len(first & second) * len(both) / (len(first) * len(second)))
    assert claim["count"] == len(first & second)


# overall_summary and next_questions


def test_the_summary_is_three_to_six_sentences_that_are_its_claims(
    results: dict[str, dict[str, Any]],
) -> None:
    summary = results["overall_summary"]
    assert 3 <= len(summary["claims"]) <= 6
    assert summary["text"] == " ".join(claim["text"] for claim in summary["claims"])
    assert summary["claims"][0]["count"] == len(ANSWERS) == len(summary["claims"][0]["answer_ids"])


def test_follow_ups_are_different_questions_that_could_be_asked(results: dict[str, dict[str, Any]]) -> None:
    suggestions = [claim["suggestion"] for claim in results["next_questions"]["claims"]]
    assert 2 <= len(suggestions) <= 5
    assert len({suggestion["question"] for suggestion in suggestions}) == len(suggestions)
    for suggestion in suggestions:
        assert suggestion["question"].rstrip("”").endswith("?")
        assert suggestion["type"] in {"open", "scale", "number"}


def test_reasons_are_asked_for_when_no_open_question_did() -> None:
    coded = [QUESTIONS[4]]
    result = STEPS["next_questions"](gathered(ANSWERS, coded))
    assert any("main reason" in claim["suggestion"]["question"] for claim in result["claims"])


# The job


class People:
    """Stands in for a population: gives the profiles of the made study."""

    def agents(self, ids: Sequence[int]) -> list[Agent]:
        return [AGENTS[number] for number in ids]


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database.open(database_url, clock=lambda: made_study.MOMENT)
    yield opened
    opened.close()


@pytest.fixture
def org(database: Database) -> int:
    with database.begin() as c:
        return keys.create_organization(c, "Snack Research")


@pytest.fixture
def study(database: Database, org: int) -> studies.Study:
    """The made study's first three questions, answered by its first 60 agents, in a database."""
    people = list(AGENTS)[:60]
    with database.begin() as c:
        group = groups.create(
            c,
            org,
            name="Sixty",
            description=None,
            filters={},
            sample_method="random",
            seed=1,
            shortfall=0,
            agent_ids=people,
        )
        made = studies.create(c, org, title="Snacks", objective=None, group=group)
        for source in QUESTIONS[:3]:
            asked = questions.create(c, org, made.id, Question(source.text, source.type, unit=source.unit))
            given = [a for a in ANSWERS if a.question_id == source.id and a.agent_id in people]
            names = ("agent_id", "text", "value", "option_order", "answered_at", "engine")
            ids, _ = jobs.create_question_jobs(c, org, asked, people)
            for item in {job.id: job for job in jobs.get_many(c, org, ids)[0]}:
                jobs.finish(c, item, {})
            questions.save_answers(
                c,
                [
                    {name: getattr(a, name) for name in names}
                    | {"organization_id": org, "study_id": made.id, "question_id": asked.id, "job_id": job}
                    for a, job in zip(given, ids, strict=True)
                ],
            )
    return made


def ordered(database: Database, org: int, study: studies.Study, steps: list[str] | None) -> jobs.Job:
    with database.begin() as c:
        job_id, _ = jobs.create_job(
            c, org, jobs.COMPLETION, study_id=study.id, detail={"steps": steps} if steps else None
        )
        return jobs.get(c, org, job_id)


def test_a_completion_keeps_its_steps_and_says_which(
    database: Database, org: int, study: studies.Study
) -> None:
    result = complete_study(
        database, People(), ordered(database, org, study, None), lambda: made_study.MOMENT
    )
    assert result == {"study_id": study.id, "steps": list(COMPLETION_STEPS)}
    with database.read() as c:
        kept = studies.get_steps(c, org, study.id)
        assert set(kept) == studies.current_steps(c, org, study.id) == set(COMPLETION_STEPS)
        ids = {answer.id for answer in questions.answers(c, org, study.id)}
    claims = [claim for step in kept.values() for claim in step["claims"]]
    assert claims
    assert {number for claim in claims for number in claim["answer_ids"]} <= ids


def test_only_the_steps_asked_for_run_in_the_default_order(
    database: Database, org: int, study: studies.Study
) -> None:
    job = ordered(database, org, study, ["next_questions", "stats"])
    result = complete_study(database, People(), job, lambda: made_study.MOMENT)
    assert result["steps"] == ["stats", "next_questions"]
    with database.read() as c:
        assert set(studies.get_steps(c, org, study.id)) == {"stats", "next_questions"}
        seen = jobs.get(c, org, job.id)
    assert (seen.done, seen.total) == (2, 2)


def test_running_it_again_gives_the_same_results(database: Database, org: int, study: studies.Study) -> None:
    kept = []
    for _ in range(2):
        complete_study(database, People(), ordered(database, org, study, None), lambda: made_study.MOMENT)
        with database.read() as c:
            kept.append(json.dumps(studies.get_steps(c, org, study.id), sort_keys=True))
    assert kept[0] == kept[1]


def test_a_stalled_worker_does_not_overwrite_later_results(
    database: Database, org: int, study: studies.Study
) -> None:
    stalled = ordered(database, org, study, ["stats"])
    later: dict[str, Any] = {"text": "later", "claims": []}
    with database.begin() as c:  # while it computes, its claim is lost and a newer completion ends
        jobs.finish(c, stalled.id, {})
        studies.save_step(c, org, study.id, "stats", later)
    complete_study(database, People(), stalled, lambda: made_study.MOMENT)
    with database.read() as c:
        assert studies.get_steps(c, org, study.id) == {"stats": later}


def test_when_the_job_ends_the_study_is_completed(database: Database, org: int, study: studies.Study) -> None:
    with database.begin() as c:
        for number in work_items.waiting(c):
            item = work_items.claim(c, number)
            assert item is None or work_items.finish(c, item)
        while left := work_items.waiting(c):
            item = work_items.claim(c, left[0])
            assert item is not None
            work_items.finish(c, item)
        job_id, _ = enqueue_completion(c, org, study)
        assert job_id is not None
        (number,) = work_items.waiting(c)
        item = work_items.claim(c, number)
    assert item is not None
    run_completion(database, People(), lambda: made_study.MOMENT, item, complete_study)  # type: ignore[arg-type]
    with database.read() as c:
        after, job = studies.get(c, org, study.id), jobs.get(c, org, job_id)
    assert (after.stage, after.completed_at) == ("completed", made_study.MOMENT)
    assert (job.status, job.result) == ("finished", {"study_id": study.id, "steps": list(COMPLETION_STEPS)})


def test_a_job_without_a_study_is_refused(database: Database, org: int) -> None:
    with database.begin() as c:
        job_id, _ = jobs.create_job(c, org, jobs.COMPLETION)
        job = jobs.get(c, org, job_id)
    with pytest.raises(ValueError, match="has no study"):
        complete_study(database, People(), job, lambda: made_study.MOMENT)
