"""Reasons about the wider world: politics, trust, news, the environment, health and tobacco."""

from __future__ import annotations

from voxpop.respondents.banks import Bank, bank

POLITICS = bank(
    good="""
    it's a [step in the right direction/decent start]
    somebody has to [do something/try]
    regular people would [actually notice it/benefit]
    it's only [fair/right]
    we've put it off [long enough/for years]
    it worked [in other places/somewhere else], so why not
    I'd rather have [a plan/something] than nothing
    it helps people who [work hard/play by the rules]
    voting is [the least we can do/how you get heard]
    local officials [do a decent job/listen] around here
    it makes [sense/good sense] in the long run
    people [across the aisle/on both sides] could live with it
    my taxes should [go to something useful/do some good]
    it holds people [accountable/responsible]
    """,
    bad="""
    politicians only [show up at election time/look out for themselves]
    they waste [so much money/our money] already
    nothing [gets done/ever changes] in Washington
    it's all [about money/about who donates]
    both sides [lie/just fight]
    it would mean [higher taxes/more red tape]
    they don't know [what groceries cost/how regular people live]
    the government can't [run what it has/fix a pothole]
    it sounds good and [never works out that way/then comes the bill]
    regular people [pay for it/get forgotten]
    they make rules for us and [not for themselves/exceptions for their friends]
    everything turns into [a fight/a shouting match]
    it goes [too far/way too far]
    I've [lost faith in them/stopped believing their promises]
    """,
    mixed="""
    I agree with [parts of it/some of it]
    I don't fit with [either side/either party]
    it depends [who pays for it/how they do it]
    the idea is fine, [but I don't trust them to do it right/the follow-through is the problem]
    I don't [follow it closely/know enough about it] to be sure
    some good [and some bad/people, some crooks], like always
    I can see [both sides/why people disagree]
    I'd want to [read the details/know what it costs] first
    """,
    wants="""
    [honesty/straight talk]
    [lower taxes/taxes that make sense]
    [less fighting/people who work together]
    [a plan that costs out/real results]
    """,
    ifs="""
    I knew [who was paying for it/what it would cost]
    they could show it [worked somewhere else/really worked]
    """,
    risks="""
    they'll [waste the money/make it worse]
    regular people will [get stuck with the bill/be forgotten]
    the country keeps [pulling apart/getting angrier]
    """,
    fixes="""
    [listen to regular people/talk to people outside Washington]
    [stop fighting/sit down together] and get something done
    cut the [waste/spending on themselves]
    be honest about [what it costs/who pays]
    """,
)

TRUST = bank(
    good="""
    they've [kept their word/been straight with me] so far
    they [admit it/own up] when they're wrong
    I've dealt with them [for years/a long time] without trouble
    they [explain things/answer questions] in plain English
    the people are [local/easy to reach]
    I've [checked/looked into it], and it adds up
    they treat people [fairly/with respect]
    there are [rules/people checking up on them]
    somebody I know [had a good experience/vouches for them]
    they've got [a good track record/a good name] around here
    most people are [decent/honest] if you give them a chance
    they had the chance to [cheat me/cut corners] and didn't
    it's their [job/business] to get it right
    I've seen [no reason not to/nothing to make me doubt it]
    """,
    bad="""
    they'll say [anything/whatever] to make a sale
    I've been [burned/lied to] before
    they only [look out for themselves/care about profit]
    you can't get [a straight answer/anybody on the phone]
    the story [changes every week/keeps changing]
    when something goes wrong, they [hide it/blame somebody else]
    there's always [a catch/some fine print]
    money [talks/buys them off]
    they treat people [like a number/like we're stupid]
    nobody [checks on them/holds them to it]
    experts [disagree/get it wrong] all the time
    they got [caught/fined] and nothing changed
    it looks [good on paper/nice in the ads], and that's it
    trust takes years to earn and [they blew it/one day to lose]
    """,
    mixed="""
    I trust [some of them/people more than organizations]
    I believe about [half of it/half of what I hear]
    trust has to be [earned/earned over time]
    I'd [check it myself/ask around] first
    they mean well, but [they make mistakes/it's a business]
    it depends [who's talking/what's in it for them]
    so far so good, [but I keep my eyes open/we'll see]
    the local people are fine, [it's the ones on top I wonder about/the big shots, not so much]
    """,
    wants="""
    [straight answers/honesty]
    [a good track record/keeping their word]
    [no fine print/no hidden catch]
    [somebody I can call/a real person]
    """,
    ifs="""
    they were [straight with me/open about everything]
    I saw them [keep their word/do what they said]
    """,
    risks="""
    they're [not telling us everything/hiding something]
    there's a [catch/string attached]
    """,
    fixes="""
    [tell the truth/be straight with people], even when it looks bad
    get rid of the [fine print/legal talk]
    [own up to/admit] mistakes
    """,
)

