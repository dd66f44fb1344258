"""What docs/simulator.md claims."""

from computed import held
from pages import Document

from headcount.config import Population

SIMULATOR = Document("docs/simulator.md")

SIMULATOR.says("`crowding` below {}", lambda: [Population().crowding])


@SIMULATOR.says("from one example a shape (within {} % in tests)")
def tokens_of_prompts():
    (bound,) = held("tests/populations/test_two_paths.py", r'\["prompt_tokens"\].*rel=([\d.]+)\)')
    return [100 * bound]


SIMULATOR.leaves(r"^\d\. |\bA[123]\b|theorem 1", "what is counted")
SIMULATOR.leaves(
    r"ρ \+ \(1 − ρ\) Σ q²|spread \+ ρ \(1 − spread\)|1 − \(1 − α\)|ρ\(τ\) = 1 − \(1 − ρ0\)\(1 − α₁\)", "formulae"
)
SIMULATOR.leaves(r"^    population: .*$", "an example")
