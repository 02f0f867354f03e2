"""Panel questions of a thesis: behaviour, direction and reasons, without stating the thesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from voxpop.engines.question import Question
from voxpop.vocabulary import Filter
from voxpop.vocabulary.shapes import BOOLEAN
from voxpop_simulator.questions.question_words import HOW_OFTEN, read_question
from voxpop_simulator.theses import drivers as drivers
from voxpop_simulator.theses.catalogue import Entry
from voxpop_simulator.theses.thesis_text import Measured, Thesis
from voxpop_simulator.theses.trades import ACTIVITIES, EMPLOYER_SIZES, TRADES, Trade

CHANGES = ("Much higher", "Somewhat higher", "About the same", "Somewhat lower", "Much lower")
"""The balanced answers of all questions on a direction."""
HIGHER, LOWER = CHANGES[:2], CHANGES[3:]
NOTHING = "Nothing in particular"
OTHER = "Something else"
_CLOSELY = ("Very closely", "Fairly closely", "Not very closely", "Not at all")
_MOST_REASONS = 6
# reasons in the wording for people who answer for a market rather than themselves
FOR_EXPERTS = {
    "My household's budget": "Household budgets",
    "What my friends use": "What friends use",
    "Changes in what I need": "Changes in what people need",
    "Advice from people I know": "Advice from friends and family",
    "The one that I already have": "What people already have",
}
_FOR_EMPLOYERS = {"My household's budget": "Budget limits", "Job security": "The state of the economy"}
_WHY = "Why has it changed, or why has it stayed the same?"
_WHY_NEXT = "Why do you expect that?"


class _Panel(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def driver(self) -> str: ...
    @property
    def audience_text(self) -> str: ...


def trade_of(entry: Entry) -> Trade:
    """Return the trade data of a thing."""
    return ACTIVITIES[entry.trade] if entry.employer else TRADES[entry.trade]


def phrase(template: str, x: str, one: str = "", *, you: bool = True) -> str:
    """Return a template with the thing inserted, addressed to the respondent or about respondents.

    Examples
    --------
    >>> phrase("the amount {you} spend on {x}", "tea", you=False)
    'the amount they spend on tea'
    """
    return template.format(x=x, one=one, you="you" if you else "they", your="your" if you else "their")


def panel_questions(thesis: Thesis, one: Measured, *, expert: bool) -> tuple[tuple[Question, ...], str]:
    """Return the panel questions on a thing, and the option for the primary driver."""
    entry, trade = one.entry, trade_of(one.entry)
    options, driver = _reasons(thesis, trade, expert=expert, employer=entry.employer)
    if expert:
        matter = phrase(trade.matter, entry.market)
        return _expert(matter, options, future=thesis.future), driver
    amount = phrase(trade.amount, entry.asked, entry.one)
    usage, change = _usage(entry, trade), _change(amount)
    reason = _reason(amount, options, future=thesis.future)
    if thesis.future:
        made = (change, _outlook(amount), _open(_WHY_NEXT), reason)
    else:
        made = (change, _open(_WHY), reason, _last(thesis, entry, amount))
    # ownership is asked last: asked first, it would bias the answers on changes
    return ((*made, usage) if usage.shape is BOOLEAN else (usage, *made)), driver


def _last(thesis: Thesis, entry: Entry, amount: str) -> Question:
    rival = thesis.rival
    if rival is None or rival.employer or entry.employer:
        return _outlook(amount)
    return _change(phrase(trade_of(rival).amount, rival.asked, rival.one), key="rival_change")


def _expert(matter: str, options: tuple[str, ...], *, future: bool) -> tuple[Question, ...]:
    closely = _choice(f"How closely does your work let you follow {matter}?", _CLOSELY, "exposure")
    change = _choice(
        f"From what you have seen yourself, how has {matter} changed over the past 12 months?",
        CHANGES,
        "change",
    )
    if future:
        return closely, change, _outlook(matter), _open(_WHY_NEXT), _reason(matter, options, future=True)
    return closely, change, _open(_WHY), _reason(matter, options, future=False), _outlook(matter)


def _choice(text: str, options: Sequence[str], key: str, *, shuffle: bool = False) -> Question:
    return read_question(text, type="single_choice", options=options, shuffle_options=shuffle, key=key)


def _open(text: str) -> Question:
    return read_question(text, type="open", key="why")


def _usage(entry: Entry, trade: Trade) -> Question:
    text = phrase(trade.usage, entry.asked, entry.one)
    if entry.employer:
        return _choice(text, EMPLOYER_SIZES, "organization_size")
    if text.startswith("How often"):
        return _choice(text, HOW_OFTEN, "usage")
    return read_question(text, type="yes_no", key="usage")


def _change(amount: str, key: str = "change") -> Question:
    return _choice(f"Compared with 12 months ago, how has {amount} changed?", CHANGES, key)


def _outlook(amount: str) -> Question:
    text = f"How do you expect {amount} over the next 12 months to compare with the past 12 months?"
    return _choice(text, CHANGES, "outlook")


def _reason(amount: str, options: tuple[str, ...], *, future: bool) -> Question:
    when = (
        f"Which of these is most likely to affect {amount} over the next 12 months?"
        if future
        else f"Which of these has most affected {amount} over the past 12 months?"
    )
    return _choice(when, options, "reason", shuffle=True)


def _reasons(thesis: Thesis, trade: Trade, *, expert: bool, employer: bool) -> tuple[tuple[str, ...], str]:
    """Return the options of the question on reasons, including the drivers, and the primary driver's."""
    named = [drivers.option(reason) for reason in thesis.reasons[:2]]
    if employer:
        named = [_FOR_EMPLOYERS.get(option, option) for option in named]
    usual = list(trade.reasons)
    mapped = [_known(option, usual) for option in named]
    extra = [option for option in mapped if option and option not in usual]
    kept = usual[: _MOST_REASONS - len(extra)]
    kept += [option for option in mapped if option in usual and option not in kept]
    options = [*kept, *dict.fromkeys(extra)]
    if expert:
        options = [FOR_EXPERTS.get(option, option) for option in options]
        mapped = [FOR_EXPERTS.get(option, option) for option in mapped]
    primary = mapped[0] if mapped else ""
    return (*dict.fromkeys(sorted(options, key=str.casefold)), OTHER, NOTHING), primary


