"""`AskPanel`: questions written, checked, asked in turn, screened, completed and shared by clicks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hands import Hands, faults

import voxpop as vp
from media_files import png
from running_service import Service
from voxpop.client import Client
from voxpop.engines.respondent import Failure
from voxpop.errors import InvalidRequest, UsageError
from voxpop.widgets import AskPanel
from voxpop.widgets.keeping import place
from voxpop.widgets.panel import Panel
from voxpop_simulator.embedded import EmbeddedRespondent

Take = Callable[[Panel], Hands]


@pytest.fixture
def study(client: Client) -> vp.Study:
    group = client.groups.recruit("g", filters=vp.where(country="USA"), size=12, seed=5)
    return vp.Study.create(client, group, title="Snacks", objective="Who would switch?")


def write(ui: Hands, text: str, **parts: str) -> None:
    """Add a question and write it."""
    ui.press("Add a question")
    place = sum(node[0] == "textarea" and called.startswith("Words of") for called, node in ui.controls())
    count = max(int(called.split()[-1]) for called, node in ui.controls() if called.startswith("Words of"))
    assert place
    ui.fill(f"Words of question {count}", text)
    if "type" in parts:
        ui.choose(f"Answer type of question {count}", parts["type"])
    if "key" in parts:
        ui.fill(f"Key of question {count}", parts["key"])
    if "options" in parts:
        ui.fill(f"Options of question {count}", parts["options"])
    for part, label in (
        ("low", "Lowest point"),
        ("high", "Highest point"),
        ("high_label", "What that means"),
    ):
        if part in parts:
            ui.fill(f"{label} of question {count}", parts[part])


# Writing


def test_questions_of_every_type_are_written_asked_and_answered(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study)
    ui = hands(panel)
    assert "Write the first question." in ui.text
    write(ui, "Would you switch to a lower-sugar snack?", key="switch", type="yes_no")
    write(ui, "How much would you pay for a box of 12, in dollars?", key="price")
    write(ui, "Where do you buy?", key="where", type="multi_choice", options="Store\nOnline\n\nMarket")
    write(
        ui,
        "How likely are you to buy it?",
        key="likely",
        type="scale",
        low="0",
        high="10",
        high_label="surely",
    )
    write(ui, "Rank them.", key="rank", type="ranking", options="Price\nTaste")
    ui.press("Ask 5 questions")
    asked = study.questions()
    assert [(one.key, one.type, one.answer_count) for one in asked] == [
        ("switch", "yes_no", 12),
        ("price", "number", 12),
        ("where", "multi_choice", 12),
        ("likely", "scale", 12),
        ("rank", "ranking", 12),
    ]
    assert asked[2].options == ["Store", "Online", "Market"]
    assert (asked[3].scale.min, asked[3].scale.max, asked[3].scale.max_label) == (0, 10, "surely")
    assert "5 of 5 questions asked." in ui.region("status")
    assert "12 of 12 agents answered." in ui.text
    assert repr(study).endswith("12 agents, 5 questions>"), "the study itself knows of it, too"


@pytest.mark.parametrize(
    ("part", "label", "typed", "told"),
    [
        ({}, "Key", "The Price", "'the_price' would do"),
        ({"type": "single_choice"}, "Options", "only one", "at least two"),
        ({"type": "single_choice"}, "Options", "one\nOne", "is repeated"),
        ({"type": "scale", "high": "3"}, "Lowest point", "5", "The lowest point must be below"),
        ({"type": "scale", "high": "3"}, "Lowest point", "low", "whole numbers"),
    ],
)
def test_what_is_wrong_is_told_beside_it_while_typing_and_keeps_it_from_being_asked(
    study: vp.Study, hands: Take, part: dict[str, str], label: str, typed: str, told: str
) -> None:
    ui = hands(AskPanel(study))
    write(ui, "Which one?", **part)
    ui.fill(f"{label} of question 1", typed)
    assert told in ui.error_of(f"{label} of question 1")
    assert ui.find("Ask 1 question")[1]["title"] == "Question 1 needs a correction first."


def test_two_questions_cannot_have_one_key(study: vp.Study, hands: Take) -> None:
    ui = hands(AskPanel(study))
    write(ui, "Do you smoke?", key="smoke")
    write(ui, "Do you drink?", key="smoke")
    assert "each needs its own" in ui.error_of("Key of question 2")


def test_wording_is_remarked_while_typing_and_can_be_asked_all_the_same(study: vp.Study, hands: Take) -> None:
    ui = hands(AskPanel(study))
    write(ui, "How satisfied are you with the price and quality?", type="scale")
    assert "Two things in one question" in ui.text
    ui.press("Ask 1 question")
    assert study.questions()[0].answer_count == 12


def test_questions_are_moved_duplicated_and_removed(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, ["First?", "Second?"])
    ui = hands(panel)
    ui.open("1. First?")
    ui.press("Move down question 1")
    assert [one["text"] for one in panel.state["questions"]] == ["Second?", "First?"]
    ui.press("Duplicate question 2")
    ui.press("Remove question 2")
    ui.fill("Words of question 2", "Third?")
    assert [one["text"] for one in panel.state["questions"]] == ["Second?", "Third?"]


def test_a_picture_goes_with_a_question(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, ["Would you buy this?"])
    ui = hands(panel)
    ui.open("1. Would you buy this?")
    picker = ui.find("Pictures or documents for question 1")
    ui.send(picker, ["box.png"], [png()])
    assert panel._errands.idle(10)
    assert "box.png" in ui.text
    ui.press("Ask 1 question")
    assert [one.filename for one in study.questions()[0].attachments] == ["box.png"]


def test_a_file_of_another_kind_is_refused_beside_the_picker(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, ["Would you buy this?"])
    ui = hands(panel)
    ui.open("1. Would you buy this?")
    ui.send(ui.find("Pictures or documents for question 1"), ["a.exe"], [b"MZ" + bytes(50)])
    assert panel._errands.idle(10)
    assert "allowed are" in ui.text
    assert isinstance(panel.error, UsageError)


# Asking


def test_the_kernel_is_free_while_agents_answer(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, ["Do you own a car?", "Do you own a bike?"])
    ui = hands(panel)
    gate = threading.Event()
    looked = threading.Event()
    look = panel._client.questions.progress

    def slow(study: int) -> object:
        looked.set()
        assert gate.wait(10)
        return look(study)

    panel._client.questions.progress = slow  # type: ignore[method-assign]
    panel.start()
    assert looked.wait(10)
    assert "Question 1 of 2" in "".join(ui.region("status"))
    assert any(node[1].get("role") == "progressbar" for node in _walk(ui.tree))
    assert "Do you own a bike? queued" in ui.text
    panel.stop()
    assert "queued" not in ui.text
    assert "It stops after this question." in "".join(ui.region("status"))
    gate.set()
    assert panel.wait(10)
    assert [one.key or one.question for one in study.questions()] == ["Do you own a car?"]
    ui.press("Ask 1 question")
    assert len(study.questions()) == 2


def test_an_error_of_the_service_stands_with_its_question_and_the_rest_waits(
    study: vp.Study, hands: Take
) -> None:
    panel = AskPanel(
        study, [{"question": "Do you smoke?", "key": "a"}, {"question": "And drink?", "key": "b"}]
    )
    ui = hands(panel)
    study.ask("Something else?", key="a")
    ui.press("Ask 2 questions")
    assert isinstance(panel.error, InvalidRequest)
    assert any("a" in told for told in ui.region("alert"))
    assert len(study.questions()) == 1


def test_a_question_that_was_hardly_understood_says_so_below_it(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, ["Do you own a car?", "What do you do with the hubcaps of an old tractor?"])
    ui = hands(panel)
    panel.ask()
    assert ui.text.count("knows fewer than half of the words") == 1
    panel.close()
    again = hands(AskPanel(vp.Study.open(study.client, study.uuid)))
    assert again.text.count("knows fewer than half of the words") == 1


class Reserved(EmbeddedRespondent):
    """A respondent with two silent agents."""

    def answer(self, agents: Any, question: Any, *rest: Any, **more: Any) -> Iterator[Any]:
        """Answer for all agents except the first two."""
        silent = {agent.id for agent in agents[:2]}
        for reply in super().answer(agents, question, *rest, **more):
            yield Failure(reply.agent_id, "refused", "No comment.") if reply.agent_id in silent else reply


def test_failed_answers_are_counted_with_their_reason_and_asked_again(
    home: Path, tmp_path: Path, hands: Take
) -> None:
    service = Service(home, tmp_path)
    service.state.runner.respondent = Reserved()
    with vp.Client(service.base_url, service.key()) as client:
        group = client.groups.recruit("g", filters=vp.where(country="USA"), size=12, seed=5)
        panel = AskPanel(vp.Study.create(client, group, title="Silence"), ["Do you own a car?"], keep=False)
        ui = hands(panel)
        panel.ask()
        assert panel._errands.idle(10)
        assert "10 of 12 agents answered, 2 failed." in ui.text
        assert "2 × No comment." in ui.text
        assert "2 answers failed." in "".join(ui.region("status"))
        service.state.runner.respondent = EmbeddedRespondent()
        ui.press("Ask the 2 agents again that failed: question 1")
        assert panel.wait(20)
        assert "12 of 12 agents answered." in ui.text
        assert "No comment" not in ui.text
        assert "Ask the" not in ui.text
        assert "study.retry()" in panel.code
        panel.close()
    service.close()


def test_it_can_be_used_from_code_alone(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study)
    hands(panel)
    panel.add("Do you own a car?", key="car")
    panel.add({"question": "Why?", "type": "open", "key": "why"})
    panel.ask()
    assert [one.answer_count for one in study.questions()] == [12, 12]
    panel.add("Which?", type="single_choice", options=["one"])
    with pytest.raises(UsageError, match="Question 3: Options must have at least two"):
        panel.ask()


def test_after_a_restart_it_goes_on_where_it_was(study: vp.Study, hands: Take) -> None:
    first = AskPanel(study, ["Do you own a car?"])
    hands(first)
    first.ask()
    first.add("Do you own a bike?", key="bike")
    first.close()
    assert place(study.uuid).exists()
    again = AskPanel(vp.Study.open(study.client, study.uuid))
    ui = hands(again)
    assert "Unsent questions were restored." in ui.text
    assert [one.get("key") or one["text"] for one in again.state["questions"]] == [
        "Do you own a car?",
        "bike",
    ]
    ui.press("Ask 1 question")
    again.close()
    assert not place(study.uuid).exists(), "nothing is kept when nothing is left to be asked"


def test_a_question_that_is_being_answered_is_watched_from_the_start(study: vp.Study, hands: Take) -> None:
    study.ask("Do you own a car?", wait=False)
    ui = hands(AskPanel(study))
    assert "12 of 12 agents answered." in ui.text


def test_the_state_of_one_panel_fills_another(study: vp.Study, hands: Take) -> None:
    first = AskPanel(study, keep=False)
    first.add("How many?", key="many", type="number")
    first.add("Which?", type="ranking", options=["a", "b"], shuffle_options=True)
    hands(first)
    second = AskPanel(study, state=first.state, keep=False)
    hands(second)
    assert second.state == first.state
    assert not place(study.uuid).exists()
    with pytest.raises(UsageError, match="not a part of a question"):
        AskPanel(study, state={"questions": [{"words": "?"}]})


# Screening, the analysis, sharing


def test_agents_are_screened_out_by_an_answer(study: vp.Study, hands: Take, client: Client) -> None:
    panel = AskPanel(study, [{"question": "Do you smoke?", "key": "smoke", "type": "yes_no"}])
    ui = hands(panel)
    panel.ask()
    values = [answer.value for answer in study.answers()]
    leaving = sum(value is not True for value in values)
    assert 0 < leaving < 12
    ui.press("Screen by this question")
    assert f"{12 - leaving} stay, {leaving} leave." in ui.text
    ui.press(f"Remove {leaving}")
    assert client.studies.get(study.id).agent_count == 12 - leaving
    panel.add("How many a day?", key="many", type="number")
    panel.ask()
    assert study.questions()[1].asked_count == 12 - leaving


def test_code_makes_the_same_study_again(study: vp.Study, hands: Take, client: Client) -> None:
    panel = AskPanel(study)
    ui = hands(panel)
    panel.add("Do you smoke?", key="smoke", type="yes_no")
    panel.ask()
    ui.press("Screen by this question")
    leaving = sum(answer.value is not True for answer in study.answers())
    ui.press(f"Remove {leaving} agents")
    panel.add('Which "one" costs $5?', key="which", type="single_choice", options=["This", 'That "one"'])
    panel.add("How likely?", key="likely", scale={"min": 1, "max": 5, "min_label": "never"})
    panel.ask()
    ui.press("Complete the analysis")
    assert panel.findings is not None
    names = {"client": client}
    exec(panel.code, names)
    made: vp.Study = names["study"]
    assert made.id != study.id
    told = [
        [(one.question, one.key, one.type, one.asked_count) for one in each.questions()]
        for each in (study, made)
    ]
    assert told[0] == told[1]
    said = [
        [(one.agent_id, one.value, one.agent_removed) for one in each.answers()] for each in (study, made)
    ]
    assert said[0] == said[1]
    assert made.refresh().stage == study.refresh().stage == "completed"


def test_the_analysis_and_the_share_page_are_opened_and_closed(
    study: vp.Study, hands: Take, client: Client
) -> None:
    panel = AskPanel(study, ["Do you own a car?"])
    ui = hands(panel)
    assert not ui.has("Complete the analysis")
    panel.ask()
    ui.press("Complete the analysis")
    assert "Findings" in ui.text
    sent: list[dict[str, str]] = []
    panel.send = lambda content, buffers=None: sent.append(content)  # type: ignore[method-assign]
    ui.press("Open a share page")
    link = sent[-1]["text"]
    assert b"Snacks" in client.fetch_shared(link)
    secret = link.rpartition("/")[2]
    assert secret not in str(panel._view) + str(panel.state) + panel.code + str(panel._repr_mimebundle_())
    ui.press("Stop sharing")
    assert client.studies.sharing(study).link is None
    assert sent[-1]["text"] == ""


# For everybody


def test_every_control_has_a_name_and_every_reference_a_target(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, [{"question": "Do you smoke?", "type": "yes_no"}])
    ui = hands(panel)
    panel.ask()
    write(ui, "Which do you like and trust?", type="scale", low="x")
    write(ui, "Which?", type="single_choice", options="one", key="K")
    ui.press("Screen by this question")
    assert faults(ui.tree) == []


def test_a_saved_notebook_shows_the_questions_as_a_table(study: vp.Study, hands: Take) -> None:
    panel = AskPanel(study, [{"question": "Do you smoke?", "key": "smoke"}])
    hands(panel)
    panel.ask()
    panel.add("Why?")
    data = panel._repr_mimebundle_()[0]
    assert "<caption style='text-align:left'>Questions</caption>" in data["text/html"]
    assert "1  Do you smoke?  smoke  yes no       12        12       0" in data["text/plain"]
    assert "2  Why?                          not yet" in data["text/plain"]


def test_closing_in_the_middle_ends_the_threads_and_the_agents_go_on(study: vp.Study) -> None:
    panel = AskPanel(study, ["Do you own a car?"])
    panel._worker.idle(10)
    panel._client.polling = vp.Polling(first_wait=60, step=60)
    panel._client.questions.ask = _without_hint(panel._client.questions.ask)  # type: ignore[method-assign]
    panel.start()
    while panel._next_look is None:
        pass
    panel.close()
    assert not panel._worker.alive
    assert not panel._errands.alive
    assert panel.comm is None
    assert study.wait()[0].answer_count == 12


def test_a_panel_needs_a_study(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="study must be a Study"):
        AskPanel(17)  # type: ignore[arg-type]


def _walk(tree: object) -> list[list]:
    from hands import walk

    return list(walk(tree))


def _without_hint(ask: Callable[..., object]) -> Callable[..., object]:
    return lambda *given, **parts: ask(*given, **parts).model_copy(update={"poll_after_s": 60.0})
