// The cases as bodies, joints and shapes, from the numbers of bench/peers/cases.h. Every simulator builds its
// world from these lists. SI units; positions, axes and anchors in the world at the start; quaternions x, y, z, w.
//
// body:  {mass, position (of the centre of mass), turn (quaternion), inertia (about the body's axes), velocity?,
//         shapes: [{kind: box|sphere|capsule, at (in the body, from its centre of mass), half|radius|..., mu}]}
// joint: {kind: hinge|slide, parent (-1: the world), child, anchor, axis, level (dry friction, N m or N)}

export const NONE = [0, 0, 0, 1];
const quarter = Math.SQRT1_2;

export function loads(c, task, t, x)
{
    switch (task.which) {
    case 'creep_joint':
        return [6 + 3 * Math.sin(2 * Math.PI * 5 * t)];
    case 'spring_pull':
        return [c.pull_stiffness * (2 * Math.min(t, 2) - x)];
    case 'zero_crossing':
        return [c.crossing_force];
    case 'two_link':
        return t < 4 ? [Math.min(0.52, 0.3 * t), Math.min(0.52, 0.3 * t)]
                     : [0.336 + 0.144 * Math.sin(100 * t), 0.336 + 0.144 * Math.cos(100 * t)];
    case 'arm':
        return c.arm.map((link, i) => 3 * link.level * Math.sin(100 * t * (1 + 0.1 * i)));
    case 'pinch':
        return [c.finger_force, -c.finger_force];
    default:
        return [];
    }
}

// N on the centre of the first body.
export function pull(c, task, t)
{
    if (task.which !== 'creep_box' && task.which !== 'sliding_box') return null;
    const f = task.which === 'creep_box' ? 3 + 1.5 * Math.sin(2 * Math.PI * 5 * t) : c.sliding_box_force;
    return [f * Math.cos(task.angle), f * Math.sin(task.angle), 0];
}

const box = c => ({
    floor: {height: 0, mu: c.box_mu},
    bodies: [{mass: c.box_mass, position: [0, 0, c.box_half[2]], turn: NONE, inertia: c.box_inertia,
              shapes: [{kind: 'box', at: [0, 0, 0], half: c.box_half, mu: c.box_mu}]}],
    joints: [],
});

const ball = (c, task) => ({
    floor: {height: 0, mu: c.ball_mu},
    bodies: [{mass: c.ball_mass, position: [0, 0, c.ball_radius], turn: NONE,
              inertia: [c.ball_inertia, c.ball_inertia, c.ball_inertia],
              velocity: [c.ball_speed * Math.cos(task.angle), c.ball_speed * Math.sin(task.angle), 0],
              shapes: [{kind: 'sphere', at: [0, 0, 0], radius: c.ball_radius, mu: c.ball_mu}]}],
    joints: [],
});

const hinge = c => ({
    bodies: [{mass: 1, position: [0, 0, 0], turn: NONE, inertia: Array(3).fill(c.joint_inertia), shapes: []}],
    joints: [{kind: 'hinge', parent: -1, child: 0, anchor: [0, 0, 0], axis: [0, 0, 1], level: c.joint_level}],
});

const block = (c, task) => ({
    bodies: [{mass: c.block_mass, position: [0, 0, 0], turn: NONE, inertia: [0.1, 0.1, 0.1],
              velocity: [task.which === 'zero_crossing' ? c.crossing_velocity : 0, 0, 0], shapes: []}],
    joints: [{kind: 'slide', parent: -1, child: 0, anchor: [0, 0, 0], axis: [1, 0, 0], level: c.block_level}],
});

const twoLink = c => ({
    bodies: [0, 1].map(i => ({mass: c.arm2_mass, position: [(i + 0.5) * c.arm2_length, 0, 0], turn: NONE,
                              inertia: [c.arm2_thin, c.arm2_inertia, c.arm2_inertia], shapes: []})),
    joints: [0, 1].map(i => ({kind: 'hinge', parent: i - 1, child: i, anchor: [i * c.arm2_length, 0, 0],
                              axis: [0, 0, 1], level: c.arm2_level})),
});

function chain(c, task)
{
    const bodies = [], joints = [];
    for (let i = 0; i < task.links; ++i) {
        bodies.push({mass: c.chain_mass, position: [(i + 0.5) * c.chain_length, 0, 0], turn: NONE,
                     inertia: c.chain_inertia, shapes: []});
        joints.push({kind: 'hinge', parent: i - 1, child: i, anchor: [i * c.chain_length, 0, 0], axis: [0, 1, 0],
                     level: c.chain_level});
    }
    bodies[task.links - 1].shapes = c.chain_spheres.map(along => (
        {kind: 'sphere', at: [along - 0.5 * c.chain_length, 0, 0], radius: c.chain_radius, mu: c.chain_mu}));
    return {floor: {height: -c.chain_radius, mu: c.chain_mu}, bodies, joints};
}

