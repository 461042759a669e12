PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(BIN)/.ready
ARGS ?=
TIMES ?= 1

# Compiled modules are kept, for programs start three times as fast with them, but not among the sources.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(abspath $(VENV))/pycache

.PHONY: help setup serve cluster play test check format soak goldens man pictures mutants peers lock release

help: ## list what make can do
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## make the environment in .venv (VENV=...) and nothing else

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v >= (3, 11) else "Python 3.11 or newer is needed, not %d.%d: try make PYTHON=python3.12" % v[:2])'
	@$(PYTHON) -c 'import sys; v = sys.version_info; v < (3, 16) or print("Python %d.%d is newer than those that Quatch was tested with, 3.11 to 3.15" % v[:2])'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "The venv module of Python is needed: on Debian and Ubuntu, apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $$(test -e $@ || echo --clear) $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock || { echo "The packages could not be installed: is there a network? Then give the same command again" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

serve: $(READY) ## run the server (ARGS="--port 2222")
	@exec $(BIN)/quatch serve $(ARGS)

cluster: $(READY) ## PostgreSQL with a standby, three nodes and HAProxy on this machine (ARGS=FOLDER)
	@exec deploy/cluster/local.sh $(ARGS)

play: $(READY) ## a game against AI players in this terminal
	@exec $(BIN)/quatch play $(ARGS)

test: $(READY) ## run the tests
	$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: $(READY) ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY) ## put the code into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak: $(READY) ## run the tests with the long tests in full (TIMES=8: a million simulated moves)
	SOAK=$(TIMES) $(BIN)/python -m pytest --timeout 3600 $(ARGS)

goldens: man pictures ## write the recorded games, screens, pictures and the manual page anew, after a change that is meant
	GOLDENS=write $(BIN)/python -m pytest -q tests/engine/test_playthroughs.py tests/server/render/test_goldens.py tests/server/replay/test_screens.py tests/server/lesson \
		tests/server/board/test_frame.py tests/server/bot_protocol/test_bots_page.py

man: $(READY) ## write the manual page anew: deploy/quatch.1
	$(BIN)/python deploy/manual_page.py >deploy/quatch.1

pictures: $(READY) ## record the screen and the game in deploy/pictures anew
	GOLDENS=write $(BIN)/python -m pytest -q tests/server/end_to_end/test_pictures.py

mutants: $(READY) ## break the engine in many small ways and see that the tests notice
	$(BIN)/python tests/mutants.py

peers: $(READY) ## random moves a second beside OpenSpiel's, which is installed for it
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r peers.lock
	$(BIN)/quatch bench engine $(ARGS)

release: ## try everything, build and tag VERSION=1.0.0 (BEFORE=COMMIT: what benchmarks are compared with)
	.ci/release "$(VERSION)" $(BEFORE)

lock: ## pin every package by hash anew (needs uv)
	uv pip compile --universal --generate-hashes --group dev --extra lan --extra postgresql pyproject.toml --no-header -o requirements.lock
	uv pip compile --universal --generate-hashes --group peers --no-header -o peers.lock
