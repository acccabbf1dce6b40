// One scene under several friction models, side by side.
import {Clock} from '../clock.js';
import {Run} from '../data.js';
import {element, number} from '../elements.js';
import {transport} from '../replay.js';
import {addTimePlots} from '../simulation.js';
import {table} from '../tables.js';
import {TimePlots} from '../timeplots.js';

const usual = ['finite-time', 'karnopp', 'viscous-approximation', 'lugre', 'elastic-coulomb'];
// Where a model asks for what the scene does not say. Of the level L: a bristle that bends by 1 mm under it.
const guesses = {stiffness: level => 1e3 * level, damping: level => Math.sqrt(1e3 * level), eps: () => 0.01, rate: level => 10 * level};

// {sets, added} or {why}: asks the reader until it is content.
async function settle(lab, frictions, levels, model) {
  const sets = frictions.map(name => `${name}.model=${model}`), added = [];
  for (let round = 0; round < 4; ++round) {
    const mistakes = await lab.ask('judge', {sets});
    if (mistakes.length === 0) return {sets, added};
    const asked = mistakes.map(text => /^(\S+): the model \S+ needs '(\w+)'/.exec(text)).filter(match => match && guesses[match[2]]);
    if (asked.length === 0) return {why: mistakes[0]};
    for (const [, name, key] of asked) {
      const owner = frictions.find(one => name === one || name.startsWith(`${one}.`)) ?? name;
      for (const part of key === 'stiffness' && /lugre|elastic-coulomb|elastoplastic/.test(model) ? ['stiffness', 'damping'] : [key]) {
        const set = `${owner}.${part}=${Number(guesses[part](levels(owner)).toPrecision(3))}`;
        if (sets.includes(set)) continue;
        sets.push(set);
        added.push(set);
      }
    }
  }
  return {why: 'it asks for more than can be guessed'};
}

export function compareDialog(models, start) {
  const boxes = models.map(([name, summary]) => {
    const box = element('input', {type: 'checkbox', value: name, checked: usual.includes(name)});
    return {box, node: element('label', {class: 'choice'}, box, element('b', {}, name), element('span', {}, summary))};
  });
  const dialog = element('dialog', {class: 'compare', 'aria-label': 'Compare models'}, element('h2', {}, 'Compare friction models'),
    element('p', {}, 'The scene runs once under each of them, all friction elements together. What a model asks for and the scene does not say is guessed, and shown.'),
    element('div', {class: 'choices'}, boxes.map(one => one.node)),
    element('div', {class: 'transport'},
      element('button', {type: 'button', class: 'go', onclick: () => { dialog.close(); start(boxes.filter(one => one.box.checked).map(one => one.box.value)); }}, 'compare'),
      element('button', {type: 'button', onclick: () => dialog.close()}, 'cancel')));
  document.body.append(dialog);
  return dialog;
}

function endTable(runs) {
  const names = runs[0].names('record');
  return table(['at the end', ...runs.map(run => run.name)], names.map(name => element('tr', {}, element('td', {}, element('code', {}, name)),
    runs.map(run => element('td', {class: 'number'}, run.has(name) ? number(run.column(name)[run.rows - 1], 6) : '–')))));
}

// {node, dispose}; say(text): how far it is.
export async function compare(lab, {frictions, parameters, wanted, say}) {
  const levels = owner => parameters.find(([path]) => path === `${owner}.level` || (path.endsWith('.level') && path.includes(owner)))?.[1] || 10;
  const runs = [], notes = [];
  for (const model of wanted) {
    say(`reading the scene under ${model}`);
    const {sets, added, why} = await settle(lab, frictions, levels, model);
    if (why) notes.push(`${model} is left out: ${why}`);
    else {
      runs.push({name: model, sets});
      if (added.length > 0) notes.push(`${model} with ${added.join(', ')}`);
    }
  }
  const done = [];
  for (const run of runs) {
    say(`running ${run.name} (${done.length + 1} of ${runs.length})`);
    try {
      done.push(new Run(JSON.parse(await lab.ask('report', {runs: [run]})).simulations[0].runs[0]));
    } catch (error) {
      notes.push(`${run.name} stopped: ${error.message}`);
    }
  }
  const list = element('ul', {class: 'facts'}, notes.map(text => element('li', {}, text)));
  const node = element('div', {class: 'content compared'}, element('h2', {}, 'Models side by side'), list);
  if (done.length === 0) return {node, plots: null, dispose: () => node.remove(), runs: done};
  const clock = new Clock(Math.min(...done.map(one => one.start)), Math.max(...done.map(one => one.stop))), plots = new TimePlots(clock);
  node.append(endTable(done), transport(clock));
  return {node, plots, clock, runs: done, draw: () => { addTimePlots(plots, node, done); plots.resize(); clock.tell(); }, dispose: () => { plots.dispose(); node.remove(); }};
}
