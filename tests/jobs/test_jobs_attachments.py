"""Attachments reach the engine with their question; their bytes are read on demand."""

from __future__ import annotations

from typing import Any

from media_files import pdf, png
from voxpop.engines.question import Question
from voxpop.jobs.asking import ask
from voxpop.records import media


def stored(desk: Any, filename: str, mime: str, content: bytes) -> int:
    with desk.database.begin() as c:
        organization = desk.org
        made = media.create(c, organization, filename=filename, mime=mime, sha256="0" * 64, content=content)
    return made.id


def test_an_engine_gets_the_files_in_the_order_named_and_reads_them_itself(desk: Any) -> None:
    ids = [stored(desk, "b.pdf", "application/pdf", pdf()), stored(desk, "a.png", "image/png", png())]
    ask(
        desk.database,
        desk.queue,
        desk.org,
        desk.study.id,
        Question("Which one?", "open"),
        attachments=ids,
    )
    desk.run()
    files = desk.respondent.questions[0].attachments
    assert [(one.filename, one.mime, one.size) for one in files] == [
        ("b.pdf", "application/pdf", len(pdf())),
        ("a.png", "image/png", len(png())),
    ]
    assert [one.read() for one in files] == [pdf(), png()]
    assert len(desk.answers()) == 250


def test_a_question_without_files_has_none(desk: Any) -> None:
    desk.ask()
    desk.run()
    assert {question.attachments for question in desk.respondent.questions} == {()}
