// The page of a run that goes on: the program streams rows and pictures, the page sends what is turned and pressed.
import {decode} from './data.js';
import {element, number} from './elements.js';
import {LiveClock} from './live_clock.js';
import {LiveMotion, LiveRun} from './live_run.js';
import {addReplay} from './replay.js';
import {header} from './report.js';
import {addEnergy, addFriction, addTimePlots} from './simulation.js';
import {Sliders} from './sliders.js';
import {TimePlots} from './timeplots.js';

const windows = [1, 2, 5, 10, 20, 60], speeds = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 0];
const SHORT = 20; // s: so much is shown as a whole

// The program that serves the page. send: null, or why not.
const program = {
  async send(word, body = '') {
    try {
      const answer = await fetch(word, {method: 'POST', body});
      return answer.ok ? null : await answer.text();
    } catch {
      return 'the program does not answer';
    }
  },

  listen(view) {
    const events = new EventSource('events');
    events.addEventListener('frame', event => view.frame(JSON.parse(event.data)));
    events.addEventListener('parameters', event => view.sliders.show(JSON.parse(event.data)));
    events.addEventListener('parts', event => view.parts(JSON.parse(event.data)));
    events.addEventListener('error', () => view.state({phase: 'lost'}));
  },
};

export function showLive(page, report) {
  const [simulation] = report.simulations;
  const view = new LiveView(simulation, program);
  page.append(header(report, simulation.name), element('div', {class: 'columns live'}, view.side, view.content));
  program.listen(view);
  return view;
}

// source.send(word, body): to who runs it, and calls frame, parts and sliders.show with what comes.
export class LiveView {
  constructor(simulation, source) {
    const send = this.send = source.send;
    const [description] = simulation.runs;
    this.description = simulation.description;
    this.meshes = simulation.meshes;
    this.run = new LiveRun(description);
    this.runs = [this.run];
    this.drawing = description.drawing;
    [this.begin, this.end] = description.time;
    this.window = this.end >= 0 && this.end - this.begin <= SHORT ? 0 : 10; // s; 0: all
    this.clock = new LiveClock(word => send(word));
    this.plots = new TimePlots(this.clock);
    this.sliders = new Sliders(description.parameters, send, description.frictions.map(one => one.name));
    this.side = element('aside');
    this.content = element('div', {class: 'content'});
    this.keys = {r: () => send('restart'), l: () => this.clock.follow(), '/': () => this.sliders.filter.focus()};
    this.texts = [['space', 'pause or resume'], ['r', 'start again'], ['l', 'follow the run'], ['/', 'filter parameters']];
    this.ended = new AbortController();
    window.addEventListener('scroll', () => this.draw(), {passive: true, capture: true, signal: this.ended.signal});
  }

  // Another run takes its place.
  dispose() {
    this.ended.abort();
    this.plots.dispose();
    this.replay?.dispose();
    this.side.remove();
    this.content.remove();
  }

  parts(drawing) {
    this.drawing = drawing;
    this.motion?.setParts(drawing);
    if (this.motion?.fitted) this.replay?.rebuild();
  }

  frame(frame) {
    if (frame.whole || frame.restarts !== this.restarts) {
      this.run.clear();
      this.motion?.clear();
      this.restarts = frame.restarts;
      this.clock.following = true;
    }
    this.run.append(decode(frame.rows, Float64Array));
    if (this.run.rows === 0) return;
    this.motion ??= new LiveMotion(this.run, this.drawing);
    this.motion.append(frame.pictures);
    this.grow();
    this.state(frame);
    this.draw();
  }

  grow() {
    if (!this.motion.outgrown()) return;
    this.motion.fit();
    if (this.replay) this.replay.rebuild();
    else this.build();
  }

  build() {
    this.replay = addReplay(this.side, this.run, this.clock, {motion: this.motion, controls: this.controls(), meshes: this.meshes});
    this.side.append(this.sliders.node);
    if (this.description) this.side.append(element('p', {class: 'description'}, this.description));
    const times = addTimePlots(this.plots, this.content, this.runs);
    addFriction(this.content, this.run, this.clock);
    addEnergy(this.plots, this.content, this.run, times);
    this.plots.resize();
  }

