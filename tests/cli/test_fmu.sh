#!/usr/bin/env bash
# FMUs as controllers: a loop closed by one against the same loop in closed form, mistakes with their places, and what is refused.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
python=/usr/bin/python3
[ -x $python ] || python=python3
TMPDIR=$work/temporary
export TMPDIR
mkdir "$TMPDIR"

# The force of an element is what it takes from side a: hence the sign.
cat >pd.yaml <<'YAML'
step: 1e-3
stop: 10
inputs: {q: {value: 0}, v: {value: 0}, r: {value: 0}, kp: {value: 40}, kd: {value: 3}}
bodies: {dummy: {kind: point, mass: 1}}
elements:
  pd: {kind: force, on: dummy, value: "kd*v - kp*(r - q)"}
  plain: {kind: actuator, on: dummy, command: r, gain: 1}
record: [pd.force, plain.force]
YAML
cat >plant.yaml <<'YAML'
step: 1e-3
stop: 1
parameters: {m: 1, x0: 0}
bodies: {block: {kind: point, mass: m, position: x0}}
elements:
  control:
    kind: fmu
    file: pd2.fmu
    period: 4e-3
    inputs: {q: block.x, v: block.v, r: "0.1 + t*t", kp: 60, kd: 3}
    outputs: {tau: pd.force, other: plain.force}
    set: {plain.gain: 1}
  push: {kind: force, on: block, value: control.tau}
record: [block.x, block.v, control.tau, control.other]
YAML
code 0 export pd.yaml -o pd2.fmu --quiet
code 0 export pd.yaml -o pd3.fmu --fmi 3 --quiet

# A mass under a force that is held for a period, from what was one period before.
judge='
    function abs(a) { return a < 0 ? -a : a }
    BEGIN { FS = ","; x = x0; v = 0 }
    NR > 1 {
        k = NR - 2
        if (k > 0) { x += h * v + h * h * f / (2 * m); v += h * f / m }
        if (k % n == 0) {
            if (k == 0) f = kp * (0.1 - x) - kd * v
            else f = next_f
            next_f = kp * (0.1 + (k * h) ^ 2 - x) - kd * v
        }
        off = abs($2 - x) + abs($3 - v) + (k % n == 0 ? 0 : abs($4 - f) / (kp + kd))
        if (!(off <= worst)) worst = off
    }
    END { if (NR != 1002 || !(worst < 1e-11)) { print NR, worst; exit 1 } }'
RANDOM=7
for trial in 1 2 3 4 5 6; do
    n=$((1 + RANDOM % 12)) kp=$((RANDOM % 300 + 1)) kd=$((RANDOM % 40)) m=$((1 + RANDOM % 5)).5 x0=0.$((RANDOM % 9))
    for version in 2 3; do
        code 0 run plant.yaml -o loop$version.csv --quiet --set control.file=pd$version.fmu --set control.period=${n}e-3 \
            --set control.inputs.kp=$kp --set control.inputs.kd=$kd --set m=$m --set x0=$x0
        awk -v h=1e-3 -v n=$n -v kp=$kp -v kd=$kd -v m=$m -v x0=$x0 "$judge" loop$version.csv ||
            fail "trial $trial, FMI $version: n $n, kp $kp, kd $kd, m $m, x0 $x0"
    done
    cmp loop2.csv loop3.csv || fail "FMI 2 and 3 give the same bits"
done

# A parameter, and two FMUs from one file that do not share a state.
code 0 run plant.yaml -o once.csv --quiet
code 0 run plant.yaml -o four.csv --quiet --set 'control.set={plain.gain: 4}'
paste -d, once.csv four.csv | awk -F, 'NR > 5 && !($10 == 4 * $5 && $5 != 0) { exit 1 }' || fail "a parameter is set"
sed -e '/^  push/i\  second: {kind: fmu, file: pd2.fmu, period: 2e-3, inputs: {q: block.x, r: 1}, outputs: {tau: pd.force}}' \
    -e 's/control.other]/control.other, second.tau]/' plant.yaml >two.yaml
code 0 run two.yaml -o two.csv --quiet
cut -d, -f1-5 two.csv | cmp - once.csv || fail "a second instance leaves the first alone"
code 0 check plant.yaml
says out control.tau

# Deflated members of every kind, folders, a comment at the end.
cat >make.py <<'PY'
import random, sys, zipfile
source, target, change = sys.argv[1:4]
random.seed(3)
with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
    new.comment = b"made anew"
    new.writestr(zipfile.ZipInfo("resources/empty/"), b"")
    for level in range(10):
        junk = bytes(random.choice(b"abcd" if level % 2 else bytes(range(256))) for i in range(3000 * level))
        new.writestr(f"resources/junk{level}", junk, zipfile.ZIP_DEFLATED, level)
    for item in old.infolist():
        data = old.read(item)
        if item.filename == "modelDescription.xml":
            text = data.decode()
            for pair in change.split("|") if change else []:
                before, after = pair.split("=>")
                assert before in text, before
                text = text.replace(before, after)
            data = text.encode()
        if "drop" in sys.argv and item.filename.startswith("binaries"):
            continue
        new.writestr(item.filename, data, zipfile.ZIP_DEFLATED)
    if "escape" in sys.argv:
        new.writestr("../escaped", b"x")
