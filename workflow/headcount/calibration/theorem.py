"""How far the k tau theorem is from the exact agreement, under its assumptions and outside them.

The theorem (arXiv 2606.02646, theorem 1) says 1 - rho(tau) = (1 - rho0) (1 - alpha_1)^(k tau). Here is the same process
with nothing left out: a team of N, m of whom hold the mode. Each other agent hears k of its N - 1 peers and adopts the
mode unless all of those who hold it fail, each with probability 1 - alpha_1; so m is a Markov chain and its
distribution is known exactly. Beside the theorem's assumptions stand three ways out of them: small disagreement (how
many are off the mode at first), peers drawn without replacement, and modes that leak (agents who leave them).
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import binom, hypergeom

from headcount.laws.mean_field import conformity, mean_field, nonmodal_mass
from headcount.measures.arrays import FloatArray

LARGE = 0  # the size that stands for teams so large that shares no longer vary


@dataclass(frozen=True)
class Talk:
    """A process of talk.

    Attributes:
        off_mode: probability that an agent is off the mode at first.
        agreement_off: how often two who are off the mode agree: 1 with two answers, 1/3 with four, 0 if all differ.
        alpha_1: probability to adopt the mode from one peer who holds it.
        k, tau: peers heard, and updates.
        n: agents; `LARGE` for the limit of large teams.
        replacement: whether peers are drawn with replacement.
        leak: probability of a modal agent to leave the mode in an update.
    """

    off_mode: float
    agreement_off: float
    alpha_1: float
    k: int
    tau: int
    n: int = LARGE
    replacement: bool = True
    leak: float = 0.0

    def agreement(self, off: FloatArray) -> FloatArray:
        """Agreement of two agents if each is off the mode with probability `off`."""
        return np.asarray((1.0 - off) ** 2 + off**2 * self.agreement_off)


def part(_name: str, _data_sets: int, _rng: np.random.Generator, _say: Callable[[str], None]) -> pd.DataFrame:
    """The whole study: it is exact, and takes a second."""
    return theorem_rows()


def exact(talk: Talk) -> float:
    """Expected pair agreement after all updates."""
    return _in_large_teams(talk) if talk.n == LARGE else _in_a_team(talk)


def formula(talk: Talk) -> float:
    """What the theorem says: `laws.mean_field.mean_field` at alpha = 1 - (1 - alpha_1)^k."""
    before = float(talk.agreement(np.array(talk.off_mode)))
    return float(mean_field(before, conformity(talk.alpha_1, talk.k), talk.tau))


def theorem_rows() -> pd.DataFrame:
    """Exact and predicted agreement over a grid at k tau = 8, one row a process.

    Returns:
        a row a process: what it leaves of the theorem's assumptions (`breaks`), the fields of `Talk`, `rho_0`, `exact`,
        `formula` and `error`, formula less exact.
    """
    return pd.DataFrame([_row(breaks, talk) for breaks, talk in _grid()])


def _row(breaks: str, talk: Talk) -> dict[str, object]:
    known, said = exact(talk), formula(talk)
    before = float(talk.agreement(np.array(talk.off_mode)))
    return {"breaks": breaks, **asdict(talk), "rho_0": before, "exact": known, "formula": said, "error": said - known}


def _grid() -> Iterator[tuple[str, Talk]]:
    """The assumptions alone, then one of them broken at a time."""
    for off, apart, (k, tau) in product(
        (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4), (1.0, 1 / 3, 0.0), ((1, 8), (2, 4), (4, 2), (8, 1))
    ):
        kept = Talk(off, apart, 0.1, k, tau)
        yield "nothing", kept
        if apart == 1.0:
            for n, replacement in product((10, 30), (True, False)):
                yield "small team" if replacement else "no replacement", replace(kept, n=n, replacement=replacement)
            for leak in (0.01, 0.02, 0.05, 0.1):
                yield "leak", replace(kept, leak=leak)


def _in_large_teams(talk: Talk) -> float:
    """eq. 10, with those who leave the mode: e' = e (1 - alpha_1 + alpha_1 e)^k + leak (1 - e)."""
    off = np.array(talk.off_mode)
    for _ in range(talk.tau):
        off = nonmodal_mass(off, talk.alpha_1, talk.k, 1) + talk.leak * (1.0 - off)
    return float(talk.agreement(off))


def _in_a_team(talk: Talk) -> float:
    """By the Markov chain of the number of modal agents, from Binomial(N, 1 - off_mode).

    Who is left off the mode is a random part of those who were, so their agreement with each other stays. Those who
    leave the mode are taken to spread in the same way.
    """
    modal = np.arange(talk.n + 1)
    chance = binom.pmf(modal, talk.n, 1.0 - talk.off_mode)
    step = _transitions(talk)
    for _ in range(talk.tau):
        chance = chance @ step
    off = talk.n - modal
    pairs = modal * (modal - 1) + off * (off - 1) * talk.agreement_off
    return float(chance @ pairs / (talk.n * (talk.n - 1)))


def _transitions(talk: Talk) -> FloatArray:
    """Probability of each number of modal agents after an update, (before, after)."""
    rows = []
    for modal in range(talk.n + 1):
        adopting = binom.pmf(np.arange(talk.n - modal + 1), talk.n - modal, _adopts(talk, modal))
        staying = binom.pmf(np.arange(modal + 1), modal, 1.0 - talk.leak)
        rows.append(np.convolve(staying, adopting))
    return np.stack(rows)


def _adopts(talk: Talk, modal: int) -> float:
    """Probability that an agent off the mode adopts it, of whose peers `modal` hold it."""
    peers = talk.n - 1
    if talk.replacement:
        return float(1.0 - (1.0 - talk.alpha_1 * modal / peers) ** talk.k)
    heard = np.arange(talk.k + 1)
    return float(1.0 - hypergeom.pmf(heard, peers, min(modal, peers), talk.k) @ (1.0 - talk.alpha_1) ** heard)
