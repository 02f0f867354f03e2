"""Conformance checks for the tests of any engine.

Run all checks with one call::

    from voxpop.engines.testing import check_engine

    def test_engine():
        check_engine(MyEngine())

or run each check as a separate pytest test::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_engine(check):
        check(MyEngine())

A failed check raises ``AssertionError``, which states the behaviour and the rule that it breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from typing import Any

from voxpop.engines.basis import Basis
from voxpop.engines.engine import checked
from voxpop.engines.question import Attachment, Exchange, Question, Scale
from voxpop.engines.respondent import Failure, Remembered, Reply, Respondent, Unanswerable
from voxpop.engines.sample_agents import AGENTS
from voxpop.vocabulary.shapes import NUMBER, Misfit

_SNACKS = ("Apple", "Crisps", "Chocolate", "Other")
_PNG = b"\x89PNG\r\n\x1a\n" + bytes(24)
QUESTIONS = (
    Question("What would make you switch to a lower-sugar snack?", "open"),
    Question("Which state do you live in?", "open"),
    Question("Would you switch to a lower-sugar snack?", "yes_no"),
    Question("Which snack do you like best?", "single_choice", _SNACKS),
    Question("Which snack do you like best?", "single_choice", _SNACKS, shuffle_options=True),
    Question("Which of these do you eat?", "multi_choice", _SNACKS, shuffle_options=True),
    Question("How likely are you to switch, 0-10?", "scale", scale=Scale(0, 10)),
    Question("How much would you pay for a box of 12, in dollars?", "number", unit="dollars"),
    Question("Rank these snacks, best first.", "ranking", _SNACKS[:3], shuffle_options=True),
)
"""Sample questions, at least one of each type."""

Said = list[Reply | Failure]


def check_engine(engine: Respondent) -> None:
    """Run every check on an engine.

    Parameters
    ----------
    engine : Respondent
        Must repeat its answers to repeated questions, as a language model does with its cache.

    Raises
    ------
    AssertionError
        The engine violates the contract; the message says where.
    """
    for check in CHECKS:
        check(engine)


def check_parts(engine: Respondent) -> None:
    """Check that name, ``answer`` and the optional parts exist and can be called."""
    assert checked(engine) is engine


def check_one_reply_per_agent(engine: Respondent) -> None:
    """Check that each agent has one reply or failure, in the order asked, with the engine's name."""
    for question in QUESTIONS:
        for agents in (AGENTS, AGENTS[::-1], AGENTS[:1], ()):
            said = _ask(engine, question, agents)
            wanted = [agent.id for agent in agents]
            assert [one.agent_id for one in said] == wanted, f"{_of(question)}: not one reply per agent"
            for one in said:
                _check_words(engine, question, one)


def check_values(engine: Respondent) -> None:
    """Check that coded answers have the question's type; None stands for "don't know"."""
    for question in QUESTIONS:
        for one in _replies(_ask(engine, question)):
            if one.value is not None:
                assert _fits(question, one.value), f"{_of(question)}: the value {one.value!r} does not fit"


def check_basis(engine: Respondent) -> None:
    """Check that every reply says what it rests on, as the engine announces it before it is asked."""
    announced = getattr(engine, "basis", None)
    for question in QUESTIONS:
        said = _ask(engine, question)
        for reply in _replies(said):
            assert isinstance(reply.basis, Basis), f"{_of(question)}: {reply.basis!r} is not a Basis"
        if announced is None:
            continue
        told = list(announced(question, AGENTS))
        assert len(told) == len(AGENTS), f"{_of(question)}: basis() does not yield one basis per agent"
        for basis, one in zip(told, said, strict=True):
            assert isinstance(basis, Basis), f"{_of(question)}: basis() yields {basis!r}, not a Basis"
            agrees = isinstance(one, Failure) or _agree(one.basis, basis)
            assert agrees, f"{_of(question)}: the reply has another basis than basis() announces"


def check_option_order(engine: Respondent) -> None:
    """Check that the option order is reported for shuffled options, and for no others."""
    for question in QUESTIONS:
        for one in _replies(_ask(engine, question)):
            if question.shuffle_options:
                places = list(range(len(question.options)))
                assert one.option_order is not None, f"{_of(question)}: shuffled options without an order"
                assert sorted(one.option_order) == places, f"{_of(question)}: {one.option_order} is no order"
            else:
                assert one.option_order is None, f"{_of(question)}: an order of options shown as listed"


def check_determinism(engine: Respondent) -> None:
    """Check that the same agent, question and seed give the same reply in any group of agents."""
    for question in QUESTIONS:
        together = _plain(_ask(engine, question))
        assert _plain(_ask(engine, question)) == together, f"{_of(question)}: not the same answer twice"
        alone = [one for agent in AGENTS for one in _plain(_ask(engine, question, (agent,)))]
        assert alone == together, f"{_of(question)}: different answers for agents asked alone"


