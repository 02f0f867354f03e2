"""Companies, products and categories as subjects of theses, each with its trade."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from voxpop_simulator.questions.wordlists import word_set


@dataclass(frozen=True, slots=True)
class Entry:
    """A possible subject of a thesis.

    Attributes
    ----------
    name : str
        Name in the composition.
    kind : {"company", "product", "category", "sector", "macro"}
    trade : str
        Key of ``TRADES``, or of ``ACTIVITIES`` for activities of employers.
    asked : str
        Wording in questions to customers.
    market : str
        Wording in questions to people who see the market at work.
    one : str
        Singular form with its article.
    employer : bool
        Whether employers do it rather than customers.
    """

    name: str
    kind: str
    trade: str
    asked: str
    market: str
    one: str
    employer: bool = False


# name, aliases after "/" | trade | category | wording for customers, if not the name
_PLACES = """
Starbucks/SBUX|restaurant|coffee shops
Dunkin'/Dunkin/Dunkin Donuts|restaurant|coffee shops
Dutch Bros|restaurant|coffee shops
McDonald's/McDonalds/MCD|restaurant|fast-food restaurants
Burger King|restaurant|fast-food restaurants
Wendy's|restaurant|fast-food restaurants
Taco Bell|restaurant|fast-food restaurants
KFC|restaurant|fast-food restaurants
Chick-fil-A|restaurant|fast-food restaurants
Chipotle/CMG|restaurant|fast-casual restaurants
Sweetgreen|restaurant|fast-casual restaurants
Cava|restaurant|fast-casual restaurants
Panera/Panera Bread|restaurant|fast-casual restaurants
Domino's|restaurant|pizza restaurants
Olive Garden|restaurant|sit-down restaurants
Applebee's|restaurant|sit-down restaurants
Greggs|restaurant|bakery chains
Tim Hortons|restaurant|coffee shops
Walmart|store|large discount stores
Target|store|large discount stores
Costco|store|warehouse clubs
Sam's Club|store|warehouse clubs
Kroger|store|supermarkets
Whole Foods|store|supermarkets
Trader Joe's|store|supermarkets
Aldi|store|discount supermarkets
Lidl|store|discount supermarkets
Tesco|store|supermarkets
Sainsbury's|store|supermarkets
Dollar General|store|dollar stores
Dollar Tree|store|dollar stores
Amazon|store|online stores
Temu|store|online stores
Shein|store|online clothing stores
Etsy|store|online stores
eBay|store|online stores
Best Buy|store|electronics stores
Home Depot|store|home improvement stores
Lowe's|store|home improvement stores
IKEA|store|furniture stores
Wayfair|store|online furniture stores
Macy's|store|department stores
Nordstrom|store|department stores
Kohl's|store|department stores
TJ Maxx|store|off-price stores
Sephora|store|beauty stores
Ulta|store|beauty stores
Zara|store|clothing stores
H&M|store|clothing stores
Old Navy|store|clothing stores
Gap|store|clothing stores
CVS|store|pharmacies
Walgreens|store|pharmacies
Petco|store|pet stores
Chewy|store|online pet stores
Netflix|stream|streaming services
Disney+/Disney Plus|stream|streaming services
Hulu|stream|streaming services
HBO Max|stream|streaming services
Paramount+|stream|streaming services
Peacock|stream|streaming services
YouTube|stream|video services
Spotify|music|music services
TikTok|social|social media
Instagram|social|social media
Facebook|social|social media
Snapchat|social|social media
Pinterest|social|social media
Reddit|social|social media
LinkedIn|social|social media
Roblox|game|video games
Fortnite|game|video games
DraftKings|bet|sports betting sites
FanDuel|bet|sports betting sites
ChatGPT/OpenAI|software|AI assistants
Claude|software|AI assistants
Gemini|software|AI assistants
Copilot/GitHub Copilot|software|AI assistants
Google/Alphabet|software|search engines
Zoom|software|video meeting tools
Slack|software|workplace chat tools
Microsoft Teams|software|workplace chat tools
Salesforce|software|business software
Adobe|software|creative software
Verizon|telecom|mobile phone providers|service from Verizon
AT&T|telecom|mobile phone providers|service from AT&T
T-Mobile|telecom|mobile phone providers|service from T-Mobile
Comcast|telecom|home internet providers|service from Comcast
Delta Air Lines/Delta|fly|airlines
United Airlines|fly|airlines
Southwest Airlines/Southwest|fly|airlines
Ryanair|fly|airlines
EasyJet|fly|airlines
Lufthansa|fly|airlines
Airbnb|travel|short-term rentals|stays through Airbnb
Marriott|travel|hotels|stays at Marriott
Hilton|travel|hotels|stays at Hilton
Carnival|travel|cruise lines|Carnival cruises
Royal Caribbean|travel|cruise lines|Royal Caribbean cruises
Uber|ride|ride-hailing services
Lyft|ride|ride-hailing services
DoorDash|ride|meal delivery services
Uber Eats|ride|meal delivery services
Instacart|ride|grocery delivery services
Chase/JPMorgan/JPMorgan Chase|bank|banks
Bank of America|bank|banks
Wells Fargo|bank|banks
SoFi|bank|online banks
PayPal|bank|payment services
Venmo|bank|payment services
Klarna|bank|buy-now-pay-later services
Affirm|bank|buy-now-pay-later services
American Express|bank|credit cards
Visa|bank|credit cards
Robinhood|bank|trading apps
Charles Schwab/Schwab|bank|brokerage services
Peloton|fitness|home fitness equipment
Planet Fitness|fitness|gyms
Disney World|fun|theme parks
Six Flags|fun|theme parks
AMC|fun|movie theaters
Teladoc|care|telehealth
"""

# maker, aliases | trade | wording for customers | singular form
_MAKERS = """
Mondelez|grocery|snack foods such as cookies and crackers|
PepsiCo/Pepsi|grocery|soft drinks and salty snacks|
Coca-Cola/Coke|grocery|soft drinks such as Coca-Cola|
Kraft Heinz|grocery|packaged foods such as ketchup and cheese|
General Mills|grocery|breakfast cereal and baking products|
Kellogg's/Kellogg/Kellanova|grocery|breakfast cereal and snack foods|
Hershey|grocery|chocolate and candy|
Nestle/Nestlé|grocery|packaged foods and drinks from Nestlé|
Danone|grocery|yogurt and dairy products|
Oatly|grocery|oat milk|
Beyond Meat|grocery|plant-based meat|
Celsius|grocery|energy drinks such as Celsius|
Monster|grocery|energy drinks such as Monster|
Red Bull|grocery|energy drinks such as Red Bull|
Tyson/Tyson Foods|grocery|chicken and other meat|
Anheuser-Busch/AB InBev/Bud Light/Budweiser|alcohol|beer such as Budweiser or Bud Light|
Heineken|alcohol|beer such as Heineken|
Constellation Brands/Modelo|alcohol|beer such as Modelo or Corona|
Diageo|alcohol|spirits such as whisky and vodka|
Procter & Gamble/Procter and Gamble/P&G|household|household products such as detergent and diapers|
Kimberly-Clark|household|paper products such as tissues and diapers|
Colgate|household|toothpaste|
Nike|fashion|Nike shoes and clothing|
Adidas|fashion|Adidas shoes and clothing|
Lululemon|fashion|Lululemon clothing|
Levi's/Levi Strauss|fashion|Levi's jeans|
Under Armour|fashion|Under Armour clothing|
Crocs|fashion|Crocs shoes|
LVMH/Louis Vuitton|fashion|luxury goods|
Gucci|fashion|luxury goods|
Ralph Lauren|fashion|Ralph Lauren clothing|
Estee Lauder/Estée Lauder|beauty|skin care products and make-up|
L'Oreal/L'Oréal|beauty|skin care products and make-up|
elf Beauty/e.l.f. Beauty/e.l.f.|beauty|low-priced make-up|
Apple/iPhone/iPhones|device|iPhones|an iPhone
Samsung|device|Samsung phones|a Samsung phone
Sonos|device|Sonos speakers|a Sonos speaker
GoPro|device|action cameras|an action camera
Meta Quest|device|virtual-reality headsets|a virtual-reality headset
John Deere/Deere|device|John Deere equipment|a John Deere machine
Tesla/Teslas|car|Teslas|a Tesla
Ford|car|Fords|a Ford
General Motors/GM|car|General Motors cars|a General Motors car
Toyota|car|Toyotas|a Toyota
Honda|car|Hondas|a Honda
Volkswagen/VW|car|Volkswagens|a Volkswagen
BMW|car|BMWs|a BMW
Rivian|car|Rivians|a Rivian
BYD|car|BYD cars|a BYD car
Harley-Davidson|car|Harley-Davidson motorcycles|a Harley-Davidson motorcycle
Novo Nordisk/Ozempic/Wegovy|medicine|GLP-1 medicines|a GLP-1 medicine
Eli Lilly/Mounjaro/Zepbound|medicine|GLP-1 medicines|a GLP-1 medicine
Pfizer|medicine|Pfizer medicines|a medicine from Pfizer
Geico|insurance|car insurance|
Progressive|insurance|car insurance|
Lennar|home||
D.R. Horton/DR Horton|home||
Zillow|home||
"""

# kind | phrases, the first is the name | trade | wording (empty: the name) | singular form
_THINGS = """
category|energy drinks/energy drink|grocery||
category|snack foods/snack food/snacks/snack/salty snacks|grocery|snack foods|
category|sugary drinks/soft drinks/soda/sodas/carbonated drinks/sugary sodas|grocery|soft drinks|
category|breakfast cereal/cereal/cereals|grocery||
category|chocolate/chocolates/candy/confectionery|grocery|chocolate and candy|
category|oat milk|grocery||
category|plant-based milk/plant-based milks|grocery||
category|plant-based meat/fake meat/meat substitutes/meat alternatives/plant-based burgers|grocery|plant-based meat|
category|dairy/milk/dairy milk/cow's milk|grocery|dairy products|
category|beef/meat/red meat|grocery|beef and other meat|
category|eggs|grocery||
category|kombucha|grocery||
category|tea|grocery||
category|cheese|grocery||
category|bread|grocery||
category|chicken|grocery||
category|fish/seafood|grocery|fish and seafood|
category|yogurt/yoghurt|grocery|yogurt|
category|tofu|grocery||
category|ice cream|grocery||
category|fresh fruit/fruit/vegetables/fruit and vegetables|grocery|fresh fruit and vegetables|
category|coffee|grocery||
category|bottled water|grocery||
category|frozen food/frozen foods/frozen meals|grocery|frozen food|
category|organic food/organic foods/organic produce|grocery|organic food|
category|protein bars/protein shakes|grocery|protein bars and shakes|
category|baby formula/infant formula|grocery|baby formula|
category|meal kits/meal kit|grocery|meal kits|
category|groceries/grocery spending|grocery|groceries|
category|name brands/national brands/branded goods/big brands|grocery|national brands of food and household products|
category|store brands/private label/private labels/own-label/own label/store brand/own brands|grocery|store brands|
category|ultra-processed foods/ultra-processed food/processed food/packaged food/packaged foods|grocery|packaged foods|
category|beer/beers|alcohol||
category|craft beer|alcohol||
category|wine|alcohol||
category|spirits/liquor|alcohol|spirits|
category|whiskey/whisky|alcohol|whiskey|
category|tequila|alcohol||
category|alcohol/alcoholic drinks|alcohol|alcoholic drinks|
category|hard seltzer/hard seltzers|alcohol|hard seltzer|
category|non-alcoholic beer/alcohol-free beer|alcohol|alcohol-free beer|
category|cigarettes/smoking/tobacco|household|cigarettes|
category|nicotine pouches/Zyn/vapes/e-cigarettes/vaping|household|nicotine pouches or vapes|
category|diapers|household||
category|cleaning products|household||
category|pet food|pets||
category|pet care/pet adoption/pet ownership/vet visits/veterinary care/pets|pets|pet care|
category|coffee shops/coffee chains/cafes|restaurant|coffee shops|
category|fast food/fast-food restaurants/fast-food chains/quick-service restaurants/QSR|restaurant|fast-food restaurants|
category|fast-casual restaurants/fast-casual chains/fast casual|restaurant|fast-casual restaurants|
sector|restaurants/casual dining/dining out/eating out/eat out/restaurant|restaurant|restaurants|
category|pubs/bars|restaurant|pubs and bars|
category|grocery stores/supermarkets/grocers|store|supermarkets|
category|department stores/malls/shopping malls|store|department stores|
category|dollar stores/discount stores/discounters|store|discount stores|
category|warehouse clubs|store||
category|convenience stores|store||
category|online stores/e-commerce/online shopping/online retailers|store|online stores|
category|thrift stores/second-hand shops/resale/secondhand stores/second-hand clothing|store|second-hand shops|
category|pharmacies/drugstores|store|pharmacies|
sector|retail stores/brick-and-mortar stores/physical stores/retail|store|retail stores|
category|clothing/clothes/apparel/fast fashion/clothing retailers|fashion|clothing|
category|sneakers/athletic shoes/running shoes|fashion|athletic shoes|
category|luxury goods/luxury handbags/luxury/handbags/luxury watches|fashion|luxury goods|
category|cosmetics/make-up/makeup/beauty products|beauty|make-up|
category|skin care/skincare|beauty|skin care products|
category|furniture|household|furniture|
category|toys|household||
category|smartphones/smartphone/phones|device|smartphones|a smartphone
category|laptops/PCs/personal computers|device|laptops|a laptop
category|smartwatches/wearables|device|smartwatches|a smartwatch
category|home appliances/appliances/washing machines|device|home appliances|a large home appliance
category|solar panels/rooftop solar/residential solar/home solar|device|home solar panels|home solar panels
category|heat pumps|device|heat pumps|a heat pump
category|e-bikes/e-bike|device|e-bikes|an e-bike
category|electric cars/electric vehicles/EVs/EV|car|electric cars|an electric car
category|hybrid cars/hybrids|car|hybrid cars|a hybrid car
category|used cars/used vehicles|car|used cars|a used car
category|new cars/cars/autos/car sales/auto sales/new vehicles|car|new cars|a car
category|pickup trucks/pickups|car|pickup trucks|a pickup truck
category|homes/housing/home sales/home buying/home buyers/house/houses/new homes/housing market|home|demand for homes|
macro|home prices/house prices|home|the level of home prices|
category|home improvement/home renovation/renovations/remodeling/home remodeling|improvement|home improvement|
category|streaming services/streaming/streamers/streaming subscriptions|stream|streaming services|
category|cable TV/cable/pay TV/linear TV|stream|cable television|
category|movie theaters/the movies/movies/cinemas/box office/movie theatres|fun|movie theaters|
category|concerts/live music/live events|fun|live events|
category|theme parks|fun||
category|podcasts|music||
category|social media|social||
category|video games/gaming|game|video games|
category|sports betting/online gambling/online betting|bet|sports betting|
category|AI assistants/AI chatbots/chatbots/AI search|software|AI assistants|
category|AI coding tools/AI coding assistants|software|AI coding tools|
category|dating apps/online dating|software|dating apps|
category|weight-loss apps/diet apps|software|weight-loss apps|
category|mobile phone service/wireless carriers/phone plans/wireless plans|telecom|mobile phone plans|
category|home internet/broadband|telecom|home broadband|
category|GLP-1 medicines/GLP-1s/GLP-1/GLP-1 drugs/GLP1/GLP1s/weight-loss drugs/weight loss drugs/weight-loss medicines/obesity drugs|medicine|GLP-1 medicines|a GLP-1 medicine
category|statins|medicine||a statin
category|generic drugs/generics|medicine|generic medicines|a generic medicine
category|antidepressants|medicine||an antidepressant
category|vitamins/supplements/dietary supplements|household|vitamins and supplements|
category|vaccines/flu shots|treatment|vaccines|a vaccination
category|telehealth/telemedicine/virtual care|care|telehealth|
category|elective surgery/elective surgeries/elective procedures|treatment|elective surgery|elective surgery
category|dental care/dental visits|teeth|dental care|dental treatment
category|mental health care/therapy apps/online therapy/therapy|care|mental health care|
category|air travel/flights/airlines/flying|travel|air travel|
category|hotels/hotel stays|travel|hotels|
category|cruises/cruise lines|travel|cruises|
category|short-term rentals/vacation rentals|travel|short-term rentals|
category|travel/vacations/holidays/leisure travel/international travel|travel|travel|
category|ride-hailing/ride hailing/ride-sharing|ride|ride-hailing services|
category|meal delivery/food delivery/delivery apps|ride|meal delivery services|
category|public transport/public transit|ride|public transport|
category|credit cards|bank|credit cards|
category|buy now pay later/buy now, pay later/buy-now-pay-later/BNPL|bank|buy-now-pay-later services|
category|savings accounts/high-yield savings|bank|savings accounts|
category|banks/regional banks/bank branches|bank|bank branches|
category|online banks/neobanks/digital banks|bank|online banks|
category|crypto/bitcoin/cryptocurrency/cryptocurrencies|bank|cryptocurrency|
category|mortgages/home loans|loan|mortgages|a mortgage
category|personal loans|loan|personal loans|a personal loan
category|car insurance/auto insurance|insurance|car insurance|
category|home insurance/homeowners insurance|insurance|home insurance|
category|health insurance|insurance||
category|gyms/gym memberships/gym|fitness|gyms|
category|fitness apps|fitness||
category|college/university degrees/college degrees/college enrollment/higher education|school|college|
category|online courses/online learning|school|online courses|
category|childcare/daycare|spending|childcare|
category|gifts/gift cards/Christmas gifts/holiday gifts|spending|gifts|
macro|holiday shopping/holiday spending/Black Friday/Christmas spending|spending|holiday shopping|
macro|discretionary spending/discretionary goods/discretionary purchases/discretionary items/non-essentials|spending|non-essential items|
macro|consumer spending/household spending|spending|everyday goods and services|
"""  # noqa: E501

# activities of employers: kind | phrases | key of ACTIVITIES
_DONE = """
macro|capital spending/capex/capital expenditure/capital investment/equipment spending/equipment purchases/new equipment/business investment/investment in equipment|capex
macro|hiring/staff/staffing/headcount/layoffs/job openings/recruitment/recruiting/employment|hiring
macro|inventories/inventory/restocking/stockpiles/stocks of goods|inventory
macro|advertising spending/ad spending/ad budgets/advertising budgets/marketing budgets/advertising/ad spend|advertising
macro|software spending/cybersecurity budgets/cybersecurity spending/security budgets/cloud spending/IT budgets/IT spending/cloud services/enterprise software/software budgets|technology
macro|AI tools at work/AI spending by businesses/AI tools/enterprise AI/AI at work|ai
macro|wages/pay rises/wage growth/salaries|wages
macro|office space/office demand/offices/office leases|office
macro|selling prices/menu prices|prices
macro|business travel/corporate travel|work travel
macro|new orders/order books/factory orders|orders
"""  # noqa: E501

EMPLOYERS: tuple[tuple[str, str], ...] = (
    (r"(?:small |mid-?size[d]? |large )?manufacturers|factories|manufacturing", "Manufacturing"),
    (r"home ?builders|builders|construction (?:companies|firms)|contractors", "Construction"),
    (r"hospitals|health systems|clinics", "Health Care and Social Assistance"),
    (r"retailers|shop owners|store owners", "Retail Trade"),
    (r"restaurants|hotels|restaurant (?:chains|owners|operators)", "Accommodation and Food Services"),
    (r"farmers|farms|growers", "Agriculture, Forestry, Fishing and Hunting"),
    (r"banks|lenders|insurers", "Finance and Insurance"),
    (
        r"truckers|trucking (?:companies|firms)|carriers|logistics (?:companies|firms)",
        "Transportation and Warehousing",
    ),
    (r"wholesalers|distributors", "Wholesale Trade"),
    (r"tech (?:companies|firms)|software (?:companies|firms)", "Information"),
    (r"universities|schools|colleges", "Educational Services"),
    (
        r"law firms|consultancies|professional services firms",
        "Professional, Scientific, and Technical Services",
    ),
    (r"oil (?:companies|producers)|miners|drillers", "Mining, Quarrying, and Oil and Gas Extraction"),
    (
        r"(?:small |large |big |mid-?size[d]? )?(?:businesses|companies|firms|employers|enterprises"
        r"|corporations)|CFOs|CIOs",
        "",
    ),
)
"""Words for employers -> industry; empty means any."""


def _rows(text: str) -> list[list[str]]:
    return [line.split("|") for line in text.strip().splitlines()]


def article(name: str) -> str:
    """Return a noun with "a" or "an" before it.

    Examples
    --------
    >>> article("electric car"), article("Tesla")
    ('an electric car', 'a Tesla')
    """
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


@cache
def entries() -> dict[str, Entry]:
    """Return phrase, in lower case -> entry."""
    found: dict[str, Entry] = {}

    def put(phrases: str, entry: Entry) -> None:
        for phrase in phrases.split("/"):
            found.setdefault(phrase.lower(), entry)

    for names, trade, market, *special in _rows(_PLACES):
        name = names.split("/")[0]
        words = special[0] if special else name
        put(names, Entry(name, "company", trade, words, f"{market} such as {name}", name))
    for names, trade, product, one in _rows(_MAKERS):
        words = product or "demand for homes"
        put(names, Entry(names.split("/")[0], "company", trade, words, words, one or words))
    for kind, names, trade, asked, one in _rows(_THINGS):
        words = asked or names.split("/")[0]
        put(names, Entry(names.split("/")[0], kind, trade, words, words, one or article(words)))
    for kind, names, trade in _rows(_DONE):
        name = names.split("/")[0]
        put(names, Entry(name, kind, trade, name, name, name, employer=True))
    return found


COMMON_WORDS = word_set(
    """
    target gap apple visa chase delta southwest progressive carnival monster affirm ford claude gemini peacock
    slack zoom amazon cava celsius
    """
)
"""Names that are also common words, so that they count only with a capital letter."""


@cache
def names_pattern() -> re.Pattern[str]:
    """Return the pattern of all phrases, longest first."""
    phrases = sorted(entries(), key=lambda phrase: (-len(phrase), phrase))
    joined = "|".join(re.escape(phrase).replace(r"\ ", r"[\s-]+").replace("'", "['’]") for phrase in phrases)
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w])", re.IGNORECASE)


def entry_named(words: str) -> Entry | None:
    """Return the entry named by some words, or None.

    Examples
    --------
    >>> entry_named("SBUX").name, entry_named("EVs").asked
    ('Starbucks', 'electric cars')
    """
    folded = re.sub(r"\s+", " ", words.lower().replace("’", "'"))
    return entries().get(folded) or entries().get(folded.replace("-", " "))
