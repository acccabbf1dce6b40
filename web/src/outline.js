// Shapes as lines in the axes of their link: for drawings without WebGL.
import {add, cornersOf, rotate} from './motion.js';

const ROUND = 24;

function ring(radius, height, across) {
  return Array.from({length: ROUND + 1}, (_, i) => {
    const turn = 2 * Math.PI * i / ROUND, u = radius * Math.cos(turn), v = radius * Math.sin(turn);
    return across === 0 ? [height, u, v] : across === 1 ? [u, height, v] : [u, v, height];
  });
}

function boxLines([x, y, z]) {
  const at = (i, j, k) => [i * x, j * y, k * z], lines = [];
  for (const a of [-1, 1])
    for (const b of [-1, 1]) lines.push([at(-1, a, b), at(1, a, b)], [at(a, -1, b), at(a, 1, b)], [at(a, b, -1), at(a, b, 1)]);
  return lines;
}

function tubeLines(radius, half) {
  const sides = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(([u, v]) => [[u * radius, v * radius, -half], [u * radius, v * radius, half]]);
  return [ring(radius, -half, 2), ring(radius, half, 2), ...sides];
}

function capLines(radius, half) {
  const arc = (plane, end) => Array.from({length: ROUND / 2 + 1}, (_, i) => {
    const turn = Math.PI * i / (ROUND / 2), u = radius * Math.cos(turn), w = end * (half + radius * Math.sin(turn));
    return plane === 0 ? [u, 0, w] : [0, u, w];
  });
  return [arc(0, 1), arc(1, 1), arc(0, -1), arc(1, -1)];
}

function hullLines(shape) {
  const corners = cornersOf(shape);
  return (shape.faces ?? []).map(face => [...face, face[0]].map(i => corners[i]));
}

export function outline(shape) {
  const lines = {
    sphere: () => [0, 1, 2].map(across => ring(shape.radius, 0, across)),
    box: () => boxLines(shape.half),
    cylinder: () => tubeLines(shape.radius, shape.half[2]),
    capsule: () => [...tubeLines(shape.radius, shape.half[2]), ...capLines(shape.radius, shape.half[2])],
    hull: () => hullLines(shape),
  }[shape.kind]?.() ?? [];
  return lines.map(line => line.map(point => add(shape.p, rotate(shape.q, point))));
}
