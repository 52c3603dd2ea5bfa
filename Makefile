# Two commands do everything on a fresh machine: `make app` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

# many small products: threads inside numpy only get in each other's way
export OPENBLAS_NUM_THREADS ?= 1
# what is compiled once is kept: tests start hundreds of processes
export PYTHONDONTWRITEBYTECODE :=

# where rounding can decide: run once more as if on other processors; a rehearsal is held equal to
# runs on the same processor, and its refusals are whole numbers
ROUNDING := tests/golden tests/unit/markov tests/properties/test_markov.py \
	tests/unit/test_filtering.py tests/unit/test_posterior.py \
	tests/unit/test_consistency.py tests/properties/test_consistency.py \
	tests/unit/test_inference.py tests/properties/test_inference.py \
	tests/unit/test_methods.py tests/unit/test_parameters.py tests/properties/test_backoff.py \
	tests/properties/test_merging.py tests/properties/test_factors.py \
	tests/unit/privbayes tests/properties/test_privbayes.py \
	--ignore=tests/unit/privbayes/test_rehearsal.py

# what the inner loop leaves to `make test`: the app run through, other libraries, many processes
HEAVY := tests/browser tests/pages tests/doors tests/papers tests/statistical \
	tests/unit/sources/test_foreign.py tests/unit/sources/test_bif_pgmpy.py \
	tests/unit/sources/test_servers.py tests/unit/sources/test_bombs.py \
	tests/unit/sources/test_faults.py tests/unit/test_inference_rivals.py \
	tests/unit/test_workers.py tests/unit/test_parallel.py tests/unit/test_lessons.py \
	tests/unit/synthesis/test_ways.py tests/unit/privbayes/test_rehearsal.py \
	tests/release/test_cli_audit.py tests/release/test_neighbours.py \
	tests/release/test_command_line.py tests/release/test_card.py \
	tests/release/test_connected.py

# whatever needs a browser, and has a run of its own
BROWSER := tests/browser tests/unit/test_cli_figures.py

.PHONY: app test test-portable check benchmarks screenshots

app: .venv/app
	MALLOC_ARENA_MAX=1 $(BIN)/streamlit run serve.py  # memory of who left is given back

test: .venv/dev
	BIN=$(BIN) sh .ci/chromium
	sh .ci/servers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check -q .
	$(BIN)/mypy & types=$$!; \
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not browser" --ignore=tests/browser; \
	tests=$$?; \
	wait $$types && exit $$tests
	$(MAKE) test-portable
	EQUIPOISE_BROWSER=required $(BIN)/python -m pytest -q -n 2 --dist worksteal -m browser $(BROWSER)

# EQUIPOISE_PROCESSOR makes the tests refuse a run that is not what it says: see tests/processor.py
test-portable: .venv/dev
	NPY_DISABLE_CPU_FEATURES="$$($(BIN)/python .ci/dispatch)" OPENBLAS_CORETYPE=Nehalem \
		EQUIPOISE_PROCESSOR=plain \
		$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not browser" $(ROUNDING)
	if $(BIN)/python .ci/dispatch | grep -q X86_V3; then \
		OPENBLAS_CORETYPE=Haswell EQUIPOISE_PROCESSOR=haswell \
		$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not browser" $(ROUNDING); \
	else echo "no Haswell run: this processor lacks what those kernels need"; fi

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check -q .
	$(BIN)/mypy & types=$$!; \
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not browser" \
		$(HEAVY:%=--ignore=%); tests=$$?; \
	wait $$types && exit $$tests

benchmarks: .venv/dev
	BIN=$(BIN) sh .ci/chromium
	$(BIN)/python -m benchmarks

screenshots: .venv/dev
	BIN=$(BIN) sh .ci/chromium
	$(BIN)/python -m docs.screenshots

.venv/bin/python: pins/build.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Equipoise needs Python 3.11 or newer')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r pins/build.txt
	touch $@

# nothing is installed whose hash is not in pins/ (python -m docs.pins); what has no wheel is built
# with the pinned tools above; pip would compile one file after the other, and the packages' own tests
.venv/app: pins/app.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r pins/app.txt
	touch $@

.venv/dev: pins/app.txt pins/dev.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --no-compile --require-hashes --no-build-isolation -r pins/dev.txt
	$(BIN)/python -m compileall -qq -j 0 -x /tests/ .venv/lib
	touch .venv/app $@
