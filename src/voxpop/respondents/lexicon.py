"""Word lists that many sentences share, each entry with the tags it needs, and safe other wordings."""

from __future__ import annotations

import re

from voxpop.respondents.banks import lines

RATES: dict[str, tuple[str, float]] = {
    "USA": ("$", 1.0),
    "Canada": ("$", 1.35),
    "Australia": ("$", 1.5),
    "UK": ("£", 0.8),
    "Germany": ("€", 0.92),
    "France": ("€", 0.92),
    "Japan": ("¥", 150.0),
    "Brazil": ("R$", 5.5),
    "India": ("₹", 85.0),
    "Mexico": ("$", 18.0),
}
"""Country -> currency sign and a rough rate to the US dollar, for amounts that are said in passing."""

LEXICON: dict[str, tuple[str, ...]] = {
    "name": lines("""
    [Denise/Marcus/Carol/Luis/Tanya/Bill/Rosa/Kevin/Joyce/Andre/Megan/Hector/Pam/Terrence/Anita/Doug/Kim]
    [Priya/Walt/Yolanda/Greg/Leticia/Stan/Monique/Ray/Beth/Omar/Gloria/Curtis/Jen/Dwayne/Ruth/Tony/Mai]
    [Sheila/Alex/Bernice/Carlos/Dana/Eddie/Faye/Gus/Helen/Ivan/Jolene/Keisha/Lonnie/Marta/Nate/Olga]
    [Pete/Ramona/Sal/Tess/Vern/Wendy/Abby/Barb/Chuck/Darlene/Ernie/Frank/Gina/Hal/Inez/Jamal/Kathy]
    [Leon/Maureen/Norm/Opal/Phil/Quentin/Rita/Shawn/Trish/Ursula/Vince/Wanda/Xavier/Yvonne/Zach/Ana]
    [Brett/Cheryl/Dee/Elena/Floyd/Grace/Henry/Irma/Jerry/Kelly/Lamar/Mindy/Neil/Paula/Rick/Sonia/Troy]
    """),
    "who": lines("""
    my [sister/brother/cousin/aunt/sister-in-law/brother-in-law/best friend/uncle/godmother/stepsister]
    my [friend/neighbor/cousin/buddy/old roommate/hairdresser] <name>
    [a friend/a neighbor/an old friend/a friend of mine/somebody I know/one of my friends/someone I trust]
    my [next-door neighbor/neighbor across the street/neighbor downstairs/old boss/old landlord] <name>
    [a guy/a woman/a couple/somebody] [on my street/from church/I went to school with/from down the block]
    [my neighbor's son/my cousin's girlfriend/my sister's friend/a friend's mother/my aunt's neighbor]
    job| [a coworker/one guy at work/a woman I work with/my boss/somebody on my shift/the new guy at work]
    job| <name> [at work/from work/on my crew/who works with me]
    job desk| [a colleague/the woman in the next office/somebody on my team/our office manager]
    student| [my roommate/a classmate/a girl in my class/a guy in my program/<name> from my dorm]
    retired| [an old colleague/a woman in my building/my old neighbor/a fellow I used to work with]
    rural| [my neighbor down the road/a cousin in town/the fellow at the feed store]
    old| [my niece/my nephew/my younger brother/my niece <name>/my nephew <name>]
    young| [my mom/my dad/my grandma/my older sister/my aunt <name>]
    """),
    "month": lines("""
    [January/February/March/April/May/June/July/August/September/October/November/December]
    """),
    "weekday": lines("[Monday/Tuesday/Wednesday/Thursday/Friday/Saturday/Sunday]"),
    "when": lines("""
    [last week/last month/a while back/the other day/not long ago/last weekend/just recently/last year]
    [two/three/four/five/six/eight/ten] [weeks ago/weeks back/months ago/months back/days ago/years ago]
    [a week/a month/a year] [ago/back/or so ago]
    [in/back in/in early/in late/one day in/sometime in/around the middle of] <month>
    [the first week of/the last week of/all through/right after the start of] <month>
    [on/last/this past/one/on a rainy/on a slow/on a busy] <weekday>
    [last/this past/one/every other] <weekday> [morning/night/afternoon/evening]
    [over the summer/in the fall/last winter/this spring/around the holidays/over Labor Day/before New Year's]
    [right after I moved/during a heat wave/over a long weekend/the week I was sick]
    """),
    "often": lines("""
    [every week/most days/once a month/nearly every day/now and again/most weekends/once in a while]
    [about/maybe/at least/around/close to] [twice/three times/four times/five times] a [week/month]
    every [other/second/third] [day/week/weekend/month/<weekday>]
    [one/two/three/four/five] [nights/days/mornings/evenings] [a week/out of seven/a month]
    """),
    "soon": lines("[an hour later/forty minutes later/half an hour later/within the hour/after that]"),
    "early": lines("[5/6]:[05/10/15/20/25/30/40/45/50/55]\n    [five/six/half past five/half past six]"),
    "later": lines("[8/9]:[10/15/20/30/40/45]\n    [eight/nine/half past eight/half past nine/eight or nine]"),
    "lately": lines("""
    [lately/these days/right now/this year/at the moment/since last year/the last few months/nowadays]
    since [last/about/late/early] <month>
    the past [few/two/three/four/six] [weeks/months/years]
    """),
    "mins": lines("""
    [about/close to/nearly/a good/over/maybe/almost] <#12-55> minutes
    [half an hour/an hour/a good hour/close to an hour/an hour and ten minutes/three quarters of an hour]
    """),
    "few": lines("[two/three/four/five/a couple of/a few/half a dozen]"),
    "most": lines("[most/nearly all/the bulk/a good part/more than half]"),
    "very": lines("[very/pretty/really/awfully/fairly/seriously/quite/extremely]"),
    "too": lines("[too/way too/far too/a little too/just too]"),
    "fine": lines("[fine/good/okay/decent/all right/perfectly good/not bad]"),
    "bad": lines("[terrible/awful/lousy/poor/no good/a mess/bad/a joke]"),
    "hate": lines("[hate/can't stand/dislike/don't like/am tired of/get annoyed by/have had it with]"),
    "like": lines("[like/love/enjoy/appreciate/really like/am fond of]"),
    "cheap": lines("[cheap/reasonable/affordable/easy on the wallet/fairly priced]"),
    "dear": lines("[expensive/pricey/overpriced/steep/priced way up there/hard to justify]"),
    "store": lines("""
    [the store/our grocery store/the supermarket/the place I shop/my usual store/the store down the street]
    rural| [the one store in town/the store in town/the discount store by the highway]
    urban| [the corner store/the market on my block/the big store across town]
    """),
    "food": lines("""
    [eggs/butter/coffee/ground beef/chicken/cereal/orange juice/bread/milk/cheese/bananas/rice/flour/salmon]
    [olive oil/bacon/pasta sauce/yogurt/frozen vegetables/apples/lettuce/peanut butter/potatoes/tuna/ham]
    [chicken thighs/oat milk/strawberries/tortillas/black beans/cream cheese/maple syrup/onions/turkey]
    [cooking oil/tomatoes/cold cuts/almonds/sour cream/hamburger buns/mayonnaise/broccoli/avocados/garlic]
    [pork chops/honey/crackers/canned soup/frozen pizza/oatmeal/peppers/shrimp/sausage/spinach/ketchup]
    """),
    "sweet": lines("""
    [chocolate/ice cream/cookies/gummy bears/brownies/donuts/peanut butter cups/candy bars/cupcakes/toffee]
    [oatmeal cookies/caramels/licorice/cinnamon rolls/shortbread/jelly beans/fudge/cheesecake/lemon bars]
    [chocolate pretzels/fig bars/marshmallows/pound cake/ginger snaps/pecan pie/mint chocolates/taffy]
    [sugar cookies/fruit snacks/coffee cake/malted milk balls/snack cakes/rice pudding/butterscotch/pudding]
    [banana bread/carrot cake/peppermints/macaroons/graham crackers/vanilla wafers/truffles/ice pops]
    """),
    "salty": lines("""
    [pretzels/potato chips/popcorn/tortilla chips/cheese crackers/salted peanuts/trail mix/corn chips]
    [pita chips/cashews/rice crackers/sunflower seeds/beef jerky/sour cream chips/pistachios/bagel chips]
    [cheese puffs/barbecue chips/wheat crackers/pork rinds/kettle corn/plantain chips/honey roasted nuts]
    [ranch chips/corn nuts/veggie straws/soda crackers/string cheese/chili peanuts/seaweed/party mix]
    """),
    "fruit": lines("""
    [apples/grapes/bananas/berries/oranges/peaches/melon/pears/carrots/cherries/celery/plums/raisins]
    [apple slices/snap peas/cucumbers/clementines/blueberries/pineapple/mango/dried apricots/radishes]
    [cherry tomatoes/kiwis/strawberries/bell peppers/grapefruit/watermelon/dates/nectarines/raspberries]
    """),
    "dinner": lines("""
    [chicken and rice/tacos/pasta/meatloaf/soup/chili/fish/burgers/scrambled eggs]
    [roast chicken/beans and rice/pork chops/spaghetti/curry/grilled cheese/ramen]
    [lasagna/beef stew/fajitas/tuna casserole/fried rice/shrimp and grits/pot roast/lentils/quesadillas]
    [stuffed peppers/turkey burgers/gumbo/clam chowder/dumplings/enchiladas/salmon]
    [sausage and peppers/mac and cheese/vegetable soup/eggplant/chicken noodle soup/ribs/cabbage rolls]
    [pierogi/black bean soup/catfish/gnocchi/jambalaya]
    """),
    "morningfood": lines("""
    [oatmeal/two eggs/scrambled eggs/toast with butter/yogurt with berries/a bagel/cold cereal/a banana]
    [peanut butter toast/granola/a smoothie/leftover pizza/an English muffin/cottage cheese/fruit]
    [half a grapefruit/waffles/a breakfast sandwich/a hard-boiled egg/cream of wheat/avocado toast]
    """),
    "drink": lines("""
    [coffee/black coffee/tea/green tea/coffee with milk/a big mug of coffee/iced coffee/water with lemon]
    """),
    "moment": lines("""
    [after lunch/late at night/around three/around four in the afternoon/before bed/on the way home]
    [while I watch TV/when I get bored/on Sunday nights/after dinner/when I'm stressed/mid-morning]
    driving| [on the road/in the truck/between stops]
    desk| [at my desk/between meetings]
    care| [on break/at the end of a shift]
    serving| [after my shift/once the rush is over]
    student| [while I study/before class]
    parent| [once the kids are in bed/while I pack lunches]
    retired| [with my afternoon coffee/while I do the crossword]
    """),
    "cut": lines("""
    [going out to eat/new clothes/beef/takeout/haircuts/travel/snacks/coffee out/streaming/concerts/wine]
    [road trips/gifts/name brands/the gym/weekends away/movies/magazines/hobbies/ordering in/lunch out]
    [seafood/cable/bowling/new shoes/car washes/desserts/nail appointments/lottery tickets/decorations]
    [long drives/craft supplies/ball games/soda/steak/books/houseplants/birthday dinners/paper towels]
    """),
    "bill": lines("""
    [rent/the electric bill/car insurance/health insurance/gas/the water bill/groceries/the phone bill]
    [property tax/heating/the dentist/internet/a new tire/the car payment/medicine/trash pickup/parking]
    [a vet visit/new glasses/the plumber/a school trip/the oil change/a prescription/bus fare/the furnace]
    """),
    "device": lines("""
    [phone/laptop/tablet/TV/printer/smart speaker/thermostat/doorbell camera/watch/router]
    """),
    "task": lines("""
    [write an email/plan a menu/fix a spreadsheet/look up a recipe/compare prices/translate a letter]
    [write a cover letter/plan a trip/explain a bill/settle an argument/find a gift/word a complaint]
    teaching| [write quiz questions/plan a lesson/draft a note to parents]
    desk| [clean up a report/summarize a long email/draft meeting notes]
    student| [outline a paper/check my math/study for a test]
    care| [look up a drug name/draft a shift note]
    selling| [write a product description/answer a customer]
    tech| [debug some code/write a test]
    retired| [figure out a crossword clue/write to my insurance]
    """),
    "kidthing": lines("""
    [practice/homework/the school play/bedtime/recess/the bus/soccer/band/the science fair/piano]
    """),
    "feature": lines("""
    [tall/heavy/quiet/bright/small/simple/sturdy/soft/light]
    """),
    "weather": lines("""
    [the heat/storms/the wind/flooding/dry spells/hail]
    cold| [the snow/ice/gray winters/the cold/freezing rain]
    hot| [the humidity/hurricane season/triple-digit days/wildfire smoke]
    """),
    "spot": lines("""
    [the beach/a lake/the mountains/the coast/a cabin/a little town/an island/a river/the woods]
    [a bed and breakfast/a campground/a national park/the desert/a fishing pier/an old city]
    """),
    "abroadplace": lines("""
    [Italy/Portugal/Ireland/Japan/Greece/Iceland/Scotland/Costa Rica/Spain/New Zealand/Norway/Peru]
    us| [Hawaii/Alaska/Maine/the Grand Canyon/Yellowstone/Savannah/New Orleans/the Oregon coast]
    """),
    "activity": lines("""
    [read/fish/hike/swim/nap/walk/cook/take pictures/play cards/float/sleep/bike/look at birds]
    """),
    "hobby": lines("""
    [gardening/reading/fishing/baking/puzzles/video games/knitting/woodworking/drawing/old movies]
    [playing guitar/crosswords/cooking/model trains/photography/watching ball games/painting/podcasts]
    active| [running/hiking/biking/swimming/lifting weights/tennis/pickup basketball/yoga]
    """),
    "show": lines("""
    [a cooking show/an old sitcom/the ball game/a crime show/a documentary/a game show/the news]
    [a home repair show/a mystery/some comedy special/a baking contest/a nature program]
    """),
    "chore": lines("""
    [the laundry/the dishes/the lawn/the bathroom/the bills/the floors/the groceries/the garage]
    """),
}

