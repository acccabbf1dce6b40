// ODE through its C API, double precision. Friction in joints is the usual motor with a target
// velocity of zero and the friction as its largest force.
//
// Settings. `quick`: dWorldQuickStep with its defaults (20 iterations). `step`: dWorldStep, the
// direct solver. `quick 200`: 200 iterations, which is what users raise first. Friction cones are
// pyramids whose size follows the normal force (dContactApprox1), since ODE's default takes mu as a
// force in newtons. ERP and CFM are ODE's own. Bodies never fall asleep (ODE's default, too).
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ode/ode.h>
#include <ode/version.h>

#include "../peer.h"

enum { QUICK, STEP, QUICK_200 };
enum { BODIES = 128, CONTACTS = 8 };

typedef struct World {
    PeerTask task;
    int variant;
    long steps;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID bodies[BODIES];
    dJointID joints[BODIES];
    int count;
    double mu;
} World;

static void version(char *text, size_t size)
{
    const char *conf = dGetConfiguration();
    snprintf(text, size, "ODE %s%s", dODE_VERSION,
             strstr(conf, "double") != NULL ? " (double)" : " (single)");
}

// ---- bodies and joints --------------------------------------------------------------------------------

static dBodyID add_body(World *w, double m, double xx, double yy, double zz, double x, double y,
                        double z)
{
    dMass mass;
    dMassSetParameters(&mass, m, 0, 0, 0, xx, yy, zz, 0, 0, 0);
    dBodyID body = w->bodies[w->count++] = dBodyCreate(w->world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    return body;
}

static void add_hinge(World *w, int i, double x, double z, double ay, double az, double level)
{
    dJointID joint = w->joints[i] = dJointCreateHinge(w->world, 0);
    dJointAttach(joint, w->bodies[i], i > 0 ? w->bodies[i - 1] : 0);
    dJointSetHingeAnchor(joint, x, 0.0, z);
    dJointSetHingeAxis(joint, 0.0, ay, az);
    dJointSetHingeParam(joint, dParamVel, 0.0);
    dJointSetHingeParam(joint, dParamFMax, level);
}

static dJointID add_slider(World *w, dBodyID body, double level)
{
    dJointID joint = dJointCreateSlider(w->world, 0);
    dJointAttach(joint, body, 0);
    dJointSetSliderAxis(joint, 1.0, 0.0, 0.0);
    dJointSetSliderParam(joint, dParamVel, 0.0);
    dJointSetSliderParam(joint, dParamFMax, level);
    return joint;
}

static void add_box(World *w)
{
    dBodyID body = add_body(w, box_mass, box_inertia(0), box_inertia(1), box_inertia(2), 0.0, 0.0,
                            box_half[2]);
    dGeomSetBody(dCreateBox(w->space, 2 * box_half[0], 2 * box_half[1], 2 * box_half[2]), body);
    dCreatePlane(w->space, 0, 0, 1, 0);
    w->mu = box_mu;
}

static void add_ball(World *w)
{
    const double J = ball_inertia();
    dBodyID body = add_body(w, ball_mass, J, J, J, 0.0, 0.0, ball_radius);
    dGeomSetBody(dCreateSphere(w->space, ball_radius), body);
    dCreatePlane(w->space, 0, 0, 1, 0);
    dBodySetLinearVel(body, ball_speed * cos(w->task.angle), ball_speed * sin(w->task.angle), 0);
    w->mu = ball_mu;
}

static void add_joint(World *w)
{
    add_body(w, 1.0, joint_inertia, joint_inertia, joint_inertia, 0.0, 0.0, 0.0);
    add_hinge(w, 0, 0.0, 0.0, 0.0, 1.0, joint_level);
}

static void add_block(World *w)
{
    dBodyID body = add_body(w, block_mass, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0);
    w->joints[0] = add_slider(w, body, block_level);
    dBodySetLinearVel(body, block_velocity(w->task.which), 0.0, 0.0);
}

static void add_two_link(World *w)
{
    const double J = arm2_inertia();
    for (int i = 0; i < 2; ++i) {
        add_body(w, arm2_mass, arm2_thin, J, J, (i + 0.5) * arm2_length, 0.0, 0.0);
        add_hinge(w, i, i * arm2_length, 0.0, 0.0, 1.0, arm2_level);
    }
}

static void add_chain(World *w)
{
    for (int i = 0; i < w->task.links; ++i) {
        add_body(w, chain_mass, chain_inertia(0), chain_inertia(1), chain_inertia(2),
                 (i + 0.5) * chain_length, 0.0, 0.0);
        add_hinge(w, i, i * chain_length, 0.0, 1.0, 0.0, chain_level);
    }
    for (int i = 0; i < 2; ++i) {
        dGeomID sphere = dCreateSphere(w->space, chain_radius);
        dGeomSetBody(sphere, w->bodies[w->count - 1]);
        dGeomSetOffsetPosition(sphere, chain_spheres[i] - 0.5 * chain_length, 0.0, 0.0);
    }
    dCreatePlane(w->space, 0, 0, 1, -chain_radius);
    w->mu = chain_mu;
}

static void add_pinch(World *w)
{
    dBodyID capsule = add_body(w, capsule_mass, capsule_inertia(0), capsule_inertia(1),
                               capsule_inertia(2), 0.0, 0.0, pinch_height);
    dMatrix3 along_y;
    dRFromAxisAndAngle(along_y, 1.0, 0.0, 0.0, 0.5 * case_pi);
    dGeomID geom = dCreateCapsule(w->space, capsule_radius, 2.0 * capsule_half);
    dGeomSetBody(geom, capsule);
    dGeomSetOffsetRotation(geom, along_y);
    for (int side = -1; side <= 1; side += 2) {
        dBodyID finger = add_body(w, finger_mass, 1e-3, 1e-3, 1e-3,
                                  side * (capsule_radius + finger_half[0]), 0.0, pinch_height);
        dGeomSetBody(dCreateBox(w->space, 2 * finger_half[0], 2 * finger_half[1],
                                2 * finger_half[2]),
                     finger);
        add_slider(w, finger, 0.0);
    }
    w->mu = pinch_mu;
}

static void add_arm(World *w)
{
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink *l = &arm_links[i];
        double p[3], c, s;
        arm_start(i, p, &c, &s);
        const double *m = l->centre;
        dBodyID body =
            add_body(w, l->mass, arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2),
                     p[0] + c * m[0] + s * m[2], p[1] + m[1], p[2] - s * m[0] + c * m[2]);
        const dMatrix3 R = {c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0};
        dBodySetRotation(body, R);
        dJointID joint = w->joints[i] = dJointCreateHinge(w->world, 0);
        dJointAttach(joint, body, i > 0 ? w->bodies[i - 1] : 0);
        dJointSetHingeAnchor(joint, p[0], p[1], p[2]);
        dJointSetHingeAxis(joint, l->about_z ? s : 0.0, !l->about_z, l->about_z ? c : 0.0);
        dJointSetHingeParam(joint, dParamVel, 0.0);
        dJointSetHingeParam(joint, dParamFMax, l->level);
    }
}

