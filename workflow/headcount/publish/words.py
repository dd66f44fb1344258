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
EMPTY = "–"
SIMULATED = "SIMULATED"
