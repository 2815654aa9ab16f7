# All tasks of the project.  `make` alone lists them.  What they test and time is compiled.
PYTHON ?= python3
export OZA_COMPILE ?= now
BIN := .venv/bin
PYTEST := $(BIN)/pytest -n 2
READY := .venv/.ready
PEERS := _build/peers
TIMES := times-naive-bayes times-decision-stumps times-decision-trees times-neural-networks times-by-size
FAST := oza tests/test_layers.py tests/test_evaluation.py tests/test_significance.py tests/test_streams.py \
  tests/test_cli.py tests/datasets/test_catalogue.py tests/compare/test_own_data.py \
  tests/datasets/test_reading.py tests/experts/test_every.py tests/experts/test_winnow.py \
  tests/kernels/test_arithmetic.py tests/kernels/test_closure.py tests/kernels/test_random.py \
  tests/kernels/test_simd.py tests/models/test_contract.py tests/ensembles/test_voting.py \
  tests/ensembles/test_bagging.py tests/ensembles/test_combinations.py \
  tests/reproduction/claims/test_claims.py tests/reproduction/claims/test_criteria.py \
  tests/reproduction/claims/test_verdicts.py tests/reproduction/printed tests/reproduction/theory

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup book article pdf test test-fast test-all test-added test-long test-archive test-bounds pytest lint notebooks results times bench reliability peers-check conformance look lock portability python release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

setup: $(READY) ## create the environment in .venv, with the locked versions

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("oza needs Python 3.11 or later, and $(PYTHON) is " + sys.version.split()[0] + "; name another: make PYTHON=python3.12")'
	@echo "Setting up .venv (a minute or two, about 1.5 GB)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check pip==26.3 # that of Python 3.11 takes 15 s more
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

book: $(READY) ## execute the notebooks and build the book
	@$(BIN)/python -m tools.book

article: $(READY) ## print the article, ten pages about what holds, into _build/article.pdf
	@$(BIN)/python -m tools.article

pdf: ## print the built book into _build/oza.pdf (Chromium)
	$(BIN)/python -m tools.pdf

test: ## what a change must pass: style, types, unit tests, doctests, notebooks, one page of each kind
	@$(MAKE) --no-print-directory -j 2 lint pytest TESTS=-q

test-fast: ## what guards a change of one file: style, types, doctests, one quick test file of each kind
	@$(MAKE) --no-print-directory -j 2 lint pytest TESTS="-q $(FAST)"

test-all: ## before a release: all but the long tests
	@$(MAKE) --no-print-directory -j 2 lint pytest TESTS="-q -m 'not long' --durations 25"

test-added: ## only what test-all adds to test
	@$(MAKE) --no-print-directory pytest TESTS="-q -m 'full and not long' --durations 25"

test-long: ## only the long tests: soak, kills, fuzz, all pairs of ensemble and base model
	@$(MAKE) --no-print-directory pytest TESTS="-q -m long"

pytest: $(READY)
	$(PYTEST) $(TESTS)

test-archive: $(READY) ## only the tests that need files of the archive, from the folder OZA_DATA_MIRROR
	$(PYTEST) -m "archive and not long" tests

test-bounds: $(READY) ## unit tests of the kernels with bounds checks, which compiles them separately
	NUMBA_BOUNDSCHECK=1 $(PYTEST) tests/models tests/ensembles tests/experts tests/kernels/test_random.py

lint: $(READY) ## check style, types and words
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell README.md CONTRIBUTING.md CHANGELOG.md book notebooks oza
	$(BIN)/mypy

notebooks: $(READY) ## store the outputs of the book's runs in notebooks/, after a change of a cell
	$(BIN)/python tools/run_notebooks.py --refresh

results: $(READY) ## record the full protocol of every study in data/results
	$(BIN)/python -m reproduction run --profile thesis

times: $(READY) ## measure all running times again, and count missing work (20 minutes on an idle machine)
	$(BIN)/python -m reproduction run --again --profile thesis $(TIMES)
	$(BIN)/python -m reproduction run --profile thesis work

bench: $(READY) ## measure speed in comparison with the peers, memory and start-up time
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/grid.py
	$(BIN)/python -m benchmarks.beside
	$(BIN)/python -m benchmarks.pauses

reliability: $(READY) ## stop, kill and damage runs and results on purpose, and record what was lost (an hour)
	$(BIN)/python tools/reliability.py

peers-check: $(READY) ## record what other libraries' ensembles make of our splits and streams
	$(BIN)/python -m reproduction run --profile thesis independent-check
	$(BIN)/python benchmarks/independent.py
	$(BIN)/python -m benchmarks.current_peers

conformance: $(READY) $(PEERS)/.ready ## record which implementations do what the papers say (eleven minutes)
	$(BIN)/python -m benchmarks.conformance
	@for script in benchmarks/conformance/scripts/*.py; do $(PEERS)/bin/python $$script || exit 1; done
	$(BIN)/python -m benchmarks.conformance.experiments

$(PEERS)/.ready: benchmarks/conformance/peers.txt $(wildcard benchmarks/conformance/*.java)
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/conformance/peers.txt
	javac -nowarn -cp $(PEERS)/lib/python*/site-packages/capymoa/jar/moa.jar -d $(PEERS)/java benchmarks/conformance/*.java
	@touch $@

portability: $(READY) ## run what must have the same bits everywhere as on three other processors
	$(BIN)/python -m tools.portability

python: ## run the library's tests on another Python with the newest wheels: make python PYTHON=3.13
	tools/python.sh $(patsubst python%,%,$(PYTHON))

release: $(READY) ## set the version, build and check what would be published: make release VERSION=1.0.0
	$(BIN)/python -m tools.release $(VERSION)

look: book ## save screenshots of every page in _build/shots, light and dark, desktop and phone
	$(BIN)/python tools/shot.py

lock: ## update requirements.lock after a change of pyproject.toml, keeping compatible versions
	$(PYTHON) -m venv _build/uv
	_build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	_build/uv/bin/uv pip compile pyproject.toml --extra book --extra dev --universal --python-version 3.11 \
	  --generate-hashes --no-header --quiet --output-file requirements.lock

clean: ## remove all build products, but keep .venv and recorded results
	rm -rf _build book/executed dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
