"""The wording of a question says its type, options, scale and unit."""

from __future__ import annotations

import pytest

from voxpop.engines.question import Question, Scale
from voxpop.engines.question_fields import MAX_TEXT
from voxpop.errors import InvalidRequest
from voxpop_simulator.questions.question_words import HOW_OFTEN, read_question

TYPES = {
    "yes_no": """
        Would you switch to a lower-sugar snack?
        Do you have diabetes or hypertension?
        Do you take Ozempic, Wegovy or another GLP-1 medicine?
        Do you not like sweet snacks?
        Wouldn't you rather pay less?
        In the past 12 months, have you seen a doctor?
        If it cost $10, would you buy it?
        Do you like the taste and the price?
        Do you eat snacks (e.g. chips, cookies, nuts)?
        Are you between 25 and 64?
        You like it, don't you?
        It costs $5. Would you buy it? Why or why not?
        Do you own a dog (yes/no)?
        Yes or no: do you cook at home?
        Are you a parent over 40?
        Would you pay $5 or more for this?
        Would you pay between $5 and $10?
        Would you describe yourself as a morning person?
        Did you sleep 7 to 8 hours last night?
        In the last 30 days have you ordered groceries online?
        Any allergies?
        Ever tried yoga?
        Married?
    """,
    "open": """
        What would make you switch?
        Why?
        Can you describe your last visit?
        Do you have any suggestions for us?
        Tell me about your morning routine.
        What do you think about the price?
        How much do you trust banks?
        Who do you turn to for advice?
        Tell us what happened when you last took your car in. Did you trust what they told you?
        What do you wish people knew about being single at your age?
        What do you think of a label that tells you how many washes a shirt lasts?
        Read this: "It is water with sea salt, made for hot days." What is believable, and what isn't?
        What did your parents teach you about money, on purpose or by accident?
    """,
}
OPTIONS = {
    "Was the sweetness of this drink much too low, a little too low, just about right, or too high?": (
        *("much too low", "a little too low", "just about right", "too high"),
    ),
    "Did our agent solve your problem? Yes, completely / Yes, partly / No": (
        *("Yes, completely", "Yes, partly", "No"),
    ),
    "Do you identify as male, female, non-binary, or prefer not to say?": (
        *("male", "female", "non-binary", "prefer not to say"),
    ),
    "Is your diet mostly healthy, somewhat healthy or not healthy?": (
        *("mostly healthy", "somewhat healthy", "not healthy"),
    ),
    "Would you say that in general your health is excellent, very good, good, fair or poor?": (
        *("excellent", "very good", "good", "fair", "poor"),
    ),
    "Do you now smoke cigarettes every day, some days, or not at all?": (
        "every day",
        "some days",
        "not at all",
    ),
    "Should the laws on firearms be made more strict, less strict, or kept as they are now?": (
        "more strict",
        "less strict",
        "kept as they are now",
    ),
    "How often did nurses treat you with courtesy? Never Sometimes Usually Always": (
        *("Never", "Sometimes", "Usually", "Always"),
    ),
    "Which logo do you prefer? Logo A | Logo B | Logo C": ("Logo A", "Logo B", "Logo C"),
    "Taken all together, how would you say things are these days - would you say that you are very happy, "
    "pretty happy, or not too happy?": ("very happy", "pretty happy", "not too happy"),
    "How much confidence do you have in banks: a great deal, some, only a little, or none at all?": (
        "a great deal",
        "some",
        "only a little",
        "none at all",
    ),
    "Do you think that in general people try to be helpful, or are they mostly looking out for themselves?": (
        "people try to be helpful",
        "mostly looking out for themselves",
    ),
    "Which comes closer to your view? Government should do more / Government does too much": (
        "Government should do more",
        "Government does too much",
    ),
    "As of today, do you lean more to the Republican Party or more to the Democratic Party?": (
        "more to the Republican Party",
        "more to the Democratic Party",
    ),
    "Do you strongly favor, somewhat favor, somewhat oppose, or strongly oppose building nuclear plants?": (
        "strongly favor",
        "somewhat favor",
        "somewhat oppose",
        "strongly oppose",
    ),
    "After seeing this ad, are you more interested, less interested, or neither?": (
        "more interested",
        "less interested",
        "neither",
    ),
    "Does it make you more likely or less likely to buy, or does it make no difference?": (
        "more likely",
        "less likely",
        "no difference",
    ),
    "Has technology made your life better, worse, or not made much difference?": (
        "better",
        "worse",
        "not made much difference",
    ),
    "Are you trying to lose weight, gain weight, or stay about the same?": (
        "lose weight",
        "gain weight",
        "stay about the same",
    ),
    "Is the country headed in the right direction or off on the wrong track?": (
        "Right direction",
        "Wrong track",
    ),
    "Do you approve or disapprove of the way the mayor is handling the job?": ("approve", "disapprove"),
    "Would you say that most people can be trusted, or that you can't be too careful with people?": (
        "most people can be trusted",
        "you can't be too careful",
    ),
    "Whom do you trust most for health information? - Doctor - Family - Internet - TV": (
        "Doctor",
        "Family",
        "Internet",
        "TV",
    ),
    "Do you spend less than 1 hour, 1-3 hours, 3-5 hours or more than 5 hours on your phone?": (
        "less than 1 hour",
        "1-3 hours",
        "3-5 hours",
        "more than 5 hours",
    ),
    "Was your last visit better than, worse than, or about what you expected?": (
        "better than",
        "worse than",
        "about what you expected",
    ),
    "Who would you trust more with your data, Google or Apple?": ("Google", "Apple"),
    "Do you eat healthy most of the time, some of the time, rarely or never?": (
        "most of the time",
        "some of the time",
        "rarely",
        "never",
    ),
    "When do you usually shop for groceries - weekdays or weekends?": ("weekdays", "weekends"),
    "Do you support, oppose, or neither support nor oppose a ban on gas stoves?": (
        "support",
        "oppose",
        "neither support nor oppose",
    ),
    "Would you vote for the Republican, the Democrat, or someone else?": (
        "Republican",
        "Democrat",
        "someone else",
    ),
    "Do you usually pay with cash, debit, credit, or your phone?": ("cash", "debit", "credit", "your phone"),
    "Will prices go up, go down, or stay the same over the next 12 months?": (
        "go up",
        "go down",
        "stay the same",
    ),
    "Do you consider yourself a morning person, an evening person, or neither?": (
        "morning person",
        "evening person",
        "neither",
    ),
    "Do you prefer to shop online or in a store?": ("online", "in a store"),
    "Is your household income above or below $75,000?": ("above $75,000", "below $75,000"),
    "Do you prefer tea, coffee or water in the morning?": ("tea", "coffee", "water"),
    "Do you prefer tea or coffee?": ("tea", "coffee"),
    "Which do you like best: red, green or blue?": ("red", "green", "blue"),
    "Which color do you like best (red, green, blue)?": ("red", "green", "blue"),
    "Which do you prefer?\n- Tea\n- Coffee\n- Water": ("Tea", "Coffee", "Water"),
    "Which brand do you trust most?\nAcme\nBolt\nCorex": ("Acme", "Bolt", "Corex"),
    "Which phone do you own? A) iPhone B) Android C) Other": ("iPhone", "Android", "Other"),
    "Are you male or female?": ("male", "female"),
    "Are you employed, unemployed, retired, a student or a homemaker?": (
        "employed",
        "unemployed",
        "retired",
        "student",
        "homemaker",
    ),
    "Do you live in a city, a suburb or the countryside?": ("city", "suburb", "countryside"),
    "Would you buy it online, in a store or not at all?": ("online", "in a store", "not at all"),
    "Is the price too low, about right or too high?": ("too low", "about right", "too high"),
    "Would you buy the small, medium or large size?": ("small", "medium", "large"),
    "Which would you choose, A or B?": ("A", "B"),
    "Do you support or oppose a sugar tax?": ("support", "oppose"),
    "Do you feel better or worse than last year?": ("better", "worse"),
    "Would you say your health is excellent, very good, good, fair, or poor?": (
        "excellent",
        "very good",
        "good",
        "fair",
        "poor",
    ),
    "Which would you buy? Red, green, blue": ("Red", "green", "blue"),
    "How often do you snack? Never, Rarely, Sometimes, Often, Daily": (
        *("Never", "Rarely", "Sometimes", "Often", "Daily"),
    ),
    "Do you agree or disagree: AI needs more rules? Strongly agree, agree, neither, disagree": (
        *("Strongly agree", "agree", "neither", "disagree"),
    ),
    "How many cars do you have? 0, 1, 2, 3 or more": ("0", "1", "2", "3 or more"),
    "Who would you vote for, Smith or Jones?": ("Smith", "Jones"),
    "Should taxes go up, stay the same or go down?": ("go up", "stay the same", "go down"),
    "True or false: sugar is addictive.": ("True", "False"),
    "Do you own a dog (yes, no, not sure)?": ("yes", "no", "not sure"),
    "How often do you eat out?": HOW_OFTEN,
}
SCALES = {
    "Imagine a ladder with steps numbered from 0 at the bottom to 10 at the top. Where do you stand?": Scale(
        0, 10
    ),
    "How painful is it, on a scale from zero to ten?": Scale(0, 10),
    "I would recommend it to a friend. (1 strongly disagree - 5 strongly agree)": Scale(
        1, 5, "strongly disagree", "strongly agree"
    ),
    "On a scale of 0 to 10, how likely are you to recommend us?": Scale(0, 10),
    "How likely are you to buy it, 0-10?": Scale(0, 10),
    "Rate the taste from 1 (awful) to 7 (excellent).": Scale(1, 7, "awful", "excellent"),
    "On a scale from 1 to 5, where 1 is best and 5 is worst, how was it?": Scale(1, 5, "best", "worst"),
    "On a scale where 1 is best, how do you rate it from 1 to 6?": Scale(1, 6, "best"),
    "How satisfied are you (1 = very dissatisfied, 5 = very satisfied)?": Scale(
        1, 5, "very dissatisfied", "very satisfied"
    ),
    "How would you rate your sleep on a five-point scale?": Scale(1, 5),
    "Out of 10, how happy are you?": Scale(0, 10),
    "How many stars would you give it?": Scale(1, 5),
}
UNITS = {
    "How many, if any, streaming services do you subscribe to?": "streaming services",
    "For how many days during the past 30 days was your physical health not good?": "days",
    "On how many of the past seven days did you eat breakfast?": "days",
    "Please enter the number of people in your household.": "people",
    "How many of your last ten dinners were cooked at home?": "dinners",
    "What is the max you would pay per month for this app?": "USD",
    "Age?": "years",
    "Number of children?": "children",
    "How much would you pay for a box of 12, in dollars?": "USD",
    "How much is this worth in euros?": "EUR",
    "How much would you pay for it? Answer in £.": "GBP",
    "What price would be too expensive?": "USD",
    "How much do you spend on groceries per week?": "USD",
    "How many times a week do you cook?": "times a week",
    "How often per month do you order delivery?": "times a month",
    "How many hours of TV do you watch per day?": "hours a day",
    "What percentage of your income do you save?": "%",
    "How much per month would you be willing to pay?": "USD",
    "How old are you?": "years",
    "How long is your commute?": "minutes",
}


