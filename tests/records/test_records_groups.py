"""Groups keep their agents in order, grow, shrink, and are archived."""

from __future__ import annotations

import uuid

import pytest
from sqlalchemy import Connection

from voxpop.errors import Conflict, NotFound
from voxpop.records import groups
from voxpop.records.groups import Group


def make(c: Connection, org: int, name: str = "g", agent_ids: tuple[int, ...] = (1, 2)) -> Group:
    return groups.create(
        c,
        org,
        name=name,
        description=None,
        filters={},
        sample_method="random",
        seed=None,
        shortfall=0,
        agent_ids=agent_ids,
    )


def test_a_group_is_read_as_it_was_made(c: Connection, org: int, group: Group) -> None:
    assert groups.get(c, org, group.id) == group
    assert (group.name, group.agent_count, group.seed, group.shortfall) == ("GLP-1", 5, 11, 0)
    assert group.filters == {"match": "all", "filters": {"country": {"any": ["USA"]}}}
    assert group.created_at.isoformat() == "2026-11-20T09:30:00+00:00"
    assert not group.archived


def test_a_group_is_named_by_number_digits_or_uuid(c: Connection, org: int, group: Group) -> None:
    for reference in (group.id, str(group.id), group.uuid, group.uuid.upper(), group.uuid.replace("-", "")):
        assert groups.get(c, org, reference).id == group.id
    assert uuid.UUID(group.uuid).version == 4


@pytest.mark.parametrize(
    "reference", [999, "999", -1, "nonsense", "", "9" * 30, "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11", "١"]
)
def test_a_reference_that_names_nothing_is_not_found(
    c: Connection, org: int, group: Group, reference: object
) -> None:
    with pytest.raises(NotFound, match="There is no group"):
        groups.get(c, org, reference)  # type: ignore[arg-type]


def test_members_stay_in_recruitment_order_and_are_in_once(c: Connection, org: int, group: Group) -> None:
    assert groups.member_ids(c, org, group.id) == [30, 10, 20, 50, 40]
    twice = make(c, org, agent_ids=(3, 1, 3))
    assert groups.member_ids(c, org, twice.id) == [3, 1]
    assert twice.agent_count == 2


def test_appending_puts_new_agents_behind_and_skips_members(c: Connection, org: int, group: Group) -> None:
    assert groups.add_members(c, org, group.id, [60, 10, 5, 60]) == [60, 5]
    assert groups.member_ids(c, org, group.id) == [30, 10, 20, 50, 40, 60, 5]
    assert groups.get(c, org, group.id).agent_count == 7


def test_removing_members_keeps_the_order_of_the_rest(c: Connection, org: int, group: Group) -> None:
    assert groups.remove_members(c, org, group.id, [10, 99]) == [10]
    assert groups.add_members(c, org, group.id, [10]) == [10]
    assert groups.member_ids(c, org, group.id) == [30, 20, 50, 40, 10]


def test_an_empty_group_is_a_group(c: Connection, org: int) -> None:
    empty = make(c, org, agent_ids=())
    assert empty.agent_count == 0
    assert groups.member_ids(c, org, empty.id) == []


def test_lists_are_newest_first_and_paged(c: Connection, org: int) -> None:
    made = [make(c, org, f"g{number}").id for number in range(5)]
    total, page = groups.list_(c, org, limit=2, offset=1)
    assert total == 5
    assert [group.id for group in page] == [made[3], made[2]]


def test_an_archived_group_leaves_the_list_but_stays_readable(c: Connection, org: int, group: Group) -> None:
    assert groups.archive(c, org, group.id).archived
    assert groups.list_(c, org, limit=50, offset=0) == (0, [])
    assert groups.list_(c, org, limit=50, offset=0, archived=True)[0] == 1
    assert groups.get(c, org, group.uuid).archived


def test_an_update_gives_a_name_and_a_description_or_none(c: Connection, org: int, group: Group) -> None:
    changed = groups.update(c, org, group.id, name="Weight loss", description=group.description)
    assert (changed.name, changed.description) == ("Weight loss", "people on a GLP-1 medicine")
    assert groups.update(c, org, group.id, name="Weight loss", description=None).description is None


def test_a_group_is_held_unless_it_is_archived(c: Connection, org: int, other: int, group: Group) -> None:
    assert groups.hold(c, org, group.uuid) == group
    with pytest.raises(NotFound, match="There is no group"):
        groups.hold(c, other, group.id)
    groups.archive(c, org, group.id)
    with pytest.raises(Conflict, match="is archived") as caught:
        groups.hold(c, org, group.id)
    assert caught.value.details == {"status": "archived"}


def test_archiving_twice_does_no_harm(c: Connection, org: int, group: Group) -> None:
    assert groups.archive(c, org, group.id) == groups.archive(c, org, group.id)


def test_the_next_seed_depends_on_the_service_seed_and_the_past_alone(c: Connection, org: int) -> None:
    first = groups.next_seed(c, 7)
    assert groups.next_seed(c, 7) == first
    assert groups.next_seed(c, 8) != first
    make(c, org)
    assert groups.next_seed(c, 7) != first
    assert 0 <= first < 2**31


def test_the_seed_of_an_append_depends_on_the_group_and_how_far_it_has_grown(
    c: Connection, org: int, group: Group
) -> None:
    first = groups.next_seed(c, 7, group.id)
    assert groups.next_seed(c, 7, group.id) == first
    assert first not in (groups.next_seed(c, 8, group.id), groups.next_seed(c, 7), groups.next_seed(c, 7, 99))
    groups.add_members(c, org, group.id, [60])
    assert groups.next_seed(c, 7, group.id) != first


def test_another_organization_has_no_part_in_it(c: Connection, org: int, other: int, group: Group) -> None:
    for reference in (group.id, group.uuid):
        with pytest.raises(NotFound):
            groups.get(c, other, reference)
    assert groups.member_ids(c, other, group.id) == []
    assert groups.list_(c, other, limit=50, offset=0, archived=True) == (0, [])
    for change in (groups.add_members, groups.remove_members):
        with pytest.raises(NotFound):
            change(c, other, group.id, [30])
    with pytest.raises(NotFound):
        groups.archive(c, other, group.id)
    with pytest.raises(NotFound):
        groups.update(c, other, group.id, name="mine", description=None)
    assert groups.get(c, org, group.id) == group
