"""Trades: question wordings, typical reasons and expert occupations for each kind of thing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trade:
    """Wordings for the questions on one kind of thing.

    ``{x}`` stands for the thing in the wording for questions, ``{one}`` for its singular form, ``{your}`` and
    ``{you}`` for the respondent.

    Attributes
    ----------
    usage : str
        Question about the respondent's current behaviour.
    amount : str
        Quantity in questions to customers.
    matter : str
        Quantity in questions to people who see the market at work.
    reasons : tuple of str
        Typical reasons for a change, in neutral words.
    experts : tuple of str
        Occupations that see it at work, nearest first.
    """

    usage: str
    amount: str
    matter: str
    reasons: tuple[str, ...]
    experts: tuple[str, ...]


_BUDGET = "My household's budget"
_STORE = ("Prices", "Choice of products", "Convenience", "Service", _BUDGET)
_MEAL = ("Prices", "Quality or taste", "Convenience", "Health", _BUDGET)
_GOODS = ("Prices", "Quality", "Convenience", "Advice from people I know", _BUDGET)
_TOOLS = ("Prices", "How well it works", "Ease of use", "Privacy", "Other products or services")
_FUN = ("Prices", "Quality of what is offered", "Free time", "Other things to do", _BUDGET)
_CARE = (
    "Cost or insurance cover",
    "How well it works",
    "Side effects or risks",
    "Advice from a doctor",
    "Availability",
)
_MONEY = ("Interest rates", "Fees and prices", "Service", "Trust", _BUDGET)
_RETAIL_EXPERTS = (
    "First-Line Supervisors of Retail Sales Workers",
    "Buyers and Purchasing Agents",
    "Retail Salespersons",
)
_GROCERY_EXPERTS = (
    "First-Line Supervisors of Retail Sales Workers",
    "Buyers and Purchasing Agents",
    "Sales Representatives, Wholesale and Manufacturing, Except Technical and Scientific Products",
)
_MEDICAL_EXPERTS = (
    "Pharmacists",
    "Family Medicine Physicians",
    "General Internal Medicine Physicians",
    "Nurse Practitioners",
    "Physician Assistants",
)
_SPENT_ON = "the amount {you} spend on {x}"
_DEMAND = "customer demand for {x}"
_TECH_EXPERTS = (
    "Software Developers",
    "Computer and Information Systems Managers",
    "Computer Systems Analysts",
)

TRADES: dict[str, Trade] = {
    "restaurant": Trade(
        "How often do you eat or drink something from {x}?",
        "the amount {you} spend at {x}",
        "customer traffic at {x}",
        _MEAL,
        (
            "Food Service Managers",
            "First-Line Supervisors of Food Preparation and Serving Workers",
            "Waiters and Waitresses",
        ),
    ),
    "store": Trade(
        "How often do you shop at {x}?",
        "the amount {you} spend at {x}",
        "customer traffic at {x}",
        _STORE,
        _RETAIL_EXPERTS,
    ),
    "grocery": Trade("How often do you buy {x}?", _SPENT_ON, _DEMAND, _MEAL, _GROCERY_EXPERTS),
    "alcohol": Trade(
        "How often do you buy {x}?",
        _SPENT_ON,
        _DEMAND,
        _MEAL,
        ("Bartenders", "Food Service Managers", "First-Line Supervisors of Retail Sales Workers"),
    ),
    "household": Trade("How often do you buy {x}?", _SPENT_ON, _DEMAND, _GOODS, _GROCERY_EXPERTS),
    "fashion": Trade(
        "How often do you buy {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "Quality", "Style", "Choice of products", _BUDGET),
        _RETAIL_EXPERTS,
    ),
    "beauty": Trade(
        "How often do you buy {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "Quality", "Ingredients", "Advice from people I know", _BUDGET),
        (
            "Hairdressers, Hairstylists, and Cosmetologists",
            "Skincare Specialists",
            "First-Line Supervisors of Retail Sales Workers",
        ),
    ),
    "device": Trade(
        "Have you considered buying {one} in the past 12 months?",
        "{your} interest in buying {one}",
        _DEMAND,
        ("Prices", "New features", "The one that I already have", "Trust in the maker", _BUDGET),
        ("First-Line Supervisors of Retail Sales Workers", "Retail Salespersons", "Sales Managers"),
    ),
    "car": Trade(
        "Have you considered buying or leasing {one} in the past 12 months?",
        "{your} interest in buying or leasing {one}",
        _DEMAND,
        ("Prices", "Cost of fuel or charging", "Interest rates", "Reliability", "Opinion of the maker"),
        (
            "Automotive Service Technicians and Mechanics",
            "Parts Salespersons",
            "First-Line Supervisors of Mechanics, Installers, and Repairers",
        ),
    ),
    "home": Trade(
        "Do you own the home that you live in?",
        "{your} interest in buying a home",
        "{x}",
        ("Interest rates", "Home prices", "Cost of insurance and taxes", "Job security", "Family needs"),
        (
            "Real Estate Sales Agents",
            "Real Estate Brokers",
            "Loan Officers",
            "Property Appraisers and Assessors",
            "Property, Real Estate, and Community Association Managers",
        ),
    ),
    "improvement": Trade(
        "How often do you spend money on {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "Interest rates", "Need for repairs", "Free time", _BUDGET),
        ("Carpenters", "Plumbers, Pipefitters, and Steamfitters", "Construction Managers", "Electricians"),
    ),
    "stream": Trade(
        "How often do you watch {x}?",
        "the time {you} spend watching {x}",
        "viewer demand for {x}",
        ("Prices", "Choice of shows and films", "Advertising", "Other services", "Free time"),
        ("Producers and Directors", "Advertising Sales Agents", "Marketing Managers"),
    ),
    "music": Trade(
        "How often do you listen to {x}?",
        "the time {you} spend listening to {x}",
        "listener demand for {x}",
        ("Prices", "Choice of what to hear", "Advertising", "Other services", "Free time"),
        ("Producers and Directors", "Audio and Video Technicians", "Marketing Managers"),
    ),
    "social": Trade(
        "How often do you use {x}?",
        "the time {you} spend on {x}",
        "the use of {x}",
        ("Quality of what is shown", "Privacy", "Advertising", "What my friends use", "Free time"),
        ("Marketing Managers", "Public Relations Specialists", "Advertising Sales Agents"),
    ),
    "game": Trade(
        "How often do you play {x}?",
        "the time {you} spend playing {x}",
        "player demand for {x}",
        _FUN,
        ("Software Developers", "Web and Digital Interface Designers", "Retail Salespersons"),
    ),
    "bet": Trade(
        "How often do you spend money on {x}?",
        _SPENT_ON,
        _DEMAND,
        _FUN,
        ("Gambling Dealers", "Amusement and Recreation Attendants"),
    ),
    "software": Trade(
        "How often do you use {x}?", "{your} use of {x}", "the use of {x}", _TOOLS, _TECH_EXPERTS
    ),
    "telecom": Trade(
        "Do you currently pay for {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "Coverage and speed", "Service", "Special offers", "Other providers"),
        (
            "Telecommunications Equipment Installers and Repairers, Except Line Installers",
            "Computer Network Support Specialists",
            "Customer Service Representatives",
        ),
    ),
    "medicine": Trade(
        "Do you currently take {one}?",
        "{your} interest in taking {one}",
        "patient demand for {x}",
        _CARE,
        _MEDICAL_EXPERTS,
    ),
    "care": Trade(
        "How often do you use {x}?",
        "{your} use of {x}",
        "patient demand for {x}",
        ("Cost or insurance cover", "Convenience", "Quality of care", "Advice from a doctor", "Availability"),
        ("Family Medicine Physicians", "Nurse Practitioners", "Registered Nurses", "Physician Assistants"),
    ),
    "treatment": Trade(
        "Have you had {one} in the past 12 months?",
        "{your} interest in having {one}",
        "patient demand for {x}",
        _CARE,
        ("Family Medicine Physicians", "Registered Nurses", "Nurse Practitioners", "Physician Assistants"),
    ),
    "teeth": Trade(
        "Have you had {one} in the past 12 months?",
        "{your} interest in having {one}",
        "patient demand for {x}",
        _CARE,
        ("Dentists, General", "Dental Hygienists", "Dental Assistants"),
    ),
    "loan": Trade(
        "Have you considered taking out {one} in the past 12 months?",
        "{your} interest in taking out {one}",
        _DEMAND,
        _MONEY,
        ("Loan Officers", "Loan Interviewers and Clerks", "Personal Financial Advisors"),
    ),
    "pets": Trade(
        "How often do you spend money on {x}?",
        _SPENT_ON,
        _DEMAND,
        _GOODS,
        ("Veterinarians", "Veterinary Technologists and Technicians", "Animal Caretakers"),
    ),
    "fly": Trade(
        "How often do you fly with {x}?",
        "the amount {you} spend on flights with {x}",
        "passenger demand for {x}",
        ("Prices", "Service", "Choice of routes", "Free time", _BUDGET),
        (
            "Reservation and Transportation Ticket Agents and Travel Clerks",
            "Flight Attendants",
            "Travel Agents",
        ),
    ),
    "travel": Trade(
        "How often do you book {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "Service", "Free time", "Safety", _BUDGET),
        ("Travel Agents", "Lodging Managers", "Hotel, Motel, and Resort Desk Clerks", "Concierges"),
    ),
    "ride": Trade(
        "How often do you use {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "Convenience", "Service", "Safety", _BUDGET),
        ("Shuttle Drivers and Chauffeurs", "Light Truck Drivers", "Couriers and Messengers"),
    ),
    "bank": Trade(
        "How often do you use {x}?",
        "{your} use of {x}",
        "customers' use of {x}",
        _MONEY,
        ("Tellers", "Loan Officers", "Personal Financial Advisors", "Financial Managers"),
    ),
    "insurance": Trade(
        "Do you currently pay for {x}?",
        _SPENT_ON,
        _DEMAND,
        ("Prices", "What is covered", "Service", "Trust", _BUDGET),
        (
            "Insurance Sales Agents",
            "Claims Adjusters, Examiners, and Investigators",
            "Insurance Underwriters",
        ),
    ),
    "fitness": Trade(
        "How often do you use {x}?",
        "{your} use of {x}",
        _DEMAND,
        ("Prices", "Health", "Convenience", "Free time", _BUDGET),
        ("Exercise Trainers and Group Fitness Instructors", "Recreation Workers"),
    ),
    "fun": Trade(
        "How often do you go to {x}?",
        "the amount {you} spend at {x}",
        "visitor demand for {x}",
        _FUN,
        (
            "Amusement and Recreation Attendants",
            "First-Line Supervisors of Entertainment and Recreation Workers, Except Gambling Services",
        ),
    ),
    "school": Trade(
        "Have you ever paid for {x}?",
        "{your} interest in paying for {x}",
        "student demand for {x}",
        ("Cost", "Quality", "Job prospects", "Convenience", "Family needs"),
        (
            "Education Administrators, Postsecondary",
            "Educational, Guidance, and Career Counselors and Advisors",
        ),
    ),
    "spending": Trade(
        "How often do you spend money on {x}?",
        _SPENT_ON,
        "consumer spending on {x}",
        ("Prices", "Interest rates", "Job security", "Savings or debt", "Changes in what I need"),
        (*_RETAIL_EXPERTS, "Food Service Managers"),
    ),
    "thing": Trade("How often do you buy or use {x}?", _SPENT_ON, _DEMAND, _GOODS, _RETAIL_EXPERTS),
    "firm": Trade(
        "How often do you buy or use anything from {x}?",
        "the amount {you} spend on products or services from {x}",
        "customer demand for {x}",
        _GOODS,
        _RETAIL_EXPERTS,
    ),
}  # fmt: skip
"""Kind of thing -> trade."""


EMPLOYER = "How many people does your organization have, counting all of its sites?"
EMPLOYER_SIZES = ("1 to 9", "10 to 49", "50 to 249", "250 to 999", "1,000 or more")

_COSTS = ("Interest rates", "Demand from customers", "Costs", "Availability of workers", "Government policy")


def _activity(what: str, matter: str, reasons: tuple[str, ...], *experts: str) -> Trade:
    return Trade(EMPLOYER, what, matter, reasons, experts)


ACTIVITIES: dict[str, Trade] = {
    "capex": _activity(
        "{your} organization's spending on equipment and buildings",
        "business spending on equipment and buildings",
        _COSTS,
        "Sales Engineers",
        "Sales Representatives, Wholesale and Manufacturing, Technical and Scientific Products",
        "Industrial Engineers",
        "Loan Officers",
    ),
    "hiring": _activity(
        "the number of people {your} organization hires",
        "the number of people that employers hire",
        ("Demand from customers", "Wages", "New technology", "Availability of workers", "Government policy"),
        "Human Resources Specialists",
        "Human Resources Managers",
    ),
    "inventory": _activity(
        "{your} organization's stock of goods",
        "the stock of goods that businesses hold",
        _COSTS,
        "Purchasing Managers",
        "Logisticians",
        "Buyers and Purchasing Agents",
    ),
    "advertising": _activity(
        "{your} organization's spending on advertising",
        "business spending on advertising",
        _COSTS,
        "Marketing Managers",
        "Advertising Sales Agents",
    ),
    "technology": _activity(
        "{your} organization's spending on software and cloud services",
        "business spending on software and cloud services",
        ("Demand from customers", "Costs", "Security", "New technology", "Availability of workers"),
        "Computer and Information Systems Managers",
        "Network and Computer Systems Administrators",
        "Software Developers",
    ),
    "ai": _activity(
        "{your} organization's use of AI tools",
        "the use of AI tools by businesses",
        ("Costs", "How well it works", "Security", "Availability of workers", "Government policy"),
        "Computer and Information Systems Managers",
        "Software Developers",
        "Data Scientists",
    ),
    "wages": _activity(
        "the pay that {your} organization offers",
        "the pay that employers offer",
        ("Demand from customers", "Costs", "New technology", "Availability of workers", "Government policy"),
        "Human Resources Managers",
        "Compensation, Benefits, and Job Analysis Specialists",
        "Human Resources Specialists",
    ),
    "office": _activity(
        "the office space that {your} organization uses",
        "business demand for office space",
        ("Costs", "Working from home", "Number of workers", "Interest rates", "Location"),
        "Facilities Managers",
        "Property, Real Estate, and Community Association Managers",
    ),
    "prices": _activity(
        "the level of the prices that {your} organization charges",
        "the level of the prices that businesses charge",
        _COSTS,
        "Sales Managers",
        "Purchasing Managers",
        "Buyers and Purchasing Agents",
    ),
    "work travel": _activity(
        "{your} organization's spending on business travel",
        "business spending on travel",
        ("Costs", "Meetings by video", "Demand from customers", "Environment", "Safety"),
        "Travel Agents",
        "Meeting, Convention, and Event Planners",
    ),
    "orders": _activity(
        "the number of orders that {your} organization receives",
        "the number of orders that businesses receive",
        _COSTS,
        "Sales Managers",
        "Production, Planning, and Expediting Clerks",
        "Purchasing Managers",
    ),
}
"""Activity of an employer -> wording for people at work."""
