// node study.js PROGRAM ROOT: the page of a sweep in a real browser. Exit code 77 where there is no browser.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openBrowser, openPage, program} from './browser.js';

const [, , stiction, root] = process.argv;
const failures = [];
const check = (good, what) => { if (!good) failures.push(what); };

if (!program) {
  console.log('there is no chromium: nothing was tested');
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'stiction-study-'));
const page_file = join(folder, 'study.html'), csv = join(folder, 'study.csv');
execFileSync(stiction, ['sweep', join(root, 'tests/cli/scenes/study.yaml'), '--report', page_file, '-o', csv, '--quiet']);
const rows = readFileSync(csv, 'utf8').trim().split('\n').slice(2).map(line => line.split(',').map(Number));

const browser = await openBrowser();
const {page, troubles} = await openPage(browser.context, `file://${page_file}`);
const state = () => page.evaluate(() => ({
  selected: window.report.study.selected.reduce((sum, one) => sum + one, 0),
  text: document.querySelector('.state').textContent,
  mean: document.querySelector('table.summary tbody td:nth-child(2)').textContent,
}));

// Drags over the upper half of an axis; what is selected are the runs whose values lie there.
async function brush(axis) {
  const box = await page.locator('.parallel .stage').boundingBox();
  const x = box.x + 56 + axis * (box.width - 112) / 3;
  await page.mouse.move(x, box.y + 35);
  await page.mouse.down();
  await page.mouse.move(x, box.y + 35 + (box.height - 56) / 2, {steps: 5});
  await page.mouse.up();
  return page.evaluate(i => window.report.study.brushes.get(window.report.study.names[i]), axis);
}

const all = await state();
check(all.selected === rows.length, `${all.selected} of ${rows.length} runs are there`);
const [low, high] = await brush(0);
const within = rows.filter(row => row[2] >= low && row[2] <= high), some = await state();
check(within.length > 10 && within.length < 50 && some.selected === within.length, `${some.selected} runs are selected, ${within.length} lie within`);
check(some.text === `${within.length} of ${rows.length} runs selected`, `it says '${some.text}'`);
const mean = within.reduce((sum, row) => sum + row[4], 0) / within.length;
check(Math.abs(Number(some.mean) - mean) < 1e-4 * Math.abs(mean), `the mean reads ${some.mean}, it is ${mean}`);
await page.locator('button', {hasText: 'select all'}).click();
check((await state()).selected === rows.length, 'select all does not');

// A click on a dot shows that run: its values, the command that repeats it, its plots.
const dot = await page.evaluate(() => {
  const {study} = window.report, [x, y] = [study.parameters[0], study.measureNames[0]].map(name => study.extent(name));
  const stage = document.querySelector('.scatter .stage').getBoundingClientRect(), row = [...study.traces.keys()][5];
  const share = (value, [a, b]) => (value - (a - 0.04 * (b - a))) / (1.08 * (b - a));
  return {row, x: stage.left + 58 + share(study.column(study.parameters[0])[row], x) * (stage.width - 72),
          y: stage.top + 10 + (1 - share(study.column(study.measureNames[0])[row], y)) * (stage.height - 44)};
});
await page.mouse.click(dot.x, dot.y);
const shown = await page.evaluate(() => ({picked: window.report.study.picked, text: document.querySelector('aside').textContent, command: document.querySelector('.command')?.textContent ?? ''}));
check(shown.picked === dot.row, `run ${shown.picked} was picked, not ${dot.row}`);
check(shown.command.includes(`friction.level=${rows[dot.row][2]}`), `the command is '${shown.command}'`);
check(await page.locator('aside .u-over').count() > 0, 'the plots of the run are missing');
check(await page.locator('.histogram').count() === 2, 'there should be a histogram of each measure');

for (const trouble of troubles) check(false, trouble);
await browser.close();
rmSync(folder, {recursive: true});
for (const failure of failures) console.log(`FAIL: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
