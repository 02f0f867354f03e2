"""Media assets and attachments: interface 2.6 and 4.6, contract 10."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from media_files import FILES, gif, jpeg, pdf, png, upload_body, webp
from running_service import Service, ask, new_study
from voxpop.service import uploads
from voxpop.wire.media import LARGEST_FILE, MediaList, MediaResponse
from voxpop_simulator.embedded import UNSEEN

PATH = "/media-assets"
FIELDS = ["id", "uuid", "filename", "mime", "bytes", "sha256", "created_at"]
SHOWN = FIELDS[:5]
HTML = b"<!doctype html><script>alert(1)</script>"


def upload(http: httpx.Client, mime: str = "image/png", data: bytes | None = None, **fields: Any) -> Any:
    """Upload a file and return the asset."""
    answer = http.post(PATH, json=upload_body(mime, data, **fields))
    assert answer.status_code == 201, answer.text
    return answer.json()["media_asset"]


def refused(answer: httpx.Response, status: int, code: str, field: str) -> str:
    """Return the message of a refusal that names one field."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert (error["code"], list(error["details"]["fields"])) == (code, [field])
    return error["message"]


@pytest.fixture(scope="module")
def asset(http: httpx.Client) -> dict[str, Any]:
    return upload(http)


@pytest.fixture(scope="module")
def foreign(stranger: httpx.Client) -> dict[str, Any]:
    return upload(stranger)


@pytest.mark.parametrize("mime", FILES)
def test_a_file_is_uploaded_read_and_given_back(http: httpx.Client, mime: str) -> None:
    answer = http.post(PATH, json=upload_body(mime))
    assert answer.status_code == 201
    assert list(answer.json()) == ["media_asset"]
    made = MediaResponse.model_validate(answer.json()).media_asset
    assert list(answer.json()["media_asset"]) == FIELDS
    assert (made.mime, made.bytes) == (mime, len(FILES[mime]))
    assert made.sha256 == hashlib.sha256(FILES[mime]).hexdigest()
    for name in (made.id, made.uuid, made.uuid.replace("-", "")):
        assert http.get(f"{PATH}/{name}").json() == answer.json()
        content = http.get(f"{PATH}/{name}/content")
        assert (content.status_code, content.content) == (200, FILES[mime])
        assert content.headers["content-type"] == mime


def test_the_bytes_are_a_download_that_no_browser_runs(http: httpx.Client) -> None:
    made = upload(http, filename='Löwe "1".png')
    headers = http.get(f"{PATH}/{made['id']}/content").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("sandbox")
    assert headers["content-disposition"] == (
        "attachment; filename=\"L_we _1_.png\"; filename*=UTF-8''L%C3%B6we%20%221%22.png"
    )
    assert headers["cache-control"] == "private, no-cache"


def test_known_bytes_are_not_sent_again(http: httpx.Client, asset: dict[str, Any]) -> None:
    path = f"{PATH}/{asset['id']}/content"
    tag = http.get(path).headers["etag"]
    assert tag == f'"{asset["sha256"]}"'
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = http.get(path, headers={"If-None-Match": known})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    assert http.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_assets_are_listed_newest_first(service: Service) -> None:
    caller = service.client(service.key(organization="lister"))
    made = [upload(caller, mime)["id"] for mime in FILES]
    page = caller.get(PATH, params={"limit": 2, "offset": 1})
    assert page.status_code == 200
    read = MediaList.model_validate(page.json())
    assert [one.id for one in read.media_assets] == made[::-1][1:3]
    assert (read.total, read.limit, read.offset) == (5, 2, 1)
    assert caller.get(PATH, params={"limit": 501}).status_code == 400


