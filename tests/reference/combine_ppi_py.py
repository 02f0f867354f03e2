"""Writes combine_ppi_py.json with figures of ppi_py (ppi-python 0.2.3), which needs numba.

Run it in an environment of its own: ``pip install ppi-python==0.2.3``, then ``python combine_ppi_py.py`` with
``NUMBA_DISABLE_JIT=1``.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import ppi_py

rng = np.random.default_rng(20261124)
PEOPLE, AGENTS = 60, 400


def rounded(values) -> list:
    return np.round(np.asarray(values, dtype=float), 6).tolist()


def drawn(size: int) -> dict[str, list]:
    x = np.round(rng.normal(0, 1, size), 3)
    y = np.round(4 + 1.5 * x + rng.normal(0, 1.2, size), 3)
    seen = np.round(3.5 + 1.2 * x + 0.4 * (y - 4) + rng.normal(0, 0.8, size), 3)
    yes = (y > 4.2).astype(float)
    said = np.where(rng.random(size) < 0.2, 1 - yes, yes)
    return {"x": rounded(x), "y": rounded(y), "f": rounded(seen), "yes": rounded(yes), "said": rounded(said)}


people, agents = drawn(PEOPLE), drawn(AGENTS)
held = {name: np.array(values) for name, values in people.items()}
pool = {name: np.array(values) for name, values in agents.items()}
rows = np.column_stack([np.ones(PEOPLE), held["x"]])
more = np.column_stack([np.ones(AGENTS), pool["x"]])
figures = {}
for lam in (0.0, 0.35, 0.8, 1.0):
    for name, y, f, g in (
        ("mean", held["y"], held["f"], pool["f"]),
        ("share", held["yes"], held["said"], pool["said"]),
    ):
        estimate = ppi_py.ppi_mean_pointestimate(y, f, g, lam=lam)
        interval = ppi_py.ppi_mean_ci(y, f, g, alpha=0.05, lam=lam)
        figures[f"{name} {lam}"] = [
            float(np.squeeze(estimate)),
            *(float(np.squeeze(end)) for end in interval),
        ]
    if lam == 0:
        continue  # ppi_py has a singular Hessian here
    args = rows, held["y"], held["f"], more, pool["f"]
    ends = ppi_py.ppi_ols_ci(*args, alpha=0.05, lam=lam)
    told = ppi_py.ppi_ols_pointestimate(*args, lam=lam)
    figures[f"linear {lam}"] = [told.tolist(), *(e.tolist() for e in ends)]
    if lam > 0.5:
        continue  # its optimiser leaves for infinity on these data; the minimum is finite
    args = rows, held["yes"], held["said"], more, pool["said"]
    ends = ppi_py.ppi_logistic_ci(*args, alpha=0.05, lam=lam)
    told = ppi_py.ppi_logistic_pointestimate(*args, lam=lam)
    figures[f"logistic {lam}"] = [told.tolist(), *(e.tolist() for e in ends)]
weights = np.round(np.exp(rng.normal(0, 0.5, PEOPLE)), 3)
pool_weights = np.round(np.exp(rng.normal(0, 0.3, AGENTS)), 3)
figures["weighted mean 0.6"] = float(
    np.squeeze(
        ppi_py.ppi_mean_pointestimate(
            held["y"], held["f"], pool["f"], lam=0.6, w=weights, w_unlabeled=pool_weights
        )
    )
)
figures["weighted linear 0.6"] = ppi_py.ppi_ols_pointestimate(
    rows, held["y"], held["f"], more, pool["f"], lam=0.6, w=weights, w_unlabeled=pool_weights
).tolist()
figures["quantile 1.0"] = [
    float(ppi_py.ppi_quantile_pointestimate(held["y"], held["f"], pool["f"], 0.5, exact_grid=True)),
    *map(float, ppi_py.ppi_quantile_ci(held["y"], held["f"], pool["f"], 0.5, alpha=0.05, exact_grid=True)),
]
data = {
    "source": f"ppi-python 0.2.3, numpy {np.__version__}",
    "people": {**people, "w": weights.tolist()},
    "agents": {**agents, "w": pool_weights.tolist()},
    "figures": figures,
}
Path(__file__).with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
