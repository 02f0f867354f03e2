"""Acts against people, in families: what is done to whom, and the words that do it.

An act is a verb with people as its object ("scare tenants"), an effect that something shall have on them
("make them move out"), or a step that has no other use ("a list of the names we will publish"). Whether a
text plans such an act is read in ``harm``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRONOUN = r"them|him|her|these|those|they|someone|somebody|everyone|everybody|each|one another"
_GROUP = (
    r"people|persons?|men|women|guys|girls|boys|adults?|seniors?|elders?|elderly|retirees|pensioners|grandparents|"
    r"grandmothers?|widows?|widowers?|parents?|mothers?|moms?|fathers?|dads?|famil(?:y|ies)|couples?|households?|"
    r"voters?|renters?|tenants?|owners?|homeowners?|neighbou?rs?|residents?|locals|applicants?|candidates?|employees?|"
    r"workers?|staff|colleagues?|co-?workers?|customers?|clients?|consumers?|buyers?|shoppers?|borrowers?|debtors?|"
    r"patients?|survivors?|victims?|immigrants?|migrants?|refugees?|citizens?|foreigners?|newcomers?|students?|"
    r"teachers?|nurses?|doctors?|journalists?|activists?|organi[sz]ers?|protesters?|politicians?|judges?|officials?|"
    r"donors?|members?|believers?|worshippers?|congregants?|gays?|lesbians?|bisexuals?|jews?|muslims?|christians?|"
    r"hindus?|sikhs?|latinos?|latinas?|hispanics?|blacks?|asians?|whites?|americans?|mexicans?|chinese|africans?|"
    r"gamblers?|drinkers?|smokers?|addicts?|users?|players?|veterans?|witness(?:es)?|whistle-?blowers?|informants?|"
    r"unions?|strikers?|ex(?:es|-\w+)?|girlfriends?|boyfriends?|wives|wife|husbands?|partners?|daughters?|sons?|"
    r"kids|child(?:ren)?|teens?|teenagers?|claimants?|recipients?|policyholders?|subscribers?|reviewers?|critics?|"
    r"competitors?|audience|targets?|marks?|ones|clinicians?|providers?|volunteers?|gamers?|creators?|streamers?|athletes?"
)
_ADJECTIVE = r"(?!(?:to|of|for|with|in|on|at|from|and|or|by|about|news|into|than|as|their|our)\b)[\w'-]+"
PEOPLE = rf"(?:{_PRONOUN}|(?:{_ADJECTIVE} ){{0,3}}?(?:{_GROUP}))\b"
"""People as an object: a pronoun, or a noun with up to three adjectives before it."""
THEM = rf"(?:them|him|her|(?:these|those|such) (?:{_ADJECTIVE} ){{0,2}}?(?:{_GROUP}))\b"
"""The people described, as an object."""

_AUTHORITY = (
    r"(?:employers?|boss(?:es)?|landlords?|parents|famil(?:y|ies)|relatives|church(?:es)?|congregations?|neighbou?rs?|"
    r"spouses?|wives|husbands?|schools?|police|cops|sheriff|authorities|government|immigration|ice|dhs|insurers?|"
    r"co-?workers|colleagues|communit(?:y|ies)|boards?|hr|managers?|licens\w+|in-laws|pastors?|priests?|imams?|"
    r"deans?|coach(?:es)?|commanders?|clients|public|everyone|press|media|followers|clans?|ex|exes|trolls|forums?)"
)


@dataclass(frozen=True, slots=True)
class Family:
    """Acts with one aim.

    Attributes
    ----------
    aim : str
        The aim, as an infinitive without "to".
    verbs : str
        Verbs that are against the people who are their object.
    whom : str
        The objects of these verbs; recruiting itself leaves people out, so that excluding needs a pronoun.
    effects : tuple of str
        What something does to people; ``{T}`` is the people.
    steps : tuple of str
        Words that are against people in any plan.
    """

    aim: str
    verbs: str
    whom: str = PEOPLE
    effects: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


_MAKE = (
    r"(?:mak|get|caus|forc|push|driv|pressur|nudg|persuad|convinc|lead|talk|tempt|coax|entic|pull|"
    r"mov|shift)\w*"
)
_PAYS = (
    r"(?:hand(?:ing)? over|giv(?:e|ing) (?:up|out|away|us)|shar(?:e|ing)|reveal\w*|send(?:ing)?|"
    r"wir(?:e|ing)|transfer\w*|"
    r"part(?:ing)? with|sign(?:ing)? (?:over|away)|enter(?:ing)?|type in|typing in|disclos\w*|"
    r"tell(?:ing)? us|read(?:ing)? out)"
)
_SECRETS = (
    r"(?:savings?|money|cash|pins?|passwords?|passcodes?|(?:bank|card|account|login|medicare|social "
    r"security|insurance|"
    r"credit card|security)(?: (?:card|account|details|numbers?|info\w*|codes?|data))+|ssns?|deeds?|"
    r"houses?|homes?|"
    r"pensions?|gift cards?|benefits|inheritance|retirement (?:funds?|accounts?)|crypto|intimate \w+|nudes?)"
)
_DRUG = (
    r"(?:gambl\w*|bet(?:s|ting)?|casinos?|slots?|drink(?:s|ing)?|alcohol|booze|vap(?:e|es|ing)|smok(?:e|es|ing)|cigarettes?|"
    r"opioids?|pills|drugs?|using|relaps\w*|play(?:s|ing)?|the (?:site|app|tables?|bottle)|loot "
    r"?box\w*|binge\w*)"
)

_TRACES = (
    r"(?:shopping|purchases?|habits|posts?|e-?mails?|names?|surnames?|accents?|photos?|pictures|searches|browsing|location|"
    r"travel|zip codes?|postcodes?|handwriting|voices?|speech|resumes?|cvs?|cover letters?|clothes|"
    r"clothing|looks?|likes|"
    r"social media|phone (?:data|records)|spending|receipts|answers)(?: \w+)?"
)
_INSTRUMENT = (
    r"(?:versions?|messages?|letters?|wording|texts?|posts?|images?|lines?|stor(?:y|ies)|threats?|rumou?rs?|claims?|variants?|"
    r"ones?|options?|insults?|nicknames?|phrases?|lies?|memes?|calls?|comments?|e-?mails?|notes?|slurs?|jokes?|names?)"
)
_CRUELLEST = (
    r"(?:scariest|cruel(?:l)?est|nastiest|meanest|most (?:frightening|intimidating|hurtful|"
    r"humiliating|threatening|demorali[sz]ing|"
    r"damaging|terrifying|menacing|upsetting|insulting|misleading|deceptive|degrading))"
)
_PARTNER = r"wife|husband|girlfriend|boyfriend|partner|spouse|fianc[eé]e?"
_CATCH = (
    r"(?:aprs?|fees?|interest(?: rates?)?|charges?|(?:total |real |true )?costs?|rates?|risks?|side "
    r"effects?|catch|penalt(?:y|ies)|"
    r"auto-?renewals?|commissions?|exclusions?|lock-?ins?|terms|clauses?)"
)
_RECOVERING = (
    r"(?:self-?exclu\w+|in recovery|recovering|newly sober|gambling problems?|problem gamblers?|"
    r"addict(?:ed|ion|s)|alcoholics?|"
    r"compulsive \w+)"
)
_LURE = (
    r"(?:bonus(?:es)?|offers?|discounts?|promo\w*|free (?:bets?|spins?|drinks?)|vouchers?|coupons?|"
    r"notifications?|e-?mails?|messages?|texts?)"
)

FAMILIES: tuple[Family, ...] = (
    Family(
        "expose people",
        r"out|unmask|dox+|blackmail|extort|denounce|deport|de-?anonymi[sz]e|name and shame|rat (?:on|"
        r"out)|snitch on|"
        r"inform on|turn in|shop",
        effects=(
            r"(?:get|have|getting) {T} (?:fired|deported|arrested|evicted|sacked|outed|reported|"
            r"suspended|removed|expelled)",
            rf"(?:report|hand|turn|pass|send|give|forward)\w* {{T}} (?:in |over |on )?to (?:the |"
            rf"their |our |local )?{_AUTHORITY}",
            rf"(?:tell|inform|notify|alert|warn|email|call)\w* (?:the |their |our |his |her "
            rf")?{_AUTHORITY} (?:about |of |who |which |that they)"
            r"(?:{T})?",
        ),
        steps=(
            r"(?:publish|post|leak|share|circulate|print|distribute|sell|release)\w* (?:their|these|the) "
            r"(?:\w+ ){0,2}?(?:names\b|addresses|photos|faces|identities|list of (?:names|people|who)|"
            r"home address\w*|phone numbers|hiv status|immigration status|sexual orientation|"
            r"diagnos[ei]s|private \w+)",
            r"(?:list|register|registry|database|map|directory|file) of (?:all |every |who |known |"
            r"likely |suspected )*"
            r"(?:\w+ ){0,2}?(?:gays?|lesbians?|lgbt\w*|queer|trans\w*|undocumented|illegals?|muslims?|"
            r"jews?|jewish|"
            r"abortions?|hiv|immigrants?|migrants?|sex workers?|union (?:organi[sz]ers|supporters|"
            r"members)|whistle-?blowers?)",
            r"(?:work|figure|find|sniff|tell) (?:out )?(?:which|who)(?: of (?:them|these|the|our|"
            r"my))?(?: \w+){0,2} (?:is|are|has|have|had|was|were) "
            r"(?:really |secretly |actually |probably |in fact )?(?:gay|lesbian|bisexual|queer|"
            r"trans\w*|undocumented|illegal\w*|"
            r"muslim|jewish|hiv\b|pregnant|an abortion|the leaker|the source|behind)",
            r"without (?:their|her|his) (?:knowledge|consent|knowing)",
            rf"\blet (?:the |their |our |his |her )?(?:\w+ )?{_AUTHORITY} (?:know|find out|hear|learn|see)\b",
            rf"\b(?:predict|infer|guess|deduce|detect|identify|spot|recogni[sz]e|tell|work out|figure "
            rf"out)\w*\b[^.?!]{{0,40}}\bfrom "
            rf"(?:\w+ )?{_TRACES}\b[^.?!]{{0,20}}\b(?:who|which of)\b",
            rf"\b(?:predict|infer|guess|deduce|detect|identify|spot|recogni[sz]e|tell|work out|figure "
            rf"out)\w*\b[^.?!]{{0,20}}\b(?:who|which of)\b"
            rf"[^.?!]{{0,40}}\bfrom (?:\w+ )?{_TRACES}\b",
        ),
    ),
    Family(
        "harass or intimidate people",
        r"harass|bully|intimidate|terrori[sz]e|threaten|frighten|scare(?: off| away| out)?|terrify|"
        r"humiliate|stalk|hound|"
        r"shame|ridicule|mock|taunt|torment|insult|troll|dogpile|brigade|gaslight|retaliate against|"
        r"punish|silence|cow|"
        r"demorali[sz]e|degrade|provoke|spy on|keep tabs on|hunt down|track down|get back at|get even "
        r"with|get revenge on|"
        r"run off|run out|hurt|attack|assault|shut up|break|wear down|freeze out|drive out|force out|"
        r"push out|smoke out|"
        r"make life (?:hell|miserable|hard|difficult|unbearable) for|chase (?:away|out|off)|coerce|"
        r"menace|beat up|lynch|"
        r"ambush|sabotage|discredit|smear|confront",
        effects=(
            rf"{_MAKE} {{T}} (?:\w+ ){{0,2}}?(?:quit|resign|leave|withdraw|afraid|scared|fearful|"
            rf"ashamed|unwelcome|unsafe|"
            r"move (?:out|away)|moving (?:out|away)|out of (?:town|the (?:neighbou?rhood|area|"
            r"building|street|country))|shut up|"
            r"stop (?:speaking|posting|organi[sz]ing|protesting|complaining|reporting|testifying)|"
            r"suffer|disappear|retract|"
            r"break down|drop (?:the|their|her|his) (?:complaint|case|charges|claim|lawsuit)|(?:to )?despair|"
            r"cry|snap|self-?harm|suicid\w+|feel (?:hated|unwelcome|unsafe|worthless|small|afraid|"
            r"ashamed|watched)|"
            r"back (?:down|off)|keep (?:quiet|silent)|stay (?:quiet|silent)|over the edge|give up "
            r"(?:their|the) (?:union|protest|claim))",
            r"(?:hurt|upset|scare|frighten|humiliate|sting|wound|rattle)s? {T} (?:the )?(?:most|worst|"
            r"best|deepest)",
        ),
        steps=(
            r"(?:forum|online|mass|twitter|discord) raid\b",
            r"\bso (?:that )?(?:we|i|my \w+) can (?:find|follow|surprise|visit|catch|corner) (?:them|"
            r"her|him)\b",
            r"\bwhere (?:she|he|mine|my (?:ex\b|wife|husband|girlfriend|boyfriend|partner))[\w-]* "
            r"(?:\w+ )?(?:went|lives?|is|moved|works|hides?|parks?|sleeps?)",
            r"\bhow to (?:find|locate|trace|follow|track) (?:her|him|them|my ex\b|my wife|my husband|"
            r"an? ex\b)",
            rf"\b{_CRUELLEST} (?:of the )?{_INSTRUMENT}\b",
            rf"\b{_INSTRUMENT} (?:\w+ ){{0,4}}?(?:hurts?|stings?|cuts?|scares?|frightens?) (?:the "
            rf")?(?:most|deepest|worst)\b",
            rf"\breact\w* to (?:\w+ )?(?:threatening|menacing|intimidating|abusive|hateful|racist|"
            rf"antisemitic) {_INSTRUMENT}\b",
            r"\bcampaign of (?:[\w-]+ ){0,3}?(?:reviews|calls|complaints|abuse|reports|threats|"
            r"harassment|lies|rumou?rs)\b",
            r"\bhow long (?:until|till|before|it takes until) (?:they|she|he) (?:crack|cave|break|"
            r"fold|give in|move out|close down|sell up|snap)",
            rf"\b(?:find|locate|trace|track|reach|get back at|get to|spy on|watch|follow) (?:his|her|"
            rf"my|an?) (?:ex\b|ex-?\s?(?:{_PARTNER})|(?:\w+ )?(?:{_PARTNER}) who (?:left|fled|ran))",
        ),
    ),
    Family(
        "deceive or defraud people",
        r"trick|lure|con|fool|dupe|deceive|scam|defraud|mislead|manipulate|swindle|groom|phish|bamboozle|hoodwink|fleece|"
        r"rip off|cheat|exploit|milk|prey on|take advantage of|brainwash|radicali[sz]e|pressure|"
        r"strong-?arm|guilt(?:-trip)?|"
        r"catfish|impersonate|confuse|overcharge|bleed dry|trap|sucker|string along",
        effects=(
            rf"{_MAKE} {{T}} (?:to |into |in |\w+ )?{_PAYS} (?:\w+ ){{0,4}}?{_SECRETS}",
            rf"{_MAKE} {{T}} (?:to |into )?(?:agree|sign|buy|pay|invest|enroll?|subscrib|renew|click|"
            rf"borrow)\w* (?:\w+ ){{0,6}}?(?:they |that they )?"
            r"(?:(?:cannot|can't|don't|do not|won't|will never) (?:\w+ )?(?:understand|afford|need|"
            r"read|notice|pay back|repay|cancel)|"
            r"worthless|fake|bogus|phon(?:e)?y|non-?existent|useless|unneeded|unnecessary|without "
            r"(?:reading|noticing|understanding|realising|realizing))",
            rf"{_MAKE} {{T}} (?:to )?(?:believe|think)\w* (?:that )?(?:it is|it's|we are|we're|this "
            rf"is|the|their) (?:\w+ ){{0,4}}?"
            r"(?:from the (?:irs|bank|police|government|ssa)|official|the (?:irs|bank|police)|real "
            r"when|rigged|cancel\w+)",
        ),
        steps=(
            rf"\b(?:would|will|likely to|likeliest to|easiest to|quickest to|willing to|gets? \w+ to|"
            rf"get \w+ \w+ to|and) (?:\w+ )?{_PAYS} (?:\w+ ){{0,4}}?{_SECRETS}",
            r"\b(?:most|more|who'd|would|will|easily|best|likely(?: to)?|likeliest(?: to)?|easiest "
            r"to) (?:\w+ )?(?:fall for|"
            r"be (?:tricked|fooled|conned|scammed|duped|misled|taken in))\b",
            r"\b(?:fake|bogus|phon(?:e)?y|sham|pretend|spoofed|counterfeit|made-up|fictitious|"
            r"non-?existent|worthless|fraudulent|cloned) "
            r"(?:\w+ ){0,2}?(?:irs|police|charit(?:y|ies)|invoices?|banks?|prizes?|threats?|letters?|"
            r"texts?|emails?|profiles?|"
            r"jobs?|lotter(?:y|ies)|tax|refunds?|warrant(?:y|ies)|investments?|platforms?|coins?|tokens?|apps?|websites?|sites?|"
            r"fundraisers?|cures?|reviews?|ballots?|notices?|calls?|support|accounts?|grandson|kidnapping|emergenc(?:y|ies)|rentals?|"
            r"listings?|visas?|offers?|documents?|loans?|dashboards?|portals?|pages?|logins?|exchanges?|funds?|wallets?|brokers?|"
            r"profits?|scheme)\b",
            r"\b(?:pretend\w*|pos(?:e|es|ing)|masquerad\w+|claiming) (?:to be|as|we are|that we are|"
            r"to come) ",
            r"\b(?:look|looks|looking|seem|seems|appear|appears) (?:like|as if|as though|to be) "
            r"(?:they |it )?(?:comes?|coming|is|are|were|was|being)? ?"
            r"(?:sent )?(?:from|by) (?:the|their|a|an) (?:\w+ ){0,3}?(?:irs|bank|government|office|"
            r"agency|police|medicare|court|grandson|doctor|utility|employer)",
            rf"\b(?:hid(?:e|es|ing)|bur(?:y|ies|ying)|obscur(?:e|es|ing)|disguis(?:e|es|ing)|"
            rf"conceal(?:s|ing)?|gloss(?:es|ing)? over|downplay(?:s|ing)?) "
            rf"(?:the |our |its |a |real |true |full |\d+ ?% )*{_CATCH}\b",
            rf"\b(?:so|how|that|which|where) (?:\w+ ){{0,5}}?(?:hidden|buried|concealed|surprise) {_CATCH}\b",
            r"\b(?:keep|keeps|continue|continues|go|goes)\w* (?:on )?(?:paying|depositing|sending|"
            r"investing|betting|borrowing|topping up)\b"
            r"[^.?!]{0,20}\b(?:even (?:when|though|after|if)|after|although|while|despite)\b",
            r"\b(?:easiest|easier|easy|quickest|simplest|ripe|vulnerable enough) to (?:push|pressure|"
            r"manipulate|exploit|trick|fool|con|scam|rob|"
            r"hook|bully|scare|talk into|take in|mislead|confuse)\b",
            r"\bsign(?:s|ing)? (?:over|away) (?:the|their|her|his|a) (?:\w+ )?(?:house|home|deeds?|"
            r"car|savings|benefits|pension|property|rights|estate)\b",
            r"\bfine print\b|\bponzi\b|\bpyramid scheme\b|\bphishing (?:campaign|kit|mails? we|"
            r"emails? we)\b|\bpump[- ]and[- ]dump\b",
            r"\b(?:least|less) likely to (?:notice|complain|report|check|read|question|suspect|"
            r"understand|cancel)\b",
            r"\b(?:do not|don't|won't|never|cannot|can't|fail to|without) (?:\w+ )?(?:notic(?:e|ing)|"
            r"understand(?:ing)?|realis(?:e|ing)|realiz(?:e|ing)|read(?:ing)?) "
            r"(?:\w+ ){0,4}?(?:contract|terms|fees?|charges?|auto-?renew\w*|what they (?:sign|agree)|"
            r"paperwork|consent|subscription|clause)",
        ),
    ),
    Family(
        "keep people from voting",
        r"disenfranchise",
        effects=(
            rf"(?:keep|stop|prevent|discourag|deter|dissuad|scar|frighten|confus|suppress|{_MAKE})\w* "
            rf"{{T}} (?:\w+ ){{0,4}}?"
            r"(?:(?:from |out of |away from |off |about (?:when|where|how) to |into not |not to |to "
            r"not |not |to skip |skip |against |to sit out )"
            r"(?:\w+ ){0,2}?(?:vot\w+|register\w*|turn\w* (?:out|up)|cast\w*|go\w* to the polls|"
            r"(?:the )?polls?|polling \w+|election\w*|ballots?)|"
            r"(?:at )?home (?:on|in|this|during) (?:election|polling|november|the \w+ election)|"
            r"stay\w* (?:at )?(?:home|away))",
        ),
        steps=(
            r"\b(?:wrong|changed|false|fake|incorrect|misleading) (?:polling|election|voting|ballot|"
            r"registration) (?:dates?|places?|day|times?|locations?|rules?|information|deadlines?)\b",
            r"\bvote by (?:replying|text|sms|phone|tweet)\b",
            r"\b(?:lower|reduce|suppress|depress|cut|dampen|drive down)\w* (?:\w+ ){0,3}?turnout\b|"
            r"\bturnout (?:down|lower)\b",
            r"\b(?:stay (?:at )?home|not bother|sit out|skip) (?:\w+ ){0,2}?(?:on election day|voting|"
            r"the election|to vote)\b",
        ),
    ),
    Family(
        "exclude people for who they are",
        r"weed out|screen out|filter out|sort out|price out|keep out|shut out|lock out|squeeze out|"
        r"redline|blacklist|"
        r"discriminate against|segregate|exclude|turn away|turn down|reject|evict|deny|avoid "
        r"(?:hiring|renting to|lending to|"
        r"insuring|serving|admitting|selling to|promoting)|stop (?:hiring|renting to|lending to|"
        r"serving|admitting)|"
        r"get rid of|pass over|steer away|not (?:hire|rent to|lend to|insure|serve|admit|promote)|overcharge",
        whom=THEM,
        effects=(
            r"(?:charg|quot|offer|giv)\w* {T} (?:\w+ ){0,2}?(?:more|higher|worse|fewer|lower|less)\b",
            r"(?:discourag|deter|dissuad|prevent|stop|keep|put|scar|steer)\w* {T} (?:\w+ "
            r"){0,2}?(?:from|off|against|away from|out of) (?:\w+ )?"
            r"(?:apply\w*|rent\w*|mov\w+ in\w*|buy\w* (?:here|homes?|in)|enroll?\w*|joining|coming|"
            r"claim\w*|book\w*|our (?:building|neighbou?rhood|school|club|church|company))",
        ),
        steps=(
            r"\bwithout (?:it )?(?:breaking|violating|looking|seeming|appearing|being (?:sued|caught|"
            r"accused)|getting (?:sued|caught)|anyone (?:noticing|knowing)|saying so|them noticing)",
            r"\b(?:legal(?:ly)?|lawful|plausible|neutral-?(?:sounding|looking)?|safe) (?:excuses?|"
            r"pretexts?|cover|grounds|reasons?|wording|ways?) (?:\w+ )?(?:to|for) (?:\w+ )?"
            r"(?:reject|deny|declin|refus|fir|exclud|turn|evict|not hir|drop|cancel)\w*",
            r"\b(?:reject|deny|declin|refus|drop|exclud)\w* (?:\w+ ){0,2}?(?:applications?|"
            r"applicants?|claims?|loans?|coverage|cvs?|resumes?)\b",
            r"\b(?:proxy|proxies) (?:questions?|variables?|for (?:race|religion|ethnicity|disability|"
            r"age|pregnancy))",
            r"\bset (?:a )?higher\b[^.?!]{0,30}\b(?:rates?|premiums?|rents?|prices?)\b",
        ),
    ),
    Family(
        "exploit an addiction or a weakness",
        r"hook|re-?hook|addict",
        effects=(
            rf"(?:get|bring|lur|win|pull|draw|tempt|coax|entic|{_MAKE})\w* {{T}} (?:\w+ "
            rf"){{0,2}}?(?:back |hooked |again |more |to relapse)(?:\w+ ){{0,6}}?{_DRUG}",
            rf"(?:get|tempt|coax|entic|push|lur|trigger)\w* {{T}} (?:to |into |in )?(?:relaps\w*|"
            rf"(?:start |resume )?{_DRUG} (?:\w+ ){{0,3}}?(?:again|more|longer|beyond))",
            r"(?:get|tempt|push|lur|mak|keep)\w* {T} (?:\w+ ){0,4}?more than (?:they|she|he|you) can afford",
        ),
        steps=(
            r"\baround the (?:exclusion|ban|block|limits?)|\b(?:get|work|slip|sneak) (?:around|past|"
            r"round) (?:the |their )?(?:self-?exclusion|blocks?|limits?|filters?)\b",
            r"\b(?:when|while|moments? when|times? when|because) (?:they are|they're|they feel|she is|"
            r"he is) (?:most |at their |too )?"
            r"(?:vulnerable|weak(?:est)?|desperate|lonel(?:y|iest)|manic|drunk|high|confused|tired|grieving)\b",
            r"\b(?:open|register|create|make|set up)\w* (?:an? )?(?:new |second |another )?accounts? "
            r"(?:under|in|with|using) (?:another|a different|"
            r"someone else's|a false|a relative's|an assumed|other)\b",
            rf"\b{_RECOVERING}\b(?![^.?!]{{0,200}}\b(?:stop|helped|charity|treatment)\b)[^?!]{{0,80}}\b{_LURE}\b[^.?!]{{0,20}}\b(?:get|bring|lure|win|tempt|pull|draw|make)s?\b",
            r"\bcan(?:no|')t (?:say no|resist|refuse|stop)\b|\brelapse (?:offers?|triggers? (?:we|for "
            r"our))\b",
            r"\bwithout a prescription\b",
        ),
    ),
    Family(
        "endanger children",
        r"abduct|kidnap|molest",
        effects=(),
        steps=(
            r"\b(?:do(?:n't| not)|when nobody|when no one|stop|not) watch(?:es|ing)? (?:their|the|a) "
            r"(?:child|children|kids?)\b",
            r"\b(?:kids?|child(?:ren)?|sons?|daughters?) (?:are|is|will be|would be) (?:left "
            r")?(?:alone|unsupervised|unwatched)\b|"
            r"\balone with (?:the |their |a )?(?:kids?|child(?:ren)?|boys?|girls?)\b|"
            r"\b(?:approach|befriend|contact|meet)\w* (?:\w+ )?(?:their|the|young|small) (?:kids?|"
            r"child(?:ren)?|daughters?|sons?|boys?|girls?)\b",
        ),
    ),
)


def forms_of(verbs: str) -> str:
    """Return a pattern of the active forms of verbs: the base, the third person, and "-ing".

    Examples
    --------
    >>> import re
    >>> said = ("scares", "conning", "bullying", "conned")
    >>> [bool(re.fullmatch(forms_of("scare|con|bully"), word)) for word in said]
    [True, True, True, False]
    """
    made = []
    for verb in _apart(verbs):
        head, _, rest = verb.partition(" ")
        stem = head[:-1] if head.endswith("e") else head
        last = re.escape(stem[-1]) if stem[-1].isalpha() else ""
        tail = f" {rest}" if rest else ""
        made.append(
            rf"(?:{head}(?:e?s)?|{stem}{last}?ing){tail}" if head.isalpha() else rf"{head}(?:e?s)?{tail}"
        )
    return "|".join(made)


def _apart(verbs: str) -> list[str]:
    """Return alternatives of a pattern that are not inside brackets."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(verbs):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            found.append(verbs[start:at])
            start = at + 1
    return [*found, verbs[start:]]
