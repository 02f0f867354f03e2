"""Writes items_stepmix.json: the likelihood of latent classes by stepmix, installed apart from voxpop."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from stepmix.stepmix import StepMix

HERE = Path(__file__).parent
ITEMS = np.loadtxt(HERE / "items.csv", delimiter=",")
ITEMS[ITEMS < 0] = np.nan
FOUND = {}
for classes in (2, 3, 4):
    model = StepMix(
        n_components=classes,
        measurement="categorical_nan",
        n_init=20,
        random_state=1,
        max_iter=20_000,
        abs_tol=1e-13,
        rel_tol=0,
        progress_bar=0,
        verbose=0,
    ).fit(ITEMS)
    FOUND[classes] = float(model.score(ITEMS) * len(ITEMS))
TOLD = {"source": f"stepmix {version('stepmix')}", "log_likelihood": FOUND}
(HERE / "items_stepmix.json").write_text(json.dumps(TOLD, indent=1) + "\n")
