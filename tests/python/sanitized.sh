#!/usr/bin/env bash
# sanitized.sh PYTHON BUILD COMPILER: the tests with an extension under the address sanitizer, whose library must be
# there before Python. Python's own memory is not looked at for leaks.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH=$2/python STICTION_SLOW=1 PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
LD_PRELOAD="$("$3" -print-file-name=libasan.so) $("$3" -print-file-name=libubsan.so)" \
    "$1" -m pytest -q -p no:cacheprovider --durations=5 -m "not slow" "$tests"
