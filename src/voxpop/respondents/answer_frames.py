"""Sentence frames: how an answer begins, by what the question asks for and where the agent stands.

Slots: {r} a reason that goes with the stance, {g} a good one, {b} a bad one, {c} a condition, {k} a risk,
{x} something to do better, {w} two things wanted, {s} the subject, {do} what one would do. A slot in
capitals begins a sentence.
"""

from __future__ import annotations

from voxpop.respondents.banks import lines

SHELLS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "think": (
        lines("""
        I [like/really like] {s} because {r}.
        I feel [good/pretty good] about {s}. {R}.
        [Positive, overall/Mostly positive/Pretty positive]. {R}.
        I [like it/think it's good/approve], mainly because {r}.
        I think it's a good thing, since {r}.
        No complaints [about {s}/from me]. {R}.
        For me it's a plus. {R}.
        {R}, so I'm [in favor/on board/happy enough].
        Good, [I'd say/I guess/honestly]. {R}.
        I have a good [opinion/impression] of {s}. {R}.
        {R}. That [counts for something/matters to me].
        I'd say [mostly good things/good things]. {R}.
        """),
        lines("""
        I'm not [crazy about/a fan of/sold on] {s}. {R}.
        I don't [think much of/care for] {s} because {r}.
        [Not great/Not good], to be honest. {R}.
        I [don't like it/don't care for it], mainly because {r}.
        [Honestly/Frankly], {r}.
        {R}, so no, [I'm not impressed/it's not for me/I don't like it].
        [Pretty negative/Negative, mostly/Kind of negative]. {R}.
        It [bothers/annoys] me that {r}.
        My problem with {s} is that {r}.
        I have my doubts about {s}. {R}.
        {R}. That's my [main issue/biggest complaint].
        I'd say [I'm disappointed/I'm not happy]. {R}.
        """),
        lines("""
        I'm [on the fence/in the middle/kind of split] about {s}. {R}.
        [Mixed feelings/Mixed]. {R}.
        I don't feel strongly [either way/one way or the other]. {R}.
        It's [okay/all right/fine], I guess. {R}.
        [Hard to say/I go back and forth]. {R}.
        [To be honest/For me], {r}.
        I have no strong opinion on {s}. {R}.
        {R}. That's [about where I am/about it].
        On one hand {g}. On the other hand {b}.
        I like that {g}, but {b}.
        """),
    ),
    "would": (
        lines("""
        I'd {do} [right away/tomorrow/without thinking twice/in a heartbeat] if {c}.
        I'm [already open to it/pretty open to it]. If {c}, I'd {do}.
        [It wouldn't take much/Not much, I'm already leaning that way]. {R}.
        I'd {do}, especially if {c}.
        I [would/probably would] {do} because {r}. It would help if {c}.
        If {c}, that would do it.
        I'd {do} mainly because {r}.
        {R}, so if {c}, I'm in.
        [Easy/Simple]. If {c}, I'd {do}.
        Honestly, {r}, so I'd {do} if {c}.
        If {c}, [count me in/I'd do it/sure, why not].
        """),
        lines("""
        [Honestly, not much/Not much, honestly/Probably nothing]. {B}.
        If {c}, I'd [think about it/give it a shot/consider it]. Otherwise no.
        I [doubt I would/probably wouldn't]. {B}.
        It would take a lot. Maybe if {c}.
        [Maybe/Only] if {c}, and even then I'm not sure.
        I'd only {do} if {c}.
        I'm not [really interested/that interested] because {b}. Maybe if {c}.
        {B}. If {c}, I might look at it.
        [Nothing really/Not a lot]. {B}.
        I'd have to see a real reason. {B}.
        Right now, no, because {b}. If {c}, [then maybe/we can talk].
        """),
        lines("""
        If {c}, I'd [probably try it/give it a try/be more likely to].
        I [might/could] {do} if {c}.
        It depends. If {c}, [sure/probably].
        [Maybe/Possibly/I might], if {c}.
        I'd [think about it/consider it] if {c}. {R}.
        {R}. I'd {do} if {c}.
        I'm on the fence. It'd help if {c}.
        I'd have to think about it, but if {c}, [sure/okay/why not].
        I'd want to be sure first, so if {c}, okay.
        """),
    ),
    "why": (
        lines("""
        [Mainly/Mostly] because {r}.
        {R}. That's the [main reason/biggest reason].
        Because {r}, and [I like that/that matters to me].
        [For me/I guess] it's that {r}.
        The main reason is that {r}.
        [Simple/A couple of reasons]. {R}.
        Honestly, {r}.
        """),
        lines("""
        [Mainly/Mostly] because {r}.
        {R}. That's the [main reason/biggest reason].
        Because {r}, and [I don't like that/that bothers me].
        [For me/I guess] it's that {r}.
        The main reason is that {r}.
        [Simple/A couple of reasons]. {R}.
        Honestly, {r}.
        """),
        lines("""
        [Mainly/Mostly] because {r}.
        {R}. That's [about it/all there is to it].
        [For me/I guess] it's that {r}.
        No single reason. {R}.
        It's hard to pick one reason. {R}.
        Honestly, {r}.
        """),
    ),
    "like": (
        lines("""
        I like that {g}.
        [The best part is/What I like most is] that {g}.
        {G}, which is [nice/a big plus/worth a lot].
        [A lot of things/A few things]. {G}.
        [Mostly/Probably] that {g}.
        I'd say the best thing is that {g}.
        {G}. That's [what I like/the best part].
        [First of all/For one], {g}.
        [Easy/That's easy]. {G}.
        """),
        lines("""
        Not much, to be honest. {B}.
        [The only good thing is/About the only thing is] that {g}.
        I don't like a lot about it. {B}.
        I guess that {g}, but {b}.
        [Hard to come up with something/I can't think of a lot]. Maybe that {g}.
        {G}. [That's about all/That's about it], because {b}.
        There's not much to like when {b}.
        """),
        lines("""
        I like that {g}, but {b}.
        [Some things/A few things]. {G}.
        {G}. The rest is [so-so/just okay].
        It's [okay/all right]. I like that {g}.
        Probably that {g}, even if {b}.
        I'd say {g}, though {b}.
        """),
    ),
    "dislike": (
        lines("""
        [Not much/Not a lot], really. {G}.
        If I had to pick [something/one thing], {b}.
        [Nothing big/Nothing major]. {G}.
        I can't complain [much/a lot]. Maybe that {b}.
        Only that {b}. Otherwise {g}.
        I'd have to think. Sometimes {b}, but {g}.
        """),
        lines("""
        I don't like that {b}.
        [The worst part is/The worst of it is/My biggest complaint is] that {b}.
        {B}, and it [bugs me/drives me nuts/gets old].
        [Where do I start/A lot]. {B}.
        [Mainly/Mostly] that {b}.
        It [bothers/frustrates/annoys] me that {b}.
        {B}. That's [my main complaint/the worst of it].
        [For one thing/First of all], {b}.
        """),
        lines("""
        Sometimes {b}, but it's [not terrible/livable].
        I guess that {b}. On the plus side, {g}.
        [A couple of things/One or two things]. {B}.
        {B}, though {g}.
        Mostly that {b}.
        Probably that {b}, if I had to name one thing.
        """),
    ),
    "worry": (
        lines("""
        [Not much/Not a lot/Nothing really], to be honest. {G}.
        I don't worry much about {s} because {g}.
        Not a big worry for me. {G}.
        If anything, that {k}. But mostly {g}.
        I'm [not too worried/pretty relaxed about it]. {G}.
        {G}, so I'm not that worried.
        Sometimes I think about whether {k}, but it's not a big worry.
        Only a little. {G}.
        """),
        lines("""
        [I worry/I'm afraid/I'm worried] that {k}.
        [Mainly/Mostly/Probably] that {k}.
        My [biggest/main] worry is that {k}.
        What [scares/bothers/worries] me is that {k}.
        {K}. That's [my biggest worry/what worries me/my main concern].
        [A lot/Plenty]. {B}, and I worry that {k}.
        {B}. I'm [afraid/worried] that {k}.
        That {k}, and that {b}.
        I keep thinking that {k}. {B}.
        """),
        lines("""
        Some. I [wonder sometimes whether/worry a little that] {k}.
        [A little/A bit]. {R}.
        I don't lose sleep over it, but [there's a chance/it could be] that {k}.
        Mostly that {k}, but I try not to dwell on it.
        {R}, so I'm [a little careful/a bit cautious].
        I guess that {k}. {G}, though.
        """),
    ),
    "fix": (
        lines("""
        [Not much/Not a lot/Very little/Nothing big]. {G}. The one thing I'd say is {x}.
        I'm [happy with it/satisfied] overall, but you could {x}.
        {G}. [One thing/The one thing] would be to {x}.
        It's [good already/fine as it is]. Maybe {x}.
        [Small thing/Just a small thing], but {x}.
        Maybe {x}. Other than that, {g}.
        I'd just {x}. The rest is [good/fine].
        """),
        lines("""
        {X}. {B}.
        You [really need to/need to/should] {x}. {B}.
        [First of all/For starters], {x}.
        [Please/Just] {x}. {B}.
        I'd start with this: {x}.
        {X}. And while you're at it, {x}.
        I'd {x} [before anything else/first thing].
        My [biggest/number one] request is to {x}.
        """),
        lines("""
        I'd say {x}.
        Maybe {x}. {R}.
        [I guess/Probably] {x}.
        {X}. That would [help/be a good start].
        They could {x}, and maybe {x}.
        {R}. I'd {x}.
        If I had to pick one thing, {x}.
        """),
    ),
    "wants": (
        lines("""
        {W}, [mostly/I'd say/for me].
        I look for {w}. {G}.
        I [go by/think about/look at] {w}. That's [about it/the main thing].
        {W}. {G}.
        For me it's {w}.
        I want {w}.
        """),
        lines("""
        {W}, [mostly/I'd say/for me].
        I'd want {w}. {B}.
        I [go by/think about/look at] {w}. That's [about it/the main thing].
        {W}. {B}.
        I need {w} before I spend anything.
        Mostly {w}.
        """),
        lines("""
        {W}, [mostly/I'd say/for me].
        I look for {w}. {R}.
        It depends, but usually {w}.
        I [go by/think about/look at] {w}. That's [about it/the main thing].
        {W}. {R}.
        I go by {w}, more or less.
        """),
    ),
}
TERSE: dict[str, tuple[str, ...]] = {
    "wants": lines("""
    {W}.
    {W}, mostly.
    """),
    "would": lines("""
    {W}, mostly.
    For me, {w}.
    """),
}
# a second sentence of the same stance
MORE = lines("""
{R}.
[Plus,/Also,/And] {r}.
{R}.
""")
CLOSE: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]] = (
    lines("""
    [That's enough for me/Works for me].
    So yes, [I'm happy with it/it's a plus].
    Can't [really complain/say much against it].
    I'd [tell a friend the same/say the same to anybody].
    At least [so far/that's been my experience].
    That's how I [see it/feel], anyway.
    """),
    lines("""
    Maybe that's [just me/only me].
    I could be wrong, [but that's how I feel/of course].
    I'd need to see [a big change/something different] first.
    That's [just my opinion/how I see it], anyway.
    [Somebody/Someone] would have to change my mind.
    I doubt [that will change/I'm the only one].
    """),
    lines("""
    [We'll see/I guess we'll see].
    Maybe I'll [feel different later/change my mind].
    I'd have to [think about it more/look into it].
    That could [go either way/change].
    I don't have [more to say on it/a better answer than that].
    Ask me [again in a year/another day].
    """),
)
LEAVING = lines("""
the price [went up again/kept going up]
I found [something better/something cheaper]
the quality [dropped/went downhill]
they treated me [badly/like a number]
I stopped [using it/needing it]
my doctor [told me to/said I had to]
something [went really wrong/happened that I couldn't forgive]
I couldn't [fit it in the budget/pay for it] anymore
""")
STAYING = lines("""
I've [gotten used to it/always done it]
it [works for me/does what I need]
I'd [miss it/have a hard time without it]
I don't see [a reason to/why I would]
it's [part of my routine/a habit by now]
I haven't found [anything better/a good replacement]
nothing [bad has come of it/is really wrong with it]
""")
GOING = lines("""
I've been [thinking about it/meaning to] for a while
it [costs more than it's worth/isn't worth what it was]
I don't [need it like I used to/get much out of it]
I could [get by fine without it/live without it]
I'd be [better off/healthier] without it
there are [better ways to spend the money/better choices]
it [has gone downhill/isn't what it was]
""")
