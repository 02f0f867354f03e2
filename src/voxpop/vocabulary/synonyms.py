"""Health conditions and drug classes: slugs, wording in sentences, and synonyms."""

from __future__ import annotations

from collections.abc import Mapping

CONDITIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "hypertension": ("hypertension", ("high blood pressure",)),
    "high_cholesterol": ("high cholesterol", ("hyperlipidemia", "dyslipidemia", "hypercholesterolemia")),
    "diabetes_t2": ("type 2 diabetes", ("diabetes", "t2d", "diabetes type 2", "type ii diabetes")),
    "diabetes_t1": ("type 1 diabetes", ("t1d", "diabetes type 1", "type i diabetes")),
    "prediabetes": ("prediabetes", ("pre-diabetes",)),
    "obesity": ("obesity", ("obese",)),
    "asthma": ("asthma", ()),
    "copd": ("COPD", ("emphysema", "chronic bronchitis", "chronic obstructive pulmonary disease")),
    "depression": ("depression", ("major_depression", "major depressive disorder")),
    "anxiety": ("an anxiety disorder", ("anxiety disorder",)),
    "bipolar": ("bipolar disorder", ("bipolar disorder",)),
    "adhd": ("ADHD", ("attention deficit hyperactivity disorder",)),
    "insomnia": ("insomnia", ()),
    "sleep_apnea": ("sleep apnea", ("sleep apnoea", "obstructive sleep apnea")),
    "arthritis": ("arthritis", ()),
    "osteoporosis": ("osteoporosis", ()),
    "gout": ("gout", ()),
    "chronic_pain": ("chronic pain", ()),
    "migraine": ("migraine", ("migraines",)),
    "chd": ("coronary heart disease", ("heart_disease", "coronary_artery_disease", "coronary heart disease")),
    "heart_failure": ("heart failure", ("congestive heart failure",)),
    "atrial_fibrillation": ("atrial fibrillation", ("afib",)),
    "stroke": ("a history of stroke", ()),
    "ckd": ("chronic kidney disease", ("chronic kidney disease", "kidney disease")),
    "cancer_history": ("a history of cancer", ("cancer", "history of cancer")),
    "hypothyroidism": ("hypothyroidism", ()),
    "gerd": ("acid reflux disease (GERD)", ("acid_reflux", "gastroesophageal reflux disease")),
    "allergic_rhinitis": ("allergic rhinitis", ("hay fever",)),
    "bph": ("an enlarged prostate (BPH)", ("benign prostatic hyperplasia", "enlarged prostate")),
    "overactive_bladder": ("an overactive bladder", ()),
    "epilepsy": ("epilepsy", ()),
    "glaucoma": ("glaucoma", ()),
    "psoriasis": ("psoriasis", ()),
}
"""Slug of a condition -> (wording after "with" in a sentence, other names)."""

_GLP1_NAMES = (
    *(
        "GLP-1",
        "GLP1",
        "GLP-1 agonist",
        "GLP1 agonists",
        "GLP-1 medicine",
        "GLP-1 receptor agonist",
        "GLP1 RA",
    ),
    *("semaglutide", "tirzepatide", "liraglutide", "dulaglutide", "exenatide", "lixisenatide"),
    *("Ozempic", "Wegovy", "Rybelsus", "Mounjaro", "Zepbound", "Victoza", "Saxenda", "Trulicity"),
    *("Byetta", "Bydureon", "Bydureon BCise", "Adlyxin"),
)

