// Where everything is at a time: poses of links between two pictures, forces, stick or slip.
import {decode, indexAt} from './data.js';

export const FORCE = 7; // numbers of a force: where, how much, stick

export class Motion {
  constructor(run) {
    const {drawing} = run;
    this.run = run;
    this.bodies = drawing.bodies;
    this.elements = drawing.elements;
    this.shapes = drawing.shapes ?? [];
    this.times = decode(drawing.times, Float64Array);
    this.poses = decode(drawing.poses, Float32Array);
    this.forces = decode(drawing.forces, Float32Array);
    this.firstLink = [];
    this.links = 0;
    for (const body of this.bodies) {
      this.firstLink.push(this.links);
      this.links += body.links;
    }
    this.pushing = this.elements.filter(one => one.links);
  }

  // Picture and share of the way to the next.
  at(t) {
    const i = indexAt(this.times, t);
    if (i + 1 >= this.times.length) return [i, 0];
    return [i, Math.min(1, Math.max(0, (t - this.times[i]) / (this.times[i + 1] - this.times[i])))];
  }

  blend(values, size, place, count, [i, share]) {
    const a = (i * size + place) * count, b = share > 0 ? a + size * count : a;
    return Array.from({length: count}, (_, k) => values[a + k] + share * (values[b + k] - values[a + k]));
  }

  // {p: [x, y, z], q: [w, x, y, z]}
  pose(body, link, moment) {
    const place = this.firstLink[body] + link;
    const values = this.blend(this.poses, this.links, place, 7, moment);
    const q = values.slice(3);
    if (moment[1] > 0) {
      const a = (moment[0] * this.links + place) * 7 + 3, b = a + this.links * 7;
      let dot = 0;
      for (let k = 0; k < 4; ++k) dot += this.poses[a + k] * this.poses[b + k];
      const sign = dot < 0 ? -1 : 1; // the shorter way round
      for (let k = 0; k < 4; ++k) q[k] = (1 - moment[1]) * this.poses[a + k] + sign * moment[1] * this.poses[b + k];
    }
    const length = Math.hypot(...q) || 1;
    return {p: values.slice(0, 3), q: q.map(value => value / length)};
  }

  // stuck: 1 sticks, 0 slips, null where the element does not say. A force begins where it acts first.
  force(index, moment) {
    const now = (moment[0] * this.pushing.length + index) * FORCE, next = now + this.pushing.length * FORCE;
    const acts = at => at + 5 < this.forces.length && Math.hypot(this.forces[at + 3], this.forces[at + 4], this.forces[at + 5]) > 0;
    const share = acts(now) === acts(next) ? moment[1] : 0;
    const values = this.blend(this.forces, this.pushing.length, index, FORCE, [moment[0], share]);
    const stuck = this.forces[now + 6];
    return {at: values.slice(0, 3), f: values.slice(3, 6), stuck: stuck >= 0 ? stuck : null};
  }

  // 1 sticks, 0 slips, null where the element does not say.
  stuck(name, t) {
    return this.run.has(`${name}.stick`) ? this.run.value(`${name}.stick`, t) : null;
  }

  largestForce() {
    let most = 0;
    for (let i = 0; i + 5 < this.forces.length; i += FORCE)
      most = Math.max(most, Math.hypot(this.forces[i + 3], this.forces[i + 4], this.forces[i + 5]));
    return most;
  }

  // Every place of every link that is drawn, over the whole run.
  places(visit) {
    for (let picture = 0; picture < this.times.length; ++picture)
      this.bodies.forEach((body, index) => {
        for (let link = 0; link < (body.drawn ?? body.links); ++link) {
          const place = (picture * this.links + this.firstLink[index] + link) * 7;
          visit([this.poses[place], this.poses[place + 1], this.poses[place + 2]]);
        }
      });
  }

  bounds() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    this.places(point => point.forEach((value, k) => {
      low[k] = Math.min(low[k], value);
      high[k] = Math.max(high[k], value);
    }));
    return {low, high};
  }

  dimension() { return Math.max(...this.bodies.map(body => body.dim || 3)); }
}

export function rotate([w, x, y, z], [a, b, c]) {
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

export const add = (a, b) => a.map((value, i) => value + b[i]);

// The largest distance of a shape's surface from the origin of its link; planes have none.
export function reachOf(shape) {
  const own = {point: 0, sphere: shape.radius, box: Math.hypot(...shape.half), plane: 0,
               capsule: shape.half[2] + shape.radius, cylinder: Math.hypot(shape.half[2], shape.radius)}[shape.kind]
    ?? cornersOf(shape).reduce((most, corner) => Math.max(most, Math.hypot(...corner)), 0);
  return own + (shape.kind === 'plane' ? 0 : Math.hypot(...shape.p));
}

export function cornersOf(shape) {
  const all = shape.vertices ?? [];
  return Array.from({length: all.length / 3}, (_, i) => all.slice(3 * i, 3 * i + 3));
}

// What a camera may follow: bodies, of robots what floats; at most 40.
export function followable(motion) {
  return motion.bodies.flatMap((body, index) => {
    const free = (body.tree ?? []).map((link, i) => [link, i]).filter(([link]) => link.joint === 'floating');
    if (free.length > 0) return free.map(([link, i]) => ({name: free.length > 1 ? link.name : body.name, body: index, link: i}));
    return [{name: body.name, body: index, link: Math.max(0, (body.drawn ?? body.links) - 1)}];
  }).slice(0, 40);
}

// Spheres and boxes: from contacts, else from the inertia.
export function shapeOf(motion, index) {
  const body = motion.bodies[index];
  const own = motion.shapes.filter(shape => shape.body === index && shape.kind !== 'point');
  if (own.length > 0) return {shapes: own, reach: Math.max(...own.map(reachOf))};
  const contact = motion.elements.find(one => one.a.body === index && /plane/.test(one.wire || '') && one.shape[0] > 0);
  if (contact && contact.wire.startsWith('box')) return {box: contact.shape.slice(0, 3).map(half => 2 * half)};
  if (contact) return {sphere: contact.shape[0]};
  if (!body.inertia || !(body.mass > 0)) return {point: true};
  const [xx, yy, zz] = body.inertia;
  if (Math.abs(xx - yy) + Math.abs(yy - zz) < 1e-9 * xx) return {sphere: Math.sqrt(2.5 * xx / body.mass)};
  const edge = sum => Math.sqrt(Math.max(6 * sum / body.mass, 1e-6));
  return {box: [edge(yy + zz - xx), edge(xx + zz - yy), edge(xx + yy - zz)]};
}
