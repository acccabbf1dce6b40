#!/usr/bin/env bash
# What a careless or a hostile file may say: an error with a place, never a crash, a hang or silence.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

soon() # as code, within 20 s
{
    local wanted=$1 got
    shift
    timeout 20 "$stiction" "$@" >out 2>err
    got=$?
    [ "$got" -eq "$wanted" ] || fail "stiction $* ended with $got, not $wanted: $(cat err)"
}

scene() # NAME, text from standard input behind a body and its friction
{
    cat >"$1"
}

scene links.yaml <<'S'
stop: 1
bodies:
  r: {kind: robot, links: [[1], {name: c, parent: d, mass: 1, inertia: [1, 1, 1]}]}
S
soon 2 check links.yaml
says err "links.yaml:3:28: error: a link must be a map"

scene quaternion.yaml <<'S'
stop: 1
bodies: {b: {kind: rigid, mass: 1, inertia: [1, 1, 1], attitude: [0, 0, 0, 0]}}
S
soon 2 check quaternion.yaml
says err "attitude must not be zero"

scene late.yaml <<'S'
start: 1e17
stop: 1.00000000000000032e17
step: 1
bodies: {b: {kind: point, mass: 1}}
S
soon 2 check late.yaml
says err "cannot be told apart"

scene short.yaml <<'S'
stop: 1
method: {adaptive: dormand-prince, longest_step: 1e-300}
bodies: {b: {kind: point, mass: 1}}
S
soon 2 run short.yaml
says err "longest_step"

# Pipes that nobody writes to, devices that never end.
mkfifo pipe
soon 2 check pipe
says err "nothing came out of this pipe"
soon 2 check /dev/zero
says err "it is a device"
soon 3 plot pipe --y x -o out.svg
soon 3 report /dev/zero -o out.html
(cat scenes/plain.yaml >pipe &)
soon 0 check pipe
scene robot.yaml <<'S'
stop: 1
bodies: {arm: {kind: robot, urdf: pipe}}
S
soon 2 check robot.yaml
sed -i 's/pipe/\/dev\/zero/' robot.yaml
soon 2 check robot.yaml

# Text that steers a terminal is shown, not obeyed.
printf 'title: "a\\e]0;owned\\a\\x9b31mb"\nstop: 0.01\nbodies: {b: {kind: point, mass: 1}}\n' >title.yaml
soon 0 run title.yaml
if LC_ALL=C grep -q "$(printf '\033')" out err || LC_ALL=C grep -q "$(printf '\302\233')" out; then fail "a title steers the terminal"; fi
printf 't,a\033[31mb\n0,1\n1,x\n' >header.csv
soon 2 plot header.csv --y c -o out.svg
if grep -q "$(printf '\033')" out err; then fail "a header steers the terminal"; fi

# A large scene is read: more than 100 000 values.
{
    echo "stop: 0.001"
    echo "bodies:"
    for i in $(seq 1 9000); do echo "  b$i: {kind: rigid, mass: 1, inertia: [1, 1, 1], position: [$i, 0, 0]}"; done
} >large.yaml
soon 0 check large.yaml

# Confined scenes read nothing outside.
mkdir inside
printf 't,x\n0,1\n1,2\n' >inside/near.csv
cp inside/near.csv far.csv
ln -s ../far.csv inside/link.csv
confined() { printf 'stop: 1\ninputs: {u: {csv: %s, column: x}}\nbodies: {b: {kind: point, mass: 1}}\nelements: {f: {kind: force, on: b, value: u}}\n' "$1" >inside/scene.yaml; }
confined near.csv
soon 0 check inside/scene.yaml --confine inside
for file in ../far.csv link.csv "$PWD/far.csv" /etc/passwd nothing.csv; do
    confined "$file"
    soon 2 check inside/scene.yaml --confine inside
    says err "is not a file within inside"
done
confined ../far.csv
soon 0 check inside/scene.yaml
soon 2 check inside/scene.yaml --confine far.csv
says err "--confine needs a folder"

# A reference knows the files of its scene by what they hold, whatever they are called.
mkdir case
printf 't,x\n0,1\n1,2\n' >case/drive.dat
printf 'stop: 0.1\ninputs: {u: {csv: drive.dat, column: x}}\nbodies: {b: {kind: point, mass: 1}}\nelements: {f: {kind: force, on: b, value: u}}\nrecord: [b.x, b.v]\n' >case/scene.yaml
soon 0 reference case
printf 't,x\n0,1\n1,3\n' >case/drive.dat
soon 2 converge case --steps 1e-2,1e-3 --methods rk4 --reference case/reference.csv
says err "is of another problem"
printf 't,x\n0,1\n1,2\n' >case/drive.dat
soon 0 converge case --steps 1e-2,1e-3 --methods rk4 --reference case/reference.csv
grep -v '^#' case/reference.csv | cut -d, -f1,3 >columns
{ grep '^#' case/reference.csv; cat columns; } >case/less.csv
soon 2 converge case --steps 1e-2,1e-3 --methods rk4 --reference case/less.csv
says err "lacks a channel"

# A title that begins with a quote is drawn.
if command -v gnuplot >/dev/null; then
    soon 0 plot far.csv --y x --title "'tis, isn't it" -o quoted.svg --quiet
    grep -q "tis, isn" quoted.svg || fail "a title that begins with a quote is not drawn"
fi

# The same run, the same bytes; a foreign .h5 that claims more than it holds.
for ending in csv h5 mcap; do
    soon 0 run scenes/spring.yaml --quiet -o one.$ending
    sleep 1.1 # a clock of seconds would show
    soon 0 run scenes/spring.yaml --quiet -o two.$ending
    cmp one.$ending two.$ending || fail "other bytes in .$ending"
done
if python3 -c 'import h5py' 2>/dev/null; then
    python3 - <<'P'
import h5py
for name, rows, columns in (("huge.h5", 2**59, 32), ("long.h5", 500000000, 2)):
    with h5py.File(name, "w") as f:
        f.create_dataset("t", (rows,), maxshape=(None,), dtype="f8", chunks=(1024,))
        g = f.create_group("channels")
        for i in range(columns):
            g.create_dataset("c%d" % i, (rows,), maxshape=(None,), dtype="f8", chunks=(1024,))
P
    for file in huge.h5 long.h5; do
        soon 2 report $file -o out.html
        says err "has no rows"
        soon 2 plot $file --y c0 -o out.svg
    done
fi
finish