def check_history(engine: Respondent) -> None:
    """Check that earlier answers of some or all agents are accepted, with the same result in both forms."""
    earlier = QUESTIONS[2]
    before = {one.agent_id: one for one in _replies(_ask(engine, earlier))}
    told = {number: [Exchange(earlier, one.text, one.value)] for number, one in before.items()}
    some = dict(list(told.items())[::2])
    for question in (QUESTIONS[2], QUESTIONS[0]):
        for history in ({}, some, told):
            said = _plain(_ask(engine, question, history=history))
            recalled = _plain(_ask(engine, question, history=_recalled(earlier, history)))
            assert recalled == said, f"{_of(question)}: Remembered gives different answers than its exchanges"


def check_little_known(engine: Respondent) -> None:
    """Check that an agent with few known attributes gets a reply or a failure, without an exception."""
    agent = replace(
        AGENTS[0], state=None, education=None, household_income=None, is_parent=None, health_profile=None
    )
    for question in QUESTIONS:
        assert len(_ask(engine, question, (agent,))) == 1


def check_mutation(engine: Respondent) -> None:
    """Check that the agents and the history are not modified."""
    agents = list(AGENTS)
    history = {agent.id: [Exchange(QUESTIONS[2], "Yes.", True)] for agent in agents}
    kept = deepcopy(history)
    for question in QUESTIONS:
        list(engine.answer(agents, question, history, seed=7))
    assert agents == list(AGENTS), "the list of agents was changed"
    assert history == kept, "the history was changed"


def check_attachments(engine: Respondent) -> None:
    """Check that a question with a picture gets an answer, whether or not the engine reads the picture."""
    picture = Attachment("pack.png", "image/png", len(_PNG), lambda: _PNG)
    question = replace(QUESTIONS[2], attachments=(picture,))
    for one in _ask(engine, question):
        _check_words(engine, question, one)


def check_threads(engine: Respondent) -> None:
    """Check that concurrent threads get the same answers as sequential calls."""
    wanted = [_plain(_ask(engine, question)) for question in QUESTIONS]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda question: _plain(_ask(engine, question)), QUESTIONS * 2))
    assert found == wanted * 2, "different answers in threads"


CHECKS: tuple[Callable[[Respondent], None], ...] = (
    check_parts,
    check_one_reply_per_agent,
    check_values,
    check_basis,
    check_option_order,
    check_determinism,
    check_history,
    check_little_known,
    check_mutation,
    check_attachments,
    check_threads,
)
"""All checks; each takes an engine."""


def _ask(
    engine: Respondent,
    question: Question,
    agents: Sequence[Any] = AGENTS,
    history: Mapping[int, Sequence[Exchange]] | None = None,
) -> Said:
    try:
        return list(engine.answer(agents, question, history or {}, seed=7))
    except Unanswerable as error:
        raise AssertionError(
            f"{_of(question)}: Unanswerable leaves answer(); yield its failure(agent.id) instead."
        ) from error


def _check_words(engine: Respondent, question: Question, one: Reply | Failure) -> None:
    assert isinstance(one, Reply | Failure), f"{_of(question)}: {one!r} is neither a Reply nor a Failure"
    if isinstance(one, Failure):
        assert one.code, f"{_of(question)}: a failure without a code"
        assert one.message, f"{_of(question)}: a failure without a message"
        return
    assert isinstance(one.text, str), f"{_of(question)}: the text {one.text!r} is not text"
    assert one.text.strip(), f"{_of(question)}: an answer without words"
    assert one.engine == engine.name, f"{_of(question)}: the reply names {one.engine!r}, not {engine.name!r}"


def _fits(question: Question, value: Any) -> bool:
    """Return whether a coded answer is allowed by the type of a question."""
    if not question.shape.coded:
        return isinstance(value, str | int | float | list)
    try:
        read = question.row.read(question, value)
    except Misfit:
        return False
    return bool(read == value) and (type(read) is type(value) or question.shape is NUMBER)


def _agree(given: Basis, announced: Basis) -> bool:
    """Return whether a basis is the announced one; its note may go on with what the answering showed."""
    return given.kind == announced.kind and given.note.startswith(announced.note)


def _replies(said: Iterable[Reply | Failure]) -> list[Reply]:
    return [one for one in said if isinstance(one, Reply)]


def _plain(said: Said) -> Said:
    """Return the replies without their cost."""
    return [replace(one, spent=None) for one in said]


def _recalled(question: Question, history: Mapping[int, Sequence[Exchange]]) -> Remembered:
    """Return a history of one question in the form that studies use."""
    rows = {agent.id: row for row, agent in enumerate(AGENTS)}
    values = [history[agent.id][0].value if agent.id in history else None for agent in AGENTS]
    words = {number: past[0].text for number, past in history.items()}
    return Remembered(
        (question,), [values], rows, {number: int(number in history) for number in rows}, lambda _: words
    )


def _of(question: Question) -> str:
    return f"{question.type}{' shuffled' if question.shuffle_options else ''} {question.text!r}"
