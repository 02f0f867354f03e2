"""Synthetic participants, generated from reference figures into one immutable, searchable file.

``file.open_population`` builds or opens the file, ``queries.Population`` queries it, and ``agents.Agent`` is
one participant. This package has no imports of its own, so that code that needs only agents stays light.
"""
