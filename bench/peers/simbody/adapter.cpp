// Simbody. It has neither dry friction in joints nor hard contacts: friction in joints is a force
// F tanh(v/vt), contacts are HuntCrossleyForce (soft, with friction that rises up to a transition
// velocity). Integrators choose their own steps; the step of a task is the interval of reports and
// the largest step.
//
// Settings. `default`: RungeKuttaMerson with its default accuracy of 1e-3, vt = 0.01 m/s (the
// default of HuntCrossleyForce). `CPodes`: CPODES, implicit (BDF, Newton), accuracy 1e-6, so that
// vt = 1e-5 m/s can be afforded. Contacts: stiffness 1e7 N/m^2, dissipation 1 s/m. The box stands on
// four spheres of 5 mm at its lower corners (HuntCrossleyForce knows no boxes), the capsule is its
// two end spheres between half spaces on the fingers: the same places of contact.
#include <Simbody.h>

#include <cstdio>
#include <memory>

#include "../peer.h"

namespace
{

using namespace SimTK;

struct World;

// Loads and friction of joints.
class Loads : public Force::Custom::Implementation
{
  public:
    explicit Loads(const World *w) : w(w) {}
    void calcForce(const State &state, Vector_<SpatialVec> &bodies, Vector_<Vec3> &particles,
                   Vector &mobilities) const override;
    Real calcPotentialEnergy(const State &) const override { return 0.0; }
    bool dependsOnlyOnPositions() const override { return false; }

