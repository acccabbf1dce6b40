// Parallel coordinates: an axis for each parameter and measure, a line for each run. Dragging along an axis selects.
import {drawingCanvas} from './canvas.js';
import {element, number} from './elements.js';
import {colour} from './palette.js';

const TOP = 34, BOTTOM = 22, SIDE = 56, NEAR = 12;

export function parallelPlot(host, study) {
  const box = element('figure', {class: 'plot parallel'}, element('figcaption', {}, 'All runs', element('small', {}, 'drag along an axis to select, click it to take all')));
  const stage = element('div', {class: 'stage', tabindex: 0, 'aria-label': 'parallel coordinates of all runs'});
  box.append(stage);
  host.append(box);
  const extents = study.names.map(name => study.extent(name));
  let width = 0, height = 0, drag = null;
  const xOf = i => SIDE + (study.names.length > 1 ? i * (width - 2 * SIDE) / (study.names.length - 1) : 0);
  const yOf = (i, value) => height - BOTTOM - (value - extents[i][0]) / (extents[i][1] - extents[i][0]) * (height - TOP - BOTTOM);
  const valueAt = (i, y) => extents[i][0] + (height - BOTTOM - y) / (height - TOP - BOTTOM) * (extents[i][1] - extents[i][0]);

  function line(ctx, row) {
    ctx.beginPath();
    let pen = false;
    study.names.forEach((name, i) => {
      const value = study.column(name)[row];
      if (Number.isNaN(value)) { pen = false; return; }
      if (pen) ctx.lineTo(xOf(i), yOf(i, value));
      else ctx.moveTo(xOf(i), yOf(i, value));
      pen = true;
    });
    ctx.stroke();
  }

  function lines(ctx) {
    const marked = colour('series-1'), faint = colour('rule');
    for (const chosen of [0, 1]) {
      ctx.strokeStyle = chosen ? marked : faint;
      ctx.globalAlpha = chosen ? Math.max(0.04, Math.min(0.7, 60 / study.rows)) : 0.6;
      ctx.lineWidth = 1;
      for (let row = 0; row < study.rows; ++row) if (study.selected[row] === chosen) line(ctx, row);
    }
    ctx.globalAlpha = 1;
    if (study.picked === null) return;
    ctx.strokeStyle = colour('series-2');
    ctx.lineWidth = 2.5;
    line(ctx, study.picked);
  }

  function axisOf(ctx, name, i) {
    const x = xOf(i), brush = study.brushes.get(name);
    ctx.strokeStyle = colour('ink-soft');
    ctx.lineWidth = 1;
    ctx.strokeRect(x, TOP, 0.01, height - TOP - BOTTOM);
    if (brush) {
      ctx.fillStyle = colour('accent');
      ctx.globalAlpha = 0.3;
      ctx.fillRect(x - 6, yOf(i, brush[1]), 12, yOf(i, brush[0]) - yOf(i, brush[1]));
      ctx.globalAlpha = 1;
    }
    ctx.fillStyle = colour(i < study.parameters.length ? 'ink' : 'accent');
    ctx.textAlign = 'center';
    ctx.font = '600 12px system-ui, sans-serif';
    ctx.fillText(name, x, 12, 2 * SIDE + 20);
    ctx.font = '11px system-ui, sans-serif';
    ctx.fillStyle = colour('ink-soft');
    ctx.fillText(number(extents[i][1], 4), x, TOP - 6);
    ctx.fillText(number(extents[i][0], 4), x, height - 6);
  }

  const repaint = drawingCanvas(stage, 'parallel coordinates', (ctx, w, h) => {
    width = w;
    height = h;
    lines(ctx);
    study.names.forEach((name, i) => axisOf(ctx, name, i));
  });

  const place = event => {
    const frame = stage.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  stage.addEventListener('pointerdown', event => {
    const [x, y] = place(event), i = study.names.findIndex((name, k) => Math.abs(xOf(k) - x) <= NEAR);
    if (i < 0) return;
    drag = {i, from: y};
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener('pointermove', event => {
    if (!drag) return;
    const [, y] = place(event), a = valueAt(drag.i, drag.from), b = valueAt(drag.i, y);
    if (Math.abs(y - drag.from) > 3) study.brush(study.names[drag.i], [Math.min(a, b), Math.max(a, b)]);
  });
  stage.addEventListener('pointerup', event => {
    if (drag && Math.abs(place(event)[1] - drag.from) <= 3) study.brush(study.names[drag.i], null);
    drag = null;
  });
  study.listen(repaint);
}