def test_another_organization_sees_nothing_of_an_asset(stranger: httpx.Client, asset: dict[str, Any]) -> None:
    for path in (asset["id"], asset["uuid"], f"{asset['id']}/content", f"{asset['uuid']}/content"):
        assert stranger.get(f"{PATH}/{path}").status_code == 404
    assert asset["id"] not in [one["id"] for one in stranger.get(PATH).json()["media_assets"]]


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({"filename": ""}, "filename", "at least 1"),
        ({"filename": "   "}, "filename", "empty"),
        ({"filename": "x" * 256}, "filename", "at most 255"),
        ({"filename": "../up.png"}, "filename", "without a folder"),
        ({"filename": "a\\b.png"}, "filename", "without a folder"),
        ({"filename": ".."}, "filename", "folder"),
        ({"filename": "a\nb.png"}, "filename", "control characters"),
        ({"filename": "a\x00.png"}, "filename", "control characters"),
        ({"filename": "gnp.\u202eexe.png"}, "filename", "control characters"),
        ({"mime": 5}, "mime", "text"),
        ({"encoding": "hex"}, "encoding", "base64"),
        ({"file_data": ""}, "file_data", "empty"),
        ({"file_data": 7}, "file_data", "text"),
        ({"file_data": None}, "file_data", "text"),
        ({"file_data": "iVBOR"}, "file_data", "base64 with padding"),
        ({"file_data": "iVBO\nRw0K"}, "file_data", "is not base64"),
        ({"file_data": "iVBÖ"}, "file_data", "is not base64"),
        ({"file_data": "QUJD=="}, "file_data", "base64 with padding"),
        ({"file_data": "QQ==QUJD"}, "file_data", "base64 with padding"),
        ({"file_data": "===="}, "file_data", "base64 with padding"),
        ({"file_data": "_-_-"}, "file_data", "standard alphabet"),
        ({"file_data": "data:image/png;base64,iVBORw=="}, "file_data", "what follows the comma"),
        ({"size": 3}, "size", "unknown field"),
        ({"data": "QUJD"}, "data", "did you mean file_data"),
    ],
)
def test_a_body_that_cannot_be_used_names_the_field(
    http: httpx.Client, body: dict[str, Any], field: str, words: str
) -> None:
    answer = http.post(PATH, json=upload_body() | body)
    assert words in refused(answer, 400, "invalid_request", field)


def test_broken_base64_is_found_in_later_pieces_too(http: httpx.Client) -> None:
    whole = upload_body(data=png(padding=2 * uploads._PIECE))["file_data"]
    first, rest = whole[: uploads._PIECE - 2], whole[uploads._PIECE :]
    for broken in (f"{whole[:-5]}?{whole[-4:]}", f"{first}=={rest}"):
        answer = http.post(PATH, json=upload_body() | {"file_data": broken})
        refused(answer, 400, "invalid_request", "file_data")


def test_a_body_that_is_not_json_is_told_where(http: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}
    answer = http.post(PATH, content=b'{"filename": "a.png", ', headers=headers)
    assert "at character" in refused(answer, 400, "invalid_request", "body")
    assert http.post(PATH, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415


def test_slashes_may_be_escaped_as_some_languages_do(http: httpx.Client) -> None:
    text = json.dumps(upload_body("image/jpeg"))
    assert '"/9j/' in text
    headers = {"Content-Type": "application/json"}
    answer = http.post(PATH, content=text.replace("/", "\\/"), headers=headers)
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("mime", ["image/jpg", "IMAGE/JPEG", " image/pjpeg "])
def test_other_names_of_a_kind_are_the_kind(http: httpx.Client, mime: str) -> None:
    assert upload(http, data=jpeg(), mime=mime)["mime"] == "image/jpeg"


@pytest.mark.parametrize("mime", ["image/svg+xml", "text/html", "image/pgn", "image/png; q=1", ""])
def test_other_kinds_of_files_are_not_taken(http: httpx.Client, mime: str) -> None:
    answer = http.post(PATH, json=upload_body() | {"mime": mime})
    assert "one of image/png, image/jpeg," in refused(answer, 415, "unsupported_media_type", "mime")


@pytest.mark.parametrize(
    ("mime", "data", "words"),
    [
        ("application/pdf", png(), "but they are image/png"),
        ("image/png", pdf(), "but they are application/pdf"),
        ("image/jpeg", webp(), "but they are image/webp"),
        ("image/png", HTML, "an HTML page"),
        ("image/png", b'\n<?xml version="1.0"?><svg onload="x()"/>', "an SVG picture"),
        ("image/png", b"PK\x03\x04" + bytes(40), "a ZIP archive"),
        ("image/png", b"just words", "text"),
        ("image/webp", b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28), "something else"),
        ("image/png", b"\x00", "something else"),
        ("image/gif", b"GIF89a" + HTML, "begins as one, but its blocks are broken"),
        ("image/gif", gif()[:-1], "cut off"),
        ("image/gif", gif()[:19] + b";", "holds no picture"),
        ("image/png", png()[:-4], "cut off"),
        ("image/png", png() + HTML, "40 bytes follow its end"),
        ("image/png", png().replace(b"IDAT", b"IDAU"), "checksum"),
        ("image/png", png(0), "width and height"),
        ("image/png", png()[:33] + png()[-12:], "holds no picture"),
        ("image/jpeg", jpeg()[:-2], "cut off"),
        ("image/jpeg", jpeg()[:20], "cut off"),
        ("image/jpeg", jpeg()[:20] + b"\xff\xd9\x00\x00", "holds no picture"),
        ("image/jpeg", b"\xff\xd8\xff\xe0" + HTML, "image/jpeg"),
        ("image/webp", webp()[:-1], "cut off"),
        ("image/webp", webp() + HTML, "follow its end"),
        ("application/pdf", pdf()[:-8], "cut off"),
        ("application/pdf", b"%PDF-1.7\n" + HTML, "cut off"),
        ("application/pdf", b"%PDF-x\n%%EOF", "version"),
    ],
)
def test_bytes_that_are_not_what_mime_says_are_a_415(
    http: httpx.Client, mime: str, data: bytes, words: str
) -> None:
    answer = http.post(PATH, json=upload_body(mime, data))
    assert words in refused(answer, 415, "unsupported_media_type", "file_data")


