# One command does all: every target makes the virtual environment that it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ORACLE := .venv-oracle
WORKERS ?= 2
COUNT ?= 1000000
FORMAT ?= all
PROGRAMS ?= 10000
INSTALLED := compiler runtime cli.py __init__.py __main__.py
SOURCES := $(INSTALLED) __init__.pyi setup.py tests bench

.DEFAULT_GOAL := help
.PHONY: help demo check test oracle conformance whole hostile fuzz fuzz-archives fuzz-sources browser bless record docs bench lint format types contracts clean

help: ## explain every target
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# What pip installs leads to this checkout; the type checker is led there by build/tsc.
$(VENV)/.runs: pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[native]'
	$(BIN)/python -m compileall -q $(INSTALLED)
	@touch $@

$(VENV)/.installed: $(VENV)/.runs
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@mkdir -p build && ln -sfn .. build/tsc
	@touch $@

$(ORACLE)/.installed: pyproject.toml setup.py
	$(PYTHON) -m venv $(ORACLE)
	$(ORACLE)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,oracle]'
	$(ORACLE)/bin/python -m compileall -q $(INSTALLED)
	@touch $@

DIGIT := [' \#\#\# ', '\#   \#', '    \#', '  \#\# ', '    \#', '\#   \#', ' \#\#\# ']

demo: $(VENV)/.runs ## run a source file and an archive, and see what is in them
	@echo '$$ tsc run samples/greedy_search.py'
	@$(BIN)/tsc run samples/greedy_search.py
	@echo
	@echo "$$ tsc run samples/archives/digits.pt read --args \"$(DIGIT)\""
	@$(BIN)/tsc run samples/archives/digits.pt read --args "$(DIGIT)"
	@echo
	@echo '$$ tsc inspect samples/archives/digits.pt'
	@$(BIN)/tsc inspect samples/archives/digits.pt
	@echo
	@echo '$$ tsc audit samples/archives/digits.pt'
	@$(BIN)/tsc audit samples/archives/digits.pt
	@echo
	@echo '$$ tsc compile samples/archives/digits.pt read'
	@$(BIN)/tsc compile samples/archives/digits.pt read
	@echo
	@echo '$$ tsc print-code samples/lstm.py lstm_cell'
	@$(BIN)/tsc print-code samples/lstm.py lstm_cell

test: $(VENV)/.installed ## run the whole test suite (no PyTorch needed)
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n $(WORKERS)

check: lint types contracts ## the one gate: format, lint, types, import contracts, tests under a hash seed of their own
	PYTHONHASHSEED=4711 $(BIN)/python -m pytest -n $(WORKERS)

whole: $(VENV)/.installed ## run growth and hostile cases at their whole size
	$(BIN)/python -m pytest -m slow -n $(WORKERS)

hostile: $(VENV)/.installed ## try every program, constructor and archive that is made to hurt (half an hour)
	TSC_EVERY_CASE=1 $(BIN)/python -m pytest -m slow -n $(WORKERS) tests/limits/test_hostile_sources.py tests/limits/test_families.py

lint: $(VENV)/.installed ## check formatting and style
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)

format: $(VENV)/.installed ## rewrite the code in the project's format
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

types: $(VENV)/.installed ## check types: strictly in compiler/ and in the rooms of the runtime that are clean
	$(BIN)/basedpyright

contracts: $(VENV)/.installed ## check who imports whom
	$(BIN)/lint-imports

oracle: $(ORACLE)/.installed ## compare with PyTorch 2.13, live
	$(ORACLE)/bin/python -m pytest -m oracle -n $(WORKERS)

conformance: $(ORACLE)/.installed ## compare each operator of PyTorch's database with PyTorch, and its gradients
	$(ORACLE)/bin/python -m tests.conformance
	$(ORACLE)/bin/python -m tests.conformance.gradients
	$(ORACLE)/bin/python -m tests.conformance.gradients --second
	TSC_EVERY_CASE=1 $(ORACLE)/bin/python -m pytest -n $(WORKERS) tests/autograd/test_finite_differences.py

record: $(ORACLE)/.installed ## record PyTorch's answers again (review them as a diff)
	$(ORACLE)/bin/python -m tests.oracle.record
	$(ORACLE)/bin/python -m tests.oracle.printed_code
	$(ORACLE)/bin/python -m tests.oracle.record_tensors
	$(ORACLE)/bin/python -m tests.optim.record
	$(ORACLE)/bin/python -m tests.training.digits

docs: $(VENV)/.installed ## write the generated pages of docs/ anew
	$(BIN)/python -m tsc.runtime.operators.reference > docs/operators.md
	$(BIN)/python -m tsc.compiler.explanations > docs/diagnostics.md
	$(BIN)/python -m tsc.runtime.execution.pass_reference > docs/passes.md
	$(BIN)/python -m tsc.compiler.exir.refusal_reference > docs/export-refusals.md

bless: $(VENV)/.installed ## rewrite the expectations of text cases (review them as a diff)
	PYTHONHASHSEED=0 TSC_BLESS=1 $(BIN)/python -m pytest -n 0 tests

fuzz: $(ORACLE)/.installed ## compare 10,000 random programs (PROGRAMS=…) with CPython and PyTorch, and as many by native code with bytecode (minutes)
	$(ORACLE)/bin/python -m tests.differential --programs $(PROGRAMS)
	$(ORACLE)/bin/python -m tests.native --count $(PROGRAMS)

fuzz-archives: $(VENV)/.installed ## read 1,000,000 mutated archives (COUNT=…, FORMAT=pt2 for exported programs alone): no crash, no hang, bounded memory (ten minutes)
	$(BIN)/python -m tests.serialization --count $(COUNT) --format $(FORMAT)

fuzz-sources: $(VENV)/.installed ## compile and run 1,000,000 mutated programs (COUNT=…) in the same way (half an hour)
	$(BIN)/python -m tests.limits --count $(COUNT)

browser: $(VENV)/.installed ## try the page of tsc inspect --html in Chromium, which must be on the PATH
	TSC_BROWSER=1 $(BIN)/python -m pytest -n 0 tests/inspection/test_page_in_browser.py

bench: $(ORACLE)/.installed ## measure against PyTorch in the same run, as ratios
	$(ORACLE)/bin/python -m bench

clean: ## remove what the targets made
	rm -rf $(VENV) $(ORACLE) .pytest_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info
