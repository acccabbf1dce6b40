// The page of one simulation: a replay beside plots and tables.
import {Clock} from './clock.js';
import {Run} from './data.js';
import {element} from './elements.js';
import {addReplay, transport} from './replay.js';
import {addEnergy, addFigures, addFriction, addGrid, addTimePlots} from './simulation.js';
import {energyTable, expectationTable, facts, parameterTable, stickingTable} from './tables.js';
import {TimePlots} from './timeplots.js';

function verdict(runs) {
  const all = runs.flatMap(run => (run.expectations?.judged ? run.expectations.rows : []));
  if (all.length === 0) return null;
  const held = all.filter(row => row.holds).length;
  return element('p', {class: `verdict ${held === all.length ? 'holds' : 'fails'}`}, `${held} of ${all.length} expectations hold`);
}

function details(title, content, open = true) {
  return element('details', {open}, element('summary', {}, title), content);
}

function addSummary(host, run) {
  if (run.sticking?.length > 0) host.append(stickingTable(run.sticking));
  if (run.energy) host.append(energyTable(run.energy));
}

function addTables(host, run) {
  if (run.expectations?.rows.length > 0)
    host.append(element('section', {}, element('h2', {id: 'expectations'}, 'Expectations'), expectationTable(run.expectations)));
  if (run.parameters?.length > 0)
    host.append(element('section', {}, element('h2', {id: 'parameters'}, 'Parameters'),
                        details(`${run.parameters.length} parameters`, parameterTable(run.parameters), run.parameters.length <= 40)));
}

export function header(report, subtitle) {
  return element('header', {}, element('h1', {}, report.title), element('p', {class: 'subtitle'}, subtitle));
}

export function showSimulation(page, report) {
  const [simulation] = report.simulations;
  const runs = simulation.runs.map(run => new Run(run));
  const [run] = runs;
  const side = element('aside'), content = element('div', {class: 'content'});
  const thinned = runs.some(one => one.seen > one.rows);
  page.append(header(report, [simulation.name !== 'recordings' ? simulation.name : runs.map(one => one.name).join(', '),
                              run.name !== 'scene' && runs.length === 1 && simulation.name !== 'recordings' ? ` (${run.name})` : '']),
              element('div', {class: 'columns'}, side, content));
  if (run.grid) return showGrid(side, content, simulation, runs);
  const clock = new Clock(Math.min(...runs.map(one => one.start)), Math.max(...runs.map(one => one.stop)));
  const plots = new TimePlots(clock, run.over && run.over !== 't' ? run.over : 't, s');
  const replay = run.drawing ? addReplay(side, run, clock, {meshes: simulation.meshes}) : null;
  if (!replay) side.append(transport(clock));
  if (simulation.description) side.append(element('p', {class: 'description'}, simulation.description));
  side.append(verdict(runs) || '', element('ul', {class: 'facts'}, facts(run).map(text => element('li', {}, text)),
    thinned ? element('li', {}, `${run.rows} of ${run.seen} rows are shown: in each part of the time the least and the greatest of every signal (--full shows all)`) : null));
  addSummary(side, run);
  const figures = element('section', {'aria-label': 'Figures'}, element('h2', {}, 'Figures'));
  if ((simulation.figures || []).length > 0) content.append(figures);
  addFigures(plots, figures, simulation, runs, clock);
  const times = addTimePlots(plots, content, runs);
  if (runs.length === 1) {
    addFriction(content, run, clock);
    addEnergy(plots, content, run, times);
  }
  addTables(content, run);
  plots.resize();
  clock.tell();
  return {clock, plots, runs, replay};
}

function showGrid(side, content, simulation, runs) {
  side.append(verdict(runs) || '', element('p', {}, simulation.description || ''));
  const clock = new Clock(0, 1), plots = new TimePlots(clock);
  if (!addFigures(plots, content, simulation, runs, clock)) addGrid(content, runs, null);
  addTables(content, runs[0]);
  return {clock, plots, runs};
}
