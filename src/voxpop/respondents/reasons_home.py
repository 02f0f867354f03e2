"""Reasons about home and work: jobs, family, schools, safety, daily life, stress, faith and pets."""

from __future__ import annotations

from voxpop.respondents.banks import Bank, bank

JOB = bank(
    good="""
    [the people I work with/my coworkers/the crew] are [great/good people/easy to get along with]
    the hours are [steady/decent/regular]
    I get to [help people/do something useful]
    no two days are [the same/quite alike]
    my boss [leaves me alone to do it/treats people fairly/listens]
    I'm [good at it/left to run things my way]
    the pay is [fair/decent] for what I do
    I can [see what I got done/point to something] at the end of the day
    I've learned [a lot/something new every year] there
    people [say thank you/appreciate the work]
    it's [steady work/secure], and that counts for a lot
    I have [some flexibility/a say in my schedule]
    the time [goes fast/flies by]
    I don't have to [take it home with me/think about it after hours]
    """,
    bad="""
    the pay [hasn't kept up/isn't enough for the work]
    we're always [short-handed/understaffed]
    management [doesn't listen/has no idea what we do]
    the hours are [all over the place/too long]
    nobody [says thank you/notices when you do it right]
    there's [no room to move up/nowhere to go from here]
    I come home [worn out/too tired to do anything]
    they keep [adding more work/piling it on] and nothing comes off
    the schedule changes [at the last minute/every week]
    there's too much [paperwork/red tape/office politics]
    [the benefits/the insurance] get worse every year
    people [call out/quit] and the rest of us cover
    some of the customers and higher-ups are [hard to take/rude]
    it's the same thing [day after day/over and over]
    """,
    mixed="""
    the work is fine, [the pay could be better/it's the pay that bothers me]
    I like the people, but [not the hours/not the way it's run]
    some days I [enjoy it/love it] and some days I count the hours
    it pays the bills, [that's about it/and I leave it there]
    it's a [job/living], no better or worse than most
    it was better [a few years ago/before things changed]
    I don't dread it, but I [don't love it/wouldn't call it fun]
    it depends on [who's on shift/the week]
    """,
    wants="""
    [better pay/decent pay]
    [steady hours/a predictable schedule]
    [respect/a boss who listens]
    [good coworkers/good people to work with]
    [benefits/decent health insurance]
    [some flexibility/time off when I need it]
    """,
    ifs="""
    the pay was [clearly better/enough to notice]
    the hours [were regular/worked for me]
    I knew the [boss/people] was worth working for
    the benefits were [at least as good/better]
    """,
    risks="""
    they'll [cut hours/cut jobs]
    the work will [dry up/get handed to a machine]
    I'm going to [burn out/get hurt]
    """,
    fixes="""
    [pay people more/raise the pay]
    [hire more people/fill the open spots]
    [listen to the people doing the work/ask us before they change things]
    give us our schedule [earlier/two weeks out]
    """,
)

FAMILY = bank(
    good="""
    kids [come first/deserve the best we can give them]
    it brings people [together/around the same table]
    it helps [parents out/keep kids safe]
    families need [more help like this/all the support they can get]
    it teaches kids [something useful/responsibility]
    everybody can [use it/enjoy it together]
    it's one less thing for [parents/families] to worry about
    time together is [what matters most/worth more than anything]
    kids [grow up fast/are only little once]
    it keeps them [busy/off the screen] for a while
    good habits [start early/start at home]
    it makes [family life/home life] a bit calmer
    I've seen it [work/make a difference] for families
    somebody is finally [thinking about families/paying attention]
    """,
    bad="""
    kids are [under enough pressure/on screens enough] already
    it costs [more than most families can spend/too much for a family]
    that should be [up to the parents/decided at home]
    it's not [good for kids/right for every child]
    they [sell/market] everything to children now
    nobody asked [the parents/families] first
    kids need [to be kids/to play outside], not more of this
    it [takes time away/pulls people away] from the family
    what works for one family [doesn't work for another/won't work for all]
    I don't trust [strangers/companies] around children
    parents get [blamed/judged] for everything
    there's too much [pressure/noise] on families as it is
    kids [see too much too early/grow up too fast]
    it's one more [bill/thing to run to] for parents
    """,
    mixed="""
    it depends [on the kid/how old they are]
    it's good in small doses, [not every day/like most things]
    I see why parents like it, but [I'd have questions/it's not for everybody]
    every family [is different/has to figure it out]
    it helps some kids and [not others/leaves others out]
    things are different [now/from how I grew up], good and bad
    I'd want to know [more about it/who's behind it] first
    parents [do their best/can only do so much]
    """,
    wants="""
    [safety/kids being safe]
    [more time together/time at home]
    [something affordable/a fair price]
    [people I trust/somebody you can trust around kids]
    """,
    ifs="""
    I knew it was [safe/safe for kids]
    {it} didn't cost [much/a fortune]
    other parents [told me it was good/recommended it]
    """,
    risks="""
    kids [see things they shouldn't/grow up too fast]
    nobody is [watching/looking out for them]
    """,
    fixes="""
    [ask parents first/talk to parents]
    make it [affordable/something every family can use]
    put [safety/kids] first
    """,
)