function pinch(c)
{
    const finger = side => ({
        mass: c.finger_mass, position: [side * (c.capsule_radius + c.finger_half[0]), 0, c.pinch_height],
        turn: NONE, inertia: [1e-3, 1e-3, 1e-3],
        shapes: [{kind: 'box', at: [0, 0, 0], half: c.finger_half, mu: c.pinch_mu}]});
    const guide = child => ({kind: 'slide', parent: -1, child, anchor: [0, 0, c.pinch_height], axis: [1, 0, 0],
                             level: 0});
    return {
        bodies: [{mass: c.capsule_mass, position: [0, 0, c.pinch_height], turn: NONE, inertia: c.capsule_inertia,
                  shapes: [{kind: 'capsule', at: [0, 0, 0], radius: c.capsule_radius, half: c.capsule_half,
                            mu: c.pinch_mu}]}, // its axis along y
                 finger(-1), finger(1)],
        joints: [guide(1), guide(2)],
    };
}

// Links turned by quarters about y: turn = (cosine, sine).
function arm(c)
{
    const bodies = [], joints = [];
    c.arm.forEach((link, i) => {
        const [cosine, sine] = link.turn;
        const world = v => [cosine * v[0] + sine * v[2], v[1], -sine * v[0] + cosine * v[2]];
        const half = 0.5 * Math.atan2(sine, cosine);
        const centre = world(link.centre);
        bodies.push({mass: link.mass, position: centre.map((x, k) => x + link.origin[k]),
                     turn: [0, Math.sin(half), 0, Math.cos(half)], inertia: link.inertia, shapes: []});
        joints.push({kind: 'hinge', parent: i - 1, child: i, anchor: link.origin,
                     axis: world(link.about_z ? [0, 0, 1] : [0, 1, 0]), level: link.level});
    });
    return {bodies, joints};
}

const builders = {creep_box: box, sliding_box: box, rolling: ball, creep_joint: hinge, spring_pull: block,
                  zero_crossing: block, two_link: twoLink, chain, pinch, arm};
const weightless = ['creep_joint', 'spring_pull', 'zero_crossing', 'two_link'];

export function machine(c, task)
{
    return {gravity: weightless.includes(task.which) ? 0 : c.gravity, ...builders[task.which](c, task)};
}

// ---- quaternions and poses, for readings of simulators without joint coordinates -------------------------------

export const conjugate = q => [-q[0], -q[1], -q[2], q[3]];
export function multiply(a, b)
{
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
            a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}
export function rotate(q, v)
{
    const [x, y, z] = multiply(multiply(q, [...v, 0]), conjugate(q));
    return [x, y, z];
}
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

// A rotation that takes z to the axis: frames of joints.
export function frameAlong(axis)
{
    if (axis[2] > 0.9) return NONE;
    if (axis[2] < -0.9) return [1, 0, 0, 0];
    if (axis[1] > 0.9) return [-quarter, 0, 0, quarter];
    if (axis[1] < -0.9) return [quarter, 0, 0, quarter];
    return axis[0] > 0 ? [0, quarter, 0, quarter] : [0, -quarter, 0, quarter];
}

// How far a joint has turned or slid, from the poses of its bodies.
export function jointPosition(m, joint, pose)
{
    const start = m.bodies[joint.child], now = pose(joint.child);
    if (joint.kind === 'slide') return dot(minus(now.position, start.position), joint.axis);
    const parent = joint.parent < 0 ? {turn: NONE} : pose(joint.parent);
    const parentStart = joint.parent < 0 ? NONE : m.bodies[joint.parent].turn;
    const before = multiply(conjugate(parentStart), start.turn), after = multiply(conjugate(parent.turn), now.turn);
    const q = multiply(conjugate(before), after), axis = rotate(conjugate(start.turn), joint.axis);
    const half = Math.atan2(dot(q, axis), q[3]);
    return 2 * (half > Math.PI / 2 ? half - Math.PI : half < -Math.PI / 2 ? half + Math.PI : half);
}

// What the judges look at: positions of the joints, or the place of the first body, and speeds.
export function readings(c, task, m, pose, speed)
{
    if (m.joints.length === 0 || task.which === 'pinch') return {place: pose(0).position};
    const count = task.which === 'chain' ? Math.min(6, task.links) : m.joints.length;
    const q = m.joints.slice(0, count).map(joint => jointPosition(m, joint, pose));
    return {q, v: m.joints[0].kind === 'slide' ? [dot(speed(0), m.joints[0].axis)] : []};
}

// Loads at a time for simulators that take forces on bodies: push(body, force) and twist(body, torque) in world axes.
export function applyLoads(c, task, m, t, pose, push, twist)
{
    const force = pull(c, task, t), efforts = loads(c, task, t, task.which === 'spring_pull' ? pose(0).position[0] : 0);
    if (force) push(0, force);
    efforts.forEach((effort, i) => {
        const {kind, parent, child, axis: start} = m.joints[i];
        const axis = parent < 0 ? start : rotate(pose(parent).turn, rotate(conjugate(m.bodies[parent].turn), start));
        if (kind === 'slide') return push(child, axis.map(a => a * effort));
        twist(child, axis.map(a => a * effort));
        if (parent >= 0) twist(parent, axis.map(a => -a * effort));
    });
}
