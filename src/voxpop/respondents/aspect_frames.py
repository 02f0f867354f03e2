"""Sentences about any topic, made of its praised sides {p} and its complaints {q}; a capital begins one."""

from __future__ import annotations

from voxpop.respondents.banks import lines

PRAISE = lines("""
{P} [won me over/surprised me/does it for me/is hard to beat/never gets old/keeps me going/makes my day]
[What stands out/What I notice first/What I'd miss/What counts/What I tell people about] is {p}
[Mostly/Mainly/Above all/Number one/First of all/Hands down], {p}
{P} first, [then/after that/a close second is] {p}
For me it's {p}, [and a little/with a bit of/and then] {p}
[I'd put/I rank/I place] {p} [above everything/at the top/ahead of the rest/over cost]
[I'm a fan of/I'm grateful for/I look forward to/I got used to/I appreciate/You can't beat] {p}
{P}, [by far/no contest/every time/without a doubt/I'd say/honestly/if I'm truthful]
{P}, and [I'd say/then/close behind/maybe] {p}
I'd have to say {p}, [maybe/and then/followed by] {p}
I [think first of/always come back to/usually mention] {p}
[It started with/It comes down to/It boils down to/It all hangs on/A lot rides on] {p}
{P} [matters/counts] [more than people think/more each year/to me], {p} [less/next/too]
""")

COMPLAINT = lines("""
{P} [wears me out/spoils it/gets old fast/drives me nuts/puts me off/loses me/ruins my mood/says it all]
[What bothers me/What gets me/What sticks in my mind/What turns me off/What I keep hitting] is {p}
[Mostly/Mainly/Above all/Number one/First of all/Hands down], {p}
{P} first, [then/after that/a close second is] {p}
[I'm sick of/I've had enough of/I lose patience with/I'm worn out by/I dread/I can't get past] {p}
[Between/What with] {p} and {p}, [I've had it/I gave up/no wonder people leave/you get tired]
[It starts with/It comes down to/It boils down to/You always end up with/I keep running into] {p}
[Fix/Sort out/Do something about/Start with] {p} [and we can talk/before anything else/or lose me/please]
{P}, [by far/no contest/every time/without a doubt/I'd say/honestly/if I'm truthful]
{P}, and [I'd say/then/close behind/maybe] {p}
I'd have to say {p}, [maybe/and then/followed by] {p}
I [think first of/always come back to/usually mention] {p}
[Nobody talks about/They never mention/People overlook/The brochure skips] {p}
I could [live with/forgive/get over] {p}, [but not/never] {p}
<who> [warned me about/complains about/got burned by] {p}, [and was right/now I see why/same here]
{P} [keeps getting worse/got worse <when>/is no small thing/shouldn't happen]
""")

BOTH = lines("""
{P} [pulls me one way/is a plus/I like], {q} [pulls me the other/is a minus/I don't]
[I like/I'm glad of/I'll give it] {p}, [less so/not so much/but then there's/I could skip] {q}
{P} [makes up for/outweighs/balances/takes the sting out of] {q}, [most days/just about/barely/some weeks]
[Good/On the plus side]: {p}. [Bad/On the other side]: {q}
I [weigh/set/hold up] {p} against {q} and [come out even/can't decide/flip a coin/shrug]
{P}, yes. {Q}, [no/no thanks/not really/I could do without]
[Some days/One week] I think of {p}, [other days/the next] of {q}
{Q} [bugs me/worries me/nags at me], [still/even so/all the same], {p} [is worth something/counts]
""")
