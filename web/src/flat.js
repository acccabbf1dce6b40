// Systems in a plane, seen from above; and systems in space where the browser has no WebGL, seen from the side.
import {arrow, drawingCanvas, spring} from './canvas.js';
import {add, rotate, shapeOf} from './motion.js';
import {outline} from './outline.js';
import {armOf, paintLinkage} from './linkage.js';
import {colour} from './palette.js';

const planar = ([x, y]) => [x, y];
const oblique = ([x, y, z]) => [x * 0.9 - y * 0.35, z + y * 0.25 + x * 0.08];

export function flatDrawing(host, motion, clock) {
  const project = motion.dimension() <= 2 ? planar : oblique;
  const size = motion.bodies.map((body, i) => shapeOf(motion, i)).reduce((most, shape) => Math.max(most, shape.reach || shape.sphere || Math.max(...(shape.box || [0]))), 0) + armOf(motion);
  const box = boundsOf(motion, project, size);
  const largest = motion.largestForce();
  const planarForce = largestPlanar(motion);
  const outlines = motion.shapes.map(shape => ({...shape, lines: outline(shape)}));
  let target = null; // what the view goes along with
  const paint = (ctx, width, height) => {
    const scale = Math.min((width - 70) / box.width, (height - 70) / box.height);
    const place = point => {
      const [x, y] = project(point);
      return [width / 2 + (x - centre[0]) * scale, height / 2 - (y - centre[1]) * scale];
    };
    const moment = motion.at(clock.t);
    const centre = target ? project(motion.pose(target.body, target.link, moment).p) : [box.x, box.y];
    for (const shape of outlines) paintShape(ctx, motion, shape, moment, place);
    paintTrails(ctx, motion, place, moment);
    for (const one of motion.elements) paintSpring(ctx, motion, one, moment, place);
    motion.bodies.forEach((body, index) => paintBody(ctx, motion, body, index, moment, place, scale, clock.t));
    motion.pushing.forEach((one, i) => {
      const {at, f, stuck} = motion.force(i, moment);
      const coordinate = one.a.place >= (motion.bodies[one.a.body]?.drawn ?? Infinity); // of a linkage: it shows at its joint
      if (!(largest > 0) || coordinate || (!one.friction && !one.contact && !/plane/.test(one.wire ?? ''))) return;
      paintArrow(ctx, place, at, f.map(value => value / largest), colour(stuck === null ? 'force' : stuck >= 0.5 ? 'stick' : 'slip'));
    });
    for (const one of motion.elements) paintPlanarForce(ctx, motion, one, moment, place, planarForce, clock.t);
  };
  const repaint = drawingCanvas(host, 'Replay of the system', paint);
  return {paint: repaint, follow: chosen => { target = chosen; repaint(); }};
}

function paintShape(ctx, motion, shape, moment, place) {
  const {p, q} = shape.body >= 0 ? motion.pose(shape.body, shape.link, moment) : {p: [0, 0, 0], q: [1, 0, 0, 0]};
  ctx.strokeStyle = colour(shape.body >= 0 ? 'ink-soft' : 'ink-faint');
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const line of shape.lines)
    line.forEach((point, i) => {
      const [x, y] = place(add(p, rotate(q, point)));
      if (i === 0) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    });
  ctx.stroke();
}

function boundsOf(motion, project, size) {
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  const reach = visit => {
    motion.places(visit);
    // The free end of a robot's last link is beyond its frame.
    const pictures = motion.times.length, stride = Math.max(1, Math.floor(pictures / 200));
    for (let picture = 0; picture < pictures; picture += stride)
      motion.bodies.forEach((body, index) => (body.tree ?? []).forEach((link, i) => {
        const {p, q} = motion.pose(index, i, [picture, 0]);
        visit(add(p, rotate(q, link.centre.map(value => 2 * value))));
      }));
  };
  reach(place => {
    const point = project(place);
    for (let k = 0; k < 2; ++k) {
      low[k] = Math.min(low[k], point[k] - size);
      high[k] = Math.max(high[k], point[k] + size);
    }
  });
  const width = Math.max(high[0] - low[0], 1e-9), height = Math.max(high[1] - low[1], 1e-9, 0.05 * width);
  return {x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, width: Math.max(width, 0.05 * height), height};
}

function stateOf(motion, index, t) {
  const own = motion.elements.find(one => one.friction && one.a.body === index);
  return own ? motion.stuck(own.name, t) : null;
}

function largestPlanar(motion) {
  let most = 0;
  for (const one of motion.elements) {
    const x = motion.run.column(`${one.name}.fx`), y = motion.run.column(`${one.name}.fy`);
    if (!one.friction || one.links || !x || !y) continue;
    for (let i = 0; i < x.length; ++i) most = Math.max(most, Math.hypot(x[i], y[i]));
  }
  return most;
}

function paintPlanarForce(ctx, motion, one, moment, place, largest, t) {
  if (!one.friction || one.links || one.a.body < 0 || !(largest > 0)) return;
  const fx = motion.run.value(`${one.name}.fx`, t), fy = motion.run.value(`${one.name}.fy`, t);
  if (fx === null || fy === null) return;
  const [x, y] = place(motion.pose(one.a.body, 0, moment).p);
  arrow(ctx, x, y, -70 * fx / largest, 70 * fy / largest, colour('force'));
}

