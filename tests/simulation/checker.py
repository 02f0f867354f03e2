"""Checks of a history: calls, answers, groups and analyses occur once, usage equals answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

from simulated_work import ASKING, RECRUITING, STEPS
from world import AGENTS, World

Rows = Callable[[str], list[tuple[object, ...]]]


def check(world: World) -> None:
    """Raise AssertionError where the end of a schedule is not what the calls asked for."""
    rows = world.database.rows
    operations = dict(rows("SELECT idempotency_key, id FROM operations"))
    assert operations == {call.key: call.acknowledged[0] for call in world.calls}, "each call once"
    assert all(set(call.acknowledged) == {operations[call.key]} for call in world.calls)
    texts = Counter(text for (text,) in rows("SELECT text FROM questions"))
    asking = [f"{call.kind} {call.place}?" for call in world.calls if call.kind in ASKING]
    assert texts == Counter(asking), "each question once"

    given = rows("SELECT q.text, a.agent_id, a.text FROM answers a JOIN questions q ON q.id = a.question_id")
    answered = Counter((text, agent) for text, agent, _ in given)
    wanted = {(text, agent) for text in texts for agent in AGENTS} - world.declared
    lost = wanted - world.deadly - answered.keys()
    assert not lost, f"answers are lost: {lost}"
    assert set(answered.values()) <= {1}, "each answer once"
    assert not answered.keys() & world.declared
    check_order(world, rows, given)

    for text, asked, answers, failed in rows(
        "SELECT text, asked_count, answer_count, failed_count FROM questions"
    ):
        stored = sum(1 for which, *_ in given if which == text)
        assert (asked, answers, answers + failed) == (len(AGENTS), stored, len(AGENTS)), (
            "counts of a question"
        )
    used = rows("SELECT coalesce(sum(used), 0) FROM usage_cycles")
    recorded = rows("SELECT coalesce(sum(quantity), 0) FROM usage_events WHERE status <> 'voided'")
    assert used == recorded == [(len(given),)], "usage is what was answered"

    ended = Counter(
        rows(
            "SELECT q.text, j.agent_id, j.status FROM jobs j JOIN work_items w ON w.id = "
            "j.item_id JOIN questions q ON q.id = w.question_id WHERE j.agent_id IS NOT NULL"
        )
    )
    assert set(ended.values()) <= {1}, "one job per agent"
    for text, agent, status in ended:
        assert status == ("finished" if (text, agent) in answered else "failed")
    assert not rows("SELECT id FROM jobs WHERE status = 'started'"), "no job is open"
    assert not rows("SELECT id FROM usage_events WHERE status = 'reserved'"), "nothing is held any more"
    check_groups(world, rows)
    check_analyses(world, rows)
    if not world.disturbed:
        often = {text for text, _ in world.asked if not any(text == wrong for wrong, _ in world.errors)}
        twice = [which for which, times in world.asked.items() if times > 1 and which[0] in often]
        assert not twice, f"agents are asked twice though nothing happened: {twice}"
    assert not world.at_once, "one agent is asked by two workers at once"
    assert not world.found_by_chance, "undisturbed work was found by looking around alone"


def check_groups(world: World, rows: Rows) -> None:
    """Each accepted request has its group, once, with everybody in it, and ends its job once."""
    wanted = Counter(f"{call.kind} {call.place}?" for call in world.calls if call.kind in RECRUITING)
    made = rows("SELECT id, description FROM groups WHERE description IS NOT NULL")
    assert Counter(text for _, text in made) == wanted, "each group once"
    requested = rows("SELECT request_text, status, group_id FROM research_group_requests")
    assert sorted(requested) == sorted((text, "completed", number) for number, text in made)
    for number, text in made:
        members = rows(f"SELECT agent_id FROM group_members WHERE group_id = {number}")
        assert [agent for (agent,) in members] == list(AGENTS), f"the agents of {text}"
    whole = [text for text in wanted if str(text).startswith("whole")]
    studies = rows("SELECT title FROM studies WHERE title <> 't'")
    assert [title for (title,) in studies] == whole, "each study once"
    assert {status for (status,) in rows("SELECT status FROM research_study_requests")} <= {"completed"}


def check_analyses(world: World, rows: Rows) -> None:
    """Each step of an analysis has one result, which has seen every answer of a study that is completed."""
    kept = rows("SELECT study_id, step, result FROM study_steps")
    completed = [number for (number,) in rows("SELECT id FROM studies WHERE stage = 'completed'")]
    calls = [call for call in world.calls if call.kind in ("complete", "whole")]
    studies = {number for number, *_ in kept}
    assert set(completed) <= studies
    assert len(studies) == len(calls), "each analysis once"
    assert not rows("SELECT id FROM studies WHERE stage = 'completing'"), "no analysis goes on for ever"
    assert Counter((number, step) for number, step, _ in kept) == Counter(
        (number, step) for number in studies for step in STEPS
    ), "each step once"
    for number, step, result in kept:
        seen = json.loads(str(result))["answers"]
        given = [row for (row,) in rows(f"SELECT id FROM answers WHERE study_id = {number} ORDER BY id")]
        if number in completed:
            assert seen == given, f"{step} has seen every answer"
        assert set(seen) <= set(given)
    if not world.disturbed:
        assert set(world.analysed.values()) <= {1}, "an analysis is made twice though nothing happened"


def check_order(world: World, rows: Rows, given: list[tuple[object, ...]]) -> None:
    """An agent knows each earlier question of its study that it answered, in the order asked."""
    main = world.database.study.id
    asked = [text for (text,) in rows(f"SELECT text FROM questions WHERE study_id = {main} ORDER BY id")]
    said = {(text, agent): told for text, agent, told in given}
    for (text, agent), told in said.items():
        if text in asked:
            before = [each for each in asked[: asked.index(text)] if (each, agent) in said]
            assert told == "|".join([*map(str, before), str(text)]), "the order of a study's questions"
