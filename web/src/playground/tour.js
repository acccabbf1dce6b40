// What creeps and why: a walk of short scenes, each with a few plain words. still: the channel that should stand still from a
// time on, and whether it does (the tests measure it).
const slope = (model, more = '', title = model) => `title: ${title}
step: 1e-3                         # s
stop: 6
bodies:
  block: {kind: point, mass: 1}
elements:
  # 8 N down the slope, friction can hold 10 N: the block must stay where it is.
  weight:   {kind: force, on: block, value: 8}
  friction: {kind: friction, on: block, model: ${model}, level: 10${more}}
record: [block.x, block.v, friction.force, friction.stick]
`;

const shaken = (model, more, title) => `title: ${title}
step: 1e-3                         # s
stop: 6
bodies:
  block: {kind: point, mass: 1}
elements:
  # A push of 6 N with 3 N of vibration on top: never above the 10 N that friction can hold.
  push:     {kind: force, on: block, value: "6*min(t, 1) + 3*sin(40*t)*step(t - 1)"}
  friction: {kind: friction, on: block, model: ${model}, level: 10${more}}
record: [block.x, block.v, friction.force]
`;

const pulled = `title: A block is pulled and let go
step: 1e-3                         # s
stop: 4
bodies:
  hand:  {kind: motion, x: "2*min(t, 2)", breaks: [2]}
  block: {kind: point, mass: 1}
elements:
  spring:   {kind: spring-damper, between: [hand, block], stiffness: 90}
  friction: {kind: friction, on: block, model: finite-time, level: 10}
record: [block.x, block.v, friction.force, friction.stick]
`;

export const tour = [
  {
    title: 'What is stuck stays stuck',
    text: 'A hand pulls a block by a spring, then stops at 2 s. The block stops too, and friction balances what is left of the spring force. '
      + 'Look at the velocity: after the stop it is zero. Not small: zero.',
    try: 'Turn friction.level while it runs. Below 2.4 N friction cannot hold the spring any more.',
    scene: pulled, still: {channel: 'block.x', from: 3, holds: true},
  },
  {
    title: 'A steep damper creeps',
    text: 'Many simulators replace dry friction by a very steep damper: below a small speed (eps) the force grows with the speed. '
      + 'To carry 8 N this damper needs a speed. So the block slides down the slope for ever, slowly. That is creep.',
    try: 'Make eps smaller: it creeps less, but never stops, and the equations become stiff.',
    scene: slope('viscous-approximation', ', eps: 0.01', 'A steep damper creeps'), still: {channel: 'block.x', from: 3, holds: false},
  },
  {
    title: 'The same slope, set-valued friction',
    text: 'Coulomb\'s law says: at zero speed friction is whatever is needed, up to its level. Taken literally, the block never moves. '
      + 'Its position keeps the last bit from the first step to the last.',
    try: 'Raise weight above 10 N: now it slides. Lower it again: it stops within a step.',
    scene: slope('finite-time', '', 'Set-valued friction holds'), still: {channel: 'block.x', from: 0, holds: true},
  },
  {
    title: 'Bristles that walk',
    text: 'LuGre bends a bristle before it slips. It is smooth and popular in control. But under vibration below the friction level the bristle '
      + 'loses a little in each cycle: the block walks although it never breaks loose. Real surfaces do not do that.',
    try: 'Take the vibration away (set "3*sin" to "0*sin" in the text): then it stands.',
    scene: shaken('lugre', ', stiffness: 1e4, damping: 100', 'LuGre walks under vibration'), still: {channel: 'block.x', from: 4, holds: false},
  },
  {
    title: 'An elastic contact that holds',
    text: 'A spring behind a Coulomb slider bends and comes back: the block shakes by what the spring gives way, about a millimetre, and stays around its place. '
      + 'The slider itself does not move as long as the force stays below its level.',
    try: 'Compare models (in the menu) on this scene: see who walks and who stays.',
    scene: shaken('elastic-coulomb', ', stiffness: 1e4, damping: 100', 'A spring behind a slider stays'), still: {channel: 'block.x', from: 4, holds: true, within: 2e-3},
  },
  {
    title: 'An arm that has to hold its place',
    text: 'Two links, friction in both joints. Torques ramp up until the arm moves, then a vibration below the friction level. The arm must stop and hold. '
      + 'This is a published test; the gallery has the others.',
    try: 'Compare lugre with elastic-coulomb: one arm walks away.',
    path: '/papers/modular/two-link/scene.yaml',
  },
];
