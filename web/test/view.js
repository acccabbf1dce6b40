// node view.js PROGRAM ROOT: a live run in a real browser. Prints what fails; exit code 77 where there is no browser.
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {openBrowser, openPage, program, until} from './browser.js';

const [, , stiction, root, pictures] = process.argv; // pictures: a folder for screenshots
const failures = [];
const check = (good, what) => { if (!good) failures.push(what); };

if (!program) {
  console.log('there is no chromium: nothing was tested');
  process.exit(77);
}

// Starts the program; it is given as soon as it has printed its address.
function view(...words) {
  const child = spawn(stiction, ['view', ...words, '--quiet'], {stdio: ['ignore', 'pipe', 'inherit']});
  const ended = new Promise(resolve => child.on('exit', code => resolve(code)));
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', data => {
      text += data;
      if (text.includes('\n')) resolve({address: text.trim(), stop: async () => { child.kill('SIGINT'); return ended; }});
    });
    child.on('exit', code => reject(new Error(`view ended with ${code}`)));
  });
}

const open = (context, address) => openPage(context, address, {own: new URL(address).origin});
const now = page => page.evaluate(() => ({t: window.report.run.stop, rows: window.report.run.rows, pictures: window.report.motion.count,
                                          phase: window.report.clock.phase, picture: window.report.clock.t}));
const started = page => until(page, () => window.report.replay !== undefined);
const shoot = (page, name) => (pictures ? page.screenshot({path: join(pictures, `${name}.png`)}) : null);
const paper = name => join(root, 'papers', name, 'scene.yaml');

async function checkStream(page) {
  check(await started(page), 'nothing arrives');
  const before = await now(page);
  check(await until(page, t => window.report.run.stop > t + 0.3, before.t), 'the values do not grow');
  const after = await now(page);
  check(after.rows > before.rows && after.pictures > before.pictures, 'rows or pictures do not grow');
  check(after.picture > before.picture, 'the replay does not follow');
}

// From the page: the box of a parameter gets another value.
async function turn(page, path, value) {
  const box = page.locator(`input[type=number][aria-label^="value of ${path},"]`);
  await box.fill(String(value));
  await box.press('Enter');
}

const level = (page, value) => until(page, wanted => window.report.sliders.all.find(one => one.path === 'friction.level').value === wanted, value);

// Friction above what the spring can pull: the block stands; without friction it moves.
async function checkSlider(page, other) {
  const slider = page.getByRole('slider', {name: /^friction\.level/});
  await slider.focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  check(await until(page, () => window.report.sliders.all.find(one => one.path === 'friction.level').value > 10), 'the slider does nothing');
  await turn(page, 'friction.level', 1000);
  check(await level(page, 1000), 'the box does nothing');
  check(await level(other, 1000), 'another viewer does not see it');
  check(await until(page, () => window.report.run.value('block.v', window.report.run.stop) === 0), 'the block does not stop');
  const x = await page.evaluate(() => window.report.run.value('block.x', window.report.run.stop));
  await turn(page, 'friction.level', 0.5);
  check(await until(page, from => Math.abs(window.report.run.value('block.x', window.report.run.stop) - from) > 0.01, x), 'the block does not move on');
  await turn(page, 'friction.level', -5);
  check(await until(page, () => /friction\.level/.test(document.querySelector('.problem:not([hidden])')?.textContent)), 'a refused value is not explained');
  check(await level(page, 0.5), 'a refused value is kept');
}

async function checkControls(page) {
  await page.locator('h1').click();
  await page.keyboard.press(' ');
  check(await until(page, () => window.report.clock.phase === 'paused'), 'space does not pause');
  const {t} = await now(page);
  await new Promise(resolve => setTimeout(resolve, 150));
  check((await now(page)).t === t, 'a paused run goes on');
  await page.keyboard.press('ArrowLeft');
  check((await now(page)).picture < t, 'the arrow does not look back');
  await page.keyboard.press('r');
  check(await until(page, before => window.report.run.stop < before && window.report.clock.phase === 'running', t), 'r does not start again');
  await page.keyboard.press('/');
  await page.keyboard.type('stiff');
  const seen = await page.locator('.slider:visible').count();
  check(seen === 1, `the filter leaves ${seen} sliders`);
  await page.locator('input[type=search]').fill('');
}

