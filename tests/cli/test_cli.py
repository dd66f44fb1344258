"""The command line as people type it: what it prints, and one readable message for every mistake."""

import io
import json
import subprocess
import sys
from itertools import takewhile
from math import log2
from pathlib import Path

import pandas as pd
import pytest
import yaml
from typer.testing import CliRunner

from headcount.cli import app

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests/cases/extraction.jsonl"
LAWS = {"ringelmann", "ringelmann_free", "kish", "latane", "latane_slope"}
LAWS |= {"power", "power_on_r", "logistic", "logistic_on_r"}


@pytest.fixture(autouse=True)
def _root(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")


def call(*words: str, stdin: str | bytes | None = None) -> str:
    """What a command prints; the test fails where it fails or complains."""
    result = CliRunner().invoke(app, words, input=stdin)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def mistake(*words: str, stdin: str | bytes | None = None) -> str:
    """What a command says to a user's mistake: on standard error, with status 1, and without a traceback."""
    result = CliRunner().invoke(app, words, input=stdin)
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    return result.stderr.strip()


def calls(plan: str, heading: str) -> int:
    """The calls of a block of a plan."""
    lines = plan.split(f"\n{heading}\n")[1].splitlines()
    block = takewhile(lambda line: line.startswith("  "), lines)
    return sum(int(line[32:43].replace(",", "").strip() or 0) for line in block)


def test_plan_of_the_demo_counts_calls():
    config = yaml.safe_load((ROOT / "config/demo.yaml").read_text())
    core, items = config["experiments"]["core"], sum(task["items"] for task in config["tasks"].values())
    sizes, updates = core["sizes"], core["updates"]
    revised = 2 * sum(n for n in sizes if n > 1) + max(sizes)  # debate and noise; nested agents who hear nobody
    asked = (max(sizes) + updates * revised) * items
    speakers = sum(n for n in sizes if n > 1)  # one agent alone revises in self-correction only
    alone = (4 * sum(sizes) + updates * (sum(sizes) + 2 * speakers)) * items
    plan = call("plan", "config/demo.yaml")
    assert f"If every team asked for itself: {alone:,} calls. Shared answers leave {asked:,}, or " in plan


def test_plan_of_the_paper_shares_answers_and_fits_a_terminal():
    plan = call("plan", "config/paper.yaml")
    assert calls(plan, "llama-3.1-8b on gpqa") == 458 * 198  # 30 draws, 2 x 92 debate, 2 x 92 noise, 2 x 30 alone
    assert max(map(len, plan.splitlines()[:-3])) <= 80
    assert "hetero on gsm_hard_200" in plan


def test_plan_of_recorded_answers_asks_nothing():
    plan = call("plan", "config/panel.yaml")
    assert "0 calls: nothing is asked, all answers are recorded." in plan
    assert calls(plan, "panel on mmlu_pro") == 0
    assert plan.count("to 29  12,032") == 2


@pytest.mark.parametrize("file", [CASES, None])
def test_extract_gives_every_case_its_answer(file):
    text = CASES.read_text(encoding="utf-8")
    printed = call("extract", str(file)) if file else call("extract", stdin=text)
    cases, found = ([json.loads(line) for line in lines.splitlines()] for lines in (text, printed))
    assert len(cases) == len(found) > 20
    assert [row | {"rule": 0, "confidence": 0} for row in found] == [
        case | {"rule": 0, "confidence": 0} for case in cases
    ]


def test_measure_of_a_csv_with_gold():
    table = "item,agent,answer,gold\nq,x,A,A\nq,y,A,A\nq,z,B,A\np,x,B,A\np,y,,A\n"
    measures = pd.read_csv(io.StringIO(call("measure", "-", stdin=table))).set_index("item")
    entropy = -(2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3))
    assert measures["n"].to_dict() == {"q": 3, "p": 2}
    assert measures.loc["q", "n_eff_answer"] == pytest.approx(2**entropy)
    assert measures.loc["q", "agreement"] == pytest.approx(1 / 3)
    assert measures["n_valid"].to_dict() == {"q": 3, "p": 1}
    assert measures["team_correct"].to_dict() == {"q": True, "p": False}
    assert pd.isna(measures.loc["p", "agreement"])


