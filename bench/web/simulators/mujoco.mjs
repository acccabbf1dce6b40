// MuJoCo as WebAssembly; models are written as MJCF, friction in joints is `frictionloss`.
//
// Settings. `default`: everything as MuJoCo has it. `discrete`: the integrator of version 3.13 with elliptic cones and
// the no-slip solver, run to the end. `hard`: besides, constraints as stiff as the step allows.
// The module's stack is small, and a model that is nested deeply overwrites what lies below it without a word: it gets
// another one.
import load from '@mujoco/mujoco';
import {readFileSync} from 'node:fs';
import {conjugate, loads, machine, minus, multiply, pull, rotate} from '../machines.mjs';

const STACK = 1 << 25; // bytes
export const name = 'MuJoCo';
export const variants = [
    ['default', 'defaults'],
    ['elliptic', 'elliptic cones, 20 no-slip iterations'],
    ['discrete', 'integrator discrete, elliptic cones, no-slip solver to the end (1000 iterations, 1e-14)'],
    ['hard', 'as elliptic, tolerances 1e-12, solref 2 T, solimp 0.9999'],
];

let mj;
export async function start()
{
    let exports;
    const wasm = readFileSync(new URL('../node_modules/@mujoco/mujoco/mujoco.wasm', import.meta.url));
    mj = await load({instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(wasm, imports).then(({instance, module}) => {
            exports = instance.exports;
            done(instance, module);
        });
        return {};
    }});
    exports._emscripten_stack_restore(exports.malloc(STACK) + STACK - 16);
    return mj.mj_versionString();
}

const list = values => values.map(x => x.toString()).join(' ');
const scalarFirst = q => list([q[3], q[0], q[1], q[2]]);

function geoms(body)
{
    return body.shapes.map(s => {
        const size = s.kind === 'box' ? list(s.half) : s.kind === 'sphere' ? s.radius : `${s.radius} ${s.half}`;
        const turn = s.kind === 'capsule' ? "euler='90 0 0'" : '';
        return `<geom type='${s.kind}' size='${size}' pos='${list(s.at)}' ${turn} friction='${s.mu}'/>`;
    }).join('');
}

function bodyXml(m, i)
{
    const body = m.bodies[i], inbound = m.joints.find(j => j.child === i);
    const parent = inbound && inbound.parent >= 0 ? m.bodies[inbound.parent] : null;
    const back = parent ? conjugate(parent.turn) : [0, 0, 0, 1];
    const position = rotate(back, minus(body.position, parent ? parent.position : [0, 0, 0]));
    const inner = conjugate(body.turn);
    let joint = '<freejoint/>';
    if (inbound)
        joint = `<joint type='${inbound.kind}' pos='${list(rotate(inner, minus(inbound.anchor, body.position)))}' ` +
                `axis='${list(rotate(inner, inbound.axis))}' frictionloss='${inbound.level}'/>`;
    if (inbound && inbound.kind === 'slide') joint = joint.replace(/pos='[^']*'/, "pos='0 0 0'");
    const children = m.joints.filter(j => j.parent === i).map(j => bodyXml(m, j.child)).join('');
    return `<body pos='${list(position)}' quat='${scalarFirst(multiply(back, body.turn))}'>${joint}` +
           `<inertial pos='0 0 0' mass='${body.mass}' diaginertia='${list(body.inertia)}'/>${geoms(body)}${children}</body>`;
}

function xml(m, task, variant)
{
    const options = {
        default: '', elliptic: "cone='elliptic' noslip_iterations='20'",
        discrete: "integrator='discrete' cone='elliptic' noslip_iterations='1000' noslip_tolerance='1e-14'",
        hard: "cone='elliptic' noslip_iterations='20' noslip_tolerance='1e-12' tolerance='1e-12'",
    }[variant];
    const stiff = `${2 * task.T} 1`, firm = '0.9999 0.9999 0.001';
    const defaults = variant !== 'hard' ? '' :
        `<default><geom solref='${stiff}' solimp='${firm}'/>` +
        `<joint solreffriction='${stiff}' solimpfriction='${firm}'/></default>`;
    const floor = m.floor ? `<geom type='plane' pos='0 0 ${m.floor.height}' size='50 50 1' friction='${m.floor.mu}'/>` : '';
    const roots = m.bodies.map((_, i) => i).filter(i => !m.joints.some(j => j.child === i && j.parent >= 0));
    return `<mujoco><option timestep='${task.T}' gravity='0 0 ${-m.gravity}' ${options}/>${defaults}<worldbody>${floor}` +
           `${roots.map(i => bodyXml(m, i)).join('')}</worldbody></mujoco>`;
}

export function build(c, task, variant)
{
    const m = machine(c, task), free = m.joints.length === 0 || task.which === 'pinch' ? 6 : 0;
    const model = mj.MjModel.from_xml_string(xml(m, task, variant));
    const data = new mj.MjData(model);
    const {qvel} = data, velocity = m.bodies[0].velocity;
    if (velocity) velocity.forEach((v, i) => { if (i < qvel.length) qvel[i] = v; });
    return {
        mass: m.bodies.reduce((sum, _, i) => sum + model.body_mass[i + 1], 0),
        run(steps) {
            // Views: asked for anew, as the module's memory may have grown since the last run.
            const {qpos, qfrc_applied: applied, xfrc_applied: wrench} = data;
            for (let k = 0; k < steps; ++k) {
                const t = data.time + task.T, force = pull(c, task, t);
                loads(c, task, t, qpos[0]).forEach((f, i) => { applied[free + i] = f; });
                if (force) wrench[6] = force[0], wrench[7] = force[1];
                mj.mj_step(model, data);
            }
        },
        read() {
            const {qpos, qvel} = data;
            if (free > 0) return {place: [...qpos.slice(0, 3)]};
            const count = task.which === 'chain' ? Math.min(6, task.links) : m.joints.length;
            return {q: [...qpos.slice(0, count)], v: [...qvel.slice(0, count)]};
        },
        destroy() { data.delete(), model.delete(); },
    };
}
