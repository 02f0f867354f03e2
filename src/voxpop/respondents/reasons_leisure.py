"""Reasons about free time and shopping: travel, hotels, exercise, shoes, new things, ads, service."""

from __future__ import annotations

from voxpop.respondents.banks import Bank, bank

TRAVEL = bank(
    good="""
    I come home [rested/in a better mood]
    I like [seeing new places/seeing how other people live]
    it gives me something to [look forward to/plan for]
    even a [weekend/short trip] makes a difference
    being near the [water/mountains/ocean] does me good
    I'd rather spend on [trips/memories] than stuff
    it's the only time I [really switch off/get away from it all]
    trying [the local food/new food] is half the fun
    we always [laugh about it later/come home with stories]
    time with [friends/people I love] is the best part
    you can find [a good deal/cheap flights] off season
    driving lets me [stop where I want/see more]
    a change of scenery [clears my head/does wonders]
    I never regret [going/taking a trip]
    """,
    bad="""
    everything about it is [expensive/overpriced] now
    airports are [a nightmare/crowded and slow]
    flights get [canceled/delayed] and nobody helps
    I sleep better [in my own bed/at home]
    they charge for [bags/seats/everything] these days
    I come back [more tired than I left/needing a vacation]
    planning it is [a lot of work/a headache]
    it's too [crowded/hot] everywhere in summer
    gas and [food/rooms] add up so fast
    I don't like [flying/being far from home]
    there's plenty to [do/see] close to home
    tourist places are [all the same/rip-offs]
    getting time off is [hard/never easy]
    I'd rather put the money [into the house/away]
    """,
    mixed="""
    I like being there, [not getting there/the trip itself wears me out]
    short trips are good, [long ones wear me out/long ones cost too much]
    I'd go more if [it cost less/prices came down]
    it depends [where/who's going]
    some years I [go somewhere/travel] and some years I stay put
    a few days is [plenty/enough] for me
    I like to get away, but [I like coming home too/not far]
    I'd rather go [off season/when it's quiet]
    """,
    wants="""
    [quiet/peace and quiet]
    [good food/somewhere good to eat]
    [the ocean/a beach/mountains]
    [a fair price/decent prices]
    [nice weather/warm weather]
    [no schedule/nothing to do]
    [good company/people I like]
    """,
    ifs="""
    {it} cost [less/what it used to]
    I could [drive there/get there without flying]
    there was [a deal/a package with everything in it]
    """,
    risks="""
    something gets [canceled/lost]
    it'll cost [twice what I planned/too much]
    """,
    fixes="""
    [drop the bag fees/stop charging for every little thing]
    [be honest about delays/tell people what's going on]
    """,
)

HOTEL = bank(
    good="""
    the room was [clean/quiet] and the bed was good
    check-in was [quick/easy]
    the front desk was [friendly/helpful]
    breakfast was [better than I expected/good and hot]
    the location was [perfect/handy]
    it was [a fair price/good value] for the area
    everything [worked/was in order]
    the towels were [clean/thick] and there were enough of them
    parking was [easy/free]
    I [slept well/got a good night's sleep]
    """,
    bad="""
    the walls were [thin/like paper] and I heard everything
    the room [wasn't ready/smelled a little musty]
    the breakfast was [cold/the same thing every day]
    check-in [took forever/was slow]
    they added [a resort fee/a parking charge] at the end
    the Wi-Fi [kept dropping/was slow]
    the air conditioner [rattled all night/was loud]
    the bathroom could have been [cleaner/updated]
    the pillows were [flat/hard as a rock]
    housekeeping [skipped the room/never showed up]
    the elevator was [slow/out half the time]
    the mattress [sagged/had seen better days]
    """,
    mixed="""
    it was [clean/fine], just a little tired
    the staff was nice, [the room was so-so/the room needed work]
    it was okay for [a night or two/the price]
    nothing was wrong, [nothing stood out either/it was just average]
    the location made up for [the room/the small room]
    """,
    wants="""
    [a clean room/cleanliness]
    [a good bed/a bed that doesn't sag]
    [quiet/a quiet room]
    [free breakfast/a decent breakfast]
    [no hidden fees/an honest price]
    """,
    ifs="""
    the price was [right/fair]
    I knew it was [clean/quiet]
    """,
    risks="""
    there'll be [bedbugs/noise all night]
    they'll add [fees at checkout/charges I didn't expect]
    """,
    fixes="""
    [do something about/fix] the noise between rooms
    [speed up/shorten the line at] check-in
    [drop the resort fee/stop adding fees at the end]
    put [something hot/fresh fruit] on the breakfast bar
    get [better pillows/new mattresses]
    fix the [Wi-Fi/slow Wi-Fi]
    [clean the bathrooms better/pay more attention to the bathrooms]
    put in [quieter air conditioners/more outlets by the bed]
    keep the [coffee/breakfast] out later in the morning
    have the rooms ready [on time/by three]
    [train the front desk/have more people at the desk] on weekends
    put [decent lights/a lamp you can read by] next to the bed
    give out [more towels/enough towels]
    fix the [water pressure/shower]
    """,
)

