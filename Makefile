# adjudicator: everything a person or a CI runs. `make` lists the targets.
#
# Nothing is installed outside .venv. The second time nothing is downloaded: .venv/.installed is newer than
# what it was made from. Works with GNU make 3.81 and later.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup demo test check serve lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv with everything locked in requirements/ (PYTHON=python3.12 picks another Python)

demo: $(STAMP) ## start a service, adjudicate the examples over HTTP, print the winners, stop
	@$(BIN)/adjudicator demo

test: $(STAMP) ## run all tests
	@$(BIN)/python -m pytest

check: $(STAMP) ## format, lint, types, import directions and tests, as CI does
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

serve: $(STAMP) ## run the service here until Ctrl-C
	@$(BIN)/adjudicator serve

lock: ## resolve the requirements anew (needs uv; commit the two files)
	uv pip compile --universal --python-version 3.11 --prerelease=if-necessary-or-explicit --no-emit-index-url \
		--generate-hashes --no-header -o requirements/runtime.txt pyproject.toml
	uv pip compile --universal --python-version 3.11 --prerelease=if-necessary-or-explicit --no-emit-index-url \
		--generate-hashes --no-header --group dev -c requirements/runtime.txt -o requirements/dev.txt pyproject.toml

clean: ## remove .venv and everything that tools left behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis demo-output

$(STAMP): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "adjudicator needs Python 3.11 or later; $(PYTHON) is not: try make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { \
		echo "$(PYTHON) has no venv module: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)