NEWS = bank(
    good="""
    they cover [things that happen right here/what matters around town]
    the reporters [live here/know the area]
    they don't [shout/push an opinion] like the cable channels
    they [name their sources/show both sides]
    I've [met a couple of them/been at things they covered] and they got it right
    weather and [road closings/school news] are what I need, and they do that well
    if they get it wrong, people [call them on it/let them know]
    they [stick to the facts/keep it short]
    I've watched [the same people/that station] for years
    nobody else [goes to the council meetings/keeps an eye on city hall]
    """,
    bad="""
    it's [all crime and weather/mostly car wrecks and commercials]
    they're owned by [some big company/people out of state] now
    they [lean one way/pick a side] and you can tell
    they leave out [half the story/whatever doesn't fit]
    they go for [clicks/ratings], not facts
    the paper is [half the size it was/basically gone]
    they [got a story wrong/messed up a story] I knew about firsthand
    they repeat [what the police say/press releases] and call it news
    they scare people [on purpose/to keep them watching]
    every story is [behind a paywall/interrupted by ads]
    """,
    mixed="""
    I trust them on [weather and traffic/local events], less on politics
    I read [more than one/a couple of sources] and decide for myself
    they do okay with [what they have/a small staff]
    some reporters are [good/careful] and some just read a script
    I trust them more than [national news/cable], but that's not saying much
    """,
    wants="""
    [plain facts/just the facts]
    [both sides/more than one side]
    [local stories/things going on around here]
    [reporters who live here/real reporters]
    """,
    ifs="""
    they [stuck to facts/kept opinion out of it]
    they [showed where they got it/corrected mistakes up front]
    """,
    risks="""
    [people can't tell what's real anymore/nobody checks the facts]
    the local paper will [close/disappear]
    """,
    fixes="""
    stick to [the facts/what happened]
    cover [more local stories/city hall]
    [fix mistakes on the front page/own up to mistakes]
    """,
)

SUSTAINABILITY = bank(
    good="""
    there's [way too much plastic/so much trash] out there already
    I [recycle/try to recycle] what I can, so it helps when the package makes that easy
    we only get [one planet/the one earth]
    somebody has to [clean it up/live with it] after us
    a lot of packaging is [pointless/two boxes for one small thing]
    I'd pick the one with [less waste/less plastic] if they were side by side
    it's a small thing that [adds up/everybody can do]
    I feel better [buying it/throwing less away]
    the summers are [hotter/strange] now, you can feel it
    companies should [do their part/take some responsibility]
    I've seen [beaches/ditches] full of plastic
    it usually means [less junk/less stuff] to carry to the curb
    I'd like [kids/the next generation] to have clean air and water
    paper and cardboard [work fine/do the job]
    """,
    bad="""
    it's mostly [a marketing thing/for show]
    they charge [extra/more] and call it green
    most of it ends up in [the landfill/the same dump] anyway
    those paper straws and bags [fall apart/don't hold up]
    I [buy for what's inside/don't buy something for the box]
    one person's [box/bag] doesn't change anything
    the big polluters [do what they want/get away with it]
    the recycling rules are [confusing/different everywhere]
    I have [bigger things to worry about/enough to think about at the store]
    the stuff [doesn't keep food as fresh/leaks]
    half those labels [mean nothing/are made up]
    I can't afford to [shop that way/pay for somebody's feel-good label]
    I'm tired of [being lectured/the guilt trip]
    around here [there's no place to recycle it/they don't even pick it up]
    """,
    mixed="""
    I like it, but [I won't pay much more for it/price still comes first]
    I do [what's easy/the basics] and don't lose sleep over the rest
    it's nice to have, [not what I look at first/a plus, not a reason]
    I'd choose it if [everything else was the same/the price was the same]
    I want to believe it, but [I wonder how much really gets recycled/who knows if it's true]
    less packaging, yes, [fancy packaging, no/special materials, I don't know]
    I care about it, though [not every time I shop/I'm not perfect]
    some companies [mean it/really do it] and some just print a leaf on the box
    """,
    wants="""
    [less plastic/no plastic]
    [a box I can recycle/something my town recycles]
    [the same price/no extra cost]
    [packaging that holds up/packaging that keeps it fresh]
    [an honest label/proof it's true]
    """,
    ifs="""
    {it} didn't cost [extra/more]
    {it} [held up/worked] as well as the old kind
    I could [recycle it here/toss it in the regular bin]
    I believed it [made a difference/got recycled]
    """,
    risks="""
    we're leaving [a mess/a mess behind] for the next people
    it's [just talk/too late]
    they'll use it to [raise prices/charge more]
    """,
    fixes="""
    use [less plastic/one box instead of two]
    mark clearly [what goes in which bin/how to recycle it]
    keep the price [the same/down] when they switch
    [take the packaging back/let people return the containers]
    """,
)

