# For people. CMake builds; `make help` lists what can be made.
PREFIX ?= /usr/local
JOBS := $(shell nproc)

BUILD_PACKAGES = gcc libc6-dev make cmake pkg-config libyaml-dev libexpat1-dev \
    libsundials-dev libhdf5-dev libcminpack-dev
DEMO_PACKAGES = gnuplot-nox nodejs npm
PEER_PACKAGES = g++ gnuplot-nox libmujoco-dev libode-dev libbullet-dev libsimbody-dev libdart-dev \
    libdart-external-ikfast-dev libsiconos-kernel-dev
PYTHON_PACKAGES = python3-dev python3-venv python3-setuptools python3-wheel python3-numpy
# libomp: OpenMP of clang; pytest, mypy: tests and stubs; yaml: scenes said again by a Plan; nbconvert, ipykernel, matplotlib: notebooks
TEST_PACKAGES = $(PYTHON_PACKAGES) python3-pytest python3-mypy mypy python3-yaml python3-build python3-nbconvert \
    python3-ipykernel python3-matplotlib python3-pandas \
    libcmocka-dev clang libclang-rt-14-dev libomp-dev nodejs npm chromium python3-h5py \
    gnuplot-nox

# A compiler for WebAssembly with its C library; dpkg-dev unpacks the sources of libyaml and expat
WASM_PACKAGES = clang lld wasi-libc libclang-rt-14-dev-wasm32 cmake make dpkg-dev

MPI_PACKAGES = libopenmpi-dev openmpi-bin

SOURCES = $(shell find include src scene study fit python tests examples bench -name '*.[ch]' 2>/dev/null)

# cmake starts makes of its own; they are not to be taken for parts of this one.
CMAKE = env -u MAKEFLAGS -u MAKELEVEL cmake

.NOTPARALLEL:
.PHONY: all wasm playground demo demo-packages figures test test-extended test-packages python bench bench-peers bench-python bench-web docs sweep-mpi \
    install format tidy clean help

all:
	@echo "Building the libraries, examples and benchmarks into build/"
	@$(CMAKE) --preset release -D STI_TESTS=OFF >/dev/null
	@$(CMAKE) --build --preset release -j $(JOBS)

demo: demo-packages all
	@mkdir -p out
	@echo "Reproducing the papers' simulations: expected against measured"
	@page=; [ -s build/page.html ] && page="--report out/reproduce.html"; \
	    build/stiction reproduce $$page >out/reproduce.txt; status=$$?; cat out/reproduce.txt; exit $$status
	@echo
	@echo "One of them under six friction models"
	@build/examples/spring_pull
	@if command -v gnuplot >/dev/null; then build/stiction plot out/spring_pull.csv --quiet \
	    --y finite-time.v,karnopp.v,elastic-coulomb.v,quinn.v \
	    --y finite-time.force,karnopp.force,elastic-coulomb.force,quinn.force \
	    --title "A block pulled by a spring: the pull ends at 2 s, the block should stop and stay" \
	    -o out/spring_pull.png; fi
	@echo
	@echo "Report:  out/reproduce.txt"
	@if [ -s build/page.html ]; then \
	    build/stiction run papers/modular/two-link --report out/two-link.html --quiet; \
	    echo "Figures: out/reproduce.html, all papers on one page; open it in a browser"; \
	    echo "Replay:  out/two-link.html, an arm that must stop and hold; open it in a browser"; \
	else echo "Pages:   none; they need nodejs and npm, with its registry in reach"; fi
	@echo "Figure:  out/spring_pull.png"
	@echo "Numbers: out/spring_pull.csv"

demo-packages:
	@scripts/install-packages $(BUILD_PACKAGES) $(DEMO_PACKAGES) || echo "Going on without them."

test: test-packages
	@scripts/run-tests

