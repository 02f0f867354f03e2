"""More of what agents tell about the topics that are asked about most; kinds and tags as in :mod:`tales`."""

from __future__ import annotations

from voxpop.respondents.tales import tales

TALES: dict[str, dict[str, tuple[str, ...]]] = {
    "ai": tales("""
+ It helped me [dispute a <$40-300> bill/write to my landlord/plan <dinner> for <few>/learn chords/read a lab report]
+ My [doctor/bank/library/pharmacy] uses it for [notes/fraud/questions/refills] now and [it's quicker/I can't complain/nobody was rude]
+ I'm [hopeful/curious/not scared], [cures might come faster/dull work could go/my niece builds these things]
+ <who> lost <name>'s voice to illness and a program [gave it back/speaks for them], [that settled it for me/I cried]
- A caller sounded like <who> and wanted <$300-2500> <when>, [it was a machine/I hung up shaking/I nearly sent it]
- My [résumé/claim/loan/application] was turned down by [a program/software] in [nine minutes/a blink], [no reason given/nobody to ask]
- I read [a recipe/a review/a news piece/an obituary] <when> and [no human wrote it/it was nonsense/the photo had six fingers]
- [Customer lines/Drive-throughs/Help desks] are bots now, [I shout "human"/it doesn't hear my accent/loops till I quit]
- [Movies/Songs/Book covers] made by [a machine/nobody], [soulless/and <who> paints for a living/what's left for us]
- [Soldiers/Police/Insurers] will [lean on it/use it] and [blame the computer/nobody answers for it/you can't appeal]
- [Writing/Spelling/Finding my way/Doing sums] [is a muscle/goes if you don't use it], [mine's going already/kids won't have it]
~ A [calculator/search box/spell checker] was new once too, [so I wait/so I watch/I try to keep calm]
~ [At work I'd use it/For spreadsheets okay], [never for my mother's care/not in a courtroom/not with my kids' photos]
~ I [laugh at the cat videos/like the recipes], then [I read about jobs/<who> sends me a scary article/I wonder]
k [the fakes get so good that my vote is a guess/my bank can't tell me from a copy/doctors stop listening and read a screen]
k [nobody knows who made it or who pays when it's wrong/my <#1-9>-year-old cousin trusts it more than people]
k [it writes the news/it picks who gets hired/it drives the truck I drive/it learns from every picture I post]
k [there's no off switch/three companies own it all/we get lazy/it makes war easier/it costs my town its call center]
k [people fall for it like <who> did/it eats the power grid/it knows my health before I do/nobody checks its math]
"""),
    "future": tales("""
+ My [tomatoes/knitting club/church/nephew/savings] [grow/grows] a little every year, [so why not the rest/that's my outlook]
+ [Medicine/Solar/Clean water] is better than in [1975/my youth/my father's day], [I bet on people/we muddle through]
- [Rent/Insurance/Food] is <#38-62> percent of what I bring in, [one more jump/by <month>] and [I'm moving in with <who>/I don't know]
- I'll be <#70-84> before [the house/the loan] is paid, [if I live/if my knees hold/and then taxes]
- My [mother/father/aunt] [forgets my name/fell twice since <month>], [it runs in the family/I see myself]
- The [river/lake/aquifer/snowpack] is [lower every summer/down <#3-14> feet], [what do we drink/farms go first]
- [Two of my friends/My cousin/<who>] [can't find work/moved abroad/buried a kid to fentanyl], [it feels closer/what's next]
- Nobody [my age/on my street/I know] [has a pension/has kids/owns], [so who pays in/we're the last ones out]
~ [Mornings hopeful/On good days I plan], [nights less/by the news I don't], [so I garden/so I keep busy]
k [my <bill> passes my check/<who> gets sick and there's no leave/there's no work for people my age]
k [the next storm takes the roof/I forget who <who> is/it's all rented and nothing's ours]
k [we run out of nurses/my kids' lungs get this smoke every <month>/somebody pushes a button]
k [Social Security is cut by <#15-30> percent/I die in a hallway/I never get out of debt/the banks go like in 2008]
k [nobody will pay for <bill> but me/I'm stuck in this job till <#70-79>/my street floods each <month>]
"""),
    "news": tales("""
+ The [flood/strike/school board/hospital] story <when> had [names, dates and documents/both sides/a map], [I was satisfied]
+ I [wrote in/called] about an error <when> and they [fixed it in an hour/thanked me/ran a line], [good sign]
+ [A reporter/<name> from the paper] sat in our [diner/shop/meeting] for [an hour/two days] and [listened/got it down]
+ I [pay/chip in] <$5-18> a month for [the local paper/public radio/one good magazine], [somebody has to watch city hall]
- They said [our town was rioting/the plant would close/a shark was seen/schools were empty] <when>, [I live here, it wasn't so]
- The same clip <#9-30> times, [a car chase/a senator tripping/a celebrity divorce], [and the budget got one line]
- My [dad/uncle/neighbor <name>] [watches it ten hours a day/won't turn it off], [angry, scared/different man since <month>]
- [Sources say/Experts warn/Some fear], [who/name one], [lazy/I stopped reading there]
- [Ads for pills/A mattress pop-up/A wall to subscribe] before [the weather/one paragraph], [no wonder/I close it]
- In <month> they were [sure of it/predicting doom], by <month> [not a word/the opposite], [no apology]
~ I trust [the scores/the obits/the farm report/the traffic], [the rest I read twice/not the panel shows]
~ [Two papers and a radio show/One from each side], [the truth's in between/what they agree on I believe]
~ [Some reporters are brave/<name> on channel <#2-13> is fair], [their bosses want clicks/the owners aren't]
"""),
    "sustainability": tales("""
x [pay farmers to plant cover crops/put panels on parking lots/bury the power lines/run buses past nine]
x [tax flights over <#2-6> hours/charge for coal by the ton/stop drilling off the coast/tighten the tailpipe rules]
x [help poor towns first/insulate the schools/give <$1500-6000> off a heat pump/lend money at two percent]
x [let the market sort it/cut the red tape on nuclear/keep gas affordable/stay out of my kitchen/back off ranchers]
x [hold the plants upriver to account/clean the air by the highway/fund the weather service/plant <#2-9> million trees]
x [talk to fishermen and farmers before they legislate/set a date and keep it/pay for it with the war budget]
+ We had <#2-5> [floods/fires/hundred-year storms] in <few> years, [ask my basement/the insurance left/act already]
+ The [elms/frogs/ice/fireflies/maples] of my childhood [are gone/went quiet], [I'd pay a bit more tax/do the big things]
+ <who> works on [wind turbines/solar roofs/rail], [good wages/union card], [more of those, I say]
+ I [bike/take the bus/share rides/eat meat twice a week/patch my jeans], [now let the big ones do their part]
- My [power/heating] bill went up <$20-70> after [the new rules/they shut the plant], [and the weather didn't change]
- They fly [to a conference/on jets] to tell me [to eat bugs/to take the bus/about my stove], [spare me]
- [Windmills on our ridge/A solar field by <who>'s farm], [ugly/the money left town/birds on the road]
- I [sort/carry bags/wash jars], [one cargo ship/one data center/one wildfire] undoes it by [lunch/<weekday>]
~ [Carrots, not sticks/Fix it, but slowly/Clean, yes, if it's reliable], [my job is tied to gas/I've got <bill> to pay]
~ I'd [support/vote for] [trains/insulation/cleanup], [not bans/not a tax on driving/not while <bill> is what it is]
"""),
    "car": tales("""
+ I bought [a nine-year-old wagon/a plain pickup/a silver sedan/a little hatchback] from <who> for <$4500-14000>, [oil and tires since/runs like new]
+ <#31-48> miles to the gallon on the way to <who>'s, [heater works/radio too], [I don't need more/happy man's car]
- A sensor [lit up/failed] <when>, <$380-1600>, [for a gas cap/to turn off a light/they kept it <few> days]
- The salesman [added mats, wax and paint seal/switched the payment/took my keys], [I walked/<$900-2600> of air]
- cold| Mine [wouldn't start/slid into a ditch] in <month>, so [battery, tires, heat/four wheels that pull] come first
~ I [sit in it/park it/drive it on a bad road/look underneath], then [ask the mileage/talk price/sleep on it]
w [under <#30-90>,000 miles/a name with cheap parts/one owner/a full-size spare/a backup camera, nothing fancier]
w [a seat my back can take/a trunk for <hobby> gear/doors that fit a car seat/a heater that means it/a plain radio]
w [good brakes/no rust underneath/a color that hides dirt/tires that cost under <$70-160>/a low step to get in]
w [something <name> at the garage likes/a fair trade-in/<#28-45> to the gallon/quiet at sixty/room to sleep in back]
w [a payment under <$180-390>/insurance under <$70-150>/high crash ratings/a stick shift/a mechanic's thumbs-up]
"""),
    "shoes": tales("""
+ I get the [same black ones/gray walkers/work boots] every <few> years from <name>'s shop, [he knows my foot/no surprises]
+ I walked <#3-14> miles in mine <when>, [not one blister/came home smiling/worth the <$60-150>]
- I paid <$45-130> <when> and [a seam went/the dye came off/they squeaked] by <month>, [so now I check/never that brand]
- My [left foot is bigger/arches fell/heel spur flares], so [half the wall is out/online is no use/I try on nine]
~ [Comfort on weekdays, looks on Sundays/One pair for work, one for weddings], [that's all I keep/<$50-110> each]
w [a sole that grips wet tile/a shoe I can stand in for <#8-12> hours/laces, not straps/a toe box like a shovel]
w [real stitching/a cork footbed/something <name> can resole/a shank for ladders/a heel under two inches]
w [a pair under <$35-75>/what the foot doctor said/a color for funerals and offices/good weight/dry feet in <month>]
w [a wide <#6-13>/room for thick socks/easy on with one hand/no break-in/a brand that still makes mine/breathable tops]
"""),
    "streaming": tales("""
c [it went past <$14-26> a month/they wanted <$3-9> more to skip ads/<show> moved somewhere else]
c [I caught myself scrolling for <mins>/nobody opened it since <month>/my card expired and I didn't care]
c [<who> let me use theirs/the library lent <show> on disc/they locked me out on my trip/the picture froze again]
c [the new season was bad/they split <show> in two parts/<bill> went up/I picked up <hobby> again]
c [I finished <show>/summer came/they billed me twice/it asked for a code every week/I lost hours at work]
c [a cheaper one had <show>/they cut the kids' part/I needed <$12-20> for <bill>/they took the old films off]
c [they raised it in <month> and again in <month>/I could pause it for <$1-3>/it wasn't so easy to leave running]
"""),
    "telehealth": tales("""
c [my own Dr. <name> was on it/I could be seen by <early> or after work/the copay was under <$10-35>]
c [it was only a refill/I had results to go over/it was a rash I could show/I was stuck at home with the flu]
c [the clinic was <#25-70> miles off/my ride fell through/it snowed in <month>/I couldn't get off work]
c [<who> sat with me the first time/they sent a nurse for blood/I could type instead of talk/they kept it to ten minutes]
c [my plan covered it/it cost less than the <$25-60> I pay in person/they didn't bill me for a dropped call]
c [the tablet was easy/they called my phone, plain voice/they remembered me from <month>/my blood pressure cuff was enough]
- I [held my phone to my throat/described a lump/showed a knee] <when>, [he squinted/go in, he said/<$60-140> for that]
- Buttons, [a waiting room on a screen/a code by text/update your browser], [I missed my slot/I gave up after <mins>]
+ I saw a [skin doctor/nutritionist/sleep doctor] in [another city/the capital] from my kitchen <when>, [four-month wait in person]
+ [No gas, no parking/No sitter/No germs], [slippers on/<drink> in hand], [script at <store> by noon/in and out]
"""),
    "school": tales("""
+ parent| The teacher [emailed me/called] about [one small thing/a good drawing/a scuffle] the same day, [they see my kid/that's care]
+ The [band/robotics club/ag program/reading dogs] at our school [won state/kept <who>'s boy going/saved my nephew]
+ [A guard everyone likes/Doors that lock/A principal at the curb each morning], [I feel okay/small school helps]
- parent| [Lunch is <mins>/Recess is fifteen minutes], [mine comes home starving/they sit till <#2-4>/no wonder they fidget]
- parent| The bus was [late <#20-55> minutes/a no-show] <few> times since <month>, [I left work/nobody picks up the phone]
- <who> teaches there, [pays <$200-600> for supplies/was hit by a parent/quits in <month>], [and they hire fresh kids]
- My [niece/nephew/neighbor's girl] [hid in a closet/texted goodbye] during [a drill/a false alarm] <when>, [no child should]
- [Vapes in the bathroom/Fights on video/Pills in a backpack], [<few> this year/and a locked nurse's office]
k [a quiet kid is missed/the good ones quit by <month>/mine gets lost in a class of <#28-36>/the bus driver is texting]
k [somebody has a gun in a bag/a bully has a phone/they cut <kidthing>/the ceiling comes down/the bathroom isn't safe]
k [my kid can't read at <#8-11>/they grade on a curve/lunch debt/no one speaks our language at the office]
"""),
    "job": tales("""
+ job| I [train the new ones/run my own route/fix what others can't/set my own day], [makes me proud/keeps me sharp]
+ job| <name> brings [<sweet>/donuts/<dinner>] on <weekday>s, [we sing/we cover for each other/it's like family]
+ job| A customer [asked for me/sent a card/shook my hand] <when>, [made my month/I still have it/small thing]
+ job| [Thirty days off/Overtime at double/A <$500-2500> bonus/My own truck/A uniform I don't wash], [not bad these days]
+ job| The [view/quiet/smell of wood/radio/garden by the door] at [six/seven] in the morning, [and nobody talks yet]
+ job| I can [bring <fruit> and eat outside/swap shifts with <name>/wear sneakers/hum], [sounds small, it isn't]
- job| They [moved my desk/cut my hours/changed software/froze raises] in <month>, [by email/and called it growth]
- job| I drive <#35-75> minutes each way, [gas is <$45-80> a week/I leave in the dark/for this]
~ job| <weekday>s are [fun/slow/pure chaos], the rest [pays <bill>/is a grind/is fine], [like most jobs/I've had worse]
"""),
    "banking": tales("""
+ I lost my card at <store> <when>, one call and [a new one in <few> days/it was frozen/they overnighted it]
+ They [waived/gave back] a <$25-38> fee when I asked [nicely/<name>/on chat], [so we're good/nobody had to]
- My deposit [sat/was on hold] from <weekday> to <weekday>, [my own paycheck/and <bill> was due]
- They want [my face/a code/my mother's name/a photo of my license] to [check a balance/move <$20-90>]
- <weekday> they [opened at ten/closed at two], one teller, <#6-14> of us, [and a coffee machine]
- I asked about a <$4000-19000> loan and got [a link/a kid with a script/nineteen percent], [no, thanks]
- A [pending/mystery] charge of <$7-89> took <few> calls and [a form by fax/a notary/<few> weeks]
- They raised the [minimum/monthly fee] to <$12-1500>, [in a letter like junk mail/I noticed in <month>]
~ [Nothing big/It works], just [the wait/a <$3-5> ATM fee/that new menu] <often>
"""),
    "doctor": tales("""
w [one who's seen my chart before I sit down/a desk that answers by the <#2-4>th ring/parking I can manage]
w [someone within <#5-25> miles/someone <name> at the pharmacy trusts/no judging about weight/a plan, not just a pill]
w [somebody who treats me like a person/time to ask <few> things/not a new one every <month>/an honest "I don't know"]
w [Saturday hours/a woman doctor/a doctor near my age/bills I can read/tests done in the same place/a calm voice]
w [plain English/a good word from <who>/one who's not glued to the screen/an open slot before <month>/fair prices]
"""),
    "place": tales("""
+ <name> [across the road/upstairs/at the corner] [brings me <fruit>/lends me a ladder/waters my plants], [you can't buy that]
+ I'm <#4-18> minutes from [work/the river/<who>/the farmers market], [on foot/by bike/no lights]
+ [Coyotes at night/Trains far off/Church bells/Kids on bikes/A neighbor's trumpet], [I sleep to it/it's home]
+ The [diner/library/hardware store/bakery] knows me, [<drink> on the counter when I walk in/first names only]
+ <month> is [worth the rest of the year/the best], [lilacs/leaves/first frost/warm evenings] and [porches full/windows open]
- They built <#40-300> [units/condos/warehouses] by [the park/the creek], [traffic by <early>/gone are the deer]
"""),
    "remote": tales("""
+ job desk| I [sold the second car/run at lunch/eat <dinner> hot/see daylight] since I [work from home/stopped commuting], [never going back]
+ <who> [moved back near family/had a baby and kept the job/cares for dad] thanks to it, [I'm for it/wish I could]
+ job| If my work allowed it I'd [save <$90-260> on gas/sleep till <early>/see my garden by day], [I envy them a bit]
+ [Fewer cars on the road/Empty parking lots/Small-town cafés full], [let people be/who needs downtown towers]
- retired| In my day you [showed up/knew everybody/learned by watching], [now it's pajamas/lunch alone isn't work]
- job standing| I'm here at <early> with [a mop/a tray/a cart/patients] while [they mute a call/the office sleeps in], [it stings]
- My [bank/insurance/school office] is "remote" and [nothing moves/I get <name>'s dog/calls back in <few> days]
- student| I want [people around me/a real first job/a desk mate], [a laptop on my bed isn't a start]
~ [Good for parents/Good for night owls], [hard on new hires/hard on sandwich shops], [depends on the boss]
~ retired| I'm [out of it now/retired], but [it looks lonely/I'd have loved it with small kids/both, I guess]
"""),
    "ad": tales("""
+ I [hummed it/quoted it/sent it to <who>] [after/<when>], [doesn't happen often/so it stuck]
+ The [grandmother/truck in the mud/kid with the kite/empty kitchen/slow piano] [felt true/reminded me of <who>/made me look]
+ They said <$9-40>, [showed it/where to get it] and [stopped/let me go], [why can't they all]
- [A drone shot/A whisper/A robot voice/Slow motion], [then a logo], [I still don't know what it does]
- <who> and I [guessed perfume/thought it was for a bank/bet on insurance], [it was a <device>/wrong again]
- [Smiling people at <dinner>/A celebrity I don't know/Fake doctors/Actors as farmers], [who eats like that/sure]
- It plays <#3-9> times during <show>, [I go make <drink>/I know it by heart and hate it]
~ [Nice dog, no reason to buy/Funny once/Good song, wrong product], [I'd not switch it off, that's all]
~ I'd [remember the old man/remember the dog/know the tune], [not the name/not the price/nothing else]
"""),
}
