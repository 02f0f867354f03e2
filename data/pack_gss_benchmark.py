"""Pack questions of the General Social Survey into the benchmark that engines are held against.

Run by hand: ``python data/pack_gss_benchmark.py FOLDER``. The folder has the tables of items and shares
(``us_gss_items.csv``, ``us_gss_shares.csv``, ``us_gss_shares_2016.csv``), and the records of 2018 and their
donors, which voxpop does not ship. The output has wordings, shares, pairwise correlations, and what two
halves of the people score against each other: no record.

Wordings are the codebook's. Rules that hold for all of them (:func:`asked`) remove instructions to the
interviewer and join the parts of a battery; a question that cannot be asked after that is left out, with its
reason. Nothing is rewritten by hand. The script prints how many items each reason leaves out.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from voxpop.stats.structure import agreement_of_correlations, pairwise_correlations
from voxpop.validation.gss_items import gss_items
from voxpop.validation.item_scores import CORRELATIONS, Shares, score_items
from voxpop.validation.item_set import ItemSet

FOLDER = Path(__file__).parents[1] / "src/voxpop/validation/gss"
CLUSTERS = 1.2
"""Factor of the standard errors for the clusters of the survey, which they do not allow for."""
FEWEST_PAIR = 300
"""Least number of people behind a correlation."""
SPLITS = 20
"""Random splits of the people of 2018 into halves."""
FEWEST_2016 = 1_200
"""Least number of people behind a question of 2016, whose records do not tell who was asked."""

GROUPS = (
    *("age_18_29", "age_30_44", "age_45_59", "age_60plus", "male", "female"),
    *("edu_lt_hs", "edu_hs", "edu_some_college", "edu_college"),
    *("inc_under_25k", "inc_25k_60k", "inc_60k_110k", "inc_110k_plus"),
    *("eth_white", "eth_black", "eth_hispanic", "eth_other", "party_dem", "party_ind", "party_rep"),
)
EDUCATION = {
    "Less than 9th grade": "edu_lt_hs",
    "9-11th grade": "edu_lt_hs",
    "High school graduate/GED": "edu_hs",
    "Some college or AA degree": "edu_some_college",
    "College graduate or above": "edu_college",
}
ETHNICITY = {
    "White, non-Hispanic": "eth_white",
    "Black or African American": "eth_black",
    "Hispanic or Latino": "eth_hispanic",
}
INCOME = {
    "Under $15,000": {"inc_under_25k": 1.0},
    "$15,000-$24,999": {"inc_under_25k": 1.0},
    "$25,000-$34,999": {"inc_25k_60k": 1.0},
    "$35,000-$49,999": {"inc_25k_60k": 1.0},
    "$50,000-$74,999": {"inc_25k_60k": 0.4, "inc_60k_110k": 0.6},
    "$75,000-$89,999": {"inc_60k_110k": 1.0},
    "$90,000-$149,999": {"inc_60k_110k": 1 / 3, "inc_110k_plus": 2 / 3},
    "$150,000 and over": {"inc_110k_plus": 1.0},
}
"""Part of each band of the records in the groups of the shares, whose limits lie within two of the bands."""
WORKING = ("working full time", "working part time", "with a job")

NOMINAL = (
    *("word of god", "family or relative", "close family member", "family members or close friends"),
    *("associate's", "too harshly", "should | should not | it", "would take advantage", "try to be helpful"),
    *("yes, i have done so and", "more good than harm", "hard work most", "i don't believe in god now"),
    *("yes | no | i do not", "married |", "performance", "yes | no, i work", "i don't belong", "i follow a"),
    *("clinton", "government |", "male |", "yes | no | unsure", "formulation", "favor | oppose | dep"),
    *("can trust", "for-profit", "day shift", "i have a regular", "independent contractor", "manufacturing"),
    *("too high | about right | too low | r", "voted | did", "starting and", "extremely dangerous for"),
    *("much better | somewhat better | about the same | somewhat worse | much worse | no children",),
    *("all or almost all of it", "very likely | fairly likely | not too likely | not likely | leaving"),
    *("always wrong | almost always wrong | wrong only sometimes | not wrong at all | other",),
)
"""Openings of the lists of options that are no scale from one end to the other."""

UNCLEAR = {
    **dict.fromkeys(("barate", "gradtounder", "voedncol"), "the opening belongs to another question"),
    **dict.fromkeys(("marasian", "marwht"), "two questions run together"),
    **dict.fromkeys(("hlthstrt", "incuspop", "scitext"), "coded by the interviewer"),
    **dict.fromkeys(
        ("conf2f", "nogo1", "compperf", "balpos", "nanoben", "polattaky", "libhomoy", "libmily", "coldeg1"),
        "refers to an earlier question",
    ),
    **dict.fromkeys(("condom", "petcmfrt", "pres16"), "put to a part of the people that agents do not tell"),
}
"""Items whose words alone do not show why they cannot be asked."""

_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_INSTRUCTION = re.compile(r"(?:\b[A-Z]{2,}\b[ ,;:]*(?:\b[A-Z]+\b[ ,;:]*|\(\([a-z]\)-\([a-z]\)\) *)*)[.;:]")
_BRACKETS = re.compile(r"\(((?:HAND CARD|READ|CIRCLE|INTERVIEWER|Would you say)\b[^()]*)\)")
_PART = re.compile(r"(?:(?<=[.?:,)])|(?<=\.\.\.)) ?\b(?<!U\.)([A-Z])\. ?(?=[^\s.])(?!S\.)")


def cleaned(wording: str) -> str:
    """Return a wording without the interviewer's instructions, its punctuation made plain."""
    text = wording.replace("''", "'").replace("“", '"').replace("”", '"').replace("’", "'")
    text = " ".join(text.replace("…", "...").split())
    text = re.sub(r"(?:\. ?){3,4}", "... ", text)
    text = _BRACKETS.sub("", text)
    text = _INSTRUCTION.sub(lambda it: "" if len(_CAPITALS.findall(it[0])) >= 2 else it[0], text)
    text = re.sub(r"\bWould you say\.\.\. ?$", "", " ".join(text.split()))
    text = re.sub(r"^\(((?:[^()]|\([^()]*\))*)\) ?(?=\S)", r"\1 ", text.strip())
    text = re.sub(r"\b((?:\S+ ){6,}?)\1", r"\1", text)  # a passage that is printed twice in a row
    return " ".join(text.split())