  controls() {
    const button = (text, label, key, action) => element('button', {type: 'button', 'aria-label': label, title: `${label} (${key})`, onclick: action}, text);
    this.play = button('❚❚', 'pause', 'space', () => this.clock.play());
    this.restart = button('↺ restart', 'start again', 'r', this.keys.r);
    this.follow = button('● live', 'follow the run', 'l', this.keys.l);
    this.time = element('output', {class: 'time', 'aria-label': 'time'});
    this.word = element('p', {class: 'state', role: 'status'});
    this.speed = element('select', {'aria-label': 'speed', onchange: () => this.send('speed', this.speed.value)},
                         speeds.map(value => element('option', {value}, value > 0 ? `${value}×` : 'fastest')));
    this.past = element('input', {type: 'range', min: 0, max: 10000, value: 10000, 'aria-label': 'time', oninput: () => this.look()});
    const shown = element('select', {'aria-label': 'time shown', onchange: () => { this.window = Number(shown.value); this.plots.held = false; this.draw(); }},
                          element('option', {value: 0, selected: this.window === 0}, 'all'),
                          windows.map(value => element('option', {value, selected: value === this.window}, `last ${value} s`)));
    this.clock.listen(() => this.tick());
    return element('div', {}, element('div', {class: 'transport'}, this.play, this.restart, this.follow, this.time),
                   element('div', {class: 'transport'}, this.past, shown, this.speed), this.word);
  }

  look() {
    const [from, to] = this.extent();
    this.clock.set(Number(this.past.value) >= 10000 ? Infinity : from + this.past.value / 10000 * (Math.min(to, this.run.stop) - from));
  }

  tick() {
    const [from, to] = this.extent();
    this.time.textContent = `${number(this.clock.t, 5)} s`;
    this.past.value = Math.round(10000 * (this.clock.t - from) / (Math.min(to, this.run.stop) - from || 1));
    this.follow.classList.toggle('on', this.clock.following);
  }

  // The first and the last time of the plots.
  extent() {
    const {start, stop} = this.run;
    if (this.window > 0) return [Math.max(start, stop - this.window), Math.max(stop, start + this.window)];
    return [start, this.end >= 0 ? this.end : Math.max(stop, start + 1e-9)];
  }

  state({phase, fault, speed, rate}) {
    this.clock.state(phase);
    if (!this.word) return;
    const runs = phase === 'running';
    const slow = speed > 0 && rate < 0.9 * speed ? `, as fast as it can: ${number(rate, 2)}×` : speed === 0 ? `, ${number(rate, 3)}×` : '';
    const words = {running: `running${slow}`, paused: 'paused', ended: 'at its end', failed: `stopped: ${fault}`, lost: 'the program does not answer: it has ended, or is about to come back'};
    if (this.word.textContent !== words[phase]) this.word.textContent = words[phase];
    this.word.classList.toggle('bad', phase === 'failed' || phase === 'lost');
    this.play.textContent = runs ? '❚❚' : '▶';
    this.play.setAttribute('aria-label', runs ? 'pause' : phase === 'paused' ? 'resume' : 'start again');
    if (speed !== undefined && document.activeElement !== this.speed) this.speed.value = speeds.includes(speed) ? speed : '';
  }

  // Once per picture of the screen; one quantity over another less often.
  draw() {
    if (this.waiting || this.run.rows === 0) return;
    this.waiting = true;
    requestAnimationFrame(now => {
      this.waiting = false;
      if (this.ended.signal.aborted) return;
      if (!this.plots.held) this.plots.range = this.extent();
      this.run.since = this.plots.range[0];
      this.plots.refresh(this.run);
      const due = this.clock.phase !== 'running' || now - (this.drawn ?? 0) > 150;
      if (due) this.drawn = now;
      if (due) for (const figure of inSight('.plot.xy')) figure.dispatchEvent(new Event('refresh'));
      this.clock.advance(this.run.start, this.run.stop);
    });
  }
}

export function inSight(selector) {
  return [...document.querySelectorAll(selector)].filter(node => {
    const {top, bottom} = node.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}
