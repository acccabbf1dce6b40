// node report.js PROGRAM ROOT: reports in a real browser. Prints what fails; exit code 77 where there is no browser.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openBrowser, openPage, program, until} from './browser.js';

const [, , stiction, root] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'stiction-report-'));
const failures = [];
const check = (good, what) => { if (!good) failures.push(what); };
const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance;

if (!program) {
  console.log('there is no chromium: nothing was tested');
  process.exit(77);
}

function make(name, ...words) {
  const file = join(folder, `${name}.html`), csv = join(folder, `${name}.csv`);
  execFileSync(stiction, ['run', ...words, '--report', file, '-o', csv, '--quiet']);
  return {name, file, csv};
}

function readCsv(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.split(','), rows = lines.map(line => line.split(',').map(Number));
  const at = (name, t) => rows.reduce((best, row) => (Math.abs(row[0] - t) < Math.abs(best[0] - t) ? row : best))[names.indexOf(name)];
  return {names, rows, at};
}

// As the page writes numbers: seven digits.
const same = (text, value) => (value === 0 ? text === '0' : near(Number(text), value, 0.6e-6 * Math.abs(value)));

// What the legends say where the mouse stands equals the row of the recording.
async function checkCursor(page, {name, csv}) {
  const table = readCsv(csv);
  const over = page.locator('.plot:not(.xy) .u-over').first(), box = await over.boundingBox();
  let compared = 0;
  for (const share of [0.13, 0.5, 0.81]) {
    await page.mouse.move(box.x + share * box.width, box.y + 0.5 * box.height);
    const readings = await page.evaluate(() => [...document.querySelectorAll('.plot:not(.xy) .u-series')].map(series =>
      [series.querySelector('.u-label').textContent, series.querySelector('.u-value').textContent]));
    const t = Number(readings[0][1]);
    check(table.rows.some(row => near(row[0], t, 1e-9)), `${name}: t = ${t} is no row`);
    for (const [label, text] of readings) {
      if (!table.names.includes(label) || label === 't' || /stick|slip/.test(text)) continue;
      ++compared;
      check(same(text, table.at(label, t)), `${name}: ${label} at ${t} reads ${text}, recorded is ${table.at(label, t)}`);
    }
  }
  check(compared >= 3, `${name}: only ${compared} readings were compared`);
}

// What the drawing paints at the time that is shown.
const picture = page => page.evaluate(() => { window.report.replay.paint(); return document.querySelector('.stage canvas').toDataURL(); });
const setTime = (page, t) => page.evaluate(value => { window.report.clock.set(value); return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))); }, t);

// A pose that the recording knows, and a picture that changes.
async function checkReplay(page, {name, csv}, body, link, channel, axis, t) {
  await setTime(page, 0);
  const before = await picture(page);
  await setTime(page, t);
  const pose = await page.evaluate(([b, l, time]) => {
    const {motion} = window.report.replay, index = motion.bodies.findIndex(one => one.name === b);
    return motion.pose(index, l, motion.at(time));
  }, [body, link, t]);
  const value = readCsv(csv).at(channel, t);
  const measured = axis === 'turn' ? 2 * Math.atan2(pose.q[3], pose.q[0]) : pose.p[axis];
  check(near(measured, value, 1e-3 * Math.max(1, Math.abs(value))), `${name}: ${body} is at ${measured}, not at ${value}`);
  check(before !== await picture(page), `${name}: the picture does not move`);
}

