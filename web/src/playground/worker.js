// The worker in which scenes run: one engine for each scene, so that what one used the next has again.
import {Engine} from '../engine/engine.js';

const SLICE = 0.012, FRAME = 33; // s of steps at a time; ms between two pictures
let module, files, engine, run, path, variant = '';
let due = 0, awaited = false, whole = false, parts = '', news = false;

const post = (event, data) => self.postMessage({event, data});

function fresh() {
  const made = new Engine(module);
  for (const [name, content] of Object.entries(files)) made.put(name, content);
  return made;
}

function show() {
  const shapes = run.text('parts');
  if (shapes !== parts) post('parts', shapes);
  parts = shapes;
  post('parameters', run.text('parameters'));
  news = true;
}

// A picture only after the last one was drawn: a slow page is not flooded.
function tick() {
  setTimeout(tick, run ? 4 : 50);
  if (!run) return;
  try {
    news = run.exports('advance', SLICE) !== 0 || news;
    const now = performance.now();
    if (!news || awaited || now < due) return;
    post('frame', run.text('frame', whole ? 1 : 0));
    news = whole = false;
    awaited = true;
    due = now + FRAME;
  } catch (error) {
    run = null;
    post('lost', String(error.message || error));
  }
}

const words = {
  start({code, content}) {
    module = new WebAssembly.Module(code);
    files = content;
    engine = fresh();
    tick();
    return {schema: engine.schema(), models: engine.models()};
  },

  // A scene with mistakes leaves the one that runs as it is.
  open({text, at, turned = [], variant: wanted = ''}) {
    const made = fresh();
    made.put(at, text);
    const opened = made.open(at, {variant: wanted});
    const answer = {messages: opened.messages, good: opened.good};
    if (!opened.good) return answer;
    [engine, run, path, variant] = [made, opened, at, wanted];
    for (const [name, value] of turned) try { run.set(name, value); } catch { /* the scene has no such parameter any more */ }
    parts = run.text('parts');
    awaited = false;
    whole = news = true;
    return {...answer, page: JSON.parse(run.text('page')), parameters: run.text('parameters'), frictions: run.frictions, variants: run.variants,
            method: run.method, time: run.time};
  },

  drawn() { awaited = false; },

  // As the program's page sends them; an answer is why not.
  command({word, body}) {
    if (!run) return 'nothing runs';
    if (word === 'set') {
      const at = body.indexOf('=');
      try { run.set(body.slice(0, at), Number(body.slice(at + 1))); } catch (error) { return error.message; }
      show();
    } else if (word === 'speed') run.exports('speed', Number(body));
    else if (word === 'restart') { if (!run.exports('restart')) return run.text('fault'); }
    else run.exports('pause', word === 'pause' ? 1 : 0);
    news = true;
    return null;
  },

  record({ending}) { return withScene(made => made.record(path, ending, {variant})); },

  report({runs}) { return withScene(made => made.report(path, runs ? {variant, runs} : {variant})); },

  // What keeps a scene from being read under these sets.
  judge({sets}) {
    return withScene(made => {
      const opened = made.open(path, {sets, variant});
      return opened.good ? [] : opened.messages.filter(one => one.severity === 2).map(one => one.text);
    });
  },

  memory() { return engine?.exports.memory.buffer.byteLength ?? 0; },
};

// An engine of its own, with the scene that runs.
function withScene(use) {
  const made = fresh();
  made.put(path, engine.wasi.files.get(path).bytes());
  return use(made);
}

self.onmessage = ({data: {id, order, ...given}}) => {
  try {
    self.postMessage({id, result: words[order](given)});
  } catch (error) {
    self.postMessage({id, error: String(error.message || error).replace(/^stiction: error: /, '').trim()});
  }
};
