"""The banks of words that answers are made of; none claims an attribute that an agent may not have."""

from __future__ import annotations


def _bank(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in text.split("|"))


# things that count, by leaning; each reads as the subject of a singular verb and as an object
THINGS: dict[str, tuple[str, ...]] = {
    "price": _bank("price|the shelf price|cost per serving|what it costs|a fair price|value for money"
        "|the final bill|everyday affordability|a decent discount|the price tag|unit cost|paying less"
            "|getting my money's worth|a sensible price|the monthly total"),
    "technology": _bank("ease of setup|how it works|a clear screen|reliable software|simple design"
        "|battery life|learning curve|a working app|tech support|the interface|compatibility"
            "|automatic updates|new technology|speed|one-tap ordering"),
    "health_worry": _bank("my health|feeling well|medical advice|what a doctor says|side effects"
        "|how my body reacts|energy through the day|a clean checkup|long-term health|symptom control"
            "|peace of mind|knowing the risks|early warning|prevention|getting older well"),
    "healthy_living": _bank("sugar content|the nutrition label|fresh ingredients|real food|eating well"
        "|balance|fiber|protein|less salt|a short ingredient list|natural flavor|portion balance"
            "|daily nutrition|staying fit|calorie count"),
    "life": _bank("daily life|family and friends|time off|a quiet evening|everyday mood"
        "|having a purpose|stability|good company|a calm week|my outlook|small pleasures"
            "|balance in life|gratitude|how the week went|peace at home"),
    "job": _bank("respect at work|pay|decent hours|a fair boss|workload|security|meaningful work"
        "|flexibility|good colleagues|recognition|room to grow|the schedule|training|autonomy"
            "|a steady routine"),
    "novelty": _bank("curiosity|something new|a change of pace|variety|a fresh idea|trying things"
        "|surprise|a free sample|a first taste|discovery|a new flavor|experimenting"
            "|a better alternative|breaking routine|originality"),
    "brand": _bank("a name I know|reputation|past experience|consistency|the usual brand|familiarity"
        "|track record|loyalty|a trusted label|what I grew up with|habit|long experience"
            "|the old favorite|word of mouth|heritage"),
    "sustainability": _bank("less plastic|recyclable packaging|waste|the footprint|local sourcing"
        "|climate impact|fair trade|clean energy|reuse|durability|the environment|ethical sourcing"
            "|shipping distance|honest labeling|conservation"),
    "privacy": _bank("privacy|control over my data|who sees what|consent|clear settings|data security"
        "|an opt-out|transparency|being tracked|a readable policy|encryption|anonymity"
            "|personal information|trust online|account security"),
    "family": _bank("child safety|what children see|a safe home|screen time|schooling|good role models"
        "|supervision|growing up healthy|family time|a child's future|playground safety"
            "|reading together|early education|bedtime|kindness"),
    "safety": _bank("safety|a safety record|risk|clear warnings|protection|sturdy design|feeling secure"
        "|good lighting|insurance cover|tested parts|a backup plan|careful handling|emergency help"
            "|the worst case|quality control"),
    "trust": _bank("honesty|straight answers|proof|independent testing|openness|keeping promises"
        "|accountability|plain language|competence|fair treatment|a good record|admitting mistakes"
            "|consistency|solid evidence|integrity"),
    "convenience": _bank("convenience|saving time|quick delivery|easy cleanup|short lines"
        "|being close by|simple steps|less hassle|speed at checkout|ready-made options|a fast answer"
            "|flexible hours|one stop|easy returns|parking"),
    "indulgence": _bank("taste|flavor|crunch|a small treat|sweetness|comfort food|the craving|texture"
        "|chocolate|something salty|weekend indulgence|aroma|a rich filling|temptation|satisfaction"),
    "portions": _bank("portion size|a smaller serving|feeling full|eating less|a modest plate|appetite"
        "|leftovers|a lighter meal|resealable packs|bite size|stopping early|serving control"
            "|half portions|less waste|mindful eating"),
    "exercise": _bank("movement|a daily walk|stamina|fresh air|stretching|strength|motivation"
        "|a set routine|staying mobile|good weather|energy|rest days|a workout partner|joint comfort"
            "|progress"),
    "social_media": _bank("the feed|online chatter|short video|friends' posts|comments|an honest review"
        "|influencer hype|too many ads|screen fatigue|scrolling|shared photos|group chat|viral stuff"
            "|misinformation|online noise"),
    "politics": _bank("policy|local news|taxes|leadership|common sense|the economy|compromise"
        "|accountability|fair rules|the facts|public spending|both sides|voting records"
            "|wasteful spending|long-term planning"),
    "travel": _bank("a direct flight|the itinerary|comfort|scenery|total cost|rest|good weather"
        "|local food|packing light|flexible booking|distance|a clean room|timing|adventure|hidden fees"),
    "faith": _bank("faith|tradition|community|prayer|values|conscience|service|respect|ritual|belonging"
        "|quiet reflection|gratitude|hope|fellowship|family custom"),
    "money_worry": _bank("the budget|monthly bills|rising prices|savings|steady income|debt"
        "|rent or mortgage|an emergency fund|grocery totals|interest rates|cash flow"
            "|a financial cushion|retirement saving|cutting back|the cost of living"),
    "strain": _bank("stress|sleep|a good night's rest|time alone|pressure|workload at home|unwinding"
        "|mental space|deadlines|talking it over|routine|tiredness|breathing room|slowing down|a clear head"),
    "alcohol": _bank("moderation|taste|social drinking|price per drink|next-day regret"
        "|a relaxed evening|the occasion|non-alcoholic options|company|calories|label strength"
            "|self-control|atmosphere|quality|tradition"),
    "tobacco": _bank("health risk|the smell|cost per pack|willpower|habit|secondhand smoke|regulation"
        "|breathing|nicotine|clear warnings|stress relief|lung health|taste|public space|quitting support"),
    "pets": _bank("animal welfare|vet bills|daily walks|companionship|pet food quality|space|allergies"
        "|cleanup|training|affection|time commitment|travel plans|fur|responsibility|cost of care"),
    "assent": _bank("common sense|first impression|a gut feeling|fairness|practical use|good manners"
        "|timing|clear information|an honest answer|plain talk|usefulness|experience|simplicity|balance"
            "|good advice"),
}  # fmt: skip
OPENERS = _bank(
    "Honestly|Frankly|Truthfully|Practically|Personally|Lately|Bluntly|Realistically|Nowadays|Generally"
    "|Usually|Typically|Overall|Basically|Mostly|Primarily|Again|Sometimes|Often|Naturally|Ultimately"
    "|Simply put|Looking back|Deep down|These days|Most days|Right now|In short|First off|By now|To me"
    "|All told|At heart|On reflection|In practice|From experience|Without overthinking|Speaking plainly"
    "|Thinking aloud|Years on|Day-to-day|Strangely|Privately|Clearly|Instinctively|Ideally|Currently"
    "|Broadly|Traditionally|Habitually"
)
ADVERBS = _bank(
    "always|mostly|usually|carefully|quietly|first|really|often|still|naturally|instinctively|simply"
    "|generally|definitely|mainly|clearly|closely|habitually|constantly|strongly|sometimes|stubbornly"
    "|gladly|honestly|typically|deliberately|patiently|automatically|consciously|readily|quickly"
    "|seriously|basically|inevitably|normally|happily|especially|regularly|privately|nearly always|also"
    "|actually|truly|ordinarily|eventually|likewise|routinely"
)
VERBS = _bank(
    "weigh|check|compare|consider|value|notice|appreciate|judge|question|expect|want|look for"
    "|think about|care about|go by|focus on|ask about|watch|respect|prioritize|need|study|follow"
    "|count on|demand|examine|prefer|seek out|rely on|look into|favor|remember|measure|choose|trust"
    "|return to|discuss|mention|hope for|welcome|reward|investigate|crave|require|inspect|track|cherish"
    "|enjoy"
)
COUNTS = _bank(
    "matters|decides|counts|wins|dominates|prevails|leads|rules|helps|weighs heavily|comes first"
    "|settles it|carries weight|stands out|guides me|makes sense|drives me|sways me|rates highly"
    "|stays decisive|ranks high|influences me|clinches it|means plenty|convinces me|outweighs hype"
    "|tips things|speaks volumes|beats slogans|motivates me|pays off|tops everything|remains key"
    "|deserves attention|keeps mattering|moves me|shows quickly|lasts|wins out|sticks"
)
HINGES = _bank(
    "comes down to|starts with|hinges on|depends on|turns on|revolves around|rests on|boils down to"
        "|leans on|ends with|is about|follows from|begins with"
    "|relates to|goes back to|stems from|centers on|reflects|concerns|involves"
)  # fmt: skip
JOINERS = _bank(
    "and|plus|along with|then|followed by|more than|ahead of|rather than|alongside|together with"
    "|next to|as well as|over|before|besides"
)
GOOD = _bank(
    "promising|sensible|worthwhile|fair|useful|appealing|encouraging|reassuring|practical|convincing"
    "|attractive|pleasant|solid|refreshing|welcome|decent|comfortable|likable|rewarding|tempting|handy"
    "|smart|sound|helpful|positive|trustworthy|enjoyable|satisfying|good|excellent|reasonable|right"
    "|hopeful|inviting|natural|worth it|valuable|satisfactory|impressive|agreeable|favorable|bright"
    "|doable|easy|clever|great"
)
BAD = _bank(
    "risky|overrated|doubtful|wrong|disappointing|pointless|annoying|weak|tiresome|unconvincing"
    "|wasteful|troubling|unappealing|frustrating|poor|unnecessary|hollow|dull|discouraging|suspicious"
    "|flawed|impractical|shaky|stale|careless|worrying|overdone|unfair|thin|clumsy|tedious|bad"
    "|unhelpful|questionable|forced|vague|confusing|empty|misguided|unreliable|bleak|off-putting"
    "|lacking|dubious|unwise|sloppy"
)
MIXED = _bank(
    "uncertain|debatable|acceptable|mixed|undecided|okay|neutral|complicated|average|unclear|so-so|open"
    "|unsettled|ordinary|tolerable|borderline|passable|middling|changeable|ambiguous|tricky|fine"
    "|unremarkable|workable|conditional|uneven|half-convincing|adequate|unproven|unfinished|lukewarm"
    "|balanced|curious|inconclusive|moderate|bearable|usual|variable|undramatic|negotiable"
)
ADD = _bank(
    "Besides,|Also,|Equally,|Meanwhile,|Likewise,|Plus,|Similarly,|Still,|Second,|Next,|Moreover,"
    "|Admittedly,|Then again,|Even so,|In turn,|Over time,|After that,|Beyond that,|Oddly enough,"
    "|Granted,|Secondly,|Furthermore,|Additionally,|Otherwise,|Then,|However,|Of course,|Afterwards,"
    "|Accordingly,|True,"
)
WANT = _bank(
    "Show me|Give me|I'd welcome|I'd ask for|I'd insist on|Better|More|Offer me|Add|Improve|Guarantee"
        "|Fix|I miss|I'd pay attention to|Promise|Bring"
    "|Clearer|I'd reward|Focus on|Start with"
)  # fmt: skip
CLOSE_GOOD = _bank(
    "I'd happily continue|count me in|no complaints so far|I'd do it again|worth repeating"
        "|that's enough for me|a clear plus|I'm sold|easy decision"
    "|glad it exists|keep it coming|I'd tell friends"
)  # fmt: skip
CLOSE_BAD = _bank(
    "I'd rather pass|not for me|convince me otherwise|I'll wait|no thanks|hard to justify"
        "|I've seen better|something has to change|little reason to bother"
    "|I'd skip it|once was enough|my mind is made up"
)  # fmt: skip
CLOSE_MIXED = _bank(
    "time will tell|ask me again later|I'm on the fence|we'll see|no rush|I could be persuaded"
        "|both sides have a point|I keep an open mind|hard to say more"
    "|it's complicated|maybe next year|somewhere in the middle"
)  # fmt: skip
BECAUSE = _bank(
    "because|since|as|mainly because|seeing that|mostly because|given that|simply because"
    "|partly because|chiefly because"
)
YES = _bank(
    "Yes.|Yes, I think so.|Yes, that fits.|Yes, for the most part.|I'd say yes.|Yes, sure.|Yeah, yes."
    "|That's a yes from me."
)
YES_STRONG = _bank(
    "Yes, definitely.|Absolutely, yes.|Yes, without a doubt.|Yes, very much.|For sure, yes.|Yes, no question."
)
NO = _bank(
    "No.|No, I don't think so.|No, not really.|I'd say no.|No, not for me.|Probably not, so no."
    "|That's a no from me.|Not really, no."
)
NO_STRONG = _bank("No, definitely not.|Absolutely not.|No, no way.|No, not at all.|Certainly not.|No, never.")
CHOSEN = _bank(
    "{}.|{}, I'd say.|I'd go with: {}.|My pick: {}.|{}, for me.|I'd choose: {}.|Probably: {}."
    "|{} is my answer."
)
RATED = _bank(
    "{}.|I'd say {}.|A {} from me.|{}, I think.|Call it {}.|I'd give it {}.|Probably {}.|{} for me."
)
GUESSED = _bank(
    "{}.|About {}.|Around {}.|I'd say {}.|Roughly {}.|{}, give or take.|Probably {}.|Something like {}."
)
UNSURE = _bank(
    "I don't know.|I'm not sure.|Hard to say, I don't know.|I really couldn't tell you."
    "|No idea, to be honest.|I don't have an answer to that."
)
LINK_GOOD = _bank(
    "thanks to|because of|mostly for|mainly through|given|due to|considering"
    "|especially with|largely from|via|helped by|for|through"
)
LINK_BAD = _bank(
    "over|because of|mainly over|on account of|given|due to|considering|regarding|around"
    "|lacking|without|despite|short of"
)
LINK_MIXED = _bank(
    "despite|given|regarding|depending on|until|pending|subject to|short of|beyond"
    "|aside from|considering|versus|between mood and"
)
SEEMS = _bank("seems|feels|looks|sounds|remains|appears|stays|becomes|proves|is")
KINDS = _bank(
    "everyday|lasting|genuine|visible|proven|basic|overall|practical|personal|local|steady"
    "|honest|real|simple|extra|better|obvious|long-term|daily|plain|solid|true|clear|greater|modest"
    "|sheer|general|decent|sufficient|actual|added|measurable|immediate|familiar|natural|careful|early"
    "|mutual|ordinary|quick|quiet|thorough|sound|reasonable|full|sensible|old-fashioned|constant"
    "|reliable|small-scale|serious|dependable|hands-on|common|necessary|predictable|continued|dedicated"
    "|shared"
)
NOUNS = _bank(
    "quality|reliability|simplicity|comfort|usefulness|honesty|consistency|proof|freshness|variety"
    "|durability|transparency|fairness|support|familiarity|flexibility|choice|ease|accuracy"
    "|craftsmanship|value|trust|service|advice|information|timing|experience|attention|access|balance"
    "|benefit|care|clarity|competence|convenience|courtesy|detail|design|efficiency|evidence|feedback"
    "|freedom|guidance|knowledge|logic|openness|order|patience|performance|practice|precision"
    "|preparation|progress|purpose|relevance|respect|safety|sense|speed|stability|strength|substance"
    "|testing|training|understanding|warmth|skill|effort|planning|reasoning|discipline|interest"
    "|communication|cooperation|encouragement|tolerance"
)
SOMEHOW = _bank(
    "simply|mostly|often|still|usually|honestly|clearly|generally|somehow|really|always|already|largely"
    "|sometimes|basically|frankly|mainly|typically|currently|increasingly|repeatedly|occasionally"
    "|gradually|plainly|regularly|naturally|certainly|definitely|frequently|normally|overall|quietly"
    "|quickly|consistently|genuinely|ultimately|mildly|rather|truly|actually"
)
