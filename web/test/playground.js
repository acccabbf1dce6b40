// node playground.js PAGE [FOLDER]: the playground in a real browser, from a file, without a network. FOLDER: for screenshots.
// Prints what fails; exit code 77 where there is no browser or no page.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {openBrowser, openPage, program, until} from './browser.js';

const [, , file, pictures] = process.argv;
const MINUTES = Number(process.env.STI_PLAYGROUND_MINUTES ?? 0.1);
const failures = [];
const check = (good, what) => { if (!good) { failures.push(what); console.log(`failed: ${what}`); } };
if (!program || !existsSync(file)) {
  console.log(program ? `there is no ${file} (make playground): nothing was tested` : 'there is no chromium: nothing was tested');
  process.exit(77);
}
const address = pathToFileURL(file).href;
const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
const shoot = (page, name) => (pictures ? page.screenshot({path: join(pictures, `${name}.png`)}) : null);
const runs = (page, title) => until(page, wanted => window.report?.view?.run.rows > 3 && document.querySelector('.title').textContent === wanted, title);
const renewed = page => until(page, () => window.report.view !== window.before && window.report.view.run.rows > 3);
const value = (page, channel) => page.evaluate(name => { const {run} = window.report.view; return run.value(name, run.stop); }, channel);

const block = (level, model = 'finite-time') => `title: A block under a push
step: 1e-3
stop: 60
bodies:
  block: {kind: point, mass: 1}
elements:
  push:     {kind: force, on: block, value: 5}
  friction: {kind: friction, on: block, model: ${model}, level: ${level}}
record: [block.x, block.v, friction.force, friction.stick]
`;

