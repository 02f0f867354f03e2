"""Everyday words for conditions and medicines, with the slugs that they mean."""

from __future__ import annotations

import re

# slug -> (wording after "I have", pattern)
CONDITIONS: dict[str, tuple[str, str]] = {
    "hypertension": ("high blood pressure", r"hypertension|hypertensive|high blood[- ]pressure"
        r"|elevated blood pressure"),
    "high_cholesterol": ("high cholesterol", r"(?:high|elevated) cholesterol|hyperlipid[ae]?emia"
        r"|dyslipid[ae]?emia|hypercholesterol[ae]?emia"),
    "diabetes_t2": ("type 2 diabetes", r"type[- ]?(?:2|two|ii) diabet(?:es|ic)|t2dm?|diabetes_t2"
        r"|diabetes type (?:2|two|ii)"),
    "diabetes_t1": ("type 1 diabetes", r"type[- ]?(?:1|one|i) diabet(?:es|ic)|t1dm?|diabetes_t1"
        r"|diabetes type (?:1|one|i)|juvenile diabetes"),
    "prediabetes": ("prediabetes", r"pre[- ]?diabet(?:es|ic)|borderline diabet(?:es|ic)"),
    "obesity": ("obesity", r"obesity"),
    "asthma": ("asthma", r"asthma(?:tic)?"),
    "copd": ("COPD", r"copd|emphysema|chronic bronchitis|chronic obstructive pulmonary disease"),
    "depression": ("depression", r"(?:clinical |major )?depress(?:ion|ed|ive disorder)|major_depression"),
    "anxiety": ("an anxiety disorder", r"(?:generali[sz]ed )?anxiety(?: disorder)?"),
    "bipolar": ("bipolar disorder", r"bipolar(?: disorder)?|manic depression"),
    "adhd": ("ADHD", r"adhd|attention[- ]deficit(?:[ /-]hyperactivity)?(?: disorder)?|\badd\b"),
    "insomnia": ("insomnia", r"insomnia(?:c)?|sleeplessness"),
    "sleep_apnea": ("sleep apnea", r"(?:obstructive )?sleep apno?ea|sleep_apnea"),
    "arthritis": ("arthritis", r"(?:rheumatoid |osteo)?arthritis"),
    "osteoporosis": ("osteoporosis", r"osteoporosis"),
    "gout": ("gout", r"gout"),
    "chronic_pain": ("chronic pain", r"chronic[ _]pain|(?:long[- ]term|persistent|ongoing) pain"),
    "migraine": ("migraines", r"migraines?|severe headaches?"),
    "chd": ("coronary heart disease", r"(?:coronary )?heart disease|coronary artery disease|\bchd\b"
        r"|\bcad\b|angina"),
    "heart_failure": ("heart failure", r"(?:congestive )?heart[ _]failure|\bchf\b"),
    "atrial_fibrillation": ("atrial fibrillation", r"atrial[ _]fibrillation|a-?fib|irregular heartbeat"),
    "stroke": ("had a stroke", r"strokes?"),
    "ckd": ("chronic kidney disease", r"(?:chronic )?kidney disease|\bckd\b"),
    "cancer_history": ("had cancer", r"cancer(?:_history)?|(?:a )?history of cancer|cancer survivor"),
    "hypothyroidism": ("hypothyroidism", r"hypothyroid(?:ism)?|(?:an )?underactive thyroid"),
    "gerd": ("acid reflux", r"gerd|acid[ _]reflux|(?:chronic )?heartburn"
        r"|gastro-?(?:o?esophageal) reflux(?: disease)?"),
    "allergic_rhinitis": ("hay fever", r"allergic[ _]rhinitis|hay fever|seasonal allerg(?:ies|y)"
        r"|nasal allerg(?:ies|y)"),
    "bph": ("an enlarged prostate", r"\bbph\b|enlarged prostate|benign prostatic hyperplasia"),
    "overactive_bladder": ("an overactive bladder", r"overactive[ _]bladder|\boab\b"),
    "epilepsy": ("epilepsy", r"epilep(?:sy|tic)|seizure disorder"),
    "glaucoma": ("glaucoma", r"glaucoma"),
    "psoriasis": ("psoriasis", r"psoria(?:sis|tic)"),
}  # fmt: skip

