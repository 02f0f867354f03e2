"""What must be true of a history: every call once, every answer once, usage as answered, in order."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa
from world import AGENTS, World


def check(world: World) -> None:
    """Raise AssertionError where the end of a schedule is not what the calls asked for."""
    with world.database._engine.connect() as c:

        def rows(statement: str) -> list[tuple[object, ...]]:
            return [tuple(row) for row in c.execute(sa.text(statement))]

        operations = dict(rows("SELECT idempotency_key, id FROM operations"))
        assert operations == {call.key: call.acknowledged[0] for call in world.calls}, "each call once"
        assert all(set(call.acknowledged) == {operations[call.key]} for call in world.calls)
        texts = Counter(text for (text,) in rows("SELECT text FROM questions"))
        assert texts == Counter(f"{call.kind} {call.place}?" for call in world.calls), "each question once"

        given = rows(
            "SELECT q.text, a.agent_id, a.text FROM answers a JOIN questions q ON q.id = a.question_id"
        )
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
        recorded = rows("SELECT coalesce(sum(quantity), 0) FROM usage_events WHERE status = 'recorded'")
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
        if not world.disturbed:
            often = {text for text, _ in world.asked if not any(text == wrong for wrong, _ in world.errors)}
            twice = [which for which, times in world.asked.items() if times > 1 and which[0] in often]
            assert not twice, f"agents are asked twice though nothing happened: {twice}"
        assert not world.at_once, "one agent is asked by two workers at once"
        assert not world.found_by_chance, "undisturbed work was found by looking around alone"


def check_order(world: World, rows: object, given: list[tuple[object, ...]]) -> None:
    """An agent knows each earlier question of its study that it answered, in the order asked."""
    asked = [text for (text,) in rows("SELECT text FROM questions WHERE study_id IS NOT NULL ORDER BY id")]  # type: ignore[operator]
    said = {(text, agent): told for text, agent, told in given}
    for (text, agent), told in said.items():
        if text in asked:
            before = [each for each in asked[: asked.index(text)] if (each, agent) in said]
            assert told == "|".join([*before, str(text)]), "the order of a study's questions"
