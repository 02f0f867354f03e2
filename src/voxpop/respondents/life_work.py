"""What people say about their working life: 23 occupation groups and those without a job.

A line is ``families| sentence``: the families of topics it fits (``*`` fits all), then a sentence without its
full stop. Slots: {job} ("a cashier"), {state}, {age}.
"""

from __future__ import annotations

from voxpop.respondents.banks import lines

ANY_JOB = lines("""
*| [I say that/I'm saying that] as {job}, for what it's worth
*| I'm {job}, so that's [where I'm coming from/the angle I see it from]
*| As {job} here in {state}, [that's my take/that's how I see it]
money| What I make as {job} [only stretches so far/has to cover a lot]
money| I work for my money as {job}, so I [think before I spend/like to spend it carefully]
food| After a day as {job} I [want something easy/don't want to think too hard]
tech| I use [a phone/a screen] enough as {job} to know what works and what doesn't
body| Working as {job}, I have to [look after myself/pace myself]
work| I've been {job} [long enough to know/for a while now], so I've seen a few things
""")

JOBS: dict[str, tuple[str, ...]] = {
    "Management": lines("""
*| I manage people for a living, so I [ask what it costs and who does it/look at the practical side first]
money| I [look at budgets/go over numbers] at work all day and do the same at home
food body| I'm in meetings [most of the day/till late], so lunch is whatever's quick
work| Being in charge means I [get the phone calls/carry it home with me] when things go wrong
"""),
    "Business and Financial Operations": lines("""
money| I work with numbers, so I [do the math before I buy/like to see it on paper]
*| My work is [checking the details/reading the fine print], and it's hard to turn that off
food body| I sit at a desk all day and [snack too much/need something to break it up]
work| Month-end is always [crazy/long hours] for us
"""),
    "Computer and Mathematical": lines("""
tech| I work in tech, so I [know how the sausage is made/see what can go wrong]
money| I read [too many reviews/the specs] before I buy anything
food body| I'm at a keyboard all day, so I [try to watch it/have to make myself get up]
work| The tools change every year and [you have to keep up/you never stop learning]
"""),
    "Architecture and Engineering": lines("""
*| I'm an engineering type, so I [want to see the data/look at how it's built]
money| I'd rather buy something [well made/built right] and keep it
tech| I like knowing how it works before I [rely on it/trust it]
work| The deadlines [pile up/all land at once], but the problems are interesting
"""),
    "Life, Physical, and Social Science": lines("""
*| I work around research, so I [look for evidence/like to see where a claim comes from]
food body| I've read enough studies to know [one study isn't proof/headlines oversell them]
money| Science pay isn't [what people think/great], so I watch what I spend
work| Funding [comes and goes/is never certain], and that hangs over everything
"""),
    "Community and Social Service": lines("""
*| I work with people in tough spots, and that [shapes how I see it/changes what you think matters]
money| Nobody gets rich in social services, so I [budget/count my dollars]
home body| I hear [people's troubles/hard stories] all day, so I need quiet at home
work| The caseload is [heavy/too big], but the people are why I stay
"""),
    "Legal": lines("""
*| I work around the law, so I [read the fine print/want it in writing]
money| I've seen what happens when people [sign without reading/don't read the terms]
food body| Long days at a desk mean I [eat at odd hours/grab what's close]
work| The hours are long and [everything is urgent/the phone never stops]
"""),
    "Educational Instruction and Library": lines("""
home world| I work in education, so I [see it from the inside/see how it affects kids]
money| On a school paycheck I [plan my spending/buy things on sale]
food body| I get about [twenty minutes/fifteen minutes] for lunch, so it has to be simple
work| The students make it [worth it/worth getting up for], even on the long days
"""),
    "Arts, Design, Entertainment, Sports, and Media": lines("""
world tech| I work in a creative field, so I [notice how things are presented/look at the design first]
money| My income [goes up and down/isn't the same every month], so I'm careful
food leisure| My hours are [all over the place/odd], so I take what I can get
work| Creative work is [feast or famine/fun until the deadline]
"""),
    "Healthcare Practitioners and Technical": lines("""
body food| I work in health care, so I see what happens down the road
body food| I work in health care, so I see the results of bad habits every day
*| After [a long shift/twelve hours] on my feet, I want things simple
money| I work hard for what I earn, so I [don't throw it away/expect my money's worth]
work| We're short-staffed most [weeks/days] and the patients notice
"""),
    "Healthcare Support": lines("""
body food| I take care of [patients/people] for a living, so health is on my mind
money| Care work doesn't pay [a lot/what it should], so every dollar counts
home| I look after others all day and [try to save some for home/come home tired]
work| It's heavy work, but [the people are sweet/I feel needed]
"""),
    "Protective Service": lines("""
home world| In my line of work you [see the worst of it/learn to spot trouble], so I pay attention
money| Overtime [helps/pays for the extras], but I still watch what I spend
food body| Shift work makes it hard to [eat right/keep regular meals]
work| You never know what a shift [will bring/is going to be like]
"""),
    "Food Preparation and Serving Related": lines("""
food| I'm around food all day at work, so I [notice quality/know what goes into it]
money| Working in food service, I [watch my money/don't have a lot for extras]
*| I'm on my feet the whole shift, so [I like things quick and easy/my patience runs short]
work| Weekends and holidays are [when I work the most/the busiest], that's the job
"""),
    "Building and Grounds Cleaning and Maintenance": lines("""
*| I do physical work, so I [like things practical/go for what works]
money| My paycheck goes to [bills/rent and groceries] first
world home| I clean up after people for a living, so I [see how much gets thrown out/notice the mess]
work| People don't notice you [until something isn't clean/until you miss a day]
"""),
    "Personal Care and Service": lines("""
*| I deal with [clients/people] all day, and you hear a lot of opinions
money| Some weeks are [slow/good] and some aren't, so I don't overspend
food body| I eat between [clients/appointments], so it has to be quick
work| The regulars make [the day/it fun], and I like seeing people leave happy
"""),
    "Sales and Related": lines("""
*| I work in sales, so I [know a pitch when I hear one/can tell a pitch from the real thing]
money| I know what the markup is on [most things/a lot of stuff], so I wait for a deal
food leisure| I'm dealing with customers all day, so I [like it easy afterwards/want some quiet after]
work| A good month is great and [a slow month hurts/a bad one you feel]
"""),
    "Office and Administrative Support": lines("""
*| I'm the one at the office who [keeps things organized/gets asked how everything works]
food body| There's always [a box of donuts/candy] around the office, which doesn't help
money| Office pay is [steady but not big/okay], so I plan my purchases
work| Half my day is [fixing other people's mistakes/answering the same questions]
"""),
    "Farming, Fishing, and Forestry": lines("""
food world| I work outdoors in agriculture, so I [know where food comes from/see what weather does]
money| Income depends on [the season/the weather], so I don't spend it before I have it
*| I'm up early and work [outside/with my hands], so I keep things simple
work| It's hard on the body, but [I like being outside/I'd hate a desk]
"""),
    "Construction and Extraction": lines("""
*| I work [construction/on job sites], so I go for what holds up
food| I eat out of a [cooler/lunch box] on the site, so it has to be filling
money| Work slows down [some months/in bad weather], so I keep some back
work| It's tough on the [back/knees], but you can see what you built
"""),
    "Installation, Maintenance, and Repair": lines("""
tech money| I fix things for a living, so I [see what breaks/know what's built cheap]
*| I'd rather have something [I can repair/that lasts] than something fancy
food| I'm on the road between jobs, so I [eat in the truck/eat whatever's close]
work| People are glad to see you when [something's broken/nothing works], so that's nice
"""),
    "Production": lines("""
*| I work in a plant, so I [know how things get made/notice when quality slips]
food body| Shift work throws off [my meals/when I eat], so I keep it simple
money| Overtime comes and goes, so I [don't count on it/budget without it]
work| The line doesn't stop, so [the breaks matter/you look forward to the whistle]
"""),
    "Transportation and Material Moving": lines("""
*| I'm moving all day at work, so I [like things that are quick/don't have time to fuss]
food body| I eat on the go [most days/a lot], so it has to be handy
money| With what gas and [food/groceries] cost, I keep an eye on every dollar
work| It's long hours and [tight schedules/heavy loads], but nobody's over my shoulder
"""),
    "Military Specific": lines("""
*| I'm in the service, so I'm used to [doing without/making do]
money| Military pay is steady, but [it's not huge/you don't get rich]
food body| I have to stay fit for the job, so I [watch what I eat/keep an eye on that]
work| You don't pick your hours, but [the people beside you make it worth it/you learn a lot]
"""),
}

