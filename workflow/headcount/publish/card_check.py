"""A card or a release's metadata that somebody else made: whether it is what it says."""

from pathlib import Path

from headcount.debate.release_files import check_files
from headcount.debate.release_metadata import METADATA
from headcount.publish.reuse_card import read_card


def check_card(path: Path) -> str:
    """A sentence about a file that is right.

    Args:
        path: a reuse card, or a `release.json` with its release beside it.

    Raises:
        UserError: naming each field that is wrong, its value, and what is allowed.
    """
    if path.name == METADATA:
        said = check_files(path)
        return f"{path}: a release of run {said.run}, tier {said.tier}; all {len(said.files)} files are as it says."
    card = read_card(path)
    outcomes, marked = card.debate_outcome_accounting, " SIMULATED" if card.simulated else ""
    judged = f", judged at R{card.conventions.endpoint_round}" if card.conventions.endpoint_round else ""
    return (
        f"{path}: a valid reuse card of{marked} {card.identity.model_name} on {card.question_pool.benchmark}: "
        f"{outcomes.n_debates:,} debates{judged}; {card.selection_time_fingerprint.n_probe_rows:,} probed rows."
    )
