"""Reasons about food and drink: snacks, healthy eating, portions, convenience and alcohol."""

from __future__ import annotations

from voxpop.respondents.banks import Bank, bank

INDULGENCE = bank(
    good="""
    a little something sweet [makes the day go better/is my one treat/gets me through the afternoon]
    taste comes first for me and [this kind of thing delivers/I'm not going to apologize for it]
    I'd rather have a small amount of something good than [a pile of diet food/a bag of rice cakes]
    I [grew up on/was raised on] this kind of food and still enjoy it
    there's nothing wrong with a treat [once in a while/now and then/on the weekend]
    it's [a cheap/an easy/a simple] way to feel a bit better after a long day
    [the flavor/the crunch/that salty taste] is what keeps me coming back
    I usually want something to munch on [in the evening/while I watch TV/between meals]
    everybody needs [a little comfort food/something to look forward to]
    I know it's not health food, but [I enjoy it/it hits the spot]
    it's what I reach for when I'm [tired/stressed out/bored]
    [good snacks/snacks] make a get-together more fun
    when it tastes right, [I don't think twice/I'm happy to buy another]
    life's too short to [count every calorie/eat bland food]
    """,
    bad="""
    most of it is [too sweet/too salty/too greasy] for me these days
    I feel [sluggish/lousy/kind of gross] after I eat that stuff
    once I open a bag [I can't stop/it's gone in one sitting]
    there's way too much [sugar/salt/junk] in it
    I'm trying to [cut back on sweets/keep that stuff out of the house]
    I'd sooner eat [real food/an apple/a proper meal]
    the bags keep [getting smaller/shrinking] while the price goes up
    I've kind of [lost my taste for/moved away from] that sort of thing
    most of those snacks [taste the same/taste fake] to me
    it never [fills me up/holds me until dinner]
    [the ingredient list/the label] on that stuff scares me a little
    I regret it [an hour later/every time]
    it's just [empty calories/junk], if I'm honest
    I've had [too many/more than my share of] sweets over the years
    """,
    mixed="""
    I like a treat, but I [try not to overdo it/watch how much I buy]
    it tastes good, but it's [not good for me/nothing but sugar]
    some days I want something sweet and [other days I couldn't care less/other days I don't]
    it depends on [what else I ate that day/my mood/what's in the house]
    I enjoy it in the moment and [feel guilty later/wish I'd had less]
    I'll eat it if it's there, but I [don't go looking for it/rarely buy it]
    there are [a couple of kinds/one or two] I like and the rest I can skip
    it's fine for [a party/a road trip/movie night], not for every day
    """,
    wants="""
    [good taste/real flavor/the taste]
    [something crunchy/a good crunch]
    [not too much sugar/a little less sugar]
    [a fair price/a decent price/the price]
    [a bag I can close again/a small pack]
    [simple ingredients/ingredients I can pronounce]
    something that [fills me up/holds me over]
    """,
    ifs="""
    {it} tasted as good as what I buy now
    {it} didn't cost [more than/any more than] the regular kind
    I could [try a sample/taste it] first
    my usual store carried it
    {it} came in flavors I like
    the texture was right
    """,
    risks="""
    I'd [eat too much of it/finish the whole bag]
    there's a lot more sugar in there than I think
    it's loaded with stuff I can't pronounce
    the price will keep going up while the bag gets smaller
    """,
    fixes="""
    [use less sugar/cut the sugar] without ruining the taste
    stop shrinking the [bags/packages]
    put out a [smaller/single-serve] pack
    bring back the [old recipe/original flavor]
    use [simpler/better] ingredients
    """,
)

