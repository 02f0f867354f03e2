"""Reasons about technology: devices and apps, social media, privacy, electric cars and online doctors."""

from __future__ import annotations

from voxpop.respondents.banks import Bank, bank

TECHNOLOGY = bank(
    good="""
    it makes [a lot of things/everyday stuff] easier
    I pick that stuff up [pretty fast/without much trouble]
    I like [trying new tech/seeing what's new]
    it saves me from [doing the same thing over and over/a lot of busywork]
    once it's set up, [I don't have to think about it/it just works]
    I already do [most things/almost everything] on my phone
    it's gotten [a lot better/much easier to use] in the last few years
    I can find [an answer/what I need] in seconds
    it beats [waiting on hold/doing it on paper]
    I'd rather [learn it now/keep up] than fall behind
    it works [the same everywhere/wherever I am]
    the setup was [easier than I expected/simple]
    people who try it [usually keep using it/seem to like it]
    it helps me [stay organized/keep track of things]
    """,
    bad="""
    I spend more time [fixing it/figuring it out] than it saves
    it's one more [password/account/thing to charge]
    the old way [worked fine/was simpler]
    they change [everything/the buttons] just when you've learned it
    I don't trust it to [get things right/work when I need it]
    I want to [talk to a person/deal with a human], not a machine
    half of it [breaks/stops working] after a year
    everything [wants a subscription/has a monthly fee] now
    I'm [on a screen too much/tired of screens] already
    it's made for [people half my age/people who like gadgets]
    it's [pushed on us/forced on people] whether we want it or not
    they [oversell it/promise too much]
    the internet [goes down/is slow] and then you're stuck
    it takes [jobs away/work away] from real people
    """,
    mixed="""
    it's useful for [some things/small jobs], not for everything
    I use what I [have to/need] and leave the rest alone
    it's great when it works and [a pain when it doesn't/awful when it doesn't]
    I'm [curious/interested], but I'd let other people try it first
    I like the idea, but [I'd need somebody to show me/I'd need time to learn it]
    it helps, though [I don't want to depend on it/I don't want it doing my thinking]
    I could see using it for [one or two things/directions and lists]
    [the jury is still out/it's too early to tell], as far as I'm concerned
    """,
    wants="""
    [something simple/ease of use]
    [a fair price/the price]
    [privacy/control over my data]
    [good battery life/something that lasts]
    [help when I get stuck/a person to call]
    [no monthly fee/no subscription]
    """,
    ifs="""
    {it} [worked right away/was easy to set up]
    somebody [showed me how/walked me through it]
    I could try it [free/for a month] first
    I knew [my information was safe/who sees my information]
    there wasn't [a monthly fee/another subscription]
    {it} did something my [phone/old one] can't
    """,
    risks="""
    it'll [break/stop working] and I won't know how to fix it
    somebody [gets hold of/steals] my information
    we're getting [too dependent on/lazy because of] it
    it [gets things wrong/makes mistakes] and nobody checks
    """,
    fixes="""
    make it [simpler/easier to set up]
    [keep a real person/have a human] people can call
    stop [changing things/moving the buttons] every update
    [explain it/write the help] in plain English
    """,
)

