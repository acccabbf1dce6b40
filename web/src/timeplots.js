// Plots over time that share their axis and their cursor.
import uPlot from 'uplot';
import {element, number, unitText} from './elements.js';
import {colour, seriesStyle} from './palette.js';

const AXIS = 64; // px, so that the time axes of all plots lie under each other

export function axes(xLabel, yLabel) {
  const axis = {stroke: () => colour('ink-soft'), font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif',
                grid: {stroke: () => colour('rule'), width: 1}, ticks: {stroke: () => colour('rule'), width: 1, size: 4}};
  const text = values => values.map(value => (value === null ? '' : number(value, 5)));
  return [
    {...axis, label: xLabel, labelSize: xLabel ? 20 : 0, size: 26, values: (u, values) => text(values)},
    // Four numbers fit into low plots, too: one alone gives no scale.
    {...axis, label: yLabel, labelSize: yLabel ? 20 : 0, size: AXIS, space: (u, index, low, high, height) => Math.max(14, Math.min(30, height / 5)), values: (u, values) => text(values)},
  ];
}

// A little air around what is shown. What stays constant to rounding gets some of its own size: an axis cannot be divided
// into less than the digits of its numbers.
export function withAir(u, low, high) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const air = high - low > 1e-9 * size ? 0.06 * (high - low) : 0.1 * size || 1;
  return [low - air, high + air];
}

export class TimePlots {
  constructor(clock, xLabel = 't, s') {
    this.clock = clock;
    this.xLabel = xLabel;
    this.plots = [];
    this.range = [clock.start, clock.stop];
    clock.listen(() => this.showTime());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(document.documentElement);
  }

  // series: [{label, values, source}], where source gives the values of a run that grows; the heading names the plot for people who do not see it.
  add(host, {heading, unit, times, series, height = 190, draw = null, extra = {}}) {
    const box = element('figure', {class: 'plot', role: 'group', 'aria-label': `${heading} over time`},
                        element('figcaption', {}, heading));
    host.append(box);
    const options = {
      width: Math.max(260, box.clientWidth), height,
      legend: {live: true}, cursor: {drag: {x: true, y: false}, points: {size: 7}},
      padding: [6, 10, 0, 0],
      scales: {x: {time: false, range: () => this.range}, y: {range: withAir}, ...extra.scales},
      axes: extra.axes || axes(this.xLabel, unitText(unit)),
      series: [{label: this.xLabel.split(',')[0], value: (u, v) => number(v, 9)},
               ...series.map((one, i) => ({label: one.label, width: 1.6, points: {show: false}, spanGaps: true,
                                          value: (u, v) => number(v), ...seriesStyle(one.style ?? i), ...one.options}))],
      hooks: {
        setSelect: [u => this.select(u)],
        draw: draw ? [draw] : [],
      },
    };
    const plot = new uPlot(options, [times, ...series.map(one => one.values)], box);
    plot.over.addEventListener('mousemove', event => this.follow(plot, event));
    plot.over.addEventListener('dblclick', () => this.zoom(null));
    plot.over.addEventListener('wheel', event => this.wheel(event, plot), {passive: false});
    plot.fresh = () => series.map(one => one.source());
    this.plots.push(plot);
    this.showTime();
    return plot;
  }

  // The mouse leads the clock, unless the replay does.
  follow(plot, event) {
    if (this.clock.playing) return;
    const left = event.clientX - plot.over.getBoundingClientRect().left;
    this.clock.set(plot.data[0][plot.posToIdx(left)]);
  }

  showTime() {
    for (const plot of this.plots) {
      const left = plot.valToPos(this.clock.t, 'x');
      if (Math.abs(plot.cursor.left - left) > 0.01) plot.setCursor({left, top: plot.over.clientHeight / 2}, false);
    }
  }

  select(u) {
    if (u.select.width < 4) return;
    const from = u.posToVal(u.select.left, 'x'), to = u.posToVal(u.select.left + u.select.width, 'x');
    u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
    this.zoom([from, to]);
  }

  zoom(range) {
    const {start, stop} = this.clock;
    this.held = range !== null; // by a person
    this.range = range ? [Math.max(start, range[0]), Math.min(stop, range[1])] : [start, stop];
    for (const plot of this.plots) plot.setScale('x', {min: this.range[0], max: this.range[1]});
    this.showTime();
  }

  // Around the time that is shown.
  zoomBy(factor, centre = this.clock.t) {
    const [from, to] = this.range;
    const middle = Math.min(to, Math.max(from, centre));
    if ((to - from) * factor < 1e-6 * (this.clock.stop - this.clock.start)) return;
    this.zoom([middle - (middle - from) * factor, middle + (to - middle) * factor]);
  }

  wheel(event, plot) {
    if (!event.ctrlKey && !event.shiftKey) return; // else the page could not be scrolled
    event.preventDefault();
    const centre = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x');
    this.zoomBy((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, centre);
  }

  resize() {
    for (const plot of this.plots) {
      const width = plot.root.parentNode.clientWidth;
      if (width > 0 && Math.abs(width - plot.width) > 1) plot.setSize({width, height: plot.height});
    }
    this.showTime();
  }

  // What a run that grows holds by now, in plots that can be seen.
  refresh(run) {
    for (const plot of this.plots) {
      const {top, bottom} = plot.root.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight) plot.setData([run.t, ...plot.fresh()]);
    }
  }

  dispose() {
    this.observer.disconnect();
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
  }

  redraw() { for (const plot of this.plots) plot.redraw(false, true); }
}
