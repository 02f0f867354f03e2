"""Reasons about money: prices, making ends meet, brands, subscriptions and banking."""

from __future__ import annotations

from voxpop.respondents.banks import Bank, bank

PRICE = bank(
    good="""
    the price is [fair/reasonable] for what you get
    I don't mind paying [a bit more/a little extra] when the quality is there
    you [get what you pay for/usually get what you pay for]
    I shop around, and [this holds up/the numbers work out]
    there are still [good deals/bargains] if you look for them
    it fits [my budget/what I can spend] without much trouble
    cheap stuff [ends up costing more/falls apart and you buy it twice]
    I've seen [a lot worse/much higher prices] elsewhere
    the value is [there/better than most]
    I can [wait for a sale/use a coupon] and do fine
    a few dollars [isn't going to break me/doesn't change much for me]
    it lasts long enough [to be worth it/that I don't mind the cost]
    saving a few bucks [feels good/adds up over a year]
    I'd rather pay [once/up front] for something decent
    """,
    bad="""
    everything costs [more/too much] already
    my money [doesn't go as far/only goes so far] anymore
    prices keep going up and [the quality doesn't/nothing gets better/the packages get smaller]
    I can't see [paying that much/spending that kind of money]
    a trip to the store costs [way more/almost double] what it did a few years ago
    they raise prices because [they can/they know we'll pay]
    I'm [watching every dollar/pretty careful with money] right now
    you pay for the name and [not much else/the packaging]
    I could get [the same thing/something close] for less
    it's [gotten out of hand/just too expensive]
    pay [hasn't kept up/isn't going up the way prices are]
    I put things back on the shelf now that I [used to buy/never used to think about]
    by the time you add [tax/the fees], it's not a deal
    I only buy what [I need/is on sale] at this point
    """,
    mixed="""
    some things are [still a good deal/reasonable] and some are out of hand
    I'll pay more for quality, but [there's a limit/not twice as much]
    it depends [what it is/how long it lasts]
    I don't love the price, but I [can live with it/understand why]
    I [compare/check a couple of stores] before I decide
    I notice the price, but it's [not the only thing/one thing of many]
    it's higher than I'd like, though [not crazy/I've seen worse]
    I buy it [when it's on sale/once in a while] and skip it otherwise
    """,
    wants="""
    [a fair price/the price/an honest price]
    [good value/value for the money]
    [something that lasts/quality that lasts]
    [a sale/a decent discount]
    [no surprise fees/no extra charges]
    """,
    ifs="""
    the price [came down/was right/dropped a bit]
    there was a [sale/coupon/real discount]
    {it} cost [less than what I buy now/about the same as what I buy now]
    I could see [what I was getting for the money/that it would last]
    """,
    risks="""
    prices will [keep climbing/never come back down]
    I won't be able to [keep up/cover the basics]
    the price goes up right after [they get you hooked/you sign up]
    """,
    fixes="""
    [lower the price/bring the price down]
    stop [raising prices every few months/adding fees]
    run [a real sale/more sales] once in a while
    [reward/take care of] the people who have bought from them for years
    """,
)

PRICE_RISE = bank(
    good="""
    I [use it enough/get enough out of it] to justify a bit more
    everything is going up, so [I expected it/I'm not surprised]
    a [couple of/few] dollars won't change my mind
    they have to [pay for things/cover their costs] too
    it's still [cheaper than the alternatives/cheaper than going out]
    I'd miss it [too much/more than the money]
    the quality has [stayed good/gotten better], so I can live with it
    they gave us [fair warning/plenty of notice]
    I don't [watch every dollar/notice it much] on something like this
    if it keeps things running [well/right], okay
    """,
    bad="""
    it feels like they raise the price [every year/every few months]
    they keep charging more for [the same thing/less]
    I was [already paying/paying] more than I wanted to
    loyal customers [get nothing for it/always get the short end]
    there's no [good reason for it/improvement to show for it]
    it pushes me to [cancel/look around/drop it]
    it's one more bill [going up/creeping up]
    my pay didn't [go up with it/go up at all]
    I could [get by without it/find something cheaper]
    that's [greed/corporate greed], plain and simple
    they [hook you with a low price/start cheap] and then jack it up
    add up all these little increases and [it's real money/you're talking hundreds a year]
    """,
    mixed="""
    I don't like it, but [I'll probably keep it/I get why]
    one increase is okay, [another one isn't/two in a year isn't]
    I'll [see how much I use it/give it a month] and then decide
    it's not a lot, but [it adds up/it's the principle]
    it depends on whether [they add something/the quality stays up]
    """,
    ifs="""
    they [gave us something for it/added something worth paying for]
    long-time customers [got a break/kept the old price]
    """,
    fixes="""
    [lock the price in/keep the old price] for people who've been there a while
    be straight about [why it went up/where the money goes]
    offer a cheaper [plan/version] with less in it
    """,
    wants="""
    [a price that stays put/a price I can count on]
    [some warning/fair notice]
    [a cheaper option/a basic plan]
    """,
    risks="""
    this is just [the first increase/the start]
    they'll raise it again [next year/in a few months]
    """,
)

