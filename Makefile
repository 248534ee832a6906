# Everything lives in .venv. Its stamps depend on pyproject.toml alone, and the install is editable: when that file has not
# changed, nothing is installed again.

PY = .venv/bin/python
WORKERS = 2
PIP = $(PY) -m pip install --quiet --disable-pip-version-check --editable

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-13s%s\n", $$1, $$2}' Makefile

play: .venv/play ## set up and open the lobby; ARGS="host express" for any other command
	@$(PY) -m wuerfel_tui $(ARGS)

# The loopback interface alone: no test may announce a table to the network one sits in.
test: .venv/dev ## set up and run the tests; ARGS="-k gigi" for some of them
	@WUERFEL_INTERFACE=127.0.0.1 $(PY) -m pytest -n $(WORKERS) $(ARGS)

check: lint style types imports ## lint, format, types and import contracts

lint: .venv/dev
	$(PY) -m ruff check

style: .venv/dev
	$(PY) -m ruff format --check

# The variable: do not ask the network for a newer pyright.
types: .venv/dev
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(PY) -m pyright

imports: .venv/dev
	.venv/bin/lint-imports --no-logo

format: .venv/dev ## put the code in order
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

screenshots: .venv/screenshots ## take the pictures in screenshots/ again
	@$(PY) screenshots/take.py $(ARGS)

clean: ## remove the environment and all caches
	rm -rf .venv .hypothesis .import_linter_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

# PYTHON=… chooses; otherwise the first that is new enough and has venv (which Debian packages apart).
.venv/made:
	@for python in "$(PYTHON)" $(if $(PYTHON),,python3 python3.14 python3.13 python3.12 python3.11 python); do \
	  "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  echo "Setting up .venv with $$("$$python" --version); only the first time takes a while."; \
	  "$$python" -m venv --clear .venv && touch $@; exit; \
	done; \
	echo 'Python 3.11 or newer with venv is needed (Debian, Ubuntu: apt install python3-venv); make PYTHON=/path/to/python names one.' >&2; \
	exit 1

# Both extras contain what playing needs.
.venv/play: .venv/made pyproject.toml
	@$(PIP) .
	@touch $@

.venv/dev: .venv/made pyproject.toml
	@$(PIP) '.[dev]'
	@touch .venv/play $@

.venv/screenshots: .venv/made pyproject.toml
	@$(PIP) '.[screenshots]'
	@touch .venv/play $@

.PHONY: help play test check lint style types imports format screenshots clean