HEALTHY_LIVING = bank(
    good="""
    I've been trying to [eat better/cut down on sugar/watch what I eat]
    I feel better when I [eat less junk/stay off the sugar/eat real food]
    I read labels and [most snacks have way too much sugar/I like a short list of ingredients]
    I don't really need [all that sugar/everything to be that sweet]
    I sleep better and [have more energy/feel lighter] when I eat right
    small changes like that [are easy to stick with/add up over time]
    it's an easy [swap/change] that I wouldn't even notice much
    regular snacks have gotten [too sweet/way too sweet] for me anyway
    I'd rather [fix my habits now/be careful now] than pay for it later
    I like knowing [what I'm putting in my body/what's actually in my food]
    I don't feel [as guilty/bad] when I have one
    some of the healthier stuff [actually tastes good now/has gotten a lot better]
    I don't get that [crash/slump] in the afternoon
    it's better for [everybody in the house/anybody, really]
    """,
    bad="""
    the healthy versions [never taste right/taste like cardboard/always have a funny aftertaste]
    they take out the sugar and [put in something worse/load it up with fake sweetener]
    it usually costs [a lot more/twice as much] for a smaller box
    I like the snacks I already buy and [see no reason to change/don't want to mess with that]
    I don't eat enough snacks [for it to matter/to worry about the sugar]
    "healthy" on the front of the box [doesn't mean much/is mostly marketing]
    if I'm having a treat, [I want the real thing/I want it to taste like one]
    I've [tried a few/bought a couple] and ended up throwing them out
    artificial sweeteners [don't agree with me/bother my stomach/leave a weird taste]
    every year they [change their minds/tell us something different] about what's good for you
    I'd just end up [eating more of it/having two instead of one]
    I don't want [a company/a label] telling me how to eat
    nobody else in my house [would touch it/would eat it]
    plain old fruit [does the same job/is cheaper and better]
    """,
    mixed="""
    I want to eat better, but [taste still wins most of the time/I'm not giving up flavor for it]
    I'd eat it at home, but [not as a real treat/not if I had company]
    I like the idea more than [the taste/what I've tried so far]
    some of them are [pretty good/decent] and some are awful
    I try to eat right during the week and [let it go on weekends/don't worry about it after that]
    less sugar sounds good, but [I'd want to see what replaced it/I'd read the label first]
    I go [back and forth/through phases] with eating healthy
    I'd be fine with it for [some snacks/chips], not [for chocolate/for everything]
    """,
    wants="""
    [less sugar/low sugar]
    [no fake sweeteners/nothing artificial]
    [real ingredients/a short ingredient list/food I recognize]
    [good taste/taste, first of all]
    [a normal price/a price close to the regular one]
    [some protein/enough protein to fill me up]
    [a label I can understand/a clear label]
    """,
    ifs="""
    {it} tasted [the same/just as good/close to the real thing]
    {it} didn't cost [more/extra/an arm and a leg]
    there [wasn't any fake sweetener/weren't any weird sweeteners] in it
    I could [try one/taste a sample/get a free one] before buying a whole box
    [my regular store/Walmart/the place I shop] had it on the shelf
    somebody I trust [told me it was good/liked it]
    there was [a coupon/a deal/a sale] to start with
    I saw that [it really made a difference/the label was honest]
    my doctor [told me to/got after me about sugar]
    {it} still [felt like a treat/filled me up]
    """,
    risks="""
    they just [swap the sugar for something worse/put in more chemicals]
    {it} won't taste [like anything/right]
    I'd pay more for [the word healthy/a claim on the box]
    nobody really knows what those sweeteners do [long term/to you]
    """,
    fixes="""
    [cut the sugar without/take the sugar out without] adding fake sweetener
    make the healthy stuff [cheaper/cost the same as the regular]
    [hand out samples/let people try it] in the store
    put the sugar [on the front/in big print] so I don't need glasses to find it
    work on [the taste/the texture] before anything else
    """,
)

