"""Measures the intervals of vp.combine: how often they hold, and what agents are worth on real answers.

`python data/measure_combining.py coverage` prints the coverage table of docs/combining.md from made-up populations.
`python data/measure_combining.py gss FOLDER` prints its table of the General Social Survey 2018: its respondents are the
population, samples of them are the people, and agents with the profiles of all respondents are asked the same questions.
FOLDER holds the records, which are not part of voxpop (see measure_own_survey.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import voxpop as vp
from voxpop.stats.prediction_models import combined_coefficients, design_of
from voxpop.stats.prediction_quantiles import combined_quantile
from voxpop.stats.predictions import Sides, combined_mean, combined_share

QUALITIES = ("perfect", "good", "weak", "noise", "biased", "rare errors", "adversarial")
POOL = 1_000
PROFILE = ["age", "gender", "ethnicity", "education", "party_id", "marital_status", "religion"]
QUESTIONS, FEWEST = 60, 1_000


def said(quality: str, y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return the predictions of a share by agents of a quality."""
    if quality == "perfect":
        return y
    if quality == "noise":
        return (draw.random(y.shape) < 0.5) * 1.0
    if quality in ("biased", "rare errors"):
        return np.maximum(y, draw.random(y.shape) < (0.4 if quality == "biased" else 0.03))
    errs = {"good": 0.1, "weak": 0.35, "adversarial": 0.9}[quality]
    return np.where(draw.random(y.shape) < errs, 1 - y, y)