# slug -> (wording after "I take", pattern)
DRUGS: dict[str, tuple[str, str]] = {
    "ace_inhibitor": ("an ACE inhibitor", r"ace[- ]?inhibitors?|lisinopril|enalapril|benazepril"
        r"|ramipril|zestril|prinivil|vasotec|altace"),
    "alpha_blocker_bph": ("an alpha blocker", r"alpha[- ]?blockers?(?:[ _]bph)?|tamsulosin|flomax"
        r"|doxazosin|terazosin|alfuzosin"),
    "anticoagulant": ("an anticoagulant", r"anti-?coagulants?|warfarin|coumadin|eliquis|apixaban"
        r"|xarelto|rivaroxaban|pradaxa|dabigatran"),
    "antihistamine": ("an antihistamine", r"anti-?histamines?|cetirizine|zyrtec|loratadine|claritin"
        r"|fexofenadine|allegra|benadryl"),
    "antiplatelet": ("an antiplatelet medicine", r"anti-?platelets?|clopidogrel|plavix|brilinta|ticagrelor"),
    "antipsychotic": ("an antipsychotic", r"anti-?psychotics?|quetiapine|seroquel|aripiprazole|abilify"
        r"|risperidone|olanzapine|zyprexa"),
    "arb": ("an ARB", r"\barbs?\b|angiotensin receptor blockers?|losartan|valsartan|olmesartan"
        r"|irbesartan|cozaar|diovan"),
    "benzodiazepine": ("a benzodiazepine", r"benzo(?:diazepine)?s?|alprazolam|xanax|lorazepam|ativan"
        r"|clonazepam|klonopin|diazepam|valium"),
    "beta_blocker": ("a beta blocker", r"beta[- ]?blockers?|metoprolol|atenolol|carvedilol|propranolol"
        r"|lopressor|toprol|tenormin|coreg"),
    "bisphosphonate": ("a bisphosphonate", r"bisphosphonates?|alendronate|fosamax|risedronate"
        r"|ibandronate|boniva"),
    "bronchodilator": ("a bronchodilator", r"bronchodilators?|albuterol|ventolin|proair|salmeterol"
        r"|spiriva|tiotropium|rescue inhalers?"),
    "bupropion": ("bupropion", r"bupropion|wellbutrin|zyban"),
    "calcium_channel_blocker": ("a calcium channel blocker", r"calcium[- ]channel[- ]blockers?"
        r"|amlodipine|norvasc|diltiazem|verapamil|nifedipine"),
    "dpp4_inhibitor": ("a DPP-4 inhibitor", r"dpp-?4(?: inhibitors?)?|sitagliptin|januvia|linagliptin"
        r"|tradjenta|saxagliptin"),
    "gabapentinoid": ("a gabapentinoid", r"gabapentinoids?|gabapentin|neurontin|pregabalin|lyrica"),
    "glp1_agonist": (
        "a GLP-1 medicine",
        r"glp-?1s?(?:[ -](?:receptor )?agonists?|[ -]ras?)?|glp ?1|semaglutide|tirzepatide|liraglutide"
            r"|dulaglutide|exenatide|ozempic|wegovy"
        r"|rybelsus|mounjaro|zepbound|victoza|saxenda|trulicity|byetta|bydureon"
            r"|weight[- ]loss (?:drugs?|injections?|shots?|jabs?|medicines?|medications?)",
    ),
    "h2_blocker": ("an H2 blocker", r"h2[- ]?blockers?|famotidine|pepcid|ranitidine|zantac"),
    "inhaled_corticosteroid": ("an inhaled steroid", r"inhaled (?:cortico)?steroids?|fluticasone"
        r"|flovent|advair|symbicort|budesonide|steroid inhalers?"),
    "insulin": ("insulin", r"insulin(?: (?:glargine|lispro|aspart))?|lantus|humalog|novolog|basaglar"
        r"|tresiba"),
    "leukotriene_modifier": ("a leukotriene modifier", r"leukotriene[- ]modifiers?|montelukast|singulair"),
    "levothyroxine": ("levothyroxine", r"levothyroxine|synthroid|thyroid (?:medicine|medication|pill"
        r"|hormone)s?"),
    "loop_diuretic": ("a loop diuretic", r"loop[- ]diuretics?|furosemide|lasix|bumetanide|torsemide"),
    "metformin": ("metformin", r"metformin|glucophage"),
    "muscle_relaxant": ("a muscle relaxant", r"muscle[- ]relax(?:ant|er)s?|cyclobenzaprine|flexeril"
        r"|methocarbamol|tizanidine|baclofen"),
    "nsaid": ("a prescription NSAID", r"nsaids?|ibuprofen|naproxen|meloxicam|diclofenac|celecoxib|celebrex"),
    "opioid": ("an opioid", r"opioids?|opiates?|hydrocodone|oxycodone|tramadol|morphine|oxycontin"
        r"|percocet|vicodin"),
    "oral_contraceptive": ("the pill", r"oral contraceptives?|birth control(?: pills?)?"
        r"|contraceptive pills?|the pill"),
    "ppi": ("a PPI", r"\bppis?\b|proton[- ]pump[- ]inhibitors?|omeprazole|pantoprazole|esomeprazole"
        r"|prilosec|nexium|protonix|prevacid"),
    "sedative_hypnotic": ("a sleeping pill", r"sedative[- ]hypnotics?|sedatives?|sleeping (?:pill"
        r"|tablet)s?|sleep (?:medication|medicine|aid)s?|ambien|zolpidem|lunesta"),
    "sglt2_inhibitor": ("an SGLT2 inhibitor", r"sglt-?2(?: inhibitors?)?|jardiance|empagliflozin"
        r"|farxiga|dapagliflozin|invokana|canagliflozin"),
    "snri": ("an SNRI", r"snris?|venlafaxine|duloxetine|desvenlafaxine|effexor|cymbalta|pristiq"),
    "ssri": ("an SSRI", r"ssris?|sertraline|fluoxetine|escitalopram|citalopram|paroxetine|zoloft|prozac"
        r"|lexapro|celexa|paxil"),
    "statin": ("a statin", r"statins?|atorvastatin|rosuvastatin|simvastatin|pravastatin|lipitor"
        r"|crestor|zocor"),
    "stimulant": ("a stimulant", r"stimulants?|adderall|ritalin|vyvanse|methylphenidate|concerta"),
    "sulfonylurea": ("a sulfonylurea", r"sulfonylureas?|glipizide|glyburide|glimepiride"),
    "systemic_corticosteroid": ("a steroid medicine", r"(?:systemic )?corticosteroids?"
        r"|steroid (?:medicines?|medications?|pills?|tablets?)|prednisone"
        r"|prednisolone|dexamethasone|oral steroids?"),
    "thiazide_diuretic": ("a thiazide", r"thiazides?(?:[ -]diuretics?)?|hydrochlorothiazide|hctz"
        r"|chlorthalidone"),
    "tricyclic_antidepressant": ("a tricyclic", r"tricyclics?(?: antidepressants?)?|amitriptyline"
        r"|nortriptyline"),
    "triptan": ("a triptan", r"triptans?|sumatriptan|imitrex|rizatriptan|maxalt"),
    "xanthine_oxidase_inhibitor": ("allopurinol", r"xanthine[- ]oxidase[- ]inhibitors?|allopurinol"
        r"|zyloprim|febuxostat"),
}  # fmt: skip

