// The keyboard: everything that the mouse can do.
import {element} from './elements.js';

const texts = [
  ['space', 'play or pause'], ['← →', 'step; with shift ten times as far'], ['Home End', 'start and end'],
  ['+ −', 'zoom the time axis around the cursor'], ['0', 'all of the time axis'], ['d', 'light or dark'], ['?', 'this help'],
];

// more: keys of this page, before the others.
export function helpDialog(more = []) {
  const dialog = element('dialog', {'aria-label': 'Keys'}, element('h2', {}, 'Keys'),
    element('dl', {}, [...more, ...texts.filter(([key]) => !more.some(([own]) => own === key))].flatMap(([key, text]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, text)])),
    element('p', {}, 'Drag over a plot to zoom, double click to see all, shift and wheel to zoom. In the replay: drag to turn, wheel to zoom.'),
    element('form', {method: 'dialog'}, element('button', {}, 'close')));
  document.body.append(dialog);
  return dialog;
}

export function listenToKeys({clock, plots, dialog, theme, more = {}}) {
  const actions = {
    ' ': () => clock.play(),
    ArrowLeft: event => clock.step(event.shiftKey ? -0.05 : -0.005),
    ArrowRight: event => clock.step(event.shiftKey ? 0.05 : 0.005),
    Home: () => clock.set(clock.start),
    End: () => clock.set(clock.stop),
    '+': () => plots.zoomBy(0.5),
    '=': () => plots.zoomBy(0.5),
    '-': () => plots.zoomBy(2),
    0: () => plots.zoom(null),
    ...more,
  };
  document.addEventListener('keydown', event => {
    const {target, key} = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.isContentEditable || target.matches('input[type=search], input[type=number], textarea')) return;
    if (key === '?') return dialog.open ? dialog.close() : dialog.showModal();
    if (dialog.open) return;
    if (key === 'd') return theme();
    const busy = target.matches('input, select, textarea') || (key === ' ' && target.matches('button, summary, a'));
    const action = (clock ? actions : more)[key];
    if (busy || !action) return;
    event.preventDefault();
    action(event);
  });
}
