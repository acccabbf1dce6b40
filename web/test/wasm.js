// node wasm.js NATIVE_RUN MODULE ROOT: the WebAssembly module against the native library: equal bits in every scene with a
// fixed step, its time, its size, and what its surface says about mistakes. Exit code 77 where there is no module.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {gzipSync} from 'node:zlib';
import {Engine} from '../src/engine/engine.js';

const [, , native, module, root] = process.argv;
const whole = process.env.STI_TEST_EXTENDED === '1';
const STEPS = whole ? 0 : 150;
const failures = [];
const check = (good, what) => { if (!good) failures.push(what); };

if (!existsSync(module)) {
  console.log(`there is no ${module} (make wasm): nothing was tested`);
  process.exit(77);
}
const bytes = readFileSync(module);

function* filesOf(folder) {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    if (entry.isDirectory()) yield* filesOf(join(folder, entry.name));
    else if (statSync(join(folder, entry.name)).size < 4e6) yield join(folder, entry.name);
  }
}

// The folders of scenes as the module sees them.
function engineWithFiles() {
  const engine = new Engine(bytes);
  for (const folder of ['scenes', 'papers', 'examples'])
    for (const file of filesOf(join(root, folder))) engine.put(`/${relative(root, file)}`, readFileSync(file));
  return engine;
}

const nativeRun = (...words) => {
  try {
    return execFileSync(native, words.map(String), {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}).trim().split(' ');
  } catch (error) {
    return (error.stdout || 'refused').trim().split(' '); // a run that fails has a state, too
  }
};

function compareScene(engine, path, variant) {
  const [hash, , steps] = nativeRun(STEPS, join(root, path), ...(variant ? [variant] : []));
  if (hash === 'adaptive') return null;
  const run = engine.open(`/${path}`, {variant}), name = variant ? `${path} (${variant})` : path;
  check(run.good, `${name} is not read: ${JSON.stringify(run.messages)}`);
  if (run.good) {
    try { run.step(STEPS || run.time[3]); } catch { /* it failed where the native one does: the states tell */ }
    check(run.hash === hash && String(run.k) === steps, `${name}: ${run.hash} after ${run.k} steps, native ${hash} after ${steps}`);
  }
  const variants = run.good ? run.variants : [];
  run.close();
  return variants;
}

function checkScenes() {
  const engine = engineWithFiles(), paths = [...engine.wasi.files.keys()].filter(path => /^\/(scenes|papers)\/.*\.yaml$/.test(path)).map(path => path.slice(1));
  let compared = 0, adaptive = 0;
  const count = variants => { if (variants) ++compared; else ++adaptive; return variants ?? []; };
  for (const path of paths)
    for (const variant of count(compareScene(engine, path, ''))) if (whole) count(compareScene(engine, path, variant));
  check(compared > 50, `only ${compared} scenes were compared`);
  console.log(`${compared} scenes have the bits of the native library, ${adaptive} with error control were left out`);
}

// The best of alternating runs, both without recording. On a machine with other work the ratio is what counts.
function checkSpeed() {
  const engine = engineWithFiles(), path = 'papers/modular/two-link/scene.yaml', steps = 20000;
  const run = engine.open(`/${path}`, {forever: true});
  run.step(2000);
  let own = Infinity, other = Infinity;
  for (let i = 0; i < 5; ++i) {
    const began = performance.now();
    run.step(steps);
    own = Math.min(own, 1e3 * (performance.now() - began) / steps);
    other = Math.min(other, Number(nativeRun(steps, join(root, path))[1]));
  }
  console.log(`two-link arm: ${own.toFixed(3)} us per step, native ${other.toFixed(3)} us, ratio ${(own / other).toFixed(2)}`);
  check(own < 2 * other || !whole, `the two-link arm takes ${(own / other).toFixed(2)} times the native time`);
}

