// Box2D v3 (two dimensions, single precision). Dry friction in a joint is a motor with target speed zero and a largest torque or force.
//
// Settings. `default`: 4 substeps, as its documentation advises. `50`: 50 substeps. Machines that move in a plane only: x and z, or
// x and y for the arm about z; the six-axis arm cannot be built, and directions other than x cannot be asked for.
import {loads, machine, pull} from '../machines.mjs';
import {readFileSync} from 'node:fs';

export const name = 'Box2D';
export const variants = [['default', '4 substeps; no sleeping'], ['50', '50 substeps']];
const SUBSTEPS = {default: 4, 50: 50};

let b2;
export async function start()
{
    const folder = new URL('../node_modules/box2d3-wasm/', import.meta.url);
    const wasm = new URL('build/dist/es/compat/Box2D.compat.wasm', folder);
    const {default: factory} = await import('../node_modules/box2d3-wasm/build/dist/es/compat/Box2D.compat.mjs');
    b2 = await factory({wasmBinary: readFileSync(wasm)});
    return `v3, ${JSON.parse(readFileSync(new URL('package.json', folder))).version} of the package`;
}

// The plane of the machine: about z it is x, y; else x, z, where a positive angle about y is a negative one here.
function planeOf(m)
{
    const about_z = m.joints.some(j => j.kind === 'hinge' && Math.abs(j.axis[2]) > 0.9);
    return about_z ? {flat: p => [p[0], p[1]], spin: 2, sense: 1} : {flat: p => [p[0], p[2]], spin: 1, sense: -1};
}
const vector = ([x, y]) => new b2.b2Vec2(x, y);

function shapeDef(mu)
{
    const def = b2.b2DefaultShapeDef(), material = def.material;
    material.friction = mu, material.restitution = 0, material.rollingResistance = 0;
    def.material = material;
    def.density = 1;
    return def;
}

function addShape(id, plane, s)
{
    const at = plane.flat(s.at);
    if (s.kind === 'box') {
        const [width, height] = plane.flat(s.half);
        return b2.b2CreatePolygonShape(id, shapeDef(s.mu), b2.b2MakeBox(width, height));
    }
    const circle = new b2.b2Circle();
    circle.center = vector(at), circle.radius = s.radius;
    return b2.b2CreateCircleShape(id, shapeDef(s.mu), circle);
}

function addBody(world, plane, body)
{
    const def = b2.b2DefaultBodyDef();
    def.type = b2.b2BodyType.b2_dynamicBody;
    def.position = vector(plane.flat(body.position));
    def.linearVelocity = vector(plane.flat(body.velocity ?? [0, 0, 0]));
    def.enableSleep = false;
    const id = b2.b2CreateBody(world, def);
    for (const s of body.shapes) addShape(id, plane, s);
    const mass = b2.b2Body_GetMassData(id);
    mass.mass = body.mass, mass.rotationalInertia = body.inertia[plane.spin], mass.center = vector([0, 0]);
    b2.b2Body_SetMassData(id, mass);
    return id;
}

function addJoint(world, plane, m, joint, ground, bodies)
{
    const sliding = joint.kind === 'slide';
    const def = sliding ? b2.b2DefaultPrismaticJointDef() : b2.b2DefaultRevoluteJointDef(), base = def.base;
    const frame = at => {
        const t = new b2.b2Transform();
        const turn = new b2.b2Rot();
        turn.SetAngle(0);
        t.p = vector(at), t.q = turn;
        return t;
    };
    const anchor = plane.flat(joint.anchor), parent = joint.parent < 0 ? [0, 0] : plane.flat(m.bodies[joint.parent].position);
    const child = plane.flat(m.bodies[joint.child].position);
    base.bodyIdA = joint.parent < 0 ? ground : bodies[joint.parent];
    base.bodyIdB = bodies[joint.child];
    base.localFrameA = frame([anchor[0] - parent[0], anchor[1] - parent[1]]);
    base.localFrameB = frame([anchor[0] - child[0], anchor[1] - child[1]]);
    def.base = base;
    def.enableMotor = joint.level > 0, def.motorSpeed = 0;
    if (sliding) def.maxMotorForce = joint.level;
    else def.maxMotorTorque = joint.level;
    return sliding ? b2.b2CreatePrismaticJoint(world, def) : b2.b2CreateRevoluteJoint(world, def);
}

export function build(c, task, variant)
{
    if (task.which === 'arm') return null;
    if ((task.which === 'rolling' || task.which === 'sliding_box') && task.angle !== 0) return null;
    const m = machine(c, task), plane = planeOf(m), def = b2.b2DefaultWorldDef();
    def.gravity = vector([0, -m.gravity]);
    const world = b2.b2CreateWorld(def);
    const ground = b2.b2CreateBody(world, b2.b2DefaultBodyDef());
    if (m.floor) {
        const at = b2.b2DefaultBodyDef();
        at.position = vector([0, m.floor.height - 1]);
        b2.b2CreatePolygonShape(b2.b2CreateBody(world, at), shapeDef(m.floor.mu), b2.b2MakeBox(50, 1));
    }
    const bodies = m.bodies.map(body => addBody(world, plane, body));
    const joints = m.joints.map(joint => addJoint(world, plane, m, joint, ground, bodies));
    const place = () => { const p = b2.b2Body_GetPosition(bodies[0]); return p; };
    const force = vector([0, 0]);
    let done = 0;
    function applyLoads(t)
    {
        const f = pull(c, task, t);
        if (f) force.x = f[0], force.y = 0, b2.b2Body_ApplyForceToCenter(bodies[0], force, true);
        loads(c, task, t, task.which === 'spring_pull' ? place().x : 0).forEach((effort, i) => {
            const {kind, parent, child} = m.joints[i];
            if (kind === 'slide') return force.x = effort, force.y = 0, b2.b2Body_ApplyForceToCenter(bodies[child], force, true);
            b2.b2Body_ApplyTorque(bodies[child], plane.sense * effort, true);
            if (parent >= 0) b2.b2Body_ApplyTorque(bodies[parent], -plane.sense * effort, true);
        });
    }
    return {
        mass: bodies.reduce((sum, b) => sum + b2.b2Body_GetMass(b), 0),
        run(steps) {
            for (let k = 0; k < steps; ++k) {
                applyLoads(++done * task.T);
                b2.b2World_Step(world, task.T, SUBSTEPS[variant]);
            }
        },
        read() {
            const p = place(), count = task.which === 'chain' ? Math.min(6, task.links) : m.joints.length;
            if (m.joints.length === 0 || task.which === 'pinch') return {place: [p.x, 0, p.y]};
            if (m.joints[0].kind === 'slide') return {q: [p.x], v: [b2.b2Body_GetLinearVelocity(bodies[0]).x]};
            return {q: joints.slice(0, count).map(j => plane.sense * b2.b2RevoluteJoint_GetAngle(j)), v: []};
        },
        destroy: () => b2.b2DestroyWorld(world),
    };
}