PORTIONS = bank(
    good="""
    I [get full faster/don't eat as much] than I used to
    I hate [throwing food out/wasting food]
    a smaller size is [plenty for me/all I need]
    it keeps me from [overeating/finishing a whole bag]
    most servings are [way too big/enough for two people]
    I'd rather have [a little of the good stuff/half and enjoy it]
    it's easier to [keep track of what I eat/stop when I've had enough]
    leftovers [just sit in my fridge/never get eaten]
    smaller packs are [easy to throw in a bag/handy when I'm out]
    I feel [better/lighter] when I stop before I'm stuffed
    it's a simple way to [eat less/cut back] without a diet
    I don't need [that much food/all of that] in one sitting
    I can try [more than one thing/something new] without a big commitment
    it stays [fresh/crunchy] because I finish it the same day
    """,
    bad="""
    smaller packs usually mean [paying more for less/the same price for less food]
    I'd still be [hungry/looking for something else] afterwards
    I'd just [open two/eat a second one]
    it's [a lot of extra wrapping/more trash] for no reason
    I'd rather buy the big one and [decide for myself/make it last]
    the regular size is [already small/not that big anymore]
    I buy in bulk because [it's cheaper/it makes sense]
    I like to [have leftovers/get my money's worth]
    companies call it a portion and [charge the same/it's just shrinkflation]
    I don't like being told [how much to eat/when to stop]
    a couple of bites [isn't a meal/doesn't do it for me]
    one pack would never be enough [to share/for the house]
    it runs out [too fast/before the week is over]
    I know [how much I want/when I'm full] without a smaller box
    """,
    mixed="""
    it's good for snacks, but [not for dinner/not for meals]
    I'd do it if [the price came down too/it cost less too]
    some days I eat a lot and [some days hardly anything/others I don't]
    smaller is fine when I'm [by myself/on the go]
    I like the idea, but [I'd miss the value of the big pack/not the extra packaging]
    it depends on [what it is/how hungry I am]
    for sweets, yes, and [for real food, no/for meals I want a full plate]
    I'm fine either way as long as [the price is fair/I don't get cheated]
    """,
    wants="""
    [the right amount for one person/enough for one]
    [a lower price for less food/a price to match]
    [a pack I can close again/a bag that reseals]
    [less wrapping/not a lot of plastic]
    [something filling/enough protein]
    """,
    ifs="""
    the price went down along with the size
    {it} still filled me up
    there wasn't [so much/a lot of] extra packaging
    I could [close the pack/save half] for later
    """,
    risks="""
    I'd be paying the same for less
    I'd end up [hungry again in an hour/opening a second one]
    """,
    fixes="""
    offer [a half size/a smaller size] and charge less for it
    put smaller packs [next to/beside] the big ones
    cut the price when they cut the size
    """,
)

CONVENIENCE = bank(
    good="""
    it saves me [time/an hour/a trip], and time is what I'm short on
    I don't want to [spend my evening cooking/stand in line/drive across town]
    anything that makes [the week/dinner/shopping] easier is worth it
    it's [right there/ready] when I need it
    I can get it done [from the couch/in five minutes/on my phone]
    by the end of the day I [don't have the energy/don't feel like doing more]
    it takes [one thing/something] off my plate
    I know [when it's coming/what I'm getting] and can plan around it
    I'd gladly pay [a bit/a little] more to skip the hassle
    cleanup is [easy/next to nothing]
    it helps on [busy nights/those days when nothing goes right]
    there's no [guesswork/fuss/running around]
    it fits [my schedule/the way I live] better
    I tried it once and [never went back/kept using it]
    """,
    bad="""
    you pay [a lot extra/way too much] just to save a few minutes
    the fees [add up fast/make it a bad deal/are ridiculous]
    I'd rather [pick things out myself/cook it myself/go see it in person]
    half the time [the order is wrong/something's missing/it shows up late]
    the quality [isn't as good/drops off]
    I have [time/enough time] to do it the regular way
    it's not that hard to [do it myself/run to the store]
    it comes with [so much packaging/a pile of boxes]
    the food is [cold/soggy] by the time it gets here
    I like [getting out of the house/walking around the store]
    it makes it too easy to [spend money/order junk]
    I don't trust [a stranger to pick my produce/somebody else with my order]
    when something goes wrong [nobody helps you/it's a headache to fix]
    nothing about it is [cheaper/faster] once you add it all up
    """,
    mixed="""
    it's handy [in a pinch/now and then], but not for every day
    I like the time it saves, but [not the fees/the price gets me]
    I use it when I'm [busy/tired/sick] and skip it otherwise
    it works for [basics/small stuff], not for [meat and produce/bigger things]
    it depends on [how much it costs that day/how rushed I am]
    it's easy, but [I don't want to rely on it/I don't love what comes with it]
    some places do it well and [some don't/others are a mess]
    it's nice to have [the option/the choice], that's about it
    """,
    wants="""
    [speed/something quick]
    [no hidden fees/low fees]
    [a simple process/no hassle]
    [the right order/getting what I ordered]
    [decent quality/good quality]
    [hours that work for me/being open late]
    """,
    ifs="""
    the fees [came down/weren't so high]
    I knew the order would [be right/show up on time]
    {it} really saved me [time/a trip]
    {it} [cost about the same/didn't cost much more]
    I could [cancel anytime/try it free first]
    """,
    risks="""
    [the order will be wrong/something will be missing]
    the fees will [creep up/double by the time I check out]
    the quality won't be [the same/any good]
    """,
    fixes="""
    drop the [extra/hidden] fees
    get the orders right [the first time/every time]
    make it [quicker/simpler] to check out
    let people [talk to a person/call somebody] when it goes wrong
    """,
)

