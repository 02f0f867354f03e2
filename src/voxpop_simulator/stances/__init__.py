"""Stances of agents: facts of the profile, latent leanings, and the resulting coded answers."""
