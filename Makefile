# adjudicator: everything a person or a CI runs. `make` lists the targets.
#
# Nothing is installed outside .venv. Two stamp files in it say what is installed already, so the second time
# nothing is downloaded: RUN is what the service needs, DEV what its development needs besides. Works with GNU
# make 3.81 and later.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.run-installed
DEV    := $(VENV)/.dev-installed
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help setup demo test check serve lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(DEV) ## make .venv with everything locked in requirements/ (PYTHON=python3.12 picks another Python)

demo: $(RUN) ## start a service, adjudicate the examples over HTTP, print the winners, stop
	@$(BIN)/adjudicator demo --force

test: $(DEV) ## run all tests
	@$(BIN)/python -m pytest

check: $(DEV) ## format, lint, types, import directions and tests, as CI does
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

serve: $(RUN) ## run the service here until Ctrl-C
	@$(BIN)/adjudicator serve

lock: ## resolve the requirements anew (needs uv; commit the two files)
	uv pip compile --universal --python-version 3.11 --prerelease=if-necessary-or-explicit --no-emit-index-url \
		--generate-hashes --no-header -o requirements/runtime.txt pyproject.toml
	uv pip compile --universal --python-version 3.11 --prerelease=if-necessary-or-explicit --no-emit-index-url \
		--generate-hashes --no-header --group dev -c requirements/runtime.txt -o requirements/dev.txt pyproject.toml

clean: ## remove .venv and everything that tools left behind
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis demo-output

$(RUN): requirements/runtime.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "adjudicator needs Python 3.11 or later; $(PYTHON) is not: try make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { \
		echo "$(PYTHON) has no venv module: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@echo "installing what the service needs into $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@# the build tool is locked with the development tools: one entry of that lock, up to its last hash
	@awk '/^setuptools==/ { found = 1 } found { print } found && !/\\$$/ { exit }' requirements/dev.txt \
		> $(VENV)/build-requirements.txt
	@$(PIP) --require-hashes -r requirements/runtime.txt -r $(VENV)/build-requirements.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(RUN)

$(DEV): requirements/dev.txt $(RUN)
	@echo "installing what development needs into $(VENV)"
	@$(PIP) --require-hashes -r requirements/dev.txt
	@touch $(DEV)