def test_measure_reads_jsonl_and_csv_alike_with_and_without_the_optional_columns(tmp_path):
    rows = [
        {"answer": answer, "round": round_, "item": "q", "agent": agent, "n": 2}
        for round_, answers in ((1, "AB"), (2, "AA"))
        for agent, answer in enumerate(answers, 1)
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pd.DataFrame(rows).to_csv(tmp_path / "a.csv", index=False)
    printed = call("measure", str(tmp_path / "a.jsonl"))
    assert printed == call("measure", str(tmp_path / "a.csv"))
    measures = pd.read_csv(io.StringIO(printed))
    assert measures[["round", "agreement"]].to_numpy().tolist() == [[1, 0], [2, 1]]
    assert "n_correct" not in measures


def test_fit_recovers_a_curve_from_r_and_from_n_eff(tmp_path):
    sizes = [1, 2, 3, 5, 10, 30]
    r = [1 / (1 + 0.4 * (n - 1) * n**-0.2) for n in sizes]
    of_r = "N,R\n" + "".join(f"{n},{value}\n" for n, value in zip(sizes, r, strict=True))
    of_n_eff = "n,N_eff\n" + "".join(f"{n},{n * value}\n" for n, value in zip(sizes, r, strict=True))
    (tmp_path / "r.csv").write_text(of_r)
    fits = [json.loads(call("fit", str(tmp_path / "r.csv"))), json.loads(call("fit", "-", stdin=of_n_eff))]
    for fit in fits:
        assert set(fit["laws"]) == LAWS
        assert fit["sizes"] == sizes[1:]
        assert fit["laws"]["ringelmann"]["params"] == pytest.approx({"c": 0.4, "beta": 0.2}, abs=1e-5)
        assert fit["laws"]["ringelmann"]["regime"] == "sublinear"


def test_reference_writes_what_config_holds(tmp_path):
    call("reference", str(tmp_path))
    for name in ("schema.json", "README.md"):
        assert (tmp_path / name).read_text() == (ROOT / "config" / name).read_text(), name


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (["plan", "nope.yaml"], None, "nope.yaml: no such file."),
        (["plan", "config"], None, "config: not a readable text file"),
        (["extract", "nope.jsonl"], None, "nope.jsonl: no such file."),
        (["extract", "config"], None, "config: no such file."),
        (["extract"], '{"text": "5", "kind": "number"}\n{"text": 5}', "line 2: kind: missing."),
        (["extract"], b"\xff\n", "-: not UTF-8 text"),
        (["measure", "nope.csv"], None, "nope.csv: no such file."),
        (["measure", "config/demo.yaml"], None, "config/demo.yaml: not a known format."),
        (["measure"], "item,agent\nq,1\n", "The table lacks column 'answer'"),
        (["measure"], "item,agent,answer\nq,1,A\nq,1,B\n", "Row 2: item q: agent 1 stands twice."),
        (["measure"], "item,agent,answer\n", "The table has no rows, so there is nothing to measure."),
        (["measure"], "", "standard input: not a CSV table"),
        (["measure", "{tmp}/list.jsonl"], None, "{tmp}/list.jsonl: line 2: not an object."),
        (["measure", "{tmp}/half.jsonl"], None, "{tmp}/half.jsonl: line 2: not JSON"),
        (["fit"], "N,Z\n1,1\n", "The table needs columns N and R, or N and N_eff. It has: N, Z."),
        (["fit"], "N,R\n1,1\n2,x\n", "Column R, row 2: 'x' is not a number."),
        (["fit"], "N,R\n", "The table has no rows, so there is nothing to fit."),
        (["show", "regims"], None, "There is no 'regims' among the tables. Did you mean 'regimes'?"),
        (["show", "regimes", "--run", "nope"], None, "results/nope/fits.parquet: no such file. Run the workflow"),
        (["release", "nope.yaml"], None, "nope.yaml: no such file."),
        (["reference", "nope"], None, "nope: no such folder."),
    ],
)
def test_a_mistake_is_one_message(words, stdin, message, tmp_path):
    (tmp_path / "list.jsonl").write_text('{"item": 1}\n[]\n')
    (tmp_path / "half.jsonl").write_text('{"item": 1}\n{"item"\n')
    said = mistake(*(word.replace("{tmp}", str(tmp_path)) for word in words), stdin=stdin)
    assert said.startswith(message.replace("{tmp}", str(tmp_path)))
    assert "\n" not in said


@pytest.mark.parametrize(("name", "command"), [("a.parquet", "measure"), ("a.csv", "fit"), ("a.jsonl", "measure")])
def test_a_file_that_is_not_what_its_name_says_is_named(tmp_path, name, command):
    path = tmp_path / name
    path.write_bytes(b"\xff\xfe{")
    assert mistake(command, str(path)).startswith(f"{path}: not ")


def test_a_bad_configuration_is_named_by_key(tmp_path):
    text = (ROOT / "config/demo.yaml").read_text()
    (tmp_path / "bad.yaml").write_text(text.replace("engine: llamacpp", "engine: lamacpp"))
    said = mistake("plan", str(tmp_path / "bad.yaml"))
    assert "models.smollm2-135m.engine: 'lamacpp' is not allowed. Did you mean 'llamacpp'?" in said


def test_the_program_itself_ends_with_status_1_and_no_traceback():
    code = "from headcount.cli import app; app()"
    done = subprocess.run(
        [sys.executable, "-c", code, "plan", "nope.yaml"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "nope.yaml: no such file.\n")
