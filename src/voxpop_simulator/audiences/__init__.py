"""Audience understanding: from plain language to filters and screening questions."""
