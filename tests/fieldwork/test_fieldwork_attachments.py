"""A study's question takes files: uploaded assets, their ids, and paths."""

from __future__ import annotations

from pathlib import Path

import voxpop as vp
from media_files import gif, pdf, png
from running_service import Service
from voxpop_simulator.embedded import UNSEEN


def test_paths_are_uploaded_and_go_with_the_question(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "price list.pdf"
    path.write_bytes(pdf())
    service = Service(home, tmp_path / "data")
    try:
        with vp.connect(service.base_url, service.key()) as client:
            group = vp.recruit(client, {"country": "USA"}, 3)
            study = vp.Study.create(client, group, title="Logos")
            logo, other = client.media.upload(png(), "logo.png"), client.media.upload(gif())
            asked = study.ask("Which logo do you like?", attachments=[logo, path, other.id])
            assert [one.filename for one in asked.attachments] == [
                "logo.png",
                "price list.pdf",
                "attachment.gif",
            ]
            assert client.media.content(asked.attachments[1]) == pdf()
            assert [one.attachments for one in study.questions()] == [asked.attachments]
            assert all(UNSEEN in answer.response_text for answer in study.answers())
    finally:
        service.close()
