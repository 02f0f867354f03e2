"""Studies snapshot their group, lose agents, move through stages, are shared, and keep step results."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from sqlalchemy import Connection

from voxpop.engines.question import Question
from voxpop.errors import Conflict, NotFound
from voxpop.records import groups, questions, studies
from voxpop.records.groups import Group
from voxpop.records.studies import Study


def answer(c: Connection, org: int, study: Study, agent_id: int) -> None:
    question = questions.create(c, org, study.id, Question("Why?", "open"))
    row = {"organization_id": org, "study_id": study.id, "question_id": question.id, "agent_id": agent_id}
    told = {"job_id": "job_x", "text": "So.", "value": None, "option_order": None, "engine": "fake-1"}
    questions.save_answers(c, [row | told | {"answered_at": question.created_at}])


def test_a_study_has_the_agents_its_group_had(c: Connection, org: int, group: Group, study: Study) -> None:
    groups.add_members(c, org, group.id, [60])
    assert [agent.agent_id for agent in studies.agents(c, org, study.id)] == [30, 10, 20, 50, 40]
    assert [agent.position for agent in studies.agents(c, org, study.id)] == [0, 1, 2, 3, 4]
    assert (study.agent_count, study.question_count, study.stage) == (5, 0, "active")
    assert study.group_uuid == group.uuid
    assert study.completed_at is None


def test_a_study_is_read_by_number_or_uuid(c: Connection, org: int, study: Study) -> None:
    assert studies.get(c, org, study.id) == studies.get(c, org, study.uuid) == study
    with pytest.raises(NotFound, match="There is no study 'x'"):
        studies.get(c, org, "x")


def test_an_archived_group_takes_no_new_study(c: Connection, org: int, group: Group, study: Study) -> None:
    with pytest.raises(Conflict, match="is archived") as caught:
        studies.create(c, org, title="t", objective=None, group=groups.archive(c, org, group.id))
    assert caught.value.details == {"status": "archived"}
    assert studies.get(c, org, study.id).agent_count == 5


def test_lists_are_newest_first_and_paged(c: Connection, org: int, group: Group, study: Study) -> None:
    second = studies.create(c, org, title="second", objective=None, group=group)
    total, page = studies.list_(c, org, limit=1, offset=0)
    assert (total, page) == (2, [second])
    assert studies.list_(c, org, limit=1, offset=1)[1] == [study]


def test_removed_agents_are_told_from_those_who_were_not_there(
    c: Connection, org: int, study: Study, clock: Any
) -> None:
    assert studies.remove_agents(c, org, study.id, [50, 99, 10, 50]) == ([50, 10], [99])
    assert studies.remove_agents(c, org, study.id, [50]) == ([], [50])
    assert studies.get(c, org, study.id).agent_count == 3
    gone = {
        agent.agent_id: agent.removed_at for agent in studies.agents(c, org, study.id) if agent.removed_at
    }
    assert gone == {50: clock(), 10: clock()}


def test_stages_follow_each_other_and_completion_has_a_time(
    c: Connection, org: int, study: Study, clock: Any
) -> None:
    studies.set_stage(c, org, study.id, "completing")
    clock.advance(minutes=5)
    studies.set_stage(c, org, study.id, "completed")
    assert studies.get(c, org, study.id).stage == "completed"
    assert studies.get(c, org, study.id).completed_at == clock()
    with pytest.raises(ValueError, match="active, completing, completed"):
        studies.set_stage(c, org, study.id, "finished")


def test_sharing_twice_keeps_the_link_and_sharing_again_makes_another(
    c: Connection, org: int, study: Study
) -> None:
    assert studies.get_share(c, org, study.id) == studies.Share(False, None)
    first = studies.share(c, org, study.id, True)
    assert studies.share(c, org, study.id, True) == studies.get_share(c, org, study.id) == first
    assert studies.by_token(c, str(first.token)) == (org, study.id)
    assert studies.share(c, org, study.id, False) == studies.Share(False, None)
    assert studies.by_token(c, str(first.token)) is None
    second = studies.share(c, org, study.id, True)
    assert second.token != first.token
    assert studies.by_token(c, str(first.token)) is None


def test_a_share_token_is_256_bits_and_not_in_the_repr(c: Connection, org: int, study: Study) -> None:
    share = studies.share(c, org, study.id, True)
    assert share.token is not None
    assert len(base64.urlsafe_b64decode(share.token + "=")) == 32
    assert share.token not in repr(share)


@pytest.mark.parametrize("token", ["", "None", "é", "x" * 100])
def test_a_token_that_was_never_given_opens_nothing(
    c: Connection, org: int, study: Study, token: str
) -> None:
    assert studies.by_token(c, token) is None


def test_step_results_are_kept_and_replaced(c: Connection, org: int, study: Study, clock: Any) -> None:
    studies.save_step(c, org, study.id, "stats", {"n": 1})
    clock.advance(seconds=1)
    studies.save_step(c, org, study.id, "overall_summary", {"text": "é"})
    studies.save_step(c, org, study.id, "stats", {"n": 2, "claims": [{"answer_ids": [1, 2]}]})
    assert studies.get_steps(c, org, study.id) == {
        "overall_summary": {"text": "é"},
        "stats": {"n": 2, "claims": [{"answer_ids": [1, 2]}]},
    }


def test_a_step_is_current_until_an_answer_or_a_removal_comes(c: Connection, org: int, study: Study) -> None:
    def do() -> None:
        studies.save_step(c, org, study.id, "stats", {})
        assert studies.current_steps(c, org, study.id) == set()
        studies.mark_steps(c, study.id, ["stats"], studies.data_version(c, study.id))
        assert studies.current_steps(c, org, study.id) == {"stats"}

    do()
    answer(c, org, study, 30)
    assert studies.current_steps(c, org, study.id) == set()
    do()
    studies.remove_agents(c, org, study.id, [30])
    assert studies.current_steps(c, org, study.id) == set()


def test_another_organization_has_no_part_in_it(c: Connection, org: int, other: int, study: Study) -> None:
    studies.share(c, org, study.id, True)
    studies.save_step(c, org, study.id, "stats", {})
    for read in (studies.get, studies.get_share):
        for reference in (study.id, study.uuid):
            with pytest.raises(NotFound):
                read(c, other, reference)
    with pytest.raises(NotFound):
        studies.share(c, other, study.id, False)
    with pytest.raises(NotFound):
        studies.save_step(c, other, study.id, "stats", {"n": 666})
    assert studies.list_(c, other, limit=50, offset=0) == (0, [])
    assert studies.agents(c, other, study.id) == []
    assert studies.remove_agents(c, other, study.id, [30]) == ([], [30])
    assert studies.get_steps(c, other, study.id) == {}
    studies.set_stage(c, other, study.id, "completed")
    assert studies.get(c, org, study.id).stage == "active"
    assert studies.get_share(c, org, study.id).enabled
