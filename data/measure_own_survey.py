"""Measures how well a survey of people speaks for people whom it did not ask.

`python data/measure_own_survey.py FOLDER --halves 8 --cuts 2` prints the figures of docs/own-survey.md.
FOLDER holds the records of the General Social Survey 2018 (us_gss_donors.csv.gz, us_gss_answers_2018.csv.gz),
its codes and its items; they are not part of voxpop. One half of the respondents is the survey, the others
are agents. Each half is asked a third of 60 questions, which takes about a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import voxpop as vp
from voxpop.engines.donors import Donors
from voxpop.engines.human_survey import Axis
from voxpop.own_survey.nearness import columns_of
from voxpop.own_survey.number_bands import band_of, middle
from voxpop.own_survey.uncertainty import Estimate, Estimator

PROFILE = {
    **{name: name for name in ("age", "gender", "ethnicity", "education", "party_id", "marital_status")},
    "household_income": "household_income_gss",
    "state": "region",
}
QUESTIONS, FEWEST, TESTED = 60, 1_000, 25
FIRST_HALF, FIRST_CUT = 10, 40
"""Seeds; those below were looked at while the method was designed."""


def read(folder: Path) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the respondents with profile and labelled answers, and the wording of each question."""
    people = pd.read_csv(folder / "us_gss_donors.csv.gz").query("year == 2018")
    answers = pd.read_csv(folder / "us_gss_answers_2018.csv.gz")
    codes = pd.read_csv(folder / "us_gss_answer_codes.csv").groupby("item")
    labels = {item: dict(zip(part["code"], part["option"], strict=True)) for item, part in codes}
    wording = pd.read_csv(folder / "us_gss_items.csv").set_index("item")["wording"]
    often = [item for item in answers.columns[1:] if answers[item].notna().sum() >= FEWEST]
    items = often[:: max(1, len(often) // QUESTIONS)][:QUESTIONS]
    told = pd.DataFrame({f"i_{item}": answers[item].map(labels[item]) for item in items})
    kept = people[["donor_id", "weight", *PROFILE.values()]].replace({"party_id": {"other": None}})
    frame = kept.merge(told.assign(donor_id=answers["donor_id"]), on="donor_id").drop(columns="donor_id")
    return frame, {f"i_{item}": f"{wording[item]} ({item})" for item in items}


def groups(frame: pd.DataFrame) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield the groups that are compared: field, level and members."""
    yield "all", "all", np.ones(len(frame), dtype=bool)
    for low, high in ((18, 29), (30, 44), (45, 59), (60, 99)):
        yield "age", f"{low}-{high}", frame["age"].between(low, high).to_numpy()
    education = frame["education"].replace({"Less than 9th grade": "9-11th grade"})
    party = frame["party_id"].astype(str).str.extract("(democrat|republican|independent$)")[0]
    income = frame["household_income_gss"].map(lambda told: middle(band_of(told)), na_action="ignore")
    bands = pd.cut(income, [0, 25_000, 50_000, 90_000, 1e9])
    for name, held in (
        ("gender", frame["gender"]),
        ("education", education),
        ("income", bands),
        ("party", party),
    ):
        for level in held.dropna().unique():
            yield name, str(level), (held == level).to_numpy()
    for level in ("White, non-Hispanic", "Black or African American", "Hispanic or Latino"):
        yield "ethnicity", level, (frame["ethnicity"] == level).to_numpy()


def cohorts(frame: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the cohorts that are removed from a survey, one at a time."""
    age, school = frame["age"], frame["education"]
    return {
        "18 to 24": (age < 25).to_numpy(),
        "60 and over": (age >= 60).to_numpy(),
        "65 and over": (age >= 65).to_numpy(),
        "women of 60 and over": ((age >= 60) & (frame["gender"] == "female")).to_numpy(),
        "no high school diploma": school.isin(["Less than 9th grade", "9-11th grade"]).to_numpy(),
        "college graduates": (school == "College graduate or above").to_numpy(),
        "income of $150,000 and over": (frame["household_income_gss"] == "$150,000 and over").to_numpy(),
        "Black": (frame["ethnicity"] == "Black or African American").to_numpy(),
        "Hispanic": (frame["ethnicity"] == "Hispanic or Latino").to_numpy(),
        "strong Republicans": (frame["party_id"] == "strong_republican").to_numpy(),
        "South Atlantic": (frame["region"] == "south atlantic").to_numpy(),
    }


def placed(axis: Axis, own: Axis, place: int, age: float) -> int:
    """Return the level on a survey's axis of a person at a level of the axis of all people."""
    if place < 0:
        return -1
    label = own.levels[place]
    if axis.field == "age":
        return axis.place(age)
    if axis.field == "state":
        states = set(label.split(" / "))
        return next((at for at, held in enumerate(axis.levels) if states & set(held.split(" / "))), -2)
    if label in axis.levels:
        return axis.levels.index(label)
    if axis.field != "household_income":
        return -2
    middles = [middle(band_of(level)) for level in axis.levels]
    return int(np.abs(np.array(middles) - middle(band_of(label))).argmin())


def everybody(frame: pd.DataFrame, wordings: dict[str, str]) -> tuple[Axis, ...]:
    """Return the fields of all respondents; their nearness is not used."""
    one = dict(list(wordings.items())[:1])
    return vp.knowledge(frame, weights="weight", profile=PROFILE, questions=one).survey.axes


def measured(
    frame: pd.DataFrame, wordings: dict[str, str], seed: int, cut: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the estimate and the truth for each answer of each group of one half, from the other half."""
    own = np.zeros(len(frame), dtype=bool)
    own[np.random.default_rng(seed).permutation(len(frame))[: len(frame) // 2]] = True
    others = ~own
    removed = cohorts(frame).get(cut or "", np.zeros(len(frame), dtype=bool))
    given = {"weights": "weight", "profile": PROFILE, "questions": wordings}
    survey = vp.knowledge(frame[own & ~removed].reset_index(drop=True), **given).survey
    pairs = list(zip(survey.axes, everybody(frame, wordings), strict=True))
    profiles = [
        tuple(placed(axis, base, int(base.places[row]), age) for axis, base in pairs)
        for row, age in enumerate(frame["age"])
    ]
    donors, weights = Donors(survey), frame["weight"].to_numpy()
    compared = list(groups(frame)) if cut is None else [("removed", cut, removed)]
    for name in list(wordings)[seed % 3 :: 3]:
        columns = columns_of(survey, name)
        for option in list(columns)[: 1 if len(columns) == 2 else None]:
            estimator = Estimator(survey, donors, columns[option], is_share=True)
            for field, level, inside in compared:
                rows = np.flatnonzero(inside & others & frame[name].notna())
                asked = np.flatnonzero(inside & own & ~removed & frame[name].notna())
                if rows.size < TESTED:
                    continue
                counts: dict[Any, float] = {}
                for row in rows:
                    counts[profiles[row]] = counts.get(profiles[row], 0) + weights[row]
                own_share = (
                    _share(frame[name].iloc[asked] == option, weights[asked])[0] if asked.size else np.nan
                )
                truth, error = _share(frame[name].iloc[rows] == option, weights[rows])
                yield _row(field, level, name, option, len(columns), estimator.of(counts, 0.95)) | {
                    **{"seed": seed, "truth": truth, "error": error, "direct": own_share}
                }


def _share(held: pd.Series, weights: np.ndarray) -> tuple[float, float]:
    """Return a weighted share and its standard error."""
    part = weights / weights.sum()
    share = float(part @ held.to_numpy(float))
    return share, float(np.sqrt(((part * (held.to_numpy(float) - share)) ** 2).sum()))


def _row(field: str, level: str, name: str, option: str, options: int, found: Estimate) -> dict[str, Any]:
    return {
        **{"field": field, "level": level, "item": name, "option": option, "uniform": 1 / options},
        **{"estimate": found.value, "low": found.low, "high": found.high},
    }


def summary(rows: pd.DataFrame) -> pd.Series:
    """Return errors in points, and the share of intervals that hold, allowing for the noise of the truth."""
    truth, noise = rows["truth"], 1.96 * rows["error"]
    low = rows["estimate"] - np.hypot(rows["estimate"] - rows["low"], noise)
    high = rows["estimate"] + np.hypot(rows["high"] - rows["estimate"], noise)
    return pd.Series(
        {
            "error": 100 * (rows["estimate"] - truth).abs().mean(),
            "direct": 100 * (rows["direct"] - truth).abs().mean(),
            "uniform": 100 * (rows["uniform"] - truth).abs().mean(),
            "noise": 100 * np.sqrt(2 / np.pi) * rows["error"].mean(),
            "half width": 50 * (rows["high"] - rows["low"]).mean(),
            "hold, %": 100 * ((truth >= low) & (truth <= high)).mean(),
            "figures": len(rows),
        }
    )


def gaps(rows: pd.DataFrame) -> pd.Series:
    """Return how often significant differences of 8 points or more have the right sign, and their slope."""
    keys = ["seed", "field", "item", "option"]
    both = rows.merge(rows, on=keys, suffixes=("", "_")).query("level < level_")
    true, told, raw = (both[name] - both[f"{name}_"] for name in ("truth", "estimate", "direct"))
    large = (true.abs() >= 0.08) & (true.abs() > 1.96 * np.hypot(both["error"], both["error_"]))
    return pd.Series(
        {
            "differences": int(large.sum()),
            "right sign, %": 100 * (true * told > 0)[large].mean(),
            "right sign of the half-sample, %": 100 * (true * raw > 0)[large].mean(),
            "slope": (true * told).sum() / (told * told).sum(),
            "slope of the half-sample": (true * raw).sum() / (raw * raw).sum(),
        }
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--halves", type=int, default=8)
    parser.add_argument("--cuts", type=int, default=8, help="halves with a cohort removed, of each cohort")
    chosen = parser.parse_args()
    frame, wordings = read(chosen.folder)
    seeds = range(FIRST_HALF, FIRST_HALF + chosen.halves)
    if found := [row for seed in seeds for row in measured(frame, wordings, seed, None)]:
        rows = pd.DataFrame(found)
        print(summary(rows).rename("all groups").to_frame().T.round(1).to_string())
        print(rows.groupby("field").apply(summary, include_groups=False).round(1).to_string())
        print(gaps(rows).round(2).to_string())
    seeds = range(FIRST_CUT, FIRST_CUT + chosen.cuts)
    cut = [row for name in cohorts(frame) for seed in seeds for row in measured(frame, wordings, seed, name)]
    if cut:
        rows = pd.DataFrame(cut).dropna(subset="estimate")
        print(rows.groupby("level").apply(summary, include_groups=False).round(1).to_string())


if __name__ == "__main__":
    main()
