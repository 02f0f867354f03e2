"""``client.media``: what is sent, what is refused before it is sent, and how questions name assets."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from scripted_service import Script

from media_files import FILES, jpeg, pdf, png
from voxpop.client import Client
from voxpop.errors import UsageError
from voxpop.wire.media import LARGEST_FILE, MediaAsset

PATH = "/media-assets"
UUID = "3d5b1f0e-6a53-4f0e-9d0e-2f8b6a1c7e11"
ASSET = {"id": 7, "uuid": UUID, "filename": "logo.png", "mime": "image/png", "bytes": 67, "sha256": "0" * 64}


@pytest.fixture
def script() -> Script:
    return Script().on("POST", PATH, httpx.Response(201, json={"media_asset": ASSET}))


@pytest.fixture
def client(script: Script) -> Iterator[Client]:
    with script.client() as made:
        yield made


def file(folder: Path, name: str = "logo.png", data: bytes | None = None) -> Path:
    path = folder / name
    path.write_bytes(png() if data is None else data)
    return path


def test_a_file_is_sent_with_its_name_and_kind(client: Client, script: Script, tmp_path: Path) -> None:
    for source in (file(tmp_path), str(file(tmp_path))):
        made = client.media.upload(source)
        assert isinstance(made, MediaAsset)
        assert (made.id, made.uuid) == (7, UUID)
        assert script.body() == {
            "filename": "logo.png",
            "mime": "image/png",
            "file_data": base64.b64encode(png()).decode(),
            "encoding": "base64",
        }


@pytest.mark.parametrize("mime", FILES)
def test_the_kind_is_found_by_the_bytes(client: Client, script: Script, mime: str) -> None:
    client.media.upload(FILES[mime])
    assert (script.body()["mime"], script.body()["filename"]) == (mime, f"attachment.{mime.split('/')[1]}")
    client.media.upload(bytearray(FILES[mime]), "a name", mime.upper())
    assert (script.body()["mime"], script.body()["filename"]) == (mime, "a name")


def test_other_names_of_a_kind_are_welcome(client: Client, script: Script) -> None:
    client.media.upload(jpeg(), mime="image/jpg")
    assert script.body()["mime"] == "image/jpeg"


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        ("nowhere.png", {}, "There is no file 'nowhere.png'"),
        (b"", {}, "is empty"),
        (bytes(LARGEST_FILE + 1), {}, "20,000,001 bytes"),
        (b"<html></html>", {}, "The file is an HTML page; allowed are image/png"),
        (7, {}, "path of a file or its bytes, not 7"),
        (None, {}, "path of a file or its bytes"),
        (png(), {"mime": "application/pdf"}, "but the bytes are image/png"),
        (png(), {"filename": "a/b.png"}, "filename"),
        (png(), {"filename": ""}, "filename"),
        (png(), {"filename": "x" * 256}, "filename"),
    ],
)
def test_mistakes_are_found_before_the_call(
    client: Client, script: Script, source: Any, options: Any, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        client.media.upload(source, **options)
    assert script.calls == []


def test_a_file_that_is_too_large_is_not_even_read(client: Client, script: Script, tmp_path: Path) -> None:
    path = tmp_path / "film.png"
    with path.open("wb") as large:
        large.truncate(LARGEST_FILE * 50)
    with pytest.raises(UsageError, match="1,000,000,000 bytes; 20,000,000"):
        client.media.upload(path)
    with pytest.raises(UsageError, match="is empty"):
        client.media.upload(file(tmp_path, data=b""))
    with pytest.raises(UsageError, match="There is no file"):
        client.media.upload(tmp_path)
    assert script.calls == []


def test_assets_are_read_listed_and_downloaded(client: Client, script: Script) -> None:
    script.on("GET", f"{PATH}/7", {"media_asset": ASSET})
    script.on("GET", PATH, {"media_assets": [ASSET], "total": 1, "limit": 200, "offset": 0})
    script.on("GET", f"{PATH}/7/content", httpx.Response(200, content=pdf()))
    made = client.media.get(7)
    assert client.media.get(made) == made
    assert [*client.media.list()] == [made]
    assert client.media.content(made) == pdf()
    assert script.calls[-1].headers["accept"] == "*/*"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ([7, np.int64(8), "9", UUID], [7, 8, "9", UUID]),
        ([{"media_asset_id": 7}, {"id": UUID}], [7, UUID]),
        ([MediaAsset.model_validate(ASSET)], [7]),
        ((7,), [7]),
    ],
)
def test_a_question_names_assets(client: Client, script: Script, given: Any, sent: Any) -> None:
    script.on("POST", "/research-studies/1/questions", {"job_ids": [], "question_id": 1})
    client.questions.ask(1, "Why?", attachments=given)
    assert script.body() == {"question": "Why?", "attachments": sent}
    client.questions.ask(1, "Why?", attachments=[])
    assert script.body() == {"question": "Why?"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (7, "must be a list"),
        ("7", "must be a list"),
        ({"id": 7}, "must be a list"),
        (["logo.png"], "not the id or UUID of a media asset; a file is given as Path"),
        ([Path("logo.png")], "client.media.upload first"),
        ([b"bytes"], "client.media.upload first"),
        ([True], "media asset"),
        ([None], "media asset"),
        ([{}], "media asset"),
        (range(11), "11 entries; 10 are allowed"),
    ],
)
def test_what_is_no_asset_is_found_before_the_call(
    client: Client, script: Script, given: Any, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        client.questions.ask(1, "Why?", attachments=given)
    assert script.calls == []


def test_paths_are_uploaded_once_all_that_is_named_can_be_used(
    client: Client, script: Script, tmp_path: Path
) -> None:
    logo = file(tmp_path)
    for wrong in (tmp_path / "nowhere.png", "logo.png", None):
        with pytest.raises(UsageError):
            client.media.uploaded([logo, wrong])
    assert script.calls == []
    assert client.media.uploaded([3, logo, UUID]) == [3, 7, UUID]
    assert script.paths() == [PATH]
