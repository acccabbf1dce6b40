// Bands of stick and slip under the time plots: one line for each friction element.
import {indexAt} from './data.js';
import {element} from './elements.js';
import {colour} from './palette.js';
import {axes} from './timeplots.js';

const LINE = 22; // px

function paintLine(u, times, stuck, top, height) {
  const {ctx} = u;
  let from = indexAt(times, u.scales.x.min);
  for (let i = from + 1; i <= times.length; ++i) {
    if (i < times.length && stuck[i] === stuck[from]) continue;
    const left = Math.max(u.bbox.left, u.valToPos(times[Math.max(0, from - 1)], 'x', true));
    const right = Math.min(u.bbox.left + u.bbox.width, u.valToPos(times[Math.min(i, times.length) - 1], 'x', true));
    if (right > left) {
      ctx.fillStyle = colour(stuck[from] >= 0.5 ? 'stick' : 'slip');
      ctx.globalAlpha = stuck[from] > 0 && stuck[from] < 1 ? 0.5 : 1;
      ctx.fillRect(left, top, Math.max(1, right - left), height);
    }
    from = i;
  }
  ctx.globalAlpha = 1;
}

// lines: [{label, run, name, sampled}]
export function addBands(plots, host, lines, times) {
  if (lines.length === 0) return;
  const draw = u => {
    u.ctx.save();
    const height = u.bbox.height / lines.length;
    lines.forEach((line, i) => paintLine(u, line.run.t, line.run.column(line.name), u.bbox.top + (i + 0.15) * height, 0.7 * height));
    u.ctx.restore();
  };
  const [x, y] = axes('', '');
  const names = {...y, size: y.size + 20, grid: {show: false}, ticks: {show: false}, splits: () => lines.map((line, i) => i),
                 values: () => lines.map(line => (line.label.length > 10 ? `…${line.label.slice(-9)}` : line.label))};
  plots.add(host, {
    heading: 'Stick and slip', unit: '', times, height: 34 + LINE * lines.length,
    series: lines.map((line, i) => ({label: line.label, values: line.sampled, source: () => line.run.column(line.name),
                                     options: {paths: () => null, stroke: () => colour('ink-soft'),
                                               value: (u, v) => (v === null || v === undefined ? '–' : v === 1 ? 'sticks' : v === 0 ? 'slips' : `${Math.round(100 * v)} % stick`)}})),
    draw, extra: {axes: [{...x, label: ''}, names], scales: {y: {range: () => [-0.5, lines.length - 0.5], dir: -1}}},
  });
  host.lastElementChild.querySelector('figcaption').append(
    element('span', {class: 'key'}, element('i', {class: 'stick'}), 'sticks', element('i', {class: 'slip'}), 'slips'));
}
