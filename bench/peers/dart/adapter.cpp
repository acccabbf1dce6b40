// DART. Friction in joints is its own (setCoulombFriction, solved with the contacts as one boxed
// linear complementarity problem).
//
// Settings. `default`: what a World comes with: FCL for collisions (on meshes), Dantzig's method with
// projected Gauss-Seidel behind it. `exact shapes`: DART's own collision detector, with exact spheres
// and boxes. Neither knows capsules (FCL here would put a ball of 0.1 m in its place), so that case 6
// runs with the second only, the capsule being its two end spheres: the same places of contact. The
// ground is a large box. Joint damping and springs are zero by default.
#include <dart/dart.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "../peer.h"

namespace
{

using namespace dart::dynamics;
using Eigen::Isometry3d;
using Eigen::Vector3d;

struct World {
    PeerTask task;
    long steps = 0;
    dart::simulation::WorldPtr world;
    SkeletonPtr machine; // what is read
    SkeletonPtr fingers[2];
};

void version(char *text, size_t size) { snprintf(text, size, "DART %s", DART_VERSION); }

void set_inertia(BodyNode *body, double mass, const Vector3d &centre, double xx, double yy,
                 double zz)
{
    body->setInertia(Inertia(mass, centre, Vector3d(xx, yy, zz).asDiagonal()));
}

ShapeNode *add_shape(BodyNode *body, const ShapePtr &shape, double mu)
{
    ShapeNode *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(mu);
    return node;
}

void add_ground(World *w, double z, double mu)
{
    SkeletonPtr ground = Skeleton::create("ground");
    BodyNode *body = ground->createJointAndBodyNodePair<WeldJoint>().second;
    ShapeNode *node = add_shape(body, std::make_shared<BoxShape>(Vector3d(80.0, 80.0, 2.0)), mu);
    node->setRelativeTranslation(Vector3d(0.0, 0.0, z - 1.0));
    w->world->addSkeleton(ground);
}

BodyNode *add_free(World *w, const Vector3d &at, const Vector3d &velocity)
{
    w->machine = Skeleton::create("body");
    auto pair = w->machine->createJointAndBodyNodePair<FreeJoint>();
    Isometry3d pose = Isometry3d::Identity();
    pose.translation() = at;
    pair.first->setTransform(pose);
    pair.first->setLinearVelocity(velocity);
    return pair.second;
}

void add_box(World *w)
{
    BodyNode *body = add_free(w, {0, 0, box_half[2]}, {0, 0, 0});
    set_inertia(body, box_mass, {0, 0, 0}, box_inertia(0), box_inertia(1), box_inertia(2));
    add_shape(body,
              std::make_shared<BoxShape>(
                  Vector3d(2 * box_half[0], 2 * box_half[1], 2 * box_half[2])),
              box_mu);
    w->world->addSkeleton(w->machine);
    add_ground(w, 0.0, box_mu);
}

void add_ball(World *w)
{
    const double J = ball_inertia(), angle = w->task.angle;
    BodyNode *body =
        add_free(w, {0, 0, ball_radius}, {ball_speed * cos(angle), ball_speed * sin(angle), 0});
    set_inertia(body, ball_mass, {0, 0, 0}, J, J, J);
    add_shape(body, std::make_shared<SphereShape>(ball_radius), ball_mu);
    w->world->addSkeleton(w->machine);
    add_ground(w, 0.0, ball_mu);
}

template <class J>
BodyNode *add_link(World *w, BodyNode *parent, const Vector3d &axis, const Vector3d &at,
                   double level)
{
    if (!w->machine) w->machine = Skeleton::create("machine");
    // Names must be unique, else DART prints each new one.
    const std::string number = std::to_string(w->machine->getNumBodyNodes());
    typename J::Properties joint;
    joint.mName = "joint" + number;
    auto pair =
        w->machine->createJointAndBodyNodePair<J>(parent, joint,
                                                  BodyNode::AspectProperties("link" + number));
    pair.first->setAxis(axis);
    Isometry3d place = Isometry3d::Identity();
    place.translation() = at;
    pair.first->setTransformFromParentBodyNode(place);
    pair.first->setCoulombFriction(0, level);
    return pair.second;
}

void add_joint(World *w)
{
    BodyNode *body = add_link<RevoluteJoint>(w, nullptr, {0, 0, 1}, {0, 0, 0}, joint_level);
    set_inertia(body, 1.0, {0, 0, 0}, joint_inertia, joint_inertia, joint_inertia);
    w->world->addSkeleton(w->machine);
}

void add_block(World *w)
{
    BodyNode *body = add_link<PrismaticJoint>(w, nullptr, {1, 0, 0}, {0, 0, 0}, block_level);
    set_inertia(body, block_mass, {0, 0, 0}, 0.1, 0.1, 0.1);
    w->machine->setVelocity(0, block_velocity(w->task.which));
    w->world->addSkeleton(w->machine);
}

void add_two_link(World *w)
{
    const double J = arm2_inertia();
    BodyNode *parent = nullptr;
    for (int i = 0; i < 2; ++i) {
        parent = add_link<RevoluteJoint>(w, parent, {0, 0, 1}, {i * arm2_length, 0, 0}, arm2_level);
        set_inertia(parent, arm2_mass, {0.5 * arm2_length, 0, 0}, arm2_thin, J, J);
    }
    w->world->addSkeleton(w->machine);
}

void add_chain(World *w)
{
    BodyNode *parent = nullptr;
    for (int i = 0; i < w->task.links; ++i) {
        parent = add_link<RevoluteJoint>(w, parent, {0, 1, 0}, {i > 0 ? chain_length : 0.0, 0, 0},
                                         chain_level);
        set_inertia(parent, chain_mass, {0.5 * chain_length, 0, 0}, chain_inertia(0),
                    chain_inertia(1), chain_inertia(2));
    }
    for (double at : chain_spheres)
        add_shape(parent, std::make_shared<SphereShape>(chain_radius), chain_mu)
            ->setRelativeTranslation(Vector3d(at, 0, 0));
    w->world->addSkeleton(w->machine);
    add_ground(w, -chain_radius, chain_mu);
}

void add_pinch(World *w)
{
    BodyNode *capsule = add_free(w, {0, 0, pinch_height}, {0, 0, 0});
    set_inertia(capsule, capsule_mass, {0, 0, 0}, capsule_inertia(0), capsule_inertia(1),
                capsule_inertia(2));
    for (int side = -1; side <= 1; side += 2)
        add_shape(capsule, std::make_shared<SphereShape>(capsule_radius), pinch_mu)
            ->setRelativeTranslation(Vector3d(0, side * capsule_half, 0));
    w->world->addSkeleton(w->machine);
    for (int i = 0; i < 2; ++i) {
        SkeletonPtr finger = w->fingers[i] = Skeleton::create(i == 0 ? "left" : "right");
        auto pair = finger->createJointAndBodyNodePair<PrismaticJoint>();
        pair.first->setAxis(Vector3d(1, 0, 0));
        Isometry3d place = Isometry3d::Identity();
        place.translation() =
            Vector3d((i == 0 ? -1 : 1) * (capsule_radius + finger_half[0]), 0, pinch_height);
        pair.first->setTransformFromParentBodyNode(place);
        set_inertia(pair.second, finger_mass, {0, 0, 0}, 1e-3, 1e-3, 1e-3);
        add_shape(pair.second,
                  std::make_shared<BoxShape>(
                      Vector3d(2 * finger_half[0], 2 * finger_half[1], 2 * finger_half[2])),
                  pinch_mu);
        w->world->addSkeleton(finger);
    }
}

void add_arm(World *w)
{
    BodyNode *parent = nullptr;
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink &l = arm_links[i];
        parent =
            add_link<RevoluteJoint>(w, parent, {0, l.about_z ? 0.0 : 1.0, l.about_z ? 1.0 : 0.0},
                                    {l.place[0], l.place[1], l.place[2]}, l.level);
        Isometry3d place = parent->getParentJoint()->getTransformFromParentBodyNode();
        if (l.turned) place.rotate(Eigen::AngleAxisd(0.5 * case_pi, Vector3d::UnitY()));
        parent->getParentJoint()->setTransformFromParentBodyNode(place);
        set_inertia(parent, l.mass, {l.centre[0], l.centre[1], l.centre[2]}, arm_inertia(i, 0),
                    arm_inertia(i, 1), arm_inertia(i, 2));
    }
    w->world->addSkeleton(w->machine);
}