# The library as WebAssembly, for browsers and node.
wasm:
	@scripts/install-packages $(WASM_PACKAGES)
	@wasm/fetch-sources build-wasm/sources libyaml expat
	@echo "Building the WebAssembly module into build-wasm/"
	@$(CMAKE) -S wasm -B build-wasm -D CMAKE_TOOLCHAIN_FILE=$(CURDIR)/wasm/toolchain.cmake >/dev/null
	@$(CMAKE) --build build-wasm -j $(JOBS)
	@echo "Module: build-wasm/stiction.wasm, $$(gzip -9c build-wasm/stiction.wasm | wc -c) bytes gzipped; its functions: wasm/surface.h"

# The laboratory in the browser: one file, no server, no network.
playground: wasm
	@scripts/install-packages nodejs npm
	@web/build-page $$(command -v npm) $(CURDIR)/build-wasm/page.html
	@[ -s build-wasm/page.html ] || { echo "The playground needs npm with its registry in reach."; exit 1; }
	@node web/build-playground.js build-wasm/stiction.wasm out/playground/index.html
	@echo "Playground: out/playground/index.html; open it in a browser. Guide: docs/playground.md"

# Sweeps over processes, beside the usual program.
sweep-mpi:
	@scripts/install-packages $(BUILD_PACKAGES) $(MPI_PACKAGES)
	@echo "Building stiction-mpi into build/"
	@$(CMAKE) --preset release -D STI_TESTS=OFF -D STI_MPI=ON >/dev/null
	@$(CMAKE) --build --preset release -j $(JOBS) --target stiction_mpi
	@echo "Try it: mpirun -n 3 build/stiction-mpi sweep gripper-study -o runs.csv"

test-extended: test-packages
	@scripts/install-packages $(MPI_PACKAGES)
	@$(MAKE) --no-print-directory playground
	@scripts/run-tests extended $(FUZZ)

test-packages:
	@scripts/install-packages $(BUILD_PACKAGES) $(TEST_PACKAGES)

figures: demo-packages all
	@echo "Drawing the figures of README and docs into docs/figures/"
	@scripts/make-figures
	@echo "Drawing the figures of the scenes' READMEs"
	@scenes/figures.sh $(CURDIR)/build/stiction

# Debian's Python, where it is there, whatever else comes first in PATH.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
python:
	@scripts/install-packages $(BUILD_PACKAGES) $(PYTHON_PACKAGES)
	@echo "Building the Python package into build/python/"
	@$(CMAKE) --preset release -D STI_PYTHON=ON -D STI_PYTHON_PROGRAM=$(PYTHON) >/dev/null
	@$(CMAKE) --build --preset release -j $(JOBS) --target stiction_python_package
	@echo "To use it from here:  PYTHONPATH=$(CURDIR)/build/python $(PYTHON)"
	@echo "To install it:        $(PYTHON) -m venv --system-site-packages env"
	@echo "                      env/bin/pip install --no-index --no-build-isolation ."
	@echo "Guide: docs/python.md"

bench-python: python
	@PYTHONPATH=build/python $(PYTHON) bench/python_speed.py build/stiction