static void (*const add[CASES])(World *w) = {
    [CASE_CREEP_BOX] = add_box,     [CASE_CREEP_JOINT] = add_joint,
    [CASE_SPRING_PULL] = add_block, [CASE_ZERO_CROSSING] = add_block,
    [CASE_TWO_LINK] = add_two_link, [CASE_CHAIN] = add_chain,
    [CASE_ROLLING] = add_ball,      [CASE_SLIDING_BOX] = add_box,
    [CASE_PINCH] = add_pinch,       [CASE_ARM] = add_arm,
};

// ---- steps ------------------------------------------------------------------------------------------

static void touch(void *data, dGeomID a, dGeomID b)
{
    World *w = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact contact[CONTACTS];
    if (body_a == body_b || (w->task.which == CASE_CHAIN && body_a != 0 && body_b != 0)) return;
    const int count = dCollide(a, b, CONTACTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = w->mu;
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contact[i]), body_a, body_b);
    }
}

// The slider of the block lies along x of the world, so that its force acts on the body.
static void apply_loads(World *w, double t)
{
    const PeerCase which = w->task.which;
    dBodyID body = w->bodies[0];
    if (which == CASE_SPRING_PULL || which == CASE_ZERO_CROSSING)
        dBodyAddForce(body, block_force(which, t, dBodyGetPosition(body)[0]), 0.0, 0.0);
    else
        for (int i = 0; i < case_loaded_joints(which); ++i)
            dJointAddHingeTorque(w->joints[i], case_joint_load(which, i, t, 0.0));
    if (case_pulls_a_box(which)) {
        const double pull = case_pull(which, t);
        dBodyAddForce(body, pull * cos(w->task.angle), pull * sin(w->task.angle), 0.0);
    }
    if (which == CASE_PINCH) {
        dBodyAddForce(w->bodies[1], finger_force, 0.0, 0.0);
        dBodyAddForce(w->bodies[2], -finger_force, 0.0, 0.0);
    }
}