def asked(wording: str, options: str) -> tuple[str, str]:
    """Return the question as it is asked, and the reason to leave it out, if there is one."""
    text = re.sub(r"^A\. (?!.*\bB\. )", "", cleaned(wording))
    parts = _PART.split(text)
    if len(parts) > 3:
        return text, "several questions in one"
    if len(parts) == 3:
        text = _joined(parts[0].strip(), parts[2].strip())
    text = re.sub(r"\.\.\. ?(?=[^\s])", " ", text).replace(" ,", ",")
    text = " ".join(text.split())
    return text, _unaskable(text, wording, options)


def _joined(stem: str, item: str) -> str:
    if "(ITEM)" in stem:
        return stem.replace("(ITEM)", item.rstrip(".").lower())
    if not stem.endswith("..."):
        return f"{stem} {item}"
    stem = stem.rstrip(". ,")
    if stem.endswith(("following", "following things", "statements")):
        return f"{stem}: {item}"
    own = item if re.match(r"I\b|[A-Z]{2}", item) else item[0].lower() + item[1:]
    first = own.split()[0]
    own = own.removeprefix(f"{first} ") if stem.split()[-1] == first else own
    end = "" if own.endswith("?") or "?" in stem else "?"
    return f"{stem} {own.rstrip('.') if end else own}{end}"


def _unaskable(text: str, wording: str, options: str) -> str:
    if re.search(r"\.{5,}|(\. ){5,}| \.\.\. ?\d", wording) or "...." in cleaned(wording):
        return "the answers run into the question"
    if re.match(r"^[A-Z]\. ", text):
        return "part of a question whose beginning is not there"
    if re.search(r"[^\x20-\x7e]|~|ï", text):
        return "damaged characters"
    if _CAPITALS.search(text.replace("EVER", "")) or re.search(r"\b[Rr]espondent|\bR\b", text):
        return "an instruction, a placeholder or a record of the interviewer"
    if re.search(r"/|\(\(|_|\([^)]*$", text):
        return "alternatives in the wording"
    if re.match(r"(And|Or|Next|Lastly|What about|Suppose this|Was it)\b", text):
        return "refers to an earlier question"
    ends_open = text.endswith(("...", ":")) and re.match(r"(Do|How|In general|If|To what|What)\b", text)
    if "(vol.)" in options:
        return "an answer that people volunteered"
    if "?" not in text and not re.search("agree|true", options) and not ends_open:
        return "no question"
    return ""


def universe(answers: pd.Series, donors: pd.DataFrame) -> str:
    """Return who were asked a question of 2018: "all", "employed", or "" for another part of the people."""
    given = answers.notna()
    works = donors.labour_status_gss.str.startswith(WORKING)
    if works[given].mean() >= 0.97:
        return "employed"
    tests = {
        "children": donors.children_ever.fillna(0) > 0,
        "religion": donors.religion != "none",
        "married": donors.marital_status == "married",
        "works": works,
        "old": donors.age >= 60,
    }
    for holds in tests.values():
        yes, no = given[holds].mean(), given[~holds].mean()
        if min(yes, no) < 0.25 * max(yes, no):
            return ""
    return "all"


