#!/bin/sh
# run_examples.sh STICTION PAGE: what the page's examples expect comes true, variants included.
set -u
program=$1
page=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '
    /^```yaml$/ { file = sprintf("%s/example%d.yaml", folder, ++count); next }
    /^```csv /  { file = folder "/" $2; next }
    /^```/      { file = ""; next }
    file != ""  { print >file }' "$page"
failed=0
for scene in "$folder"/*.yaml; do
    variants=$("$program" check "$scene" | sed -n 's/.* variants\{0,1\}: //p' | tr -d ',')
    "$program" run "$scene" --quiet || { failed=1; cat "$scene"; }
    for variant in $variants; do
        "$program" run "$scene" --variant "$variant" --quiet || { failed=1; cat "$scene"; }
    done
done
exit $failed
