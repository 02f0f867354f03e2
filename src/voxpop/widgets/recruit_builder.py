"""The recruitment widget: an audience selected from lists or described in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voxpop.client.checks import whole_number
from voxpop.client.groups import LARGEST
from voxpop.errors import UsageError
from voxpop.widgets.recruit_state import RecruitState
from voxpop.widgets.recruit_view import live, still
from voxpop.widgets.requested import Requested
from voxpop.widgets.tree import Node

if TYPE_CHECKING:
    from voxpop.wire.agents import Agent
    from voxpop.wire.groups import Group

AT_DISPLAY = 1.0
"""Maximum wait of the first display for the first count, in seconds."""


class RecruitBuilder(RecruitState):
    """Define an audience and recruit a group from it, without writing code.

    Parameters
    ----------
    client : Client
        The service.
    filters : Filter or dict, optional
        Initial filter; by default all agents.
    words : str, optional
        Initial audience in words; if given, the description is shown first.
    size : int
        Number of agents, 1 to 10,000.

    Attributes
    ----------
    filters : Filter
        Filter of the audience; can be set and observed.
    words : str
        The audience in words.
    mode : {"fields", "words"}
        Which of the two is used.
    size, name, sample_method, seed, description
        As in :func:`voxpop.recruit`.
    group : Group or None
        The recruited group, or None; can be observed.
    code : str
        Python code that recruits the same group without the widget.
    error : Exception or None
        The last error, or None.

    Notes
    -----
    A saved notebook shows the widget as it was when its cell ran. Display the widget again in the last cell
    to save its final state.

    Examples
    --------
    ::

        builder = RecruitBuilder(client)
        builder                       # choose, look at the counts, recruit
        study = vp.Study.create(client, builder.group, title="Snack switching")
    """

    def preview(self, n: int = 5) -> list[Agent]:
        """Return the first matching agents.

        Parameters
        ----------
        n : int
            Number of agents, 1 to 100.
        """
        return list(self._client.agents.search(self.filters, limit=whole_number("n", n, 1, 100)))

    def recruit(self) -> Group:
        """Recruit now, wait, and return the group.

        Raises
        ------
        UsageError
            If the request needs an answer first, or was refused; ``error`` and the widget give the reason.
        """
        self._do_recruit(None, None)
        self._worker.idle()
        with self._lock:
            if self.error is not None and {"recruit", "words", "answer"} & set(self._trouble):
                raise self.error
            seen = self._requested.seen if self._requested is not None else None
            if self.group is None or (seen is not None and seen.group is None):
                raise UsageError(f"There is no group yet. {'' if seen is None else repr(seen)}".strip())
            made: Group = self.group
            return made

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        self._worker.hurry()
        self._worker.idle(AT_DISPLAY)
        return super()._repr_mimebundle_(**kwargs)

    def _live(self) -> Node:
        return live(self)

    def _still(self) -> Node:
        return still(self)

    # Browser actions: group

    def _do_mode(self, value: str, at: Any) -> None:
        self.mode = "words" if value == "words" else "fields"
        self._succeeded()

    def _do_words(self, value: str, at: Any) -> None:
        self._succeeded("words")
        self.words = value

    def _do_size(self, value: str, at: Any) -> None:
        self._take("size", value, int)

    def _do_take_all(self, value: Any, at: Any) -> None:
        if self.available:
            self._take("size", str(min(self.available, LARGEST)), int)

    def _do_name(self, value: str, at: Any) -> None:
        if len(value) > 300:
            self._failed(UsageError(f"The name has {len(value)} characters; 300 are allowed."), "name")
            return
        self._succeeded("name")
        self.name = value.strip() or None

    def _do_method(self, value: str, at: Any) -> None:
        self.sample_method = value

    def _do_seed(self, value: str, at: Any) -> None:
        if value.strip():
            self._take("seed", value, int)
        else:
            self._look.raw.pop("seed", None)
            self._succeeded("seed")
            self.seed = None

    def _do_description(self, value: str, at: Any) -> None:
        self.description = value

    def _do_more(self, value: bool, at: Any) -> None:
        self._look.more = value

    def _do_code(self, value: bool, at: Any) -> None:
        self._look.code = value

    def _take(self, name: str, typed: str, kind: type[int]) -> None:
        """Set a number from typed text; invalid text stays in its input, with the reason beside it."""
        self._look.raw[name] = typed
        try:
            number = kind(typed.strip().replace(",", ""))
        except ValueError:
            self._failed(UsageError(f"{name.capitalize()} must be a whole number."), name)
            return
        try:
            setattr(self, name, number)
        except UsageError as error:
            self._failed(error, name)
        else:
            self._look.raw.pop(name, None)
            self._succeeded(name)

    def _do_preview(self, value: Any, at: Any) -> None:
        def task() -> None:
            found = tuple(self.preview())
            with self._changing():
                self._look.agents = found
                self._succeeded("preview")

        self._worker.do(self._work(task, "preview"))

    def _do_recruit(self, value: Any, at: Any) -> None:
        with self._changing():
            self._succeeded("recruit", "words")
            if self._look.busy:
                return
            if self.mode == "fields":
                self._look.busy = "Recruiting …"
                self._worker.do(self._work(self._recruit_by_filter, "recruit"))
            elif self.words.strip():
                self._requested = Requested(self.words.strip(), self.size)
                self._look.busy = "Reading your words …"
                self._worker.do(self._work(self._request, "recruit"))
            else:
                self._failed(
                    UsageError("Describe the audience, for example: US adults who own a dog."), "words"
                )

    def _recruit_by_filter(self) -> None:
        try:
            with self._lock:
                given = {
                    "filters": self.filters,
                    "size": self.size,
                    "sample_method": self.sample_method,
                    "seed": self.seed,
                    "description": self.description or None,
                }
                name = self.name or self.filters.sentence()[:300]
            group = self._client.groups.recruit(name, **given)
            with self._changing():
                self._requested = None
                self._made_from = given | {"name": self.name}
                self.group = group
                self._move_focus("result")
        finally:
            self._rest()

    # Browser actions: request in words

    def _request(self) -> None:
        assert self._requested is not None
        self._follow(self._client.requests.create(self._requested.text, self._requested.size))

    def _follow(self, seen: Any) -> None:
        requested = self._requested
        assert requested is not None

        def look(now: Any) -> None:
            with self._changing():
                requested.seen = now
                self._look.busy = now.request.progress_message or "Recruiting …"

        try:
            look(seen)
            ended = self._client.requests.wait(seen, on_look=look)
            with self._changing():
                requested.seen = ended
                if ended.group is not None:
                    self.group = ended.group
                self._move_focus("result")
        finally:
            self._rest()

    def _do_answer_text(self, value: str, at: Any) -> None:
        self._look.answer = value
        self._succeeded("answer")

    def _do_answer(self, value: Any, at: str | None) -> None:
        text = at or self._look.answer.strip()
        if not text:
            self._failed(UsageError("Type an answer, or choose one."), "answer")
            return
        self._respond(answer=text)

    def _do_answer_now(self, value: str, at: Any) -> None:
        self._look.answer = value
        self._do_answer(None, None)

    def _do_approve(self, value: Any, at: bool) -> None:
        self._respond(approve=at)

    def _respond(self, **step: Any) -> None:
        requested = self._requested
        if requested is None or requested.seen is None or self._look.busy:
            return
        self._look.busy = "Going on …"
        self._look.answer = ""

        def task() -> None:
            assert requested.seen is not None
            try:
                seen = self._client.requests.respond(requested.seen, **step)
            finally:
                self._rest()
            requested.steps.append(step)
            self._follow(seen)

        self._worker.do(self._work(task, "answer"))

    def _do_again(self, value: Any, at: Any) -> None:
        self._requested = None
        self._succeeded()
        self._move_focus("words")

    def _rest(self) -> None:
        with self._changing():
            self._look.busy = ""
