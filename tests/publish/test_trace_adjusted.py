"""Numbers of debates adjusted by round 1 follow from their items too, though what adjusts them stands elsewhere."""

import numpy as np
import pytest
from small_results import small_results
from small_runs import small_config

from headcount.publish.inputs import Inputs
from headcount.publish.trace_items import item_values
from headcount.schema import CURVES, ESTIMATES


@pytest.fixture(scope="module", params=[("self_consistency", "debate"), ("debate",)], ids=["alone", "debate_only"])
def inputs(tmp_path_factory, request):
    core = {"teams": ["t"], "tasks": ["a"], "conditions": list(request.param), "sizes": [1, 2, 3, 5]}
    models = {"m": {"population": {"accuracy": 0.5, "missing": 0.1, "adoption": 0.4}}}
    folder = tmp_path_factory.mktemp("run")
    config = small_config(models=models, experiments={"core": core})
    return Inputs(small_results(config, folder, items=20), folder)


def test_adjusted_numbers_follow_from_their_items(inputs):
    curves, estimates = (inputs.read(table).query("subsets == 'adjusted'") for table in (CURVES, ESTIMATES))
    assert len(curves)
    assert len(estimates)
    as_run = inputs.read(CURVES).query("subsets == 'first'")
    keys = ["condition", "level", "peers", "round", "n"]
    both = curves.merge(as_run, on=keys, suffixes=("", "_as_run"))
    assert (np.abs(both["n_eff"] - both["n_eff_as_run"]) > 1e-6).any()
    for rows, name in ((curves, "n_eff"), (estimates.query("n > 0").dropna(subset="value"), "value")):
        for row in rows.to_dict("records"):
            values = item_values(inputs.results, row)
            assert np.allclose(values.again, [row[name]], rtol=1e-9, atol=1e-12, equal_nan=True), row
            assert [path.parent.name for path in values.files] == ["measures", "subsets"]
