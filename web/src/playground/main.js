// The playground: a scene on the left, what it does on the right, while one types.
import {element, storedSetting} from '../elements.js';
import {helpDialog, listenToKeys} from '../keys.js';
import {LiveView} from '../live.js';
import {compare, compareDialog} from './compare.js';
import {Editor} from './editor.js';
import {picture, save} from './export.js';
import {Gallery, tourBox} from './gallery.js';
import {Lab} from './lab.js';
import {fromBase64, fromFragment, toFragment, unpack} from './share.js';
import {tour} from './tour.js';

const PAUSE = 350, SLOW = 1500; // ms after the last key; until a computation can be stopped
const held = async id => unpack(fromBase64(document.getElementById(id).textContent));
const button = (text, title, action, attributes = {}) => element('button', {type: 'button', title, 'aria-label': title, onclick: action, ...attributes}, text);

class Playground {
  constructor(lab, files, {schema, models}) {
    this.lab = lab;
    this.files = files;
    this.models = models;
    this.path = '/scene.yaml';
    this.turned = new Map(); // parameters that were changed, and their values
    this.build();
    this.editor = new Editor(this.editorHost, {schema, models, changed: () => this.edited()});
    this.gallery = new Gallery(files, entry => this.open(entry), index => this.walk(index));
    this.comparing = compareDialog(models, wanted => this.compare(wanted));
    this.listen();
  }

  build() {
    this.title = element('span', {class: 'title'});
    this.variants = element('select', {class: 'variants', hidden: true, 'aria-label': 'variant', title: 'variant of the scene', onchange: () => this.vary(this.variants.value)});
    this.messages = element('ul', {class: 'messages', 'aria-label': 'Messages', 'aria-live': 'polite'});
    this.status = element('p', {class: 'status', role: 'status'});
    this.editorHost = element('div', {class: 'editor'});
    this.panes = {text: element('section', {class: 'pane text', 'aria-label': 'Scene'}, this.editorHost, this.messages, this.status),
                  run: element('section', {class: 'pane run live', 'aria-label': 'Run'}), plots: element('section', {class: 'pane plots', 'aria-label': 'Plots'})};
    const tabs = Object.entries({text: 'scene', run: 'run', plots: 'plots'}).map(([name, text]) => button(text, `show the ${text}`, () => this.tab(name), {role: 'tab', 'data-tab': name}));
    this.exports = element('div', {hidden: true, role: 'menu'});
    for (const [text, action] of [['recording as CSV', () => this.record('.csv')], ['recording as MCAP', () => this.record('.mcap')], ['picture as PNG', () => this.picture()],
                                  ['report page', () => this.report()], ['scene as YAML', () => save('scene.yaml', this.editor.text, 'text/yaml')]])
      this.exports.append(element('button', {type: 'button', role: 'menuitem', onclick: () => { this.exports.hidden = true; action(); }}, text));
    const menu = element('span', {class: 'menu'}, button('export ▾', 'export', () => { this.exports.hidden = !this.exports.hidden; }, {'aria-haspopup': 'menu'}), this.exports);
    document.addEventListener('click', event => { if (!menu.contains(event.target)) this.exports.hidden = true; });
    this.node = element('div', {class: 'lab', 'data-tab': 'text'},
      element('nav', {'aria-label': 'Page'}, element('span', {class: 'brand'}, 'stiction'), this.title, this.variants, button('gallery', 'gallery (g)', () => this.gallery.show()),
              button('tour', 'what creeps and why', () => this.walk(0)), button('compare', 'compare friction models (c)', () => this.askCompare()), button('share', 'a link that holds this scene', () => this.share()), menu,
              button('◐', 'light or dark (d)', () => this.theme()), button('?', 'keys (?)', () => this.help.showModal())),
      element('div', {class: 'tabs', role: 'tablist'}, tabs), element('div', {class: 'panes'}, this.panes.text, this.panes.run, this.panes.plots));
    this.help = helpDialog([['g', 'gallery'], ['c', 'compare models'], ['e', 'to the editor; Escape then Tab leaves it'], ['space', 'pause or resume'], ['r', 'start again'], ['/', 'filter parameters'],
                            ['Ctrl space', 'in the editor: what may stand here']]);
  }

  tab(name) {
    this.node.dataset.tab = name;
    for (const one of this.node.querySelectorAll('[role=tab]')) one.setAttribute('aria-selected', String(one.dataset.tab === name));
    window.dispatchEvent(new Event('resize'));
    this.view?.plots.resize();
    this.view?.draw();
  }

