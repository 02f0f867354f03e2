"""The state of `AskPanel`: questions, validation and equivalent code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voxpop.errors import UsageError
from voxpop.fieldwork.wording import spelled_out
from voxpop.vocabulary.conditions import code_of
from voxpop.widgets.ask_running import Running
from voxpop.widgets.drafts import Draft, drafted, from_state, to_state
from voxpop.widgets.keeping import kept

if TYPE_CHECKING:
    from voxpop.client.findings import Findings
    from voxpop.fieldwork import Study


class AskState(Running):
    """The questions of an `AskPanel`, with their progress."""

    def __init__(
        self,
        study: Study,
        questions: Sequence[Any] = (),
        *,
        state: Mapping[str, Any] | None = None,
        keep: bool = True,
    ) -> None:
        if not hasattr(study, "client") or not hasattr(study, "uuid"):
            raise UsageError(f"study must be a Study, such as vp.Study.create returns, not {study!r}.")
        self._keeping = keep
        self._open: set[int] = set()
        self._typed_options: dict[int, str] = {}
        self._resumed = False
        self._code_open = False
        super().__init__(study)
        given = [dict(one) for one in (state or {}).get("questions", ())]
        given = [one for one in given if "question_id" not in one] or (kept(study.uuid) if keep else [])
        with self._changing():
            for held in given:
                self._drafts.append(from_state(self._new_number(), held))
            for question in questions:
                self._append(question)
            self._resumed = bool(given)
        self._worker.do(self._work(self._load, "load"))

    # Public state

    @property
    def code(self) -> str:
        """Python code that creates a similar study without the panel and asks the same questions."""
        with self._lock:
            return "\n".join(self._code_lines())

    @property
    def state(self) -> dict[str, Any]:
        """All questions, sent or not, and removed agents, as JSON values for ``AskPanel(study, state=…)``."""
        with self._lock:
            return {
                "study": self.study.uuid,
                "questions": [to_state(draft) for draft in self._drafts],
                "removed": [
                    {"question_id": one.question_id, "keep": list(one.keep), "removed": one.removed}
                    for one in self._removals
                ],
            }

    @property
    def findings(self) -> Findings | None:
        """The analysis, if the study was completed in this panel."""
        return self._findings

    def _append(self, question: Any, **parts: Any) -> None:
        names = ("key", "type", "options", "scale", "shuffle_options")
        text, given = spelled_out(question, **{name: parts.pop(name, None) for name in names})
        if parts:
            raise UsageError(f"{next(iter(parts))!r} is not a part of a question; use {', '.join(names)}.")
        self._drafts.append(drafted(self._new_number(), str(text), **given))

    def _code_lines(self) -> list[str]:
        record = self._record
        lines = ["import voxpop as vp", ""]
        if record is not None and record.research_group_uuid:
            objective = f", objective={code_of(record.objective)}" if record.objective else ""
            lines.append(f"group = {code_of(record.research_group_uuid)}")
            lines.append(
                f"study = vp.Study.create(client, group, title={code_of(record.title or '')}{objective})"
            )
        else:
            lines.append(f"study = vp.Study.open(client, {code_of(self.study.uuid)})")
        for draft in self._drafts:
            if not draft.text.strip():
                continue
            found = [one for one in self._removals if one.question_id == draft.question_id]
            lines.append(f"{'asked = ' if found else ''}{draft.code()}")
            if draft.question_id in self._retried:
                lines.append("study.retry()")
            for one in found:
                values = ", ".join(
                    repr(list(value)) if isinstance(value, tuple) else code_of(value) for value in one.keep
                )
                lines += [
                    "answers = [answer for answer in study.answers() if answer.question_id == asked.id]",
                    f"study.remove_agents(one.agent_id for one in answers if one.value not in [{values}])",
                ]
        if self._completed:
            lines.append("study.complete()")
        return lines

    # Validation

    def _problems(self) -> dict[int, dict[str, str]]:
        """Return the validation errors of unsent questions, by number."""
        keys = [draft.key for draft in self._drafts]
        found = {}
        for draft in self._drafts:
            if not draft.sent:
                others = list(keys)
                if draft.key:
                    others.remove(draft.key)
                found[draft.number] = draft.problems(others)
        return found

    def _place(self, number: int) -> int:
        """Return the position of a question, from 1."""
        return 1 + [draft.number for draft in self._drafts].index(number)

    def _draft(self, number: Any) -> Draft | None:
        """Return a question that can still be edited."""
        return next((draft for draft in self._drafts if draft.number == number and not draft.sent), None)

    def _save(self) -> None:
        if self._keeping:
            super()._save()
