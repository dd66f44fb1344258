"""Programs as answers, from running them to the law: both axes of HumanEval on a team small enough to count by hand."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from random_answers import fitted, teams

from headcount.answers.code_axes import canonical_code, pass_vector, split_assertions
from headcount.axes import code_task
from headcount.laws.estimate import fit_ringelmann
from headcount.laws.settings import FitSettings

SECONDS = 5  # more than any program here needs, but the one that never ends
SIZES = (1, 2, 3, 6)

CHECKS = {
    "add": """
def check(candidate):
    assert candidate(1, 2) == 3
    assert candidate(-1, 1) == 0
    assert candidate(0, 0) == 0
""",
    "fact": """
METADATA = {'author': 'nobody'}

def check(candidate):
    assert candidate(0) == 1
    assert candidate(1) == 1, "one"
    assert candidate(5) == 120
""",
    "evens": """
def check(candidate):
    numbers = list(range(6))
    assert candidate(numbers) == [0, 2, 4]
    for n in range(4):
        assert len(candidate(range(2 * n))) == n
""",
}
PROGRAMS = {
    "add": [
        "def add(a, b):\n    return a + b",
        'def add(a, b):\n    """The sum."""\n    return (a+b)  # as asked',
        "def add(a, b):\n    result = a + b\n    return result",
        "def add(a, b):\n    return a - b",
        "def add(a, b):\n    return abs(a) + abs(b)",
        "def add(a, b)\n    return a + b",
    ],
    "fact": [
        "def fact(n):\n    return n * fact(n - 1)",
        "def fact(n):\n    while n > 1:\n        pass\n    return 1",
        "def fact(n):\n    r = 1\n    for i in range(n):\n        r *= i + 1\n    return r",
        "def fact(n):\n    r = 1\n    for i in range( n ) :\n        r *= (i + 1)\n    return r",
        "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)",
        "import math\ndef fact(n):\n    return math.factorial(n)",
    ],
    "evens": ["def evens(xs):\n    return [x for x in xs if x % 2 == 0]"] * 6,
}
# By hand: what each agent's program passes.
VECTORS = {
    "add": ["111", "111", "111", "001", "101", None],
    "fact": ["000", "110", "111", "111", "111", "111"],
    "evens": ["11"] * 6,
}
# By hand: N_eff = n / prod n_v^(n_v / n) of the counts n_v, averaged over the three problems.
BY_HAND = {
    "humaneval": {
        1: 1.0,
        2: (1 + 2 + 1) / 3,  # counts 2; 1 1; 2
        3: (1 + 3 + 1) / 3,  # counts 3; 1 1 1; 3
        6: (5 / 3**0.6 + 6 / 4 ** (2 / 3) + 1) / 3,  # counts 3 1 1 (one has none); 4 1 1; 6
    },
    "humaneval.code": {
        1: 1.0,
        2: (1 + 2 + 1) / 3,
        3: (3 / 2 ** (2 / 3) + 3 + 1) / 3,  # counts 2 1; 1 1 1; 3
        6: (5 / 2**0.4 + 6 / 2 ** (1 / 3) + 1) / 3,  # counts 2 1 1 1; 2 1 1 1 1; 6
    },
}


def run(program: str, piece: str, entry: str) -> bool | None:
    """Whether a program passes a piece of a check, in a process of its own; None if it is no program."""
    try:
        compile(program, "program", "exec")
    except SyntaxError:
        return None
    command = [sys.executable, "-I", "-S", "-c", f"{program}\n{piece}\ncheck({entry})"]
    try:
        return subprocess.run(command, capture_output=True, timeout=SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@pytest.fixture(scope="module")
def vectors() -> dict[str, list[str | None]]:
    pieces = {entry: split_assertions(check) for entry, check in CHECKS.items()}
    jobs = [(program, piece, entry) for entry in CHECKS for program in PROGRAMS[entry] for piece in pieces[entry]]
    with ThreadPoolExecutor(4) as pool:
        passed = iter(list(pool.map(lambda job: run(*job), jobs)))
    return {entry: [pass_vector([next(passed) for _ in pieces[entry]]) for _ in PROGRAMS[entry]] for entry in CHECKS}


@pytest.fixture(scope="module")
def answers(vectors) -> pd.DataFrame:
    """Answers on both axes. A program is right if it passes everything, however it is written."""
    codes = {entry: [canonical_code(program) for program in programs] for entry, programs in PROGRAMS.items()}
    keys = [(entry, n) for entry in CHECKS for n in SIZES]
    results = teams({(e, n): vectors[e][:n] for e, n in keys}, {e: "1" * len(VECTORS[e][0]) for e in CHECKS})
    written = teams({(e, n): codes[e][:n] for e, n in keys}, dict.fromkeys(CHECKS, ""))
    written["correct"] = results["correct"].to_numpy()
    both = {"humaneval": results, code_task("humaneval"): written}
    return pd.concat(frame.assign(task=task) for task, frame in both.items())


def test_programs_pass_what_they_should(vectors):
    assert vectors == VECTORS


@pytest.mark.parametrize("task", BY_HAND)
def test_both_axes_are_measured_and_fitted_as_any_answer(answers, task):
    fits, curves = fitted(answers, FitSettings(n_boot=20))
    rows = curves[(curves["task"] == task) & (curves["level"] == "answer")].set_index("n")
    assert rows["n_eff"].to_dict() == pytest.approx(BY_HAND[task])
    r = np.array([BY_HAND[task][n] / n for n in SIZES])
    by_hand = fit_ringelmann(np.array(SIZES), r)
    fit = fits[(fits["task"] == task) & (fits["level"] == "answer") & (fits["law"] == "ringelmann")].iloc[0]
    assert (fit["c"], fit["beta"]) == pytest.approx((by_hand.params["c"], by_hand.params["beta"]), abs=1e-6)
    assert fit["share_missing"] == pytest.approx(1 / 33)  # one program of the 3 x (2 + 3 + 6) does not parse


def test_pairs_of_programs(answers):
    """Of the pairs of six: 3 of 10, 6 of 15 and 15 of 15 do the same; 1, 1 and 15 are written the same."""
    _, curves = fitted(answers, FitSettings(n_boot=0))
    rows = curves[(curves["level"] == "pooled_agreement") & (curves["n"] == 6)].set_index("task")["n_eff"]
    assert rows["humaneval"] == pytest.approx(6 / (1 + 5 * 24 / 40))
    assert rows["humaneval.code"] == pytest.approx(6 / (1 + 5 * 17 / 40))
