"""What the flags beside a plan mean."""

PILOT_FLAGS = {
    "one_item": "There is one item, so nothing is known about uncertainty: no interval.",
    "few_items": "Fewer than 30 items: what they leave unsure is itself hardly known.",
    "two_sizes": "Two pilot sizes: the law passes through both, and nothing checks it.",
    "untried_pilot": "No past predictions from these pilot sizes are known; those of the worst other pilot stand in.",
    "kept_in_range": (
        "The law leaves what a team can be, 1 to N effective agents, at sizes up to the target; predictions are kept "
        "within it."
    ),
    "wrong_answers_scatter": (
        "Agents who are wrong seldom agree, as on free-form questions: plurality wins with fewer than half the votes. "
        "So the normal approximation says too little, and falls with N where accuracy rises."
    ),
    "projection_misses_pilot": (
        "The normal approximation lies outside the interval of what was seen at the largest pilot size: do not use it."
    ),
    "law_dominates": "Most of the interval at the target is the law's own error, which more items would not shrink.",
    "no_tokens": "Answers came without token counts, so nothing is said about cost.",
}