@pytest.mark.parametrize(
    ("mime", "data"),
    [
        ("image/jpeg", jpeg() + b"SEFT trailer of a camera"),
        ("image/gif", gif() + b"\x00"),
        ("application/pdf", pdf() + pdf()[9:]),
    ],
)
def test_bytes_after_the_end_that_cameras_and_editors_leave_are_kept(
    http: httpx.Client, mime: str, data: bytes
) -> None:
    made = upload(http, mime, data)
    assert http.get(f"{PATH}/{made['id']}/content").content == data


def test_20_mb_are_taken_and_one_byte_more_is_a_413(http: httpx.Client) -> None:
    largest = png(padding=LARGEST_FILE - len(png()) - 12)
    assert len(largest) == LARGEST_FILE
    made = upload(http, data=largest)
    assert made["bytes"] == LARGEST_FILE
    assert http.get(f"{PATH}/{made['uuid']}/content").content == largest
    answer = http.post(PATH, json=upload_body(data=largest + b"\x00"))
    assert "20 MB" in refused(answer, 413, "payload_too_large", "file_data")
    answer = http.post(PATH, content=b"{" + bytes(30 * 2**20))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")


def test_attachments_are_named_in_three_forms_and_shown(http: httpx.Client, asset: dict[str, Any]) -> None:
    other, third = upload(http, "application/pdf", filename="price list.pdf"), upload(http, "image/gif")
    study = new_study(http, 2)
    named = [
        asset["id"],
        {"media_asset_id": other["uuid"]},
        {"id": str(third["id"])},
        asset["uuid"].upper(),
        str(asset["id"]),
        {"id": asset["id"]},
    ]
    asked = ask(http, study, "Which of these do you like?", attachments=named)
    shown = [{name: one[name] for name in SHOWN} for one in (asset, other, third)]
    assert asked["question"]["attachments"] == shown
    assert ask(http, study, "Do you smoke?")["question"]["attachments"] == []
    listed = http.get(f"/research-studies/{study['id']}/questions").json()["questions"]
    assert [one["attachments"] for one in listed] == [shown, []]


