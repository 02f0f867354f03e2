"""Waves of a panel: a later study of the same people, and its questions asked again."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Self

from voxpop.errors import UsageError
from voxpop.fieldwork.notices import FieldworkWarning
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.wire.questions import Question
from voxpop.wire.studies import Study as Record
from voxpop.wire.waves import Wave

if TYPE_CHECKING:
    from voxpop.client import Client


class Panel:
    """The part of a study handle that deals with waves.

    Attributes
    ----------
    client : Client
        The service.
    """

    client: Client
    _record: Record

    ask: Callable[..., Question]
    questions: Callable[[], Sequence[Question]]

    def __init__(self, client: Client, record: Record) -> None:
        self.client = client
        self._record = record

    def next_wave(
        self,
        refresh: float = 0.0,
        *,
        attrition: float = 0.0,
        seed: int | None = None,
        title: str | None = None,
        objective: str | None = None,
        idempotency_key: str | None = None,
    ) -> Self:
        """Create a study of the same people again, and return its handle.

        It asks nothing yet: :meth:`ask_again` asks the questions of this wave again, and :meth:`ask` a new
        one. Agents that stay keep their profiles, remember their answers in earlier waves, and do not change
        by themselves between waves: without new information they answer as before. Differences between waves
        therefore come from fresh agents, from those who left, and from what was asked in between. The basis
        notes of the answers say so.

        Parameters
        ----------
        refresh : float
            Share of the agents, 0 to 1, that is replaced by fresh ones, each from the same quota or
            stratum of the group, and screened as it was. Fresh agents were in no earlier wave.
        attrition : float
            Share of the agents, 0 to below 1, that drops out without replacement; :meth:`waves` lists them.
        seed : int, optional
            Seed of the draws. By default the service derives one from the study and the wave.
        title, objective : str, optional
            Of the new study; by default those of this one, with the number of the wave in the title.
        idempotency_key : str, optional
            For 24 hours the same key and arguments return the same study instead of an error that there is a
            next wave already.

        Raises
        ------
        Conflict
            The study has a next wave already, or questions are still being answered.
        InvalidRequest
            ``refresh`` is above 0 but the group has no definition to draw others by, or its screening needs
            a language model.

        Warns
        -----
        FieldworkWarning
            Too few other agents match for the refreshment.

        Examples
        --------
        ::

            wave2 = study.next_wave(refresh=0.2)
            wave2.ask_again()
            wave2.pull(into=store)
            vp.crosstab(store.respondents([study, wave2]), "switch", by="wave", sig=True)
        """
        made = self.client.studies.next_wave(
            self._record,
            refresh=refresh,
            attrition=attrition,
            seed=seed,
            title=title,
            objective=objective,
            idempotency_key=idempotency_key,
        )
        if made.group.shortfall:
            wanted = len(made.wave.replaced_agent_ids)
            warnings.warn(
                f"Only {len(made.fresh_agent_ids):,} of {wanted:,} replaced agents have a fresh one: "
                "no others match the group's filters.",
                FieldworkWarning,
                stacklevel=2,
            )
        return type(self)(self.client, made.wave.study)

    def waves(self) -> Sequence[Wave]:
        """Return the waves of the panel, first to last, each with who stayed, dropped out or was replaced."""
        return self.client.studies.waves(self._record)

    def ask_again(self, keys: Iterable[str] | None = None, *, wait: bool = True) -> list[Question]:
        """Ask the questions of the wave before, with the same keys, words and options, in the same order.

        Questions that this wave was asked already are not asked twice.

        Parameters
        ----------
        keys : list of str, optional
            Keys of the questions to ask; by default all questions.
        wait : bool
            Whether to wait for the answers; if false, call ``wait`` later.

        Returns
        -------
        list of Question
            The questions as asked in this wave.

        Raises
        ------
        UsageError
            This is the first wave, or the wave before has no question with such a key.
        """
        before = next((one.study for one in self.waves() if one.study.wave == self._record.wave - 1), None)
        if before is None:
            raise UsageError(
                "ask_again asks the questions of the wave before, but this is the first wave; "
                "create the next one with study.next_wave()."
            )
        asked = type(self)(self.client, before).questions()
        chosen = asked if keys is None else _chosen(asked, keys)
        return [
            self.ask(
                question,
                attachments=[one.id for one in question.attachments or ()] or None,
                wait=wait,
            )
            for question in chosen
        ]


def _chosen(asked: Sequence[Question], keys: Iterable[str]) -> list[Question]:
    wanted = [keys] if isinstance(keys, str) else list(keys)
    known = [question.key for question in asked if question.key]
    for key in wanted:
        if key not in known:
            near = did_you_mean(nearest(str(key), known, cutoff=0.4)) or "."
            raise UsageError(
                f"keys: the wave before has no question {key!r}{near} Its questions are {', '.join(known)}."
            )
    return [question for question in asked if question.key in wanted]