DRUG_CLASSES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "ace_inhibitor": ("an ACE inhibitor", ("lisinopril", "enalapril", "benazepril", "ramipril")),
    "alpha_blocker_bph": ("an alpha blocker for the prostate", ("tamsulosin", "alfuzosin")),
    "anticoagulant": ("an anticoagulant", ("blood thinner", "warfarin", "apixaban", "rivaroxaban")),
    "antihistamine": ("an antihistamine", ()),
    "antiplatelet": ("an antiplatelet medicine", ("clopidogrel",)),
    "antipsychotic": ("an antipsychotic", ()),
    "arb": (
        "an angiotensin receptor blocker",
        ("losartan", "valsartan", "olmesartan", "irbesartan", "angiotensin receptor blocker"),
    ),
    "benzodiazepine": ("a benzodiazepine", ("alprazolam", "lorazepam", "clonazepam", "diazepam")),
    "beta_blocker": ("a beta blocker", ("metoprolol", "atenolol", "carvedilol", "propranolol")),
    "bisphosphonate": ("a bisphosphonate", ("alendronate",)),
    "bronchodilator": ("a bronchodilator", ("albuterol",)),
    "bupropion": ("bupropion", ("Wellbutrin",)),
    "calcium_channel_blocker": ("a calcium channel blocker", ("amlodipine", "diltiazem")),
    "dpp4_inhibitor": ("a DPP-4 inhibitor", ("DPP-4 inhibitor", "sitagliptin", "Januvia")),
    "gabapentinoid": ("a gabapentinoid", ("gabapentin", "pregabalin")),
    "glp1_agonist": ("a GLP-1 medicine", _GLP1_NAMES),
    "h2_blocker": ("an H2 blocker", ("famotidine",)),
    "inhaled_corticosteroid": ("an inhaled corticosteroid", ("inhaled steroid",)),
    "insulin": ("insulin", ("insulin glargine", "insulin lispro", "insulin aspart")),
    "leukotriene_modifier": ("a leukotriene modifier", ("montelukast",)),
    "levothyroxine": ("levothyroxine", ("Synthroid",)),
    "loop_diuretic": ("a loop diuretic", ("furosemide",)),
    "metformin": ("metformin", ()),
    "muscle_relaxant": ("a muscle relaxant", ("cyclobenzaprine",)),
    "nsaid": ("an NSAID", ("ibuprofen", "naproxen", "meloxicam")),
    "opioid": ("an opioid", ("hydrocodone", "oxycodone", "tramadol", "morphine")),
    "oral_contraceptive": ("an oral contraceptive", ("birth control pill",)),
    "ppi": (
        "a proton pump inhibitor",
        ("omeprazole", "pantoprazole", "esomeprazole", "proton pump inhibitor"),
    ),
    "sedative_hypnotic": ("a sleep medicine", ("zolpidem",)),
    "sglt2_inhibitor": (
        "an SGLT2 inhibitor",
        ("SGLT-2 inhibitor", "empagliflozin", "dapagliflozin", "Jardiance"),
    ),
    "snri": ("an SNRI", ("venlafaxine", "duloxetine", "desvenlafaxine")),
    "ssri": ("an SSRI", ("sertraline", "fluoxetine", "escitalopram", "citalopram", "paroxetine")),
    "statin": ("a statin", ("statins", "atorvastatin", "rosuvastatin", "simvastatin", "pravastatin")),
    "stimulant": ("a stimulant", ("methylphenidate", "Adderall")),
    "sulfonylurea": ("a sulfonylurea", ("glipizide", "glimepiride", "glyburide")),
    "systemic_corticosteroid": ("a systemic corticosteroid", ("prednisone",)),
    "thiazide_diuretic": ("a thiazide diuretic", ("hydrochlorothiazide", "chlorthalidone")),
    "tricyclic_antidepressant": ("a tricyclic antidepressant", ("amitriptyline", "nortriptyline")),
    "triptan": ("a triptan", ("sumatriptan", "rizatriptan")),
    "xanthine_oxidase_inhibitor": ("a xanthine oxidase inhibitor", ("allopurinol",)),
}
"""Slug of a drug class -> (wording after "taking" in a sentence, names of medicines and other names)."""


def turned(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return a mapping from other name to value, given value -> other names.

    Examples
    --------
    >>> turned({"male": ("m", "man")})
    {'m': 'male', 'man': 'male'}
    """
    return {other: canonical for canonical, others in names.items() for other in others}
