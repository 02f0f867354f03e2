"""Theses: claims, panels, and verdicts on the answers."""