# words as they are written in the banks -> wordings that fit in the same place
_GROUPS: tuple[tuple[str, str], ...] = (
    (r"\btoo expensive\b", "[too expensive/too pricey/priced too high/more than I'd spend]"),
    (r"\ba lot more\b", "[a lot more/way more/a good deal more/far more]"),
    (r"\ba lot of\b", "[a lot of/plenty of/lots of/so much]"),
    (r"\bmost of the time\b", "[most of the time/nine times out of ten/usually/more often than not]"),
    (r"\bpeople I know\b", "[people I know/my friends/folks I know/people around me]"),
    (r"\bI'd rather\b", "[I'd rather/I would rather/I'd sooner/I'd much rather]"),
    (r"\bevery year\b", "[every year/year after year/every single year]"),
    (r"\bthese days\b", "[these days/nowadays/right now/lately]"),
    (r"\ball the time\b", "[all the time/constantly/every time I look/day in, day out]"),
    (r"\bexpensive\b(?!/|\])", "[expensive/pricey/costly]"),
    (r"\bhonestly\b", "[honestly/to be honest/frankly]"),
)
_COMPILED = tuple((re.compile(pattern), wordings) for pattern, wordings in _GROUPS)


def thesaurus(text: str) -> str:
    """Return an authored text with other wordings of common phrases written in.

    Examples
    --------
    >>> thesaurus("I see it all the time")
    'I see it [all the time/constantly/every time I look/day in, day out]'
    """
    for pattern, wordings in _COMPILED:
        text = pattern.sub(wordings, text)
    return text
