// The page of a sweep: all runs over their parameters and measures. What is brushed in one drawing is marked in all.
import {Clock} from './clock.js';
import {Run, decode} from './data.js';
import {element, number} from './elements.js';
import {parallelPlot} from './parallel.js';
import {header} from './report.js';
import {histogram, mapPlot, scatterPlot} from './runplots.js';
import {table} from './tables.js';
import {TimePlots} from './timeplots.js';

export class Study {
  constructor(report) {
    Object.assign(this, report);
    this.measureNames = report.measures.map(measure => measure.name);
    this.names = [...report.parameters, ...this.measureNames];
    const values = decode(report.data, Float64Array);
    this.rows = values.length / (this.names.length + 1);
    const column = i => values.subarray(i * this.rows, (i + 1) * this.rows);
    this.run = column(0);
    this.columns = new Map(this.names.map((name, i) => [name, column(i + 1)]));
    this.traces = new Map(report.traces.map(trace => [trace.row, trace]));
    this.data = null;
    this.brushes = new Map(); // name -> [low, high]
    this.selected = new Uint8Array(this.rows).fill(1);
    this.picked = null; // a row
    this.listeners = [];
  }

  column(name) { return this.columns.get(name); }
  extent(name) {
    let low = Infinity, high = -Infinity;
    for (const value of this.column(name)) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return high > low ? [low, high] : [low - 0.5, low + 0.5];
  }
  listen(listener) { this.listeners.push(listener); }
  tell() { for (const listener of this.listeners) listener(); }

  brush(name, range) {
    if (range) this.brushes.set(name, range);
    else this.brushes.delete(name);
    for (let i = 0; i < this.rows; ++i) {
      this.selected[i] = 1;
      for (const [of, [low, high]] of this.brushes) {
        const value = this.column(of)[i];
        if (!(value >= low && value <= high)) this.selected[i] = 0;
      }
    }
    this.tell();
  }

  pick(row) { this.picked = row; this.tell(); }
  values(name) { return Array.from(this.column(name)).filter((value, i) => this.selected[i] && !Number.isNaN(value)); }
}

function quantile(sorted, share) {
  const place = share * (sorted.length - 1), below = Math.floor(place);
  const next = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[next] - sorted[below]);
}

function holds({relation, value, tolerance}, measured) {
  return relation === 'under' ? measured <= value : relation === 'over' ? measured >= value : Math.abs(measured - value) <= tolerance;
}

function summaryTable(study) {
  const cell = value => element('td', {class: 'number'}, number(value, 5));
  const judged = study.measures.some(measure => measure.relation !== 'none');
  return table(['measure', 'mean', '5 %', 'median', '95 %', ...(judged ? ['broken'] : [])], study.measures.map(measure => {
    const sorted = study.values(measure.name).sort((a, b) => a - b), count = sorted.length;
    const broken = measure.relation === 'none' ? null : sorted.filter(value => !holds(measure, value)).length;
    return element('tr', {}, element('td', {}, measure.name), cell(count ? sorted.reduce((a, b) => a + b, 0) / count : NaN),
      ...[0.05, 0.5, 0.95].map(share => cell(count ? quantile(sorted, share) : NaN)),
      judged ? element('td', {class: 'number'}, broken === null ? '' : `${broken} of ${count}`) : null);
  }), {class: 'summary'});
}

function indicesTable(study, measure) {
  const text = ([value, low, high]) => `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return element('section', {}, element('h3', {}, `Sobol's indices of ${study.measureNames[measure]}`),
    table(['parameter', 'alone', 'with interactions'], study.indices[measure].map(([first, total], i) =>
      element('tr', {}, element('td', {}, study.parameters[i]), element('td', {class: 'number'}, text(first)), element('td', {class: 'number'}, text(total))))));
}

const quoted = text => (/^[\w./=+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

// The run that was clicked: its numbers, the command that repeats it, its plots where they were kept.
function showPicked(host, study) {
  host.replaceChildren();
  if (study.picked === null) {
    host.append(element('p', {class: 'description'}, 'Click a run in a drawing to see it. Drag over an axis of the parallel coordinates to select runs.'));
    return;
  }
  const row = study.picked;
  const sets = study.parameters.map(name => `--set ${quoted(`${name}=${study.column(name)[row]}`)}`).join(' ');
  host.append(element('h2', {}, `Run ${study.run[row]}`),
    table(['', 'value'], study.names.map(name => element('tr', {}, element('td', {}, name), element('td', {class: 'number'}, number(study.column(name)[row], 9))))),
    element('pre', {class: 'command'}, `stiction run ${quoted(study.scene)} ${sets}`));
  const trace = study.traces.get(row);
  if (!trace) {
    host.append(element('p', {class: 'description'}, `Plots are kept of ${study.traces.size} runs (ringed in the scatter plot); the command above makes those of any run.`));
    return;
  }
  const run = new Run({...trace}), clock = new Clock(run.start, run.stop), plots = new TimePlots(clock);
  for (const {name, unit} of run.channels)
    plots.add(host, {heading: name, unit, times: run.t, series: [{label: name, values: run.column(name), source: () => run.column(name)}], height: 150});
  plots.resize();
}

export function showStudy(page, report) {
  const study = new Study(report);
  const side = element('aside'), content = element('div', {class: 'content study'});
  page.append(header(report, `${study.runs} runs, ${study.parameters.length} parameters varied`), element('div', {class: 'columns'}, side, content));
  if (report.description) side.append(element('p', {class: 'description'}, report.description));
  if (study.failures > 0) side.append(element('p', {class: 'verdict fails'}, `${study.failures} of ${study.runs} runs failed`));
  if (study.rows < study.runs) side.append(element('p', {class: 'description'}, `${study.rows} of ${study.runs} runs are shown.`));
  const count = element('p', {class: 'state'}), summary = element('div'), picked = element('div', {'aria-live': 'polite'});
  const clear = element('button', {type: 'button', onclick: () => { study.brushes.clear(); study.brush(study.names[0], null); }}, 'select all');
  side.append(count, clear, summary);
  for (let i = 0; i < (study.indices ?? []).length; ++i) side.append(indicesTable(study, i));
  side.append(picked);
  parallelPlot(content, study);
  const pair = element('div', {class: 'pair'});
  content.append(pair);
  scatterPlot(pair, study);
  mapPlot(pair, study);
  const histograms = element('div', {class: 'pair'});
  content.append(histograms);
  for (const name of study.measureNames) histogram(histograms, study, name);
  let last = null;
  study.listen(() => {
    const selected = study.selected.reduce((sum, one) => sum + one, 0);
    count.textContent = `${selected} of ${study.rows} runs selected`;
    summary.replaceChildren(summaryTable(study));
    if (study.picked !== last || last === null) showPicked(picked, study);
    last = study.picked;
  });
  study.tell();
  return {study, plots: {redraw: () => study.tell(), resize: () => study.tell(), zoom() {}, zoomBy() {}}, clock: null};
}