HEALTH = bank(
    good="""
    my health is [the most important thing/everything]
    I'd rather [catch it early/deal with it now]
    I [trust my doctor/have a doctor I like]
    you feel [a lot better/it] when you take care of yourself
    it's helped [people I know/somebody close to me]
    I want to [stay out of the hospital/keep my strength]
    without your health you [have nothing/can't do much]
    a checkup [gives me peace of mind/settles the mind]
    the staff [listens/takes the time]
    I've seen what happens when people [ignore it/wait too long]
    medicine has [come a long way/gotten better]
    getting older [makes you think/makes you careful]
    it's been [tested/around] long enough for me
    a little [prevention/care] goes a long way
    """,
    bad="""
    it costs [so much/a fortune], even with insurance
    you wait [weeks/forever] and get ten minutes with the doctor
    they push [pills/a prescription] for everything
    I worry about [the side effects/what it does to you long term]
    the insurance company [decides everything/turns everything down]
    nobody [explains anything/tells you the price up front]
    the bills [keep coming/make no sense]
    drug companies are [in it for the money/making a killing]
    one doctor says one thing and [another says the opposite/the next one changes it]
    I don't like [doctors' offices/hospitals]
    they treat [the numbers/the chart], not the person
    I'd rather [let my body handle it/not take anything I don't need]
    you feel like [a number/you're being rushed out]
    it's hard to [get an appointment/find a doctor who takes you]
    """,
    mixed="""
    it depends [what my doctor says/on the side effects]
    I do what I [have to/can] and try not to worry
    the care is good, [it's the cost that's bad/getting it is the hard part]
    I'd want to [read up on it/ask my doctor] first
    some days I feel [fine/great] and some days I feel my age
    I know I should [go more/do more], I just don't always
    it helps some people and [not others/does nothing for others]
    I'm careful, [not obsessed/within reason]
    """,
    wants="""
    [a doctor who listens/a doctor with some time]
    [clear prices/knowing the price up front]
    [few side effects/no bad side effects]
    [something proven/proof that it works]
    """,
    ifs="""
    my doctor [recommended it/told me to]
    insurance [covered it/paid for it]
    there weren't [bad side effects/many side effects]
    I saw [proof that it worked/it work for somebody I know]
    """,
    risks="""
    something [gets missed/shows up too late]
    I won't be able to [pay for it/take care of myself]
    the side effects are [worse than they say/not known yet]
    I'll end up [a burden/in the hospital]
    """,
    fixes="""
    [bring the cost down/charge less]
    give people [more time with the doctor/a straight price]
    [explain things/talk] in plain English
    cut [the paperwork/the wait]
    """,
)

TOBACCO = bank(
    good="""
    adults can [decide for themselves/make that choice]
    it [calms people down/settles the nerves]
    it's a [habit/ritual] people enjoy with coffee
    they've made it [hard enough/expensive enough] already
    it's [legal/nobody's business]
    vaping is [probably better than cigarettes/how some people quit]
    people have [done it forever/always done it]
    a break outside [isn't the worst thing/does some good]
    I don't see the point in [punishing smokers/another tax]
    [flavors help people move off cigarettes/some people need it to quit]
    it's a way to [take five minutes/take a breather]
    outside, it [bothers nobody/doesn't hurt anybody]
    there are [worse habits/worse things]
    I'd leave people [alone about it/be]
    """,
    bad="""
    it [kills people/wrecks your lungs], everybody knows that
    the smell [gets into everything/makes me sick]
    a pack costs [more than lunch/a ridiculous amount]
    kids are [getting hooked on vapes/starting too young]
    I've seen people [die from it/get sick from it]
    quitting is [so hard/harder than they tell you]
    secondhand smoke [bothers everybody/hurts other people]
    the companies [lied for years/go after kids]
    nobody knows what's in [a vape/those vapes]
    butts are [all over the ground/everywhere]
    we all [pay for it/end up with the medical bills]
    it's a [waste of money/dirty habit]
    there's nothing [good/cool] about it
    they make the flavors [for kids/taste like candy]
    """,
    mixed="""
    it's bad for you, but [it's a free country/that's up to the person]
    I don't like it, though [I wouldn't ban it/I feel for people who can't quit]
    vaping might be [less bad/a bit better], nobody really knows
    outside is fine, [inside is another story/not near kids]
    it depends [where they do it/who's around]
    I understand [why people start/why it's hard to stop]
    rules are okay, [taxes don't help much/up to a point]
    fewer people [do it/smoke] now, and that's good
    """,
    wants="""
    [help with quitting/support for people who quit]
    [smoke-free places/clean air]
    """,
    ifs="""
    there was real help to [quit/cut down]
    """,
    risks="""
    kids [get hooked/start with the flavors]
    it [catches up with you/does damage nobody sees]
    """,
    fixes="""
    keep it [away from kids/away from schools]
    make help with quitting [free/easy to get]
    """,
)

BANKS: dict[str, Bank] = {
    "politics": POLITICS,
    "trust": TRUST,
    "news": NEWS,
    "sustainability": SUSTAINABILITY,
    "health_worry": HEALTH,
    "tobacco": TOBACCO,
}
