// What is asked of every simulator, and how the answers are judged; the same as bench/peers/runner.
const hypot = (a, b) => Math.hypot(a, b);
const degrees = [0, 30, 45].map(d => d * Math.PI / 180);
const once = (which, T = 1e-3) => [{which, T, angle: 0, links: 0}];
const directions = which => degrees.map(angle => ({which, T: 1e-3, angle, links: 0}));

// tasks: run one after another; times: of readings, s; score(c, readings[task][time]): one number per column.
export const experiments = [
    {id: 'creep_box', title: 'Case 1a: a box that must not creep', tasks: once('creep_box'), times: [1, 60],
     about: '1 kg, mu 0.5, pulled by 3 + 1.5 sin(2 pi 5 t) N (limit 4.905 N), 1 ms. Exact: 0.',
     columns: ['moved from 1 to 60 s, m', 'height off by, m'],
     score: (c, [[a, b]]) => [hypot(b.place[0] - a.place[0], b.place[1] - a.place[1]), Math.abs(b.place[2] - c.box_half[2])]},
    {id: 'creep_joint', title: 'Case 1b: a joint that must not creep', tasks: once('creep_joint'), times: [1, 60],
     about: 'Dry friction 10 N m, loaded by 6 + 3 sin(2 pi 5 t) N m, inertia 1 kg m^2, 1 ms. Exact: 0.',
     columns: ['turned from 1 to 60 s, rad'], score: (c, [[a, b]]) => [Math.abs(b.q[0] - a.q[0])]},
    {id: 'spring_pull', title: 'Case 2: pulled by a spring, stops, stays', tasks: once('spring_pull'), times: [3, 4],
     about: '1 kg, dry friction 10 N, spring of 90 N/m whose end moves at 2 m/s for 2 s, 1 ms.',
     columns: ['x(4 s) off by, m', 'moved from 3 to 4 s, m', 'speed at 4 s, m/s'],
     score: (c, [[a, b]]) => [Math.abs(b.q[0] - c.right_spring_pull), Math.abs(b.q[0] - a.q[0]), Math.abs(b.v[0])]},
    {id: 'zero_crossing', title: 'Case 3: a velocity that crosses zero', tasks: [...once('zero_crossing'), ...once('zero_crossing', 7e-4)],
     times: [0.02], about: '1 kg, dry friction 10 N, v0 = -0.13 m/s, pushed by 40 N; error of v at 20 ms, and for steps of 0.7 ms at 20.3 ms.',
     columns: ['v off by, m/s, T = 1 ms', 'v off by, m/s, T = 0.7 ms'],
     score: (c, [[a], [b]]) => [Math.abs(a.v[0] - c.right_crossing_1ms), Math.abs(b.v[0] - c['right_crossing_0.7ms'])]},
    {id: 'rolling', title: 'Case 4a: a sphere slips, then rolls', tasks: directions('rolling'), times: [1],
     about: '0.3 kg, radius 0.2 m, mu 0.1, launched at 2 m/s under 0, 30 and 45 degrees to the axes, 1 ms. Distance from the exact place after 1 s.',
     columns: ['off at 0 deg, m', '30 deg, m', '45 deg, m'], score: (c, r) => distances(r, c.right_rolling)},
    {id: 'sliding_box', title: 'Case 4b: a box pulled with 1.5 times its friction', tasks: directions('sliding_box'), times: [1],
     about: '1 kg, mu 0.5, pulled under 0, 30 and 45 degrees, 1 ms. Distance from the exact place (1.22625 m) after 1 s.',
     columns: ['off at 0 deg, m', '30 deg, m', '45 deg, m'], score: (c, r) => distances(r, c.right_sliding)},
    {id: 'two_link', title: 'Case 5: a two-link arm that must hold under dither', tasks: once('two_link'), times: [6, 20],
     about: 'Two rods of 1 kg and 0.5 m, joint friction 0.5 N m, torques that shake between 0.192 and 0.480 N m from 4 s on, 1 ms.',
     columns: ['drift from 6 to 20 s, rad', 'angles at 6 s off by, rad'],
     score: (c, [[a, b]]) => [hypot(b.q[0] - a.q[0], b.q[1] - a.q[1]), hypot(a.q[0] - c.right_two_link[0], a.q[1] - c.right_two_link[1])]},
    {id: 'pinch', title: 'Case 6: a capsule held between two fingers', tasks: once('pinch'), times: [1, 10],
     about: '0.2 kg, pressed with 10 N from both sides, mu 0.5: five times what it needs, 1 ms. Exact: 0.',
     columns: ['sinks from 1 to 10 s, m/s', 'sunk in the first second, m'],
     score: (c, [[a, b]]) => [(a.place[2] - b.place[2]) / 9, Math.abs(a.place[2] - c.pinch_height)]},
    {id: 'arm', title: 'Case 9: six-axis arm, friction in all joints, no contact', tasks: once('arm'), times: [0.5],
     about: 'Joints stick and slip under torques of three times their friction; 500 steps of 1 ms. Right: -0.0103 rad.',
     columns: ['q0 after 0.5 s, rad'], score: (c, [[a]]) => [a.q[0]], unsorted: true},
];

function distances(readings, right)
{
    return readings.map((r, i) => r === null ? NaN
        : hypot(r[0].place[0] - right * Math.cos(degrees[i]), r[0].place[1] - right * Math.sin(degrees[i])));
}

export const sizes = [1, 2, 3, 5, 10, 20, 30, 50, 100];
export const chainTask = links => ({which: 'chain', T: 1e-3, angle: 0, links});
export const CHAIN_STEPS = 32;

// Errors of the first joints as parts of what is allowed: 5 % of the right angle and 1e-6 rad; the largest.
export function chainError(angles, right)
{
    return Math.max(...angles.map((q, i) => Math.abs(q - right[i]) / (0.05 * Math.abs(right[i]) + 1e-6)));
}

const masses = {
    creep_box: c => c.box_mass, sliding_box: c => c.box_mass, creep_joint: () => 1, spring_pull: c => c.block_mass,
    zero_crossing: c => c.block_mass, two_link: c => 2 * c.arm2_mass, rolling: c => c.ball_mass,
    pinch: c => c.capsule_mass + 2 * c.finger_mass, arm: c => c.arm.reduce((sum, link) => sum + link.mass, 0),
    chain: (c, task) => task.links * c.chain_mass,
};
export const rightMass = (c, task) => masses[task.which](c, task);
