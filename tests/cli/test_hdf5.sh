#!/usr/bin/env bash
# HDF5 files, as h5py reads them: the numbers of the CSV file bit for bit, whole and cut.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
python=/usr/bin/python3 # Debian's: python3-h5py is a package of it
if ! $python -c 'import h5py' 2>/dev/null; then
    echo "h5py is missing (Debian: python3-h5py): skipped"
    exit 77
fi
same() { $python "$here/../formats/read_hdf5.py" "$@" || fail "$*"; }

record() # NAME ARGUMENTS...: the same run into NAME.csv and NAME.h5
{
    local name=$1
    shift
    code 0 "$@" --quiet -o "$name.csv"
    code 0 "$@" --quiet -o "$name.h5"
    silent out err
    absent "$name.h5.partial"
}

record spring run scenes/spring.yaml --set pull=3
same spring.h5 spring.csv "title=Spring-pulled mass" "version=$("$stiction" --version)" \
    "path=scenes/spring.yaml" "scene=record: [block.x" "changes=pull=3" t:units=s \
    channels/block.v:units=m/s channels/friction.force:units=N parameters:friction.level=10.0
record arm run scenes/arm.yaml
same arm.h5 arm.csv 'title="in quotes" \ and ü' channels/arm.joint0.q:units=rad
record few run scenes/spring.yaml --set every=4000
same few.h5 few.csv
record models compare scenes/spring.yaml --models karnopp,quinn
same models.h5 models.csv channels/block.v@quinn:units=m/s
record grid run scenes/grid.yaml
same grid.h5 grid.csv channels/friction.force:units=N

# Not the same: the reader notices.
sed '3s/.$/7/' spring.csv >other.csv
$python "$here/../formats/read_hdf5.py" spring.h5 other.csv 2>/dev/null && fail "other numbers pass"

rows_are_whole() # FILE: without a gap, all channels as long as t
{
    $python - "$1" <<'PYTHON'
import sys
import h5py
with h5py.File(sys.argv[1], "r", swmr=True) as file:
    t = file["t"][:]
    assert len(t) > 100 and all(abs(t[k] - 0.05 * k) < 1e-9 for k in range(len(t))), len(t)
    for channel in file["channels"].values():
        values = channel[: len(t)]
        assert len(values) == len(t) and not (values != values).any()
PYTHON
}

# While it grows, and cut by SIGKILL or Ctrl-C: all rows that are older than half a second.
for signal in KILL INT; do
    rm -f cut.h5.partial
    "$stiction" run scenes/long.yaml --quiet --set every=50 -o cut.h5 2>/dev/null &
    process=$!
    sleep "0.$((RANDOM % 4 + 6))"
    [ $signal = INT ] || rows_are_whole cut.h5.partial || fail "while it grows"
    kill -s $signal $process
    wait $process 2>/dev/null
    absent cut.h5
    rows_are_whole cut.h5.partial || fail "after $signal"
done
code 1 run scenes/diverges.yaml -o bad.h5 # closed in order: opens without more ado
absent bad.h5
$python -c 'import h5py; assert len(h5py.File("bad.h5.partial")["t"]) > 1' || fail "after a failed step"

# A disk that is full: an error, no crash, and what was flushed is there.
(
    ulimit -f 400
    "$stiction" run scenes/long.yaml --quiet -o full.h5 2>err
    [ $? -eq 3 ]
) || fail "a full disk does not give 3"
says err "cannot write full.h5: File too large"
absent full.h5
$python -c 'import h5py; h5py.File("full.h5.partial", "r", swmr=True)["t"][:]' || fail "not readable"
(
    ulimit -f 0
    "$stiction" run scenes/spring.yaml --quiet -o none.h5 2>/dev/null
    [ $? -eq 3 ]
) || fail "no room does not give 3"
absent none.h5
code 3 run scenes/spring.yaml -o nowhere/out.h5
says err "cannot write nowhere/out.h5: No such file or directory"
finish
