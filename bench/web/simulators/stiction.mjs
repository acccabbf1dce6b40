// stiction as WebAssembly (make wasm), the machines as scenes. Loads are expressions of the scenes.
//
// Settings. `cut`: the default. `rule`: one evaluation per step, of order 1.
import {Engine} from '../../../web/src/engine/engine.js';
import {conjugate, machine, minus, multiply, rotate} from '../machines.mjs';
import {readFileSync} from 'node:fs';

export const name = 'stiction';
export const variants = [['cut', 'the default: order 4, steps cut where stick, slip or contact changes'],
                         ['rule', 'one evaluation per step, order 1']];

let engine;
export async function start(wasm)
{
    engine = new Engine(readFileSync(wasm));
    const header = readFileSync(new URL('../../../include/stiction/version.h', import.meta.url), 'utf8');
    return /STI_VERSION "([^"]*)"/.exec(header)[1];
}

const scalarFirst = q => [q[3], q[0], q[1], q[2]];
const shapeOf = s => s.kind === 'box' ? {kind: 'box', size: s.half.map(h => 2 * h), at: s.at}
    : s.kind === 'sphere' ? {kind: 'sphere', radius: s.radius, at: s.at}
    : {kind: 'capsule', radius: s.radius, length: 2 * s.half, at: s.at, attitude: [Math.SQRT1_2, Math.SQRT1_2, 0, 0]};

function rigid(body)
{
    return {kind: 'rigid', mass: body.mass, inertia: body.inertia, position: body.position, velocity: body.velocity ?? [0, 0, 0],
            shapes: body.shapes.map(shapeOf)};
}

// A tree of links whose frames begin at their joints; shapes are given from the centres of mass.
function robot(m)
{
    return {kind: 'robot', links: m.joints.map((joint, i) => {
        const body = m.bodies[joint.child], inner = conjugate(body.turn);
        const parent = joint.parent < 0 ? {turn: [0, 0, 0, 1]} : m.bodies[joint.parent];
        const before = joint.parent < 0 ? [0, 0, 0] : m.joints[joint.parent].anchor, back = conjugate(parent.turn);
        const centre = rotate(inner, minus(body.position, joint.anchor));
        return {name: `link${i}`, joint: `joint${i}`, at: rotate(back, minus(joint.anchor, before)),
                attitude: scalarFirst(multiply(back, body.turn)), axis: rotate(inner, joint.axis), mass: body.mass, centre,
                inertia: body.inertia,
                ...(body.shapes.length > 0 && {shapes: body.shapes.map(s => shapeOf({...s, at: s.at.map((x, k) => x + centre[k])}))})};
    })};
}

const floor = (m, on) => ({kind: 'contact', on, plane: {point: [0, 0, m.floor.height]}, mu: m.floor.mu});
const dry = (on, level) => ({kind: 'friction', on, model: 'coulomb', level});

function jointed(m, loads)
{
    const names = m.joints.map((_, i) => `arm.joint${i}`);
    const elements = {friction: dry('arm.joints', m.joints.map(j => j.level))};
    loads.forEach((value, i) => { elements[`load${i}`] = {kind: 'force', on: names[i], value}; });
    if (m.floor) elements.floor = floor(m, `arm.link${m.joints.length - 1}`);
    return {bodies: {arm: robot(m)}, elements};
}

const scenes = {
    creep_box: m => ({bodies: {body: rigid(m.bodies[0])},
                      elements: {floor: floor(m, 'body'), pull: {kind: 'force', on: 'body', value: ['3 + 1.5*sin(2*pi*5*t)', 0, 0]}}}),
    sliding_box: (m, c, task) => ({bodies: {body: rigid(m.bodies[0])},
                                   elements: {floor: floor(m, 'body'), pull: {kind: 'force', on: 'body', value:
                                       [c.sliding_box_force * Math.cos(task.angle), c.sliding_box_force * Math.sin(task.angle), 0]}}}),
    rolling: m => ({bodies: {body: rigid(m.bodies[0])}, elements: {floor: floor(m, 'body')}}),
    creep_joint: m => jointed(m, ['6 + 3*sin(2*pi*5*t)']),
    spring_pull: (m, c) => ({bodies: {block: {kind: 'point', mass: c.block_mass}, hand: {kind: 'motion', x: '2*min(t, 2)', breaks: [2]}},
                             elements: {spring: {kind: 'spring-damper', between: ['hand', 'block'], stiffness: c.pull_stiffness},
                                        friction: dry('block', c.block_level)}}),
    zero_crossing: (m, c) => ({bodies: {block: {kind: 'point', mass: c.block_mass, velocity: c.crossing_velocity}},
                               elements: {push: {kind: 'force', on: 'block', value: c.crossing_force}, friction: dry('block', c.block_level)}}),
    two_link: m => jointed(m, ['sin', 'cos'].map(shake => `t < 4 ? min(0.52, 0.3*t) : 0.336 + 0.144*${shake}(100*t)`)),
    chain: m => jointed(m, []),
    arm: (m, c) => jointed(m, c.arm.map((link, i) => `${3 * link.level}*sin(100*t*${1 + 0.1 * i})`)),
    pinch: (m, c) => {
        const guide = body => ({kind: 'guided-block', mass: body.mass, axis: [1, 0, 0],
            origin: body.position, shapes: body.shapes.map(shapeOf)});
        return {bodies: {body: rigid(m.bodies[0]), left: guide(m.bodies[1]), right: guide(m.bodies[2])},
                elements: {press: {kind: 'force', on: 'left', value: c.finger_force}, hold: {kind: 'force', on: 'right', value: -c.finger_force},
                           a: {kind: 'contact', between: ['body', 'left'], mu: c.pinch_mu},
                           b: {kind: 'contact', between: ['body', 'right'], mu: c.pinch_mu}}};
    },
};

function channelsOf(m, task)
{
    if (task.which === 'spring_pull' || task.which === 'zero_crossing') return {q: ['block.x'], v: ['block.v']};
    if (m.joints.length === 0 || task.which === 'pinch') return {place: ['body.x', 'body.y', 'body.z']};
    const count = task.which === 'chain' ? Math.min(6, task.links) : m.joints.length;
    return {q: Array.from({length: count}, (_, i) => `arm.joint${i}.q`)};
}

export function sceneOf(c, task, method)
{
    const m = machine(c, task);
    return {title: task.which, step: task.T, stop: 1e4 * task.T, gravity: [0, 0, -m.gravity], method,
            ...scenes[task.which](m, c, task)};
}

export function build(c, task, variant)
{
    const m = machine(c, task), channels = channelsOf(m, task);
    engine.put('/scene.yaml', JSON.stringify(sceneOf(c, task, variant)));
    const run = engine.open('/scene.yaml', {forever: true});
    if (!run.good) throw new Error(run.messages.map(m => m.text).join('; '));
    return {
        mass: m.bodies.reduce((sum, body) => sum + body.mass, 0), // scenes are checked by the reader
        run(steps) { run.step(steps); },
        read() {
            return Object.fromEntries(Object.entries(channels).map(([key, names]) => [key, names.map(n => run.value(n))]));
        },
        destroy() { run.close(); },
    };
}