async function checkKeys(page) {
  const state = () => page.evaluate(() => ({t: window.report.clock.t, playing: window.report.clock.playing, range: window.report.plots.range.slice(),
                                            dark: document.documentElement.dataset.theme, help: document.querySelector('dialog').open}));
  await page.locator('h1').click();
  await page.keyboard.press('Home');
  const start = await state();
  await page.keyboard.press('ArrowRight');
  check((await state()).t > start.t, 'the arrow does not step');
  await page.keyboard.press('ArrowLeft');
  check(near((await state()).t, start.t, 1e-9), 'the arrow does not step back');
  await page.keyboard.press(' ');
  check(await until(page, t => window.report.clock.t > t, start.t), 'space does not play');
  await page.keyboard.press(' ');
  const still = await state();
  check(!still.playing, 'space does not pause');
  await page.keyboard.press('+');
  const zoomed = await state();
  check(near(zoomed.range[1] - zoomed.range[0], (start.range[1] - start.range[0]) / 2, 1e-9), '+ does not zoom');
  await page.keyboard.press('0');
  check((await state()).range.join() === start.range.join(), '0 does not show all');
  await page.keyboard.press('End');
  check(near((await state()).t, start.range[1], 1e-12), 'End is not the end');
  await page.keyboard.press('d');
  check((await state()).dark !== start.dark, 'd does not change the theme');
  await page.keyboard.press('?');
  check((await state()).help, '? does not help');
  await page.keyboard.press('Escape');
  check(!(await state()).help, 'the help stays');
}

const paper = name => join(root, 'papers', name, 'scene.yaml');

