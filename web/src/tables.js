// Parameters, summary and expectations as tables.
import {element, number, unitText} from './elements.js';

export function table(head, rows, attributes = {}) {
  return element('div', {class: 'scroll'}, element('table', attributes,
    element('thead', {}, element('tr', {}, head.map(text => element('th', {scope: 'col'}, text)))),
    element('tbody', {}, rows)));
}

// Names may break after their dots.
const named = text => text.split('.').flatMap((part, i, all) => (i + 1 < all.length ? [`${part}.`, element('wbr')] : [part]));
const cell = (text, kind) => element('td', {class: kind}, text);

export function expectationTable({judged, rows}) {
  const signs = {near: '', under: '≤ ', over: '≥ '};
  return table(['quantity', 'expected', 'from', 'measured', 'within', ''], rows.map(row => {
    const verdict = row.holds ? 'holds' : judged ? 'fails' : 'off';
    return element('tr', {class: verdict},
      cell(row.what), cell(signs[row.relation] + number(row.value, 9), 'number'), cell(row.from),
      cell(number(row.measured, 9), 'number'), cell(row.relation === 'near' ? number(row.tolerance, 3) : '', 'number'),
      cell(row.holds ? '✓ holds' : judged ? '✗ fails' : 'off', 'verdict'));
  }), {class: 'expectations'});
}

export function parameterTable(parameters) {
  return table(['parameter', 'value', 'unit', 'meaning'], parameters.map(([path, value, unit, meaning]) =>
    element('tr', {}, cell(element('code', {}, path)), cell(number(value, 9), 'number'), cell(unitText(unit)), cell(meaning))));
}

const energyNames = ['work of inputs', 'stored at the start', 'stored at the end', 'dissipated', 'numerical', 'residual'];

export function energyTable(energy) {
  return table(['energy', 'J'], energy.map((value, i) => element('tr', {}, cell(energyNames[i]), cell(number(value), 'number'))));
}

export function stickingTable(sticking) {
  const now = value => (value === 1 ? 'stuck' : value === 0 ? 'slipping' : `${Math.round(100 * value)} % stuck`);
  return table(['friction', 'changes', 'at the end'], sticking.map(([name, changes, value]) =>
    element('tr', {}, cell(named(name)), cell(String(changes), 'number'), cell(now(value)))));
}

export function facts(run) {
  if (!run.time) return [];
  const [start, stop, step, steps] = run.time;
  const list = [`${steps} steps of ${number(step)} s`, `t = ${number(start)} to ${number(stop)} s`,
                `method ${run.method}`];
  return list;
}