void (*const add[CASES])(World *) = {add_box,   add_joint, add_block, add_block, add_two_link,
                                     add_chain, add_ball,  add_box,   add_pinch, add_arm};

bool has_contact(PeerCase which)
{
    return which == CASE_CREEP_BOX || which == CASE_CHAIN || which == CASE_ROLLING ||
           which == CASE_SLIDING_BOX || which == CASE_PINCH;
}

void *build(const PeerTask *task, int variant)
{
    if (variant == 1 && !has_contact(task->which)) return nullptr;
    if (variant == 0 && task->which == CASE_PINCH) return nullptr;
    World *w = new World;
    w->task = *task;
    w->world = dart::simulation::World::create();
    w->world->setTimeStep(task->T);
    w->world->setGravity(Vector3d(0.0, 0.0, -case_gravity_of(task->which)));
    if (variant == 1)
        w->world->getConstraintSolver()->setCollisionDetector(
            dart::collision::DARTCollisionDetector::create());
    add[task->which](w);
    return w;
}

void apply_loads(World *w, double t)
{
    const PeerCase which = w->task.which;
    Skeleton *m = w->machine.get();
    for (int i = 0; i < case_loaded_joints(which); ++i)
        m->setForce(i, case_joint_load(which, i, t, m->getPosition(i)));
    if (case_pulls_a_box(which)) {
        const double pull = case_pull(which, t);
        m->getBodyNode(0)->addExtForce(
            Vector3d(pull * cos(w->task.angle), pull * sin(w->task.angle), 0), Vector3d::Zero(),
            false);
    }
    if (which == CASE_PINCH) {
        w->fingers[0]->setForce(0, finger_force);
        w->fingers[1]->setForce(0, -finger_force);
    }
}

