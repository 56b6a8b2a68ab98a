# Every target works on a fresh machine with Python 3.11, make and network access. Setup is included and prints
# nothing if there is nothing to do.
#
#   make serve     run the server with all protocols on a SQLite file      PORT=8080 HOST=127.0.0.1 DATA=data ARGS=
#   make test      run all checks and tests: interpreted, compiled and in a browser
#   make check     format, lint, types, fast tests: under a minute
#   make coverage  show how much of rules, wires, tables and store the fast tests cover
#   make nightly   run everything, including packages, long random tests, goals, fuzzing and a fresh clone  FUZZ=60
#   make bench     measure the speed                                       ARGS=
#   make chaos     measure the permanent goals of docs/security.md         SIZE=full ARGS=
#   make format    format the sources
#   make dist      build an sdist and two wheels in dist/, and try each in an empty environment
#   make release   write CHANGELOG.md from changes/, and set the version   VERSION=
#   make clean     remove everything that was built here, except the data of a server
#
# There are two environments: .venv contains the sources (editable, interpreted) and the tools; .venv-compiled
# contains croupier as installed by users, with compiled rules if there is a C compiler. Both depend on the
# *content* of their inputs (build/*.inputs): touching a file or switching branches and back rebuilds nothing.
# Compiling takes minutes, so the first `make serve` runs from .venv and compiles in the background for the next one.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8080
DATA ?= data
ARGS ?=
JOBS ?= 2
FUZZ ?= 60
SIZE ?= full

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Without bytecode, every server started by a test, and every test file, would be compiled again.
unexport PYTHONDONTWRITEBYTECODE

PY := .venv/bin/python
COMPILED := .venv-compiled/bin/python
PACKED := $(wildcard web src/croupier README.md LICENSE examples docs/ops) scripts/verify_record.py pyproject.toml \
          hatch_build.py
