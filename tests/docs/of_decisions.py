"""What docs/decisions.md claims: constants of the code, counts of released files, what tests hold."""

import pandas as pd
from computed import ROOT, held, locked, panel_config, study
from pages import Document

from headcount.config_sections import Planning
from headcount.debate.journal import COMMIT_SECONDS
from headcount.extraction.numeral import MAX_DIGITS
from headcount.items import mmlu
from headcount.laws.audit import PILOT
from headcount.laws.compared import COMPARED
from headcount.laws.estimate import LAWS
from headcount.laws.fit import REGIME_BORDER
from headcount.laws.item_split import SPLITS
from headcount.ledger.localised import FEW
from headcount.ledger.permutations import EXACT_UP_TO
from headcount.ledger.stump import MODELS, ROWS
from headcount.measures.intervals import Jackknife
from headcount.measures.subsets_grid import LARGEST

DECISIONS = Document("docs/decisions.md")
FREE = LAWS["ringelmann_free"][0]

# Sources, extraction

DECISIONS.says("since the paper counts {}", lambda: [mmlu.COUNT])
DECISIONS.says("are at most {} s apart", lambda: [COMMIT_SECONDS])
DECISIONS.says("every {} s is the smallest loss to be had", lambda: [COMMIT_SECONDS])
DECISIONS.says("over {} digits is missing", lambda: [MAX_DIGITS])


@DECISIONS.says("its {} published rows")
def college_physics():
    return held("tests/items/test_pinned_sources.py", r'"college_physics": (\d+)')


@DECISIONS.says("with replies that name one option, where it is {} % at least. All {} differences")
def differences():
    (least,) = held("tests/extraction/test_real_outputs.py", r"agree / len\(clear\) >= ([\d.]+)")
    listed = (ROOT / "tests/cases/extraction_disagreements.jsonl").read_text(encoding="utf-8")
    return [100 * least, listed.count('"file": "mmlu_pro"')]


# Measures and laws

DECISIONS.says("(beta down to {}) stands beside each fit", lambda: [FREE])
DECISIONS.says("had exactly within {} terms is null", lambda: [LARGEST])
DECISIONS.says("is those of {{}, {}, {}} that were run", lambda: PILOT)
DECISIONS.says("on {} random profiles a law", lambda: held("tests/laws/test_against_curve_fit.py", r"ALL = \d+, (\d+)"))


# Trust

DECISIONS.says(
    "lies on one side of {}. The paper's: entropy, beta in [{}, {}],", lambda: [REGIME_BORDER, *LAWS["ringelmann"]]
)


@DECISIONS.says("of agents who nearly all agree, N_eff({}) was covered in {}.")
def nearly_all_agree():
    rows = study("coverage").query("population == 'easy_c95_b0' and items == 24 and offer == 'jackknife_t_plain'")
    return [2, float(rows[rows["parameter"] == "n_eff_2"]["coverage"].min())]


@DECISIONS.says("s is the {} % quantile of simulated populations over {}")
def quantile():
    from scipy.special import ndtri

    from headcount.laws.pilot_error import _COVERED

    return [100 * _COVERED, float(ndtri(0.5 + _COVERED / 2))]


DECISIONS.says("within budget**, {} times one first answer's cost", lambda: [Planning().budget_answers])
DECISIONS.says("**beta is free down to {}**", lambda: [FREE])


@DECISIONS.says("who conform in large teams only have a beta near {},")
def conformers():
    rows = study("coverage").query(
        "population == 'free_conforming' and parameter == 'beta' and level == 'pooled_agreement'"
    )
    return [float(rows["truth"].mean())]


DECISIONS.says("S is told from at most {} groups", lambda: [Jackknife().groups])
DECISIONS.says("is among all {} laws", lambda: [len(COMPARED)])
DECISIONS.says("medians** over {} halves", lambda: [2 * SPLITS])

# The panel


@DECISIONS.says("where a reply had none: {} letters that look like agreement")
def made_up_letters():
    """Letters that only the publishers read, of the models that resources/panel/README.md names for it."""
    read = [
        pd.read_parquet(ROOT / f"resources/panel/answers/panel/{task}.parquet", columns=["item", "model", "answer"])
        for task in ("mmlu_pro", "mmlu_pro_published")
    ]
    both = read[0].merge(read[1], on=["item", "model"], suffixes=("", "_published"))
    guessing = both["model"].astype(str).str.contains(r"llama-3\.1|mathstral|flash")
    return [int((both["answer"].isna() & both["answer_published"].notna() & guessing).sum())]


DECISIONS.says("**Families are {}**", lambda: [len({model.family for model in panel_config().models.values()})])


@DECISIONS.says("that fail under scikit-learn {};")
def scikit_learn():
    return [locked("scikit-learn")]


# The ledger

DECISIONS.says("of {} models with {} debates at least", lambda: [MODELS, ROWS])
DECISIONS.says("under the curve below {} collapses", lambda: [FEW])
DECISIONS.says("every arrangement counted up to {} of them", lambda: [EXACT_UP_TO])
DECISIONS.says("scales the two weights to a mean of {}**", lambda: [1])

# No claims

DECISIONS.leaves(
    r"[Rr]ounds?[ -][137]\b|\bat 0 tokens|0 in self-correction|agent 1\b|replicate 2\b|k = 0\b",
    "how things are counted",
)
DECISIONS.leaves(r"N = 1\b|being 1 by definition|net is 0 by construction", "by definition")
DECISIONS.leaves(r"has 11 exact repetitions", "counted once in the pinned wheel, which tests do not have at hand")
DECISIONS.leaves(r'"Calculate 5 \+ 91.*?"|"007"|"1\.5 million" is\s+1\.5', "examples")
DECISIONS.leaves(
    r"min\(2, n\)|-1/\(N - 1\)|order of 1/items|\\?min\(1, 2 \(1 \+ .* \(B \+ 1\)\)|T²|Q \+ 2k", "formulae"
)
DECISIONS.leaves(
    r"N_eff\(30\)|team of 30\b|-1: agents|bound at -1|bound at 0\b|denominator above 0|At 24 items",
    "names of quantities and settings",
)
DECISIONS.leaves(r"gets an ICC of 1\.3", "an example, of a formula that is not used")
DECISIONS.leaves(r"R2\b|\bR3\b|Table 13|float32|SHA-256|Qwen3", "names")
DECISIONS.leaves(r"\*\*39 questions changed\*\*", "counted as the release was made (resources/panel/README.md)")
DECISIONS.leaves(r"Journals of version 1", "a version")
DECISIONS.leaves(r"queue 3 x 2 times", "three models, two revisions")
DECISIONS.leaves(r"\(500, 502, 504\)", "codes of HTTP")
DECISIONS.leaves(r"\.05 to \.10 in 1,500 simulated cohorts", "seen once, 2026-11")
DECISIONS.leaves(r"to three of 200\b", "the paper's cohorts")
