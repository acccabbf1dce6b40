// Reads the report that stands in the page and shows it.
import {element, storedSetting} from './elements.js';
import {showFit} from './fit.js';
import {helpDialog, listenToKeys} from './keys.js';
import {showLive} from './live.js';
import {showPapers} from './papers.js';
import {showSimulation} from './report.js';
import {showStudy} from './study.js';

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

function themeNow() {
  const stored = storedSetting('theme');
  return stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function start() {
  const page = document.getElementById('page');
  const report = JSON.parse(document.getElementById('report-data').textContent);
  setTheme(themeNow());
  document.title = `${report.title} – stiction`;
  page.replaceChildren();
  const show = {reproduce: showPapers, live: showLive, study: showStudy, fit: showFit}[report.kind] ?? showSimulation;
  const shown = show(page, report);
  const repaint = () => {
    shown.plots.redraw();
    for (const figure of document.querySelectorAll('.plot.xy')) figure.dispatchEvent(new Event('repaint'));
    shown.replay?.paint();
  };
  const theme = () => {
    setTheme(document.documentElement.dataset.theme !== 'dark');
    storedSetting('theme', document.documentElement.dataset.theme);
    repaint();
  };
  const dialog = helpDialog(shown.texts);
  page.prepend(element('nav', {'aria-label': 'Page'},
    element('span', {class: 'brand'}, 'stiction'),
    element('button', {type: 'button', onclick: theme, 'aria-label': 'light or dark', title: 'light or dark (d)'}, '◐'),
    element('button', {type: 'button', onclick: () => dialog.showModal(), 'aria-label': 'help', title: 'keys (?)'}, '?')));
  page.append(element('footer', {}, `stiction ${report.version}. Forces of friction are resistances: along the velocity.`));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', event => {
    if (!storedSetting('theme')) { setTheme(event.matches); repaint(); }
  });
  // On paper everything is dark on white.
  let before = null;
  window.addEventListener('beforeprint', () => { before = document.documentElement.dataset.theme; setTheme(false); repaint(); });
  window.addEventListener('afterprint', () => { setTheme(before === 'dark'); repaint(); });
  listenToKeys({clock: shown.clock, plots: shown.plots, dialog, theme, more: shown.keys});
  window.report = Object.assign(shown, {report, ready: performance.now()}); // for people at the console, and for tests
}

start();