ALCOHOL = bank(
    good="""
    a [cold beer/glass of wine/drink] with friends is a nice way to relax
    it goes well with [a good meal/a ball game/a cookout]
    there's nothing wrong with it [in moderation/if you know your limit]
    I like [trying different kinds/a good local one]
    it takes the edge off [a long week/a hard day]
    it's part of [a nice dinner/getting together]
    the local [places/brewers] make good stuff
    adults can [decide for themselves/make their own choices]
    most people [handle it fine/don't overdo it]
    the choices are [better than they used to be/better now]
    it's [social/a way to sit down and talk]
    the taste is [what I'm after/the point for me]
    it's nice to have something [a little special/for an occasion]
    a drink now and then [never hurt anybody/is fine]
    """,
    bad="""
    I've seen [what it does to people/families hurt by it]
    it [costs too much/gets expensive] for what it is
    I don't like [how it makes me feel/waking up the next day]
    I [sleep worse/feel worse] after even one
    it's not good for your [health/liver], plain and simple
    I can have fun [without it/just fine without it]
    people [don't know when to stop/drive after drinking]
    the taste [never grew on me/isn't my thing]
    there's too much [pressure/pushing] to drink
    it's a lot of [empty calories/sugar]
    it doesn't mix with [my routine/early mornings]
    bars are [too loud/too expensive] these days
    it causes [more trouble/more harm] than it's worth
    they market it like [it's harmless/soda]
    """,
    mixed="""
    one is fine, but [two is too many/I leave it at that]
    I don't mind it, but I [could live without it/don't go looking for it]
    it depends on [who I'm with/the occasion]
    it's fun for some people and [a real problem for others/trouble for others]
    I think about it differently [than I used to/now]
    it's okay [at a party/on a holiday], not on a weeknight
    I like the taste, but [not the price/not the morning after]
    I can take it or leave it [most days/honestly]
    """,
    wants="""
    [a good taste/the taste]
    [a fair price/the price]
    [something light/nothing too strong]
    [good company/friends around]
    """,
    ifs="""
    the price was reasonable
    {it} tasted good
    there was a good [non-alcoholic/light] version
    """,
    risks="""
    people will [overdo it/get behind the wheel]
    it becomes a habit
    """,
    fixes="""
    keep the prices reasonable
    offer [better non-alcoholic choices/more light options]
    check IDs [properly/every time]
    """,
)

BANKS: dict[str, Bank] = {
    "indulgence": INDULGENCE,
    "healthy_living": HEALTHY_LIVING,
    "portions": PORTIONS,
    "convenience": CONVENIENCE,
    "alcohol": ALCOHOL,
}