  listen() {
    const {handlers} = this.lab;
    handlers.frame = text => { this.view?.frame(JSON.parse(text)); this.lab.ask('drawn'); };
    handlers.parts = text => this.view?.parts(JSON.parse(text));
    handlers.parameters = text => this.view?.sliders.show(JSON.parse(text));
    handlers.lost = why => { this.say(`stopped: ${why}`); this.lab.restart().then(() => this.run()); };
    const key = action => () => { if (!document.querySelector('dialog[open]')) action(); };
    const clock = {play: () => this.view?.clock.play(), step: share => this.view?.clock.step(share), set: t => this.view?.clock.set(t),
                   get start() { return -Infinity; }, get stop() { return Infinity; }};
    listenToKeys({clock, plots: {zoomBy: (...all) => this.view?.plots.zoomBy(...all), zoom: range => this.view?.plots.zoom(range)}, dialog: this.help, theme: () => this.theme(),
                  more: {r: key(() => this.lab.send('restart')), l: key(() => this.view?.clock.follow()), g: key(() => this.gallery.show()), c: key(() => this.askCompare()), e: key(() => this.editor.view.focus()),
                         '/': key(() => this.view?.sliders.filter.focus())}});
    window.addEventListener('hashchange', () => this.fromLink());
  }

  say(text) { this.status.textContent = text; }

  theme() {
    const dark = document.documentElement.dataset.theme !== 'dark';
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    storedSetting('theme', dark ? 'dark' : 'light');
    this.view?.plots.redraw();
    this.compared?.plots?.redraw();
    for (const figure of document.querySelectorAll('.plot.xy')) figure.dispatchEvent(new Event('repaint'));
    this.view?.replay?.paint();
  }

