// Havok (single precision, closed source), as Babylon.js ships it. Constraints have a friction of their own along each axis.
//
// Settings: the interface has none for its solver. `default` as it is, never asleep, no damping. Forces come in as impulses of a step.
import load from '@babylonjs/havok';
import {applyLoads, conjugate, machine, minus, readings, rotate} from '../machines.mjs';
import {readFileSync} from 'node:fs';

export const name = 'Havok';
export const variants = [['default', 'defaults; always active, no damping'],
                         ['motor', 'as default; friction in joints is a motor with target speed 0 and a largest force']];

let hk;
export async function start()
{
    const folder = new URL('../node_modules/@babylonjs/havok/', import.meta.url);
    hk = await load({wasmBinary: readFileSync(new URL('lib/esm/HavokPhysics.wasm', folder))});
    return `${JSON.parse(readFileSync(new URL('package.json', folder))).version} of the package`;
}

// Every call answers with a result, alone or first in a list.
function must(answer)
{
    const [result, value] = Array.isArray(answer) ? answer : [answer];
    if (result !== hk.Result.RESULT_OK) throw new Error(`Havok refuses a call (${result?.value ?? result})`);
    return value;
}

function shapeOf(s)
{
    const made = s.kind === 'box' ? hk.HP_Shape_CreateBox(s.at, [0, 0, 0, 1], s.half.map(h => 2 * h))
        : s.kind === 'sphere' ? hk.HP_Shape_CreateSphere(s.at, s.radius)
        : hk.HP_Shape_CreateCapsule([0, -s.half, 0], [0, s.half, 0], s.radius);
    const id = must(made), combine = hk.MaterialCombine.MINIMUM;
    must(hk.HP_Shape_SetMaterial(id, [s.mu, s.mu, 0, combine, combine]));
    return id;
}

function addBody(world, body, moving)
{
    const id = must(hk.HP_Body_Create());
    let shape = null;
    if (body.shapes.length === 1) shape = shapeOf(body.shapes[0]);
    else if (body.shapes.length > 1) {
        shape = must(hk.HP_Shape_CreateContainer());
        for (const s of body.shapes) must(hk.HP_Shape_AddChild(shape, shapeOf(s), [[0, 0, 0], [0, 0, 0, 1], [1, 1, 1]]));
    }
    if (shape) must(hk.HP_Body_SetShape(id, shape));
    must(hk.HP_Body_SetMotionType(id, moving ? hk.MotionType.DYNAMIC : hk.MotionType.STATIC));
    if (moving) must(hk.HP_Body_SetMassProperties(id, [[0, 0, 0], body.mass, body.inertia, [0, 0, 0, 1]]));
    must(hk.HP_Body_SetQTransform(id, [body.position, body.turn]));
    must(hk.HP_Body_SetLinearDamping(id, 0)), must(hk.HP_Body_SetAngularDamping(id, 0));
    must(hk.HP_World_AddBody(world, id, false));
    if (moving) {
        must(hk.HP_Body_SetActivationControl(id, hk.ActivationControl.ALWAYS_ACTIVE));
        must(hk.HP_Body_SetLinearVelocity(id, body.velocity ?? [0, 0, 0]));
    }
    return id;
}

// Axis X of a constraint's frame is the joint's.
function addJoint(m, joint, ground, bodies, variant)
{
    const id = must(hk.HP_Constraint_Create()), {ConstraintAxis: A, ConstraintAxisLimitMode: M} = hk;
    const parent = joint.parent < 0 ? {position: [0, 0, 0], turn: [0, 0, 0, 1]} : m.bodies[joint.parent];
    const across = Math.abs(joint.axis[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0];
    const inside = b => [rotate(conjugate(b.turn), minus(joint.anchor, b.position)),
                         rotate(conjugate(b.turn), joint.axis), rotate(conjugate(b.turn), across)];
    must(hk.HP_Constraint_SetParentBody(id, joint.parent < 0 ? ground : bodies[joint.parent]));
    must(hk.HP_Constraint_SetChildBody(id, bodies[joint.child]));
    must(hk.HP_Constraint_SetAnchorInParent(id, ...inside(parent)));
    must(hk.HP_Constraint_SetAnchorInChild(id, ...inside(m.bodies[joint.child])));
    const free = joint.kind === 'slide' ? A.LINEAR_X : A.ANGULAR_X;
    for (const axis of [A.LINEAR_X, A.LINEAR_Y, A.LINEAR_Z, A.ANGULAR_X, A.ANGULAR_Y, A.ANGULAR_Z])
        must(hk.HP_Constraint_SetAxisMode(id, axis, axis === free ? M.FREE : M.LOCKED));
    if (joint.level > 0 && variant === 'motor') {
        must(hk.HP_Constraint_SetAxisMotorType(id, free, hk.ConstraintMotorType.VELOCITY));
        must(hk.HP_Constraint_SetAxisMotorTarget(id, free, 0));
        must(hk.HP_Constraint_SetAxisMotorMaxForce(id, free, joint.level));
    } else if (joint.level > 0) must(hk.HP_Constraint_SetAxisFriction(id, free, joint.level));
    must(hk.HP_Constraint_SetCollisionsEnabled(id, 0));
    must(hk.HP_Constraint_SetEnabled(id, 1));
}

export function build(c, task, variant)
{
    const m = machine(c, task);
    if (variant === 'motor' && !m.joints.some(j => j.level > 0)) return null;
    const world = must(hk.HP_World_Create());
    must(hk.HP_World_SetGravity(world, [0, 0, -m.gravity]));
    must(hk.HP_World_SetIdealStepTime(world, task.T));
    const ground = addBody(world, {position: [0, 0, (m.floor?.height ?? -100) - 1], turn: [0, 0, 0, 1],
        shapes: [{kind: 'box', at: [0, 0, 0], half: [50, 50, 1], mu: m.floor?.mu ?? 0}]}, false);
    const anchor = addBody(world, {position: [0, 0, 0], turn: [0, 0, 0, 1], shapes: []}, false);
    const bodies = m.bodies.map(body => addBody(world, body, true));
    for (const joint of m.joints) addJoint(m, joint, anchor, bodies, variant);
    const pose = i => {
        const [position, turn] = must(hk.HP_Body_GetQTransform(bodies[i]));
        return {position, turn};
    };
    const speed = i => must(hk.HP_Body_GetLinearVelocity(bodies[i]));
    const impulse = f => f.map(x => x * task.T);
    const push = (i, f) => must(hk.HP_Body_ApplyImpulse(bodies[i], pose(i).position, impulse(f)));
    const twist = (i, f) => must(hk.HP_Body_ApplyAngularImpulse(bodies[i], impulse(f)));
    let done = 0;
    return {
        mass: bodies.reduce((sum, b) => sum + must(hk.HP_Body_GetMassProperties(b))[1], 0),
        run(steps) {
            for (let k = 0; k < steps; ++k) {
                applyLoads(c, task, m, ++done * task.T, pose, push, twist);
                must(hk.HP_World_Step(world, task.T));
            }
        },
        read: () => readings(c, task, m, pose, speed),
        destroy() {
            for (const body of [...bodies, ground, anchor])
                must(hk.HP_World_RemoveBody(world, body)), must(hk.HP_Body_Release(body));
            must(hk.HP_World_Release(world));
        },
    };
}
