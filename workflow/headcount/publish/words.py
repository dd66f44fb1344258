"""The names that readers see, in the order they see them in. Machine names stay in every CSV."""

CONDITIONS = {
    "self_consistency": "self-consistency",
    "debate": "debate",
    "self_correction": "self-correction",
    "noise": "noise",
}
REGIMES = {
    "hard_ceiling": "hard ceiling",
    "sublinear": "sublinear",
    "linear": "linear",
    "undetermined": "undetermined",
}
QUESTIONS = {  # what a reader comes with; the report's groups, in this order
    "size": "1 Does team size pay?",
    "talk": "2 Does talk help?",
    "ledger": "3 What does talk repair, and what does it destroy?",
    "pilot": "4 Can a pilot predict?",
    "mix": "5 Does it matter who is on the team?",
    "cost": "6 What does it cost?",
    "scope": "7 What was run?",
}
PUBLISHED = "resources/published"  # the folder of the paper's numbers, from the root of a checkout
EMPTY = "–"
SIMULATED = "SIMULATED"
NO_ROWS = "No cell of this run belongs here."
LEVELS = {
    "answer": "answers",
    "agreement": "agreement, mean of items",
    "pooled_agreement": "agreement, pooled",
    "correctness": "correctness",
}
SUBSETS = {  # whose numbers stand for teams of n
    "first": "first n agents",
    "adjusted": "first n agents, adjusted by round 1",
    "all": "all teams of n",
}
NULLS = {  # what a cell is judged against (`laws.nulls`)
    "A": "A: first answers",
    "B": "B: second thoughts alone",
    "C": "C: a team that it never met",
}
LAWS = {
    "ringelmann": "Ringelmann",
    "ringelmann_free": "Ringelmann, β unbounded",
    "kish": "Kish, constant ρ",
    "power": "power law",
    "power_on_r": "power law, fitted to N_eff/N",
    "logistic": "logistic",
    "logistic_on_r": "logistic, fitted to N_eff/N",
    "latane": "Latané",
    "latane_slope": "Latané, free amplitude",
}
RULES = {  # how one answer is made of many; `measures.aggregators`, then `measures.crowd`
    "plurality": "plurality",
    "confidence_weighted": "votes weighted by stated confidence",
    "probability_weighted": "votes weighted by probability",
    "filtered": "least probable quarter dropped",
    "top_probability": "most probable vote alone",
    "block_weighted": "each family weighs 1",
    "family_vote": "one vote a family",
    "majority_vote": "majority, first label wins ties",
    "dawid_skene": "Dawid–Skene",
    "one_coin_dawid_skene": "Dawid–Skene, one coin",
    "wawa": "Wawa",
    "zero_based_skill": "zero-based skill",
    "mmsr": "MMSR",
    "best_member": "best single model",
}
PAIR_QUANTITIES = {  # what is counted, and on which items (`measures.model_pairs`)
    "equal_wrong_given_both_wrong": "same wrong answer, on items that both got wrong",
    "equal_wrong_chance": "the same by chance (wrong at random), on items that both got wrong",
    "agreement": "same answer, on items that both answered",
    "agreement_chance": "the same by chance (right independently, wrong at random), on items that both answered",
    "equal_wrong": "same wrong answer, on items that both answered",
    "both_wrong": "both wrong, on items that both answered",
    "both_wrong_chance": "the same by chance (wrong independently), on items that both answered",
    "correctness_correlation": "correlation φ of being right, over items that both answered",
    "capa": "agreement beyond chance (CAPA κ), over items that both answered",
}
RELATIONS = {
    "within": "within a family",
    "across": "across families",
    "all": "all pairs",
    "within_minus_across": "within − across",
}
AVERAGINGS = {
    "pairs": "mean of the pairs' ratios",
    "events": "ratio of sums over pairs",
}