  edited() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), PAUSE);
  }

  async open({path, text, turned = [], variant = ''}, keepTour = false) {
    if (!keepTour) this.leaveTour();
    this.path = path;
    this.variant = variant;
    this.turned = new Map(turned);
    this.editor.text = text;
    await this.run();
  }

  // Sliders begin anew: they are of the variant.
  vary(variant) {
    this.variant = variant;
    this.turned.clear();
    return this.run();
  }

  showVariants(names) {
    this.variants.hidden = names.length === 0;
    this.variants.replaceChildren(...['', ...names].map(name => element('option', {value: name, selected: name === this.variant}, name || 'the scene itself')));
  }

  // Something that may take long can be stopped.
  async busy(text, work) {
    this.say(text);
    const stop = setTimeout(() => this.status.append(button('stop', 'stop the computation', () => this.lab.restart().then(() => this.run()))), SLOW);
    try {
      return await work();
    } finally {
      clearTimeout(stop);
    }
  }

  async run() {
    const number = this.asked = (this.asked ?? 0) + 1;
    try {
      const answer = await this.busy('reading', () => this.lab.ask('open', {text: this.editor.text, at: this.path, variant: this.variant, turned: [...this.turned]}));
      if (number !== this.asked) return; // a newer text is on its way
      const gone = this.variant !== '' && answer.messages.some(one => one.severity === 2 && one.text.startsWith(`there is no variant '${this.variant}'`));
      if (gone) return this.vary(''); // the text has lost it
      this.tell(answer.messages);
      if (answer.good) this.show(answer);
      else this.say(this.view ? 'the scene has mistakes; the last good one goes on' : 'the scene has mistakes');
    } catch (error) {
      if (number === this.asked) this.say(error.message);
    }
  }

  tell(messages) {
    const own = messages.filter(one => one.file === this.path), words = ['note', 'warning', 'error'];
    this.editor.mark(own);
    this.messages.replaceChildren(...messages.map(one => element('li', {class: words[one.severity]}, element('button', {type: 'button', onclick: () => this.editor.show(one)},
      element('small', {}, `${one.file === this.path ? '' : `${one.file.slice(1)}, `}${one.line > 0 ? `line ${one.line}, column ${one.column}` : words[one.severity]}`), one.severity === 2 ? element('b', {}, one.text) : one.text))));
  }

  show({page, parameters, frictions, variants, method, time}) {
    const [simulation] = page.simulations;
    this.compared?.dispose();
    this.compared = null;
    this.view?.dispose();
    this.frictions = frictions;
    this.showVariants(variants);
    this.description = simulation.runs[0];
    this.view = new LiveView(simulation, {send: (word, body) => this.send(word, body)});
    this.panes.run.append(this.view.side);
    this.panes.plots.append(this.view.content);
    this.view.sliders.show(JSON.parse(parameters));
    this.title.textContent = page.title;
    document.title = `${page.title} – stiction playground`;
    this.say(`${time[3]} steps of ${time[2]} s, method ${method}`);
    Object.assign(window.report, {view: this.view});
  }

  async send(word, body) {
    const why = await this.lab.send(word, body);
    if (word === 'set' && why === null) {
      const at = body.lastIndexOf('='), path = body.slice(0, at), value = Number(body.slice(at + 1));
      if (this.description.parameters.some(([name, first]) => name === path && first === value)) this.turned.delete(path);
      else this.turned.set(path, value);
    }
    return why;
  }

  walk(index) {
    const stop = tour[index];
    this.tourNode?.remove();
    this.tourNode = tourBox(index, next => this.walk(next), () => this.leaveTour());
    this.panes.plots.prepend(this.tourNode);
    if (matchMedia('(max-width: 800px)').matches) this.tab('plots');
    this.open({path: stop.path ?? '/scene.yaml', text: stop.scene ?? this.files[stop.path]}, true);
  }

  leaveTour() { this.tourNode?.remove(); this.tourNode = null; }

  async share() {
    const fragment = await toFragment({path: this.path, text: this.editor.text, variant: this.variant, turned: [...this.turned]});
    this.linked = fragment;
    history.replaceState(null, '', fragment);
    const kept = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.say(kept ? 'the link is in the clipboard, and in the address above' : 'the link is in the address above');
  }

  async fromLink() {
    if (location.hash === this.linked || location.hash === '') return false;
    const scene = await fromFragment(location.hash);
    if (scene) await this.open(scene);
    else this.say('this link holds no scene: it was cut off, perhaps');
    return scene !== null;
  }

  name() { return this.title.textContent.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60) || 'scene'; }

  // The scene as it is written, from its start to its end.
  async whole(text, work) {
    try {
      const result = await this.busy(text, work);
      this.say('done');
      return result;
    } catch (error) {
      this.say(error.message);
      return null;
    }
  }

  async record(ending) {
    const bytes = await this.whole('running the whole scene', () => this.lab.ask('record', {ending}));
    if (bytes) save(`${this.name()}${ending}`, bytes, ending === '.csv' ? 'text/csv' : 'application/octet-stream');
  }

  async report() {
    const json = await this.whole('running the whole scene', () => this.lab.ask('report'));
    if (json === null) return;
    const page = new TextDecoder().decode(await held('report-page')), titled = JSON.stringify({...JSON.parse(json), title: this.title.textContent}).replaceAll('<', '\\u003c');
    save(`${this.name()}.html`, page.replace('@REPORT@', () => titled), 'text/html');
  }

  async picture() {
    if (this.view) save(`${this.name()}.png`, await picture(this.view, this.title.textContent), 'image/png');
  }

  askCompare() {
    if (this.frictions?.length > 0) this.comparing.showModal();
    else this.say('this scene has no friction element to compare models on');
  }

  async compare(wanted) {
    await this.lab.send('pause');
    const result = await this.whole('', () => compare(this.lab, {frictions: this.frictions, parameters: this.description.parameters, wanted, say: text => this.say(text)}));
    if (!result) return;
    this.compared?.dispose();
    this.compared = result;
    this.view.content.hidden = true;
    result.node.prepend(button('← back to the run', 'back to the run', () => { this.compared.dispose(); this.compared = null; this.view.content.hidden = false; this.lab.send('resume'); }));
    this.panes.plots.append(result.node);
    result.draw?.();
    if (matchMedia('(max-width: 800px)').matches) this.tab('plots');
  }
}

async function start() {
  const stored = storedSetting('theme');
  document.documentElement.dataset.theme = (stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches) ? 'dark' : 'light';
  const page = document.getElementById('page');
  try {
    const [code, files] = await Promise.all([held('module'), held('files')]);
    const content = JSON.parse(new TextDecoder().decode(files));
    const lab = new Lab(document.getElementById('worker').textContent, code, content);
    const playground = new Playground(lab, content, await lab.ready);
    window.report = {playground};
    page.replaceChildren(playground.node);
    playground.tab('text');
    if (!await playground.fromLink()) playground.walk(0);
  } catch (error) {
    page.replaceChildren(element('p', {class: 'loading'}, `The laboratory did not start: ${error.message || error}. It needs a browser of 2023 or newer.`));
  }
}

start();
