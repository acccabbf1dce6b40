// Siconos: kernel and numerics through their C++ interface, steps of Moreau and Jean.
//
// Free bodies are Newton-Euler systems with hard contacts at the corners of the box, below the ball and
// at the two ends of the capsule; fingers keep to their guides by boundary conditions. Block and joint
// are linear Lagrangian systems (the spring is their stiffness). Arms and the chain are Lagrangian
// systems in the angles of their joints, whose equations of motion stand in serial_arm.cpp: Siconos
// has none of its own for that, and its users write them; their cost is part of the times. Dry
// friction in joints is Siconos' relay law on the rates, its bounds being impulses: level times step.
// Siconos' mechanics library with shapes and collisions is not used: Debian's needs Bullet in single
// precision, which cannot live in one process with Bullet in double precision.
//
// Settings. `default`: theta 0.5, each problem's first solver with its tolerance (contacts:
// Gauss-Seidel to 1e-4; relays: the method of Cao and Ferris, direct; both together: Gauss-Seidel over
// blocks to 1e-4), Newton to 1e-6. `tight`: tolerances of 1e-12, Newton to 1e-10, and contacts stay
// active up to a gap of 1e-9 m, since by default a gap of one rounding error opens a contact and the
// body falls for a step; blocks are linear and their solver direct, so that nothing is left to
// tighten. `one iteration`: as default with a single Newton iteration, which is cheaper and enough for
// arms at steps of 1 ms. Tried and left out: theta 1 (implicit Euler; no case gains, the spring pull
// loses 60 times), one law per joint in place of one for all (up to 5 times slower), Gauss-Seidel in
// place of pivoting for the relays of the chain (up to twice as fast, but fails at tight tolerances),
// six other solvers of contacts (none is faster by a tenth in all cases, some fail in the pinch).
#include <SiconosKernel.hpp>

#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <dlfcn.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "../peer.h"
#include "relations.hpp"
#include "serial_arm.hpp"

namespace
{

using serial_arm::Arm;
using std::make_shared;

enum { DEFAULT, TIGHT, ONE_ITERATION };

struct World {
    PeerTask task;
    double gravity = 0.0;
    Arm arm;
    SP::NonSmoothDynamicalSystem systems;
    SP::TimeStepping simulation;
    SP::SiconosVector position, velocity; // of what is read
    double mass = 0.0;
};

void version(char *text, size_t size) { snprintf(text, size, "Siconos " SICONOS_PACKAGE); }

SP::SiconosVector zeros(unsigned size)
{
    auto v = make_shared<SiconosVector>(size);
    v->zero();
    return v;
}

SP::SimpleMatrix diagonal(const std::vector<double> &entries)
{
    const unsigned n = (unsigned)entries.size();
    auto m = make_shared<SimpleMatrix>(n, n);
    m->zero();
    for (unsigned i = 0; i < n; ++i) (*m)(i, i) = entries[i];
    return m;
}

// ---- systems and their loads --------------------------------------------------------------------------

class Body : public NewtonEulerDS
{
    const PeerTask task_;
    const double push_; // along x, N

  public:
    Body(const PeerTask &task, SP::SiconosVector q, SP::SiconosVector v, double mass,
         SP::SimpleMatrix inertia, double gravity, double push)
        : NewtonEulerDS(q, v, mass, inertia), task_(task), push_(push)
    {
        auto force = zeros(3);
        (*force)(2) = -mass * gravity;
        setFExtPtr(force);
        computeFExt(0.0);
    }
    void computeFExt(double t) override
    {
        double size = push_;
        if (task_.which == CASE_CREEP_BOX) size = creep_box_force(t);
        if (task_.which == CASE_SLIDING_BOX) size = sliding_box_force();
        (*_fExt)(0) = size * cos(task_.angle);
        (*_fExt)(1) = size * sin(task_.angle);
    }
};

class Block : public LagrangianLinearTIDS
{
    const PeerCase which_;

