"""A notebook in JupyterLab in the browser, with its requests and console messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page


@dataclass
class LabPage:
    """A notebook that is open in the browser."""

    context: BrowserContext
    page: Page
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, browser: Browser, url: str, *, width: int = 1360, height: int = 1000) -> LabPage:
        """Open JupyterLab."""
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        context.set_default_timeout(20_000)
        seen = cls(context, context.new_page())
        home = urlsplit(url).netloc
        seen.page.on(
            "request",
            lambda request: (
                seen.outside.append(request.url)
                if request.url.startswith(("http", "ws")) and urlsplit(request.url).netloc != home
                else None
            ),
        )
        seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))
        seen.page.goto(url)
        seen.page.wait_for_function(
            "window.jupyterapp && window.jupyterapp.shell.leftCollapsed !== undefined"
        )
        seen.page.evaluate(
            "const app = window.jupyterapp;"
            " app.restored.then(() => app.shell.leftCollapsed ||"
            " app.commands.execute('application:toggle-left-area'))"
        )
        return seen

    def show(self, name: str, theme: str) -> None:
        """Open a notebook in a tab of its own, in a theme, on the kernel that is there, and wait for it."""
        self.command("apputils:change-theme", {"theme": theme})
        self.page.evaluate(
            "path => { const app = window.jupyterapp;"
            " const [held] = [...app.serviceManager.kernels.running()];"
            " app.commands.execute('docmanager:open', held ? { path, kernel: { id: held.id } } : { path }) }",
            name,
        )
        self.page.wait_for_function(
            "name => { const shown = window.jupyterapp.shell.currentWidget;"
            " return shown && shown.title.label === name && shown.sessionContext"
            " && shown.sessionContext.isReady && shown.sessionContext.session }",
            arg=name,
        )
        self.wait_idle()

    def leave(self) -> None:
        """End all widgets and close all tabs, without a question whether to save; the kernel stays."""
        self.page.evaluate(
            "async code => { const app = window.jupyterapp;"
            " await app.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code }).done;"
            " for (const shown of [...app.shell.widgets('main')])"
            " { if (shown.context) shown.context.model.dirty = false; shown.close() } }",
            "import ipywidgets; ipywidgets.Widget.close_all()",
        )
        self.errors.clear()
        self.outside.clear()

    def wait_idle(self) -> None:
        """Wait for the status bar to say that the kernel is idle."""
        self.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for(timeout=60_000)

    def command(self, name: str, arguments: dict[str, Any] | None = None) -> None:
        """Begin a command of JupyterLab."""
        self.page.evaluate(
            "([name, given]) => { window.jupyterapp.commands.execute(name, given) }", [name, arguments or {}]
        )

    def restart_kernel(self) -> None:
        """Restart the kernel of the notebook."""
        self.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
        self.wait_idle()

    def run_all(self) -> None:
        """Run all cells."""
        self.command("notebook:run-all-cells")

    def widget(self, name: str) -> Locator:
        """Return a widget by its name."""
        return self.page.get_by_role("region", name=name, exact=True).last

    def shot(self, path: Path) -> None:
        """Take a picture of the notebook."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)

    def findings(self) -> list[str]:
        """Return what axe finds in the widgets that is serious or critical, with its places."""
        told = Axe().run(self.page, context=".vxp-root").response["violations"]
        return [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
            for each in told
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    def close(self) -> None:
        """Close the page and forget it."""
        self.context.close()
