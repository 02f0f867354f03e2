"""Study questions: ask, and read questions and answers, in bulk if the service supports it."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from voxpop.client.ahead import ahead
from voxpop.client.arrow import JSON, LACKING, answers
from voxpop.client.checks import Ref, identifier, whole_number
from voxpop.client.jsonrows import Rows, answers_to, questions_in, without_answers
from voxpop.client.media import attachment_ids
from voxpop.client.polling import Timekeeper
from voxpop.client.preview import QuestionPreview
from voxpop.client.shapes import body, read
from voxpop.client.transport import Transport
from voxpop.errors import JobTimeout, ServiceError, UsageError
from voxpop.vocabulary import did_you_mean, nearest
from voxpop.vocabulary.question_types import QUESTION_TYPES, BuiltInType
from voxpop.wire.estimates import Estimate
from voxpop.wire.probabilities import AnswerProbabilities, ProbabilityList
from voxpop.wire.questions import (
    KEY_PATTERN,
    Answer,
    AnswerList,
    AskIn,
    AskResponse,
    Question,
    QuestionList,
    Scale,
    ScaleIn,
    Unanswered,
    UnansweredList,
)


class Asked(AskResponse):
    """Queued jobs of a question, and whether an earlier call with the same idempotency key queued them."""

    replayed: bool = False


LONGEST = 10_000
"""Maximum number of characters of a question."""

_PAGE_BYTES = 1 << 24
"""Approximate size of a request when answers are read from lists of questions."""

_MOST_QUESTIONS = 500
"""Maximum number of questions that a service returns per page."""

_BATCHES_AHEAD = 8
"""Number of batches of answers to read ahead: DuckDB compresses about six at once."""


class Questions:
    """``client.questions``: the questions of studies and their answers."""

    def __init__(self, transport: Transport, times: Timekeeper) -> None:
        self._transport = transport
        self._times = times

    def ask(
        self,
        study: Ref,
        question: str,
        *,
        key: str | None = None,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: Scale | tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        attachments: Sequence[Any] | None = None,
        engine: str | None = None,
        idempotency_key: str | None = None,
    ) -> Asked:
        """Ask every agent of a study a question, and return at once with one job per agent.

        Parameters
        ----------
        study : Study or its id
            The study.
        question : str
            One question, 1 to 10,000 characters.
        key : str, optional
            Name of the variable in tables: small letters, digits and ``_``; unique in the study.
        type : str, optional
            ``open``, ``yes_no``, ``single_choice``, ``multi_choice``, ``scale``, ``number`` or ``ranking``;
            by default read from the question's words.
        options : list of str, optional
            Options to choose from or rank.
        scale : tuple or dict, optional
            Lowest and highest point, such as ``(0, 10)`` or ``{"min": 1, "max": 5, "min_label": "never"}``.
        shuffle_options : bool
            Whether each agent sees the options in its own order.
        attachments : list of MediaAsset or its id, optional
            Up to 10 files to attach, uploaded with ``client.media.upload``. Not every engine reads them;
            answers of an engine that does not say so.
        engine : str, optional
            One of the engines of the service, by name; by default its default engine.
        idempotency_key : str, optional
            For 24 hours the same key and arguments return the first response with ``replayed``, without
            asking again. By default every call asks again; ``Study.ask`` derives a key from the study and the
            words.
        """
        sent = _sent(
            question,
            key=key,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            attachments=attachments,
            engine=engine,
        )
        told, replayed = self._transport.post_told(_path(study), sent, key=idempotency_key)
        answer = read(Asked, told).model_copy(update={"replayed": replayed})
        if getattr(answer, "question", None) is None:
            known = {name: value for name, value in sent.items() if name != "attachments"}
            echoed = read(Question, {"id": answer.question_id, **known})
            answer = answer.model_copy(update={"question": echoed})
        return answer

    def preview(
        self,
        study: Ref,
        question: str,
        *,
        key: str | None = None,
        type: BuiltInType | None = None,
        options: Sequence[str] | None = None,
        scale: Scale | tuple[int, int] | Mapping[str, Any] | None = None,
        shuffle_options: bool = False,
        engine: str | None = None,
    ) -> QuestionPreview:
        """Return how a question would be read and what its answers would rest on; nothing is asked.

        Parameters
        ----------
        study : Study or its id
            The study.
        question, key, type, options, scale, shuffle_options, engine
            As in :meth:`ask`.

        Returns
        -------
        QuestionPreview
            The question as read, and the number of agents per kind of basis, with notes. Of a large group, a
            sample of 1,000 agents is looked at.

        Raises
        ------
        NotFound
            There is no such study, or the service does not support previews.

        Examples
        --------
        ::

            client.questions.preview(study, "Would you switch to oat milk?", type="yes_no")
        """
        sent = _sent(
            question,
            key=key,
            type=type,
            options=options,
            scale=scale,
            shuffle_options=shuffle_options,
            engine=engine,
        )
        return read(QuestionPreview, self._transport.post(f"{_path(study)}/preview", sent))

    def estimate(self, study: Ref, questions: Sequence[Mapping[str, Any]]) -> Estimate:
        """Return what questions to the agents of a study would cost, without asking them.

        Parameters
        ----------
        study : Study or its id
            The study.
        questions : list of dict
            Each with ``question`` and optionally ``key, type, options, scale, shuffle_options, engine``.
        """
        asked = []
        for one in questions:
            parts = {name: value for name, value in one.items() if value is not None}
            if "scale" in parts:
                parts["scale"] = scale_body(parts["scale"])
            checked_question(parts.get("question", ""), type=parts.get("type"), options=parts.get("options"))
            asked.append(body(AskIn, **parts))
        path = f"/research-studies/{identifier(study, 'study')}/estimate"
        return read(Estimate, self._transport.post(path, {"questions": asked}, safe=True))

    def retry(self, study: Ref, question: Ref) -> AskResponse:
        """Ask a question again of the agents that failed to answer it, except removed ones.

        Parameters
        ----------
        study : Study or its id
            The study.
        question : Question or its id
            A question of the study, whose jobs have all ended.

        Returns
        -------
        AskResponse
            ``job_ids``, one per agent that is asked again, or none if all have answered; and the question
            with its counts.

        Raises
        ------
        Conflict
            Some jobs of the question have not ended.
        NotFound
            The study has no such question, or the service does not support retries.
        """
        path = f"{_path(study)}/{identifier(question, 'question')}/retry"
        return read(AskResponse, self._transport.post(path, {}))

    def list(self, study: Ref, *, answers: bool = True) -> Sequence[Question]:
        """Return all questions of a study in the order asked, with or without their answers."""
        return self._read(study, answers=answers).questions

    def progress(self, study: Ref) -> QuestionList:
        """Return the questions with their counts, without answers, and the suggested delay of the next poll.

        Examples
        --------
        ::

            seen = client.questions.progress(study)
            [(one.key, one.answer_count, one.asked_count) for one in seen.questions], seen.poll_after_s
        """
        return self._read(study, answers=False)

    def wait(self, study: Ref, *, on_look: Callable[[int, int], None] | None = None) -> Sequence[Question]:
        """Wait until every question has as many answers and failures as agents asked.

        This needs no job ids, so it works after a restart. The first poll is immediate.

        Parameters
        ----------
        study : Study or its id
            The study.
        on_look : callable, optional
            Called after each poll with the number of answers and failures, and the number of agents asked.

        Raises
        ------
        JobTimeout
            The deadline of the polling pattern has passed; the jobs continue in the service.
        """
        told = (0, 0)

        def look() -> QuestionList:
            nonlocal told
            seen = self._read(study, answers=False)
            told = (sum(map(_ended, seen.questions)), sum(one.asked_count or 0 for one in seen.questions))
            if on_look is not None:
                on_look(*told)
            return seen

        def too_late() -> JobTimeout:
            limit = self._times.polling.deadline
            return JobTimeout(
                f"{told[1] - told[0]} of {told[1]} answers did not arrive within {limit:g} seconds. "
                "Their jobs continue in the service: wait again later."
            )

        return self._times.until(
            look,
            lambda seen: all(_ended(one) >= (one.asked_count or 0) for one in seen.questions),
            hint=lambda seen: seen.poll_after_s,
            first_wait=0.0,
            too_late=too_late,
        ).questions

    def answers(self, study: Ref, *, after: int = 0) -> Sequence[Answer]:
        """Return all answers of a study.

        Parameters
        ----------
        study : Study or its id
            The study.
        after : int
            Only answers with an id above this one; 0 for all.
        """
        return read(AnswerList, {"answers": self.answer_records(study, after=after)}).answers

    def answer_records(self, study: Ref, *, after: int = 0) -> Sequence[Mapping[str, Any]]:
        """Return all answers of a study as plain JSON objects.

        Parameters
        ----------
        study : Study or its id
            The study.
        after : int
            Only answers with an id above this one; 0 for all.
        """
        newest = whole_number("after", after, 0)
        try:
            found = self._transport.get(_path(study, "answers"), {"after": newest} if newest else None)
        except ServiceError as error:
            if error.status not in LACKING:
                raise
        else:
            held = found.get("answers") if isinstance(found, Mapping) else None
            if isinstance(held, list):
                return held
        return [
            {**dict(one), "question_id": one.question_id, "study_id": one.study_id}
            for one in self._listed(study)
            if newest == 0 or (one.id or 0) > newest
        ]

    @contextmanager
    def answer_batches(self, study: Ref, *, after: int = 0) -> Iterator[Iterator[Rows]]:
        """Open a stream of all answers of a study in batches.

        Batches are Arrow record batches, whether the service sends Arrow, NDJSON, JSON or only the documented
        list of questions. Answers that deviate from the documented form come as lists of JSON objects. A text
        column ``value`` holds the coded answer as JSON. A broken connection is resumed after the last answer
        received.

        Parameters
        ----------
        study : Study or its id
            The study.
        after : int
            Only answers with an id above this one; 0 for all.
        """
        found = self._batches(study, whole_number("after", after, 0))
        with ahead(found, depth=_BATCHES_AHEAD) as batches:
            yield batches

    def _batches(self, study: Ref, after: int) -> Generator[Rows]:
        try:
            yield from answers(self._transport, _path(study, "answers"), after)
        except ServiceError as error:
            if error.status not in LACKING:  # additive endpoint: not every service has it
                raise
        else:
            return
        yield from self._documented(study, after)

    def _documented(self, study: Ref, after: int) -> Iterator[Rows]:
        """Yield answers from the list of questions, in pages if the service supports them."""
        known: set[int] = set()
        met: set[int] = set()
        many = 1
        while True:
            params = {"limit": many, "offset": len(known)}
            with self._transport.stream(_path(study), params, accept=JSON) as response:
                body = b"".join(response.iter_bytes())  # read() would keep the body as long as the response
            page = questions_in(body, self._transport.base_url)
            fresh = [question for question in page if question.id not in known]
            for question in fresh:
                yield from answers_to(question, after, met)
            known.update(question.id for question in fresh)
            if not fresh or len(page) > many:  # the last page, or all questions from a service without pages
                return
            many = max(1, min(_MOST_QUESTIONS, _PAGE_BYTES * len(page) // len(body)))

    def unanswered(self, study: Ref) -> Sequence[Unanswered]:
        """Return the question jobs of a study that failed, with the reason, or have not ended.

        Examples
        --------
        ::

            [(one.agent_id, one.error.message) for one in client.questions.unanswered(study) if one.error]
        """
        return read(UnansweredList, self._transport.get(_path(study, "unanswered"))).unanswered or []

    def probabilities(self, study: Ref, question: Ref) -> Sequence[AnswerProbabilities]:
        """Return the distributions from which the answers to a question were drawn, one per agent.

        They exist for closed questions to a language model with ``VOXPOP_ENGINE_PROBABILITIES`` set, if its
        server gives token probabilities.

        Examples
        --------
        ::

            [one.shares["yes"] for one in client.questions.probabilities(study, question)]
        """
        path = _path(study, f"questions/{identifier(question, 'question')}/probabilities")
        return read(ProbabilityList, self._transport.get(path)).probabilities or []

    def _read(self, study: Ref, *, answers: bool) -> QuestionList:
        if answers:
            found = self._transport.get(_path(study))
        else:
            with self._transport.stream(_path(study), {"answers": "false"}, accept=JSON) as response:
                found = without_answers(response.read(), self._transport.base_url)
        listed = read(QuestionList, found)
        return listed if listed.questions is not None else listed.model_copy(update={"questions": []})

    def _listed(self, study: Ref) -> Iterator[Answer]:
        """Return the answers nested in the documented list of questions."""
        study_id = study if isinstance(study, int) else getattr(study, "id", None)
        for question in self.list(study):
            for answer in question.answers or ():
                yield answer.model_copy(
                    update={
                        "question_id": answer.question_id or question.id,
                        "study_id": answer.study_id or study_id,
                    }
                )


def _ended(question: Question) -> int:
    return (question.answer_count or 0) + (question.failed_count or 0)


def _sent(
    question: str,
    *,
    key: str | None,
    type: BuiltInType | None,
    options: Sequence[str] | None,
    scale: Scale | tuple[int, int] | Mapping[str, Any] | None,
    shuffle_options: bool,
    attachments: Sequence[Any] | None = None,
    engine: str | None = None,
) -> dict[str, Any]:
    """Return the body of a question; additive fields only if given, as other services may not know them."""
    sent = body(
        AskIn,
        question=checked_question(question, key=key, type=type, options=options),
        key=key,
        type=type,
        options=None if options is None else list(options),
        scale=None if scale is None else scale_body(scale),
        attachments=attachment_ids(attachments) or None if attachments is not None else None,
        engine=engine,
    )
    sent.pop("shuffle_options", None)
    return sent | ({"shuffle_options": True} if shuffle_options else {})


def checked_question(
    question: str,
    *,
    key: str | None = None,
    type: BuiltInType | None = None,
    options: Sequence[str] | None = None,
) -> str:
    """Return the words of a question after checking them with its other parts.

    Raises
    ------
    UsageError
        The words are missing or too long, the key is not a variable name, the type is unknown, or there are
        fewer than two options or repeated ones.
    """
    if not isinstance(question, str) or not question.strip():
        raise UsageError(
            f"question must be the question's words, 1 to {LONGEST:,} characters, not {question!r}."
        )
    if len(question) > LONGEST:
        raise UsageError(f"question has {len(question):,} characters; {LONGEST:,} are allowed.")
    if key is not None and not (isinstance(key, str) and len(key) <= 63 and re.fullmatch(KEY_PATTERN, key)):
        raise UsageError(
            f"key {key!r} must begin with a small letter and go on with small letters, digits and _, "
            f"at most 63 in all{_as_key(key)}."
        )
    if type is not None and type not in QUESTION_TYPES:
        near = did_you_mean(nearest(str(type), QUESTION_TYPES, cutoff=0.4)) or "."
        raise UsageError(f"type {type!r} is unknown{near} The types are {', '.join(QUESTION_TYPES)}.")
    if options is not None:
        _check_options(options)
    return question


def _check_options(options: Sequence[str]) -> None:
    if isinstance(options, str):
        raise UsageError(
            f"options must be a list of texts, for example ['yes', 'no'], not the text {options!r}."
        )
    given = list(options)
    wrong = [one for one in given if not isinstance(one, str) or not one.strip()]
    if wrong:
        raise UsageError(f"options must be texts, not {wrong[0]!r}.")
    if len(given) < 2:
        raise UsageError(f"options must have at least two entries, not {given!r}.")
    folded = [one.strip().casefold() for one in given]
    twice = [one for position, one in enumerate(given) if folded[position] in folded[:position]]
    if twice:
        raise UsageError(f"options must all differ; {twice[0]!r} is repeated.")


def _as_key(key: object) -> str:
    """Suggest the key that was probably meant."""
    text = re.sub(r"[^a-z0-9]+", "_", str(key).lower()).strip("_").lstrip("0123456789_")[:63]
    return f"; {text!r} would do" if text else ""


def scale_body(scale: Scale | tuple[int, int] | Mapping[str, Any]) -> dict[str, Any]:
    """Return a scale as JSON values, from a pair, a mapping or a model."""
    if isinstance(scale, tuple | list):
        if len(scale) != 2:
            raise UsageError(f"scale must be the lowest and highest point, such as (0, 10), not {scale!r}.")
        given: dict[str, Any] = {"min": scale[0], "max": scale[1]}
    elif isinstance(scale, Mapping):
        given = dict(scale)
    elif isinstance(scale, Scale | ScaleIn):
        given = scale.model_dump(exclude_none=True)
    else:
        raise UsageError(f"scale must be the lowest and highest point, such as (0, 10), not {scale!r}.")
    sent = body(ScaleIn, **given)
    if sent["min"] >= sent["max"]:
        raise UsageError(f"scale: min must be below max, not {sent['min']} and {sent['max']}.")
    return sent


def _path(study: Ref, last: str = "questions") -> str:
    return f"/research-studies/{identifier(study, 'study')}/{last}"