EXERCISE = bank(
    good="""
    I [feel better/sleep better] on days I move
    it [clears my head/gets rid of stress]
    a walk is [free/easy on the body]
    I want to stay [strong/mobile] as long as I can
    it gives me [more energy/a lift]
    it gets me [outside/off the couch]
    I can tell [the difference/when I've skipped it]
    it's time [to myself/I don't have to share]
    a class or [a friend/a group] keeps me going
    you don't need [fancy equipment/much] to do it
    it keeps my [weight/back] in check
    ten minutes is [better than nothing/enough to feel it]
    I like [seeing progress/getting a bit stronger]
    it makes [the rest of the day/stairs] easier
    """,
    bad="""
    I don't have [the time/the energy] by the end of the day
    gyms are [too expensive/full of people showing off]
    my [knees/back] let me know about it the next day
    I start and [quit after two weeks/never keep it up]
    it's [boring/no fun], I'll be honest
    I get enough exercise [doing chores/on my feet all day]
    the weather [ruins it/gets in the way] half the year
    there's [nowhere safe to walk/nothing nearby]
    they lock you into [a contract/a membership]
    I feel [out of place/self-conscious] in a gym
    results take [forever/too long]
    the fancy gear costs [a fortune/too much]
    I'd rather [rest/sit down] when I get the chance
    every new program [promises too much/is a fad]
    """,
    mixed="""
    I know I should, but [some weeks I don't/it's hard to keep up]
    I like walking, [not gyms/not much else]
    I go through [phases/stretches] with it
    it feels good after, [not before/less so during]
    I do a little [most weeks/when I can]
    it depends [on the weather/how I feel]
    I'd do more with [a friend/a partner]
    it's fine [in the morning/on weekends], harder otherwise
    """,
    wants="""
    [something easy on the joints/low impact]
    [a low price/no contract]
    [somewhere close/a place nearby]
    [a friend to go with/company]
    """,
    ifs="""
    {it} was [close by/cheap]
    I had [a friend to go with/somebody to go with]
    there was no [contract/long commitment]
    """,
    risks="""
    I'd [hurt myself/pull something]
    I'd pay for it and [never go/quit]
    """,
    fixes="""
    [lower the price/drop the contract]
    offer [easier classes/something for beginners]
    open [earlier/later]
    """,
)

