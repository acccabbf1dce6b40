#!/usr/bin/env bash
# The tables of the design study: errors within a factor of 3, orders within 0.3 (papers/order).
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
papers=$here/../../papers/order

for folder in "$papers"/*/; do
    name=$(basename "$folder")
    [ -s "$folder/orders.csv" ] || fail "$name has no orders.csv"
    # A million steps take longer than short runs may.
    case $name in two-link | stiff | two-grounds) [ -n "${STI_TEST_SHORT-}" ] && continue ;; esac
    code 0 converge "$folder" --check "$folder/orders.csv"
    silent err # every reference is of its scene
done
finish
