#!/usr/bin/env bash
# Plots in the terminal: they show the recorded numbers, fit the width, and appear only where they
# are wanted. Needs script(1) and python3.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
python=/usr/bin/python3
if ! script -qec true /dev/null >/dev/null 2>&1 || ! $python -c pass 2>/dev/null; then
    echo "script(1) or python3 is missing: skipped"
    exit 77
fi
unset COLUMNS LC_ALL LC_CTYPE
export LANG=C.UTF-8 NO_COLOR=1 TERM=xterm

on_terminal() # COLUMNS ARGUMENTS...
{
    local columns=$1
    shift
    script -qec "stty cols $columns; $stiction $*" /dev/null </dev/null 2>&1 | tr -d '\r' >out
}
drawn() { grep -q $'\u2524' out; }

code 0 run scenes/spring.yaml --quiet -o spring.csv
for columns in 80 57 200; do
    on_terminal $columns run scenes/spring.yaml
    says out "block.x, m"
    says out "block.v, m/s"
    says out "friction.force, N"
    says out "stuck"
    # Every recorded value has its dot, and no line is too long.
    $python - "$columns" <<'PYTHON' || fail "at $columns columns"
import csv, sys
width = min(int(sys.argv[1]), 120)
lines = open("out", encoding="utf-8").read().splitlines()
rows = list(csv.DictReader(open("spring.csv")))
assert max(map(len, (l for l in lines if "\u2524" in l or "\u2588" in l))) <= width
BITS = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
for name, unit in (("block.x", "m"), ("block.v", "m/s"), ("friction.force", "N")):
    start = lines.index(f"  {name}, {unit}") + 1
    plot = [line.split("\u2524") for line in lines[start:start + 4]]
    values = [float(row[name]) for row in rows]
    least, greatest = min(values), max(values)
    assert plot[0][0].strip() == "%.4g" % greatest and plot[3][0].strip() == "%.4g" % least, plot
    cells = [[ord(sign) - 0x2800 for sign in line[1]] for line in plot]
    last = 2 * len(cells[0]) - 1
    for k, value in enumerate(values):
        x = int(k / (len(values) - 1) * last + 0.5)
        y = int((greatest - value) / (greatest - least) * 15 + 0.5)
        assert cells[y // 4][x // 2] & BITS[x % 2][y % 4], (name, k)
band = next(l for l in lines if l.strip().startswith("friction ") and ("\u2588" in l or "\u2591" in l))
signs = band[12:]
for k, row in enumerate(rows):
    cell = signs[int(k / (len(rows) - 1) * (2 * len(signs) - 1) + 0.5) // 2]
    assert cell in ("\u2588\u2593" if float(row["friction.stick"]) else "\u2591\u2593"), k
PYTHON
done

on_terminal 80 run scenes/plain.yaml # few steps: joined by lines
drawn || fail "nothing for a short run"
sed 's/stop: 4/stop: 0.003/; /^expect/,$d' scenes/spring.yaml >short.yaml
on_terminal 80 run short.yaml
drawn || fail "nothing for three steps"
on_terminal 80 run scenes/arm.yaml
says out "arm.joint0.q, rad"
says out " arm.joint0.friction "
sed "s/  friction:/  friction-with-a-long-name:/" scenes/arm.yaml >long-name.yaml
sed -i "/^record/d" long-name.yaml
on_terminal 80 run long-name.yaml
grep -q " …[^ ]*name " out || fail "the end of a long name"
NO_COLOR='' on_terminal 80 run scenes/spring.yaml
drawn || fail "nothing in colour"

for arguments in "--no-plot" "--quiet" "-o file.csv"; do
    # shellcheck disable=SC2086 # words
    on_terminal 80 run scenes/spring.yaml $arguments
    drawn && fail "plots in spite of $arguments"
done
on_terminal 30 run scenes/spring.yaml
drawn && fail "plots in 30 columns"
LANG=C on_terminal 80 run scenes/spring.yaml
drawn && fail "plots without Unicode"
TERM=dumb on_terminal 80 run scenes/spring.yaml
drawn && fail "plots on a dumb terminal"
code 0 run scenes/spring.yaml
drawn && fail "plots in a file"
finish
