"""The corpus of job titles, used to find an occupation by any of its names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from voxpop.population.reference import rows


@cache
def corpus() -> Mapping[str, str]:
    """Return all job titles and synonyms, in lower case, with their occupations.

    Examples
    --------
    >>> corpus()["staff nurse"], corpus()["registered nurses"]
    ('Registered Nurses', 'Registered Nurses')
    """
    both = (*rows("us_title_variants"), *rows("us_titles_assumed"))
    titles = {row["title_variant"].casefold(): row["occupation"] for row in both}
    labels = {row["occupation"].casefold(): row["occupation"] for row in rows("us_occupations")}
    return MappingProxyType(titles | labels)
