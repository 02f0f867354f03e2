"""Answers that tell something: a morning, an evening, a good trip, plans for time off; as in :mod:`tales`."""

from __future__ import annotations

from voxpop.respondents.banks import lines

WAKE = lines("""
I'm up [at/by/around/a little before/just after] <early>, [on a good day/no matter the season/like it or not]
The alarm goes off at <early> and I hit snooze [once/twice/until <early>/if I was up late]
I wake up [before the alarm/on my own/to the radio/stiff/to the garbage truck] [around/about/close to] <early>
job driving| I'm on the road by <early>, so I get up at [four/four thirty/half past three]
job serving| It depends on the shift: <early> when I open, [ten/noon/eleven thirty] when I close
job care| On shift days I'm up at <early>, on days off I sleep till [eight/nine/half past eight]
parent| Small feet [wake me/come in/start running] around <early>, [alarm or not/weekends too]
rural| [The rooster/First light/The neighbor's tractor] gets me up about <early>
<early>, [out of bed/feet on the floor], [teeth/shower/a stretch] [right away/before I talk to anybody]
""")
WAKE_LATE = lines("""
I get up [around/about/somewhere near] <later>, [no alarm/no rush/when my back says so/with the light]
I'm awake [at/by] <early> out of habit and [lie there/listen to the radio/doze] till [eight/half past eight/nine]
student| First class is at [nine/ten/eleven], so I'm up [twenty minutes/half an hour/ten minutes] before
seeking| I still set an alarm for <later>, [to keep a rhythm/so the day has a start/for my own good]
disabled| [Some mornings/On a bad day] it takes me <mins> to get moving, [others I'm up by/up by] <later>
retired| No alarm since I retired, I'm up [by/around/before] <later> and [glad of it/in no hurry]
Up around <later>, [slow/quiet/stiff], [curtains open/robe on/slippers first]
""")
FIRST = lines("""
<drink> first, then [the weather/my email/the headlines/the crossword/the bird feeder/yesterday's mail]
I [put the kettle on/start the coffee/pour <drink>] and [look out the window/read a page/wake up slowly]
Shower, [dressed/shave/hair/teeth], then <drink> [at the counter/by the window/in the good mug/on the step]
I check [my phone/the forecast/the scores/my messages/my calendar] [in bed/standing up/while the water boils]
meds| I take my pills with [water/juice/<morningfood>] [so I don't forget/before anything else]
diabetic| I check my sugar first, then it's <morningfood>, [no juice/no jam]
active| I [walk/stretch/run/do push-ups/ride the bike] for <mins>, then [shower/eat/sit down with <drink>]
[The radio/The local news/A podcast/Some old music] goes on while I [dress/cook/make the bed/pack lunch]
smoker| First cigarette on the [step/porch/balcony] with <drink>
""")
NEXT = lines("""
Breakfast is <morningfood>, [sometimes <morningfood>/now and then <morningfood>/rarely more]
I eat <morningfood> [standing up/at the table/over the sink/at my desk/while I read/by the radio]
I skip breakfast [most days/till ten/more than I should], [then it's <morningfood>/just <drink>]
glp1| Half of <morningfood> and I'm full, [the shots do that/that's new for me]
I [run the dishwasher/fold a load/sweep/water the plants/wipe the counter] before [I sit/I go/the day starts]
""")
OUT = lines("""
job| <soon> I'm out the door, [<drink> in hand/lunch in a bag/keys lost and found]
job| The drive is <#8-48> minutes, [more in rain/all red lights/against the sun/on a good day]
job desk| <soon> I'm [logged in/at my desk/in the first meeting], [camera off/second cup going]
job manual| Boots, cooler, [truck/ride/gloves], and I'm [on site/on the floor/at the yard] <soon>
job teaching| <soon> I'm in my classroom, [copying/setting out chairs/before the buses]
job care| [Report/Handoff] won't wait, so I [leave in the dark/eat at a red light]
job serving| I [unlock/set tables/turn on the grill/tie my apron] <soon>, [first customers right after/then the rush]
job selling| The [doors/phones] open early, and I like to be there [early/with time to spare]
job| I pack <dinner> from last night and [go/catch the bus/head in/beat the traffic]
""")
HOME = lines("""
Then [errands/the mail/a load of wash/phone calls/the garden/the paper], [no hurry/one at a time/if it's dry]
I [walk to the mailbox/feed the birds/sweep the porch/do a crossword/call <who>] [before it gets hot/before noon]
retired| <soon> I'm [in the garden/at the library/having coffee with <who>/in my chair with a book]
homemaker| I [get the wash going/plan <dinner>/wipe down the kitchen/make the beds] first thing
seeking| I send out [two/three/a few] applications before lunch, [then walk/then chores]
disabled| I rest a bit, then do [one thing/the dishes/a call], [and rest again/that's my pace]
""")
CLASS = lines("""
student| Then [the bus/a fast walk/my bike] to class, [notes half read/hair wet/with <drink>]
student| I [read over notes/finish the reading/print something] and [run/go]
student job| On work days I go straight to [my shift/the shop/the library desk]
""")
KIDS = lines("""
parent| Then the kids: [shoes/lunches/hair/a form to sign/spilled milk], [then out the door/and one lost glove]
parent| I make <morningfood> for them, [pack <fruit>/sign papers/find the backpack], [it's loud/every day]
parent| At drop-off [we're late on <weekday>s/we barely make it/half the street is double-parked]
""")
EVENING = lines("""
I [make/heat up/throw together] <dinner> around [six/six thirty/seven/five thirty], then [dishes/the couch/a walk]
<dinner>, then <show> [till I nod off/with my feet up/and some <salty>/and <sweet> if there is any]
I [call/text] <who> [on <weekday>s/most nights/after the dishes], [then bed/then a bath/then a book]
<hobby> for <mins>, [then the news/then bed by ten/then <drink>/until my eyes close]
I [set out clothes/pack lunch/check the doors/water the plants] and I'm in bed by [nine/ten/eleven/ten thirty]
parent| Homework, baths, one more story, then I have <mins> [to myself/for <hobby>/for <show>]
I [walk around the block/sit outside/ride my bike] after I eat, [unless it rains/weather allowing/<often>]
Most nights it's <show>, [some <hobby>/a phone call/a little <hobby>], lights out
""")
TRIP = lines("""
<#3-12> days at <spot>, [no phone/no alarm/no schedule/just us], [a book and <drink>/<dinner> every night/naps]
<abroadplace>, [in <month>/for two weeks/by train/off season], [good food and walking/museums/the light/old streets]
A [cabin/cottage/tent/rented house] near <spot>, <who> [along/cooking/visiting], [cards at night/no TV/rain on the roof]
[Drive/Take the slow road/Take the train] to <spot>, [stop for pie/stop anywhere/windows down], [no clock/no plan]
Somewhere [warm/cool/quiet/green/salty] where I can <activity> and <activity>, then [eat <dinner>/sleep/do it again]
[My whole family/<who> and me/Just me], <spot>, <month>, [and somebody else cooks/and good weather/no dishes]
I'd <activity> in the morning, <activity> after lunch, [eat late/sleep early/watch the sun go], at <spot>
A slow [boat/train/drive] through <abroadplace>, [window seat/small towns/<few> stops a day]
poor| Nothing big, [a motel near/a tent at/a borrowed cabin by] <spot>, <$60-140> a night, [fish and read/no bills]
rich| Good hotel in <abroadplace>, [long dinners/a driver/a balcony], [<#8-16> days/business class once in my life]
parent| <spot> with the kids, [buckets and sunscreen/no screens/ice cream daily], [and one dinner without them/asleep by eight]
disabled| Somewhere flat with [a ramp/a lift/a shady bench], near <spot>, [so I see it too/no stairs]
retired| Off season, <abroadplace>, [no crowds/senior rates], [a bench and <drink>/walk when I like]
student| Backpack, [hostels/trains/cheap noodles], <abroadplace>, [with <who>/all summer/till the money's gone]
rural| A [city/harbor town] for once, [theater/museums/people watching], <abroadplace> maybe
urban| No sirens, <spot>, [stars/frogs/one road in], <#4-10> days
dry| [Quiet evenings/No bar crawl], <spot>, [a fire/cards], <activity> at dawn
""")
TRIP_MORE = lines("""
I'd [sleep in/get up early/take my time] and <activity>
As long as [the bed is good/the food is fresh/nobody calls/it's clean], I'm [happy/easy to please]
Under <$600-2400> all in, [or I'd worry the whole time/if I'm honest/else it stays a dream]
I went with <who> <when> and [still think of it/want to go back/we laughed the whole time]
[No tours/No crowds/No dress code/No cooking], [just time/a good chair/one pretty view a day]
I'd bring [one bag/two books/good shoes/a camera/my pillow] and [leave the rest/nothing else]
""")
PLANS: tuple[tuple[str, ...], ...] = (
    lines("""
    [Going/Driving/Flying] to see <who> for <few> days, [booked it/bringing <sweet>/can't wait]
    I'm [looking at/pricing/dreaming of] <abroadplace> in <month>, [if fares stay under <$250-600>/saved up for it]
    <spot> for [a long weekend/<#4-9> days], [with <who>/just us/booked <when>]
    [Camping/A road trip/A few days off], [<spot> if it's dry/nothing too far/somewhere I can <activity>]
    parent| Taking the kids to <spot>, [<few> nights/their first time/before school starts]
    """),
    lines("""
    Staying home, [<bill> came first/flights are <$350-700>/I'm not in the mood]
    [Nothing big/No plans], [catching up on <chore>/a cookout with <who>/<hobby> and <show>]
    [A day trip or two/The lake if it's hot/Home and <hobby>], [that's all I can swing/it's fine]
    [Too crowded/Too dear], I'll [<activity>/rest/do <hobby>] [here/in the yard/around town]
    """),
    lines("""
    Nothing set, [maybe <spot>/maybe <who>'s/maybe <abroadplace>], [depends on <bill>/depends on work]
    Either <spot> or [home with <hobby>/<who>'s couch], [I decide late/we'll see what flights do]
    If [a cheap room turns up/<who> can come/the weather holds], <spot>, if not, [<hobby>/the porch]
    """),
)
PLANS_MORE = lines("""
I want to [sleep/<activity>/eat <dinner>/see people] and [not spend much/not plan a thing]
We'll [cook <dinner>/play cards/<activity>], [like last year/that's the plan]
My limit is <$300-1500>, [so no hotel/so we drive/and I mean it]
Last time I [did too much/stayed in/went with <who>], [this time slower/never again/so fun]
""")
