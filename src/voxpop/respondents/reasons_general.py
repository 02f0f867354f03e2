"""Reasons that fit any subject, and which bank a topic has."""

from __future__ import annotations

from voxpop.respondents import (
    reasons_food,
    reasons_home,
    reasons_leisure,
    reasons_money,
    reasons_tech,
    reasons_world,
)
from voxpop.respondents.banks import Bank, bank

GENERAL = bank(
    good="""
    it makes [sense/sense to me]
    I've had [good luck/a good experience] with that kind of thing
    it does [what it's supposed to/the job]
    I can see [the point/how it would help]
    people I know [like it/say good things]
    it's [simple/straightforward], and I like simple
    I've [heard good things/read good things] about it
    it solves [a real problem/something that bugs me]
    it's better than [what we had before/the other choices]
    I don't see [a downside/much wrong with it]
    it's [about time/overdue]
    it would [help a lot of people/be good for people]
    so far [it's worked out/I've been happy]
    it fits [how I live/what I need]
    I'd rather [have it than not/say yes than no]
    my first reaction was [good/positive]
    somebody clearly [thought about it/put some work into it]
    it's [worth a try/worth it], I think
    I've [thought about it/looked into it] and like what I see
    it feels [right/like the right thing]
    I didn't have to [think long/think twice]
    things like that [usually work out/tend to help]
    """,
    bad="""
    I just don't [see the need/see the point]
    it [doesn't do much for me/isn't for me]
    I've [been disappointed/been let down] by that kind of thing
    it's more [trouble/hassle] than it's worth
    nobody [asked for it/asked people like me]
    there are [better ways/better options] out there
    it sounds [better than it is/too good to be true]
    I don't know [anybody who likes it/who it's for]
    it's not [worth the money/worth my time]
    I'm [tired of hearing about it/kind of sick of it]
    it wouldn't [change anything/make my life better]
    I got along [fine without it/fine before]
    there's always [a catch/something they don't tell you]
    they haven't [convinced me/made the case]
    something about it [bothers me/feels off]
    I've seen [how that goes/this before]
    my gut says [no/stay away]
    it's [not thought through/half-baked]
    I have [other priorities/bigger things to worry about]
    it leaves [a lot to be desired/a lot out]
    I'd rather [keep things the way they are/leave it alone]
    """,
    mixed="""
    I can see [both sides/it either way]
    I don't know [enough about it/much about it]
    there's [some good and some bad/good and bad] in it
    it depends [on the details/on a lot of things]
    I'd need [more information/to know more] first
    I don't have [strong feelings/much of an opinion] about it
    some of it is [fine/good], some isn't
    it's [okay/all right], that's all
    I haven't [made up my mind/really decided]
    [time will tell/we'll see how it goes]
    it works for [some people/some], not for everybody
    I'm [neutral/in the middle] on it
    I've never really [thought about it/given it much thought]
    it hasn't [affected me/touched me] much
    ask me [next year/again later] and I might say something else
    I like [parts of it/bits of it], not the whole thing
    """,
    wants="""
    [a fair price/the price]
    [good quality/quality]
    [something that works/something reliable]
    [honesty/straight answers]
    [something simple/ease of use]
    [good service/people who help]
    [something that lasts/durability]
    """,
    ifs="""
    the price was [right/fair]
    I could [try it first/see it for myself]
    somebody I trust [recommended it/told me it was good]
    I saw a [real reason/clear benefit]
    {it} was [easy/no hassle]
    I knew [more about it/what I was getting into]
    there was [a guarantee/a way back] if I didn't like it
    """,
    risks="""
    {it} won't [work out/be what they say]
    it'll cost [more than they say/more in the end]
    nobody [thought it through/will fix it when it breaks]
    regular people will [pay for it/get left out]
    """,
    fixes="""
    [keep it simple/make it simpler]
    [listen to people/ask people what they want]
    [keep the price down/watch the price]
    be [honest/upfront] about it
    [make it work/get it right] before adding more
    """,
)

BANKS: dict[str, Bank] = {
    **reasons_food.BANKS,
    **reasons_money.BANKS,
    **reasons_tech.BANKS,
    **reasons_home.BANKS,
    **reasons_world.BANKS,
    **reasons_leisure.BANKS,
    "assent": GENERAL,
}