  public:
    Block(PeerCase which, SP::SiconosVector q, SP::SiconosVector v, SP::SimpleMatrix mass)
        : LagrangianLinearTIDS(q, v, mass), which_(which)
    {
        setFExtPtr(zeros(1));
        if (which == CASE_SPRING_PULL) setKPtr(diagonal({pull_stiffness}));
        computeFExt(0.0);
    }
    void computeFExt(double t) override
    {
        (*_fExt)(0) =
            which_ == CASE_CREEP_JOINT ? creep_joint_torque(t) : block_force(which_, t, 0.0);
    }
};

class ArmSystem : public LagrangianDS
{
    Arm *arm_;
    const PeerCase which_;

    double load(int joint, double t) const
    {
        if (which_ == CASE_TWO_LINK) return arm2_torque(joint, t);
        return which_ == CASE_ARM ? arm_torque(joint, t) : 0.0;
    }

  public:
    ArmSystem(PeerCase which, Arm *arm, SP::SiconosVector q, SP::SiconosVector v)
        : LagrangianDS(q, v), arm_(arm), which_(which)
    {
        _hasConstantMass = false;
        allocateMass();
        computeMass();
    }
    void computeMass() override { computeMass(_q[0]); }
    void computeMass(SP::SiconosVector q) override
    {
        arm_->mass_matrix(&(*q)(0), &(*_mass)(0, 0));
        _mass->resetFactorizationFlags();
    }
    void computeForces(double t, SP::SiconosVector q, SP::SiconosVector v) override
    {
        if (!_forces) _forces = zeros(_ndof);
        arm_->bias(&(*q)(0), &(*v)(0), &(*_forces)(0));
        for (unsigned i = 0; i < _ndof; ++i) (*_forces)(i) = load((int)i, t) - (*_forces)(i);
    }
};

// ---- machines -----------------------------------------------------------------------------------------

void link(World *w, SP::NonSmoothLaw law, SP::Relation relation, SP::DynamicalSystem a,
          SP::DynamicalSystem b = SP::DynamicalSystem())
{
    w->systems->link(make_shared<Interaction>(law, relation), a, b);
}

SP::NonSmoothLaw contact(double mu, int dimension)
{
    return make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, dimension);
}

std::shared_ptr<Body> add_body(World *w, double mass, const std::vector<double> &inertia, double x,
                               double y, double z, double push = 0.0)
{
    auto q = zeros(7), v = zeros(6);
    (*q)(0) = x, (*q)(1) = y, (*q)(2) = z, (*q)(3) = 1.0;
    if (w->task.which == CASE_ROLLING) {
        (*v)(0) = ball_speed * cos(w->task.angle);
        (*v)(1) = ball_speed * sin(w->task.angle);
    }
    auto body = make_shared<Body>(w->task, q, v, mass, diagonal(inertia), w->gravity, push);
    w->systems->insertDynamicalSystem(body);
    w->mass += body->scalarMass();
    return body;
}

void watch(World *w, const SecondOrderDS &system)
{
    w->position = system.q();
    w->velocity = system.velocity();
}

SP::OneStepNSProblem add_box(World *w)
{
    const double *h = box_half;
    auto box = add_body(w, box_mass, {box_inertia(0), box_inertia(1), box_inertia(2)}, 0, 0, h[2]);
    for (int i = 0; i < 4; ++i)
        link(w, contact(box_mu, 3),
             make_shared<PointOnGround>(i % 2 ? h[0] : -h[0], i / 2 ? h[1] : -h[1], -h[2], 0.0),
             box);
    watch(w, *box);
    return make_shared<FrictionContact>(3);
}

SP::OneStepNSProblem add_ball(World *w)
{
    const double J = ball_inertia();
    auto ball = add_body(w, ball_mass, {J, J, J}, 0, 0, ball_radius);
    link(w, contact(ball_mu, 3), make_shared<PointOnGround>(0, 0, 0, ball_radius), ball);
    watch(w, *ball);
    return make_shared<FrictionContact>(3);
}