# The tests that `make check` runs, with a fifth of the random examples.
FAST := not (slow or browser or compiled)
CHECKED := src benchmarks chaos tests conftest.py hatch_build.py $(sort $(dir $(wildcard examples/*.py fuzz/*.py scripts/*.py)))
COMMA := ,
# A test of real time may be late on a busy machine: a failed one is repeated once, and the last line counts the
# repetitions.
REPEAT := --reruns 1
say = @echo "== $(1)"
# Make the targets $(1) in the background, without set-up, and $(2) at the same time.
beside = $(MAKE) -s READY=1 $(1) >build/beside.log 2>&1 & beside=$$!; \
    $(MAKE) -s $(2); failed=$$?; wait $$beside || failed=$$?; cat build/beside.log; exit $$failed

.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: serve test check coverage nightly bench chaos format dist release clean set-up packages \
        format-check lint types pages-check fast-tests slow-tests browser-tests compiled-tests long-tests goals fuzz \
        compiling FORCE

serve: build/packed.inputs
	@[ .venv-compiled/.ready -nt $< ] || $(MAKE) -s .venv/.ready-serve .venv/.ready-pages
	@exec scripts/setup.sh serve --host $(HOST) --port $(PORT) --data $(DATA) $(ARGS)

# The rules are compiled in parallel with the first stages, most of which use one core or wait. The slow tests mostly
# wait for processes: they run in parallel with the others, and their output is shown at the end.
test: packages .venv/.ready-serve .venv/.ready-pages compiling set-up format-check lint types pages-check
	@$(call beside,slow-tests,coverage compiled-tests browser-tests)
	$(call say,all is well)

check: set-up format-check lint
	@$(call beside,types pages-check,fast-tests)

nightly: test dist long-tests goals fuzz
	@scripts/fresh-machine.sh serve
	$(call say,all is well)

bench: .venv-compiled/.ready-dev
	@.venv-compiled/bin/croupier bench $(ARGS)

chaos: .venv-compiled/.ready-dev
	@$(COMPILED) -m chaos --size $(SIZE) $(ARGS)

format: set-up
	@$(PY) -m ruff format -q $(CHECKED)
	@$(PY) -m ruff check -q --fix $(CHECKED)

dist: set-up
	$(call say,an sdist and two wheels into dist/)
	@rm -rf dist
	@$(PY) -m hatchling build -t sdist >build/sdist.log 2>&1
	@CROUPIER_PURE=1 scripts/setup.sh pip .venv wheel --no-deps -w dist .
	@scripts/setup.sh pip .venv wheel --no-deps -w dist .
	@ls dist/*-cp*.whl >/dev/null 2>&1 || { cat build/rules.log >&2; exit 1; }
	$(call say,each installed into an empty environment)
	@$(PY) scripts/try_package.py compiled dist/*-cp*.whl tutorials
	@$(PY) scripts/try_package.py interpreted dist/*-none-any.whl
	@CROUPIER_PURE=1 $(PY) scripts/try_package.py interpreted dist/*.tar.gz

release:
	@$(PYTHON) scripts/release.py "$(VERSION)"

clean:
	rm -rf build dist .venv .venv-compiled src/croupier/pages web/node_modules web/dist \
	       .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov test-results
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

compiling: build/packed.inputs
	@mkdir -p build; scripts/setup.sh compiled >build/compile.log 2>&1 &

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
	@$(PY) -m pytest -q -n $(JOBS) --hypothesis-profile=check -m "$(FAST)"

coverage: set-up
	$(call say,fast tests$(COMMA) interpreted$(COMMA) with coverage)
	@$(PY) -m coverage erase
	@$(PY) -m coverage run -m pytest -q -n $(JOBS) $(REPEAT) -m "$(FAST)"
	@$(PY) -m coverage combine -q
	@for area in core games wire table store; do \
	    echo "== coverage of $$area: `$(PY) -m coverage report --format=total --include="src/croupier/$$area/*"` %"; done

# Tests marked nightly, and twenty times as many random examples.
long-tests: set-up .venv-compiled/.ready-dev
	$(call say,long tests)
	@$(PY) -m pytest -q -n $(JOBS) --dist worksteal -m "nightly and not compiled"
	@$(COMPILED) -m pytest -q -n $(JOBS) --dist worksteal -m "nightly and compiled" tests --pyargs croupier
	$(call say,random tests at length)
	@$(PY) -m pytest -q -n $(JOBS) -m hypothesis --hypothesis-profile=nightly

# The permanent goals at a size between that of the tests and that of `make chaos`.
goals: .venv-compiled/.ready-dev
	$(call say,the permanent goals of docs/security.md)
	@$(COMPILED) -m chaos --size nightly -o build/chaos-report.md

fuzz: set-up
	@scripts/setup.sh pip .venv install atheris
	@for target in fuzz/*.py; do echo "== fuzzing: $$target for $(FUZZ) s"; \
	    $(PY) $$target -max_total_time=$(FUZZ) >build/fuzz.log 2>&1 || { tail -n 40 build/fuzz.log >&2; exit 1; }; done

slow-tests: set-up
	$(call say,slow tests$(COMMA) interpreted)
	@$(PY) -m pytest -q -n $$(( $(JOBS) + 1 )) --dist worksteal $(REPEAT) -m "slow and not (browser or compiled or nightly)"

browser-tests: set-up
	$(call say,tests in a browser)
	@$(PY) -m pytest -q -n $$(( $(JOBS) + 1 )) --dist worksteal $(REPEAT) -m "browser and not compiled"

# --pyargs runs the games' tests from the installed package: those under src/ would import src/.
compiled-tests: .venv-compiled/.ready-dev
	$(call say,tests of the rules$(COMMA) parity$(COMMA) compiled)
	@$(COMPILED) -m pytest -q -n $(JOBS) --dist worksteal $(REPEAT) -m "(compiled or rules) and not nightly" tests --pyargs croupier

# ---- set-up -----------------------------------------------------------------------------------------------

set-up: $(if $(READY),,.venv/.ready .venv/.ready-pages)

packages:
	@scripts/setup.sh packages

.venv/.made:
	$(call say,set-up: a Python environment in .venv)
	@scripts/setup.sh venv .venv

.venv/.ready-serve: .venv/.made build/editable.inputs build/serve.txt
	$(call say,set-up: the server into .venv)
	@CROUPIER_PURE=1 CROUPIER_NO_WEB=1 scripts/setup.sh pip .venv install -r build/serve.txt -e .
	@touch $@

.venv/.ready-pages: .venv/.ready-serve build/pages.inputs
	$(call say,set-up: the pages)
	@$(PY) hatch_build.py pages
	@touch $@

.venv/.ready: .venv/.ready-serve build/tools.txt
	$(call say,set-up: the tools into .venv)
	@scripts/setup.sh pip .venv install -r build/tools.txt
	@touch $@

.venv-compiled/.ready: build/packed.inputs
	$(call say,set-up: croupier into .venv-compiled (the first time takes some minutes: the rules are compiled))
	@scripts/setup.sh compiled

# Uses the tools of .venv: a path in a .pth file comes last and does not import the editable croupier.
.venv-compiled/.ready-dev: .venv-compiled/.ready .venv/.ready
	@$(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	    >"`$(COMPILED) -c 'import sysconfig; print(sysconfig.get_path("purelib"))'`/tools.pth"
	@touch $@

# A list of checksums, rewritten only if it changes. The package also depends on the compiler settings.
sums = find $(1) \( -name node_modules -o -name __pycache__ -o -path src/croupier/pages \) -prune -o -type f -exec cksum {} +
keep = @mkdir -p build; { $(1); } | sort >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

build/editable.inputs: FORCE
	$(call keep,$(call sums,pyproject.toml src/croupier/__init__.py))

build/pages.inputs: FORCE
	$(call keep,$(call sums,hatch_build.py $(wildcard web src/croupier/games/*/texts src/croupier/games/*/rules*.md src/croupier/texts)))

build/packed.inputs: FORCE
	$(call keep,$(call sums,$(PACKED)); echo "pure=$(CROUPIER_PURE) no-web=$(CROUPIER_NO_WEB) cc=`command -v $${CC:-cc}`")

# Requirements of the server and of building its pages; additional requirements of tests and checks.
requirements = $(PYTHON) -c 'import tomllib; found = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*found["dependencies"], *(one for one in found["optional-dependencies"]["dev"] if $(1)), sep="\n")'

build/serve.txt: FORCE
	$(call keep,$(call requirements,one.startswith(("hatchling"$(COMMA) "nodejs"))))

build/tools.txt: FORCE
	$(call keep,$(call requirements,True))
