"""What people say about home: children, place, money and age. Lines as in :mod:`life_work`."""

from __future__ import annotations

from voxpop.respondents.banks import lines

PARENT = lines("""
food| With kids in the house, [snacks go fast/I have to think about what they eat too]
money| I've got kids, so [the money goes before I see it/every dollar already has a job]
tech| I have kids, so I [worry about what they see/get plenty of help with the phone]
home| As a parent, I [look at it differently/think about my kids first]
leisure| With kids, [everything takes planning/easy beats fancy every time]
body| I have kids to keep up with, so I [need the energy/try to stay healthy]
work| I have kids, so [the schedule matters as much as the pay/getting home on time counts]
*| I'm a parent, so I'm [always short on time/thinking about more than just me]
*| My kids would [tell you the same thing/roll their eyes, but that's my answer]
""")

OLDER_PARENT = lines("""
home| I raised kids, so I [know a little about it/have opinions on that]
*| My kids are grown-up enough to [argue with me/disagree] on this one
""")

URBAN = lines("""
money| City prices are [higher to begin with/no joke]
food| There are [plenty of choices/stores everywhere] where I live
home| I live in [the city/a city], so there's a lot going on
""")

RURAL = lines("""
food| I live out in the country, and the [nearest big store is a drive/choices at the store are limited]
tech| Out where I live, the [internet isn't great/signal comes and goes]
home| It's [quiet/pretty quiet] out here in the country, and I like it that way
leisure world| I live in a rural area, so [people out here see it differently/it's a drive to anything]
body| The nearest [doctor/clinic] is a drive from where I live
""")

REGIONS: dict[str, tuple[str, ...]] = {
    "New England": lines("""
money| Heating bills in {state} [eat up enough/are bad enough] already
leisure| Winters in {state} are [long/long and gray], so I plan around them
*| People here in {state} [speak their mind/don't sugarcoat things], so there you go
"""),
    "Mid-Atlantic": lines("""
money| Taxes and everything else run [high/pretty high] here in {state}
leisure home| Traffic in {state} is [bad enough/no fun], so I stay close when I can
*| That's how most people I know in {state} [talk about it/see it]
"""),
    "Great Lakes": lines("""
leisure| With the weather in {state}, you [take the nice days when you get them/never know]
money| Here in {state} people [like a good value/don't pay more than they have to]
*| I'm from {state}, we're [pretty practical/plain people]
"""),
    "Plains": lines("""
money food| Here in {state} we [keep it simple/don't waste much]
leisure home| Things are [spread out/quieter] here in {state}
*| That's just how I was raised, and [it still holds/it works] in {state}
"""),
    "South Atlantic": lines("""
leisure| It's so [hot/humid] in {state} half the year that you plan around it
money| {state} has gotten [more expensive/pricier] with everybody moving in
*| Most folks I know here in {state} [would agree/feel the same]
"""),
    "Deep South": lines("""
food| We [love our food/like to eat] here in {state}
money| Pay isn't [that high/great] in {state}, so prices matter
*| That's how folks [talk about it/look at it] here in {state}
"""),
    "South Central": lines("""
leisure| The summer heat in {state} [keeps you inside/is something else]
money| Everything in {state} has [gone up/gotten higher] the last few years
*| People here in {state} [like to make up their own minds/don't like being told]
"""),
    "Mountain": lines("""
leisure| There's plenty to do [outdoors/outside] here in {state}
money| Housing in {state} has [gotten crazy/shot up], so I cut elsewhere
*| Here in {state} people [mind their own business/do their own thing], and so do I
"""),
    "Pacific": lines("""
money| Living in {state} is [expensive enough/not cheap] as it is
world food| You see a lot of [that/it] here in {state}
*| That's pretty [normal/common] here in {state}
"""),
}

DIVISIONS: dict[str, str] = {
    code: name
    for name, codes in {
        "New England": "CT ME MA NH RI VT",
        "Mid-Atlantic": "NY NJ PA DE MD DC",
        "Great Lakes": "IL IN MI OH WI",
        "Plains": "IA KS MN MO NE ND SD",
        "South Atlantic": "FL GA NC SC VA",
        "Deep South": "AL KY MS TN WV LA AR",
        "South Central": "OK TX",
        "Mountain": "AZ CO ID MT NV NM UT WY",
        "Pacific": "AK CA HI OR WA",
    }.items()
    for code in codes.split()
}

TIGHT = lines("""
money| I'm [on a tight budget/stretching things right now], so that matters a lot
money food| I shop [with a list and a limit/where it's cheapest], because I have to
money| There isn't a lot [left over/to spare] at my house each month
leisure money| Extras have to [wait/come after the bills]
*| I [have to think about what things cost/can't afford many mistakes], so I'm careful
body home| When money is tight, you [put some things off/make do]
""")

MIDDLE = lines("""
money| We do [okay/all right], but I still keep an eye on prices
money food| I can afford the basics, but I [like a sale/don't throw money around]
leisure| I can [swing it/manage it] once in a while if I plan ahead
money| I'm somewhere in the middle, so [a big bill still stings/I pick what to spend on]
""")

COMFORTABLE = lines("""
money| I'm [fortunate/lucky] that I don't have to watch every dollar
money food| I can pay a little more, but I [want something for it/still don't like being overcharged]
leisure| I'm comfortable enough to [do it right/go when I want]
money| Money isn't the [main thing for me/issue], quality is
""")

AGES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (
        24,
        lines("""
money| At {age} I'm just [starting out/getting on my feet]
tech| I'm {age}, so I [grew up with this stuff/don't remember it any other way]
leisure work| I'm only {age}, so [a lot could change/I've got time]
*| Most people my age would [say the same/agree], I think
"""),
    ),
    (
        34,
        lines("""
money| I'm {age} and [trying to get ahead/still building things up]
food| At {age} I've started to [notice what I eat/think about what I eat]
body| At {age} I can feel it when I [don't sleep/don't move]
tech| I'm {age}, so I'm [used to doing things on my phone/pretty comfortable with all that]
*| I'm {age}, and my friends [say the same/and I talk about this]
"""),
    ),
    (
        49,
        lines("""
food body| Now that I'm {age}, I [have to be more careful/can't eat like I used to]
money| At {age} I think about [what things cost later on/saving] more than I used to
tech| I'm {age}, so I [remember doing it without/learned it as I went]
*| At {age} I [know what I like/don't have time for nonsense]
"""),
    ),
    (
        64,
        lines("""
food body| At {age} I have to [pay attention/think about my health]
money| I'm {age} and [thinking about the years ahead/planning for later on], so I don't waste money
tech| At {age} I [keep up as best I can/use what I need]
*| I'm {age}, I've [learned a thing or two/heard it all before]
"""),
    ),
    (
        200,
        lines("""
food body| At {age} I [eat less than I used to/keep it simple]
tech| I'm {age}, so some of that is [beyond me/a stretch for me]
money| At {age} I [remember when things cost a lot less/don't need much]
*| I'm {age}, so [take it for what it's worth/I've seen it before]
"""),
    ),
)