STATUSES: dict[str, tuple[str, ...]] = {
    "retired": lines("""
*| I'm retired, so I [have time to think about these things/take things slower now]
money| I'm retired and on a [fixed/set] income, so I watch what I spend
food body| Now that I'm retired, I [cook more and pay attention/try to take care of myself]
leisure| Being retired, I can [pick my days/do it when I want]
tech| I'm retired and didn't [grow up/start out] with all this, but I get by
*| I'm {age} and retired, so I've [seen a lot come and go/been around the block]
world| I'm retired, so I [follow the news/read the paper] more than I used to
"""),
    "student": lines("""
money| I'm a student, so [money's tight/I'm on a student budget]
*| I'm still in school, so I [don't have a lot of time/keep it simple]
food| As a student I eat [between classes/whatever is quick and cheap]
tech| I'm a student, so [everything I do is/I'm always] on my laptop or phone
home world| I'm studying right now, so [my plans could change/I'm still figuring things out]
"""),
    "homemaker": lines("""
*| I run the house, so I'm [the one who decides most of this/usually the one who deals with it]
money| I do the shopping and the budget, so I [see every price go up/know what things cost]
food| I cook at home [most nights/every day], so I think about what goes on the table
home| I'm home during the day, so I [see how it works/notice these things]
leisure body| Keeping a house going doesn't leave [much time for me/a lot of free time]
"""),
    "unemployed": lines("""
money| I'm out of work at the moment, so I [can't spend much/have to be careful]
*| I'm between jobs, so I [think harder about what I need/have other things on my mind too]
food| While I'm looking for work I [eat at home/buy the basics]
home body| Looking for work is [stressful/wearing me out], I won't lie
leisure| Until I find a job, [extras have to wait/I'm staying close to home]
"""),
    "disabled": lines("""
*| I have a disability and can't work, so [easy to use matters to me/simple is better]
money| I'm on disability, so [there's not much extra/I plan every dollar]
body| With my disability I have to [plan around good days and bad days/be careful]
leisure home| I don't get out [as much as I'd like/a lot], so I notice what's easy to get to
tech| I can't get out much, so I [do a lot from home/depend on things I can do from home]
"""),
    "other_not_in_labour_force": lines("""
*| I'm not working right now, so I [have a bit more time/see it from home]
money| I'm not bringing in a paycheck, so I'm [careful with money/slow to spend]
food| I'm home more these days, so I [eat at home/cook more]
leisure home| I'm not working at the moment, so my days are [my own/pretty open]
"""),
}

