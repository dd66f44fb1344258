"""Do teams of models lose effort as groups of people do? Latané's and Kish's laws on both, the paper's appendix B."""

import pandas as pd

from headcount.publish.cells import CELL, headline
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import TASK, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import FITS, RIVALS

PAPER = ""
QUESTION = "size"
NEEDS = ()
READS = ("fits", "rivals")
PUBLISHED = ("human_groups", "prose_scalars")

_GROUPS = {
    "rope_1913": "people pulling a rope, 1913",
    "shouting_1979": "people shouting, 1979, in per cent",
    "shouting_1979_pressure": "people shouting, 1979, in pressure",
}
_KEYS = ["who", "task"]
_PRINTED = {"t": "published_t", "c": "published_c"}
_TEAMS = {  # of the paper's own team that debates, by name in prose_scalars
    ("mmlu_hard", "published_t"): "llm_debate_t_mmlu",
    ("mmlu_hard", "published_c"): "llm_debate_kish_rho_mmlu",
    ("gsm_hard", "published_t"): "llm_debate_t_gsm",
    ("gsm_hard", "published_c"): "llm_debate_kish_rho_gsm",
}

SPEC = TableSpec(
    name="human_groups",
    caption=(
        "How a member's share falls as groups grow: of people, what each still gives; of debating teams, effective "
        "size / N. t is 1 where nobody counts for less in company, and 0 where a team is one voter; c is Kish's "
        "constant correlation. Data of people are per-person means as usually quoted, without items to resample."
    ),
    columns=(
        Column("who", "who", "people, or a debating team", words=_GROUPS),
        TASK,
        estimate(
            "t", "t", "Latané's exponent, N^(t − 1) with a free amplitude; of people the range as a size is left out"
        ),
        printed("published_t", "t, paper", "t"),
        Column("t_law", "t, amplitude 1", "Latané's law itself, by least squares on shares", 4, 2),
        estimate("c", "c", "Kish's; of people the range as a size is left out"),
        printed("published_c", "c, paper", "c"),
        Column("sizes", "sizes", "fitted"),
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    from headcount.laws.humans import fit_human_groups  # with SciPy, which no other table needs

    scalars = inputs.printed("prose_scalars")
    people = people_fitted(fit_human_groups(inputs.printed("human_groups"), scalars))
    return side_by_side(people, inputs.read(FITS), inputs.read(RIVALS), scalars)


def side_by_side(people: pd.DataFrame, fits: pd.DataFrame, rivals: pd.DataFrame, scalars: pd.DataFrame) -> pd.DataFrame:
    """One row a group of people, then one a team and task that debates.

    Args:
        people: as of `people_fitted`.
        fits: rows of FITS.
        rivals: rows of RIVALS; a team without one has no t.
        scalars: what the paper prints in its text.
    """
    kish = headline(fits, "kish").query("condition == 'debate'").drop(columns=["flags"])
    for law, column in (("latane_slope", "t"), ("latane", "t_law")):
        told = headline(rivals, law)
        told[column] = [
            dict(zip(*pair, strict=True)).get("t") for pair in zip(told["parameters"], told["values"], strict=True)
        ]
        kish = kish.merge(told[[*CELL, column]], on=CELL, how="left")
    teams = beside(kish.rename(columns={"team": "who"}).assign(t_low=None, t_high=None), _of_teams(scalars), _KEYS)
    rows = pd.concat([people, teams[[*people.columns]]], ignore_index=True)
    return compare(rows.astype({"t": float, "t_law": float, "t_low": float, "t_high": float}), _PRINTED)[SPEC.fields]


def people_fitted(fits: pd.DataFrame) -> pd.DataFrame:
    """The laws of each group of people side by side.

    Args:
        fits: as of `laws.humans.fit_human_groups`.
    """
    groups = []
    for group in _GROUPS:
        of = fits[fits["group"] == group].set_index("law").to_dict("index")
        slope, latane, kish = of["latane_slope"], of["latane"], of["kish"]
        row = {"who": group, "task": "", "t_law": latane["value"], "sizes": kish["sizes"], "simulated": False}
        for name, law in (("t", slope), ("c", kish)):
            row |= {name: law["value"], f"{name}_low": law["low_without_one"], f"{name}_high": law["high_without_one"]}
            row[f"published_{name}"] = law["printed"]
        groups.append(row)
    return pd.DataFrame(groups)


def _of_teams(scalars: pd.DataFrame) -> pd.DataFrame:
    text = scalars.set_index("name")["value"]
    rows = pd.DataFrame(
        [{"task": task, "name": name, "value": text[source]} for (task, name), source in _TEAMS.items()]
    )
    return rows.pivot(index="task", columns="name", values="value").reset_index().assign(who="qwen2.5-7b")