SHOES = bank(
    good="""
    they're comfortable [right out of the box/from the first day]
    they [hold up/last] longer than the cheap ones
    the cushion is [easy on my feet/really good]
    they fit [true to size/my wide feet]
    they look [good with jeans/nice without being flashy]
    my [feet/knees] don't hurt at the end of the day
    the price was [fair/right] for what they are
    they're [light/so light I forget I have them on]
    the grip is [solid/good] when it's wet
    I've bought [the same pair twice/that kind before] and been happy
    """,
    bad="""
    they cost [way too much/over a hundred dollars] for something that wears out
    the soles [wore down/came apart] in a few months
    they run [small/narrow] and the sizing is never the same
    I can't [try them on/feel them] when I order online
    they change the [style/model] every year and ruin a good shoe
    the colors are [too loud/awful]
    you're paying for [the logo/the name]
    they [rub/gave me blisters] at the heel
    nothing is [made to last/made well] anymore
    the old pair is [still fine/good enough]
    """,
    mixed="""
    comfort is good, [price is not/the price hurts]
    they're fine for [walking/around the house], not for much more
    I like them, but [I wait for a sale/they wear out fast]
    the fit is [good/right], the looks I could do without
    it depends on [the brand/how they fit]
    """,
    wants="""
    [comfort/a comfortable fit]
    [good cushioning/support for my arches]
    [a wide fit/the right width]
    [a price under a hundred/a fair price]
    [soles that last/something that lasts]
    [a plain color/a look that isn't too loud]
    [good grip/tread that doesn't slip]
    """,
    ifs="""
    I could [try them on/walk around in them] first
    they were [on sale/under a hundred dollars]
    they came in [wide/my size]
    """,
    risks="""
    they'll [fall apart/wear out] in a few months
    they won't [fit right/be the same as my last pair]
    """,
    fixes="""
    make them [last longer/sturdier]
    offer [more widths/real wide sizes]
    leave a good [model/shoe] alone
    [bring the price down/make a pair under a hundred dollars]
    """,
)

NOVELTY = bank(
    good="""
    I like [trying something new/a change] now and then
    you never know [until you try/what you'll find]
    I was getting [bored/tired] of the same old thing
    a friend [told me about it/tried it] and liked it
    it sounded [fun/different]
    what I had [wasn't that great/was nothing special]
    trying it [costs me nothing/is no big risk]
    sometimes the new one is [really better/a nice surprise]
    I'm [curious/kind of curious] how it compares
    I don't want to [get stuck in my ways/do the same thing forever]
    I can always [go back/return it]
    it has something the old one [doesn't/never had]
    a little change is [good/healthy]
    I'd rather [find out for myself/form my own opinion]
    """,
    bad="""
    what I have [works fine/does the job]
    I'm [set in my ways/a creature of habit]
    new usually means [more expensive/they haven't worked out the bugs]
    I've tried new things and [gone back every time/wasted money]
    I don't like [being a guinea pig/paying to test it]
    it's the same thing [in a new box/with a new name]
    changing is [a hassle/more trouble than it's worth]
    I don't [see the point/need another one]
    they only [change the label/do it to charge more]
    I'd have to [learn it all over/start over]
    nobody I know [uses it/has tried it]
    I'd wait [a year/until the price drops]
    if it ain't broke, [don't fix it/leave it alone]
    half of those new things [disappear/are gone in a year]
    """,
    mixed="""
    I'd try it once, [not more than that/then decide]
    new is fine, but [I go back to my favorites/not for everything]
    I'd wait and see [what others say/the reviews]
    I'm open to it, just [not in a hurry/not first in line]
    it depends [what it costs/how big a change]
    I like the idea, but [I'm comfortable with what I have/I know myself]
    if somebody [handed me one/gave me a sample], sure
    some changes are [good/worth it] and some are just change
    """,
    wants="""
    [something really different/a real improvement]
    [a free trial/a sample]
    [a money-back guarantee/easy returns]
    [a fair price/the price]
    """,
    ifs="""
    I could [try it free/try it first/send it back]
    {it} was [clearly better/really different]
    a friend [recommended it/told me it was good]
    {it} didn't cost [more/much]
    what I use now [let me down/got too expensive]
    switching was [easy/no trouble]
    """,
    risks="""
    I'd be [stuck with it/wasting my money]
    {it} won't be [as good/any better]
    """,
    fixes="""
    [let people try it/give out samples] first
    show how it's [better/different], without the hype
    make it [easy to return/easy to switch]
    """,
)

