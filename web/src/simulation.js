// One simulation with its runs: figures, plots over time, friction, energy.
import {addBands} from './bands.js';
import {commonTimes, sampled} from './data.js';
import {element} from './elements.js';
import {xyPlot} from './xyplots.js';

const heading = (text, id) => element('h2', {id}, text);

// What has no unit says by its name what it is: quaternions, counts and shares are different things.
const kindOf = (unit, name) => {
  const last = name.replace(/^.*\./, '');
  if (/^p[xyz]$|^depth$/.test(last)) return last === 'depth' ? 'Depth of contact' : 'Centre of pressure';
  if (unit && unit !== '1') return unit;
  return /^q[wxyz]$/.test(last) ? 'orientation (quaternion)' : last.replace(/\d+$/, '');
};

// Channels that belong into one plot: the same unit; of several runs each channel alone.
function groupsOf(runs) {
  const groups = new Map();
  for (const run of runs) {
    const recorded = run.names('record').filter(name => !name.endsWith('.stick'));
    for (const name of recorded) {
      const key = runs.length > 1 ? name : kindOf(run.units.get(name), name);
      if (!groups.has(key)) groups.set(key, new Set());
      groups.get(key).add(name);
    }
  }
  const last = [...groups.keys()].filter(key => /of contact|of pressure|quaternion/.test(key)); // they say the least
  return [...groups.keys()].filter(key => !last.includes(key)).concat(last).map(key => [...groups.get(key)]);
}

const words = {m: 'Position', 'm/s': 'Velocity', rad: 'Angle', 'rad/s': 'Rate', N: 'Force', 'N*m': 'Torque', 'N m': 'Torque', J: 'Energy'};

function addGroup(plots, host, runs, times, names) {
  const unit = runs.find(run => run.has(names[0])).units.get(names[0]);
  const series = runs.flatMap((run, r) => names.filter(name => run.has(name)).map(name => ({
    label: runs.length > 1 ? run.name : name, values: sampled(run, name, times), source: () => run.column(name), style: runs.length > 1 ? r : undefined})));
  const title = runs.length > 1 || names.length === 1 ? names[0] : words[kindOf(unit, names[0])] || kindOf(unit, names[0]);
  for (let i = 0; i < series.length; i += 8) // more cannot be told apart
    plots.add(host, {heading: title, unit, times, series: series.slice(i, i + 8)});
}

export function addTimePlots(plots, host, runs) {
  const times = commonTimes(runs);
  const section = element('section', {'aria-label': 'Signals over time'}, heading(`Signals over ${plots.xLabel === 't, s' ? 'time' : plots.xLabel}`, 'signals'));
  host.append(section);
  for (const names of groupsOf(runs)) addGroup(plots, section, runs, times, names);
  const lines = runs.flatMap(run => [...run.columns.keys()].filter(name => name.endsWith('.stick')).map(name => {
    const element = name.slice(0, -6).replace(/\.friction$/, ''), label = runs.length > 1 ? `${element} (${run.name})` : element;
    return {label, run, name, sampled: sampled(run, name, times)};
  }));
  addBands(plots, section, lines, times);
  return times;
}

export function addEnergy(plots, host, run, times) {
  const names = run.names('energy');
  if (names.length === 0) return;
  const section = element('section', {}, heading('Energy', 'energy'));
  host.append(section);
  plots.add(section, {heading: 'Energy balance', unit: 'J', times,
                      series: names.map(name => ({label: name.slice(7), values: sampled(run, name, times), source: () => run.column(name)}))});
}

// The axes of an element: force with velocity and displacement along it.
function axesOf(run, name) {
  const triples = [['force', 'v', 'x'], ['fx', 'vx', 'x'], ['fy', 'vy', 'y'], ['fz', 'vz', 'z']];
  // Not the normal force of a contact, nor axes along which nothing happens.
  const moves = column => run.live || column && column.some(value => value !== column[0]);
  const along = triples.filter(([f, v]) => run.has(`${name}.${v}`) && !(f === 'fz' && run.has(`${name}.fn`)) && moves(run.column(`${name}.${f}`)));
  return along.map(parts => parts.map(part => `${name}.${part}`));
}

