"""Which topic an open question is about, by its words; the first that fits, the narrowest first."""

from __future__ import annotations

import re
from functools import cache

from voxpop.questions.patterns import Pattern

_DOMAINS: tuple[tuple[str, str], ...] = (
    ("price_rise", r"price (?:rise|increase|hike|change)|rais(?:e|ed|ing) (?:its|their|the|our)? ?prices?"
        r"|prices? (?:went|go|going) up|costs? more now|inflation"),
    ("ad", r"\b(?:ads?|advert\w*|commercials?|slogan|billboards?)\b"),
    ("insurance", r"insurance|\binsurers?\b|health plan|deductible"),
    ("notion", r"(?:four|4|five|5)[- ]day (?:work ?)?week|work ?week"),
    ("convenience", r"\bdeliver(?:y|ed|ing)\b|meal kits?|\btakeout|take-?away"),
    ("pets", r"\b(?:pets?|dogs?|cats?|pupp(?:y|ies)|kittens?|vets?|veterinar\w*|kibble|cat litter)\b"),
    ("streaming", r"streaming|netflix|hulu|disney\+|\bsubscri"),
    ("brand", r"(?:store|generic|own)[- ](?:brand|label)s?\b|private label"),
    ("car", r"self-driving|driverless|autonomous (?:car|vehicle)"),
    ("ev", r"electric (?:car|vehicle|truck)|\bevs?\b|hybrid car|plug-in|charging station"),
    ("telehealth", r"telehealth|telemedicine|virtual (?:visit|doctor|care)|online doctor"
        r"|video (?:visit|call).*doctor"),
    ("remote", r"work(?:ing)? (?:from home|remotely|at home)|remote work|home office|hybrid work"
        r"|return(?:ing)? to (?:the )?office"),
    ("commute", r"commut|drive to work|way to work|getting to work|public transport|\b(?:buses|subway"
        r"|trains?|traffic|rush hour|parking)\b|(?:city|the|by|take a|your) bus\b"),
    ("flying", r"\bfly(?:ing)?\b|\bflights?\b|airlines?\b|airport|airplane|plane ticket"),
    ("hotel", r"\bhotels?\b|\bresorts?\b|\bmotels?\b|airbnb|vacation rental"),
    ("travel", r"travel|vacation|holiday (?:trip|abroad)|\btrips?\b|cruise|abroad|tourist"),
    ("ai", r"artificial intelligence|\bai\b|chatgpt|chat ?bots?|machine learning|robots?\b"),
    ("social_media", r"social (?:media|network)|facebook|instagram|tik ?tok|snapchat|influencer|twitter"
        r"|reddit"),
    ("privacy", r"privacy|personal (?:data|information)|your data|data breach|surveillance|hack(?:ed|er)"),
    ("selfcare", r"toothpaste|shampoo|skin ?care|\bsoap|deodorant|cosmetic|make-?up|lotion|moisturi"
        r"|sunscreen|razor|hair (?:care|product)|personal care|\bbeauty\b|toothbrush|perfume"),
    ("cleaning", r"(?<!self-)\bclean(?:ing|er|ers)\b|laundry|detergent|dish ?soap|vacuum|chores?\b|housework"
        r"|disinfect|paper towels?|dishwasher"),
    ("portions", r"portion|smaller (?:size|serving|meal|plate|pack)s?|appetite|serving sizes?"),
    ("restaurants", r"restaurants?|eat(?:ing)? out|din(?:e|ing) out|fast food|cafes?\b|\bdiners?\b"
        r"|drive-?thr"),
    ("convenience", r"online grocer|(?:grocery|food|meal) (?:delivery|pickup)|meal kits?|ready meals?"
        r"|order(?:ing)? (?:groceries|food|online)|deliver(?:y|ed)|takeout|take-?away"
        r"|frozen (?:meal|dinner|food)|shop(?:ping)? online|online shopping"),
    ("healthy_living", r"(?:low(?:er)?|less|reduced|no|cut)[- ](?:\w+ )?(?:sugar|fat|salt|sodium|carb"
        r"|calorie)|sugar[- ]free|healthy|healthier|organic|nutrition|\bdiets?\b|plant[- ]based|vegetarian"
        r"|vegan|vitamins?|supplements?"),
    ("groceries", r"grocer|supermarket|food shopping|food store|self-?checkout|checkout lines?"
        r"|farmers? market"),
    ("indulgence", r"snack|candy|chocolate|desserts?|\bsweets\b|potato chips|cookies?\b|ice cream|cake\b"
        r"|popcorn|pretzel"),
    ("alcohol", r"alcohol|\bbeers?\b|\bwines?\b|cocktail|\bbars?\b(?! of)|whiskey|liquor|drinking habits"),
    ("coffee", r"\bcoffee|\bteas?\b|latte|espresso"),
    ("drinks", r"\b(?:soda|soft drinks?|juice|bottled water|sparkling water|energy drinks?|beverages?)\b"),
    ("sleep", r"\bsleep|mattress|insomnia|bedtime|pillow|\bnaps?\b|\btired\b"),
    ("exercise", r"exercis|\bgyms?\b|fitness|work ?outs?\b|running\b|\byoga|hiking|cycling"
        r"|stay(?:ing)? active|walking\b"),
    ("sports", r"\bsports?\b|\bgames? on tv|football|baseball|basketball|soccer|hockey|olympic|\bteams?\b"),
    ("games", r"video games?|gaming|board games?|puzzle|console"),
    ("music", r"\bmusic|concerts?|\bsongs?\b|\balbums?\b|\bbands?\b|podcasts?|\bradio\b"),
    ("books", r"\bbooks?\b|reading\b|novels?\b|librar|magazines?"),
    ("tv", r"\btv\b|television|\bshows?\b|\bmovies?\b|\bfilms?\b|\bseries\b|(?<!smart )\bwatch(?:ing)?\b"),
    ("holidays", r"christmas|thanksgiving|\bholidays?\b|birthday|\bgifts?\b|presents\b|halloween|easter"),
    ("garden", r"garden|\blawns?\b|\bplants?\b(?!-)|backyard|flowers?\b"),
    ("repairs", r"home (?:improvement|repair|renovation|project)|renovat|remodel|plumb|contractor|\btools?\b"
        r"|furniture|paint(?:ing)? (?:the|your)|appliances?|fixing"),
    ("energy", r"electric(?:ity)? bill|utilit|heating|energy (?:bill|costs?|use|saving|compan)|thermostat"
        r"|air condition|heat pump|\bsolar"),
    ("charity", r"charit|donat|volunteer|non-?profit|\bgive back"),
    ("college", r"college|university|\bdegrees?\b|tuition|student loans?|online courses?|learning new"),
    ("school", r"\bschools?\b|classroom|teachers?\b|homework"),
    ("family", r"\bchild(?:ren|care)?\b|\bkids?\b|parenting|\bparents?\b|\bbab(?:y|ies)\b|toddler|diaper"
        r"|teenager|\bfamil"),
    ("friends", r"\bfriends?\b|friendship|\bdating|relationship|marriage|lonel|\bpartner"),
    ("shoes", r"shoes?\b|sneakers|\bboots\b"),
    ("clothes", r"cloth(?:es|ing)|fashion|jeans|\bdress(?:es)?\b|jackets?\b|wardrobe|outfits?\b|\bshirts?\b"),
    ("banking", r"\bbank(?:s|ing)?\b|credit union|payment app|credit cards?|mobile wallet|venmo|paypal"
        r"|checking account"),
    ("money_worry", r"\bdebts?\b|\bsaving(?:s)?\b|\bbills\b|financ|retire(?:ment)?\b|paycheck|mortgage"
        r"|\brent\b|\bbudget|\bmoney\b|cost of living|econom"),
    ("phone", r"\bphones?\b|smartphone|cell ?phone|iphone|android|screen time"),
    ("internet", r"internet|broadband|wi-?fi|(?:mobile|cell|wireless) (?:plan|provider|carrier|network)"),
    ("apps", r"\bapps?\b|website|web ?site|software|online account"),
    ("technology", r"technolog|gadgets?|smart ?(?:home|watch|speaker)|computers?\b|laptops?\b|tablets?\b"
        r"|devices?\b|digital|virtual reality|wearable"),
    ("news", r"\bnews\b|newspaper|journalis|reporters?\b|\bmedia\b"),
    ("sustainability", r"packag|recycl|sustainab|plastic|climate|global warming|environment|carbon"
        r"|pollution|eco-friendly"),
    ("politics", r"politic|government|election|\bvot(?:e|ing)\b|congress|president|parliament|democracy"
        r"|immigration|\btax(?:es)?\b|\bpolic(?:y|ies)\b"),
    ("faith", r"church|\bgod\b|relig|\bpray|\bfaith|spiritual|bible|mosque|temple"),
    ("trust", r"trust"),
    ("tobacco", r"smok(?:e|ing)|cigarette|tobacco|\bvap(?:e|es|ing)\b|nicotine"),
    ("medicine", r"medicines?\b|medications?\b|prescription|\bdrugs?\b|\bpills?\b|glp-?1|ozempic|wegovy"
        r"|vaccin|injection|side effects?|pharmac"),
    ("doctor", r"\b(?:doctors?|physicians?|dentists?|clinics?|hospitals?|pediatricians?|nurses?)\b"),
    ("care", r"tak(?:e|ing) care of your|look after your|(?:hard(?:est)?|difficult|challeng|barrier|stop"
        r"|prevent|keep).*\bhealth"),
    ("strain", r"stress|anxi|overwhelm|burn(?:ed|t)? ?out|mental health|worn out|depress"),
    ("health_worry", r"health ?care|\bhealth\b|illness|disease|symptom|weight\b"),
    ("meals", r"breakfast|\blunch|\bdinner|\bsupper|\bcook|\bmeals?\b|recipes?\b|\bkitchen|\beat(?:ing)?\b"
        r"|\bfood\b"),
    ("relax", r"\brelax|unwind|free time|spare time|hobb(?:y|ies)|for fun|leisure|weekends?\b|me time"
        r"|after work|recharge|\benjoy doing"),
    ("job", r"\bjobs?\b|\bwork(?:place|ing)?\b|employers?|career|\bboss\b|salary|coworkers|colleagues"
        r"|manager"),
    ("safety", r"\bsafe(?:ty)?\b|\bcrime|\bguns?\b|danger|security"),
    ("place", r"where you live|neighbo(?:u)?rhood|your (?:city|town|community|state|area|street|home ?town)"
        r"|living (?:here|there|in)|moving to|your (?:home|house|apartment)\b"),
    ("future", r"\bfuture\b|next (?:five|ten|few|\d+) years|in (?:five|ten|twenty|\d+) years|getting older"
        r"|\bag(?:e)?ing\b|the world today|up at night|direction of the country"),
    ("life", r"\blife\b|happy|happiness|well-?being"),
    ("car", r"\bcars?\b|vehicles?\b|\btrucks?\b|\bsuvs?\b|automobile|\bdriv(?:e|ing)\b|\btires?\b|gas"
        r" (?:prices?|station)"),
    ("service", r"customer service|\b(?:stores?|salons?|shops?|branch|staff|retailers?|call cent(?:er|re)s?"
        r"|cashiers?)\b|\bservice\b"),
    ("price", r"\bprices?\b|\bcosts?\b|expensive|cheap|discount|coupon|bargain|value for money|afford"),
    ("brand", r"\bbrands?\b|store[- ]brand|generic\b"),
    ("shopping", r"\bshop(?:ping)?\b|\bmalls?\b"),
)  # fmt: skip