# a driver that the trade already has in other words
_SAME = {
    "Prices": ("Prices", "Cost", "Cost or insurance cover", "Fees and prices"),
    "Costs": ("Costs", "Cost", "Cost or insurance cover", "Prices", "Fees and prices"),
    "Quality": (
        "Quality",
        "Quality or taste",
        "Quality of care",
        "How well it works",
        "Quality of what is offered",
    ),
    "Cost or insurance cover": ("Cost or insurance cover",),
    "Convenience": ("Convenience", "Ease of use"),
    "Other brands or products": (
        "Other brands or products",
        "Other services",
        "Other products or services",
        "Other providers",
    ),
    "Trust in the company": ("Trust", "Trust in the maker", "Opinion of the maker"),
    "Job security": ("Job security", "Job prospects"),
    "Advertising or social media": ("Advertising",),
    "The environment": ("Environment",),
    "Privacy": ("Privacy", "Security"),
}


def _known(option: str, usual: Sequence[str]) -> str:
    return next((same for same in _SAME.get(option, ()) if same in usual), option)


def claim_of(thesis: Thesis, asked: Filter, panels: Sequence[_Panel]) -> str:
    """Return the thesis as a falsifiable sentence."""
    sentences = []
    for at, one in enumerate(thesis.measured):
        trade = trade_of(one.entry)
        amount = phrase(trade.amount, one.entry.asked, one.entry.one, you=False)
        start = f"Among {asked.sentence()}" if at == 0 else "Among the same people"
        sentences.append(f"{start}, {_measurable(amount, one.way, future=thesis.future)}.")
    for panel in panels:
        if panel.kind == "expert_call":
            matter = phrase(trade_of(thesis.measured[0].entry).matter, thesis.measured[0].entry.market)
            sentences.append(f"Among {panel.audience_text}, the same holds for {matter}.")
    if panels[0].driver:
        sentences.append(f'The reason given most often is "{panels[0].driver}".')
    return " ".join(sentences)


def _measurable(amount: str, way: str, *, future: bool) -> str:
    """Return the clause on the answers that confirm a claim."""
    if future:
        than = f"expect {amount} to be {{}} over the next 12 months"
        other = "expect it to be {}"
    else:
        than = f"say that {amount} is {{}} than 12 months ago"
        other = "say that it is {}"
    bad = "lower" if way in ("down", "not_down") else "higher"
    good = "higher" if bad == "lower" else "lower"
    if way == "same":
        same = f"expect {amount} to stay" if future else f"say that {amount} is"
        return (
            f"the people who {same} about the same outnumber all others, with a 95% interval wholly above 50%"
        )
    if way in ("up", "down"):
        return (
            f"more people {than.format(bad)} than {other.format(good)}, and the 95% interval of their "
            f"share among "
            "all who see a change lies wholly above 50%"
        )
    return (
        f"fewer people {than.format(bad)} than {other.format(good)}, and the 95% interval of their share "
        f"among all "
        "who see a change lies wholly below 50%"
    )
