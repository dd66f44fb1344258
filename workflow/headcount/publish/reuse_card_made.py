"""A model's reuse card from a run's files: every number is one of a stage, all tasks of the panel together."""

import hashlib
from typing import Any

import pandas as pd

from headcount.config import Config, Model
from headcount.debate.asked import asked_tasks
from headcount.debate.planner import Plan, plan
from headcount.debate.release_metadata import METADATA
from headcount.debate.release_terms import missing, transcripts
from headcount.digest import digest
from headcount.engines.request import identify
from headcount.ledger.screens import DEFAULT, screen
from headcount.publish.card_numbers import HINDSIGHT, Numbers
from headcount.publish.card_subjects import Subject
from headcount.publish.reuse_card import (
    Conventions,
    Fingerprint,
    Identity,
    Onset,
    Outcomes,
    QuestionPool,
    Release,
    ReuseCard,
    Utility,
)

RECORDED = "not told: others recorded the answers"
GATES = ("learned_r1_stump", "r1_majority_changed", "disagreement")  # the first that the run has is the card's


def reuse_card(config: Config, subject: Subject, numbers: Numbers, planned: Plan | None = None) -> ReuseCard:
    """The card of a model.

    Debates are complete cases: those with a majority at both ends; the collapse and correction rates are conditional on
    the first. The gate is the one learned on all other models where there is one, else the paper's fixed one, both at
    equal weights: neither was chosen on these debates.
    """
    return ReuseCard(
        schema_version="0.1",
        simulated=config.models[subject.model].engine == "simulated",
        identity=_identity(config, subject.model),
        question_pool=_pool(config, subject, numbers),
        selection_time_fingerprint=fingerprint(numbers.probes),
        debate_outcome_accounting=_outcomes(numbers),
        signed_utility=_utility(config, subject, numbers),
        release=_release(config, planned or plan(config)),
        conventions=_conventions(config, subject),
    )


def fingerprint(probes: pd.DataFrame) -> Fingerprint:
    """What a screen says, in the default condition; rates are null where there is nothing to count among.

    Args:
        probes: rows of PROBES of one model.
    """
    default = probes[probes["condition"] == DEFAULT]
    asked = default[default["initial_correct"].notna()]
    if asked.empty:
        nothing = dict.fromkeys(("alpha_tot", "alpha_adv", "alpha_cor", "social_argument_ratio", "parser_none_rate"))
        return Fingerprint(n_probe_rows=0, n_probe_completions=0, **nothing)
    found = screen(probes).iloc[0]
    return Fingerprint(
        alpha_tot=_known(found["alpha_tot"]),
        alpha_adv=_known(found["alpha_adv"]),
        alpha_cor=_known(found["alpha_cor"]),
        social_argument_ratio=_known(found["sa_of_means"]),
        n_probe_rows=int(found["rows"]),
        n_probe_completions=len(asked),
        parser_none_rate=_known(found["unparsed"]),
    )


def _identity(config: Config, name: str) -> Identity:
    model = config.models[name]
    return Identity(
        model_name=name,
        model_family=model.family,
        backend=model.engine,
        model_version_or_snapshot=f"{model.model or name}, {_weights(name, model)}",
        serving_parameters=_serving(model),
    )


def _weights(name: str, model: Model) -> str:
    return RECORDED if model.engine == "recorded" else f"weights {identify(name, model, None).weights}"


def _serving(model: Model) -> dict[str, Any]:
    if model.engine == "recorded":
        return {}  # others asked, and their settings are not ours to state
    sampling = model.sampling
    temperatures: Any = list(sampling.slot_temperatures) if sampling.slot_temperatures else sampling.temperature
    return {
        "temperature": temperatures,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "dtype": model.dtype,
        "grammar": model.grammar,
        "thinking": model.thinking,
        "server_arguments": " ".join(model.vllm.serving()) or None,
    }


def _pool(config: Config, subject: Subject, numbers: Numbers) -> QuestionPool:
    rows = pd.concat([numbers.debates[["task", "item"]], numbers.probes[["task", "item"]]])
    named = sorted(set(rows["task"].astype(str) + "/" + rows["item"].astype(str)))
    return QuestionPool(
        benchmark=" + ".join(subject.tasks),
        question_pool_id=hashlib.sha256("\n".join(named).encode()).hexdigest(),
        pool_selection_rule="; ".join(_chosen(config, task) for task in subject.tasks),
        n_questions=len(named),
        # Our own rules read no debate; how others chose what they recorded is not known.
        outcome_blind_selection=all(config.task(task).format != "recorded" for task in subject.tasks),
    )


def _chosen(config: Config, name: str) -> str:
    """How the questions of a task were chosen."""
    task = config.task(name)
    if task.format == "recorded":
        return f"{name}: those that others recorded"
    if task.format == "high_flip":
        return f"{name}: the {task.items} of {task.of} on which {task.model} flipped most, in a pass of its own"
    return f"{name}: {f'{task.items} by hash, seed {task.seed}' if task.items else 'all'}"


def _outcomes(numbers: Numbers) -> Outcomes:
    collapses = numbers.events("collapse")
    began = {f"r{place}": numbers.events(f"onset_{place + 1}") for place in (1, 2, 3)}
    return Outcomes(
        n_debates=numbers.base("net"),
        initial_majority_accuracy=numbers.share("initial_accuracy"),
        final_majority_accuracy=numbers.share("final_accuracy"),
        conditional_collapse_rate=numbers.share("collapse"),
        conditional_correction_rate=numbers.share("correction"),
        collapse_onset_distribution=Onset(**began, unlocalised=collapses - sum(began.values())),
    )


def _utility(config: Config, subject: Subject, numbers: Numbers) -> Utility:
    rows = numbers.gates[~numbers.gates["knows"].isin(HINDSIGHT)].to_dict("records")
    gates = {str(row["gate"]): row for row in rows}
    name = next((gate for gate in GATES if gate in gates), None)
    if name is None or subject.panel is None:
        nothing = ("gate_name", "validation_cohort_id", "collapses_prevented", "corrections_lost")
        return Utility(w_coll=1, w_corr=1, **dict.fromkeys((*nothing, "net_utility", "accuracy_delta")))
    prevented, lost = int(gates[name]["prevented"]), int(gates[name]["lost"])
    return Utility(
        w_coll=1,
        w_corr=1,
        gate_name=name,
        validation_cohort_id=f"{config.run}/{subject.panel.team}",
        collapses_prevented=prevented,
        corrections_lost=lost,
        net_utility=prevented - lost,
        accuracy_delta=(prevented - lost) / int(gates[name]["debates"]),
    )


def _release(config: Config, planned: Plan) -> Release:
    tasks = asked_tasks(planned)
    return Release(
        aggregate_fields_open=True,
        probe_templates_open_or_gated="open",
        full_transcripts_open_or_gated=transcripts(config, tasks),
        r1_feature_matrix_open_or_gated="open",
        known_missing_artifacts=list(missing(config, tasks)),
        metadata_file=METADATA,
    )


def _conventions(config: Config, subject: Subject) -> Conventions:
    """Of answers that others recorded, how they were read and drawn is not ours to state."""
    recorded = config.models[subject.model].engine == "recorded"
    parser = f"{config.protocol.dialect} {digest('headcount.extraction.extract')[:12]}"
    return Conventions(
        endpoint_round=subject.panel.revisions if subject.panel else None,
        tie_rule="alphabetical",
        undefined_coding="complete_case",
        parser_version=RECORDED if recorded else parser,
        seeds={"resampling": config.fitting.seed} | ({} if recorded else {"requests": config.seed}),
    )


def _known(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)