SCHOOL = bank(
    good="""
    the teachers I know [really care/work hard]
    the schools around here [do a decent job/take it seriously]
    they [practice for emergencies/lock the doors] now, which helps
    there are [people at the door/cameras] and that's a good start
    most schools are [safer than the news makes it look/pretty safe]
    they [keep parents informed/send word right away] when something happens
    the staff [knows the kids/pays attention]
    more is being done [than when I was in school/than a few years ago]
    police and schools [work together/talk to each other] better now
    kids are [looked after/in good hands] most of the time
    """,
    bad="""
    you see [another shooting/something awful] on the news every few weeks
    nobody should have to [worry about sending a kid to school/practice hiding under a desk]
    bullying gets [brushed off/ignored] until it's too late
    there aren't enough [counselors/grown-ups] to notice trouble
    anybody can [walk in/get through a side door] if they want to
    politicians [talk/send prayers] and nothing changes
    it's too easy to [get a gun/get hold of a weapon]
    the schools are [overcrowded/short on staff]
    kids bring [problems/everything] in from home and the internet
    they spend money on [the wrong things/gadgets] instead of people
    """,
    mixed="""
    the schools do what they can, but [they can't stop everything/it's a bigger problem]
    I worry about it, though [it's rare/not every day]
    security matters, but [I don't want schools to feel like prisons/it can go too far]
    it depends on [the district/the school]
    it's better than it was and [still not good enough/still not where it should be]
    """,
    wants="""
    [locked doors/secure doors]
    [more counselors/somebody kids can talk to]
    [quick word to parents/honest communication]
    [teachers who know the kids/enough staff]
    """,
    ifs="""
    there were [enough adults/more counselors] around
    they were [open with people/straight with parents]
    """,
    risks="""
    somebody [gets in with a gun/walks right in]
    a kid [slips through the cracks/gets bullied and nobody steps in]
    one day it happens [here/close to home]
    the warning signs [get missed/are ignored]
    """,
    fixes="""
    hire more [counselors/people to watch the halls]
    lock the doors and [check who comes in/keep one entrance]
    take bullying [seriously/more seriously]
    [listen to the kids/listen when kids say something's wrong]
    """,
)

SAFETY = bank(
    good="""
    I feel [safe enough/pretty safe] most of the time
    it gives me [some peace of mind/one less thing to worry about]
    better safe [than sorry, I figure/than sorry]
    people around here [look out for each other/know each other]
    it's been [tested/checked] and that matters to me
    a little protection is [worth paying for/worth the trouble]
    accidents happen [fast/when you least expect it]
    I'd rather [have it and not need it/be ready]
    they [take it seriously/don't cut corners]
    I've seen it [make a difference/help]
    it protects [people who need it/everybody]
    I've never had [any trouble/a problem] with it
    the warnings are [clear/easy to follow]
    common sense [goes a long way/covers most of it]
    """,
    bad="""
    you don't know [who's out there/what people will do] anymore
    there's more [crime/stealing] than there used to be
    I don't go out [as much after dark/alone at night]
    nobody [enforces the rules/does anything about it]
    companies [cut corners/wait until somebody gets hurt]
    insurance costs [a fortune/more every year] and then they don't pay
    I've [had something stolen/had a close call] before
    it only takes [one time/one mistake]
    the police [can't be everywhere/take forever]
    people drive like [maniacs/nobody else is on the road]
    I don't like [taking chances/gambling] with that
    there's [not enough testing/no proof it's safe]
    things feel [less safe/more tense] than they did
    they hide the risks in [the fine print/small print]
    """,
    mixed="""
    you can't [live scared/worry all the time], but you have to be careful
    it's fine [in the daytime/around here], less so at night
    nothing is [a hundred percent safe/risk free]
    I take [normal precautions/some precautions] and leave it at that
    it depends [on the neighborhood/where you are]
    the news makes it [sound worse/look worse], though some of it is real
    I'd want to see [the facts/some proof] first
    there's a balance between [safe and silly/being careful and being scared]
    """,
    wants="""
    [proof it's safe/real testing]
    [clear warnings/clear instructions]
    [good lighting/lights that work]
    [somebody to call/help when you need it]
    """,
    ifs="""
    I saw [proof it was safe/real test results]
    {it} had been around [a while/long enough to trust]
    """,
    risks="""
    somebody will [get hurt/break in]
    they'll [cut corners/cover it up]
    nobody [comes/shows up] when you call
    """,
    fixes="""
    [test it properly/test things] before selling them
    put up [better lighting/more lights]
    [be honest/come clean] when something goes wrong
    """,
)

