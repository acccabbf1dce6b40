// node help.js MODULE: where a cursor stands, what the schema says there, and what the tour claims. Exit code 77 without a module.
import {existsSync, readFileSync} from 'node:fs';
import {Engine} from '../src/engine/engine.js';
import {describe, keysAt, valuesAt} from '../src/playground/help.js';
import {placeAt} from '../src/playground/place.js';
import {fromFragment, toFragment} from '../src/playground/share.js';
import {tour} from '../src/playground/tour.js';

const [, , module] = process.argv;
let failed = 0;
const check = (good, what) => { if (!good) { ++failed; console.log(`failed: ${what}`); } };
if (!existsSync(module)) {
  console.log(`there is no ${module} (make wasm): nothing was tested`);
  process.exit(77);
}
const code = new WebAssembly.Module(readFileSync(module)), schema = new Engine(code).schema();
const labels = list => list.map(one => one.label);

// | is the cursor.
function at(marked) {
  const offset = marked.indexOf('|');
  return placeAt(marked.replace('|', ''), offset);
}
const scene = 'title: x\nbodies:\n  block: {kind: point, mass: 1}\nelements:\n  friction: {kind: friction, on: block, |level: 10}\n';
const cases = [
  ['ti|', [], null, keys => keys.includes('title') && keys.includes('gravity')],
  ['title: x\nmethod: |', [], 'method', values => values.includes('cut')],
  ['title: x\nbodies:\n  block: {|', ['bodies', 'block'], null, keys => keys.includes('kind') && keys.includes('mass')],
  ['title: x\nbodies:\n  block: {kind: |', ['bodies', 'block'], 'kind', values => values.includes('point') && values.includes('robot')],
  ['bodies:\n  arm:\n    kind: robot\n    |', ['bodies', 'arm'], null, keys => keys.includes('chain') && !keys.includes('mass')],
  ['elements:\n  f:\n    kind: friction\n    model: |', ['elements', 'f'], 'model', values => values.includes('lugre')],
  [scene, ['elements', 'friction'], null, keys => keys.includes('model') && keys.includes('stiffness') && !keys.includes('kind')],
  ['elements:\n  f: {kind: friction, on: block,\n      model: |', ['elements', 'f'], 'model', values => values.includes('dahl')],
  ['expect:\n  - {what: a, from: |', ['expect'], 'from', values => values.includes('exact')],
];
for (const [text, path, key, fits] of cases) {
  const place = at(text), offered = labels(place.key === null ? keysAt(schema, place) : valuesAt(schema, place));
  check(place.path.join() === path.join() && place.key === key, `${JSON.stringify(text)}: at ${place.path.join('.')} / ${place.key}`);
  check(fits(offered), `${JSON.stringify(text)} offers ${offered.slice(0, 12).join(', ')}`);
}
check(/level of friction/.test(describe(schema, {path: ['elements', 'f'], key: 'level', siblings: {kind: 'friction'}})), 'a key is not explained');

// At every place of a real scene something is said, and nothing breaks.
const long = readFileSync(new URL('../../scenes/two-link-arm/scene.yaml', import.meta.url), 'utf8');
for (let i = 0; i <= long.length; i += 3) {
  const place = placeAt(long, i);
  keysAt(schema, place);
  if (place.key !== null) valuesAt(schema, place);
}

const shared = {path: '/scene.yaml', text: 'title: “µ” 中文\n', turned: [['a.b', 1e-9]]};
const back = await fromFragment(await toFragment(shared));
check(back.path === shared.path && back.text === shared.text && back.turned.join() === shared.turned.join(), 'a link does not keep its scene');
check(await fromFragment('#scene=AAAA') === null && await fromFragment('#other') === null, 'a damaged link is taken for a scene');

// Claims of the tour: does it stand still?
for (const {title, scene: text, still} of tour) {
  if (!text) continue;
  const engine = new Engine(code);
  engine.put('/scene.yaml', text);
  const run = engine.open('/scene.yaml');
  check(run.good, `tour, ${title}: ${JSON.stringify(run.messages)}`);
  if (!run.good) continue;
  const {t, [still.channel]: x} = run.rows(run.time[3], [still.channel]);
  const late = x.filter((value, i) => t[i] >= still.from), drift = Math.max(...late) - Math.min(...late);
  const walked = Math.abs(late[late.length - 1] - late[0]);
  console.log(`tour, ${title}: moves by ${drift.toExponential(2)} m after ${still.from} s`);
  check(still.holds ? drift <= (still.within ?? 0) : walked > 1e-3, `tour, ${title}: it moves by ${drift}`);
}
process.exit(failed > 0 ? 1 : 0);
