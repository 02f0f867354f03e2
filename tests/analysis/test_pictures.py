"""Charts show the figures of their tables on honest axes, and render to small static pictures."""

from __future__ import annotations

import base64
import json
import struct
import sys
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from voxpop.analysis import Picture, bands, box, crosstab, means, nps, price_ladder, price_range, proportions
from voxpop.analysis.picture import COLOURS
from voxpop.analysis.pixels import packed
from voxpop.errors import UsageError
from voxpop.survey.declaring import declare
from voxpop.validation import validate
from voxpop.verbatims import Words, agreement, codeframe, keywords, themes

LIKING = ["very unlikely", "unlikely", "neither", "likely", "very likely"]


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    draw = np.random.default_rng(1)
    n = 400
    liking = draw.choice(LIKING, n, p=[0.1, 0.2, 0.3, 0.25, 0.15])
    base = draw.normal(10, 2, n).clip(5, 15)
    data = pd.DataFrame(
        {
            "agent_id": range(n),
            "gender": draw.choice(["male", "female", "non_binary"], n, p=[0.48, 0.49, 0.03]),
            "age": draw.integers(18, 90, n),
            "switch": draw.choice(["yes", "no"], n),
            "like": pd.Categorical(liking, LIKING, ordered=True),
            "recommend": draw.integers(0, 11, n),
            "price": base.round(),
            "brands": [
                list(draw.choice(["Oat", "Rye", "Corn"], draw.integers(0, 3), replace=False))
                for _ in range(n)
            ],
            "why": draw.choice(["The price is too high", "I like the taste", "My doctor told me so"], n),
            "at_5": draw.choice(["yes", "no"], n, p=[0.8, 0.2]),
            "at_9": draw.choice(["yes", "no"], n, p=[0.3, 0.7]),
        }
    )
    for name, by in (("tc", 0.5), ("ch", 0.8), ("ex", 1.2), ("te", 1.6)):
        data[name] = (base * by).round()
    return declare(data, "simulated")


@pytest.fixture(scope="module")
def pictures(people: pd.DataFrame) -> dict[str, Picture]:
    by = ["gender", bands("age", [18, 35, 55])]
    rules = codeframe({"price": "price", "taste": "taste"})
    coded = [
        {"answer_id": name, "code_id": "price" if (name + who) % 3 else "taste", "coder": f"P{who}"}
        for name in range(60)
        for who in (1, 2)
    ]
    asked = {"too_cheap": "tc", "cheap": "ch", "expensive": "ex", "too_expensive": "te"}
    plain = Words(stem=False)
    return {
        "bars": crosstab(people, "switch", by="gender").plot(),
        "steps": crosstab(people, "like", by=by, sig=True).plot(),
        "boxes": crosstab(people, "like", by=by, boxes=2).plot(),
        "several": crosstab(people, "brands", by="gender").plot(),
        "rows": crosstab(people, "like", by="gender", percent="row").plot(),
        "differences": crosstab(people, "like", by=by).plot("differences"),
        "means": means(people, "price", by="gender").plot(),
        "mean differences": means(people, "price", by=by).plot("differences", against="35-54"),
        "score": nps(people, "recommend", by="gender").plot(),
        "score intervals": nps(people, "recommend", by="gender").plot("intervals"),
        "shares": proportions(people, "like", by="gender").plot(),
        "share": proportions(people, "switch", "yes", by="gender").plot(),
        "box": box(people, "recommend", by="gender", scale=(0, 10)).plot(),
        "keywords": keywords(people, "why", by="switch", words=plain).plot(3),
        "themes": themes(people, "why", k=2, by="gender", words=plain).plot(),
        "codes": crosstab(rules.code(people, "why").join(people), "why_codes", by="switch").plot(),
        "agreement": agreement(rules.code(people, "why", coded), resamples=50).plot(),
        "validation": validate(people, "switch", {"yes": 70, "no": 30}).plot(),
        "cohorts": validate(people.assign(smart=people.switch), "smart", "smartphone_2021", by="age").plot(),
        "range": price_range(people, asked, by="gender", resamples=20).plot(),
        "ladder": price_ladder(people, {5: "at_5", 9: "at_9"}, by="gender").plot(),
    }


