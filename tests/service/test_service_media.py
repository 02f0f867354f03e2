"""Uploads beside everything else the service does: many at once, and a process that is killed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from media_files import FILES, png, upload_body
from running_service import Service
from served_service import Served


def test_large_uploads_at_once_are_all_kept_apart(embedded: Service, caller: httpx.Client) -> None:
    files = [png(width, padding=5_000_000) for width in range(1, 7)]

    def upload(data: bytes) -> str:
        answer = caller.post("/media-assets", json=upload_body(data=data))
        assert answer.status_code == 201, answer.text
        return answer.json()["media_asset"]["uuid"]

    with ThreadPoolExecutor(3) as pool:
        names = list(pool.map(upload, files))
    for name, data in zip(names, files, strict=True):
        assert caller.get(f"/media-assets/{name}/content").content == data


def test_what_was_uploaded_is_there_after_a_kill(tmp_path: Path) -> None:
    served = Served(tmp_path)
    headers = {"Authorization": f"Bearer {served.key()}"}
    with httpx.Client(base_url=served.base_url, headers=headers) as http:
        made = [http.post("/media-assets", json=upload_body(mime)).json()["media_asset"] for mime in FILES]
    served.close()  # SIGKILL
    again = Served(tmp_path)
    try:
        with httpx.Client(base_url=again.base_url, headers=headers) as http:
            for asset in made:
                assert http.get(f"/media-assets/{asset['id']}").json() == {"media_asset": asset}
                content = http.get(f"/media-assets/{asset['uuid']}/content").content
                assert content == FILES[asset["mime"]]
    finally:
        again.close()
