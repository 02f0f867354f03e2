"""Questions answered by the profile: yes/no questions on attributes, and "what is your ..." questions."""

from __future__ import annotations

import itertools
import re
from functools import cache, reduce

from voxpop_simulator.questions.patterns import Pattern
from voxpop_simulator.questions.wordlists import word_set
from voxpop_simulator.stances.household_words import QUESTIONS
from voxpop_simulator.stances.profile_statements import find_tests
from voxpop_simulator.stances.profile_tests import ProfileTest, both, negated

_FRAME = Pattern(
    r"^(?:(?:so|and|now|first|ok|okay|well|to start|just to check)[, ]+)?(?:would you (?:say"
    r"|describe yourself|consider yourself)(?: that| as)?\b.*?\b)?"
    r"(?:are|do|have|did|is|aren't|don't|haven't|isn't|were)(?: you| your)\b|^would you (?:say"
    r"|describe yourself|consider yourself|call yourself)\b"
    r"|^(?:has a doctor|has a health professional|has any doctor) ever told you\b|^yes or no\b"
    r"|^you are\b|^you're\b"
)
GLUE = word_set(
    """
    a an the i me my am i'm i've are do did does have has had is was were been be being you your you're
    yourself yes no or and both either that who whom with which it its currently now presently today
    also at present right moment personally own live lives living reside based from in of as to for by
    on take takes taking taken use uses using used prescribed prescription ever told said doctor nurse
    health professional provider diagnosed diagnosis suffer suffers suffering experience get gets some
    any kind form type sort person people someone consider describe call identify household home age
    aged year years old would say regularly regular medicine medicines medication medications drug drugs
    meds pill pills tablet tablets another other others similar such like brand brands condition
    conditions disease illness disorder problem problems so not aren't don't haven't isn't didn't just
    currently-taking one two than really actually best describes following statement option please
    select choose state job work worker male/female so-called e.g eg example class injection injections
    shot shots daily every day still typically usually generally
    """
)
_ASIDE = Pattern(
    r"\((?:e\.?g|i\.?e|for example|such as|like|including)[^)]*\)|,? (?:such as|e\.g\.|for example"
    r"|for instance|like) [^?]*(?=\?|$)"
)
_BLOCK = Pattern(
    r"\b(?:want|wish|plan|hope|worried|concerned|interested|think|know|believe|feel|afraid|should|ought"
    r"|enjoy|like to|family history|anyone|"
    r"considered|considering|willing|need|prefer|trust|talk|heard|read)\b"
)


_NEGATION = Pattern(r"\b(?:not|never|without|no)\s*(?:(?:have|take|use|be|currently|any|an?)\s*)*$")


def yes_no_test(sentence: str) -> ProfileTest | None:
    """Return the test that answers a yes/no question from the profile alone, or None.

    Every word must belong to a statement about the profile or to its surrounding phrase. "Are you worried
    about diabetes?" is therefore left to the leanings.

    Examples
    --------
    >>> yes_no_test("Are you a parent over 40?").field
    'is_parent'
    >>> yes_no_test("Are you worried about diabetes?") is None
    True
    """
    flat = " ".join(sentence.replace("’", "'").split()).rstrip("?!. ")
    flat = _OF_THE_HOME.sub("", _SEEN_AS.sub("are you", flat))
    clause = next((flat[at:] for at in _starts(flat) if _FRAME.match(flat[at:].lower())), None)
    if clause is None or _BLOCK.search(_FRAME.sub("", clause.lower(), count=1)):
        return None
    return combined(_ASIDE.sub("", clause))


_SEEN_AS = Pattern(
    r"\bdo you (?:usually |generally )?(?:think of|see|regard|consider|call) yourself(?: as| to be)?\b", re.I
)
_OF_THE_HOME = Pattern(
    r" or (?:anyone|someone|anybody)(?: else)? in your (?:household|family)(?= (?:own|rent)\b)", re.I
)


def _starts(flat: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(r"[,:]\s+(?:and\s+)?", flat))]


def combined(text: str) -> ProfileTest | None:
    """Return one test for all statements in a text, combined by its conjunctions."""
    found = find_tests(text)
    if not found:
        return None
    lower = text.lower()
    gaps = [
        lower[: found[0][0]],
        *(lower[a[1] : b[0]] for a, b in itertools.pairwise(found)),
        lower[found[-1][1] :],
    ]
    if not all(word in GLUE for gap in gaps for word in re.findall(r"[a-z0-9$'/-]+", gap)):
        return None
    tests = [
        negated(test) if _NEGATION.search(gap) else test
        for gap, (_, _, test) in zip(gaps, found, strict=False)
    ]
    return _join(tests, [_joint(gap) for gap in gaps[1:-1]])


