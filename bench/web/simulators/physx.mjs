// PhysX 5.6 (single precision). Jointed machines are articulations with a fixed base. The binding has no friction parameters for
// joints (PxJointFrictionParams), so that dry friction is a drive with target speed zero and a largest force.
//
// Settings. `default`: PGS with 4 position iterations and 1 velocity iteration. `64/1`: 64 position iterations, the best found.
// `TGS 64/1`: the same with the other solver. No sleeping, no damping. The module refuses node unless the process looks like a
// browser while it loads.
import {readFileSync} from 'node:fs';
import {applyLoads, conjugate, frameAlong, machine, minus, multiply, readings, rotate} from '../machines.mjs';

export const name = 'PhysX';
export const variants = [['default', 'defaults (PGS 4/1); no sleeping, no damping'],
                         ['64/1', 'PGS, 64 position iterations'], ['TGS 64/1', 'TGS, 64 position iterations']];
const STIFF = 1e10; // damping of the drives; their largest force decides

let PX, physics;
export async function start()
{
    const folder = new URL('../node_modules/physx-js-webidl/', import.meta.url);
    const wasmBinary = readFileSync(new URL('physx-js-webidl.wasm', folder));
    const {default: load} = await import('physx-js-webidl');
    const process = Object.getOwnPropertyDescriptor(globalThis, 'process');
    Object.defineProperty(globalThis, 'process', {value: undefined, configurable: true});
    globalThis.window = globalThis;
    try {
        PX = await load({wasmBinary, locateFile: path => path});
    } finally {
        Object.defineProperty(globalThis, 'process', process);
        delete globalThis.window;
    }
    const foundation = PX.CreateFoundation(PX.PHYSICS_VERSION, new PX.PxDefaultAllocator(), new PX.PxDefaultErrorCallback());
    physics = PX.CreatePhysics(PX.PHYSICS_VERSION, foundation, new PX.PxTolerancesScale());
    const v = PX.PHYSICS_VERSION;
    return `${v >> 24}.${(v >> 16) & 255}.${(v >> 8) & 255}`;
}

const vec = v => new PX.PxVec3(v[0], v[1], v[2]);
const transform = (p, q) => new PX.PxTransform(vec(p), new PX.PxQuat(q[0], q[1], q[2], q[3]));
const SIDE = Math.SQRT1_2;

function newScene(m, variant)
{
    const desc = new PX.PxSceneDesc(physics.getTolerancesScale());
    desc.gravity = vec([0, 0, -m.gravity]);
    desc.cpuDispatcher = PX.DefaultCpuDispatcherCreate(0);
    desc.filterShader = PX.DefaultFilterShader();
    desc.solverType = variant.startsWith('TGS') ? PX.PxSolverTypeEnum.eTGS : PX.PxSolverTypeEnum.ePGS;
    return physics.createScene(desc);
}

function addShape(actor, s)
{
    const material = physics.createMaterial(s.mu, s.mu, 0);
    const geometry = s.kind === 'box' ? new PX.PxBoxGeometry(...s.half)
        : s.kind === 'sphere' ? new PX.PxSphereGeometry(s.radius) : new PX.PxCapsuleGeometry(s.radius, s.half);
    const shape = physics.createShape(geometry, material, true);
    // A capsule lies along x there; its axis here is y.
    shape.setLocalPose(transform(s.at, s.kind === 'capsule' ? [0, 0, SIDE, SIDE] : [0, 0, 0, 1]));
    shape.setSimulationFilterData(new PX.PxFilterData(1, 1, 0, 0));
    actor.attachShape(shape);
}

function setMass(body, rigid)
{
    rigid.setMass(body.mass);
    rigid.setMassSpaceInertiaTensor(vec(body.inertia));
    rigid.setCMassLocalPose(transform([0, 0, 0], [0, 0, 0, 1]));
    rigid.setLinearDamping(0), rigid.setAngularDamping(0);
    rigid.setMaxAngularVelocity(1e4);
    for (const s of body.shapes) addShape(rigid, s);
}

function addFree(scene, body, iterations)
{
    const rigid = physics.createRigidDynamic(transform(body.position, body.turn));
    setMass(body, rigid);
    rigid.setSleepThreshold(0);
    rigid.setLinearVelocity(vec(body.velocity ?? [0, 0, 0]));
    if (iterations) rigid.setSolverIterationCounts(iterations, 1);
    scene.addActor(rigid);
    return rigid;
}

