#!/usr/bin/env bash
# wheel.sh PYTHON SOURCE: a source archive and one wheel for all Pythons from 3.11 on, both of which work.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
git -C "$2" archive --prefix=source/ HEAD | tar -x -C "$here"
"$1" -m build --no-isolation --outdir "$here/dist" "$here/source"
ls -l "$here/dist"
ls "$here/dist" | grep -qE '^stiction-.*-cp311-abi3-linux_.*\.whl$'
"$1" -m venv --system-site-packages "$here/venv"
"$here/venv/bin/pip" install --quiet --no-index "$here"/dist/*.whl
cd "$here"
"$here/venv/bin/python" -c 'import doctest, stiction, sys; print(stiction.__file__); sys.exit(doctest.testmod(stiction).failed)'
