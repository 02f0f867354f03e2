"""What a thing is that no topic knows: a drink, a gadget, a place, an idea, by the words of its name."""

from __future__ import annotations

import re
from functools import cache

from voxpop.questions.patterns import Pattern

UNKNOWN, IDEA, MATTER = "assent", "notion", "matter"
"""The topics of a thing of which nothing is known, of an idea to be decided on, and of a matter of life."""
ANYTHING = "anything"
"""The topic of lines that answer whatever was asked; what is left where no other fits."""
CLASSES: dict[str, str] = {
    "a drink": UNKNOWN,
    "a food": UNKNOWN,
    "a new drink": "a drink",
    "a new food": "a food",
    "a plan": UNKNOWN,
    "an app": UNKNOWN,
    "a gadget": UNKNOWN,
    "a home thing": UNKNOWN,
    "a garment": UNKNOWN,
    "a remedy": UNKNOWN,
    "a place": MATTER,
    "an event": MATTER,
    "an organization": MATTER,
    "a thing": UNKNOWN,
    "an activity": MATTER,
    "an animal": MATTER,
    "a season": MATTER,
    "nature": MATTER,
    "a kind of people": MATTER,
    "a behavior": MATTER,
    "a belief": MATTER,
}
"""Topic of a class of things -> the topic whose lines fill in where the class has none of its own."""

WARES = ("a drink", "a food", "an app", "a gadget", "a home thing", "a garment", "a remedy", "a plan")
"""Classes of things that one buys or uses."""

# words anywhere in a name, before those that its last word decides
_ANYWHERE: tuple[tuple[str, Pattern], ...] = tuple(
    (kind, Pattern(pattern, re.I))
    for kind, pattern in (
        ("a plan", r"subscri\w+|memberships?|monthly|meal kits?|rental|\bservices?$"),
        ("an app", r"\bapps?\b|web ?sites?|platform|software|chatbots?|dashboard"
            r"|browser|extension|plug-?in|prototype|mock-?up|wireframe"
            r"|(?:online|scheduling|planning|management|reporting|ai|digital|budgeting)"
            r" (?:tool|portal|assistant)s?"),
        (IDEA, r"\b(?:laws?|bans?|tax(?:es)?|polic(?:y|ies)|rules?|proposals?|reforms?|universal|curfew"
            r"|minimum wage|regulations?|subsid\w+|mandates?|legali[sz]\w+|ideas?|referendum|work ?week"
            r"|cuts)\b"),
        ("a remedy", r"\b(?:shampoo|conditioner|toothpaste|deodorant|sunscreen|vitamins?|supplements?"
            r"|skin ?care|soap|probiotics?|sleep aid|pain (?:relief|patch)|herbal|cough)\b(?!.* app)"),
        ("a gadget", r"\bself-(?!checkout|care|help|esteem)|\bsmart\b|robot\w*|electric\b|devices?\b|gadgets?"
            r"|machines?\b|trackers?\b|sensors?\b|chargers?\b|drones?\b|heated|cordless|rechargeable"
            r"|automatic|\bwireless"),
    )
)  # fmt: skip
_LAST: tuple[tuple[str, str], ...] = (
    ("a drink",
     "milk juice soda water tea coffee beer wine drink beverage kombucha smoothie shake "
     "lemonade cider seltzer cocktail latte cola creamer broth sake "
     "tonic spritzer mocktail spirit liqueur vodka ale lager brew espresso matcha chai"),
    ("a food",
     "bread cheese yogurt cereal granola bar snack chip cracker sauce soup pasta noodle rice "
     "tofu burger sausage meat fish salad fruit vegetable hummus butter egg pizza cookie gum "
     "candy spread dip jerky oatmeal nut food meal dinner flavor spice seaweed mushroom kale "
     "quinoa lentil bean avocado insect sandwich wrap popcorn honey oil sweetener salt steak "
     "chicken bacon taco sushi dessert ramen dumpling lasagna stew curry pie waffle pancake "
     "muffin brownie pickle kimchi cheesecake entree topping seasoning mayonnaise ketchup "
     "mustard dressing patty nugget yoghurt puree sorbet pretzel chocolate burrito "
     "macaroni potato lunch breakfast pastry donut doughnut banana apple orange grape berry strawberry"
     " tomato onion garlic carrot broccoli spinach lettuce corn dairy gluten wheat"),
    ("a remedy",
     "cream lotion serum shampoo conditioner soap gel toothpaste mouthwash deodorant vitamin "
     "supplement pill patch gummy balm sunscreen perfume makeup lipstick razor bandage "
     "collagen probiotic tampon pad lens spray mask ointment syrup toothbrush wipe"),
    ("a garment",
     "shirt sock jacket coat jean pant dress hat sweater legging underwear bra glove scarf "
     "hoodie uniform swimsuit sandal belt raincoat pajama jewelry sunglasses suit tie ring earring necklace"
     " bracelet"),
    ("a gadget",
     "speaker camera printer blender vacuum watch headset headphone earbud router thermostat "
     "console projector fryer fridge refrigerator dishwasher washer dryer stove "
     "earphone phone scooter bike heater fan lock doorbell ring glasses mower cooker "
     "oven toaster kettle microwave motorcycle boat bicycle"),
    ("a home thing",
     "chair sofa couch table lamp bed mattress pillow blanket curtain rug shelf desk pan pot "
     "knife mug bottle towel candle birdcage cage bin bag umbrella broom mop furniture tent "
     "stroller crib toy backpack suitcase container cup box jar stool cabinet paint cushion battery bulb tool"
     " bathroom toilet fence luggage doll flower plant wallpaper tile hammer ladder wallet"),
    ("a place",
     "mall park museum circus aquarium farm library theater store shop market downtown stadium beach plaza center "
     "cafe zoo pool playground campground branch building station square garden trail arena"),
    ("an event",
     "festival concert fair parade conference workshop webinar marathon exhibition exhibit "
     "party wedding class tournament race reunion gala opera ceremony"),
    ("an organization",
     "company foundation agency council union association club committee police army office "
     "department corporation startup team firm authority organization"),
    ("an activity",
     "art photography painting drawing poetry barbecue picnic fishing hunting boating tennis golf dancing"
     " karaoke chess knitting sewing quilting crochet juggling skiing snowboarding skating surfing sailing"
     " diving climbing archery bowling billiards darts cards bingo crossword puzzle scrapbooking pottery"
     " woodworking birdwatching astronomy stargazing improv theater opera ballet magic audiobook antique"
     " auction sledding kayaking canoeing rafting skydiving wrestling boxing hockey cricket rugby volleyball"
     " badminton pickleball gymnastics cheerleading cosplay comedy musical origami calligraphy genealogy"
     " geocaching comic journaling"),
    ("an animal",
     "bird bee wasp wolf wolves bear snake spider mosquito mosquitoes fly ant butterfly moth deer fox coyote"
     " squirrel rat mouse mice bat owl eagle crow pigeon duck goose geese swan turtle frog toad lizard shark"
     " whale dolphin seal penguin elephant lion tiger monkey horse cow sheep goat raccoon skunk rabbit insect"
     " bug cockroach roach worm alligator crocodile jellyfish animal"),
    ("a season",
     "summer winter spring fall autumn weather rain snow sunshine heat cold fog wind thunder lightning storm"
     " thunderstorm hurricane tornado blizzard humidity season sunday monday friday saturday january february"
     " march april june july august september october november december"),
    ("nature",
     "ocean sea mountain desert forest river lake waterfall volcano canyon jungle swamp prairie island"
     " glacier star planet moon sun mars space universe earthquake wildfire wilderness woods nature sunset sunrise"),
    ("a kind of people",
     "people men women man woman mother father mom dad sibling brother sister cousin aunt uncle veteran"
     " soldier lawyer boss manager farmer pilot firefighter plumber electrician mechanic banker actor actress artist"
     " musician writer scientist engineer journalist millionaire billionaire celebrity teen tourist immigrant"
     " stranger child children kid adult senior millennial boomer vegan hunter gamer driver cyclist salesman"
     " waiter cashier barber accountant judge athlete coach pastor priest nun roommate"),
    ("a behavior",
     "honesty gossip manners politeness swearing cursing lying cheating bragging complaining interrupting"
     " whispering hugging flirting teasing sarcasm joke prank apology forgiveness kindness generosity"
     " rudeness jealousy selfie meme nagging procrastination perfectionism punctuality talk compliment eavesdropping"
     " staring yawning snoring sharing bullying patience modesty loyalty etiquette silence selfies"),
    ("a belief",
     "alien ufo ghost astrology horoscope superstition luck fate karma destiny dream nightmare angel miracle"
     " reincarnation heaven hell zodiac tarot psychic conspiracy evolution afterlife soulmate witchcraft"),
)  # fmt: skip
_NEW = {"a drink": "a new drink", "a food": "a new food"}
"""Classes that are spoken of in other words when nobody can have tried the thing yet."""
_VESSELS = re.compile(
    r"\b(?:lines?|range|series|version|kind|type|sort|brand|packs?|packets?|bags?|pods?|box(?:es)?|bottles?|cans?"
    r"|cartons?|jars?|cups?|bowls?|pouch(?:es)?|tubs?|sticks?|shots?|bites?|cubes?)$",
    re.I,
)
_DOING = re.compile(r"(?:[a-z]{3,}ing|being) \w+", re.I)
_ARTICLE = re.compile(r"^(?:a|an|the|this|that|these|those|my|your|our|new)\s+(?:new\s+)?", re.I)


