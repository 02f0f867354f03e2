"""Sentence frames: how an answer begins, by what the question asks for and where the agent stands.

Slots: {r} a reason that goes with the stance, {g} a good one, {b} a bad one, {c} a condition, {k} a risk,
{x} something to do better, {w} two things wanted, {v} one thing wanted, {s} the subject, {do} what one would
do. A slot in capitals begins a sentence.
"""

from __future__ import annotations

from voxpop.respondents.banks import lines

_REASON = """
{R}.
{R}.
Because {r}.
[Mainly/Mostly/Largely] because {r}.
[For me/I guess/I'd say/I think] it's that {r}.
{R}, and [that settles it/that's enough for me/there's your reason].
"""

SHELLS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "think": (
        lines("""
        {R}.
        {R}.
        [I like it/I'm for it/Good, mostly/No complaints/Positive/Happy with it/All for it]. {R}.
        I [like/feel good about/think well of] {s}, [mainly because/because/since] {r}.
        {R}, so [I'm in favor/I'm happy enough/it's a plus for me/I can't complain].
        [For the most part/On the whole/From what I've seen/In my experience], {r}.
        [The way I see it/To me/If you ask me], {r}.
        """),
        lines("""
        {R}.
        {R}.
        [Not a fan/Not for me/I don't like it/Not great/No/Not good/I've had enough]. {R}.
        I'm not [crazy about/a fan of/sold on] {s}, [because/since] {r}.
        {R}, so [no/I'm not impressed/count me out/I have my doubts].
        My [problem/trouble/issue/complaint] is that {r}.
        [The way I see it/To me/If you ask me/From what I've seen/Frankly], {r}.
        """),
        lines("""
        {R}.
        {R}.
        [Mixed/Torn/So-so/Fifty-fifty/Hard to say/Either way/It's okay/I go back and forth]. {R}.
        [I can see both sides of/I'm in the middle about/I'm split on] {s}. {R}.
        {R}, and [I'm still deciding/that's about where I am/I leave it at that].
        On the one hand {g}, on the other {b}.
        [The way I see it/To me/If you ask me/Depends who you ask/Speaking for myself], {r}.
        """),
    ),
    "would": (
        lines("""
        If {c}, [sure/yes/I would/that would do it/I'd do it tomorrow/no question].
        [I'm halfway there/I'm open to it/Not much/It wouldn't take much/I probably will anyway]. If {c}, even better.
        [Mainly/Mostly/Really just] if {c}.
        I'd {do} if {c}.
        If {c}, or if {c}.
        I'd [like to/gladly/happily do it], because {r}.
        """),
        lines("""
        [Honestly, not much/Probably nothing/I doubt I would/Not interested/Very little]. {B}.
        [It would take a lot/I'd be a hard sell/I'm not looking to]. Maybe if {c}.
        [Only/Maybe/Possibly] if {c}, [and even then I'm not sure/but don't hold your breath/otherwise no].
        {B}, so [I doubt it/no/not likely/I'd pass]. If {c}, [I might look/maybe].
        I probably wouldn't, {b}.
        """),
        lines("""
        If {c}, [maybe/I might/I could see it/I'd think about it/possibly/I'd give it a go].
        [Depends/It depends/Hard to say/Could be]. If {c}, [sure/probably/okay].
        [Maybe/Possibly/I might] if {c}.
        I'd [want to know/have to be sure] first. If {c}, [okay/fine/then yes].
        {R}, but if {c}, [sure/I'd try it].
        """),
    ),
    "why": (lines(_REASON), lines(_REASON), lines(_REASON)),
    "like": (
        lines("""
        {G}.
        {G}.
        [That/I like that/Mostly that/Probably that/I'd say that/Easy, that] {g}.
        [The best part/The main thing/What I like most/Top of the list] is that {g}.
        {G}, and {g}.
        """),
        lines("""
        [Not much/Very little/Hard to think of anything/Not a lot]. {B}.
        {G}, [maybe/I suppose/I guess/at best]. [Otherwise/Mostly], {b}.
        [About all/The only good thing] is that {g}.
        """),
        lines("""
        {G}, but {b}.
        [Some things/A few things/Parts of it]. {G}.
        That {g}, [I guess/I suppose/probably].
        {G}, even if {b}.
        """),
    ),
    "dislike": (
        lines("""
        [Not much/Very little/Nothing big/Hardly anything]. {G}.
        [Sometimes/Now and then/Once in a while] {b}, [but that's minor/otherwise fine/I can live with it].
        If I had to [pick/name] something, {b}.
        """),
        lines("""
        {B}.
        {B}.
        [That/I don't like that/It bothers me that/Mostly that/Mainly that] {b}.
        [The worst part/The main thing/My biggest complaint/What gets me] is that {b}.
        {B}, and {b}.
        """),
        lines("""
        [Sometimes/Some days/Now and then] {b}, but {g}.
        {B}, though {g}.
        [Mostly/Probably/Mainly] that {b}.
        {B}, [I suppose/I guess/if anything].
        """),
    ),
    "worry": (
        lines("""
        [Not much/Very little/Not a lot/Nothing really/Hardly anything]. {G}.
        {G}, so [I'm not that worried/I sleep fine/it's not on my mind/I don't worry].
        [If anything/At most], that {k}.
        Maybe that {k}.
        """),
        lines("""
        [That/Mostly that/Mainly that/My fear is that/I worry that/I'm afraid] {k}.
        That {k}, and that {k}.
        [What scares me/What keeps me up/The big one/The worst of it] is that {k}.
        {K}. {B}.
        {B}. {K}, [that's my fear/that's what I see coming/and then what].
        """),
        lines("""
        [A little/Some/Now and then/A bit]: that {k}.
        [I wonder/I think about] whether {k}.
        {R}, so I'm [a bit careful/watching it/keeping an eye on it].
        [Mostly/Probably] that {k}, [but I don't dwell on it/though it's not daily/I suppose].
        """),
    ),
    "fix": (
        lines("""
        [Not much/Very little/Small thing/Hardly anything]: {x}.
        {G}. Maybe {x}.
        {X}, otherwise [leave it/it's good/I'm happy].
        """),
        lines("""
        {X}.
        {X}, and {x}.
        [First/Please/Start here/For one thing], {x}.
        {B}, so {x}.
        {X}. {B}.
        """),
        lines("""
        {X}.
        [Maybe/I'd say/I'd start with this/If I could pick one thing]: {x}.
        {X}. {R}.
        {X}, and maybe {x}.
        """),
    ),
    "wants": (
        lines("""
        {W}.
        {W}, [in that order/mostly/that's about it/for me].
        {V}, then {v}, then {v}.
        [For me/First/Always]: {v}.
        {V}. {G}.
        """),
        lines("""
        {W}.
        {W}, [or I walk/mostly/or forget it/that's not much to ask].
        {V}, and {v} [if I'm lucky/would be a start/for once].
        {V}. {B}.
        """),
        lines("""
        {W}.
        {W}, [more or less/roughly/usually/depending].
        {V}, then {v}.
        [Usually/Most times/Depends, but often] {v}.
        {V}. {R}.
        """),
    ),
}
CLOSE: tuple[tuple[str, ...], ...] = ((), (), ())
LEAVING = lines("""
the price [went up again/kept going up/hit <$15-40>]
I found [something better/something cheaper/a better one through <who>]
the quality [dropped/went downhill/slipped again]
they treated me [badly/like a number/rudely twice]
I [stopped using it/hardly used it for a month/didn't need it anymore]
my doctor [told me to/said I had to]
something [went really wrong/happened that I couldn't forgive]
I couldn't [fit it in the budget/pay for it on top of <bill>] anymore
<who> [quit and was better off/showed me a better way]
""")
STAYING = lines("""
I've [gotten used to it/always done it/done it for <few> years]
it [works for me/does what I need/gets used <often>]
I'd [miss it/have a hard time without it/want it back in a week]
I don't see [a reason to/why I would]
it's [part of my routine/a habit by now/how I get through the week]
I haven't found [anything better/a good replacement/anything else near <$10-30>]
nothing [bad has come of it/is really wrong with it]
""")
GOING = lines("""
I've been [thinking about it/meaning to/putting it off] for <few> [months/weeks/years]
it [costs more than it's worth/isn't worth what it was/runs me <$15-60> a month]
I don't [need it like I used to/get much out of it/even use it <often>]
I could [get by fine without it/live without it]
<who> [did and doesn't miss it/did it <when>]
there are [better ways to spend <$15-60>/better choices]
it [has gone downhill/isn't what it was/bores me now]
""")
