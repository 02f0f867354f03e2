"""What people say about their health when the subject is food, health or medicine."""

from __future__ import annotations

from voxpop.respondents.banks import lines

CONDITIONS: dict[str, tuple[str, ...]] = {
    "diabetes_t2": lines("""
food| I have type 2 diabetes, so I [have to watch the sugar/check the carbs on everything]
body| I'm managing type 2 diabetes, so I [see the doctor a lot/keep up with my numbers]
"""),
    "diabetes_t1": lines("""
food| I have type 1 diabetes, so I [count carbs/have to know what's in it]
body| Living with type 1 diabetes, I [plan ahead for everything/keep my supplies close]
"""),
    "prediabetes": lines("""
food| I've been told I'm prediabetic, so I'm [trying to cut back/watching my sugar]
body| I have prediabetes, so I'm [trying to turn it around/paying attention now]
"""),
    "hypertension": lines("""
food| I have high blood pressure, so I [watch the salt/check the sodium first]
body| I have high blood pressure, so I [keep an eye on it/check it at home]
"""),
    "high_cholesterol": lines("""
food| I have high cholesterol, so I'm [careful with fried stuff/supposed to watch what I eat]
body| My cholesterol is high, so I [have to think about it/get it checked]
"""),
    "obesity": lines("""
food| I'm trying to lose some weight, so [it's on my mind/I think about that]
body| I'd like to [take some weight off/drop some pounds], so I think about it
"""),
    "gerd": lines("""
food| I get acid reflux, so I [have to be careful what I eat/pay for it later if I'm not careful]
"""),
    "ckd": lines("""
food body| I have kidney disease, so I [have to watch what I eat/read every label]
"""),
    "chd": lines("""
food body| I have heart disease, so I [don't play around with that/listen to the doctor]
"""),
    "heart_failure": lines("""
food body| I have heart failure, so I [have to limit salt/take that seriously]
"""),
    "gout": lines("""
food| I have gout, so there are [things I can't eat/foods I stay away from]
"""),
    "arthritis": lines("""
body leisure| I have arthritis, so [some days are slower/I feel it in my joints]
"""),
    "chronic_pain": lines("""
body| I live with chronic pain, so [that's part of it/I plan around it]
"""),
    "asthma": lines("""
body| I have asthma, so I [notice these things/keep an inhaler around]
"""),
    "copd": lines("""
body| I have COPD, so [breathing comes first/I have to take it slow]
"""),
    "sleep_apnea": lines("""
body| I have sleep apnea, so I know about [bad nights/being tired]
"""),
    "migraine": lines("""
body| I get migraines, so I [know how a bad day feels/plan around them]
"""),
    "cancer_history": lines("""
body| I had cancer, so I [don't put things off/take checkups seriously]
"""),
    "stroke": lines("""
body| I had a stroke, so I [don't take my health for granted/listen to my doctors now]
"""),
    "hypothyroidism": lines("""
body| I have an underactive thyroid, so I [get my blood checked/deal with being tired]
"""),
}
DRUGS: dict[str, tuple[str, ...]] = {
    "glp1_agonist": lines("""
food| I'm on a GLP-1 medicine, so I [get full fast/don't crave sweets like I used to]
body| I take a GLP-1 medicine, so I [eat a lot less/follow this pretty closely]
"""),
    "insulin": lines("""
food| I take insulin, so I [have to know the carbs/plan what I eat]
body| I take insulin, so I [know what medicine costs/can't skip it]
"""),
    "metformin": lines("""
food| I take metformin, so [sugar is something I watch/I go easy on sweets]
"""),
    "statin": lines("""
body| I take a statin, so I [see the pharmacy every month/get my blood work done]
"""),
    "anticoagulant": lines("""
body food| I'm on a blood thinner, so I [have to be careful/ask before I change anything]
"""),
}
SMOKER = lines("""
body| I smoke, so [I'm not one to lecture/I know I should quit]
""")
EX_SMOKER = lines("""
body| I used to smoke and quit, so I [know how hard change is/know it can be done]
""")