SP::OneStepNSProblem add_pinch(World *w)
{
    auto capsule =
        add_body(w, capsule_mass, {capsule_inertia(0), capsule_inertia(1), capsule_inertia(2)}, 0,
                 0, pinch_height);
    for (int side = -1; side <= 1; side += 2) {
        auto finger =
            add_body(w, finger_mass, {1e-3, 1e-3, 1e-3}, side * (capsule_radius + finger_half[0]),
                     0, pinch_height, -side * finger_force);
        auto fixed = make_shared<std::vector<unsigned>>(std::vector<unsigned>{1, 2, 3, 4, 5});
        finger->setBoundaryConditions(make_shared<FixedBC>(fixed));
        for (int end = -1; end <= 1; end += 2)
            link(w, contact(pinch_mu, 3),
                 make_shared<PointOnFinger>(end * capsule_half, capsule_radius, finger_half[0],
                                            side),
                 capsule, finger);
    }
    watch(w, *capsule);
    return make_shared<FrictionContact>(3);
}

SP::OneStepNSProblem add_block(World *w)
{
    const bool joint = w->task.which == CASE_CREEP_JOINT;
    auto q = zeros(1), v = zeros(1);
    if (!joint) (*v)(0) = block_velocity(w->task.which);
    w->mass = joint ? 1.0 : block_mass;
    auto block =
        make_shared<Block>(w->task.which, q, v, diagonal({joint ? joint_inertia : block_mass}));
    w->systems->insertDynamicalSystem(block);
    const double level = joint ? joint_level : block_level;
    link(w, make_shared<RelayNSL>(1, -w->task.T, w->task.T),
         make_shared<FrictionOfJoints>(std::vector<double>{level}), block);
    watch(w, *block);
    return make_shared<Relay>();
}

std::shared_ptr<ArmSystem> add_joints(World *w, const std::vector<double> &levels)
{
    const unsigned n = (unsigned)levels.size();
    w->arm.gravity = w->gravity;
    for (const auto &l : w->arm.links) w->mass += l.mass;
    auto arm = make_shared<ArmSystem>(w->task.which, &w->arm, zeros(n), zeros(n));
    w->systems->insertDynamicalSystem(arm);
    link(w, make_shared<RelayNSL>(n, -w->task.T, w->task.T), make_shared<FrictionOfJoints>(levels),
         arm);
    watch(w, *arm);
    return arm;
}

SP::OneStepNSProblem add_two_link(World *w)
{
    const double J = arm2_inertia(), l = arm2_length;
    for (int i = 0; i < 2; ++i)
        w->arm.links.push_back(
            {{i * l, 0, 0}, false, true, arm2_mass, {0.5 * l, 0, 0}, {arm2_thin, J, J}});
    add_joints(w, {arm2_level, arm2_level});
    return make_shared<Relay>();
}

SP::OneStepNSProblem add_chain(World *w)
{
    const double l = chain_length;
    for (int i = 0; i < w->task.links; ++i)
        w->arm.links.push_back({{i > 0 ? l : 0.0, 0, 0},
                                false,
                                false,
                                chain_mass,
                                {0.5 * l, 0, 0},
                                {chain_inertia(0), chain_inertia(1), chain_inertia(2)}});
    auto chain = add_joints(w, std::vector<double>((size_t)w->task.links, chain_level));
    for (double at : chain_spheres)
        link(w, contact(chain_mu, 2), make_shared<SphereOfArm>(&w->arm, at, chain_radius), chain);
    return make_shared<GenericMechanical>();
}

SP::OneStepNSProblem add_arm(World *w)
{
    std::vector<double> levels;
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink &l = arm_links[i];
        w->arm.links.push_back({{l.place[0], l.place[1], l.place[2]},
                                l.turned != 0,
                                l.about_z != 0,
                                l.mass,
                                {l.centre[0], l.centre[1], l.centre[2]},
                                {arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2)}});
        levels.push_back(l.level);
    }
    add_joints(w, levels);
    return make_shared<Relay>();
}

