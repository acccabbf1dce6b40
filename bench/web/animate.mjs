// animate.mjs MOTION.csv FIGURE.svg
// The arm of case 5 in two simulators side by side, as a moving picture (SVG, no script). The columns of the CSV: t, then
// q0 and q1 of each simulator, whose names stand in the header as NAME.q0, NAME.q1. Angles in rad, counted from the x axis.
import {readFileSync, writeFileSync} from 'node:fs';

const [motion, figure] = process.argv.slice(2);
const [header, ...rows] = readFileSync(motion, 'utf8').trim().split('\n').map(line => line.split(','));
const names = header.slice(1).filter((_, i) => i % 2 === 0).map(name => name.replace('.q0', ''));
const data = rows.map(row => row.map(Number)), end = data[data.length - 1][0];

const PANEL = 380, HEIGHT = 330, ROD = 120, DURATION = 10; // pixels, seconds on the screen
const BASE = {x: 90, y: 230};
const degrees = q => (-q * 180 / Math.PI).toFixed(3); // the screen's y points downwards
const values = (column, from = 0) => data.map(row => degrees(row[column] - from)).join(';');
const turn = list => `<animateTransform attributeName="transform" type="rotate" dur="${DURATION}s" repeatCount="indefinite" values="${list}"/>`;

// Where the arm stands when the torques have ended below its friction, at 6 s: what moves after that creeps.
const settled = data.find(row => row[0] >= 6);
const rod = colour => `<line x1="0" y1="0" x2="${ROD}" y2="0" stroke="${colour}" stroke-width="12" stroke-linecap="round"/>`;

function panel(name, i)
{
    const q0 = 1 + 2 * i, q1 = 2 + 2 * i;
    const arm = (colour, inner0, inner1, fixed0, fixed1) =>
        `<g ${fixed0}>${inner0}${rod(colour)}<g transform="translate(${ROD} 0)"><g ${fixed1}>${inner1}${rod(colour)}` +
        `<circle r="5" fill="#fff"/></g></g><circle r="5" fill="#fff"/></g>`;
    const ghost = arm('#d4d8dd', '', '', `transform="rotate(${degrees(settled[q0])})"`, `transform="rotate(${degrees(settled[q1])})"`);
    const moving = arm(i === 0 ? '#2f6f4f' : '#b04a3a', turn(values(q0)), turn(values(q1)), '', '');
    const last = data[data.length - 1], drift = Math.hypot(last[q0] - settled[q0], last[q1] - settled[q1]);
    const text = drift < 1e-12 ? 'moves by 0 from 6 s to 20 s' : `creeps by ${drift.toPrecision(2)} rad from 6 s to 20 s`;
    return `<g transform="translate(${i * PANEL} 0)"><text x="24" y="34" class="name">${name}</text>` +
           `<text x="24" y="56">${text}</text><g transform="translate(${BASE.x} ${BASE.y})">${ghost}${moving}</g></g>`;
}

const width = PANEL * names.length;
const bar = `<rect x="24" y="${HEIGHT - 26}" width="${width - 48}" height="4" fill="#e3e6ea"/>` +
    `<rect x="24" y="${HEIGHT - 26}" height="4" fill="#7a828c" width="0"><animate attributeName="width" dur="${DURATION}s" ` +
    `repeatCount="indefinite" values="0;${width - 48}"/></rect>` +
    `<text x="24" y="${HEIGHT - 36}" class="small">0 s</text><text x="${24 + (width - 48) * 4 / end}" y="${HEIGHT - 36}" class="small">4 s: ` +
    `from here on torques below the friction</text><text x="${width - 24}" y="${HEIGHT - 36}" text-anchor="end" class="small">${end} s</text>`;
writeFileSync(figure, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" ` +
    `font-family="sans-serif" font-size="14" fill="#3a4048"><rect width="100%" height="100%" fill="#fff"/>` +
    `<style>.name{font-size:18px;font-weight:bold}.small{font-size:12px}</style>${names.map(panel).join('')}${bar}</svg>\n`);