async function checkScenes(context) {
  const scenes = [
    [make('mass', paper('fixed-step/spring-pull')), 'block', 0, 'block.x', 0, 1.7],
    [make('pile', paper('dahl/mass-pile'), '--stop', '0.5'), 'mass6', 0, 'mass6.x', 0, 0.3],
    [make('plane', paper('fixed-step/planar-spring')), 'block', 0, 'block.y', 1, 1],
    [make('sphere', paper('modular/rolling-sphere-rest')), 'ball', 0, 'ball.x', 0, 0.6],
    [make('robot', paper('modular/two-link'), '--stop', '4'), 'arm', 0, 'arm.joint0.q', 'turn', 3.9],
  ];
  for (const [report, ...pose] of scenes) {
    const {page, troubles} = await openPage(context, `file://${report.file}`);
    if (troubles.length === 0) {
      await checkCursor(page, report);
      await checkReplay(page, report, ...pose);
      if (report.name === 'mass') await checkKeys(page);
    }
    check(troubles.length === 0, `${report.name}: ${troubles.join('; ')}`);
    check(!/<script[^>]+src|<link|@import|url\((?!data:)/.test(readFileSync(report.file, 'utf8').slice(0, 200000)), `${report.name} asks for other files`);
    await page.close();
  }
}

// Random boxes on slopes: the arrow of the contact is the weight, at the centre of pressure, in the colour of its state; the camera
// goes along with the box.
async function checkContacts(context) {
  for (let i = 0; i < 3; ++i) {
    const slope = 0.1 + 0.3 * Math.random(), mu = 0.25, mass = 1 + Math.random(), holds = Math.tan(slope) < mu;
    const scene = join(folder, `box${i}.yaml`), g = [9.81 * Math.sin(slope), 0, -9.81 * Math.cos(slope)];
    writeFileSync(scene, `stop: 0.4\ngravity: [${g}]\nbodies:\n  box: {kind: rigid, mass: ${mass}, shape: box, size: [0.2, 0.2, 0.1], position: [0, 0, 0.05]}\n`
      + `elements:\n  floor: {kind: contact, on: box, mu: ${mu}}\nrecord: [box.x]\n`);
    const {file} = make(`box${i}`, scene), {page, troubles} = await openPage(context, `file://${file}`);
    await setTime(page, 0.3);
    const shown = await page.evaluate(() => {
      const {motion} = window.report.replay, moment = motion.at(0.3), select = document.querySelector('.camera');
      select.value = '0';
      select.dispatchEvent(new Event('change'));
      return {...motion.force(0, moment), box: motion.pose(0, 0, moment).p, shapes: motion.shapes.map(shape => shape.kind).sort()};
    });
    const normal = mass * 9.81 * Math.cos(slope), along = holds ? mass * 9.81 * Math.sin(slope) : mu * normal;
    check(near(shown.f[2], normal, 1e-4 * normal) && near(shown.f[0], -along, 1e-4 * normal), `box ${i}: the arrow is ${shown.f}, not ${[-along, 0, normal]}`);
    check(near(shown.at[2], 0, 1e-6) && near(shown.at[0], shown.box[0] + 0.05 * along / normal, 1e-4), `box ${i}: the arrow is at ${shown.at}`);
    check(shown.stuck === (holds ? 1 : 0), `box ${i}: stuck is ${shown.stuck}`);
    check(shown.shapes.join() === 'box,plane', `box ${i}: shapes ${shown.shapes}`);
    const before = await picture(page);
    await setTime(page, 0.05);
    check(holds || before !== await picture(page), `box ${i}: nothing moves under the camera that follows`);
    check(troubles.length === 0, `box ${i}: ${troubles.join('; ')}`);
    await page.close();
  }
}

// Random polygons as OBJ (named from the front and from the back), on a link that turns: the page has their triangles to
// half a step of its grid, and paints them; without the file it says so.
async function checkMeshes(context) {
  const random = Math.random, points = Array.from({length: 30}, () => [random() - 0.5, 4 * random(), 1e-3 * random()]);
  const faces = Array.from({length: 20}, () => Array.from({length: 3}, () => Math.floor(30 * random()))).filter(([a, b, c]) => a !== b && b !== c && c !== a);
  const robot = join(folder, 'robot.urdf'), mesh = join(folder, 'link.obj'), scale = [0.5, -2, 1];
  const inertial = '<inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';
  writeFileSync(robot, `<robot name="r"><link name="base"/><link name="arm">${inertial}<visual><origin xyz="1 2 3"/><geometry><mesh filename="link.obj" scale="${
    scale.join(' ')}"/></geometry></visual></link><joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>`);
  writeFileSync(mesh, `${points.map(point => `v ${point.join(' ')}`).join('\n')}\n${
    faces.map((face, i) => `f ${face.map(k => (i % 2 ? k - 30 : `${k + 1}/7`)).join(' ')}`).join('\n')}\n`);
  const pictures = [];
  for (const name of ['meshes', 'no-meshes']) {
    const {file} = make(name, robot, '--stop', '0.2'), {page, troubles} = await openPage(context, `file://${file}`);
    const {note, meshes, parts} = await page.evaluate(() => window.report.replay.motion.meshes);
    await setTime(page, 0.1);
    pictures.push(await picture(page));
    check(troubles.length === 0, `${name}: ${troubles.join('; ')}`);
    await page.close();
    rmSync(mesh, {force: true});
    if (name === 'no-meshes') {
      check(/1/.test(note) && parts.length === 0, `a mesh that is not there: '${note}', ${parts.length} parts`);
      continue;
    }
    const numbers = text => { const bytes = Buffer.from(text, 'base64'); return Array.from({length: bytes.length / 2}, (_, i) => bytes.readUInt16LE(2 * i)); };
    const [{low, cell}] = meshes, places = numbers(meshes[0].places), corners = numbers(meshes[0].corners);
    check(note === '' && parts.length === 1 && parts[0].scale.join() === scale.join() && parts[0].p.join() === '1,2,3', `the mesh is placed as ${JSON.stringify(parts)}`);
    check(corners.length === 3 * faces.length, `${corners.length / 3} triangles of ${faces.length} are drawn`);
    faces.flat().forEach((point, i) => points[point].forEach((value, k) =>
      check(near(low[k] + cell * places[3 * corners[i] + k], value, 0.51 * cell), `corner ${i} is not where the file has it`)));
  }
  check(pictures[0] !== pictures[1], 'the mesh is not painted');
}

// A minute at 1 ms with twenty channels: small, quick, and every extreme still there.
async function checkLong(context) {
  const masses = [...Array(10).keys()];
  const scene = join(folder, 'long.yaml');
  writeFileSync(scene, `stop: 60\nbodies:\n${masses.map(i => `  m${i}: {kind: point, mass: ${1 + i}}`).join('\n')}\nelements:\n${masses.map(i =>
    `  push${i}: {kind: force, on: m${i}, value: "${20 + i}*sin(${3 + i}*t) + 3*sin(${97 + 31 * i}*t)"}\n  rub${i}: {kind: friction, on: m${i}, model: coulomb, level: ${9 + i}}`).join('\n')}\nrecord: [${
    masses.map(i => `m${i}.v, rub${i}.force`).join(', ')}]\n`);
  const report = make('long', scene);
  check(statSync(report.file).size < 5e6, `a minute of 20 channels takes ${statSync(report.file).size} bytes`);
  const {page, troubles} = await openPage(context, `file://${report.file}`);
  check(troubles.length === 0, `long: ${troubles.join('; ')}`);
  const ready = await page.evaluate(() => ({ready: window.report.ready, rows: window.report.runs[0].rows,
    extremes: window.report.runs[0].names('record').map(name => [name, Math.min(...window.report.runs[0].column(name)), Math.max(...window.report.runs[0].column(name))])}));
  console.log(`60 s, 20 channels: ${statSync(report.file).size} bytes, ${ready.rows} rows, ready after ${Math.round(ready.ready)} ms`);
  check(ready.ready < 2000, `the page is ready only after ${ready.ready} ms`);
  const table = readCsv(report.csv);
  for (const [name, least, greatest] of ready.extremes) {
    const column = table.rows.map(row => row[table.names.indexOf(name)]);
    check(column.reduce((a, b) => Math.min(a, b)) === least && column.reduce((a, b) => Math.max(a, b)) === greatest, `long: extremes of ${name} are lost`);
  }
  await page.close();
}

async function checkOverlay(context) {
  const file = join(folder, 'overlay.html');
  const variant = make('variant', paper('fixed-step/spring-pull'), '--variant', 'K1');
  execFileSync(stiction, ['report', join(folder, 'mass.csv'), variant.csv, '-o', file, '--quiet']);
  const {page, troubles} = await openPage(context, `file://${file}`);
  const labels = await page.locator('.plot').first().locator('.u-label').allTextContents();
  check(labels.join() === 't,mass,variant', `the legend of two runs is ${labels}`);
  check(troubles.length === 0, `overlay: ${troubles.join('; ')}`);
  await page.close();
}

// All of them in the extended tier, else one.
async function checkPapers(context) {
  const which = process.env.STI_TEST_EXTENDED === '1' ? [] : ['fixed-step/static-friction'];
  const file = join(folder, 'papers.html');
  execFileSync(stiction, ['reproduce', ...which, '--root', root, '--report', file, '--quiet'], {stdio: ['ignore', 'ignore', 'inherit']});
  check(statSync(file).size < 10e6, `the papers take ${statSync(file).size} bytes`);
  const {page, troubles} = await openPage(context, `file://${file}`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  check(height < 6000, `the folded page of the papers is ${height} pixels long`);
  await page.locator('.papers-search').fill('there is no such simulation');
  check(await page.locator('.paper:visible').count() === 0, 'the search finds what is not there');
  await page.locator('.papers-search').fill('');
  await page.evaluate(async () => {
    for (const section of document.querySelectorAll('.paper')) {
      section.open = true;
      section.scrollIntoView();
      for (let i = 0; i < 200 && !section.querySelector('.plot canvas'); ++i) await new Promise(resolve => setTimeout(resolve, 20));
    }
  });
  const empty = await page.evaluate(() => [...document.querySelectorAll('.paper')].filter(one => !one.querySelector('.plot canvas')).map(one => one.id));
  check(empty.length === 0, `papers without a figure: ${empty}`);
  check(await page.locator('tr.fails').count() === 0, 'the page shows expectations that fail');
  check(troubles.length === 0, `papers: ${troubles.join('; ')}`);
  await page.close();
}

async function checkWithoutWebGl(context) {
  const {page, troubles} = await openPage(context, `file://${join(folder, 'sphere.html')}`, {webgl: false});
  check(await page.locator('.stage[data-drawing=flat] canvas').count() === 1, 'without WebGL there is no drawing');
  await checkReplay(page, {name: 'flat', csv: join(folder, 'sphere.csv')}, 'ball', 0, 'ball.x', 0, 0.5);
  check(troubles.length === 0, `without WebGL: ${troubles.join('; ')}`);
  await page.close();
}

const {context, close} = await openBrowser();
try {
  await checkScenes(context);
  await checkContacts(context);
  await checkMeshes(context);
  await checkLong(context);
  await checkOverlay(context);
  await checkPapers(context);
  await checkWithoutWebGl(context);
} finally {
  await close().catch(() => {});
  rmSync(folder, {recursive: true, force: true});
}
for (const failure of failures) console.log(`FAIL: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
