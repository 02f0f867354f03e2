"""Professional rows of the table of agent fields."""

from __future__ import annotations

from voxpop.vocabulary.levels import LABOUR_STATUS, OCCUPATION_MAJOR_GROUPS, US_INDUSTRIES
from voxpop.vocabulary.row import Field
from voxpop.vocabulary.synonyms import turned

PROFESSIONAL = (
    Field(
        name="occupation",
        kind="category",
        group="professional",
        label="Occupation",
        meaning="The detailed occupation of an employed agent; empty for agents without a job.",
        hints=("job", "profession"),
        open=True,
        record_place=10,
        phrase="working as {}",
        note='A label or a job title that goes with one, for example "nurse".',
        ranked=True,
    ),
    Field(
        name="occupation_major_group",
        kind="category",
        group="professional",
        label="Occupation group",
        meaning="The major occupation group of an employed agent; empty for agents without a job.",
        aliases=("occupation_major_groups", "major_group"),
        levels=OCCUPATION_MAJOR_GROUPS,
        names={f"{level} occupations": level for level in OCCUPATION_MAJOR_GROUPS},
        record_place=11,
        phrase="in the occupation group {}",
        ranked=True,
    ),
    Field(
        name="industry",
        kind="category",
        group="professional",
        label="Industry",
        meaning="The industry sector in which an employed agent works; empty for agents without a job.",
        known=US_INDUSTRIES,
        hints=("sector",),
        record_place=12,
        phrase="working in the industry {}",
        note='The full label, for example "Retail Trade".',
        ranked=True,
    ),
    Field(
        name="labour_status",
        kind="category",
        group="professional",
        label="Labour status",
        meaning="What the agent does in the labour force or outside of it.",
        aliases=("employment", "employment_status", "labor_status"),
        levels=LABOUR_STATUS,
        names=turned(
            {
                "employed": ("working", "in work"),
                "unemployed": ("jobless", "out of work", "looking for work"),
                "retired": ("retiree", "retirees"),
                "student": ("students", "in school"),
                "homemaker": ("homemakers", "stay-at-home parent", "housewife", "househusband"),
                "disabled": ("disability", "unable to work"),
                "other_not_in_labour_force": ("other_not_in_labor_force", "other"),
            }
        ),
        nullable=False,
        record_place=13,
        phrase="who are {}",
        words={
            "student": "students",
            "homemaker": "homemakers",
            "disabled": "unable to work",
            "other_not_in_labour_force": "otherwise not in the labour force",
        },
        cohort="{} agents",
        cohort_words={
            "student": "students",
            "homemaker": "homemakers",
            "other_not_in_labour_force": "agents out of the labour force for other reasons",
        },
        value_labels={"other_not_in_labour_force": "Otherwise not in the labour force"},
        ranked=True,
    ),
    Field(
        name="title_variant",
        kind="category",
        group="professional",
        label="Job title",
        meaning="The job title that an employed agent uses for the occupation; empty for agents without a "
        "job.",
        aliases=("title_variants",),
        hints=("job_title",),
        open=True,
        record_place=14,
        phrase="with the job title {}",
        note="The exact title.",
        ranked=True,
    ),
)
"""The professional fields in display order."""