static void run(void *data, long steps)
{
    World *w = data;
    for (long k = 0; k < steps; ++k) {
        const double t = (double)++w->steps * w->task.T;
        apply_loads(w, t);
        dSpaceCollide(w->space, w, touch);
        if (w->variant == STEP)
            dWorldStep(w->world, w->task.T);
        else
            dWorldQuickStep(w->world, w->task.T);
        dJointGroupEmpty(w->contacts);
    }
}

// ---- the table --------------------------------------------------------------------------------------

static void *build(const PeerTask *task, int variant)
{
    static bool ready = false;
    if (!ready) dInitODE2(0), ready = true;
    if (add[task->which] == NULL) return NULL;
    World *w = calloc(1, sizeof *w);
    w->task = *task;
    w->variant = variant;
    w->world = dWorldCreate();
    w->space = dSimpleSpaceCreate(0);
    w->contacts = dJointGroupCreate(0);
    dWorldSetGravity(w->world, 0.0, 0.0, -case_gravity_of(task->which));
    if (variant == QUICK_200) dWorldSetQuickStepNumIterations(w->world, 200);
    add[task->which](w);
    return w;
}

static void destroy(void *data)
{
    World *w = data;
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    free(w);
}

static void read_hinges(World *w, int count, double *values)
{
    // ODE counts the angle of body 1 against body 2, which is the parent here.
    for (int i = 0; i < count; ++i) {
        values[i] = dJointGetHingeAngle(w->joints[i]);
        values[count + i] = dJointGetHingeAngleRate(w->joints[i]);
    }
}

static void read(void *data, double values[PEER_VALUES])
{
    World *w = data;
    const dReal *x = dBodyGetPosition(w->bodies[0]), *v = dBodyGetLinearVel(w->bodies[0]);
    switch (w->task.which) {
    case CASE_CREEP_JOINT:
        read_hinges(w, 1, values);
        break;
    case CASE_CHAIN:
        read_hinges(w, chain_read(w->task.links), values);
        break;
    case CASE_ARM:
        read_hinges(w, ARM_AXES, values);
        break;
    case CASE_TWO_LINK:
        read_hinges(w, 2, values);
        break;
    case CASE_SPRING_PULL:
    case CASE_ZERO_CROSSING:
        values[0] = x[0], values[1] = v[0];
        break;
    default:
        for (int i = 0; i < 3; ++i) values[i] = x[i], values[3 + i] = v[i];
    }
}

static double mass(void *data)
{
    World *w = data;
    double sum = 0.0;
    for (int i = 0; i < w->count; ++i) {
        dMass mass;
        dBodyGetMass(w->bodies[i], &mass);
        sum += mass.mass;
    }
    return sum;
}

static double gravity(void *data)
{
    dVector3 g;
    dWorldGetGravity(((World *)data)->world, g);
    return -g[2];
}

const Peer peer_ode = {
    .name = "ODE",
    .version = version,
    .variants = {{"quick", "dWorldQuickStep, defaults (20 iterations)"},
                 {"step", "dWorldStep, the direct solver"},
                 {"quick 200", "dWorldQuickStep, 200 iterations"}},
    .build = build,
    .run = run,
    .read = read,
    .mass = mass,
    .gravity = gravity,
    .destroy = destroy,
};
