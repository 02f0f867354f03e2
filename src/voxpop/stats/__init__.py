"""Survey formulas on plain arrays, each with its source: no frames, no SQL."""

from __future__ import annotations

from voxpop.stats.association import chi_square, cramers_v, cramers_v_corrected, rao_scott
from voxpop.stats.bases import design_effect, effective_base, group_sums, shares
from voxpop.stats.corrections import CORRECTIONS, benjamini_hochberg, bonferroni, holm
from voxpop.stats.intervals import wilson
from voxpop.stats.means import Moments, compare_means, moments, weighted_median
from voxpop.stats.nps import score
from voxpop.stats.power import detectable_difference, detectable_share, n_for_means, n_for_shares
from voxpop.stats.proportions import compare_shares, two_proportions
from voxpop.stats.raking import rake
from voxpop.stats.variance import anova, kruskal_wallis

__all__ = [
    "CORRECTIONS",
    "Moments",
    "anova",
    "benjamini_hochberg",
    "bonferroni",
    "chi_square",
    "compare_means",
    "compare_shares",
    "cramers_v",
    "cramers_v_corrected",
    "design_effect",
    "detectable_difference",
    "detectable_share",
    "effective_base",
    "group_sums",
    "holm",
    "kruskal_wallis",
    "moments",
    "n_for_means",
    "n_for_shares",
    "rake",
    "rao_scott",
    "score",
    "shares",
    "two_proportions",
    "weighted_median",
    "wilson",
]
