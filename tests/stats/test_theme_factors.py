"""TF-IDF against scikit-learn, and factors that find what was put in."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from scipy.sparse import csr_array

from voxpop.stats import themes
from voxpop.stats.themes import factorise, tfidf


def planted(documents: int, seed: int) -> tuple[csr_array, np.ndarray]:
    """Make documents of three themes, each with eight words of its own and eight that all share."""
    draw = np.random.default_rng(seed)
    theme = draw.integers(0, 3, documents)
    counts = np.zeros((documents, 32))
    for document, kind in enumerate(theme):
        np.add.at(counts[document], 8 * kind + draw.integers(0, 8, 6), 1)
        np.add.at(counts[document], 24 + draw.integers(0, 8, 3), 1)
    return csr_array(counts), theme


def test_tfidf_equals_scikit_learn() -> None:
    counts, _ = planted(60, 1)
    transformer = import_module("sklearn.feature_extraction.text").TfidfTransformer(sublinear_tf=True)
    expected = transformer.fit_transform(counts).toarray()
    assert tfidf(counts).toarray() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("fitted", [20_000, 150])
def test_factors_find_the_planted_themes(fitted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(themes, "FITTED", fitted)
    counts, theme = planted(400, 2)
    factors = factorise(tfidf(counts), 3, seed=0)
    assert factors.settled
    assert np.sqrt((factors.terms**2).sum(axis=1)) == pytest.approx(1)
    main = factors.weights.argmax(axis=1)
    held = [np.bincount(main[theme == kind], minlength=3).max() / (theme == kind).sum() for kind in range(3)]
    assert min(held) > 0.95


def test_the_same_seed_gives_the_same_factors() -> None:
    weighted = tfidf(planted(200, 3)[0])
    one, two = (factorise(weighted, 3, seed=9) for _ in range(2))
    assert (one.weights == two.weights).all()
