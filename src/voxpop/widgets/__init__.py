"""Notebook widgets, each with equivalent Python code.

They need the extra ``widgets``. Widgets load nothing from a network, print nothing and do not block the
kernel: slow work runs in a thread that ends with the widget.
"""

from __future__ import annotations

from voxpop.widgets.ask_panel import AskPanel
from voxpop.widgets.explorer import Explorer
from voxpop.widgets.job_progress import JobProgress
from voxpop.widgets.recruit_builder import RecruitBuilder

__all__ = ["AskPanel", "Explorer", "JobProgress", "RecruitBuilder"]
