"""A reuse card that somebody made: a right one is taken, and a mistake is told by field, value and what is allowed."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from headcount.cli import app
from headcount.errors import UserError
from headcount.publish.reuse_card import ReuseCard, as_json, read_card

CARD = {
    "schema_version": "0.1",
    "identity": {
        **{"model_name": "theirs-7b", "model_family": "theirs", "backend": "vllm 0.9"},
        **{"model_version_or_snapshot": "theirs/7b@abc", "serving_parameters": {"temperature": [0.5, 0.7, 1.0]}},
    },
    "question_pool": {
        **{"benchmark": "mmlu_pro", "question_pool_id": "p1", "pool_selection_rule": "top 200 by solo flip rate"},
        **{"n_questions": 200, "outcome_blind_selection": True},
    },
    "selection_time_fingerprint": {
        **{"alpha_tot": 0.53, "alpha_adv": 0.6, "alpha_cor": None, "social_argument_ratio": -0.2},
        **{"n_probe_rows": 600, "n_probe_completions": 4800, "parser_none_rate": 0.01},
    },
    "debate_outcome_accounting": {  # 100 right at first, of whom 8 collapse
        **{"n_debates": 200, "initial_majority_accuracy": 0.5, "final_majority_accuracy": 0.52},
        **{"conditional_collapse_rate": 0.08, "conditional_correction_rate": 0.12},
        "collapse_onset_distribution": {"r1": 4, "r2": 2, "r3": 1, "unlocalised": 1},
    },
    "signed_utility": {
        **{"w_coll": 2.0, "w_corr": 1, "gate_name": "r1_majority_changed", "validation_cohort_id": "held out"},
        **{"collapses_prevented": 5, "corrections_lost": 7, "net_utility": 3.0, "accuracy_delta": -0.01},
    },
    "release": {
        **{"aggregate_fields_open": True, "probe_templates_open_or_gated": "gated", "metadata_file": "release.json"},
        **{"full_transcripts_open_or_gated": "omitted", "r1_feature_matrix_open_or_gated": "open"},
        "known_missing_artifacts": ["transcripts"],
    },
    "conventions": {
        **{"endpoint_round": 3, "tie_rule": "alphabetical", "undefined_coding": "complete_case"},
        **{"parser_version": "theirs 1", "seeds": {"debates": 7}},
    },
}


@pytest.fixture
def saved(tmp_path):
    """Write a card with some fields changed; `path` names them with dots."""

    def save(**changes):
        said = copy.deepcopy(CARD)
        for path, value in changes.items():
            *groups, field = path.split(".")
            place = said
            for group in groups:
                place = place[group]
            if value is ...:
                del place[field]
            else:
                place[field] = value
        file = tmp_path / "card.json"
        file.write_text(json.dumps(said))
        return file

    return save


def test_a_right_card_is_taken_and_comes_back_as_it_was(saved):
    card = read_card(saved())
    assert json.loads(as_json(card)) == CARD | {"simulated": False}
    assert card.debate_outcome_accounting.collapse_onset_distribution.collapses == 8


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("selection_time_fingerprint.alpha_tot", 1.2, "1.2: Input should be less than or equal to 1"),
        ("selection_time_fingerprint.alpha_adv", "0.6", "'0.6': Input should be a valid number"),
        ("selection_time_fingerprint.social_argument_ratio", -1.5, "-1.5: Input should be greater than or equal to -1"),
        ("selection_time_fingerprint.n_probe_rows", 3.5, "3.5: Input should be a valid integer"),
        ("debate_outcome_accounting.n_debates", -1, "-1: Input should be greater than or equal to 0"),
        ("debate_outcome_accounting.conditional_correction_rate", ..., "this key is needed"),
        ("debate_outcome_accounting.collapse_onset_distribution.r2", None, "None: Input should be a valid integer"),
        (
            "debate_outcome_accounting.collapse_onset_distribution.r4",
            1,
            "unknown key. (r1, r2, r3, unlocalised)",
        ),
        ("question_pool.outcome_blind_selection", "yes", "'yes': Input should be a valid boolean"),
        ("signed_utility.w_coll", -2, "-2: Input should be greater than or equal to 0"),
        ("signed_utility.accuracy_delta", 7.0, "7.0: Input should be less than or equal to 1"),
        ("release.full_transcripts_open_or_gated", "closed", "'closed' is not allowed. (open, gated, omitted)"),
        ("release.known_missing_artifacts", "none", "'none': Input should be a valid"),
        ("conventions.endpoint_round", 4, "4: Input should be less than or equal to 3"),
        ("conventions.tie_rule", "alphabetic", "'alphabetic' is not allowed. Did you mean 'alphabetical'?"),
        ("conventions.seeds", 7, "7 is not a section of keys and values"),
        ("identity.model_name", "", "'': String should have at least 1 character"),
        ("identity.serving_params", {}, "unknown key. Did you mean 'serving_parameters'?"),
        ("schema_version", "0.2", "'0.2' is not allowed. Did you mean '0.1'?"),
        ("signed_utility", ..., "this key is needed"),
    ],
)
def test_a_mistake_is_told_by_field_value_and_what_is_allowed(saved, field, value, says):
    with pytest.raises(UserError) as problem:
        read_card(saved(**{field: value}))
    (line,) = [one for one in str(problem.value).splitlines() if f": {field}: " in one]
    assert says in line


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"signed_utility.net_utility": 4.0}, "'net_utility' is 4.0, and w_coll . collapses_prevented - w_corr"),
        ({"signed_utility.net_utility": None}, "all or none"),
        ({"debate_outcome_accounting.conditional_collapse_rate": 0.2}, "holds 8 collapses, and .* makes 20.0"),
        ({"debate_outcome_accounting.n_debates": 0}, "null where 'n_debates' is 0"),
        ({"selection_time_fingerprint.n_probe_rows": 0}, "null where 'n_probe_rows' is 0"),
        ({"conventions.endpoint_round": 1}, "collapses began in r2, r3, and 'endpoint_round' is 1"),
        ({"conventions.endpoint_round": None}, "'endpoint_round' is null, and 'n_debates' is not 0"),
    ],
)
def test_fields_that_contradict_each_other_are_refused(saved, changes, says):
    with pytest.raises(UserError, match=says):
        read_card(saved(**changes))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1: not JSON"),
        (json.dumps(CARD).replace("0.53", "NaN"), r"alpha_tot: nan: Input should be a finite number"),
        (json.dumps(CARD).replace('"n_debates"', '"n_debates": 1, "n_debates"'), "the key 'n_debates' stands twice"),
        ("[]", r"\[\]: Input should be an object|not a section|valid dictionary"),
    ],
)
def test_what_is_no_card_at_all_is_refused(tmp_path, text, says):
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(UserError, match=says):
        read_card(tmp_path / "card.json")


def test_rates_rounded_to_four_digits_are_taken(saved):
    """As published: 15 of 191 collapse, of 1,030 debates."""
    outcomes = {"n_debates": 1030, "initial_majority_accuracy": 0.1854, "conditional_collapse_rate": 0.0785}
    onset = {"r1": 9, "r2": 3, "r3": 3, "unlocalised": 0}
    changes = {f"debate_outcome_accounting.{name}": value for name, value in outcomes.items()}
    read_card(saved(**changes, **{"debate_outcome_accounting.collapse_onset_distribution": onset}))


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0, 10), st.floats(0, 10))
def test_a_net_that_follows_is_taken_and_no_other(prevented, lost, w_coll, w_corr):
    net = w_coll * prevented - w_corr * lost
    gate = CARD["signed_utility"] | {"collapses_prevented": prevented, "corrections_lost": lost}
    gate |= {"w_coll": w_coll, "w_corr": w_corr, "net_utility": net}
    ReuseCard.model_validate_json(json.dumps(CARD | {"signed_utility": gate}))
    wrong = CARD | {"signed_utility": gate | {"net_utility": net + 1}}
    with pytest.raises(ValueError, match="net_utility"):
        ReuseCard.model_validate_json(json.dumps(wrong))


def test_the_command_says_what_it_is_or_what_is_wrong(saved):
    right = CliRunner().invoke(app, ["card", str(saved())])
    assert (right.exit_code, right.stderr) == (0, "")
    assert "a valid reuse card of theirs-7b on mmlu_pro: 200 debates, judged at R3; 600 probed rows." in right.stdout
    wrong = CliRunner().invoke(app, ["card", str(saved(**{"selection_time_fingerprint.alpha_tot": 2}))])
    assert wrong.exit_code == 1
    assert "card.json: selection_time_fingerprint.alpha_tot: 2: Input should be less than or equal to 1" in wrong.stderr
    assert CliRunner().invoke(app, ["card", "nothing.json"]).stderr.startswith("nothing.json: no such file. ")
