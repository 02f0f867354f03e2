"""The panel for questions of a study: write, check, ask, screen, complete and share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from voxpop.errors import UsageError
from voxpop.widgets.ask_state import AskState
from voxpop.widgets.ask_view import live, still
from voxpop.widgets.drafts import Draft, from_state, to_state
from voxpop.widgets.tree import Node

_PARTS = ("text", "key", "type", "low", "high", "low_label", "high_label")


class AskPanel(AskState):
    """Write the questions of a study, ask them one after the other, and follow the answers.

    The kernel stays free while agents answer. Unsent questions are saved on this machine; sent ones are in
    the service. After a restart, create the panel again to continue.

    Parameters
    ----------
    study : Study
        The study, from :meth:`Study.create` or :meth:`Study.open`.
    questions : list of str, dict or GuideQuestion, optional
        Initial questions, as accepted by :meth:`Study.ask`.
    state : dict, optional
        The :attr:`state` of another panel, whose questions are copied.
    keep : bool
        Whether to save unsent questions on this machine.

    Attributes
    ----------
    study : Study
        The study.
    code : str
        Python code that asks the same questions without the panel.
    state : dict
        All questions, sent or not, as JSON values.
    findings : Findings or None
        The analysis, after completion.
    error : Exception or None
        The last error, or None.

    Notes
    -----
    A saved notebook shows the widget as it was when its cell ran. Display the widget again in the last cell
    to save its final state.

    Examples
    --------
    ::

        panel = AskPanel(study, ["Would you switch to a lower-sugar snack?"])
        panel                    # write, ask, look on
        panel.ask()              # or ask from code, and wait
    """

    def add(self, question: Any, **parts: Any) -> None:
        """Add a question to the list.

        Parameters
        ----------
        question : str, GuideQuestion, Question or dict
            As accepted by :meth:`Study.ask`.
        **parts
            ``key``, ``type``, ``options``, ``scale`` and ``shuffle_options`` of :meth:`Study.ask`.
        """
        with self._changing():
            self._append(question, **parts)
            self._save()

    def start(self) -> None:
        """Start asking, and return immediately; progress is in :attr:`state` and in the panel."""
        self._do_ask(None, None)

    def stop(self) -> None:
        """Stop after the current question."""
        self._do_stop(None, None)

    def ask(self) -> None:
        """Ask all questions and wait for their answers.

        Raises
        ------
        VoxpopError
            If a question could not be asked.
        """
        self._worker.idle()
        with self._lock:
            wrong = {number: found for number, found in self._problems().items() if found}
        if wrong:
            [number, found] = next(iter(wrong.items()))
            raise UsageError(f"Question {self._place(number)}: {next(iter(found.values()))}")
        self.start()
        self.wait()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no work is in progress; return whether that is the case.

        Parameters
        ----------
        timeout : float, optional
            Maximum number of seconds to wait.
        """
        done = self._worker.idle(timeout)
        if done and self.error is not None and any(name.endswith("-send") for name in self._trouble):
            raise self.error
        return done

    def _live(self) -> Node:
        return live(self)

    def _still(self) -> Node:
        return still(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if not self._running:
            self._worker.idle(1.0)
        return super()._repr_mimebundle_(**kwargs)

    # Browser actions: questions

    def _change(self, at: Any, change: Callable[[Draft], None]) -> None:
        draft = self._draft(at)
        if draft is not None:
            change(draft)
            self._forget(f"{draft.number}-send", f"{draft.number}-file")
            self._save()

    def _do_write(self, value: str, at: list[Any]) -> None:
        number, part = at
        if part in _PARTS:
            self._change(number, lambda draft: setattr(draft, part, value))

    def _do_options(self, value: str, at: int) -> None:
        lines = tuple(line.strip() for line in value.split("\n"))
        self._change(at, lambda draft: setattr(draft, "options", tuple(line for line in lines if line)))
        self._typed_options[at] = value

    def _do_shuffle(self, value: bool, at: int) -> None:
        self._change(at, lambda draft: setattr(draft, "shuffle", value))

    def _do_fold(self, value: bool, at: str) -> None:
        number = int(at.removeprefix("q"))
        (self._open.add if value else self._open.discard)(number)

    def _do_add(self, value: Any, at: Any) -> None:
        draft = Draft(self._new_number())
        self._drafts.append(draft)
        self._open.add(draft.number)
        self._move_focus(f"q{draft.number}-text")

    def _do_duplicate(self, value: Any, at: int) -> None:
        draft = next((one for one in self._drafts if one.number == at), None)
        if draft is None:
            return
        held = {
            name: each
            for name, each in to_state(draft).items()
            if name not in ("question_id", "asked", "answered", "failed", "key")
        }
        copy = from_state(self._new_number(), held)
        where = len(self._drafts) if draft.sent else self._drafts.index(draft) + 1
        self._drafts.insert(where, copy)
        self._open.add(copy.number)
        self._move_focus(f"q{copy.number}-text")
        self._save()

    def _do_remove(self, value: Any, at: int) -> None:
        draft = self._draft(at)
        if draft is not None and draft.number != self._running:
            self._drafts.remove(draft)
            self._forget(*[name for name in self._trouble if name.startswith(f"{at}-")])
            self._move_focus("questions")
            self._save()

    def _do_move(self, value: Any, at: list[int]) -> None:
        number, step = at
        draft = self._draft(number)
        if draft is None:
            return
        first = sum(one.sent for one in self._drafts)
        here = self._drafts.index(draft)
        there = min(max(here + step, first), len(self._drafts) - 1)
        self._drafts.insert(there, self._drafts.pop(here))
        self._save()

    def _do_attach(self, value: list[tuple[str, bytes]], at: int) -> None:
        def task() -> None:
            for name, data in value:
                asset = self._client.media.upload(data, name)
                with self._changing():
                    self._change(at, partial(_attach, one=(asset.id, name)))

        self._errands.do(self._work(task, f"{at}-file"))

    def _do_detach(self, value: Any, at: list[Any]) -> None:
        number, asset = at
        self._change(
            number,
            lambda draft: setattr(
                draft, "attachments", tuple(one for one in draft.attachments if one[0] != asset)
            ),
        )

    def _do_code(self, value: bool, at: Any) -> None:
        self._code_open = value

    # Browser actions: study

    def _do_ask(self, value: Any, at: Any) -> None:
        with self._changing():
            if self._busy:
                return
            wrong = {number: found for number, found in self._problems().items() if found}
            if wrong:
                number = next(iter(wrong))
                self._open.add(number)
                self._move_focus(f"q{number}-text")
                raise UsageError(f"Question {self._place(number)}: {next(iter(wrong[number].values()))}")
            if not any(not draft.sent for draft in self._drafts):
                return
            self._forget(*self._trouble)
            self._stopping = False
            if self._open:
                self._open.clear()  # collapse the forms, so that the page does not jump
                self._move_focus("questions")
            self._busy = "asking"
            self._worker.do(self._work(self._ask_all, "ask"))

    def _do_stop(self, value: Any, at: Any) -> None:
        with self._changing():
            self._stopping = self._busy == "asking"

    def _do_retry(self, value: Any, at: int) -> None:
        draft = next((one for one in self._drafts if one.number == at and one.sent), None)
        if draft is not None and draft.failed:
            self._errand("Asking again …", lambda: self._ask_again(draft), f"{at}-send")
            self._move_focus("status")

    def _do_screen(self, value: Any, at: int) -> None:
        self._errand("Reading the answers …", lambda: self._read_answers(at), "screening")

    def _do_keep(self, value: bool, at: int) -> None:
        if self._screening is not None:
            chosen = list(self._screening.answers)[at]
            (self._screening.keep.add if value else self._screening.keep.discard)(chosen)

    def _do_remove_agents(self, value: Any, at: Any) -> None:
        screening = self._screening
        if screening is not None and screening.leaving():
            self._errand("Removing …", lambda: self._remove(screening), "screening")

    def _do_end_screening(self, value: Any, at: Any) -> None:
        self._screening = None
        self._move_focus("questions")

    def _do_complete(self, value: Any, at: Any) -> None:
        self._errand("Completing the analysis …", self._complete, "complete")

    def _do_share(self, value: Any, at: bool) -> None:
        self._errand("Sharing …" if at else "Closing the page …", lambda: self._share(at), "share")

    def _do_again(self, value: Any, at: Any) -> None:
        self._forget("load", "ask")
        self._worker.do(self._work(self._load, "load"))

    def _errand(self, told: str, task: Callable[[], None], where: str) -> None:
        if self._busy in ("asking", told):
            return
        self._busy = told  # a running errand is finished first, so that no click is lost
        self._forget(where)
        self._worker.do(self._work(task, where))


def _attach(draft: Draft, one: tuple[int | str, str]) -> None:
    draft.attachments = (*draft.attachments, one)