// The links of one tree. Joint frames: x along the joint's axis, as the twist axis is x.
function addTree(scene, m, joints, links, iterations)
{
    const tree = physics.createArticulationReducedCoordinate(), {PxArticulationAxisEnum: A} = PX;
    tree.setArticulationFlag(PX.PxArticulationFlagEnum.eFIX_BASE, true);
    tree.setArticulationFlag(PX.PxArticulationFlagEnum.eDRIVE_LIMITS_ARE_FORCES, true);
    tree.setArticulationFlag(PX.PxArticulationFlagEnum.eDISABLE_SELF_COLLISION, true);
    tree.setSleepThreshold(0);
    if (iterations) tree.setSolverIterationCounts(iterations, 1);
    const base = tree.createLink(null, transform([0, 0, 0], [0, 0, 0, 1]));
    base.setMass(1), base.setMassSpaceInertiaTensor(vec([1, 1, 1]));
    for (const joint of joints) {
        const body = m.bodies[joint.child];
        const parent = joint.parent < 0 ? {position: [0, 0, 0], turn: [0, 0, 0, 1]} : m.bodies[joint.parent];
        const link = tree.createLink(joint.parent < 0 ? base : links[joint.parent], transform(body.position, body.turn));
        setMass(body, link);
        const inbound = link.getInboundJoint(), sliding = joint.kind === 'slide';
        const frame = multiply(frameAlong(joint.axis), [0, -SIDE, 0, SIDE]); // x to z, then z to the axis
        const inside = b => transform(rotate(conjugate(b.turn), minus(joint.anchor, b.position)),
                                      multiply(conjugate(b.turn), frame));
        // A slide's anchor may be anywhere: at the child, so that its position starts at zero.
        const at = sliding ? b => transform(minus(body.position, b.position), frame) : inside;
        inbound.setParentPose(at(parent)), inbound.setChildPose(at(body));
        const types = PX.PxArticulationJointTypeEnum, axis = sliding ? A.eX : A.eTWIST;
        inbound.setJointType(sliding ? types.ePRISMATIC : types.eREVOLUTE);
        inbound.setMotion(axis, PX.PxArticulationMotionEnum.eFREE);
        inbound.setFrictionCoefficient(0);
        inbound.setMaxJointVelocity(1e4);
        if (joint.level > 0)
            inbound.setDriveParams(axis, new PX.PxArticulationDrive(0, STIFF, joint.level, PX.PxArticulationDriveTypeEnum.eFORCE));
        if (sliding && body.velocity) inbound.setJointVelocity(axis, body.velocity[0]);
        links[joint.child] = link;
    }
    scene.addArticulation(tree);
}

export function build(c, task, variant)
{
    const m = machine(c, task), scene = newScene(m, variant), iterations = variant === 'default' ? 0 : 64;
    if (m.floor) {
        const ground = physics.createRigidStatic(transform([0, 0, m.floor.height - 1], [0, 0, 0, 1]));
        addShape(ground, {kind: 'box', at: [0, 0, 0], half: [50, 50, 1], mu: m.floor.mu});
        scene.addActor(ground);
    }
    const bodies = [];
    if (task.which === 'pinch') for (const joint of m.joints) addTree(scene, m, [joint], bodies, iterations);
    else if (m.joints.length > 0) addTree(scene, m, m.joints, bodies, iterations);
    m.bodies.forEach((body, i) => { bodies[i] ??= addFree(scene, body, iterations); });
    const pose = i => {
        const {p, q} = bodies[i].getGlobalPose();
        return {position: [p.x, p.y, p.z], turn: [q.x, q.y, q.z, q.w]};
    };
    const speed = i => { const v = bodies[i].getLinearVelocity(); return [v.x, v.y, v.z]; };
    const load = vec([0, 0, 0]), set = f => { load.x = f[0], load.y = f[1], load.z = f[2]; return load; };
    const mode = PX.PxForceModeEnum.eFORCE;
    const push = (i, f) => bodies[i].addForce(set(f), mode), twist = (i, f) => bodies[i].addTorque(set(f), mode);
    let done = 0;
    return {
        mass: bodies.reduce((sum, b) => sum + b.getMass(), 0),
        run(steps) {
            for (let k = 0; k < steps; ++k) {
                applyLoads(c, task, m, ++done * task.T, pose, push, twist);
                scene.simulate(task.T);
                scene.fetchResults(true);
            }
        },
        read: () => readings(c, task, m, pose, speed),
        destroy: () => scene.release(),
    };
}
