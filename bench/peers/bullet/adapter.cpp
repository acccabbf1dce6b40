// Bullet, double precision (Debian's bullet-float64). Machines with joints are btMultiBody, Bullet's
// reduced coordinates; friction in joints is btMultiBodyJointMotor with target speed zero and the
// friction as its largest force; boxes, spheres and fingers are rigid bodies.
//
// Settings. `default`: btMultiBodyDynamicsWorld as it comes, 10 iterations. `200`: 200 iterations,
// two friction directions, and no early end. In both: sleeping off (a sleeping body ignores forces),
// damping of btMultiBody off (its default of 0.04 is another machine). The ground is a large box
// under the box (a plane would give one contact point per step), a plane under spheres.
#include <btBulletDynamicsCommon.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "../peer.h"

namespace
{

struct World {
    PeerTask task;
    long steps = 0;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // moving ones first
    std::unique_ptr<btMultiBody> machine;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;

    ~World()
    {
        for (auto &motor : motors) world.removeMultiBodyConstraint(motor.get());
        for (auto &collider : colliders) world.removeCollisionObject(collider.get());
        if (machine) world.removeMultiBody(machine.get());
        for (auto &body : bodies) world.removeRigidBody(body.get());
    }
};

void version(char *text, size_t size)
{
    const int v = btGetVersion();
    snprintf(text, size, "Bullet %d.%d (double)", v / 100, v % 100);
}

btCollisionShape *keep(World *w, btCollisionShape *shape)
{
    w->shapes.emplace_back(shape);
    return shape;
}

// mass 0: fixed.
btRigidBody *add_body(World *w, double mass, const btVector3 &inertia, const btVector3 &at,
                      btCollisionShape *shape, double mu)
{
    w->states.emplace_back(new btDefaultMotionState(btTransform(btQuaternion::getIdentity(), at)));
    btRigidBody::btRigidBodyConstructionInfo info(mass, w->states.back().get(), shape, inertia);
    info.m_friction = mu;
    btRigidBody *body = new btRigidBody(info);
    w->bodies.emplace_back(body);
    body->setActivationState(DISABLE_DEACTIVATION);
    w->world.addRigidBody(body);
    return body;
}

// Bullet multiplies the coefficients of both sides.
void add_plane(World *w, double z)
{
    add_body(w, 0.0, {0, 0, 0}, {0, 0, 0}, keep(w, new btStaticPlaneShape({0, 0, 1}, z)), 1.0);
}

void add_box(World *w)
{
    add_body(w, box_mass, {box_inertia(0), box_inertia(1), box_inertia(2)}, {0, 0, box_half[2]},
             keep(w, new btBoxShape({box_half[0], box_half[1], box_half[2]})), box_mu);
    add_body(w, 0.0, {0, 0, 0}, {0, 0, -1}, keep(w, new btBoxShape({20, 20, 1})), 1.0);
}

void add_ball(World *w)
{
    const double J = ball_inertia(), angle = w->task.angle;
    btRigidBody *ball = add_body(w, ball_mass, {J, J, J}, {0, 0, ball_radius},
                                 keep(w, new btSphereShape(ball_radius)), ball_mu);
    ball->setLinearVelocity({ball_speed * cos(angle), ball_speed * sin(angle), 0});
    add_plane(w, 0.0);
}

void start_machine(World *w, int links)
{
    w->machine.reset(new btMultiBody(links, 0.0, {0, 0, 0}, true, false));
    w->machine->setLinearDamping(0.0);
    w->machine->setAngularDamping(0.0);
}

// Bullet solves constraints by islands, and finds the island of a motor by the collision object of
// its link: without one the motor would never be solved. mask 0: touches nothing.
void add_collider(World *w, int link, btCollisionShape *shape, double mu, int mask)
{
    auto *collider = new btMultiBodyLinkCollider(w->machine.get(), link);
    w->colliders.emplace_back(collider);
    collider->setCollisionShape(shape);
    collider->setFriction(mu);
    w->world.addCollisionObject(collider, btBroadphaseProxy::DefaultFilter, mask);
    w->machine->getLink(link).m_collider = collider;
}

// last: the shape of the last link, or NULL.
void finish_machine(World *w, double (*level)(int link), btCollisionShape *last = nullptr,
                    double mu = 0.0)
{
    const int links = w->machine->getNumLinks();
    btCollisionShape *nothing = keep(w, new btSphereShape(1e-3));
    for (int i = 0; i < links; ++i) {
        const bool touches = last != nullptr && i == links - 1;
        add_collider(w, i, touches ? last : nothing, mu,
                     touches ? btBroadphaseProxy::StaticFilter : 0);
    }
    w->machine->finalizeMultiDof();
    w->world.addMultiBody(w->machine.get());
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    w->machine->forwardKinematics(turns, places);
    w->machine->updateCollisionObjectWorldTransforms(turns, places);
    for (int i = 0; i < w->machine->getNumLinks(); ++i) {
        w->motors.emplace_back(
            new btMultiBodyJointMotor(w->machine.get(), i, 0.0, level(i) * w->task.T));
        w->world.addMultiBodyConstraint(w->motors.back().get());
    }
}

void add_joint(World *w)
{
    start_machine(w, 1);
    w->machine->setupRevolute(0, 1.0, {joint_inertia, joint_inertia, joint_inertia}, -1,
                              btQuaternion::getIdentity(), {0, 0, 1}, {0, 0, 0}, {0, 0, 0}, true);
    finish_machine(w, [](int) { return joint_level; });
}

void add_block(World *w)
{
    start_machine(w, 1);
    w->machine->setupPrismatic(0, block_mass, {0.1, 0.1, 0.1}, -1, btQuaternion::getIdentity(),
                               {1, 0, 0}, {0, 0, 0}, {0, 0, 0}, true);
    finish_machine(w, [](int) { return block_level; });
    w->machine->setJointVel(0, block_velocity(w->task.which));
}

void add_two_link(World *w)
{
    const double J = arm2_inertia(), half = 0.5 * arm2_length;
    start_machine(w, 2);
    for (int i = 0; i < 2; ++i)
        w->machine->setupRevolute(i, arm2_mass, {arm2_thin, J, J}, i - 1,
                                  btQuaternion::getIdentity(), {0, 0, 1},
                                  {i > 0 ? half : 0.0, 0, 0}, {half, 0, 0}, true);
    finish_machine(w, [](int) { return arm2_level; });
}

void add_chain(World *w)
{
    const int n = w->task.links;
    const double half = 0.5 * chain_length;
    start_machine(w, n);
    for (int i = 0; i < n; ++i)
        w->machine->setupRevolute(i, chain_mass,
                                  {chain_inertia(0), chain_inertia(1), chain_inertia(2)}, i - 1,
                                  btQuaternion::getIdentity(), {0, 1, 0},
                                  {i > 0 ? half : 0.0, 0, 0}, {half, 0, 0}, true);
    auto *pair = new btCompoundShape();
    keep(w, pair);
    btCollisionShape *sphere = keep(w, new btSphereShape(chain_radius));
    for (double at : chain_spheres)
        pair->addChildShape(btTransform(btQuaternion::getIdentity(), {at - half, 0, 0}), sphere);
    finish_machine(
        w, [](int) { return chain_level; }, pair, chain_mu);
    add_plane(w, -chain_radius);
}

void add_pinch(World *w)
{
    // btCapsuleShape lies along y.
    add_body(w, capsule_mass, {capsule_inertia(0), capsule_inertia(1), capsule_inertia(2)},
             {0, 0, pinch_height}, keep(w, new btCapsuleShape(capsule_radius, 2 * capsule_half)),
             pinch_mu);
    for (int side = -1; side <= 1; side += 2) {
        btRigidBody *finger =
            add_body(w, finger_mass, {1e-3, 1e-3, 1e-3},
                     {side * (capsule_radius + finger_half[0]), 0, pinch_height},
                     keep(w, new btBoxShape({finger_half[0], finger_half[1], finger_half[2]})),
                     1.0);
        finger->setLinearFactor({1, 0, 0});
        finger->setAngularFactor(0.0);
    }
}

// Offsets go from centre to pivot in the parent's axes and from pivot to centre in the own ones.
void add_arm(World *w)
{
    start_machine(w, ARM_AXES);
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink &l = arm_links[i];
        const btVector3 place(l.place[0], l.place[1], l.place[2]),
            centre(l.centre[0], l.centre[1], l.centre[2]);
        const double *c = i > 0 ? arm_links[i - 1].centre : nullptr;
        const btVector3 before = c != nullptr ? btVector3(c[0], c[1], c[2]) : btVector3(0, 0, 0);
        const btQuaternion turn({0, 1, 0}, l.turned ? 0.5 * case_pi : 0.0);
        w->machine->setupRevolute(i, l.mass,
                                  {arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2)}, i - 1,
                                  turn.inverse(), {0, l.about_z ? 0.0 : 1.0, l.about_z ? 1.0 : 0.0},
                                  place - before, centre, true);
    }
    finish_machine(w, [](int i) { return arm_links[i].level; });
}