def named(quality: str, y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return the predictions of a number by agents of a quality."""
    spread = 2.5
    noise = draw.normal(0, spread, y.shape)
    return {
        "perfect": y,
        "good": 0.8 * y + 0.5 * noise,
        "weak": 0.2 * y + noise,
        "noise": noise,
        "biased": 0.6 * y + 0.5 * noise + 3 * spread,
        "rare errors": np.where(draw.random(y.shape) < 0.03, 0.0, y),
        "adversarial": 10 - y + 0.5 * noise,
    }[quality]


def scale(size: int, draw: np.random.Generator) -> np.ndarray:
    """Return answers on a scale from 0 to 10."""
    return np.clip(np.round(draw.normal(6, 2.5, size)), 0, 10)


def weights(y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Return uneven sampling weights (design effect 1.3)."""
    return np.exp(draw.normal(0, 0.5, y.size))


Held = tuple[bool, bool, float]
"""Whether the combined and the people's interval hold, and the ratio of their widths."""


def share_once(quality: str, n: int, share: float, weighted: bool, draw: np.random.Generator) -> Held:
    y, more = ((draw.random(size) < share) * 1.0 for size in (n, POOL))
    w = weights(y, draw) if weighted else None
    return held(combined_share(Sides(y, said(quality, y, draw), said(quality, more, draw), w)), share)


def mean_once(quality: str, n: int, truth: float, weighted: bool, draw: np.random.Generator) -> Held:
    y, more = scale(n, draw), scale(POOL, draw)
    w = weights(y, draw) if weighted else None
    return held(combined_mean(Sides(y, named(quality, y, draw), named(quality, more, draw), w)), truth)


def median_once(quality: str, n: int, truth: float, weighted: bool, draw: np.random.Generator) -> Held:
    y, more = draw.normal(6, 2.5, n).round(1), draw.normal(6, 2.5, 300).round(1)
    w = weights(y, draw) if weighted else None
    f, g = (named(quality, one, draw).round(0) for one in (y, more))
    return held(combined_quantile(Sides(y, f, g, w)), truth)


def strata_once(quality: str, n: int, truth: float, weighted: bool, draw: np.random.Generator) -> Held:
    """Estimate a share with strata whose mix is another one among agents."""
    first, second = draw.integers(0, 4, n), np.minimum(draw.integers(0, 8, POOL), 3)
    y, more = ((draw.random(one.size) < 0.2 + 0.2 * one) * 1.0 for one in (first, second))
    w = weights(y, draw) if weighted else None
    sides = Sides(y, said(quality, y, draw), said(quality, more, draw), w, strata=first, pool_strata=second)
    return held(combined_share(sides), truth)


def slope_once(family: Any) -> Callable[..., Held]:
    def once(quality: str, n: int, truth: float, weighted: bool, draw: np.random.Generator) -> Held:
        def rows(size: int) -> tuple[np.ndarray, np.ndarray]:
            x = draw.normal(0, 1, size)
            if family == "linear":
                return x, 6 + x * truth + draw.normal(0, 2.5, size)
            return x, (draw.random(size) < 1 / (1 + np.exp(-truth * x))) * 1.0

        (x, y), (far, more) = rows(n), rows(POOL)
        say = named if family == "linear" else said
        w = weights(y, draw) if weighted else None
        sides = [np.column_stack([np.ones(one.size), one]) for one in (x, far)]
        found = combined_coefficients(
            design_of(sides[0], y, w),
            say(quality, y, draw),
            design_of(sides[1], say(quality, more, draw), None),
            family,
        )
        return held(found[1], truth)

    return once


def held(found: Any, truth: float) -> Held:
    ratio = (found.high - found.low) / (found.people_high - found.people_low)
    return (
        found.low - 1e-9 <= truth <= found.high + 1e-9,
        found.people_low - 1e-9 <= truth <= found.people_high + 1e-9,
        ratio,
    )


def settings() -> Iterator[tuple[str, Callable[..., Held], int, float, int]]:
    """Yield the rows of the coverage table: name, simulation, people, truth and repeats."""
    middle = float(scale(4_000_000, np.random.default_rng(0)).mean())
    for n in (30, 100):
        for share in (0.1, 0.3, 0.5):
            yield f"share of {100 * share:.0f} %", share_once, n, share, 2_000
        yield "mean of a scale", mean_once, n, middle, 2_000
    yield "share, four strata", strata_once, 100, 0.5, 2_000
    yield "median", median_once, 100, 6.0, 150
    yield "linear slope", slope_once("linear"), 100, 1.0, 500
    yield "logistic slope", slope_once("logistic"), 100, 0.7, 500


def coverage() -> None:
    """Print, per figure and quality of agents, how often 95 % intervals hold, and their relative width."""
    rows = []
    for name, once, n, truth, repeats in settings():
        for weighted in (False, True):
            row: dict[str, Any] = {"figure": name, "people": n, "weights": "yes" if weighted else "no"}
            alone = []
            for place, quality in enumerate(QUALITIES):
                draw = np.random.default_rng([n, place, weighted])
                made = np.array([once(quality, n, truth, weighted, draw) for _ in range(repeats)])
                row[quality] = f"{100 * made[:, 0].mean():.1f} ({np.nanmean(made[:, 2]):.2f})"
                alone.append(made[:, 1].mean())
            row["people only"] = f"{100 * np.mean(alone):.1f}"
            rows.append(row)
            print(" | ".join(str(value) for value in row.values()), flush=True)


def respondents(folder: Path) -> tuple[pd.DataFrame, dict[str, tuple[str, list[str]]]]:
    """Return the respondents with answers as labels, and wording and options of each question."""
    people = pd.read_csv(folder / "us_gss_donors.csv.gz").query("year == 2018 and age == age")
    answers = pd.read_csv(folder / "us_gss_answers_2018.csv.gz")
    codes = pd.read_csv(folder / "us_gss_answer_codes.csv").groupby("item")
    wording = pd.read_csv(folder / "us_gss_items.csv").set_index("item")["wording"]
    often = [item for item in answers.columns[1:] if answers[item].notna().sum() >= FEWEST]
    items = often[:: max(1, len(often) // QUESTIONS)][:QUESTIONS]
    asked, told = {}, {}
    for item in items:
        part = codes.get_group(item).sort_values("code")
        asked[item] = (f"{wording[item]}", part["option"].tolist())
        told[item] = answers[item].map(dict(zip(part["code"], part["option"], strict=True)))
    frame = people.merge(pd.DataFrame(told).assign(donor_id=answers["donor_id"]), on="donor_id")
    return frame.reset_index(drop=True), asked


def twins(
    frame: pd.DataFrame, asked: dict[str, tuple[str, list[str]]]
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return what agents with the respondents' profiles answer, in their order, and what it rests on."""
    people = vp.people(frame[PROFILE], country="USA")
    assert len(people) == len(frame)
    with vp.local(agents=1_000) as client:
        group = client.groups.bring(people, "respondents").group
        study = vp.Study.create(client, group, title="Questions of the GSS")
        rests = {}
        for item, (words, options) in asked.items():
            bases = study.preview(words, type="single_choice", options=options).bases
            rests[item] = max(bases, key=lambda one: one.agents).basis
            study.ask(words, key=item, type="single_choice", options=options)
        study.complete()
        with vp.Store(":memory:") as store:
            study.pull(into=store)
            answers = store.respondents(study).df().sort_values("agent_id").reset_index(drop=True)
            return answers[list(asked)], rests


def gss(folder: Path, sizes: tuple[int, ...] = (100, 400), repeats: int = 200) -> pd.DataFrame:
    """Return, per question and number of people, how often intervals hold and what agents are worth."""
    frame, asked = respondents(folder)
    agents, rests = twins(frame, asked)
    cell = frame["party_id"].fillna("not known") + ", " + frame["ethnicity"].fillna("not known")
    rows = []
    for item in asked:
        known = np.flatnonzero(frame[item].notna() & agents[item].notna())
        option = frame[item].value_counts().index[0]
        y = (frame[item] == option).to_numpy()[known] * 1.0
        f = (agents[item].astype(str) == option).to_numpy()[known] * 1.0
        truth, cells = y.mean(), cell.iloc[known].to_numpy()
        smooth = pd.Series(f).groupby(cells).transform("mean").to_numpy()
        for n in sizes:
            for way, seen in (("twins", f), ("cells", smooth)):
                draw = np.random.default_rng([n, len(item)])
                made = []
                for _ in range(repeats):
                    own, pool = draw.integers(0, y.size, n), draw.integers(0, y.size, 2_000)
                    found = combined_share(Sides(y[own], seen[own], seen[pool]))
                    made.append((*held(found, truth), found.lam, found.worth))
                told = np.array(made).mean(axis=0)
                rows.append(
                    {
                        "item": item,
                        "option": option,
                        "basis": rests[item],
                        "share": 100 * truth,
                        "agents": 100 * f.mean(),
                    }
                    | {"correlation": np.corrcoef(y, seen)[0, 1] if seen.std() > 0 else np.nan}
                    | {"way": way, "people": n, "holds": 100 * told[0], "people hold": 100 * told[1]}
                    | {"width": told[2], "lambda": told[3], "worth": told[4]}
                )
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("coverage", "gss"))
    parser.add_argument("folder", type=Path, nargs="?")
    chosen = parser.parse_args()
    if chosen.what == "coverage":
        coverage()
        return
    rows = gss(chosen.folder)
    print(rows.round(2).to_string())
    columns = ["holds", "people hold", "width", "lambda", "worth", "correlation"]
    print(rows.groupby(["basis", "way", "people"])[columns].mean().round(2).to_string())
    print(rows.groupby(["basis", "way", "people"])["worth"].max().round(1).to_string())


if __name__ == "__main__":
    main()
