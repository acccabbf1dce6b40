// The gallery: the tour, the papers' simulations, the own scenes; found by typing.
import {element} from '../elements.js';
import {tour} from './tour.js';

const papers = {dahl: 'Dahl friction and impacts', 'fixed-step': 'Friction under a fixed step', modular: 'Modular simulation', order: 'Accuracy through stick and slip', 'semi-implicit': 'Semi-implicit integration'};
const titleOf = text => /^title:\s*"?(.*?)"?\s*$/m.exec(text)?.[1] ?? '';

// [{group, name, title, path, text}]
export function entriesOf(files) {
  return Object.keys(files).filter(path => /^\/(papers|scenes)\/.*\.yaml$/.test(path)).sort().map(path => {
    const [, top, first, second] = path.split('/'), name = path.replace(/\/scene\.yaml$|\.yaml$/, '').slice(1);
    return {group: top === 'papers' ? `${papers[first] ?? first} [${first}]` : 'Scenes', name: top === 'papers' ? second : first, full: name,
            title: titleOf(files[path]), path, text: files[path]};
  });
}

export class Gallery {
  constructor(files, open, walk) {
    this.search = element('input', {type: 'search', placeholder: 'search', 'aria-label': 'search the gallery', oninput: () => this.sift()});
    const groups = new Map([['Scenes', []]]);
    for (const entry of entriesOf(files)) {
      if (!groups.has(entry.group)) groups.set(entry.group, []);
      groups.get(entry.group).push(entry);
    }
    this.cards = [];
    const card = (name, title, action) => {
      const node = element('button', {type: 'button', class: 'card', onclick: () => { this.dialog.close(); action(); }}, element('b', {}, name), element('span', {}, title));
      this.cards.push({node, text: `${name} ${title}`.toLowerCase()});
      return node;
    };
    const section = (title, nodes) => element('section', {}, element('h3', {}, title), element('div', {class: 'cards'}, nodes));
    this.dialog = element('dialog', {class: 'gallery', 'aria-label': 'Gallery'},
      element('div', {class: 'bar'}, element('h2', {}, 'Gallery'), this.search, element('button', {type: 'button', 'aria-label': 'close', onclick: () => this.dialog.close()}, '✕')),
      section('What creeps and why: a tour', tour.map((stop, i) => card(`${i + 1}`, stop.title, () => walk(i)))),
      ...[...groups].map(([title, entries]) => section(title, entries.map(entry => card(entry.name, entry.title, () => open(entry))))));
    document.body.append(this.dialog);
  }

  show() {
    this.search.value = '';
    this.sift();
    this.dialog.showModal();
    this.search.focus();
  }

  sift() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const {node, text} of this.cards) node.hidden = !words.every(word => text.includes(word));
    for (const section of this.dialog.querySelectorAll('section')) section.hidden = [...section.querySelectorAll('.card')].every(node => node.hidden);
  }
}

// One stop of the tour, over the plots.
export function tourBox(index, walk, leave) {
  const stop = tour[index];
  const button = (text, label, action, off) => element('button', {type: 'button', 'aria-label': label, onclick: action, disabled: off}, text);
  return element('section', {class: 'tour', 'aria-label': 'Tour'},
    element('p', {class: 'count'}, `What creeps and why, ${index + 1} of ${tour.length}`), element('h2', {}, stop.title), element('p', {}, stop.text),
    element('p', {class: 'try'}, element('b', {}, 'Try: '), stop.try),
    element('div', {class: 'transport'}, button('← back', 'back', () => walk(index - 1), index === 0), button('next →', 'next', () => walk(index + 1), index + 1 === tour.length),
            button('leave the tour', 'leave the tour', leave)));
}