NAMES = (
    *("bars", "steps", "boxes", "several", "rows", "differences", "means", "mean differences", "score"),
    *("score intervals", "shares", "share", "box", "keywords", "themes", "codes", "agreement", "validation"),
    *("cohorts", "range", "ladder"),
)


def parts(spec: Any) -> Iterator[dict[str, Any]]:
    """Walk through a chart and all charts inside it."""
    if isinstance(spec, dict):
        yield spec
        for held in spec.values():
            yield from parts(held)
    elif isinstance(spec, list):
        for held in spec:
            yield from parts(held)


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_drawn_and_says_what_agents_are(pictures: dict[str, Picture], name: str) -> None:
    drawn = ET.fromstring(pictures[name].to_svg())
    told = " ".join("".join(text.itertext()) for text in drawn.iter() if text.tag.endswith("text"))
    if name != "agreement":  # it is about coders
        assert "Agents are simulated" in told


@pytest.mark.parametrize("name", NAMES)
def test_axes_of_shares_begin_at_nought(pictures: dict[str, Picture], name: str) -> None:
    for part in parts(json.loads(pictures[name].chart.to_json())):
        title = part.get("title")
        if isinstance(title, str) and "%" in title.split("with")[0] and "scale" in part:
            assert part["scale"]["domain"][0] == 0, title


@pytest.mark.parametrize(
    "name", ["bars", "steps", "several", "means", "score", "shares", "range", "ladder", "themes"]
)
def test_a_base_too_small_to_read_is_marked_and_pale(pictures: dict[str, Picture], name: str) -> None:
    spec = pictures[name].chart.to_json()
    assert "non_binary (n=" in spec
    assert ") **" in spec
    assert "** base below 30: too small to read" in spec
    assert "0.35" in spec


def test_colours_tell_apart_for_colour_blind_eyes() -> None:
    """Seen with two kinds of cones (Vienot, Brettel, Mollon 1999), the first six colours stay apart."""
    sight = {
        "protan": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
        "deutan": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
    }
    rgb = (
        np.array([[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in COLOURS[:6]]) ** 2.2
    )
    for matrix in sight.values():
        seen = np.clip(rgb @ np.array(matrix).T, 0, 1) ** (1 / 2.2)
        apart = np.abs(seen[:, None] - seen[None]).max(axis=2)
        assert apart[~np.eye(6, dtype=bool)].min() > 0.08


def test_bars_hold_the_figures_of_the_table(people: pd.DataFrame) -> None:
    table = crosstab(people, "like", by="gender")
    held = [
        row
        for data in json.loads(table.plot().chart.to_json())["datasets"].values()
        for row in data
        if "middle" in row
    ]
    long = table.long().query("row_kind == 'code'")
    assert len(held) == len(long)
    by_name = {(row["cohort"].split(" (")[0].split(": ")[-1], row["row"]): row["percent"] for row in held}
    for line in long.itertuples():
        assert by_name[line.column, line.row] == pytest.approx(line.percent)


def test_differences_are_those_of_the_pairs(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="gender")
    held = [
        row
        for data in json.loads(table.plot("differences", against="female").chart.to_json())[
            "datasets"
        ].values()
        for row in data
    ]
    drawn = {(row["row"], row["cohort"].split(" (")[0]): row["value"] for row in held}
    shares = table.wide()
    for level in ("yes", "no"):
        told = shares.loc[level, ("gender", "male")] - shares.loc[level, ("gender", "female")]
        assert drawn[level, "male"] == pytest.approx(told)
    assert {row["low"] < row["value"] < row["high"] for row in held} == {True}


def test_steps_of_a_scale_run_through_two_hues_and_choices_do_not(pictures: dict[str, Picture]) -> None:
    def colours(name: str) -> list[str]:
        for part in parts(json.loads(pictures[name].chart.to_json())):
            found = part.get("color")
            if isinstance(found, dict) and found.get("field") == "row":
                return list(found["scale"]["range"])
        raise AssertionError(name)

    assert colours("steps") == ["#d55e00", "#da9e6f", "#dedede", "#6fa8c8", "#0072b2"]
    assert colours("bars") == list(COLOURS[:2])


def test_many_cohorts_get_rows_of_their_own(people: pd.DataFrame) -> None:
    data = people.assign(state=[f"S{place % 12:02}" for place in range(len(people))])
    spec = crosstab(data, "brands", by="state").plot().chart.to_json()
    assert '"yOffset": {' not in spec
    assert "Oat, by state" in spec


def test_it_shows_itself_still_and_small_with_its_words(pictures: dict[str, Picture]) -> None:
    bundle, about = pictures["bars"]._repr_mimebundle_()
    drawn = base64.b64decode(bundle["image/png"])
    assert len(drawn) < 40_000
    assert set(bundle) == {"image/png", "text/plain"}, "nothing that needs a script or a network"
    assert bundle["text/plain"] == repr(pictures["bars"]) == about["image/png"]["alt"]
    assert bundle["text/plain"].startswith("Stacked bars of the shares of each answer")
    width, height = struct.unpack(">II", drawn[16:24])
    assert width / about["image/png"]["width"] == pytest.approx(
        height / about["image/png"]["height"], rel=0.01
    )


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "html", "json"])
def test_saving(pictures: dict[str, Picture], tmp_path: Path, ending: str) -> None:
    path = pictures["score"].save(tmp_path / f"score.{ending}")
    assert path.stat().st_size > 1000
    if ending == "html":
        assert "https://cdn" not in path.read_text(encoding="utf-8")