// As a person does: all away, then letter by letter (the editor indents on its own, so lines are pasted).
async function type(page, text) {
  await page.evaluate(() => { window.before = window.report.view; window.report.playground.editor.view.focus(); });
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

async function checkTyping(page) {
  await type(page, block(10));
  check(await runs(page, 'A block under a push'), 'a typed scene does not run');
  check(await until(page, () => window.report.view.run.stop > 0.3), 'it does not go on');
  check(await value(page, 'block.v') === 0, 'friction does not hold the block');
}

async function checkMistake(page) {
  await type(page, block(10, 'finite-tim'));
  check(await until(page, () => /did you mean 'finite-time'/.test(document.querySelector('.messages .error')?.textContent)), 'a mistake is not told');
  check(/line 8, column 48/.test(await page.locator('.messages .error small').textContent()), 'its place is not told');
  check(await page.locator('.cm-lintRange-error').count() > 0, 'it is not marked in the text');
  const before = await page.evaluate(() => window.report.view.run.stop);
  check(await until(page, t => window.report.view.run.stop > t, before), 'the last good scene does not go on');
  await shoot(page, 'mistake');
  await type(page, block(10));
  check(await until(page, () => document.querySelectorAll('.messages .error').length === 0), 'the message stays after the mistake is gone');
}

async function checkCompletion(page) {
  await type(page, `${block(10).replace(/record:.*\n/, '')}  more: {kind: friction, model: lu`);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('g');
  check(await until(page, () => /lugre/.test(document.querySelector('.cm-tooltip-autocomplete')?.textContent)), 'no model is offered');
  await shoot(page, 'completion');
  await pause(200); // an offer is not taken by a key that comes at the moment it opens
  await page.keyboard.press('Enter');
  check(/model: lugre$/.test((await page.evaluate(() => window.report.playground.editor.text)).trimEnd()), 'the offer is not taken');
  await page.keyboard.type(', sti');
  check(await until(page, () => /stiffness/.test(document.querySelector('.cm-tooltip-autocomplete')?.textContent)), 'no key is offered');
  await page.keyboard.press('Escape');
  await type(page, block(10));
  check(await renewed(page), 'the scene does not run again');
}

async function checkSlider(page) {
  const box = page.locator('input[type=number][aria-label^="value of friction.level,"]');
  await box.fill('2');
  await box.press('Enter');
  check(await until(page, () => { const {run} = window.report.view; return run.value('block.v', run.stop) > 0.1; }), 'a slider does not let it slip');
  await box.fill('-3');
  await box.press('Enter');
  check(await until(page, () => document.querySelector('.problem:not([hidden])') !== null), 'a value that cannot be is not refused');
}

async function checkShare(page, context) {
  await page.getByRole('button', {name: 'a link that holds this scene'}).click();
  check(await until(page, () => location.hash.startsWith('#scene=')), 'no link');
  const link = await page.evaluate(() => location.href);
  const {page: other, troubles} = await openPage(context, link);
  check(await runs(other, 'A block under a push'), 'the link does not open the scene');
  check(await until(other, () => window.report.view.sliders.all.find(one => one.path === 'friction.level').value === 2), 'what was turned is not in the link');
  check(troubles.length === 0, `troubles with the link: ${troubles.join('; ')}`);
  await other.close();
  const {page: broken} = await openPage(context, `${address}#scene=abcdef`);
  check(await until(broken, () => window.report?.view?.run.rows > 3), 'after a damaged link nothing runs');
  await broken.close();
}

async function download(page, name) {
  await page.getByRole('button', {name: 'export'}).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', {name}).click()]);
  return readFileSync(await file.path());
}

async function checkExports(page) {
  await type(page, block(10).replace('stop: 60', 'stop: 1'));
  await until(page, () => window.report.view.end === 1);
  const csv = (await download(page, 'recording as CSV')).toString().trim().split('\n');
  check(csv[0] === 't,block.x,block.v,friction.force,friction.stick' && csv.length === 1002, 'the CSV file is not whole');
  check((await download(page, 'recording as MCAP')).subarray(1, 5).toString() === 'MCAP', 'this is no MCAP file');
  check((await download(page, 'picture as PNG')).subarray(1, 4).toString() === 'PNG', 'this is no PNG file');
  const report = await download(page, 'report page');
  check(report.includes('"title":"A block under a push"') && !report.includes('@REPORT@'), 'the report page is not filled');
}

async function checkCompare(page) {
  await type(page, block(10).replace('stop: 60', 'stop: 2'));
  await until(page, () => window.report.view.end === 2);
  await page.getByRole('button', {name: /^compare friction models/}).click();
  await page.locator('dialog.compare').getByRole('button', {name: 'compare'}).click();
  check(await until(page, () => window.report.playground.compared?.runs.length >= 4), 'models are not compared');
  const ends = await page.evaluate(() => Object.fromEntries(window.report.playground.compared.runs.map(run => [run.name, run.column('block.x')[run.rows - 1]])));
  check(ends['finite-time'] === 0 && ends['viscous-approximation'] > 1e-3, `what creeps and what holds: ${JSON.stringify(ends)}`);
  await shoot(page, 'compare');
  await page.getByRole('button', {name: 'back to the run'}).click();
}

async function checkVariants(page) {
  const text = `${block(10)}variants:\n  loose: {set: {friction.level: 2}}\n`; // opened, not typed: sliders that were turned hold on
  await page.evaluate(scene => window.report.playground.open({path: '/scene.yaml', text: scene}), text);
  check(await until(page, () => !document.querySelector('.variants').hidden), 'there is no choice of variants');
  check(await until(page, () => { const {run} = window.report.view; return run.stop > 0.1 && run.value('block.v', run.stop) === 0; }), 'the scene itself slips');
  await page.evaluate(() => { window.before = window.report.view; });
  await page.selectOption('.variants', 'loose');
  check(await renewed(page) && await until(page, () => { const {run} = window.report.view; return run.value('block.v', run.stop) > 0.1; }), 'the loose variant does not slip');
  const csv = (await download(page, 'recording as CSV')).toString().trim().split('\n');
  check(Math.abs(Number(csv[1001].split(',')[2]) - 3) < 1e-9, 'the recording is not of the variant'); // (5 - 2)/1 t
  await type(page, block(10));
  check(await until(page, () => document.querySelector('.variants').hidden) && await until(page, () => { const {run} = window.report.view; return run.stop > 0.1 && run.value('block.v', run.stop) === 0; }), 'a variant that is gone stays');
}

async function checkGallery(page) {
  await page.getByRole('button', {name: 'gallery (g)'}).click();
  await shoot(page, 'gallery');
  await page.locator('dialog.gallery input').fill('two-link-arm');
  await page.locator('dialog.gallery .card:visible').first().click();
  check(await runs(page, 'Two-link arm that swings to rest on its own pin friction'), 'a scene with a URDF file does not run');
  await pause(700);
  await shoot(page, 'arm');
}

// All scenes of the gallery run, but for those whose error control the module does not have.
async function checkAllScenes(page) {
  const paths = await page.evaluate(() => Object.keys(window.report.playground.files).filter(at => /^\/(papers|scenes)\/.*\.yaml$/.test(at)));
  for (const path of paths) {
    const mistakes = await page.evaluate(async at => {
      const {playground} = window.report;
      await playground.open({path: at, text: playground.files[at]});
      return [...document.querySelectorAll('.messages .error')].map(one => one.textContent).join('; ');
    }, path);
    check(mistakes === '' || /adaptive method/.test(mistakes), `${path}: ${mistakes}`);
  }
}

async function memory(page) {
  const [session] = [await page.context().newCDPSession(page)];
  await session.send('HeapProfiler.collectGarbage');
  const {usedSize} = await session.send('Runtime.getHeapUsage');
  return {page: usedSize, module: await page.evaluate(() => window.report.playground.lab.ask('memory')), nodes: await page.evaluate(() => document.querySelectorAll('*').length)};
}

// Typing, turning and running for long leaves nothing behind.
async function checkGrowth(page) {
  await type(page, block(3).replace('value: 5', 'value: "5*sin(3*t)"').replace('stop: 60', 'stop: 100000'));
  await runs(page, 'A block under a push');
  await page.evaluate(() => window.report.playground.lab.send('speed', '100'));
  const end = Date.now() + 60e3 * MINUTES;
  let first = null;
  for (let i = 0; i < 4 || Date.now() < end; ++i) {
    await page.evaluate(level => window.report.playground.send('set', `friction.level=${level}`), 2 + i % 3);
    if (i % 5 === 4) await page.evaluate(async () => { const {playground} = window.report; await playground.run(); await playground.lab.send('speed', '100'); });
    await pause(Math.min(3000, 6e3 * MINUTES));
    if (i === 3) first = await memory(page);
  }
  const last = await memory(page);
  check(last.module <= 1.5 * first.module, `the module grew from ${first.module} to ${last.module} bytes`);
  check(last.page <= 1.5 * first.page + 10e6, `the page grew from ${first.page} to ${last.page} bytes`);
  check(last.nodes <= first.nodes + 50, `the page grew from ${first.nodes} to ${last.nodes} elements`);
  console.log(`memory: page ${(first.page / 1e6).toFixed(1)} to ${(last.page / 1e6).toFixed(1)} MB, module ${(first.module / 1e6).toFixed(1)} to ${(last.module / 1e6).toFixed(1)} MB`);
}

async function checkPhone() {
  const {context, close} = await openBrowser({viewport: {width: 390, height: 780}, hasTouch: true, isMobile: true, colorScheme: 'dark'});
  const {page, troubles} = await openPage(context, address, {webgl: false});
  check(await until(page, () => window.report?.view?.run.rows > 3), 'nothing runs on a phone');
  for (const tab of ['text', 'run', 'plots']) {
    await page.locator(`[data-tab=${tab}][role=tab]`).click();
    await pause(400);
    check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `the tab ${tab} is wider than a phone`);
    await shoot(page, `phone-${tab}`);
  }
  check(await page.evaluate(() => document.documentElement.dataset.theme === 'dark'), 'it is not dark');
  check(troubles.length === 0, `troubles on a phone: ${troubles.join('; ')}`);
  await close();
}

let began = Date.now();
const lap = name => { console.log(`${name}: ${((Date.now() - began) / 1e3).toFixed(1)} s`); began = Date.now(); };
const {context, close} = await openBrowser({viewport: {width: 1440, height: 860}, acceptDownloads: true});
const {page, troubles} = await openPage(context, address);
check(await runs(page, 'A block is pulled and let go'), 'the first scene does not run');
await pause(1500);
await shoot(page, 'start');
for (const one of [checkTyping, checkMistake, checkCompletion, checkSlider, checkShare, checkExports, checkCompare, checkVariants, checkGallery]) {
  await one(page, context);
  lap(one.name);
}
await page.keyboard.press('Escape');
await page.locator('.brand').click();
await page.keyboard.press('d');
await pause(300);
await shoot(page, 'dark');
if (MINUTES > 1) await checkAllScenes(page);
await checkGrowth(page);
lap('growth');
check(troubles.length === 0, `troubles: ${troubles.join('; ')}`);
await close();
await checkPhone();
lap('phone');
process.exit(failures.length > 0 ? 1 : 0);