def _joint(gap: str) -> str:
    if re.search(r"\bor\b", gap):
        return "or"
    return "," if gap.strip() == "," else "and"


def _join(tests: list[ProfileTest], joints: list[str]) -> ProfileTest:
    for at in range(len(joints) - 1, -1, -1):
        if joints[at] == ",":
            joints[at] = joints[at + 1] if at + 1 < len(joints) else "and"
    groups: list[list[ProfileTest]] = [[tests[0]]]
    for joint, test in zip(joints, tests[1:], strict=True):
        if joint == "or":
            groups.append([test])
        else:
            groups[-1].append(test)
    every = [both(*group) if len(group) > 1 else group[0] for group in groups]
    return every[0] if len(every) == 1 else reduce(_either, every)


def _either(first: ProfileTest, second: ProfileTest) -> ProfileTest:
    either = negated(both(negated(first), negated(second)))
    return ProfileTest(
        first.field,
        either.holds,
        lambda agent: (second if second.holds(agent) and not first.holds(agent) else first).speak(agent),
    )


_YOUR = (
    r"(?:what(?:'s| is| was| are)|which(?: is)?|please (?:state|enter|give|tell us|indicate|select)"
    r"|tell (?:us|me)|state|select|enter|may i ask|and)?\s*(?:is )?your (?:current |exact |present "
    r"|own |main |primary )*"
)
_BEST = r"(?:which|what)(?: of (?:these|the following)(?: \w+)?| \w+| \w+ \w+)? best describes your "
_RACE = (
    r"(?:race(?: or | and |/)ethnicity|ethnicity (?:or|and) race|race|ethnicity|ethnic (?:group|background)"
    r"|racial (?:group|background))"
)
_VALUES: tuple[tuple[str, str], ...] = (
    ("age", rf"how old are you|{_YOUR}age(?: group| range| bracket| band| in years)?|(?:what"
        rf"|which) age (?:group|range|bracket|band)(?: do you (?:belong to|fall into|fall in)"
            rf"| are you(?: in)?)?|{_BEST}age"),
    ("state", r"(?:what|which)(?: us| u\.s\.)? state (?:do you (?:currently )?live in|are you (?:from"
        r"|in|living in)|is your home)|in (?:what|which)(?: us"
            r"| u\.s\.)? state do you (?:currently )?(?:live|reside)"
                r"|where do you "
                    r"(?:currently )?live|" + _YOUR + r"(?:home )?state(?: of residence)?|(?:what"
                        r"|which) (?:region|part)(?: of the (?:country|us|usa|united states))?"
                            r" (?:do you live in|are you (?:in|from))"),
    ("country", r"(?:what|which) country (?:do you (?:currently )?live in|are you (?:from|in))"
        r"|in (?:what|which) country do you live"),
    ("gender", rf"{_YOUR}(?:gender(?: identity)?|sex)|(?:what|which) gender (?:are you"
        rf"|do you identify (?:as|with))|{_BEST}gender(?: identity)?|how do you (?:describe"
            rf"|identify) your gender|are you male or female|are you a man or a woman"
            rf"|male or female|(?:do|would) you identify as (?:an? )?(?:male|man|female|woman)\b.*"),
    ("ethnicity", rf"{_YOUR}{_RACE}|(?:what|which) {_RACE}(?: do you (?:identify (?:as|with)|belong to)"
        rf"| are you)?"
        rf"|{_BEST}{_RACE}|how (?:do|would) you describe your {_RACE}"),
    ("education", rf"{_YOUR}(?:highest )?(?:level of )?(?:education|educational attainment"
        rf"|education level|level of schooling)|(?:what"
            rf"|which) is the highest (?:level of )?(?:education|school(?:ing)?|degree|grade"
                rf"|qualification)(?: level)?(?: (?:that )?you(?:'ve| have)? (?:completed|have|attained"
                    rf"|received|achieved|finished))?|how much (?:education|schooling) do you have"
                        rf"|{_BEST}(?:education|level of education)"
                            rf"|what (?:level of )?education (?:do you have|have you completed)"),
    ("household_income", rf"{_YOUR}(?:total |annual |yearly |combined |approximate )*(?:household "
        rf"|family )?income(?: before taxes| range| bracket| band| level| last year| per year| a year)*"
            rf"|how much (?:does your household|do you) (?:earn|make)(?: (?:a|per|each) year| annually"
                rf"| in a year)?|{_BEST}(?:annual |total )*(?:household )?income|(?:what"
                    rf"|which) income (?:bracket|range|band|group)(?: (?:are you in|do you fall into"
                        rf"|does your household fall into))?"),
    ("urban_rural", r"(?:what|which) (?:kind|type|sort) of (?:area|place|community"
        r"|neighbou?rhood) do you live in|(?:which|what) (?:\w+ )?best describes (?:the area|the place"
            r"|where|the community) you live(?: in)?|(?:do you live in|is your (?:home|area)"
                r"|are you in) (?:an? )?(?:urban|rural|city|the city|country"
                    r"|the country)(?: area)? or (?:an? )?(?:rural|urban|the country|country)(?: area"
                        r"| one)?|do you live in (?:an urban|a rural) or (?:an urban|a rural) area"),
    ("title_variant", rf"{_YOUR}(?:job title|title at work|position at work)|what job title do you have"),
    ("occupation_major_group", rf"(?:what|which) (?:occupational group|occupation group|job category"
        rf"|type of occupation|line of work|field)(?: do you work in| are you in)?"
            rf"|{_YOUR}(?:occupational group|line of work|job category)"),
    ("industry", rf"(?:what|which) (?:industry|sector)(?: (?:do you (?:currently )?work in"
        rf"|are you (?:employed )?in|is your job in|are you working in))?|{_YOUR}industry|in (?:what"
            rf"|which) (?:industry|sector) do you work|what (?:kind|type) of (?:business|industry"
                rf"|company) do you work (?:in|for)"),
    ("occupation", rf"what do you do for (?:a living|work)|what do you do|{_YOUR}(?:occupation|job"
        rf"|profession|line of work)|what(?:'s| is) it (?:that )?you do for a living|what (?:kind|type"
            rf"|sort) of (?:work|job) do you (?:do|have)|what(?: job| work) do you (?:do|have)"
                rf"|how do you (?:earn|make) (?:a|your) living"),
    ("labour_status", rf"{_YOUR}(?:employment|work|working|labou?r|labou?r force|job) (?:status"
        rf"|situation)|{_BEST}(?:employment|work|working|labou?r|job) (?:status|situation)"
            rf"|{_BEST}(?:current )?employment|{_YOUR}employment"
            rf"|are you (?:currently )?(?:employed or unemployed"
            rf"|(?:employed |working )?(?:full|part)[- ]time.*)|what is your situation regarding work"),
    ("is_parent", rf"{_YOUR}parent(?:al)? status|{_BEST}parental status"),
    ("smoking_status", rf"{_YOUR}smoking (?:status|habits?|behaviou?r)|{_BEST}smoking(?: status"
        rf"| habits?)?|how often do you (?:currently )?smoke(?: cigarettes| tobacco)?"
            rf"|do you (?:now )?smoke cigarettes every day, some days,? or not at all"
                rf"|how would you describe your smoking(?: habits?| status)?"),
    ("alcohol_use", rf"{_YOUR}(?:alcohol (?:use|consumption|intake)|drinking (?:habits?|status|level))"
        rf"|{_BEST}(?:alcohol (?:use|consumption|intake)|drinking(?: habits?)?)"
            rf"|how much (?:alcohol )?do you (?:usually |typically |normally )?drink"
                rf"|how often do you drink(?: alcohol)?|how would you describe your (?:alcohol (?:use"
                    rf"|consumption)|drinking(?: habits?)?)|how much alcohol do you (?:drink|consume)"),
    ("physical_activity_level", rf"{_YOUR}(?:level of physical activity|physical activity(?: level)?"
        rf"|activity level|level of activity|exercise level)|{_BEST}(?:level of physical activity"
            rf"|physical activity(?: level)?|activity level)|how (?:physically )?active are you"
                rf"|how active is your lifestyle|how would you (?:describe"
                    rf"|rate) your (?:level of physical activity|physical activity(?: level)?"
                        rf"|activity level)|how much (?:exercise|physical activity) do you (?:get|do)"
                            rf"|how (?:often|many times a week|many times per week|many days a week"
                                rf"|many days per week|regularly) do you (?:exercise|work out)"),
    ("sleep_quality", rf"{_YOUR}(?:sleep quality|quality of sleep|sleep)|{_BEST}(?:sleep quality"
        rf"|quality of sleep|sleep)|how (?:well|badly|good) do you (?:usually |typically |normally "
            rf"|generally )?sleep(?: at night)?|how do you (?:usually |normally )?sleep(?: at night)?"
                rf"|how (?:good|bad|well) is your sleep|how (?:is|'s) your sleep(?: quality)?"
                    rf"|how would you (?:describe|rate) (?:the quality of your sleep"
                        rf"|your (?:sleep quality|quality of sleep|sleep))"
                            rf"|rate (?:the quality of your sleep|your sleep(?: quality)?)"),
    ("diet_quality", rf"{_YOUR}(?:diet quality|quality of diet|diet)|{_BEST}(?:diet quality"
        rf"|quality of diet|diet|eating habits)|how (?:healthy|good|healthily|well) (?:is your diet"
            rf"|are your eating habits|do you eat)|how would you (?:describe"
                rf"|rate) (?:the quality of your diet|your (?:diet quality|diet|eating habits))"
                    rf"|rate (?:the quality of your diet|your diet(?: quality)?)"),
    ("bmi_class", rf"{_YOUR}(?:bmi (?:class|category|group)|weight (?:class|category|status|group))"
        rf"|{_BEST}(?:weight|bmi)(?: (?:class|category|status))?|how would you (?:describe"
            rf"|classify) your weight"),
    ("bmi", rf"{_YOUR}(?:bmi|body mass index)"),
    ("phq9_severity", rf"{_YOUR}(?:phq-?\s?9 severity|depression severity|severity of depression"
        rf"|depression level|level of depression)|how severe (?:is your depression"
            rf"|are your depress(?:ion|ive) symptoms)|{_BEST}(?:depression(?: level| symptoms)?"
                rf"|depressive symptoms)"),
    ("phq9_score", rf"{_YOUR}(?:phq-?\s?9|depression)(?: score)?"),
    ("rx_medication_count", r"how many (?:different )?(?:prescription |prescribed |kinds of "
        r"|types of )*(?:medications?|medicines?|drugs|meds|pills"
            r"|prescriptions)(?: classes)?(?: do you (?:currently |regularly )?(?:take|use|have)"
                r"| are you (?:currently )?(?:taking|on|using|prescribed))(?: regularly| daily"
                    r"| (?:every|each|a|per) day| currently)?"),
    ("health_conditions", rf"(?:what|which)(?: of (?:these|the following))? ?(?:chronic |medical "
        rf"|health |long-term |diagnosed )*(?:conditions?|illness(?:es)?|diagnos[ei]s"
            rf"|diseases?)(?: if any)?(?: do you (?:currently )?(?:have|suffer from|live with)"
                rf"| have you been (?:told (?:by a doctor )?(?:that )?you have|diagnosed with)| (?:have"
                    rf"|has) a doctor (?:ever )?told you (?:that )?you have)|{_YOUR}(?:chronic "
                        rf"|medical |health )*(?:conditions|diagnos[ei]s)"),
    ("health_drug_classes", rf"(?:what|which)(?: of (?:these|the following))? ?(?:prescription "
        rf"|prescribed |kinds? of |types? of |classes of )*(?:medications?|medicines?|drugs?|meds"
            rf"|drug classes|treatments|pills)(?: if any)?(?: do you (?:currently |regularly )?(?:take"
                rf"|use)| are you (?:currently )?(?:taking|on|using|prescribed))"
                    rf"|{_YOUR}(?:prescription )?(?:medications|medicines)"),
    ("name", rf"{_YOUR}(?:first |full )?name|who are you"),
    *QUESTIONS,
)  # fmt: skip
_LEAD_IN = Pattern(
    r"^(?:(?:and|so|now|first|finally|lastly|to start|just to check|for classification|if any"
    r"|on average|in general|generally speaking|overall)[, ]+)+"
)
_TAIL = word_set(
    """
    currently now today right please regularly usually typically at the moment present in us usa a an of
    per week day night on average if any do you select all that apply choose one only check them from
    these following list below best describes or and is it to by for most about overall scale rate would
    say including yourself exactly approximately roughly taken together with your current where means
    means very best worst poor good excellent fair was number how it's out stars point ten five seven
    every days some not before taxes last year above below over under more less fewer than
    """
)