SOCIAL_MEDIA = bank(
    good="""
    it's how I [keep up with friends/see what the family is up to]
    I find [recipes/ideas/deals] on there all the time
    it makes me [laugh/smile] at the end of the day
    I hear about [local things/events] there first
    it's [free/an easy way to pass the time]
    I've found [people with the same interests/groups I like]
    you get [honest reviews/real opinions] from regular people
    I can [stay in touch/share pictures] with people far away
    some of the [how-to videos/videos] are really helpful
    I follow [a few people/small businesses] I like
    you can [learn something/pick up things] if you choose well
    I like seeing [what people are making/pictures of everybody]
    it's where [everybody is/people actually talk]
    I can put it down [when I've had enough/anytime]
    """,
    bad="""
    it's mostly [ads/people arguing/fake stuff] now
    I waste [an hour/too much time] and feel worse after
    you can't [tell what's real/believe half of it]
    it's [bad for kids/hard on young people]
    everybody is [showing off/selling something]
    they [track everything/sell your information]
    it brings out [the worst/the nasty side] in people
    I get tired of [the drama/the politics]
    it keeps you [scrolling/hooked] on purpose
    influencers [get paid to say that/will say anything for money]
    I don't need to know [what everybody had for lunch/everyone's business]
    it's made people [ruder/lonelier]
    the feed shows me [the same garbage/things I never asked for]
    I [deleted one of them/took a break] and didn't miss it
    """,
    mixed="""
    I like seeing friends, but [not the ads/not the arguing]
    it's useful if you [limit it/are careful who you follow]
    I look at it every day and [couldn't tell you why/wish I didn't]
    some of it is [fun/helpful] and most of it is noise
    I [read/look] but hardly ever post
    it's good for [keeping in touch/local news], bad for everything else
    I use one of them and [ignore the rest/skip the others]
    it depends [who you follow/how you use it]
    """,
    wants="""
    [friends' posts/real people]
    [fewer ads/less advertising]
    [privacy/control over who sees what]
    [honest reviews/honest information]
    """,
    ifs="""
    there were [fewer ads/less junk]
    I saw more from [people I know/my friends]
    """,
    risks="""
    kids [see things they shouldn't/get hooked on it]
    people [believe anything/can't tell what's fake]
    my information is [being sold/everywhere]
    """,
    fixes="""
    show [posts from friends/people I know] first
    [cut down on/get rid of some of] the ads
    take down the [fake accounts/scams] faster
    """,
)

PRIVACY = bank(
    good="""
    they [asked first/told me up front], and that matters
    I can [turn it off/change the settings] if I want
    they [explain/spell out] what they keep
    I have [nothing to hide/pretty tight settings]
    I've [never had a problem/had no trouble] so far
    it's a fair trade for [something free/a useful service]
    the settings are [clear/easy to find]
    two-step login [makes me feel better/does the job]
    I trust them [more than most/enough] with it
    I check [my accounts/my settings] regularly
    most of what they know is [public anyway/pretty boring]
    it helps them [catch fraud/stop scammers]
    you can ask them to [delete it/remove it]
    the rules have gotten [stricter/a little better]
    """,
    bad="""
    I never know [who ends up with my information/where it goes]
    they collect [way more than they need/everything they can]
    every company seems to [get hacked/have a breach] sooner or later
    I talk about something and [see an ad for it/there's an ad] an hour later
    nobody [reads/can understand] those policies
    they [sell it/make money on it] and we get nothing
    once it's out there [you can't get it back/it's out there for good]
    it's [none of their business/my business and nobody else's]
    you can't really [say no/opt out]
    I've had [a card stolen/my information stolen] before
    I get enough [spam/junk calls] as it is
    the [government/big companies] already know too much
    being watched [bothers me/gives me the creeps]
    they say it's safe [until it isn't/right up to the breach]
    """,
    mixed="""
    I don't love it, but [it's hard to avoid/that's how things are now]
    I'll share [the basics/a little], not everything
    it depends [who's asking/what they do with it]
    I worry about it, but [I still click agree/I still use the stuff]
    I'd share more if I [got something for it/knew what it was for]
    some companies are [careful/okay] and some aren't
    I try to be [careful/smart about it] without getting paranoid
    there's not much [left that's private/you can do about it] anyway
    """,
    wants="""
    [a clear no-thanks button/a way to opt out]
    [honesty about what they keep/plain answers]
    [good security/strong security]
    [as few questions as possible/asking only what they need]
    """,
    ifs="""
    they told me [exactly what they keep/who sees it]
    I could [delete it/turn it off] anytime
    they asked for [less/only what they need]
    """,
    risks="""
    my information [gets sold/ends up with people I never heard of]
    somebody [steals my identity/opens a card in my name]
    they're [always listening/keeping everything]
    """,
    fixes="""
    [ask first/get permission] and mean it
    collect [less/only what they need]
    write the policy [so a normal person can read it/in plain English]
    """,
)