def members(donors: pd.DataFrame) -> pd.DataFrame:
    """Return the part of each donor that counts in each group of the shares."""
    found = pd.DataFrame(0.0, index=donors.index, columns=list(GROUPS))
    for low, high, name in ((18, 29, "18_29"), (30, 44, "30_44"), (45, 59, "45_59"), (60, 99, "60plus")):
        found[f"age_{name}"] = donors.age.between(low, high).astype(float)
    for sex in ("male", "female"):
        found[sex] = (donors.gender == sex).astype(float)
    for level, name in EDUCATION.items():
        found[name] += donors.education == level
    for band, parts in INCOME.items():
        for name, part in parts.items():
            found[name] += part * (donors.household_income_gss == band)
    named = donors.ethnicity.map(ETHNICITY).fillna("eth_other")
    for name in ("eth_white", "eth_black", "eth_hispanic", "eth_other"):
        found[name] = (named == name).astype(float)
    party = donors.party_id.fillna("")
    found["party_dem"] = party.str.contains("democrat").astype(float)
    found["party_rep"] = party.str.contains("republican").astype(float)
    found["party_ind"] = (party == "independent").astype(float)
    return found


def effective(rows: pd.DataFrame) -> float:
    """Return the effective number of people behind the shares of a question, clusters included."""
    variance = (rows.share_all * (1 - rows.share_all)).sum()
    return float(variance / ((CLUSTERS * rows.se_all) ** 2).sum())


def correlations(places: pd.DataFrame, weights: np.ndarray) -> list[str]:
    """Return, per item, its weighted correlation with each following item in hundredths, and the people."""
    lines = []
    for at, name in enumerate(places.columns):
        cells = []
        for other in places.columns[at + 1 :]:
            both = places[name].notna() & places[other].notna()
            w, x, y = weights[both], places[name][both], places[other][both]
            if both.sum() < FEWEST_PAIR or x.std() == 0 or y.std() == 0:
                cells.append("")
                continue
            x, y = x - np.average(x, weights=w), y - np.average(y, weights=w)
            r = (w * x * y).sum() / np.sqrt((w * x**2).sum() * (w * y**2).sum())
            cells.append(f"{round(100 * r)}:{both.sum()}")
        lines.append(" ".join(cell or "-" for cell in cells))
    return lines


def halves(answers: pd.DataFrame, codes: pd.DataFrame, people: pd.DataFrame) -> dict[str, float]:
    """Return what two random halves of the people of 2018 score against each other, as a mean of splits."""
    gss_items.cache_clear()
    held = gss_items()
    held = held.only([item.key for item in held.items if item.key.split(":")[1] in answers])
    places = np.full((len(people), len(held.items)), -1)
    for at, item in enumerate(held.items):
        name = item.key.split(":")[1]
        own = codes[codes.item == name].set_index("code").option.to_dict()
        places[:, at] = [
            item.options.index(own[c]) if own.get(c) in item.options else -1 for c in answers[name]
        ]
    belongs = members(people).to_numpy()
    weight = people.weight.to_numpy()
    rng = np.random.default_rng(2018)
    found: dict[str, list[float]] = {}
    for _ in range(SPLITS):
        first = rng.permutation(len(people)) < len(people) // 2
        one, two = (_tabulated(held, places, belongs, weight * side) for side in (first, ~first))
        scores = score_items(held, one, two)
        for name in scores.above:
            found.setdefault(name, []).append(scores.score(name))
        pairs = [_correlated(held, places, weight, side) for side in (first, ~first)]
        found.setdefault(CORRELATIONS, []).append(agreement_of_correlations(*pairs))
    return {name: float(np.mean(values)) for name, values in found.items()}


def _tabulated(held: ItemSet, places: np.ndarray, belongs: np.ndarray, weight: np.ndarray) -> Shares:
    """Return weighted shares of some of the people, overall and by group."""
    whole, rows, n, group_n, counted = [], [], [], [], []
    for at, item in enumerate(held.items):
        own = (places[:, at] >= 0) & (weight > 0)
        w, ticks = weight[own], np.eye(len(item.options))[places[own, at]]
        by = belongs[own] * w[:, None]
        whole.append(w @ ticks / w.sum())
        n.append(w.sum() ** 2 / (w**2).sum() / CLUSTERS**2)
        with np.errstate(invalid="ignore"):  # a group without anybody
            rows.append(by.T @ ticks / by.sum(axis=0)[:, None])
            group_n.append(by.sum(axis=0) ** 2 / (by**2).sum(axis=0) / CLUSTERS**2)
        counted.append(belongs[own].sum(axis=0))
    return Shares(tuple(whole), np.array(n), tuple(rows), np.array(group_n), np.array(counted))


