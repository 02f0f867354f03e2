"""Screening: candidates are asked about what no filter covers, and those whose answer matches stay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from voxpop.engines.question import Question
from voxpop.engines.respondent import Failure, Reply, Respondent
from voxpop.errors import ServiceError
from voxpop.jobs.shelf import AgentShelf

MOST_CANDIDATES = 100_000
"""How many candidates a request asks at most before it counts them as used up."""

_BATCH = (100, 1_000)
_PER_MEMBER = 2  # candidates per agent that is still missing

Note = Callable[[int, list[int]], None]
"""Told after each batch how many candidates were asked, and who stays."""

Listen = Callable[[Iterable[Reply | Failure]], Iterable[Reply | Failure]]
"""Told of all that is said while it is said, and passes it on."""


class Screening:
    """Asks candidates the screening questions of one request.

    Each question is put by itself and with the seed of studies, so that an agent who was kept gives the same
    answer when a study begins with the question.

    Parameters
    ----------
    shelf
        Where agents are read.
    respondent
        Who answers for them.
    screens
        ``question`` and ``keep`` of each criterion.
    seed
        The seed that studies ask with.
    """

    def __init__(
        self, shelf: AgentShelf, respondent: Respondent, screens: Sequence[Mapping[str, Any]], *, seed: int
    ) -> None:
        self._shelf = shelf
        self._respondent = respondent
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
        """Ask candidates in their order until enough stay or all were asked.

        Parameters
        ----------
        candidates
            Agent ids, the same ones in the same order at every call.
        wanted
            How many are to stay.
        screened, kept
            How many were asked before, and who of them stays.
        note
            Told of each batch; what it stores is where the next call goes on.
        listen
            Hears what is said.

        Returns
        -------
        screened : int
        kept : list of int
        """
        found = list(kept)
        while len(found) < wanted and screened < len(candidates):
            low, high = _BATCH
            size = min(max(_PER_MEMBER * (wanted - len(found)), low), high)
            batch = candidates[screened : screened + size]
            found += self._passing(batch, listen)
            screened += len(batch)
            note(screened, found)
        return screened, found

    def _passing(self, batch: Sequence[int], listen: Listen) -> list[int]:
        staying = list(batch)
        for question, keep in self._questions:
            agents = self._shelf.take(staying, tuple)
            answers = list(listen(self._respondent.answer(agents, question, {}, seed=self._seed)))
            if answers and all(isinstance(one, Failure) for one in answers):
                raise _broken(answers[0])
            staying = [one.agent_id for one in answers if isinstance(one, Reply) and one.value is keep]
        return staying


def _broken(failure: Reply | Failure) -> ServiceError:
    """Return the error for a respondent that answers for nobody: to go on would use up all candidates."""
    assert isinstance(failure, Failure)
    return ServiceError(f"Nobody could be screened: {failure.message}", status=503, code=failure.code)