void (*const add[CASES])(World *) = {add_box,   add_joint, add_block, add_block, add_two_link,
                                     add_chain, add_ball,  add_box,   add_pinch, add_arm};

void apply_loads(World *w, double t)
{
    const PeerCase which = w->task.which;
    btMultiBody *m = w->machine.get();
    for (int i = 0; i < case_loaded_joints(which); ++i)
        m->addJointTorque(i, case_joint_load(which, i, t, m->getJointPos(i)));
    if (case_pulls_a_box(which)) {
        const double pull = case_pull(which, t);
        w->bodies[0]->applyCentralForce(
            {pull * cos(w->task.angle), pull * sin(w->task.angle), 0});
    }
    if (which == CASE_PINCH) {
        w->bodies[1]->applyCentralForce({finger_force, 0, 0});
        w->bodies[2]->applyCentralForce({-finger_force, 0, 0});
    }
}

void run(void *data, long steps)
{
    World *w = static_cast<World *>(data);
    for (long k = 0; k < steps; ++k) {
        apply_loads(w, (double)++w->steps * w->task.T);
        w->world.stepSimulation(w->task.T, 0);
    }
}

void *build(const PeerTask *task, int variant)
{
    World *w = new World;
    w->task = *task;
    w->world.setGravity({0, 0, -case_gravity_of(task->which)});
    if (variant == 1) {
        btContactSolverInfo &info = w->world.getSolverInfo();
        info.m_numIterations = 200;
        info.m_leastSquaresResidualThreshold = 0.0;
        info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    }
    add[task->which](w);
    return w;
}

