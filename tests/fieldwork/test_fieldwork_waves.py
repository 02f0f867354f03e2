"""A panel in a notebook: the next wave, its questions again, and the change between waves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
import pytest

import voxpop as vp
from voxpop.client import Client
from voxpop.engines import Agent, Exchange, Failure, Question, Reply
from voxpop.errors import Conflict, UsageError
from voxpop.fieldwork import FieldworkWarning
from voxpop_simulator import EmbeddedRespondent


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with vp.local(agents=3_000) as made:
        yield made


@pytest.fixture(scope="module")
def waves(client: Client) -> tuple[vp.Study, vp.Study]:
    group = client.groups.recruit("All", filters=vp.where(country="USA"), size=120, seed=4)
    study = vp.Study.create(client, group, title="Snacks")
    study.ask("Would you rather have an apple pie or a cherry pie?", key="pie")
    study.ask("How old are you?", key="years", type="number")
    study.ask("Would you try it?", key="try", type="yes_no", shuffle_options=False)
    wave = study.next_wave(0.25, attrition=0.1)
    wave.ask_again(["pie", "years"])
    wave.ask_again()
    return study, wave


@pytest.fixture(scope="module")
def store(waves: tuple[vp.Study, vp.Study]) -> vp.Store:
    held = vp.Store()
    for one in waves:
        one.pull(into=held)
    return held


def test_questions_are_asked_again_with_their_keys_and_once(waves: tuple[vp.Study, vp.Study]) -> None:
    first, second = ([(one.key, one.question, one.type) for one in study.questions()] for study in waves)
    assert first == second
    assert "wave 2" in repr(waves[1])
    assert [one.study.wave for one in waves[0].waves()] == [1, 2]
    with pytest.raises(UsageError, match=r"no question 'pies'; did you mean pie"):
        waves[1].ask_again(["pies"])
    with pytest.raises(UsageError, match="this is the first wave"):
        waves[0].ask_again()
    with pytest.raises(Conflict, match="already has a next wave"):
        waves[0].next_wave()


def test_respondents_of_several_waves_have_a_row_per_agent_and_wave(
    store: vp.Store, waves: tuple[vp.Study, vp.Study]
) -> None:
    people = store.frame(list(waves))
    assert people.groupby("wave").size().to_dict() == {1: 120, 2: 108}
    assert people.equals(store.frame(waves[1], waves=True))
    assert people.attrs["voxpop"]["columns"]["wave"]["waves"] == [1, 2]
    assert people.attrs["voxpop"]["columns"]["try"]["bases"][0]["answers"] == 228
    both = people[people.wave == 1].merge(people[people.wave == 2], on="agent_uuid")
    assert len(both) == 78
    assert [*both.pie_x.astype(object).fillna("")] == [*both.pie_y.astype(object).fillna("")]
    assert "wave" not in store.respondents(waves[0]).columns
    assert store.frame(waves[1]).wave.unique().tolist() == [2]


def test_waves_are_compared_as_overlapping_samples(store: vp.Store, waves: tuple[vp.Study, vp.Study]) -> None:
    people = store.respondents(list(waves))
    table = vp.crosstab(people, "pie", by="wave", sig=True)
    assert any("are matched" in note for note in table.remarks)
    assert any("do not change by themselves" in note for note in table.remarks)
    alone = vp.crosstab(store.frame(list(waves)).drop(columns=["agent_uuid", "agent_id"]), "pie", by="wave")
    matched, independent = (one.pairs().set_index("row") for one in (table, alone))
    assert (matched.statistic.abs() > independent.statistic.abs()).all()
    assert any("compared as independent" in note for note in alone.remarks)
    stacked = vp.crosstab(people, "pie", by="gender")
    assert any("waves 1, 2 are counted together" in note for note in stacked.remarks)
    one = vp.crosstab(people, "pie", by="gender", where=vp.where(wave=1))
    assert not any("counted together" in note for note in one.remarks)
    assert "several waves" in table.association().reason[0]
    ages = vp.means(people, "years", by="wave").tests[0][1]
    assert 0 < ages.p[0, 0] <= 1


def test_people_asked_twice_alone_are_compared_as_pairs() -> None:
    answers = [("yes", "yes")] * 40 + [("yes", "no")] * 18 + [("no", "yes")] * 7 + [("no", "no")] * 35
    rows = [
        {"agent_uuid": str(number), "wave": wave, "switch": pair[wave - 1], "price": float(number % 7 + wave)}
        for number, pair in enumerate(answers)
        for wave in (1, 2)
    ]
    people = pd.DataFrame(rows)
    pair = vp.crosstab(people, "switch", by="wave").pairs().set_index("row").loc["yes"]
    assert pair.statistic**2 == pytest.approx((18 - 7) ** 2 / (18 + 7))  # McNemar
    weighted = people.assign(w=2.0)
    assert vp.crosstab(weighted, "switch", by="wave", weight="w").pairs().statistic[0] == pytest.approx(
        vp.crosstab(people, "switch", by="wave").pairs().statistic[0]
    )
    price = vp.means(people.assign(price=people.price + people.switch.eq("yes")), "price", by="wave")
    assert price.tests[0][1].df[0, 0] == pytest.approx(99)
    with pytest.raises(UsageError, match="two rows in one wave"):
        vp.crosstab(pd.concat([people, people]), "switch", by="wave")


def test_a_key_must_stand_for_one_question(client: Client) -> None:
    group = client.groups.recruit("All", filters=vp.where(country="USA"), size=5, seed=4)
    study = vp.Study.create(client, group, title="Keys")
    study.ask("Do you smoke?", type="yes_no")
    wave = study.next_wave()
    wave.ask("How old are you?", type="number")
    with vp.Store() as store:
        study.pull(into=store)
        wave.pull(into=store)
        with pytest.raises(UsageError, match="give different questions different keys"):
            store.respondents([study, wave])


def test_too_few_others_are_told(client: Client) -> None:
    group = client.groups.recruit("Few", filters=vp.where(country="USA", state="CA"), size=500)
    study = vp.Study.create(client, group, title="Everybody in California")
    with pytest.warns(FieldworkWarning, match="no others match"):
        wave = study.next_wave(0.5)
    assert wave.refresh().agent_count == group.agent_count - len(wave.waves()[1].replaced_agent_ids)


class Listening(EmbeddedRespondent):
    """Notes how many earlier answers it is given with their words, as a language model is."""

    name = "listening-1"
    reads_values = False

    def __init__(self) -> None:
        self.told: dict[int, list[str]] = {}

    def answer(
        self,
        agents: Sequence[Agent],
        question: Question,
        history: Mapping[int, Sequence[Exchange]],
        *,
        seed: int,
    ) -> Iterator[Reply | Failure]:
        self.told = {agent.id: [one.question.text for one in history.get(agent.id, ())] for agent in agents}
        return super().answer(agents, question, history, seed=seed)


def test_an_engine_is_told_what_was_answered_in_earlier_waves_before_this_one_began() -> None:
    engine = Listening()
    with vp.local(agents=3_000, engine=engine) as client:
        group = client.groups.recruit("All", filters=vp.where(country="USA"), size=10, seed=4)
        study = vp.Study.create(client, group, title="Told")
        study.ask("Do you smoke?")
        wave = study.next_wave(0.2, seed=3)
        study.ask("Do you drink coffee?")  # after the wave began: not part of it
        wave.ask("How old are you?")
        told = [*engine.told.values()]
        assert told.count(["Do you smoke?"]) == 8
        assert told.count([]) == 2
        wave.ask("Do you own a dog?")
        assert [*engine.told.values()].count(["Do you smoke?", "How old are you?"]) == 8
