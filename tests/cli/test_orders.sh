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

# Zeros of margins that only dense output has end no mode: where they did, a joint held more than its limit for ever.
if [ -z "${STI_TEST_SHORT-}" ]; then
    code 0 converge "$papers/two-link" --methods dormand-prince,bogacki-shampine,verner,bdf \
        --tolerances 1e-4,1e-6 --scale 10 -o table.csv
    grep -v '^#' table.csv | awk -F, 'NR > 1 { ++rows; good += $6 < 1e-3 } END { exit !(rows == 8 && good == 8) }' ||
        fail "loose tolerances: $(cat table.csv)"
fi
finish
