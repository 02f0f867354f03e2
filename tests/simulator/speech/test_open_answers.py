"""Open answers: one to four sentences, varied, true to the profile, and explaining what was said before."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from voxpop.engines.question import Exchange
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.place_codes import STATES, place
from voxpop_simulator.questions.question_words import read_question
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.stances.medical_words import CONDITIONS, DRUGS

REFERENCE = Path(__file__).parents[1] / "questions" / "reference" / "open_questions.jsonl"
TEXTS = (
    "What would make you switch to a lower-sugar snack?",
    "Describe your ideal vacation.",
    "What do you think about prices these days?",
)
VARIED = (
    "What annoys you about grocery shopping?",
    "What do you like about your banking app?",
    "What do you think about smaller portions in restaurants?",
    "What would make you switch to a lower-sugar snack?",
    "What do you think about prices these days?",
    "What worries you most about AI?",
    "How is your commute?",
    "What comes to mind when you think of coffee?",
    "What do you like most about your job?",
)


def ask(agents, text, history=None, **fields):
    return list(EmbeddedRespondent().answer(agents, read_question(text, **fields), history or {}, seed=7))


def sentences(text):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", text)


NARROW = (
    "Describe your last vacation.",
    "Describe your ideal vacation.",
    "Which TV show did you enjoy most recently, and why?",
    "What do you usually have for breakfast?",
    "What do you think about your health insurance?",
)
RESEARCH = (
    "What three words describe your bank?",
    "What three words best describe this brand?",
    "What do you associate with organic food?",
    "How do you feel about artificial intelligence at work?",
    "What do you think of collagen supplements?",
    "At what point would a snack be too expensive for you, and why?",
    "What do you think about a coffee shop that only sells tea?",
    "What do you think of seaweed snacks?",
    "How do you feel about paying more for better quality?",
    "What do you think about lower-sugar snacks?",
    "What do you think about social media?",
    "What keeps you from exercising more?",
    "What is the main reason for your score?",
    "How do you feel about the economy?",
    "What do you think about shopping online?",
    "How was your last visit to a restaurant?",
    "What do you think of this ad?",
)


OTHER_SUBJECTS = (
    "What did you think of the TV show Quillfeather?",
    "What do you think of a self-cleaning birdcage?",
    "What comes to mind when you think of oat milk?",
    "Where do you usually buy shoes?",
    "What would make you switch?",
)


@pytest.fixture(scope="module")
def answers_of(panel_of_the_usa) -> Callable[[str], list[str]]:
    """Return what gives the answers of 200 agents to a question, asked once for all tests."""
    people = panel_of_the_usa[:200]

    @cache
    def answers(text: str) -> list[str]:
        return [reply.text for reply in ask(people, text)]

    return answers


@pytest.mark.parametrize("text", [*VARIED, *NARROW, *RESEARCH, *OTHER_SUBJECTS])
def test_two_hundred_answers_differ_and_few_begin_alike(answers_of, text) -> None:
    texts = answers_of(text)
    assert len(set(texts)) >= 199
    assert max(Counter(sentences(each)[0] for each in texts).values()) <= 12


def test_two_hundred_answers_to_reference_questions_differ(answers_of) -> None:
    """Every eighth of the open questions of the references; two agents may agree on a short answer."""
    lines = REFERENCE.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["text"] for line in lines][::8]
    many = [len(set(answers_of(text))) for text in questions]
    assert min(many) >= 190
    assert many.count(200) > 0.85 * len(many)


SPOKEN = word_set(
    """
    am is are was were be been has have had do does did can could will would should may might must don't
    doesn't didn't isn't aren't wasn't weren't haven't hasn't can't couldn't won't wouldn't it's that's
    there's he's she's they're we're you're who's what's went got get gets took take takes came come
    comes said say says made make makes gave give gives told tell saw see knew know thought think felt
    feel kept keep left leave found find bought buy paid pay pays put puts ran run runs read sat sit
    stood slept sleep spent spend ate eat drank drink drove drive wrote lost win broke fell held hold
    grew cost costs cut hit hurt let lets met sent send sold sell taught works work need needs want
    wants like likes love hate use uses try tries ask asks call calls look looks help helps tastes go
    goes stay stays stop stops start turns change depends saves shows matters beats wait walk live talk
    remember forget smells rings fix move pick watch carry skip learn cook bring add check quit opens
    closes i me my mine we us our myself i'm i've i'd i'll
    """
)


def is_sentence(text):
    """Return whether a text holds a finite verb or speaks of oneself, by a plain list of words."""
    words = re.findall(r"[a-z']+", text.lower())
    return any(word in SPOKEN or (len(word) > 4 and word.endswith("ed")) for word in words)


@pytest.mark.parametrize("text", [*VARIED, *NARROW, *RESEARCH[2:], "What do you think of oat milk?"])
def test_answers_are_sentences_as_people_write_them(answers_of, text) -> None:
    """Nearly all are sentences, a few are a noun or two; they are as long as answers in surveys are."""
    texts = answers_of(text)
    lengths = sorted(len(each.split()) for each in texts)
    assert sum(map(is_sentence, texts)) / 200 >= 0.85
    assert 8 <= lengths[100] <= 30
    assert lengths[0] >= 2
    assert lengths[-1] <= 48
    assert lengths[10] + 10 <= lengths[190]


@pytest.mark.parametrize("text", TEXTS)
def test_answers_have_one_to_four_sentences_and_no_code(crowd, text) -> None:
    for reply in ask(crowd[:500], text):
        assert reply.value is None
        assert 1 <= len(sentences(reply.text)) <= 5
        assert 2 <= len(reply.text.split()) <= 48
        assert reply.text[0].isupper() or reply.text[0].isdigit() or reply.text[0] in '"$'
        assert reply.text.endswith((".", "!", "?", '."'))
        assert not re.search(r"[{}\[\]]|\.\.| ,|  |\bI '", reply.text)


def test_everybody_has_an_answer_to_a_question_of_every_kind(crowd) -> None:
    """One question of each bank and form of the references."""
    rows = [json.loads(line) for line in REFERENCE.read_text(encoding="utf-8").splitlines()]
    questions = {(row["form"], row["topic"]): row["text"] for row in rows}
    few = crowd[::200]
    assert [text for text in questions.values() if not all(reply.text for reply in ask(few, text))] == []


def test_nothing_said_contradicts_the_profile(crowd) -> None:
    people = crowd[::3]
    for text in TEXTS:
        for agent, reply in zip(people, ask(people, text), strict=True):
            said = reply.text
            check_person(agent, said, abroad="vacation" in text)
            check_health(agent, said)


def check_person(agent, said, *, abroad) -> None:
    for number in re.findall(r"\b(?:At|I'm|I'm only|that I'm) (\d\d)\b", said):
        assert int(number) == agent.age
    for name in STATES.values():
        if not abroad and re.search(rf"\bin {name}\b", said):
            assert name in place(agent.state) or name == "Virginia"
    assert agent.is_parent or not re.search(
        r"\bmy kids\b|\bI've got kids\b|\bI'm a parent\b|[Ww]ith kids", said
    )
    assert agent.labour_status == "retired" or not re.search(r"\bI'm retired\b|[Bb]eing retired", said)
    assert agent.labour_status == "student" or not re.search(r"\bI'm a student\b|\bAs a student\b", said)
    assert agent.urban_rural == "rural" or "out in the country" not in said
    assert agent.occupation or not re.search(r"\bfor a living\b|\bmy paycheck\b", said, re.I)


def check_health(agent, said) -> None:
    health = agent.health_profile
    for slug, (name, _) in CONDITIONS.items():
        if re.search(rf"\bI have {name}\b", said, re.I):
            assert slug in (health.conditions if health else ())
    for slug, (name, _) in DRUGS.items():
        if re.search(rf"\bI (?:take|'m on) {name}\b", said, re.I):
            assert slug in (health.drug_classes if health else ())
    assert not re.search(r"\bI smoke\b", said) or health.smoking_status == "current"


def test_health_is_left_out_where_it_is_not_the_subject(crowd) -> None:
    replies = ask(crowd[:1000], "How do you feel about electric cars?")
    told = sum(
        bool(re.search(r"\bI (?:have|take|get) (?:an? )?(?:high blood|type|insulin|GLP)", r.text))
        for r in replies
    )
    assert told / 1000 <= 0.15


def test_a_question_of_what_would_move_one_is_answered_with_what_it_takes_or_a_refusal(crowd) -> None:
    replies = ask(crowd[:500], "What would make you switch to a lower-sugar snack?")
    takes = re.compile(
        r"\bif\b|as long as|\bwith\b|given|show me|give me|offer me|promise me|would do it|instead of"
        r"|only|not much|nothing|no thanks|depends|hangs on|maybe|perhaps|doubt|pass\b",
        re.I,
    )
    assert sum(bool(takes.search(reply.text)) for reply in replies) / 500 > 0.6


def test_answers_are_about_what_was_asked(panel_of_the_usa) -> None:
    foreign = {
        "What annoys you about grocery shopping?": r"\b(?:insurance|mortgage|sermon|airline|tuition)",
        "How is your commute?": r"\b(?:lettuce|sermon|mortgage|shampoo|teacher's)",
        "What do you like about your banking app?": r"\b(?:lettuce|potholes|shampoo|airline)",
        "What do you have for breakfast?": r"\b(?:opinion|in favor|I'm neutral|mixed feelings)\b",
    }
    for text, words in foreign.items():
        assert not [r.text for r in ask(panel_of_the_usa[:400], text) if re.search(words, r.text, re.I)]


def test_of_an_unknown_name_nobody_claims_to_know_more_than_the_name(panel_of_the_usa) -> None:
    known = re.compile(
        r"haven't|have not|never|missed|(?:don't|do not) (?:know|watch|have)|did(?:n't| not) catch|no idea"
        r"|could(?:n't| not)|can't|hardly"
        r"|rings a bell|passed me by|isn't on|is news|heard the name|seen the name|on my list|talks about it"
        r"|told me|likes it|was on at|keep meaning|gave up on new|only watch|read more|meaning to",
        re.I,
    )
    for reply in ask(panel_of_the_usa[:400], "What did you think of the TV show Quillfeather?"):
        assert known.search(reply.text), reply.text


def test_asked_why_of_nothing_one_says_so(panel_of_the_usa) -> None:
    """Without an earlier answer there is nothing to explain."""
    unsure = re.compile(
        r"without knowing|tell me|(?:have|like|need) to (?:know|hear)|don't know|why (?:what|which)",
        re.I,
    )
    texts = [reply.text for reply in ask(panel_of_the_usa[:500], "Why?")]
    assert all(unsure.search(text) for text in texts)
    assert len(set(texts)) > 450


def test_a_vacation_of_the_past_is_told_in_the_past(panel_of_the_usa) -> None:
    texts = [reply.text for reply in ask(panel_of_the_usa[:300], "Describe your last vacation.")]
    wished = re.compile(
        r"\bI'd (?:like|love|go(?! back| again)|take|want|pick|rent|hike)\b|\bI w(?:ould|ant)\b|\bideal\b"
    )
    past = re.compile(
        r"ed\b|went|was|were|ate|saw|swam|slept|got|flew|drove|took|haven't|read|rode|wrote|heard|bought|lost|sat"
        r"|had|won|sang|made|spoke|wore|stood|stuck|caught|broke|built|quit|left|sank|ran|spent|woke|kept|met|found"
    )
    assert not any(wished.search(text) for text in texts)
    assert sum(bool(past.search(text)) for text in texts) / 300 > 0.9


def test_every_sentence_begins_with_a_capital(panel_of_the_usa) -> None:
    for text in (
        "Describe your last vacation.",
        "Which TV show did you enjoy most recently, and why?",
        *TEXTS,
    ):
        for reply in ask(panel_of_the_usa[:200], text):
            assert not re.search(r"[.!?] [a-z]", reply.text), reply.text


def test_who_would_switch_speaks_as_one_who_would(crowd) -> None:
    question = read_question("Would you switch to a lower-sugar snack?")
    first = list(EmbeddedRespondent().answer(crowd[:600], question, {}, seed=7))
    history = {reply.agent_id: [Exchange(question, reply.text, reply.value)] for reply in first}
    later = ask(crowd[:600], "What would make you switch to a lower-sugar snack?", history)
    refuses = re.compile(
        r"^(?:Honestly, not much|Not much, honestly|Probably nothing|I doubt|I probably wouldn't)"
    )
    assert not any(refuses.search(two.text) for one, two in zip(first, later, strict=True) if one.value)
    assert any(refuses.search(two.text) for one, two in zip(first, later, strict=True) if one.value is False)


def test_who_has_no_job_speaks_of_the_last_one(crowd) -> None:
    for agent, reply in zip(crowd[:800], ask(crowd[:800], "What do you like about your job?"), strict=True):
        if agent.labour_status == "retired":
            assert re.search(r"retired|(?:don't|do not) work anymore|done working", reply.text, re.I)


def test_the_last_words_name_what_was_asked_about(crowd) -> None:
    replies = ask(crowd[:300], "What comes to mind when you hear the name Zippo?")
    assert sum("Zippo" in reply.text for reply in replies) > 90
