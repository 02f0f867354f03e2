"""Sides of each topic that people praise (``p``) and complain about (``q``), as singular noun phrases."""

from __future__ import annotations


def _sides(p: str, q: str) -> dict[str, tuple[str, ...]]:
    return {"p": tuple(p.split("/")), "q": tuple(q.split("/"))}


ASPECTS: dict[str, dict[str, tuple[str, ...]]] = {
    "indulgence": _sides(
        "the crunch/the first bite/a bit of chocolate at night/the salt/a sweet end to the day/sharing a bowl"
        "/the smell of it/a small treat/the taste/having something on the couch/the comfort of it/a cold scoop",
        "the sugar/the sodium/the price of a bag/the palm oil/not being able to stop/the crash afterwards"
        "/the half-empty bag/the guilt/what it does to my waist/the food coloring/eating out of boredom/the label",
    ),
    "healthy_living": _sides(
        "the energy I get/sleeping better/a short label/less sugar/how clothes fit/real fruit/cooking at home"
        "/a steady afternoon/knowing what's in it/a lighter stomach/my last blood test/drinking water",
        "the aftertaste/the price tag/the sweetener/the cardboard texture/planning every meal/the marketing"
        "/giving up dessert/the tiny box/being preached at/the chalky taste/the cooking time/not feeling full",
    ),
    "portions": _sides(
        "less waste/not feeling stuffed/the lower bill/room for dessert/sleeping on a light stomach/a half order"
        "/the right amount/fewer leftovers to throw out/feeling in control/one plate that fits me",
        "the same price for less/leaving hungry/the missing leftovers/all that packaging/being told how much to eat"
        "/the tiny plate/paying twice to get full/the shrinking box/a second stop for food/the bare plate",
    ),
    "convenience": _sides(
        "the time it saves/skipping the line/a full fridge without the drive/the saved list/the pickup lane"
        "/not carrying bags/dinner in twenty minutes/ordering at midnight/an evening back/seeing the total first",
        "the delivery fee/the tip screen/the wrong substitute/the bruised fruit/the packaging/the late driver"
        "/the markup/not picking my own tomatoes/the cold food/the missing bag/the two-hour window/the app",
    ),
    "meals": _sides(
        "a hot pan in the morning/a pot that lasts three days/eating at the table/the smell of onions/fresh bread"
        "/something quick/my own kitchen/a real breakfast/not spending much/a recipe I know by heart",
        "the dishes/not knowing what to make/the price of food/the time it takes/eating alone/the shopping"
        "/the same five dinners/being too tired to cook/a rushed bite/the mess",
    ),
    "restaurants": _sides(
        "the company/not washing up/a hot plate/the corner booth/the lunch special/a kind waitress/the bread"
        "/trying something new/the smell of the grill/a fair bill/eating slowly/the Friday fish",
        "the bill/the noise/the wait/the tip/the salt/the cold fries/the tiny table/the parking/the code menu"
        "/the music/the service charge/a sticky table",
    ),
    "coffee": _sides(
        "the first sip/the smell/the quiet before work/a warm cup/the routine/the kick/a friendly counter"
        "/sitting down for ten minutes/a strong brew/the taste",
        "the price of a cup/the jitters/the line/all that syrup/the burnt taste/lying awake/the paper cup"
        "/needing it/the bitter end/the heartburn",
    ),
    "alcohol": _sides(
        "the company/a cold glass on a hot day/the taste with dinner/winding down/the local brewery/a toast",
        "the morning after/the price/the lost sleep/the pressure to join in/what it did to my family/the calories"
        "/somebody driving home/the loud bar",
    ),
    "price": _sides(
        "a good sale/the store brand/buying in bulk/the coupon app/cooking from scratch/a freezer full"
        "/the discount grocer/gas coming down/planning the week/a fair deal now and then",
        "the grocery bill/the electric bill/the rent/the shrinking box/car insurance/the price of beef/a cart of nothing"
        "/pay that doesn't keep up/the cost of eating out/filling the tank/medicine/every small fee/the next increase",
    ),
    "price_rise": _sides(
        "the notice they gave/the quality/how long they held out/the people there/the use I get out of it",
        "the size of the jump/the timing/no warning/getting less for it/the form letter/the second one this year"
        "/the excuse/paying more for the same thing/the fine print",
    ),
    "money_worry": _sides(
        "the small cushion/no card debt/the automatic saving/a steady check/the paid-off car/writing it all down",
        "the card balance/one big bill/the rent/retirement/the interest/the end of the month/medical bills"
        "/losing hours/having no cushion/helping family/the car giving out/the next emergency",
    ),
    "brand": _sides(
        "the price/what I'm used to/the smell/the taste/how long it lasts/the ingredients/my mother's habit"
        "/a coupon/what's on the shelf/a friend's word/the size/the texture",
        "the logo tax/the new formula/the fancy box/too many choices/the advertising/the empty promise/the price gap",
    ),
    "banking": _sides(
        "the app/the fraud alert/a teller who knows me/no monthly fee/the Saturday hours/depositing by phone"
        "/a person on the line/the drive-through/the interest rate/never waiting/the credit union feel",
        "the overdraft fee/the hold music/the closed branch/the code I never get/the savings rate/the phone menu"
        "/the login/the hidden fee/a frozen card/the pushy loan offers/the card interest/the Saturday hours they cut",
    ),
    "streaming": _sides(
        "one good show/the old movies/no schedule/the kids' programs/the price next to cable/the ball games"
        "/watching in bed/the documentaries",
        "another price increase/the ads/my show leaving/endless scrolling/the password rule/paying for four of them"
        "/nothing new to watch/the freezing picture/an empty month/a cheaper one",
    ),
    "novelty": _sides(
        "the surprise/something to talk about/a break from routine/the small risk/finding a favorite",
        "the wasted money/the hype/learning it all over/the price of being first/missing my old one/the bugs",
    ),
    "service": _sides(
        "the woman at the counter/an easy return/a real person/the short line/the clean floor/being remembered"
        "/a quick fix/the honest answer/a callback that came/the help with the bags/the patience",
        "the wait/the phone menu/the one open register/the rude clerk/the return policy/the chatbot/the empty shelf"
        "/being passed around/the self-checkout/the closed desk/the shrug/the wrong price/the parking lot",
    ),
    "shoes": _sides(
        "the fit/the cushion/the grip/the arch support/the width/the price/the sole/how they hold up/the weight"
        "/room for my toes/real leather/the color/the heel/the return policy/walking all day in them",
        "the narrow toe/the thin sole/the price/the glue/the blister/the odd sizing/the loud logo",
    ),
    "clothes": _sides(
        "the fit/cotton/a sale/pockets/the fabric/easy washing/a plain color/the length/the seams",
        "the sizing/the thin cloth/the price/the polyester/the missing pockets/the seams/the changing room",
    ),
    "insurance": _sides(
        "the peace of mind/my agent/the windshield they paid for/the checkups/a plain bill",
        "the premium/the deductible/the denial letter/the network list/the fine print/the surprise bill"
        "/the phone tree/paying for nothing/the yearly jump",
    ),
    "technology": _sides(
        "the time it saves/talking to family on video/the map/not losing notes/the big print/the reminders"
        "/looking things up/paying from home/the camera/turning off lights from bed/the translation",
        "the password/the update/the monthly fee/the tiny buttons/the ads/the broken charger/the help line"
        "/being tracked/the learning curve/the screen time/the price/the dead battery/losing the human touch",
    ),
    "ai": _sides(
        "the time it saves/the first draft/the patient answers/the translation/what it may do for medicine"
        "/the boring work it takes/help with letters/the quick summary/the recipe ideas/catching mistakes",
        "the made-up answers/the fake videos/the lost jobs/who owns it/kids not thinking/the copied voices"
        "/nobody being responsible/the electricity/the speed of it all/the theft from artists/trusting it blindly"
        "/the election lies/being watched/the missing human/what comes next/the scams/a computer saying no",
    ),
    "social_media": _sides(
        "the family pictures/the recipes/old classmates/the local group/the funny clips/the how-to videos"
        "/the birthday reminders/hearing from cousins/the music/the small shops/the support group",
        "the arguing/the ads/the fake posts/the time I lose/the bragging/the politics/what it does to kids"
        "/the endless feed/the strangers/the scams/the comparing/the outrage/the notifications/being sold to",
    ),
    "privacy": _sides(
        "the coupons/the fraud alerts/the settings menu/the good password/having little to hide",
        "the leak letter/the fine print/the listening phone/the tracking/the data brokers/the microphone"
        "/not knowing who has it/the health records/the camera/the stolen number/the creepy ad",
    ),
    "ev": _sides(
        "the quiet/skipping the gas pump/the cheap night charge/the pickup speed/the clean air/no oil change"
        "/the smooth ride/the tax credit/the heated seat/the lower upkeep/the look of it/home charging",
        "the price/the range/the wait at a charger/the battery bill/the cold weather/the lack of chargers"
        "/the resale/the towing/the insurance/the tire wear/the screen/the mining/nowhere to plug in/the repair cost",
    ),
    "telehealth": _sides(
        "no waiting room/the saved drive/the same-day slot/staying on my couch/the quick refill/not catching a cold"
        "/the lunch-hour visit/the lower copay/seeing my own doctor/the evening hours",
        "the frozen picture/not being examined/the stranger on screen/the login/the full-price bill/the rush"
        "/talking to a square/the bad signal/having to go in anyway",
    ),
    "remote": _sides(
        "the lost commute/the quiet/the lunch at home/the saved gas/the flexible hours/the school run"
        "/fewer meetings/a better life for some/cheaper towns/the empty roads",
        "the loneliness/the blurred hours/the lost training/slow answers/the kitchen table/the unfairness to the rest of us"
        "/empty downtowns/the video calls/missing the crew/the slacking",
    ),
    "internet": _sides(
        "the speed/the steady signal/the flat price/the quick repair/the coverage in town",
        "the outages/the creeping bill/the hold time/the dead spot/the fake promo/the only choice/the equipment fee",
    ),
    "job": _sides(
        "the crew/the short drive/the steady check/my boss/the insurance/the quiet mornings/the freedom"
        "/helping people/learning something/the weekends off/the view from my desk/the customers/the benefits"
        "/being trusted/leaving it behind at five/the pride in it/the variety/the pension",
        "the pay/the schedule/the meetings/the short staffing/the commute/the office politics/the paperwork"
        "/the stress/no chance to move up/the broken equipment/the micromanaging/the weekend shift/the noise"
        "/the mandatory overtime/the software",
    ),
    "family": _sides(
        "dinner together/the laughing/bedtime/watching them grow/the Sunday call/a safe street/the small hugs",
        "the screens/the cost of everything/the traffic on our street/the strangers online/the rush/child care"
        "/the vaping/the peer pressure/the worry at night/the bad news",
    ),
    "school": _sides(
        "the teachers/the small classes/the locked doors/the band/the principal/the text alerts/the library"
        "/the reading program/the lunch ladies/the field day",
        "the class size/the phones/the bullying/the drills/the testing/the old building/the bus/the cut programs"
        "/the fees/the drugs/the fighting/the teacher turnover/the silence after a threat/the screens",
    ),
    "safety": _sides(
        "the streetlight/the neighbors/the quiet block/the new lock/the quick ambulance/knowing everyone",
        "the speeding/the break-ins/the dark corner/the package thieves/the guns/the scams/a fall/the slow response",
    ),
    "life": _sides(
        "my health/a quiet morning/the people around me/a paid bill/the garden/a full night's sleep/my faith"
        "/small things/a place of my own/laughing with friends/still being here",
        "the bills/the loneliness/the aches/the news/the routine/the tired feeling/the worry/being stuck/the losses",
    ),
    "future": _sides(
        "the young people/the savings I have/my health so far/the new medicine/a calm year/the people I trust",
        "the cost of living/the climate/my health/being alone/the division/retirement/the job market/war"
        "/the machines/the debt/losing my memory/the next generation's chances/the water/health care"
        "/who takes care of me/the rent/the politics/running out of money",
    ),
    "strain": _sides(
        "a full night's sleep/the walk after work/saying no/the quiet house/my garden/a good talk",
        "the money/the lack of sleep/the deadlines/the caregiving/the phone/the news/the noise/the to-do list"
        "/the early alarm/the worry at night",
    ),
    "faith": _sides(
        "the singing/the quiet/the people/the comfort/the supper after/a prayer in the morning/the hope",
        "the judging/the politics/the money talk/the gossip/the empty pews/the rules",
    ),
    "pets": _sides(
        "the company/the morning walk/the welcome at the door/the warm weight on my feet/the laugh every day",
        "the vet bill/the hair/the barking/the price of food/the goodbye/the leash nobody uses",
    ),
    "place": _sides(
        "the quiet/the neighbors/the trees/the park/the short drive/the library/the view/the price of a place"
        "/the diner/the sunsets/the weather/the river/knowing everybody/the corner store/the porch/the schools"
        "/the farmers market/the walk to everything/being near family/the slow pace/the old houses",
        "the rent/the traffic/the noise/the potholes/the distance/the taxes/the winters/the crime/the lack of work"
        "/the empty storefronts/the new buildings/the parking",
    ),
    "relax": _sides(
        "a good book/the porch/a long bath/the garden/a ball game/music/a slow walk/a nap/fishing/a puzzle/cooking"
        "/the couch/an old movie/a phone call with a friend/the quiet/a drive/some baking/a card game/sewing/the radio"
        "/sitting by the water/a video game/a cup of tea/the crossword/a bike ride/church music/doing nothing",
        "the chores/the phone/never having an hour/the noise/being too tired/my own head/the next day's work",
    ),
    "car": _sides(
        "reliability/the price/the mileage/the seat/safety/room in the back/the warranty/the visibility"
        "/the repair record/the insurance cost/the ride height/the trunk/real buttons/a low payment/the heater"
        "/a quiet cabin/the service history/good tires/easy parking",
        "the payment/the repairs/the touch screen/the dealer fee/the gas/the rust/the add-ons/the blind spot",
    ),
    "politics": _sides(
        "the local office/the poll workers/the fixed road/a straight answer/the town meeting/voting early",
        "the shouting/the money/the lies/the gridlock/the ads/the age of them/the broken promises/the tax bill"
        "/the insider trading/the finger-pointing/nobody listening/the shutdowns",
    ),
    "trust": _sides(
        "the track record/a straight answer/the apology/the years/a real name/the open books",
        "the fine print/the broken promise/the hidden fee/the excuses/the cover-up/the smooth talk",
    ),
    "news": _sides(
        "the local reporters/the weather/the named sources/the corrections/the long pieces/hearing two sides"
        "/the radio in the morning/the investigations/the calm voice/the facts on paper",
        "the shouting/the slant/the panic/the ads/the headlines/the missing half/the opinion/the celebrity gossip"
        "/the repeat of one clip/the owner's agenda/the anonymous source/the speed/the fear selling/the crime",
    ),
    "sustainability": _sides(
        "insulation/solar on schools/cleaner water/a tax on the big polluters/better trains/planting trees"
        "/fewer plastic bags/saving on power/wind power/a real plan/reusing things/local food/nuclear power"
        "/help for people who retrofit/fixing the grid/protecting the forests/stricter limits on plants",
        "the cost to people like me/the hypocrisy/the private jets/the plastic wrap/the slow pace/the empty pledges"
        "/the rules for farmers/the gas price/the greenwashing/the doom talk/the mandate/the new tax/the imports",
    ),
    "health_worry": _sides(
        "my last checkup/the walking/a doctor who listens/sleeping well/my numbers/feeling strong/the right pill",
        "the bills/my family history/the waiting/the side effects/getting old/the weight/a stroke/cancer/the pain"
        "/not being believed/my heart/losing my independence/the cost of pills/falling/my memory/the blood pressure",
    ),
    "doctor": _sides(
        "being listened to/the distance/the insurance list/a kind front desk/the wait time/a plain answer"
        "/experience/a friend's recommendation/time for questions/an evening slot/clean rooms/knowing my history"
        "/eye contact/the cost up front/a nurse who calls back/a gentle manner/the reviews",
        "the wait/the rushed visit/the typing/the bill/the phone line/the brush-off/the parking/a new face each time",
    ),
    "care": _sides(
        "the walking/the routine/cooking on Sundays/a friend who joins me/the pill box",
        "the time/the cost/the willpower/the sweets/the sleep/the stress/the long workday/the pain/the cold months"
        "/starting over/the appointments/eating alone/the late nights/the exercise/remembering the pills/the cravings",
    ),
    "exercise": _sides(
        "the fresh air/the walking partner/the sleep after/a lighter step/the pool/the clear head/the stretch",
        "the membership fee/my knees/the mirrors/the dark mornings/the time/the first ten minutes/the soreness",
    ),
    "tobacco": _sides(
        "the break/the choice/quitting/the fresh air since/the money saved",
        "the smell/the price/the cough/the vaping kids/the doorways/the craving/the litter/the cancer",
    ),
    "medicine": _sides(
        "the relief/the low copay/the pharmacist/feeling normal/the once-a-day pill/the steady numbers",
        "the price/the side effects/the ads/the refill runaround/the stack of bottles/the shortage/the dependence",
    ),
    "selfcare": _sides(
        "the price/the smell/the taste/what my dentist says/the fluoride/my skin/habit/the ingredients/a coupon"
        "/the size/no dye/the clean feeling/the gentle kind/the brand I know/the package/how long it lasts",
        "the scent/the price/the claims/the burning/the shrinking tube/the long list of chemicals/the tiny bottle",
    ),
    "travel": _sides(
        "the water/the quiet/the food/waking up somewhere else/the road/time with people I love/the museums/the hills",
        "the cost/the packing/the crowds/the airport/the heat/the strange bed/the long drive/getting sick away from home",
    ),
    "flying": _sides(
        "the speed/the view/a kind crew/the short trip/the aisle seat/getting there by noon",
        "the legroom/the security line/the bag fee/the delays/the middle seat/the parking/the dry air/the boarding"
        "/the food/the noise/the armrest fight/the connections/the cost/the crying/the turbulence/the hard seat"
        "/the rush to the gate/being crammed in/the germs",
    ),
    "hotel": _sides(
        "the bed/the quiet/the breakfast/the shower/the location/the clean sheets/the late checkout/the front desk"
        "/the dark curtains/free parking/a fair price/the elevator/a real window/the pillow",
        "the resort fee/the thin walls/the carpet/the noise/the parking fee/the price/the weak shower/the smell",
    ),
    "ad": _sides(
        "the music/the dog/the ending/the clear price/the real people/the colors/the joke/the short length/the voice"
        "/the picture of the product/the honest tone/the old photographs",
        "the jingle/the length/the volume/the fake smiles/the missing price/the tiny print/the slogan/the mood"
        "/the repetition/the models/the fast cuts/the hard sell/the vague promise",
    ),
    "assent": _sides(
        "the idea behind it/the convenience/the price/how simple it is/what I've heard/the effort they made"
        "/the people behind it/the quality",
        "the price/the hassle/the promises/the fine print/how little it changes/the fuss/the quality/the attitude",
    ),
}