@pytest.mark.parametrize(
    ("attachments", "words"),
    [
        ([2**62], f"unknown media asset {2**62}"),
        ([2**80], "unknown media asset"),
        ([0], "unknown media asset 0"),
        ([-1], "unknown media asset -1"),
        (["00000000-0000-0000-0000-000000000000"], "unknown media asset '00000000"),
        (["logo.png"], "unknown media asset 'logo.png'"),
        ([""], "unknown media asset ''"),
        ([{"media_asset_id": 2**62}], f"unknown media asset {2**62}"),
        ([True], "must be ids"),
        ([1.0], "must be ids"),
        ([None], "must be ids"),
        ([[1]], "must be ids"),
        ([{"id": {"id": 1}}], "must be ids"),
        ([{"uuid": "x"}], "an object with media_asset_id or id alone"),
        ([{"id": 1, "media_asset_id": 1}], "an object with media_asset_id or id alone"),
        ([{}], "an object with media_asset_id or id alone"),
        ("17", "must be a list"),
        ([1] * 101, "at most 100 entries"),
    ],
)
def test_attachments_that_name_nothing_are_a_400(http: httpx.Client, attachments: Any, words: str) -> None:
    study = new_study(http, 1)
    path = f"/research-studies/{study['id']}/questions"
    answer = http.post(path, json={"question": "Why?", "attachments": attachments})
    assert words in refused(answer, 400, "invalid_request", "attachments")
    assert http.get(path).json()["count"] == 0


def test_all_unknown_and_foreign_assets_are_named(
    http: httpx.Client, asset: dict[str, Any], foreign: dict[str, Any]
) -> None:
    path = f"/research-studies/{new_study(http, 1)['id']}/questions"
    named = [foreign["id"], asset["id"], {"id": foreign["uuid"]}, 2**62, foreign["id"]]
    answer = http.post(path, json={"question": "Why?", "attachments": named})
    refused(answer, 400, "invalid_request", "attachments")
    assert answer.json()["error"]["details"]["fields"]["attachments"] == [
        f"unknown media asset {foreign['id']}",
        f"unknown media asset {foreign['uuid']!r}",
        f"unknown media asset {2**62}",
    ]


def test_at_most_ten_assets_go_with_a_question(http: httpx.Client) -> None:
    study, ids = new_study(http, 1), [upload(http)["id"] for _ in range(11)]
    assert len(ask(http, study, "Why?", attachments=ids[:10] * 2)["question"]["attachments"]) == 10
    answer = http.post(
        f"/research-studies/{study['id']}/questions", json={"question": "Why?", "attachments": ids}
    )
    assert "at most 10" in refused(answer, 400, "invalid_request", "attachments")


@pytest.mark.parametrize(
    "body",
    [
        {"question": "What do you think of this package?"},
        {"question": "Do you like this package?", "type": "yes_no"},
        {"question": "How old are you?"},
    ],
)
def test_answers_say_that_the_attachments_were_not_looked_at(
    http: httpx.Client, asset: dict[str, Any], body: dict[str, Any]
) -> None:
    study = new_study(http, 4)
    ask(http, study, attachments=[asset["id"]], **body)
    ask(http, study, **body)
    answers = http.get(f"/research-studies/{study['id']}/answers").json()["answers"]
    with_file, without = answers[:4], answers[4:]
    assert all(one["response_text"].endswith(f" {UNSEEN}") for one in with_file)
    assert not any(UNSEEN in one["response_text"] for one in without)
    if "type" in body:
        assert [one["value"] for one in with_file] == [one["value"] for one in without]


def test_questions_of_a_study_are_counted_and_a_used_up_quota_is_a_402(home: Path, tmp_path: Path) -> None:
    small = Service(home, tmp_path, quota_live=3)
    try:
        http = small.client(small.key())
        study = new_study(http, 2)
        ask(http, study, "Do you smoke?")
        path = f"/research-studies/{study['id']}/questions"
        answer = http.post(path, json={"question": "Do you drink?"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (402, "quota_exceeded")
        assert http.get(path).json()["count"] == 1
    finally:
        small.close()


def test_a_file_is_there_after_a_restart(home: Path, tmp_path: Path) -> None:
    first = Service(home, tmp_path)
    key = first.key()
    made = upload(first.client(key), "application/pdf")
    first.close()
    again = Service(home, tmp_path)
    try:
        http = again.client(key)
        assert http.get(f"{PATH}/{made['id']}").json() == {"media_asset": made}
        assert http.get(f"{PATH}/{made['id']}/content").content == pdf()
    finally:
        again.close()