STREAMING = bank(
    good="""
    I watch [something on there/it] almost every night
    it's [cheaper than cable/a lot less than cable was]
    there's [always something to watch/a good mix of shows]
    I can watch [whenever I want/when I have time] without ads
    one or two of the shows are [really good/worth it alone]
    a night in costs [less/a lot less] than going to the movies
    it's easy to [cancel and come back/turn off when I'm done]
    the whole house [uses it/gets something out of it]
    the picture and the app [work well/never give me trouble]
    I like having [movies/sports/old shows] in one place
    """,
    bad="""
    I'm already paying for [three of these/too many of these]
    the good shows [leave/get canceled after one season]
    I scroll [for half an hour/forever] and never find anything
    they added ads and [still charge more/raised the price anyway]
    between all the services it costs [as much as cable/more than cable did]
    I don't watch enough [to make it pay/TV to justify it]
    cracking down on [passwords/sharing] left a bad taste
    half of what's on there is [filler/junk]
    the one thing I want is always on [some other service/another app]
    it's the first thing I'd [cut/cancel] if money got tight
    """,
    mixed="""
    I keep it for [a couple of shows/one show] and ignore the rest
    I [rotate/cancel and come back], one service at a time
    some months I watch a lot and [some months nothing/others I forget I have it]
    it's okay, but [nothing special lately/I wouldn't miss it for long]
    I'd keep one of them and [drop the others/let the rest go]
    """,
    wants="""
    [good shows/shows I actually want to watch]
    [a steady price/a fair price]
    [no ads/fewer ads]
    [easy canceling/being able to cancel anytime]
    """,
    ifs="""
    they [left the price alone/stopped raising the price]
    there were [fewer ads/no ads] on the basic plan
    they added [more new shows/shows I care about]
    I could [pay by the month and pause/share it with the house]
    """,
    risks="""
    the price will [keep creeping up/double in a couple of years]
    the shows I like will [move somewhere else/disappear]
    """,
    fixes="""
    leave [the price/the plan] alone for a year
    drop the ads if they're [going to charge more/raising the price]
    make [fewer shows and better ones/more good shows]
    """,
)

MONEY_WORRY = bank(
    good="""
    I [budget carefully/keep track] and it works out
    the bills [get paid/are covered] and there's some left over
    I try not to [buy what I can't pay for/carry a balance]
    things have [settled down/eased up] a little lately
    I've always been [careful/pretty good] with money
    I have [a little put away/a small cushion] in case something happens
    I learned early to [live within my means/save first]
    I'm doing [better than a few years ago/all right]
    I don't owe [much/a lot]
    I [cook at home/don't eat out much], and that helps
    I can handle a surprise bill [if I have to/without panicking]
    I know where my money [goes/is going]
    I plan ahead for [the big stuff/repairs and such]
    simple living [isn't so bad/suits me]
    """,
    bad="""
    by the end of the month there's [not much left/hardly anything left]
    groceries and [utilities/gas/insurance] eat up everything
    one [car repair/big bill] would throw everything off
    it's hard to [save/put anything away] with prices like this
    the cost of [insurance/housing/food] is what gets me
    pay doesn't [keep up/stretch the way it used to]
    I feel like I'm [always behind/running to stand still]
    I worry about [retirement/later on/an emergency]
    interest rates [make it worse/make borrowing impossible]
    every bill is [higher than last year/going up]
    there's no [room for mistakes/slack]
    you do everything right and [still fall short/still can't get ahead]
    I've had to [cut back/give some things up] already
    nobody in charge seems to [care/notice] what things cost
    """,
    mixed="""
    I get by, but [there's not a lot of room/I have to be careful]
    some months are [fine/okay] and some are tight
    I'm okay for now, but [I worry about later/who knows next year]
    the basics are covered, [extras are harder/it's the extras that go]
    I'm not [struggling/broke], but I'm not comfortable either
    it's [better than it was/a little better], still not great
    it depends on [what breaks that month/the month]
    I save a little, just [not as much as I should/not enough]
    """,
    wants="""
    [lower prices/prices that stay put]
    [steady income/a steady paycheck]
    [no surprise bills/fewer surprises]
    [some savings/a cushion]
    """,
    ifs="""
    prices [leveled off/came down some]
    I had [a bit more left over/more of a cushion]
    """,
    risks="""
    one [big bill/emergency] would wipe out what I saved
    prices will keep [rising/going up faster than pay]
    I'll [never be able to retire/run short later on]
    """,
    fixes="""
    bring down the cost of [groceries/housing/insurance]
    stop the [junk fees/hidden fees]
    help regular people [get ahead/keep up] for once
    """,
)