_MEDICINE = r"(?:medicines?|medications?|meds|drugs?|pills?|tablets?|treatments?|prescriptions?)"
# (pattern, classes that it may mean)
DRUG_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        rf"(?:blood[- ]pressure|hypertension|anti-?hypertensive) ?{_MEDICINE}|anti-?hypertensives?",
        (
            "ace_inhibitor",
            "arb",
            "beta_blocker",
            "calcium_channel_blocker",
            "thiazide_diuretic",
            "loop_diuretic",
        ),
    ),
    (rf"cholesterol(?:[- ]lowering)? {_MEDICINE}", ("statin",)),
    (
        rf"anti-?depressants?|depression {_MEDICINE}",
        ("ssri", "snri", "tricyclic_antidepressant", "bupropion"),
    ),
    (
        rf"(?:diabetes|blood[- ]sugar|diabetic) {_MEDICINE}",
        ("metformin", "glp1_agonist", "sglt2_inhibitor", "dpp4_inhibitor", "sulfonylurea", "insulin"),
    ),
    (r"blood[- ]thinners?", ("anticoagulant", "antiplatelet")),
    (r"diuretics?|water pills?", ("loop_diuretic", "thiazide_diuretic")),
    (r"(?:acid[- ]reflux|heartburn) (?:medicine|medication|pill|drug)s?", ("ppi", "h2_blocker")),
    (r"(?:prescription )?pain ?killers?|pain (?:medication|medicine|pill)s?", ("opioid", "nsaid")),
    (r"inhalers?|asthma (?:medicine|medication)s?", ("bronchodilator", "inhaled_corticosteroid")),
)


def slugs_in(option: str, words: dict[str, tuple[str, str]]) -> tuple[str, ...]:
    """Return the slugs named by an option, in the order of the lexicon.

    Examples
    --------
    >>> slugs_in("Type 2 diabetes", CONDITIONS), slugs_in("Ozempic", DRUGS)
    (('diabetes_t2',), ('glp1_agonist',))
    """
    text = option.lower()
    exact = text.replace(" ", "_")
    if exact in words:
        return (exact,)
    if (
        words is CONDITIONS
        and re.search(r"\bdiabetes\b", text)
        and not re.search(r"pre|border|type|\bt[12]", text)
    ):
        return ("diabetes_t2", "diabetes_t1")
    named = tuple(
        slug for slug, (_, pattern) in words.items() if re.search(rf"(?<!\w)(?:{pattern})(?!\w)", text)
    )
    if named or words is not DRUGS:
        return named
    return next((slugs for pattern, slugs in DRUG_GROUPS if re.search(rf"\b(?:{pattern})\b", text)), ())