void destroy(void *data) { delete static_cast<World *>(data); }

void read(void *data, double values[PEER_VALUES])
{
    World *w = static_cast<World *>(data);
    if (w->machine) {
        const int count = w->task.which == CASE_CHAIN ? chain_read(w->task.links) : w->machine->getNumLinks();
        for (int i = 0; i < count; ++i) {
            values[i] = w->machine->getJointPos(i);
            values[count + i] = w->machine->getJointVel(i);
        }
        return;
    }
    const btVector3 x = w->bodies[0]->getWorldTransform().getOrigin(),
                    v = w->bodies[0]->getLinearVelocity();
    for (int i = 0; i < 3; ++i) values[i] = x[i], values[3 + i] = v[i];
}

double mass(void *data)
{
    World *w = static_cast<World *>(data);
    double sum = 0.0;
    for (auto &body : w->bodies) sum += body->getMass();
    for (int i = 0; w->machine && i < w->machine->getNumLinks(); ++i)
        sum += w->machine->getLinkMass(i);
    return sum;
}

double gravity(void *data) { return -static_cast<World *>(data)->world.getGravity().z(); }

} // namespace

extern "C" const Peer peer_bullet = {
    "Bullet",
    version,
    {{"default", "btMultiBodyDynamicsWorld, 10 iterations; no sleeping, no damping"},
     {"200", "200 iterations, two friction directions"}},
    build,
    nullptr,
    run,
    read,
    mass,
    gravity,
    destroy,
};
