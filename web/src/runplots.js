// Runs as dots, as a map over two parameters, and as a histogram.
import {drawingCanvas} from './canvas.js';
import {element, number} from './elements.js';
import {colour} from './palette.js';

const LEFT = 58, RIGHT = 14, TOP = 10, BOTTOM = 34;

function chooser(label, names, chosen, change) {
  const select = element('select', {'aria-label': label, onchange: event => change(event.target.value)},
    names.map(name => element('option', {value: name, selected: name === chosen}, name)));
  return element('label', {}, `${label} `, select);
}

// Maps values to pixels, draws the frame with a few numbers.
function frame(ctx, width, height, [x0, x1], [y0, y1], xName, yName) {
  const x = value => LEFT + (value - x0) / (x1 - x0) * (width - LEFT - RIGHT);
  const y = value => height - BOTTOM - (value - y0) / (y1 - y0) * (height - TOP - BOTTOM);
  ctx.font = '11px system-ui, sans-serif';
  ctx.fillStyle = colour('ink-soft');
  ctx.strokeStyle = colour('rule');
  ctx.textAlign = 'center';
  for (let i = 0; i <= 4; ++i) {
    const a = x0 + (x1 - x0) * i / 4, b = y0 + (y1 - y0) * i / 4;
    ctx.beginPath();
    ctx.moveTo(x(a), TOP);
    ctx.lineTo(x(a), height - BOTTOM);
    ctx.moveTo(LEFT, y(b));
    ctx.lineTo(width - RIGHT, y(b));
    ctx.stroke();
    ctx.fillText(number(a, 3), x(a), height - BOTTOM + 13);
    ctx.textAlign = 'right';
    ctx.fillText(number(b, 3), LEFT - 5, y(b) + 4);
    ctx.textAlign = 'center';
  }
  ctx.fillText(xName, (LEFT + width - RIGHT) / 2, height - 5);
  ctx.save();
  ctx.translate(11, (TOP + height - BOTTOM) / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.fillText(yName, 0, 0);
  ctx.restore();
  return {x, y};
}

const padded = ([low, high]) => [low - 0.04 * (high - low), high + 0.04 * (high - low)];

export function scatterPlot(host, study) {
  let x = study.parameters[0], y = study.measureNames[0], scale = null;
  const stage = element('div', {class: 'stage', 'aria-label': 'runs as dots'});
  const box = element('figure', {class: 'plot scatter'}, element('figcaption', {}, 'Runs',
    chooser('x', study.names, x, name => { x = name; repaint(); }), chooser('y', study.names, y, name => { y = name; repaint(); })), stage);
  host.append(box);
  const front = new Set(study.front);
  const repaint = drawingCanvas(stage, 'scatter plot', (ctx, width, height) => {
    scale = frame(ctx, width, height, padded(study.extent(x)), padded(study.extent(y)), x, y);
    const xs = study.column(x), ys = study.column(y);
    for (let i = 0; i < study.rows; ++i) {
      if (Number.isNaN(xs[i]) || Number.isNaN(ys[i])) continue;
      ctx.fillStyle = colour(!study.selected[i] ? 'ink-faint' : front.has(i) ? 'series-3' : 'series-1');
      ctx.globalAlpha = study.selected[i] ? 0.8 : 0.35;
      ctx.beginPath();
      ctx.arc(scale.x(xs[i]), scale.y(ys[i]), i === study.picked ? 6 : front.has(i) ? 4.5 : 3, 0, 7);
      ctx.fill();
      if (study.traces.has(i)) { ctx.strokeStyle = colour('ink-soft'); ctx.stroke(); }
    }
    ctx.globalAlpha = 1;
  });
  stage.addEventListener('click', event => {
    const bounds = stage.getBoundingClientRect(), px = event.clientX - bounds.left, py = event.clientY - bounds.top;
    const xs = study.column(x), ys = study.column(y);
    let best = null, nearest = 15 ** 2;
    for (let i = 0; i < study.rows; ++i) {
      const distance = (scale.x(xs[i]) - px) ** 2 + (scale.y(ys[i]) - py) ** 2;
      if (distance < nearest) { nearest = distance; best = i; }
    }
    study.pick(best);
  });
  study.listen(repaint);
}

// The mean of a measure in cells over two parameters. Of a grid the cells are its values.
export function mapPlot(host, study) {
  if (study.parameters.length < 2) return;
  let [x, y] = study.parameters, z = study.measureNames[0];
  const stage = element('div', {class: 'stage', 'aria-label': 'a measure over two parameters'});
  const box = element('figure', {class: 'plot map'}, element('figcaption', {}, 'Map',
    chooser('x', study.parameters, x, name => { x = name; repaint(); }), chooser('y', study.parameters, y, name => { y = name; repaint(); }),
    chooser('colour', study.measureNames, z, name => { z = name; repaint(); })), stage);
  host.append(box);
  const cellsOf = name => {
    const values = [...new Set(study.column(name))].sort((a, b) => a - b);
    const [low, high] = study.extent(name), count = Math.max(2, Math.min(24, Math.round(Math.sqrt(study.rows / 3))));
    if (values.length <= 40 && values.length * 3 < study.rows)
      return {count: values.length, of: value => values.indexOf(value), range: [0, values.length], label: values};
    return {count, of: value => Math.min(count - 1, Math.floor((value - low) / (high - low) * count)), range: [low, high], label: null};
  };
  const repaint = drawingCanvas(stage, 'map', (ctx, width, height) => {
    const a = cellsOf(x), b = cellsOf(y), sums = new Float64Array(a.count * b.count), counts = new Uint32Array(a.count * b.count);
    for (let i = 0; i < study.rows; ++i) {
      const value = study.column(z)[i];
      if (Number.isNaN(value) || !study.selected[i]) continue;
      const cell = b.of(study.column(y)[i]) * a.count + a.of(study.column(x)[i]);
      sums[cell] += value;
      ++counts[cell];
    }
    const means = sums.map((sum, i) => (counts[i] ? sum / counts[i] : NaN)), known = means.filter(value => !Number.isNaN(value));
    const low = Math.min(...known), high = Math.max(...known);
    const w = (width - LEFT - RIGHT) / a.count, h = (height - TOP - BOTTOM) / b.count;
    means.forEach((mean, i) => {
      if (Number.isNaN(mean)) return;
      const share = high > low ? (mean - low) / (high - low) : 0.5;
      ctx.fillStyle = `hsl(${250 - 200 * share} 65% ${35 + 30 * share}%)`;
      ctx.fillRect(LEFT + (i % a.count) * w, height - BOTTOM - (Math.floor(i / a.count) + 1) * h, w + 0.5, h + 0.5);
    });
    ctx.font = '11px system-ui, sans-serif';
    ctx.fillStyle = colour('ink-soft');
    ctx.textAlign = 'center';
    const ends = (cells, i) => (cells.label ? cells.label[i ? cells.count - 1 : 0] : cells.range[i]);
    ctx.fillText(`${number(ends(a, 0), 3)}  …  ${x}  …  ${number(ends(a, 1), 3)}`, (LEFT + width - RIGHT) / 2, height - 18);
    ctx.fillText(`${z}: ${number(low, 4)} dark … ${number(high, 4)} bright`, (LEFT + width - RIGHT) / 2, height - 4);
    ctx.save();
    ctx.translate(14, (TOP + height - BOTTOM) / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(`${number(ends(b, 0), 3)}  …  ${y}  …  ${number(ends(b, 1), 3)}`, 0, 0);
    ctx.restore();
  });
  study.listen(repaint);
}

export function histogram(host, study, name) {
  const stage = element('div', {class: 'stage low', 'aria-label': `how often ${name} has which value`});
  host.append(element('figure', {class: 'plot histogram'}, element('figcaption', {}, name), stage));
  const repaint = drawingCanvas(stage, `histogram of ${name}`, (ctx, width, height) => {
    const [low, high] = study.extent(name), count = Math.max(5, Math.min(60, Math.round(2 * Math.cbrt(study.rows))));
    const all = new Uint32Array(count), chosen = new Uint32Array(count);
    study.column(name).forEach((value, i) => {
      if (Number.isNaN(value)) return;
      const bin = Math.min(count - 1, Math.floor((value - low) / (high - low) * count));
      ++all[bin];
      chosen[bin] += study.selected[i];
    });
    const scale = frame(ctx, width, height, [low, high], [0, Math.max(...all)], name, 'runs');
    for (const [bins, ink] of [[all, 'ink-faint'], [chosen, 'series-1']]) {
      ctx.fillStyle = colour(ink);
      bins.forEach((runs, i) => {
        const x0 = scale.x(low + (high - low) * i / count), x1 = scale.x(low + (high - low) * (i + 1) / count);
        ctx.fillRect(x0 + 0.5, scale.y(runs), x1 - x0 - 1, scale.y(0) - scale.y(runs));
      });
    }
  });
  study.listen(repaint);
}
