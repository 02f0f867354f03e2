"""Screening: ask candidates about criteria that no filter covers, and keep those who match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply, Respondent, decider
from voxpop.errors import ServiceError
from voxpop.jobs.prospects import passes
from voxpop.jobs.shelf import AgentShelf

MOST_CANDIDATES = 100_000
"""Maximum number of candidates that a request asks."""

_BATCH = (100, 1_000)
_PER_MEMBER = 2  # candidates per missing agent
_AHEAD = 8_000
"""Maximum number of candidates to read at once; as many as have been asked, so that few are read in vain."""
_GROWTH = (
    4  # a batch may be as large as this part of those asked so far, so that rare criteria take few batches
)

Note = Callable[[int, list[int]], None]
"""Called after each batch with the number of candidates asked and the agents kept."""

Listen = Callable[[Iterable[Reply | Failure]], Iterable[Reply | Failure]]
"""Receives the replies as a stream, and passes them on."""


class Screening:
    """Asks candidates the screening questions of one request.

    Each question is asked on its own and with the seed of studies, so a selected agent gives the same answer
    when a study starts with the question.

    Parameters
    ----------
    shelf
        Source of the agents.
    respondent
        Answers for the candidates.
    screens
        ``question`` and ``keep`` of each criterion.
    seed
        The seed of studies.
    """

    def __init__(
        self, shelf: AgentShelf, respondent: Respondent, screens: Sequence[Mapping[str, Any]], *, seed: int
    ) -> None:
        self._shelf = shelf
        self._respondent = decider(respondent)
        self._questions: list[tuple[Question, bool]] = [
            (Question(screen["question"].strip(), "yes_no"), screen["keep"] == "yes") for screen in screens
        ]
        self._seed = seed

    def run(
        self,
        candidates: Sequence[int],
        wanted: int,
        *,
        screened: int,
        kept: Sequence[int],
        note: Note,
        listen: Listen = iter,
    ) -> tuple[int, list[int]]:
        """Ask candidates in order until enough are kept or all were asked.

        Parameters
        ----------
        candidates
            Agent ids, in the same order in every call.
        wanted
            Number of agents to keep.
        screened, kept
            Number of candidates asked before, and the agents kept so far.
        note
            Called after each batch; its saved state is where the next call continues.
        listen
            Receives the stream of replies.

        Returns
        -------
        screened : int
        kept : list of int
        """
        found = list(kept)
        while len(found) < wanted and screened < len(candidates):
            low, high = _BATCH
            size = min(max(_PER_MEMBER * (wanted - len(found)), screened // _GROWTH, low), high)
            batch = candidates[screened : screened + size]
            ahead = min(_AHEAD, screened)  # a read costs as much as a thousand agents of a large population
            found += self.passing(batch, listen, candidates[screened + size : screened + ahead])
            screened += len(batch)
            note(screened, found)
        return screened, found

    def passing(self, batch: Sequence[int], listen: Listen, ahead: Sequence[int] = ()) -> list[int]:
        """Return those of some candidates that give the wanted answers.

        Parameters
        ----------
        batch
            The candidates.
        listen
            Receives the stream of replies.
        ahead
            Candidates that are likely to be asked next, and are read with the others.
        """
        staying = list(batch)
        for question, keep in self._questions:
            agents = self._shelf.take(staying, lambda: ahead)
            answers = list(listen(self._respondent.answer(agents, question, {}, seed=self._seed)))
            if answers and all(isinstance(one, Failure) for one in answers):
                raise _broken(answers[0])
            staying = [one.agent_id for one in answers if isinstance(one, Reply) and passes(one, keep)]
        return staying


def _broken(failure: Reply | Failure) -> ServiceError:
    """Return the error for a respondent that answers for no candidate; going on would use up all of them."""
    assert isinstance(failure, Failure)
    return ServiceError(f"No candidate could be screened: {failure.message}", status=503, code=failure.code)
