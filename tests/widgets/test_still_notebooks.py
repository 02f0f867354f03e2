"""Saved notebooks show their widgets to readers without a kernel, a script or a network."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from still_notebooks import LIVE, live_parts, make_still

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_saved_notebook_holds_the_still_form_of_its_widgets(path: Path) -> None:
    notebook = nbformat.read(path, 4)
    mended = f"python tests/widgets/still_notebooks.py notebooks/{path.name}"
    assert live_parts(notebook) == [], mended
    assert "widgets" not in notebook.metadata, mended


def test_the_live_view_goes_and_the_still_one_stays(tmp_path: Path) -> None:
    data = {LIVE: {"model_id": "x"}, "text/html": "<p>300 agents match</p>", "text/plain": "300 agents match"}
    cell = nbformat.v4.new_code_cell("builder", outputs=[nbformat.v4.new_output("display_data", data)])
    made = nbformat.v4.new_notebook(cells=[cell], metadata={"widgets": {"state": {}}})
    nbformat.write(made, tmp_path / "a.ipynb")
    make_still(tmp_path / "a.ipynb")
    read = nbformat.read(tmp_path / "a.ipynb", 4)
    assert set(read.cells[0].outputs[0].data) == {"text/html", "text/plain"}
    assert "widgets" not in read.metadata
