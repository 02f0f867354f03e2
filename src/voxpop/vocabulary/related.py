"""Words that are not values but suggest some: brand names of medicines and parts of industries.

They are used for suggestions only; a filter with such a word still matches no agents.
"""

from __future__ import annotations

from collections.abc import Mapping

BRANDS: Mapping[str, str] = {
    **{"Zestril": "lisinopril", "Prinivil": "lisinopril", "Vasotec": "enalapril", "Lotensin": "benazepril"},
    **{"Altace": "ramipril", "Flomax": "tamsulosin", "Uroxatral": "alfuzosin", "Coumadin": "warfarin"},
    **{"Jantoven": "warfarin", "Eliquis": "apixaban", "Xarelto": "rivaroxaban", "Plavix": "clopidogrel"},
    **{"Cozaar": "losartan", "Diovan": "valsartan", "Benicar": "olmesartan", "Avapro": "irbesartan"},
    **{"Xanax": "alprazolam", "Ativan": "lorazepam", "Klonopin": "clonazepam", "Valium": "diazepam"},
    **{"Lopressor": "metoprolol", "Toprol-XL": "metoprolol", "Tenormin": "atenolol", "Coreg": "carvedilol"},
    **{"Inderal": "propranolol", "Fosamax": "alendronate", "Proventil": "albuterol", "Ventolin": "albuterol"},
    **{"ProAir": "albuterol", "Norvasc": "amlodipine", "Cardizem": "diltiazem", "Neurontin": "gabapentin"},
    **{"Lyrica": "pregabalin", "Pepcid": "famotidine", "Lantus": "insulin glargine"},
    **{"Basaglar": "insulin glargine", "Toujeo": "insulin glargine", "Humalog": "insulin lispro"},
    **{"NovoLog": "insulin aspart", "Singulair": "montelukast", "Levoxyl": "levothyroxine"},
    **{"Unithroid": "levothyroxine", "Lasix": "furosemide", "Glucophage": "metformin"},
    **{"Flexeril": "cyclobenzaprine", "Advil": "ibuprofen", "Motrin": "ibuprofen", "Aleve": "naproxen"},
    **{"Naprosyn": "naproxen", "Mobic": "meloxicam", "Vicodin": "hydrocodone", "Norco": "hydrocodone"},
    **{"OxyContin": "oxycodone", "Percocet": "oxycodone", "Ultram": "tramadol", "MS Contin": "morphine"},
    **{"Prilosec": "omeprazole", "Protonix": "pantoprazole", "Nexium": "esomeprazole", "Ambien": "zolpidem"},
    **{"Farxiga": "dapagliflozin", "Effexor": "venlafaxine", "Cymbalta": "duloxetine"},
    **{"Pristiq": "desvenlafaxine", "Zoloft": "sertraline", "Prozac": "fluoxetine"},
    **{"Lexapro": "escitalopram", "Celexa": "citalopram", "Paxil": "paroxetine", "Lipitor": "atorvastatin"},
    **{"Crestor": "rosuvastatin", "Zocor": "simvastatin", "Pravachol": "pravastatin"},
    **{"Ritalin": "methylphenidate", "Concerta": "methylphenidate", "Glucotrol": "glipizide"},
    **{"Amaryl": "glimepiride", "Diabeta": "glyburide", "Deltasone": "prednisone"},
    **{"Microzide": "hydrochlorothiazide", "Elavil": "amitriptyline", "Pamelor": "nortriptyline"},
    **{"Imitrex": "sumatriptan", "Maxalt": "rizatriptan", "Zyloprim": "allopurinol"},
}
"""US trade name -> active ingredient, from the FDA's Orange Book (insulins: the Purple Book).

:data:`~voxpop.vocabulary.synonyms.DRUG_CLASSES` has the class of each ingredient.
"""

_INFORMATION = "Information"
_PROFESSIONAL = "Professional, Scientific, and Technical Services"
_HOSPITALITY = "Accommodation and Food Services"
_HEALTH = "Health Care and Social Assistance"
_EDUCATION = "Educational Services"
_ARTS = "Arts, Entertainment, and Recreation"
_TRANSPORT = "Transportation and Warehousing"
_ADMINISTRATIVE = "Administrative and Support and Waste Management and Remediation Services"
_FARMING = "Agriculture, Forestry, Fishing and Hunting"

INDUSTRY_WORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("tech", "technology", "it", "information technology"), (_INFORMATION, _PROFESSIONAL)),
    **dict.fromkeys(("software", "computers", "computer", "internet"), (_INFORMATION, _PROFESSIONAL)),
    **dict.fromkeys(
        ("media", "publishing", "telecom", "telecommunications", "broadcasting"), (_INFORMATION,)
    ),
    **dict.fromkeys(("film", "movies", "music"), (_INFORMATION, _ARTS)),
    **dict.fromkeys(("law", "legal", "accounting", "consulting", "engineering"), (_PROFESSIONAL,)),
    **dict.fromkeys(("advertising", "marketing", "research", "architecture"), (_PROFESSIONAL,)),
    **dict.fromkeys(("banking", "banks", "financial services"), ("Finance and Insurance",)),
    **dict.fromkeys(("property", "realty"), ("Real Estate and Rental and Leasing",)),
    **dict.fromkeys(("healthcare", "hospitals", "hospital", "medical", "medicine", "nursing"), (_HEALTH,)),
    **dict.fromkeys(("social work", "child care", "childcare"), (_HEALTH,)),
    **dict.fromkeys(("education", "school", "schools", "teaching", "university"), (_EDUCATION,)),
    **dict.fromkeys(("universities", "higher education"), (_EDUCATION,)),
    **dict.fromkeys(("hospitality", "restaurants", "restaurant", "hotels", "hotel"), (_HOSPITALITY,)),
    **dict.fromkeys(("catering", "tourism", "food service"), (_HOSPITALITY,)),
    **dict.fromkeys(("sports", "sport", "gyms", "casinos"), (_ARTS,)),
    **dict.fromkeys(("government", "public sector", "military", "police"), ("Public Administration",)),
    **dict.fromkeys(("logistics", "shipping", "trucking", "airlines", "transport"), (_TRANSPORT,)),
    **dict.fromkeys(("stores", "shops", "e-commerce", "ecommerce"), ("Retail Trade",)),
    **dict.fromkeys(("energy", "electricity", "water"), ("Utilities",)),
    "oil": ("Mining, Quarrying, and Oil and Gas Extraction",),
    **dict.fromkeys(("building", "homebuilding"), ("Construction",)),
    **dict.fromkeys(("factories", "factory", "pharma", "pharmaceuticals"), ("Manufacturing",)),
    **dict.fromkeys(("automotive", "chemicals", "electronics"), ("Manufacturing",)),
    **dict.fromkeys(("farming", "farms", "forestry"), (_FARMING,)),
    **dict.fromkeys(("security", "cleaning", "staffing", "landscaping"), (_ADMINISTRATIVE,)),
    **dict.fromkeys(
        ("repair", "churches", "hairdressing"), ("Other Services (except Public Administration)",)
    ),
}
"""Word -> sectors that include it, by the definitions of NAICS 2022 (US Census Bureau)."""
