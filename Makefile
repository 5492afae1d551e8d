# Every target makes what it needs: `make try` and `make test` work on a fresh checkout.
#
#   make try       answer one ticket with the embedded checkpoint
#   make test      run the tests            (make test EXTRAS=openvino,hub to install extras first)
#   make lint      ruff and mypy
#   make format    let ruff rewrite what it can
#   make test-clients   the tests of foreign clients against the server, with the one for JavaScript (needs node and npm)
#   make test-training  the tests of what the recipe does in torch (installs torch)
#   make fuzz-server    let schemathesis ask the server whatever its OpenAPI document allows, and more
#   make bench     measure against the peer (needs PEER_PYTHON, an interpreter that has it)
#   make fuzz      the property tests with FUZZ times their examples
#   make soak      some thousand mixed calls on one Router from 8 threads (not part of the tests)
#   make eval      accuracy and calibration on the development sets in DATA
#   make embedded  write the checkpoint NAME of the package from the float32 checkpoint folder WEIGHTS
#   make laya-train-embedded   adapt the trunk WEIGHTS, train the reader NAME, pack and calibrate (two hours; see training/)
#   make clean     remove the environment and everything that was built

PYTHON      ?= python3
VENV        ?= .venv
EXTRAS      ?=
DATA        ?= ../shared/data
CHECKPOINTS ?= build/checkpoints
TOKENIZER   ?= src/laya/data/english/tokenizer
PEER_PYTHON ?=
FUZZ        ?= 20
WEIGHTS     ?=
NAME        ?= english
MINUTES     ?= 42
ADAPT       ?= 21
THREADS     ?= 2
TICKET      ?= I was charged twice for order 4411, please send my money back before Friday.

BIN    := $(VENV)/bin
# the stamp of an installation is named after its extras, so that other extras install again
empty  :=
comma  := ,
JS     := tests/clients/js/node_modules
DEV    := $(VENV)/.installed-dev$(if $(EXTRAS),-$(subst $(comma),-,$(EXTRAS)))
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

# what the published trunk alone said of the same rows; with another --limit, what the trunk inside the checkpoint says
BESIDE  = $(if $(findstring --limit,$(ARGS)),,--beside benchmarks/results/matcher_$(1).json)

.PHONY: try test test-clients test-training lint format bench fuzz fuzz-server soak eval embedded laya-train-embedded clean
.DELETE_ON_ERROR:

try: $(VENV)/.installed
	$(BIN)/laya "$(TICKET)" --preset triage

test: $(DEV)
	$(BIN)/python -m pytest $(ARGS)

test-clients: $(DEV) $(JS)/.installed
	CI=true $(BIN)/python -m pytest tests/clients $(ARGS)

test-training: $(DEV)
	$(PIP) install torch
	$(BIN)/python -m pytest training/tests $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV)
	@test -n "$(PEER_PYTHON)" || { echo "make bench: set PEER_PYTHON to an interpreter that has the peer installed" >&2; exit 2; }
	$(BIN)/python benchmarks/make_checkpoints.py $(CHECKPOINTS) --tokenizer $(TOKENIZER)
	$(BIN)/python benchmarks/against_peer.py --peer-python $(PEER_PYTHON) --python $(BIN)/python --checkpoints $(CHECKPOINTS) $(ARGS)

fuzz: $(DEV)
	FUZZ=$(FUZZ) $(BIN)/python -m pytest -m hypothesis --timeout 3600 $(ARGS)

fuzz-server: $(VENV)/.installed-fuzz
	$(BIN)/python tools/fuzz_server.py --max-examples $(FUZZ) $(ARGS)

soak: $(DEV)
	$(BIN)/python benchmarks/router_soak.py $(ARGS)

eval: $(DEV)
	$(BIN)/python -m laya.evals --data $(DATA) $(call BESIDE,english) $(ARGS)
	$(BIN)/python -m laya.evals --data $(DATA) --model embedded/multilingual --report eval_multilingual \
		$(call BESIDE,multilingual) $(ARGS)

embedded: $(DEV)
	@test -d "$(WEIGHTS)" || { echo "make embedded: set WEIGHTS to a float32 checkpoint, see tools/build_embedded.py" >&2; exit 2; }
	$(BIN)/python tools/build_embedded.py $(WEIGHTS) $(NAME) $(ARGS)

laya-train-embedded: $(DEV)
	@test -d "$(WEIGHTS)" || { echo "make laya-train-embedded: set WEIGHTS to a trunk, see tools/trunk_bge.py and tools/trunk_e5.py" >&2; exit 2; }
	$(PIP) install torch
	LAYA_TRAINING_DATA=$(DATA) $(BIN)/python -m training build/$(NAME) --trunk $(WEIGHTS) --threads $(THREADS) \
		--adapt $(ADAPT) --minutes $(MINUTES) \
		$(if $(filter multilingual,$(NAME)),--languages --abroad 4 --draws 130000 --tau 50 10 3 --bits 4) $(ARGS)
	$(BIN)/python -m training.finish pack build/$(NAME)/run --trunk build/$(NAME)/adapted/trunk build/$(NAME)/fp32
	$(BIN)/python tools/build_embedded.py build/$(NAME)/fp32 $(NAME)
	LAYA_TRAINING_DATA=$(DATA) $(BIN)/python -m training.finish calibrate src/laya/data/$(NAME) \
		$(if $(filter multilingual,$(NAME)),--languages)

clean:
	rm -rf $(VENV) $(JS) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.pip:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade "pip>=25.1"
	touch $@

$(VENV)/.installed: $(VENV)/.pip pyproject.toml
	$(PIP) install --editable .
	touch $@

$(DEV): $(VENV)/.pip pyproject.toml
	$(PIP) install --editable "$(if $(EXTRAS),.[$(EXTRAS)],.)" --group dev
	touch $@ $(VENV)/.installed

$(VENV)/.installed-fuzz: $(VENV)/.pip pyproject.toml
	$(PIP) install --editable ".[server]" --group fuzz
	touch $@ $(VENV)/.installed

$(JS)/.installed: tests/clients/js/package-lock.json
	npm ci --prefix tests/clients/js --ignore-scripts --no-audit --no-fund
	touch $@
