# Every target works on a fresh machine with Python 3.11, make and the network, set-up included; set-up says
# nothing when there is nothing to do.
#
#   make serve     the server with everything it has, on a SQLite file     PORT=8080 HOST=127.0.0.1 DATA=data ARGS=
#   make test      everything: format, lint, types, all tests, interpreted, compiled and in a browser
#   make check     format, lint, types, fast tests: under a minute
#   make bench     how fast it is                                          ARGS=
#   make format    put the sources in order
#   make clean     remove all that was made here, except what a server stored
#
# Two environments: .venv holds the sources themselves (editable, interpreted) and the tools; .venv-compiled
# holds croupier as anybody would install it, rules compiled where there is a C compiler. Both follow the
# *content* of their inputs (build/*.inputs): touching a file or changing branches and back rebuilds nothing.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8080
DATA ?= data
ARGS ?=
JOBS ?= 2

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK = 1

PY := .venv/bin/python
COMPILED := .venv-compiled/bin/python
PACKED := $(wildcard web src/croupier README.md LICENSE) pyproject.toml hatch_build.py
CHECKED := src tests hatch_build.py $(sort $(dir $(wildcard examples/*.py fuzz/*.py scripts/*.py)))
COMMA := ,
say = @echo "== $(1)"

.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: serve test check bench format clean set-up packages \
        format-check lint types pages-check fast-tests slow-tests browser-tests compiled-tests FORCE

serve: .venv-compiled/.ready
	@exec .venv-compiled/bin/croupier serve --host $(HOST) --port $(PORT) --data $(DATA) $(ARGS)

test: packages set-up .venv-compiled/.ready-dev format-check lint types pages-check \
      fast-tests slow-tests browser-tests compiled-tests
	$(call say,all is well)

check: set-up format-check lint types pages-check fast-tests

bench: .venv-compiled/.ready-dev
	@.venv-compiled/bin/croupier bench $(ARGS)

format: set-up
	@$(PY) -m ruff format -q $(CHECKED)
	@$(PY) -m ruff check -q --fix $(CHECKED)

clean:
	rm -rf build dist .venv .venv-compiled src/croupier/pages web/node_modules web/dist \
	       .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov test-results
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- the stages of test and check -------------------------------------------------------------------------

format-check: set-up
	$(call say,format)
	@$(PY) -m ruff format -q --check $(CHECKED) || { echo "run: make format" >&2; exit 1; }

lint: set-up
	$(call say,lint)
	@$(PY) -m ruff check -q $(CHECKED)

types: set-up
	$(call say,types)
	@$(PY) -m mypy --no-error-summary $(CHECKED)

pages-check: set-up
ifneq ($(wildcard web/package.json),)
	$(call say,types and tests of the pages)
	@$(PY) hatch_build.py npm run --silent check
	@$(PY) hatch_build.py npm run --silent test
endif

fast-tests: set-up
	$(call say,fast tests$(COMMA) interpreted)
	@$(PY) -m pytest -q -n $(JOBS) -m "not (slow or browser or compiled)"

# Twice as many at once: most of them wait for servers and clocks.
slow-tests: set-up
	$(call say,slow tests$(COMMA) interpreted)
	@$(PY) -m pytest -q -n $$(( 2 * $(JOBS) )) -m "slow and not (browser or compiled)"

browser-tests: set-up
	$(call say,tests in a browser)
	@$(PY) -m pytest -q -n $(JOBS) -m "browser and not compiled"

# --pyargs takes the games' own tests from the installed package: those under src/ would import src/.
compiled-tests: .venv-compiled/.ready-dev
	$(call say,fast tests and parity$(COMMA) compiled)
	@$(COMPILED) -m pytest -q -n $(JOBS) -m "compiled or not (slow or browser)" tests --pyargs croupier

# ---- set-up -----------------------------------------------------------------------------------------------

set-up: .venv/.ready .venv/.ready-pages

packages:
	@scripts/setup.sh packages

.venv/.made .venv-compiled/.made:
	$(call say,set-up: $(@D))
	@scripts/setup.sh venv $(@D)
	@touch $@

.venv/.ready: .venv/.made build/editable.inputs
	$(call say,set-up: the sources and their tools into .venv)
	@CROUPIER_PURE=1 CROUPIER_NO_WEB=1 .venv/bin/pip install -q -e '.[dev]'
	@touch $@

.venv/.ready-pages: .venv/.ready build/pages.inputs
	$(call say,set-up: the pages)
	@$(PY) hatch_build.py pages
	@touch $@

.venv-compiled/.ready: .venv-compiled/.made build/packed.inputs
	$(call say,set-up: croupier into .venv-compiled (the first time takes some minutes: the rules are compiled))
	@.venv-compiled/bin/pip install -q .
	@[ ! -f build/rules.log ] || echo "`head -n 1 build/rules.log` (build/rules.log): the same matches, only slower"
	@touch $@

.venv-compiled/.ready-dev: .venv-compiled/.ready build/tools.txt
	@.venv-compiled/bin/pip install -q -r build/tools.txt
	@touch $@

build/tools.txt: pyproject.toml .venv-compiled/.made
	@$(COMPILED) -c 'import tomllib; print(*tomllib.load(open("$<", "rb"))["project"]["optional-dependencies"]["dev"], sep="\n")' >$@

# A list of checksums, rewritten only when it changes. What is packed also depends on how it is compiled.
sums = find $(1) \( -name node_modules -o -name __pycache__ -o -path src/croupier/pages \) -prune -o -type f -exec cksum {} +
keep = @mkdir -p build; { $(1); } | sort >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

build/editable.inputs: FORCE
	$(call keep,$(call sums,pyproject.toml src/croupier/__init__.py))

build/pages.inputs: FORCE
	$(call keep,$(call sums,hatch_build.py $(wildcard web)))

build/packed.inputs: FORCE
	$(call keep,$(call sums,$(PACKED)); echo "pure=$(CROUPIER_PURE) no-web=$(CROUPIER_NO_WEB) cc=`command -v $${CC:-cc}`")
