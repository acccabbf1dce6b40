// The page of a fit: measured against simulated, residuals, friction, parameters with intervals, and all models.
import {Clock} from './clock.js';
import {decode} from './data.js';
import {element, number, unitText} from './elements.js';
import {header} from './report.js';
import {table} from './tables.js';
import {TimePlots} from './timeplots.js';
import {xyPlot} from './xyplots.js';

const cell = text => element('td', {class: 'number'}, text);

function modelTable(fits) {
  return table(['model', 'k', 'channel', 'rms', 'left out', 'AIC', 'BIC'], fits.flatMap(fit => fit.errors.map((error, i) =>
    element('tr', {}, element('td', {}, i === 0 ? fit.model || 'the scene' : ''), cell(i === 0 ? fit.parameters.length : ''),
      element('td', {}, error.channel), cell(`${number(error.rms, 3)} ${unitText(error.unit)}`), cell(number(error.left, 3)),
      cell(i === 0 ? number(fit.aic, 5) : ''), cell(i === 0 ? number(fit.bic, 5) : '')))), {class: 'models'});
}

function parameterTable(fit) {
  const profiles = fit.parameters.some(one => one.profileLow !== null);
  const interval = (low, high) => (low === null && high === null ? '–' : `${number(low, 4)} to ${number(high, 4)}`);
  return table(['parameter', 'value', '95 %', ...(profiles ? ['by profile'] : [])], fit.parameters.map(one =>
    element('tr', {class: one.determined ? null : 'fails'}, element('td', {}, one.name), cell(`${number(one.value, 6)} ${unitText(one.unit)}`),
      cell(one.determined ? interval(one.low, one.high) : `${interval(one.low, one.high)}, not determined`),
      profiles ? cell(interval(one.profileLow, one.profileHigh)) : null)));
}

function strongPairs(fit) {
  const n = fit.parameters.length, pairs = [];
  for (let i = 0; i < n && fit.correlations.length > 0; ++i)
    for (let j = i + 1; j < n; ++j)
      if (Math.abs(fit.correlations[i * n + j]) > 0.9) pairs.push(`${fit.parameters[i].name}, ${fit.parameters[j].name}: ${fit.correlations[i * n + j].toFixed(3)}`);
  return pairs;
}

function showPlots(host, fit, plots) {
  for (const one of fit.series) {
    const t = decode(one.t, Float64Array), measured = decode(one.measured, Float64Array), simulated = decode(one.simulated, Float64Array);
    const residual = measured.map((value, i) => value - simulated[i]), heading = `${one.channel}, ${one.log}`;
    const line = (label, values, style) => ({label, values, style, source: () => values});
    plots.add(host, {heading, unit: one.unit, times: t, series: [line('measured', measured, 0), line('simulated', simulated, 1)]});
    plots.add(host, {heading: `${heading}: measured − simulated`, unit: one.unit, times: t, series: [line('residual', residual, 2)], height: 150});
  }
  const pair = element('div', {class: 'pair'});
  host.append(pair);
  for (const curve of fit.curves) {
    const force = decode(curve.force, Float64Array);
    const plot = (against, unit, values) => xyPlot(pair, {heading: `${curve.element}: friction against ${against}, fitted`, xLabel: against, xUnit: unit, yLabel: 'friction', yUnit: curve.forceUnit,
                                                         curves: [{label: curve.element, x: values, y: force}]});
    plot('velocity', curve.velocityUnit, decode(curve.velocity, Float64Array));
    if (curve.load) plot('load', curve.loadUnit, decode(curve.load, Float64Array));
  }
}

function showOne(side, content, fit) {
  side.replaceChildren(element('h2', {}, fit.model || 'Parameters'), parameterTable(fit));
  if (fit.undetermined.length > 0) side.append(element('h3', {}, 'Not determined'), element('ul', {}, fit.undetermined.map(text => element('li', {}, text))));
  const pairs = strongPairs(fit);
  if (pairs.length > 0) side.append(element('h3', {}, 'Strongly correlated'), element('ul', {}, pairs.map(text => element('li', {}, text))));
  side.append(element('p', {class: 'description'}, `${fit.rows} residuals, worth ${number(fit.effectiveRows, 4)} independent ones; ${fit.simulations} simulations.`));
  content.replaceChildren();
  const times = fit.series.flatMap(one => { const t = decode(one.t, Float64Array); return [t[0], t[t.length - 1]]; });
  const clock = new Clock(Math.min(...times), Math.max(...times)), plots = new TimePlots(clock);
  showPlots(content, fit, plots);
  plots.resize();
  return {clock, plots};
}

export function showFit(page, report) {
  const good = report.fits.filter(fit => fit.errors.length > 0);
  const side = element('aside'), models = element('div'), one = element('div'), content = element('div', {class: 'content'});
  page.append(header(report, good.length > 1 ? `${good.length} models fitted` : 'fitted to measured logs'), element('div', {class: 'columns'}, side, content));
  side.append(models, one);
  if (report.description) side.prepend(element('p', {class: 'description'}, report.description));
  models.append(modelTable(good));
  const shown = {fits: good, plots: {get plots() { return now.plots.plots; }, redraw: () => now.plots.redraw(), resize: () => now.plots.resize(), zoom: range => now.plots.zoom(range), zoomBy: (...all) => now.plots.zoomBy(...all)}, clock: null};
  const best = good.reduce((a, b) => ((b.errors[0].left ?? b.aic) < (a.errors[0].left ?? a.aic) ? b : a));
  if (good.length > 1) {
    const choice = element('select', {'aria-label': 'model', onchange: event => { now = showOne(one, content, good[event.target.value]); }},
      good.map((fit, i) => element('option', {value: i, selected: fit === best}, fit.model)));
    models.append(choice);
  }
  let now = showOne(one, content, best);
  return shown;
}
