"""Themes: TF-IDF weights of words, factored into groups that occur together."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

FITTED = 20_000
"""Maximum number of answers to fit, drawn by the seed; all answers are then projected."""

_ROUNDS = 400


@dataclass(frozen=True, eq=False, slots=True)
class Factors:
    """Result of the factorisation; the themes are in no order.

    Attributes
    ----------
    weights : array (documents, themes)
        How much of each theme a document holds, 0 or more; a row of 0 holds none.
    terms : array (themes, terms)
        How much each term counts in a theme; every theme has length 1.
    settled : bool
        Whether the fit converged within its iterations.
    """

    weights: Floats
    terms: Floats
    settled: bool


def tfidf(counts: Any) -> Any:
    """Weight a sparse matrix of term counts by TF-IDF, every document to length 1.

    ``(1 + log tf)·(1 + log((1+n)/(1+df)))``. Sources: G. Salton, C. Buckley, *Information Processing &
    Management* 24 (1988); K. Spärck Jones, *Journal of Documentation* 28 (1972).

    Parameters
    ----------
    counts : scipy.sparse matrix (documents, terms)
        How often each document uses each term.

    Returns
    -------
    scipy.sparse.csr_array
        Documents without a term stay empty.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> tfidf(csr_array([[1, 1], [0, 3]])).toarray().round(3).tolist()
    [[0.815, 0.58], [0.0, 1.0]]
    """
    from scipy.sparse import csr_array, diags_array  # imported where used

    held = csr_array(counts, dtype=np.float64)
    documents, terms = held.shape
    used = np.bincount(held.indices, minlength=terms)
    weighted = csr_array((1 + np.log(held.data), held.indices, held.indptr), shape=held.shape)
    weighted = csr_array(weighted @ diags_array(1 + np.log((1 + documents) / (1 + used))))
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    return csr_array(diags_array(1 / np.where(lengths > 0, lengths, 1.0)) @ weighted)


def factorise(weighted: Any, k: int, *, seed: int) -> Factors:
    """Split weighted documents into k themes by non-negative matrix factorisation.

    Source: D. D. Lee, H. S. Seung, *Nature* 401 (1999); scikit-learn's coordinate descent, started from the
    singular vectors (C. Boutsidis, E. Gallopoulos, *Pattern Recognition* 41, 2008).

    Parameters
    ----------
    weighted : scipy.sparse matrix (documents, terms)
        See :func:`tfidf`.
    k : int
        How many themes, at most the number of documents and of terms.
    seed : int
        For the start of the fit, and for the draw of documents when there are over 20,000.

    Raises
    ------
    ModuleNotFoundError
        When scikit-learn is not installed.
    """
    decomposition = import_module("sklearn.decomposition")
    unsettled = import_module("sklearn.exceptions").ConvergenceWarning
    model = decomposition.NMF(k, init="nndsvda", solver="cd", tol=1e-4, max_iter=_ROUNDS, random_state=seed)
    documents = weighted.shape[0]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", unsettled)
        if documents > FITTED:
            drawn = np.sort(np.random.default_rng(seed).choice(documents, FITTED, replace=False))
            model.fit(weighted[drawn])
            weights = model.transform(weighted)
        else:
            weights = model.fit_transform(weighted)
    terms = np.asarray(model.components_, dtype=np.float64)
    lengths = np.sqrt((terms**2).sum(axis=1))
    settled = not any(issubclass(warning.category, unsettled) for warning in told)
    scale = np.where(lengths > 0, lengths, 1.0)
    return Factors(np.asarray(weights, dtype=np.float64) * scale, terms / scale[:, None], settled)