  private:
    const World *w;
};

struct World {
    PeerTask task;
    int variant;
    double vt; // m/s or rad/s
    long steps = 0;
    double level[128] = {0.0};
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    GeneralContactSubsystem contacts{system};
    ContactSetIndex set;
    std::unique_ptr<Force::Gravity> gravity;
    std::unique_ptr<HuntCrossleyForce> touch;
    int surfaces = 0;
    MobilizedBody body; // what is read, if it is free
    std::unique_ptr<Integrator> integrator;
    std::unique_ptr<TimeStepper> stepper;
};

void Loads::calcForce(const State &state, Vector_<SpatialVec> &bodies, Vector_<Vec3> &particles,
                      Vector &mobilities) const
{
    const double t = state.getTime();
    const Vector &u = state.getU();
    (void)particles;
    for (int i = 0; i < u.size() && i < 128; ++i)
        if (w->level[i] > 0.0) mobilities[i] -= w->level[i] * std::tanh(u[i] / w->vt);
    const PeerCase which = w->task.which;
    for (int i = 0; i < case_loaded_joints(which); ++i)
        mobilities[i] += case_joint_load(which, i, t, state.getQ()[i]);
    if (case_pulls_a_box(which))
        bodies[w->body.getMobilizedBodyIndex()][1] +=
            case_pull(which, t) * Vec3(std::cos(w->task.angle), std::sin(w->task.angle), 0);
    if (which == CASE_PINCH) mobilities[6] += finger_force, mobilities[7] -= finger_force;
}

void version(char *text, size_t size)
{
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    snprintf(text, size, "Simbody %d.%d.%d", major, minor, build);
}

Body::Rigid rigid(double mass, const Vec3 &centre, double xx, double yy, double zz)
{
    const Inertia about_centre(xx, yy, zz);
    return Body::Rigid(
        MassProperties(mass, centre, about_centre.shiftFromMassCenter(-centre, mass)));
}

void add_surface(World *w, MobilizedBody &body, const ContactGeometry &shape, const Transform &at,
                 double mu)
{
    if (!w->touch) {
        w->set = w->contacts.createContactSet();
        w->touch.reset(new HuntCrossleyForce(w->forces, w->contacts, w->set));
        w->touch->setTransitionVelocity(w->vt);
    }
    w->contacts.addBody(w->set, body, shape, at);
    w->touch->setBodyParameters(ContactSurfaceIndex(w->surfaces++), 1e7, 1.0, mu, mu, 0.0);
}

// A half space is full where its own x is positive: outward is -x.
void add_ground(World *w, double z, double mu)
{
    add_surface(w, w->matter.updGround(), ContactGeometry::HalfSpace(),
                Transform(Rotation(0.5 * Pi, YAxis), Vec3(0, 0, z)), mu);
}

void add_free(World *w, const Body::Rigid &body)
{
    w->body = MobilizedBody::Free(w->matter.updGround(), Transform(), body, Transform());
}

void add_box(World *w)
{
    const double r = 0.005;
    add_ground(w, 0.0, box_mu);
    add_free(w, rigid(box_mass, Vec3(0), box_inertia(0), box_inertia(1), box_inertia(2)));
    for (int i = 0; i < 4; ++i)
        add_surface(w, w->body, ContactGeometry::Sphere(r),
                    Vec3((i % 2 ? 1 : -1) * (box_half[0] - r), (i / 2 ? 1 : -1) * (box_half[1] - r),
                         r - box_half[2]),
                    box_mu);
}

void add_ball(World *w)
{
    const double J = ball_inertia();
    add_ground(w, 0.0, ball_mu);
    add_free(w, rigid(ball_mass, Vec3(0), J, J, J));
    add_surface(w, w->body, ContactGeometry::Sphere(ball_radius), Vec3(0), ball_mu);
}

void add_joint(World *w)
{
    MobilizedBody::Pin(w->matter.updGround(), Transform(),
                       rigid(1.0, Vec3(0), joint_inertia, joint_inertia, joint_inertia),
                       Transform());
    w->level[0] = joint_level;
}

void add_block(World *w)
{
    MobilizedBody::Slider(w->matter.updGround(), Transform(),
                          rigid(block_mass, Vec3(0), 0.1, 0.1, 0.1), Transform());
    w->level[0] = block_level;
}

void add_two_link(World *w)
{
    const double J = arm2_inertia();
    const Body::Rigid rod = rigid(arm2_mass, Vec3(0.5 * arm2_length, 0, 0), arm2_thin, J, J);
    MobilizedBody parent = w->matter.updGround();
    for (int i = 0; i < 2; ++i) {
        parent = MobilizedBody::Pin(parent, Vec3(i * arm2_length, 0, 0), rod, Transform());
        w->level[i] = arm2_level;
    }
}

// Pins turn about their own z.
Rotation about_y() { return Rotation(-0.5 * Pi, XAxis); }

void add_chain(World *w)
{
    const Body::Rigid link = rigid(chain_mass, Vec3(0.5 * chain_length, 0, 0), chain_inertia(0),
                                   chain_inertia(1), chain_inertia(2));
    MobilizedBody parent = w->matter.updGround();
    add_ground(w, -chain_radius, chain_mu);
    for (int i = 0; i < w->task.links; ++i) {
        const Transform place(about_y(), Vec3(i > 0 ? chain_length : 0.0, 0, 0));
        parent = MobilizedBody::Pin(parent, place, link, Transform(about_y()));
        w->level[i] = chain_level;
    }
    for (double at : chain_spheres)
        add_surface(w, parent, ContactGeometry::Sphere(chain_radius), Vec3(at, 0, 0), chain_mu);
}

void add_pinch(World *w)
{
    add_free(w, rigid(capsule_mass, Vec3(0), capsule_inertia(0), capsule_inertia(1),
                      capsule_inertia(2)));
    for (int side = -1; side <= 1; side += 2)
        add_surface(w, w->body, ContactGeometry::Sphere(capsule_radius),
                    Vec3(0, side * capsule_half, 0), pinch_mu);
    for (int side = -1; side <= 1; side += 2) {
        MobilizedBody::Slider finger(w->matter.updGround(),
                                     Vec3(side * (capsule_radius + finger_half[0]), 0,
                                          pinch_height),
                                     rigid(finger_mass, Vec3(0), 1e-3, 1e-3, 1e-3), Transform());
        // Outward towards the capsule: +x on the left.
        add_surface(w, finger, ContactGeometry::HalfSpace(),
                    Transform(Rotation(side < 0 ? Pi : 0.0, ZAxis),
                              Vec3(-side * finger_half[0], 0, 0)),
                    pinch_mu);
    }
}

void add_arm(World *w)
{
    MobilizedBody parent = w->matter.updGround();
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink &l = arm_links[i];
        const Rotation axis = l.about_z ? Rotation() : about_y();
        const Rotation turn = l.turned ? Rotation(0.5 * Pi, YAxis) : Rotation();
        parent =
            MobilizedBody::Pin(parent,
                               Transform(turn * axis, Vec3(l.place[0], l.place[1], l.place[2])),
                               rigid(l.mass, Vec3(l.centre[0], l.centre[1], l.centre[2]),
                                     arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2)),
                               Transform(axis));
        w->level[i] = l.level;
    }
}

