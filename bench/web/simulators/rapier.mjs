// Rapier (single precision). Dry friction in a joint is a motor with target speed zero and a largest force.
//
// Settings. `default`: 4 solver iterations. `8x50`: 8 solver iterations with 50 inner sweeps each, the best found.
// Links of a chain and fingers on their guides do not touch each other: groups of collision.
import RAPIER from '@dimforge/rapier3d-compat';
import {applyLoads, conjugate, machine, minus, readings, rotate} from '../machines.mjs';

export const name = 'Rapier';
export const variants = [['default', 'defaults'], ['8x50', '8 solver iterations with 50 inner sweeps']];

export async function start()
{
    await RAPIER.init();
    return RAPIER.version();
}

const vector = v => ({x: v[0], y: v[1], z: v[2]});
const quaternion = q => ({x: q[0], y: q[1], z: q[2], w: q[3]});
const STIFF = 1e10; // of the motor: its largest force decides

function collider(s)
{
    if (s.kind === 'box') return RAPIER.ColliderDesc.cuboid(...s.half);
    return s.kind === 'sphere' ? RAPIER.ColliderDesc.ball(s.radius) : RAPIER.ColliderDesc.capsule(s.half, s.radius);
}

function addBody(world, body)
{
    const rigid = world.createRigidBody(
        RAPIER.RigidBodyDesc.dynamic().setTranslation(...body.position).setRotation(quaternion(body.turn))
            .setLinvel(...(body.velocity ?? [0, 0, 0])).setCanSleep(false)
            .setAdditionalMassProperties(body.mass, vector([0, 0, 0]), vector(body.inertia), quaternion([0, 0, 0, 1])));
    for (const s of body.shapes)
        world.createCollider(collider(s).setTranslation(...s.at).setDensity(0).setFriction(s.mu).setRestitution(0), rigid);
    rigid.recomputeMassPropertiesFromColliders();
    return rigid;
}

function addJoint(world, m, joint, ground, bodies)
{
    const parent = joint.parent < 0 ? {position: [0, 0, 0], turn: [0, 0, 0, 1]} : m.bodies[joint.parent];
    const child = m.bodies[joint.child];
    const inside = b => rotate(conjugate(b.turn), minus(joint.anchor, b.position));
    const along = b => vector(rotate(conjugate(b.turn), joint.axis));
    const data = joint.kind === 'slide'
        ? RAPIER.JointData.prismatic(vector(inside(parent)), vector(inside(child)), along(parent))
        : RAPIER.JointData.revoluteWithAxes(vector(inside(parent)), vector(inside(child)), along(parent), along(child));
    const made = world.createImpulseJoint(data, joint.parent < 0 ? ground : bodies[joint.parent], bodies[joint.child], true);
    made.setContactsEnabled(false);
    if (joint.level === 0) return;
    made.configureMotorModel(RAPIER.MotorModel.ForceBased);
    made.configureMotorVelocity(0, STIFF);
    made.setMotorMaxForce(joint.level);
}

export function build(c, task, variant)
{
    const m = machine(c, task), world = new RAPIER.World(vector([0, 0, -m.gravity]));
    world.timestep = task.T;
    if (variant === '8x50') world.numSolverIterations = 8, world.integrationParameters.numInternalPgsIterations = 50;
    const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    if (m.floor)
        world.createCollider(RAPIER.ColliderDesc.cuboid(50, 50, 1).setTranslation(0, 0, m.floor.height - 1)
            .setFriction(m.floor.mu).setRestitution(0), ground);
    const bodies = m.bodies.map(body => addBody(world, body));
    for (const joint of m.joints) addJoint(world, m, joint, ground, bodies);
    const pose = i => {
        const p = bodies[i].translation(), q = bodies[i].rotation();
        return {position: [p.x, p.y, p.z], turn: [q.x, q.y, q.z, q.w]};
    };
    const speed = i => { const v = bodies[i].linvel(); return [v.x, v.y, v.z]; };
    const push = (i, f) => bodies[i].addForce(vector(f), true), twist = (i, f) => bodies[i].addTorque(vector(f), true);
    let done = 0;
    return {
        mass: bodies.reduce((sum, b) => sum + b.mass(), 0),
        run(steps) {
            for (let k = 0; k < steps; ++k) {
                for (const body of bodies) body.resetForces(true), body.resetTorques(true);
                applyLoads(c, task, m, ++done * task.T, pose, push, twist);
                world.step();
            }
        },
        read: () => readings(c, task, m, pose, speed),
        destroy: () => world.free(),
    };
}
