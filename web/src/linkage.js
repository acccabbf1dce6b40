// Linkages in a plane: bodies as bars between their joints, pins as circles, sliders as boxes on their line.
import {arrow} from './canvas.js';
import {add, rotate} from './motion.js';
import {colour} from './palette.js';

// How far joints lie from the centres of their bodies.
export function armOf(motion) {
  return Math.max(0, ...motion.bodies.flatMap(body => (body.pairs || []).map(pair => Math.max(Math.hypot(...pair.at), pair.other < 0 ? 0 : Math.hypot(...pair.at_other)))));
}

const inWorld = (pose, [x, y]) => add(pose.p, rotate(pose.q, [x, y, 0]));

export function paintLinkage(ctx, motion, body, index, moment, place, scale, t) {
  const poses = Array.from({length: body.drawn}, (_, link) => motion.pose(index, link, moment));
  const ends = pair => [inWorld(poses[pair.body], pair.at),
                        pair.other < 0 ? [...pair.at_other, 0] : inWorld(poses[pair.other], pair.at_other)];
  for (const pair of body.pairs) paintLine(ctx, pair, poses, ends(pair), place);
  poses.forEach((pose, link) => paintBar(ctx, body, link, pose, place));
  for (const pair of body.pairs) paintPair(ctx, pair, poses, ends(pair), place, scale, stateOf(motion, pair, t));
  for (const pair of body.pairs) paintForce(ctx, motion, pair, poses, ends(pair), place, t);
}

// What a slider or disc runs along.
function paintLine(ctx, pair, poses, [, origin], place) {
  if (!['prismatic', 'slot', 'disc', 'rolling'].includes(pair.type)) return;
  const along = [Math.cos(pair.direction), Math.sin(pair.direction), 0];
  const way = pair.other < 0 ? along : rotate(poses[pair.other].q, along);
  const [x, y] = place(origin), [u, v] = place(add(origin, way));
  const length = Math.hypot(u - x, v - y) || 1, dx = 2000 * (u - x) / length, dy = 2000 * (v - y) / length;
  ctx.strokeStyle = colour('ink-faint');
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x - dx, y - dy);
  ctx.lineTo(x + dx, y + dy);
  ctx.stroke();
}

function paintBar(ctx, body, link, pose, place) {
  const points = [pose.p, ...body.pairs.filter(pair => pair.body === link).map(pair => inWorld(pose, pair.at)),
                  ...body.pairs.filter(pair => pair.other === link).map(pair => inWorld(pose, pair.at_other))];
  const far = points.slice(1).map(point => point.map((value, k) => 2 * pose.p[k] - value)); // a bar reaches beyond its centre
  ctx.strokeStyle = colour('body');
  ctx.lineWidth = 8;
  ctx.lineCap = 'round';
  for (const point of points.length === 2 ? [points[1], far[0]] : points.slice(1)) {
    ctx.beginPath();
    ctx.moveTo(...place(pose.p));
    ctx.lineTo(...place(point));
    ctx.stroke();
  }
  ctx.lineCap = 'butt';
}

const frictionOf = (motion, pair) => motion.elements.find(one => one.friction && one.name.startsWith(`${pair.name}.`));

// The colour of a joint: of its friction, if it has any that says so.
function stateOf(motion, pair, t) {
  const own = frictionOf(motion, pair), stuck = own ? motion.stuck(own.name, t) : null;
  return stuck === null ? null : stuck >= 0.5 ? 'stick' : 'slip';
}

// Of a slider: along its line.
function paintForce(ctx, motion, pair, poses, [point], place, t) {
  const own = frictionOf(motion, pair), column = own && motion.run.column(`${own.name}.force`);
  if (!column || pair.type !== 'prismatic') return;
  const largest = column.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const along = [Math.cos(pair.direction), Math.sin(pair.direction), 0];
  const [x, y] = place(point), [u, v] = place(add(point, pair.other < 0 ? along : rotate(poses[pair.other].q, along)));
  const length = -60 * motion.run.value(`${own.name}.force`, t) / largest / (Math.hypot(u - x, v - y) || 1);
  arrow(ctx, x, y + 15, length * (u - x), length * (v - y), colour('force'));
}

function paintPair(ctx, pair, poses, [point, origin], place, scale, state) {
  const [x, y] = place(point);
  ctx.strokeStyle = colour('ink');
  ctx.fillStyle = colour('paper');
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  if (pair.type === 'rod') {
    ctx.moveTo(x, y);
    ctx.lineTo(...place(origin));
  } else if (pair.type === 'prismatic') {
    const [u, v] = place(inWorld(poses[pair.body], [pair.at[0] + Math.cos(pair.direction), pair.at[1] + Math.sin(pair.direction)]));
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate(Math.atan2(v - y, u - x));
    ctx.roundRect(-22, -11, 44, 22, 4);
    ctx.restore();
    ctx.fillStyle = colour(state || 'joint');
  } else if (pair.type === 'disc' || pair.type === 'rolling') {
    ctx.arc(x, y, pair.radius * scale, 0, 2 * Math.PI);
    ctx.fillStyle = 'transparent';
  } else {
    ctx.arc(x, y, 6, 0, 2 * Math.PI);
    ctx.fillStyle = colour(state || 'paper');
  }
  ctx.fill();
  ctx.stroke();
}