function checkSurface() {
  const engine = new Engine(bytes);
  const scene = `title: A block
step: 1e-3
stop: 1
bodies:
  block: {kind: point, mass: 1}
elements:
  pull:     {kind: force, on: block, value: "12*sin(9*t)"}
  friction: {kind: friction, on: block, model: finite-time, level: 10}
record: [block.x, block.v]
`;
  engine.put('/block.yaml', scene);
  engine.put('/wrong.yaml', scene.replace('finite-time', 'finite-tim'));
  const wrong = engine.open('/wrong.yaml');
  const [mistake] = wrong.messages.filter(one => one.severity === 2);
  check(!wrong.good && mistake?.line === 8 && mistake.column === 48 && /did you mean 'finite-time'/.test(mistake.text), `a mistake: ${JSON.stringify(wrong.messages)}`);
  wrong.close();

  const run = engine.open('/block.yaml');
  check(run.channel('block.x') >= 0 && run.parameters.some(([name]) => name === 'friction.level'), 'channels and parameters are named');
  run.step(300);
  const saved = run.save(), before = run.hash;
  const first = run.rows(50, ['block.x', 'block.v'], 2);
  check(first.t.length === 50 && Math.abs(first.t[49] - 0.4) < 1e-12, 'rows have their times');
  check(first['block.x'][49] === run.value('block.x'), 'the last row is now');
  run.restore(saved);
  check(run.hash === before, 'a restored state has its bits');
  const again = run.rows(50, ['block.x', 'block.v'], 2);
  check(first['block.v'].every((value, i) => value === again['block.v'][i]), 'what follows has them, too');
  run.set('friction.level', 100);
  run.step(300);
  check(run.value('block.v') === 0, 'a level that is set takes effect');
  const refused = action => { try { action(); return ''; } catch (error) { return error.message; } };
  check(/no parameter/.test(refused(() => run.set('friction.leval', 1))), 'a name that is none is refused');
  check(refused(() => run.set('block.mass', -1)) !== '' && run.value('block.v') === 0, 'a value that cannot be is refused');
  check(refused(() => run.restore(saved.slice(0, 20))) !== '', 'a state that is cut off is refused');
  run.close();

  const csv = new TextDecoder().decode(engine.record('/block.yaml', '.csv'));
  check(csv.startsWith('t,block.x,block.v\n') && csv.trim().split('\n').length === 1002, 'a recording has all rows');
  const mcap = engine.record('/block.yaml', '.mcap');
  check([...mcap.subarray(0, 5)].join() === '137,77,67,65,80', 'MCAP begins with its magic bytes');
  check(/stiffness/.test(refused(() => engine.record('/block.yaml', '.csv', {sets: ['friction.model=lugre']}))), 'why a recording fails is said');
  const report = JSON.parse(engine.report('/block.yaml', {runs: [{name: 'ten', sets: []}, {name: 'three', sets: ['friction.level=3']}]}));
  check(report.simulations[0].runs.map(one => one.name).join() === 'ten,three', 'a report has its runs');
}

// Runs that are opened and closed leave nothing.
function checkMemory() {
  const engine = engineWithFiles();
  const use = () => { const run = engine.open('/papers/modular/two-link/scene.yaml'); run.step(10); run.set('arm.joint0.friction.level', 0.4); run.close(); };
  for (let i = 0; i < 5; ++i) use();
  const before = engine.exports.memory.buffer.byteLength;
  for (let i = 0; i < 60; ++i) use();
  check(engine.exports.memory.buffer.byteLength === before, `memory grew from ${before} to ${engine.exports.memory.buffer.byteLength} bytes`);
}

checkSurface();
checkMemory();
checkScenes();
checkSpeed();
const size = gzipSync(bytes, {level: 9}).length;
console.log(`${bytes.length} bytes, ${size} gzipped`);
check(size < 600e3, `the module has ${size} bytes gzipped`);
for (const failure of failures) console.log(`failed: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
