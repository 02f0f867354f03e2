"""Validation of answers: a reply that does not fit its question becomes a failure of that agent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from voxpop.engines.basis import Basis
from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply
from voxpop.vocabulary.shapes import Misfit

UNFIT = "unfit_answer"
"""Error code of an answer whose value does not fit the question, or whose basis is not a Basis."""


def fitting(question: Question, said: Iterable[Reply | Failure]) -> Iterator[Reply | Failure]:
    """Yield replies with exact values, and a failure in place of each reply that does not fit."""
    row = question.row
    for one in said:
        if isinstance(one, Failure):
            yield one
            continue
        basis: object = one.basis  # of an engine from outside, it may be anything
        if not isinstance(basis, Basis):
            told = f"The answer of {one.engine} has the basis {basis!r}, which is not a Basis."
            yield Failure(one.agent_id, UNFIT, told, one.spent)
            continue
        if one.value is None:
            yield one
            continue
        try:
            value = row.read(question, one.value)
        except Misfit as misfit:
            told = f"The answer of {one.engine} does not fit the question: {misfit}"
            yield Failure(one.agent_id, UNFIT, told, one.spent)
            continue
        same = value == one.value and type(value) is type(one.value)
        yield one if same else replace(one, value=value)
