// Sliders for the parameters of a scene, by component, with boxes for exact values.
import {element, number, unitText} from './elements.js';

const STEPS = 1000, OPEN = 16, MANY = 60; // of more only open groups have their sliders

// Positive values on a logarithmic scale, a decade to each side; others on a linear one around zero.
export function scaleOf(value, path) {
  if (value > 0) {
    const low = Math.log(value / 10), high = Math.log(value * 10);
    return {value: place => Number(Math.exp(low + place / STEPS * (high - low)).toPrecision(4)), place: one => STEPS * (Math.log(one) - low) / (high - low),
            holds: one => one > 0 && Math.log(one) >= low - 1e-9 && Math.log(one) <= high + 1e-9};
  }
  const signed = value < 0 || /\[\d+\]$|position|velocity|rest|offset/.test(path);
  const most = value < 0 ? -2 * value : /gravity/.test(path) ? 20 : signed ? 1 : 10, least = signed ? -most : 0;
  return {value: place => Number((least + place / STEPS * (most - least)).toPrecision(4)), place: one => STEPS * (one - least) / (most - least),
          holds: one => one >= least && one <= most};
}

class Slider {
  constructor([path, value, unit, meaning], send) {
    this.path = path;
    this.first = this.value = value;
    this.send = send;
    this.text = `${path} ${meaning}`.toLowerCase();
    const name = path.replace(/^.*\./, ''), label = `${path}, ${unitText(unit) || 'no unit'}: ${meaning}`;
    this.range = element('input', {type: 'range', min: 0, max: STEPS, step: 1, 'aria-label': label, oninput: () => this.ask(this.scale.value(Number(this.range.value)))});
    this.box = element('input', {type: 'number', step: 'any', 'aria-label': `value of ${label}`, oninput: () => { this.editing = true; },
                                 onblur: () => { this.editing = false; }, onchange: () => { this.editing = false; this.ask(this.box.valueAsNumber); }});
    this.back = element('button', {type: 'button', class: 'back', 'aria-label': `first value of ${path}`, title: 'first value', onclick: () => this.ask(this.first)}, '↺');
    this.problem = element('p', {class: 'problem', role: 'alert', hidden: true});
    const late = /at the start/.test(meaning) ? element('small', {}, ' on restart') : null;
    this.node = element('div', {class: 'slider', title: meaning}, element('label', {}, name, late), this.range, this.box,
                        element('span', {class: 'unit'}, unitText(unit)), this.back, this.problem);
    this.show(value);
  }

  // As the program has it.
  show(value) {
    this.value = value;
    if (!this.scale?.holds(value)) this.scale = scaleOf(value, this.path);
    if (this.wanted === undefined) {
      this.range.value = Math.round(this.scale.place(value));
      if (!this.editing) this.box.value = Number(number(value, 9)); // not under the hand of somebody who is typing
    }
    this.range.setAttribute('aria-valuetext', number(value));
    this.back.hidden = value === this.first;
  }

  // One request at a time: while it is on its way only the newest wish is remembered.
  async ask(value) {
    if (!Number.isFinite(value)) return this.show(this.value);
    const busy = this.wanted !== undefined;
    this.wanted = value;
    this.box.value = value;
    if (busy) return;
    while (this.wanted !== undefined) {
      const now = this.wanted;
      const refusal = await this.send('set', `${this.path}=${now}`);
      if (this.wanted === now) this.wanted = undefined;
      this.problem.textContent = refusal ?? '';
      this.problem.hidden = !refusal;
      this.show(refusal ? this.value : now);
    }
  }
}

export class Sliders {
  // first: names of components that are turned most often.
  constructor(parameters, send, first = []) {
    this.all = parameters.map(parameter => new Slider(parameter, send));
    const groups = new Map();
    for (const slider of this.all) {
      const name = slider.path.includes('.') ? slider.path.replace(/\.[^.]*$/, '') : 'scene';
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(slider);
    }
    const rank = name => (name === 'scene' ? 2 : name === 'parameters' || first.some(one => name === one || name.startsWith(`${one}.`)) ? 0 : 1);
    const ordered = [...groups].sort(([a], [b]) => rank(a) - rank(b));
    this.groups = ordered.map(([name, sliders]) => {
      const open = rank(name) < (this.all.length <= OPEN ? 2 : 1);
      const node = element('details', {open, class: 'group', ontoggle: () => fill()}, element('summary', {}, name, element('small', {}, ` ${sliders.length}`)));
      const fill = () => { if (node.open && node.children.length === 1) node.append(...sliders.map(one => one.node)); };
      if (this.all.length <= MANY || open) node.append(...sliders.map(one => one.node));
      return {node, sliders, open, fill};
    });
    this.changed = element('input', {type: 'checkbox', onchange: () => this.sift()});
    this.filter = element('input', {type: 'search', placeholder: 'filter parameters  ( / )', 'aria-label': 'filter parameters', oninput: () => this.sift()});
    this.node = element('section', {class: 'sliders', 'aria-label': 'Parameters'}, element('h2', {id: 'parameters'}, 'Parameters', element('small', {}, ` ${this.all.length}`)), this.filter,
                        element('label', {class: 'changed'}, this.changed, 'only those that were changed'),
                        this.groups.map(group => group.node));
  }

  sift() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const only = this.changed.checked;
    for (const {node, sliders, open, fill} of this.groups) {
      for (const slider of sliders) slider.node.hidden = !words.every(word => slider.text.includes(word)) || (only && slider.value === slider.first);
      node.hidden = sliders.every(slider => slider.node.hidden);
      node.open = words.length > 0 || only ? !node.hidden : open;
      fill();
    }
  }

  show(values) { values.forEach((value, i) => this.all[i]?.show(value)); }
}