bench: all
	@for source in bench/*.c; do \
	    name=$$(basename $$source .c); \
	    echo "Measuring: $$name"; \
	    build/bench/$$name || exit 1; \
	done

# One by one: a simulator that cannot be had is skipped, and the results say so. To try, with few
# repetitions and one case, without touching bench/: make bench-peers PEERS="quick chain"
PEERS =
PEERS_INTO = $(if $(PEERS),out/peers,bench)
bench-peers:
	@scripts/install-packages $(BUILD_PACKAGES)
	@for package in $(PEER_PACKAGES); do \
	    scripts/install-packages $$package || echo "Going on without $$package."; \
	done
	@echo "Building stiction and the adapters into build-peers/"
	@$(CMAKE) -S bench/peers -B build-peers >/dev/null
	@$(CMAKE) --build build-peers --target bench_peers -j $(JOBS)
	@mkdir -p $(PEERS_INTO)/results
	@build-peers/bench_peers $(PEERS_INTO) $(PEERS)
	@if [ -z "$(PEERS)" ] && command -v gnuplot >/dev/null; then \
	    gnuplot -e "folder='bench/results'" bench/peers/figures.gp; \
	fi
	@if [ -z "$(PEERS)" ] && $(CMAKE) --build build-peers --target compare_models -j $(JOBS) >/dev/null 2>&1; then \
	    echo "Robots that MuJoCo reads, too:"; \
	    build-peers/compare_models examples/robots/quadruped.xml examples/robots/arm.xml | tee bench/results/models.txt; \
	fi
	@if [ -z "$(PEERS)" ]; then scripts/join-results; fi
	@echo "Results: $(PEERS_INTO)/RESULTS.md; numbers and figures: $(PEERS_INTO)/results/"

# The newest simulators exist as WebAssembly: the same cases in node, stiction's own WebAssembly beside them. To try, as above:
# make bench-web WEB="quick two_link"
WEB =
WEB_INTO = $(if $(WEB),out/web-peers,bench/results)
bench-web: wasm
	@scripts/install-packages $(BUILD_PACKAGES) nodejs npm
	@scripts/fetch-npm bench/web || { echo "The simulators could not be fetched with npm." >&2; exit 1; }
	@mkdir -p $(WEB_INTO) build-peers
	@cc -O2 -I bench/peers -o build-peers/cases bench/web/cases.c bench/peers/runner/reference.c bench/peers/runner/reference_chain.c -lm
	@build-peers/cases >build-peers/cases.json
	@node --no-liftoff bench/web/run.mjs build-peers/cases.json $(WEB_INTO) build-wasm/stiction.wasm $(WEB)
	@if [ -z "$(WEB)" ]; then scripts/join-results; fi
	@echo "Results: $(if $(WEB),$(WEB_INTO)/web.md,bench/RESULTS.md)"

# The markdown as pages, with the playground in them.
docs: playground
	@scripts/fetch-npm docs/site || { echo "The markdown reader could not be fetched with npm." >&2; exit 1; }
	@rm -rf out/docs && mkdir -p out/docs && cp -r out/playground out/docs/playground
	@node docs/site/build.mjs . out/docs
	@echo "Docs: out/docs/index.html"

install: all
	@echo "Installing into $(DESTDIR)$(PREFIX)"
	@$(CMAKE) --install build --prefix $(PREFIX)

format:
	@echo "Formatting with clang-format"
	@clang-format -i $(SOURCES)

tidy:
	@echo "Checking src/ with clang-tidy"
	@$(CMAKE) --preset strict-clang >/dev/null
	@find src -name '*.c' | sort | xargs -P $(JOBS) -n 4 clang-tidy --quiet -p build-strict-clang

clean:
	@echo "Removing the build folders and out/"
	@rm -rf build build-* out

help:
	@echo "make                    build into build/"
	@echo "make demo               build, simulate a block pulled by a spring, draw it (out/)"
	@echo "make figures            draw the figures of README, docs and scenes anew"
	@echo "make test               all tests: release, sanitizers, strict warnings"
	@echo "make test-extended      the tests that take long"
	@echo "make bench              time per evaluation of each friction model"
	@echo "make bench-peers        the same cases through MuJoCo, ODE, Bullet, DART, Simbody, Siconos"
	@echo "make wasm               the library as WebAssembly, for browsers and node (build-wasm/)"
	@echo "make playground         scenes in the browser, as one file (out/playground/)"
	@echo "make sweep-mpi          build stiction-mpi: sweeps over many processes and machines"
	@echo "make python             the Python package, into build/python; make bench-python: its speed"
	@echo "make install PREFIX=..  install (default /usr/local; DESTDIR is respected)"
	@echo "make format             clang-format all sources"
	@echo "make tidy               clang-tidy all sources"
	@echo "make clean              remove what was built"
	@echo "demo and test install missing Debian packages (root or sudo)."
