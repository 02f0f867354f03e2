"""Answers that tell something: a morning, a day, an evening, a good trip, plans for time off."""

from __future__ import annotations

from voxpop.respondents.banks import lines

WAKE = lines("""
I'm up [around six/by six/at five thirty/at six fifteen/a little before seven/around seven/by six thirty]
I usually get up [around five/around six thirty/around seven/at a quarter to six/before it's light out]
The alarm goes off at [five/five thirty/six], and I hit snooze [once/twice/a couple of times]
The alarm goes off at [six thirty/six forty-five], and I hit snooze [once/twice/a couple of times]
I wake up [on my own/without an alarm/before the alarm] [around six/around seven/pretty early most days]
I get up [at five forty-five/at six ten], [ready or not/no matter what/tired or not]
I get up at the same time every day, [ready or not/no matter what/tired or not]
My day starts [around six/around five thirty], [slow at first/not always cheerful]
My day starts [a bit after six/close to seven], [slow at first/not always cheerful]
""")
WAKE_LATE = lines("""
I get up [around eight/around seven thirty/around nine/whenever I wake up], [no alarm/no rush]
I don't set an alarm [anymore/most days] and get up [around seven/around eight/when I'm rested]
I wake up [at five/at six/around six thirty/early] [out of habit/whether I want to or not]
I'm a slow starter, so I [get going around nine/lie there a while/take my time getting up]
My mornings start [around seven/around eight/with the sun coming in], [nice and slow/nothing special]
""")
FIRST = lines("""
Coffee comes first, and then I [check my phone/look at the weather/see what's on the news/sit for a bit]
[I start the coffee/I put the coffee on] and [feed myself something quick/look out the window]
[I start the coffee/I put the coffee on] and read the headlines
I make [a cup of tea/some tea/a big cup of coffee] and [sit for a few minutes/wake up slowly]
I make [a cup of tea/some tea/a big cup of coffee] and watch the morning show
I [take a quick shower/shower and get dressed/wash my face and get dressed] before I do anything else
I [open the blinds/stretch a little/make the bed] and [wash up/get some clothes on], nothing fancy
I turn on [the news/the radio/some music] while I [get breakfast together/get dressed/wait on the coffee]
I drink [a glass of water/my coffee/some juice] and [scroll through my phone/check the weather]
I drink [a glass of water/my coffee/some juice] and look over the day
First thing I [check my messages/look at my phone], [which I know is a bad habit/then I get moving]
First thing I let some air in, [which I know is a bad habit/then I get moving]
""")
NEXT = lines("""
Breakfast is [toast and eggs/cereal/oatmeal/yogurt and a banana/whatever is left over/a bagel/just a banana]
I eat [something small/a bowl of cereal] [standing up/at the counter/at the table/while I read]
I eat [eggs/a piece of toast] [standing up/at the counter/at the table/while I read]
I skip breakfast [most days/more than I should/half the time] [and eat later/and have a snack at ten]
I [pick up around the kitchen/do the dishes from last night/throw in some laundry/wipe down the counters]
If I have [ten minutes/a little time], I [read/stretch/look at the paper/play a game on my phone/sit outside]
I [look over my list/think through the day] and [get ready/finish my coffee/pull myself together]
I check my calendar and [get ready/finish my coffee/pull myself together]
""")
OUT = lines("""
Then it's [out the door/off to work] by [six thirty/seven/seven thirty/a quarter to eight/eight]
By [seven/eight/eight thirty/nine] I'm [at work/starting my shift/getting to it/already working]
I grab [a coffee/something to eat/my bag and keys] on the way and try to beat the traffic
I grab [a coffee/something to eat/my bag and keys] on the way and get to work just in time
Then [work/the workday] starts and [the rest of the day is a blur/it's nonstop until lunch/that's my morning]
Most days I'm [running five minutes late/in a hurry/looking for my keys] by the time I leave
I pack [a lunch/leftovers/a sandwich] and head [to work/in/out]
""")
HOME = lines("""
After that I [do a few things around the house/straighten up/start some laundry/water the plants]
Then I [run errands/make a few calls/see what needs doing/go through the mail/pay a bill or two]
I take my time, [nobody's rushing me/there's no hurry/I've earned it]
If the weather's nice I [go outside for a while/sit on the porch/take a short walk/get some air]
By [nine/nine thirty/ten] I'm [ready for the day/doing whatever needs doing/on to the chores/fully awake]
The rest of the morning is [quiet/pretty calm/slow/up to me], [and I like it/most days]
The rest of the morning is [quiet/pretty calm/slow/up to me], unless something comes up
""")
CLASS = lines("""
Then I [get ready for class/pack my bag] and hope I'm not late
If I have class I [rush out/leave right after], if not I study
By [nine/ten] I'm [in class/at the library]
""")
KIDS = lines("""
Getting the kids [up and fed/dressed and out the door] takes most of it
Then it's [lunches and backpacks/breakfast for the kids] and looking for a lost shoe
With the kids it's [loud/a bit of a circus], but we [manage/get there]
""")
EVENING = lines("""
I [make something simple/heat something up/cook] for dinner and [clean up/do the dishes]
Dinner is [around six/around seven/nothing fancy], then I [watch TV/sit down with a show]
I [catch up on the news/call somebody/look at my phone] for a while
I try to be in bed by [ten/ten thirty/eleven], and it doesn't always work
I [read/watch an episode of something] until I [get tired/nod off]
Most evenings are [quiet/pretty much the same], which suits me
I [take a short walk/sit outside] after I eat if it's nice out
I [get things ready for tomorrow/pick up around the house] before bed
""")
TRIP = lines("""
[Somewhere warm/A place near the beach] with [not much on the schedule/nothing to do/good food close by]
[A cabin by a lake/Somewhere in the mountains] with [not much on the schedule/good food close by]
[A week/Ten days/Four or five days] at [the ocean/a quiet lake/the coast], no phone, no alarm
[A road trip/A long drive] with [good music and no rush/stops wherever we like]
[A small town/A nice old city] where I can [walk around/eat well and look around] and not be in a hurry
[A national park/The mountains], with [trails in the morning/easy walks] and a good bed at night
[Being near the water/Sitting by the water] with [a book/something cold to drink] and nobody calling
[Just a few days away/A long weekend] at a decent place [not too far from home/I can drive to]
[A cruise/One of those all-in-one resorts] where [the meals are taken care of/I don't have to plan anything]
[Seeing family/Visiting old friends] and [eating too much/sitting around talking]
[Europe/Italy/Hawaii/Alaska], if money was no object, for [two weeks/as long as I could]
""")
TRIP_MORE = lines("""
I'd want [good weather/some quiet] and [decent food/a comfortable bed]
The main thing is [no schedule/not having to rush]
I don't need [anything fancy/a five-star hotel], just clean and quiet
As long as the [food is good/company is good], I'm happy
I'd sleep in, [eat a long breakfast/walk a bit], and see what the day brings
It shouldn't cost [a fortune/more than I can pay off in a month]
A little [sightseeing/shopping], but mostly [rest/doing nothing]
I like to come home [rested/with a few pictures], not worn out
""")
PLANS: tuple[tuple[str, ...], ...] = (
    lines("""
    [Going to see family/Driving to see family] for a few days
    We're [renting a place near the water/getting a cabin] for [a week/a long weekend]
    I'm [looking at flights/pricing a trip] right now, [somewhere warm/maybe the coast]
    [A short road trip/A few days away] is the plan, nothing too far
    [I'm taking some time off/I've got some days saved up] and plan to [get away/see something new]
    I [already booked something/have a place booked], and I can't wait
    I'd like to [visit some old friends/see a national park] this time
    """),
    lines("""
    [Staying home/Just staying home] this [time/year]
    [No big plans/No real plans/Nothing big]. [Travel costs too much/It all costs too much right now]
    I'm not going [anywhere/far]. [Too expensive/Too crowded/Not worth the hassle]
    [Nothing special/Nothing yet], and that's fine with me
    [I'll be catching up on things around the house/Resting, mostly]
    Probably [a couple of day trips/a cookout], that's about it
    """),
    lines("""
    [Nothing set yet/Haven't decided yet/Still thinking about it]
    Maybe [a few days away/a short trip], maybe [just home/just a quiet week at home]
    It depends on [money/work and money/what flights cost/the weather]
    [Seeing family/Having family over], most likely
    I'd like to [go somewhere/get away], but [nothing is booked/we'll see]
    Something [small/simple], like [a long weekend/a day at the lake]
    """),
)
PLANS_MORE = lines("""
I want to [sleep in/eat well/see people I haven't seen in a while]
We'll [cook/grill] and [sit around talking/watch a game]
[Hopefully/With luck] the weather [holds/is decent]
I don't want to [spend a lot/overdo it/plan every hour]
Mostly I just want [a break/some rest/quiet]
If I can find [a deal/a cheap room], I might [stay an extra day/go a little farther]
I'll [wait for a good price/watch the prices] before I book anything
[Last year/Last time] I [did too much/stayed home], so this time is different
The main thing is [good food and company/to relax]
""")
