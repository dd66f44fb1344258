"""Screens and debates of models whose flips and transitions are known: probes, and transitions of teams of three."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from made_up_probes import BATTERY

from headcount.schema import TRANSITIONS
from headcount.store import conform, plain


class Made(NamedTuple):
    """A model: how often it flips, and how often its right teams collapse and its wrong ones are corrected."""

    family: str
    flip: float
    collapse: float
    accuracy: float
    social: float = 0.1  # what company adds to a flip


MODELS = {
    "a-large": Made("a", 0.15, 0.02, 0.8),
    "a-small": Made("a", 0.25, 0.05, 0.7),
    "b-large": Made("b", 0.35, 0.04, 0.75),
    "b-small": Made("b", 0.45, 0.12, 0.6),
    "c-large": Made("c", 0.5, 0.1, 0.65),
    "c-small": Made("c", 0.6, 0.2, 0.5),
    "d-large": Made("d", 0.7, 0.15, 0.7),
    "d-small": Made("d", 0.8, 0.3, 0.45),
}
FEW = dict(list(MODELS.items())[:3])
FAMILIES = {name: model.family for name, model in MODELS.items()}
CORRECTION = 0.15
_BLANK = {
    **{"temperature": 0.7, "initial_repaired": False, "initial_request": "r", "initial_calls": 1, "request": "p"},
    **{"initial_prompt_tokens": 1, "initial_completion_tokens": 1, "prompt_tokens": 1, "completion_tokens": 1},
    **{"confidence": None, "n_tags": 1, "tags_disagree": False, "truncated": False, "logprob": None},
    **{"alternative": "C", "alternative_is_gold": False},
}


def probes(models=MODELS, items=40, agents=3, replicates=1, conditions=("default",), seed=0, missing=0.02, task="t"):
    """Rows of PROBES: a question moves all flips of a model by a little, company adds, strength adds."""
    return pd.concat(
        [
            _probed(name, model, (items, agents, replicates, conditions), np.random.default_rng([seed, place]), missing)
            for place, (name, model) in enumerate(models.items())
        ],
        ignore_index=True,
    ).assign(task=task)


def _probed(name, model, shape, rng, missing):
    items, agents, replicates, conditions = shape
    ease = rng.normal(0, 0.1, items)
    rows = []
    for condition, item, replicate, agent in product(conditions, range(items), range(replicates), range(1, agents + 1)):
        read, right = rng.random() > missing, rng.random() < model.accuracy
        for strength, social in BATTERY:
            chance = model.flip + ease[item] + model.social * (social - 0.5) + 0.1 * (strength == "very_strong")
            answered = read and rng.random() > missing
            flip = bool(rng.random() < chance) if answered else None
            mended = right != flip if right else flip and rng.random() < 0.2
            rows.append(
                {
                    **{"model": name, "condition": condition, "item": f"q{item}", "replicate": replicate},
                    **{"agent": agent, "probe": f"{strength}_{'social' if social else 'solo'}", "strength": strength},
                    **{"social": social, "initial_answer": "A" if read else None},
                    **{"initial_correct": right if read else None, "flip": flip},
                    **{"answer": ("B" if flip else "A") if answered else None},
                    **{"status": "parsed" if answered else "missing", "rule": "p1_tag" if answered else ""},
                    **{"correct": bool(mended) if answered else None, **_BLANK},
                }
            )
    return pd.DataFrame(rows)


def debates(models=MODELS, items=60, n=3, rounds=(2, 3), first_item=0, seed=1, condition="debate", task="t"):
    """Rows of TRANSITIONS, with the model of each team, which is named after it."""
    frames = []
    for place, (name, model) in enumerate(models.items()):
        rng = np.random.default_rng([seed, place, n])
        right = rng.random(items) < model.accuracy
        turned = rng.random(items) < np.where(right, model.collapse, CORRECTION)
        for end in rounds:
            frames.append(_ended(name, right, right ^ turned, end, rng).assign(n=n, k=n - 1))
    ids = [f"q{first_item + place}" for place in range(items)]
    rows = pd.concat(frames, ignore_index=True).assign(condition=condition, task=task)
    return rows.assign(item=ids * (len(rows) // items))


def _ended(name, first, last, end, rng):
    label = np.where(first, np.where(last, "preserved", "collapse"), np.where(last, "correction", "unrepaired"))
    changed = rng.integers(0, 4, len(first))
    same = {column: label for column in TRANSITIONS.schema.names if TRANSITIONS.schema.field(column).type == _LABEL}
    return pd.DataFrame(
        {
            **dict.fromkeys(TRANSITIONS.schema.names),
            **same,
            **{"team": name, "model": name, "replicate": 0, "round": end, "transition": label},
            **{"initial_correct": first, "final_correct": last, "initial_tie": False, "final_tie": False},
            **{"initial_parsed": 3, "final_parsed": 3, "initial_top": 3, "final_top": 3, "transient_break": False},
            **{"answered_twice": 3, "changed_answers": changed, "initial_could": "right", "final_could": "right"},
        }
    )


_LABEL = TRANSITIONS.schema.field("transition").type


def stored(rows, table):
    """As they come back from a file."""
    return plain(conform(rows, table, table.name))


def one(rows, **where):
    (found,) = rows[(rows[list(where)] == pd.Series(where)).all(axis=1)].to_dict("records")
    return found


def asked(level, predictor="alpha_tot", outcome="collapse", controls="", leaving="", left_out=""):
    keys = {"level": level, "predictor": predictor, "outcome": outcome, "controls": controls}
    return keys | {"leaving": leaving, "left_out": left_out}
