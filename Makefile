# make kits: set up and build every game.    make test: set up, lint, types, tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: kits test test-all bench torture gallery check schema clean

kits: $(VENV)/.kits
	$(BIN)/kitwright build

test: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

test-all: test
	$(BIN)/pytest -m slow

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/run.py

torture: $(VENV)/.dev
	$(BIN)/python benchmarks/torture.py

gallery: $(VENV)/.dev
	$(BIN)/python docs/gallery.py

check: $(VENV)/.kits
	$(BIN)/kitwright check

schema: $(VENV)/.kits
	$(BIN)/kitwright schema --output .kitwright/schema

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .kitwright/cache

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Kitwright needs Python 3.11 or newer; try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.kits: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(VENV)/.kits
