// One quantity over another: hysteresis loops and friction curves, with a dot at the present time.
import uPlot from 'uplot';
import {element, unitText} from './elements.js';
import {colour, seriesColour} from './palette.js';
import {axes, withAir} from './timeplots.js';

function drawCurve(index) {
  return u => {
    const [xs, ys] = u.data[index];
    const {ctx} = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.beginPath();
    let pen = false;
    for (let i = 0; i < xs.length; ++i) {
      if (Number.isNaN(xs[i]) || Number.isNaN(ys[i])) { pen = false; continue; }
      const x = u.valToPos(xs[i], 'x', true), y = u.valToPos(ys[i], 'y', true);
      if (pen) ctx.lineTo(x, y);
      else ctx.moveTo(x, y);
      pen = true;
    }
    ctx.strokeStyle = u.series[index].colour();
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.lineJoin = 'round';
    ctx.stroke();
    ctx.restore();
    return null;
  };
}

// curves: [{label, x, y, at(t) -> [x, y]}]
export function xyPlot(host, {heading, xLabel, xUnit, yLabel, yUnit, curves, clock = null, height = 250}) {
  const box = element('figure', {class: 'plot xy', role: 'group', 'aria-label': heading}, element('figcaption', {}, heading));
  host.append(box);
  const label = (name, unit) => (unitText(unit) ? `${name}, ${unitText(unit)}` : name);
  const facets = [{scale: 'x', auto: true}, {scale: 'y', auto: true}];
  const plot = new uPlot({
    mode: 2, width: Math.max(220, box.clientWidth), height, legend: {show: false}, padding: [6, 10, 0, 0],
    cursor: {drag: {x: true, y: true}, points: {show: false}},
    scales: {x: {time: false, range: withAir}, y: {range: withAir}},
    axes: axes(label(xLabel, xUnit), label(yLabel, yUnit)),
    series: [{}, ...curves.map((curve, i) => ({facets, label: curve.label, colour: () => seriesColour(curve.style ?? i), paths: drawCurve(i + 1)}))],
  }, [null, ...curves.map(curve => [curve.x, curve.y])], box);
  if (curves.length > 1) {
    box.append(element('p', {class: 'legend'}, curves.map((curve, i) =>
      element('span', {}, element('i', {class: `series-${(curve.style ?? i) % 7 + 1}`}), curve.label))));
  }
  if (clock) followClock(plot, curves, clock);
  new ResizeObserver(() => {
    if (box.clientWidth > 0 && Math.abs(box.clientWidth - plot.width) > 1) plot.setSize({width: box.clientWidth, height});
  }).observe(box);
  box.addEventListener('refresh', () => plot.setData([null, ...curves.map(curve => [curve.x, curve.y])]));
  box.addEventListener('repaint', () => plot.redraw(false, true));
  return plot;
}

function followClock(plot, curves, clock) {
  const dots = curves.map((curve, i) => element('div', {class: `dot series-${(curve.style ?? i) % 7 + 1}`, 'aria-hidden': 'true'}));
  plot.over.append(...dots);
  const show = () => curves.forEach((curve, i) => {
    const [x, y] = curve.at(clock.t);
    const seen = x !== null && y !== null;
    dots[i].style.display = seen ? '' : 'none';
    if (seen) dots[i].style.transform = `translate(${plot.valToPos(x, 'x')}px, ${plot.valToPos(y, 'y')}px)`;
  });
  clock.listen(show);
  plot.hooks.draw = [...(plot.hooks.draw || []), show];
  show();
}
