"""The pictures of the README, made of the widgets and tables themselves: `python make_pictures.py [FOLDER]`.

They go to ``data/pictures``: an embedded service, fixed seeds, the light theme, two pixels for one.
"""

from __future__ import annotations

import shutil
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from small_png import write_small
from stage import page_of, plain_page

import voxpop as vp
from voxpop.widgets import Explorer, RecruitBuilder
from voxpop.widgets.panel import Panel

FOLDER = Path(__file__).parents[2] / "data" / "pictures"


def told(widget: Panel, *actions: tuple[str, Any, Any]) -> None:
    """Do with a widget what the browser would, and wait for it."""
    widget._worker.idle(60)
    for place, (name, value, at) in enumerate(actions, 1):
        widget._received(None, {"do": name, "value": value, "at": at, "seq": place}, [])
        widget._worker.hurry()
        widget._worker.idle(60)


def recruiting(client: vp.Client) -> str:
    builder = RecruitBuilder(client, size=400)
    builder.filters = vp.where(country="USA", age=vp.between(25, 64), health_drug_classes="semaglutide")
    told(
        builder,
        ("group", False, "demographic"),
        ("group", True, "health"),
        ("field", True, "health_drug_classes"),
        ("search", "sema", "health_drug_classes"),
        ("field", True, "smoking_status"),
        ("field", True, "bmi_class"),
    )
    builder.recruit()
    told(builder)
    html = page_of(builder)
    builder.close()
    return html


def exploring(store: vp.Store) -> str:
    explorer = Explorer(store)
    explorer.by = "urban_rural"
    explorer.filters = vp.where(age=vp.between(25, 54))
    told(explorer, ("question", "switch", None))
    html = page_of(explorer)
    explorer.close()
    return html


def lettered(store: vp.Store) -> str:
    age = vp.bands("age", [18, 35, 55])
    table = vp.crosstab(store.respondents(), "shops", by=["gender", age, "urban_rural"], sig=True)
    return plain_page(table.to_html())


def shoot(page: Page, html: str, path: Path, width: int, last: str) -> None:
    """Write the picture of a page as far down as the last element that is to be seen."""
    page.set_viewport_size({"width": width, "height": 2_000})
    page.set_content(html)
    end = page.locator(last).last.evaluate("el => Math.ceil(el.getBoundingClientRect().bottom)")
    write_small(page, page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": end + 12}), path)
    sys.stdout.write(f"{path.name}: {path.stat().st_size / 1000:.0f} kB\n")


def main(folder: Path) -> None:
    warnings.simplefilter("ignore", vp.AnalysisWarning)
    folder.mkdir(parents=True, exist_ok=True)
    store = vp.examples.load()
    with vp.local() as client:
        pages: dict[str, tuple[Callable[[], str], int, str]] = {
            "recruit": (lambda: recruiting(client), 980, ".vxp-root"),
            "table": (lambda: lettered(store), 790, "main"),
            "explorer": (lambda: exploring(store), 1000, "text=Copy as code"),
        }
        made = {name: (make(), width, last) for name, (make, width, last) in pages.items()}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-lcd-text"],
        )
        page = browser.new_page(device_scale_factor=2)
        for name, (html, width, last) in made.items():
            shoot(page, html, folder / f"{name}.png", width, last)
        browser.close()
    store.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