AD = bank(
    good="""
    it [got my attention/made me look twice]
    it was [funny/kind of funny] without trying too hard
    it told me [what it is and what it costs/what I needed to know]
    the people in it [looked like regular people/weren't all models]
    it was [short/over quickly]
    the music [stuck in my head/was good]
    I could see [myself using it/what it was for]
    it didn't [shout at me/talk down to me]
    it made me [want to look it up/a little curious]
    the colors and [the pictures/the photo] were nice
    """,
    bad="""
    I couldn't tell [what they were selling/what it was for]
    it's the same as [every other ad/all the others]
    it felt [fake/forced]
    nobody [talks/acts] like that
    it tried [too hard/to be cute]
    it never said [what it costs/the price]
    it was [too long/too loud/too busy]
    it's the kind I [skip/scroll right past]
    it promised [too much/things I don't believe]
    I didn't learn [anything/a thing] about the product
    I've seen it [too many times/a hundred times]
    """,
    mixed="""
    it looks nice, but [I wouldn't remember it/I forgot the name already]
    it's [okay/all right], it's an ad
    the idea was good, [the ending was weak/it dragged on]
    I liked the picture [more than the words/and not the slogan]
    it got my attention, [it wouldn't make me buy/but that's all]
    """,
    wants="""
    [a clear message/knowing what it's for]
    [the price/a price]
    [some humor/a laugh]
    [real people/people who look real]
    """,
    ifs="""
    it told me [the price/what it does]
    """,
    risks="""
    it [leaves out the fine print/isn't honest]
    """,
    fixes="""
    [show the price/say what it costs]
    get to the point [faster/right away]
    use [real people/regular people]
    """,
)

SERVICE = bank(
    good="""
    the people were [friendly/nice] and knew what they were doing
    they [fixed it/took care of it] right away
    I was [in and out/done] in no time
    they [remembered me/treated me like a person]
    the place was [clean/well kept]
    they didn't [push me to buy more/try to sell me extras]
    it was [easy to find what I wanted/well organized]
    prices were [fair/clearly marked]
    when I had a question, [somebody answered it/there was somebody to ask]
    they [were open when they said/did what they said]
    """,
    bad="""
    nobody was [around to help/at the counter]
    I waited [way too long/half an hour]
    they [got it wrong/messed it up] and acted like it was my fault
    I got [passed around/transferred] from one person to another
    the place was [dirty/a mess]
    they were [rude/not interested]
    they kept [trying to upsell me/pushing the credit card]
    it was [overpriced/not worth it]
    half the shelves were [empty/picked over]
    returning it was [a hassle/like pulling teeth]
    """,
    mixed="""
    some of the staff is great and [some couldn't care less/some isn't]
    it was [fine/okay], not something I'd tell people about
    they were nice, [just slow/just short on people]
    it depends [who's working/what time you go]
    the product was good, [the service wasn't/the wait wasn't]
    """,
    wants="""
    [friendly people/somebody who smiles]
    [short lines/a short wait]
    [a clean place/clean restrooms]
    [fair prices/clear prices]
    [easy returns/no hassle with returns]
    """,
    ifs="""
    the prices were [better/lower]
    there was [less of a wait/somebody to help]
    """,
    risks="""
    [they'll mess up the order/nobody will help if it goes wrong]
    """,
    fixes="""
    [hire more people/open another register]
    [train people/teach people] to be polite
    make returns [easier/less of a hassle]
    keep [the place clean/the restrooms clean]
    answer the [phone/emails]
    """,
)

BANKS: dict[str, Bank] = {
    "travel": TRAVEL,
    "hotel": HOTEL,
    "exercise": EXERCISE,
    "shoes": SHOES,
    "novelty": NOVELTY,
    "ad": AD,
    "service": SERVICE,
}