NOT_WORKING: dict[str, tuple[str, ...]] = {
    "retired": lines("""
I'm retired, so I'll answer for [the job I had/my last job]
I'm retired now, but [looking back/when I worked]
I don't work anymore, but I [remember it well/can tell you how it was]
Retired now, so [this is about my old job/going by my last job]
I've been done working [for a while/since I retired], so this is from memory
"""),
    "student": lines("""
I'm a student, so I only know [jobs I've had on the side/summer jobs]
I'm still in school, so going by [the part-time jobs I've had/my last part-time job]
I don't have a job while I'm in school, but [in the last one/at my last one]
"""),
    "homemaker": lines("""
I'm home full time now, but at [my last job/the last place I worked]
Taking care of the house is my job, so going by [my last paid one/the job I had before]
I don't work outside the home right now, but [when I did/before that]
"""),
    "unemployed": lines("""
I'm out of work right now, so going by [my last job/the job I had]
I'm between jobs, but at [my last one/the last place]
I'm looking for work, so I'll talk about [my last job/the one I lost]
"""),
    "disabled": lines("""
I can't work anymore because of a disability, but [when I did/back when I worked]
I'm on disability, so this is about [my old job/the last job I had]
I had to stop working, so going by [the last job I had/my old job]
"""),
    "other_not_in_labour_force": lines("""
I'm not working right now, but at [my last job/the last place I worked]
I don't have a job at the moment, so going by [my last one/the one I had]
I'm taking a break from work, but [in my last job/when I worked]
"""),
}

MEMORY_GOOD = lines("""
I liked [the people I worked with/my coworkers/the crew]
the hours were [steady/regular]
I got to [help people/do something useful]
my boss [treated people fairly/left me alone to do the work]
the pay was [fair/decent] for what I did
no two days were [the same/alike]
I felt [appreciated/needed] there
I learned [a lot/something new all the time]
the customers [were mostly nice/got to know me]
it was [close to home/an easy drive]
I was [good at it/proud of the work]
the benefits were [good/better than most]
we [laughed a lot/had fun], even on bad days
I could [see what I'd done/point to something] at the end of the day
""")
MEMORY_BAD = lines("""
the pay [never kept up/wasn't enough for the work]
we were always [short-handed/short on people]
management [didn't listen/had no idea what we did]
the hours were [too long/all over the place]
nobody [said thank you/noticed good work]
there was [no room to move up/nowhere to go]
I came home [worn out/too tired to do anything]
the schedule changed [every week/at the last minute]
there was too much [paperwork/office politics]
they kept [adding more work/piling it on]
the benefits [got worse every year/were nothing special]
some of the bosses [played favorites/were hard to work for]
it was hard on [the body/my back]
it got [boring/repetitive] after a while
""")
