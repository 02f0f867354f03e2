"""Pictures: charts with text above and below, rendered alike in notebooks, files and saved pages.

The palette is that of M. Okabe and K. Ito (2008), suitable for colour-blind readers; shapes differ as well.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voxpop.analysis.extras import load
from voxpop.analysis.pixels import packed
from voxpop.errors import UsageError
from voxpop.files import whole_file
from voxpop.vocabulary.markup import script_json
from voxpop.vocabulary.nearest import did_you_mean, nearest

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555", "#000000")
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
    "stroke",
)
"""Shape for each colour, so that colour is never the only distinction."""

GREY = "#777777"
PALE = 0.35
"""Opacity of figures with a small base."""

FORMATS = ("png", "svg", "pdf", "html", "json")
_HERE = "voxpop_spec"
_SPEC = re.compile(rf"(const spec = \{{[^\n]*{_HERE}[^\n]*\}};)")
"""The line of a converted page that holds the chart. It is rewritten with voxpop's own escaping, because the
converter does not escape ``</script>`` in users' texts."""

_SHARP = 1.25
_LINE = 13


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Picture:
    """A chart that displays as a static image, without network access or scripts.

    Attributes
    ----------
    chart : altair chart
        The chart itself, for changes or for an interactive display.
    words : str
        Text alternative of the image.
    """

    chart: Any
    words: str

    def save(self, path: str | Path, *, scale: float = 2.0) -> Path:
        """Write the picture to a file; its suffix is the format: png, svg, pdf, html or json (Vega-Lite).

        Parameters
        ----------
        path : str or Path
            The file.
        scale : float, default 2
            Pixels of a png per screen pixel.

        Raises
        ------
        UsageError
            If the suffix is not supported.
        """
        made, ending = Path(path), Path(path).suffix.removeprefix(".").lower()
        if ending not in FORMATS:
            hint = did_you_mean(nearest(ending, FORMATS)) or "."
            raise UsageError(f"A picture is saved as {', '.join(FORMATS)}, not {made.name!r}{hint}")
        with whole_file(made) as draft:
            draft.write_bytes(self._in_form(ending, scale))
        return made

    def _in_form(self, ending: str, scale: float) -> bytes:
        """Return the content of a file with this suffix."""
        if ending == "png":
            return self.to_png(scale)
        if ending == "svg":
            return self.to_svg().encode()
        if ending == "pdf":
            return bytes(_converter().vegalite_to_pdf(self._spec()))
        if ending == "html":
            return self.to_html().encode()
        return self._spec(indent=2).encode()

    def to_png(self, scale: float = 2.0) -> bytes:
        """Return the picture as PNG."""
        return packed(_converter().vegalite_to_png(self._spec(), scale=scale, ppi=72))

    def to_html(self) -> str:
        """Return the picture as a self-contained HTML page."""
        page: str = _converter().vegalite_to_html(json.dumps({"mark": "point", "name": _HERE}), bundle=True)
        start, found, end = _SPEC.split(page, maxsplit=1) if _SPEC.search(page) else (page, "", "")
        if not found:
            raise UsageError(
                "This version of vl-convert writes pages in an unknown format; save svg or png instead."
            )
        return f"{start}const spec = {script_json(self._spec())};{end}"

    def to_svg(self) -> str:
        """Return the picture as SVG."""
        drawn: str = _converter().vegalite_to_svg(self._spec())
        return drawn

    def _spec(self, indent: int | None = None) -> str:
        """Return the chart as JSON, without line breaks in texts, which break Vega expressions."""
        return json.dumps(_on_one_line(self.chart.to_dict()), indent=indent, sort_keys=True)

    def __repr__(self) -> str:
        return self.words

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, str], Any]:
        drawn = self.to_png(_SHARP)
        width, height = struct.unpack(">II", drawn[16:24])
        shown = {"width": round(width / _SHARP), "height": round(height / _SHARP), "alt": self.words}
        return (
            {"image/png": base64.b64encode(drawn).decode("ascii"), "text/plain": self.words},
            {"image/png": shown},
        )


def _on_one_line(part: Any) -> Any:
    if isinstance(part, str):
        return part.replace("\u2028", " ").replace("\u2029", " ")
    if isinstance(part, dict):
        return {_on_one_line(name): _on_one_line(held) for name, held in part.items()}
    return [_on_one_line(held) for held in part] if isinstance(part, list) else part


def _converter() -> Any:
    return load("vl_convert", "charts", "Pictures need")


def altair() -> Any:
    """Import altair, or raise an error that names the extra to install."""
    return load("altair", "charts", "Charts need")


def framed(panels: Any, title: str, terms: str, notes: Sequence[str], words: str) -> Picture:
    """Combine a chart with its texts: question and base above, marks, source and cautions below.

    Parameters
    ----------
    panels : altair chart
        The chart.
    title, terms : str
        The question, and its base, weight and filter.
    notes : sequence of str
        Paragraphs below the chart.
    words : str
        Kind of picture, and where to find its figures.
    """
    alt = altair()
    below = [line for note in notes for line in _wrapped(note, 118)]
    foot = (
        alt.Chart(alt.Data(values=[{}]))
        .mark_text(align="left", baseline="top", fontSize=10, color="#444444", lineHeight=_LINE, text=below)
        .encode(x=alt.value(0), y=alt.value(0))
        .properties(width=600, height=_LINE * len(below), view=alt.ViewBackground(stroke=None))
    )
    head = alt.TitleParams(
        _wrapped(title, 84),
        subtitle=_wrapped(terms, 112),
        anchor="start",
        frame="bounds",
        fontSize=14,
        subtitleFontSize=11,
        subtitleColor="#444444",
        offset=14,
    )
    chart = (
        alt.vconcat(panels, foot, spacing=16)
        .properties(title=head, padding=10)
        .configure_axis(
            gridColor="#e3e3e3", domainColor="#999999", tickColor="#999999", titleFontWeight="normal"
        )
        .configure_view(stroke=None)
        .configure_legend(symbolOpacity=1)
    )
    return Picture(chart, f"{words}: {title} {terms}.")


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width) or [""]


def cohort_name(group: str, label: str, base: float, flag: str) -> str:
    """Return the label of a cohort with its base and small-base mark."""
    name = "Total" if group == "Total" else f"{group}: {label}"
    return f"{name} (n={base:,.0f}){f' {flag}' if flag else ''}"


def top_of(high: float) -> float:
    """Return the upper end of a percentage axis from 0: the next multiple of ten."""
    return min(100.0, 10.0 * -(-high // 10)) or 10.0
