"""What deserves a look but stops nothing."""

from __future__ import annotations


class FieldworkWarning(UserWarning):
    """Something about recruiting or asking that deserves a look.

    Given when a group came out smaller than asked for, when a question seems to be two, when the embedded
    engine knows few words of one, and when agents failed to answer.
    ``warnings.simplefilter("ignore", FieldworkWarning)`` silences it.
    """