@cache
def _value_patterns() -> tuple[tuple[str, Pattern], ...]:
    """Compile the patterns on the first question, because they would take a tenth of a service's start."""
    return tuple((field, Pattern(rf"(?:{pattern})")) for field, pattern in _VALUES)


_OF_A_CASE = Pattern(r"(?:when(?:ever)?|if|once|after|before) .*, what do you do(?! for\b)")
"""Questions on the reaction to an event, not on the occupation."""


def value_field(sentence: str) -> str | None:
    """Return the field asked for by a "what is your ..." question, or None.

    Examples
    --------
    >>> value_field("What do you do for a living?"), value_field("What do you like about your job?")
    ('occupation', None)
    """
    flat = " ".join(sentence.replace("’", "'").lower().split()).rstrip("?!.: ")
    flat = _LEAD_IN.sub("", re.sub(r"\([^()]*\)", " ", flat).replace(" ,", ","))
    flat = " ".join(flat.replace(", if any,", " if any").split())
    later = () if _OF_A_CASE.match(flat) else _starts(flat)[1:]
    for text in (flat, *(flat[at:] for at in later)):
        for field, pattern in _value_patterns():
            found = pattern.match(text)
            if found and all(
                word in _TAIL or word.isdigit()
                for word in re.findall(r"[a-z0-9']+", text[found.end() :].partition(":")[0])
            ):
                return field
    return None
