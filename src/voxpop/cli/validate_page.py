"""The page of documentation on an engine's validation, with its picture."""

from __future__ import annotations

from pathlib import Path

from voxpop.cli.joint_page import markdown
from voxpop.files import whole_file
from voxpop.validation.engine_chart import draw
from voxpop.validation.engine_text import (
    GAP_HEADINGS,
    column_notes,
    farthest,
    gap_rows,
    headings,
    rows_of,
    shown,
    verdicts,
)
from voxpop.validation.engine_validation import EngineValidation
from voxpop.validation.item_scores import FEWEST_AGENTS, FEWEST_PEOPLE


def save(path: Path, found: EngineValidation, command: str) -> list[Path]:
    """Write the page and its picture, and return their paths.

    Parameters
    ----------
    path : Path
        The page. The picture has its name, in the folder ``pictures`` beside it.
    found : EngineValidation
        What was found.
    command : str
        The command that made it.
    """
    picture = path.parent / "pictures" / f"{path.stem}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(found).save(picture)
    with whole_file(path) as draft:
        draft.write_text(page(found, command, f"pictures/{picture.name}"), encoding="utf-8")
    return [path, picture]


def page(found: EngineValidation, command: str, picture: str) -> str:
    """Return the page as Markdown."""
    parts = [
        "# Validation against people",
        _opening(found, command),
        "\n".join(f"- {line}" for line in verdicts(found)),
        f"![Shares and differences between groups, people against agents]({picture})",
    ]
    for title, section in shown(found):
        parts += [f"## {title}", markdown(headings(section), rows_of(section))]
    parts += [
        "In brackets: 95 % interval from a bootstrap over families of questions. Beside the engine stand:",
        "\n".join(f"- {line}" for line in column_notes(found)),
        "## Differences between groups",
        "This table and the next leave out placeholders.",
        markdown(GAP_HEADINGS, gap_rows(found)),
        "## Farthest from people",
        _farthest(found),
        "## Measures",
        _MEASURES,
        "## The questions",
        _questions(found),
        "## Other engines and your own figures",
        _OWN,
    ]
    return "\n\n".join(parts) + "\n"


def _opening(found: EngineValidation, command: str) -> str:
    return (
        f"This page compares the engine `{found.engine}` with people on {len(found.held.items):,} survey "
        f"questions. {len(found.answers.codes):,} agents of the population `{found.population}` were asked "
        f"each question on its own (seed {found.seed}). It was written by `{command}`; `--json` gives every "
        "figure. Agents are simulated. Agreement on these questions says little about others."
    )


def _farthest(found: EngineValidation) -> str:
    rows = farthest(found)
    if not rows:
        return "No item has enough answers."
    told = [[key, _cell(question), _cell(option), *rest] for key, question, option, *rest in rows]
    return markdown(["item", "question", "option", "people", "agents"], told)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _questions(found: EngineValidation) -> str:
    held = found.held
    years = sorted({item.year for item in held.items if item.year is not None})
    fielded = f" Years: {', '.join(map(str, years))}." if years else ""
    parts = [f"Source: {held.source}{f', {held.url}' if held.url else ''}.{fielded}"]
    if held.people:
        parts.append(f"The people are {held.people}; “don't know” and refusals are left out.")
    if held.left_out:
        out = "\n".join(f"- {number}: {reason}" for reason, number in held.left_out.items())
        parts.append(
            f"The source has {len(held.items) + sum(held.left_out.values()):,} items. Fixed rules remove "
            "instructions to the interviewer from the wordings and join the parts of a battery; none is "
            f"rewritten by hand. {sum(held.left_out.values()):,} items are left out:\n\n{out}"
        )
    return "\n\n".join(parts)


_OWN = """\
`voxpop validate --engine NAME` does the same for any installed engine or language model. Before it calls a
language model, it tells how many calls that takes. `--items 50` takes a fixed random choice of the items.

`--benchmark FILE.csv` takes your own figures, one row per item and option, and per group if there are any:

```text
item,question,option,percent,by,cohort,n
pet,Do you have a pet?,yes,62,,,900
pet,Do you have a pet?,no,38,,,900
pet,Do you have a pet?,yes,70,age,18-39,300
pet,Do you have a pet?,no,30,age,18-39,300
```

`share` or `count` may stand for `percent`. `by` is a field of agents and `cohort` one of its values, or an
age band. Add `ordered` (yes or no) for options that form a scale, `year`, and `asked_of` (all or employed).
In Python: `voxpop.validation.validate_engine(engine, agents, items)`."""

_MEASURES = f"""\
All measures are in `voxpop.stats` with formula and source. Lower is better for the first five; the others
are best at 100 % or at 1.

- **Mean error** of a share: `Σ|p-q| / options`, in points. **Total variation**: `½ Σ|p-q|`, the points of
  answers that would have to change.
- **Wasserstein**: `Σ|F-G| / (options-1)`, for questions whose options form a scale, in points of its length.
  **Jensen-Shannon**: in bits, 0 to 1.
- **Groups**: age, gender, education, income, ethnicity and party, where {FEWEST_PEOPLE} people and
  {FEWEST_AGENTS} agents or more are behind a figure. Incomes are matched by rank.
- **Gaps**: per question, the old against the young, women against men, college against high school, the
  highest against the lowest incomes, Black and Hispanic against White, Democrats against Republicans, in the
  option in which the two groups of people differ most, if they do by 8 points or more. Right sign: the share
  of these with the sign of people's. Size: `Σ o·sign(h) / Σ|h|`; 0 means flattened. Differences of people
  that reach 8 points are too large on average, so a second survey scores below 1.
- **Variance**: `Σ w·(p-m)²` between groups and `Σ w·p·(1-p)` within them, less the part that sampling
  adds, agents over people. Below 1, agents differ less than people do; random differences also count.
- **Correlation of item correlations**: for pairs of questions that form scales, the correlations among
  people against those among agents. The repeated survey's is the reliability of the human correlations.
- **Attainable**: the repeated survey is drawn from the published shares with the effective number of
  respondents, weighting and clusters included; both surveys err."""