def test_another_ending_is_refused(pictures: dict[str, Picture], tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"saved as png, svg, pdf, html, json, not 'score.pgn'; did you mean png"
    ):
        pictures["score"].save(tmp_path / "score.pgn")


def test_the_same_figures_give_the_same_bytes(people: pd.DataFrame) -> None:
    table = crosstab(people, "like", by="gender")
    assert table.plot().to_png() == table.plot().to_png()


def test_packing_keeps_every_pixel_of_a_picture_with_few_colours() -> None:
    draw = np.random.default_rng(1)
    colours = draw.integers(0, 256, (200, 3), dtype=np.uint8)
    pixels = np.dstack([colours[draw.integers(0, 200, (50, 70))], np.full((50, 70), 255, np.uint8)])

    def chunk(name: bytes, held: bytes) -> bytes:
        return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))

    lines = np.hstack([np.zeros((50, 1), np.uint8), pixels.reshape(50, -1)]).tobytes()
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 70, 50, 8, 6, 0, 0, 0))
    png += chunk(b"IDAT", zlib.compress(lines, 0)) + chunk(b"IEND", b"")
    small = packed(png)
    assert len(small) < len(png)
    place = small.index(b"PLTE")
    table = np.frombuffer(
        small[place + 4 : place + 4 + struct.unpack(">I", small[place - 4 : place])[0]], np.uint8
    )
    place = small.index(b"IDAT")
    held = zlib.decompress(small[place + 4 : place + 4 + struct.unpack(">I", small[place - 4 : place])[0]])
    codes = np.frombuffer(held, np.uint8).reshape(50, 71)[:, 1:]
    assert (table.reshape(-1, 3)[codes] == pixels[:, :, :3]).all()
    assert packed(small) == small, "one of another kind comes back as it is"


def test_what_cannot_be_drawn_says_why(people: pd.DataFrame) -> None:
    table = crosstab(people, "switch", by="gender")
    with pytest.raises(
        UsageError, match="kind must be one of bars, intervals, differences, not 'bar'; did you mean bars"
    ):
        table.plot("bar")
    with pytest.raises(UsageError, match="has no cohorts to compare"):
        crosstab(people, "switch").plot("differences")
    with pytest.raises(UsageError, match="No attribute has the level 'femal'; did you mean female"):
        table.plot("differences", against="femal")
    with pytest.raises(UsageError, match="do not add up to 100"):
        crosstab(people, "brands").plot("bars")
    with pytest.raises(UsageError, match="share agents"):
        crosstab(people, "switch", by="brands").plot("differences")
    with pytest.raises(UsageError, match='against= needs kind="differences"'):
        table.plot(against="female")


def test_without_the_extra_one_sentence_names_it(
    people: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(
        UsageError, match=r"^Charts need the extra 'charts'; .*pip install 'voxpop\[charts\]'$"
    ):
        crosstab(people, "switch").plot()
