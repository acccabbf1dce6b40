// node fit.js PROGRAM ROOT: the page of a fit in a real browser. Exit code 77 where there is no browser.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openBrowser, openPage, program} from './browser.js';

const [, , stiction] = process.argv;
const failures = [];
const check = (good, what) => { if (!good) failures.push(what); };

if (!program) {
  console.log('there is no chromium: nothing was tested');
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'stiction-fit-'));
const scene = join(folder, 'block.yaml'), log = join(folder, 'log.csv'), file = join(folder, 'fit.html');
writeFileSync(scene, `title: A block, pushed
step: 5e-3
stop: 3
inputs: {u: "12*sin(1.7*t) + 6*sin(4.1*t)"}
bodies: {block: {kind: point, mass: 2}}
elements:
  push: {kind: force, on: block, value: u}
  friction: {kind: friction, on: block, model: coulomb, level: 4, viscous: 3}
record: [block.x, u]
`);
execFileSync(stiction, ['run', scene, '-o', log, '-q']);
execFileSync(stiction, ['fit', scene, '--data', log, '--map', 'block.x={column: block.x}', '--drive', 'u=u',
  '--free', 'friction.level=0:20', '--set', 'friction.level=9', '--models', 'coulomb,stribeck', '--starts', '1', '--report', file, '-q']);

const browser = await openBrowser();
const {page, troubles} = await openPage(browser.context, `file://${file}`);
const shown = await page.evaluate(() => ({
  models: window.report.fits.map(fit => fit.model),
  level: window.report.fits[0].parameters[0].value,
  figures: document.querySelectorAll('figure.plot').length,
  ticks: Math.min(...window.report.plots.plots.map(plot => plot.axes[1]._values.filter(Boolean).length)),
  units: window.report.fits[0].curves.map(curve => [curve.velocityUnit, curve.forceUnit].join()),
  rows: document.querySelectorAll('table.models tbody tr').length,
}));
check(shown.models.join() === 'coulomb,stribeck', `models are ${shown.models}`);
check(Math.abs(shown.level - 4) < 0.01, `the level is ${shown.level}`);
check(shown.figures >= 3, `${shown.figures} figures`);
check(shown.ticks >= 3, `an axis has ${shown.ticks} numbers only`);
check(shown.units.join(';') === 'm/s,N', `units of the friction curve are ${shown.units}`);
check(shown.rows === 2, `${shown.rows} rows of models`);
await page.selectOption('select', '1');
check(await page.evaluate(() => document.querySelector('aside h2').textContent) === 'stribeck', 'the other model is not shown');
check(troubles.length === 0, troubles.join('\n'));
await browser.close();
rmSync(folder, {recursive: true});
for (const failure of failures) console.log(`FAIL: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