@cache
def _last() -> dict[str, str]:
    return {word: name for name, words in _LAST for word in words.split()}


def _one(word: str) -> str:
    """Return a noun of many as a noun of one, roughly."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def class_of(name: str) -> str | None:
    """Return what a thing is by the words of its name; None when they do not say.

    Examples
    --------
    >>> class_of("oat milk"), class_of("a self-cleaning birdcage"), class_of("a subscription razor")
    ('a drink', 'a gadget', 'a plan')
    >>> class_of("a ban on plastic bags"), class_of("loneliness")
    ('notion', None)
    """
    bare = _ARTICLE.sub("", name.strip())
    found = next((kind for kind, pattern in _ANYWHERE if pattern.search(bare)), None)
    if found is not None or not bare:
        return found
    outside, _, inside = bare.lower().partition(" of ")
    if inside and _VESSELS.search(outside) and (kind := class_of(inside)):
        return kind
    head = re.split(r"\s(?:of|for|with|that|which|from|in|on|to|made)\s", f"{bare.lower()} ")[0].split()
    last = head[-1] if head else ""
    found = _last().get(last) or _last().get(_one(last))
    if len(head) > 1 and _VESSELS.search(last):
        kind = _last().get(head[-2]) or _last().get(_one(head[-2]))
        return kind if kind in _NEW else found
    return found or ("a behavior" if _DOING.match(bare) else None)


def new_class(name: str | None) -> str | None:
    """Return what a thing is of which one is told for the first time.

    Examples
    --------
    >>> new_class("a line of frozen soups"), new_class("a tea bag"), new_class("a smart lamp")
    ('a new food', 'a new drink', 'a gadget')
    """
    found = class_of(name) if name else None
    return _NEW.get(found or "", found)
