# Two commands do everything on a fresh machine: `make app` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

# many small products: threads inside numpy only get in each other's way
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: app test check benchmarks screenshots

app: .venv/app
	$(BIN)/streamlit run serve.py

test: .venv/dev
	BIN=$(BIN) sh .ci/chromium
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2 -m "not browser"
	EQUIPOISE_BROWSER=required $(BIN)/python -m pytest -q -n 2 -m browser

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -m "not slow and not browser"

benchmarks: .venv/dev
	BIN=$(BIN) sh .ci/chromium
	$(BIN)/python -m benchmarks

screenshots: .venv/dev
	BIN=$(BIN) sh .ci/chromium
	$(BIN)/python -m docs.screenshots

.venv/bin/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Equipoise needs Python 3.11 or newer')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

.venv/app: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	touch $@

.venv/dev: requirements.txt requirements-dev.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	touch .venv/app $@
