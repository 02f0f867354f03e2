"""Leave in saved notebooks the still form of each widget alone: `python still_notebooks.py NOTEBOOK …`.

A saved live view needs a script, which pages such as nbviewer fetch from a network; without one there is a
blank. The still form is plain HTML and is seen everywhere. Running a notebook brings its widgets back.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat

LIVE = "application/vnd.jupyter.widget-view+json"


def live_parts(notebook: Any) -> list[dict[str, Any]]:
    """Return the outputs of a notebook that hold a live view."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.data for output in outputs if LIVE in output.get("data", {})]


def make_still(path: Path) -> None:
    """Take the live views and their state out of a notebook."""
    notebook = nbformat.read(path, 4)
    for data in live_parts(notebook):
        del data[LIVE]
    notebook.metadata.pop("widgets", None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        make_still(Path(name))