void (*const add[CASES])(World *) = {add_box,   add_joint, add_block, add_block, add_two_link,
                                     add_chain, add_ball,  add_box,   add_pinch, add_arm};

void start(World *w, State &state)
{
    switch (w->task.which) {
    case CASE_CREEP_BOX:
    case CASE_SLIDING_BOX:
        w->body.setQToFitTranslation(state, Vec3(0, 0, box_half[2]));
        break;
    case CASE_ROLLING:
        w->body.setQToFitTranslation(state, Vec3(0, 0, ball_radius));
        w->body.setUToFitLinearVelocity(state, ball_speed * Vec3(std::cos(w->task.angle),
                                                                 std::sin(w->task.angle), 0));
        break;
    case CASE_PINCH:
        w->body.setQToFitTranslation(state, Vec3(0, 0, pinch_height));
        break;
    case CASE_ZERO_CROSSING:
        state.updU()[0] = crossing_velocity;
        break;
    default:
        break;
    }
}

void *build(const PeerTask *task, int variant)
{
    World *w = new World;
    w->task = *task;
    w->variant = variant;
    w->vt = variant == 0 ? 1e-2 : 1e-5;
    w->gravity.reset(
        new Force::Gravity(w->forces, w->matter, Vec3(0, 0, -case_gravity_of(task->which))));
    add[task->which](w);
    Force::Custom(w->forces, new Loads(w));
    w->system.realizeTopology();
    State state = w->system.getDefaultState();
    w->system.realizeModel(state);
    start(w, state);
    if (variant == 0)
        w->integrator.reset(new RungeKuttaMersonIntegrator(w->system));
    else {
        w->integrator.reset(new CPodesIntegrator(w->system, CPodes::BDF, CPodes::Newton));
        w->integrator->setAccuracy(1e-6);
    }
    w->integrator->setMaximumStepSize(task->T);
    w->stepper.reset(new TimeStepper(w->system, *w->integrator));
    w->stepper->initialize(state);
    return w;
}

void run(void *data, long steps)
{
    World *w = static_cast<World *>(data);
    for (long k = 0; k < steps; ++k) w->stepper->stepTo((double)++w->steps * w->task.T);
}

void destroy(void *data) { delete static_cast<World *>(data); }

void read(void *data, double values[PEER_VALUES])
{
    World *w = static_cast<World *>(data);
    const State &state = w->stepper->getState();
    w->system.realize(state, Stage::Velocity);
    if (!w->body.isEmptyHandle()) {
        const Vec3 x = w->body.getBodyOriginLocation(state),
                   v = w->body.getBodyOriginVelocity(state);
        for (int i = 0; i < 3; ++i) values[i] = x[i], values[3 + i] = v[i];
        return;
    }
    const int count = w->task.which == CASE_CHAIN ? chain_read(w->task.links) : state.getNU();
    for (int i = 0; i < count; ++i) {
        values[i] = state.getQ()[i];
        values[count + i] = state.getU()[i];
    }
}

double mass(void *data)
{
    World *w = static_cast<World *>(data);
    return w->matter.calcSystemMass(w->stepper->getState());
}

double gravity(void *data)
{
    World *w = static_cast<World *>(data);
    return -w->gravity->getGravityVector(w->stepper->getState())[2];
}

} // namespace

extern "C" const Peer peer_simbody = {
    "Simbody",
    version,
    {{"default", "RungeKuttaMerson, accuracy 1e-3, transition velocity 0.01"},
     {"CPodes", "BDF, accuracy 1e-6, transition velocity 1e-5"}},
    build,
    nullptr,
    run,
    read,
    mass,
    gravity,
    destroy,
};
