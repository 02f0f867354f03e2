"""The top level holds what the design names, the sdist ships it, and the links of its pages resolve."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = {
    ".ci",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "data",
    "docs",
    "notebooks",
    "src",
    "tests",
}
TOP = SHIPPED | {".github", ".gitignore", ".pre-commit-config.yaml", "pyproject.toml"}
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def top() -> set[str]:
    """Return the tracked names of the top level; in an unpacked sdist, all of them."""
    if not (ROOT / ".git").exists():
        return {path.name for path in ROOT.iterdir()}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {line.partition("/")[0].strip('"') for line in listed.stdout.splitlines()}


def test_the_top_level_holds_nothing_else() -> None:
    assert top() - {"PKG-INFO"} <= TOP
    assert top() >= SHIPPED


def test_the_sdist_ships_what_its_tests_read() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]) == SHIPPED


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_and_every_record_is_listed() -> None:
    for index in (ROOT / "docs" / "README.md", ROOT / "docs" / "decisions" / "README.md"):
        listed = index.read_text(encoding="utf-8")
        missing = [page.name for page in index.parent.glob("*.md") if f"({page.name})" not in listed]
        assert [name for name in missing if name != "README.md"] == []


def test_decision_records_have_their_four_parts() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [int(record.name[:4]) for record in records] == list(range(1, len(records) + 1))
    for record in records:
        headings = re.findall(r"^## (.*)$", record.read_text(encoding="utf-8"), re.MULTILINE)
        assert headings == ["Context", "Decision", "Evidence", "Consequences"], record.name


def test_the_architecture_page_names_modules_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_]+\.py)`", page))
    assert len(named) > 30
    assert [name for name in sorted(named) if not (ROOT / "src" / "voxpop" / name).exists()] == []


def test_versions_agree() -> None:
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None
    version = (ROOT / "src" / "voxpop" / "version.py").read_text(encoding="utf-8")
    assert f'__version__ = "{cited[1]}"' in version