PY
for version in 2 3; do
    $python make.py pd$version.fmu small.fmu "" || fail make.py
    code 0 run plant.yaml -o small.csv --quiet --set control.file=small.fmu
    cmp small.csv once.csv || fail "a compressed FMU of FMI $version"
done

# Mistakes, each with its place.
mistake() # LINE:COLUMN TEXT ARGUMENTS...
{
    local place=$1 text=$2
    shift 2
    code 2 run plant.yaml "$@"
    says err "$text"
    [ -z "$place" ] || says err "plant.yaml:$place:"
}
cp plant.yaml good.yaml
with() { sed -e "$1" good.yaml >plant.yaml; }
with 's/pd2.fmu/none.fmu/'
mistake 8:11 "none.fmu cannot be read"
says err "1 error"
with 's/pd2.fmu/pd.yaml/'
mistake 8:11 "pd.yaml is no FMU: it is no ZIP archive"
with 's/q: block.x/qq: block.x/'
mistake 10:14 "pd2.fmu has no input 'qq'; did you mean 'q'?"
with 's/q: block.x/q: block.y/'
mistake 10:17 "block.y"
with 's/tau: pd.force/tau: pd.forse/'
mistake 11:20 "pd2.fmu has no output 'pd.forse'; did you mean 'pd.force'?"
with 's/tau: pd.force/tau: q/'
mistake 11:20 "'q' of pd2.fmu is no output: its causality is 'input'"
with 's/plain.gain: 1/plain.gian: 1/'
mistake 12:11 "pd2.fmu has no parameter 'plain.gian'; did you mean 'plain.gain'?"
with 's/outputs: .*/outputs: [pd.force]/'
mistake 11:15 "'pd.force' cannot be the name of an output"
with 's/4e-3/4.5e-3/'
mistake 9:13 "period must be a whole number of steps of 0.001 s, for example 0.005 s"
with 's/value: control.tau/value: control.tua/'
mistake 13:41 "'control.tua' is no output of the FMU 'control'; did you mean 'control.tau'?"
with 's/kind: force, on: block, value: control.tau/kind: actuator, on: block, command: control.tua/'
mistake "" "'control.tua' is no output of the FMU 'control'; did you mean 'control.tau'?"
with 's/^stop: 1/stop: 1\nmethod: {adaptive: dormand-prince}/'
mistake 7:3 "needs a fixed step"
with ''
change() # WORD ...: changes of the description
{
    $python make.py pd2.fmu changed.fmu "$@" || fail make.py
    with 's/pd2.fmu/changed.fmu/'
}
change '<CoSimulation=><Other'
mistake 8:11 "changed.fmu has no co-simulation: export it for co-simulation"
change 'fmiVersion="2.0"=>fmiVersion="1.0"'
mistake 8:11 "changed.fmu is of FMI 1.0; FMI 2.0 and 3.0 can be used"
change '' drop
mistake 8:11 "changed.fmu has no binary for this platform: binaries/"
change '<Real=><String'
mistake 10:14 "'q' of changed.fmu is a String; single numbers (Real, Integer) and truth values can be used"
head -c 100000 pd2.fmu >changed.fmu
mistake 8:11 "changed.fmu is no FMU"

# What an FMU refuses stops the run, with its reason; nothing stays behind.
change 'guid="=>guid="x'
code 1 run plant.yaml --quiet -o no.csv
says err "the FMU 'control': fmi2Instantiate failed (error): "
change '' escape
code 1 run plant.yaml --quiet
says err "cannot be unpacked"
[ ! -e "$TMPDIR/escaped" ] && [ ! -e escaped ] || fail "a member left the folder"
sed -e 's/value: "kd.*"/value: "ln(0.5 - r)"/' pd.yaml >bad.yaml
for version in 2 3; do
    code 0 export bad.yaml -o bad.fmu --fmi $version --quiet
    with 's/pd2.fmu/bad.fmu/;s/, kp: 60, kd: 3//'
    code 1 run plant.yaml --quiet -o no.csv
    says err "the FMU 'control': fmi${version}DoStep failed (error): "
done
with 's/r: "0.1 + t.t"/r: "1\/(t - 0.5)"/'
code 1 run plant.yaml --quiet
says err "its input r cannot be inf: it must be finite"

# Where its state would be lost, and where nothing foreign may run.
with ''
code 2 run plant.yaml --confine .
says err "plant.yaml:6:3: error: 'control' is an FMU, machine code of others that nothing confines"
for command in "export plant.yaml -o x.fmu" "converge plant.yaml --steps 1e-3,5e-4" "sweep plant.yaml --quiet" "view plant.yaml"; do
    # shellcheck disable=SC2086
    timeout 10 "$stiction" $command >out 2>err && fail "$command took a scene with an FMU"
    says err "only 'stiction run' without a grid takes scenes that have one"
done
printf 'grid: {m: {from: 1, to: 2, count: 2}}\n' >>plant.yaml
code 2 run plant.yaml
says err "cannot be run over a grid"
[ -z "$(ls "$TMPDIR")" ] || fail "folders stay behind: $(ls "$TMPDIR")"
finish