SP::OneStepNSProblem (*const add[CASES])(World *) = {add_box,      add_block, add_block, add_block,
                                                     add_two_link, add_chain, add_ball,  add_box,
                                                     add_pinch,    add_arm};

// ---- settings and steps -------------------------------------------------------------------------------

// Threads of the linear algebra would run beside the one core that is measured.
void keep_to_one_thread()
{
    void *set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    if (set != nullptr) reinterpret_cast<void (*)(int)>(set)(1);
}

void ignore_solver_output(int, Simulation *) {}

void tighten(SolverOptions *options)
{
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    for (size_t i = 0; i < options->numberOfInternalSolvers; ++i)
        options->internalSolvers[i]->dparam[SICONOS_DPARAM_TOL] = 1e-14;
}

// A variant that would only repeat another one is left out.
bool is_worth(PeerCase which, int variant)
{
    const bool block =
        which == CASE_CREEP_JOINT || which == CASE_SPRING_PULL || which == CASE_ZERO_CROSSING;
    const bool arm = which == CASE_TWO_LINK || which == CASE_CHAIN || which == CASE_ARM;
    return variant == DEFAULT || (variant == TIGHT ? !block : arm);
}

void *build(const PeerTask *task, int variant)
{
    if (!is_worth(task->which, variant)) return nullptr;
    keep_to_one_thread();
    numerics_set_verbose(0);
    World *w = new World;
    w->task = *task;
    w->gravity = case_gravity_of(task->which);
    w->systems = make_shared<NonSmoothDynamicalSystem>(0.0, 1e6);
    SP::OneStepNSProblem problem = add[task->which](w);
    auto integrator = make_shared<MoreauJeanOSI>();
    auto grid = make_shared<TimeDiscretisation>(0.0, task->T);
    w->simulation = make_shared<TimeStepping>(w->systems, grid, integrator, problem);
    w->simulation->setCheckSolverFunction(ignore_solver_output); // else it prints
    w->simulation->setWarnOnNonConvergence(false);
    if (variant == ONE_ITERATION) w->simulation->setNewtonOptions(SICONOS_TS_LINEAR);
    if (variant == TIGHT) {
        tighten(problem->numericsSolverOptions().get());
        w->simulation->setNewtonTolerance(1e-10);
        integrator->setConstraintActivationThreshold(1e-9);
    }
    return w;
}

void run(void *data, long steps)
{
    World *w = static_cast<World *>(data);
    for (long k = 0; k < steps; ++k) {
        w->simulation->computeOneStep();
        w->simulation->nextStep();
    }
}

void destroy(void *data) { delete static_cast<World *>(data); }

void read(void *data, double values[PEER_VALUES])
{
    const World *w = static_cast<const World *>(data);
    const bool body = w->position->size() == 7;
    const unsigned count = w->task.which == CASE_CHAIN ? chain_read(w->task.links)
                           : body                      ? 3
                                                       : w->position->size();
    for (unsigned i = 0; i < count; ++i) {
        values[i] = (*w->position)(i);
        values[count + i] = (*w->velocity)(i);
    }
}

double mass(void *data) { return static_cast<World *>(data)->mass; }
double gravity(void *data) { return static_cast<World *>(data)->gravity; }

} // namespace

extern "C" const Peer peer_siconos = {
    "Siconos",
    version,
    {{"default", "Moreau-Jean, theta 0.5, first solvers and tolerances (1e-4), Newton to 1e-6"},
     {"tight", "tolerances 1e-12, Newton to 1e-10, contacts active up to gaps of 1e-9 m"},
     {"one iteration", "as default, a single Newton iteration"}},
    build,
    nullptr,
    run,
    read,
    mass,
    gravity,
    destroy,
};