FAMILIES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("indulgence", "healthy_living", "portions", "convenience", "alcohol"), ("food",)),
    **dict.fromkeys(("meals", "restaurants", "coffee", "groceries", "drinks"), ("food",)),
    **dict.fromkeys(("price", "price_rise", "money_worry", "brand", "shoes", "banking"), ("money",)),
    **dict.fromkeys(("novelty", "service", "streaming", "ev", "insurance", "clothes"), ("money",)),
    **dict.fromkeys(("car", "selfcare", "energy", "repairs", "shopping", "charity", "college"), ("money",)),
    **dict.fromkeys(("technology", "social_media", "privacy", "ai", "internet", "phone", "apps"), ("tech",)),
    **dict.fromkeys(("family", "school", "safety", "life", "faith", "pets", "place", "future"), ("home",)),
    **dict.fromkeys(("friends", "garden", "holidays", "cleaning"), ("home",)),
    **dict.fromkeys(("politics", "trust", "news", "sustainability"), ("world",)),
    **dict.fromkeys(("health_worry", "exercise", "tobacco", "strain", "sleep"), ("body",)),
    **dict.fromkeys(("doctor", "medicine", "care"), ("body",)),
    **dict.fromkeys(("travel", "flying", "relax", "tv", "music", "books", "games", "sports"), ("leisure",)),
    "hotel": ("stay",),
    "ad": ("ads",),
    "telehealth": ("body", "tech"),
    "job": ("work",),
    "remote": ("work",),
    "commute": ("work",),
}  # fmt: skip
"""Topic -> the families of sentences about one's own life that fit it."""
HEALTHY_TOPICS = frozenset(
    (
        *("indulgence", "healthy_living", "portions", "health_worry", "telehealth", "exercise", "tobacco"),
        *("strain", "medicine", "care", "sleep"),
    )
)
"""Topics where people speak of their health."""


_KNOWN = r"(?:close )?(?:friends?|family(?: members?)?|colleagues?|relatives?|co-?workers?)"
_LISTENERS = Pattern(
    rf"\bto (?:(?:a|an|your|any|other|some) )?{_KNOWN}"
    rf"(?:(?:, or|, and|,| and| or) (?:(?:a|an|your) )?{_KNOWN})*",
    re.I,
)
"""To whom somebody would recommend what the question is about."""


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern, re.I)) for name, pattern in _DOMAINS)


def topic_of(sentence: str) -> str | None:
    """Return the topic of a question; None when no words of it are known.

    Examples
    --------
    >>> topic_of("What annoys you about grocery shopping?"), topic_of("What about a self-cleaning birdcage?")
    ('groceries', None)
    >>> topic_of("How likely are you to recommend your gym to a friend or colleague?")
    'exercise'
    """
    about = _LISTENERS.sub("", sentence)
    return next((name for name, pattern in _patterns() if pattern.search(about)), None)