def _correlated(held: ItemSet, places: np.ndarray, weight: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return the correlations of the pairs of the benchmark among some of the people."""
    values = np.where(places[side] >= 0, places[side], np.nan)
    r, _ = pairwise_correlations(values, weight[side])
    at = {item.key: place for place, item in enumerate(held.items)}
    pairs = held.correlations
    return np.array([r[at[a], at[b]] for a, b in zip(pairs.first, pairs.second, strict=True)])


def main() -> None:
    """Read the tables of a folder and write the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    items = pd.read_csv(folder / "us_gss_items.csv")
    shares = pd.concat(
        [pd.read_csv(folder / name) for name in ("us_gss_shares.csv", "us_gss_shares_2016.csv")]
    ).drop_duplicates(["item", "option"])
    donors = pd.read_csv(folder / "us_gss_donors.csv.gz")
    answers = pd.read_csv(folder / "us_gss_answers_2018.csv.gz").set_index("donor_id")
    codes = pd.read_csv(folder / "us_gss_answer_codes.csv")
    people = donors[donors.year == 2018].set_index("donor_id").loc[answers.index]
    counted = {2018: members(people), 2016: members(donors[donors.year == 2016])}
    kept, out = [], Counter[str]()
    for row in items.itertuples():
        rows = shares[shares.item == row.item]
        question, why = asked(row.wording, row.options)
        why = why or UNCLEAR.get(row.item, "")
        if not why and any(int(year) > row.item_year for year in re.findall(r"\b20\d\d\b", question)):
            why = "the wording of a later year"
        of = universe(answers[row.item], people) if row.item in answers else "all"
        if not why and not of:
            why = "put to a part of the people that agents do not tell"
        if not why and row.item not in answers and row.n_unweighted < FEWEST_2016 and row.item_year == 2016:
            why = "put to a part of the people in 2016"
        if not why and list(rows.option) != row.options.split(" | "):
            why = "options without shares"
        if why:
            out[why] += 1
            continue
        if row.item in answers:
            given = answers[row.item].notna()
            group_n = counted[2018][given].sum() * row.n_unweighted / given.sum()
        else:
            group_n = counted[2016].sum() * row.n_unweighted / len(counted[2016])
        kept.append((row, rows, question, of, effective(rows), group_n))
    write(kept, answers, codes, people.weight.to_numpy())
    with (FOLDER / "left_out.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerows([("reason", "items"), *out.most_common()])
    write_halves(halves(answers, codes, people))
    report(len(items), len(kept), out)


def write(kept: list, answers: pd.DataFrame, codes: pd.DataFrame, weights: np.ndarray) -> None:
    """Write the three tables of the benchmark."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "halves.csv").write_text("measure,score\n", encoding="utf-8")
    places, ordered = {}, {}
    with (FOLDER / "items.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["item", "year", "n", "effective_n", "ordered", "asked_of", "question", *GROUPS])
        for row, _, question, of, real, group_n in kept:
            ordered[row.item] = not row.options.startswith(NOMINAL)
            flag = "yes" if ordered[row.item] else "no"
            people = [round(group_n[name]) for name in GROUPS]
            lines.writerow(
                [row.item, row.item_year, row.n_unweighted, round(real), flag, of, question, *people]
            )
    with (FOLDER / "shares.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["item", "option", "all", *GROUPS])
        for row, rows, _, of, *_ in kept:
            for one in rows.to_dict("records"):
                cells = [one[name] for name in ("share_all", *GROUPS)]
                lines.writerow(
                    [row.item, one["option"], *("" if np.isnan(c) else round(1000 * c) for c in cells)]
                )
            if row.item in answers and ordered[row.item] and of == "all":
                place = {text: at for at, text in enumerate(row.options.split(" | "))}
                own: Mapping[int, str] = codes[codes.item == row.item].set_index("code").option.to_dict()
                places[row.item] = answers[row.item].map(
                    lambda c, own=own, to=place: to.get(own.get(c), np.nan)
                )
    table = pd.DataFrame(places)
    with (FOLDER / "correlations.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["item", "following"])
        lines.writerows(zip(table.columns, correlations(table, weights), strict=True))


def write_halves(found: Mapping[str, float]) -> None:
    """Write the scores of two halves of the people."""
    with (FOLDER / "halves.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["measure", "score"])
        lines.writerows((name, f"{value:.4f}") for name, value in found.items())


def report(all_items: int, kept: int, out: Counter[str]) -> None:
    """Print how many items each reason leaves out."""
    print(f"{kept} of {all_items} items kept")
    for why, many in out.most_common():
        print(f"{many:4} left out: {why}")


if __name__ == "__main__":
    main()