BRAND = bank(
    good="""
    I've used it for years and [it's never let me down/I know what I'm getting]
    a name I know [takes the guesswork out/means fewer surprises]
    the quality is [always the same/consistent]
    they've [earned it/earned my trust]
    I [grew up with it/have bought it as long as I can remember]
    when something was wrong, they [made it right/took care of it]
    it just [works better/tastes better] than the others I've tried
    people I know [swear by it/use it too]
    I don't have time to [test every other one/read reviews]
    it lasts [longer/a lot longer] than the cheap ones
    I'd rather stick with [what works/what I know]
    it's easy to [find/get] anywhere
    I've tried the others and [come back every time/was disappointed]
    they haven't [messed with it/changed it], and I like that
    """,
    bad="""
    the store brand is [just as good/the same thing in a plainer box]
    you're mostly paying for [the name/the logo/their ads]
    the quality has [slipped/gone downhill] over the years
    they've gotten [greedy/too big to care]
    I had a [bad experience/bad one] once and never forgot it
    I don't see [what's special about it/the difference]
    there are [better ones/plenty of others] out there now
    they [changed the recipe/changed it] and ruined it
    I buy whatever [is on sale/costs less]
    loyalty doesn't [get you anything/pay] anymore
    their customer service is [useless/a joke]
    I don't care [what name is on it/about labels]
    everything's made in the [same place/same factory] anyway
    they [talk a good game/advertise a lot] and don't deliver
    """,
    mixed="""
    I like it, but [not enough to pay double/I'd switch for a good price]
    for some things I stick with a name, [for most I don't/not for everything]
    it's [fine/decent], nothing to write home about
    I buy it when [it's on sale/I see it]
    it used to be better, though [it's still okay/I still get it]
    I'm used to it, [that's all/and that's about it]
    I don't have strong feelings about [names/companies]
    I go [back and forth/between two or three]
    """,
    wants="""
    [quality/steady quality]
    [a fair price/the price]
    [a company that stands behind it/good service]
    [a name I know/a good reputation]
    """,
    ifs="""
    the quality was [as good/at least as good]
    {it} cost [noticeably less/a good bit less]
    [a friend/somebody I trust] told me it was better
    the brand I use now [went downhill/got too expensive]
    """,
    risks="""
    they'll [cut corners/let the quality slip]
    they'll get [bought out/too big]
    """,
    fixes="""
    quit [messing with/changing] what works
    put the money into [quality/the product], not ads
    [answer the phone/stand behind what they sell]
    """,
)

BANKING = bank(
    good="""
    I can [check my balance/pay a bill/deposit a check] without driving to the branch
    it [works/has always worked] when I need it
    I get an alert [as soon as/the minute] something looks off
    I've never had [a problem with it/any money go missing]
    the login with [a code/my fingerprint] makes me feel safer
    they [caught a bad charge/called me about a strange charge] once and fixed it
    it's [quicker/easier] than waiting in line
    everything is [in one place/easy to find]
    the fees are [low/reasonable] compared with the last one
    I can see [where my money goes/every purchase] as it happens
    """,
    bad="""
    somebody could [get into my account/steal my information]
    banks get [hacked/broken into] all the time now
    if I lose my phone, [I don't know who has access/I'm stuck]
    I can never [get a real person/reach anybody] when something goes wrong
    I don't like having [my money/everything] on a phone
    they add [fees/charges] you don't notice until later
    it [logs me out/crashes] at the worst times
    there are so many [scam texts/fake emails] that look just like the bank
    they share [my information/what I buy] with who knows who
    I'd rather [talk to a teller/do it in person] when it's about money
    one wrong tap and [the money is gone/you've sent it to a stranger]
    getting your money back after fraud takes [weeks/forever]
    """,
    mixed="""
    I use it for [small things/checking my balance] and go in for the rest
    it's handy, but [I never fully relax about it/I check it every day to be safe]
    I haven't had trouble, though [I know people who have/you hear stories]
    it's fine at home, but I [don't use it on public Wi-Fi/wouldn't use it in public]
    it does the job, [that's about it/no more and no less]
    """,
    wants="""
    [security/good security]
    [a real person to call/somebody who answers the phone]
    [no hidden fees/low fees]
    [alerts/a text when something's off]
    [an app that works/something simple to use]
    """,
    ifs="""
    I knew I'd [get my money back/be covered] if something happened
    there was [a real person to call/a branch nearby]
    they [cut the fees/explained the security in plain English]
    """,
    risks="""
    somebody [could get into my account/could drain my account]
    [a hacker/a scammer] gets my password and cleans me out
    my information [gets sold/ends up in a data breach]
    if my phone gets [stolen/lost], they'll have everything
    one of those [fake texts/scam calls] is going to fool me
    I'd never [get the money back/reach a real person] if something went wrong
    the app [goes down/locks me out] right when a bill is due
    I'll [hit the wrong button/send money to the wrong person]
    they know too much about [what I spend/where I shop]
    updates [change everything/break things] and I miss something
    """,
    fixes="""
    put [a real person/somebody] on the phone
    make the security [stronger/simpler to use]
    [drop the fees/be upfront about fees]
    send an alert for [every charge/anything over a few dollars]
    """,
)

BANKS: dict[str, Bank] = {
    "price": PRICE,
    "price_rise": PRICE_RISE,
    "streaming": STREAMING,
    "money_worry": MONEY_WORRY,
    "brand": BRAND,
    "banking": BANKING,
}