export function curve(run, label, x, y, style) {
  const column = name => (run.live ? run.recent(name) : run.column(name));
  return {label, get x() { return column(x); }, get y() { return column(y); }, style, at: t => [run.value(x, t), run.value(y, t)]};
}

export function addFriction(host, run, clock) {
  const elements = run.frictions.filter(one => axesOf(run, one.name).length > 0);
  if (elements.length === 0) return;
  const section = element('section', {'aria-label': 'Friction'}, heading('Friction', 'friction'));
  host.append(section);
  for (const one of elements) {
    const row = element('div', {class: 'pair'});
    section.append(element('h3', {}, one.name, element('small', {}, ` ${one.kind}`)), row);
    for (const [f, v, x] of axesOf(run, one.name)) {
      const plot = (over, title) => run.has(over) && xyPlot(row, {
        heading: `${f.replace(/^.*\./, '')} over ${title}`, xLabel: over, xUnit: run.units.get(over), yLabel: f, yUnit: run.units.get(f),
        curves: [curve(run, one.name, over, f)], clock});
      plot(v, 'velocity');
      plot(x, 'displacement');
    }
  }
}

// Figures that the scene asks for: y over x, of the runs that it names.
export function addFigures(plots, host, simulation, runs, clock) {
  const figures = simulation.figures || [];
  for (const figure of figures) {
    const shown = runs.filter(run => (figure.runs.length === 0 || figure.runs.includes(run.name)) && figure.y.some(name => run.has(name)));
    if (shown.length === 0) continue;
    if (shown[0].grid) addGrid(host, shown, figure);
    else if (figure.x === 't') addTimeFigure(plots, host, figure, shown);
    else addCurveFigure(host, figure, shown, clock);
  }
  return figures.length > 0;
}

function addTimeFigure(plots, host, figure, runs) {
  const times = commonTimes(runs);
  figure.y.forEach((name, k) => {
    const holders = runs.filter(run => run.has(name));
    if (holders.length === 0) return;
    plots.add(host, {heading: `${figure.title}: ${name}`, unit: holders[0].units.get(name), times, height: 210,
                     series: holders.map((run, i) => ({label: runs.length > 1 ? run.name : name, style: runs.length > 1 ? i : k, values: sampled(run, name, times)}))});
  });
}

function addCurveFigure(host, figure, runs, clock) {
  const curves = runs.flatMap(run => figure.y.filter(name => run.has(name) && run.column(figure.x)).map(name =>
    curve(run, runs.length > 1 ? run.name : name, figure.x, name)));
  if (curves.length === 0) return;
  xyPlot(host, {heading: figure.title, xLabel: figure.x, xUnit: runs[0].units.get(figure.x), yLabel: figure.y.join(', '),
                yUnit: runs[0].units.get(figure.y[0]), curves, clock, height: 300});
}

// A grid: over its first swept value (or what the figure asks for), one curve for each of some of the others.
export function addGrid(host, runs, figure) {
  for (const run of runs) {
    const swept = run.names('swept'), y = figure ? figure.y[0] : run.names('record')[0];
    const x = figure && figure.x !== 't' ? figure.x : swept[0];
    const other = swept.find(name => name !== x);
    const values = other ? [...new Set(run.column(other))] : [null];
    const step = Math.max(1, Math.ceil(values.length / 9));
    const curves = values.filter((value, i) => i % step === 0).map(value => {
      const rows = [...run.t.keys()].filter(i => value === null || run.column(other)[i] === value);
      return {label: other ? `${other} = ${Number(value.toPrecision(4))}` : y,
              x: Float64Array.from(rows, i => run.column(x)[i]), y: Float64Array.from(rows, i => run.column(y)[i])};
    });
    xyPlot(host, {heading: `${figure ? figure.title : y}${runs.length > 1 ? `, ${run.name}` : ''}`, xLabel: x, yLabel: y, curves, height: 300});
  }
}
