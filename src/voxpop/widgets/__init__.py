"""Widgets: views of a value, which leave behind the code that does the same without them.

They need the extra ``widgets``. Nothing is loaded from a network, nothing is printed, and the kernel never
waits for them: slow work runs in a thread that ends with the widget.
"""

from __future__ import annotations

from voxpop.widgets.ask_panel import AskPanel
from voxpop.widgets.explorer import Explorer
from voxpop.widgets.job_progress import JobProgress
from voxpop.widgets.recruit_builder import RecruitBuilder

__all__ = ["AskPanel", "Explorer", "JobProgress", "RecruitBuilder"]
