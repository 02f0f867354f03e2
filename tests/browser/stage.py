"""A widget rendered in the browser without a kernel, in the colours of a JupyterLab theme."""

from __future__ import annotations

import json
import re
from pathlib import Path

from jupyterlab.commands import get_app_dir

from voxpop.widgets import panel
from voxpop.widgets.panel import Panel

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>stage</title><style>{theme}</style><style>{style}</style>
<style>body {{ margin: 0; padding: 12px; background: var(--jp-layout-color0); }}</style></head>
<body><main id="stage"></main><script type="module">
{script}
const seen = {view};
const model = {{ get: () => seen, on() {{}}, off() {{}}, send() {{}} }};
shown.render({{ model, el: document.getElementById("stage") }});
</script></body></html>
"""


def page_of(widget: Panel, theme: str = "light") -> str:
    """Return a page that shows a widget as it is now, by its own script and styles.

    Parameters
    ----------
    widget : Panel
        The widget.
    theme : {"light", "dark"}
        Whose colours it has.
    """
    here = Path(panel.__file__).parent
    script = (here / "view.js").read_text(encoding="utf-8")
    view = json.dumps(widget._view).replace("</", "<\\/")
    return _PAGE.format(
        theme=_theme(theme),
        style=(here / "view.css").read_text(encoding="utf-8"),
        script=script.replace("export default", "const shown ="),
        view=view,
    )


def plain_page(html: str, theme: str = "light") -> str:
    """Return a page that shows the output of a cell in the colours of a theme."""
    paper = "margin: 0; padding: 12px; background: var(--jp-layout-color0);"
    ink = "color: var(--jp-content-font-color1); font: 14px var(--jp-ui-font-family);"
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>stage</title>"
        f"<style>{_theme(theme)} body {{{paper} {ink}}}</style></head><body><main>{html}</main></body></html>"
    )


def _theme(name: str) -> str:
    """Return the colours of a theme of JupyterLab, without its pictures and fonts."""
    folder = Path(get_app_dir()) / "themes" / "@jupyterlab" / f"theme-{name}-extension"
    whole = (folder / "index.css").read_text(encoding="utf-8")
    return "".join(re.findall(r":root\s*\{[^}]*\}", whole))
