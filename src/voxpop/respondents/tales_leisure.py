"""What agents tell about travel, hotels, flying, ads and any other subject; kinds and tags as in :mod:`tales`."""

from __future__ import annotations

from voxpop.respondents.tales import tales

TALES: dict[str, dict[str, tuple[str, ...]]] = {
    "travel": tales("""
+ We went to <spot> <when>, [<few> days/a long weekend], [slept like babies/still talk about it/sand in everything]
+ I save <$40-150> a month for [one trip/<abroadplace>], [something to look forward to/going in <month>]
+ <who> and I [drove/took the train] to <spot>, [sang off key/stopped for pie/saw elk], [best week of the year]
+ [New food/Old streets/Hearing other languages/Seeing how people live], [I come back kinder/I'd go tomorrow]
- Flights [were/went to] <$380-890> <when>, plus [bags/the rental/a <$190-320> room], [so we stayed home]
- [Lost bags/A canceled flight/Bed bugs/Rain all week] <when>, [<few> days of it/I wanted my own bed]
- poor| [A tank of gas/One night away] is [a treat/a stretch], <spot> [will wait/is for other people]
- [My back/Stairs/My pills/The packing] [makes it hard/takes the fun out], [a day trip does me]
~ [Close by, yes/By car, yes], [flying no/crowds no/overseas is too much]
~ [Every other year/When money allows], <spot>, [nothing grand/otherwise the yard]
w [quiet/a clean bed/good food/no schedule/a price under <$90-160> a night/water nearby]
c [flights were under <$180-300>/somebody planned it/I could drive there/<who> came along]
k [I get sick there/the bag gets lost/it costs <$500-1500> more/they cancel]
x [end the fees/post the full price/more trains/refund in a week]
"""),
    "flying": tales("""
+ [Two hours and I'm at <who>'s/Window seat, clouds, <drink>], [still a marvel/not much to dislike]
+ My last flight was [early/empty/smooth] <when>, [kind crew/bag came first/can't complain]
- [Knees in my chin/Middle seat/A seat back in my lap] for [three/four/five] hours, [I'm not that tall/came off limping]
- <$35-75> [for a bag/to pick a seat/to sit with <who>], [each way/on top of a <$240-480> ticket/used to be free]
- Delayed <mins>, then [a new gate/the crew timed out/canceled], [slept on a bench/missed <who>'s wedding]
- [Shoes off/Belts off/Pat-downs/Toss the water], [then run/then a line for <mins>/I feel like cattle]
- My bag [went to Denver/came <few> days late/lost a wheel] <when>, [and they gave me a form/no sorry]
- I [hate takeoff/grip the seat/don't sleep the night before], [bumps over <weather>/one drink helps]
- Somebody [coughed/ate fish/took my armrest/kicked my seat] the [whole way/<few> hours], [then I was sick]
- <$14-19> for [a sandwich/a beer and chips], [<$6-9> water/stale too], [I pack my own]
~ [The flight's fine/In the air it's okay], [the airport/boarding/parking at <$18-35> a day] [isn't/wears me out]
~ [Under two hours I can take it/Short hops are fine], [longer and I'd drive/past that my legs swell]
w [legroom/a bag included/on time/a seat with <who>/clean air/a person at the desk]
c [it was direct/it was under <$150-260>/the bag was free/I got an aisle]
k [it's canceled and I'm stuck/a door comes off/I catch something]
x [give back the legroom/include a bag/tell the truth about delays/board by rows/feed people]
"""),
    "hotel": tales("""
+ [Quiet room/Good mattress/Real pillows/A window that opens], <$85-140>, [slept till <#7-9>/would go back]
+ The desk clerk [upgraded us/found my charger/printed my pass] <when>, [<name>, I think/nice touch]
- Paid <$140-260> and [the AC rattled/hair in the tub/walls like paper/the ice machine hummed] all night
- A <$25-45> [resort/parking/cleaning] fee at [checkout/the desk], [not on the site/for a pool I never saw]
- [Smelled of smoke/Sheets had a stain/No hot water] <when>, [they moved us at <#9-11>/slept in my coat]
~ [Clean and dark/A bed and a shower] is all, [breakfast is a bonus/I'm out all day]
~ [Good bed/Nice staff], [bad coffee/thin walls/far from <spot>]
w [a clean bathroom/quiet/a firm mattress/free parking/no extra fees/real breakfast/blackout curtains]
w [a price under <$90-150>/a fridge/good water pressure/an elevator/someone at the desk at night]
c [it was clean/it was under <$90-150>/there was no resort fee/it was close to <spot>/it was quiet]
k [bed bugs/the pictures lie/it's on a highway/they charge <$30-60> extra]
x [soundproof the doors/drop the fee/wash the spread/fix the shower/put <drink> in the lobby]
"""),
    "ad": tales("""
+ [The dog/The old man/The music/That last line] [got me/made me smile], [I'd watch it again/told <who>]
+ It [said what it costs/showed the thing/was over in ten seconds], [refreshing/that's all I need]
+ The people [look like my street/weren't models/seemed to mean it], [so I believed it/I liked that]
+ [Clear/Funny without trying/Nice colors], [I remember the name/I might look it up/better than most]
- [What was it for/Who is it for], [I lost the thread/all mood, no product/pretty people running]
- [Too loud/Too fast/That jingle], [muted it/I'd skip at five seconds/gave me a headache]
- They [say "up to"/show the <$8-15> price/use tiny print], [then it's <$25-60>/so I don't believe it]
- Seen [one like it/the same thing] <few> times [tonight/this week], [a car, a bank, a beer, all alike/tuned out]
- old| Nobody [over sixty/my age] in it, [and I have the money/so not for me]
- parent| It goes [straight at kids/through my kids to me], [don't like that/they sang it at dinner]
~ [Good picture/Cute idea], [weak ending/couldn't tell you the name/but why would I buy it]
~ [It's an ad/It's fine/Seen worse], [I'd forget it by <weekday>/neither here nor there]
~ I liked [the start/the song/her voice], [not the pitch/the rest dragged/the slogan is stiff]
w [the price/what it does/one clear line/a joke that works/real people/the name]
c [it showed the price/it was shorter/it had real customers/I needed one]
k [it's not true/the real price is <$20-60> more/it's aimed at kids]
x [say the price/show it working/cut it to ten seconds/lose the jingle/use real customers/make the name bigger]
"""),
    "assent": tales("""
+ <who> [had good things to say/was glad of it/brought it up] <when>, [that counts with me/I listened]
+ It [helped/worked out] [when I needed it/<when>/for <who>], [so I'm for it/can't say more than that]
+ I [looked into it/gave it a chance] <when> and [was pleased/would again/had no trouble]
+ [Makes life easier/Saves a little time/Does some good], [even if it's small/I notice/not much to argue with]
- <who> [had trouble with it/warned me off/gave up on it] <when>, [that was enough/I stayed clear]
- I [gave it a chance/tried] <when>, [cost me <$15-60>/took <mins>/nothing came of it], [so no]
- [Too much talk/A lot of noise/All promise], [little to show/I'll believe it when I see it]
- It's [one more thing/not for people like me/a solution looking for a problem], [I have <chore> to do/pass]
- I [got along/did fine] without it for <#10-40> years, [why now/somebody's making money]
~ [Good for some/Fine for <who>], [I don't need it/I'd wait/not my thing]
~ [Haven't thought about it since <month>/It comes up <often>], [no strong view/I listen more than I talk]
~ [Part of it makes sense/Half of it I like], [the cost worries me/who pays/I'd want details]
~ I'd [ask <who>/read up/sleep on it] before I [said more/decided/took a side]
w [a fair price/straight answers/something that lasts/no hassle/what <who> says/proof]
c [<who> tried it first/it was under <$10-40>/I could stop anytime/it saved me <mins>]
k [it costs more than they say/it doesn't work/regular people pay for it]
x [keep it simple/ask people first/say what it costs/finish one thing before the next]
"""),
}
