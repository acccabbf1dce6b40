// Jolt (single precision). Hinges and sliders have a largest friction torque or force of their own.
//
// Settings. `default`: 10 velocity and 2 position steps. `200`: 200 velocity and 10 position steps. Both without sleeping
// and without damping.
import initJolt from 'jolt-physics';
import {applyLoads, machine, readings} from '../machines.mjs';
import {readFileSync} from 'node:fs';

export const name = 'Jolt';
export const variants = [['default', 'defaults; no sleeping, no damping'], ['200', '200 velocity and 10 position steps']];

const MOVING = 1, FIXED = 0;
let J;
export async function start()
{
    J = await initJolt();
    const own = new URL('../node_modules/jolt-physics/package.json', import.meta.url);
    return `${JSON.parse(readFileSync(own)).version} of the package`;
}

const vec = v => new J.Vec3(v[0], v[1], v[2]);
const rvec = v => new J.RVec3(v[0], v[1], v[2]);

function settings()
{
    const s = new J.JoltSettings(), pairs = new J.ObjectLayerPairFilterTable(2);
    s.mMaxWorkerThreads = 0;
    pairs.EnableCollision(FIXED, MOVING), pairs.EnableCollision(MOVING, MOVING);
    const layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
    layers.MapObjectToBroadPhaseLayer(FIXED, new J.BroadPhaseLayer(0));
    layers.MapObjectToBroadPhaseLayer(MOVING, new J.BroadPhaseLayer(1));
    s.mObjectLayerPairFilter = pairs;
    s.mBroadPhaseLayerInterface = layers;
    s.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    return s;
}

function oneShape(s)
{
    if (s.kind === 'box') return new J.BoxShapeSettings(vec(s.half), 0);
    return s.kind === 'sphere' ? new J.SphereShapeSettings(s.radius) : new J.CapsuleShapeSettings(s.half, s.radius);
}

// A body without shapes gets a sphere of a millimetre, which touches nothing in these cases.
function shape(body)
{
    if (body.shapes.length === 0) return new J.SphereShapeSettings(1e-3).Create().Get();
    if (body.shapes.length === 1 && body.shapes[0].at.every(x => x === 0))
        return oneShape(body.shapes[0]).Create().Get();
    const compound = new J.StaticCompoundShapeSettings();
    for (const s of body.shapes) compound.AddShape(vec(s.at), J.Quat.prototype.sIdentity(), oneShape(s), 0);
    // Jolt takes the centre of volume for the centre of mass: right for two equal spheres around the link's centre.
    return compound.Create().Get();
}

function addBody(api, body)
{
    const made = new J.BodyCreationSettings(shape(body), rvec(body.position),
        new J.Quat(...body.turn), J.EMotionType_Dynamic, MOVING);
    made.mFriction = body.shapes.length > 0 ? body.shapes[0].mu : 0;
    made.mRestitution = made.mLinearDamping = made.mAngularDamping = 0;
    made.mAllowSleeping = false;
    made.mOverrideMassProperties = J.EOverrideMassProperties_MassAndInertiaProvided;
    made.mMassPropertiesOverride.mMass = body.mass;
    made.mMassPropertiesOverride.mInertia = J.Mat44.prototype.sScaleVec3(vec(body.inertia));
    made.mLinearVelocity = vec(body.velocity ?? [0, 0, 0]);
    made.mMaxAngularVelocity = made.mMaxLinearVelocity = 1e4;
    const rigid = api.CreateBody(made);
    api.AddBody(rigid.GetID(), J.EActivation_Activate);
    return rigid;
}

function addJoint(jolt, joint, bodies)
{
    const sliding = joint.kind === 'slide', s = sliding ? new J.SliderConstraintSettings() : new J.HingeConstraintSettings();
    const normal = Math.abs(joint.axis[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0];
    s.mPoint1 = rvec(joint.anchor), s.mPoint2 = rvec(joint.anchor);
    s.mNormalAxis1 = vec(normal), s.mNormalAxis2 = vec(normal);
    if (sliding) s.mSliderAxis1 = vec(joint.axis), s.mSliderAxis2 = vec(joint.axis), s.mMaxFrictionForce = joint.level;
    else s.mHingeAxis1 = vec(joint.axis), s.mHingeAxis2 = vec(joint.axis), s.mMaxFrictionTorque = joint.level;
    const parent = joint.parent < 0 ? jolt.sGetFixedToWorldBody() : bodies[joint.parent];
    jolt.GetPhysicsSystem().AddConstraint(s.Create(parent, bodies[joint.child]));
}

export function build(c, task, variant)
{
    const m = machine(c, task);
    const jolt = new J.JoltInterface(settings()), system = jolt.GetPhysicsSystem(), api = system.GetBodyInterface();
    system.SetGravity(vec([0, 0, -m.gravity]));
    if (variant === '200') {
        const s = system.GetPhysicsSettings();
        s.mNumVelocitySteps = 200, s.mNumPositionSteps = 10;
        system.SetPhysicsSettings(s);
    }
    if (m.floor) {
        const s = new J.BodyCreationSettings(new J.BoxShapeSettings(vec([50, 50, 1]), 0).Create().Get(),
            rvec([0, 0, m.floor.height - 1]), J.Quat.prototype.sIdentity(), J.EMotionType_Static, FIXED);
        s.mFriction = m.floor.mu, s.mRestitution = 0;
        api.AddBody(api.CreateBody(s).GetID(), J.EActivation_DontActivate);
    }
    const bodies = m.bodies.map(body => addBody(api, body));
    for (const joint of m.joints) addJoint(jolt, joint, bodies);
    const pose = i => {
        const p = bodies[i].GetCenterOfMassPosition(), q = bodies[i].GetRotation();
        return {position: [p.GetX(), p.GetY(), p.GetZ()], turn: [q.GetX(), q.GetY(), q.GetZ(), q.GetW()]};
    };
    const speed = i => { const v = bodies[i].GetLinearVelocity(); return [v.GetX(), v.GetY(), v.GetZ()]; };
    const load = vec([0, 0, 0]);
    const push = (i, f) => { load.Set(...f), bodies[i].AddForce(load); };
    const twist = (i, f) => { load.Set(...f), bodies[i].AddTorque(load); };
    let done = 0;
    return {
        mass: m.bodies.reduce((sum, _, i) => sum + 1 / bodies[i].GetMotionProperties().GetInverseMass(), 0),
        run(steps) {
            for (let k = 0; k < steps; ++k) {
                applyLoads(c, task, m, ++done * task.T, pose, push, twist);
                jolt.Step(task.T, 1);
            }
        },
        read: () => readings(c, task, m, pose, speed),
        destroy: () => J.destroy(jolt),
    };
}
