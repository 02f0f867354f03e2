"""The same agent, question and history give the same reply in every process and every batch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import made_agents
from voxpop.engines.question import Exchange
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question

TEXTS = (
    "Would you switch to a lower-sugar snack?",
    "How much would you pay for a box of 12?",
    "Select all that apply: TikTok, Instagram, Facebook, none of these",
    "Rank these: price, taste, health",
    "How satisfied are you, 0-10?",
    "What would make you switch?",
    "What annoys you about grocery shopping?",
    "What do you think of the Quillfeather lamp?",
    "What do you have for breakfast?",
    "Do you own a dog?",
    "How old are you?",
)
SCRIPT = """
import hashlib, runpy, sys
made = runpy.run_path(sys.argv[1])
from voxpop_simulator import EmbeddedRespondent
from voxpop_simulator.questions.question_words import read_question
digest = hashlib.sha256()
for text in sys.argv[2:]:
    for reply in EmbeddedRespondent().answer(made["make_agents"](120), read_question(text), {}, seed=7):
        digest.update(repr(reply).encode())
sys.stdout.write(digest.hexdigest())
"""


def test_processes_with_other_hash_seeds_agree() -> None:
    helper = str(Path(made_agents.__file__))
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, helper, *TEXTS],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(found) == 1
    assert len(found.pop()) == 64


@pytest.mark.parametrize("text", TEXTS)
def test_batches_and_order_of_agents_do_not_matter(agents, text) -> None:
    question, respondent = read_question(text), EmbeddedRespondent()
    together = {reply.agent_id: reply for reply in respondent.answer(agents, question, {}, seed=7)}
    backwards = [
        reply
        for agent in reversed(agents)
        for reply in EmbeddedRespondent().answer([agent], question, {}, seed=7)
    ]
    assert {reply.agent_id: reply for reply in backwards} == together


def test_histories_of_other_agents_do_not_matter(agents) -> None:
    earlier = Exchange(read_question("How likely are you to switch snacks, 0-10?"), "9.", 9)
    question = read_question("Would you switch snacks?")
    alone = list(EmbeddedRespondent().answer(agents[:1], question, {agents[0].id: [earlier]}, seed=7))
    others = {agent.id: [earlier] for agent in agents[:200]}
    assert list(EmbeddedRespondent().answer(agents, question, others, seed=7))[:1] == alone


def test_the_seed_moves_the_moment_and_not_the_person(agents) -> None:
    question, respondent = read_question("How likely are you to try a new snack, 0-10?"), EmbeddedRespondent()
    one = [reply.value for reply in respondent.answer(agents, question, {}, seed=1)]
    two = [reply.value for reply in respondent.answer(agents, question, {}, seed=2)]
    near = sum(a is not None and b is not None and abs(a - b) <= 2 for a, b in zip(one, two, strict=True))
    assert one != two
    assert near / len(one) > 0.85
