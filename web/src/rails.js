// Masses that move along one line: blocks on a rail. Who rubs on whom stands on top of it; springs keep bodies apart,
// so that those that start at the same place can be told from each other.
import {arrow, drawingCanvas, spring} from './canvas.js';
import {number} from './elements.js';
import {colour} from './palette.js';

const BLOCK = [58, 34]; // px

function lanesOf(motion) {
  const lanes = motion.bodies.map(() => 0);
  for (let round = 0; round < motion.bodies.length; ++round)
    for (const one of motion.elements)
      if (one.friction && one.a.body >= 0 && one.b.body >= 0)
        lanes[one.a.body] = Math.max(lanes[one.a.body], Math.min(lanes[one.b.body] + 1, motion.bodies.length));
  return lanes;
}

// Along the springs, driven bodies to the right; 0 stands at the wall or alone.
function slotsOf(motion) {
  const slots = motion.bodies.map(() => 0);
  const driven = index => index >= 0 && motion.bodies[index].kind === 'motion';
  for (let round = 0; round < motion.bodies.length; ++round)
    for (const one of motion.elements) {
      const {a, b} = one;
      if (one.friction || a.body < 0 || b.body < 0) continue;
      const [left, right] = driven(a.body) ? [b.body, a.body] : [a.body, b.body];
      if (driven(left) && driven(right)) continue;
      slots[right] = Math.max(slots[right], Math.min(slots[left] + 1, motion.bodies.length));
    }
  return slots;
}

export function railDrawing(host, motion, clock) {
  const lanes = lanesOf(motion), slots = slotsOf(motion);
  const {low, high} = motion.bounds();
  const walled = motion.elements.some(one => !one.friction && one.kind !== 'force' && one.b.body < 0);
  const span = Math.max(high[0] - low[0], 1e-9), most = Math.max(...slots), top = Math.max(...lanes);
  const gap = 0.45 * span + 1e-12;
  const forces = motion.elements.filter(one => one.friction).map(one => motion.run.column(`${one.name}.force`)).filter(Boolean);
  let largest = 0;
  for (const column of forces) for (const value of column) largest = Math.max(largest, Math.abs(value));

  const paint = (ctx, width, height) => {
    const moment = motion.at(clock.t), floor = height - 46;
    const lane = Math.min(BLOCK[1] + 6, (floor - 30) / (top + 1)), block = [BLOCK[0], Math.min(BLOCK[1], lane - 4)];
    const margin = walled ? 96 : 60, scale = (width - margin - 60) / (span + most * gap);
    const x = index => margin + (motion.pose(index, 0, moment).p[0] - low[0] + slots[index] * gap) * scale;
    const y = index => floor - lanes[index] * lane - block[1] / 2 - 1;
    paintGround(ctx, width, floor, walled);
    for (const one of motion.elements) {
      if (one.friction || one.a.body < 0 || one.kind === 'force') continue;
      const from = one.b.body < 0 ? [18, y(one.a.body)] : [x(one.b.body), y(one.b.body)];
      const to = [x(one.a.body), y(one.a.body)], way = Math.sign(to[0] - from[0]) || 1;
      spring(ctx, from[0] + (one.b.body < 0 ? 0 : way * block[0] / 2), from[1], to[0] - way * block[0] / 2, to[1], colour('ink-soft'));
    }
    motion.bodies.forEach((body, index) => paintBody(ctx, body, x(index), y(index), block, stateOf(index)));
    for (const one of motion.elements) {
      const force = one.friction && one.a.body >= 0 ? motion.run.value(`${one.name}.force`, clock.t) : null;
      if (!force || !(largest > 0)) continue;
      arrow(ctx, x(one.a.body), y(one.a.body) + block[1] / 2 - 3, -60 * force / largest, 0, colour('force'));
    }
    ctx.fillStyle = colour('ink-soft');
    ctx.font = '12px system-ui, sans-serif';
    ctx.textAlign = 'left';
    if (motion.bodies.length > 3) return;
    motion.bodies.forEach((body, index) => {
      ctx.fillText(`${body.name}  x = ${number(motion.pose(index, 0, moment).p[0], 4)} m`, 12 + index * width / 3, height - 16);
    });
  };
  const stateOf = index => {
    const own = motion.elements.find(one => one.friction && one.a.body === index);
    return own ? motion.stuck(own.name, clock.t) : null;
  };
  return drawingCanvas(host, 'Replay: masses on a rail', paint);
}

function paintGround(ctx, width, floor, walled) {
  ctx.strokeStyle = colour('ink-soft');
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(10, floor);
  ctx.lineTo(width - 10, floor);
  for (let x = 16; x < width - 10; x += 11) {
    ctx.moveTo(x, floor);
    ctx.lineTo(x - 6, floor + 7);
  }
  if (walled) {
    ctx.moveTo(18, floor);
    ctx.lineTo(18, floor - 70);
    for (let y = floor - 64; y < floor; y += 11) {
      ctx.moveTo(18, y);
      ctx.lineTo(11, y + 6);
    }
  }
  ctx.stroke();
}

function paintBody(ctx, body, x, y, [w, h], stuck) {
  ctx.beginPath();
  ctx.roundRect(x - w / 2, y - h / 2, w, h, 5);
  const driven = body.kind === 'motion';
  ctx.fillStyle = driven ? colour('paper') : colour(stuck === null ? 'body' : stuck >= 0.5 ? 'stick' : 'slip');
  ctx.fill();
  ctx.strokeStyle = colour('ink');
  ctx.setLineDash(driven ? [4, 3] : []);
  ctx.lineWidth = 1.2;
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.fillStyle = driven || stuck === null ? colour('ink') : colour('on-body');
  ctx.font = '600 12px system-ui, sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(body.name.length > 8 ? `${body.name.slice(0, 7)}…` : body.name, x, y);
  ctx.textBaseline = 'alphabetic';
}
