"""The pool of high-flip questions: those of a task on which a model is most easily argued out of its answer.

They are chosen by replies that nothing else is made of, so that no debate's outcome had a hand in the choice (arXiv
2609.35279, section 3). The reported screen of the same questions is not quite independent of it: probes are greedy, and
where an agent's first answer is the same in both passes, so is the probe. Rates on chosen questions are still too high.
"""

import json

import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import Config
from headcount.errors import UserError
from headcount.ledger.flips import flip_rates, high_flip_items
from headcount.schema import ITEMS


def high_flip_questions(config: Config, task: str, items: pa.Table, probes: pa.Table) -> pa.Table:
    """The items of a task of format high_flip: rows of ITEMS, with the solo flip rate in their metadata.

    Args:
        task: its name.
        items: rows of ITEMS of the task that it chooses from.
        probes: rows of PROBES of the pass that chooses.

    Raises:
        UserError: where fewer questions have a flip rate than are asked for.
    """
    wanted, settings = config.tasks[task].items, config.tasks[task]
    assert wanted is not None
    found = high_flip_items(flip_rates(probes.to_pandas()), wanted)
    if len(found) < wanted:
        raise UserError(
            f"tasks.{task}.items: {wanted} questions are asked for, and {settings.model} has a flip rate on "
            f"{len(found)} of {settings.of}. Ask for fewer, or give {settings.of} more items."
        )
    solo = dict(zip(found["item"].astype(str), found["solo"], strict=True))
    rows = items.filter(pc.is_in(items["item"], pa.array(list(solo), pa.string())))
    about = [
        json.dumps(json.loads(row["metadata"]) | {"solo_flip_rate": round(solo[row["item"]], 6)}, sort_keys=True)
        for row in rows.to_pylist()
    ]
    return rows.set_column(rows.schema.get_field_index("metadata"), "metadata", pa.array(about)).cast(ITEMS.schema)
