// What the module needs of an operating system: files in memory, a clock, two streams of text. No more.
const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOSYS = 52;
const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8;
const DEVICE = 2, FOLDER = 3, FILE = 4;
const ROOT = 3; // the descriptor of "/", the first after the streams

export class Exit extends Error {
  constructor(code) { super(`the module ended with code ${code}`); this.code = code; }
}

// A file that grows: its bytes are the first `size` of `room`.
class Bytes {
  constructor(bytes = new Uint8Array(0)) { this.room = bytes; this.size = bytes.length; }

  bytes() { return this.room.subarray(0, this.size); }

  write(at, bytes) {
    const end = at + bytes.length;
    if (end > this.room.length) {
      const more = new Uint8Array(Math.max(end, 2 * this.room.length, 4096));
      more.set(this.bytes());
      this.room = more;
    }
    this.room.set(bytes, at);
    this.size = Math.max(this.size, end);
  }
}

export class Wasi {
  constructor() {
    this.files = new Map(); // path -> Bytes
    this.open = new Map([[0, {device: 0}], [1, {device: 1}], [2, {device: 2}], [ROOT, {folder: '/'}]]);
    this.said = ''; // on both streams
    this.memory = null;
  }

  put(path, content) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.files.set(path, new Bytes(bytes.slice()));
  }

  take(path) {
    const bytes = this.files.get(path)?.bytes();
    this.files.delete(path);
    return bytes;
  }

  // What was said since the last time.
  heard() {
    const text = this.said;
    this.said = '';
    return text;
  }

  view() { return new DataView(this.memory.buffer); }

  text(at, length) { return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length)); }

  path(at, length) {
    const parts = [];
    for (const part of this.text(at, length).split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  isFolder(path) {
    const start = path === '/' ? '/' : `${path}/`;
    return path === '/' || [...this.files.keys()].some(name => name.startsWith(start));
  }

  add(entry) {
    let descriptor = ROOT + 1;
    while (this.open.has(descriptor)) ++descriptor;
    this.open.set(descriptor, entry);
    return descriptor;
  }

  // Each [where, how long] of the module's list.
  pieces(list, count) {
    const view = this.view();
    return Array.from({length: count}, (_, i) => new Uint8Array(this.memory.buffer, view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)));
  }

  status(at, type, size, number) {
    const view = this.view();
    for (let i = 0; i < 64; i += 8) view.setBigUint64(at + i, 0n, true);
    view.setBigUint64(at + 8, BigInt(number), true);
    view.setUint8(at + 16, type);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(size), true);
    return OK;
  }

  // The number of a file: draft and final name are compared by it.
  numberOf(path) { return 1 + [...this.files.keys()].indexOf(path); }

  write(descriptor, list, count, written) {
    const entry = this.open.get(descriptor);
    if (!entry || entry.folder) return BADF;
    let sum = 0;
    for (const piece of this.pieces(list, count)) {
      if (entry.device !== undefined) this.said += new TextDecoder().decode(piece);
      else {
        if (entry.append) entry.at = entry.file.size;
        entry.file.write(entry.at, piece);
        entry.at += piece.length;
      }
      sum += piece.length;
    }
    this.view().setUint32(written, sum, true);
    return OK;
  }

  read(descriptor, list, count, read) {
    const entry = this.open.get(descriptor);
    if (!entry?.file) return entry?.device === 0 ? (this.view().setUint32(read, 0, true), OK) : BADF;
    let sum = 0;
    for (const piece of this.pieces(list, count)) {
      const part = entry.file.bytes().subarray(entry.at, entry.at + piece.length);
      piece.set(part);
      entry.at += part.length;
      sum += part.length;
    }
    this.view().setUint32(read, sum, true);
    return OK;
  }

  seek(descriptor, offset, whence, now) {
    const entry = this.open.get(descriptor);
    if (!entry?.file) return BADF;
    const at = Number(offset) + [0, entry.at, entry.file.size][whence];
    if (!(at >= 0)) return INVAL;
    entry.at = at;
    this.view().setBigUint64(now, BigInt(at), true);
    return OK;
  }

  openPath(path, how, flags, to) {
    let file = this.files.get(path);
    if (!file && this.isFolder(path)) {
      this.view().setUint32(to, this.add({folder: path}), true);
      return how & CREATE ? ISDIR : OK;
    }
    if (file && how & EXCLUSIVE) return EXIST;
    if (!file && !(how & CREATE)) return NOENT;
    if (!file || how & TRUNCATE) this.files.set(path, file = file ?? new Bytes());
    if (how & TRUNCATE) file.size = 0;
    this.view().setUint32(to, this.add({file, path, at: 0, append: (flags & 1) !== 0}), true);
    return OK;
  }

  describe(descriptor, at) {
    const entry = this.open.get(descriptor);
    if (!entry) return BADF;
    const view = this.view();
    view.setBigUint64(at, 0n, true);
    view.setUint8(at, entry.folder ? FOLDER : entry.file ? FILE : DEVICE);
    view.setBigUint64(at + 8, (1n << 30n) - 1n, true);
    view.setBigUint64(at + 16, (1n << 30n) - 1n, true);
    return OK;
  }

  rename(from, to) {
    const file = this.files.get(from);
    if (!file) return NOENT;
    this.files.delete(from);
    this.files.set(to, file);
    return OK;
  }

  imports(module) {
    const put = (at, value) => (this.view().setUint32(at, value, true), OK);
    const known = {
      args_sizes_get: (count, size) => put(count, 0) || put(size, 0),
      args_get: () => OK,
      environ_sizes_get: (count, size) => put(count, 0) || put(size, 0),
      environ_get: () => OK,
      clock_time_get: (which, precision, at) => {
        const milliseconds = which === 0 ? Date.now() : performance.now();
        this.view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
        return OK;
      },
      fd_close: descriptor => (this.open.delete(descriptor) ? OK : BADF),
      fd_fdstat_get: (descriptor, at) => this.describe(descriptor, at),
      fd_fdstat_set_flags: () => OK,
      fd_filestat_get: (descriptor, at) => {
        const entry = this.open.get(descriptor);
        if (!entry) return BADF;
        return entry.file ? this.status(at, FILE, entry.file.size, this.numberOf(entry.path)) : this.status(at, entry.folder ? FOLDER : DEVICE, 0, 0);
      },
      fd_prestat_get: (descriptor, at) => (descriptor === ROOT ? put(at, 0) || put(at + 4, 1) : BADF),
      fd_prestat_dir_name: (descriptor, at) => (this.view().setUint8(at, 47), OK),
      fd_read: (...all) => this.read(...all),
      fd_write: (...all) => this.write(...all),
      fd_seek: (...all) => this.seek(...all),
      fd_sync: () => OK,
      fd_datasync: () => OK,
      path_open: (folder, follow, at, length, how, rights, inherited, flags, to) => this.openPath(this.path(at, length), how, flags, to),
      path_filestat_get: (folder, follow, at, length, to) => {
        const path = this.path(at, length), file = this.files.get(path);
        if (file) return this.status(to, FILE, file.size, this.numberOf(path));
        return this.isFolder(path) ? this.status(to, FOLDER, 0, 0) : NOENT;
      },
      path_unlink_file: (folder, at, length) => (this.files.delete(this.path(at, length)) ? OK : NOENT),
      path_rename: (folder, at, length, other, to, toLength) => this.rename(this.path(at, length), this.path(to, toLength)),
      poll_oneoff: (wanted, events, count, happened) => { // all that is asked for can be read at once
        const view = this.view();
        for (let i = 0; i < count; ++i) {
          for (let k = 0; k < 32; k += 8) view.setBigUint64(events + 32 * i + k, 0n, true);
          view.setBigUint64(events + 32 * i, view.getBigUint64(wanted + 48 * i, true), true);
          view.setUint8(events + 32 * i + 10, view.getUint8(wanted + 48 * i + 8));
        }
        return put(happened, count);
      },
      proc_exit: code => { throw new Exit(code); },
    };
    const all = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module)) (all[from] ??= {})[name] = known[name] ?? (() => NOSYS);
    return all;
  }
}