@pytest.mark.parametrize(
    ("kind", "text"),
    [(kind, line.strip()) for kind, block in TYPES.items() for line in block.strip().splitlines()],
)
def test_yes_no_and_open_questions_are_told_apart(kind: str, text: str) -> None:
    assert read_question(text).type == kind


@pytest.mark.parametrize(("text", "options"), OPTIONS.items())
def test_choices_come_with_the_options_that_the_words_list(text: str, options: tuple[str, ...]) -> None:
    question = read_question(text)
    assert (question.type, question.options) == ("single_choice", options)


@pytest.mark.parametrize(("text", "scale"), SCALES.items())
def test_scales_come_with_range_and_end_labels(text: str, scale: Scale) -> None:
    question = read_question(text)
    assert (question.type, question.scale) == ("scale", scale)


@pytest.mark.parametrize(("text", "unit"), UNITS.items())
def test_numbers_come_with_their_unit(text: str, unit: str) -> None:
    question = read_question(text)
    assert (question.type, question.unit) == ("number", unit)


@pytest.mark.parametrize(
    ("text", "kind", "options"),
    [
        (
            "Which do you use? Select all that apply: TikTok, Instagram, none of these",
            "multi_choice",
            ("TikTok", "Instagram", "none of these"),
        ),
        (
            "Where have you seen ads for this brand? (TV, radio, none)",
            "multi_choice",
            ("TV", "radio", "none"),
        ),
        (
            "Which words describe it? Please select all that apply. New, boring, cheap",
            "multi_choice",
            ("New", "boring", "cheap"),
        ),
        (
            "Which have you done in the past week? (Check all) cooked, ordered takeout, none",
            "multi_choice",
            ("cooked", "ordered takeout", "none"),
        ),
        ("Select all that apply\n1. Cat\n2. Dog\n3. None", "multi_choice", ("Cat", "Dog", "None")),
        ("Rank these by importance: price, taste, and health.", "ranking", ("price", "taste", "health")),
        (
            "Please rank price, taste and health from most to least important.",
            "ranking",
            ("price", "taste", "health"),
        ),
    ],
)
def test_several_answers_and_rankings(text: str, kind: str, options: tuple[str, ...]) -> None:
    question = read_question(text)
    assert (question.type, question.options) == (kind, options)


