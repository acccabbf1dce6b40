#!/usr/bin/env bash
# package.sh PYTHON BUILD [PROGRAM]: pip installs the package as it is built into a new environment, which then runs
# the tests; stubs and annotations are checked.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
python=$1 build=$2
export STICTION_CMAKE_BUILD=$build STICTION_PROGRAM=${3-}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
"$python" -m venv --system-site-packages "$here/venv"
# A copy: pip leaves traces in the folder that it installs from.
mkdir "$here/source"
cp -r "$tests/../../"{setup.py,pyproject.toml,README.md,include,python} "$here/source"
"$here/venv/bin/pip" install --quiet --no-index --no-build-isolation "$here/source"
cd "$here"
"$here/venv/bin/python" -m pytest -q -p no:cacheprovider --durations=5 "$tests"
"$here/venv/bin/python" -m mypy.stubtest --concise --mypy-config-file "$here/source/pyproject.toml" stiction._core
"$here/venv/bin/python" -m mypy --config-file "$here/source/pyproject.toml" --strict --no-error-summary -p stiction