void run(void *data, long steps)
{
    World *w = static_cast<World *>(data);
    for (long k = 0; k < steps; ++k) {
        apply_loads(w, (double)++w->steps * w->task.T);
        w->world->step();
    }
}

void destroy(void *data) { delete static_cast<World *>(data); }

void read(void *data, double values[PEER_VALUES])
{
    World *w = static_cast<World *>(data);
    Skeleton *m = w->machine.get();
    if (has_contact(w->task.which) && w->task.which != CASE_CHAIN) {
        const Vector3d x = m->getBodyNode(0)->getCOM(),
                       v = m->getBodyNode(0)->getCOMLinearVelocity();
        for (int i = 0; i < 3; ++i) values[i] = x[i], values[3 + i] = v[i];
        return;
    }
    const int count = w->task.which == CASE_CHAIN ? chain_read(w->task.links) : (int)m->getNumDofs();
    for (int i = 0; i < count; ++i) {
        values[i] = m->getPosition(i);
        values[count + i] = m->getVelocity(i);
    }
}

double mass(void *data)
{
    World *w = static_cast<World *>(data);
    double sum = w->machine->getMass();
    for (auto &finger : w->fingers)
        if (finger) sum += finger->getMass();
    return sum;
}

double gravity(void *data) { return -static_cast<World *>(data)->world->getGravity().z(); }

} // namespace

extern "C" const Peer peer_dart = {
    "DART",
    version,
    {{"default", "FCL on meshes, Dantzig's method"},
     {"exact shapes", "DART's own collision detector; a capsule is its end spheres"}},
    build,
    nullptr,
    run,
    read,
    mass,
    gravity,
    destroy,
};