EV = bank(
    good="""
    I'd love to [skip the gas station/stop paying for gas]
    it costs [less to run/a lot less per mile]
    they're [quiet/smooth] and quick off the line
    there's [less to maintain/no oil to change]
    it's better for [the air/the environment]
    most of my driving is [short trips/around town]
    I could [charge at home overnight/plug in overnight]
    the ones I've [ridden in/seen] were really nice
    gas prices [jump around/get ridiculous] every summer
    the range has [gotten a lot better/come a long way]
    """,
    bad="""
    they cost [too much/thousands more] up front
    there's [nowhere/hardly anywhere] to charge around here
    I don't want to [sit and wait an hour/plan my day around charging]
    the range [drops in the cold/isn't enough for a long trip]
    a new battery costs [more than the car is worth/a fortune]
    my car [runs fine/is paid off] and I'd rather keep it
    nobody I know can [fix one/work on one]
    insurance on them is [higher/crazy]
    I have no place to [plug one in/charge at night]
    the technology [isn't there yet/changes too fast]
    I don't like being [pushed into it/told what to drive]
    resale on them is [terrible/a gamble]
    """,
    mixed="""
    I'd look at [a hybrid/a used one] first
    I like the idea, but [the price and the charging worry me/not the price]
    it'd be fine as [a second car/an around-town car], not for trips
    maybe my next one, [not this one/once there are more chargers]
    it depends on [gas prices/what the used ones cost]
    """,
    wants="""
    [enough range/a range I can count on]
    [a lower price/the price]
    [chargers nearby/places to charge]
    [fast charging/a quick charge]
    [a battery that lasts/a good battery warranty]
    """,
    ifs="""
    the price [came down/got closer to a regular car]
    there were [chargers everywhere/more places to charge around here]
    {it} went [400 miles/farther] on a charge
    I could [charge at home/plug in where I live]
    charging took [ten minutes/about as long as a fill-up]
    the battery [lasted as long as the car/came with a long warranty]
    gas [hit five dollars/got a lot more expensive]
    my [current car/old car] died
    used ones were [cheap and still good/easier to find]
    """,
    risks="""
    I'd [get stuck somewhere/run out of charge] on a long drive
    the battery [would die/would go] and cost a fortune
    the grid [couldn't handle it/can't keep up]
    """,
    fixes="""
    [build more chargers/put chargers where people live]
    [bring the price down/make a cheap one]
    [guarantee the battery/stand behind the battery]
    """,
)

TELEHEALTH = bank(
    good="""
    I don't have to [sit in a waiting room/take half a day off]
    it's [quicker/easier] than driving to the office
    for a [refill/simple question/cold] it's all you need
    I got [an answer/a prescription] in fifteen minutes
    I'm not [around other sick people/catching something in the waiting room]
    the doctor was [on time/easy to talk to]
    it's good [when you feel lousy/in bad weather]
    you can [see a specialist who's far away/get seen the same day]
    it cost [less/the same or less] than a regular visit
    it's easier to [open up/talk] from my own couch
    """,
    bad="""
    they can't [listen to my heart/examine you/check you over] through a screen
    I'd rather [see my own doctor/sit across from somebody]
    the video [froze/kept cutting out]
    it felt [rushed/like talking to a stranger]
    they [miss things/can't see everything] that way
    you end up [going in anyway/having to go in after]
    I still got [charged full price/a big bill]
    the whole login thing [is a pain/was a headache]
    I don't want my [health stuff/private business] online
    you get [whoever's available/a different doctor every time]
    """,
    mixed="""
    it's fine for [small stuff/refills], but not for anything serious
    I'd use it [in a pinch/for follow-ups] and see a doctor in person for the rest
    I liked how easy it was, though [it felt a little rushed/it's not the same]
    it depends [what's wrong/which doctor it is]
    it's better than [nothing/waiting three weeks]
    """,
    wants="""
    [my own doctor/a doctor who knows me]
    [a short wait/no waiting]
    [a low price/insurance that covers it]
    [something easy to log in to/a simple setup]
    """,
    ifs="""
    I could see [my own doctor/the same doctor every time]
    insurance [covered it/paid for it]
    {it} cost [less than going in/next to nothing]
    the appointment was [the same day/right when I needed it]
    it was for something [minor/simple]
    """,
    risks="""
    they'll [miss something/get it wrong]
    my [records/health information] won't stay private
    the [video/connection] will cut out
    """,
    fixes="""
    let people [see their own doctor/keep the same doctor]
    charge [less/a lot less] than an office visit
    make it [easier to log in/work on any phone]
    """,
)

BANKS: dict[str, Bank] = {
    "technology": TECHNOLOGY,
    "social_media": SOCIAL_MEDIA,
    "privacy": PRIVACY,
    "ev": EV,
    "telehealth": TELEHEALTH,
}