def test_explicit_fields_win_over_the_words() -> None:
    assert read_question("Would you buy it?", type="open").type == "open"
    assert read_question("Tea or coffee?", options=["Tea", "Coffee", "Milk"]).options == (
        "Tea",
        "Coffee",
        "Milk",
    )
    assert read_question("How was it, 1-5?", scale={"min": 0, "max": 10}).scale == Scale(0, 10)
    assert read_question("How was it?", type="scale").scale == Scale(0, 10)
    assert read_question(" Why? ", key="why") == Question("Why?", "open", key="why")


@pytest.mark.parametrize(
    ("field", "fields"),
    [
        ("options", {"options": ["only one"]}),
        ("options", {"options": [f"option {number}" for number in range(100)]}),
        ("options", {"options": ["Tea", "tea "]}),
        ("options", {"options": ["Tea", " "]}),
        ("options", {"options": ["Tea", "Milk"], "type": "yes_no"}),
        ("options", {"type": "single_choice"}),
        ("scale", {"scale": {"min": 5, "max": 5}}),
        ("scale", {"scale": {"min": 9, "max": 1}}),
        ("scale", {"scale": {"min": 1, "max": 2.5}}),
        ("scale", {"scale": {"min": 1, "max": 5}, "type": "open"}),
        ("scale", {"scale": {"min": 1, "max": 5}, "options": ["a", "b"]}),
        ("type", {"type": "singel_choice"}),
        ("shuffle_options", {"shuffle_options": True, "type": "open"}),
        ("key", {"key": "Not A Name"}),
    ],
)
def test_contradictions_name_the_field(field: str, fields: dict) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_question("What do you think?", **fields)
    assert list(caught.value.details["fields"]) == [field]


@pytest.mark.parametrize("text", ["", "   ", "x" * (MAX_TEXT + 1)])
def test_a_question_has_1_to_10000_characters(text: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_question(text)
    assert list(caught.value.details["fields"]) == ["question"]


@pytest.mark.parametrize(
    "text", ["Which?\n" + "\n".join(f"- option {n}" for n in range(99)), "Tea, tea or TEA?"]
)
def test_a_list_in_the_words_that_is_no_list_of_options_is_left_alone(text: str) -> None:
    assert read_question(text).options == ()


def test_the_longest_question_is_read() -> None:
    assert read_question("word " * 1_999 + "why?").type == "open"
