"""The library of human answers: published shares by group, found by the meaning of a question."""