function paintArrow(ctx, place, at, f, ink) {
  const from = place(at), to = place(add(at, f));
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, wanted = 80 * Math.hypot(...f);
  arrow(ctx, from[0], from[1], (to[0] - from[0]) / length * wanted, (to[1] - from[1]) / length * wanted, ink);
}

// Where it has been so far.
function paintTrails(ctx, motion, place, [picture]) {
  ctx.strokeStyle = colour('ink-faint');
  ctx.lineWidth = 1.2;
  const first = Math.max(0, picture - (motion.trail ?? Infinity));
  motion.bodies.forEach((body, index) => {
    const link = (body.drawn ?? body.links) - 1;
    ctx.beginPath();
    for (let i = first; i <= picture; ++i) {
      const [x, y] = place(motion.pose(index, link, [i, 0]).p);
      if (i === first) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    ctx.stroke();
  });
}

function paintSpring(ctx, motion, one, moment, place) {
  if (one.friction || one.kind !== 'spring-damper' || one.a.body < 0) return;
  const end = side => (side.body < 0 ? side.p : endOf(motion, one, side, moment));
  const a = place(end(one.a)), b = place(end(one.b));
  spring(ctx, b[0], b[1], a[0], a[1], colour('ink-soft'), 9);
}

function endOf(motion, one, side, moment) {
  const {p, q} = motion.pose(side.body, one.links ? side.place : 0, moment);
  return one.links ? add(p, rotate(q, side.p)) : p;
}

function paintBody(ctx, motion, body, index, moment, place, scale, t) {
  const stuck = stateOf(motion, index, t);
  const shape = shapeOf(motion, index);
  ctx.fillStyle = body.kind === 'motion' ? colour('paper') : colour(stuck === null ? 'body' : stuck >= 0.5 ? 'stick' : 'slip');
  ctx.strokeStyle = colour('ink');
  ctx.lineWidth = 1.3;
  if (body.pairs) return paintLinkage(ctx, motion, body, index, moment, place, scale, t);
  if (body.tree || body.links > 1) return paintLinks(ctx, motion, body, index, moment, place, t);
  if (shape.shapes) return;
  const {p, q} = motion.pose(index, 0, moment), [x, y] = place(p);
  ctx.beginPath();
  if (shape.box) paintBox(ctx, p, q, shape.box, place);
  else ctx.arc(x, y, shape.sphere ? shape.sphere * scale : 9, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  if (shape.sphere) {
    const [dx, dy] = place(add(p, rotate(q, [shape.sphere, 0, 0])));
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(dx, dy);
    ctx.stroke();
  } else if (!shape.box) {
    ctx.fillStyle = colour('ink-soft');
    ctx.font = '12px system-ui, sans-serif';
    ctx.textAlign = 'left';
    ctx.fillText(body.name, x + 13, y - 11);
  }
}

function paintBox(ctx, p, q, size, place) {
  const corner = signs => place(add(p, rotate(q, size.map((edge, k) => signs[k] * edge / 2))));
  for (const face of [0, 1, 2])
    for (const side of [-1, 1])
      [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([u, v], i) => {
        const signs = [0, 0, 0];
        signs[face] = side; signs[(face + 1) % 3] = u; signs[(face + 2) % 3] = v;
        const [x, y] = corner(signs);
        if (i === 0) ctx.moveTo(x, y);
        else ctx.lineTo(x, y);
      });
}

function paintLinks(ctx, motion, body, index, moment, place, t) {
  ctx.strokeStyle = colour('body');
  ctx.lineWidth = 7;
  ctx.lineCap = 'round';
  for (let link = 0; link < body.links; ++link) {
    const {p, q} = motion.pose(index, link, moment), tree = body.tree && body.tree[link];
    const children = body.tree ? body.tree.map((one, i) => (one.parent === link ? i : -1)).filter(i => i >= 0) : [];
    const ends = children.length ? children.map(i => motion.pose(index, i, moment).p)
                                 : [tree ? add(p, rotate(q, tree.centre.map(value => 2 * value))) : p];
    for (const end of ends) {
      ctx.beginPath();
      ctx.moveTo(...place(p));
      ctx.lineTo(...place(end));
      ctx.stroke();
    }
  }
  ctx.lineCap = 'butt';
  for (const [link, {place: number}] of (body.tree ?? []).entries()) paintJoint(ctx, motion, index, link, number, moment, place, t);
}

// A dot in the colour of stick or slip, where the joint has friction.
function paintJoint(ctx, motion, index, link, number, moment, place, t) {
  const own = motion.elements.find(one => one.friction && !one.links && one.a.body === index && one.a.place === number);
  const stuck = own ? motion.stuck(own.name, t) : null;
  if (stuck === null) return;
  ctx.fillStyle = colour(stuck >= 0.5 ? 'stick' : 'slip');
  ctx.beginPath();
  ctx.arc(...place(motion.pose(index, link, moment).p), 5, 0, 2 * Math.PI);
  ctx.fill();
}
