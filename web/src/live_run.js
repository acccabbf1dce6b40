// A run that grows: rows and pictures arrive, memory stays bounded. Of older rows those are kept in which some column is
// least or greatest for its part of the time; of older pictures every other one.
import {Run, decode, indexAt} from './data.js';
import {FORCE, Motion} from './motion.js';

const ROWS = 12000, PICTURES = 2400;

export class LiveRun extends Run {
  constructor(description) {
    super({...description, data: ''});
    this.live = true;
    this.buffers = Array.from({length: this.channels.length + 1}, () => new Float64Array(ROWS));
    this.pushing = this.channels.map((channel, i) => (/\.(force|f[xyz])$/.test(channel.name) ? i + 1 : 0)).filter(Boolean);
    this.clear();
  }

  clear() {
    this.rows = 0;
    this.peak = 0; // N, of all forces
    this.show();
  }

  show() {
    this.t = this.buffers[0].subarray(0, this.rows);
    this.channels.forEach((channel, i) => this.columns.set(channel.name, this.buffers[i + 1].subarray(0, this.rows)));
    this.start = this.t[0];
    this.stop = this.t[this.rows - 1];
  }

  // Column after column.
  append(values) {
    const count = values.length / this.buffers.length;
    if (this.rows + count > ROWS) this.thin();
    this.buffers.forEach((buffer, i) => buffer.set(values.subarray(i * count, (i + 1) * count), this.rows));
    for (const i of this.pushing)
      for (let k = i * count; k < (i + 1) * count; ++k) this.peak = Math.max(this.peak, Math.abs(values[k]));
    this.rows += count;
    this.show();
  }

  mark(from, to, kept) {
    for (let i = 1; i < this.buffers.length; ++i) {
      const column = this.buffers[i];
      let least = from, greatest = from;
      for (let k = from + 1; k < to; ++k) {
        if (column[k] < column[least]) least = k;
        if (column[k] > column[greatest]) greatest = k;
      }
      kept[least] = kept[greatest] = 1;
    }
  }

  thin() {
    const old = this.rows >> 1, kept = new Uint8Array(old);
    let parts = old >> 2, sum;
    do {
      kept.fill(0);
      for (let part = 0; part < parts; ++part) this.mark(Math.floor(old * part / parts), Math.floor(old * (part + 1) / parts), kept);
      sum = kept.reduce((a, b) => a + b, 0);
      parts = Math.floor(0.7 * parts);
    } while (sum > old >> 1 && parts > 0);
    for (const buffer of this.buffers) {
      let place = 0;
      for (let k = 0; k < old; ++k) if (kept[k]) buffer[place++] = buffer[k];
      buffer.copyWithin(place, old, this.rows);
    }
    this.rows -= old - sum;
  }

  // What plots of one quantity over another show: the time that the plots over time show.
  recent(name) { return this.column(name).subarray(indexAt(this.t, this.since ?? -Infinity)); }
}

export class LiveMotion extends Motion {
  constructor(run, drawing) {
    super({drawing: {...drawing, times: '', poses: '', forces: ''}});
    this.run = run;
    this.trail = 600;
    this.stored = [new Float64Array(PICTURES), new Float32Array(PICTURES * this.links * 7), new Float32Array(PICTURES * this.pushing.length * FORCE)];
    this.sizes = [1, this.links * 7, this.pushing.length * FORCE];
    this.clear();
  }

  setParts({bodies, elements, shapes}) {
    this.bodies = bodies;
    this.shapes = shapes ?? [];
    this.elements = elements;
    this.pushing = elements.filter(one => one.links);
  }

  clear() {
    this.count = 0;
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
    this.fitted = null;
    this.show();
  }

  show() { [this.times, this.poses, this.forces] = this.stored.map((values, i) => values.subarray(0, this.count * this.sizes[i])); }

  append({times, poses, forces}) {
    const values = [decode(times, Float64Array), decode(poses, Float32Array), decode(forces, Float32Array)];
    for (let picture = 0; picture < values[0].length; ++picture) {
      if (this.count > 0 && values[0][picture] <= this.stored[0][this.count - 1]) continue;
      if (this.count === PICTURES) this.thin();
      const parts = values.map((one, i) => one.subarray(picture * this.sizes[i], (picture + 1) * this.sizes[i]));
      parts.forEach((part, i) => this.stored[i].set(part, this.count * this.sizes[i]));
      ++this.count;
      this.reach(parts[1]);
    }
    this.show();
  }

  thin() {
    const old = PICTURES >> 1;
    this.stored.forEach((values, i) => {
      const size = this.sizes[i];
      for (let k = 0; 2 * k < old; ++k) values.copyWithin(k * size, 2 * k * size, (2 * k + 1) * size);
      values.copyWithin((old >> 1) * size, old * size, PICTURES * size);
    });
    this.count = PICTURES - (old >> 1);
  }

  reach(poses) {
    this.bodies.forEach((body, index) => {
      for (let link = 0; link < (body.drawn ?? body.links); ++link)
        for (let k = 0; k < 3; ++k) {
          const value = poses[(this.firstLink[index] + link) * 7 + k];
          this.low[k] = Math.min(this.low[k], value);
          this.high[k] = Math.max(this.high[k], value);
        }
    });
  }

  // Whether the drawing has become too small for what moves in it, or its arrows too long.
  outgrown() {
    const {fitted} = this;
    return !fitted || this.run.peak > 1.5 * fitted.peak || this.low.some((value, k) => value < fitted.low[k] || this.high[k] > fitted.high[k]);
  }

  // With room to go on: it is not to be drawn anew at every frame.
  fit() {
    const span = Math.max(...this.low.map((value, k) => this.high[k] - value));
    const room = this.low.map((value, k) => (this.high[k] > value ? 0.25 * span + 1e-9 : 0));
    this.fitted = {low: this.low.map((value, k) => value - room[k]), high: this.high.map((value, k) => value + room[k]), peak: this.run.peak};
  }

  bounds() { return this.fitted; }

  places(visit) {
    const {low, high} = this.fitted;
    for (let corner = 0; corner < 8; ++corner) visit(low.map((value, k) => (corner >> k & 1 ? high[k] : value)));
  }
}
