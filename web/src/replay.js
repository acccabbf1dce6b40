// The replay: a drawing that fits the system, and what plays it.
import {element, number} from './elements.js';
import {flatDrawing} from './flat.js';
import {Motion, followable} from './motion.js';
import {railDrawing} from './rails.js';
import {SpaceDrawing} from './space.js';

const speeds = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];

function drawing(host, motion, clock) {
  const dimension = motion.dimension();
  if (dimension === 1) {
    host.classList.toggle('low', motion.bodies.length <= 3);
    return {paint: railDrawing(host, motion, clock)};
  }
  if (dimension === 2) return flatDrawing(host, motion, clock);
  if (hasWebGl()) {
    const space = new SpaceDrawing(host, motion, clock);
    return {paint: space.paint, follow: target => space.follow(target), dispose: () => space.dispose()};
  }
  host.dataset.drawing = 'flat';
  return flatDrawing(host, motion, clock);
}

// Which body the camera goes along with.
function followChoice(motion, choose) {
  const bodies = followable(motion);
  const select = element('select', {class: 'camera', 'aria-label': 'camera', title: 'what the camera goes along with', onchange: () => choose(bodies[select.value] ?? null)},
                         element('option', {value: ''}, 'camera still'), bodies.map((one, i) => element('option', {value: i}, `follow ${one.name}`)));
  return select;
}

function hasWebGl() {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}

export function transport(clock) {
  const play = element('button', {type: 'button', class: 'play', 'aria-label': 'play', onclick: () => clock.play()}, '▶');
  const time = element('output', {class: 'time', 'aria-label': 'time'});
  const slider = element('input', {type: 'range', min: 0, max: 10000, value: 0, 'aria-label': 'time', oninput: () => {
    clock.play(false);
    clock.set(clock.start + slider.value / 10000 * (clock.stop - clock.start));
  }});
  const speed = element('select', {'aria-label': 'speed', onchange: () => { clock.speed = Number(speed.value); }},
                        speeds.map(value => element('option', {value, selected: value === clock.speed}, `${value}×`)));
  clock.listen(() => {
    play.textContent = clock.playing ? '❚❚' : '▶';
    play.setAttribute('aria-label', clock.playing ? 'pause' : 'play');
    time.textContent = `${number(clock.t, 5)} s`;
    slider.value = Math.round(10000 * (clock.t - clock.start) / (clock.stop - clock.start || 1));
  });
  return element('div', {class: 'transport'}, play, slider, time, speed);
}

// A run that grows brings its own motion and controls, and has its drawing built again when it has outgrown it.
export function addReplay(host, run, clock, {motion = new Motion(run), controls = transport(clock), meshes = null} = {}) {
  motion.meshes = meshes;
  const stage = element('div', {class: 'stage'});
  host.append(element('section', {class: 'replay', 'aria-label': 'Replay'}, stage, controls,
    element('p', {class: 'key'}, element('i', {class: 'stick'}), 'sticks', element('i', {class: 'slip'}), 'slips',
            element('i', {class: 'force'}), 'force'),
    meshes?.note ? element('p', {class: 'key'}, meshes.note) : ''));
  let {paint, follow, dispose} = drawing(stage, motion, clock), followed = null;
  if (follow) controls.append(followChoice(motion, target => { followed = target; follow(target); }));
  let waiting = false; // one picture per frame is enough; and the plots come first
  const paintSoon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  };
  clock.listen(paintSoon);
  clock.tell();
  const rebuild = () => {
    dispose?.();
    stage.replaceChildren();
    ({paint, follow, dispose} = drawing(stage, motion, clock));
    if (followed) follow?.(followed);
    paintSoon();
  };
  return {motion, paint: () => paint(), rebuild, stage, dispose: () => dispose?.()};
}
