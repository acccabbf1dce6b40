// The numbers of a report: base64 columns become arrays that can be asked by name and time.
export function decode(text, Type) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return new Type(bytes.buffer);
}

// The last index with times[index] <= t.
export function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

const guesses = [
  [/\.(x|y|z)$/, 'm'], [/\.(v|vx|vy|vz)$/, 'm/s'], [/\.(w[xyz]|qd)$/, 'rad/s'], [/\.q$/, 'rad'],
  [/\.(force|f[xyznt]|friction|load\d*|reaction)$/, 'N'], [/^energy\.|\.dissipated$/, 'J'], [/\.stick$/, '1'],
];
const guessedUnit = name => (guesses.find(([pattern]) => pattern.test(name)) || [null, ''])[1];

export class Run {
  constructor(description) {
    Object.assign(this, description);
    const values = decode(description.data, Float64Array);
    const rows = values.length / (description.channels.length + 1);
    this.rows = rows;
    this.t = values.subarray(0, rows);
    this.columns = new Map();
    this.units = new Map();
    description.channels.forEach((channel, i) => {
      this.columns.set(channel.name, values.subarray((i + 1) * rows, (i + 2) * rows));
      this.units.set(channel.name, channel.unit ?? guessedUnit(channel.name.replace(/@.*$/, '')));
    });
    this.data = null; // the text is not needed any more
    this.frictions ??= [];
    this.start = this.t[0];
    this.stop = this.t[rows - 1];
  }

  names(role) { return this.channels.filter(channel => channel.role === role).map(channel => channel.name); }
  has(name) { return this.columns.has(name); }
  column(name) { return name === 't' ? this.t : this.columns.get(name); }

  // Between two rows: on the line between them; what only jumps (0 or 1) keeps its value.
  value(name, t) {
    const column = this.column(name);
    if (!column || t < this.start || t > this.stop) return null;
    const i = indexAt(this.t, t);
    if (i + 1 >= this.rows || this.t[i] === t || name.endsWith('.stick')) return column[i];
    const share = (t - this.t[i]) / (this.t[i + 1] - this.t[i]);
    return column[i] + share * (column[i + 1] - column[i]);
  }
}

// Times of all runs, each once.
export function commonTimes(runs) {
  if (runs.length === 1) return runs[0].t;
  const all = new Float64Array(runs.reduce((sum, run) => sum + run.rows, 0));
  let place = 0;
  for (const run of runs) {
    all.set(run.t, place);
    place += run.rows;
  }
  all.sort();
  return all.filter((t, i) => i === 0 || t !== all[i - 1]);
}

export function sampled(run, name, times) {
  if (times === run.t) return run.column(name);
  return Array.from(times, t => run.value(name, t));
}
