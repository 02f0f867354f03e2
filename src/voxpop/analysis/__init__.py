"""Frames and relations in, tables with their bases out."""

from __future__ import annotations

from voxpop.analysis.agreement import Agreement, agreement
from voxpop.analysis.bands import Bands, bands
from voxpop.analysis.banner import Report, banner
from voxpop.analysis.benchmarks import Benchmark, benchmark, benchmarks
from voxpop.analysis.cautions import AnalysisWarning
from voxpop.analysis.codeframe import Codeframe, codeframe
from voxpop.analysis.codings import Codings
from voxpop.analysis.cohorts import cohorts
from voxpop.analysis.crosstab import crosstab
from voxpop.analysis.keywords import Keywords, keywords
from voxpop.analysis.measures import box, means, nps, proportions
from voxpop.analysis.multi import multi
from voxpop.analysis.picture import Picture
from voxpop.analysis.planning import Plan, power
from voxpop.analysis.prices import Prices, price_ladder, price_range
from voxpop.analysis.quotes import Quotes, quotes
from voxpop.analysis.significance import SigTest
from voxpop.analysis.summary import Summary
from voxpop.analysis.table import Table
from voxpop.analysis.themes import Themes, themes
from voxpop.analysis.validation import Validation, validate
from voxpop.analysis.weights import Weights, rake
from voxpop.analysis.words import Words

__all__ = [
    "Agreement",
    "AnalysisWarning",
    "Bands",
    "Benchmark",
    "Codeframe",
    "Codings",
    "Keywords",
    "Picture",
    "Plan",
    "Prices",
    "Quotes",
    "Report",
    "SigTest",
    "Summary",
    "Table",
    "Themes",
    "Validation",
    "Weights",
    "Words",
    "agreement",
    "bands",
    "banner",
    "benchmark",
    "benchmarks",
    "box",
    "codeframe",
    "cohorts",
    "crosstab",
    "keywords",
    "means",
    "multi",
    "nps",
    "power",
    "price_ladder",
    "price_range",
    "proportions",
    "quotes",
    "rake",
    "themes",
    "validate",
]
