"""What to mind when reading a statistic across models."""

FLAGS = {
    "too_few": "Too few rows: a correlation, or one with so much held fixed, needs a degree of freedom at least.",
    "nothing_left": "A column is the same in all rows, or what is held fixed explains all of it.",
    "out_of_reach": "So few rows that no arrangement could have a two-sided p below .05.",
    "sampled": "Too many rows to try all arrangements: p is from random ones, and the observed one.",
    "not_conditional": (
        "Holding others fixed, p is no exact conditional test: at seven families it erred in .05 to .10 of simulated "
        "cohorts at the level .05."
    ),
    "related_rows": "Models of one family are not independent: p is too small.",
    "without_value": "Models without a value are left out.",
    "other_questions": (
        "Of a model fewer than half of the probed questions were debated: screen and collapse are of other questions."
    ),
}
