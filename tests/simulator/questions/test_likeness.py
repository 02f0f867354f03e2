"""Questions that match no pattern are classified by similar examples."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from voxpop_simulator.questions.forms import DOMAINS
from voxpop_simulator.questions.likeness import nearest
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.understanding import understood
from voxpop_simulator.questions.wordlists import rows_of
from voxpop_simulator.speech.texts import sections, topics
from voxpop_simulator.stances.stance import plan_of

EXAMPLES = [
    (name, text)
    for domain in DOMAINS
    for name, texts in rows_of(f"examples_{domain}")
    for text in texts.split(" | ")
]


def read(text: str) -> str:
    question = read_question(text)
    assert question.type == "open"
    plan = plan_of(question)
    found = understood(text, plan.sentence, plan.sign < 0)
    return found.topic if found.form == "reply" else f"{found.form}/{found.topic}"


# none of these is an example
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Your account shows that you ended your membership last month. What was behind that?", "left us"),
        ("Who was the best supervisor you have had, and what made them so good?", "boss_story"),
        ("What keeps folks like you from getting the medical care they need?", "care_hard"),
        ("What do you make of companies that take sides in politics?", "brand_politics"),
        ("Where do you picture yourself living after you stop working?", "ideal_retirement"),
        ("Thinking of the last flight you took, how did it go?", "time/flying"),
        ("Think back to the last time you flew. What parts of the trip went smoothly?", "time/flying"),
        ("Which household chore do you dread most, and how do you get it done?", "chores_liked"),
        ("What do you get out of playing card games? If you don't play any, why is that?", "game liked"),
        ("How do you pay for your medical care?", "pays_care"),
        ("What is it like caring for an aging parent or relative?", "habit/caregiving"),
        ("Please describe a recent experience you had with a customer service person.", "contacted support"),
    ],
)
def test_an_unknown_wording_is_read_by_the_nearest_example(text: str, name: str) -> None:
    assert text not in {each for _, each in EXAMPLES}
    assert read(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        # "What role does money play in your life?" shares more words with it than any question about coffee
        ("What role does coffee play in your days?", "habit/coffee"),
        # the words say what is asked, whatever the examples are
        ("How do you feel about weighted blankets?", "think/a home thing"),
        ("What do you think about electric scooters?", "think/a gadget"),
        ("What worries you about growing older?", "worry/ageing"),
        ("What would you put in a time capsule?", "else/anything"),
    ],
)
def test_what_an_example_shares_by_chance_outweighs_nothing(text: str, name: str) -> None:
    assert read(text) == name


def test_examples_are_nearest_to_themselves() -> None:
    some = EXAMPLES[::4]  # each takes milliseconds
    lost = [(name, text) for name, text in some if (found := nearest(text)) and found.name != name]
    assert not lost


def test_every_example_has_lines_that_answer_it() -> None:
    forms = {name for name, _ in rows_of("forms")}
    told = topics()
    frames = {heading.rpartition(" ")[0] for heading in sections("frames")}
    for name, _ in rows_names():
        form, _, topic = name.rpartition("/")
        assert topic in told, name
        assert not form or form in forms | frames, name


def rows_names() -> list[tuple[str, str]]:
    return [row for domain in DOMAINS for row in rows_of(f"examples_{domain}")]


def test_no_example_stands_twice() -> None:
    count = Counter(text.lower() for _, text in EXAMPLES)
    assert [text for text, times in count.items() if times > 1] == []
    assert len(EXAMPLES) >= 1_000


def test_a_question_of_everyday_words_is_like_nothing() -> None:
    assert nearest("Why is that?") is None


def test_the_tables_say_what_they_are() -> None:
    folder = Path(__file__).parents[3] / "src" / "voxpop_simulator" / "questions" / "tables"
    for domain in DOMAINS:
        assert (
            (folder / f"examples_{domain}.txt")
            .read_text(encoding="utf-8")
            .startswith("Examples of questions")
        )