async function checkEnd(page) {
  await page.getByLabel('speed').selectOption('100');
  check(await until(page, () => window.report.clock.phase === 'ended'), 'the run does not end');
  const end = await now(page);
  check(end.t === 4, `the end is at ${end.t}`);
  const held = await page.evaluate(() => window.report.run.start);
  check(held === 0, 'the beginning is lost');
}

// A name of the scene's parameters: its slider stands first, and other values follow its expressions.
async function checkName(context) {
  const live = await view(join(root, 'tests', 'cli', 'scenes', 'spring.yaml'), '--forever');
  const {page, troubles} = await open(context, live.address);
  check(await started(page), 'nothing arrives from a scene with names');
  check(await page.evaluate(() => window.report.sliders.groups[0].sliders[0].path) === 'parameters.pull', 'the name is not first');
  await turn(page, 'parameters.pull', 4);
  check(await until(page, () => window.report.run.value('hand.x', window.report.run.stop) > 4 || window.report.run.value('block.x', window.report.run.stop) > 4.5),
        'the name changes nothing');
  check(troubles.length === 0, `name: ${troubles.join('; ')}`);
  check(await live.stop() === 0, 'the scene with names does not end');
}

// What an expression of names gives has no slider of its own, and the others keep their values.
async function checkFollowers(context) {
  const live = await view(join(root, 'scenes', 'two-link-arm', 'scene.yaml'), '--forever');
  const {page, troubles} = await open(context, live.address);
  check(await started(page), 'nothing arrives from an arm with names');
  const values = () => page.evaluate(() => Object.fromEntries(window.report.sliders.all.map(one => [one.path, one.value])));
  const before = await values();
  check(before['parameters.mu'] === 0.4 && before['parameters.r'] === 0.1, 'the names have no sliders');
  check(!('arm.joint0.pin.level' in before) && 'arm.joint0.pin.static' in before, 'a number that follows a name has a slider, or its neighbour has none');
  await turn(page, 'parameters.mu', 0.3);
  check(await until(page, () => window.report.sliders.all.find(one => one.path === 'parameters.mu').value === 0.3), 'the name is not turned');
  const after = await values();
  check(Object.keys(before).every(path => path === 'parameters.mu' || before[path] === after[path]), 'values of other sliders changed');
  check(troubles.length === 0, `followers: ${troubles.join('; ')}`);
  check(await live.stop() === 0, 'the arm with names does not end');
}

const {context, close} = await openBrowser(pictures ? {viewport: {width: 1360, height: 900}} : {});
try {
  const live = await view(paper('fixed-step/spring-pull'), '--speed', '0.25');
  const {page, troubles} = await open(context, live.address), second = await open(context, live.address);
  await page.bringToFront();
  await checkStream(page);
  await checkSlider(page, second.page);
  await checkControls(page);
  await checkEnd(page);
  await shoot(page, 'mass');
  await page.keyboard.press('Escape');
  check([...troubles, ...second.troubles].filter(text => !/422/.test(text)).length === 0, `troubles: ${[...troubles, ...second.troubles].join('; ')}`);
  await second.page.close();
  check(await live.stop() === 0, 'Ctrl-C does not end it with 0');
  check(await until(page, () => /does not answer/.test(document.querySelector('.state').textContent)), 'the page does not notice the end');
  await page.close();
  await checkName(context);
  await checkFollowers(context);
  const robot = await view(paper('modular/two-link'), '--forever');
  const arm = await open(context, robot.address);
  await checkStream(arm.page);
  if (pictures) await new Promise(resolve => setTimeout(resolve, 8000));
  await shoot(arm.page, 'robot');
  if (pictures) {
    await arm.page.setViewportSize({width: 1360, height: 1800});
    await arm.page.keyboard.press('d');
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
  await shoot(arm.page, 'robot-dark');
  check(arm.troubles.length === 0, `robot: ${arm.troubles.join('; ')}`);
  check(await robot.stop() === 0, 'the robot does not end');
} finally {
  await close().catch(() => {});
}
for (const failure of failures) console.log(`FAIL: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
