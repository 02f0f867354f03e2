"""Tables and statistics: frames and relations in, tables with bases out."""

from __future__ import annotations

from voxpop.analysis.banner import Report, banner
from voxpop.analysis.cautions import AnalysisWarning
from voxpop.analysis.cohorts import cohorts
from voxpop.analysis.crosstab import crosstab
from voxpop.analysis.drivers import Drivers, drivers
from voxpop.analysis.estimate import estimate
from voxpop.analysis.estimate_result import Estimate
from voxpop.analysis.measures import box, means, nps, proportions
from voxpop.analysis.multi import multi
from voxpop.analysis.picture import Picture
from voxpop.analysis.planning import PowerPlan, power
from voxpop.analysis.prices import Prices, price_ladder, price_range
from voxpop.analysis.regress import Regression, regress
from voxpop.analysis.segments import Segments, segments
from voxpop.analysis.sig_test import SigTest
from voxpop.analysis.summary import Summary
from voxpop.analysis.table import Table
from voxpop.analysis.weights import Weights, rake
from voxpop.survey.bands import Bands, bands
from voxpop.survey.declaring import declare

__all__ = [
    "AnalysisWarning",
    "Bands",
    "Drivers",
    "Estimate",
    "Picture",
    "PowerPlan",
    "Prices",
    "Regression",
    "Report",
    "Segments",
    "SigTest",
    "Summary",
    "Table",
    "Weights",
    "bands",
    "banner",
    "box",
    "cohorts",
    "crosstab",
    "declare",
    "drivers",
    "estimate",
    "means",
    "multi",
    "nps",
    "power",
    "price_ladder",
    "price_range",
    "proportions",
    "rake",
    "regress",
    "segments",
]
