// The page of all papers: expected and measured, and the figures. Simulations are drawn when they come into sight.
import {Clock} from './clock.js';
import {Run} from './data.js';
import {element} from './elements.js';
import {header} from './report.js';
import {addFigures, addGrid, addTimePlots} from './simulation.js';
import {expectationTable, table} from './tables.js';
import {TimePlots} from './timeplots.js';

function count(simulation) {
  const rows = simulation.runs.flatMap(run => run.expectations?.rows || []);
  return {all: rows.length, held: rows.filter(row => row.holds).length};
}

function overview(simulations) {
  return table(['simulation', 'runs', 'expectations', ''], simulations.map((simulation, i) => {
    const {all, held} = count(simulation);
    return element('tr', {class: held === all ? 'holds' : 'fails'},
      element('td', {}, element('a', {href: `#s${i}`}, simulation.name), element('br'), element('small', {}, simulation.title || '')),
      element('td', {class: 'number'}, String(simulation.runs.length)), element('td', {class: 'number'}, `${held} of ${all}`),
      element('td', {class: 'verdict'}, held === all ? '✓ hold' : '✗ fail'));
  }));
}

function draw(host, simulation) {
  const runs = simulation.runs.map(run => new Run(run));
  if (runs.length === 0) return null;
  const clock = new Clock(Math.min(...runs.map(run => run.start)), Math.max(...runs.map(run => run.stop)));
  const plots = new TimePlots(clock);
  const wanted = addFigures(plots, host, simulation, runs, clock);
  if (!wanted && runs[0].grid) addGrid(host, runs, null);
  else if (!wanted) addTimePlots(plots, host, runs);
  return {clock, plots, runs};
}

function simulationSection(simulation, index, shown) {
  const figures = element('div', {class: 'figures'});
  const {all, held: good} = count(simulation);
  const section = element('details', {class: 'paper', id: `s${index}`, open: good < all},
    element('summary', {}, simulation.title || simulation.name, element('small', {}, `${simulation.name}: ${good} of ${all} hold`)),
    simulation.description ? element('p', {class: 'description'}, simulation.description) : null, figures);
  for (const run of simulation.runs.filter(one => one.expectations?.rows.length > 0)) {
    const {rows} = run.expectations, held = rows.filter(row => row.holds).length;
    section.append(element('details', {open: held < rows.length}, element('summary', {},
      `${run.name === 'scene' ? 'Expectations' : `Variant ${run.name}`}: ${held} of ${rows.length} hold`), expectationTable(run.expectations)));
  }
  const drawOnce = () => {
    if (figures.dataset.drawn) return;
    figures.dataset.drawn = 'yes';
    shown.push(draw(figures, simulation));
  };
  new IntersectionObserver(entries => { if (entries.some(entry => entry.isIntersecting)) drawOnce(); }, {rootMargin: '600px'}).observe(figures);
  return {section, drawOnce};
}

export function showPapers(page, report) {
  const shown = [];
  const sums = report.simulations.map(count);
  const all = sums.reduce((sum, one) => sum + one.all, 0), held = sums.reduce((sum, one) => sum + one.held, 0);
  const sections = report.simulations.map((simulation, i) => simulationSection(simulation, i, shown));
  // One line each; a link, a search or a click unfolds.
  const search = element('input', {type: 'search', class: 'papers-search', placeholder: 'search simulations  ( / )', 'aria-label': 'search simulations', oninput: () => sift()});
  const texts = report.simulations.map(one => `${one.name} ${one.title || ''} ${one.description || ''}`.toLowerCase());
  const index = overview(report.simulations), lines = [...index.querySelectorAll('tbody tr')];
  const sift = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    texts.forEach((text, i) => { sections[i].section.hidden = lines[i].hidden = !words.every(word => text.includes(word)); });
  };
  const unfold = () => { const target = document.getElementById(location.hash.slice(1)); if (target?.matches('details')) { target.open = true; target.scrollIntoView(); } };
  window.addEventListener('hashchange', unfold);
  setTimeout(unfold);
  page.append(header(report, `stiction ${report.version}: ${report.simulations.length} simulations`),
    element('p', {class: `verdict ${held === all ? 'holds' : 'fails'}`}, `${held} of ${all} expectations hold`),
    search, element('details', {class: 'index'}, element('summary', {}, 'Index'), index), ...sections.map(one => one.section));
  window.addEventListener('beforeprint', () => sections.forEach(one => { one.section.open = true; one.drawOnce(); }));
  const each = action => shown.filter(Boolean).forEach(action);
  return {clock: null, keys: {'/': () => search.focus()}, plots: {redraw: () => each(one => one.plots.redraw())}, shown};
}
