// The module for JavaScript: wasm/surface.h, with texts and arrays instead of addresses. Works in browsers, workers and node.
import {Wasi} from './wasi.js';

export class Engine {
  // code: the bytes of the module, or the module itself, which many engines can share.
  constructor(code) {
    const module = code instanceof WebAssembly.Module ? code : new WebAssembly.Module(code);
    this.wasi = new Wasi();
    const {exports} = new WebAssembly.Instance(module, this.wasi.imports(module));
    this.wasi.memory = exports.memory;
    this.exports = exports;
    exports._initialize();
  }

  put(path, content) { this.wasi.put(path, content); }

  // Calls with texts in place of addresses.
  call(name, ...values) {
    const taken = [];
    const given = values.map(value => {
      if (typeof value !== 'string') return value;
      const bytes = new TextEncoder().encode(`${value}\0`), at = this.exports.sti_web_take(bytes.length);
      new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
      taken.push(at);
      return at;
    });
    try {
      return this.exports[name](...given);
    } finally {
      for (const at of taken) this.exports.sti_web_free(at);
    }
  }

  // The same where a text comes back; null: none.
  text(name, ...values) {
    const at = this.call(name, ...values);
    if (at === 0) return null;
    const all = new Uint8Array(this.exports.memory.buffer, at);
    const text = new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
    this.exports.sti_web_free(at);
    return text;
  }

  json(name, ...values) { return JSON.parse(this.text(name, ...values)); }

  schema() { return this.json('sti_web_schema'); }

  models() { return this.json('sti_web_models'); }

  // sets: ['friction.level=3', ...]; a run with errors has messages and nothing else.
  open(path, {sets = [], variant = '', forever = false} = {}) {
    return new EngineRun(this, this.call('sti_web_open', path, sets.join('\n'), variant, forever ? 1 : 0));
  }

  // The bytes of a recording; throws what the module said where there is none.
  record(path, ending, {sets = [], variant = ''} = {}) {
    const file = `/recording${ending}`;
    this.wasi.heard();
    const code = this.call('sti_web_record', path, sets.join('\n'), variant, file);
    const bytes = this.wasi.take(file);
    if (code !== 0 || !bytes) throw new Error(this.wasi.heard() || `it ended with code ${code}`);
    return bytes.slice();
  }

  // The report of a run, or of several: [{name, sets}, ...].
  report(path, {sets = [], variant = '', runs = [{name: 'scene', sets: []}]} = {}) {
    this.wasi.heard();
    const lines = runs.map(one => [one.name, ...one.sets].join('\t')).join('\n');
    const text = this.text('sti_web_report', path, sets.join('\n'), variant, lines);
    if (text === null) throw new Error(this.wasi.heard() || 'out of memory');
    return text;
  }
}

// severity: 0 note, 1 warning, 2 error.
const message = ([severity, file, line, column, text]) => ({severity, file, line, column, text});

export class EngineRun {
  constructor(engine, handle) {
    this.engine = engine;
    this.handle = handle;
    this.messages = this.json('messages').map(message);
    this.good = this.exports('good') !== 0;
    if (this.good) Object.assign(this, this.json('describe'));
  }

  exports(name, ...values) { return this.engine.call(`sti_web_${name}`, this.handle, ...values); }

  text(name, ...values) { return this.engine.text(`sti_web_${name}`, this.handle, ...values); }

  json(name, ...values) { return this.engine.json(`sti_web_${name}`, this.handle, ...values); }

  close() {
    if (this.handle) this.exports('close');
    this.handle = 0;
  }

  check(good) { if (!good) throw new Error(this.text('fault')); }

  get t() { return this.exports('time'); }

  get k() { return this.exports('step_number'); }

  get hash() { return BigInt.asUintN(64, this.exports('hash')).toString(16).padStart(16, '0'); }

  step(n = 1) { this.check(this.exports('steps', n)); }

  channel(name) { return this.channels.findIndex(([one]) => one === name); }

  value(name) { return this.exports('value', this.channel(name)); }

  set(path, value) { this.check(this.exports('set', path, value)); }

  // {t, [name]: ...}: arrays of as many rows as asked for, each after `every` steps. Where a step fails: those before it.
  rows(count, names, every = 1) {
    const {sti_web_take: take, sti_web_free: free, memory} = this.engine.exports, width = names.length + 1;
    const numbers = take(4 * names.length + 4), out = take(8 * width * count + 8);
    if (!numbers || !out) throw new Error('out of memory');
    new Int32Array(memory.buffer, numbers, names.length).set(names.map(name => this.channel(name)));
    const done = this.exports('rows', count, every, numbers, names.length, out);
    const values = new Float64Array(memory.buffer, out, width * done);
    const columns = Object.fromEntries(['t', ...names].map((name, i) => [name, Float64Array.from({length: done}, (_, k) => values[k * width + i])]));
    free(numbers);
    free(out);
    this.check(done === count);
    return columns;
  }

  save() {
    const size = this.exports('save', 0, 0), at = this.engine.exports.sti_web_take(size);
    this.exports('save', at, size);
    const bytes = new Uint8Array(this.engine.exports.memory.buffer, at, size).slice();
    this.engine.exports.sti_web_free(at);
    return bytes;
  }

  restore(bytes) {
    const at = this.engine.exports.sti_web_take(bytes.length);
    new Uint8Array(this.engine.exports.memory.buffer, at, bytes.length).set(bytes);
    const good = this.exports('restore', at, bytes.length);
    this.engine.exports.sti_web_free(at);
    this.check(good);
  }
}
