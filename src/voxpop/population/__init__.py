"""The synthetic participants: reference figures become agents in one immutable file that can be searched.

``file.open_population`` builds or opens it, ``queries.Population`` answers, ``agents.Agent`` is one
participant. This package imports nothing by itself, so a part that needs only agents stays light.
"""