LIFE = bank(
    good="""
    I have [good people/a few good friends] around me
    I [can't complain/have what I need]
    most days are [good ones/pretty good]
    I've learned to [enjoy the small stuff/not sweat the small stuff]
    things have [worked out/settled down]
    I get to [do what I like/sleep in my own bed and eat well]
    I'm [grateful/thankful] for what I have
    there's always [something to look forward to/some good in the day]
    I [keep busy/stay busy] and that helps
    I've been through worse and [came out okay/got through it]
    home is [quiet/peaceful], and I like that
    I know what [matters to me/makes me happy] by now
    I [laugh a lot/find something to laugh at most days]
    it's a [simple/plain] life and I like it
    """,
    bad="""
    every day feels [the same/like a grind]
    I thought I'd be [further along/in a better place] by now
    there's always [something going wrong/another problem]
    I don't see [people/my friends] as much as I'd like
    everything costs [so much/too much] and it wears on you
    I'm [tired/worn down] more than I should be
    it's hard to [look ahead/plan anything]
    I [worry/think] too much, mostly at night
    things haven't [gone my way/turned out how I hoped]
    people are [meaner/colder] than they used to be
    there's no [time/energy] left for anything fun
    it's been a [rough couple of years/hard year]
    I feel [stuck/like I'm in a rut]
    nothing seems to [get easier/change]
    """,
    mixed="""
    there are [good days and bad days/ups and downs], like for everybody
    it could be [better/worse]
    some parts are [great/good] and some need work
    I'm [getting by/doing okay], not more than that
    I have most of what I need, [not all of what I want/just not everything]
    it's better than [last year/it was], slowly
    I try to [stay positive/look on the bright side], it doesn't always work
    it's [pretty ordinary/nothing special], and mostly that's fine
    """,
    wants="""
    [good health/my health]
    [time with people I love/good company]
    [enough money not to worry/a bit of security]
    [some peace and quiet/a calm day]
    """,
    ifs="""
    I had [more time/a little more time]
    money was [less of a worry/not so tight]
    """,
    risks="""
    time is [going by too fast/slipping away]
    I'll [end up alone/get sick]
    things will [get worse/never get easier]
    """,
    fixes="""
    [slow down/take it easier]
    [spend more time outside/get out more]
    [call people/see friends] more often
    """,
)

STRAIN = bank(
    good="""
    I [sleep well/sleep okay] and don't worry too much
    I know how to [switch off/let things go]
    a walk [clears my head/usually does it]
    I have people I can [talk to/call]
    things are [calm/pretty quiet] right now
    I don't take on [more than I can handle/too much]
    I've gotten [better at saying no/better with stress]
    there's [nothing big/not much] hanging over me
    I take [time for myself/breaks] when I need them
    I've seen worse, so [little things don't get to me/I keep it in perspective]
    music and [some quiet/fresh air] do the trick
    I wake up [rested/okay] most days
    I [laugh it off/don't dwell on it]
    a routine [keeps me steady/helps a lot]
    """,
    bad="""
    there's [too much going on/never a break]
    I don't [sleep well/get enough sleep]
    [money/the news/everything at once] keeps me up at night
    I feel [pulled in every direction/stretched thin]
    it's hard to [switch off/relax], even on a day off
    I'm [tired all the time/running on empty]
    little things [set me off/get to me] more than they should
    there's nobody to [hand things to/take over]
    getting help is [expensive/hard]
    I keep [waiting for things to calm down/thinking next month will be easier]
    my head [never stops/keeps going] at night
    I don't get [any time to myself/a minute to breathe]
    people expect [an answer right away/too much]
    the last couple of years [took a lot out of me/wore me out]
    """,
    mixed="""
    some weeks are [fine/okay] and some are too much
    I handle it, but [it wears on me/I feel it]
    it comes and goes [with the season/like anything]
    I'm stressed, but [no more than anybody/who isn't]
    it helps to [keep busy/stay busy], up to a point
    I'm better than [last year/I was], still tired
    it depends how [I slept/the week goes]
    I manage [most days/most of the time]
    """,
    wants="""
    [more sleep/a full night's sleep]
    [some quiet/an hour to myself]
    [somebody to talk to/a person who listens]
    [fewer bills/less to worry about]
    """,
    ifs="""
    I had [an hour to myself/a real day off]
    {it} actually [helped me sleep/calmed me down]
    """,
    risks="""
    I'm going to [burn out/get sick from it]
    it will never [let up/slow down]
    """,
    fixes="""
    make help [cheaper/easier to get]
    [give people a break/let people rest]
    """,
)

