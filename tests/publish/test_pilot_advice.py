"""The advice in short: the cheapest plan that is not shown to be less accurate than the best."""

import pandas as pd
import pytest

from headcount.publish.pilot_cells import in_short

SIZES = (2, 3, 4, 5)


def of(condition, stop, accuracy, tokens, width=0.05):
    """A plan, and what it says of each size: the same accuracy everywhere, tokens by the agent."""
    sizes = [
        {
            **{"condition": condition, "n": n, "accuracy": accuracy},
            **{"accuracy_low": accuracy - width, "accuracy_high": accuracy + width},
            **{"prompt_tokens": 0.75 * tokens * n, "completion_tokens": 0.25 * tokens * n},
        }
        for n in SIZES
    ]
    return {"condition": condition, "stop": stop}, sizes


def said(*plans):
    return in_short(pd.DataFrame([plan for plan, _ in plans]), pd.DataFrame([row for _, rows in plans for row in rows]))


def test_a_better_plan_is_worth_its_price_only_if_it_is_shown_to_be_better():
    cheap, dear = of("self_consistency", 4, 0.60, 100), of("debate", 3, 0.64, 900)
    assert said(cheap, dear) == (
        "Let 4 agents answer once, and count votes: about 60 [55, 65] % right for 400 tokens an item. "
        "Nothing dearer within the budget is predicted to be clearly better."
    )
    assert said(cheap, of("debate", 3, 0.66, 900)).startswith(
        "Let 3 agents debate: about 66 [61, 71] % right for 2,700 "
    )


@pytest.mark.parametrize(
    ("plan", "start"),
    [
        (of("self_correction", 5, 0.5, 10), "Let 5 agents think again alone, and count votes: about 50 [45, 55] %"),
        (of("debate", 1, 0.5, 10), "Ask one agent once: no team here is worth its budget."),
        (of("self_correction", 1, 0.5, 10), "Let one agent think again: no team"),
        (of("noise", 5, 0.9, 10), ""),
        (of("debate", None, 0.9, 10), ""),
        (of("debate", 5, 0.9, float("nan")), ""),
    ],
)
def test_what_is_done_is_named(plan, start):
    found = said(plan)
    assert found.startswith(start)
    assert bool(found) == bool(start)


def test_without_intervals_the_best_is_the_best():
    nothing = float("nan")
    found = said(of("self_consistency", 4, 0.60, 100, nothing), of("debate", 3, 0.61, 900, nothing))
    assert found.startswith("Let 3 agents debate: about 61 % right")