FAITH = bank(
    good="""
    it gives me [strength/comfort] when things are hard
    it's how I [was raised/was brought up]
    it keeps me [grounded/humble]
    the people there [are like family/help each other]
    I find [peace/some quiet] in it
    it reminds me [what matters/to be grateful]
    it's been there [through hard times/when I needed it]
    it teaches [people to be decent/kindness]
    prayer [helps me/settles me]
    it gives the week [a rhythm/some meaning]
    we need more of it [these days/in this country]
    a church does [a lot of good/good work] in a town
    I believe [there's more than this/things happen for a reason]
    it makes me [a better person/kinder]
    """,
    bad="""
    too many people [use it to judge others/don't live what they preach]
    it's been [mixed up with politics/turned into politics]
    they always [want money/ask for money]
    I've seen too much [hypocrisy/hurt] come out of it
    I don't need [a building/an organization] to be a decent person
    it never [made sense/did much] for me
    nobody should [push it on others/force it on people]
    I [drifted away/lost interest] years ago
    the scandals [turned me off/did it for me]
    I trust [facts/what I can see] more
    there are too many [rules/old rules]
    it divides people [more than it helps/as often as not]
    I'd rather spend [Sunday at home/the time on people]
    I have [more questions than answers/too many questions]
    """,
    mixed="""
    I believe in something, just [not in the building/not in all the rules]
    it's [private/personal] for me
    I respect it, even if [I don't practice/it's not for me]
    some churches do good and [some do harm/some don't]
    I go [on holidays/now and then], that's it
    I [go back and forth/have my doubts] about it
    it helps some people, [and that's fine/I can see that]
    I was raised with it and [kept parts of it/still think about it]
    """,
    wants="""
    [honesty/people who live it]
    [a welcoming place/kind people]
    [some peace/quiet]
    """,
    ifs="""
    the people were [welcoming/not so quick to judge]
    """,
    risks="""
    people use it to [divide us/get votes]
    we're [losing it/drifting away from it]
    """,
    fixes="""
    [stay out of politics/leave politics out of it]
    [welcome everybody/open the doors wider]
    [help people who need it/spend it on the poor]
    """,
)

PETS = bank(
    good="""
    an animal is [good company/company when nobody else is]
    they're [always glad to see you/happy when you come home]
    it gets you [out of the house/moving]
    they're [part of the family/like family]
    it's good for [kids/your blood pressure]
    I like animals [more than most people/better than some people]
    they [make you laugh/cheer you up]
    a house feels [empty/too quiet] without one
    they don't [judge you/talk back]
    it teaches you [patience/responsibility]
    there are so many that [need a home/need somebody]
    I'd spend money on [a pet/good food for one] before myself
    they calm [everybody/a person] down
    life is [better/more fun] with an animal around
    """,
    bad="""
    vet bills are [out of control/through the roof]
    it's [hair everywhere/a lot of cleaning up]
    it ties you [down/to the house]
    the food costs [more every year/a fortune]
    people get one and [don't take care of it/leave it home all day]
    my place [isn't right/is too small] for one
    losing one is [too hard/hard to go through again]
    I have enough [to take care of/responsibility] already
    they bark [all night/at everything]
    travel gets [complicated/expensive]
    everything for pets is [overpriced/a racket]
    allergies make it [hard/impossible]
    owners don't [clean up after them/train them]
    it's a [ten-year commitment/long commitment]
    """,
    mixed="""
    I like animals, but [not the bills/not the work]
    it's great with [the right pet/the right home]
    they're a lot of work and [a lot of fun/worth it most days]
    I enjoy [other people's/my friends'] pets
    it depends [on the animal/how much time you have]
    maybe someday, [not right now/when things are calmer]
    I'd spend on [food and the vet/the basics], not on toys
    they're good company, though [it's a commitment/you're tied down]
    """,
    wants="""
    [good ingredients/decent food]
    [a fair price/a price that isn't crazy]
    [a vet I trust/a good vet]
    """,
    ifs="""
    the vet [recommended it/said so]
    {it} didn't cost [much more/a fortune]
    """,
    risks="""
    one trip to the vet [wipes you out/costs a month's rent]
    you don't know what's in [the food/the treats]
    """,
    fixes="""
    bring down the [vet bills/prices]
    use [better/simpler] ingredients
    """,
)

BANKS: dict[str, Bank] = {
    "job": JOB,
    "family": FAMILY,
    "school": SCHOOL,
    "safety": SAFETY,
    "life": LIFE,
    "strain": STRAIN,
    "faith": FAITH,
    "pets": PETS,
}
